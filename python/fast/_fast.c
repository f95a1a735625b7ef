/* _fast.c — XOR and the one-shot calls of AEAD objects as a C extension, for short messages and lists of them.
 *
 * By cffi a call costs more than the work below a few KiB. These functions take the usual arguments: by position
 * (and `out` and `phase` by name), any buffers, of fitting lengths. Whatever else comes is handed on unchanged to the function by
 * cffi of the same name, which can do everything and says what is wrong; so no message and no rule stands here twice.
 * Only results of the library are answered here, because by then it may have written.
 *
 * The stable ABI of Python 3.11, the first that has Py_buffer. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <xorcore.h>

#include "_fast_docs.h"

/* The GIL is released for work of this many bytes or more. Below it the release costs a part of the work that can be
 * felt; Python's own hashlib draws the line at about the same place. */
enum { RELEASE_FROM = 2048 };

/* As many sources of xor_into() are held on the stack. */
enum { SOURCES = 16 };

/* Which function by cffi, in the order in which connect() gets them. */
enum { XOR, XOR_INTO, XOR_MANY, XOR_REPEAT, ENCRYPT, DECRYPT, ENCRYPT_INTO, DECRYPT_INTO, ENCRYPT_ROWS, DECRYPT_ROWS, CALLS };

struct state {
    PyObject *error; /* makes the exception for a result */
    PyObject *by_cffi[CALLS];
};

/* An AEAD object: `handle` is cffi's and owns `aead`. */
struct one_shot {
    PyObject_HEAD
    PyObject *handle;
    const xorcore_aead *aead;
    Py_ssize_t tag_len;
};

/* The arguments of a call as they came. */
struct call {
    PyObject *self;
    PyObject *const *args;
    Py_ssize_t count;
    PyObject *names;
};

static PyObject *hand_on(PyObject *function, struct call call)
{
    Py_ssize_t named = call.names ? PyTuple_Size(call.names) : 0;
    Py_ssize_t bound = call.self != NULL;
    PyObject *positional = PyTuple_New(bound + call.count);
    PyObject *by_name = PyDict_New();
    PyObject *result = NULL;

    if (!function)
        PyErr_SetString(PyExc_SystemError, "xorcore._fast is not connected");
    if (!function || !positional || !by_name)
        goto done;
    if (bound)
        PyTuple_SetItem(positional, 0, Py_NewRef(call.self));
    for (Py_ssize_t i = 0; i < call.count; i++)
        PyTuple_SetItem(positional, bound + i, Py_NewRef(call.args[i]));
    for (Py_ssize_t i = 0; i < named; i++)
        if (PyDict_SetItem(by_name, PyTuple_GetItem(call.names, i), call.args[call.count + i]) < 0)
            goto done;
    result = PyObject_Call(function, positional, by_name);
done:
    Py_XDECREF(positional);
    Py_XDECREF(by_name);
    return result;
}

static PyObject *refuse(const struct state *state, int code)
{
    PyObject *made = PyObject_CallFunction(state->error, "i", code);

    if (made)
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_XDECREF(made);
    return NULL;
}

/* ---- buffers ------------------------------------------------------------------------------------------- */

struct view {
    uint8_t *at;
    Py_ssize_t size;
    Py_buffer held; /* held.obj is NULL when there is nothing to give back */
};

/* The bytes of an object, as long as they are held; 0, without an exception, when it has none to give. */
static int take(struct view *view, PyObject *object, int flags)
{
    view->held.obj = NULL;
    if (flags == PyBUF_SIMPLE && PyBytes_CheckExact(object)) {
        view->at = (uint8_t *)PyBytes_AsString(object);
        view->size = Py_SIZE(object);
        return 1;
    }
    if (PyObject_GetBuffer(object, &view->held, flags) < 0) {
        PyErr_Clear();
        view->held.obj = NULL;
        return 0;
    }
    view->at = view->held.buf;
    view->size = view->held.len;
    return 1;
}

static void give_back(struct view *views, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (views[i].held.obj)
            PyBuffer_Release(&views[i].held);
}

