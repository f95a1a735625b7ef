/* zvkg.h — products of GHASH by RISC-V's vector instructions, which take blocks in the order in which they stand in memory.
 *
 * Inline functions alone, for files that are compiled with these instructions; nothing else may include it. */
#ifndef XC_ZVKG_H
#define XC_ZVKG_H

#include "../util/rvv.h"

/* y * h, block by block. */
XC_RVV_INLINE xc_rvv_words xc_zvkg_times(xc_rvv_words y, xc_rvv_words h, size_t words)
{
    return __riscv_vgmul_vv_u32m4(y, h, words);
}

/* (y ^ x) * h, block by block. */
XC_RVV_INLINE xc_rvv_words xc_zvkg_hash(xc_rvv_words y, xc_rvv_words x, xc_rvv_words h, size_t words)
{
    return __riscv_vghsh_vv_u32m4(y, h, x, words);
}

#endif
