/* memory.c — an allocator that fails at any call, one that is counted, and blocks that must be wiped when freed.
 *
 * Linked with the static library, whose calls of the allocator come here (the linker's --wrap). */
#include "test.h"

enum {
    LIVE = 64
};

void __real_free(void *p);
void *__real_malloc(size_t size);
char *__real_strdup(const char *s);
void __wrap_free(void *p);
void *__wrap_malloc(size_t size);
char *__wrap_strdup(const char *s);

static struct {
    uint8_t *at;
    size_t size;
} live[LIVE];
static int fail_at = -1; /* the number of the call that gets NULL, from 0 */
static int strdup_fails;
static unsigned calls, others, unwiped, freed;

/* A block begins at a multiple of 64, and what the allocation has more, 64 bytes, stands around it. */
static uint8_t *block_in(uint8_t *allocated) { return allocated + 64 - (uintptr_t)allocated % 64; }

void *__wrap_malloc(size_t size)
{
    if ((int)calls++ == fail_at)
        return NULL;
    uint8_t *p = __real_malloc(size);
    for (int i = 0; p && i < LIVE; i++) {
        if (!live[i].at) {
            live[i].at = p;
            live[i].size = size;
            memset(p, 0xa5, size); /* what was there before must not matter */
            return p;
        }
    }
    return p;
}

void __wrap_free(void *p)
{
    for (int i = 0; p && i < LIVE; i++) {
        if (live[i].at == p) {
            freed++;
            unwiped += !all_zero(block_in(p), live[i].size - 64);
            live[i].at = NULL;
        }
    }
    __real_free(p);
}

char *__wrap_strdup(const char *s)
{
    others++;
    return strdup_fails ? NULL : __real_strdup(s);
}

static int blocks(void)
{
    int count = 0;
    for (int i = 0; i < LIVE; i++)
        count += live[i].at != NULL;
    return count;
}

/* ---- the API with it ------------------------------------------------------------------------------ */

static uint8_t key[64], nonce[24], text[600], out[600], tag[16], aad[20];

static const uint8_t *iv_of(const struct algorithm *a) { return a->nonce ? nonce : NULL; }

static int new_stream(const struct algorithm *a, xorcore_stream **s, const void *object, int direction)
{
    switch (a->noun) {
    case AEAD: return xorcore_stream_new_aead(s, object, direction, iv_of(a), a->nonce);
    case CIPHER: return xorcore_stream_new_cipher(s, object, direction, iv_of(a), a->nonce);
    default: return xorcore_stream_new_mac(s, object, iv_of(a), a->nonce);
    }
}

static void no_memory(const struct algorithm *a, const char *kernel)
{
    void *object = &object;
    fail_at = 0;
    calls = 0;
    check_result(new_object(a, &object, key, a->key, a->tag, kernel), XORCORE_E_MEMORY, "%s without memory",
                 a->name);
    check(object == NULL, "%s without memory: *out", a->name);
    check(calls == 1, "%s is made of %u blocks", a->name, calls);
    calls = 0;
    object = &object;
    check_result(new_object(a, &object, key, a->key, a->tag, "nope"), XORCORE_E_KERNEL,
                 "%s without memory and kernel", a->name);
    check(calls == 0 && object == NULL, "%s: memory before the kernel is known", a->name);
    check(blocks() == 0, "%s without memory leaves a block", a->name);

    fail_at = -1;
    object = make_object(a, kernel, key, a->key);
    check((uintptr_t)object % 64 == 0, "%s: an object is not 64-byte aligned", a->name);
    if (a->streams) {
        xorcore_stream *s = (xorcore_stream *)&s, *copy = (xorcore_stream *)&copy;
        int direction = a->noun == AEAD ? XORCORE_DECRYPT : XORCORE_ENCRYPT;
        fail_at = 0;
        calls = 0;
        check_result(new_stream(a, &s, object, direction), XORCORE_E_MEMORY, "%s: a stream without memory",
                     a->name);
        check(s == NULL, "%s: a stream without memory: *out", a->name);
        fail_at = -1;
        check_result(new_stream(a, &s, object, direction), XORCORE_OK, "%s: a stream", a->name);
        fail_at = 0;
        calls = 0;
        check_result(xorcore_stream_copy(&copy, s), XORCORE_E_MEMORY, "%s: a copy without memory", a->name);
        check(copy == NULL, "%s: a copy without memory: *out", a->name);
        fail_at = -1;
        xorcore_stream_free(s);
    }
    /* Whoever was refused holds nothing: the one holder that is left takes all with it. */
    check(blocks() == 1, "%s: %d blocks are left", a->name, blocks());
    free_object(a, object);
    check(blocks() == 0, "%s: a refused stream holds the key", a->name);
}

