/* ghash_zvkg.c — GHASH by RISC-V's vector cryptography, as many blocks side by side as four registers hold, up to sixteen.
 *
 * With so many lanes every lane takes each of its blocks times H^lanes, and its last one times the power that is left; then the lanes
 * are added. One instruction adds the text and multiplies. Registers: sums 4, text 4, powers 4; places of bytes 4 where blocks are reversed.
 * Executed instructions per byte of 16 KiB, clang 19, counted by qemu-user, by the bits of a register: 0.113 for 128, 0.059 for 256, 0.032 for
 * 512; portable 30.3. */
#include "../kernel.h"
#include "zvkg.h"

enum { MOST = 16 };

struct key {
    uint8_t power[MOST][16]; /* H^MOST first, H last */
    uint8_t step[MOST][16];  /* H^lanes, for every lane */
    size_t lanes;
};

static void set_brief_key(void *opaque, const uint8_t h[16], size_t most)
{
    struct key *key = opaque;
    const size_t fit = xc_rvv_take(MOST);
    const xc_rvv_words one = xc_rvv_load(h, 16);
    xc_rvv_words power = one;
    key->lanes = most == 0 ? 1 : most < fit ? most : fit;
    xc_rvv_store(key->power[MOST - 1], power, 16);
    for (size_t i = 1; i < key->lanes; i++) {
        power = xc_zvkg_times(power, one, 4);
        xc_rvv_store(key->power[MOST - 1 - i], power, 16);
    }
    for (size_t i = 0; i < key->lanes; i++) {
        xc_rvv_store(key->step[i], power, 16);
    }
}

static void set_key(void *key, const uint8_t h[16])
{
    set_brief_key(key, h, MOST);
}

/* Text, with every block's bytes the other way round where `reversed` says so. Sixteen blocks have 256 places. */
XC_RVV_INLINE xc_rvv_words load(const uint8_t *in, int reversed, vuint8m4_t places, size_t blocks)
{
    const vuint8m4_t text = __riscv_vle8_v_u8m4(in, 16 * blocks);
    return __riscv_vreinterpret_v_u8m4_u32m4(reversed ? __riscv_vrgather_vv_u8m4(text, places, 16 * blocks) : text);
}

/* The sum of `blocks` lanes, in the first: halves are added as long as there are two. */
XC_RVV_INLINE xc_rvv_words sum(xc_rvv_words x, size_t blocks)
{
    while (blocks > 1) {
        const size_t half = blocks / 2, rest = blocks - half;
        x = __riscv_vxor_vv_u32m4_tu(x, x, __riscv_vslidedown_vx_u32m4(x, 4 * rest, 4 * half), 4 * half);
        blocks = rest;
    }
    return x;
}

/* `reversed` is a constant at both calls. */
XC_RVV_INLINE void update_of(const struct key *key, int reversed, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    const size_t lanes = key->lanes;
    const vuint8m4_t places = __riscv_vxor_vx_u8m4(__riscv_vid_v_u8m4(16 * lanes), 15, 16 * lanes);
    const xc_rvv_words step = xc_rvv_load(key->step[0], 16 * lanes);
    while (blocks != 0) {
        size_t now = blocks < lanes ? blocks : lanes;
        /* The hash so far is added to the first block. */
        xc_rvv_words sums = __riscv_vmv_v_x_u32m4(0, 4 * now);
        sums = __riscv_vmv_v_v_u32m4_tu(sums, xc_rvv_load(y, 16), 4);
        for (; blocks >= 2 * lanes; blocks -= lanes, in += 16 * lanes) {
            sums = xc_zvkg_hash(sums, load(in, reversed, places, lanes), step, 4 * lanes);
        }
        const xc_rvv_words powers = xc_rvv_load(key->power[MOST - now], 16 * now);
        sums = xc_zvkg_hash(sums, load(in, reversed, places, now), powers, 4 * now);
        xc_rvv_store(y, sum(sums, now), 16);
        in += 16 * now;
        blocks -= now;
    }
}

static void update(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    update_of(key, 0, in, blocks, y);
}

static void update_reversed(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    update_of(key, 1, in, blocks, y);
}

const struct xc_ghash_ops xc_ghash_zvkg = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .set_brief_key = set_brief_key,
    .update = update,
    .update_reversed = update_reversed,
};
