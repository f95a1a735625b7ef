/* batches.h — the modes of AES whose blocks do not wait for each other, in vectors of any width: the body of aes_aesni.c
 * and aes_vaes_*.c.
 *
 * The including file says what a vector is: WIDE blocks, and the words v_… for what is done to them. Eight vectors go
 * through the rounds together; what is left takes four, two and one, and then a part of one. These do not wait for each
 * other either, so that an end of any length takes little more than the time of one block, and passes through no buffer.
 * Round keys are read from memory in each round. CTR and CFB have the text in the last round, CBC and XTS what is added
 * after it.
 *
 * Counters share all but their last byte (in GCM-SIV: their first) for up to 256 blocks, a span. That byte reaches one
 * column of the state in round 1, and the other three come out alike in the whole span. So one block does the first round
 * of four: each of its columns gets the byte of another counter (`span`). The round costs a quarter of itself, and there is
 * no table to build, to wipe or to index. These columns are made in the rounds of the batch before, without which all
 * of it would be worth nothing: eight vectors just fill the unit, and may not wait for anything when they begin. */
#include "aesni_modes.h"

enum { LANES = 8, SIZE = 16 * WIDE, BLOCKS = LANES * WIDE, BATCH = LANES * SIZE };

/* ---- rounds --------------------------------------------------------------------------------------- */

/* A round key in all places, read here. */
XC_AESNI_INLINE vec round_key(const __m128i *keys, unsigned r)
{
    return v_all(xc_aesni_again(keys)[r]);
}

XC_AESNI_INLINE void round_of(vec *x, int lanes, vec key, int inverse)
{
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = inverse ? v_unround(x[j], key) : v_round(x[j], key);
    }
}

/* Rounds 10 to 13, as far as the key has them. */
XC_AESNI_INLINE void late_rounds(vec *x, int lanes, const __m128i *keys, unsigned rounds, int inverse)
{
    if (rounds > 10) {
        round_of(x, lanes, round_key(keys, 10), inverse);
        round_of(x, lanes, round_key(keys, 11), inverse);
        if (rounds > 12) {
            round_of(x, lanes, round_key(keys, 12), inverse);
            round_of(x, lanes, round_key(keys, 13), inverse);
        }
    }
}

/* All rounds from `from` on but the last. */
XC_AESNI_INLINE void middle(vec *x, int lanes, const __m128i *keys, unsigned rounds, unsigned from, int inverse)
{
    XC_UNROLL
    for (unsigned r = from; r < 10; r++) {
        round_of(x, lanes, round_key(keys, r), inverse);
    }
    late_rounds(x, lanes, keys, rounds, inverse);
}

/* The j-th vector of text; where `part` is not 0 there is one, of so many blocks. */
XC_AESNI_INLINE vec take(const uint8_t *in, int j, size_t part)
{
    return part ? v_load_blocks(in, part) : v_load(in + SIZE * j);
}

XC_AESNI_INLINE void put(uint8_t *out, const vec *x, int lanes, size_t part)
{
    if (part) {
        v_store_blocks(out, x[0], part);
        return;
    }
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        v_store(out + SIZE * j, x[j]);
    }
}

/* Blocks in `lanes` vectors, or in a part of one. */
XC_AESNI_INLINE size_t count(int lanes, size_t part) { return part ? part : (size_t)lanes * WIDE; }

/* xc_wipe by vector stores: its memset may become a string instruction that takes longer than the work. `vectors` is a
 * constant. */
XC_AESNI_INLINE void wipe_vectors(void *p, size_t vectors)
{
    XC_UNROLL
    for (size_t i = 0; i < vectors; i++) {
        v_store((uint8_t *)p + SIZE * i, v_all(_mm_setzero_si128()));
    }
    __asm__ __volatile__("" : : "r"(p) : "memory");
}

/* ---- the block cipher ----------------------------------------------------------------------------- */

/* Each mode has such a function: so many vectors, or a part of one; it returns how many blocks they were. */
XC_AESNI_INLINE size_t blocks_some(const struct key *key, int inverse, int lanes, size_t part, uint8_t *out,
                                   const uint8_t *in)
{
    const __m128i *const keys = inverse ? key->dec : key->enc;
    const vec first = round_key(keys, 0);
    vec x[LANES];
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = v_xor(take(in, j, part), first);
    }
    middle(x, lanes, keys, key->rounds, 1, inverse);
    const vec last = round_key(keys, key->rounds);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = inverse ? v_unlast(x[j], last) : v_last(x[j], last);
    }
    put(out, x, lanes, part);
    return count(lanes, part);
}

