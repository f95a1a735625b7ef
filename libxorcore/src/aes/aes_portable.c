/* aes_portable.c — AES in plain C, constant time, on words of 64 bits: four blocks at once.
 *
 * The code is in fixsliced.h; CTR has its own way through runs of counters that differ in their last byte.
 *
 * Measured on a Zen 4 core, 16 KiB AES-128 CTR: gcc 12 0.34 GB/s, clang 14 0.36, 2.0 times OpenSSL 3.0's C tables, which
 * are not constant time; 0.31 without those runs. A second group in flight gains nothing on it: one fills its four
 * units. */
#include <stdint.h>

typedef uint64_t word;

enum { GROUPS = 1 };

#include "exchange.h"
#include "fixsliced.h"

INLINE word rotate_right(word x, unsigned n) { return n ? x >> n | x << (64 - n) : x; }

INLINE word next_row(word x, unsigned turn)
{
    const uint64_t unwrapped = (0xffffU >> 4 * turn) * UINT64_C(0x0001000100010001);
    return (rotate_right(x, 16 + 4 * turn) & unwrapped) | (rotate_right(x, 4 * turn) & ~unwrapped);
}

INLINE word far_row(word x, unsigned turn)
{
    if (turn % 2 == 0)
        return rotate_right(x, 32);
    return (rotate_right(x, 40) & BYTES) | (rotate_right(x, 24) & ~BYTES);
}

INLINE void load_text(word q[8], const uint8_t *text)
{
    for (unsigned i = 0; i < 8; i++)
        q[i] = xc_load64_le(text + 8 * i);
}

INLINE void store_text(uint8_t *text, const word q[8])
{
    for (unsigned i = 0; i < 8; i++)
        xc_store64_le(text + 8 * i, q[i]);
}

INLINE uint64_t lane0(word x) { return x; }

/* ---- CTR ------------------------------------------------------------------------------------ */

/* Blocks whose counters differ in the last byte alone: as many as a plane has places. */
enum { RUN = 64, RUN_BYTES = RUN * XC_BLOCK };

/* What a byte a in the last place of four blocks comes to in one plane by the first round's ShiftRows and MixColumns:
 * a in rows 0 and 1, 3 a in row 2, 2 a in row 3; row i in column i. */
INLINE word spread(word a, word twice_a) { return a ^ a << 20 ^ (a ^ twice_a) << 40 ^ twice_a << 60; }

/* RUN blocks from a counter that is a multiple of RUN. The first round is done for one block; what the last byte makes
 * of it is looked up for all counters at once, one in each place. No counter is brought into planes. */
static NOINLINE void ctr_run(const struct key *key, uint8_t *out, const uint8_t *in, const uint8_t chain[16])
{
    static const uint64_t counting[6] = { /* bit k of the numbers from 0 to 63 */
        UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc), UINT64_C(0xf0f0f0f0f0f0f0f0),
        UINT64_C(0xff00ff00ff00ff00), UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000),
    };
    word first[8], a[8], twice_a[8], q[1][8];
    uint8_t text[GROUP];

    for (unsigned k = 0; k < 8; k++) {
        const uint64_t of_key = 0 - (key->plane[0][PLANE(k)] >> 60 & 1);
        a[PLANE(k)] = (k < 6 ? counting[k] : 0 - (uint64_t)(chain[15] >> k & 1)) ^ of_key;
    }
    sub_bytes(a);
    for (unsigned k = 0; k < 8; k++) {
        const word reduced = 0x1b >> k & 1 ? a[PLANE(7)] : 0;
        twice_a[PLANE(k)] = k > 0 ? a[PLANE((k + 7) % 8)] ^ reduced : reduced;
    }

    for (unsigned b = 0; b < LANES; b++)
        memcpy(text + XC_BLOCK * b, chain, XC_BLOCK);
    load_text(first, text);
    to_planes(first);
    add_key(first, key->plane[0]);
    sub_bytes(first);
    mix_columns_add1(first, key->plane[1], 1);
    for (unsigned k = 0; k < 8; k++) /* without what counter 0 has made of it */
        first[k] ^= spread((0 - (a[k] & 1)) & 15, (0 - (twice_a[k] & 1)) & 15);

    for (unsigned at = 0; at < RUN; at += LANES) {
        for (unsigned k = 0; k < 8; k++)
            q[0][k] = first[k] ^ spread(a[k] >> at & 15, twice_a[k] >> at & 15);
        encrypt_rounds(key, q, 1, 2);
        from_planes(q[0]);
        for (unsigned i = 0; i < 8; i++)
            xc_store64_le(out + 8 * i, xc_load64_le(in + 8 * i) ^ q[0][i]);
        in += GROUP;
        out += GROUP;
    }
    xc_wipe(first, sizeof first);
    xc_wipe(a, sizeof a);
    xc_wipe(twice_a, sizeof twice_a);
    xc_wipe(q, sizeof q);
}

static void ctr(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    const size_t head = (size_t)(0U - chain[15]) % RUN * XC_BLOCK;
    if (n >= head + RUN_BYTES) {
        ctr_batches(key, out, in, head, chain);
        in += head;
        out += head;
        n -= head;
        for (; n >= RUN_BYTES; n -= RUN_BYTES, in += RUN_BYTES, out += RUN_BYTES) {
            ctr_run(key, out, in, chain);
            const uint64_t low = xc_load64_be(chain + 8) + RUN;
            xc_store64_be(chain + 8, low);
            xc_store64_be(chain, xc_load64_be(chain) + (low < RUN));
        }
    }
    ctr_batches(key, out, in, n, chain);
}

const struct xc_aes_ops xc_aes_portable = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
};
