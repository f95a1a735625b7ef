/* aes_armv8.c — AES by the instructions of Arm's crypto extension, eight blocks in flight; for both sizes of Arm.
 *
 * The rounds are in armv8.h. Registers on 64-bit Arm: round keys 11, state 8, places of counters or tweaks 8; text 4. On
 * 32-bit Arm: state 8, round key 1; where there is a second vector for every block, four blocks are in flight.
 * Counters are made by adding the block's place in its batch to the last byte alone, as long as that does not wrap, so
 * that a counter takes one instruction. */
#include "../kernel.h"
#include "../util/wipe.h"
#include "armv8.h"

enum { LAST = XC_ARMV8_LAST, LANES = 8, BATCH = 16 * LANES, PAIRS = XC_ARMV8_HELD ? 8 : 4 };

typedef uint8x16_t vec;

struct key {
    uint32_t enc[XC_EXPAND_WORDS];
    uint32_t dec[XC_EXPAND_WORDS]; /* in the order of use, as AESD wants them */
    unsigned rounds;
};

static void set_key(void *opaque, const uint8_t *bytes, size_t len)
{
    struct key *key = opaque;
    key->rounds = xc_expand(key->enc, bytes, len, xc_armv8_sub_word);
}

static void set_decrypt_key(void *opaque)
{
    struct key *key = opaque;
    const unsigned rounds = key->rounds;
    const uint8_t *from = (const uint8_t *)key->enc + 16 * rounds;
    uint8_t *to = (uint8_t *)key->dec;
    vst1q_u8(to, vld1q_u8(from));
    for (unsigned r = 1; r < rounds; r++) {
        vst1q_u8(to + 16 * r, vaesimcq_u8(vld1q_u8(from - 16 * r)));
    }
    vst1q_u8(to + 16 * rounds, vld1q_u8(from - 16 * rounds));
}

XC_ARMV8_INLINE struct xc_armv8_keys keys_of(const struct key *key, int inverse)
{
    return xc_armv8_keys(inverse ? key->dec : key->enc, key->rounds);
}

static void encrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const struct xc_armv8_keys keys = keys_of(opaque, 0);
    xc_armv8_blocks(&keys, 0, out, in, blocks);
}

static void decrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const struct xc_armv8_keys keys = keys_of(opaque, 1);
    xc_armv8_blocks(&keys, 1, out, in, blocks);
}

/* The same value, of which the compiler no longer knows that it is a sum, and cannot regroup it. */
XC_ARMV8_INLINE vec held(vec v)
{
    __asm__("" : "+w"(v));
    return v;
}

/* ---- counters ------------------------------------------------------------------------------------- */

/* x holds counters; what is written is text. */
XC_ARMV8_INLINE void stream(const struct xc_armv8_keys *keys, vec *x, int lanes, uint8_t *out, const uint8_t *in)
{
    xc_armv8_rounds(x, lanes, keys, 0);
    const vec last = xc_armv8_key(keys, LAST);
    XC_UNROLL
    for (int j = 0; j < lanes - 1; j += 2) { /* by pairs, which is how text is read and written */
        const vec one = vld1q_u8(in + 16 * j), two = vld1q_u8(in + 16 * j + 16);
        vst1q_u8(out + 16 * j, veorq_u8(x[j], veorq_u8(last, one)));
        vst1q_u8(out + 16 * j + 16, veorq_u8(x[j + 1], veorq_u8(last, two)));
    }
    if (lanes == 1) {
        vst1q_u8(out, veorq_u8(x[0], veorq_u8(last, vld1q_u8(in))));
    }
}

XC_ARMV8_INLINE void stream_part(const struct xc_armv8_keys *keys, vec x, uint8_t *out, const uint8_t *in, size_t n)
{
    xc_armv8_rounds(&x, 1, keys, 0);
    x = veorq_u8(x, veorq_u8(xc_armv8_key(keys, LAST), xc_armv8_load_part(in, n)));
    xc_armv8_store_part(out, x, n);
}