XC_AESNI_INLINE void blocks_all(const struct key *key, int inverse, uint8_t *out, const uint8_t *in, size_t blocks)
{
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        if (blocks >= 8 * WIDE) {
            now = blocks_some(key, inverse, 8, 0, out, in);
        } else if (blocks >= 4 * WIDE) {
            now = blocks_some(key, inverse, 4, 0, out, in);
        } else if (blocks >= 2 * WIDE) {
            now = blocks_some(key, inverse, 2, 0, out, in);
        } else if (blocks >= WIDE) {
            now = blocks_some(key, inverse, 1, 0, out, in);
        } else {
            blocks_some(key, inverse, 1, blocks, out, in);
            break;
        }
    }
}

static __attribute__((noinline)) void encrypt_more(const struct key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    blocks_all(key, 0, out, in, blocks);
}

/* One block is what modes ask for most often, and takes no more than that; like a chain it is often new. */
static void encrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const struct key *key = opaque;
    if (blocks == 1) {
        xc_store128(out, xc_aesni_encrypt1(load_chain(in), key->enc, key->rounds));
    } else {
        encrypt_more(key, out, in, blocks);
    }
}

static void decrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks)
{
    blocks_all(opaque, 1, out, in, blocks);
}

/* ---- counters ------------------------------------------------------------------------------------- */

/* x holds blocks before round `from`; what comes out is text. */
XC_AESNI_INLINE void stream(const struct key *key, vec *x, int lanes, unsigned from, uint8_t *out, const uint8_t *in)
{
    middle(x, lanes, key->enc, key->rounds, from, 0);
    const vec last = round_key(key->enc, key->rounds);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = v_last(x[j], v_xor(last, v_load(in + SIZE * j)));
    }
    put(out, x, lanes, 0);
}

/* CTR counts the halves of its block as two big-endian numbers, high half first, and is turned round for it;
 * GCM-SIV counts the first four bytes as they are. */
XC_AESNI_INLINE vec turn(vec at) { return v_bytes(at, _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607)); }

XC_AESNI_INLINE void counters(vec *x, int lanes, const struct key *key, int little, vec *at)
{
    const vec first = round_key(key->enc, 0);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = v_xor(little ? *at : turn(*at), first);
        *at = little ? v_add32(*at, v_all(_mm_set_epi32(0, 0, 0, WIDE))) : v_add64(*at, v_all(_mm_set_epi64x(WIDE, 0)));
    }
}

