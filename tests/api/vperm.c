/* vperm.c — the tables of aes/vperm_tables.h, computed again from the fields that its comment defines. */
#include "test.h"

#include "aes/vperm_tables.h"

/* ---- AES' field, FIPS 197 section 4 ------------------------------------------------------------------ */

static unsigned product(unsigned a, unsigned b, unsigned polynomial, unsigned top)
{
    unsigned sum = 0;
    for (; b; b >>= 1, a = a << 1 ^ (a & top / 2 ? polynomial : 0))
        if (b & 1)
            sum ^= a;
    return sum;
}

static unsigned times(unsigned a, unsigned b) { return product(a, b, 0x11b, 0x100); }
static unsigned small_times(unsigned a, unsigned b) { return product(a, b, 0x13, 0x10); }

static unsigned inverse(unsigned a, unsigned size, unsigned (*by)(unsigned, unsigned))
{
    for (unsigned b = 1; b < size; b++)
        if (by(a, b) == 1)
            return b;
    return 0;
}

static unsigned over(unsigned a) { return inverse(a, 256, times); }

/* The matrix in the S-box's affine map, section 5.1.1. */
static unsigned matrix(unsigned x)
{
    unsigned y = x;
    for (unsigned n = 1; n <= 4; n++)
        y ^= x << n | x >> (8 - n);
    return y & 0xff;
}

static unsigned matrix_inverse(unsigned y)
{
    unsigned x = 0;
    while (matrix(x) != y)
        x++;
    return x;
}

/* ---- the field of fields ----------------------------------------------------------------------------- */

static unsigned z, t;

static void find_roots(void)
{
    for (z = 2; (times(times(z, z), times(z, z)) ^ z ^ 1) != 0; z++)
        ;
    for (t = 2; (times(t, t) ^ times(z, t) ^ z) != 0; t++)
        ;
}

/* A number of GF(16) as a byte of AES. */
static unsigned embedded(unsigned k)
{
    const unsigned z2 = times(z, z), z3 = times(z2, z);
    return (k & 1) ^ (k & 2 ? z : 0) ^ (k & 4 ? z2 : 0) ^ (k & 8 ? z3 : 0);
}

static unsigned from_tower(unsigned x) { return embedded(x & 15) ^ times(t, embedded(x >> 4)); }

static unsigned to_tower(unsigned byte)
{
    unsigned x = 0;
    while (from_tower(x) != byte)
        x++;
    return x;
}

/* ---- tables ------------------------------------------------------------------------------------------- */

static void is(const uint8_t *table, const unsigned want[16], const char *what)
{
    int same = 1;
    for (int i = 0; i < 16; i++)
        same &= table[i] == want[i];
    check(same, "%s is not what the field says", what);
}

/* The linear maps that the tables are of. */
static unsigned in(unsigned x) { return to_tower(x); }
static unsigned sub(unsigned x) { return to_tower(matrix(x)); }
static unsigned sub_twice(unsigned x) { return to_tower(times(2, matrix(x))); }
static unsigned sub_out(unsigned x) { return matrix(x); }
static unsigned unsub_in(unsigned x) { return to_tower(matrix_inverse(x)); }
static unsigned unsub9(unsigned x) { return to_tower(matrix_inverse(times(9, x))); }
static unsigned unsub13(unsigned x) { return to_tower(matrix_inverse(times(13, x))); }
static unsigned unsub11(unsigned x) { return to_tower(matrix_inverse(times(11, x))); }
static unsigned unsub14(unsigned x) { return to_tower(matrix_inverse(times(14, x))); }
static unsigned unsub_out(unsigned x) { return x; }

static void linear(const uint8_t table[2][16], unsigned (*map)(unsigned), const char *what)
{
    unsigned low[16], high[16];
    for (unsigned i = 0; i < 16; i++) {
        low[i] = map(i);
        high[i] = map(i << 4);
    }
    is(table[0], low, what);
    is(table[1], high, what);
}

