/* rows.c — message rows: the one-shot bytes, bounds, results by row, errors of the whole call, shared arenas. */
#include "test.h"

enum {
    ROWS = 9,
    IN = 2000,
    OUT = 2400,
    AUX = 1200
};

static uint8_t in[IN], out[OUT], aux[AUX], kept[OUT], key[64];
static xorcore_row rows[ROWS];

typedef int rows_call(const void *object, uint8_t *o, size_t o_len, const uint8_t *i, size_t i_len,
                      const uint8_t *x, size_t x_len, size_t nonce_len, xorcore_row *r, size_t count,
                      size_t row_size);

static int seal(const void *b, uint8_t *o, size_t ol, const uint8_t *i, size_t il, const uint8_t *x,
                size_t xl, size_t nl, xorcore_row *r, size_t c, size_t rs)
{
    return xorcore_aead_seal_rows(b, o, ol, i, il, x, xl, nl, r, c, rs);
}
static int open(const void *b, uint8_t *o, size_t ol, const uint8_t *i, size_t il, const uint8_t *x,
                size_t xl, size_t nl, xorcore_row *r, size_t c, size_t rs)
{
    return xorcore_aead_open_rows(b, o, ol, i, il, x, xl, nl, r, c, rs);
}
static int encrypt(const void *b, uint8_t *o, size_t ol, const uint8_t *i, size_t il, const uint8_t *x,
                   size_t xl, size_t nl, xorcore_row *r, size_t c, size_t rs)
{
    return xorcore_cipher_encrypt_rows(b, o, ol, i, il, x, xl, nl, r, c, rs);
}
static int decrypt(const void *b, uint8_t *o, size_t ol, const uint8_t *i, size_t il, const uint8_t *x,
                   size_t xl, size_t nl, xorcore_row *r, size_t c, size_t rs)
{
    return xorcore_cipher_decrypt_rows(b, o, ol, i, il, x, xl, nl, r, c, rs);
}
static int compute(const void *b, uint8_t *o, size_t ol, const uint8_t *i, size_t il, const uint8_t *x,
                   size_t xl, size_t nl, xorcore_row *r, size_t c, size_t rs)
{
    return xorcore_mac_compute_rows(b, o, ol, i, il, x, xl, nl, r, c, rs);
}
static int verify(const void *b, uint8_t *o, size_t ol, const uint8_t *i, size_t il, const uint8_t *x,
                  size_t xl, size_t nl, xorcore_row *r, size_t c, size_t rs)
{
    (void)o;
    (void)ol;
    return xorcore_mac_verify_rows(b, NULL, 0, i, il, x, xl, nl, r, c, rs);
}

struct work {
    const struct algorithm *a;
    void *object;
    rows_call *call;
    const char *name;
    int makes_tag, checks_tag, writes_text;
};

/* One-shot: the same row alone. */
static int alone(const struct work *w, const xorcore_row *r, uint8_t *o)
{
    const struct algorithm *a = w->a;
    const uint8_t *iv = aux + r->nonce_at;
    if (w->call == seal)
        return xorcore_aead_seal(w->object, o + r->out_at, o + r->tag_at, a->tag, iv, a->nonce, in + r->in_at,
                                 r->len, aux + r->aad_at, r->aad_len);
    if (w->call == open)
        return xorcore_aead_open(w->object, o + r->out_at, iv, a->nonce, in + r->in_at, r->len,
                                 aux + r->tag_at, a->tag, aux + r->aad_at, r->aad_len);
    if (w->call == encrypt)
        return xorcore_cipher_encrypt(w->object, o + r->out_at, iv, a->nonce, in + r->in_at, r->len);
    if (w->call == decrypt)
        return xorcore_cipher_decrypt(w->object, o + r->out_at, iv, a->nonce, in + r->in_at, r->len);
    if (w->call == compute)
        return xorcore_mac_compute(w->object, o + r->tag_at, a->tag, iv, a->nonce, in + r->in_at, r->len);
    return xorcore_mac_verify(w->object, aux + r->tag_at, a->tag, iv, a->nonce, in + r->in_at, r->len);
}

