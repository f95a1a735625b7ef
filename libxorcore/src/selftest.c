/* selftest.c — known answers on every kernel that runs here.
 *
 * The answers come from FIPS 197 appendix C and, for messages long enough to reach the widest loops, from
 * OpenSSL over the byte patterns made below. This is the check of a machine or a build, cheap enough to
 * run at start-up; the real tests of the library are in tests/. */
#include "kernel.h"
#include "mode/cipher.h"
#include "mode/ctr.h"
#include "mode/gcm.h"
#include "mode/mac.h"
#include "mode/xor.h"
#include "mode/xts.h"
#include "util/block.h"
#include "util/equal.h"
#include "xorcore.h"

#include <string.h>

enum { LONG = 1023, BLOCKS = LONG / XC_BLOCK, KEY_SIZES = 3 };

/* byte i of a pattern: i * step + start */
static void pattern(uint8_t *p, size_t n, unsigned step, unsigned start)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(i * step + start);
}

static int same(const void *a, const void *b, size_t n) { return xc_equal(a, b, n); }

/* Scratch for one run; on the heap because a thread's stack may be small. */
struct scratch {
    uint8_t text[LONG + 1], out[LONG + 1], back[LONG + 1], key[32];
};

/* XOR has no known answers but its definition, a byte at a time. */
static int test_xor(const struct xc_xor_ops *ops, struct scratch *s)
{
    uint8_t b[LONG];
    pattern(b, sizeof b, 13, 5);
    for (size_t n = 0; n <= 300; n += n < 70 ? 1 : 23) {
        const size_t key_len = 1 + n % 61, phase = n % key_len;
        const uint8_t *const sources[] = {s->text, b + 1, s->text + 7};
        memset(s->out, 0xa5, sizeof s->out);
        ops->two(s->out, s->text, b + 1, n);
        xc_xor_many(ops, s->back, sources, 3, n);
        for (size_t i = 0; i < n; i++)
            if (s->out[i] != (s->text[i] ^ b[i + 1]) || s->back[i] != (s->out[i] ^ s->text[i + 7]))
                return 0;
        xc_xor_repeat(ops, s->back, s->text, n, b, key_len, phase);
        for (size_t i = 0; i < n; i++)
            if (s->back[i] != (s->text[i] ^ b[(phase + i) % key_len]))
                return 0;
        if (s->out[n] != 0xa5)
            return 0;
    }
    return 1;
}

/* FIPS 197 appendix C: key 00 01 02 …, text 00 11 22 …, for 16, 24 and 32 bytes of key. */
static const uint8_t fips197[KEY_SIZES][XC_BLOCK] = {
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
    {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91},
    {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}};

/* The last 16 of LONG bytes in CTR, from a counter ff … ff f0 that wraps on the way. */
static const uint8_t ctr_end[KEY_SIZES][XC_BLOCK] = {
    {0xc9, 0x0e, 0x56, 0x72, 0x0d, 0xcf, 0x72, 0x21, 0x6c, 0x44, 0x78, 0xc6, 0xda, 0xe0, 0x23, 0x5c},
    {0xcf, 0xf9, 0xba, 0x7e, 0xfc, 0x55, 0xaf, 0xb1, 0x11, 0x5d, 0xec, 0xa7, 0x83, 0x0d, 0xea, 0x18},
    {0x7e, 0x99, 0xdc, 0x65, 0xaf, 0x7b, 0xec, 0x48, 0xa1, 0xa7, 0x77, 0xd4, 0xfc, 0x48, 0x8a, 0x41}};

static int test_aes(const struct xc_aes_ops *ops, void *key, struct scratch *s)
{
    for (size_t size = 0; size < KEY_SIZES; size++) {
        uint8_t bytes[32], block[XC_BLOCK], counter[XC_BLOCK];
        pattern(bytes, sizeof bytes, 1, 0);
        pattern(block, sizeof block, 0x11, 0);
        ops->set_key(key, bytes, 16 + 8 * size);
        if (ops->set_decrypt_key)
            ops->set_decrypt_key(key);
        for (size_t i = 0; i < BLOCKS; i++)
            memcpy(s->back + i * XC_BLOCK, block, XC_BLOCK);
        for (size_t n = 1; n <= BLOCKS; n += 5) {
            ops->encrypt(key, s->out, s->back, n);
            for (size_t i = 0; i < n; i++)
                if (!same(s->out + i * XC_BLOCK, fips197[size], XC_BLOCK))
                    return 0;
            ops->decrypt(key, s->out, s->out, n);
            if (!same(s->out, s->back, n * XC_BLOCK))
                return 0;
        }

        ops->set_key(key, s->key, 16 + 8 * size);
        memset(counter, 0xff, sizeof counter);
        counter[XC_BLOCK - 1] = 0xf0;
        xc_ctr(ops, key, s->out, s->text, LONG, counter);
        if (!same(s->out + LONG - XC_BLOCK, ctr_end[size], XC_BLOCK))
            return 0;
    }
    return 1;
}

