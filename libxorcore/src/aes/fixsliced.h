/* fixsliced.h — AES in plain C, constant time: blocks bitsliced and fixsliced, for a word of any number of lanes.
 *
 * Idea. A state of four blocks is eight planes of 64 bits; plane k holds bit k of all 64 bytes. The
 * byte in row r and column c of block b has place 16 r + 4 c + b, so that a row is 16 bits, the
 * next row is a rotation by 16 and the next column one by 4 within the row. SubBytes is then a
 * circuit over the planes (Boyar and Peralta, 113 gates), and no table exists that a secret could
 * index. A word of several lanes holds the planes of four blocks in each.
 *
 * Fixslicing (Adomnicai and Peyrin, 2020). ShiftRows is never done: after r rounds the planes hold
 * the true state with its rows shifted back r times, and MixColumns of round r reaches for the
 * neighbours where they really are, r columns further in each next row. Round keys are stored in
 * the same shifted form. Four kinds of MixColumns follow, by r mod 4, and at the end the rows are
 * put right: twice shifted after 10 and 14 rounds, not at all after 12.
 *
 * The circuit's four NOTs (the constant 0x63) commute with ShiftRows and MixColumns, so they stand
 * in round keys 1 to the last. The same schedule serves decryption: there the constant is wanted in
 * front of the inverse S-box, which is where these keys are added. set_decrypt_key is therefore
 * NULL.
 *
 * The planes live in one array per call, which is wiped when the call ends.
 *
 * A file that includes this one says what a word is by the type `word`, which is uint64_t or the compiler's vector of
 * such, how many GROUPS of a word's blocks are in flight, and these functions: exchange and exchange_between, in general those of
 * exchange.h, next_row and far_row (below), load_text and store_text for the four blocks of every lane as eight little-endian words,
 * and lane0 for a word's first lane. */
#ifndef XC_FIXSLICED_H
#define XC_FIXSLICED_H

#include "../kernel.h"
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"
#include "expand.h"

#define NOINLINE __attribute__((noinline))

enum {
    MAX_ROUNDS = XC_EXPAND_ROUNDS,
    LANES = 4 * sizeof(word) / sizeof(uint64_t), /* blocks in a group */
    GROUP = LANES * XC_BLOCK,                    /* bytes */
    BATCH = GROUPS * GROUP
};

struct key {
    word plane[MAX_ROUNDS + 1][8]; /* the same in every lane */
    unsigned rounds;
};

/* Every place takes what stands one row below (next_row) or two (far_row) in the true state; `turn`
 * is how many columns further each next row is stored, modulo 4, and always a constant. */
static inline word next_row(word x, unsigned turn);
static inline word far_row(word x, unsigned turn);

/* The text of LANES blocks: lane n of word 2 b + h is the lower (0) or upper (1) half of block b of group n. */
static inline void load_text(word q[8], const uint8_t *text);
static inline void store_text(uint8_t *text, const word q[8]);

static inline uint64_t lane0(word x);

/* ---- between bytes and planes --------------------------------------------------------------- */

/* The text comes as eight little-endian words, word 2 b + (c >> 1) from block b. Seen as 9 index
 * bits, 3 choose the word and 6 the bit in it. At first the word is (b1 b0 c1) and the bit (c0 r1
 * r0 k2 k1 k0); each step exchanges one word bit with one place bit, until the place is (r1 r0 c1
 * c0 b1 b0) and the word is (k1 k0 k2). The steps undo themselves, so the way back is the same list
 * from its end. */
INLINE void exchange_pairs(word w[8], unsigned step, unsigned n, uint64_t mask)
{
    unsigned other = step == 1 ? 2 : 1;
    unsigned third = step == 4 ? 2 : 4;
    exchange_between(&w[0], &w[step], n, mask);
    exchange_between(&w[other], &w[other + step], n, mask);
    exchange_between(&w[third], &w[third + step], n, mask);
    exchange_between(&w[other + third], &w[other + third + step], n, mask);
}

static const uint64_t WORDS = UINT64_C(0x00000000ffffffff), HALVES = UINT64_C(0x0000ffff0000ffff);
static const uint64_t BYTES = UINT64_C(0x00ff00ff00ff00ff), NIBBLES = UINT64_C(0x0f0f0f0f0f0f0f0f);
static const uint64_t PAIRS = UINT64_C(0x3333333333333333), BITS = UINT64_C(0x5555555555555555);

