/* rows.c — many messages in one call, against the same messages one by one. */
#include "fuzz.h"

#include <stdlib.h>

enum {
    ROWS_MAX = 7,
    ROW_MAX = 128
};

/* The operation, the object's noun and which way. */
struct batch {
    const struct object *object;
    int forward; /* seal, encrypt, compute */
    struct where out, in, aux;
    size_t nonce_len, count, row_size;
};

static int makes_text(const struct batch *b) { return b->object->rules->noun != MAC; }

static int has_tag(const struct batch *b) { return b->object->rules->noun != CIPHER; }

static int call_rows(const struct batch *b, int side, xorcore_row *rows, size_t count, size_t row_size)
{
    typedef int aead_call(const xorcore_aead *, uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *,
                          size_t, size_t, xorcore_row *, size_t, size_t);
    typedef int cipher_call(const xorcore_cipher *, uint8_t *, size_t, const uint8_t *, size_t,
                            const uint8_t *, size_t, size_t, xorcore_row *, size_t, size_t);
    typedef int mac_call(const xorcore_mac *, uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *,
                         size_t, size_t, xorcore_row *, size_t, size_t);
    static aead_call *const aead[] = { xorcore_aead_open_rows, xorcore_aead_seal_rows };
    static cipher_call *const cipher[] = { xorcore_cipher_decrypt_rows, xorcore_cipher_encrypt_rows };
    static mac_call *const mac[] = { xorcore_mac_verify_rows, xorcore_mac_compute_rows };
    uint8_t *out = pointer(side, b->out);
    const uint8_t *in = pointer(side, b->in), *aux = pointer(side, b->aux);
    const void *handle = b->object->handle[side];
    switch (b->object->rules->noun) {
    case AEAD:
        return aead[b->forward](handle, out, b->out.n, in, b->in.n, aux, b->aux.n, b->nonce_len, rows, count,
                                row_size);
    case CIPHER:
        return cipher[b->forward](handle, out, b->out.n, in, b->in.n, aux, b->aux.n, b->nonce_len, rows,
                                  count, row_size);
    default:
        return mac[b->forward](handle, out, b->out.n, in, b->in.n, aux, b->aux.n, b->nonce_len, rows, count,
                               row_size);
    }
}

/* ---- one row by itself ---------------------------------------------------------------------------------- */

static int inside(uint64_t at, uint64_t n, struct where w) { return at <= w.n && n <= w.n - at; }

/* What the row reads and writes, or 0 when it leaves its arenas. */
struct places {
    struct where out, in, nonce, aad, tag;
};

static struct where part(struct where w, uint64_t at, uint64_t n)
{
    return (struct where){ w.null, w.at + (size_t)at, (size_t)n };
}

static int locate(const struct batch *b, const xorcore_row *r, struct places *p)
{
    const size_t tag_len = has_tag(b) ? b->object->tag_len : 0;
    const struct where tags = b->forward ? b->out : b->aux, none = { 1, 0, 0 };
    if (!inside(r->in_at, r->len, b->in) || !inside(r->nonce_at, b->nonce_len, b->aux) ||
        (makes_text(b) && !inside(r->out_at, r->len, b->out)) ||
        (b->object->rules->noun == AEAD && !inside(r->aad_at, r->aad_len, b->aux)) ||
        (has_tag(b) && !inside(r->tag_at, tag_len, tags)))
        return 0;
    p->in = part(b->in, r->in_at, r->len);
    p->nonce = part(b->aux, r->nonce_at, b->nonce_len);
    p->out = makes_text(b) ? part(b->out, r->out_at, r->len) : none;
    p->aad = b->object->rules->noun == AEAD ? part(b->aux, r->aad_at, r->aad_len) : none;
    p->tag = has_tag(b) ? part(tags, r->tag_at, tag_len) : none;
    return 1;
}

