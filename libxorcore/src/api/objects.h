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

/* The one-shot calls' two halves, for rows.c: what they check, all of it in its order, and what they then do. It looks
 * at most rows of a call less closely than they would, and some of its messages run together. `making` a tag its length
 * is looked at, and what it overlaps. */
void xc_aead_seal_message(const xorcore_aead *aead, const struct xc_message *m, uint8_t *tag);
int xc_aead_open_message(const xorcore_aead *aead, const struct xc_message *m, const uint8_t *tag);
int xc_cipher_check(const xorcore_cipher *cipher, const uint8_t *out, const uint8_t *iv, size_t iv_len,
                    const uint8_t *in, size_t n);
int xc_cipher_check_length(const xorcore_cipher *cipher, size_t n);
void xc_cipher_crypt(const xorcore_cipher *cipher, int encrypt, uint8_t *out, const uint8_t *iv, size_t iv_len,
                     const uint8_t *in, size_t n);
int xc_mac_check(const xorcore_mac *mac, int making, const uint8_t *tag, size_t tag_len, const uint8_t *nonce,
                 size_t nonce_len, const uint8_t *data, size_t n);

static inline size_t xc_cipher_iv_length(const xorcore_cipher *cipher)
{
    return cipher->mode ? cipher->mode->iv_len : XC_BLOCK;
}

#endif
