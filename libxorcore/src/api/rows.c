/* rows.c — many messages in one call: bounds, and each row as the one-shot function would treat it.
 *
 * That the arenas are apart is found out once for all rows. It leaves little to look at in a row that is inside them:
 * only one for which that is not enough goes through the one-shot function, which knows the error.
 *
 * Rows of a serial mode do not go one by one where the kernel takes many messages at once: each is checked and added to
 * a run (mode/lanes.h). Rows may then be read and written in any order, which no row can see: none writes what another
 * reads or writes (xorcore.h). */
#include "../util/equal.h"
#include "check.h"
#include "objects.h"

#include <string.h>

/* There is a loop for each kind of call, with what it does to a row in it: a short message takes no longer than the way
 * through a few functions. */
#define INLINE static inline __attribute__((always_inline))

_Static_assert(sizeof(xorcore_row) == 64, "a row is 64 bytes everywhere");

/* One call: its arguments, and what its rows share. */
struct call {
    const void *object;
    uint8_t *out;
    size_t out_len;
    const uint8_t *in;
    size_t in_len;
    const uint8_t *aux;
    size_t aux_len, nonce_len;
    xorcore_row *rows;
    size_t count, row_size;

    size_t tag_len;
    int aux_apart, in_apart; /* that arena and `out`; aux_apart also says that no row can be too long */
    struct xc_run *run; /* NULL: one row after the other */
    size_t alone;       /* rows of up to so many bytes go alone all the same */
    size_t lowest;      /* the lowest row that has failed, */
    int result;         /* and with what */
};

/* What a row of each kind of call has besides text to read and a nonce, and what is done with it. */
enum { WRITES = 1, AAD = 2, MAKES_TAG = 4, CHECKS_TAG = 8 };
struct kind {
    unsigned has;
    int (*one)(const struct call *c, const xorcore_row *r);

    /* Checks the row and adds it to the run. NULL where there never is one. */
    int (*add)(const struct call *c, const xorcore_row *r, size_t index);
};

static const uint8_t *in_at(const struct call *c, uint64_t at) { return c->in ? c->in + (size_t)at : NULL; }
static const uint8_t *aux_at(const struct call *c, uint64_t at) { return c->aux ? c->aux + (size_t)at : NULL; }
static uint8_t *out_at(const struct call *c, uint64_t at) { return c->out ? c->out + (size_t)at : NULL; }

/* [at, at + n) lies inside an arena of `len` bytes. */
static inline int inside(uint64_t at, uint64_t n, size_t len) { return n <= len && at <= len - n; }

INLINE int in_bounds(const struct call *c, unsigned has, const xorcore_row *r)
{
    return inside(r->in_at, r->len, c->in_len) && inside(r->nonce_at, c->nonce_len, c->aux_len) &&
           (!(has & WRITES) || inside(r->out_at, r->len, c->out_len)) &&
           (!(has & AAD) || inside(r->aad_at, r->aad_len, c->aux_len)) &&
           (!(has & MAKES_TAG) || inside(r->tag_at, c->tag_len, c->out_len)) &&
           (!(has & CHECKS_TAG) || inside(r->tag_at, c->tag_len, c->aux_len));
}

/* ---- one row of each kind ---------------------------------------------------------------------------------- */

/* `out` of a row that is inside the arenas and what it reads are as the one-shot function wants them. */
INLINE int apart(const struct call *c, const uint8_t *out, const uint8_t *in)
{
    return c->aux_apart && (c->in_apart || out == in);
}

/* AEAD rows go one by one. On an Intel Xeon with AVX-512 and VAES a loop over the kernel alone takes 10.6 ns for a GCM message
 * of 64 bytes, and 22 ns where each waits for the one before: neighbours overlap by themselves. */
static inline struct xc_message message(const struct call *c, const xorcore_row *r)
{
    return (struct xc_message){out_at(c, r->out_at),    in_at(c, r->in_at), (size_t)r->len,
                               aux_at(c, r->nonce_at),  c->nonce_len,       aux_at(c, r->aad_at),
                               (size_t)r->aad_len,      c->tag_len};
}