/* The number of its place in every vector, in the columns `columns`. */
XC_AESNI_INLINE vec places(__m128i columns)
{
    static const uint32_t place[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    return v_and(v_load((const uint8_t *)place), v_all(columns));
}

/* The counter {high, low} and those after it. */
XC_AESNI_INLINE vec big_counters(uint64_t high, uint64_t low)
{
    return v_add64(v_all(_mm_set_epi64x((long long)low, (long long)high)), places(_mm_set_epi32(0, 3, 0, 0)));
}

XC_AESNI_INLINE vec little_counters(__m128i block)
{
    return v_add32(v_all(block), places(_mm_set_epi32(0, 0, 0, 3)));
}

XC_AESNI_INLINE __m128i big_block(uint64_t high, uint64_t low)
{
    return _mm_set_epi64x((long long)xc_be64(low), (long long)xc_be64(high));
}

/* Less than a batch. */
XC_AESNI_INLINE void stream_rest(const struct key *key, int little, vec at, uint8_t *out, const uint8_t *in, size_t n)
{
    vec x[LANES];
    int lanes;
    for (; n >= SIZE; n -= SIZE * (size_t)lanes, out += SIZE * lanes, in += SIZE * lanes) {
        lanes = n >= 4 * SIZE ? 4 : n >= 2 * SIZE ? 2 : 1;
        if (lanes == 4) {
            counters(x, 4, key, little, &at);
            stream(key, x, 4, 1, out, in);
        } else if (lanes == 2) {
            counters(x, 2, key, little, &at);
            stream(key, x, 2, 1, out, in);
        } else {
            counters(x, 1, key, little, &at);
            stream(key, x, 1, 1, out, in);
        }
    }
    if (n != 0) {
        counters(x, 1, key, little, &at);
        middle(x, 1, key->enc, key->rounds, 1, 0);
        v_store_part(out, v_last(x[0], v_xor(round_key(key->enc, key->rounds), v_load_part(in, n))), n);
    }
}

/* `batches` of a span: `block` is the counter of its first block, `from` the block of the span to begin with. The byte
 * that counts is the last or, `little`, the first one. */
XC_AESNI_INLINE void span(const struct key *key, int little, __m128i block, uint32_t from, uint8_t *out,
                          const uint8_t *in, size_t batches)
{
    /* ShiftRows makes column 0 of bytes 0, 5, 10 and 15. A block that has them in every column has column 0 everywhere
     * after the round; the byte that counts is in row 3, which goes to columns 1, 2, 3, 0, or in row 0, which stays. */
    const int shift = little ? 0 : 24;
    const __m128i start = _mm_xor_si128(block, key->enc[0]);
    const vec common = v_all(_mm_shuffle_epi8(start, _mm_set1_epi32(0x0f0a0500)));
    const vec first = v_all(_mm_aesenc_si128(start, key->enc[1]));
    const vec step = v_all(_mm_set1_epi32((4 * WIDE) << shift));
    const __m128i order = little ? _mm_set_epi32(3 * WIDE, 2 * WIDE, WIDE, 0) : _mm_set_epi32(0, 3 * WIDE, 2 * WIDE, WIDE);
    vec at = v_add32(places(_mm_set1_epi32(3)), v_all(_mm_add_epi32(order, _mm_set1_epi32((int)from))));
    at = little ? at : v_top(at);
    /* The columns of a batch are made in the rounds of the one before it. */
    const vec column_key = v_all(_mm_shuffle_epi32(key->enc[1], 0));
    vec low = v_round(v_xor(at, common), column_key);
    at = v_add32(at, step);
    vec high = v_round(v_xor(at, common), column_key);
    for (; batches != 0; batches--) {
        const __m128i *const keys = key->enc;
        vec x[LANES];
        v_columns(x, first, low);
        v_columns(x + 4, first, high);
        round_of(x, LANES, round_key(keys, 2), 0);
        round_of(x, LANES, round_key(keys, 3), 0);
        round_of(x, LANES, round_key(keys, 4), 0);
        at = v_add32(at, step);
        low = v_round(v_xor(at, common), column_key);
        at = v_add32(at, step);
        high = v_round(v_xor(at, common), column_key);
        v_hold(&low, &high);
        stream(key, x, LANES, 5, out, in);
        out += BATCH;
        in += BATCH;
    }
}

/* The rare batch, or less, in which the low half of CTR's counter wraps. */
static __attribute__((noinline)) void ctr_carry(const struct key *key, uint8_t *out, const uint8_t *in, size_t n,
                                                uint64_t high, uint64_t low)
{
    uint8_t blocks[BATCH];
    for (size_t i = 0; i < BATCH; i += 16) {
        xc_store128(blocks + i, big_block(high, low));
        high += ++low == 0;
    }
    encrypt_more(key, blocks, blocks, BLOCKS);
    for (size_t i = 0; i < n; i++) {
        out[i] = in[i] ^ blocks[i];
    }
    xc_wipe(blocks, sizeof blocks);
}

static __attribute__((noinline)) void ctr_span(const struct key *key, uint8_t *out, const uint8_t *in, size_t batches,
                                               uint64_t high, uint64_t low)
{
    span(key, 0, big_block(high, low & ~(uint64_t)255), low & 255, out, in, batches);
}

/* A batch in which the last byte wraps. To begin a long text with what is missing to a whole batch, so that there is no
 * such batch, costs more: the text then lies askew to the vectors. */
static __attribute__((noinline)) void ctr_batch(const struct key *key, uint8_t *out, const uint8_t *in, uint64_t high,
                                                uint64_t low)
{
    vec x[LANES];
    vec at = big_counters(high, low);
    counters(x, LANES, key, 0, &at);
    stream(key, x, LANES, 1, out, in);
}

static __attribute__((noinline)) void ctr_rest(const struct key *key, uint8_t *out, const uint8_t *in, size_t n,
                                               uint64_t high, uint64_t low)
{
    stream_rest(key, 0, big_counters(high, low), out, in, n);
}

static void ctr(const void *opaque, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    uint64_t high = xc_load64_be(chain), low = xc_load64_be(chain + 8);
    while (n != 0) {
        const size_t fit = (256 - (size_t)(low & 255)) / BLOCKS, whole = n / BATCH;
        const size_t batches = fit < whole ? fit : whole;
        size_t now = BATCH;
        if (batches != 0) {
            now *= batches;
            ctr_span(opaque, out, in, batches, high, low);
        } else {
            now = n < BATCH ? n : BATCH;
            if (low > UINT64_MAX - BLOCKS) {
                ctr_carry(opaque, out, in, now, high, low);
            } else if (now == BATCH) {
                ctr_batch(opaque, out, in, high, low);
            } else {
                ctr_rest(opaque, out, in, now, high, low);
            }
        }
        const uint64_t next = low + (now + 15) / 16;
        high += next < low;
        low = next;
        out += now;
        in += now;
        n -= now;
    }
    xc_store64_be(chain, high);
    xc_store64_be(chain + 8, low);
}

static __attribute__((noinline)) void ctr32le_span(const struct key *key, uint8_t *out, const uint8_t *in,
                                                   size_t batches, __m128i block)
{
    const uint32_t number = (uint32_t)_mm_cvtsi128_si32(block);
    block = _mm_and_si128(block, _mm_set_epi32(-1, -1, -1, ~255));
    span(key, 1, block, number & 255, out, in, batches);
}

static __attribute__((noinline)) void ctr32le_rest(const struct key *key, uint8_t *out, const uint8_t *in, size_t n,
                                                   __m128i block)
{
    vec at = little_counters(block);
    if (n == BATCH) {
        vec x[LANES];
        counters(x, LANES, key, 1, &at);
        stream(key, x, LANES, 1, out, in);
        return;
    }
    stream_rest(key, 1, at, out, in, n);
}

static void ctr32le(const void *opaque, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    __m128i block = load_chain(chain);
    while (n != 0) {
        const size_t fit = (256 - ((size_t)_mm_cvtsi128_si32(block) & 255)) / BLOCKS, whole = n / BATCH;
        const size_t batches = fit < whole ? fit : whole;
        size_t now = BATCH;
        if (batches != 0) {
            now *= batches;
            ctr32le_span(opaque, out, in, batches, block);
        } else {
            now = n < BATCH ? n : BATCH;
            ctr32le_rest(opaque, out, in, now, block);
        }
        block = _mm_add_epi32(block, _mm_cvtsi32_si128((int)((now + 15) / 16)));
        out += now;
        in += now;
        n -= now;
    }
    xc_store128(chain, block);
}

/* ---- CBC and CFB decryption ----------------------------------------------------------------------- */

/* The blocks that stand one place before the j-th vector x of the text; `before` stands before the first. */
XC_AESNI_INLINE vec one_before(__m128i before, vec x, const uint8_t *in, int j)
{
    return j == 0 ? v_after(before, x) : v_load(in + SIZE * j - 16);
}

XC_AESNI_INLINE size_t cbc_some(const struct key *key, int lanes, size_t part, uint8_t *out, const uint8_t *in,
                                __m128i *before)
{
    const vec first = round_key(key->dec, 0);
    vec x[LANES];
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = v_xor(take(in, j, part), first);
    }
    middle(x, lanes, key->dec, key->rounds, 1, 1);
    const vec last = round_key(key->dec, key->rounds);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = v_unlast(x[j], v_xor(last, one_before(*before, j ? last : take(in, 0, part), in, j)));
    }
    const size_t now = count(lanes, part);
    *before = xc_load128(in + 16 * now - 16);
    put(out, x, lanes, part);
    return now;
}

