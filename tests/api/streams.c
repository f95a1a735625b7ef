/* streams.c — streams: every split gives the one-shot bytes, every call out of order is refused and changes nothing. */
#include "test.h"

enum {
    MOST = 3000,
    AADS = 200
};

static uint8_t text[MOST], sealed[MOST], out[MOST], aad[AADS], nonce[24], key[64], tag[16];

/* ---- making --------------------------------------------------------------------------------------- */

static int new_stream(const struct algorithm *a, xorcore_stream **s, const void *object, int direction,
                      const uint8_t *iv, size_t iv_len)
{
    switch (a->noun) {
    case AEAD: return xorcore_stream_new_aead(s, object, direction, iv, iv_len);
    case CIPHER: return xorcore_stream_new_cipher(s, object, direction, iv, iv_len);
    default: return xorcore_stream_new_mac(s, object, iv, iv_len);
    }
}

static const uint8_t *iv_of(const struct algorithm *a) { return a->nonce ? nonce : NULL; }

static xorcore_stream *begin(const struct algorithm *a, const void *object, int direction)
{
    xorcore_stream *s = NULL;
    int result = new_stream(a, &s, object, direction, iv_of(a), a->nonce);
    if (result != XORCORE_OK || !s) {
        printf("FAILED %s: no stream: %s\n", a->name, xorcore_result_name(result));
        exit(1);
    }
    return s;
}

static int whole(const struct algorithm *a, const void *object, size_t aad_len, size_t n)
{
    switch (a->noun) {
    case AEAD: return xorcore_aead_seal(object, sealed, tag, 16, iv_of(a), a->nonce, text, n, aad, aad_len);
    case CIPHER: return xorcore_cipher_encrypt(object, sealed, iv_of(a), a->nonce, text, n);
    default: return xorcore_mac_compute(object, tag, 16, iv_of(a), a->nonce, text, n);
    }
}

static void making(const struct algorithm *a, void *object)
{
    static const int directions[] = { -1, 2, 3, 100 };
    xorcore_stream *s = (xorcore_stream *)&s;
    check_result(new_stream(a, NULL, object, 1, iv_of(a), a->nonce), XORCORE_E_ARG, "%s: out is NULL",
                 a->name);
    check_result(new_stream(a, &s, NULL, 1, iv_of(a), a->nonce), XORCORE_E_ARG, "%s: the object is NULL",
                 a->name);
    check(s == NULL, "%s: *out is not NULL", a->name);
    for (size_t i = 0; a->noun != MAC && i < 4; i++) {
        if (a->noun == AEAD && directions[i] == XORCORE_DECRYPT_UNVERIFIED)
            continue;
        s = (xorcore_stream *)&s;
        check_result(new_stream(a, &s, object, directions[i], iv_of(a), a->nonce), XORCORE_E_ARG,
                     "%s: direction %d", a->name, directions[i]);
        check(s == NULL, "%s: *out is not NULL", a->name);
    }
    if (a->nonce)
        check_result(new_stream(a, &s, object, 1, NULL, a->nonce), XORCORE_E_ARG, "%s: a NULL nonce",
                     a->name);
    if (!a->streams) {
        s = (xorcore_stream *)&s;
        check_result(new_stream(a, &s, object, 1, nonce, 3), XORCORE_E_UNSUPPORTED, "%s: a stream", a->name);
        check(s == NULL, "%s: *out is not NULL", a->name);
        check_result(new_stream(a, &s, object, 9, nonce, 3),
                     a->noun == MAC ? XORCORE_E_UNSUPPORTED : XORCORE_E_ARG,
                     "%s: a stream with a bad direction", a->name);
        return;
    }
    for (size_t n = 0; n <= 30; n++) {
        int good = n >= a->nonce_min && (a->nonce_max == SIZE_MAX || n <= a->nonce_max);
        s = (xorcore_stream *)&s;
        check_result(new_stream(a, &s, object, 1, n ? text : NULL, n),
                     good ? XORCORE_OK : XORCORE_E_NONCE_LENGTH, "%s: a stream with a nonce of %zu bytes",
                     a->name, n);
        check((s != NULL) == good, "%s: *out, nonce of %zu bytes", a->name, n);
        xorcore_stream_free(s);
        /* The same of reset, which leaves the stream as it was when it refuses. */
        s = begin(a, object, XORCORE_ENCRYPT);
        check_result(xorcore_stream_reset(s, n ? text : NULL, n), good ? XORCORE_OK : XORCORE_E_NONCE_LENGTH,
                     "%s: reset with a nonce of %zu bytes", a->name, n);
        xorcore_stream_free(s);
    }
    check_result(xorcore_stream_reset(NULL, nonce, 12), XORCORE_E_ARG, "reset of NULL");
}

