/* vperm.h — AES by byte shuffles, for vectors of any width: every table fits into a register.
 *
 * The S-box is computed in the field of fields of vperm_tables.h, where a table has 16 entries and a shuffle
 * looks up all bytes of a vector at once, in constant time. The state stays in that field from the first
 * round to the last. MixColumns needs twice the S-box beside the S-box, which is one more pair of tables.
 * ShiftRows is never done: after r rounds the rows stand r times shifted back, MixColumns' shuffles reach for the
 * neighbours where they are, round keys are kept in the same form, and at the end the rows are put right.
 * A round is 12 shuffles and 14 other operations on a vector; one of decryption 16 and 18.
 *
 * The S-box' constant 0x63, which MixColumns leaves as it is, stands in the round keys but the first. The first and
 * the last are in AES' own form, and serve both directions.
 *
 * A file that includes this one says what a vector is by the type `vec` and these functions: v_load and v_store
 * for a whole one, v_all for one block in every place, v_put to store the first, v_shuffle (table, index), where an
 * index with the highest bit gives zero, and v_high and v_low for the halves of every byte. Sums are `^`.
 * Inline functions alone; nothing else may include it. */
#ifndef XC_VPERM_H
#define XC_VPERM_H

#include "../kernel.h"
#include "../util/unroll.h"
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"
#include "vperm_key.h"
#include "vperm_tables.h"

#define XC_VPERM_INLINE static inline __attribute__((always_inline))

/* Vectors in flight, which hide each other's latency. */
enum { VECTORS = 4, BATCH = VECTORS * (int)sizeof(vec), BLOCKS = BATCH / XC_BLOCK };

/* A linear map of every byte, by its halves. */
XC_VPERM_INLINE vec linear(const uint8_t table[2][16], vec x)
{
    return v_shuffle(v_all(table[0]), v_low(x)) ^ v_shuffle(v_all(table[1]), v_high(x));
}

/* p and q of vperm_tables.h. */
struct inverse {
    vec p, q;
};

XC_VPERM_INLINE struct inverse invert(vec x)
{
    const vec inverse = v_all(xc_vperm_inverse);
    const vec k = v_low(x), i = v_high(x), j = i ^ k;
    const vec z_over_k = v_shuffle(v_all(xc_vperm_z_over), k);
    const vec p = v_shuffle(inverse, v_shuffle(inverse, i) ^ z_over_k) ^ j;
    const vec q = v_shuffle(inverse, v_shuffle(inverse, j) ^ z_over_k) ^ i;
    return (struct inverse){p, q};
}

/* A linear map of the inverse. */
XC_VPERM_INLINE vec of_inverse(const uint8_t table[2][16], struct inverse v)
{
    return v_shuffle(v_all(table[0]), v.p) ^ v_shuffle(v_all(table[1]), v.q);
}

/* 2 a + 3 b + c + d, where b, c and d are the rows after a's. */
XC_VPERM_INLINE vec round_forward(vec x, vec key, vec next, vec before)
{
    const struct inverse v = invert(x);
    const vec a = of_inverse(xc_vperm_sub, v);
    const vec twice_a_b = of_inverse(xc_vperm_sub_twice, v) ^ v_shuffle(a, next);
    return v_shuffle(a, before) ^ key ^ twice_a_b ^ v_shuffle(twice_a_b, next);
}

/* 14 a + 11 b + 13 c + 9 d. */
XC_VPERM_INLINE vec round_backward(vec x, vec key, vec next)
{
    const struct inverse v = invert(x);
    vec sum = of_inverse(xc_vperm_unsub[0], v);
    XC_UNROLL
    for (int m = 1; m < 4; m++) {
        sum = v_shuffle(sum, next) ^ of_inverse(xc_vperm_unsub[m], v);
    }
    return sum ^ key;
}

/* The same key, of which the compiler no longer knows that it is. What is read through it is read at that place;
 * otherwise a compiler may gather round keys early and park copies of them on the stack. */
