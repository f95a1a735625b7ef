/* lsx.h — vectors of 16 bytes of LoongArch's LSX, in the words that vperm.h and nibbles.h ask for.
 *
 * Inline functions alone, for files that are compiled with LSX; nothing else may include it. */
#ifndef XC_LSX_H
#define XC_LSX_H

#include <stdint.h>

#include <lsxintrin.h>

typedef __m128i one;

static inline one o_load(const uint8_t *p) { return __lsx_vld(p, 0); }
static inline void o_store(uint8_t *p, one v) { __lsx_vst(v, p, 0); }
static inline one o_dup(uint8_t byte) { return __lsx_vreplgr2vr_b(byte); }
static inline one o_low(one v) { return __lsx_vandi_b(v, 15); }
static inline one o_high(one v) { return __lsx_vsrli_b(v, 4); }
static inline one o_up(one v) { return __lsx_vbsll_v(v, 1); }
static inline one o_end(one v) { return __lsx_vbsrl_v(v, 15); }
static inline one o_reverse(one v) { return __lsx_vshuf_b(v, v, (one){0x08090a0b0c0d0e0f, 0x0001020304050607}); }

/* An index of 16 reaches for the zeros. What those beyond 31 would reach for, LoongArch leaves open. */
static inline one o_shuffle(one table, one index)
{
    return __lsx_vshuf_b(__lsx_vldi(0), table, __lsx_vmini_bu(index, 16));
}

#endif
