/* test.c — what the API tests share: checks that count themselves, data, and the list of algorithms. */
#include "test.h"

#include <stdarg.h>

static unsigned long passed, failed;
enum {
    SHOWN = 40
};

static void fail(const char *extra, const char *format, va_list args)
{
    if (failed++ >= SHOWN)
        return;
    printf("FAILED ");
    vprintf(format, args);
    printf("%s\n", extra);
    fflush(stdout);
}

void check(int good, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (good)
        passed++;
    else
        fail("", format, args);
    va_end(args);
}

void check_result(int got, int wanted, const char *format, ...)
{
    char extra[100];
    va_list args;
    va_start(args, format);
    snprintf(extra, sizeof extra, ": %s, not %s", xorcore_result_name(got), xorcore_result_name(wanted));
    if (got == wanted)
        passed++;
    else
        fail(extra, format, args);
    va_end(args);
}

int finish(void)
{
    if (!passed && !failed) {
        printf("FAILED nothing was checked\n");
        failed++;
    }
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed ? 1 : 0;
}

static uint64_t random_state = 2026;

static uint64_t random64(void)
{
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void random_bytes(void *p, size_t n)
{
    uint8_t *at = p;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = random64();
        memcpy(at + i, &word, n - i < 8 ? n - i : 8);
    }
}

size_t random_below(size_t limit) { return (size_t)(random64() % limit); }

int all_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return 0;
    return 1;
}

/* ---- algorithms -------------------------------------------------------------------------------- */

#define LENGTH(n) ((uint64_t)1 << (n))
#define AES_KEYS (LENGTH(16) | LENGTH(24) | LENGTH(32))
#define GCM_TAGS (LENGTH(4) | LENGTH(8) | LENGTH(12) | LENGTH(13) | LENGTH(14) | LENGTH(15) | LENGTH(16))
#define CCM_TAGS (LENGTH(4) | LENGTH(6) | LENGTH(8) | LENGTH(10) | LENGTH(12) | LENGTH(14) | LENGTH(16))

const struct algorithm algorithms[] = {
    { AEAD, XORCORE_AES_GCM, "AES_GCM", AES_KEYS, GCM_TAGS, 1, SIZE_MAX, 16, 16, 12, 1, 0, 1 },
    { AEAD, XORCORE_AES_CCM, "AES_CCM", AES_KEYS, CCM_TAGS, 7, 13, 24, 16, 12, 1, 0, 1 },
    { AEAD, XORCORE_AES_GCM_SIV, "AES_GCM_SIV", LENGTH(16) | LENGTH(32), LENGTH(16), 12, 12, 32, 16, 12, 1, 0,
      0 },
    { AEAD, XORCORE_XAES_256_GCM, "XAES_256_GCM", LENGTH(32), LENGTH(16), 24, 24, 32, 16, 24, 1, 0, 1 },
    { CIPHER, XORCORE_AES_ECB, "AES_ECB", AES_KEYS, 0, 0, 0, 16, 0, 0, 16, 0, 1 },
    { CIPHER, XORCORE_AES_CBC, "AES_CBC", AES_KEYS, 0, 16, 16, 32, 0, 16, 16, 0, 1 },
    { CIPHER, XORCORE_AES_CFB128, "AES_CFB128", AES_KEYS, 0, 16, 16, 24, 0, 16, 1, 0, 1 },
    { CIPHER, XORCORE_AES_CFB8, "AES_CFB8", AES_KEYS, 0, 16, 16, 16, 0, 16, 1, 0, 1 },
    { CIPHER, XORCORE_AES_OFB, "AES_OFB", AES_KEYS, 0, 16, 16, 32, 0, 16, 1, 0, 1 },
    { CIPHER, XORCORE_AES_CTR, "AES_CTR", AES_KEYS, 0, 16, 16, 16, 0, 16, 1, 0, 1 },
    /* Of XTS keys, 64 bytes are checked by themselves: the set has bits 0 to 63. */
    { CIPHER, XORCORE_AES_XTS, "AES_XTS", LENGTH(32) | LENGTH(48), 0, 16, 16, 32, 0, 16, 1, 16, 0 },
    { MAC, XORCORE_AES_GMAC, "AES_GMAC", AES_KEYS, GCM_TAGS, 1, SIZE_MAX, 16, 16, 12, 1, 0, 1 },
    { MAC, XORCORE_AES_CMAC, "AES_CMAC", AES_KEYS, 0x1fff0, 0, 0, 32, 16, 0, 1, 0, 1 },
};
const size_t algorithm_count = sizeof algorithms / sizeof algorithms[0];

int new_object(const struct algorithm *a, void **out, const uint8_t *key, size_t key_len, size_t tag_len,
               const char *kernel)
{
    switch (a->noun) {
    case AEAD: return xorcore_aead_new((xorcore_aead **)out, a->id, key, key_len, tag_len, kernel);
    case CIPHER: return xorcore_cipher_new((xorcore_cipher **)out, a->id, key, key_len, kernel);
    default: return xorcore_mac_new((xorcore_mac **)out, a->id, key, key_len, tag_len, kernel);
    }
}

void *make_object(const struct algorithm *a, const char *kernel, const uint8_t *key, size_t key_len)
{
    void *object = NULL;
    int result = new_object(a, &object, key, key_len, a->tag, kernel);
    if (result != XORCORE_OK || !object) {
        printf("FAILED %s on %s cannot be made: %s\n", a->name, kernel ? kernel : "the best kernel",
               xorcore_result_name(result));
        exit(1);
    }
    return object;
}

const char *object_kernel(const struct algorithm *a, const void *object)
{
    switch (a->noun) {
    case AEAD: return xorcore_aead_kernel(object);
    case CIPHER: return xorcore_cipher_kernel(object);
    default: return xorcore_mac_kernel(object);
    }
}

void free_object(const struct algorithm *a, void *object)
{
    switch (a->noun) {
    case AEAD: xorcore_aead_free(object); break;
    case CIPHER: xorcore_cipher_free(object); break;
    default: xorcore_mac_free(object);
    }
}
