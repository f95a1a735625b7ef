/* chains_sse.h — chains.h in registers of one block: eight messages side by side. */
typedef __m128i xc_vec;
enum { XC_WIDE = 1 };

XC_AESNI_INLINE xc_vec xc_v_zero(void) { return _mm_setzero_si128(); }
XC_AESNI_INLINE xc_vec xc_v_all(__m128i block) { return block; }
XC_AESNI_INLINE xc_vec xc_v_xor(xc_vec a, xc_vec b) { return _mm_xor_si128(a, b); }
XC_AESNI_INLINE xc_vec xc_v_load(const uint8_t *p) { return xc_load128(p); }
XC_AESNI_INLINE void xc_v_store(uint8_t *p, xc_vec v) { xc_store128(p, v); }
XC_AESNI_INLINE xc_vec xc_v_round(xc_vec x, xc_vec key) { return _mm_aesenc_si128(x, key); }
XC_AESNI_INLINE xc_vec xc_v_last(xc_vec x, xc_vec key) { return _mm_aesenclast_si128(x, key); }
XC_AESNI_INLINE xc_vec xc_v_gather(const uint8_t *from) { return xc_load128(from); }
XC_AESNI_INLINE void xc_v_scatter(uint8_t *to, xc_vec v) { xc_store128(to, v); }

/* The same, of which the compiler no longer knows that it is a sum, and cannot regroup it. */
XC_AESNI_INLINE xc_vec xc_v_held(xc_vec v)
{
    __asm__("" : "+x"(v));
    return v;
}

#include "chains.h"