static PyObject *as_tuple(PyObject *object)
{
    if (PyTuple_CheckExact(object))
        return Py_NewRef(object);
    return PyList_CheckExact(object) ? PyList_AsTuple(object) : NULL;
}

static PyThreadState *begin(Py_ssize_t size) { return size < RELEASE_FROM ? NULL : PyEval_SaveThread(); }

static void end(PyThreadState *saved)
{
    if (saved)
        PyEval_RestoreThread(saved);
}

/* ---- XOR ------------------------------------------------------------------------------------------------ */

/* What a call may name, with what stands for what it does not. */
struct options {
    PyObject *out;
    unsigned long long phase;
};

/* Reads the names of a call; 0, without an exception, when there is another name, or no such number. */
static int read_options(struct options *options, const struct call *call, int has_phase)
{
    Py_ssize_t named = call->names ? PyTuple_Size(call->names) : 0;

    options->out = Py_None;
    options->phase = 0;
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GetItem(call->names, i), *value = call->args[call->count + i];

        if (PyUnicode_CompareWithASCIIString(name, "out") == 0) {
            options->out = value;
        } else if (has_phase && PyLong_CheckExact(value) && PyUnicode_CompareWithASCIIString(name, "phase") == 0) {
            options->phase = PyLong_AsUnsignedLongLong(value);
            if (PyErr_Occurred()) {
                PyErr_Clear();
                return 0;
            }
        } else {
            return 0;
        }
    }
    return 1;
}

/* Where the result goes: `out`, or a fresh object, which nobody else has seen. A reference to what the call answers;
 * NULL, perhaps without an exception, when that is not usual. */
static PyObject *place(struct view *target, PyObject *out, Py_ssize_t size)
{
    PyObject *result;

    target->held.obj = NULL;
    if (out != Py_None) {
        if (!take(target, out, PyBUF_WRITABLE))
            return NULL;
        return target->size == size ? Py_NewRef(out) : NULL;
    }
    result = PyBytes_FromStringAndSize(NULL, size);
    if (result)
        target->at = (uint8_t *)PyBytes_AsString(result);
    return result;
}

/* Gives the buffers back and answers a call: `result`, the exception for `code`, or whatever the function by cffi says
 * when there is no result. */
static PyObject *answer(const struct state *state, PyObject *result, int code, struct view *views, Py_ssize_t held,
                        int which, struct call call)
{
    give_back(views, held);
    if (result && code == XORCORE_OK)
        return result;
    if (result) {
        Py_DECREF(result);
        return refuse(state, code);
    }
    return PyErr_Occurred() ? NULL : hand_on(state->by_cffi[which], call);
}

static PyObject *xor2(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    const struct state *state = PyModule_GetState(module);
    const struct call call = {NULL, args, count, names};
    struct options options;
    struct view views[3] = {0}; /* the two sources and the result */
    PyObject *result = NULL;
    int code = XORCORE_OK;

    if (count == 2 && read_options(&options, &call, 0) && take(&views[0], args[0], PyBUF_SIMPLE) &&
        take(&views[1], args[1], PyBUF_SIMPLE) && views[0].size == views[1].size)
        result = place(&views[2], options.out, views[0].size);
    if (result) {
        PyThreadState *saved = begin(views[0].size);

        code = xorcore_xor(views[2].at, views[0].at, views[1].at, (size_t)views[0].size);
        end(saved);
    }
    return answer(state, result, code, views, 3, XOR, call);
}

static PyObject *xor_repeat(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    const struct state *state = PyModule_GetState(module);
    const struct call call = {NULL, args, count, names};
    struct options options;
    struct view views[3] = {0}; /* the data, the key and the result */
    PyObject *result = NULL;
    int code = XORCORE_OK;

    if (count == 2 && read_options(&options, &call, 1) && take(&views[0], args[0], PyBUF_SIMPLE) &&
        take(&views[1], args[1], PyBUF_SIMPLE))
        result = place(&views[2], options.out, views[0].size);
    if (result) {
        PyThreadState *saved = begin(views[0].size);

        code = xorcore_xor_repeat(views[2].at, views[0].at, (size_t)views[0].size, views[1].at,
                                  (size_t)views[1].size, options.phase);
        end(saved);
    }
    return answer(state, result, code, views, 3, XOR_REPEAT, call);
}