/* Nine right rows of different lengths, each with room of its own. Opening and verifying them is AUTH for all
 * but the rows whose tags `prepare` has put right. */
static void base(const struct work *w)
{
    random_bytes(in, sizeof in);
    random_bytes(out, sizeof out);
    random_bytes(aux, sizeof aux);
    memset(rows, 0, sizeof rows);
    for (size_t i = 0; i < ROWS; i++) {
        size_t len = (i * 53 + 16 + i) % 200;
        len -= len % w->a->unit;
        if (len < w->a->least)
            len = w->a->least + 3;
        rows[i].in_at = 200 * i + i;
        rows[i].len = len;
        rows[i].nonce_at = 40 * i + 1;
        if (w->writes_text)
            rows[i].out_at = 230 * i + 2;
        if (w->a->noun == AEAD) {
            rows[i].aad_at = 600 + 30 * i;
            rows[i].aad_len = 3 * i;
        }
        if (w->makes_tag)
            rows[i].tag_at = 230 * i + 2 + 205;
        if (w->checks_tag)
            rows[i].tag_at = 900 + 20 * i;
        rows[i].result = 77;
    }
    if (!w->checks_tag)
        return;
    for (size_t i = 0; i < ROWS; i++) { /* right tags for all rows */
        uint8_t cipher[256];
        xorcore_row *r = &rows[i];
        if (w->a->noun == MAC)
            xorcore_mac_compute(w->object, aux + r->tag_at, w->a->tag, aux + r->nonce_at, w->a->nonce,
                                in + r->in_at, r->len);
        else {
            xorcore_aead_seal(w->object, cipher, aux + r->tag_at, w->a->tag, aux + r->nonce_at, w->a->nonce,
                              in + r->in_at, r->len, aux + r->aad_at, r->aad_len);
            memcpy(in + r->in_at, cipher, r->len);
        }
    }
}

static int call(const struct work *w)
{
    return w->call(w->object, out, sizeof out, in, sizeof in, aux, sizeof aux, w->a->nonce, rows, ROWS,
                   sizeof *rows);
}

/* Every row alone into `kept`, then all at once into `out`. */
static void same_as_alone(const struct work *w, const char *what, int wanted)
{
    int results[ROWS];
    memcpy(kept, out, sizeof out);
    for (size_t i = 0; i < ROWS; i++)
        results[i] = alone(w, &rows[i], kept);
    check_result(call(w), wanted, "%s of %s, %s", w->name, w->a->name, what);
    for (size_t i = 0; i < ROWS; i++)
        check_result(rows[i].result, results[i], "%s of %s, %s, row %zu", w->name, w->a->name, what, i);
    check(!memcmp(out, kept, sizeof out), "%s of %s, %s: other bytes than alone", w->name, w->a->name, what);
}

/* A change of row 4 that makes it `wanted`, while all the others succeed. */
static void one_bad_row(const struct work *w, const char *what, void (*change)(xorcore_row *), int wanted)
{
    int first = XORCORE_OK;
    base(w);
    change(&rows[4]);
    xorcore_row bad = rows[4];
    memcpy(kept, out, sizeof out);
    for (size_t i = 0; i < ROWS; i++)
        if (i != 4)
            alone(w, &rows[i], kept);
    check_result(call(w), wanted, "%s of %s, %s", w->name, w->a->name, what);
    for (size_t i = 0; i < ROWS; i++)
        check_result(rows[i].result, i == 4 ? wanted : XORCORE_OK, "%s of %s, %s, row %zu", w->name,
                     w->a->name, what, i);
    check(!memcmp(out, kept, sizeof out), "%s of %s, %s: the bad row has written, or another not", w->name,
          w->a->name, what);
    bad.result = rows[4].result;
    check(!memcmp(&bad, &rows[4], sizeof bad), "%s of %s, %s: more of the row than its result was written",
          w->name, w->a->name, what);
    (void)first;
}