INLINE void to_planes(word w[8])
{
    exchange_pairs(w, 1, 8, BYTES);
    exchange_pairs(w, 1, 16, HALVES);
    exchange_pairs(w, 1, 32, WORDS);
    exchange_pairs(w, 1, 4, NIBBLES);
    exchange_pairs(w, 2, 1, BITS);
    exchange_pairs(w, 4, 2, PAIRS);
}

INLINE void from_planes(word w[8])
{
    exchange_pairs(w, 4, 2, PAIRS);
    exchange_pairs(w, 2, 1, BITS);
    exchange_pairs(w, 1, 4, NIBBLES);
    exchange_pairs(w, 1, 32, WORDS);
    exchange_pairs(w, 1, 16, HALVES);
    exchange_pairs(w, 1, 8, BYTES);
}

/* Plane k is word PLANE(k): bits 2, 1, 0 of the word's number are k1, k0, k2. */
#define PLANE(k) (((k) & 2) << 1 | ((k) & 1) << 1 | (k) >> 2)

/* ---- the round's parts ---------------------------------------------------------------------- */

/* S(x) ^ 0x63 in every byte. The straight-line program of J. Boyar and R. Peralta ("A small
 * depth-16 circuit for the AES S-box" and its successor with 113 gates), with its names: x0 is the
 * highest bit. */
INLINE void sub_bytes(word q[8])
{
    const word x0 = q[PLANE(7)], x1 = q[PLANE(6)], x2 = q[PLANE(5)], x3 = q[PLANE(4)];
    const word x4 = q[PLANE(3)], x5 = q[PLANE(2)], x6 = q[PLANE(1)], x7 = q[PLANE(0)];

    /* Linear: into the tower field. */
    const word y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2;
    const word y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6;
    const word y3 = y5 ^ y8, t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7;
    const word y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8;
    const word y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

    /* Inversion. */
    const word t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7, t6 = t5 ^ t2;
    const word t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7, t10 = y2 & y7, t11 = t10 ^ t7;
    const word t12 = y9 & y11, t13 = y14 & y17, t14 = t13 ^ t12, t15 = y8 & y10;
    const word t16 = t15 ^ t12;
    const word t17 = t4 ^ y20, t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16, t21 = t17 ^ t14;
    const word t22 = t18 ^ y19, t23 = t19 ^ y21, t24 = t20 ^ y18, t25 = t21 ^ t22;
    const word t26 = t21 & t23;
    const word t27 = t24 ^ t26, t28 = t25 & t27, t29 = t28 ^ t22, t30 = t23 ^ t24;
    const word t31 = t22 ^ t26;
    const word t32 = t31 & t30, t33 = t32 ^ t24, t34 = t23 ^ t33, t35 = t27 ^ t33;
    const word t36 = t24 & t35;
    const word t37 = t36 ^ t34, t38 = t27 ^ t36, t39 = t29 & t38, t40 = t25 ^ t39;
    const word t41 = t40 ^ t37;
    const word t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    const word z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1;
    const word z5 = t29 & y7, z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12;
    const word z10 = t37 & y3, z11 = t33 & y4, z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2;
    const word z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

    /* Linear: back, and the affine map without its constant. */
    const word c1 = z15 ^ z16, c2 = z10 ^ c1, c3 = z9 ^ c2, c4 = z0 ^ z2, c5 = z1 ^ z0;
    const word c6 = z3 ^ z4, c7 = z12 ^ c4, c8 = z7 ^ c6, c9 = z8 ^ c7, c10 = c8 ^ c9;
    const word c11 = c6 ^ c5, c12 = z3 ^ z5, c13 = z13 ^ c1, c14 = c4 ^ c12, c16 = z6 ^ c8;
    const word c17 = z14 ^ c10, c18 = c13 ^ c14, c20 = z15 ^ c16, c21 = c2 ^ z11;
    const word c26 = c17 ^ c20;
    const word s3 = c3 ^ c11;

    q[PLANE(7)] = c3 ^ c16;
    q[PLANE(6)] = s3 ^ c16;
    q[PLANE(5)] = c26 ^ z17;
    q[PLANE(4)] = s3;
    q[PLANE(3)] = c14 ^ s3;
    q[PLANE(2)] = c21 ^ c17;
    q[PLANE(1)] = c10 ^ c18;
    q[PLANE(0)] = z12 ^ c18;
}

/* L, the inverse of the matrix in the S-box's affine map: bit i is the sum of bits i + 2, i + 5 and
 * i + 7, modulo 8. */