/* ---- splits ---------------------------------------------------------------------------------------- */

/* Pieces of random lengths; the typical break is a leftover and then enough to fill its block and open
 * another, so short pieces are frequent. */
static size_t piece(size_t left, size_t unit)
{
    static const size_t around[] = { 1, 2, 15, 16, 17, 31, 33, 64, 200, 600 };
    size_t n = random_below(around[random_below(10)] + 1);
    n = (n + unit - 1) / unit * unit;
    return n < left ? n : left;
}

static int feed(xorcore_stream *s, const struct algorithm *a, int silent, uint8_t *to, const uint8_t *from,
                size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t m = piece(n - at, a->unit);
        int result = xorcore_stream_update(s, silent ? NULL : to + at, from + at, m);
        if (result != XORCORE_OK)
            return result;
        at += m;
    }
    return XORCORE_OK;
}

static int feed_aad(xorcore_stream *s, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t m = piece(n - at, 1);
        int result = xorcore_stream_aad(s, aad + at, m);
        if (result != XORCORE_OK)
            return result;
        at += m;
    }
    return XORCORE_OK;
}

static void splits(const struct algorithm *a, void *object)
{
    for (int round = 0; round < 300; round++) {
        size_t n = random_below(round % 3 ? 150 : MOST),
               aad_len = a->noun == AEAD ? random_below(round % 2 ? 40 : AADS) : 0;
        int lengths = a->id == XORCORE_AES_CCM || round % 4 == 0, in_place = round % 5 == 0;
        uint8_t got[16], *to = out;
        n -= n % a->unit;
        check_result(whole(a, object, aad_len, n), XORCORE_OK, "%s, %zu bytes at once", a->name, n);

        xorcore_stream *s = begin(a, object, XORCORE_ENCRYPT);
        if (round % 7 == 0) { /* a message before it leaves no trace */
            if (a->id == XORCORE_AES_CCM)
                xorcore_stream_lengths(s, 0, 160);
            xorcore_stream_update(s, a->noun == MAC ? NULL : out, text, 160);
            check_result(xorcore_stream_reset(s, iv_of(a), a->nonce), XORCORE_OK, "%s: reset", a->name);
        }
        random_bytes(out, sizeof out);
        const uint8_t *from = text;
        if (in_place) {
            memcpy(out, text, n);
            from = out;
        }
        if (a->noun == AEAD) {
            if (lengths)
                check_result(xorcore_stream_lengths(s, aad_len, n), XORCORE_OK, "%s: lengths", a->name);
            check_result(feed_aad(s, aad_len), XORCORE_OK, "%s: AAD in pieces", a->name);
        }
        check_result(feed(s, a, a->noun == MAC, to, from, n), XORCORE_OK, "%s: text in pieces", a->name);
        if (a->noun != MAC)
            check(!memcmp(out, sealed, n), "%s: %zu bytes in pieces are other bytes", a->name, n);
        if (a->noun != CIPHER) {
            check_result(xorcore_stream_finish(s, got, 16), XORCORE_OK, "%s: finish", a->name);
            check(!memcmp(got, tag, 16), "%s: the tag of %zu and %zu bytes in pieces is another", a->name,
                  aad_len, n);
        }
        xorcore_stream_free(s);

        /* And back: both directions of opening. */
        if (a->noun == MAC) {
            s = begin(a, object, 0);
            feed(s, a, 1, NULL, text, n);
            check_result(xorcore_stream_verify(s, tag, 16), XORCORE_OK, "%s: verify", a->name);
            xorcore_stream_free(s);
            continue;
        }
        for (int direction = 0; direction <= (a->noun == AEAD ? 2 : 0); direction += 2) {
            int silent = a->noun == AEAD && direction == XORCORE_DECRYPT;
            s = begin(a, object, direction);
            if (lengths && a->noun == AEAD)
                xorcore_stream_lengths(s, aad_len, n);
            if (a->noun == AEAD)
                feed_aad(s, aad_len);
            random_bytes(out, sizeof out);
            check_result(feed(s, a, silent, out, sealed, n), XORCORE_OK, "%s: back in pieces", a->name);
            if (!silent)
                check(!memcmp(out, text, n), "%s: %zu bytes back in pieces are other bytes", a->name, n);
            if (a->noun == AEAD) {
                int bad = round % 6 == 1;
                if (bad)
                    tag[random_below(16)] ^= (uint8_t)(1 << random_below(8));
                check_result(xorcore_stream_verify(s, tag, 16), bad ? XORCORE_E_AUTH : XORCORE_OK,
                             "%s: verify", a->name);
                check_result(xorcore_stream_verify(s, tag, 16), XORCORE_E_STATE, "%s: verify twice", a->name);
                if (bad)
                    whole(a, object, aad_len, n);
            }
            xorcore_stream_free(s);
        }
    }
}

