/* gcm.c — the slots of a gcm kernel against SP 800-38D over the naive block cipher and hash. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "naive.h"

typedef void (*function)(void);

enum {
    LONG_FROM = 32768 / 16, /* blocks from which a kernel may make a table for one message */
    BLOCKS = LONG_FROM + 2 * AES_PERIOD + 70,
    PIECES = 2 * AES_PERIOD + 70, /* of messages in pieces, which have none */
    AAD_MAX = 2 * LOOP_PERIOD * 16 + 32
};

struct gcm_case {
    const struct xc_gcm_ops *ops;
    const struct xc_choice *parts;
    int opens;
    struct key_block key;
    struct naive_aes aes;
    uint8_t h[16];
    uint8_t plain[BLOCKS * 16], cipher[BLOCKS * 16];
    uint8_t counter[BLOCKS + 1][16], y[BLOCKS + 1][16];
    uint8_t block_out[BLOCKS * 16]; /* E of each block of plain by itself */
    /* Whole messages: j0 and its encryption, AAD and the hash after each of its blocks, what is varied. */
    uint8_t j0[16], mask[16], aad[AAD_MAX], aad_y[AAD_MAX / 16 + 1][16];
    size_t aad_len, text_len;
    int varies_aad;
    int by_nonce; /* j0 is a nonce of 12 bytes and 1, and the kernel is told so */
    uint8_t *tag; /* of the call being built */
    int tag_known;
    size_t tag_aad_len, tag_n; /* what it is the tag of, if known */
};

/* As far as the sweeps go; the reference takes its time. */
static size_t message_blocks(void) { return check.quick ? 2 * LOOP_PERIOD + 16 : BLOCKS; }

static void fill_blocks(struct gcm_case *c, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        uint8_t stream[16];
        naive_aes_encrypt(&c->aes, stream, c->counter[b]);
        for (int i = 0; i < 16; i++)
            c->cipher[16 * b + (size_t)i] = c->plain[16 * b + (size_t)i] ^ stream[i];
        memcpy(c->counter[b + 1], c->counter[b], 16);
        naive_count_big(c->counter[b + 1], 4);
        memcpy(c->y[b + 1], c->y[b], 16);
        naive_ghash(c->y[b + 1], c->cipher + 16 * b, c->h);
    }
}

/* ---- blocks ------------------------------------------------------------------------------------ */

static void build_block(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    const struct gcm_case *c = plan->self;
    (void)count;
    call_begin(call, (function)c->ops->block);
    call_key(call, &c->key);
    int out = call_out(call, "out", c->block_out + 16 * from, 16);
    int in = call_in(call, "in", c->plain + 16 * from, 16);
    call_alias(call, out, in);
}

static void build_hash(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    const struct gcm_case *c = plan->self;
    call_begin(call, (function)c->ops->hash);
    call_key(call, &c->key);
    call_in(call, "in", c->cipher + 16 * from, 16 * count);
    call_number(call, "blocks", count);
    call_inout(call, "y", c->y[from], c->y[from + count], 16);
}

static void build_blocks(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    const struct gcm_case *c = plan->self;
    const uint8_t *in = c->opens ? c->cipher : c->plain, *want = c->opens ? c->plain : c->cipher;
    call_begin(call, c->opens ? (function)c->ops->open_blocks : (function)c->ops->seal_blocks);
    call_key(call, &c->key);
    int dst = call_out(call, "out", want + 16 * from, 16 * count);
    int src = call_in(call, "in", in + 16 * from, 16 * count);
    call_number(call, "blocks", count);
    call_inout(call, "counter", c->counter[from], c->counter[from + count], 16);
    call_inout(call, "y", c->y[from], c->y[from + count], 16);
    call_alias(call, dst, src);
}