INLINE void inverse_affine(word q[8])
{
    const word b0 = q[PLANE(0)], b1 = q[PLANE(1)], b2 = q[PLANE(2)], b3 = q[PLANE(3)];
    const word b4 = q[PLANE(4)], b5 = q[PLANE(5)], b6 = q[PLANE(6)], b7 = q[PLANE(7)];
    const word b03 = b0 ^ b3, b25 = b2 ^ b5, b47 = b4 ^ b7, b61 = b6 ^ b1;

    q[PLANE(0)] = b25 ^ b7;
    q[PLANE(1)] = b03 ^ b6;
    q[PLANE(2)] = b47 ^ b1;
    q[PLANE(3)] = b25 ^ b0;
    q[PLANE(4)] = b61 ^ b3;
    q[PLANE(5)] = b47 ^ b2;
    q[PLANE(6)] = b03 ^ b5;
    q[PLANE(7)] = b61 ^ b4;
}

/* The inverse S-box of y, given y ^ 0x63: it is L(C(L(y ^ 0x63))), where C is the circuit above. */
INLINE void inverse_sub_bytes(word q[8])
{
    inverse_affine(q);
    sub_bytes(q);
    inverse_affine(q);
}

/* One plane of MixColumns, 2 (a + a') + a' + (a'' + a''') with a', a'', a''' the next rows: the
 * plane of a + a' goes to *sum, and `doubled` is the plane of 2 (a + a'). */
INLINE word mix_plane(word a, word *sum, word doubled, unsigned turn)
{
    const word below = next_row(a, turn);
    *sum = a ^ below;
    return below ^ far_row(*sum, turn) ^ doubled;
}

INLINE void mix_columns_add1(word q[8], const word key[8], unsigned turn)
{
    const word top = q[PLANE(7)] ^ next_row(q[PLANE(7)], turn);
    word s0, s1, s2, s3, s4, s5, s6, s7;
    q[PLANE(0)] = mix_plane(q[PLANE(0)], &s0, top, turn) ^ key[PLANE(0)];
    q[PLANE(1)] = mix_plane(q[PLANE(1)], &s1, s0 ^ top, turn) ^ key[PLANE(1)];
    q[PLANE(2)] = mix_plane(q[PLANE(2)], &s2, s1, turn) ^ key[PLANE(2)];
    q[PLANE(3)] = mix_plane(q[PLANE(3)], &s3, s2 ^ top, turn) ^ key[PLANE(3)];
    q[PLANE(4)] = mix_plane(q[PLANE(4)], &s4, s3 ^ top, turn) ^ key[PLANE(4)];
    q[PLANE(5)] = mix_plane(q[PLANE(5)], &s5, s4, turn) ^ key[PLANE(5)];
    q[PLANE(6)] = mix_plane(q[PLANE(6)], &s6, s5, turn) ^ key[PLANE(6)];
    q[PLANE(7)] = mix_plane(q[PLANE(7)], &s7, s6, turn) ^ key[PLANE(7)];
}

INLINE void mix_columns_add(word q[][8], const word key[8], unsigned turn, const unsigned groups)
{
    for (unsigned g = 0; g < groups; g++)
        mix_columns_add1(q[g], key, turn);
}

/* InvMixColumns is MixColumns of a + 4 (a + a''). */
INLINE void add_inverse_mix_columns1(word q[8], const word key[8], unsigned turn)
{
    static const word none[8];
    const word a0 = q[PLANE(0)] ^ key[PLANE(0)], e0 = a0 ^ far_row(a0, turn);
    const word a1 = q[PLANE(1)] ^ key[PLANE(1)], e1 = a1 ^ far_row(a1, turn);
    const word a2 = q[PLANE(2)] ^ key[PLANE(2)], e2 = a2 ^ far_row(a2, turn);
    const word a3 = q[PLANE(3)] ^ key[PLANE(3)], e3 = a3 ^ far_row(a3, turn);
    const word a4 = q[PLANE(4)] ^ key[PLANE(4)], e4 = a4 ^ far_row(a4, turn);
    const word a5 = q[PLANE(5)] ^ key[PLANE(5)], e5 = a5 ^ far_row(a5, turn);
    const word a6 = q[PLANE(6)] ^ key[PLANE(6)], e6 = a6 ^ far_row(a6, turn);
    const word a7 = q[PLANE(7)] ^ key[PLANE(7)], e7 = a7 ^ far_row(a7, turn);
    const word e67 = e6 ^ e7;
    q[PLANE(0)] = a0 ^ e6;
    q[PLANE(1)] = a1 ^ e67;
    q[PLANE(2)] = a2 ^ e0 ^ e7;
    q[PLANE(3)] = a3 ^ e1 ^ e6;
    q[PLANE(4)] = a4 ^ e2 ^ e67;
    q[PLANE(5)] = a5 ^ e3 ^ e7;
    q[PLANE(6)] = a6 ^ e4;
    q[PLANE(7)] = a7 ^ e5;
    mix_columns_add1(q, none, turn);
}

