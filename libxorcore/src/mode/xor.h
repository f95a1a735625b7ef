/* xor.h — XOR of many sources and with a repeating key, over any xor kernel. */
#ifndef XC_MODE_XOR_H
#define XC_MODE_XOR_H

#include "../kernel.h"

/* As the public functions of these names, on checked arguments. */
void xc_xor_many(const struct xc_xor_ops *ops, uint8_t *dst, const uint8_t *const *src, size_t count, size_t n);
void xc_xor_strided(const struct xc_xor_ops *ops, uint8_t *dst, const uint8_t *src, size_t stride,
                    size_t count, size_t n);
void xc_xor_repeat(const struct xc_xor_ops *ops, uint8_t *dst, const uint8_t *src, size_t n,
                   const uint8_t *key, size_t key_len, uint64_t phase);

#endif