/* ---- order ----------------------------------------------------------------------------------------- */

/* All that must be refused in the middle of a message, each without a trace: the message still comes out right. */
static void refusals(const struct algorithm *a, xorcore_stream *s, int in_text)
{
    uint8_t buffer[64], before[64];
    xorcore_stream *copy = NULL;
    random_bytes(buffer, sizeof buffer);
    memcpy(before, buffer, sizeof buffer);
    check_result(xorcore_stream_update(s, a->noun == MAC ? NULL : buffer, NULL, 16), XORCORE_E_ARG,
                 "%s: NULL in", a->name);
    if (a->noun == MAC)
        check_result(xorcore_stream_update(s, buffer, text, 16), XORCORE_E_ARG, "%s: out where there is none",
                     a->name);
    else
        check_result(xorcore_stream_update(s, NULL, text, 16), XORCORE_E_ARG, "%s: NULL out", a->name);
    if (a->noun != MAC) {
        /* CCM still waits for AAD. */
        int wanted = a->id == XORCORE_AES_CCM && !in_text ? XORCORE_E_STATE : XORCORE_E_OVERLAP;
        check_result(xorcore_stream_update(s, buffer + 1, buffer, 32), wanted, "%s: overlap", a->name);
        check_result(xorcore_stream_update(s, buffer, buffer + 31, 32), wanted, "%s: overlap", a->name);
    }
    if (a->unit == 16)
        for (size_t n = 1; n < 40; n++)
            if (n % 16)
                check_result(xorcore_stream_update(s, buffer, text, n), XORCORE_E_DATA_LENGTH,
                             "%s: %zu bytes", a->name, n);
    check_result(xorcore_stream_aad(s, NULL, 5), XORCORE_E_ARG, "%s: NULL AAD", a->name);
    if (a->noun == AEAD && in_text) {
        check_result(xorcore_stream_aad(s, aad, 5), XORCORE_E_STATE, "%s: AAD after text", a->name);
        check_result(xorcore_stream_lengths(s, 1, 1), XORCORE_E_STATE, "%s: lengths after text", a->name);
    }
    if (a->noun != AEAD) {
        check_result(xorcore_stream_aad(s, aad, 5), XORCORE_E_UNSUPPORTED, "%s: AAD", a->name);
        check_result(xorcore_stream_lengths(s, 1, 1), XORCORE_E_UNSUPPORTED, "%s: lengths", a->name);
    }
    if (a->id != XORCORE_AES_CTR)
        check_result(xorcore_stream_seek(s, 0), XORCORE_E_UNSUPPORTED, "%s: seek", a->name);
    if (a->noun != CIPHER || a->nonce == 0)
        check_result(xorcore_stream_iv(s, buffer, 16), XORCORE_E_UNSUPPORTED, "%s: iv", a->name);
    if (a->noun == CIPHER) {
        check_result(xorcore_stream_finish(s, buffer, 16), XORCORE_E_UNSUPPORTED, "%s: finish", a->name);
        check_result(xorcore_stream_verify(s, buffer, 16), XORCORE_E_UNSUPPORTED, "%s: verify", a->name);
    }
    if (a->noun != CIPHER) {
        check_result(xorcore_stream_finish(s, NULL, 16), XORCORE_E_ARG, "%s: finish to NULL", a->name);
        check_result(xorcore_stream_verify(s, NULL, 16), XORCORE_E_ARG, "%s: verify NULL", a->name);
    }
    if (a->noun == AEAD) {
        check_result(xorcore_stream_verify(s, buffer, 16), XORCORE_E_UNSUPPORTED, "%s: verify while sealing",
                     a->name);
        copy = (xorcore_stream *)&copy;
        check_result(xorcore_stream_copy(&copy, s), XORCORE_E_UNSUPPORTED, "%s: copy while sealing", a->name);
        check(copy == NULL, "%s: a refused copy", a->name);
    }
    if (a->noun != CIPHER && a->id != XORCORE_AES_CCM)
        for (size_t n = 0; n <= 17; n++)
            if (n != 16)
                check_result(xorcore_stream_finish(s, buffer, n), XORCORE_E_TAG_LENGTH,
                             "%s: a tag of %zu bytes", a->name, n);
    check_result(xorcore_stream_reset(s, NULL, 12), XORCORE_E_ARG, "%s: reset with NULL", a->name);
    if (a->nonce_max != SIZE_MAX)
        check_result(xorcore_stream_reset(s, nonce, 6), XORCORE_E_NONCE_LENGTH, "%s: reset with 6 bytes",
                     a->name);
    else
        check_result(xorcore_stream_reset(s, NULL, 0), XORCORE_E_NONCE_LENGTH, "%s: reset without a nonce",
                     a->name);
    check(!memcmp(buffer, before, sizeof buffer), "%s: a refused call has written", a->name);
}

