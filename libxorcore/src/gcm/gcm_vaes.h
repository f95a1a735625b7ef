/* gcm_vaes.h — AES-GCM by VAES and VPCLMULQDQ in vectors of any width: the body of gcm_vaes_*.c.
 *
 * The including file has included vec_*.h of its width. A batch is eight vectors. In eight of its rounds
 * stand the products of one vector of ciphertext each: of the batch before when sealing, of the same batch
 * when opening. Two batches share a reduction. The first of the vectors, which waits for the hash so far, has
 * its product last.
 * The counter of a nonce of 12 bytes is public and begins at 2, so that a constant for each place in a batch makes
 * its blocks from one; and very long messages have a table, made in the call and wiped after it, from which every
 * block comes out of its first round.
 * What is left after whole batches takes half as many lanes or all of them, and one reduction, in which
 * the lengths and, when sealing, the last batch's hash have a part. Short messages are nothing but that,
 * with one block of additional data, in functions of their own: without the registers and the stack of
 * the long ones.
 * The last round has the text in it, so that there is no key stream by itself, in memory or in registers, and
 * every round key and power is read where it is used, so that the stack gets no copies. */
#include "../aes/aesni.h"
#include "../kernel.h"
#include "../util/wipe.h"
#include "gcm_part.h"

enum { LANES = 8, XC_VCLMUL_POWERS = 2 * LANES * XC_WIDE };
#include "../ghash/vclmul.h"

enum {
    SIZE = XC_VEC_SIZE,
    BLOCKS = LANES * XC_WIDE,
    BATCH = LANES * SIZE,
    POWERS = XC_VCLMUL_POWERS,
    LAST = POWERS - 1 /* that of H^1 */
};

struct key {
    struct xc_vclmul_table powers;
    __m128i enc[XC_AESNI_ROUNDS + 1];
    unsigned rounds;
};

typedef struct xc_vclmul_sum sum;

static size_t key_size(const struct xc_choice *parts)
{
    (void)parts;
    return sizeof(struct key);
}

/* ---- pieces --------------------------------------------------------------------------------------- */

/* Where the counter wraps depends on the hash key when the nonce is not 12 bytes, so nothing asks: it is
 * kept as a number, the block with its bytes reversed, whose last four count as one lane of 32 bits. */
XC_AESNI_INLINE xc_vec numbers(__m128i number)
{
    static const uint32_t places[16] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
    return xc_v_add(xc_v_all(number), xc_v_load((const uint8_t *)places));
}

XC_AESNI_INLINE __m128i number_plus(__m128i number, uint32_t n)
{
    return _mm_add_epi32(number, _mm_set_epi32(0, 0, 0, (int)n));
}

/* Counter blocks with the first round key in them; the counter moves on. */
XC_AESNI_INLINE void counters(xc_vec *x, int lanes, const struct key *key, xc_vec *number)
{
    const xc_vec step = xc_v_all(_mm_set_epi32(0, 0, 0, XC_WIDE));
    const xc_vec first = xc_v_all(*xc_aesni_again(key->enc));
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = xc_v_xor(xc_v_swap(*number), first);
        *number = xc_v_add(*number, step);
    }
}

XC_AESNI_INLINE void round_of(xc_vec *x, int lanes, __m128i round)
{
    const xc_vec k = xc_v_all(round);
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = xc_v_round(x[j], k);
    }
}

XC_AESNI_INLINE void late_rounds(xc_vec *x, int lanes, const __m128i *keys, unsigned rounds)
{
    if (rounds > 10) {
        keys = xc_aesni_again(keys);
        round_of(x, lanes, keys[10]);
        round_of(x, lanes, keys[11]);
        if (rounds > 12) {
            keys = xc_aesni_again(keys);
            round_of(x, lanes, keys[12]);
            round_of(x, lanes, keys[13]);
        }
    }
}

/* The rounds from `first` on, all but the last. */
XC_AESNI_INLINE void middle(xc_vec *x, int lanes, const struct key *key, int first)
{
    const __m128i *keys = key->enc;
    XC_UNROLL
    for (int r = first; r < 10; r++) {
        keys = xc_aesni_again(keys);
        round_of(x, lanes, keys[r]);
    }
    late_rounds(x, lanes, keys, key->rounds);
}

/* Two of the lanes through a round, and a sum that stays where it is between them and what follows. */
XC_AESNI_INLINE void two_rounds(xc_vec *x, int lanes, int j, xc_vec k)
{
    if (j < lanes) {
        x[j] = xc_v_round(x[j], k);
        x[j + 1] = xc_v_round(x[j + 1], k);
    }
}

XC_AESNI_INLINE void tie(xc_vec *x, int lanes, int j, xc_vec *v)
{
    if (j < lanes) {
        xc_v_hold(v, &x[j], &x[j + 1]);
    } else {
        xc_v_keep(v);
    }
}

