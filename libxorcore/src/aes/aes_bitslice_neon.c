/* aes_bitslice_neon.c — the portable AES on words of two lanes in NEON's registers, eight blocks at once, for 32-bit Arm.
 *
 * The code is in fixsliced.h. Rows are 16-bit lanes, so that a row is turned by a shift and a shift that inserts, and the next
 * row is a rotation of each half of a register. A group takes as long for one block as for eight, so that up to four go to
 * aes_vperm_neon, whose key stands beside the planes.
 *
 * Executed instructions per byte on qemu's cortex-a9, 64 KiB and a key of 128 bits, by gcc 12 and clang 14: CTR 30 and 27, of
 * aes_vperm_neon 60 and 32; decryption of blocks 34 and 29, of aes_vperm_neon 79 and 50. The circuit wants more than NEON's
 * sixteen registers, and a third of the instructions are for spills. */
#include <stdint.h>

#include <arm_neon.h>

typedef uint64_t word __attribute__((vector_size(16)));

enum { GROUPS = 1 };

#define INLINE static inline __attribute__((always_inline))

/* What exchange.h says, with fewer instructions: bytes and wider parts by VTRN, bits by a shift and a selection. The mask
 * selects within every byte, or whole ones. gcc 12 would shift the halves of such words by the CPU's 32-bit registers. */
INLINE void exchange_between(word *a, word *b, unsigned n, uint64_t mask)
{
    const uint8x16_t x = (uint8x16_t)*a, y = (uint8x16_t)*b, under = vreinterpretq_u8_u64(vdupq_n_u64(mask));
    switch (n) {
    case 1:
        *a = (word)vbslq_u8(under, x, vshlq_n_u8(y, 1));
        *b = (word)vbslq_u8(under, vshrq_n_u8(x, 1), y);
        break;
    case 2:
        *a = (word)vbslq_u8(under, x, vshlq_n_u8(y, 2));
        *b = (word)vbslq_u8(under, vshrq_n_u8(x, 2), y);
        break;
    case 4: { /* halves of bytes: the shift that inserts needs no mask */
        const uint8x16_t lower = vsliq_n_u8(x, y, 4);
        *b = (word)vsriq_n_u8(y, x, 4);
        *a = (word)lower;
        break;
    }
    case 8: {
        const uint8x16x2_t both = vtrnq_u8(x, y);
        *a = (word)both.val[0];
        *b = (word)both.val[1];
        break;
    }
    case 16: {
        const uint16x8x2_t both = vtrnq_u16((uint16x8_t)x, (uint16x8_t)y);
        *a = (word)both.val[0];
        *b = (word)both.val[1];
        break;
    }
    default: {
        const uint32x4x2_t both = vtrnq_u32((uint32x4_t)x, (uint32x4_t)y);
        *a = (word)both.val[0];
        *b = (word)both.val[1];
    }
    }
}

INLINE word exchange(word x, unsigned n, uint64_t mask)
{
    const int64x2_t right = vdupq_n_s64(-(int64_t)n), left = vdupq_n_s64((int64_t)n);
    const uint64x2_t under = vdupq_n_u64(mask), y = (uint64x2_t)x;
    const uint64x2_t t = vandq_u64(veorq_u64(vshlq_u64(y, right), y), under);
    return (word)veorq_u64(veorq_u64(y, t), vshlq_u64(t, left));
}

#include "fixsliced.h"
#include "vperm_key.h"

/* Every row one place down. */
INLINE uint16x8_t rows_down(uint16x8_t x)
{
    const uint16x4_t low = vget_low_u16(x), high = vget_high_u16(x);
    return vcombine_u16(vext_u16(low, low, 1), vext_u16(high, high, 1));
}

/* Every row turned by 4 * turn bits; a turn of none and one of half a row have instructions of their own. */
INLINE uint16x8_t turned(uint16x8_t x, unsigned turn)
{
    switch (turn) {
    case 0: return x;
    case 1: return vsriq_n_u16(vshlq_n_u16(x, 12), x, 4);
    case 2: return vreinterpretq_u16_u8(vrev16q_u8(vreinterpretq_u8_u16(x)));
    default: return vsriq_n_u16(vshlq_n_u16(x, 4), x, 12);
    }
}

