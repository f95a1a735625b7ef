/* rvv.h — words of text in RISC-V's vector registers, whatever length those have.
 *
 * Inline functions alone, for files that are compiled with the vector extension; nothing else may include it. kernels.cmake
 * compiles it to learn whether the compiler has the intrinsics of version 1.0, which clang 14 spells otherwise and gcc 12 lacks.
 *
 * Text goes through loads of bytes: elements at addresses that are no multiple of
 * their size may trap. What stands behind the elements that an operation asked for is anything, and ones on some CPUs. */
#ifndef XC_RVV_H
#define XC_RVV_H

#include <stddef.h>
#include <stdint.h>

#include <riscv_vector.h>

#define XC_RVV_INLINE static inline __attribute__((always_inline))

typedef vuint32m4_t xc_rvv_words;

/* Of `bytes` bytes: whole words, and after them less than one may be left. */
XC_RVV_INLINE xc_rvv_words xc_rvv_load(const uint8_t *p, size_t bytes)
{
    return __riscv_vreinterpret_v_u8m4_u32m4(__riscv_vle8_v_u8m4(p, bytes));
}

XC_RVV_INLINE void xc_rvv_store(uint8_t *p, xc_rvv_words v, size_t bytes)
{
    __riscv_vse8_v_u8m4(p, __riscv_vreinterpret_v_u32m4_u8m4(v), bytes);
}

/* How many of so many blocks fit into a group. Fewer are asked for as they are: of more than fit, but less than twice as
 * many, a CPU may take the half, and that need not be whole blocks. */
XC_RVV_INLINE size_t xc_rvv_take(size_t blocks)
{
    const size_t most = __riscv_vsetvlmax_e32m4() / 4;
    return blocks < most ? blocks : most;
}

#endif