/* Takes sources[0..count) behind views[0], which is the result's; whether they all have one size. */
static int take_sources(struct view *views, const uint8_t **at, PyObject *const *sources, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!take(&views[1 + i], sources[i], PyBUF_SIMPLE) || views[1 + i].size != views[1].size)
            return 0;
        at[i] = views[1 + i].at;
    }
    return 1;
}

static int xor_sources(const struct view *views, const uint8_t *const *sources, Py_ssize_t count)
{
    size_t size = (size_t)views[1].size;
    PyThreadState *saved = begin(views[1].size);
    int code = count == 2 ? xorcore_xor(views[0].at, sources[0], sources[1], size)
                          : xorcore_xor_many(views[0].at, sources, (size_t)count, size);

    end(saved);
    return code;
}

static PyObject *xor_many(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    const struct state *state = PyModule_GetState(module);
    const struct call call = {NULL, args, count, names};
    struct options options;
    struct view views[1 + SOURCES] = {0};
    const uint8_t *at[SOURCES];
    PyObject *sources[SOURCES], *list = NULL, *result = NULL;
    Py_ssize_t many = 0;
    int code = XORCORE_OK;

    /* A tuple cannot change while another thread has the GIL. */
    if (count == 1 && read_options(&options, &call, 0))
        list = as_tuple(args[0]);
    if (list)
        many = PyTuple_Size(list);
    if (many < 1 || many > SOURCES) {
        Py_XDECREF(list);
        return PyErr_Occurred() ? NULL : hand_on(state->by_cffi[XOR_MANY], call);
    }
    for (Py_ssize_t i = 0; i < many; i++)
        sources[i] = PyTuple_GetItem(list, i);
    if (take_sources(views, at, sources, many))
        result = place(&views[0], options.out, views[1].size);
    if (result)
        code = xor_sources(views, at, many);
    give_back(views, 1 + many);
    Py_DECREF(list);
    return answer(state, result, code, views, 0, XOR_MANY, call);
}

static PyObject *xor_into(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    const struct state *state = PyModule_GetState(module);
    const struct call call = {NULL, args, count, names};
    struct view views[1 + SOURCES] = {0};
    const uint8_t *at[SOURCES];
    PyObject *result = NULL;
    int code = XORCORE_OK;

    if (count < 2 || count > 1 + SOURCES || names)
        return hand_on(state->by_cffi[XOR_INTO], call);
    if (take(&views[0], args[0], PyBUF_WRITABLE) && take_sources(views, at, args + 1, count - 1) &&
        views[0].size == views[1].size)
        result = PyLong_FromSsize_t(views[0].size);
    if (result)
        code = xor_sources(views, at, count - 1);
    return answer(state, result, code, views, count, XOR_INTO, call);
}

/* ---- AEAD ----------------------------------------------------------------------------------------------- */

enum { NONCE, DATA, AAD, OUT, VIEWS };

/* Takes nonce, data and associated data; the number of views that are held, which is 3 when all went well. */
static Py_ssize_t take_message(struct view *views, PyObject *const *args, Py_ssize_t count)
{
    if (!take(&views[NONCE], args[0], PyBUF_SIMPLE))
        return 0;
    if (!take(&views[DATA], args[1], PyBUF_SIMPLE))
        return 1;
    if (count < 3 || args[2] == Py_None) {
        views[AAD].at = NULL;
        views[AAD].size = 0;
        views[AAD].held.obj = NULL;
    } else if (!take(&views[AAD], args[2], PyBUF_SIMPLE)) {
        return 2;
    }
    return 3;
}

