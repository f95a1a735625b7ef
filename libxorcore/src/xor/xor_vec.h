/* xor_vec.h — XOR of two and of many sources, written once for vectors of any width.
 *
 * The file that includes it says what a vector is: `vec` and VEC, its bytes; vec_load, vec_store, vec_xor
 * and vec_stream, which stores around the cache to an aligned address. It also has what is shorter:
 * short_two for fewer than XC_XOR_TINY bytes, short_many for fewer than VEC.
 *
 * Longer texts go by turns of four vectors. What is left after the last whole turn is a tail of four that
 * overlaps it: computed before the loop and stored after it, so that dst may be a source and no byte is
 * ever handled by itself. A text that repays it has its stores aligned, behind a head that overlaps in
 * the same way. Parity is one pass over all sources; three to five have loops of their own with every
 * pointer in a register.
 *
 * Each vector is stored before the next is loaded, in ascending order. Four loads before four stores take
 * 6 to 10 % longer in L1 on Zen 4 (2 KiB: 19.9 and 18.8 ns). */
#ifndef XC_XOR_VEC_H
#define XC_XOR_VEC_H

#include "../cpu.h"
#include "../util/unroll.h"
#include "xor_tiny.h"

enum { TURN = 4 * VEC, PEEL_MIN = 256, LINE = 64, AHEAD = 1024 };

/* From BEYOND_L1 on three buffers do not fit into 32 KiB of first-level cache, and a store that misses it holds up
 * the loads behind it: the line to be written is asked for FETCH bytes ahead. Where the buffers begin at different
 * places of their pages that gains 4 % at 32 KiB (868 and 835 ns on Zen 4, as much as its L2 gives), else nothing. */
enum { BEYOND_L1 = 12 * 1024, FETCH = 256 };

_Static_assert(2 * VEC <= (int)XC_XOR_TINY && TURN >= (int)XC_XOR_TINY, "what short_two leaves takes two to four vectors");

static inline vec both(const uint8_t *a, const uint8_t *b)
{
    return vec_xor(vec_load(a), vec_load(b));
}

/* Asks for both lines of 128 bytes. A prefetch beyond the end is no access: it cannot fault. Always inlined, since
 * gcc 12 takes a function that only fetches for one without an effect, and leaves out the call. */
static inline __attribute__((always_inline)) void fetch(const uint8_t *p, size_t at)
{
    _mm_prefetch((const char *)((uintptr_t)p + at), _MM_HINT_T0);
    _mm_prefetch((const char *)((uintptr_t)p + at + LINE), _MM_HINT_T0);
}

static inline void store_turn(uint8_t *dst, vec v0, vec v1, vec v2, vec v3)
{
    vec_store(dst, v0);
    vec_store(dst + VEC, v1);
    vec_store(dst + 2 * VEC, v2);
    vec_store(dst + 3 * VEC, v3);
}

/* ---- two sources --------------------------------------------------------------------------------- */

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

/* More than a turn, by turns and a tail. */
static inline __attribute__((always_inline)) void two_long(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                                                           int ask)
{
    const uint8_t *ta = a + n - TURN, *tb = b + n - TURN;
    vec t0 = both(ta, tb);
    vec t1 = both(ta + VEC, tb + VEC);
    vec t2 = both(ta + 2 * VEC, tb + 2 * VEC);
    vec t3 = both(ta + 3 * VEC, tb + 3 * VEC);
    two_turns(dst, a, b, n, ask);
    store_turn(dst + n - TURN, t0, t1, t2, t3);
}

/* The same with aligned stores, behind a head. */
static inline __attribute__((always_inline)) void two_peeled(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                                                             int ask)
{
    size_t skip = -(uintptr_t)dst & (VEC - 1);
    vec head = both(a, b);
    two_long(dst + skip, a + skip, b + skip, n - skip, ask);
    vec_store(dst, head);
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
    for (; n - i > 4 * LINE; i += 2 * LINE) { /* what is left is more than a turn */
        fetch(a, i + AHEAD);
        fetch(b, i + AHEAD);
        XC_UNROLL
        for (size_t u = 0; u < 2 * LINE; u += VEC) {
            vec_stream(dst + i + u, both(a + i + u, b + i + u));
        }
    }
    _mm_sfence();
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
        vec v0 = both(a, b);
        vec v1 = both(a + VEC, b + VEC);
        vec v2 = both(a + n - 2 * VEC, b + n - 2 * VEC);
        vec v3 = both(a + n - VEC, b + n - VEC);
        vec_store(dst, v0);
        vec_store(dst + VEC, v1);
        vec_store(dst + n - 2 * VEC, v2);
        vec_store(dst + n - VEC, v3);
    } else if (n >= BEYOND_L1) {
        return two_beyond_l1(dst, a, b, n);
    } else if (n >= PEEL_MIN && ((uintptr_t)dst & (VEC - 1)) != 0) {
        return two_aligned(dst, a, b, n);
    } else {
        two_long(dst, a, b, n, 0);
    }
    return 0;
}

/* ---- many sources -------------------------------------------------------------------------------- */