/* The last four bytes wrap, alone, in every lane of the widest loop and further on. */
static void wrap_blocks(struct gcm_case *c, const struct plan *plan)
{
    size_t lanes = check.quick ? 40 : 2 * LOOP_PERIOD + 3, blocks = 2 * lanes + 40;
    struct call call;
    struct layout layout;
    begin_group(plan->slot, "counter wraps");
    for (int bytes = 1; bytes <= 4; bytes++) {
        random_bytes(c->counter[0], 16);
        random_bytes(c->y[0], 16);
        memset(c->counter[0] + 16 - bytes, 0xff, (size_t)bytes);
        c->counter[0][15] = (uint8_t)(0x100 - lanes);
        if (bytes == 4) /* and what a carry too far would change */
            memset(c->counter[0], 0xff, 15);
        fill_blocks(c, blocks);
        for (size_t from = 0; from <= lanes && !group_over(); from++) {
            for (int turn = 0; turn < 2; turn++) {
                if (check.brief && (size_t)turn != from % 2)
                    continue;
                size_t n = turn ? blocks - from : lanes - from + 1 + random_below(lanes + 39);
                build_blocks(&call, plan, from, n);
                layout_random(&layout);
                layout.alias = turn - 1;
                call_run(&call, &layout);
            }
        }
    }
    end_group();
}

/* ---- whole messages ---------------------------------------------------------------------------- */

static void hash_bytes(const struct gcm_case *c, uint8_t y[16], const uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at < n; at += 16) {
        uint8_t block[16] = { 0 };
        memcpy(block, bytes + at, n - at < 16 ? n - at : 16);
        naive_ghash(y, block, c->h);
    }
}

static void fill_aad(struct gcm_case *c, size_t blocks)
{
    memset(c->aad_y[0], 0, 16);
    for (size_t b = 0; b < blocks; b++) {
        memcpy(c->aad_y[b + 1], c->aad_y[b], 16);
        naive_ghash(c->aad_y[b + 1], c->aad + 16 * b, c->h);
    }
}

static void aad_hash(const struct gcm_case *c, uint8_t y[16], size_t aad_len)
{
    memcpy(y, c->aad_y[aad_len / 16], 16);
    hash_bytes(c, y, c->aad + aad_len / 16 * 16, aad_len % 16);
}

static void make_tag(struct gcm_case *c, size_t aad_len, size_t n)
{
    uint8_t y[16], lengths[16] = { 0 };
    if (c->tag_known && c->tag_aad_len == aad_len && c->tag_n == n)
        return;
    c->tag_known = 1;
    c->tag_aad_len = aad_len;
    c->tag_n = n;
    if (aad_len == c->aad_len) {
        memcpy(y, c->y[n / 16], 16);
        hash_bytes(c, y, c->cipher + n / 16 * 16, n % 16);
    } else {
        aad_hash(c, y, aad_len);
        hash_bytes(c, y, c->cipher, n);
    }
    for (int i = 0; i < 4; i++) {
        lengths[7 - i] = (uint8_t)(8 * aad_len >> 8 * i);
        lengths[15 - i] = (uint8_t)(8 * n >> 8 * i);
    }
    naive_ghash(y, lengths, c->h);
    for (int i = 0; i < 16; i++)
        c->tag[i] = y[i] ^ c->mask[i];
}

/* A nonce of 12 bytes, or whatever a longer one may come to. */
static void new_j0(struct gcm_case *c)
{
    random_bytes(c->j0, 16);
    if (c->by_nonce) {
        memset(c->j0 + 12, 0, 3);
        c->j0[15] = 1;
    }
}

static void message_begin(struct gcm_case *c, size_t aad_len, size_t blocks)
{
    c->aad_len = aad_len;
    c->tag_known = 0;
    naive_aes_encrypt(&c->aes, c->mask, c->j0);
    memcpy(c->counter[0], c->j0, 16);
    naive_count_big(c->counter[0], 4);
    aad_hash(c, c->y[0], aad_len);
    fill_blocks(c, blocks);
}

/* The kernel's function for whole messages with its arguments one by one, as calls have them. */
static void (*whole)(const void *key, const struct xc_message *m, const uint8_t *secret_j0, uint8_t tag[16]);

static void from_nonce(const void *key, const uint8_t *nonce, uint8_t *out, const uint8_t *in, size_t n,
                       const uint8_t *aad, size_t aad_len, uint8_t tag[16])
{
    const struct xc_message m = { out, in, n, nonce, 12, aad, aad_len, 16 };
    whole(key, &m, NULL, tag);
}

static void from_j0(const void *key, const uint8_t *j0, uint8_t *out, const uint8_t *in, size_t n,
                    const uint8_t *aad, size_t aad_len, uint8_t tag[16])
{
    const struct xc_message m = { out, in, n, NULL, 17, aad, aad_len, 16 };
    whole(key, &m, j0, tag);
}

