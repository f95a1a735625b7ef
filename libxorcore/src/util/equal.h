/* equal.h — comparison in a time that depends on the length alone. */
#ifndef XC_EQUAL_H
#define XC_EQUAL_H

#include "bytes.h"

#include <stddef.h>
#include <stdint.h>

/* 1 if the n bytes are the same, else 0. The empty asm hides the sum from the compiler, which could
 * otherwise see that one differing byte decides and leave the loop early. */
static inline int xc_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint64_t sum = 0;
    for (; n >= 8; n -= 8, a += 8, b += 8) {
        sum |= xc_load64(a) ^ xc_load64(b);
        __asm__("" : "+r"(sum));
    }
    for (; n; n--, a++, b++) {
        sum |= (uint64_t)(*a ^ *b);
        __asm__("" : "+r"(sum));
    }
    uint32_t folded = (uint32_t)(sum | sum >> 32);
    __asm__("" : "+r"(folded));
    return (int)(1 ^ ((folded | (0 - folded)) >> 31));
}

#endif