/* Ciphertext and then tag to `out`. The handle is held, because another thread could begin the object anew. */
static int seal(struct one_shot *key, const struct view *views, uint8_t *out)
{
    PyObject *handle = Py_NewRef(key->handle);
    const xorcore_aead *aead = key->aead;
    size_t size = (size_t)views[DATA].size, tag_len = (size_t)key->tag_len;
    PyThreadState *saved = begin(views[DATA].size + views[AAD].size);
    int code = xorcore_aead_seal(aead, out, out + size, tag_len, views[NONCE].at, (size_t)views[NONCE].size,
                                 views[DATA].at, size, views[AAD].at, (size_t)views[AAD].size);

    end(saved);
    Py_DECREF(handle);
    return code;
}

/* The way back, for data that is at least a tag. */
static int unseal(struct one_shot *key, const struct view *views, uint8_t *out)
{
    PyObject *handle = Py_NewRef(key->handle);
    const xorcore_aead *aead = key->aead;
    size_t tag_len = (size_t)key->tag_len, size = (size_t)views[DATA].size - tag_len;
    PyThreadState *saved = begin(views[DATA].size + views[AAD].size);
    int code = xorcore_aead_open(aead, out, views[NONCE].at, (size_t)views[NONCE].size, views[DATA].at, size,
                                 views[DATA].at + size, tag_len, views[AAD].at, (size_t)views[AAD].size);

    end(saved);
    Py_DECREF(handle);
    return code;
}

/* encrypt() and decrypt(): the result is new. */
static PyObject *to_bytes(PyObject *self, PyTypeObject *type, struct call call, int which)
{
    const struct state *state = PyType_GetModuleState(type);
    struct one_shot *key = (struct one_shot *)self;
    struct view views[VIEWS];
    Py_ssize_t held = 0, size;
    PyObject *result;
    int code;

    if (call.names || call.count < 2 || call.count > 3 || !key->handle)
        return hand_on(state->by_cffi[which], call);
    held = take_message(views, call.args, call.count);
    if (held < 3)
        goto other;
    size = which == ENCRYPT ? views[DATA].size + key->tag_len : views[DATA].size - key->tag_len;
    if (size < 0 || views[DATA].size > PY_SSIZE_T_MAX - key->tag_len)
        goto other;
    result = PyBytes_FromStringAndSize(NULL, size);
    if (result) {
        uint8_t *out = (uint8_t *)PyBytes_AsString(result);

        code = which == ENCRYPT ? seal(key, views, out) : unseal(key, views, out);
        if (code != XORCORE_OK) {
            Py_CLEAR(result);
            refuse(state, code);
        }
    }
    give_back(views, held);
    return result;
other:
    give_back(views, held);
    return hand_on(state->by_cffi[which], call);
}

/* encrypt_into() and decrypt_into(): the result goes to a buffer of the caller's. */
static PyObject *to_buffer(PyObject *self, PyTypeObject *type, struct call call, int which)
{
    const struct state *state = PyType_GetModuleState(type);
    struct one_shot *key = (struct one_shot *)self;
    struct view views[VIEWS];
    Py_ssize_t held = 0, size;
    int code;

    if (call.names || call.count != 4 || !key->handle)
        return hand_on(state->by_cffi[which], call);
    held = take_message(views, call.args, 3);
    if (held < 3 || !take(&views[OUT], call.args[3], PyBUF_WRITABLE))
        goto other;
    held = VIEWS;
    size = views[OUT].size;
    if (which == ENCRYPT_INTO) {
        if (size < key->tag_len || size - key->tag_len != views[DATA].size)
            goto other;
        code = seal(key, views, views[OUT].at);
    } else {
        if (views[DATA].size < key->tag_len || views[DATA].size - key->tag_len != size)
            goto other;
        code = unseal(key, views, views[OUT].at);
    }
    give_back(views, held);
    return code == XORCORE_OK ? PyLong_FromSsize_t(size) : refuse(state, code);
other:
    give_back(views, held);
    return hand_on(state->by_cffi[which], call);
}

static PyObject *encrypt(PyObject *self, PyTypeObject *type, PyObject *const *args, Py_ssize_t count,
                         PyObject *names)
{
    return to_bytes(self, type, (struct call){self, args, count, names}, ENCRYPT);
}

