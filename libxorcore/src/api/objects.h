/* objects.h — what the public key objects are made of. */
#ifndef XC_OBJECTS_H
#define XC_OBJECTS_H

#include "../mode/aead.h"
#include "../mode/cipher.h"
#include "../mode/mac.h"
#include "../util/object.h"
#include "xorcore.h"

struct xorcore_aead {
    struct xc_object object;
    const struct xc_aead_mode *mode;
    size_t tag_len;
    _Alignas(XC_ALIGN) uint8_t key[];
};

struct xorcore_cipher {
    struct xc_object object;
    const struct xc_cipher_mode *mode; /* NULL for XTS, which is no mode of this kind (mode/xts.h) */
    _Alignas(XC_ALIGN) uint8_t key[];
};

struct xorcore_mac {
    struct xc_object object;
    const struct xc_mac_mode *mode;
    size_t tag_len;
    _Alignas(XC_ALIGN) uint8_t key[];
};

/* The checks of the one-shot calls, all of them in their order, for rows.c, whose messages may run together.
 * `making` a tag its length is looked at, and what it overlaps. */
int xc_cipher_check(const xorcore_cipher *cipher, const uint8_t *out, const uint8_t *iv, size_t iv_len,
                    const uint8_t *in, size_t n);
int xc_mac_check(const xorcore_mac *mac, int making, const uint8_t *tag, size_t tag_len, const uint8_t *nonce,
                 size_t nonce_len, const uint8_t *data, size_t n);

static inline size_t xc_cipher_iv_length(const xorcore_cipher *cipher)
{
    return cipher->mode ? cipher->mode->iv_len : XC_BLOCK;
}

#endif
