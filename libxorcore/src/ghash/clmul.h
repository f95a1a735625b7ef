/* clmul.h — GHASH by carry-less multiplication: what ghash_pclmul.c and the GCM kernels of amd64 share.
 *
 * Inline functions alone, for files that are compiled with these instructions; nothing else may include
 * it. Blocks are kept with their bytes reversed, so that the highest bit is the coefficient of x^0. The
 * product of two such numbers comes out one place too low, which is why powers of H are kept divided by
 * x. Products are made by Karatsuba's rule: the halves' sums of every power stand in the table. Many
 * products are summed before the one reduction that they share. */
#ifndef XC_CLMUL_H
#define XC_CLMUL_H

#include "../util/unroll.h"

#include <stddef.h>
#include <stdint.h>

#include <tmmintrin.h>
#include <wmmintrin.h>

#define XC_CLMUL_INLINE static inline __attribute__((always_inline))

/* A long text goes by 16 powers; a last batch of 16 blocks, the lengths and the block before need two more. */
enum { XC_CLMUL_POWERS = 18, XC_CLMUL_RUN = 16 };

/* Descending, so that a run of any length up to XC_CLMUL_POWERS ends at H^1. */
struct xc_clmul_table {
    __m128i h[XC_CLMUL_POWERS];
    __m128i halves[XC_CLMUL_POWERS]; /* high ^ low */
};

/* A product of 256 bits, or a sum of such: middle stands 64 bits above low and below high, and lacks
 * both of them. */
struct xc_clmul_sum {
    __m128i low, middle, high;
};

XC_CLMUL_INLINE __m128i xc_clmul_swap(__m128i v)
{
    return _mm_shuffle_epi8(v, _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f));
}

XC_CLMUL_INLINE __m128i xc_clmul_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

XC_CLMUL_INLINE __m128i xc_clmul_folded(__m128i v)
{
    return _mm_xor_si128(v, _mm_shuffle_epi32(v, 0x4e));
}

XC_CLMUL_INLINE struct xc_clmul_sum xc_clmul_nothing(void)
{
    const __m128i zero = _mm_setzero_si128();
    return (struct xc_clmul_sum){zero, zero, zero};
}

/* sum += a * power. The empty asm keeps the compiler from regrouping the sums, which would hold all
 * products of a batch in registers that do not exist. */
XC_CLMUL_INLINE void xc_clmul_add(struct xc_clmul_sum *sum, __m128i a, __m128i power, __m128i halves)
{
    sum->low = _mm_xor_si128(sum->low, _mm_clmulepi64_si128(a, power, 0x00));
    sum->high = _mm_xor_si128(sum->high, _mm_clmulepi64_si128(a, power, 0x11));
    sum->middle = _mm_xor_si128(sum->middle, _mm_clmulepi64_si128(xc_clmul_folded(a), halves, 0x00));
    __asm__("" : "+x"(sum->low), "+x"(sum->middle), "+x"(sum->high));
}

/* The sum modulo x^128 + x^7 + x^2 + x + 1, which in this order is 2^128 + 0xc2 * 2^120 + 1: the lowest 64
 * bits become themselves 128 places higher and their product with 0xc2 << 56 from 64 places higher on.
 * That happens twice. */
XC_CLMUL_INLINE __m128i xc_clmul_reduce(struct xc_clmul_sum s)
{
    const __m128i polynomial = _mm_set_epi64x((long long)0xc200000000000000, 0);
    __m128i middle = _mm_xor_si128(s.middle, _mm_xor_si128(s.low, s.high));
    middle = _mm_xor_si128(middle, _mm_shuffle_epi32(s.low, 0x4e));
    middle = _mm_xor_si128(middle, _mm_clmulepi64_si128(s.low, polynomial, 0x10));
    __m128i high = _mm_xor_si128(s.high, _mm_shuffle_epi32(middle, 0x4e));
    return _mm_xor_si128(high, _mm_clmulepi64_si128(middle, polynomial, 0x10));
}