/* Products are added one by one, or, where a sum of three is one instruction, by twos. */
XC_AESNI_INLINE xc_vec *add_product(xc_vec *s, xc_vec *kept, xc_vec product, int step)
{
    if (XC_VEC_THREE && step % 2 != 0) {
        *kept = product;
        return kept;
    }
    *s = XC_VEC_THREE ? xc_v_xor3(*s, *kept, product) : xc_v_xor(*s, product);
    return s;
}

/* The rounds from `first` on, all but the last, of `lanes` vectors; and with eight of them the products of
 * the batch at `text` with the powers from `at` on. y is added to its first block. The order within a round
 * keeps both units busy. */
XC_AESNI_INLINE void middle_hash(xc_vec *x, int lanes, const struct key *key, int first, sum *s,
                                 const uint8_t *text, size_t at, xc_vec y)
{
    const __m128i *keys = key->enc, *h = key->powers.h + at, *halves = key->powers.halves + at;
    sum kept = xc_vclmul_nothing();
    /* The text may have been stored a moment ago. With sixteen registers it is read again: to keep it, a compiler has put
     * blocks that had been through one round on the stack. */
    if (XC_WIDE < 4) {
        __asm__ __volatile__("" : "+r"(text));
    }
    XC_UNROLL
    for (int step = 1; step <= LANES; step++) {
        const int j = step % LANES;
        keys = xc_aesni_again(keys);
        h = xc_aesni_again(h);
        const xc_vec k = xc_v_all(keys[first + step - 1]);
        const xc_vec power = xc_vclmul_power(h + XC_WIDE * j);
        xc_vec d = xc_v_swap(xc_v_load(text + SIZE * j));
        if (j == 0) {
            d = xc_v_xor(d, y);
        }
        two_rounds(x, lanes, 0, k);
        tie(x, lanes, 0, add_product(&s->low, &kept.low, xc_v_low(d, power), step));
        two_rounds(x, lanes, 2, k);
        tie(x, lanes, 2, add_product(&s->high, &kept.high, xc_v_high(d, power), step));
        two_rounds(x, lanes, 4, k);
        const xc_vec middle = xc_v_low(xc_v_folded(d), xc_vclmul_power(halves + XC_WIDE * j));
        tie(x, lanes, 4, add_product(&s->middle, &kept.middle, middle, step));
        two_rounds(x, lanes, 6, k);
    }
    keys = xc_aesni_again(keys);
    if (first == 1) {
        round_of(x, lanes, keys[9]);
    }
    late_rounds(x, lanes, keys, key->rounds);
}

/* The last round, with the text in it. */
XC_AESNI_INLINE void finish(xc_vec x[LANES], const struct key *key, uint8_t *out, const uint8_t *in)
{
    const xc_vec k = xc_v_all(*xc_aesni_again(key->enc + key->rounds));
    XC_UNROLL
    for (int j = 0; j < LANES; j++) {
        x[j] = xc_v_last(x[j], xc_v_xor(k, xc_v_load(in + SIZE * j)));
    }
    XC_UNROLL
    for (int j = 0; j < LANES; j++) {
        xc_v_store(out + SIZE * j, x[j]);
    }
}

/* n bytes of text, at most `lanes` vectors, against the blocks before their last round in x; the products
 * of the ciphertext with the powers from `at` on are added to s. */
XC_AESNI_INLINE void rest(xc_vec *x, int lanes, const struct key *key, int sealing, sum *s, size_t at,
                          uint8_t *out, const uint8_t *in, size_t n)
{
    const __m128i *const last = key->enc + key->rounds;
    xc_vec part = lanes != 0 ? x[0] : xc_v_zero();
    XC_UNROLL
    for (int j = 0; j < lanes; j++) { /* without a way out, or the compiler has x in memory */
        if (n >= SIZE) {
            xc_vec text = xc_v_load(in);
            xc_vec result = xc_v_last(x[j], xc_v_xor(xc_v_all(*xc_aesni_again(last)), text));
            xc_v_store(out, result);
            xc_vclmul_add(s, &key->powers, at, xc_v_swap(sealing ? result : text));
            at += XC_WIDE;
            in += SIZE;
            out += SIZE;
            n -= SIZE;
            part = x[j + 1 < lanes ? j + 1 : j];
        }
    }
    if (n != 0) {
        xc_vec text = xc_v_load_part(in, n);
        xc_vec result = xc_v_last(part, xc_v_xor(xc_v_all(*xc_aesni_again(last)), text));
        xc_v_store_part(out, result, n);
        xc_vclmul_add(s, &key->powers, at, xc_v_swap(sealing ? xc_v_clip(result, n) : text));
    }
}

/* ---- the key -------------------------------------------------------------------------------------- */

static inline void set_powers(struct key *key, const uint8_t *bytes, size_t len, size_t most)
{
    key->rounds = xc_aesni_expand(key->enc, bytes, len);
    xc_vclmul_set(&key->powers, xc_aesni_encrypt1(_mm_setzero_si128(), key->enc, key->rounds), most);
}

