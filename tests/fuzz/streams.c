/* streams.c — one message in any split, in any order of calls, and what the same message gives in one call. */
#include "fuzz.h"

#include <stdlib.h>

/* Bytes that went through a stream. */
struct bytes {
    uint8_t *p;
    size_t n;
};

enum {
    STREAMS = 4,
    MESSAGE_MAX = 80000,
    NONCE_MAX = 300
};

/* The same stream on both kernels, and all that is known of it. */
static struct flow {
    xorcore_stream *stream[2];
    struct object object; /* without its handles: they may be freed while the stream lives */
    int direction;
    uint8_t nonce[NONCE_MAX];
    size_t nonce_len;
    struct bytes aad, in, out;
    int announced, done;
    uint64_t aad_goal, text_goal;
    uint64_t position; /* CTR: of the next byte */
    int at_end;        /* CTR: byte 2^64 - 1 has been used */
    int has_iv;        /* stream_iv was asked at that byte */
    size_t iv_at;
    uint8_t iv[16];
} flows[STREAMS];

static void append(struct bytes *b, const uint8_t *p, size_t n)
{
    if (!n)
        return;
    b->p = realloc(b->p, b->n + n);
    if (!b->p)
        abort();
    memcpy(b->p + b->n, p, n);
    b->n += n;
}

static void forget(struct bytes *b)
{
    free(b->p);
    b->p = NULL;
    b->n = 0;
}

static struct bytes clone(const struct bytes *b)
{
    struct bytes copy = { NULL, 0 };
    append(&copy, b->p, b->n);
    return copy;
}

static int is(const struct flow *f, int id) { return f->object.rules->id == id; }

static enum noun noun(const struct flow *f) { return f->object.rules->noun; }

static int silent(const struct flow *f)
{
    return noun(f) == MAC || (noun(f) == AEAD && f->direction == XORCORE_DECRYPT);
}

/* ---- against one call ------------------------------------------------------------------------------ */

static void same(const char *what, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n && memcmp(a, b, n))
        wrong("%s: other bytes in pieces than in one call", what);
}

static uint8_t *room(size_t n)
{
    uint8_t *p = malloc(n + 1); /* the byte keeps it from being NULL */
    if (!p)
        abort();
    return p;
}

static int one_call(const struct flow *f, const void *handle, const uint8_t *iv, uint8_t *out,
                    const uint8_t *in, size_t n)
{
    return (f->direction == XORCORE_ENCRYPT ? xorcore_cipher_encrypt
                                            : xorcore_cipher_decrypt)(handle, out, iv, f->nonce_len, in, n);
}

/* The end of a cipher's message, wherever it is. CTR is checked at every update instead. */
static void settle(struct flow *f)
{
    if (!f->stream[0] || noun(f) != CIPHER || is(f, XORCORE_AES_CTR) || !f->in.n)
        return;
    void *handle = object_again(&f->object, 1);
    uint8_t *out = room(f->in.n);
    if (one_call(f, handle, f->nonce, out, f->in.p, f->in.n))
        wrong("one call refuses what a stream took");
    same("cipher", out, f->out.p, f->in.n);
    if (f->has_iv) {
        if (one_call(f, handle, f->iv, out, f->in.p + f->iv_at, f->in.n - f->iv_at))
            wrong("one call refuses what a stream took");
        same("from stream_iv on", out, f->out.p + f->iv_at, f->in.n - f->iv_at);
    }
    free(out);
    handle_free(f->object.rules, handle);
}

/* The tag that the message ought to have. For an opened message its text is the one whose sealing gives it. */
static void right_tag(struct flow *f, uint8_t tag[16])
{
    const struct rules *r = f->object.rules;
    void *handle = object_again(&f->object, 1);
    uint8_t *out = room(f->in.n);
    int result;
    if (noun(f) == MAC) {
        result =
            xorcore_mac_compute(handle, tag, f->object.tag_len, f->nonce, f->nonce_len, f->in.p, f->in.n);
    } else {
        struct bytes text = clone(f->direction == XORCORE_DECRYPT_UNVERIFIED ? &f->out : &f->in);
        if (f->direction == XORCORE_DECRYPT) { /* it gave no text: CTR is the same both ways */
            uint8_t ignored[16];
            if (text.n && xorcore_aead_seal(handle, text.p, ignored, f->object.tag_len, f->nonce,
                                            f->nonce_len, text.p, text.n, NULL, 0))
                wrong("one call refuses what a stream took");
        }
        result = xorcore_aead_seal(handle, out, tag, f->object.tag_len, f->nonce, f->nonce_len, text.p,
                                   text.n, f->aad.p, f->aad.n);
        same("aead", out, f->direction == XORCORE_ENCRYPT ? f->out.p : f->in.p, f->in.n);
        forget(&text);
    }
    if (result)
        wrong("one call refuses what a stream took: %s", xorcore_result_name(result));
    free(out);
    handle_free(r, handle);
}

