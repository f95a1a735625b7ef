/* xor_zmm.h — vectors of 64 bytes for xor_vec.h, and masks for what is shorter. */
#ifndef XC_XOR_ZMM_H
#define XC_XOR_ZMM_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef __m512i vec;
enum { VEC = 64 };

static inline vec vec_load(const uint8_t *p)
{
    return _mm512_loadu_si512(p);
}

static inline void vec_store(uint8_t *p, vec v)
{
    _mm512_storeu_si512(p, v);
}

static inline void vec_stream(uint8_t *p, vec v)
{
    _mm512_stream_si512((void *)p, v);
}

static inline void vec_drain(void)
{
    _mm_sfence();
}

static inline vec vec_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

static inline vec vec_all8(size_t v)
{
    return _mm512_set1_epi8((char)v);
}

static inline vec vec_of_lane(__m128i v)
{
    return _mm512_broadcast_i32x4(v);
}

static inline vec vec_add8(vec a, vec b)
{
    return _mm512_add_epi8(a, b);
}

static inline vec vec_sub8(vec a, vec b)
{
    return _mm512_sub_epi8(a, b);
}

static inline vec vec_min8(vec a, vec b)
{
    return _mm512_min_epu8(a, b);
}

static inline vec vec_and(vec a, vec b)
{
    return _mm512_and_si512(a, b);
}

/* In each lane of 16 bytes by itself. */
static inline vec vec_shuffle(vec v, vec index)
{
    return _mm512_shuffle_epi8(v, index);
}

#endif