XC_VPERM_INLINE const struct xc_vperm_key *again(const struct xc_vperm_key *key)
{
    __asm__ __volatile__("" : "+r"(key)); /* volatile, or a loop could do it once */
    return key;
}

/* `count` vectors, which is a constant at every call, through the rounds from `first` on but for the last. */
XC_VPERM_INLINE void encrypt_rounds(const struct xc_vperm_key *key, vec *x, const int count, unsigned first)
{
    for (unsigned r = first; r < key->rounds; r++) {
        const vec next = v_all(xc_vperm_next[r % 4]), before = v_all(xc_vperm_before[r % 4]);
        const vec k = v_all(key->enc[r]);
        XC_UNROLL
        for (int j = 0; j < count; j++) {
            x[j] = round_forward(x[j], k, next, before);
        }
    }
}

XC_VPERM_INLINE void encrypt_middle(const struct xc_vperm_key *key, vec *x, const int count)
{
    const vec k = v_all(again(key)->enc[0]);
    XC_UNROLL
    for (int j = 0; j < count; j++) {
        x[j] = linear(xc_vperm_in, x[j] ^ k);
    }
    encrypt_rounds(key, x, count, 1);
}

/* The last round, of one vector. What comes out may be keystream, and has to be summed or stored at once: a
 * compiler that runs out of registers would leave it on the stack. */
XC_VPERM_INLINE vec encrypt_last(const struct xc_vperm_key *key, vec x)
{
    const unsigned rounds = key->rounds;
    const vec form = v_all(xc_vperm_form[rounds % 4]); /* even, and so its own inverse */
    return v_shuffle(of_inverse(xc_vperm_sub_out, invert(x)), form) ^ v_all(key->enc[rounds]);
}

XC_VPERM_INLINE void decrypt_middle(const struct xc_vperm_key *key, vec *x, const int count)
{
    const unsigned rounds = key->rounds;
    const vec form = v_all(xc_vperm_form[rounds % 4]);
    vec k = v_all(again(key)->enc[rounds]);
    XC_UNROLL
    for (int j = 0; j < count; j++) {
        x[j] = linear(xc_vperm_unsub_in, v_shuffle(x[j] ^ k, form));
    }
    for (unsigned r = rounds - 1; r > 0; r--) {
        const vec next = v_all(xc_vperm_next[r % 4]);
        k = v_all(key->dec[r]);
        XC_UNROLL
        for (int j = 0; j < count; j++) {
            x[j] = round_backward(x[j], k, next);
        }
    }
}

XC_VPERM_INLINE vec decrypt_last(const struct xc_vperm_key *key, vec x)
{
    return of_inverse(xc_vperm_unsub_out, invert(x)) ^ v_all(key->enc[0]);
}

/* ---- keys ------------------------------------------------------------------------------------------ */

static uint32_t sub_word(uint32_t word)
{
    uint8_t block[16] = {0};
    xc_store32_le(block, word);
    v_put(block, of_inverse(xc_vperm_sub_out, invert(linear(xc_vperm_in, v_all(block)))));
    word = xc_load32_le(block);
    xc_wipe(block, sizeof block);
    return word ^ 0x63636363;
}

static void set_key(void *opaque, const uint8_t *bytes, size_t len)
{
    struct xc_vperm_key *key = opaque;
    uint32_t w[XC_EXPAND_WORDS];
    const unsigned rounds = xc_expand(w, bytes, len, sub_word);
    for (unsigned r = 0; r <= rounds; r++) {
        for (unsigned c = 0; c < 4; c++)
            xc_store32_le(key->enc[r] + 4 * c, w[4 * r + c] ^ (r > 0 ? 0x63636363 : 0));
        if (r > 0 && r < rounds)
            v_put(key->enc[r], v_shuffle(linear(xc_vperm_in, v_all(key->enc[r])), v_all(xc_vperm_form[r % 4])));
    }
    key->rounds = rounds;
    xc_wipe(w, sizeof w);
}

/* A round of decryption on S(round key): its S-box gives the round key again, and its other half does
 * what is wanted. */