static void order(const struct algorithm *a, void *object)
{
    const size_t n = 160;
    uint8_t got[16];
    check_result(whole(a, object, a->noun == AEAD ? 20 : 0, n), XORCORE_OK, "%s", a->name);
    xorcore_stream *s = begin(a, object, XORCORE_ENCRYPT);
    if (a->id == XORCORE_AES_CCM) {
        check_result(xorcore_stream_aad(s, aad, 20), XORCORE_E_STATE, "CCM: AAD before lengths");
        check_result(xorcore_stream_update(s, out, text, 16), XORCORE_E_STATE, "CCM: text before lengths");
        check_result(xorcore_stream_finish(s, got, 16), XORCORE_E_STATE, "CCM: the end before lengths");
        check_result(xorcore_stream_lengths(s, 20, (uint64_t)1 << 24), XORCORE_E_LIMIT,
                     "CCM: 2^24 bytes with 12 of nonce");
        check_result(xorcore_stream_lengths(s, 20, n), XORCORE_OK, "CCM: lengths");
        check_result(xorcore_stream_lengths(s, 20, n), XORCORE_E_STATE, "CCM: lengths twice");
        check_result(xorcore_stream_update(s, out, text, 16), XORCORE_E_STATE,
                     "CCM: text before all of the AAD");
        check_result(xorcore_stream_aad(s, aad, 21), XORCORE_E_LIMIT, "CCM: more AAD than announced");
    }
    if (a->noun == AEAD) {
        check_result(xorcore_stream_aad(s, aad, 9), XORCORE_OK, "%s: AAD", a->name);
        check_result(xorcore_stream_lengths(s, 20, n), XORCORE_E_STATE, "%s: lengths after AAD", a->name);
        refusals(a, s, 0);
        check_result(xorcore_stream_aad(s, aad + 9, 11), XORCORE_OK, "%s: AAD", a->name);
        check_result(xorcore_stream_aad(s, NULL, 0), XORCORE_OK, "%s: AAD of nothing", a->name);
    }
    size_t half = a->unit == 16 ? 48 : 53;
    memset(out, 0, sizeof out);
    uint8_t *to = a->noun == MAC ? NULL : out;
    check_result(xorcore_stream_update(s, to, text, half), XORCORE_OK, "%s: half", a->name);
    refusals(a, s, 1);
    if (a->id == XORCORE_AES_CCM) {
        check_result(xorcore_stream_update(s, out, text, n - half + 1), XORCORE_E_LIMIT,
                     "CCM: more than announced");
        check_result(xorcore_stream_finish(s, got, 16), XORCORE_E_STATE, "CCM: less than announced");
    }
    check_result(xorcore_stream_update(s, NULL, NULL, 0), XORCORE_OK, "%s: nothing", a->name);
    check_result(xorcore_stream_update(s, to ? to + half : NULL, text + half, n - half), XORCORE_OK,
                 "%s: the rest", a->name);
    if (a->noun != MAC)
        check(!memcmp(out, sealed, n), "%s: refused calls have changed the message", a->name);
    if (a->noun != CIPHER) {
        check_result(xorcore_stream_finish(s, got, 15), XORCORE_E_TAG_LENGTH, "%s: a tag of 15 bytes",
                     a->name);
        check_result(xorcore_stream_finish(s, got, 16), XORCORE_OK, "%s: the end", a->name);
        check(!memcmp(got, tag, 16), "%s: refused calls have changed the tag", a->name);
        check_result(xorcore_stream_finish(s, got, 16), XORCORE_E_STATE, "%s: finish twice", a->name);
        check_result(xorcore_stream_update(s, to, text, 16), XORCORE_E_STATE, "%s: text after the end",
                     a->name);
        check_result(xorcore_stream_update(s, NULL, NULL, 0), XORCORE_E_STATE, "%s: nothing after the end",
                     a->name);
        if (a->noun == AEAD) {
            check_result(xorcore_stream_aad(s, aad, 1), XORCORE_E_STATE, "%s: AAD after the end", a->name);
            check_result(xorcore_stream_lengths(s, 1, 1), XORCORE_E_STATE, "%s: lengths after the end",
                         a->name);
        }
        if (a->noun == MAC)
            check_result(xorcore_stream_verify(s, tag, 16), XORCORE_E_STATE, "%s: verify after finish",
                         a->name);
        check_result(xorcore_stream_reset(s, iv_of(a), a->nonce), XORCORE_OK, "%s: reset after the end",
                     a->name);
    }
    xorcore_stream_free(s);

    if (a->noun != AEAD)
        return;
    /* Announced lengths bind GCM and XAES too, and lengths over the limits are refused. */
    s = begin(a, object, XORCORE_DECRYPT);
    check_result(xorcore_stream_update(s, out, text, 16), XORCORE_E_ARG, "%s: out while only authenticating",
                 a->name);
    check_result(xorcore_stream_finish(s, got, 16), XORCORE_E_UNSUPPORTED, "%s: finish while opening",
                 a->name);
    if (a->id != XORCORE_AES_CCM) {
        check_result(xorcore_stream_lengths(s, (uint64_t)1 << 61, 0), XORCORE_E_LIMIT,
                     "%s: 2^61 bytes of AAD", a->name);
        check_result(xorcore_stream_lengths(s, 0, ((uint64_t)1 << 36) - 31), XORCORE_E_LIMIT,
                     "%s: 2^36 - 31 bytes", a->name);
        check_result(xorcore_stream_lengths(s, ((uint64_t)1 << 61) - 1, ((uint64_t)1 << 36) - 32), XORCORE_OK,
                     "%s: the longest lengths", a->name);
        check_result(xorcore_stream_reset(s, nonce, a->nonce), XORCORE_OK, "%s: reset", a->name);
    }
    check_result(xorcore_stream_lengths(s, 3, 20), XORCORE_OK, "%s: lengths", a->name);
    check_result(xorcore_stream_aad(s, aad, 4), XORCORE_E_LIMIT, "%s: more AAD than announced", a->name);
    check_result(xorcore_stream_aad(s, aad, 2), XORCORE_OK, "%s: AAD", a->name);
    check_result(xorcore_stream_update(s, NULL, text, 1), XORCORE_E_STATE, "%s: text before all of the AAD",
                 a->name);
    check_result(xorcore_stream_verify(s, tag, 16), XORCORE_E_STATE, "%s: less AAD than announced", a->name);
    check_result(xorcore_stream_aad(s, aad + 2, 1), XORCORE_OK, "%s: AAD", a->name);
    check_result(xorcore_stream_update(s, NULL, text, 21), XORCORE_E_LIMIT, "%s: more text than announced",
                 a->name);
    check_result(xorcore_stream_update(s, NULL, text, 19), XORCORE_OK, "%s: text", a->name);
    check_result(xorcore_stream_update(s, NULL, text, 2), XORCORE_E_LIMIT, "%s: more text than announced",
                 a->name);
    check_result(xorcore_stream_verify(s, tag, 16), XORCORE_E_STATE, "%s: less text than announced", a->name);
    check_result(xorcore_stream_update(s, NULL, text, 1), XORCORE_OK, "%s: text", a->name);
    check_result(xorcore_stream_verify(s, tag, 15), XORCORE_E_AUTH, "%s: a tag of another length", a->name);
    check_result(xorcore_stream_verify(s, tag, 16), XORCORE_E_STATE, "%s: after a failed verify", a->name);
    xorcore_stream_free(s);
}

