/* exchange.h — bits change places, within a word and between two: for fixsliced.h, on words that can be shifted. */
#ifndef XC_EXCHANGE_H
#define XC_EXCHANGE_H

#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

/* Exchanges the bits of x under `mask` with those n places higher. */
INLINE word exchange(word x, unsigned n, uint64_t mask)
{
    const word t = (x >> n ^ x) & mask;
    return x ^ t ^ t << n;
}

/* Exchanges the bits of *b under `mask` with those of *a that stand n places higher. */
INLINE void exchange_between(word *a, word *b, unsigned n, uint64_t mask)
{
    const word t = (*a >> n ^ *b) & mask;
    *b ^= t;
    *a ^= t << n;
}

#endif