INLINE word next_row(word x, unsigned turn) { return (word)rows_down(turned((uint16x8_t)x, turn)); }

INLINE word far_row(word x, unsigned turn)
{
    return (word)turned(vreinterpretq_u16_u32(vrev64q_u32((uint32x4_t)x)), 2 * turn % 4);
}

INLINE void load_text(word q[8], const uint8_t *text)
{
    for (unsigned b = 0; b < 4; b++) {
        const uint64x2_t first = vreinterpretq_u64_u8(vld1q_u8(text + 16 * b));
        const uint64x2_t second = vreinterpretq_u64_u8(vld1q_u8(text + 64 + 16 * b));
        q[2 * b] = (word)vcombine_u64(vget_low_u64(first), vget_low_u64(second));
        q[2 * b + 1] = (word)vcombine_u64(vget_high_u64(first), vget_high_u64(second));
    }
}

INLINE void store_text(uint8_t *text, const word q[8])
{
    for (unsigned b = 0; b < 4; b++) {
        const uint64x2_t lower = (uint64x2_t)q[2 * b], upper = (uint64x2_t)q[2 * b + 1];
        vst1q_u8(text + 16 * b, vreinterpretq_u8_u64(vcombine_u64(vget_low_u64(lower), vget_low_u64(upper))));
        vst1q_u8(text + 64 + 16 * b, vreinterpretq_u8_u64(vcombine_u64(vget_high_u64(lower), vget_high_u64(upper))));
    }
}

INLINE uint64_t lane0(word x) { return x[0]; }

/* ---- slots ---------------------------------------------------------------------------------------------- */

extern const struct xc_aes_ops xc_aes_vperm_neon;

enum { FEW = 4 }; /* blocks */

struct keys {
    struct key planes;
    struct xc_vperm_key few;
};

static void set_keys(void *opaque, const uint8_t *bytes, size_t len)
{
    struct keys *keys = opaque;
    set_key(&keys->planes, bytes, len);
    xc_aes_vperm_neon.set_key(&keys->few, bytes, len);
}

static void set_decrypt_keys(void *opaque)
{
    struct keys *keys = opaque;
    xc_aes_vperm_neon.set_decrypt_key(&keys->few);
}

/* The blocks of whole groups, and of a last one that is worth it. */
INLINE size_t in_groups(size_t blocks) { return blocks % LANES <= FEW ? blocks - blocks % LANES : blocks; }

static void encrypt_blocks(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const struct keys *keys = opaque;
    const size_t many = in_groups(blocks);
    encrypt(&keys->planes, out, in, many);
    if (many != blocks)
        xc_aes_vperm_neon.encrypt(&keys->few, out + XC_BLOCK * many, in + XC_BLOCK * many, blocks - many);
}

static void decrypt_blocks(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const struct keys *keys = opaque;
    const size_t many = in_groups(blocks);
    decrypt(&keys->planes, out, in, many);
    if (many != blocks)
        xc_aes_vperm_neon.decrypt(&keys->few, out + XC_BLOCK * many, in + XC_BLOCK * many, blocks - many);
}

static void ctr(const void *opaque, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    const struct keys *keys = opaque;
    const size_t rest = n % GROUP <= FEW * XC_BLOCK ? n % GROUP : 0, many = n - rest;
    ctr_batches(&keys->planes, out, in, many, chain);
    if (rest != 0)
        xc_aes_vperm_neon.ctr(&keys->few, out + many, in + many, rest, chain);
}

static void mac(const void *opaque, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct keys *keys = opaque;
    xc_aes_vperm_neon.mac(&keys->few, in, blocks, chain);
}

const struct xc_aes_ops xc_aes_bitslice_neon = {
    .key_size = sizeof(struct keys),
    .set_key = set_keys,
    .set_decrypt_key = set_decrypt_keys,
    .encrypt = encrypt_blocks,
    .decrypt = decrypt_blocks,
    .ctr = ctr,
    .mac = mac,
};
