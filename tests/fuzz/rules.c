/* rules.c — the tables of the ABI in this fuzzer's own words: lengths, limits, and what a kernel's name means. */
#include "fuzz.h"

#include <stdio.h>

#define KEY(n) ((uint32_t)1 << (n) / 8)
#define TAG(n) ((uint32_t)1 << (n))

enum {
    KEYS_AES = KEY(16) | KEY(24) | KEY(32)
};
enum {
    TAGS_GCM = TAG(4) | TAG(8) | TAG(12) | TAG(13) | TAG(14) | TAG(15) | TAG(16),
    TAGS_CCM = TAG(4) | TAG(6) | TAG(8) | TAG(10) | TAG(12) | TAG(14) | TAG(16),
    TAGS_CMAC = 0x1fff0
};

const struct rules rules[] = {
    { XORCORE_AES_GCM, AEAD, READ_GCM, KEYS_AES, TAGS_GCM, 1, SIZE_MAX, 1, 1 },
    { XORCORE_AES_CCM, AEAD, READ_AES, KEYS_AES, TAGS_CCM, 7, 13, 1, 1 },
    { XORCORE_AES_GCM_SIV, AEAD, READ_PAIR, KEY(16) | KEY(32), TAG(16), 12, 12, 1, 0 },
    { XORCORE_XAES_256_GCM, AEAD, READ_GCM, KEY(32), TAG(16), 24, 24, 1, 1 },
    { XORCORE_AES_ECB, CIPHER, READ_AES, KEYS_AES, 0, 0, 0, 16, 1 },
    { XORCORE_AES_CBC, CIPHER, READ_AES, KEYS_AES, 0, 16, 16, 16, 1 },
    { XORCORE_AES_CFB128, CIPHER, READ_AES, KEYS_AES, 0, 16, 16, 1, 1 },
    { XORCORE_AES_CFB8, CIPHER, READ_AES, KEYS_AES, 0, 16, 16, 1, 1 },
    { XORCORE_AES_OFB, CIPHER, READ_AES, KEYS_AES, 0, 16, 16, 1, 1 },
    { XORCORE_AES_CTR, CIPHER, READ_AES, KEYS_AES, 0, 16, 16, 1, 1 },
    { XORCORE_AES_XTS, CIPHER, READ_AES, KEY(32) | KEY(48) | KEY(64), 0, 16, 16, 1, 0 },
    { XORCORE_AES_GMAC, MAC, READ_GCM, KEYS_AES, TAGS_GCM, 1, SIZE_MAX, 1, 1 },
    { XORCORE_AES_CMAC, MAC, READ_AES, KEYS_AES, TAGS_CMAC, 0, 0, 1, 1 },
};
const size_t rule_count = sizeof rules / sizeof rules[0];

static const uint64_t GCM_AAD = ((uint64_t)1 << 61) - 1;

int nonce_fits(const struct rules *r, size_t n)
{
    return n >= r->nonce_min && n <= r->nonce_max && n <= GCM_AAD;
}

uint64_t text_limit(const struct rules *r, size_t nonce_len)
{
    switch (r->id) {
    case XORCORE_AES_GCM:
    case XORCORE_XAES_256_GCM: return ((uint64_t)1 << 36) - 32;
    case XORCORE_AES_CCM: return nonce_len <= 7 ? UINT64_MAX : ((uint64_t)1 << 8 * (15 - nonce_len)) - 1;
    case XORCORE_AES_GCM_SIV: return (uint64_t)1 << 36;
    case XORCORE_AES_GMAC: return GCM_AAD;
    default: return UINT64_MAX;
    }
}

uint64_t aad_limit(const struct rules *r)
{
    switch (r->id) {
    case XORCORE_AES_CCM: return UINT64_MAX;
    case XORCORE_AES_GCM_SIV: return (uint64_t)1 << 36;
    default: return GCM_AAD;
    }
}

/* ---- kernels ----------------------------------------------------------------------------------- */

int kernel_exists(const char *family, const char *name, size_t len)
{
    xorcore_kernel k;
    for (size_t i = 0; xorcore_kernel_at(i, &k, sizeof k) == XORCORE_OK; i++)
        if (!strcmp(k.family, family) && strlen(k.name) == len && !memcmp(k.name, name, len))
            return k.flags & XORCORE_KERNEL_RUNS ? 1 : 0;
    return -1;
}

int wanted_kernel(enum reading reading, const char *kernel)
{
    if (!kernel)
        return XORCORE_OK;
    const size_t len = strlen(kernel);
    const char *plus = strchr(kernel, '+');
    int good;
    if (reading == READ_AES)
        good = kernel_exists("aes", kernel, len) == 1;
    else if (plus)
        good = kernel_exists("aes", kernel, (size_t)(plus - kernel)) == 1 &&
               kernel_exists("ghash", plus + 1, strlen(plus + 1)) == 1;
    else if (reading == READ_GCM)
        good = kernel_exists("gcm", kernel, len) == 1;
    else {
        const int aes = kernel_exists("aes", kernel, len), ghash = kernel_exists("ghash", kernel, len);
        good = !strcmp(kernel, "composed") || (aes && ghash && (aes == 1 || ghash == 1));
    }
    return good ? XORCORE_OK : XORCORE_E_KERNEL;
}

/* The name of any row of the family. */
static const char *take_row(const char *family)
{
    xorcore_kernel k;
    const char *names[64];
    size_t n = 0;
    for (size_t i = 0; xorcore_kernel_at(i, &k, sizeof k) == XORCORE_OK && n < 64; i++)
        if (!strcmp(k.family, family))
            names[n++] = k.name;
    return names[take8() % n];
}

const char *take_kernel(enum reading reading, char *space, size_t size)
{
    static const char *const odd[] = { "",
                                       "+",
                                       "aesni+",
                                       "+pclmul",
                                       "composed+portable",
                                       "portable+composed",
                                       "portable+portable+portable",
                                       "aesni+pclmul ",
                                       " portable",
                                       "PORTABLE",
                                       "aes/portable",
                                       "portable\n",
                                       "composed",
                                       "portable",
                                       "sse2",
                                       "avx2" };
    const uint8_t kind = take8();
    if (kind < 4)
        return odd[take8() % (sizeof odd / sizeof odd[0])];
    if (kind == 4) {
        size_t n = take_below(size - 1);
        memset(space, 'a' + take8() % 26, n);
        space[n] = 0;
        return space;
    }
    if (kind < 60)
        return NULL;
    if (reading == READ_AES)
        return take_row("aes");
    if (reading == READ_GCM && kind < 120)
        return take_row("gcm");
    if (reading == READ_PAIR && kind < 80)
        return take_row(kind & 1 ? "aes" : "ghash");
    const char *aes = take_row("aes"), *ghash = take_row("ghash");
    snprintf(space, size, "%s+%s", aes, ghash);
    return space;
}