/* ---- copies, IVs, positions -------------------------------------------------------------------------- */

static void copies(const struct algorithm *a, void *object)
{
    int direction = a->noun == AEAD ? XORCORE_DECRYPT_UNVERIFIED : XORCORE_ENCRYPT;
    const size_t n = 96, half = a->unit == 16 ? 32 : 37;
    uint8_t one[96], two[96], key_copy[64], got[16];
    check_result(whole(a, object, 0, n), XORCORE_OK, "%s", a->name);
    const uint8_t *from = a->noun == AEAD ? sealed : text, *want = a->noun == AEAD ? text : sealed;
    xorcore_stream *s = begin(a, object, direction), *copy = NULL;
    if (a->id == XORCORE_AES_CCM)
        xorcore_stream_lengths(s, 0, n);
    xorcore_stream_update(s, a->noun == MAC ? NULL : one, from, half);
    check_result(xorcore_stream_copy(NULL, s), XORCORE_E_ARG, "%s: copy to NULL", a->name);
    copy = (xorcore_stream *)&copy;
    check_result(xorcore_stream_copy(&copy, NULL), XORCORE_E_ARG, "%s: copy of NULL", a->name);
    check(copy == NULL, "%s: copy of NULL", a->name);
    check_result(xorcore_stream_copy(&copy, s), XORCORE_OK, "%s: copy", a->name);
    memcpy(two, one, half);
    xorcore_stream_update(s, a->noun == MAC ? NULL : one + half, from + half, n - half);
    xorcore_stream_free(s);
    free_object(a, object); /* the copy still holds it */
    memset(key_copy, 0, sizeof key_copy);
    check_result(xorcore_stream_update(copy, a->noun == MAC ? NULL : two + half, from + half, n - half),
                 XORCORE_OK, "%s: the copy goes on", a->name);
    if (a->noun != MAC)
        check(!memcmp(one, want, n) && !memcmp(two, want, n), "%s: stream and copy differ from the whole",
              a->name);
    if (a->noun == AEAD)
        check_result(xorcore_stream_verify(copy, tag, 16), XORCORE_OK, "%s: the copy's end", a->name);
    if (a->noun == MAC) {
        xorcore_stream *third = NULL;
        check_result(xorcore_stream_copy(&third, copy), XORCORE_OK, "%s: copy of a copy", a->name);
        check_result(xorcore_stream_finish(copy, got, 16), XORCORE_OK, "%s: the copy's end", a->name);
        check(!memcmp(got, tag, 16), "%s: the copy's tag", a->name);
        check_result(xorcore_stream_verify(third, tag, 16), XORCORE_OK, "%s: the copy's copy's end", a->name);
        xorcore_stream_free(third);
    }
    xorcore_stream_free(copy);
}