static void in_past(xorcore_row *r) { r->in_at = IN - r->len + 1; }
static void in_far(xorcore_row *r) { r->in_at = UINT64_MAX; }
static void in_wraps(xorcore_row *r) { r->in_at = UINT64_MAX - r->len + 1; }
static void len_far(xorcore_row *r) { r->len = UINT64_MAX - 15; }
static void len_4g(xorcore_row *r) { r->len += (uint64_t)1 << 32; }
static void out_past(xorcore_row *r) { r->out_at = OUT - r->len + 1; }
static void out_wraps(xorcore_row *r) { r->out_at = 0 - r->len; }
static void out_4g(xorcore_row *r) { r->out_at += (uint64_t)1 << 32; }
static void in_4g(xorcore_row *r) { r->in_at += (uint64_t)1 << 32; }
static void nonce_past(xorcore_row *r) { r->nonce_at = AUX - 11; }
static void nonce_far(xorcore_row *r) { r->nonce_at = UINT64_MAX - 3; }
static void nonce_4g(xorcore_row *r) { r->nonce_at += (uint64_t)1 << 32; }
static void aad_past(xorcore_row *r) { r->aad_at = AUX - r->aad_len + 1; }
static void aad_far(xorcore_row *r) { r->aad_len = UINT64_MAX; }
static void aad_4g(xorcore_row *r) { r->aad_len += (uint64_t)1 << 32; }
static void tag_past_out(xorcore_row *r) { r->tag_at = OUT - 15; }
static void tag_past_aux(xorcore_row *r) { r->tag_at = AUX - 15; }
static void tag_far(xorcore_row *r) { r->tag_at = UINT64_MAX - 7; }
static void reserved(xorcore_row *r) { r->reserved = 1; }
static void reserved_high(xorcore_row *r) { r->reserved = 0x80000000u; }
static void odd_len(xorcore_row *r) { r->len = 33; }
static void tag_over_text(xorcore_row *r) { r->tag_at = r->out_at + r->len - 1; }

static void bad_rows(const struct work *w)
{
    one_bad_row(w, "in past the arena", in_past, XORCORE_E_ARG);
    one_bad_row(w, "in at 2^64 - 1", in_far, XORCORE_E_ARG);
    one_bad_row(w, "in that wraps to 0", in_wraps, XORCORE_E_ARG);
    one_bad_row(w, "in 2^32 further", in_4g, XORCORE_E_ARG);
    one_bad_row(w, "a length near 2^64", len_far, XORCORE_E_ARG);
    one_bad_row(w, "a length 2^32 longer", len_4g, XORCORE_E_ARG);
    one_bad_row(w, "reserved 1", reserved, XORCORE_E_ARG);
    one_bad_row(w, "reserved 2^31", reserved_high, XORCORE_E_ARG);
    if (w->writes_text) {
        one_bad_row(w, "out past the arena", out_past, XORCORE_E_ARG);
        one_bad_row(w, "out that wraps to 0", out_wraps, XORCORE_E_ARG);
        one_bad_row(w, "out 2^32 further", out_4g, XORCORE_E_ARG);
    }
    if (w->a->nonce) {
        one_bad_row(w, "the nonce past the arena", nonce_past, XORCORE_E_ARG);
        one_bad_row(w, "the nonce near 2^64", nonce_far, XORCORE_E_ARG);
        one_bad_row(w, "the nonce 2^32 further", nonce_4g, XORCORE_E_ARG);
    }
    if (w->a->noun == AEAD) {
        one_bad_row(w, "the AAD past the arena", aad_past, XORCORE_E_ARG);
        one_bad_row(w, "AAD of 2^64 - 1 bytes", aad_far, XORCORE_E_ARG);
        one_bad_row(w, "AAD 2^32 longer", aad_4g, XORCORE_E_ARG);
    }
    if (w->makes_tag)
        one_bad_row(w, "the tag past the arena", tag_past_out, XORCORE_E_ARG);
    if (w->checks_tag)
        one_bad_row(w, "the tag past the arena", tag_past_aux, XORCORE_E_ARG);
    if (w->makes_tag || w->checks_tag)
        one_bad_row(w, "the tag near 2^64", tag_far, XORCORE_E_ARG);
    if (w->a->unit == 16)
        one_bad_row(w, "33 bytes", odd_len, XORCORE_E_DATA_LENGTH);
    if (w->makes_tag && w->writes_text)
        one_bad_row(w, "the tag over its text", tag_over_text, XORCORE_E_OVERLAP);
}

