/* pmull_eor.h — the sum of three in two instructions, for pmull.h. */
#include <arm_neon.h>

static inline __attribute__((always_inline)) uint64x2_t xc_pm_xor3(uint64x2_t a, uint64x2_t b, uint64x2_t c)
{
    return veorq_u64(veorq_u64(a, b), c);
}
