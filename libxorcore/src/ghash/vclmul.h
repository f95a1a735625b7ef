/* vclmul.h — GHASH by VPCLMULQDQ in vectors of any width: clmul.h's arithmetic in every place of a register.
 *
 * Inline functions alone. The including file has included vec_*.h of its width and defined XC_VCLMUL_POWERS,
 * the number of powers, and so of blocks to a reduction: a power of two. What a sum holds in its places is
 * added up after the reduction, which works in all of them at once. */
#ifndef XC_VCLMUL_H
#define XC_VCLMUL_H

#include "clmul.h"

/* Descending, so that a run of any length ends at H^1. Behind that are zeros, for the places that the last
 * vector of a run has nothing in. */
struct xc_vclmul_table {
    __m128i h[XC_VCLMUL_POWERS + XC_WIDE];
    __m128i halves[XC_VCLMUL_POWERS + XC_WIDE]; /* high ^ low, in both halves */
};

struct xc_vclmul_sum {
    xc_vec low, middle, high;
};

XC_CLMUL_INLINE xc_vec xc_vclmul_power(const __m128i *at)
{
    return xc_v_load((const uint8_t *)at);
}

XC_CLMUL_INLINE struct xc_vclmul_sum xc_vclmul_nothing(void)
{
    return (struct xc_vclmul_sum){xc_v_zero(), xc_v_zero(), xc_v_zero()};
}

XC_CLMUL_INLINE struct xc_vclmul_sum xc_vclmul_both(struct xc_vclmul_sum a, struct xc_vclmul_sum b)
{
    return (struct xc_vclmul_sum){xc_v_xor(a.low, b.low), xc_v_xor(a.middle, b.middle), xc_v_xor(a.high, b.high)};
}

/* d * the powers from `at` on. */
XC_CLMUL_INLINE struct xc_vclmul_sum xc_vclmul_product(const struct xc_vclmul_table *table, size_t at, xc_vec d)
{
    const xc_vec h = xc_vclmul_power(table->h + at);
    return (struct xc_vclmul_sum){xc_v_low(d, h), xc_v_low(xc_v_folded(d), xc_vclmul_power(table->halves + at)),
                                  xc_v_high(d, h)};
}

/* sum += d * the powers from `at` on. */
XC_CLMUL_INLINE void xc_vclmul_add(struct xc_vclmul_sum *s, const struct xc_vclmul_table *table, size_t at, xc_vec d)
{
    *s = xc_vclmul_both(*s, xc_vclmul_product(table, at, d));
    xc_v_hold(&s->low, &s->middle, &s->high);
}

/* The same with two vectors, d and e. */
XC_CLMUL_INLINE void xc_vclmul_add2(struct xc_vclmul_sum *s, const struct xc_vclmul_table *table, size_t at, xc_vec d,
                                    xc_vec e)
{
    if (!XC_VEC_THREE) {
        xc_vclmul_add(s, table, at + XC_WIDE, e);
        xc_vclmul_add(s, table, at, d);
        return;
    }
    const struct xc_vclmul_sum a = xc_vclmul_product(table, at + XC_WIDE, e), b = xc_vclmul_product(table, at, d);
    s->low = xc_v_xor3(s->low, a.low, b.low);
    s->middle = xc_v_xor3(s->middle, a.middle, b.middle);
    s->high = xc_v_xor3(s->high, a.high, b.high);
    xc_v_hold(&s->low, &s->middle, &s->high);
}

/* One block times one power. */
XC_CLMUL_INLINE struct xc_vclmul_sum xc_vclmul_product1(const struct xc_vclmul_table *table, size_t at, __m128i d)
{
    struct xc_clmul_sum s = xc_clmul_nothing();
    xc_clmul_add(&s, d, table->h[at], table->halves[at]);
    return (struct xc_vclmul_sum){xc_v_first(s.low), xc_v_first(s.middle), xc_v_first(s.high)};
}

/* As xc_clmul_reduce, in every place. */
XC_CLMUL_INLINE xc_vec xc_vclmul_reduced(struct xc_vclmul_sum s)
{
    const xc_vec polynomial = xc_v_all(_mm_set_epi64x((long long)0xc200000000000000, 0));
    const xc_vec outer = xc_v_xor3(s.middle, s.low, s.high);
    const xc_vec middle = xc_v_xor3(outer, xc_v_exchange(s.low), xc_v_cross(s.low, polynomial));
    return xc_v_xor3(s.high, xc_v_exchange(middle), xc_v_cross(middle, polynomial));
}

XC_CLMUL_INLINE __m128i xc_vclmul_reduce(struct xc_vclmul_sum s)
{
    return xc_v_sum(xc_vclmul_reduced(s));
}

