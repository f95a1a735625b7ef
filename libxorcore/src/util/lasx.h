/* lasx.h — vectors of 32 bytes of LoongArch's LASX, in the words that vperm.h and nibbles.h ask for, beside those of lsx.h.
 *
 * Inline functions alone, for files that are compiled with LASX; nothing else may include it. Shuffles and moves of bytes
 * stay inside either half. */
#ifndef XC_LASX_H
#define XC_LASX_H

#include "lsx.h"

#include <lasxintrin.h>

typedef __m256i vec;

static inline void v_store(uint8_t *p, vec v) { __lasx_xvst(v, p, 0); }
static inline vec v_low(vec v) { return __lasx_xvandi_b(v, 15); }
static inline vec v_high(vec v) { return __lasx_xvsrli_b(v, 4); }

/* As o_shuffle() in either half. */
static inline vec v_shuffle(vec table, vec index)
{
    return __lasx_xvshuf_b(__lasx_xvldi(0), table, __lasx_xvmini_bu(index, 16));
}

/* One block in both halves. */
static inline vec v_all(const uint8_t *p)
{
    return __lasx_xvilvl_d(__lasx_xvldrepl_d(p, 8), __lasx_xvldrepl_d(p, 0));
}

#endif