/* ---- making ------------------------------------------------------------------------------------------ */

static void drop(struct flow *f)
{
    settle(f);
    for (int side = 0; side < 2; side++) {
        xorcore_stream_free(f->stream[side]);
        f->stream[side] = NULL;
    }
    forget(&f->aad);
    forget(&f->in);
    forget(&f->out);
}

void streams_end(void)
{
    for (size_t i = 0; i < STREAMS; i++)
        drop(&flows[i]);
}

static void start(struct flow *f, struct where nonce)
{
    f->aad.n = f->in.n = f->out.n = 0;
    f->announced = f->done = f->at_end = f->has_iv = 0;
    f->aad_goal = aad_limit(f->object.rules);
    f->text_goal = text_limit(f->object.rules, nonce.n);
    f->position = 0;
    f->nonce_len = nonce.n;
    if (nonce.n)
        memcpy(f->nonce, pointer(0, nonce), nonce.n);
}

static int askable(int due, struct where nonce) { return due || (fits(nonce) && nonce.n <= NONCE_MAX); }

static void new_stream(struct flow *f, int right)
{
    const struct object *o = take_object();
    const struct rules *r = o->rules;
    int direction = right ? r->noun == AEAD ? take8() % 3 : take8() % 2 : (int)take_64(), got[2];
    struct where nonce = take_where(take_nonce_length(r), NULL, 0);
    if (right && (missing(nonce) || !nonce_fits(r, nonce.n)))
        nonce = (struct where){ 0, 0, r->nonce_min };
    take_edge(nonce);
    int due = XORCORE_OK;
    if (missing(nonce) || (r->noun != MAC && (direction < 0 || direction > (r->noun == AEAD ? 2 : 1))))
        due = XORCORE_E_ARG;
    else if (!r->streams)
        due = XORCORE_E_UNSUPPORTED;
    else if (!nonce_fits(r, nonce.n))
        due = XORCORE_E_NONCE_LENGTH;
    if (!askable(due, nonce))
        return;
    drop(f);
    keep();
    for (int side = 0; side < 2; side++) {
        const uint8_t *iv = pointer(side, nonce);
        xorcore_stream **out = &f->stream[side];
        *out = (xorcore_stream *)(void *)f; /* anything but NULL */
        switch (r->noun) {
        case AEAD: got[side] = xorcore_stream_new_aead(out, o->handle[side], direction, iv, nonce.n); break;
        case CIPHER:
            got[side] = xorcore_stream_new_cipher(out, o->handle[side], direction, iv, nonce.n);
            break;
        default: got[side] = xorcore_stream_new_mac(out, o->handle[side], iv, nonce.n);
        }
        if (got[side] && *out)
            wrong("a failed new left something in *out");
    }
    both_must(CALL_STREAM_NEW, got, due);
    unchanged_but("stream_new", NULL, 0);
    if (due)
        return;
    f->object = *o;
    f->direction = direction;
    start(f, nonce);
}

static void reset(struct flow *f)
{
    const struct where nonce = take_where(take_nonce_length(f->object.rules), NULL, 0);
    const int due = missing(nonce)                          ? XORCORE_E_ARG
                    : !nonce_fits(f->object.rules, nonce.n) ? XORCORE_E_NONCE_LENGTH
                                                            : XORCORE_OK;
    int got[2];
    if (!askable(due, nonce))
        return;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_stream_reset(f->stream[side], pointer(side, nonce), nonce.n);
    both_must(CALL_STREAM_RESET, got, due);
    unchanged_but("stream_reset", NULL, 0);
    if (due)
        return;
    settle(f);
    start(f, nonce);
}

static void copy(struct flow *f)
{
    struct flow *to = &flows[take8() % STREAMS];
    const int due = noun(f) == AEAD && f->direction == XORCORE_ENCRYPT ? XORCORE_E_UNSUPPORTED : XORCORE_OK;
    xorcore_stream *made[2];
    int got[2];
    for (int side = 0; side < 2; side++) {
        made[side] = f->stream[side];
        got[side] = xorcore_stream_copy(&made[side], f->stream[side]);
        if (got[side] && made[side])
            wrong("a failed copy left something in *out");
    }
    both_must(CALL_STREAM_COPY, got, due);
    if (due)
        return;
    struct flow twin = *f;
    twin.aad = clone(&f->aad);
    twin.in = clone(&f->in);
    twin.out = clone(&f->out);
    drop(to);
    *to = twin;
    for (int side = 0; side < 2; side++)
        to->stream[side] = made[side];
}