/* Batches of which the counters differ in their byte 15 (GCM-SIV's in their first word) alone. Returns the next counter. */
XC_ARMV8_INLINE vec span(const struct xc_armv8_keys *keys, int little, vec at, uint8_t *out, const uint8_t *in,
                         size_t batches)
{
    vec place[LANES + 1];
    XC_UNROLL
    for (int j = 0; j <= LANES; j++) {
        place[j] = little ? vsetq_lane_u8((uint8_t)j, vdupq_n_u8(0), 0) : vsetq_lane_u8((uint8_t)j, vdupq_n_u8(0), 15);
        place[j] = held(place[j]); /* or it would be made again in every batch */
    }
    for (; batches != 0; batches--) {
        vec x[LANES];
        XC_UNROLL
        for (int j = 0; j < LANES; j++) {
            x[j] = little ? vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(at), vreinterpretq_u32_u8(place[j])))
                          : vaddq_u8(at, place[j]);
        }
        at = little ? vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(at), vreinterpretq_u32_u8(place[LANES])))
                    : vaddq_u8(at, place[LANES]);
        stream(keys, x, LANES, out, in);
        out += BATCH;
        in += BATCH;
    }
    return at;
}

/* A 128-bit counter as two numbers. */
struct counter {
    uint64_t high, low;
};

/* The block of a counter, which moves on. */
XC_ARMV8_INLINE vec counter_block(struct counter *c)
{
    const vec block = xc_armv8_of_halves(xc_be64(c->high), xc_be64(c->low));
    c->high += ++c->low == 0;
    return block;
}

XC_ARMV8_INLINE void counter_blocks(vec *x, int lanes, struct counter *c)
{
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = counter_block(c);
    }
}

/* Where the last byte wraps within a batch, and what is less than a batch. */
XC_ARMV8_INLINE size_t ctr_some(const struct xc_armv8_keys *keys, int lanes, uint8_t *out, const uint8_t *in,
                                struct counter *c)
{
    vec x[LANES];
    counter_blocks(x, lanes, c);
    stream(keys, x, lanes, out, in);
    return 16 * (size_t)lanes;
}

static __attribute__((noinline)) void ctr_rest(const struct key *key, uint8_t *out, const uint8_t *in, size_t n,
                                               struct counter *c)
{
    const struct xc_armv8_keys keys = keys_of(key, 0);
    size_t now;
    for (; n >= 16; n -= now, out += now, in += now) {
        if (n >= BATCH) {
            now = ctr_some(&keys, LANES, out, in, c);
        } else if (n >= 64) {
            now = ctr_some(&keys, 4, out, in, c);
        } else if (n >= 32) {
            now = ctr_some(&keys, 2, out, in, c);
        } else {
            now = ctr_some(&keys, 1, out, in, c);
        }
    }
    if (n != 0) {
        stream_part(&keys, counter_block(c), out, in, n);
    }
}

/* Batches until the last byte wraps within one, no more than `most`. Returns how many. */
XC_ARMV8_INLINE size_t ctr_spans(struct xc_armv8_keys keys, uint8_t *out, const uint8_t *in, size_t most, struct counter *c)
{
    size_t done = 0, now;
    while ((now = (256 - (size_t)(c->low & 255)) / LANES) != 0 && done != most) {
        struct counter start = *c;
        now = now < most - done ? now : most - done;
        span(&keys, 0, counter_block(&start), out, in, now);
        c->low += now * LANES;
        c->high += c->low < now * LANES;
        done += now;
        out += now * BATCH;
        in += now * BATCH;
    }
    return done;
}

static __attribute__((noinline)) size_t ctr_batches(const struct key *key, uint8_t *out, const uint8_t *in, size_t most,
                                                    struct counter *c)
{
    const struct xc_armv8_keys keys = keys_of(key, 0);
    if (keys.rounds == 10) {
        return ctr_spans(xc_armv8_ten(keys), out, in, most, c);
    }
    return ctr_spans(keys, out, in, most, c);
}

static void ctr(const void *opaque, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    struct counter c = {xc_load64_be(chain), xc_load64_be(chain + 8)};
    while (n != 0) {
        size_t now = n >= BATCH ? BATCH * ctr_batches(opaque, out, in, n / BATCH, &c) : 0;
        if (now == 0) {
            now = n < BATCH ? n : BATCH;
            ctr_rest(opaque, out, in, now, &c);
        }
        out += now;
        in += now;
        n -= now;
    }
    xc_store64_be(chain, c.high);
    xc_store64_be(chain + 8, c.low);
}

XC_ARMV8_INLINE size_t little_some(const struct xc_armv8_keys *keys, int lanes, uint8_t *out, const uint8_t *in,
                                   uint32x4_t *at)
{
    vec x[LANES];
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = vreinterpretq_u8_u32(*at);
        *at = vaddq_u32(*at, vsetq_lane_u32(1, vdupq_n_u32(0), 0));
    }
    stream(keys, x, lanes, out, in);
    return 16 * (size_t)lanes;
}

