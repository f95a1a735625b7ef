/* xor_shuffle.h — repeating keys of up to 16 bytes, by shuffles of a register that holds the key twice.
 *
 * Byte i of a vector of key is byte (phase + i) mod length of the key: a shuffle with these indices. The
 * indices of the next vector are those of this one plus VEC, modulo the length again. A key whose length
 * divides VEC has the same vector everywhere. For a long text the vectors of one period, which is the least
 * common multiple of VEC and the length, are laid out in memory. */
#ifndef XC_XOR_SHUFFLE_H
#define XC_XOR_SHUFFLE_H

#include "xor_wide.h"

#include "xor_repeat.h"

/* From here on the period repays being laid out. */
enum { LAY_OUT_MIN = 2048 };

/* The smaller of two bytes that differ by a multiple of the length, of which one is in range: the other is
 * too large, or negative and thereby as unsigned byte too large. */
static inline vec in_range(vec a, vec b)
{
    return vec_min8(a, b);
}

/* i mod length for i below VEC + 16, of lengths from 3 to 15. */
static inline vec reduce(vec i, vec length)
{
    vec twice = vec_add8(length, length);
    vec four = vec_add8(twice, twice);
    vec eight = vec_add8(four, four);
    if (VEC > 32) {
        i = in_range(i, vec_sub8(i, vec_add8(eight, eight)));
    }
    i = in_range(i, vec_sub8(i, eight));
    i = in_range(i, vec_sub8(i, four));
    i = in_range(i, vec_sub8(i, twice));
    return in_range(i, vec_sub8(i, length));
}

/* Text of LAY_OUT_MIN bytes or more. */
static __attribute__((noinline)) void repeat_windows(uint8_t *dst, const uint8_t *src, size_t n, vec k, vec index, vec step,
                                                     vec less, size_t key_len)
{
    _Alignas(VEC) uint8_t laid_out[LAID_OUT];
    size_t common = key_len & -key_len; /* the greatest common divisor with VEC */
    size_t period = key_len * (VEC / common);
    while (period < TURN) {
        period *= 2;
    }
    size_t have = 0;
    do {
        vec_store(laid_out + have, vec_shuffle(k, index));
        index = in_range(vec_add8(index, step), vec_add8(index, less));
        have += VEC;
    } while (have < period + TURN - VEC);
    under_laid_out(dst, src, n, laid_out, 0, period);
    wipe_vectors(laid_out, have);
}

static void repeat_short(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len, size_t phase)
{
    static const uint8_t iota[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    };
    uint64_t word[2];
    load_key(word, key, key_len);
    vec k = vec_of_lane(_mm_set_epi64x((long long)word[1], (long long)word[0]));
    vec index = vec_add8(vec_load(iota), vec_all8(phase));
    if ((key_len & (key_len - 1)) == 0) {
        under_same(dst, src, n, vec_shuffle(k, vec_and(index, vec_all8(key_len - 1))));
        return;
    }
    vec length = vec_all8(key_len);
    index = reduce(index, length);
    if (n < VEC) {
        short_same(dst, src, n, vec_shuffle(k, index));
        return;
    }
    vec step = reduce(vec_all8(VEC), length);
    vec less = vec_sub8(step, length);
    if (n >= LAY_OUT_MIN) {
        repeat_windows(dst, src, n, k, index, step, less, key_len);
        return;
    }
    vec next = in_range(vec_add8(index, step), vec_add8(index, less));
    step = in_range(vec_add8(step, step), vec_add8(step, less));
    less = vec_sub8(step, length);
    for (; n >= 2 * VEC; n -= 2 * VEC) {
        vec_store(dst, vec_xor(vec_load(src), vec_shuffle(k, index)));
        vec_store(dst + VEC, vec_xor(vec_load(src + VEC), vec_shuffle(k, next)));
        index = in_range(vec_add8(index, step), vec_add8(index, less));
        next = in_range(vec_add8(next, step), vec_add8(next, less));
        dst += 2 * VEC;
        src += 2 * VEC;
    }
    if (n >= VEC) {
        vec_store(dst, vec_xor(vec_load(src), vec_shuffle(k, index)));
        index = next;
        dst += VEC;
        src += VEC;
        n -= VEC;
    }
    short_same(dst, src, n, vec_shuffle(k, index));
}

#endif