static void cbc_decrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct key *key = opaque;
    __m128i before = load_chain(chain);
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        if (blocks >= 8 * WIDE) {
            now = cbc_some(key, 8, 0, out, in, &before);
        } else if (blocks >= 4 * WIDE) {
            now = cbc_some(key, 4, 0, out, in, &before);
        } else if (blocks >= 2 * WIDE) {
            now = cbc_some(key, 2, 0, out, in, &before);
        } else if (blocks >= WIDE) {
            now = cbc_some(key, 1, 0, out, in, &before);
        } else {
            cbc_some(key, 1, blocks, out, in, &before);
            break;
        }
    }
    xc_store128(chain, before);
}

XC_AESNI_INLINE size_t cfb_some(const struct key *key, int lanes, size_t part, uint8_t *out, const uint8_t *in,
                                __m128i *before)
{
    const vec first = round_key(key->enc, 0);
    vec x[LANES];
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = v_xor(one_before(*before, j ? first : take(in, 0, part), in, j), first);
    }
    middle(x, lanes, key->enc, key->rounds, 1, 0);
    const vec last = round_key(key->enc, key->rounds);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = v_last(x[j], v_xor(last, take(in, j, part)));
    }
    const size_t now = count(lanes, part);
    *before = xc_load128(in + 16 * now - 16);
    put(out, x, lanes, part);
    return now;
}