/* Messages of every shape take no memory. */
static void hot_calls(const struct algorithm *a, const char *kernel)
{
    void *object = make_object(a, kernel, key, a->key);
    xorcore_stream *s = NULL;
    xorcore_row rows[2];
    size_t n = 480;
    memset(rows, 0, sizeof rows);
    rows[0].len = rows[1].len = 160;
    rows[1].in_at = rows[1].out_at = 200;
    rows[0].tag_at = 160;
    rows[1].tag_at = 360;
    if (a->streams)
        check_result(new_stream(a, &s, object, XORCORE_ENCRYPT), XORCORE_OK, "%s: a stream", a->name);
    calls = others = 0;
    switch (a->noun) {
    case AEAD:
        xorcore_aead_seal(object, out, tag, 16, nonce, a->nonce, text, n, aad, 20);
        xorcore_aead_open(object, out, nonce, a->nonce, out, n, tag, 16, aad, 20);
        xorcore_aead_open(object, out, nonce, a->nonce, out, n, tag, 16, aad, 19);
        xorcore_aead_seal_rows(object, out, 600, text, 600, nonce, 24, a->nonce, rows, 2, 64);
        break;
    case CIPHER:
        xorcore_cipher_encrypt(object, out, iv_of(a), a->nonce, text, n);
        xorcore_cipher_decrypt(object, out, iv_of(a), a->nonce, out, n);
        xorcore_cipher_encrypt_rows(object, out, 600, text, 600, nonce, 24, a->nonce, rows, 2, 64);
        break;
    default:
        xorcore_mac_compute(object, tag, 16, iv_of(a), a->nonce, text, n);
        xorcore_mac_verify(object, tag, 16, iv_of(a), a->nonce, text, n);
        xorcore_mac_compute_rows(object, out, 600, text, 600, nonce, 24, a->nonce, rows, 2, 64);
    }
    if (s) {
        if (a->id == XORCORE_AES_CCM)
            xorcore_stream_lengths(s, 0, n);
        xorcore_stream_update(s, a->noun == MAC ? NULL : out, text, 32);
        xorcore_stream_update(s, a->noun == MAC ? NULL : out, text, n - 32);
        if (a->noun != CIPHER)
            xorcore_stream_finish(s, tag, 16);
        xorcore_stream_reset(s, iv_of(a), a->nonce);
    }
    check(calls == 0 && others == 0, "%s: %u blocks were taken for messages", a->name, calls + others);
    xorcore_stream_free(s);
    free_object(a, object);
    check(blocks() == 0, "%s: %d blocks are left", a->name, blocks());
}

/* A key lives as long as its last holder, in whichever order they go, and no longer. */
static void holders(const struct algorithm *a, const char *kernel)
{
    for (int order = 0; a->streams && order < 6; order++) {
        static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                          { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
        int direction = a->noun == AEAD ? XORCORE_DECRYPT_UNVERIFIED : XORCORE_ENCRYPT;
        void *object = make_object(a, kernel, key, a->key), *held = object;
        xorcore_stream *s = NULL, *copy = NULL;
        new_stream(a, &s, object, direction);
        xorcore_stream_copy(&copy, s);
        freed = unwiped = 0;
        for (int i = 0; i < 3; i++) {
            int alive = 0;
            switch (orders[order][i]) {
            case 0: free_object(a, object); break;
            case 1: xorcore_stream_free(s); break;
            default: xorcore_stream_free(copy);
            }
            for (int k = 0; k < LIVE; k++)
                alive |= live[k].at && block_in(live[k].at) == held;
            check(alive == (i < 2), "%s: after %d of 3 holders the key %s", a->name, i + 1,
                  alive ? "lives" : "is gone");
        }
        check(freed == 3 && blocks() == 0, "%s: %u blocks freed of 3", a->name, freed);
        check(unwiped == 0, "%s: %u blocks were freed with something in them", a->name, unwiped);
    }
}

int main(void)
{
    random_bytes(key, sizeof key);
    random_bytes(nonce, sizeof nonce);
    random_bytes(text, sizeof text);

    /* The strings of the list: without memory for them they are still strings. */
    strdup_fails = 1;
    check(xorcore_cpu() && *xorcore_cpu(), "xorcore_cpu without memory");
    for (size_t i = 0; i < xorcore_kernel_count(); i++) {
        xorcore_kernel k;
        check_result(xorcore_kernel_at(i, &k, sizeof k), XORCORE_OK, "kernel %zu without memory", i);
        check(!k.why == !!(k.flags & XORCORE_KERNEL_RUNS), "kernel %zu without memory: why", i);
    }
    strdup_fails = 0;

    for (size_t i = 0; i < algorithm_count; i++) {
        const struct algorithm *a = &algorithms[i];
        for (size_t k = 0; k <= xorcore_kernel_count(); k++) {
            xorcore_kernel row = { 0 };
            void *object = NULL;
            if (k > 0)
                xorcore_kernel_at(k - 1, &row, sizeof row);
            const char *kernel = k ? row.name : NULL;
            if (new_object(a, &object, key, a->key, a->tag, kernel) != XORCORE_OK)
                continue; /* not a name for this algorithm, or not of a kernel that runs here */
            freed = unwiped = 0;
            free_object(a, object);
            check(freed == 1 && unwiped == 0, "%s on %s: the key's block is not wiped", a->name,
                  kernel ? kernel : "the best");
            no_memory(a, kernel);
            hot_calls(a, kernel);
            holders(a, kernel);
        }
    }

    /* The self-test with its n-th block refused, until it needs no more. */
    int n = 0, result;
    do {
        fail_at = n++;
        calls = 0;
        unwiped = 0;
        result = xorcore_selftest();
        check_result(result, (int)calls > fail_at ? XORCORE_E_MEMORY : XORCORE_OK,
                     "the self-test without block %d", fail_at);
        check(blocks() == 0 && unwiped == 0, "the self-test without block %d leaves something", fail_at);
    } while (result != XORCORE_OK && n < 1000);
    check(n > 2, "the self-test takes %d blocks", n - 1);
    fail_at = -1;

    /* And in all of that no block was freed unwiped. */
    check(unwiped == 0, "%u blocks were freed with something in them", unwiped);
    return finish();
}
