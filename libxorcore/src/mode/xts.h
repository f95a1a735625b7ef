/* xts.h — XTS-AES with ciphertext stealing (IEEE 1619, SP 800-38E). */
#ifndef XC_MODE_XTS_H
#define XC_MODE_XTS_H

#include "aes_key.h"
#include "lengths.h"

/* Key 1, then key 2, each a struct xc_aes_key with its block. 24-byte halves are not in the standard, but
 * in use. A data unit is 16 bytes to 2^20 blocks (SP 800-38E 4). */
#define XC_XTS_KEYS (XC_KEY(32) | XC_KEY(48) | XC_KEY(64))
enum { XC_XTS_UNIT_MIN = 16, XC_XTS_UNIT_MAX = 1 << 24 };

size_t xc_xts_key_size(const struct xc_choice *choice);
void xc_xts_set_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len);

/* One data unit of n bytes. */
void xc_xts(const void *key, int encrypt, uint8_t *out, const uint8_t *in, size_t n, const uint8_t tweak[16]);

/* n / size data units, unit i with the tweak + i, little-endian, modulo 2^128. */
void xc_xts_sectors(const void *key, int encrypt, uint8_t *out, const uint8_t *in, size_t n, size_t size,
                    const uint8_t tweak[16]);

#endif
