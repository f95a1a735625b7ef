/* xor_ladder.h — what is shorter than the vectors of xor_vec.h, by the ladder of xor_tiny.h: for rows without masks. */
#ifndef XC_XOR_LADDER_H
#define XC_XOR_LADDER_H

#include "../util/wipe.h"
#include "xor_tiny.h"

static inline void short_two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    xc_xor_tiny(dst, a, b, n);
}

static __attribute__((noinline)) void short_many(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    xc_xor_tiny_many(dst, src, count, n);
}

/* The key's bytes go to memory first. */
static inline void short_same(uint8_t *dst, const uint8_t *src, size_t n, vec k)
{
    uint8_t bytes[VEC];
    vec_store(bytes, k);
    xc_xor_tiny(dst, src, bytes, n);
    xc_wipe(bytes, sizeof bytes);
}

#endif
