/* vec_avx2.h — registers of two blocks (AVX2 and VPCLMULQDQ), and what is done to them.
 *
 * The files that take vectors of any width (vclmul.h, gcm_vaes.h) are written in these words:
 * all puts one block in every place, first one block in the first place and zeros, swap reverses the bytes
 * of every block, exchange its halves, folded has the halves' sum in both, sum adds the blocks up, add
 * counts lanes of 32 bits; low, high and cross multiply the low halves, the high ones, and a's low half
 * by b's high. block is the first of them; ends has the last two blocks of b and before them those of a.
 * xor3 is a sum of three: where it is one instruction, XC_VEC_THREE, sums take two products at a time.
 * keep and hold are an empty asm that keeps the compiler from regrouping sums. */
#ifndef XC_VEC_H
#define XC_VEC_H

#include "clmul.h"

#include <immintrin.h>

typedef __m256i xc_vec;
enum { XC_WIDE = 2, XC_VEC_SIZE = 16 * XC_WIDE, XC_VEC_THREE = 0 };

XC_CLMUL_INLINE xc_vec xc_v_load(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
XC_CLMUL_INLINE void xc_v_store(uint8_t *p, xc_vec v) { _mm256_storeu_si256((__m256i *)(void *)p, v); }
XC_CLMUL_INLINE xc_vec xc_v_zero(void) { return _mm256_setzero_si256(); }
XC_CLMUL_INLINE xc_vec xc_v_all(__m128i block) { return _mm256_broadcastsi128_si256(block); }
XC_CLMUL_INLINE xc_vec xc_v_first(__m128i block) { return _mm256_zextsi128_si256(block); }
XC_CLMUL_INLINE xc_vec xc_v_xor(xc_vec a, xc_vec b) { return _mm256_xor_si256(a, b); }
XC_CLMUL_INLINE xc_vec xc_v_xor3(xc_vec a, xc_vec b, xc_vec c) { return xc_v_xor(a, xc_v_xor(b, c)); }
XC_CLMUL_INLINE xc_vec xc_v_add(xc_vec a, xc_vec b) { return _mm256_add_epi32(a, b); }
XC_CLMUL_INLINE xc_vec xc_v_exchange(xc_vec v) { return _mm256_shuffle_epi32(v, 0x4e); }
XC_CLMUL_INLINE xc_vec xc_v_folded(xc_vec v) { return xc_v_xor(v, xc_v_exchange(v)); }
XC_CLMUL_INLINE xc_vec xc_v_low(xc_vec a, xc_vec b) { return _mm256_clmulepi64_epi128(a, b, 0x00); }
XC_CLMUL_INLINE xc_vec xc_v_high(xc_vec a, xc_vec b) { return _mm256_clmulepi64_epi128(a, b, 0x11); }
XC_CLMUL_INLINE xc_vec xc_v_cross(xc_vec a, xc_vec b) { return _mm256_clmulepi64_epi128(a, b, 0x10); }

XC_CLMUL_INLINE __m128i xc_v_block(xc_vec v) { return _mm256_castsi256_si128(v); }

XC_CLMUL_INLINE xc_vec xc_v_swap(xc_vec v)
{
    return _mm256_shuffle_epi8(v, xc_v_all(_mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f)));
}

XC_CLMUL_INLINE __m128i xc_v_sum(xc_vec v)
{
    return _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

/* The first powers, descending, from H divided by x. */
XC_CLMUL_INLINE xc_vec xc_v_powers(__m128i h)
{
    struct xc_clmul_sum s = xc_clmul_nothing();
    xc_clmul_add(&s, h, h, xc_clmul_folded(h));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(xc_clmul_reduce(s)), h, 1);
}

XC_CLMUL_INLINE void xc_v_keep(xc_vec *v) { __asm__("" : "+x"(*v)); }

XC_CLMUL_INLINE xc_vec xc_v_ends(xc_vec a, xc_vec b)
{
    (void)a;
    return b;
}

XC_CLMUL_INLINE void xc_v_hold(xc_vec *a, xc_vec *b, xc_vec *c)
{
    __asm__("" : "+x"(*a), "+x"(*b), "+x"(*c));
}

#endif
