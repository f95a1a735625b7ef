/* chains_avx2.h — chains.h in registers of two blocks: sixteen messages side by side. */
#include <immintrin.h>

typedef __m256i xc_vec;
enum { XC_WIDE = 2 };

XC_AESNI_INLINE xc_vec xc_v_zero(void) { return _mm256_setzero_si256(); }
XC_AESNI_INLINE xc_vec xc_v_all(__m128i block) { return _mm256_broadcastsi128_si256(block); }
XC_AESNI_INLINE xc_vec xc_v_xor(xc_vec a, xc_vec b) { return _mm256_xor_si256(a, b); }
XC_AESNI_INLINE xc_vec xc_v_load(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
XC_AESNI_INLINE void xc_v_store(uint8_t *p, xc_vec v) { _mm256_storeu_si256((__m256i *)(void *)p, v); }
XC_AESNI_INLINE xc_vec xc_v_round(xc_vec x, xc_vec key) { return _mm256_aesenc_epi128(x, key); }
XC_AESNI_INLINE xc_vec xc_v_last(xc_vec x, xc_vec key) { return _mm256_aesenclast_epi128(x, key); }

XC_AESNI_INLINE xc_vec xc_v_gather(const uint8_t *from)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(xc_load128(from)), xc_load128(from + 64), 1);
}

XC_AESNI_INLINE void xc_v_scatter(uint8_t *to, xc_vec v)
{
    xc_store128(to, _mm256_castsi256_si128(v));
    xc_store128(to + 64, _mm256_extracti128_si256(v, 1));
}

/* The same, of which the compiler no longer knows that it is a sum, and cannot regroup it. */
XC_AESNI_INLINE xc_vec xc_v_held(xc_vec v)
{
    __asm__("" : "+x"(v));
    return v;
}

#include "chains.h"