static void set_key(void *opaque, const struct xc_choice *parts, const uint8_t *bytes, size_t len)
{
    (void)parts;
    set_powers(opaque, bytes, len, POWERS);
}

/* A message of n bytes takes as many powers as it has blocks, text and additional data each by themselves, and
 * one for the lengths. */
static void set_brief_key(void *opaque, const struct xc_choice *parts, const uint8_t *bytes, size_t len, size_t most)
{
    (void)parts;
    set_powers(opaque, bytes, len, most / 16 + 3);
}

static void block(const void *opaque, uint8_t out[16], const uint8_t in[16])
{
    const struct key *key = opaque;
    xc_store128(out, xc_aesni_encrypt1(xc_load128(in), key->enc, key->rounds));
}

/* ---- the hash alone ------------------------------------------------------------------------------- */

static __attribute__((noinline)) __m128i hash_more(const struct key *key, const uint8_t *in, size_t blocks, __m128i y)
{
    return xc_vclmul_update(&key->powers, in, blocks, y, 0);
}

static void hash(const void *opaque, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    xc_store128(y, xc_clmul_swap(hash_more(opaque, in, blocks, xc_clmul_swap(xc_load128(y)))));
}

/* The hash of additional data of any length, padded. */
static __attribute__((noinline)) __m128i hash_aad(const struct key *key, const uint8_t *aad, size_t len)
{
    __m128i y = hash_more(key, aad, len / 16, _mm_setzero_si128());
    if (len % 16 != 0) {
        __m128i d = xc_clmul_swap(xc_load_part(aad + len / 16 * 16, len % 16));
        y = xc_vclmul_reduce(xc_vclmul_product1(&key->powers, LAST, _mm_xor_si128(y, d)));
    }
    return y;
}

/* ---- whole batches -------------------------------------------------------------------------------- */

/* Where the powers of two batches and of one begin. */
enum { AT_TWO = POWERS - 2 * BLOCKS, AT_ONE = POWERS - BLOCKS };

/* Where the blocks of a run come from, which is a constant in every run. COUNTED are those of any counter. The
 * others are for one that began as a nonce of 12 bytes and 2, so that the lowest bits of a block's number are known
 * by its place: PLACED begins a batch with a block to which a constant is added for each place, TABLED takes
 * blocks out of their first round. */
enum origin { COUNTED, PLACED, TABLED };

struct spans;
struct source {
    xc_vec number;       /* COUNTED */
    xc_vec base;         /* PLACED: the block whose number ends in zeros */
    __m128i next;        /* PLACED: and the number of the next such block */
    struct spans *spans; /* TABLED */
};

XC_AESNI_INLINE xc_vec base_of(__m128i number) { return xc_v_all(xc_clmul_swap(number)); }

XC_AESNI_INLINE struct source placed(__m128i start)
{
    const __m128i number = number_plus(start, (uint32_t)-2);
    return (struct source){.base = base_of(number), .next = number_plus(number, BLOCKS)};
}

/* The last two blocks of a batch have the next one's number, and 0 and 1 in its lowest bits. The round key comes in
 * here, where it does not stay: a base that waits for the next batch may do so on the stack, and whoever knows the
 * counter would take it off again. */
XC_AESNI_INLINE void placed_blocks(xc_vec x[LANES], const struct key *key, struct source *from)
{
#define P(n) 0, 0, 0, (n) << 24
    static const uint32_t place[34 * 4] = {P(0),  P(1),  P(2),  P(3),  P(4),  P(5),  P(6),  P(7),  P(8),
                                           P(9),  P(10), P(11), P(12), P(13), P(14), P(15), P(16), P(17),
                                           P(18), P(19), P(20), P(21), P(22), P(23), P(24), P(25), P(26),
                                           P(27), P(28), P(29), P(30), P(31), P(0),  P(1)};
#undef P
    const uint8_t *at = (const uint8_t *)place;
    const xc_vec next = base_of(from->next), first = xc_v_all(*xc_aesni_again(key->enc));
    XC_UNROLL
    for (int j = 0; j < LANES - 1; j++) {
        x[j] = xc_v_xor3(xc_v_load(at + 32 + SIZE * j), from->base, first);
    }
    x[LANES - 1] = xc_v_xor3(xc_v_load(at + 34 * 16 - SIZE), xc_v_ends(from->base, next), first);
    from->base = next;
    from->next = number_plus(from->next, BLOCKS);
}

/* The counter of a nonce of 12 bytes is public. Then only one byte of it changes in 256 blocks, and in its
 * first round only what that byte contributes, which is the same in every such span: it is looked up here,
 * by the block's place in the message. Of every span stands here what its vectors, and what the last of them,
 * in which the two last blocks have the next span's upper bytes, add to that. */
enum { SPAN = 256, SPAN_BYTES = SPAN * XC_BLOCK };
struct spans {
    _Alignas(64) uint8_t byte[SPAN_BYTES];
    xc_vec all, last, next;
    __m128i nonce;
    uint32_t upper; /* of the next span */
    size_t at;
};