static void build_message(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    struct gcm_case *c = (struct gcm_case *)(uintptr_t)plan->self; /* the tag is made as it is asked for */
    size_t n = c->varies_aad ? c->text_len : count, aad_len = c->varies_aad ? count : c->aad_len;
    const uint8_t *in = c->opens ? c->cipher : c->plain, *want = c->opens ? c->plain : c->cipher;
    (void)from;
    make_tag(c, aad_len, n);
    whole = c->opens ? c->ops->open : c->ops->seal;
    call_begin(call, c->by_nonce ? (function)from_nonce : (function)from_j0);
    call_key(call, &c->key);
    call_in(call, c->by_nonce ? "nonce" : "j0", c->j0, c->by_nonce ? 12 : 16);
    int dst = call_out(call, "out", want, n);
    int src = call_in(call, "in", in, n);
    call_number(call, "n", n);
    call_in(call, "aad", c->aad, aad_len);
    call_number(call, "aad_len", aad_len);
    call_out(call, "tag", c->tag, 16);
    call_alias(call, dst, src);
}

static void check_messages(struct gcm_case *c, const char *slot, int first_key)
{
    static const size_t aad_lens[] = { 13, 0, 16, 1, 20, 32 };
    static const size_t text_lens[] = { 0, 1, 16, 31, 64, 200 };
    size_t max = check.quick ? 2 * LOOP_PERIOD * 16 + 1 : (2 * AES_PERIOD + 1) * 16;
    struct plan plan = { slot, build_message, c, 1, max, max, 0 };
    struct call call;
    struct layout layout;

    /* Every length of text, the longest with the AAD of TLS; then of AAD, beside some of text. Nonces of 12 bytes
     * and other pre-counter blocks by turns. */
    c->varies_aad = 0;
    c->by_nonce = 1;
    for (size_t i = 0; i < sizeof aad_lens / sizeof aad_lens[0]; i++) {
        new_j0(c);
        message_begin(c, aad_lens[i], message_blocks());
        if (i > 0 && (check.bench || (check.brief && !first_key)))
            break;
        if (i > 0)
            plan.max = 2 * LOOP_PERIOD * 16 + 1 < max && !check.brief ? 2 * LOOP_PERIOD * 16 + 1 : 300;
        if (i == 0)
            sweep_all(&plan);
        else
            sweep_lengths(&plan);
        c->by_nonce = !c->by_nonce;
    }
    if (check.bench)
        return;
    c->varies_aad = 1;
    plan.max = check.quick ? 300 : AAD_MAX - 1;
    for (size_t i = 0; i < sizeof text_lens / sizeof text_lens[0]; i++) {
        if (check.brief && !first_key && i % 3 != 1)
            continue;
        c->text_len = text_lens[i];
        new_j0(c);
        message_begin(c, AAD_MAX - 1, 16);
        sweep_lengths(&plan);
        if (i % 3 == 1)
            sweep_offsets(&plan);
        c->by_nonce = !c->by_nonce;
    }

    /* Messages long enough for what is made for one message alone: every number of spans of the counter's
     * lowest byte and batches that may end there, and the bytes around them. */
    c->varies_aad = 0;
    for (c->by_nonce = 0; c->by_nonce < 2; c->by_nonce++) {
        const size_t step = check.quick ? 89 : c->by_nonce ? 1 : 7;
        begin_group(slot, c->by_nonce ? "long messages, by nonce" : "long messages");
        new_j0(c);
        message_begin(c, 13, BLOCKS);
        for (size_t blocks = LONG_FROM - 1; blocks < BLOCKS && !group_over(); blocks += step) {
            static const uint8_t part[] = { 0, 1, 15, 8 };
            const size_t n = 16 * blocks + part[blocks % 4];
            build_message(&call, &plan, 0, n);
            layout_random(&layout);
            layout.edge = blocks % 3 == 0 ? EDGE_START : blocks % 3 == 1 ? EDGE_END : EDGE_MIDDLE;
            layout.alias = (int)(blocks / 3 % 2) - 1;
            call_run(&call, &layout);
        }
        end_group();
    }
    c->by_nonce = 0;

    /* Pre-counter blocks just below the wrap. */
    c->varies_aad = 0;
    begin_group(slot, "counter wraps");
    for (size_t lanes = 0; lanes <= (check.quick ? 40 : 2 * LOOP_PERIOD + 3) && !group_over(); lanes++) {
        size_t blocks = 2 * lanes + 40;
        random_bytes(c->j0, 16);
        memset(c->j0 + 12, 0xff, 4);
        c->j0[15] = (uint8_t)(0xff - lanes);
        if (lanes % 2)
            memset(c->j0, 0xff, 12);
        message_begin(c, random_below(50), blocks);
        for (int turn = 0; turn < 4; turn++) {
            if (check.brief && (size_t)turn != lanes % 4)
                continue;
            build_message(&call, &plan, 0, turn ? random_below(blocks * 16) : blocks * 16);
            layout_random(&layout);
            layout.alias = turn % 2 - 1;
            call_run(&call, &layout);
        }
    }
    end_group();
}

