/* xor_vec.h — XOR of many sources, written once for vectors of any width.
 *
 * Beside what xor_turn.h asks for, the including file has `two`, for two sources; short_many, for fewer bytes than VEC;
 * vec_stream, which stores around the cache to an aligned address where there is such a store, and vec_drain, which ends a
 * series of them.
 *
 * One pass over all sources, by turns and a tail as for two; three to five have loops of their own with every
 * pointer in a register. */
#ifndef XC_XOR_VEC_H
#define XC_XOR_VEC_H

#include "../cpu.h"
#include "../util/unroll.h"
#include "xor_turn.h"

enum { LINE = 64 };

static int two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n);

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
    vec_drain();
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