static int seal_one(const struct call *c, const xorcore_row *r)
{
    const struct xc_message m = message(c, r);
    uint8_t *tag = out_at(c, r->tag_at);
    if (!apart(c, m.out, m.in) || xc_near(m.out, m.len, tag, m.tag_len))
        return xorcore_aead_seal(c->object, m.out, tag, m.tag_len, m.nonce, m.nonce_len, m.in, m.len, m.aad, m.aad_len);
    xc_aead_seal_message(c->object, &m, tag);
    return XORCORE_OK;
}

static int open_one(const struct call *c, const xorcore_row *r)
{
    const struct xc_message m = message(c, r);
    const uint8_t *tag = aux_at(c, r->tag_at);
    if (!apart(c, m.out, m.in))
        return xorcore_aead_open(c->object, m.out, m.nonce, m.nonce_len, m.in, m.len, tag, m.tag_len, m.aad, m.aad_len);
    return xc_aead_open_message(c->object, &m, tag);
}

INLINE int check_cipher(const struct call *c, const uint8_t *out, const uint8_t *iv, const uint8_t *in, size_t n)
{
    return apart(c, out, in) ? xc_cipher_check_length(c->object, n)
                             : xc_cipher_check(c->object, out, iv, c->nonce_len, in, n);
}

INLINE int crypt_one(const struct call *c, int encrypt, const xorcore_row *r)
{
    uint8_t *out = out_at(c, r->out_at);
    const uint8_t *in = in_at(c, r->in_at), *iv = aux_at(c, r->nonce_at);
    const int result = check_cipher(c, out, iv, in, (size_t)r->len);
    if (!result)
        xc_cipher_crypt(c->object, encrypt, out, iv, c->nonce_len, in, (size_t)r->len);
    return result;
}

INLINE int encrypt_one(const struct call *c, const xorcore_row *r) { return crypt_one(c, 1, r); }
INLINE int decrypt_one(const struct call *c, const xorcore_row *r) { return crypt_one(c, 0, r); }

INLINE int add_cipher(const struct call *c, const xorcore_row *r, size_t index)
{
    uint8_t *out = out_at(c, r->out_at);
    const uint8_t *in = in_at(c, r->in_at), *iv = aux_at(c, r->nonce_at);
    const int result = check_cipher(c, out, iv, in, (size_t)r->len);
    if (!result)
        xc_cipher_add(c->run, out, iv, in, (size_t)r->len)->row = index;
    return result;
}

INLINE int compute_one(const struct call *c, const xorcore_row *r)
{
    return xorcore_mac_compute(c->object, out_at(c, r->tag_at), c->tag_len, aux_at(c, r->nonce_at), c->nonce_len,
                               in_at(c, r->in_at), (size_t)r->len);
}

INLINE int verify_one(const struct call *c, const xorcore_row *r)
{
    return xorcore_mac_verify(c->object, aux_at(c, r->tag_at), c->tag_len, aux_at(c, r->nonce_at), c->nonce_len,
                              in_at(c, r->in_at), (size_t)r->len);
}

/* A tag to be checked is compared when the run comes to its end; until then the row counts as right. */
INLINE int add_mac(const struct call *c, int making, const xorcore_row *r, size_t index)
{
    const xorcore_mac *mac = c->object;
    const uint8_t *data = in_at(c, r->in_at), *tag = making ? out_at(c, r->tag_at) : aux_at(c, r->tag_at);
    const int result = xc_mac_check(mac, making, tag, c->tag_len, aux_at(c, r->nonce_at), c->nonce_len, data,
                                    (size_t)r->len);
    if (!result) {
        struct xc_lane_end *end = mac->mode->add(mac->key, c->run, data, (size_t)r->len);
        end->row = index;
        end->tag_at = r->tag_at;
    }
    return result;
}

INLINE int add_making(const struct call *c, const xorcore_row *r, size_t index) { return add_mac(c, 1, r, index); }
INLINE int add_checking(const struct call *c, const xorcore_row *r, size_t index) { return add_mac(c, 0, r, index); }

static const struct kind kind_seal = {WRITES | AAD | MAKES_TAG, seal_one, NULL};
static const struct kind kind_open = {WRITES | AAD | CHECKS_TAG, open_one, NULL};
static const struct kind kind_encrypt = {WRITES, encrypt_one, add_cipher};
static const struct kind kind_decrypt = {WRITES, decrypt_one, add_cipher};
static const struct kind kind_compute = {MAKES_TAG, compute_one, add_making};
static const struct kind kind_verify = {CHECKS_TAG, verify_one, add_checking};