/* ---- keys, and the whole ----------------------------------------------------------------------- */

/* A key for one message of at most `most` bytes, or, with SIZE_MAX, for all. Returns 0 when there is no key to
 * go on with. */
static int make_key_for(struct gcm_case *c, const uint8_t *bytes, size_t len, size_t most, const struct layout *layout)
{
    static const uint8_t zero[16];
    struct call call;
    naive_aes_key(&c->aes, bytes, len);
    naive_aes_encrypt(&c->aes, c->h, zero);
    key_make(&c->key, c->ops->key_size(c->parts));
    call_begin(&call, most == SIZE_MAX ? (function)c->ops->set_key : (function)c->ops->set_brief_key);
    call_new_key(&call, &c->key);
    call_pointer(&call, c->parts);
    call_in(&call, "bytes", bytes, len);
    call_number(&call, "len", len);
    if (most != SIZE_MAX)
        call_number(&call, "most", most);
    unsigned wrong = call_run(&call, layout);
    if (check.bench)
        printf("%-24s set_key-%-8zu %6zu B %10.1f ns\n", check.label, 8 * len, len, call_time(&call));
    key_save(&c->key);
    return !(wrong & WRONG_ACCESS);
}

static int make_key(struct gcm_case *c, const uint8_t *bytes, size_t len, const struct layout *layout)
{
    return make_key_for(c, bytes, len, SIZE_MAX, layout);
}

/* Keys for one message, for just as many bytes as it has. The rest of the key is noise. */
static void check_brief_keys(struct gcm_case *c, size_t len)
{
    struct plan plan = { "set_brief_key", build_message, c, 1, BLOCKS * 16, BLOCKS * 16, 0 };
    struct layout aligned = { EDGE_MIDDLE, { 0 }, -1 };
    size_t last = 16 * (check.quick ? 2 * LOOP_PERIOD + 3 : 2 * GHASH_PERIOD + 3);
    if (!c->ops->set_brief_key || !c->ops->seal)
        return;
    begin_group("set_brief_key", len == 16 ? "128 bits" : len == 24 ? "192 bits" : "256 bits");
    c->varies_aad = 0;
    c->by_nonce = 1;
    for (size_t n = 0; n <= last && !group_over(); n += n < 70 ? 1 : check.quick ? 61 : 13) {
        static const size_t aad_lens[] = { 0, 1, 13, 16, 17, 40, 300 };
        enum { AAD_LENS = sizeof aad_lens / sizeof aad_lens[0] };
        for (size_t i = 0; i < AAD_LENS; i++) {
            if (check.brief && i != (n + len / 8) % AAD_LENS)
                continue; /* they take turns, in another place for every key length */
            uint8_t bytes[32];
            struct call call;
            random_bytes(bytes, len);
            if (make_key_for(c, bytes, len, n + aad_lens[i], &aligned)) {
                new_j0(c);
                fill_aad(c, aad_lens[i] / 16);
                message_begin(c, aad_lens[i], n / 16 + 1);
                c->opens = (int)(i % 2);
                build_message(&call, &plan, 0, n);
                call_run(&call, &aligned);
            }
            key_free(&c->key);
        }
    }
    end_group();
}