static void ivs(const struct algorithm *a, void *object)
{
    const size_t n = 160;
    whole(a, object, 0, n);
    for (size_t at = 0; at <= n; at += a->unit) {
        uint8_t iv[20], rest[160];
        xorcore_stream *s = begin(a, object, XORCORE_ENCRYPT);
        xorcore_stream_update(s, out, text, at);
        int inside = a->id != XORCORE_AES_CFB8 && at % 16 != 0;
        memset(iv, 0x5a, sizeof iv);
        for (size_t len = 0; len <= 18; len++) {
            int wanted = inside ? XORCORE_E_STATE : len == 16 ? XORCORE_OK : XORCORE_E_NONCE_LENGTH;
            check_result(xorcore_stream_iv(s, len ? iv : NULL, len), wanted, "%s: an IV of %zu bytes at %zu",
                         a->name, len, at);
        }
        check_result(xorcore_stream_iv(s, NULL, 16), XORCORE_E_ARG, "%s: an IV to NULL", a->name);
        check(iv[16] == 0x5a, "%s: 17 bytes of IV", a->name);
        if (!inside) {
            check_result(xorcore_cipher_encrypt(object, rest, iv, 16, text + at, n - at), XORCORE_OK,
                         "%s: the rest", a->name);
            check(!memcmp(rest, sealed + at, n - at), "%s: the IV at %zu does not continue the message",
                  a->name, at);
        }
        xorcore_stream_free(s);
    }
}