/* H / x, from H in the standard's byte order: one place up, and what leaves at the top, x^0, comes back
 * as the polynomial without it. */
XC_CLMUL_INLINE __m128i xc_clmul_divided(__m128i h)
{
    h = xc_clmul_swap(h);
    __m128i out = _mm_srai_epi32(_mm_shuffle_epi32(h, 0xff), 31);
    __m128i carry = _mm_slli_si128(_mm_srli_epi64(h, 63), 8);
    h = _mm_or_si128(_mm_slli_epi64(h, 1), carry);
    return _mm_xor_si128(h, _mm_and_si128(out, _mm_set_epi64x((long long)0xc200000000000000, 1)));
}

/* From H in the standard's byte order, the powers up to H^most at least. */
static inline void xc_clmul_set(struct xc_clmul_table *table, __m128i standard, size_t most)
{
    const int last = XC_CLMUL_POWERS - 1;
    __m128i h = xc_clmul_divided(standard);
    table->h[last] = h;
    table->halves[last] = xc_clmul_folded(h);
    /* H^(n + i) = H^n * H^i doubles the number of powers with independent products. */
    for (int n = 1; n < XC_CLMUL_POWERS && (size_t)n < most; n *= 2) {
        for (int i = 1; i <= n && n + i <= XC_CLMUL_POWERS; i++) {
            struct xc_clmul_sum sum = xc_clmul_nothing();
            __asm__ __volatile__("" : "+r"(table) : : "memory"); /* powers stay in the table alone */
            xc_clmul_add(&sum, table->h[last + 1 - n], table->h[last + 1 - i], table->halves[last + 1 - i]);
            h = xc_clmul_reduce(sum);
            table->h[last + 1 - n - i] = h;
            table->halves[last + 1 - n - i] = xc_clmul_folded(h);
        }
    }
}

XC_CLMUL_INLINE __m128i xc_clmul_block(const uint8_t *in, int reversed)
{
    return reversed ? xc_clmul_load(in) : xc_clmul_swap(xc_clmul_load(in));
}

/* y = (y ^ block) * H for all blocks; y with its bytes reversed. `reversed` is a constant at every call. */
XC_CLMUL_INLINE __m128i xc_clmul_update(const struct xc_clmul_table *table, const uint8_t *in, size_t blocks, __m128i y,
                                        int reversed)
{
    enum { RUN = XC_CLMUL_RUN };
    for (; blocks >= RUN; blocks -= RUN) {
        __asm__ __volatile__("" : "+r"(table)); /* else the powers would be copied to the stack, once for all turns */
        const __m128i *h = table->h + XC_CLMUL_POWERS - RUN;
        const __m128i *halves = table->halves + XC_CLMUL_POWERS - RUN;
        struct xc_clmul_sum sum = xc_clmul_nothing();
        XC_UNROLL
        for (int j = 1; j < RUN; j++) {
            xc_clmul_add(&sum, xc_clmul_block(in + 16 * j, reversed), h[j], halves[j]);
        }
        /* The first block comes last: y is the one operand that has to be waited for. */
        xc_clmul_add(&sum, _mm_xor_si128(y, xc_clmul_block(in, reversed)), h[0], halves[0]);
        y = xc_clmul_reduce(sum);
        in += 16 * RUN;
    }
    if (blocks != 0) {
        const __m128i *h = table->h + XC_CLMUL_POWERS - blocks;
        const __m128i *halves = table->halves + XC_CLMUL_POWERS - blocks;
        struct xc_clmul_sum sum = xc_clmul_nothing();
        for (size_t j = 1; j < blocks; j++) {
            xc_clmul_add(&sum, xc_clmul_block(in + 16 * j, reversed), h[j], halves[j]);
        }
        xc_clmul_add(&sum, _mm_xor_si128(y, xc_clmul_block(in, reversed)), h[0], halves[0]);
        y = xc_clmul_reduce(sum);
    }
    return y;
}

#endif
