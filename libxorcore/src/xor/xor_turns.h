/* xor_turns.h — XOR of two sources by the including file's two_turns(), where nothing is asked for ahead and nothing stored around
 * the caches: what that would gain on these CPUs nobody has measured. */
#ifndef XC_XOR_TURNS_H
#define XC_XOR_TURNS_H

#include "xor_turn.h"

static __attribute__((noinline)) int two_aligned(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    two_peeled(dst, a, b, n, 0);
    return 0;
}

static int two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n < XC_XOR_TINY) {
        short_two(dst, a, b, n);
    } else if (n <= TURN) {
        two_short(dst, a, b, n);
    } else if (n >= PEEL_MIN && ((uintptr_t)dst & (VEC - 1)) != 0) {
        return two_aligned(dst, a, b, n);
    } else {
        two_long(dst, a, b, n, 0);
    }
    return 0;
}

#endif
