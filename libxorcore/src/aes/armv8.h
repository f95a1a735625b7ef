/* armv8.h — AES by Arm's instructions, up to eight blocks at a time: what the kernels for both sizes of Arm share.
 *
 * Inline functions alone, for files that are compiled with these instructions; nothing else may include it. AESE adds the
 * round key first and ends before MixColumns, so that the sum with the last round key is left to the caller, who has
 * other things to add there. AESE and the AESMC behind it stand together, which cores then run as one.
 * With 32 registers the last eleven round keys are held in some of them over a whole call; what a longer key has more, and
 * with 16 registers all of them, is read again in every round. */
#ifndef XC_ARMV8_H
#define XC_ARMV8_H

#include "../util/bytes.h"
#include "../util/unroll.h"
#include "expand.h"

#include <stddef.h>
#include <stdint.h>

#include <arm_neon.h>

#define XC_ARMV8_INLINE static inline __attribute__((always_inline))

/* 64-bit Arm has 32 registers, 32-bit Arm 16. */
enum { XC_ARMV8_HELD = sizeof(void *) == 8, XC_ARMV8_LAST = 10 };

XC_ARMV8_INLINE uint8x16_t xc_armv8_zero(void) { return vdupq_n_u8(0); }

/* The same pointer, of which the compiler no longer knows that it is: what is read through it is read at that place. */
XC_ARMV8_INLINE const uint8_t *xc_armv8_again(const uint8_t *p)
{
    __asm__ __volatile__("" : "+r"(p)); /* volatile, or a loop could do it once */
    return p;
}

/* ---- parts of a block --------------------------------------------------------------------------------- */

XC_ARMV8_INLINE uint8x16_t xc_armv8_of_halves(uint64_t low, uint64_t high)
{
    return vcombine_u8(vcreate_u8(low), vcreate_u8(high));
}

/* n < 16 bytes, with zeros behind them. */
XC_ARMV8_INLINE uint8x16_t xc_armv8_load_part(const uint8_t *p, size_t n)
{
    const struct xc_halves halves = xc_load_halves(p, n);
    return xc_armv8_of_halves(halves.low, halves.high);
}

/* The first n < 16 bytes of v. */
XC_ARMV8_INLINE void xc_armv8_store_part(uint8_t *p, uint8x16_t v, size_t n)
{
    const uint64x2_t halves = vreinterpretq_u64_u8(v);
    xc_store_first(p, (struct xc_halves){vgetq_lane_u64(halves, 0), vgetq_lane_u64(halves, 1)}, n);
}

/* ---- keys --------------------------------------------------------------------------------------------- */

/* The S-box, for the key schedule: AESE with a key of zeros; ShiftRows does nothing to four equal columns. */
static inline uint32_t xc_armv8_sub_word(uint32_t word)
{
    const uint8x16_t columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
    return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, xc_armv8_zero())), 0);
}

struct xc_armv8_keys {
    const uint8_t *round; /* all of them, 16 bytes each */
    unsigned rounds;
    int more; /* than ten rounds, perhaps */
    uint8x16_t last[XC_ARMV8_LAST + 1];
};

XC_ARMV8_INLINE struct xc_armv8_keys xc_armv8_keys(const uint32_t words[XC_EXPAND_WORDS], unsigned rounds)
{
    struct xc_armv8_keys keys = {.round = (const uint8_t *)words, .rounds = rounds, .more = 1};
    if (XC_ARMV8_HELD) {
        const uint8_t *last = keys.round + 16 * (rounds - XC_ARMV8_LAST);
        XC_UNROLL
        for (int i = 0; i <= XC_ARMV8_LAST; i++) {
            keys.last[i] = vld1q_u8(last + 16 * i);
        }
    }
    return keys;
}

/* The same of a key with ten rounds, for a loop that is to be compiled for it: asked in every turn, whether there are more
 * can cost what the sums do. */
XC_ARMV8_INLINE struct xc_armv8_keys xc_armv8_ten(struct xc_armv8_keys keys)
{
    keys.more = 0;
    return keys;
}

/* One of the last eleven. */
XC_ARMV8_INLINE uint8x16_t xc_armv8_key(const struct xc_armv8_keys *keys, int i)
{
    return XC_ARMV8_HELD ? keys->last[i] : vld1q_u8(xc_armv8_again(keys->round + (keys->more ? 16 * (keys->rounds - XC_ARMV8_LAST) : 0)) + 16 * i);
}

