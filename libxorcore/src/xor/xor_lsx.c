/* xor_lsx.c — XOR in 16-byte vectors of LoongArch's LSX; the loops are those of xor_loong.h.
 *
 * Figures are in xor_lasx.c. */
#include "../kernel.h"

#include <string.h>

#include <lsxintrin.h>

typedef __m128i vec;
enum { VEC = 16 };

static inline vec vec_load(const uint8_t *p)
{
    vec v;
    memcpy(&v, p, VEC); /* not by the intrinsic, into which clang 19 takes no offset */
    return v;
}

static inline void vec_store(uint8_t *p, vec v)
{
    memcpy(p, &v, VEC);
}

static inline vec vec_xor(vec a, vec b)
{
    return __lsx_vxor_v(a, b);
}

#include "xor_loong.h"

const struct xc_xor_ops xc_xor_lsx = { .two = two, .many = many, .repeat = repeat };