/* The counter block with that number, its lowest byte 0, after the first round. */
XC_AESNI_INLINE xc_vec spans_round(const struct key *key, __m128i nonce, uint32_t upper)
{
    const __m128i block = _mm_or_si128(nonce, xc_clmul_swap(_mm_set_epi32(0, 0, 0, (int)(upper << 8))));
    return xc_v_all(_mm_aesenc_si128(_mm_xor_si128(block, key->enc[0]), key->enc[1]));
}

XC_AESNI_INLINE void spans_next(const struct key *key, struct spans *t)
{
    t->all = t->next;
    t->next = spans_round(key, t->nonce, t->upper++);
    t->last = xc_v_ends(t->all, t->next);
    t->at = 0;
}

/* From the first counter, whose lowest byte is 2. */
XC_AESNI_INLINE void spans_begin(const struct key *key, struct spans *t, __m128i number)
{
    static const uint32_t places[16] = {0, 0, 0, 2U << 24, 0, 0, 0, 3U << 24, 0, 0, 0, 4U << 24, 0, 0, 0, 5U << 24};
    const xc_vec first = xc_v_all(key->enc[0]), second = xc_v_all(key->enc[1]);
    const xc_vec step = xc_v_all(_mm_set_epi32(XC_WIDE << 24, 0, 0, 0));
    const xc_vec none = xc_v_round(first, second);
    xc_vec byte = xc_v_load((const uint8_t *)places);
    for (size_t i = 0; i < SPAN_BYTES; i += SIZE) {
        xc_v_store(t->byte + i, xc_v_xor(xc_v_round(xc_v_xor(byte, first), second), none));
        byte = xc_v_add(byte, step);
    }
    t->nonce = _mm_andnot_si128(_mm_set_epi32(-1, 0, 0, 0), xc_clmul_swap(number));
    t->next = spans_round(key, t->nonce, 0);
    t->upper = 1;
    spans_next(key, t);
}

XC_AESNI_INLINE void blocks_of(xc_vec x[LANES], const struct key *key, struct source *from, enum origin origin)
{
    if (origin == COUNTED) {
        counters(x, LANES, key, &from->number);
        return;
    }
    if (origin == PLACED) {
        placed_blocks(x, key, from);
        return;
    }
    struct spans *t = from->spans;
    const uint8_t *byte = t->byte + t->at;
    const xc_vec all = t->all;
    t->at += BATCH;
    XC_UNROLL
    for (int j = 0; j < LANES - 1; j++) {
        x[j] = xc_v_xor(all, xc_v_load(byte + SIZE * j));
    }
    const xc_vec *last = t->at == SPAN_BYTES ? &t->last : &t->all;
    x[LANES - 1] = xc_v_xor(*last, xc_v_load(byte + BATCH - SIZE));
    if (t->at == SPAN_BYTES) {
        spans_next(key, t);
    }
}

/* One batch with the hash of the batch at `text`. */
XC_AESNI_INLINE void batch(const struct key *key, struct source *from, enum origin origin, uint8_t *out,
                           const uint8_t *in, sum *s, const uint8_t *text, size_t at, xc_vec y)
{
    xc_vec x[LANES];
    blocks_of(x, key, from, origin);
    middle_hash(x, LANES, key, origin == TABLED ? 2 : 1, s, text, at, y);
    finish(x, key, out, in);
}

/* `batches` >= 1. The hash is behind by the last of them, which is in `out`. */
XC_AESNI_INLINE __m128i seal_run(const struct key *key, struct source from, enum origin origin, uint8_t *out,
                                 const uint8_t *in, size_t batches, __m128i y)
{
    {
        xc_vec x[LANES];
        blocks_of(x, key, &from, origin);
        middle(x, LANES, key, origin == TABLED ? 2 : 1);
        finish(x, key, out, in);
    }
    for (; batches > 2; batches -= 2) {
        sum s = xc_vclmul_nothing();
        batch(key, &from, origin, out + BATCH, in + BATCH, &s, out, AT_TWO, xc_v_first(y));
        batch(key, &from, origin, out + 2 * BATCH, in + 2 * BATCH, &s, out + BATCH, AT_ONE, xc_v_zero());
        y = xc_vclmul_reduce(s);
        out += 2 * BATCH;
        in += 2 * BATCH;
    }
    if (batches == 2) {
        sum s = xc_vclmul_nothing();
        batch(key, &from, origin, out + BATCH, in + BATCH, &s, out, AT_ONE, xc_v_first(y));
        y = xc_vclmul_reduce(s);
    }
    return y;
}