static PyObject *decrypt(PyObject *self, PyTypeObject *type, PyObject *const *args, Py_ssize_t count,
                         PyObject *names)
{
    return to_bytes(self, type, (struct call){self, args, count, names}, DECRYPT);
}

static PyObject *encrypt_into(PyObject *self, PyTypeObject *type, PyObject *const *args, Py_ssize_t count,
                              PyObject *names)
{
    return to_buffer(self, type, (struct call){self, args, count, names}, ENCRYPT_INTO);
}

static PyObject *decrypt_into(PyObject *self, PyTypeObject *type, PyObject *const *args, Py_ssize_t count,
                              PyObject *names)
{
    return to_buffer(self, type, (struct call){self, args, count, names}, DECRYPT_INTO);
}

/* ---- lists of messages ---------------------------------------------------------------------------------- */

/* So many messages are worked on between two looks at Python's objects. */
enum { AT_ONCE = 64 };

struct message {
    const uint8_t *nonce, *data, *aad;
    size_t size, aad_len;
    PyObject *result;
    uint8_t *out;
    int code;
};

/* The three lists, as tuples that nobody can change, and what holds for all messages. */
struct lists {
    PyObject *nonces, *datas, *aads; /* aads is NULL for None */
    size_t nonce_len;
};

/* The bytes of an item; 0 when it is no `bytes`, or is not there. */
static int item(PyObject *tuple, Py_ssize_t at, const uint8_t **bytes, size_t *size)
{
    PyObject *object = PyTuple_GetItem(tuple, at);

    if (!object || !PyBytes_CheckExact(object))
        return 0;
    *bytes = (const uint8_t *)PyBytes_AsString(object);
    *size = (size_t)Py_SIZE(object);
    return 1;
}

/* Fills `messages` from number `first` on: their number; 0 when one of them is unusual, -1 without memory. */
static int gather(struct message *messages, const struct lists *lists, Py_ssize_t first, Py_ssize_t count,
                  size_t tag_len, int which)
{
    int made = 0;

    for (; made < AT_ONCE && first + made < count; made++) {
        struct message *m = &messages[made];
        size_t nonce_len, result;

        m->aad = NULL;
        m->aad_len = 0;
        if (!item(lists->nonces, first + made, &m->nonce, &nonce_len) || nonce_len != lists->nonce_len ||
            !item(lists->datas, first + made, &m->data, &m->size))
            goto unusual;
        if (lists->aads && PyTuple_GetItem(lists->aads, first + made) != Py_None &&
            !item(lists->aads, first + made, &m->aad, &m->aad_len))
            goto unusual;
        if (which == DECRYPT_ROWS && m->size < tag_len)
            goto unusual;
        if (which == DECRYPT_ROWS)
            m->size -= tag_len;
        result = which == ENCRYPT_ROWS ? m->size + tag_len : m->size;
        m->result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)result);
        if (!m->result) {
            while (made)
                Py_DECREF(messages[--made].result);
            return -1;
        }
        m->out = (uint8_t *)PyBytes_AsString(m->result);
    }
    return made;
unusual:
    while (made)
        Py_DECREF(messages[--made].result);
    return 0;
}

/* Seals or opens `made` messages, the GIL released when they are long enough together. */
static void work(struct one_shot *key, struct message *messages, int made, size_t nonce_len, int which)
{
    PyObject *handle = Py_NewRef(key->handle);
    const xorcore_aead *aead = key->aead;
    size_t tag_len = (size_t)key->tag_len, total = 0;

    for (int i = 0; i < made && total < RELEASE_FROM; i++)
        total += messages[i].size + messages[i].aad_len;
    PyThreadState *saved = begin((Py_ssize_t)total);
    for (int i = 0; i < made; i++) {
        struct message *m = &messages[i];

        if (which == ENCRYPT_ROWS)
            m->code = xorcore_aead_seal(aead, m->out, m->out + m->size, tag_len, m->nonce, nonce_len, m->data,
                                        m->size, m->aad, m->aad_len);
        else
            m->code = xorcore_aead_open(aead, m->out, m->nonce, nonce_len, m->data, m->size, m->data + m->size,
                                        tag_len, m->aad, m->aad_len);
    }
    end(saved);
    Py_DECREF(handle);
}

