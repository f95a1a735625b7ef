/* ghash_portable.c — GHASH in plain C, constant time: carry-less products from multiplications.
 *
 * Idea. Bits are taken in four residue classes modulo 4, so that each kept bit is followed by a
 * hole of three. In the integer product of two such numbers a column sums at most 15 ones, which
 * stay within the column and its hole, and its lowest bit is the carry-less one. 16 multiplications
 * give a whole product.
 *
 * Where the compiler has 128-bit integers, a step is 64 x 64 -> 128 bits: a class has 16 bits,
 * which could sum to 16, so the hash key's upper 4 bits are left out of the classes and come in by
 * shifts. Elsewhere three steps of 32 x 32 -> 64 make one of 64 bits (Karatsuba). Three of 64 bits
 * (Karatsuba again) make the product of a block.
 *
 * Bit order. A block read as a big-endian number holds the coefficient of x^0 in its highest bit.
 * The carry-less product of two such numbers lacks one shift to the left; the hash key is therefore
 * kept multiplied by x.
 *
 * Constant time rests on a multiplication that takes as long for every operand. Some small CPUs end it
 * early (ARM7TDMI, Cortex-M3, PowerPC 7xx); C has no remedy for them.
 *
 * What depends on the hash key alone, its classes and masks, is made once and kept in the key.
 *
 * Measured on a Zen 4 core with 128-bit integers: gcc 12 0.37 GB/s (-O2) and 0.48 (-O3), clang 14
 * 0.48. */
#include "kernel.h"
#include "util/bytes.h"
#include "util/wipe.h"

struct wide {
    uint64_t high, low;
};

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 u128;

static const uint64_t CLASS = UINT64_C(0x1111111111111111);

/* A factor of 64 bits: its lower 60 in classes, its upper 4 as masks. */
struct factor {
    uint64_t class[4];
    uint64_t upper[4];
};

static void set_factor(struct factor *f, uint64_t y)
{
    for (unsigned i = 0; i < 4; i++) {
        f->class[i] = y & CLASS << i & UINT64_MAX >> 4;
        f->upper[i] = 0 - (y >> (60 + i) & 1);
    }
}

static inline struct wide multiply(uint64_t x, const struct factor *f)
{
    const u128 x0 = x & CLASS, x1 = x & CLASS << 1, x2 = x & CLASS << 2, x3 = x & CLASS << 3;
    const uint64_t y0 = f->class[0], y1 = f->class[1], y2 = f->class[2], y3 = f->class[3];
    const u128 z0 = x0 * y0 ^ x1 * y3 ^ x2 * y2 ^ x3 * y1;
    const u128 z1 = x0 * y1 ^ x1 * y0 ^ x2 * y3 ^ x3 * y2;
    const u128 z2 = x0 * y2 ^ x1 * y1 ^ x2 * y0 ^ x3 * y3;
    const u128 z3 = x0 * y3 ^ x1 * y2 ^ x2 * y1 ^ x3 * y0;

    struct wide z = { 0, 0 };
    z.low = ((uint64_t)z0 & CLASS) | ((uint64_t)z1 & CLASS << 1) | ((uint64_t)z2 & CLASS << 2) |
            ((uint64_t)z3 & CLASS << 3);
    z.high = ((uint64_t)(z0 >> 64) & CLASS) | ((uint64_t)(z1 >> 64) & CLASS << 1) |
             ((uint64_t)(z2 >> 64) & CLASS << 2) | ((uint64_t)(z3 >> 64) & CLASS << 3);
    for (unsigned i = 0; i < 4; i++) {
        z.low ^= x << (60 + i) & f->upper[i];
        z.high ^= x >> (4 - i) & f->upper[i];
    }
    return z;
}

#else

static const uint32_t CLASS = UINT32_C(0x11111111);

/* A factor of 64 bits for Karatsuba: its lower and upper half and their sum, in classes. */
struct factor {
    uint32_t class[3][4];
};

static void set_factor(struct factor *f, uint64_t y)
{
    const uint32_t low = (uint32_t)y, high = (uint32_t)(y >> 32);
    for (unsigned i = 0; i < 4; i++) {
        f->class[0][i] = low & CLASS << i;
        f->class[1][i] = high & CLASS << i;
        f->class[2][i] = (low ^ high) & CLASS << i;
    }
}