static void set_decrypt_key(void *opaque)
{
    struct xc_vperm_key *key = opaque;
    for (unsigned r = 1; r < key->rounds; r++) {
        const vec k = of_inverse(xc_vperm_sub_out, invert(v_all(key->enc[r])));
        v_put(key->dec[r], round_backward(linear(xc_vperm_unsub_in, k), k ^ k, v_all(xc_vperm_next[r % 4])));
    }
}


/* ---- slots ----------------------------------------------------------------------------------------- */

XC_VPERM_INLINE void batch(const struct xc_vperm_key *key, int decrypting, uint8_t *out, const uint8_t *in)
{
    vec x[VECTORS];
    XC_UNROLL
    for (int j = 0; j < VECTORS; j++) {
        x[j] = v_load(in + (int)sizeof(vec) * j);
    }
    if (decrypting) {
        decrypt_middle(key, x, VECTORS);
    } else {
        encrypt_middle(key, x, VECTORS);
    }
    key = again(key);
    XC_UNROLL
    for (int j = 0; j < VECTORS; j++) {
        v_store(out + (int)sizeof(vec) * j, decrypting ? decrypt_last(key, x[j]) : encrypt_last(key, x[j]));
    }
}

/* One block in every place of a vector. */
XC_VPERM_INLINE vec encrypt_one(const struct xc_vperm_key *key, vec x)
{
    encrypt_middle(key, &x, 1);
    return encrypt_last(again(key), x);
}

/* ECB. A last batch that is not whole goes through a buffer, for it takes as long as a whole one. */
XC_VPERM_INLINE void ecb(const struct xc_vperm_key *key, int decrypting, uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint8_t buffer[BATCH];
    const uint8_t *from = in;
    uint8_t *to = out;
    while (blocks != 0) {
        const size_t now = blocks < BLOCKS ? blocks : BLOCKS;
        if (now < BLOCKS) {
            xc_wipe(buffer, sizeof buffer);
            memcpy(buffer, in, now * XC_BLOCK);
            from = to = buffer;
        }
        batch(key, decrypting, to, from);
        blocks -= now;
        if (now < BLOCKS) {
            memcpy(out, buffer, now * XC_BLOCK);
            xc_wipe(buffer, sizeof buffer);
        }
        to = out += BATCH;
        from = in += BATCH;
    }
}

static void encrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    if (blocks == 1) {
        v_put(out, encrypt_one(key, v_all(in)));
        return;
    }
    ecb(key, 0, out, in, blocks);
}

static void decrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(key, 1, out, in, blocks);
}

/* The last round, a sum with text, and out with it. */
XC_VPERM_INLINE void stream_batch(const struct xc_vperm_key *key, const vec x[VECTORS], uint8_t *out, const uint8_t *in)
{
    key = again(key);
    XC_UNROLL
    for (int j = 0; j < VECTORS; j++) {
        const int at = (int)sizeof(vec) * j;
        v_store(out + at, encrypt_last(key, x[j]) ^ v_load(in + at));
    }
}

/* The counters of a batch, from {high, low} on. */
XC_VPERM_INLINE void fill(uint8_t counters[BATCH], uint64_t high, uint64_t low)
{
    for (unsigned b = 0; b < BLOCKS; b++) {
        const uint64_t sum = low + b;
        xc_store64_be(counters + 16 * b, high + (sum < b));
        xc_store64_be(counters + 16 * b + 8, sum);
    }
}

/* Blocks of one step of a run; a run's counters differ in the last byte alone. */
enum { SPAN = 16 };

/* After the first round the blocks of a run differ in four bytes, which are multiples of the S-box of one: here for
 * sixteen counters from `low` on, in the order in which they go into a block. k is the first round key. */