static void ctr32le(const void *opaque, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    const struct xc_armv8_keys keys = keys_of(opaque, 0);
    const size_t batches = n / BATCH;
    vec block = vld1q_u8(chain);
    if (batches != 0) {
        block = span(&keys, 1, block, out, in, batches);
        out += batches * BATCH;
        in += batches * BATCH;
        n %= BATCH;
    }
    uint32x4_t at = vreinterpretq_u32_u8(block);
    size_t now;
    for (; n >= 16; n -= now, out += now, in += now) {
        if (n >= 64) {
            now = little_some(&keys, 4, out, in, &at);
        } else if (n >= 32) {
            now = little_some(&keys, 2, out, in, &at);
        } else {
            now = little_some(&keys, 1, out, in, &at);
        }
    }
    if (n != 0) {
        stream_part(&keys, vreinterpretq_u8_u32(at), out, in, n);
        at = vaddq_u32(at, vsetq_lane_u32(1, vdupq_n_u32(0), 0));
    }
    vst1q_u8(chain, vreinterpretq_u8_u32(at));
}

/* ---- CBC and CFB decryption ----------------------------------------------------------------------- */

/* What follows the rounds of both: by pairs of the text, which is read a second time rather than kept. With `own` it is the
 * block's own text that is added, as in CFB, else that of the block before. */
XC_ARMV8_INLINE void add_text(vec *x, int lanes, int own, vec last, uint8_t *out, const uint8_t *in, vec *before)
{
    in = xc_armv8_again(in);
    XC_UNROLL
    for (int j = 0; j < lanes - 1; j += 2) {
        const vec one = vld1q_u8(in + 16 * j), two = vld1q_u8(in + 16 * j + 16);
        vst1q_u8(out + 16 * j, veorq_u8(x[j], veorq_u8(last, own ? one : *before)));
        vst1q_u8(out + 16 * j + 16, veorq_u8(x[j + 1], veorq_u8(last, own ? two : one)));
        *before = two;
    }
    if (lanes == 1) {
        const vec text = vld1q_u8(in);
        vst1q_u8(out, veorq_u8(x[0], veorq_u8(last, own ? text : *before)));
        *before = text;
    }
}

XC_ARMV8_INLINE size_t cbc_some(const struct xc_armv8_keys *keys, int lanes, uint8_t *out, const uint8_t *in, vec *before)
{
    vec x[LANES];
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = vld1q_u8(in + 16 * j);
    }
    xc_armv8_rounds(x, lanes, keys, 1);
    add_text(x, lanes, 0, xc_armv8_key(keys, LAST), out, in, before);
    return (size_t)lanes;
}

XC_ARMV8_INLINE void cbc_all(struct xc_armv8_keys keys, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    vec before = vld1q_u8(chain);
    for (; blocks >= LANES; blocks -= LANES, out += BATCH, in += BATCH) {
        cbc_some(&keys, LANES, out, in, &before);
    }
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        if (blocks >= 4) {
            now = cbc_some(&keys, 4, out, in, &before);
        } else if (blocks >= 2) {
            now = cbc_some(&keys, 2, out, in, &before);
        } else {
            now = cbc_some(&keys, 1, out, in, &before);
        }
    }
    vst1q_u8(chain, before);
}

static void cbc_decrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct xc_armv8_keys keys = keys_of(opaque, 1);
    if (keys.rounds == 10) {
        cbc_all(xc_armv8_ten(keys), out, in, blocks, chain);
    } else {
        cbc_all(keys, out, in, blocks, chain);
    }
}

XC_ARMV8_INLINE size_t cfb_some(const struct xc_armv8_keys *keys, int lanes, uint8_t *out, const uint8_t *in, vec *before)
{
    vec x[LANES];
    x[0] = *before;
    XC_UNROLL
    for (int j = 1; j < lanes; j++) {
        x[j] = vld1q_u8(in + 16 * j - 16);
    }
    xc_armv8_rounds(x, lanes, keys, 0);
    add_text(x, lanes, 1, xc_armv8_key(keys, LAST), out, in, before);
    return (size_t)lanes;
}