static void cfb_decrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct key *key = opaque;
    __m128i before = load_chain(chain);
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        if (blocks >= 8 * WIDE) {
            now = cfb_some(key, 8, 0, out, in, &before);
        } else if (blocks >= 4 * WIDE) {
            now = cfb_some(key, 4, 0, out, in, &before);
        } else if (blocks >= 2 * WIDE) {
            now = cfb_some(key, 2, 0, out, in, &before);
        } else if (blocks >= WIDE) {
            now = cfb_some(key, 1, 0, out, in, &before);
        } else {
            cfb_some(key, 1, blocks, out, in, &before);
            break;
        }
    }
    xc_store128(chain, before);
}

/* ---- XTS ------------------------------------------------------------------------------------------ */

/* low * (x^7 + x^2 + x) in each half, where `low` is less than 2^57. Doubling is adding, which more units can do. */
XC_AESNI_INLINE vec times_87(vec low)
{
    const vec twice = v_add64(low, low);
    return v_xor3(twice, v_add64(twice, twice), v_left(low, 7));
}

/* t * x^(from + i) in place i, with t in all places and from + i < 58: what leaves at the top comes back at the bottom
 * times x^7 + x^2 + x + 1 (IEEE 1619 5.2). */
XC_AESNI_INLINE vec tweaks(vec t, unsigned from)
{
    const vec out = v_exchange(v_right_by(t, from)); /* the low half's bits go up, the high half's are out */
    return v_xor3(v_left_by(t, from), out, times_87(v_and(out, v_all(_mm_set_epi64x(0, -1)))));
}

/* t * x^(8 * WIDE): whole bytes, which a turn of the block brings to their places. */
XC_AESNI_INLINE vec next_tweaks(vec t)
{
    const vec turned = v_turn_up(t);
    return v_xor(turned, times_87(v_and(turned, v_all(_mm_set_epi64x(0, (long long)(UINT64_MAX >> (64 - 8 * WIDE)))))));
}

XC_AESNI_INLINE size_t xts_some(const struct key *key, int inverse, int lanes, size_t part, uint8_t *out,
                                const uint8_t *in, vec tweak, unsigned from)
{
    const __m128i *const keys = inverse ? key->dec : key->enc;
    const vec first = round_key(keys, 0);
    vec x[LANES], t[LANES];
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        t[j] = tweaks(tweak, from + WIDE * (unsigned)j);
        x[j] = v_xor3(take(in, j, part), t[j], first);
    }
    middle(x, lanes, keys, key->rounds, 1, inverse);
    const vec last = round_key(keys, key->rounds);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = inverse ? v_unlast(x[j], v_xor(last, t[j])) : v_last(x[j], v_xor(last, t[j]));
    }
    put(out, x, lanes, part);
    return count(lanes, part);
}

/* A batch, and in its rounds the tweaks of the next one, of which only the first is wanted when no batch follows. */
XC_AESNI_INLINE void xts_batch(const struct key *key, int inverse, uint8_t *out, const uint8_t *in,
                               const vec now[LANES], vec next[LANES], int more)
{
    const __m128i *const keys = inverse ? key->dec : key->enc;
    const vec first = round_key(keys, 0);
    vec x[LANES];
    XC_UNROLL
    for (int j = 0; j < LANES; j++) {
        x[j] = v_xor3(v_load(in + SIZE * j), now[j], first);
    }
    XC_UNROLL
    for (int j = 0; j < LANES; j++) {
        round_of(x, LANES, round_key(keys, 1 + (unsigned)j), inverse);
        if (more || j == 0) {
            next[j] = next_tweaks(now[j]);
        }
    }
    round_of(x, LANES, round_key(keys, 9), inverse);
    late_rounds(x, LANES, keys, key->rounds, inverse);
    const vec last = round_key(keys, key->rounds);
    XC_UNROLL
    for (int j = 0; j < LANES; j++) {
        const vec end = v_xor(last, now[j]);
        x[j] = inverse ? v_unlast(x[j], end) : v_last(x[j], end);
    }
    put(out, x, LANES, 0);
}