/* The last 16 of BLOCKS blocks, or of LONG bytes in XTS and CMAC, under the 32-byte key and that counter as IV. */
static const struct {
    const struct xc_cipher_mode *mode;
    uint8_t end[XC_BLOCK];
} mode_ends[] = {
    {&xc_cipher_cbc,
     {0x3b, 0x7b, 0xd8, 0x2b, 0x92, 0x78, 0xc4, 0x85, 0x02, 0xff, 0xf9, 0x52, 0x32, 0x83, 0x16, 0xc3}},
    {&xc_cipher_cfb128,
     {0xe1, 0x8c, 0xad, 0xce, 0x86, 0x1e, 0xb9, 0xff, 0xae, 0xaf, 0x9d, 0x9f, 0xbf, 0x1a, 0x94, 0xb7}},
    {&xc_cipher_cfb8,
     {0x9a, 0xbc, 0xa9, 0x7e, 0xa9, 0xe2, 0xdc, 0x71, 0x0d, 0x78, 0x09, 0x41, 0xf3, 0x57, 0x89, 0xb7}},
    {&xc_cipher_ofb,
     {0x91, 0xaa, 0x6e, 0xdb, 0x8d, 0x07, 0xca, 0xb8, 0x63, 0x0f, 0x9a, 0x7e, 0x76, 0x91, 0x2f, 0x8c}}};
static const uint8_t xts_end[XC_BLOCK] = {0x6b, 0x92, 0xfe, 0x1f, 0x0d, 0x31, 0x6c, 0x81,
                                          0xcf, 0xc7, 0x69, 0xfb, 0x4c, 0x9c, 0xd9, 0x01};
static const uint8_t cmac_tag[XC_BLOCK] = {0x69, 0x91, 0x44, 0x5a, 0x20, 0xeb, 0x91, 0x7c,
                                           0x5c, 0x06, 0x7c, 0xe4, 0x9e, 0x1e, 0x3a, 0x1b};

/* Encrypts, looks at the end, and decrypts: the decryption of a right ciphertext must be the text. */
static int test_mode(const struct xc_cipher_mode *mode, const void *key, const uint8_t iv[16],
                     const uint8_t end[16], struct scratch *s)
{
    enum { N = BLOCKS * XC_BLOCK };
    struct xc_cipher_state state = {.used = 0};
    memcpy(state.chain, iv, XC_BLOCK);
    xc_cipher_update(mode, key, &state, 1, s->out, s->text, N);
    if (!same(s->out + N - XC_BLOCK, end, XC_BLOCK))
        return 0;
    memcpy(state.chain, iv, XC_BLOCK);
    xc_cipher_update(mode, key, &state, 0, s->back, s->out, N);
    return same(s->back, s->text, N);
}

static int test_modes(const struct xc_choice *choice, void *key, struct scratch *s)
{
    uint8_t iv[XC_BLOCK], tag[XC_BLOCK];
    memset(iv, 0xff, sizeof iv);
    iv[XC_BLOCK - 1] = 0xf0;
    xc_aes_set_key(key, choice->aes, s->key, sizeof s->key, 1);
    for (size_t i = 0; i < sizeof mode_ends / sizeof mode_ends[0]; i++)
        if (!test_mode(mode_ends[i].mode, key, iv, mode_ends[i].end, s))
            return 0;

    xc_xts_set_key(key, choice, s->key, sizeof s->key);
    xc_xts(key, 1, s->out, s->text, LONG, iv);
    xc_xts(key, 0, s->back, s->out, LONG, iv);
    if (!same(s->out + LONG - XC_BLOCK, xts_end, XC_BLOCK) || !same(s->back, s->text, LONG))
        return 0;

    union xc_mac_state state;
    xc_mac_cmac.set_key(key, choice, s->key, sizeof s->key);
    xc_mac_cmac.begin(key, &state, NULL, 0);
    xc_mac_cmac.update(key, &state, s->text, LONG);
    xc_mac_cmac.finish(key, &state, tag);
    return same(tag, cmac_tag, XC_BLOCK);
}

static int test_ghash(const struct xc_ghash_ops *ops, void *key, const struct scratch *s)
{
    static const uint8_t answer[XC_BLOCK] = {0x03, 0xa8, 0x61, 0x98, 0x1d, 0x14, 0xe1, 0xa2,
                                             0x31, 0xcf, 0xe6, 0x49, 0xad, 0x62, 0x89, 0x6f};
    for (size_t split = 0; split <= BLOCKS; split++) {
        uint8_t y[XC_BLOCK] = {0};
        ops->set_key(key, s->key);
        ops->update(key, s->text, split, y);
        ops->update(key, s->text + split * XC_BLOCK, BLOCKS - split, y);
        if (!same(y, answer, XC_BLOCK))
            return 0;
    }
    return 1;
}