static void cfb_decrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct xc_armv8_keys keys = keys_of(opaque, 0);
    vec before = vld1q_u8(chain);
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        if (blocks >= 8) {
            now = cfb_some(&keys, 8, out, in, &before);
        } else if (blocks >= 4) {
            now = cfb_some(&keys, 4, out, in, &before);
        } else if (blocks >= 2) {
            now = cfb_some(&keys, 2, out, in, &before);
        } else {
            now = cfb_some(&keys, 1, out, in, &before);
        }
    }
    vst1q_u8(chain, before);
}

/* ---- XTS ------------------------------------------------------------------------------------------ */

/* t * x: what leaves at the top comes back at the bottom times x^7 + x^2 + x + 1 (IEEE 1619 5.2). */
XC_ARMV8_INLINE vec doubled(vec t)
{
    const int64x2_t out = vshrq_n_s64(vreinterpretq_s64_u8(t), 63);
    const uint64x2_t back = vreinterpretq_u64_u8(xc_armv8_of_halves(0x87, 1));
    const uint64x2_t carry = vandq_u64(vreinterpretq_u64_s64(vextq_s64(out, out, 1)), back);
    const uint64x2_t twice = vaddq_u64(vreinterpretq_u64_u8(t), vreinterpretq_u64_u8(t));
    return vreinterpretq_u8_u64(veorq_u64(twice, carry));
}

/* t * x^8: whole bytes, of which the top one is multiplied back by NEON's own product of bytes. */
XC_ARMV8_INLINE vec times_x8(vec t)
{
    const vec zero = xc_armv8_zero();
    const poly8x8_t top = vreinterpret_p8_u8(vget_low_u8(vextq_u8(t, zero, 15)));
    const vec back = vreinterpretq_u8_p16(vmull_p8(top, vreinterpret_p8_u8(vdup_n_u8(0x87))));
    return veorq_u8(vextq_u8(zero, t, 15), back);
}

/* The tweak is that of the first block, and becomes that of the block after the last. */
XC_ARMV8_INLINE size_t xts_some(const struct xc_armv8_keys *keys, int inverse, int lanes, uint8_t *out, const uint8_t *in,
                                vec *tweak)
{
    vec x[LANES], t[LANES];
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        t[j] = *tweak;
        *tweak = doubled(*tweak);
        x[j] = veorq_u8(vld1q_u8(in + 16 * j), t[j]);
    }
    xc_armv8_rounds(x, lanes, keys, inverse);
    const vec last = xc_armv8_key(keys, LAST);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        vst1q_u8(out + 16 * j, veorq_u8(x[j], veorq_u8(last, t[j])));
    }
    return (size_t)lanes;
}

/* Eight tweaks in registers, each of which moves on by itself. Returns the tweak after the last block. */
XC_ARMV8_INLINE vec xts_batches(const struct xc_armv8_keys *keys, int inverse, uint8_t *out, const uint8_t *in,
                                size_t batches, vec tweak)
{
    vec t[LANES];
    XC_UNROLL
    for (int j = 0; j < LANES; j++) {
        t[j] = tweak;
        tweak = doubled(tweak);
    }
    for (; batches != 0; batches--) {
        vec x[LANES];
        XC_UNROLL
        for (int j = 0; j < LANES; j++) {
            x[j] = veorq_u8(vld1q_u8(in + 16 * j), t[j]);
        }
        xc_armv8_rounds(x, LANES, keys, inverse);
        const vec last = xc_armv8_key(keys, LAST);
        XC_UNROLL
        for (int j = 0; j < LANES; j++) {
            vst1q_u8(out + 16 * j, veorq_u8(x[j], veorq_u8(last, t[j])));
            t[j] = times_x8(t[j]);
        }
        out += BATCH;
        in += BATCH;
    }
    return t[0];
}

/* `inverse` is a constant at both calls. */
XC_ARMV8_INLINE void xts(const void *opaque, int inverse, uint8_t *out, const uint8_t *in, size_t blocks,
                         uint8_t chain[16])
{
    const struct xc_armv8_keys keys = keys_of(opaque, inverse);
    vec tweak = vld1q_u8(chain);
    size_t now;
    if (PAIRS == LANES && blocks >= LANES) {
        const size_t batches = blocks / LANES;
        tweak = xts_batches(&keys, inverse, out, in, batches, tweak);
        out += batches * BATCH;
        in += batches * BATCH;
        blocks %= LANES;
    }
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        if (blocks >= 4) {
            now = xts_some(&keys, inverse, 4, out, in, &tweak);
        } else if (blocks >= 2) {
            now = xts_some(&keys, inverse, 2, out, in, &tweak);
        } else {
            now = xts_some(&keys, inverse, 1, out, in, &tweak);
        }
    }
    vst1q_u8(chain, tweak);
}