/* The one-shot call on a third arena. */
static int alone(const struct batch *b, uint8_t *base, const xorcore_row *r)
{
    struct places p;
    if (r->reserved || !locate(b, r, &p))
        return XORCORE_E_ARG;
    const void *handle = b->object->handle[1];
    uint8_t *out = p.out.null ? NULL : base + p.out.at, *tag = p.tag.null ? NULL : base + p.tag.at;
    const uint8_t *in = p.in.null ? NULL : base + p.in.at, *nonce = p.nonce.null ? NULL : base + p.nonce.at;
    const uint8_t *aad = p.aad.null ? NULL : base + p.aad.at;
    switch (b->object->rules->noun) {
    case AEAD:
        if (b->forward)
            return xorcore_aead_seal(handle, out, tag, p.tag.n, nonce, p.nonce.n, in, p.in.n, aad, p.aad.n);
        return xorcore_aead_open(handle, out, nonce, p.nonce.n, in, p.in.n, tag, p.tag.n, aad, p.aad.n);
    case CIPHER:
        return (b->forward ? xorcore_cipher_encrypt : xorcore_cipher_decrypt)(handle, out, nonce, p.nonce.n,
                                                                              in, p.in.n);
    default:
        if (b->forward)
            return xorcore_mac_compute(handle, tag, p.tag.n, nonce, p.nonce.n, in, p.in.n);
        return xorcore_mac_verify(handle, tag, p.tag.n, nonce, p.nonce.n, in, p.in.n);
    }
}

/* One row writes what another one reads or writes: then nobody says which bytes come out. */
static int in_conflict(const struct batch *b, const xorcore_row *rows)
{
    struct places p[ROWS_MAX];
    int there[ROWS_MAX];
    for (size_t i = 0; i < b->count; i++)
        there[i] = locate(b, &rows[i], &p[i]);
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = 0; there[i] && k < b->count; k++) {
            if (k == i || !there[k])
                continue;
            const struct where parts[] = { p[k].out, p[k].in, p[k].nonce, p[k].aad, p[k].tag };
            for (size_t j = 0; j < 5; j++)
                if (touch(p[i].out, parts[j]) || (b->forward && touch(p[i].tag, parts[j])))
                    return 1;
        }
    return 0;
}

/* ---- the operation ---------------------------------------------------------------------------------------- */

static uint64_t take_at(struct where arena_part, uint64_t n)
{
    if (take_chance(6))
        return take_64();
    return take_below(arena_part.n > n ? (size_t)(arena_part.n - n) + 1 : 1);
}

static xorcore_row take_row(const struct batch *b)
{
    const struct rules *r = b->object->rules;
    const uint64_t tag_len = b->object->tag_len;
    xorcore_row row;
    memset(&row, 0, sizeof row);
    row.len = take_chance(4) ? take_64() : take_mostly(300, 3000);
    row.len -= row.len % r->unit;
    row.in_at = take_at(b->in, row.len);
    row.nonce_at = take_at(b->aux, b->nonce_len);
    row.out_at = take_chance(100) ? row.in_at : take_at(b->out, row.len);
    row.aad_len = take_chance(4) ? take_64() : take_below(60);
    row.aad_at = take_at(b->aux, row.aad_len);
    row.tag_at = take_chance(100) && b->forward ? row.out_at + row.len
                                                : take_at(b->forward ? b->out : b->aux, tag_len);
    row.reserved = take_chance(4) ? take16() : 0;
    row.result = 1234;
    return row;
}

static int wanted_call(const struct batch *b, int null_rows, size_t count, size_t row_size)
{
    if ((null_rows && count) || row_size < sizeof(xorcore_row) || row_size % 8 ||
        (count && row_size > SIZE_MAX / count) || missing(b->out) || missing(b->in) || missing(b->aux))
        return XORCORE_E_ARG;
    return nonce_fits(b->object->rules, b->nonce_len) ? XORCORE_OK : XORCORE_E_NONCE_LENGTH;
}

/* Rows that cannot be an array: refused, and nothing of it is touched. */
static void impossible(const struct batch *b)
{
    xorcore_row row;
    memset(&row, 0, sizeof row);
    const xorcore_row kept = row;
    const size_t size = 64 + 8 * take_below(20);
    for (int side = 0; side < 2; side++)
        if (call_rows(b, side, &row, SIZE_MAX / size + 1 + take_below(100), size) != XORCORE_E_ARG ||
            memcmp(&row, &kept, sizeof row))
            wrong("more rows than memory has bytes");
}