XC_AESNI_INLINE __m128i open_run(const struct key *key, struct source from, enum origin origin, uint8_t *out,
                                 const uint8_t *in, size_t batches, __m128i y)
{
    for (; batches >= 2; batches -= 2) {
        sum s = xc_vclmul_nothing();
        batch(key, &from, origin, out, in, &s, in, AT_TWO, xc_v_first(y));
        batch(key, &from, origin, out + BATCH, in + BATCH, &s, in + BATCH, AT_ONE, xc_v_zero());
        y = xc_vclmul_reduce(s);
        out += 2 * BATCH;
        in += 2 * BATCH;
    }
    if (batches != 0) {
        sum s = xc_vclmul_nothing();
        batch(key, &from, origin, out, in, &s, in, AT_ONE, xc_v_first(y));
        y = xc_vclmul_reduce(s);
    }
    return y;
}

static __attribute__((noinline)) __m128i seal_batches(const struct key *key, __m128i start, uint8_t *out,
                                                      const uint8_t *in, size_t batches, __m128i y)
{
    return seal_run(key, (struct source){.number = numbers(start)}, COUNTED, out, in, batches, y);
}

static __attribute__((noinline)) __m128i open_batches(const struct key *key, __m128i start, uint8_t *out,
                                                      const uint8_t *in, size_t batches, __m128i y)
{
    return open_run(key, (struct source){.number = numbers(start)}, COUNTED, out, in, batches, y);
}

/* As above, from a nonce of 12 bytes and 2. */
static __attribute__((noinline)) __m128i seal_placed(const struct key *key, __m128i start, uint8_t *out,
                                                     const uint8_t *in, size_t batches, __m128i y)
{
    return seal_run(key, placed(start), PLACED, out, in, batches, y);
}

static __attribute__((noinline)) __m128i open_placed(const struct key *key, __m128i start, uint8_t *out,
                                                     const uint8_t *in, size_t batches, __m128i y)
{
    return open_run(key, placed(start), PLACED, out, in, batches, y);
}

static __attribute__((noinline)) __m128i seal_tabled(const struct key *key, struct spans *table, uint8_t *out,
                                                     const uint8_t *in, size_t batches, __m128i y)
{
    return seal_run(key, (struct source){.spans = table}, TABLED, out, in, batches, y);
}

static __attribute__((noinline)) __m128i open_tabled(const struct key *key, struct spans *table, uint8_t *out,
                                                     const uint8_t *in, size_t batches, __m128i y)
{
    return open_run(key, (struct source){.spans = table}, TABLED, out, in, batches, y);
}

/* With sixteen registers compilers keep sums, and blocks between their rounds, on the stack: in the frames of the
 * functions above, which begin where this one's does. The compiler is not to know the address: it would align the stack for
 * the stores, and leave out what lies above. They wait for nothing that comes before them. */
static __attribute__((noinline)) void wipe_spills(void)
{
    uint8_t left[10 * 32], *p = left;
    __asm__ __volatile__("" : "+r"(p));
    XC_UNROLL
    for (size_t i = 0; i < sizeof left; i += SIZE) {
        xc_v_store(p + i, xc_v_zero());
    }
    __asm__ __volatile__("" : : "r"(p) : "memory");
}

/* The same with the table. */
XC_AESNI_INLINE __m128i spans_run(const struct key *key, int sealing, __m128i start, uint8_t *out, const uint8_t *in,
                                  size_t batches, __m128i y)
{
    struct spans table;
    spans_begin(key, &table, start);
    y = (sealing ? seal_tabled : open_tabled)(key, &table, out, in, batches, y);
    wipe_spills();
    xc_wipe(&table, sizeof table);
    return y;
}

static __attribute__((noinline)) __m128i seal_spans(const struct key *key, __m128i start, uint8_t *out,
                                                    const uint8_t *in, size_t batches, __m128i y)
{
    return spans_run(key, 1, start, out, in, batches, y);
}

static __attribute__((noinline)) __m128i open_spans(const struct key *key, __m128i start, uint8_t *out,
                                                    const uint8_t *in, size_t batches, __m128i y)
{
    return spans_run(key, 0, start, out, in, batches, y);
}

/* The end of a run: n bytes, less than a batch and no more than `lanes` vectors, after `batches` of them
 * that end at `in` and `out`. y is the hash so far. The last block of text meets the power before `end`,
 * and `lengths` meets H. */
XC_AESNI_INLINE __m128i end_run(const struct key *key, int sealing, int lanes, __m128i number, uint8_t *out,
                                const uint8_t *in, size_t n, size_t batches, __m128i y, __m128i lengths,
                                size_t end)
{
    xc_vec x[LANES];
    xc_vec at = numbers(number);
    const size_t blocks = (n + 15) / 16;
    sum s = xc_vclmul_product1(&key->powers, LAST, lengths);
    counters(x, lanes, key, &at);
    if (sealing && batches != 0) {
        middle_hash(x, lanes, key, 1, &s, out - BATCH, end - blocks - BLOCKS, xc_v_first(y));
    } else {
        middle(x, lanes, key, 1);
        s = xc_vclmul_both(s, xc_vclmul_product1(&key->powers, end - blocks, y));
    }
    rest(x, lanes, key, sealing, &s, end - blocks, out, in, n);
    return xc_vclmul_reduce(s);
}

