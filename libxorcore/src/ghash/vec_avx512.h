/* vec_avx512.h — registers of four blocks (AVX-512 and VPCLMULQDQ), and what is done to them.
 * The words are those of vec_avx2.h. */
#ifndef XC_VEC_H
#define XC_VEC_H

#include "clmul.h"

#include <immintrin.h>

typedef __m512i xc_vec;
enum { XC_WIDE = 4, XC_VEC_SIZE = 16 * XC_WIDE, XC_VEC_THREE = 1 };

XC_CLMUL_INLINE xc_vec xc_v_load(const uint8_t *p) { return _mm512_loadu_si512(p); }
XC_CLMUL_INLINE void xc_v_store(uint8_t *p, xc_vec v) { _mm512_storeu_si512(p, v); }
XC_CLMUL_INLINE xc_vec xc_v_zero(void) { return _mm512_setzero_si512(); }
XC_CLMUL_INLINE xc_vec xc_v_all(__m128i block) { return _mm512_broadcast_i32x4(block); }
XC_CLMUL_INLINE xc_vec xc_v_first(__m128i block) { return _mm512_zextsi128_si512(block); }
XC_CLMUL_INLINE xc_vec xc_v_xor(xc_vec a, xc_vec b) { return _mm512_xor_si512(a, b); }
XC_CLMUL_INLINE xc_vec xc_v_xor3(xc_vec a, xc_vec b, xc_vec c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
XC_CLMUL_INLINE xc_vec xc_v_add(xc_vec a, xc_vec b) { return _mm512_add_epi32(a, b); }
XC_CLMUL_INLINE xc_vec xc_v_exchange(xc_vec v) { return _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4e); }
XC_CLMUL_INLINE xc_vec xc_v_folded(xc_vec v) { return xc_v_xor(v, xc_v_exchange(v)); }
XC_CLMUL_INLINE xc_vec xc_v_low(xc_vec a, xc_vec b) { return _mm512_clmulepi64_epi128(a, b, 0x00); }
XC_CLMUL_INLINE xc_vec xc_v_high(xc_vec a, xc_vec b) { return _mm512_clmulepi64_epi128(a, b, 0x11); }
XC_CLMUL_INLINE xc_vec xc_v_cross(xc_vec a, xc_vec b) { return _mm512_clmulepi64_epi128(a, b, 0x10); }

XC_CLMUL_INLINE __m128i xc_v_block(xc_vec v) { return _mm512_castsi512_si128(v); }

XC_CLMUL_INLINE xc_vec xc_v_swap(xc_vec v)
{
    return _mm512_shuffle_epi8(v, xc_v_all(_mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f)));
}

XC_CLMUL_INLINE __m128i xc_v_sum(xc_vec v)
{
    __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

/* The first powers, descending, from H divided by x: two of them, and their products with the second. */
XC_CLMUL_INLINE xc_vec xc_v_powers(__m128i h)
{
    const __m512i polynomial = xc_v_all(_mm_set_epi64x((long long)0xc200000000000000, 0));
    struct xc_clmul_sum s = xc_clmul_nothing();
    xc_clmul_add(&s, h, h, xc_clmul_folded(h));
    const __m128i square = xc_clmul_reduce(s);
    const __m512i two = _mm512_inserti32x4(xc_v_first(square), h, 1), by = xc_v_all(square);
    const __m512i low = xc_v_low(two, by), high = xc_v_high(two, by);
    const __m512i outer = xc_v_xor3(xc_v_low(xc_v_folded(two), xc_v_folded(by)), low, high);
    const __m512i middle = xc_v_xor3(outer, xc_v_exchange(low), xc_v_cross(low, polynomial));
    const __m512i four = xc_v_xor3(high, xc_v_exchange(middle), xc_v_cross(middle, polynomial));
    return _mm512_inserti64x4(four, _mm512_castsi512_si256(two), 1);
}

XC_CLMUL_INLINE void xc_v_keep(xc_vec *v) { __asm__("" : "+v"(*v)); }

XC_CLMUL_INLINE xc_vec xc_v_ends(xc_vec a, xc_vec b)
{
    return _mm512_inserti64x4(a, _mm512_extracti64x4_epi64(b, 1), 1);
}

XC_CLMUL_INLINE void xc_v_hold(xc_vec *a, xc_vec *b, xc_vec *c)
{
    __asm__("" : "+v"(*a), "+v"(*b), "+v"(*c));
}

#endif