/* A shuffle: zero for an index with the highest bit. */
static unsigned looked_up(const uint8_t table[16], unsigned index)
{
    return index & 0x80 ? 0 : table[index & 15];
}

/* The table's own formula, and then the whole path from a byte to the map of its inverse. */
static void of_inverse(const uint8_t table[2][16], unsigned (*map)(unsigned), const char *what)
{
    const unsigned d = times(t, over(times(z, z))), c = times(d, z ^ 1) ^ 1;
    unsigned by_p[16], by_q[16];
    for (unsigned i = 0; i < 16; i++) {
        by_p[i] = map(times(c, over(embedded(i))));
        by_q[i] = map(times(d, over(embedded(i))));
    }
    is(table[0], by_p, what);
    is(table[1], by_q, what);
    for (unsigned x = 0; x < 256; x++) {
        const unsigned k = x & 15, i = x >> 4, j = i ^ k, r = looked_up(xc_vperm_z_over, k);
        const unsigned p = looked_up(xc_vperm_inverse, looked_up(xc_vperm_inverse, i) ^ r) ^ j;
        const unsigned q = looked_up(xc_vperm_inverse, looked_up(xc_vperm_inverse, j) ^ r) ^ i;
        check((looked_up(table[0], p) ^ looked_up(table[1], q)) == map(over(from_tower(x))),
              "%s goes wrong for byte %u", what, x);
    }
}

int main(void)
{
    unsigned one_over[16] = { 0x80 }, z_over[16] = { 0x80 };
    find_roots();
    check(z == 0x5c && t == 0xb2, "the roots are %#x and %#x", z, t);
    for (unsigned i = 1; i < 16; i++) {
        one_over[i] = inverse(i, 16, small_times);
        z_over[i] = small_times(2, one_over[i]);
    }
    is(xc_vperm_inverse, one_over, "1 / x");
    is(xc_vperm_z_over, z_over, "z / x");
    linear(xc_vperm_in, in, "T");
    linear(xc_vperm_unsub_in, unsub_in, "T of M");
    of_inverse(xc_vperm_sub, sub, "the S-box");
    of_inverse(xc_vperm_sub_twice, sub_twice, "twice the S-box");
    of_inverse(xc_vperm_sub_out, sub_out, "the S-box at the end");
    of_inverse(xc_vperm_unsub[0], unsub9, "9 times the inverse");
    of_inverse(xc_vperm_unsub[1], unsub13, "13 times the inverse");
    of_inverse(xc_vperm_unsub[2], unsub11, "11 times the inverse");
    of_inverse(xc_vperm_unsub[3], unsub14, "14 times the inverse");
    of_inverse(xc_vperm_unsub_out, unsub_out, "the inverse at the end");

    for (unsigned r = 0; r < 4; r++) {
        unsigned next[16], before[16], form[16];
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < 4; i++) {
                next[4 * c + i] = 4 * ((c + r) % 4) + (i + 1) % 4;
                before[4 * c + i] = 4 * ((c + 4 - r) % 4) + (i + 3) % 4;
                form[4 * c + i] = 4 * ((c + 16 - r * i) % 4) + i;
            }
        is(xc_vperm_next[r], next, "the next row");
        is(xc_vperm_before[r], before, "the row before");
        is(xc_vperm_form[r], form, "the form after some rounds");
    }

    for (unsigned i = 0; i < 4; i++) {
        unsigned once[16], twice[16], spread[16];
        for (unsigned b = 0; b < 16; b++) { /* a, a, a and 2 a, 2 a: their sum is a, a, 3 a, 2 a */
            once[b] = b % 4 < 3 ? 4 * i + b / 4 : 0x80;
            twice[b] = b % 4 > 1 ? 4 * i + b / 4 : 0x80;
            spread[b] = b / 4 == b % 4 ? 4 * i + b % 4 : 0x80; /* row r in column r */
        }
        is(xc_vperm_pick[i][0], once, "the pick of a");
        is(xc_vperm_pick[i][1], twice, "the pick of 2 a");
        is(xc_vperm_spread[i], spread, "the spread");
    }
    return finish();
}