/* ---- feeding ------------------------------------------------------------------------------------------- */

static int unannounced(const struct flow *f) { return is(f, XORCORE_AES_CCM) && !f->announced; }

static void lengths(struct flow *f, uint64_t aad_len, uint64_t text_len)
{
    int due = XORCORE_OK, got[2];
    if (noun(f) != AEAD)
        due = XORCORE_E_UNSUPPORTED;
    else if (f->announced || f->done || f->aad.n || f->in.n)
        due = XORCORE_E_STATE;
    else if (aad_len > f->aad_goal || text_len > f->text_goal)
        due = XORCORE_E_LIMIT;
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_stream_lengths(f->stream[side], aad_len, text_len);
    both_must(CALL_STREAM_LENGTHS, got, due);
    if (!due) {
        f->announced = 1;
        f->aad_goal = aad_len;
        f->text_goal = text_len;
    }
}

static void aad(struct flow *f, size_t n)
{
    const struct where in = take_where(n, NULL, 0);
    int due = XORCORE_OK, got[2];
    if (missing(in))
        due = XORCORE_E_ARG;
    else if (noun(f) != AEAD)
        due = XORCORE_E_UNSUPPORTED;
    else if (f->done || f->in.n || unannounced(f))
        due = XORCORE_E_STATE;
    else if (n > f->aad_goal - f->aad.n)
        due = XORCORE_E_LIMIT;
    if (!due && (!fits(in) || f->aad.n + n > MESSAGE_MAX))
        return;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_stream_aad(f->stream[side], pointer(side, in), n);
    both_must(CALL_STREAM_AAD, got, due);
    unchanged_but("stream_aad", NULL, 0);
    if (!due)
        append(&f->aad, pointer(0, in), n);
}

static int wanted_update(const struct flow *f, struct where out, struct where in)
{
    const size_t n = in.n;
    if (missing(in) || (silent(f) ? !out.null : missing(out)))
        return XORCORE_E_ARG;
    if (f->done || unannounced(f) || (n && f->announced && f->aad.n != f->aad_goal))
        return XORCORE_E_STATE;
    if (n % f->object.rules->unit)
        return XORCORE_E_DATA_LENGTH;
    if (is(f, XORCORE_AES_CTR) && n && (f->at_end || UINT64_MAX - f->position < n - 1))
        return XORCORE_E_LIMIT;
    if (noun(f) != CIPHER && n > f->text_goal - f->in.n)
        return XORCORE_E_LIMIT;
    return !silent(f) && partly(out, in) ? XORCORE_E_OVERLAP : XORCORE_OK;
}

/* CTR: these bytes by themselves. */
static void settle_ctr(const struct flow *f, struct where out, uint8_t *text, size_t n)
{
    void *handle = object_again(&f->object, 0);
    if (xorcore_cipher_ctr_at(handle, text, f->nonce, 16, f->position, text, n))
        wrong("ctr_at refuses what a stream took");
    same("CTR", text, pointer(1, out), n);
    handle_free(f->object.rules, handle);
}

static void update(struct flow *f, size_t n)
{
    const struct where in = take_where(n, NULL, 0);
    struct where out = take_where(n, &in, 120);
    int got[2];
    if (silent(f) && !take_chance(4))
        out.null = 1;
    const int due = wanted_update(f, out, in);
    if ((!due && (!fits(in) || !fits(out) || f->in.n + n > MESSAGE_MAX)) ||
        (due == XORCORE_E_OVERLAP && n > SIZE_MAX / 2))
        return;
    uint8_t *text = room(due ? 0 : n); /* in place it is gone afterwards */
    if (!due && n)
        memcpy(text, pointer(0, in), n);
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_stream_update(f->stream[side], pointer(side, out), pointer(side, in), n);
    both_must(CALL_STREAM_UPDATE, got, due);
    unchanged_but("stream_update", &out, !due && !silent(f));
    if (!due && is(f, XORCORE_AES_CTR)) {
        settle_ctr(f, out, text, n);
        f->position += n;
        f->at_end = n ? f->position == 0 : f->at_end;
    } else if (!due) {
        append(&f->in, text, n);
        append(&f->out, pointer(0, out), silent(f) ? 0 : n);
    }
    free(text);
}