INLINE void add_inverse_mix_columns(word q[][8], const word key[8], unsigned turn, const unsigned groups)
{
    for (unsigned g = 0; g < groups; g++)
        add_inverse_mix_columns1(q[g], key, turn);
}

INLINE void add_key(word q[8], const word key[8])
{
    for (unsigned k = 0; k < 8; k++)
        q[k] ^= key[k];
}

/* ShiftRows twice: rows 1 and 3 exchange their halves. Its own inverse. */
INLINE void shift_rows_twice(word q[8])
{
    for (unsigned k = 0; k < 8; k++)
        q[k] = exchange(q[k], 8, UINT64_C(0x00ff000000ff0000));
}

/* ---- the cipher on planes ------------------------------------------------------------------- */

/* `groups` is a constant at every call. The circuit is deep: a CPU that looks ahead works on one group while it waits
 * for the other, where it has units to spare. */
INLINE void encrypt_rounds(const struct key *key, word q[][8], const unsigned groups, unsigned first)
{
    for (unsigned r = first; r < key->rounds; r++) {
        for (unsigned g = 0; g < groups; g++)
            sub_bytes(q[g]);
        switch (r % 4) {
        case 0: mix_columns_add(q, key->plane[r], 0, groups); break;
        case 1: mix_columns_add(q, key->plane[r], 1, groups); break;
        case 2: mix_columns_add(q, key->plane[r], 2, groups); break;
        default: mix_columns_add(q, key->plane[r], 3, groups); break;
        }
    }
    for (unsigned g = 0; g < groups; g++) {
        sub_bytes(q[g]);
        add_key(q[g], key->plane[key->rounds]);
        if (key->rounds % 4 == 2)
            shift_rows_twice(q[g]);
    }
}

INLINE void encrypt_planes(const struct key *key, word q[][8], const unsigned groups)
{
    for (unsigned g = 0; g < groups; g++)
        add_key(q[g], key->plane[0]);
    encrypt_rounds(key, q, groups, 1);
}

INLINE void decrypt_planes(const struct key *key, word q[][8], const unsigned groups)
{
    for (unsigned g = 0; g < groups; g++) {
        if (key->rounds % 4 == 2)
            shift_rows_twice(q[g]);
        add_key(q[g], key->plane[key->rounds]);
        inverse_sub_bytes(q[g]);
    }
    for (unsigned r = key->rounds - 1; r > 0; r--) {
        switch (r % 4) {
        case 0: add_inverse_mix_columns(q, key->plane[r], 0, groups); break;
        case 1: add_inverse_mix_columns(q, key->plane[r], 1, groups); break;
        case 2: add_inverse_mix_columns(q, key->plane[r], 2, groups); break;
        default: add_inverse_mix_columns(q, key->plane[r], 3, groups); break;
        }
        for (unsigned g = 0; g < groups; g++)
            inverse_sub_bytes(q[g]);
    }
    for (unsigned g = 0; g < groups; g++)
        add_key(q[g], key->plane[0]);
}

/* ---- slots ---------------------------------------------------------------------------------- */

/* S(x) for the four bytes of a word, by the same circuit: the word's 4 x 8 bits are
 * transposed (as 8 x 8, the rest zero), so that byte k of x holds bit k of every byte. */
static uint32_t sub_word(uint32_t bytes)
{
    word x = (word){0} + bytes, q[8];
    x = exchange(x, 7, UINT64_C(0x00aa00aa00aa00aa));
    x = exchange(x, 14, UINT64_C(0x0000cccc0000cccc));
    x = exchange(x, 28, UINT64_C(0x00000000f0f0f0f0));
    for (unsigned k = 0; k < 8; k++)
        q[PLANE(k)] = x >> 8 * k & 0xff;
    sub_bytes(q);
    x = (word){0};
    for (unsigned k = 0; k < 8; k++)
        x |= q[PLANE(k)] << 8 * k;
    x = exchange(x, 28, UINT64_C(0x00000000f0f0f0f0));
    x = exchange(x, 14, UINT64_C(0x0000cccc0000cccc));
    x = exchange(x, 7, UINT64_C(0x00aa00aa00aa00aa));
    xc_wipe(q, sizeof q);
    return (uint32_t)lane0(x) ^ 0x63636363;
}

/* Row r of the plane, moved r * turn columns on: ShiftRows undone `turn` times. */
static word unshift_rows(word x, unsigned turn)
{
    word y = {0};
    for (unsigned r = 0; r < 4; r++) {
        const word row = x >> 16 * r & 0xffff;
        const unsigned n = 4 * (r * turn % 4);
        y |= ((row << n | row >> (16 - n)) & 0xffff) << 16 * r;
    }
    return y;
}

