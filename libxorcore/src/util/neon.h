/* neon.h — one block in a register of NEON, in the words that aes/vperm.h and ghash/nibbles.h have in common.
 *
 * TBL looks up sixteen bytes and gives zero for an index of sixteen and more. 32-bit NEON has it for eight bytes of index. */
#ifndef XC_NEON_H
#define XC_NEON_H

#include <stdint.h>

#include <arm_neon.h>

typedef uint8x16_t vec;

static inline vec v_load(const uint8_t *p) { return vld1q_u8(p); }
static inline void v_store(uint8_t *p, vec v) { vst1q_u8(p, v); }
static inline vec v_low(vec v) { return vandq_u8(v, vdupq_n_u8(15)); }
static inline vec v_high(vec v) { return vshrq_n_u8(v, 4); }

static inline vec v_shuffle(vec table, vec index)
{
#if defined(__aarch64__)
    return vqtbl1q_u8(table, index);
#else
    const uint8x8x2_t halves = {{vget_low_u8(table), vget_high_u8(table)}};
    return vcombine_u8(vtbl2_u8(halves, vget_low_u8(index)), vtbl2_u8(halves, vget_high_u8(index)));
#endif
}

#endif