static inline uint64_t multiply32(uint32_t x, const uint32_t y[4])
{
    const uint64_t mask = UINT64_C(0x1111111111111111);
    const uint64_t x0 = x & CLASS, x1 = x & CLASS << 1, x2 = x & CLASS << 2, x3 = x & CLASS << 3;
    const uint64_t z0 = x0 * y[0] ^ x1 * y[3] ^ x2 * y[2] ^ x3 * y[1];
    const uint64_t z1 = x0 * y[1] ^ x1 * y[0] ^ x2 * y[3] ^ x3 * y[2];
    const uint64_t z2 = x0 * y[2] ^ x1 * y[1] ^ x2 * y[0] ^ x3 * y[3];
    const uint64_t z3 = x0 * y[3] ^ x1 * y[2] ^ x2 * y[1] ^ x3 * y[0];
    return (z0 & mask) | (z1 & mask << 1) | (z2 & mask << 2) | (z3 & mask << 3);
}

static inline struct wide multiply(uint64_t x, const struct factor *f)
{
    const uint32_t x0 = (uint32_t)x, x1 = (uint32_t)(x >> 32);
    const uint64_t low = multiply32(x0, f->class[0]), high = multiply32(x1, f->class[1]);
    const uint64_t middle = multiply32(x0 ^ x1, f->class[2]) ^ low ^ high;
    const struct wide z = { high ^ middle >> 32, low ^ middle << 32 };
    return z;
}

#endif

/* H x as two halves, and their sum. */
struct key {
    struct factor low, high, sum;
};

static void set_key(void *to, const uint8_t h[16])
{
    struct key *key = to;
    const uint64_t h1 = xc_load64_be(h), h0 = xc_load64_be(h + 8);

    /* The bit that leaves at the top is x^-1, that is x^127 + x^6 + x + 1. */
    const uint64_t carry = 0 - (h1 >> 63);
    const uint64_t high = (h1 << 1 | h0 >> 63) ^ (carry & UINT64_C(0xc200000000000000));
    const uint64_t low = h0 << 1 ^ (carry & 1);

    set_factor(&key->low, low);
    set_factor(&key->high, high);
    set_factor(&key->sum, low ^ high);
}

/* y * H. */
static inline struct wide times_h(const struct key *key, struct wide y)
{
    const struct wide low = multiply(y.low, &key->low), high = multiply(y.high, &key->high);
    const struct wide sum = multiply(y.low ^ y.high, &key->sum);
    const uint64_t v0 = low.low;
    const uint64_t v1 = low.high ^ sum.low ^ low.low ^ high.low;

    /* The lower half of the product holds x^128 and up; x^128 is x^7 + x^2 + x + 1. */
    const uint64_t u1 = v1 ^ v0 << 63 ^ v0 << 62 ^ v0 << 57;
    const uint64_t u2 = v0 ^ v0 >> 1 ^ v0 >> 2 ^ v0 >> 7 ^ u1 << 63 ^ u1 << 62 ^ u1 << 57;
    const uint64_t u3 = u1 ^ u1 >> 1 ^ u1 >> 2 ^ u1 >> 7;
    const struct wide z = { high.high ^ u3, high.low ^ sum.high ^ low.high ^ high.high ^ u2 };
    return z;
}

static void update(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    struct wide sum = { xc_load64_be(y), xc_load64_be(y + 8) };
    for (; blocks > 0; blocks--, in += 16) {
        sum.high ^= xc_load64_be(in);
        sum.low ^= xc_load64_be(in + 8);
        sum = times_h(key, sum);
    }
    xc_store64_be(y, sum.high);
    xc_store64_be(y + 8, sum.low);
    xc_wipe(&sum, sizeof sum);
}

static void update_reversed(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    struct wide sum = { xc_load64_be(y), xc_load64_be(y + 8) };
    for (; blocks > 0; blocks--, in += 16) {
        sum.high ^= xc_load64_le(in + 8);
        sum.low ^= xc_load64_le(in);
        sum = times_h(key, sum);
    }
    xc_store64_be(y, sum.high);
    xc_store64_be(y + 8, sum.low);
    xc_wipe(&sum, sizeof sum);
}

const struct xc_ghash_ops xc_ghash_portable = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .update = update,
    .update_reversed = update_reversed,
};