static void check_keys(struct gcm_case *c, size_t len)
{
    struct call call;
    struct layout layout;
    struct plan plan = { "seal_blocks", build_blocks, c, 16, PIECES, PIECES, 1 };
    begin_group("set_key", len == 16 ? "128 bits" : len == 24 ? "192 bits" : "256 bits");
    c->opens = 0;
    for (unsigned turn = 0; turn < 66 && !group_over(); turn += check.quick && turn ? 13 : 1) {
        uint8_t bytes[32];
        random_bytes(bytes, len);
        layout_random(&layout);
        layout.edge = turn == 0 ? EDGE_START : turn == 1 ? EDGE_END : EDGE_MIDDLE;
        if (turn > 1)
            layout.offset[0] = (uint8_t)(turn - 2);
        int made = make_key(c, bytes, len, &layout);
        random_bytes(c->y[0], 16);
        random_bytes(c->counter[0], 16);
        fill_blocks(c, 40);
        for (size_t n = 1; made && n <= 40; n += 13) {
            build_blocks(&call, &plan, 0, n);
            call_run(&call, &layout);
        }
        key_free(&c->key);
    }
    end_group();
}

void check_gcm(const char *label, const struct xc_gcm_ops *ops, const struct xc_choice *parts)
{
    static struct gcm_case c;
    static const char *const names[] = { "-128", "-192", "-256" };
    static uint8_t tag[16];
    struct layout aligned = { EDGE_MIDDLE, { 0 }, -1 };
    begin_kernel(label);
    memset(&c, 0, sizeof c);
    c.ops = ops;
    c.parts = parts;
    c.tag = tag;
    for (size_t len = 16; len <= 32; len += 8) {
        const char *bits = names[len / 8 - 2];
        char slot[32];
        uint8_t bytes[32];
        if ((check.bench && len == 24) || (check.one_key && len != (size_t)check.one_key))
            continue;
        random_bytes(c.plain, sizeof c.plain);
        random_bytes(c.aad, sizeof c.aad);
        if (!check.bench) {
            check_keys(&c, len);
            check_brief_keys(&c, len);
        }
        random_bytes(bytes, len);
        begin_group("set_key", "the key of the sweeps");
        int made = make_key(&c, bytes, len, &aligned);
        end_group();
        if (!made) {
            key_free(&c.key);
            continue;
        }

        size_t loop = check.quick ? 2 * LOOP_PERIOD + 1 : 2 * AES_PERIOD + 1;
        for (c.opens = 0; c.opens < 2; c.opens++) {
            struct plan plan = { slot, build_blocks, &c, 16, check.quick ? loop + 9 : PIECES, loop, 1 };
            snprintf(slot, sizeof slot, "%s_blocks%s", c.opens ? "open" : "seal", bits);
            random_bytes(c.counter[0], 16);
            random_bytes(c.y[0], 16);
            fill_blocks(&c, message_blocks());
            sweep_all(&plan);
            if (!check.bench)
                wrap_blocks(&c, &plan);
        }

        random_bytes(c.y[0], 16);
        fill_blocks(&c, message_blocks());
        struct plan hash = { slot,
                             build_hash,
                             &c,
                             16,
                             check.quick ? loop + 9 : PIECES,
                             check.quick ? loop : 2 * GHASH_PERIOD + 1,
                             1 };
        snprintf(slot, sizeof slot, "hash%s", bits);
        sweep_all(&hash);

        for (size_t b = 0; b < 64; b++)
            naive_aes_encrypt(&c.aes, c.block_out + 16 * b, c.plain + 16 * b);
        struct plan block = { slot, build_block, &c, 16, 64, 1, 1 };
        snprintf(slot, sizeof slot, "block%s", bits);
        if (check.bench) {
            sweep_all(&block);
        } else {
            struct call call;
            begin_group(slot, "blocks");
            for (size_t b = 0; b < 64 && !group_over(); b++) {
                for (int turn = 0; turn < 4; turn++) {
                    struct layout layout;
                    layout_random(&layout);
                    layout.edge = turn == 0 ? EDGE_START : turn == 1 ? EDGE_END : EDGE_MIDDLE;
                    layout.alias = turn == 3 ? 0 : -1;
                    layout.offset[b % 2] = (uint8_t)b;
                    build_block(&call, &block, b, 1);
                    call_run(&call, &layout);
                }
            }
            end_group();
        }

        fill_aad(&c, AAD_MAX / 16);
        for (c.opens = 0; c.opens < 2; c.opens++) {
            if (!(c.opens ? ops->open : ops->seal))
                continue;
            snprintf(slot, sizeof slot, "%s%s", c.opens ? "open" : "seal", bits);
            check_messages(&c, slot, len == 16);
        }
        key_free(&c.key);
    }
}