static void xts_encrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    xts(key, 0, out, in, blocks, chain);
}

static void xts_decrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    xts(key, 1, out, in, blocks, chain);
}

/* ---- chains --------------------------------------------------------------------------------------- */

/* What is known before the last round of a block is summed before it, so that nothing but one sum stands between the
 * rounds of two blocks. Returns the next state: a chain, or one to which the next block of text has been added. */
XC_ARMV8_INLINE vec chain_step(const struct xc_armv8_keys *keys, vec state, vec sum)
{
    xc_armv8_rounds(&state, 1, keys, 0);
    return veorq_u8(state, sum);
}

/* The state after a block to which `next` is added; the block's ciphertext. */
XC_ARMV8_INLINE vec cbc_step(const struct xc_armv8_keys *keys, vec state, vec next, vec *cipher)
{
    const vec last = xc_armv8_key(keys, LAST);
    xc_armv8_rounds(&state, 1, keys, 0);
    *cipher = veorq_u8(state, last);
    return veorq_u8(state, held(veorq_u8(last, next)));
}

/* Each chain is written once and compiled twice, for ten rounds and for more. */
XC_ARMV8_INLINE void cbc_chain(struct xc_armv8_keys keys, uint8_t *out, const uint8_t *in, size_t blocks,
                               uint8_t chain[16])
{
    vec state = vld1q_u8(chain);
    if (blocks == 0) {
        return;
    }
    state = veorq_u8(state, vld1q_u8(in));
    vec cipher[4];
    for (; blocks > 4; blocks -= 4) {
        vec next[4];
        XC_UNROLL
        for (int j = 0; j < 4; j++) {
            next[j] = vld1q_u8(in + 16 * j + 16);
        }
        XC_UNROLL
        for (int j = 0; j < 4; j++) {
            state = cbc_step(&keys, state, next[j], &cipher[j]);
        }
        XC_UNROLL
        for (int j = 0; j < 4; j++) {
            vst1q_u8(out + 16 * j, cipher[j]);
        }
        in += 64;
        out += 64;
    }
    for (; blocks > 1; blocks--) {
        in += 16;
        state = cbc_step(&keys, state, vld1q_u8(in), &cipher[0]);
        vst1q_u8(out, cipher[0]);
        out += 16;
    }
    state = chain_step(&keys, state, xc_armv8_key(&keys, LAST));
    vst1q_u8(out, state);
    vst1q_u8(chain, state);
}

XC_ARMV8_INLINE void mac_chain(struct xc_armv8_keys keys, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    vec state = vld1q_u8(chain);
    if (blocks == 0) {
        return;
    }
    state = veorq_u8(state, vld1q_u8(in));
    for (; blocks > 1; blocks--) {
        in += 16;
        state = chain_step(&keys, state, held(veorq_u8(xc_armv8_key(&keys, LAST), vld1q_u8(in))));
    }
    vst1q_u8(chain, chain_step(&keys, state, xc_armv8_key(&keys, LAST)));
}

XC_ARMV8_INLINE void cfb_chain(struct xc_armv8_keys keys, uint8_t *out, const uint8_t *in, size_t blocks,
                               uint8_t chain[16])
{
    vec state = vld1q_u8(chain);
    for (; blocks != 0; blocks--) {
        state = chain_step(&keys, state, held(veorq_u8(xc_armv8_key(&keys, LAST), vld1q_u8(in))));
        vst1q_u8(out, state);
        in += 16;
        out += 16;
    }
    vst1q_u8(chain, state);
}

XC_ARMV8_INLINE void ofb_chain(struct xc_armv8_keys keys, uint8_t *out, const uint8_t *in, size_t blocks,
                               uint8_t chain[16])
{
    vec state = vld1q_u8(chain);
    for (; blocks != 0; blocks--) {
        state = chain_step(&keys, state, xc_armv8_key(&keys, LAST));
        vst1q_u8(out, veorq_u8(state, vld1q_u8(in)));
        in += 16;
        out += 16;
    }
    vst1q_u8(chain, state);
}

static void cbc_encrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct xc_armv8_keys keys = keys_of(opaque, 0);
    if (keys.rounds == 10) {
        cbc_chain(xc_armv8_ten(keys), out, in, blocks, chain);
    } else {
        cbc_chain(keys, out, in, blocks, chain);
    }
}