/* ---- all rows ---------------------------------------------------------------------------------------------- */

/* Rows may be larger than the struct that this library knows; what it does not know must be 0. */
static int is_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return 0;
    return 1;
}

static void set_result(const struct call *c, size_t index, int32_t result)
{
    memcpy((uint8_t *)c->rows + index * c->row_size + offsetof(xorcore_row, result), &result, sizeof result);
}

/* Rows come to their results in any order. */
static void settle(struct call *c, size_t index, int result)
{
    set_result(c, index, result);
    if (result && (!c->result || index < c->lowest)) {
        c->lowest = index;
        c->result = result;
    }
}

/* So many rows that no memory holds them: nothing of the array is looked at. */
static int impossible(const struct call *c)
{
    size_t bytes;
    return __builtin_mul_overflow(c->count, c->row_size, &bytes);
}

static __attribute__((noinline)) int call_error(const struct call *c, int error)
{
    if (c->rows && c->row_size >= sizeof *c->rows && !impossible(c))
        for (size_t i = 0; i < c->count; i++)
            set_result(c, i, error);
    return error;
}

/* `nonce_fits`, and `no_limit`, which is that no row inside these arenas can be too long, are the object's word; they are
 * not looked at when there is no object. */
INLINE int all_rows(struct call *c, const struct kind *kind, int nonce_fits, int no_limit)
{
    if (!c->object || (!c->rows && c->count) || c->row_size < sizeof *c->rows || c->row_size % 8 ||
        impossible(c) || xc_missing(c->out, c->out_len) || xc_missing(c->in, c->in_len) ||
        xc_missing(c->aux, c->aux_len))
        return call_error(c, XORCORE_E_ARG);
    if (!nonce_fits)
        return call_error(c, XORCORE_E_NONCE_LENGTH);

    c->in_apart = !xc_touch(c->out, c->out_len, c->in, c->in_len);
    c->aux_apart = no_limit && !xc_touch(c->out, c->out_len, c->aux, c->aux_len);
    for (size_t i = 0; i < c->count; i++) {
        const uint8_t *p = (const uint8_t *)c->rows + i * c->row_size;
        xorcore_row row;
        memcpy(&row, p, sizeof row);
        if (row.reserved || !is_zero(p + sizeof row, c->row_size - sizeof row) || !in_bounds(c, kind->has, &row))
            settle(c, i, XORCORE_E_ARG);
        else if (kind->add && c->run && row.len > c->alone)
            settle(c, i, kind->add(c, &row, i));
        else
            settle(c, i, kind->one(c, &row));
    }
    if (c->run)
        xc_run_finish(c->run);
    return c->result;
}

INLINE int aead_rows(struct call *c, const struct kind *kind, const xorcore_aead *aead)
{
    int fits = 0, no_limit = 0;
    if (aead) {
        c->tag_len = aead->tag_len;
        fits = c->nonce_len >= aead->mode->nonce_min && c->nonce_len <= aead->mode->nonce_max;
        no_limit = fits && c->in_len <= xc_aead_text_max(aead->mode, c->nonce_len) && c->aux_len <= aead->mode->aad_max;
    }
    return all_rows(c, kind, fits, no_limit);
}

/* One block costs less by itself than a lane does. */
enum { CIPHER_ALONE = XC_BLOCK };

INLINE int cipher_rows(struct call *c, const struct kind *kind, const xorcore_cipher *cipher)
{
    struct xc_run run;
    if (cipher && cipher->mode && c->count > 1) {
        const struct xc_aes_key *key = (const struct xc_aes_key *)cipher->key;
        xc_lanes_slot *slot = xc_cipher_side_by_side(cipher->mode, key, kind == &kind_encrypt);
        if (slot) {
            xc_run_begin(&run, slot, key);
            c->run = &run;
            c->alone = CIPHER_ALONE;
        }
    }
    return all_rows(c, kind, cipher && c->nonce_len == xc_cipher_iv_length(cipher), 1);
}

static void tag_made(void *caller, const struct xc_lane_end *end, const uint8_t tag[16])
{
    const struct call *c = caller;
    memcpy(c->out + end->tag_at, tag, c->tag_len);
}

static void tag_checked(void *caller, const struct xc_lane_end *end, const uint8_t tag[16])
{
    struct call *c = caller;
    if (!xc_equal(c->aux + end->tag_at, tag, c->tag_len))
        settle(c, end->row, XORCORE_E_AUTH);
}