static __attribute__((noinline)) __m128i seal_none(const struct key *key, uint8_t *out, __m128i y,
                                                   __m128i lengths, size_t end)
{
    return end_run(key, 1, 0, y, out, out, 0, 1, y, lengths, end);
}

static __attribute__((noinline)) __m128i seal_half(const struct key *key, __m128i number, uint8_t *out,
                                                   const uint8_t *in, size_t n, size_t batches, __m128i y,
                                                   __m128i lengths, size_t end)
{
    return end_run(key, 1, LANES / 2, number, out, in, n, batches, y, lengths, end);
}

static __attribute__((noinline)) __m128i open_half(const struct key *key, __m128i number, uint8_t *out,
                                                   const uint8_t *in, size_t n, size_t batches, __m128i y,
                                                   __m128i lengths, size_t end)
{
    return end_run(key, 0, LANES / 2, number, out, in, n, batches, y, lengths, end);
}

static __attribute__((noinline)) __m128i seal_most(const struct key *key, __m128i number, uint8_t *out,
                                                   const uint8_t *in, size_t n, size_t batches, __m128i y,
                                                   __m128i lengths, size_t end)
{
    return end_run(key, 1, LANES, number, out, in, n, batches, y, lengths, end);
}

static __attribute__((noinline)) __m128i open_most(const struct key *key, __m128i number, uint8_t *out,
                                                   const uint8_t *in, size_t n, size_t batches, __m128i y,
                                                   __m128i lengths, size_t end)
{
    return end_run(key, 0, LANES, number, out, in, n, batches, y, lengths, end);
}

/* In registers of four blocks a table has earned its cost by 20 KiB. */
enum { TABLE_FROM = 32768 };

/* n bytes of text from the counter `number` on, and the hash after it; `lengths` and `end` as above.
 * `from_nonce`: the counter is a nonce of 12 bytes and 2. */
static inline __m128i whole_run(const struct key *key, int sealing, __m128i number, int from_nonce, uint8_t *out,
                                const uint8_t *in, size_t n, __m128i y, __m128i lengths, size_t end)
{
    const size_t batches = n / BATCH;
    if (batches != 0) {
        if (from_nonce && n >= TABLE_FROM) {
            y = (sealing ? seal_spans : open_spans)(key, number, out, in, batches, y);
        } else if (from_nonce) {
            y = (sealing ? seal_placed : open_placed)(key, number, out, in, batches, y);
        } else {
            y = (sealing ? seal_batches : open_batches)(key, number, out, in, batches, y);
        }
        out += batches * BATCH;
        in += batches * BATCH;
        number = number_plus(number, (uint32_t)(batches * BLOCKS));
    }
    n %= BATCH;
    if (sealing && n > BATCH - 16 && batches != 0) { /* one power more than there are, with the lengths */
        y = hash_more(key, out - BATCH, BLOCKS, y);
        y = seal_most(key, number, out, in, n, 0, y, lengths, end);
    } else if (n > BATCH / 2) {
        y = (sealing ? seal_most : open_most)(key, number, out, in, n, batches, y, lengths, end);
    } else if (n != 0) {
        y = (sealing ? seal_half : open_half)(key, number, out, in, n, batches, y, lengths, end);
    } else if (sealing && batches != 0) {
        y = seal_none(key, out, y, lengths, end);
    } else if (end != POWERS) {
        y = xc_vclmul_reduce(xc_vclmul_product1(&key->powers, LAST, _mm_xor_si128(y, lengths)));
    }
    if (XC_WIDE < 4) {
        wipe_spills();
    }
    return y;
}

/* ---- runs of whole blocks --------------------------------------------------------------------------- */

static inline void run(const struct key *key, int sealing, uint8_t *out, const uint8_t *in, size_t blocks,
                       uint8_t start[16], uint8_t hashed[16])
{
    __m128i number = xc_clmul_swap(xc_load128(start));
    __m128i y = xc_clmul_swap(xc_load128(hashed));
    xc_store128(start, xc_clmul_swap(number_plus(number, (uint32_t)blocks)));
    y = whole_run(key, sealing, number, 0, out, in, 16 * blocks, y, _mm_setzero_si128(), POWERS);
    xc_store128(hashed, xc_clmul_swap(y));
}

static void seal_blocks(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16],
                        uint8_t y[16])
{
    run(opaque, 1, out, in, blocks, counter, y);
}

static void open_blocks(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16],
                        uint8_t y[16])
{
    run(opaque, 0, out, in, blocks, counter, y);
}

/* ---- whole messages ------------------------------------------------------------------------------- */

