/* cipher.c — the public cipher functions: checks, whole messages, sectors, CTR at an offset. */
#include "../mode/xts.h"
#include "../util/equal.h"
#include "../util/wipe.h"
#include "check.h"
#include "objects.h"

#include <string.h>

static int new_xts(xorcore_cipher **out, const uint8_t *key, size_t key_len, const char *kernel)
{
    if (!xc_has_key(XC_XTS_KEYS, key_len))
        return XORCORE_E_KEY_LENGTH;
    if (xc_equal(key, key + key_len / 2, key_len / 2))
        return XORCORE_E_WEAK_KEY;
    struct xc_choice choice;
    const int r = xc_choose_aes(&choice, kernel);
    if (r)
        return r;
    xorcore_cipher *c = xc_object_new(sizeof *c + xc_xts_key_size(&choice), &choice);
    if (!c)
        return XORCORE_E_MEMORY;
    c->mode = NULL;
    xc_xts_set_key(c->key, &choice, key, key_len);
    *out = c;
    return XORCORE_OK;
}

int xorcore_cipher_new(xorcore_cipher **out, int algorithm, const uint8_t *key, size_t key_len,
                       const char *kernel)
{
    if (!out)
        return XORCORE_E_ARG;
    *out = NULL;
    const struct xc_cipher_mode *mode = xc_cipher_mode(algorithm);
    if ((!mode && algorithm != XORCORE_AES_XTS) || xc_missing(key, key_len))
        return XORCORE_E_ARG;
    if (!mode)
        return new_xts(out, key, key_len, kernel);
    if (!xc_has_key(mode->key_lengths, key_len))
        return XORCORE_E_KEY_LENGTH;
    struct xc_choice choice;
    const int r = xc_choose_aes(&choice, kernel);
    if (r)
        return r;
    xorcore_cipher *c = xc_object_new(sizeof *c + xc_aes_key_size(&choice), &choice);
    if (!c)
        return XORCORE_E_MEMORY;
    c->mode = mode;
    xc_aes_set_key((struct xc_aes_key *)c->key, choice.aes, key, key_len, mode->decrypts);
    *out = c;
    return XORCORE_OK;
}

void xorcore_cipher_free(xorcore_cipher *cipher) { xc_object_release(cipher ? &cipher->object : NULL); }

const char *xorcore_cipher_kernel(const xorcore_cipher *cipher)
{
    return cipher ? cipher->object.kernel : NULL;
}

/* ---- checks ------------------------------------------------------------------------------------------ */

static int missing(const xorcore_cipher *cipher, const uint8_t *out, const uint8_t *iv, size_t iv_len,
                   const uint8_t *in, size_t n)
{
    return !cipher || xc_missing(out, n) || xc_missing(iv, iv_len) || xc_missing(in, n);
}

int xc_cipher_check_length(const xorcore_cipher *cipher, size_t n)
{
    const struct xc_cipher_mode *mode = cipher->mode;
    if (!mode)
        return n < XC_XTS_UNIT_MIN ? XORCORE_E_DATA_LENGTH : n > XC_XTS_UNIT_MAX ? XORCORE_E_LIMIT : XORCORE_OK;
    return mode->open || !(n & (mode->unit - 1u)) ? XORCORE_OK : XORCORE_E_DATA_LENGTH;
}

static int overlap(const uint8_t *out, const uint8_t *iv, size_t iv_len, const uint8_t *in, size_t n)
{
    return xc_partly(out, in, n) || xc_touch(out, n, iv, iv_len) ? XORCORE_E_OVERLAP : XORCORE_OK;
}

int xc_cipher_check(const xorcore_cipher *cipher, const uint8_t *out, const uint8_t *iv, size_t iv_len,
                    const uint8_t *in, size_t n)
{
    if (missing(cipher, out, iv, iv_len, in, n))
        return XORCORE_E_ARG;
    if (iv_len != xc_cipher_iv_length(cipher))
        return XORCORE_E_NONCE_LENGTH;
    const int r = xc_cipher_check_length(cipher, n);
    return r ? r : overlap(out, iv, iv_len, in, n);
}

/* ---- the functions ------------------------------------------------------------------------------------ */

void xc_cipher_crypt(const xorcore_cipher *cipher, int encrypt, uint8_t *out, const uint8_t *iv, size_t iv_len,
                     const uint8_t *in, size_t n)
{
    if (cipher->mode)
        xc_cipher_message(cipher->mode, (const struct xc_aes_key *)cipher->key, encrypt, out, in, n,
                          iv_len ? iv : NULL);
    else
        xc_xts(cipher->key, encrypt, out, in, n, iv);
}

static int crypt(const xorcore_cipher *cipher, int encrypt, uint8_t *out, const uint8_t *iv, size_t iv_len,
                 const uint8_t *in, size_t n)
{
    const int r = xc_cipher_check(cipher, out, iv, iv_len, in, n);
    if (!r)
        xc_cipher_crypt(cipher, encrypt, out, iv, iv_len, in, n);
    return r;
}

int xorcore_cipher_encrypt(const xorcore_cipher *cipher, uint8_t *out, const uint8_t *iv, size_t iv_len,
                           const uint8_t *in, size_t n)
{
    return crypt(cipher, 1, out, iv, iv_len, in, n);
}

int xorcore_cipher_decrypt(const xorcore_cipher *cipher, uint8_t *out, const uint8_t *iv, size_t iv_len,
                           const uint8_t *in, size_t n)
{
    return crypt(cipher, 0, out, iv, iv_len, in, n);
}

int xorcore_cipher_ctr_at(const xorcore_cipher *cipher, uint8_t *out, const uint8_t *iv, size_t iv_len,
                          uint64_t offset, const uint8_t *in, size_t n)
{
    if (missing(cipher, out, iv, iv_len, in, n))
        return XORCORE_E_ARG;
    if (!cipher->mode || !cipher->mode->seekable)
        return XORCORE_E_UNSUPPORTED;
    if (iv_len != XC_BLOCK)
        return XORCORE_E_NONCE_LENGTH;
    if (n && n - 1 > UINT64_MAX - offset)
        return XORCORE_E_LIMIT;
    const int r = overlap(out, iv, iv_len, in, n);
    if (r)
        return r;
    const struct xc_aes_key *key = (const struct xc_aes_key *)cipher->key;
    struct xc_cipher_state state;
    xc_cipher_seek(cipher->mode, key, &state, iv, offset);
    xc_cipher_update(cipher->mode, key, &state, 1, out, in, n);
    xc_wipe(&state, sizeof state);
    return XORCORE_OK;
}

int xorcore_cipher_sectors(const xorcore_cipher *cipher, int direction, uint8_t *out, const uint8_t *tweak,
                           size_t tweak_len, const uint8_t *in, size_t n, size_t sector_size)
{
    if (missing(cipher, out, tweak, tweak_len, in, n) ||
        (direction != XORCORE_ENCRYPT && direction != XORCORE_DECRYPT))
        return XORCORE_E_ARG;
    if (cipher->mode)
        return XORCORE_E_UNSUPPORTED;
    if (tweak_len != XC_BLOCK)
        return XORCORE_E_NONCE_LENGTH;
    if (sector_size < XC_XTS_UNIT_MIN || sector_size > XC_XTS_UNIT_MAX || n % sector_size)
        return XORCORE_E_DATA_LENGTH;
    const int r = overlap(out, tweak, tweak_len, in, n);
    if (r)
        return r;
    xc_xts_sectors(cipher->key, direction == XORCORE_ENCRYPT, out, in, n, sector_size, tweak);
    return XORCORE_OK;
}