static void positions(const struct algorithm *a, void *object)
{
    uint8_t at_offset[64];
    xorcore_stream *s = begin(a, object, XORCORE_DECRYPT);
    check_result(xorcore_stream_seek(NULL, 0), XORCORE_E_ARG, "seek of NULL");
    for (int round = 0; round < 200; round++) {
        uint64_t offset = random_below(1000);
        if (round % 3 == 0)
            offset = ((uint64_t)1 << (20 + random_below(43))) + random_below(40) - 20;
        size_t n = random_below(64);
        check_result(xorcore_stream_seek(s, offset), XORCORE_OK, "seek");
        check_result(xorcore_stream_update(s, out, text, n), XORCORE_OK, "after seek");
        check_result(xorcore_cipher_ctr_at(object, at_offset, nonce, 16, offset, text, n), XORCORE_OK,
                     "ctr_at");
        check(!memcmp(out, at_offset, n), "seek and ctr_at differ at %llu", (unsigned long long)offset);
    }
    check_result(xorcore_stream_seek(s, UINT64_MAX), XORCORE_OK, "seek to the last byte");
    check_result(xorcore_stream_update(s, out, text, 2), XORCORE_E_LIMIT, "two bytes at the last byte");
    check_result(xorcore_stream_update(s, out, text, 1), XORCORE_OK, "one byte at the last byte");
    check_result(xorcore_cipher_ctr_at(object, at_offset, nonce, 16, UINT64_MAX, text, 1), XORCORE_OK,
                 "ctr_at the last byte");
    check(out[0] == at_offset[0], "the last byte differs");
    check_result(xorcore_stream_update(s, out, text, 1), XORCORE_E_LIMIT, "past the last byte");
    check_result(xorcore_stream_update(s, out, text, 0), XORCORE_OK, "nothing past the last byte");
    check_result(xorcore_stream_seek(s, UINT64_MAX - 20), XORCORE_OK, "back from the end");
    check_result(xorcore_stream_update(s, out, text, 22), XORCORE_E_LIMIT, "one too many");
    check_result(xorcore_stream_update(s, out, text, 21), XORCORE_OK, "just enough");
    check_result(xorcore_stream_seek(s, 0), XORCORE_OK, "to the start");
    check_result(xorcore_stream_update(s, out, text, 64), XORCORE_OK, "from the start");
    xorcore_cipher_encrypt(object, at_offset, nonce, 16, text, 64);
    check(!memcmp(out, at_offset, 64), "after it all the start differs");
    xorcore_stream_free(s);
}

/* A NULL stream, in every function. */
static void null_stream(void)
{
    uint8_t buffer[16];
    check_result(xorcore_stream_lengths(NULL, 0, 0), XORCORE_E_ARG, "lengths of NULL");
    check_result(xorcore_stream_aad(NULL, aad, 1), XORCORE_E_ARG, "aad of NULL");
    check_result(xorcore_stream_update(NULL, buffer, text, 1), XORCORE_E_ARG, "update of NULL");
    check_result(xorcore_stream_iv(NULL, buffer, 16), XORCORE_E_ARG, "iv of NULL");
    check_result(xorcore_stream_finish(NULL, buffer, 16), XORCORE_E_ARG, "finish of NULL");
    check_result(xorcore_stream_verify(NULL, buffer, 16), XORCORE_E_ARG, "verify of NULL");
}

int main(void)
{
    random_bytes(text, sizeof text);
    random_bytes(aad, sizeof aad);
    random_bytes(nonce, sizeof nonce);
    random_bytes(key, sizeof key);
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
            making(a, object);
            if (!a->streams) {
                free_object(a, object);
                continue;
            }
            splits(a, object);
            order(a, object);
            if (a->noun == CIPHER && a->nonce)
                ivs(a, object);
            if (a->id == XORCORE_AES_CTR)
                positions(a, object);
            copies(a, object); /* frees it */
        }
    }
    null_stream();
    return finish();
}
