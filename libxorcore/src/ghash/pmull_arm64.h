/* pmull_arm64.h — the words of pmull.h for 64-bit Arm, where an instruction multiplies either half of its registers. A file
 * with EOR3 defines xc_pm_xor3 of its own. */
#include <arm_neon.h>

static inline __attribute__((always_inline)) uint64x2_t xc_pm_first(uint64x2_t a, uint64x2_t b)
{
    const poly64x1_t x = vreinterpret_p64_u64(vget_low_u64(a)), y = vreinterpret_p64_u64(vget_low_u64(b));
    return vreinterpretq_u64_p128(vmull_p64(vget_lane_p64(x, 0), vget_lane_p64(y, 0)));
}

static inline __attribute__((always_inline)) uint64x2_t xc_pm_second(uint64x2_t a, uint64x2_t b)
{
    return vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)));
}

static inline __attribute__((always_inline)) uint64x2_t xc_pm_sums(uint64x2_t a, uint64x2_t b)
{
    return veorq_u64(vtrn1q_u64(a, b), vtrn2q_u64(a, b));
}