XC_CLMUL_INLINE void xc_vclmul_put(struct xc_vclmul_table *table, size_t at, xc_vec powers)
{
    xc_v_store((uint8_t *)(table->h + at), powers);
    xc_v_store((uint8_t *)(table->halves + at), xc_v_folded(powers));
}

/* Powers times the one power in every place of `by`. */
XC_CLMUL_INLINE xc_vec xc_vclmul_times(xc_vec powers, xc_vec halves, xc_vec by)
{
    return xc_vclmul_reduced((struct xc_vclmul_sum){xc_v_low(powers, by), xc_v_low(halves, xc_v_folded(by)),
                                                    xc_v_high(powers, by)});
}

/* From H in the standard's byte order, the powers up to H^most at least. */
static inline void xc_vclmul_set(struct xc_vclmul_table *table, __m128i standard, size_t most)
{
    enum { END = XC_VCLMUL_POWERS };
    xc_vclmul_put(table, END, xc_v_zero());
    xc_vec top = xc_v_powers(xc_clmul_divided(standard));
    xc_vclmul_put(table, END - XC_WIDE, top);
    /* Every step doubles the powers, with independent products. The highest, which the next step waits for,
     * comes first. */
    XC_UNROLL
    for (int step = 0; XC_WIDE << step < END; step++) {
        const int have = XC_WIDE << step;
        if ((size_t)have >= most) {
            break;
        }
        const xc_vec by = xc_v_all(xc_v_block(top));
        top = xc_vclmul_times(top, xc_v_folded(top), by);
        xc_vclmul_put(table, END - 2 * have, top);
        XC_UNROLL
        for (int i = XC_WIDE; i < have; i += XC_WIDE) {
            __asm__ __volatile__("" : "+r"(table) : : "memory"); /* powers stay in the table alone */
            const xc_vec v = xc_vclmul_power(table->h + END - i);
            const xc_vec halves = xc_vclmul_power(table->halves + END - i);
            xc_vclmul_put(table, END - have - i, xc_vclmul_times(v, halves, by));
        }
    }
}

XC_CLMUL_INLINE xc_vec xc_vclmul_blocks(const uint8_t *in, int reversed)
{
    return reversed ? xc_v_load(in) : xc_v_swap(xc_v_load(in));
}

/* y = (y ^ block) * H for all blocks; y with its bytes reversed. `reversed` is a constant at every call. */
XC_CLMUL_INLINE __m128i xc_vclmul_update(const struct xc_vclmul_table *table, const uint8_t *in, size_t blocks,
                                         __m128i y, int reversed)
{
    enum { END = XC_VCLMUL_POWERS, VECTORS = END / XC_WIDE, BYTES = XC_VEC_SIZE };
    for (; blocks >= END; blocks -= END) {
        __asm__ __volatile__("" : "+r"(table)); /* else the powers would be copied to the stack, once for all turns */
        struct xc_vclmul_sum s = xc_vclmul_nothing();
        XC_UNROLL
        for (int j = VECTORS - 2; j >= 0; j -= 2) {
            xc_vec d = xc_vclmul_blocks(in + BYTES * j, reversed);
            if (j == 0) { /* comes last: y is the one operand that has to be waited for */
                d = xc_v_xor(d, xc_v_first(y));
            }
            xc_vclmul_add2(&s, table, XC_WIDE * j, d, xc_vclmul_blocks(in + BYTES * (j + 1), reversed));
        }
        y = xc_vclmul_reduce(s);
        in += VECTORS * BYTES;
    }
    if (blocks > 4) {
        struct xc_vclmul_sum s = xc_vclmul_product1(table, END - blocks, y);
        for (; blocks >= XC_WIDE; blocks -= XC_WIDE) {
            xc_vclmul_add(&s, table, END - blocks, xc_vclmul_blocks(in, reversed));
            in += BYTES;
        }
        for (; blocks != 0; blocks--) {
            const __m128i d = xc_clmul_block(in, reversed);
            s = xc_vclmul_both(s, xc_vclmul_product1(table, END - blocks, d));
            in += 16;
        }
        y = xc_vclmul_reduce(s);
    } else if (blocks != 0) { /* so few are faster by single blocks */
        struct xc_clmul_sum s = xc_clmul_nothing();
        for (; blocks != 0; blocks--) {
            const __m128i d = _mm_xor_si128(y, xc_clmul_block(in, reversed));
            xc_clmul_add(&s, d, table->h[END - blocks], table->halves[END - blocks]);
            y = _mm_setzero_si128();
            in += 16;
        }
        y = xc_clmul_reduce(s);
    }
    return y;
}

#endif