XC_VPERM_INLINE void look_up_span(vec fours[SPAN / 4], vec k, uint64_t low)
{
    static _Alignas(16) const uint8_t last[16] = {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
    const uint64_t bytes = (low & 0xff) * UINT64_C(0x0101010101010101);
    uint8_t counters[SPAN];
    xc_store64_le(counters, bytes + UINT64_C(0x0706050403020100));
    xc_store64_le(counters + 8, bytes + UINT64_C(0x0f0e0d0c0b0a0908));
    const struct inverse v = invert(linear(xc_vperm_in, v_all(counters) ^ v_shuffle(k, v_all(last))));
    const vec a = of_inverse(xc_vperm_sub, v), twice_a = of_inverse(xc_vperm_sub_twice, v);
    XC_UNROLL
    for (int i = 0; i < SPAN / 4; i++) {
        fours[i] = v_shuffle(a, v_all(xc_vperm_pick[i][0])) ^ v_shuffle(twice_a, v_all(xc_vperm_pick[i][1]));
    }
}

/* The first round is done for one block. Each step looks up the bytes of the next one, which it does not wait for. */
static void ctr_run(const struct xc_vperm_key *key, uint8_t *out, const uint8_t *in, size_t spans, uint64_t high, uint64_t low)
{
    enum { IN_VECTOR = (int)sizeof(vec) / XC_BLOCK };
    vec fours[2][SPAN / 4];
    uint8_t block[XC_BLOCK];
    xc_store64_be(block, high);
    xc_store64_be(block + 8, low);
    look_up_span(fours[0], v_all(key->enc[0]), low);
    vec base = linear(xc_vperm_in, v_all(block) ^ v_all(key->enc[0]));
    base = round_forward(base, v_all(key->enc[1]), v_all(xc_vperm_next[1]), v_all(xc_vperm_before[1]));
    base ^= v_shuffle(fours[0][0], v_all(xc_vperm_spread[0]));
    for (size_t i = 0; i < spans; i++) {
        const vec *now = fours[i % 2];
        for (int b = 0; b < SPAN / BLOCKS; b++) {
            vec x[VECTORS];
            XC_UNROLL
            for (int j = 0; j < VECTORS; j++) {
                const int at = IN_VECTOR * (VECTORS * b + j);
                x[j] = base ^ v_shuffle(now[at / 4], v_load(xc_vperm_spread[at % 4]));
            }
            if (b == 0)
                look_up_span(fours[(i + 1) % 2], v_all(again(key)->enc[0]), low += SPAN);
            encrypt_rounds(key, x, VECTORS, 2);
            stream_batch(key, x, out, in);
            out += BATCH;
            in += BATCH;
        }
    }
    xc_wipe(fours, sizeof fours);
}

static void ctr(const void *opaque, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    const struct xc_vperm_key *key = opaque;
    uint64_t high = xc_load64_be(chain), low = xc_load64_be(chain + 8);
    uint8_t stream[BATCH];
    while (n != 0) {
        size_t now = n < BATCH ? n : BATCH;
        const size_t before_carry = (0x100 - (low & 0xff)) / SPAN, spans = n / (SPAN * XC_BLOCK);
        if (spans != 0 && before_carry != 0) {
            const size_t run = spans < before_carry ? spans : before_carry;
            now = run * SPAN * XC_BLOCK;
            ctr_run(key, out, in, run, high, low);
        } else if (now == BATCH) {
            vec x[VECTORS];
            fill(stream, high, low);
            XC_UNROLL
            for (int j = 0; j < VECTORS; j++) {
                x[j] = v_load(stream + (int)sizeof(vec) * j);
            }
            encrypt_middle(key, x, VECTORS);
            stream_batch(key, x, out, in);
        } else {
            fill(stream, high, low);
            encrypt(key, stream, stream, (n + XC_BLOCK - 1) / XC_BLOCK);
            xc_xor_run(out, in, stream, n);
        }
        const uint64_t blocks = (now + XC_BLOCK - 1) / XC_BLOCK;
        low += blocks;
        high += low < blocks;
        out += now;
        in += now;
        n -= now;
    }
    xc_wipe(stream, sizeof stream);
    xc_store64_be(chain, high);
    xc_store64_be(chain + 8, low);
}

static void mac(const void *key, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    vec x = v_all(chain);
    for (; blocks != 0; blocks--) {
        x = encrypt_one(key, x ^ v_all(in));
        in += XC_BLOCK;
    }
    v_put(chain, x);
}

#endif
