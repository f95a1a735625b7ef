/* zvkg.h — GHASH by RISC-V's vector instructions, which take blocks in the order in which they stand in memory.
 *
 * Inline functions alone, for files that are compiled with these instructions; nothing else may include it.
 *
 * As many blocks go side by side as four registers hold, up to sixteen. With so many lanes every lane takes each of its blocks times
 * H^lanes, and its last one times the power that is left; then the lanes are added. One instruction adds the text and multiplies. */
#ifndef XC_ZVKG_H
#define XC_ZVKG_H

#include "../util/rvv.h"

enum { XC_ZVKG_MOST = 16 };

struct xc_zvkg_key {
    uint8_t power[XC_ZVKG_MOST][16]; /* H^MOST first, H last */
    uint8_t step[XC_ZVKG_MOST][16];  /* H^lanes, for every lane */
    size_t lanes;
};

/* For calls of up to `most` blocks: longer ones are right too, in no more lanes. */
XC_RVV_INLINE void xc_zvkg_set(struct xc_zvkg_key *key, const uint8_t h[16], size_t most)
{
    const size_t fit = xc_rvv_take(XC_ZVKG_MOST);
    const xc_rvv_words one = xc_rvv_load(h, 16);
    xc_rvv_words power = one;
    key->lanes = most == 0 ? 1 : most < fit ? most : fit;
    xc_rvv_store(key->power[XC_ZVKG_MOST - 1], power, 16);
    for (size_t i = 1; i < key->lanes; i++) {
        power = __riscv_vgmul_vv_u32m4(power, one, 4);
        xc_rvv_store(key->power[XC_ZVKG_MOST - 1 - i], power, 16);
    }
    for (size_t i = 0; i < key->lanes; i++) {
        xc_rvv_store(key->step[i], power, 16);
    }
}

/* So many lanes before their first blocks: what has been hashed is added to the first. */
XC_RVV_INLINE xc_rvv_words xc_zvkg_begin(const uint8_t y[16], size_t lanes)
{
    const xc_rvv_words zeros = __riscv_vmv_v_x_u32m4(0, 4 * lanes);
    return __riscv_vmv_v_v_u32m4_tu(zeros, xc_rvv_load(y, 16), 4);
}

/* A block in every lane, when more follow in all of them. */
XC_RVV_INLINE xc_rvv_words xc_zvkg_step(const struct xc_zvkg_key *key, xc_rvv_words sums, xc_rvv_words text)
{
    const xc_rvv_words powers = xc_rvv_load(key->step[0], 16 * key->lanes);
    return __riscv_vghsh_vv_u32m4(sums, powers, text, 4 * key->lanes);
}

/* The last blocks, one in each of so many lanes: halves of the lanes are added as long as there are two. */
XC_RVV_INLINE void xc_zvkg_end(const struct xc_zvkg_key *key, xc_rvv_words sums, xc_rvv_words text, size_t lanes, uint8_t y[16])
{
    const xc_rvv_words powers = xc_rvv_load(key->power[XC_ZVKG_MOST - lanes], 16 * lanes);
    sums = __riscv_vghsh_vv_u32m4(sums, powers, text, 4 * lanes);
    while (lanes > 1) {
        const size_t half = lanes / 2, rest = lanes - half;
        const xc_rvv_words upper = __riscv_vslidedown_vx_u32m4(sums, 4 * rest, 4 * half);
        sums = __riscv_vxor_vv_u32m4_tu(sums, sums, upper, 4 * half);
        lanes = rest;
    }
    xc_rvv_store(y, sums, 16);
}

/* Text, with every block's bytes the other way round where `reversed` says so. Sixteen blocks have 256 places. */
XC_RVV_INLINE xc_rvv_words xc_zvkg_load(const uint8_t *in, int reversed, vuint8m4_t places, size_t blocks)
{
    const vuint8m4_t text = __riscv_vle8_v_u8m4(in, 16 * blocks);
    return __riscv_vreinterpret_v_u8m4_u32m4(reversed ? __riscv_vrgather_vv_u8m4(text, places, 16 * blocks) : text);
}

/* y = (y ^ block) * H for every block in turn. `reversed` is a constant at every call. */
XC_RVV_INLINE void xc_zvkg_update(const struct xc_zvkg_key *key, int reversed, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    const size_t lanes = key->lanes;
    const vuint8m4_t places = __riscv_vxor_vx_u8m4(__riscv_vid_v_u8m4(16 * lanes), 15, 16 * lanes);
    while (blocks != 0) {
        const size_t now = blocks < lanes ? blocks : lanes;
        xc_rvv_words sums = xc_zvkg_begin(y, now);
        for (; blocks >= 2 * lanes; blocks -= lanes, in += 16 * lanes) {
            sums = xc_zvkg_step(key, sums, xc_zvkg_load(in, reversed, places, lanes));
        }
        xc_zvkg_end(key, sums, xc_zvkg_load(in, reversed, places, now), now, y);
        in += 16 * now;
        blocks -= now;
    }
}

#endif
