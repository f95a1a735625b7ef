/* xor_ymm.h — vectors of 32 bytes for xor_vec.h.
 *
 * For the rows that have AVX2. The including file says what happens to fewer bytes than a vector has. */
#ifndef XC_XOR_YMM_H
#define XC_XOR_YMM_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef __m256i vec;
enum { VEC = 32 };

static inline vec vec_load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline void vec_store(uint8_t *p, vec v)
{
    _mm256_storeu_si256((__m256i *)(void *)p, v);
}

static inline void vec_stream(uint8_t *p, vec v)
{
    _mm256_stream_si256((__m256i *)(void *)p, v);
}

static inline void vec_drain(void)
{
    _mm_sfence();
}

static inline vec vec_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

static inline vec vec_all8(size_t v)
{
    return _mm256_set1_epi8((char)v);
}

static inline vec vec_of_lane(__m128i v)
{
    return _mm256_broadcastsi128_si256(v);
}

static inline vec vec_add8(vec a, vec b)
{
    return _mm256_add_epi8(a, b);
}

static inline vec vec_sub8(vec a, vec b)
{
    return _mm256_sub_epi8(a, b);
}

static inline vec vec_min8(vec a, vec b)
{
    return _mm256_min_epu8(a, b);
}

static inline vec vec_and(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}

/* In each lane of 16 bytes by itself. */
static inline vec vec_shuffle(vec v, vec index)
{
    return _mm256_shuffle_epi8(v, index);
}

#endif