INLINE int mac_rows(struct call *c, const struct kind *kind, const xorcore_mac *mac)
{
    struct xc_run run;
    int fits = 0;
    if (mac) {
        c->tag_len = mac->tag_len;
        fits = c->nonce_len >= mac->mode->nonce_min && c->nonce_len <= mac->mode->nonce_max;
        if (c->count > 1 && mac->mode->begin_run && mac->mode->begin_run(mac->key, &run)) {
            run.ended = kind == &kind_compute ? tag_made : tag_checked;
            run.caller = c;
            c->run = &run;
        }
    }
    return all_rows(c, kind, fits, 1);
}

int xorcore_aead_seal_rows(const xorcore_aead *aead, uint8_t *out, size_t out_len, const uint8_t *in,
                           size_t in_len, const uint8_t *aux, size_t aux_len, size_t nonce_len,
                           xorcore_row *rows, size_t count, size_t row_size)
{
    struct call c = {.object = aead, .out = out, .out_len = out_len, .in = in, .in_len = in_len, .aux = aux,
                     .aux_len = aux_len, .nonce_len = nonce_len, .rows = rows, .count = count,
                     .row_size = row_size};
    return aead_rows(&c, &kind_seal, aead);
}

int xorcore_aead_open_rows(const xorcore_aead *aead, uint8_t *out, size_t out_len, const uint8_t *in,
                           size_t in_len, const uint8_t *aux, size_t aux_len, size_t nonce_len,
                           xorcore_row *rows, size_t count, size_t row_size)
{
    struct call c = {.object = aead, .out = out, .out_len = out_len, .in = in, .in_len = in_len, .aux = aux,
                     .aux_len = aux_len, .nonce_len = nonce_len, .rows = rows, .count = count,
                     .row_size = row_size};
    return aead_rows(&c, &kind_open, aead);
}

int xorcore_cipher_encrypt_rows(const xorcore_cipher *cipher, uint8_t *out, size_t out_len,
                                const uint8_t *in, size_t in_len, const uint8_t *aux, size_t aux_len,
                                size_t nonce_len, xorcore_row *rows, size_t count, size_t row_size)
{
    struct call c = {.object = cipher, .out = out, .out_len = out_len, .in = in, .in_len = in_len, .aux = aux,
                     .aux_len = aux_len, .nonce_len = nonce_len, .rows = rows, .count = count,
                     .row_size = row_size};
    return cipher_rows(&c, &kind_encrypt, cipher);
}

int xorcore_cipher_decrypt_rows(const xorcore_cipher *cipher, uint8_t *out, size_t out_len,
                                const uint8_t *in, size_t in_len, const uint8_t *aux, size_t aux_len,
                                size_t nonce_len, xorcore_row *rows, size_t count, size_t row_size)
{
    struct call c = {.object = cipher, .out = out, .out_len = out_len, .in = in, .in_len = in_len, .aux = aux,
                     .aux_len = aux_len, .nonce_len = nonce_len, .rows = rows, .count = count,
                     .row_size = row_size};
    return cipher_rows(&c, &kind_decrypt, cipher);
}

int xorcore_mac_compute_rows(const xorcore_mac *mac, uint8_t *out, size_t out_len, const uint8_t *in,
                             size_t in_len, const uint8_t *aux, size_t aux_len, size_t nonce_len,
                             xorcore_row *rows, size_t count, size_t row_size)
{
    struct call c = {.object = mac, .out = out, .out_len = out_len, .in = in, .in_len = in_len, .aux = aux,
                     .aux_len = aux_len, .nonce_len = nonce_len, .rows = rows, .count = count,
                     .row_size = row_size};
    return mac_rows(&c, &kind_compute, mac);
}

int xorcore_mac_verify_rows(const xorcore_mac *mac, uint8_t *out, size_t out_len, const uint8_t *in,
                            size_t in_len, const uint8_t *aux, size_t aux_len, size_t nonce_len,
                            xorcore_row *rows, size_t count, size_t row_size)
{
    struct call c = {.object = mac, .out = out, .out_len = out_len, .in = in, .in_len = in_len, .aux = aux,
                     .aux_len = aux_len, .nonce_len = nonce_len, .rows = rows, .count = count,
                     .row_size = row_size};
    return mac_rows(&c, &kind_verify, mac);
}