/* Errors of the whole call: they stand in every row, and nothing is written. */
static void whole_errors(const struct work *w)
{
    struct {
        const char *what;
        int wanted, stands;
        const void *object;
        uint8_t *o;
        const uint8_t *i, *x;
        size_t nonce_len, row_size;
        int no_rows;
    } cases[] = {
        { "NULL object", XORCORE_E_ARG, 1, NULL, out, in, aux, w->a->nonce, 64, 0 },
        { "NULL out", XORCORE_E_ARG, 1, w->object, NULL, in, aux, w->a->nonce, 64, 0 },
        { "NULL in", XORCORE_E_ARG, 1, w->object, out, NULL, aux, w->a->nonce, 64, 0 },
        { "NULL aux", XORCORE_E_ARG, 1, w->object, out, in, NULL, w->a->nonce, 64, 0 },
        { "NULL rows", XORCORE_E_ARG, 0, w->object, out, in, aux, w->a->nonce, 64, 1 },
        { "row_size 0", XORCORE_E_ARG, 0, w->object, out, in, aux, w->a->nonce, 0, 0 },
        { "row_size 56", XORCORE_E_ARG, 0, w->object, out, in, aux, w->a->nonce, 56, 0 },
        { "row_size 63", XORCORE_E_ARG, 0, w->object, out, in, aux, w->a->nonce, 63, 0 },
        { "row_size 68", XORCORE_E_ARG, 0, w->object, out, in, aux, w->a->nonce, 68, 0 },
        { "a nonce of 41 bytes", XORCORE_E_NONCE_LENGTH, 1, w->object, out, in, aux, 41, 64, 0 },
        { "a nonce of 41 bytes and NULL in", XORCORE_E_ARG, 1, w->object, out, NULL, aux, 41, 64, 0 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        if ((cases[k].o == NULL && w->call == verify) ||
            (cases[k].wanted == XORCORE_E_NONCE_LENGTH && w->a->nonce_max == SIZE_MAX))
            continue; /* verify takes no out; GCM takes any nonce */
        base(w);
        memcpy(kept, out, sizeof out);
        size_t count = cases[k].row_size > 64 ? ROWS - 1 : ROWS;
        int result =
            w->call(cases[k].object, cases[k].o, sizeof out, cases[k].i, sizeof in, cases[k].x, sizeof aux,
                    cases[k].nonce_len, cases[k].no_rows ? NULL : rows, count, cases[k].row_size);
        check_result(result, cases[k].wanted, "%s of %s, %s", w->name, w->a->name, cases[k].what);
        check(!memcmp(kept, out, sizeof out), "%s of %s, %s: something was written", w->name, w->a->name,
              cases[k].what);
        for (size_t i = 0; cases[k].stands && i < ROWS; i++)
            check_result(rows[i].result, cases[k].wanted, "%s of %s, %s, row %zu", w->name, w->a->name,
                         cases[k].what, i);
    }
    base(w);
    memcpy(kept, out, sizeof out);
    check_result(
        w->call(w->object, out, sizeof out, in, sizeof in, aux, sizeof aux, w->a->nonce, rows, 0, 64),
        XORCORE_OK, "%s of %s, no rows", w->name, w->a->name);
    check_result(w->call(w->object, NULL, 0, NULL, 0, NULL, 0, w->a->nonce, NULL, 0, 64), XORCORE_OK,
                 "%s of %s, nothing", w->name, w->a->name);
    check_result(w->call(w->object, NULL, 0, NULL, 0, NULL, 0, w->a->nonce, NULL, 0, 60), XORCORE_E_ARG,
                 "%s of %s, no rows of 60 bytes", w->name, w->a->name);
    check(!memcmp(kept, out, sizeof out) && rows[0].result == 77, "%s of %s, no rows: something was written",
          w->name, w->a->name);
    if (w->a->nonce_max == SIZE_MAX)
        check_result(w->call(w->object, out, sizeof out, in, sizeof in, aux, sizeof aux, 0, rows, ROWS, 64),
                     XORCORE_E_NONCE_LENGTH, "%s of %s, no nonce", w->name, w->a->name);
}

/* Rows of a later version: longer, with zeros where nothing is known. */
static void longer_rows(const struct work *w)
{
    static uint8_t wide[ROWS][96], image[ROWS][96];
    for (int spoilt = -1; spoilt < 32; spoilt += 3) {
        base(w);
        memset(wide, 0, sizeof wide);
        for (size_t i = 0; i < ROWS; i++)
            memcpy(wide[i], &rows[i], 64);
        if (spoilt >= 0)
            wide[6][64 + spoilt] = 1;
        memcpy(image, wide, sizeof wide);
        int wanted = spoilt >= 0 ? XORCORE_E_ARG : XORCORE_OK;
        memcpy(kept, out, sizeof out);
        for (size_t i = 0; i < ROWS; i++)
            if (i != 6 || spoilt < 0)
                alone(w, &rows[i], kept);
        check_result(w->call(w->object, out, sizeof out, in, sizeof in, aux, sizeof aux, w->a->nonce,
                             (xorcore_row *)wide, ROWS, 96),
                     wanted, "%s of %s, rows of 96 bytes, %d", w->name, w->a->name, spoilt);
        for (size_t i = 0; i < ROWS; i++) {
            xorcore_row r;
            memcpy(&r, wide[i], sizeof r);
            check_result(r.result, i == 6 ? wanted : XORCORE_OK, "%s of %s, rows of 96 bytes, row %zu",
                         w->name, w->a->name, i);
            memcpy(image[i] + offsetof(xorcore_row, result), &r.result, 4);
        }
        check(!memcmp(image, wide, sizeof wide), "%s of %s, rows of 96 bytes: more than results was written",
              w->name, w->a->name);
        check(!memcmp(kept, out, sizeof out), "%s of %s, rows of 96 bytes: other bytes", w->name, w->a->name);
    }
}

/* The call returns the result of the lowest row that failed. */
static void lowest(const struct work *w)
{
    base(w);
    rows[7].reserved = 1;
    if (w->checks_tag) {
        aux[rows[3].tag_at] ^= 1;
        check_result(call(w), XORCORE_E_AUTH, "%s of %s, row 3 AUTH, row 7 ARG", w->name, w->a->name);
        check_result(rows[3].result, XORCORE_E_AUTH, "row 3");
        if (w->writes_text)
            check(all_zero(out + rows[3].out_at, rows[3].len), "%s of %s: a failed row is not zeros", w->name,
                  w->a->name);
        base(w);
        rows[2].reserved = 1;
        aux[rows[3].tag_at] ^= 1;
    }
    check_result(call(w), XORCORE_E_ARG, "%s of %s, the lowest is ARG", w->name, w->a->name);
    check_result(rows[w->checks_tag ? 2 : 7].result, XORCORE_E_ARG, "the bad row");
    check_result(rows[8].result, XORCORE_OK, "the last row");
}

/* Packets: nonce, AAD, text and tag of every row in one buffer that is all three arenas, in place. */
static void packets(const struct work *w)
{
    enum {
        PACKET = 24 + 11 + 64 + 16,
        COUNT = 6
    };
    static uint8_t buffer[COUNT * PACKET], image[COUNT * PACKET];
    xorcore_row r[COUNT];
    if (w->call != seal && w->call != encrypt)
        return;
    random_bytes(buffer, sizeof buffer);
    memcpy(image, buffer, sizeof buffer);
    memset(r, 0, sizeof r);
    for (size_t i = 0; i < COUNT; i++) {
        size_t at = i * PACKET;
        r[i].nonce_at = at;
        r[i].aad_at = at + 24;
        r[i].aad_len = w->a->noun == AEAD ? 11 : 0;
        r[i].in_at = r[i].out_at = at + 35;
        r[i].len = 64;
        r[i].tag_at = at + 35 + 64;
        if (w->call == seal)
            xorcore_aead_seal(w->object, image + at + 35, image + at + 99, 16, image + at, w->a->nonce,
                              image + at + 35, 64, image + at + 24, 11);
        else
            xorcore_cipher_encrypt(w->object, image + at + 35, w->a->nonce ? image + at : NULL, w->a->nonce,
                                   image + at + 35, 64);
    }
    check_result(w->call(w->object, buffer, sizeof buffer, buffer, sizeof buffer, buffer, sizeof buffer,
                         w->a->nonce, r, COUNT, sizeof *r),
                 XORCORE_OK, "%s of %s, packets", w->name, w->a->name);
    check(!memcmp(buffer, image, sizeof buffer), "%s of %s, packets: other bytes", w->name, w->a->name);
    if (w->call == encrypt) {
        random_bytes(image, sizeof image);
        return;
    }
    /* And back, one of them spoilt: only its own text becomes zeros. */
    buffer[3 * PACKET + 40] ^= 1;
    memcpy(image, buffer, sizeof buffer);
    for (size_t i = 0; i < COUNT; i++)
        xorcore_aead_open(w->object, image + i * PACKET + 35, image + i * PACKET, w->a->nonce,
                          image + i * PACKET + 35, 64, image + i * PACKET + 99, 16, image + i * PACKET + 24,
                          11);
    check_result(open(w->object, buffer, sizeof buffer, buffer, sizeof buffer, buffer, sizeof buffer,
                      w->a->nonce, r, COUNT, sizeof *r),
                 XORCORE_E_AUTH, "%s, packets opened", w->a->name);
    check(!memcmp(buffer, image, sizeof buffer), "%s, packets opened: other bytes", w->a->name);
    check(all_zero(buffer + 3 * PACKET + 35, 64) && !all_zero(buffer + 2 * PACKET + 35, 64),
          "%s: the failed packet alone", w->a->name);
}

/* ---- many rows of any length: what may go side by side must give what it gives alone -------------------------- */

enum {
    MANY = 70,
    LONGEST = 400,
    PLACE = LONGEST + 7,
    AUX_PLACE = 96,
    AAD_LONGEST = 40,
    MANY_TEXT = MANY * PLACE,
    MANY_AUX = MANY * AUX_PLACE
};

/* What the arenas have to do with each other. */
enum arenas { APART, IN_PLACE, ONE };

/* Behind the text there is room for `aux`, where all arenas are one. */
static uint8_t many_in[MANY_TEXT], many_aux[MANY_AUX];
static uint8_t many_out[MANY_TEXT + MANY_AUX], many_kept[MANY_TEXT + MANY_AUX];

static int many_alone(const struct work *w, const xorcore_row *r, uint8_t *o, const uint8_t *i, const uint8_t *x)
{
    const uint8_t *iv = x + r->nonce_at;
    if (w->call == seal)
        return xorcore_aead_seal(w->object, o + r->out_at, o + r->tag_at, w->a->tag, iv, w->a->nonce, i + r->in_at,
                                 r->len, x + r->aad_at, r->aad_len);
    if (w->call == open)
        return xorcore_aead_open(w->object, o + r->out_at, iv, w->a->nonce, i + r->in_at, r->len, x + r->tag_at,
                                 w->a->tag, x + r->aad_at, r->aad_len);
    if (w->call == encrypt)
        return xorcore_cipher_encrypt(w->object, o + r->out_at, iv, w->a->nonce, i + r->in_at, r->len);
    if (w->call == decrypt)
        return xorcore_cipher_decrypt(w->object, o + r->out_at, iv, w->a->nonce, i + r->in_at, r->len);
    if (w->call == compute)
        return xorcore_mac_compute(w->object, o + r->tag_at, w->a->tag, iv, w->a->nonce, i + r->in_at, r->len);
    return xorcore_mac_verify(w->object, x + r->tag_at, w->a->tag, iv, w->a->nonce, i + r->in_at, r->len);
}

/* The right tag of a row, and where it is opened the text it belongs to. */
static void make_right(const struct work *w, const xorcore_row *r)
{
    uint8_t cipher[PLACE], *text = many_in + r->in_at, *tag = many_aux + r->tag_at;
    const uint8_t *iv = many_aux + r->nonce_at;
    if (w->a->noun == MAC) {
        xorcore_mac_compute(w->object, tag, w->a->tag, iv, w->a->nonce, text, r->len);
        return;
    }
    xorcore_aead_seal(w->object, cipher, tag, w->a->tag, iv, w->a->nonce, text, r->len, many_aux + r->aad_at,
                      r->aad_len);
    memcpy(text, cipher, r->len);
}

/* One of the ways in which a row is refused, or none; or its tag is wrong. */
static void spoil(const struct work *w, xorcore_row *r)
{
    switch (random_below(7)) {
    case 0: r->reserved = 1; break;
    case 1: r->in_at = MANY_TEXT + MANY_AUX - r->len + 1; break;
    case 2: r->len += w->a->unit == 16; break; /* DATA_LENGTH */
    case 3: w->writes_text ? (r->out_at = r->in_at + 1) : (r->len = UINT64_MAX); break; /* OVERLAP in place */
    case 4: r->aad_len = w->a->noun == AEAD ? MANY_AUX : 0; break;
    case 5: r->tag_at -= w->makes_tag && w->writes_text && r->len ? 3 : 0; break; /* the tag over its text */
    default:
        if (w->checks_tag)
            many_aux[r->tag_at] ^= 1;
    }
}

/* `spread` is how much the lengths differ: 0 for all the same. Some rows are refused and some tags are wrong. */
static void many_rows(const struct work *w, size_t count, size_t longest, int spread, enum arenas arenas, int bad)
{
    static xorcore_row r[MANY];
    int results[MANY], first = XORCORE_OK;
    random_bytes(many_in, sizeof many_in);
    random_bytes(many_aux, sizeof many_aux);
    memset(r, 0, sizeof r);
    for (size_t i = 0; i < count; i++) {
        size_t len = spread ? random_below(longest + 1) : longest;
        len -= len % w->a->unit;
        if (len < w->a->least)
            len = w->a->least;
        r[i].in_at = i * PLACE + i % 5;
        r[i].out_at = r[i].in_at + (arenas == APART ? 1 : 0);
        r[i].len = len;
        r[i].nonce_at = AUX_PLACE * i + i % 3;
        r[i].aad_at = AUX_PLACE * i + 48;
        r[i].aad_len = w->a->noun == AEAD ? random_below(AAD_LONGEST + 1) : 0;
        r[i].tag_at = w->makes_tag ? i * PLACE + i % 5 + len + 2 : AUX_PLACE * i + 28;
        r[i].result = 77;
        if (w->checks_tag)
            make_right(w, &r[i]);
        if (bad && !random_below(4))
            spoil(w, &r[i]);
        /* the text over its nonce */
        if (bad && arenas == ONE && w->writes_text && w->a->nonce && !random_below(12))
            r[i].out_at = MANY_TEXT + r[i].nonce_at;
    }
    memset(many_out, 0xa5, sizeof many_out);
    if (arenas != APART)
        memcpy(many_out, many_in, sizeof many_in);
    memcpy(many_out + MANY_TEXT, many_aux, sizeof many_aux);
    memcpy(many_kept, many_out, sizeof many_out);

    const uint8_t *from = arenas == APART ? many_in : many_out, *kept_from = arenas == APART ? many_in : many_kept;
    const uint8_t *aux_from = arenas == ONE ? many_out + MANY_TEXT : many_aux;
    const uint8_t *kept_aux = arenas == ONE ? many_kept + MANY_TEXT : many_aux;
    for (size_t i = 0; i < count; i++) {
        int inside = !r[i].reserved && r[i].len <= MANY_TEXT && r[i].in_at <= MANY_TEXT - r[i].len &&
                     (!w->writes_text || r[i].out_at + r[i].len <= sizeof many_out) &&
                     r[i].aad_at + r[i].aad_len <= MANY_AUX;
        results[i] = inside ? many_alone(w, &r[i], many_kept, kept_from, kept_aux) : XORCORE_E_ARG;
        first = first ? first : results[i];
    }
    int result = w->call(w->object, many_out, sizeof many_out, from, sizeof many_in, aux_from, sizeof many_aux,
                         w->a->nonce, r, count, sizeof *r);
    check_result(result, first, "%s of %s, %zu rows up to %zu", w->name, w->a->name, count, longest);
    int same = 1;
    for (size_t i = 0; i < count; i++)
        same &= r[i].result == results[i];
    check(same, "%s of %s, %zu rows up to %zu: other results than alone", w->name, w->a->name, count, longest);
    check(!memcmp(many_out, many_kept, sizeof many_out),
          "%s of %s, %zu rows up to %zu, arenas %d%s: other bytes than alone", w->name, w->a->name, count,
          longest, (int)arenas, bad ? ", some bad" : "");
}

static void many(const struct work *w)
{
    const size_t most = w->a->noun == AEAD ? 12 : 40; /* AEAD rows have no lanes to fill */
    for (size_t count = 0; count <= most; count++)
        for (size_t longest = 0; longest <= LONGEST - 16; longest += 1 + random_below(160))
            many_rows(w, count, longest, count % 3 > 0, w->writes_text ? random_below(3) : APART, random_below(2) > 0);
    for (int turn = 0; turn < 30; turn++)
        many_rows(w, MANY, turn % 2 ? LONGEST - 16 : 40, 1, w->writes_text ? turn % 3 : APART, turn & 4);
}

static void all_of(const struct work *w)
{
    base(w);
    same_as_alone(w, "right rows", XORCORE_OK);
    bad_rows(w);
    whole_errors(w);
    longer_rows(w);
    lowest(w);
    packets(w);
    many(w);
}

int main(void)
{
    random_bytes(key, sizeof key);
    check(sizeof(xorcore_row) == 64, "a row is not 64 bytes");
    for (size_t i = 0; i < algorithm_count; i++) {
        const struct algorithm *a = &algorithms[i];
        for (size_t k = 0; k <= xorcore_kernel_count(); k++) {
            xorcore_kernel row = { 0 };
            void *object = NULL;
            if (k > 0) {
                xorcore_kernel_at(k - 1, &row, sizeof row);
                if (!(row.flags & XORCORE_KERNEL_RUNS) || !strcmp(row.family, "xor"))
                    continue;
            }
            if (new_object(a, &object, key, a->key, a->tag, k ? row.name : NULL) != XORCORE_OK)
                continue; /* not a name for this algorithm */
            struct work w[2] = { { a, object, seal, "seal_rows", 1, 0, 1 },
                                 { a, object, open, "open_rows", 0, 1, 1 } };
            if (a->noun == CIPHER) {
                w[0] = (struct work){ a, object, encrypt, "encrypt_rows", 0, 0, 1 };
                w[1] = (struct work){ a, object, decrypt, "decrypt_rows", 0, 0, 1 };
            } else if (a->noun == MAC) {
                w[0] = (struct work){ a, object, compute, "compute_rows", 1, 0, 0 };
                w[1] = (struct work){ a, object, verify, "verify_rows", 0, 1, 0 };
            }
            all_of(&w[0]);
            all_of(&w[1]);
            free_object(a, object);
        }
    }
    return finish();
}
