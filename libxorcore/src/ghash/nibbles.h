/* nibbles.h — GHASH by byte shuffles, for vectors of any width: no multiplication, no table in memory that a secret
 * indexes.
 *
 * A block is left in the standard's order, where byte i holds the coefficients of x^(8 i) to x^(8 i + 7), the first of
 * them in its highest bit. For a power of H and a place b from 0 to 15 two tables give byte b of the power times each
 * half of a byte: 16 entries each, so that one shuffle looks up all bytes of a block. The product is the sum of
 * what place b gives, moved on by b bytes, over all b: by Horner's rule, for the sum of four blocks times
 * H^4 to H^1 at once, 16 steps with a shift of the 32 bytes of the sum. The same kind of table, of x^128 in
 * the field, brings the upper 16 bytes back.
 *
 * Fewer than four blocks have zeros before them, which takes no longer than four.
 *
 * A file that includes this one says what a vector is by the type `vec` and these functions: v_load for a whole
 * one, v_shuffle (table, index), v_low and v_high for the halves of every byte, v_reverse for the bytes of each
 * block, v_up to move those on by one with a zero first, v_join (a, b) to move a's on with b's last first, v_first for one
 * block and zeros, and v_sum for the sum of all blocks. Sums are `^`. And what one block is by the type `one` and the same words
 * with o_, besides o_store, o_end for the last byte in the first place and zeros, and o_dup for a byte in every place.
 * Inline functions alone; nothing else may include it. */
#ifndef XC_NIBBLES_H
#define XC_NIBBLES_H

#include "../kernel.h"
#include "../util/bytes.h"
#include "../util/unroll.h"
#include "../util/wipe.h"

#include <string.h>

#define XC_NIBBLES_INLINE static inline __attribute__((always_inline))

enum { GROUP = 4, VECTORS = GROUP * XC_BLOCK / (int)sizeof(vec) };

/* For each place a table by the upper (0) and one by the lower (1) half of a byte, of H^4 to H^1. */
struct key {
    _Alignas(32) uint8_t table[XC_BLOCK][2][GROUP][XC_BLOCK];
};

/* ---- the product ------------------------------------------------------------------------------------- */

/* What 1 + x + x^2 + x^7, which is x^128, gives with the upper (0) and the lower (1) half of a byte: in the byte's own
 * place and in the next. */
static _Alignas(16) const uint8_t fold_here[2][16] = {
    {0x00, 0x1c, 0x38, 0x24, 0x70, 0x6c, 0x48, 0x54, 0xe1, 0xfd, 0xd9, 0xc5, 0x91, 0x8d, 0xa9, 0xb5},
    {0x00, 0x01, 0x03, 0x02, 0x07, 0x06, 0x04, 0x05, 0x0e, 0x0f, 0x0d, 0x0c, 0x09, 0x08, 0x0a, 0x0b},
};
static _Alignas(16) const uint8_t fold_next[2][16] = {
    {0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0, 0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0},
    {0x00, 0xc2, 0x84, 0x46, 0x08, 0xca, 0x8c, 0x4e, 0x10, 0xd2, 0x94, 0x56, 0x18, 0xda, 0x9c, 0x5e},
};

XC_NIBBLES_INLINE one by_halves(const uint8_t table[2][16], one v)
{
    return o_shuffle(o_load(table[0]), o_high(v)) ^ o_shuffle(o_load(table[1]), o_low(v));
}

/* low + x^128 high. The byte that x^128 high has beyond the sixteenth goes the same way once more. */
XC_NIBBLES_INLINE one reduced(one low, one high)
{
    const one next = by_halves(fold_next, high), beyond = o_end(next);
    return low ^ by_halves(fold_here, high) ^ o_up(next) ^ by_halves(fold_here, beyond) ^
           o_up(by_halves(fold_next, beyond));
}