/* `batches` >= 1; returns the tweak after them. */
XC_AESNI_INLINE __m128i xts_batches(const struct key *key, int inverse, uint8_t *out, const uint8_t *in,
                                    size_t batches, __m128i tweak)
{
    vec both[2][LANES];
    vec *now = both[0], *next = both[1];
    XC_UNROLL
    for (int j = 0; j < LANES; j++) {
        now[j] = tweaks(v_all(tweak), WIDE * (unsigned)j);
    }
    for (; batches > 1; batches--) {
        __asm__ __volatile__("" : "+r"(now), "+r"(next) : : "memory");
        xts_batch(key, inverse, out, in, now, next, 1);
        out += BATCH;
        in += BATCH;
        vec *const swap = now;
        now = next;
        next = swap;
    }
    __asm__ __volatile__("" : "+r"(now), "+r"(next) : : "memory");
    xts_batch(key, inverse, out, in, now, next, 0);
    tweak = v_block(next[0]);
    wipe_vectors(both, 2 * LANES);
    return tweak;
}

static __attribute__((noinline)) __m128i xts_encrypt_batches(const struct key *key, uint8_t *out, const uint8_t *in,
                                                             size_t batches, __m128i tweak)
{
    return xts_batches(key, 0, out, in, batches, tweak);
}

static __attribute__((noinline)) __m128i xts_decrypt_batches(const struct key *key, uint8_t *out, const uint8_t *in,
                                                             size_t batches, __m128i tweak)
{
    return xts_batches(key, 1, out, in, batches, tweak);
}

/* What a mode asks for around stolen bytes: one block, whose result is loaded again at once, so without masks, after which
 * CPUs make loads wait; and its chain does not wait for it. */
XC_AESNI_INLINE void xts_one(const struct key *key, int inverse, uint8_t *out, const uint8_t *in, uint8_t chain[16])
{
    const __m128i tweak = load_chain(chain), x = _mm_xor_si128(xc_load128(in), tweak);
    const __m128i tops = _mm_srai_epi32(_mm_shuffle_epi32(tweak, 0x13), 31); /* of the halves, each where it leaves to */
    xc_store128(chain, _mm_xor_si128(_mm_add_epi64(tweak, tweak), _mm_and_si128(tops, _mm_set_epi32(0, 1, 0, 0x87))));
    xc_store128(out, _mm_xor_si128(tweak, inverse ? xc_aesni_decrypt1(x, key->dec, key->rounds)
                                                  : xc_aesni_encrypt1(x, key->enc, key->rounds)));
}

/* From here on batches are worth their beginning; `tweaks` reaches no further than 57. */
enum { XTS_LONG = 2 * BLOCKS < 55 ? 2 * BLOCKS : 55 };

/* `inverse` is a constant at both calls. */
XC_AESNI_INLINE void xts(const struct key *key, int inverse, uint8_t *out, const uint8_t *in, size_t blocks,
                         uint8_t chain[16])
{
    if (blocks == 1) {
        xts_one(key, inverse, out, in, chain);
        return;
    }
    __m128i tweak = load_chain(chain);
    if (blocks >= XTS_LONG) {
        const size_t batches = blocks / BLOCKS;
        tweak = (inverse ? xts_decrypt_batches : xts_encrypt_batches)(key, out, in, batches, tweak);
        out += batches * BATCH;
        in += batches * BATCH;
        blocks %= BLOCKS;
    }
    const vec all = v_all(tweak);
    size_t now;
    unsigned from = 0;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now, from += (unsigned)now) {
        if (blocks >= 4 * WIDE) { /* eight and their tweaks have no room in sixteen registers */
            now = xts_some(key, inverse, 4, 0, out, in, all, from);
        } else if (blocks >= 2 * WIDE) {
            now = xts_some(key, inverse, 2, 0, out, in, all, from);
        } else if (blocks >= WIDE) {
            now = xts_some(key, inverse, 1, 0, out, in, all, from);
        } else {
            now = xts_some(key, inverse, 1, blocks, out, in, all, from);
        }
    }
    xc_store128(chain, v_block(tweaks(all, from)));
}

static void xts_encrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    xts(key, 0, out, in, blocks, chain);
}

static void xts_decrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    xts(key, 1, out, in, blocks, chain);
}
