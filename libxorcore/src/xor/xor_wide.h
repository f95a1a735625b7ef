/* xor_wide.h — XOR of two sources on amd64, for the vectors of xor_vec.h: turns, and what no cache holds around the caches.
 *
 * Each vector is stored before the next is loaded, in ascending order. Four loads before four stores take
 * 6 to 10 % longer in L1 on Zen 4 (2 KiB: 19.9 and 18.8 ns). */
#ifndef XC_XOR_WIDE_H
#define XC_XOR_WIDE_H

#include "../cpu.h"
#include "xor_vec.h"

/* Around the caches: how much at once, and how far ahead the sources are asked for. */
enum { STREAM = TURN > 2 * LINE ? TURN : 2 * LINE, AHEAD = 1024 };

/* From BEYOND_L1 on three buffers do not fit into 32 KiB of first-level cache, and a store that misses it holds up
 * the loads behind it: the line to be written is asked for FETCH bytes ahead. Where the buffers begin at different
 * places of their pages that gains 4 % at 32 KiB (868 and 835 ns on Zen 4, as much as its L2 gives), else nothing. */
enum { BEYOND_L1 = 12 * 1024, FETCH = 256 };

/* Asks for the lines of a turn, and for two of a turn that is shorter. A prefetch beyond the end is no access: it cannot
 * fault. Always inlined, since gcc 12 takes a function that only fetches for one without an effect, and leaves out the call. */
static inline __attribute__((always_inline)) void fetch(const uint8_t *p, size_t at)
{
    XC_UNROLL
    for (size_t u = 0; u < TURN || u < 2 * LINE; u += LINE) {
        _mm_prefetch((const char *)((uintptr_t)p + at + u), _MM_HINT_T0);
    }
}

/* While more than a turn is left; `ask` is a constant. Three pointers that advance are cheaper than an index: an
 * address of two registers costs some CPUs an instruction more. */
static inline __attribute__((always_inline)) void two_turns(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                                                            int ask)
{
    for (; n > TURN; n -= TURN) {
        if (ask) {
            fetch(dst, FETCH);
        }
        vec_store(dst, both(a, b));
        vec_store(dst + VEC, both(a + VEC, b + VEC));
        vec_store(dst + 2 * VEC, both(a + 2 * VEC, b + 2 * VEC));
        vec_store(dst + 3 * VEC, both(a + 3 * VEC, b + 3 * VEC));
        dst += TURN;
        a += TURN;
        b += TURN;
    }
}

/* 0, which the compiler does not know. Where clang sees that a function returns nothing else it calls it and returns 0
 * itself, and for this call all who call `two` pay with the stack; so it is a jump. */
static inline int zero(void)
{
    int r = 0;
    __asm__("" : "+r"(r));
    return r;
}

/* What few calls need is apart from the rest, which then saves no register for it. */
static __attribute__((noinline)) int two_aligned(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    two_peeled(dst, a, b, n, 0);
    return zero();
}

/* Around the cache, in whole lines. So long a text has time for its ends. */
static __attribute__((noinline)) int two_streamed(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t i = -(uintptr_t)dst & (LINE - 1);
    short_two(dst, a, b, i);
    for (; n - i > TURN + STREAM; i += STREAM) { /* what is left is more than a turn */
        fetch(a, i + AHEAD);
        fetch(b, i + AHEAD);
        XC_UNROLL
        for (size_t u = 0; u < STREAM; u += VEC) {
            vec_stream(dst + i + u, both(a + i + u, b + i + u));
        }
    }
    vec_drain();
    two_long(dst + i, a + i, b + i, n - i, 0);
    return zero();
}

/* In place dst is in the cache anyhow, and a store around it takes twice as long. */
static __attribute__((noinline)) int two_beyond_l1(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n >= XC_CACHED_MIN && n >= xc_cpu_cached() && dst != a && dst != b) {
        return two_streamed(dst, a, b, n);
    }
    two_peeled(dst, a, b, n, 1);
    return zero();
}

static int two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n < XC_XOR_TINY) {
        short_two(dst, a, b, n);
    } else if (n <= TURN) {
        two_short(dst, a, b, n);
    } else if (n >= BEYOND_L1) {
        return two_beyond_l1(dst, a, b, n);
    } else if (n >= PEEL_MIN && ((uintptr_t)dst & (VEC - 1)) != 0) {
        return two_aligned(dst, a, b, n);
    } else {
        two_long(dst, a, b, n, 0);
    }
    return 0;
}

#endif
