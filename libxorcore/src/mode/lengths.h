/* lengths.h — sets of allowed lengths, as the mode tables hold them. */
#ifndef XC_MODE_LENGTHS_H
#define XC_MODE_LENGTHS_H

#include <stddef.h>
#include <stdint.h>

/* Tags: bit n of a set is a length of n bytes. Keys: bit n is a length of 8n bytes. */
#define XC_TAG(n) ((uint32_t)1 << (n))
#define XC_KEY(n) ((uint32_t)1 << (n) / 8)

#define XC_KEYS_AES (XC_KEY(16) | XC_KEY(24) | XC_KEY(32))

static inline int xc_has_tag(uint32_t set, size_t n) { return n < 32 && (set >> n & 1); }
static inline int xc_has_key(uint32_t set, size_t n) { return n % 8 == 0 && n / 8 < 32 && (set >> n / 8 & 1); }

#endif
