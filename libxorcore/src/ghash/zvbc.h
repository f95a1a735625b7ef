/* zvbc.h — sums of carry-less products by RISC-V's vector instructions, for GHASH.
 *
 * Inline functions alone, for files that are compiled with these instructions; nothing else may include it. Blocks stand in vectors as
 * pairs of 64-bit halves. Each half times its own half of the power, and times the other, are four sums of products; only when
 * these are complete do halves meet, as numbers in registers of integers. */
#ifndef XC_ZVBC_H
#define XC_ZVBC_H

#include "../util/rvv.h"

/* a + x * h in the first elements; those behind stay. */
XC_RVV_INLINE vuint64m2_t xc_zvbc_low(vuint64m2_t a, vuint64m2_t x, vuint64m2_t h, size_t halves)
{
    return __riscv_vxor_vv_u64m2_tu(a, a, __riscv_vclmul_vv_u64m2(x, h, halves), halves);
}

XC_RVV_INLINE vuint64m2_t xc_zvbc_high(vuint64m2_t a, vuint64m2_t x, vuint64m2_t h, size_t halves)
{
    return __riscv_vxor_vv_u64m2_tu(a, a, __riscv_vclmulh_vv_u64m2(x, h, halves), halves);
}

/* The sum of all elements, and of those under a mask. */
XC_RVV_INLINE uint64_t xc_zvbc_all(vuint64m2_t v, size_t halves)
{
    return __riscv_vmv_x_s_u64m1_u64(__riscv_vredxor_vs_u64m2_u64m1(v, __riscv_vmv_v_x_u64m1(0, 1), halves));
}

XC_RVV_INLINE uint64_t xc_zvbc_some(vbool32_t where, vuint64m2_t v, size_t halves)
{
    return __riscv_vmv_x_s_u64m1_u64(__riscv_vredxor_vs_u64m2_u64m1_m(where, v, __riscv_vmv_v_x_u64m1(0, 1), halves));
}

#endif