/* Appends the results to `list` and gives up their references; a message that is not authentic is None. Returns a
 * result of the library, or 1 when Python has an exception. */
static int append(PyObject *list, struct message *messages, int made)
{
    int code = XORCORE_OK;

    for (int i = 0; i < made; i++) {
        struct message *m = &messages[i];

        if (code == XORCORE_OK && m->code != XORCORE_OK && m->code != XORCORE_E_AUTH)
            code = m->code;
        if (code == XORCORE_OK && PyList_Append(list, m->code == XORCORE_OK ? m->result : Py_None) < 0)
            code = 1;
        Py_DECREF(m->result);
    }
    return code;
}

/* encrypt_rows() and decrypt_rows() for lists and tuples of bytes. */
static PyObject *rows(PyObject *self, PyTypeObject *type, struct call call, int which)
{
    const struct state *state = PyType_GetModuleState(type);
    struct one_shot *key = (struct one_shot *)self;
    struct lists lists = {NULL, NULL, NULL, 0};
    struct message messages[AT_ONCE];
    PyObject *list = NULL;
    Py_ssize_t count, done = 0;
    int usual = 0, code = XORCORE_OK;

    if (call.names || call.count < 2 || call.count > 3 || !key->handle)
        return hand_on(state->by_cffi[which], call);
    lists.nonces = as_tuple(call.args[0]);
    lists.datas = as_tuple(call.args[1]);
    if (call.count == 3 && call.args[2] != Py_None && !(lists.aads = as_tuple(call.args[2])))
        goto done;
    if (!lists.nonces || !lists.datas)
        goto done;
    count = PyTuple_Size(lists.datas);
    if (count == 0 || PyTuple_Size(lists.nonces) != count || (lists.aads && PyTuple_Size(lists.aads) != count))
        goto done;
    const uint8_t *first;
    if (!item(lists.nonces, 0, &first, &lists.nonce_len))
        goto done;
    list = PyList_New(0);
    usual = 1;
    while (list && usual && code == XORCORE_OK && done < count) {
        int made = gather(messages, &lists, done, count, (size_t)key->tag_len, which);

        usual = made != 0;
        if (made < 0)
            code = 1;
        if (made > 0) {
            work(key, messages, made, lists.nonce_len, which);
            code = append(list, messages, made);
            done += made;
        }
    }
done:
    Py_XDECREF(lists.nonces);
    Py_XDECREF(lists.datas);
    Py_XDECREF(lists.aads);
    if (usual && list && code == XORCORE_OK)
        return list;
    Py_XDECREF(list);
    if (usual)
        return code < 0 ? refuse(state, code) : NULL;
    if (PyErr_Occurred())
        return NULL;
    return hand_on(state->by_cffi[which], call);
}

static PyObject *encrypt_rows(PyObject *self, PyTypeObject *type, PyObject *const *args, Py_ssize_t count,
                              PyObject *names)
{
    return rows(self, type, (struct call){self, args, count, names}, ENCRYPT_ROWS);
}

static PyObject *decrypt_rows(PyObject *self, PyTypeObject *type, PyObject *const *args, Py_ssize_t count,
                              PyObject *names)
{
    return rows(self, type, (struct call){self, args, count, names}, DECRYPT_ROWS);
}

/* ---- the type ------------------------------------------------------------------------------------------- */

