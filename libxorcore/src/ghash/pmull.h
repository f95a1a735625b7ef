/* pmull.h — GHASH by Arm's carry-less multiplication: what ghash_pmull.c and the GCM kernels of Arm share.
 *
 * Inline functions alone, for files that are compiled with these instructions; nothing else may include it. A block is kept
 * as two numbers of 64 bits, the bytes of each half reversed (one REV64); the first one has the higher powers, and its
 * highest bit is the coefficient of x^0. As in clmul.h, products come out one place too low, so powers of H are kept divided by
 * x; products are made by Karatsuba's rule, and many of them are summed before the one reduction that they share.
 *
 * The including file has defined the words that differ between the two sizes of Arm:
 *     xc_pm_first(a, b), xc_pm_second(a, b)  the product of the first and of the second numbers
 *     xc_pm_sums(a, b)                       the sum of a's two numbers, and that of b's
 *     xc_pm_xor3(a, b, c) */
#ifndef XC_PMULL_H
#define XC_PMULL_H

#include "../util/unroll.h"

#include <stddef.h>
#include <stdint.h>

#include <arm_neon.h>

#define XC_PMULL_INLINE static inline __attribute__((always_inline))

/* A long text goes by 16 powers; a last batch of 8 blocks, up to 8 blocks more and the lengths are fewer than 18. */
enum { XC_PMULL_POWERS = 18, XC_PMULL_RUN = 16 };

/* Descending, so that a run of any length up to XC_PMULL_POWERS ends at H^1. */
struct xc_pmull_table {
    uint64_t h[XC_PMULL_POWERS][2];
    uint64_t sums[XC_PMULL_POWERS]; /* of the two */
};

/* A product of 256 bits, or a sum of such: `high` of the first numbers, `low` of the second ones. */
struct xc_pmull_sum {
    uint64x2_t low, middle, high;
};

XC_PMULL_INLINE uint64x2_t xc_pmull_load(const uint8_t *p)
{
    return vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(p)));
}

XC_PMULL_INLINE void xc_pmull_store(uint8_t *p, uint64x2_t v)
{
    vst1q_u8(p, vrev64q_u8(vreinterpretq_u8_u64(v)));
}

/* Blocks whose 16 bytes stand in reverse order have their numbers ready, in the other order. */
XC_PMULL_INLINE uint64x2_t xc_pmull_block(const uint8_t *in, int reversed)
{
    const uint64x2_t v = vreinterpretq_u64_u8(vld1q_u8(in));
    return reversed ? vextq_u64(v, v, 1) : vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(v)));
}

XC_PMULL_INLINE struct xc_pmull_sum xc_pmull_nothing(void)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    return (struct xc_pmull_sum){zero, zero, zero};
}

/* Keeps the compiler from regrouping the sums, which would hold all products of a batch in registers that do not exist. */
XC_PMULL_INLINE void xc_pmull_hold(struct xc_pmull_sum *s)
{
    __asm__("" : "+w"(s->low), "+w"(s->middle), "+w"(s->high));
}

/* sum += d * the power at that place. */
XC_PMULL_INLINE void xc_pmull_add(struct xc_pmull_sum *s, const struct xc_pmull_table *table, size_t at, uint64x2_t d)
{
    const uint64x2_t h = vld1q_u64(table->h[at]);
    s->high = veorq_u64(s->high, xc_pm_first(d, h));
    s->low = veorq_u64(s->low, xc_pm_second(d, h));
    s->middle = veorq_u64(s->middle, xc_pm_first(xc_pm_sums(d, d), vdupq_n_u64(table->sums[at])));
    xc_pmull_hold(s);
}

/* sum += two blocks, d with the power at that place and e with the next one. */
XC_PMULL_INLINE void xc_pmull_add2(struct xc_pmull_sum *s, const struct xc_pmull_table *table, size_t at, uint64x2_t d,
                                   uint64x2_t e)
{
    const uint64x2_t h = vld1q_u64(table->h[at]), i = vld1q_u64(table->h[at + 1]), k = vld1q_u64(&table->sums[at]);
    const uint64x2_t sums = xc_pm_sums(d, e);
    s->high = xc_pm_xor3(s->high, xc_pm_first(d, h), xc_pm_first(e, i));
    s->low = xc_pm_xor3(s->low, xc_pm_second(d, h), xc_pm_second(e, i));
    s->middle = xc_pm_xor3(s->middle, xc_pm_first(sums, k), xc_pm_second(sums, k));
    xc_pmull_hold(s);
}

/* The sum modulo x^128 + x^7 + x^2 + x + 1, which in this order is 2^128 + 0xc2 * 2^120 + 1: the lowest 64 bits become
 * themselves 128 places higher and their product with 0xc2 << 56 from 64 places higher on. That happens twice. */