/* ---- the rounds --------------------------------------------------------------------------------------- */

/* A round but the last. On 64-bit Arm in assembly: gcc takes AESE's operands for equal, and then copies the state to and fro
 * to have it in the key's register. Its statements stay in the order in which they are written here. */
XC_ARMV8_INLINE uint8x16_t xc_armv8_mixed(uint8x16_t x, uint8x16_t key, int inverse)
{
    if (!XC_ARMV8_HELD) {
        return inverse ? vaesimcq_u8(vaesdq_u8(x, key)) : vaesmcq_u8(vaeseq_u8(x, key));
    }
    if (inverse) {
        __asm__ __volatile__("aesd %0.16b, %1.16b\n\taesimc %0.16b, %0.16b" : "+w"(x) : "w"(key));
    } else {
        __asm__ __volatile__("aese %0.16b, %1.16b\n\taesmc %0.16b, %0.16b" : "+w"(x) : "w"(key));
    }
    return x;
}

/* `inverse` and `lanes` are constants at every call. */
XC_ARMV8_INLINE void xc_armv8_round(uint8x16_t *x, int lanes, uint8x16_t key, int inverse)
{
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = xc_armv8_mixed(x[j], key, inverse);
    }
}

/* The rounds that a key of more than 16 bytes has more. */
XC_ARMV8_INLINE void xc_armv8_early_rounds(uint8x16_t *x, int lanes, const struct xc_armv8_keys *keys, int inverse)
{
    if (keys->more && keys->rounds > 10) {
        const uint8_t *round = xc_armv8_again(keys->round);
        if (keys->rounds > 12) {
            xc_armv8_round(x, lanes, vld1q_u8(round), inverse);
            xc_armv8_round(x, lanes, vld1q_u8(round + 16), inverse);
            round += 32;
        }
        xc_armv8_round(x, lanes, vld1q_u8(round), inverse);
        xc_armv8_round(x, lanes, vld1q_u8(round + 16), inverse);
    }
}

XC_ARMV8_INLINE void xc_armv8_last_round(uint8x16_t *x, int lanes, const struct xc_armv8_keys *keys, int inverse)
{
    const uint8x16_t key = xc_armv8_key(keys, XC_ARMV8_LAST - 1);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = inverse ? vaesdq_u8(x[j], key) : vaeseq_u8(x[j], key);
    }
}

/* All of AES but the sum with the last key. */
XC_ARMV8_INLINE void xc_armv8_rounds(uint8x16_t *x, int lanes, const struct xc_armv8_keys *keys, int inverse)
{
    xc_armv8_early_rounds(x, lanes, keys, inverse);
    XC_UNROLL
    for (int r = 0; r < XC_ARMV8_LAST - 1; r++) {
        xc_armv8_round(x, lanes, xc_armv8_key(keys, r), inverse);
    }
    xc_armv8_last_round(x, lanes, keys, inverse);
}

/* ---- independent blocks ------------------------------------------------------------------------------- */

/* `lanes` blocks; returns how many they are. */
XC_ARMV8_INLINE size_t xc_armv8_some(const struct xc_armv8_keys *keys, int inverse, int lanes, uint8_t *out,
                                     const uint8_t *in)
{
    uint8x16_t x[8];
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = vld1q_u8(in + 16 * j);
    }
    xc_armv8_rounds(x, lanes, keys, inverse);
    const uint8x16_t last = xc_armv8_key(keys, XC_ARMV8_LAST);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        vst1q_u8(out + 16 * j, veorq_u8(x[j], last));
    }
    return (size_t)lanes;
}

XC_ARMV8_INLINE void xc_armv8_blocks(const struct xc_armv8_keys *keys, int inverse, uint8_t *out, const uint8_t *in,
                                     size_t blocks)
{
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        if (blocks >= 8) {
            now = xc_armv8_some(keys, inverse, 8, out, in);
        } else if (blocks >= 4) {
            now = xc_armv8_some(keys, inverse, 4, out, in);
        } else if (blocks >= 2) {
            now = xc_armv8_some(keys, inverse, 2, out, in);
        } else {
            now = xc_armv8_some(keys, inverse, 1, out, in);
        }
    }
}

#endif