void rows_op(void)
{
    static const size_t sizes[] = { 72, 128, 80, 120, 63, 68, 56, 0, 8, 65 };
    struct batch b = { .object = take_object(), .forward = take_chance(180) };
    const size_t whole = take_chance(100) ? ARENA : 2000 + take_below(8000);
    b.in = take_where(whole, NULL, 0);
    b.out = take_where(whole, &b.in, 160);
    b.aux = take_where(take_chance(128) ? whole : 1500, &b.in, 100);
    if (b.object->rules->noun == MAC && !b.forward && take_chance(128))
        b.out = (struct where){ 1, 0, 0 };
    b.nonce_len = take_nonce_length(b.object->rules);
    b.count = take8() % (ROWS_MAX + 1);
    b.row_size = take_chance(80) ? sizes[take8() % (sizeof sizes / sizeof sizes[0])] : sizeof(xorcore_row);
    if (take_chance(4)) {
        impossible(&b);
        return;
    }

    /* Both arrays end where their blocks end. */
    static xorcore_row rows[ROWS_MAX];
    uint8_t *array[2], *shadow = malloc(ARENA);
    int dirty[ROWS_MAX] = { 0 }, wanted[ROWS_MAX], got[2];
    const size_t bytes = b.count * b.row_size;
    for (int side = 0; side < 2; side++)
        array[side] = calloc(1, bytes ? bytes : 1);
    if (!shadow || !array[0] || !array[1])
        abort();
    for (size_t i = 0; i < b.count; i++) {
        rows[i] = take_row(&b);
        const size_t n = b.row_size < sizeof rows[i] ? b.row_size : sizeof rows[i];
        dirty[i] = b.row_size > sizeof rows[i] && take_chance(10);
        for (int side = 0; side < 2; side++) {
            memcpy(array[side] + i * b.row_size, &rows[i], n);
            if (dirty[i])
                array[side][i * b.row_size + sizeof rows[i] + (b.row_size - sizeof rows[i]) / 2] = 1;
        }
    }

    const int null_rows = take_chance(6) || !b.count, error = wanted_call(&b, null_rows, b.count, b.row_size);
    const int conflict = !error && in_conflict(&b, rows);
    int due = error;
    keep();
    memcpy(shadow, before, ARENA);
    for (size_t i = 0; i < b.count; i++) {
        wanted[i] = error ? error : dirty[i] ? XORCORE_E_ARG : alone(&b, shadow, &rows[i]);
        due = due ? due : wanted[i];
    }
    for (int side = 0; side < 2; side++)
        got[side] =
            call_rows(&b, side, null_rows ? NULL : (xorcore_row *)(void *)array[side], b.count, b.row_size);

    if (conflict) {
        memcpy(arena[1], arena[0], ARENA);
        unchanged_but("rows in conflict", &b.out, 1);
    } else {
        both_must(CALL_ROWS, got, due);
        for (size_t i = 0; i < b.count && !null_rows && b.row_size >= sizeof rows[i]; i++) {
            for (int side = 0; side < 2; side++) {
                xorcore_row row;
                memcpy(&row, array[side] + i * b.row_size, sizeof row);
                if (row.result != wanted[i])
                    wrong("row %zu has %s where %s was due", i, xorcore_result_name(row.result),
                          xorcore_result_name(wanted[i]));
                row.result = rows[i].result;
                if (memcmp(&row, &rows[i], sizeof row))
                    wrong("more than the result of row %zu was written", i);
            }
            happened[CALL_ROW][-wanted[i]]++;
        }
        if (memcmp(arena[0], shadow, ARENA))
            wrong("rows: other bytes than one by one");
        memcpy(before, shadow, ARENA);
        unchanged_but("rows", NULL, 0);
    }
    free(shadow);
    free(array[0]);
    free(array[1]);
}