/* The tag: what masks it has come as far as its last round, which takes the hash in. */
XC_AESNI_INLINE void put_tag(uint8_t tag[16], const struct key *key, __m128i mask, sum s)
{
    const __m128i last = *xc_aesni_again(key->enc + key->rounds);
    xc_store128(tag, _mm_aesenclast_si128(mask, _mm_xor_si128(last, xc_clmul_swap(xc_vclmul_reduce(s)))));
}

XC_AESNI_INLINE __m128i begin_mask(const struct key *key, __m128i j0)
{
    return xc_aesni_middle(_mm_xor_si128(j0, *xc_aesni_again(key->enc)), key->enc, key->rounds);
}

/* The rounds of up to `lanes` vectors, and of the mask beside them, all but the last. */
XC_AESNI_INLINE void round_beside(xc_vec *x, int lanes, __m128i *mask, const __m128i *round)
{
    const xc_vec k = xc_v_all(*round);
    *mask = _mm_aesenc_si128(*mask, xc_v_block(k));
    XC_UNROLL
    for (int j = 0; j < lanes; j++) {
        x[j] = xc_v_round(x[j], k);
    }
}

XC_AESNI_INLINE void middle_beside(xc_vec *x, int lanes, __m128i *mask, const struct key *key)
{
    const __m128i *keys = key->enc;
    XC_UNROLL
    for (int r = 1; r < 10; r++) {
        keys = xc_aesni_again(keys);
        round_beside(x, lanes, mask, keys + r);
    }
    if (key->rounds > 10) {
        round_beside(x, lanes, mask, keys + 10);
        round_beside(x, lanes, mask, keys + 11);
        if (key->rounds > 12) {
            round_beside(x, lanes, mask, keys + 12);
            round_beside(x, lanes, mask, keys + 13);
        }
    }
}

/* The lengths that have a function of their own. A tiny message has no more than one block of additional data. */
enum {
    TINY = 64,
    TINY_LANES = TINY / SIZE,
    SHORT = 128,
    SHORT_LANES = SHORT / SIZE,
    FAIR = 256,
    FAIR_LANES = FAIR / SIZE
};

/* Up to `lanes` vectors of text. One block of additional data is one more product. */
XC_AESNI_INLINE void short_message(const struct key *key, int sealing, int lanes, const struct xc_message *m,
                                   __m128i j0, uint8_t tag[16])
{
    const int long_aad = lanes != TINY_LANES && m->aad_len > 16;
    const size_t n = m->len, aad_len = m->aad_len, at = LAST - (n + 15) / 16;
    const __m128i y = long_aad ? hash_aad(key, m->aad, aad_len) : _mm_setzero_si128();
    __m128i mask = _mm_xor_si128(j0, *xc_aesni_again(key->enc));
    xc_vec x[LANES], start = numbers(number_plus(xc_clmul_swap(j0), 1));
    counters(x, lanes, key, &start);
    middle_beside(x, lanes, &mask, key);
    sum s = xc_vclmul_product1(&key->powers, LAST, xc_gcm_length_block(aad_len, n));
    if (long_aad) {
        s = xc_vclmul_both(s, xc_vclmul_product1(&key->powers, at, y));
    } else if (aad_len != 0) {
        const __m128i d = xc_clmul_swap(xc_v_block(xc_v_load_part(m->aad, aad_len)));
        s = xc_vclmul_both(s, xc_vclmul_product1(&key->powers, at - 1, d));
    }
    rest(x, lanes, key, sealing, &s, at, m->out, m->in, n);
    put_tag(tag, key, mask, s);
}

/* Any other. */
XC_AESNI_INLINE void long_message(const struct key *key, int sealing, const struct xc_message *m, int from_nonce,
                                  __m128i j0, uint8_t tag[16])
{
    const __m128i number = number_plus(xc_clmul_swap(j0), 1);
    __m128i y = m->aad_len != 0 ? hash_aad(key, m->aad, m->aad_len) : _mm_setzero_si128();
    y = whole_run(key, sealing, number, from_nonce, m->out, m->in, m->len, y,
                  xc_gcm_length_block(m->aad_len, m->len), LAST);
    const __m128i mask = xc_aesni_encrypt1(j0, key->enc, key->rounds);
    xc_store128(tag, _mm_xor_si128(mask, xc_clmul_swap(y)));
}