static void seek(struct flow *f)
{
    const uint64_t offset = take_64();
    const int due = is(f, XORCORE_AES_CTR) ? XORCORE_OK : XORCORE_E_UNSUPPORTED;
    int got[2];
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_stream_seek(f->stream[side], offset);
    both_must(CALL_STREAM_SEEK, got, due);
    if (!due) {
        f->position = offset;
        f->at_end = 0;
    }
}

static void stream_iv(struct flow *f)
{
    const struct where iv = take_where(take_chance(20) ? take_length() : 16, NULL, 0);
    const int blocky = !is(f, XORCORE_AES_CFB8), ctr = is(f, XORCORE_AES_CTR);
    int due = XORCORE_OK, got[2];
    if (missing(iv))
        due = XORCORE_E_ARG;
    else if (noun(f) != CIPHER || !f->object.rules->nonce_min)
        due = XORCORE_E_UNSUPPORTED;
    else if (blocky && (ctr ? f->position : f->in.n) % 16)
        due = XORCORE_E_STATE;
    else if (iv.n != 16)
        due = XORCORE_E_NONCE_LENGTH;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_stream_iv(f->stream[side], pointer(side, iv), iv.n);
    both_must(CALL_STREAM_IV, got, due);
    unchanged_but("stream_iv", &iv, !due);
    if (due)
        return;
    if (ctr) { /* the counter block, by school arithmetic */
        uint64_t blocks = f->position / 16 + (f->at_end ? (uint64_t)1 << 60 : 0);
        unsigned carry = 0;
        for (int i = 15; i >= 0; i--, blocks >>= 8) {
            const unsigned sum = f->nonce[i] + (unsigned)(blocks & 255) + carry;
            if (arena[0][iv.at + (size_t)i] != (uint8_t)sum)
                wrong("stream_iv of CTR");
            carry = sum >> 8;
        }
        return;
    }
    f->has_iv = 1;
    f->iv_at = f->in.n;
    memcpy(f->iv, pointer(0, iv), 16);
}

/* ---- the end ------------------------------------------------------------------------------------------- */

static int early(const struct flow *f)
{
    return f->done || unannounced(f) ||
           (f->announced && (f->aad.n != f->aad_goal || f->in.n != f->text_goal));
}

static void finish(struct flow *f)
{
    const struct where tag = take_where(take_chance(200) ? f->object.tag_len : take_below(40), NULL, 0);
    int due = XORCORE_OK, got[2];
    if (missing(tag))
        due = XORCORE_E_ARG;
    else if (noun(f) == CIPHER || (noun(f) == AEAD && f->direction != XORCORE_ENCRYPT))
        due = XORCORE_E_UNSUPPORTED;
    else if (early(f))
        due = XORCORE_E_STATE;
    else if (tag.n != f->object.tag_len)
        due = XORCORE_E_TAG_LENGTH;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_stream_finish(f->stream[side], pointer(side, tag), tag.n);
    both_must(CALL_STREAM_FINISH, got, due);
    unchanged_but("stream_finish", &tag, !due);
    if (due)
        return;
    uint8_t right[16];
    f->done = 1;
    right_tag(f, right);
    same("tag", right, pointer(0, tag), tag.n);
}

static void verify(struct flow *f)
{
    const uint8_t kind = take8();
    struct where tag = take_where(kind < 200 ? f->object.tag_len : take_below(40), NULL, 0);
    int due = XORCORE_OK, got[2];
    if (missing(tag)) {
        due = XORCORE_E_ARG;
    } else if (noun(f) == CIPHER || (noun(f) == AEAD && f->direction == XORCORE_ENCRYPT)) {
        due = XORCORE_E_UNSUPPORTED;
    } else if (early(f)) {
        due = XORCORE_E_STATE;
    } else {
        uint8_t right[16];
        right_tag(f, right);
        for (int side = 0; side < 2; side++)
            for (size_t i = 0; i < tag.n && i < 16; i++)
                arena[side][tag.at + i] = right[i];
        if (tag.n == f->object.tag_len && kind < 60) {
            const size_t at = tag.at + take_below(tag.n);
            arena[0][at] ^= 0x10;
            arena[1][at] ^= 0x10;
            due = XORCORE_E_AUTH;
        } else if (tag.n != f->object.tag_len) {
            due = XORCORE_E_AUTH;
        }
    }
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_stream_verify(f->stream[side], pointer(side, tag), tag.n);
    both_must(CALL_STREAM_VERIFY, got, due);
    unchanged_but("stream_verify", NULL, 0);
    f->done |= due == XORCORE_OK || due == XORCORE_E_AUTH;
}

/* ---- operations ------------------------------------------------------------------------------------------ */