/* Sums of `vectors` vectors of every source. `vectors` is a constant at every call. */
static inline __attribute__((always_inline)) void columns(vec *v, size_t vectors, const uint8_t *const *src,
                                                          size_t count, size_t at)
{
    const uint8_t *s = src[0] + at;
    XC_UNROLL
    for (size_t u = 0; u < vectors; u++) {
        v[u] = vec_load(s + VEC * u);
    }
    XC_ROLLED
    for (size_t j = 1; j < count; j++) {
        s = src[j] + at;
        XC_UNROLL
        for (size_t u = 0; u < vectors; u++) {
            v[u] = vec_xor(v[u], vec_load(s + VEC * u));
        }
    }
}

static inline __attribute__((always_inline)) void store_columns(uint8_t *dst, const vec *v, size_t vectors)
{
    XC_UNROLL
    for (size_t u = 0; u < vectors; u++) {
        vec_store(dst + VEC * u, v[u]);
    }
}

/* More than a turn of three to five sources, whose pointers all have a register. `count` is a constant at
 * every call. */
static inline __attribute__((always_inline)) void many_few(uint8_t *dst, const uint8_t *const *src, size_t count,
                                                           size_t n)
{
    const uint8_t *s0 = src[0], *s1 = src[1], *s2 = src[2], *s3 = src[count > 3 ? 3 : 0],
                  *s4 = src[count > 4 ? 4 : 0];
    vec tail[4];
    columns(tail, 4, src, count, n - TURN);
    for (size_t i = 0; n - i > TURN; i += TURN) {
        XC_UNROLL
        for (size_t u = 0; u < TURN; u += VEC) {
            vec v = vec_xor(both(s0 + i + u, s1 + i + u), vec_load(s2 + i + u));
            if (count > 3) {
                v = vec_xor(v, vec_load(s3 + i + u));
            }
            if (count > 4) {
                v = vec_xor(v, vec_load(s4 + i + u));
            }
            vec_store(dst + i + u, v);
        }
    }
    store_columns(dst + n - TURN, tail, 4);
}

/* More than a turn of any number of sources: two turns at a time, which halves the walks along the list, where
 * the registers last for it: without instructions of three operands they do not. */
static void many_long(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    vec tail[4], v[8];
    size_t i = 0;
    columns(tail, 4, src, count, n - TURN);
    for (; VEC > 16 && n - i > 2 * TURN; i += 2 * TURN) {
        columns(v, 8, src, count, i);
        store_columns(dst + i, v, 8);
    }
    for (; n - i > TURN; i += TURN) {
        columns(v, 4, src, count, i);
        store_columns(dst + i, v, 4);
    }
    store_columns(dst + n - TURN, tail, 4);
}

/* Whether so long a sum is better stored around the cache: not into one of its own sources. */
static __attribute__((noinline)) int streams(const uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    int in_place = 0;
    for (size_t j = 0; j < count; j++) {
        in_place |= src[j] == dst;
    }
    return !in_place && n >= xc_cpu_cached();
}

/* In whole lines; no source is dst, so the ends may be stored before and after. */
static __attribute__((noinline)) void many_streamed(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    vec v[2 * LINE / VEC];
    columns(v, 2 * LINE / VEC, src, count, 0);
    store_columns(dst, v, 2 * LINE / VEC);
    for (size_t i = -(uintptr_t)dst & (LINE - 1); n - i >= 2 * LINE; i += 2 * LINE) {
        columns(v, 2 * LINE / VEC, src, count, i);
        XC_UNROLL
        for (size_t u = 0; u < 2 * LINE / VEC; u++) {
            vec_stream(dst + i + VEC * u, v[u]);
        }
    }
    _mm_sfence();
    columns(v, 2 * LINE / VEC, src, count, n - 2 * LINE);
    store_columns(dst + n - 2 * LINE, v, 2 * LINE / VEC);
}

/* At least a vector. */
static __attribute__((noinline)) void many_vectors(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    vec head[2], tail[2];
    if (n <= 2 * VEC) {
        columns(head, 1, src, count, 0);
        columns(tail, 1, src, count, n - VEC);
        vec_store(dst, head[0]);
        vec_store(dst + n - VEC, tail[0]);
    } else if (n <= TURN) {
        columns(head, 2, src, count, 0);
        columns(tail, 2, src, count, n - 2 * VEC);
        store_columns(dst, head, 2);
        store_columns(dst + n - 2 * VEC, tail, 2);
    } else if (n >= XC_CACHED_MIN && streams(dst, src, count, n)) {
        many_streamed(dst, src, count, n);
    } else if (count == 3) {
        many_few(dst, src, 3, n);
    } else if (count == 4) {
        many_few(dst, src, 4, n);
    } else if (count == 5) {
        many_few(dst, src, 5, n);
    } else {
        many_long(dst, src, count, n);
    }
}

/* Jumps alone: what needs registers to be saved, or the stack, is not here. */
static void many(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    if (count == 2) {
        two(dst, src[0], src[1], n);
    } else if (n < VEC) {
        short_many(dst, src, count, n);
    } else {
        many_vectors(dst, src, count, n);
    }
}

#endif