static void mac(const void *opaque, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct xc_armv8_keys keys = keys_of(opaque, 0);
    if (keys.rounds == 10) {
        mac_chain(xc_armv8_ten(keys), in, blocks, chain);
    } else {
        mac_chain(keys, in, blocks, chain);
    }
}

static void cfb_encrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct xc_armv8_keys keys = keys_of(opaque, 0);
    if (keys.rounds == 10) {
        cfb_chain(xc_armv8_ten(keys), out, in, blocks, chain);
    } else {
        cfb_chain(keys, out, in, blocks, chain);
    }
}

static void ofb(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct xc_armv8_keys keys = keys_of(opaque, 0);
    if (keys.rounds == 10) {
        ofb_chain(xc_armv8_ten(keys), out, in, blocks, chain);
    } else {
        ofb_chain(keys, out, in, blocks, chain);
    }
}

/* ---- chains side by side -------------------------------------------------------------------------- */

/* What a call does, a constant in each of them, as is the number of registers `n`. */
enum chain { CHAIN_CBC, CHAIN_MAC, CHAIN_CFB, CHAIN_OFB };

/* Places without a message do what the first one does: they read, before anything of the step is written, what it
 * reads, and write the same bytes to the same place. */
XC_ARMV8_INLINE void chains_some(enum chain chain, const struct key *key, struct xc_lanes *lanes, size_t n, size_t count,
                                 size_t blocks)
{
    const struct xc_armv8_keys keys = keys_of(key, 0);
    const int writes = chain != CHAIN_MAC, sums = chain == CHAIN_CBC || chain == CHAIN_MAC;
    const uint8_t *in[PAIRS];
    uint8_t *out[PAIRS];
    vec x[PAIRS];
    XC_UNROLL
    for (size_t j = 0; j < n; j++) {
        const size_t lane = j < count ? j : 0;
        in[j] = lanes->in[lane];
        out[j] = writes ? lanes->out[lane] : NULL;
        x[j] = vld1q_u8(lanes->chain[lane]);
    }
    for (size_t at = 0; at != 16 * blocks; at += 16) {
        XC_UNROLL
        for (size_t j = 0; sums && j < n; j++) {
            x[j] = veorq_u8(x[j], vld1q_u8(in[j] + at));
        }
        xc_armv8_rounds(x, (int)n, &keys, 0);
        const vec last = xc_armv8_key(&keys, LAST);
        vec text[PAIRS];
        XC_UNROLL
        for (size_t j = 0; j < n; j++) {
            x[j] = veorq_u8(x[j], last);
            if (!sums) {
                text[j] = veorq_u8(x[j], vld1q_u8(in[j] + at));
                x[j] = chain == CHAIN_CFB ? text[j] : x[j];
            }
        }
        XC_UNROLL
        for (size_t j = 0; writes && j < n; j++) {
            vst1q_u8(out[j] + at, sums ? x[j] : text[j]);
        }
    }
    XC_UNROLL
    for (size_t j = 0; j < n; j++) {
        vst1q_u8(lanes->chain[j], x[j]);
    }
}

XC_ARMV8_INLINE void chains(enum chain chain, const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    if (count <= PAIRS / 2) {
        chains_some(chain, key, lanes, PAIRS / 2, count, blocks);
    } else {
        chains_some(chain, key, lanes, PAIRS, count, blocks);
    }
}

static void cbc_encrypt_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    chains(CHAIN_CBC, key, lanes, count, blocks);
}

static void cfb_encrypt_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    chains(CHAIN_CFB, key, lanes, count, blocks);
}

static void ofb_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    chains(CHAIN_OFB, key, lanes, count, blocks);
}

static void mac_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    chains(CHAIN_MAC, key, lanes, count, blocks);
}

const struct xc_aes_ops xc_aes_armv8 = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .set_decrypt_key = set_decrypt_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .ctr32le = ctr32le,
    .cbc_encrypt = cbc_encrypt,
    .cbc_decrypt = cbc_decrypt,
    .cfb_encrypt = cfb_encrypt,
    .cfb_decrypt = cfb_decrypt,
    .ofb = ofb,
    .xts_encrypt = xts_encrypt,
    .xts_decrypt = xts_decrypt,
    .mac = mac,
    .lanes = PAIRS,
    .cbc_encrypt_lanes = cbc_encrypt_lanes,
    .cfb_encrypt_lanes = cfb_encrypt_lanes,
    .ofb_lanes = ofb_lanes,
    .mac_lanes = mac_lanes,
};
