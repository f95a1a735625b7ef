/* ghash_zvbc.c — GHASH by RISC-V's carry-less multiplication of vectors, sixteen blocks to a reduction.
 *
 * For CPUs without the instructions of ghash_zvkg.c. The products are in zvbc.h. A block is the number that its bytes are in
 * big-endian order, so that bits stand reflected; powers of H are kept times x, which makes up for the bit by which a
 * product of reflected numbers is too low. Groups are of two registers: with four some of the sums, products and powers
 * had to go to the stack. Registers: sums 8, text 2, powers 4, products 8; mask 1. Executed instructions per byte of 16 KiB, clang 19,
 * counted by qemu-user, by the bits of a register: 1.29 for 128, 0.78 for 256, 0.52 for 512; portable 30.3. */
#include "../kernel.h"
#include "../util/bytes.h"
#include "zvbc.h"

enum { MOST = 16 };

/* Powers times x by halves, H^MOST first: the upper half first, and the other way round. */
struct key {
    uint64_t power[MOST][2];
    uint64_t turned[MOST][2];
};

/* A hash, or any block, by its halves. */
struct block {
    uint64_t upper, lower;
};

XC_RVV_INLINE vuint64m2_t load_halves(const void *p, size_t halves)
{
    return __riscv_vreinterpret_v_u8m2_u64m2(__riscv_vle8_v_u8m2(p, 8 * halves));
}

/* w * (x^63 + x^62 + x^57), by halves: what the lowest word is worth higher up. */
XC_RVV_INLINE uint64_t fold_low(uint64_t w) { return w << 63 ^ w << 62 ^ w << 57; }
XC_RVV_INLINE uint64_t fold_high(uint64_t w) { return w >> 1 ^ w >> 2 ^ w >> 7; }

XC_RVV_INLINE struct block reduced(const uint64_t word[4])
{
    const uint64_t first = word[1] ^ fold_low(word[0]), second = word[0] ^ fold_high(word[0]);
    return (struct block){word[3] ^ first ^ fold_high(first), word[2] ^ second ^ fold_low(first)};
}

/* The hash y and up to MOST blocks, which is not none. In blocks whose bytes are reversed the lower half stands first, and is in the
 * right order already. `reversed` is a constant at every call. */
XC_RVV_INLINE struct block some(const struct key *key, int reversed, const uint8_t *in, size_t blocks, struct block y)
{
    const size_t fit = xc_rvv_take(MOST) / 2, halves = 2 * fit; /* it counts for groups of four registers */
    const uint64_t *same = reversed ? key->turned[MOST - blocks] : key->power[MOST - blocks];
    const uint64_t *other = reversed ? key->power[MOST - blocks] : key->turned[MOST - blocks];
    vuint64m2_t low = __riscv_vmv_v_x_u64m2(0, halves), high = low, cross_low = low, cross_high = low;
    vuint64m1_t before = __riscv_vmv_v_x_u64m1(reversed ? y.upper : y.lower, 2);
    before = __riscv_vmv_s_x_u64m1_tu(before, reversed ? y.lower : y.upper, 2);
    size_t now, left = 2;
    for (; blocks != 0; blocks -= now, in += 16 * now, same += 2 * now, other += 2 * now) {
        now = blocks < fit ? blocks : fit;
        vuint64m2_t x = load_halves(in, 2 * now);
        x = reversed ? x : __riscv_vrev8_v_u64m2(x, 2 * now);
        if (left != 0) { /* the hash goes to the first block */
            const vuint64m1_t first = __riscv_vget_v_u64m2_u64m1(x, 0);
            x = __riscv_vset_v_u64m1_u64m2(x, 0, __riscv_vxor_vv_u64m1_tu(first, first, before, left));
            left = 0;
        }
        vuint64m2_t h = load_halves(same, 2 * now);
        low = xc_zvbc_low(low, x, h, 2 * now);
        high = xc_zvbc_high(high, x, h, 2 * now);
        h = load_halves(other, 2 * now);
        cross_low = xc_zvbc_low(cross_low, x, h, 2 * now);
        cross_high = xc_zvbc_high(cross_high, x, h, 2 * now);
    }
    const vuint64m2_t half = __riscv_vid_v_u64m2(halves);
    const vbool32_t odd = __riscv_vmsne_vx_u64m2_b32(__riscv_vand_vx_u64m2(half, 1, halves), 0, halves);
    const uint64_t odd_low = xc_zvbc_some(odd, low, halves), odd_high = xc_zvbc_some(odd, high, halves);
    const uint64_t even_low = xc_zvbc_all(low, halves) ^ odd_low, even_high = xc_zvbc_all(high, halves) ^ odd_high;
    const uint64_t word[4] = {
        reversed ? even_low : odd_low,
        (reversed ? even_high : odd_high) ^ xc_zvbc_all(cross_low, halves),
        (reversed ? odd_low : even_low) ^ xc_zvbc_all(cross_high, halves),
        reversed ? odd_high : even_high,
    };
    return reduced(word);
}

/* A power in its places; `i` is MOST less the exponent. */
static void set_power(struct key *key, size_t i, struct block power)
{
    const uint64_t out = 0 - (power.upper >> 63);
    const uint64_t upper = (power.upper << 1 | power.lower >> 63) ^ (out & UINT64_C(0xc200000000000000));
    const uint64_t lower = power.lower << 1 ^ (out & 1);
    key->power[i][0] = key->turned[i][1] = upper;
    key->power[i][1] = key->turned[i][0] = lower;
}

static void set_brief_key(void *opaque, const uint8_t h[16], size_t most)
{
    static const uint8_t zeros[16];
    struct key *key = opaque;
    struct block power = {xc_load64_be(h), xc_load64_be(h + 8)};
    set_power(key, MOST - 1, power);
    for (size_t i = 1; i < MOST && i < most; i++) {
        power = some(key, 0, zeros, 1, power);
        set_power(key, MOST - 1 - i, power);
    }
}

static void set_key(void *key, const uint8_t h[16])
{
    set_brief_key(key, h, MOST);
}

XC_RVV_INLINE void update_of(const struct key *key, int reversed, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    struct block sum = {xc_load64_be(y), xc_load64_be(y + 8)};
    size_t now;
    for (; blocks != 0; blocks -= now, in += 16 * now) {
        now = blocks < MOST ? blocks : MOST;
        sum = some(key, reversed, in, now, sum);
    }
    xc_store64_be(y, sum.upper);
    xc_store64_be(y + 8, sum.lower);
}

static void update(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    update_of(key, 0, in, blocks, y);
}

static void update_reversed(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    update_of(key, 1, in, blocks, y);
}

const struct xc_ghash_ops xc_ghash_zvbc = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .set_brief_key = set_brief_key,
    .update = update,
    .update_reversed = update_reversed,
};