/* The sum of four blocks times H^4 to H^1. */
XC_NIBBLES_INLINE one group(const struct key *key, const vec x[VECTORS])
{
    vec upper[VECTORS], lower[VECTORS];
    __asm__ __volatile__("" : "+r"(key)); /* else the tables would be copied to the stack, once for all groups */
    XC_UNROLL
    for (int j = 0; j < VECTORS; j++) {
        upper[j] = v_high(x[j]);
        lower[j] = v_low(x[j]);
    }
    vec low = upper[0] ^ upper[0], high = low;
    for (int b = XC_BLOCK - 1; b >= 0; b--) {
        const uint8_t *by_upper = key->table[b][0][0], *by_lower = key->table[b][1][0];
        vec sum = v_shuffle(v_load(by_upper), upper[0]) ^ v_shuffle(v_load(by_lower), lower[0]);
        XC_UNROLL
        for (int j = 1; j < VECTORS; j++) {
            sum ^= v_shuffle(v_load(by_upper + (int)sizeof(vec) * j), upper[j]) ^
                   v_shuffle(v_load(by_lower + (int)sizeof(vec) * j), lower[j]);
        }
        high = v_join(high, low);
        low = v_up(low) ^ sum; /* only this sum has to wait for the place before */
    }
    return reduced(v_sum(low), v_sum(high));
}

/* ---- keys -------------------------------------------------------------------------------------------- */

/* Which of the sixteen halves of a byte have bit 3, 2, 1 and 0. */
static _Alignas(16) const uint8_t has_bit[4][16] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255},
    {0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255},
    {0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255},
    {0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255},
};

/* The tables of one power. */
static void set_power(struct key *key, int j, const uint8_t power[16])
{
    uint8_t times_x[8][16]; /* the power times x^0 to x^7: a bit of each half for every coefficient */
    uint64_t high = xc_load64_be(power), low = xc_load64_be(power + 8);
    for (int s = 0; s < 8; s++) {
        xc_store64_be(times_x[s], high);
        xc_store64_be(times_x[s] + 8, low);
        const uint64_t out = 0 - (low & 1);
        low = low >> 1 | high << 63;
        high = high >> 1 ^ (out & UINT64_C(0xe100000000000000));
    }
    for (int b = 0; b < XC_BLOCK; b++) {
        for (int half = 0; half < 2; half++) {
            one row = o_dup(0);
            for (int s = 0; s < 4; s++)
                row ^= o_load(has_bit[s]) & o_dup(times_x[4 * half + s][b]);
            o_store(key->table[b][half][j], row);
        }
    }
    xc_wipe(times_x, sizeof times_x);
}

/* Each power is the one before it times H, whose tables are the first to be there; the others' zeros count for
 * nothing. */
static void set_key(void *opaque, const uint8_t h[16])
{
    struct key *key = opaque;
    uint8_t power[GROUP][XC_BLOCK] = {{0}}; /* a group with one block, the last */
    memset(key, 0, sizeof *key);
    memcpy(power[GROUP - 1], h, XC_BLOCK);
    set_power(key, GROUP - 1, h);
    for (int j = GROUP - 2; j >= 0; j--) {
        vec x[VECTORS];
        XC_UNROLL
        for (int i = 0; i < VECTORS; i++) {
            x[i] = v_load(power[0] + (int)sizeof(vec) * i);
        }
        o_store(power[GROUP - 1], group(key, x));
        set_power(key, j, power[GROUP - 1]);
    }
    xc_wipe(power, sizeof power);
}

/* ---- slots ------------------------------------------------------------------------------------------- */

/* `reversed` is a constant at both calls. */
XC_NIBBLES_INLINE void blocks_of(const struct key *key, int reversed, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    one sum = o_load(y);
    uint8_t rest[GROUP][XC_BLOCK];
    vec x[VECTORS];
    for (; blocks >= GROUP; blocks -= GROUP) {
        XC_UNROLL
        for (int j = 0; j < VECTORS; j++) {
            x[j] = v_load(in + (int)sizeof(vec) * j);
            x[j] = reversed ? v_reverse(x[j]) : x[j];
        }
        x[0] ^= v_first(sum);
        sum = group(key, x);
        in += GROUP * XC_BLOCK;
    }
    if (blocks != 0) {
        memset(rest, 0, sizeof rest);
        memcpy(rest[GROUP - blocks], in, XC_BLOCK * blocks);
        uint8_t *first = rest[GROUP - blocks];
        if (reversed)
            sum = o_reverse(sum);
        o_store(first, o_load(first) ^ sum);
        XC_UNROLL
        for (int j = 0; j < VECTORS; j++) {
            x[j] = v_load(rest[0] + (int)sizeof(vec) * j);
            x[j] = reversed ? v_reverse(x[j]) : x[j];
        }
        sum = group(key, x);
        xc_wipe(rest, sizeof rest);
    }
    o_store(y, sum);
}

static void update(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    blocks_of(key, 0, in, blocks, y);
}

static void update_reversed(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    blocks_of(key, 1, in, blocks, y);
}

#endif
