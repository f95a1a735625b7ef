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

static inline vec all8(size_t v)
{
    return _mm256_set1_epi8((char)v);
}

/* The smaller of two bytes that differ by a multiple of the length, of which one is in range: the other is
 * too large, or negative and thereby as unsigned byte too large. */
static inline vec in_range(vec a, vec b)
{
    return _mm256_min_epu8(a, b);
}

/* i mod length for i below 16 lengths and below 48. */
static inline vec reduce(vec i, vec length)
{
    vec twice = _mm256_add_epi8(length, length);
    vec four = _mm256_add_epi8(twice, twice);
    i = in_range(i, _mm256_sub_epi8(i, _mm256_add_epi8(four, four)));
    i = in_range(i, _mm256_sub_epi8(i, four));
    i = in_range(i, _mm256_sub_epi8(i, twice));
    return in_range(i, _mm256_sub_epi8(i, length));
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
        vec_store(laid_out + have, _mm256_shuffle_epi8(k, index));
        index = in_range(_mm256_add_epi8(index, step), _mm256_add_epi8(index, less));
        have += VEC;
    } while (have < period + TURN - VEC);
    under_laid_out(dst, src, n, laid_out, 0, period);
    wipe_vectors(laid_out, have);
}

static void repeat_short(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len, size_t phase)
{
    const vec iota = _mm256_set_epi64x(0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);
    uint64_t word[2];
    load_key(word, key, key_len);
    vec k = _mm256_broadcastsi128_si256(_mm_set_epi64x((long long)word[1], (long long)word[0]));
    vec index = _mm256_add_epi8(iota, all8(phase));
    if ((key_len & (key_len - 1)) == 0) {
        under_same(dst, src, n, _mm256_shuffle_epi8(k, _mm256_and_si256(index, all8(key_len - 1))));
        return;
    }
    vec length = all8(key_len);
    index = reduce(index, length);
    if (n < VEC) {
        short_same(dst, src, n, _mm256_shuffle_epi8(k, index));
        return;
    }
    vec step = reduce(all8(VEC), length);
    vec less = _mm256_sub_epi8(step, length);
    if (n >= LAY_OUT_MIN) {
        repeat_windows(dst, src, n, k, index, step, less, key_len);
        return;
    }
    vec next = in_range(_mm256_add_epi8(index, step), _mm256_add_epi8(index, less));
    step = in_range(_mm256_add_epi8(step, step), _mm256_add_epi8(step, less));
    less = _mm256_sub_epi8(step, length);
    for (; n >= 2 * VEC; n -= 2 * VEC) {
        vec_store(dst, vec_xor(vec_load(src), _mm256_shuffle_epi8(k, index)));
        vec_store(dst + VEC, vec_xor(vec_load(src + VEC), _mm256_shuffle_epi8(k, next)));
        index = in_range(_mm256_add_epi8(index, step), _mm256_add_epi8(index, less));
        next = in_range(_mm256_add_epi8(next, step), _mm256_add_epi8(next, less));
        dst += 2 * VEC;
        src += 2 * VEC;
    }
    if (n >= VEC) {
        vec_store(dst, vec_xor(vec_load(src), _mm256_shuffle_epi8(k, index)));
        index = next;
        dst += VEC;
        src += VEC;
        n -= VEC;
    }
    short_same(dst, src, n, _mm256_shuffle_epi8(k, index));
}

#endif