/* AES-GCM of LONG bytes with 21 bytes of AAD; the tag vouches for the ciphertext. */
static const uint8_t gcm_tag[KEY_SIZES][XC_BLOCK] = {
    {0xd4, 0xc4, 0x04, 0xcb, 0x99, 0x65, 0x29, 0x73, 0x00, 0x8d, 0xa3, 0x60, 0xda, 0x4a, 0x86, 0x64},
    {0xbe, 0x92, 0x3a, 0x9a, 0xed, 0x26, 0x25, 0x4a, 0xb4, 0x37, 0x29, 0xbe, 0xbe, 0x7b, 0x1c, 0x47},
    {0xeb, 0x8e, 0xcb, 0xe0, 0x08, 0x6a, 0x5c, 0x76, 0x43, 0x96, 0xb3, 0xca, 0x64, 0x68, 0x43, 0x30}};

static int test_gcm(const struct xc_choice *choice, void *key, struct scratch *s)
{
    uint8_t nonce[12], aad[21], tag[XC_BLOCK];
    pattern(nonce, sizeof nonce, 5, 1);
    pattern(aad, sizeof aad, 3, 2);
    const struct xc_message seal = {s->out, s->text, LONG, nonce, sizeof nonce, aad, sizeof aad, sizeof tag};
    const struct xc_message open = {s->back, s->out, LONG, nonce, sizeof nonce, aad, sizeof aad, sizeof tag};
    for (size_t size = 0; size < KEY_SIZES; size++) {
        xc_gcm_set_key(key, choice, s->key, 16 + 8 * size);
        xc_gcm_seal(key, &seal, tag);
        if (!same(tag, gcm_tag[size], sizeof tag))
            return 0;
        memset(tag, 0, sizeof tag);
        xc_gcm_open(key, &open, gcm_tag[size], tag);
        if (!same(tag, gcm_tag[size], sizeof tag) || !same(s->back, s->text, LONG))
            return 0;
    }
    return 1;
}

/* The key block of a test, and what it may not exceed. */
static size_t key_block(const struct xc_kernel *kernel, const struct xc_choice *choice, size_t *most)
{
    switch (kernel->family) {
    case XC_AES:
        *most = XC_AES_KEY_MAX;
        return ((const struct xc_aes_ops *)kernel->ops)->key_size;
    case XC_GHASH:
        *most = XC_GHASH_KEY_MAX;
        return ((const struct xc_ghash_ops *)kernel->ops)->key_size;
    default:
        *most = XC_GCM_KEY_MAX;
        return choice->gcm->key_size(choice);
    }
}

static int test_kernel(const struct xc_kernel *kernel, struct scratch *s)
{
    struct xc_choice choice;
    if (kernel->family == XC_XOR)
        return test_xor(kernel->ops, s) ? XORCORE_OK : XORCORE_E_SELFTEST;
    if (kernel->family == XC_AES)
        xc_choose_aes(&choice, kernel->name);
    else
        xc_choose_gcm(&choice, kernel->family == XC_GCM ? kernel->name : NULL);

    size_t most;
    const size_t needed = key_block(kernel, &choice, &most);
    if (needed > most)
        return XORCORE_E_SELFTEST;
    const size_t size = 2 * needed + 4 * XC_ALIGN; /* room for the two keys of XTS and all headers */
    void *key = xc_block_new(size);
    if (!key)
        return XORCORE_E_MEMORY;
    const int ok = kernel->family == XC_AES     ? test_aes(kernel->ops, key, s) && test_modes(&choice, key, s)
                   : kernel->family == XC_GHASH ? test_ghash(kernel->ops, key, s)
                                                : test_gcm(&choice, key, s);
    xc_block_free(key, size);
    return ok ? XORCORE_OK : XORCORE_E_SELFTEST;
}

int xorcore_selftest(void)
{
    struct scratch *s = xc_block_new(sizeof *s);
    if (!s)
        return XORCORE_E_MEMORY;
    pattern(s->text, LONG, 7, 1);
    pattern(s->key, sizeof s->key, 11, 3);
    int r = XORCORE_OK;
    for (size_t i = 0; i < xc_kernel_count() && r == XORCORE_OK; i++) {
        struct xc_lack lack;
        xc_kernel_lack(i, &lack);
        if (!(lack.cpu | lack.os | lack.disabled) && !lack.row_disabled)
            r = test_kernel(xc_kernel_at(i), s);
    }
    xc_block_free(s, sizeof *s);
    return r;
}