static void set_key(void *to, const uint8_t *bytes, size_t len)
{
    struct key *key = to;
    uint32_t w[XC_EXPAND_WORDS];
    const unsigned rounds = xc_expand(w, bytes, len, sub_word);

    key->rounds = rounds;
    for (unsigned r = 0; r <= rounds; r++) {
        word *plane = key->plane[r];
        for (unsigned i = 0; i < 8; i++) {
            const uint64_t half = w[4 * r + 2 * (i % 2)] | (uint64_t)w[4 * r + 2 * (i % 2) + 1] << 32;
            plane[i] = (word){0} + (r > 0 ? half ^ UINT64_C(0x6363636363636363) : half);
        }
        to_planes(plane);
        for (unsigned k = 0; k < 8; k++)
            plane[k] = unshift_rows(plane[k], r % 4);
    }
    xc_wipe(w, sizeof w);
}

/* `groups` of LANES blocks from text to text. */
INLINE void through(const struct key *key, int decrypting, uint8_t *out, const uint8_t *in, const unsigned groups)
{
    word q[GROUPS][8];
    for (unsigned g = 0; g < groups; g++) {
        load_text(q[g], in + GROUP * g);
        to_planes(q[g]);
    }
    if (decrypting)
        decrypt_planes(key, q, groups);
    else
        encrypt_planes(key, q, groups);
    for (unsigned g = 0; g < groups; g++) {
        from_planes(q[g]);
        store_text(out + GROUP * g, q[g]);
    }
    xc_wipe(q, groups * sizeof q[0]);
}

static NOINLINE void encrypt_batch(const struct key *key, uint8_t *out, const uint8_t *in)
{
    through(key, 0, out, in, GROUPS);
}

static NOINLINE void encrypt_group(const struct key *key, uint8_t *out, const uint8_t *in)
{
    through(key, 0, out, in, 1);
}

static NOINLINE void decrypt_batch(const struct key *key, uint8_t *out, const uint8_t *in)
{
    through(key, 1, out, in, GROUPS);
}

static NOINLINE void decrypt_group(const struct key *key, uint8_t *out, const uint8_t *in)
{
    through(key, 1, out, in, 1);
}

/* ECB by one of the pairs above. A group that is not whole takes as long as a whole one, and goes through a buffer. */
typedef void step(const struct key *key, uint8_t *out, const uint8_t *in);

INLINE void ecb(const struct key *key, step *batch, step *group, uint8_t *out, const uint8_t *in, size_t blocks)
{
    for (; blocks >= BATCH / XC_BLOCK; blocks -= BATCH / XC_BLOCK, in += BATCH, out += BATCH)
        batch(key, out, in);
    for (; blocks >= LANES; blocks -= LANES, in += GROUP, out += GROUP)
        group(key, out, in);
    if (blocks > 0) {
        uint8_t rest[GROUP];
        for (size_t i = 0; i < GROUP; i += 8)
            xc_store64(rest + i, i < XC_BLOCK * blocks ? xc_load64(in + i) : 0);
        group(key, rest, rest);
        for (size_t i = 0; i < XC_BLOCK * blocks; i += 8)
            xc_store64(out + i, xc_load64(rest + i));
        xc_wipe(rest, sizeof rest);
    }
}

static void encrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(key, encrypt_batch, encrypt_group, out, in, blocks);
}

static void decrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(key, decrypt_batch, decrypt_group, out, in, blocks);
}

static void ctr_batches(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    uint64_t high = xc_load64_be(chain), low = xc_load64_be(chain + 8);
    uint8_t stream[BATCH];
    while (n > 0) {
        const size_t now = n < BATCH ? n : BATCH;
        const uint64_t blocks = (now + XC_BLOCK - 1) / XC_BLOCK;
        for (unsigned b = 0; b < BATCH / XC_BLOCK; b++) {
            const uint64_t sum = low + b;
            xc_store64_be(stream + 16 * b, high + (sum < b));
            xc_store64_be(stream + 16 * b + 8, sum);
        }
        (now <= GROUP ? encrypt_group : encrypt_batch)(key, stream, stream);
        xc_xor_run(out, in, stream, now);
        low += blocks;
        high += low < blocks;
        in += now;
        out += now;
        n -= now;
    }
    xc_store64_be(chain, high);
    xc_store64_be(chain + 8, low);
    xc_wipe(stream, sizeof stream);
}

#endif