/* No text at all: GMAC. What is left after runs of all powers has its one reduction with the lengths. */
static __attribute__((noinline)) void no_text(const struct key *key, const struct xc_message *m, __m128i j0,
                                              uint8_t tag[16])
{
    const uint8_t *in = m->aad;
    size_t n = m->aad_len;
    __m128i mask = begin_mask(key, j0);
    sum s = xc_vclmul_product1(&key->powers, LAST, xc_gcm_length_block(n, 0));
    if (n > 16 * LAST) {
        /* With part of a block behind all but one of the powers, there is one more than there are. */
        const size_t blocks = n / 16, over = blocks % POWERS, run = n % 16 != 0 && over == LAST ? blocks : blocks - over;
        uint8_t waiting[XC_BLOCK]; /* a call keeps no register: where the mask waits for it is ours to say, and to wipe */
        xc_store128(waiting, mask);
        __asm__ __volatile__("" : : "r"(waiting) : "memory");
        const __m128i y = hash_more(key, in, run, _mm_setzero_si128());
        mask = xc_load128(waiting);
        xc_wipe(waiting, sizeof waiting);
        in += 16 * run;
        n -= 16 * run;
        s = xc_vclmul_both(s, xc_vclmul_product1(&key->powers, LAST - (n + 15) / 16, y));
    }
    size_t at = LAST - (n + 15) / 16;
    for (; n >= 2 * SIZE; n -= 2 * SIZE) {
        xc_vclmul_add2(&s, &key->powers, at, xc_v_swap(xc_v_load(in)), xc_v_swap(xc_v_load(in + SIZE)));
        at += 2 * XC_WIDE;
        in += 2 * SIZE;
    }
    if (n >= SIZE) {
        xc_vclmul_add(&s, &key->powers, at, xc_v_swap(xc_v_load(in)));
        at += XC_WIDE;
        in += SIZE;
        n -= SIZE;
    }
    if (n != 0) {
        xc_vclmul_add(&s, &key->powers, at, xc_v_swap(xc_v_load_part(in, n)));
    }
    put_tag(tag, key, mask, s);
}

static __attribute__((noinline)) void seal_tiny(const struct key *key, const struct xc_message *m, __m128i j0,
                                                uint8_t tag[16])
{
    short_message(key, 1, TINY_LANES, m, j0, tag);
}

static __attribute__((noinline)) void open_tiny(const struct key *key, const struct xc_message *m, __m128i j0,
                                                uint8_t tag[16])
{
    short_message(key, 0, TINY_LANES, m, j0, tag);
}

static __attribute__((noinline)) void seal_short(const struct key *key, const struct xc_message *m, __m128i j0,
                                                 uint8_t tag[16])
{
    short_message(key, 1, SHORT_LANES, m, j0, tag);
}

static __attribute__((noinline)) void open_short(const struct key *key, const struct xc_message *m, __m128i j0,
                                                 uint8_t tag[16])
{
    short_message(key, 0, SHORT_LANES, m, j0, tag);
}

static __attribute__((noinline)) void seal_fair(const struct key *key, const struct xc_message *m, __m128i j0,
                                                uint8_t tag[16])
{
    short_message(key, 1, FAIR_LANES, m, j0, tag);
}

static __attribute__((noinline)) void open_fair(const struct key *key, const struct xc_message *m, __m128i j0,
                                                uint8_t tag[16])
{
    short_message(key, 0, FAIR_LANES, m, j0, tag);
}

static __attribute__((noinline)) void seal_batch(const struct key *key, const struct xc_message *m, __m128i j0,
                                                 uint8_t tag[16])
{
    short_message(key, 1, LANES, m, j0, tag);
}

static __attribute__((noinline)) void open_batch(const struct key *key, const struct xc_message *m, __m128i j0,
                                                 uint8_t tag[16])
{
    short_message(key, 0, LANES, m, j0, tag);
}

static __attribute__((noinline)) void seal_long(const struct key *key, const struct xc_message *m, int from_nonce,
                                                __m128i j0, uint8_t tag[16])
{
    long_message(key, 1, m, from_nonce, j0, tag);
}

static __attribute__((noinline)) void open_long(const struct key *key, const struct xc_message *m, int from_nonce,
                                                __m128i j0, uint8_t tag[16])
{
    long_message(key, 0, m, from_nonce, j0, tag);
}

/* Each by its own function; `sealing` is a constant at both calls. */
XC_AESNI_INLINE void message(const struct key *key, int sealing, const struct xc_message *m, const uint8_t *secret_j0,
                             uint8_t tag[16])
{
    const __m128i j0 = secret_j0 != NULL ? xc_load128(secret_j0) : xc_gcm_j0_of_nonce(m->nonce);
    const size_t n = m->len;
    if (n == 0) {
        no_text(key, m, j0, tag);
    } else if (n <= TINY && m->aad_len <= 16) {
        (sealing ? seal_tiny : open_tiny)(key, m, j0, tag);
    } else if (n <= SHORT) {
        (sealing ? seal_short : open_short)(key, m, j0, tag);
    } else if (n <= FAIR) {
        (sealing ? seal_fair : open_fair)(key, m, j0, tag);
    } else if (n <= BATCH) {
        (sealing ? seal_batch : open_batch)(key, m, j0, tag);
    } else {
        (sealing ? seal_long : open_long)(key, m, secret_j0 == NULL, j0, tag);
    }
}

static void seal(const void *key, const struct xc_message *m, const uint8_t *secret_j0, uint8_t tag[16])
{
    message(key, 1, m, secret_j0, tag);
}

static void open(const void *key, const struct xc_message *m, const uint8_t *secret_j0, uint8_t tag[16])
{
    message(key, 0, m, secret_j0, tag);
}