/* What is announced is mostly kept to, so that messages come to an end. */
static size_t take_piece(const struct flow *f, uint64_t goal, size_t so_far)
{
    size_t n = take_length();
    if (take_chance(235))
        n -= n % f->object.rules->unit;
    if (f->announced && take_chance(240) && n > goal - so_far)
        n = (size_t)(goal - so_far);
    if (is(f, XORCORE_AES_CTR) && f->position > UINT64_MAX - ARENA && take_chance(128))
        n = (size_t)(UINT64_MAX - f->position) + 1; /* to the very end */
    return n;
}

/* A whole message, from where it is. */
static void message(struct flow *f)
{
    if (noun(f) == AEAD && (is(f, XORCORE_AES_CCM) || take_chance(60))) {
        const size_t aad_len = take_chance(16) ? 65200 + take_below(500) : take_length();
        lengths(f, aad_len, take_length());
    }
    for (size_t i = take8() % 6; noun(f) == AEAD && i; i--)
        aad(f, take_piece(f, f->aad_goal, f->aad.n));
    while (f->announced && f->aad.n < f->aad_goal && f->aad_goal <= MESSAGE_MAX && !f->done) {
        const size_t had = f->aad.n, left = (size_t)(f->aad_goal - f->aad.n);
        aad(f, left < ARENA ? left : ARENA);
        if (f->aad.n == had)
            break;
    }
    for (size_t i = take8() % 8; i; i--)
        update(f, take_piece(f, f->text_goal, f->in.n));
    if (f->announced && f->text_goal - f->in.n <= ARENA)
        update(f, (size_t)(f->text_goal - f->in.n));
    if (noun(f) != CIPHER)
        (f->direction == XORCORE_ENCRYPT && (noun(f) == AEAD || take_chance(128)) ? finish : verify)(f);
}

static void without_stream(void)
{
    xorcore_stream *s = (xorcore_stream *)(void *)before;
    if (xorcore_stream_copy(&s, NULL) != XORCORE_E_ARG || s ||
        xorcore_stream_copy(NULL, NULL) != XORCORE_E_ARG ||
        xorcore_stream_new_aead(NULL, NULL, 0, NULL, 0) != XORCORE_E_ARG ||
        xorcore_stream_new_cipher(NULL, NULL, 0, NULL, 0) != XORCORE_E_ARG ||
        xorcore_stream_new_mac(NULL, NULL, NULL, 0) != XORCORE_E_ARG ||
        xorcore_stream_reset(NULL, NULL, 0) != XORCORE_E_ARG ||
        xorcore_stream_lengths(NULL, 0, 0) != XORCORE_E_ARG ||
        xorcore_stream_aad(NULL, NULL, 0) != XORCORE_E_ARG ||
        xorcore_stream_update(NULL, NULL, NULL, 0) != XORCORE_E_ARG ||
        xorcore_stream_seek(NULL, 0) != XORCORE_E_ARG || xorcore_stream_iv(NULL, NULL, 0) != XORCORE_E_ARG ||
        xorcore_stream_finish(NULL, NULL, 0) != XORCORE_E_ARG ||
        xorcore_stream_verify(NULL, NULL, 0) != XORCORE_E_ARG)
        wrong("a call without a stream");
    xorcore_stream_free(NULL);
}

void stream_op(void)
{
    struct flow *f = &flows[take8() % STREAMS];
    uint8_t kind = take8();
    if (!f->stream[0] || kind < 20) {
        new_stream(f, !take_chance(20));
        if (!f->stream[0] || take_chance(40))
            return;
        message(f);
        return;
    }
    if (is(f, XORCORE_AES_CTR) && (kind < 100 || f->at_end))
        kind = kind & 1 ? 6 : 13; /* seek, update */
    switch (kind % 16) {
    case 0: drop(f); break;
    case 1: reset(f); break;
    case 2: copy(f); break;
    case 3: {
        const uint64_t aad_len = take_64(), text_len = take_64();
        lengths(f, aad_len, text_len);
        break;
    }
    case 4:
    case 5: aad(f, take_piece(f, f->aad_goal, f->aad.n)); break;
    case 6:
    case 7:
        seek(f);
        update(f, take_piece(f, f->text_goal, f->in.n));
        break;
    case 8: stream_iv(f); break;
    case 9: finish(f); break;
    case 10: verify(f); break;
    case 11:
        reset(f);
        message(f);
        break;
    case 12:
        if (take_chance(16)) {
            without_stream();
            break;
        }
        /* fall through */
    default: update(f, take_piece(f, f->text_goal, f->in.n));
    }
}