XC_PMULL_INLINE uint64x2_t xc_pmull_reduce(struct xc_pmull_sum s)
{
    const uint64x2_t polynomial = vdupq_n_u64(0xc200000000000000);
    uint64x2_t middle = xc_pm_xor3(s.middle, s.low, s.high);
    middle = xc_pm_xor3(middle, vextq_u64(s.low, s.low, 1), xc_pm_first(s.low, polynomial));
    const uint64x2_t high = xc_pm_xor3(s.high, vextq_u64(middle, middle, 1), xc_pm_first(middle, polynomial));
    return vextq_u64(high, high, 1);
}

/* H / x: one place up, and what leaves at the top, x^0, comes back as the polynomial without it. */
XC_PMULL_INLINE uint64x2_t xc_pmull_divided(uint64x2_t h)
{
    const uint64x2_t top = vshrq_n_u64(h, 63), out = vdupq_lane_u64(vget_low_u64(top), 0);
    const uint64x2_t polynomial = vcombine_u64(vcreate_u64(0xc200000000000000), vcreate_u64(1));
    const uint64x2_t carry = vextq_u64(top, vdupq_n_u64(0), 1); /* from the second number to the first */
    const uint64x2_t back = vandq_u64(vsubq_u64(vdupq_n_u64(0), out), polynomial);
    return veorq_u64(vorrq_u64(vaddq_u64(h, h), carry), back);
}

XC_PMULL_INLINE void xc_pmull_put(struct xc_pmull_table *table, size_t at, uint64x2_t h)
{
    vst1q_u64(table->h[at], h);
    table->sums[at] = vgetq_lane_u64(h, 0) ^ vgetq_lane_u64(h, 1);
}

/* From H, loaded, the powers up to H^most at least. */
static inline void xc_pmull_set(struct xc_pmull_table *table, uint64x2_t standard, size_t most)
{
    const size_t last = XC_PMULL_POWERS - 1;
    xc_pmull_put(table, last, xc_pmull_divided(standard));
    /* H^(n + i) = H^n * H^i doubles the number of powers with independent products. */
    for (size_t n = 1; n < XC_PMULL_POWERS && n < most; n *= 2) {
        const size_t more = n < XC_PMULL_POWERS - n ? n : XC_PMULL_POWERS - n;
        XC_ROLLED
        for (size_t i = 1; i <= more; i++) {
            struct xc_pmull_sum sum = xc_pmull_nothing();
            __asm__ __volatile__("" : "+r"(table) : : "memory"); /* powers stay in the table alone */
            xc_pmull_add(&sum, table, last + 1 - i, vld1q_u64(table->h[last + 1 - n]));
            xc_pmull_put(table, last + 1 - n - i, xc_pmull_reduce(sum));
        }
    }
}

/* Fewer blocks than there are powers, with those from `at` on; y is added to the first block. */
XC_PMULL_INLINE void xc_pmull_add_some(struct xc_pmull_sum *s, const struct xc_pmull_table *table, size_t at,
                                       const uint8_t *in, size_t blocks, uint64x2_t y, int reversed)
{
    for (; blocks >= 2; blocks -= 2, at += 2, in += 32) {
        xc_pmull_add2(s, table, at, veorq_u64(y, xc_pmull_block(in, reversed)), xc_pmull_block(in + 16, reversed));
        y = vdupq_n_u64(0);
    }
    if (blocks != 0) {
        xc_pmull_add(s, table, at, veorq_u64(y, xc_pmull_block(in, reversed)));
    }
}

/* y = (y ^ block) * H for all blocks. `reversed` is a constant at every call. */
XC_PMULL_INLINE uint64x2_t xc_pmull_update(const struct xc_pmull_table *table, const uint8_t *in, size_t blocks, uint64x2_t y,
                                           int reversed)
{
    enum { RUN = XC_PMULL_RUN, FIRST = XC_PMULL_POWERS - RUN };
    for (; blocks >= RUN; blocks -= RUN, in += 16 * RUN) {
        struct xc_pmull_sum sum = xc_pmull_nothing();
        __asm__ __volatile__("" : "+r"(table)); /* else the powers would be copied to the stack, once for all turns */
        XC_UNROLL
        for (int j = 2; j < RUN; j += 2) {
            xc_pmull_add2(&sum, table, FIRST + (size_t)j, xc_pmull_block(in + 16 * j, reversed),
                          xc_pmull_block(in + 16 * j + 16, reversed));
        }
        /* The first block comes last: y is the one operand that has to be waited for. */
        xc_pmull_add2(&sum, table, FIRST, veorq_u64(y, xc_pmull_block(in, reversed)), xc_pmull_block(in + 16, reversed));
        y = xc_pmull_reduce(sum);
    }
    if (blocks != 0) {
        struct xc_pmull_sum sum = xc_pmull_nothing();
        xc_pmull_add_some(&sum, table, XC_PMULL_POWERS - blocks, in, blocks, y, reversed);
        y = xc_pmull_reduce(sum);
    }
    return y;
}

#endif