static PyObject *take_over(PyObject *self, PyObject *args)
{
    struct one_shot *key = (struct one_shot *)self;
    PyObject *handle, *address, *old = key->handle;
    Py_ssize_t tag_len;
    void *aead;

    if (!PyArg_ParseTuple(args, "OOn", &handle, &address, &tag_len))
        return NULL;
    aead = PyLong_AsVoidPtr(address);
    if (PyErr_Occurred())
        return NULL;
    key->handle = Py_NewRef(handle);
    key->aead = aead;
    key->tag_len = tag_len;
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

/* `_tag_len`, which an object that was never begun does not have, as it has no `_handle`. */
static PyObject *get_tag_len(PyObject *self, void *closure)
{
    const struct one_shot *key = (struct one_shot *)self;

    (void)closure;
    if (key->handle)
        return PyLong_FromSsize_t(key->tag_len);
    PyErr_SetString(PyExc_AttributeError, "_tag_len");
    return NULL;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    Py_XDECREF(((struct one_shot *)self)->handle);
    release(self);
    Py_DECREF(type);
}

/* ---- the module ----------------------------------------------------------------------------------------- */

/* Methods of three shapes go through one type of pointer; PyCFunction's users cast them back. */
#define AS_METHOD(function) ((PyCFunction)(void (*)(void))(function))
enum { FAST_CALL = METH_FASTCALL | METH_KEYWORDS };

static PyMethodDef one_shot_methods[] = {
    {"encrypt", AS_METHOD(encrypt), METH_METHOD | FAST_CALL, encrypt_doc},
    {"decrypt", AS_METHOD(decrypt), METH_METHOD | FAST_CALL, decrypt_doc},
    {"encrypt_into", AS_METHOD(encrypt_into), METH_METHOD | FAST_CALL, encrypt_into_doc},
    {"decrypt_into", AS_METHOD(decrypt_into), METH_METHOD | FAST_CALL, decrypt_into_doc},
    {"encrypt_rows", AS_METHOD(encrypt_rows), METH_METHOD | FAST_CALL, encrypt_rows_doc},
    {"decrypt_rows", AS_METHOD(decrypt_rows), METH_METHOD | FAST_CALL, decrypt_rows_doc},
    {"_bind", take_over, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef one_shot_members[] = {
    {"_handle", T_OBJECT_EX, offsetof(struct one_shot, handle), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef one_shot_getters[] = {
    {"_tag_len", get_tag_len, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot one_shot_slots[] = {
    {Py_tp_methods, one_shot_methods},
    {Py_tp_members, one_shot_members},
    {Py_tp_getset, one_shot_getters},
    {Py_tp_dealloc, dealloc},
    {0, NULL},
};

static PyType_Spec one_shot_spec = {
    .name = "xorcore._fast.OneShot",
    .basicsize = sizeof(struct one_shot),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = one_shot_slots,
};

/* connect(error, *functions by cffi): to be called once, before anything else. */
static PyObject *set_others(PyObject *module, PyObject *args)
{
    struct state *state = PyModule_GetState(module);
    PyObject *old;

    if (PyTuple_Size(args) != 1 + CALLS) {
        PyErr_SetString(PyExc_TypeError, "connect() takes the maker of exceptions and each call by cffi");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < 1 + CALLS; i++) {
        PyObject **place = i == 0 ? &state->error : &state->by_cffi[i - 1];

        old = *place;
        *place = Py_NewRef(PyTuple_GetItem(args, i));
        Py_XDECREF(old);
    }
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"xor", AS_METHOD(xor2), FAST_CALL, xor_doc},
    {"xor_into", AS_METHOD(xor_into), FAST_CALL, xor_into_doc},
    {"xor_many", AS_METHOD(xor_many), FAST_CALL, xor_many_doc},
    {"xor_repeat", AS_METHOD(xor_repeat), FAST_CALL, xor_repeat_doc},
    {"connect", set_others, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &one_shot_spec, NULL);
    int code = type ? PyModule_AddObjectRef(module, "OneShot", type) : -1;

    Py_XDECREF(type);
    return code;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    struct state *state = PyModule_GetState(module);

    Py_VISIT(state->error);
    for (int i = 0; i < CALLS; i++)
        Py_VISIT(state->by_cffi[i]);
    return 0;
}

static int clear(PyObject *module)
{
    struct state *state = PyModule_GetState(module);

    Py_CLEAR(state->error);
    for (int i = 0; i < CALLS; i++)
        Py_CLEAR(state->by_cffi[i]);
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, execute},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_fast",
    .m_size = sizeof(struct state),
    .m_methods = functions,
    .m_slots = module_slots,
    .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__fast(void) { return PyModuleDef_Init(&definition); }
