/* overlap.c — outputs laid over inputs at the distances that break code, on every kernel; and failed opens. */
#include "test.h"

enum {
    ARENA = 4096,
    MIDDLE = 1500,
    MOST = 1100
};

static uint8_t arena[ARENA], kept[ARENA], text[MOST], want[MOST], want_tag[16], nonce[24], aad[40], key[64];

static const size_t sizes[] = { 1, 2, 8, 15, 16, 17, 32, 63, 64, 65, 100, 255, 256, 1000 };
static const size_t fixed[] = { 1, 8, 15, 16, 17, 63, 64 };

/* Distance number i for n bytes: the fixed ones both ways, and n - 1, n, n + 1. 0 when there are no more. */
static long distance(size_t i, size_t n)
{
    long list[2 * (7 + 3)], count = 0;
    for (size_t k = 0; k < 7; k++) {
        list[count++] = (long)fixed[k];
        list[count++] = -(long)fixed[k];
    }
    for (long d = (long)n - 1; d <= (long)n + 1; d++) {
        list[count++] = d;
        list[count++] = -d;
    }
    return i < (size_t)count ? list[i] : 0;
}

/* ---- one operation over text, whatever it is ----------------------------------------------------- */

struct work {
    const struct algorithm *a; /* NULL: XOR */
    void *object;
    const char *kernel; /* of XOR */
    int what;
};
enum {
    FORWARD,
    BACKWARD,
    AT,
    SECTORS,
    STREAM,
    ROWS,
    XOR_TWO = 10,
    XOR_FIRST,
    XOR_MANY,
    XOR_STRIDED,
    XOR_REPEAT
};

static int row_call(const struct work *w, uint8_t *out, const uint8_t *in, size_t n, uint8_t *tag)
{
    /* `in` and `out` are one arena, tags lie behind it. */
    xorcore_row row = { 0 };
    uint8_t *outer = out < in ? out : (uint8_t *)in;
    size_t span = (size_t)((out < in ? in : out) - outer) + n;
    memset(&row, 0, sizeof row);
    row.in_at = (uint64_t)(in - outer);
    row.out_at = (uint64_t)(out - outer);
    row.len = n;
    if (w->a->noun == CIPHER)
        return xorcore_cipher_encrypt_rows(w->object, outer, span, outer, span, nonce, sizeof nonce,
                                           w->a->nonce, &row, 1, sizeof row);
    row.tag_at = (uint64_t)(tag - outer);
    return xorcore_aead_seal_rows(w->object, outer, row.tag_at + 16, outer, span, nonce, sizeof nonce,
                                  w->a->nonce, &row, 1, sizeof row);
}

static int stream_call(const struct work *w, uint8_t *out, const uint8_t *in, size_t n)
{
    xorcore_stream *s = NULL;
    int result = w->a->noun == CIPHER
                     ? xorcore_stream_new_cipher(&s, w->object, XORCORE_ENCRYPT, w->a->nonce ? nonce : NULL,
                                                 w->a->nonce)
                     : xorcore_stream_new_aead(&s, w->object, XORCORE_ENCRYPT, nonce, w->a->nonce);
    if (!result && w->a->id == XORCORE_AES_CCM)
        result = xorcore_stream_lengths(s, 0, n);
    if (!result)
        result = xorcore_stream_update(s, out, in, n);
    xorcore_stream_free(s);
    return result;
}

static int work_on(const struct work *w, uint8_t *out, const uint8_t *in, size_t n, uint8_t *tag)
{
    const uint8_t *sources[3] = { text, in, text };
    const uint8_t *iv = w->a && w->a->nonce ? nonce : NULL;
    size_t iv_len = w->a ? w->a->nonce : 0;
    switch (w->what) {
    case FORWARD:
        if (w->a->noun == AEAD)
            return xorcore_aead_seal(w->object, out, tag, 16, iv, iv_len, in, n, aad, sizeof aad);
        return xorcore_cipher_encrypt(w->object, out, iv, iv_len, in, n);
    case BACKWARD: return xorcore_cipher_decrypt(w->object, out, iv, iv_len, in, n);
    case AT: return xorcore_cipher_ctr_at(w->object, out, iv, iv_len, 77, in, n);
    case SECTORS: return xorcore_cipher_sectors(w->object, XORCORE_ENCRYPT, out, iv, iv_len, in, n, 16);
    case STREAM: return stream_call(w, out, in, n);
    case ROWS: return row_call(w, out, in, n, tag);
    case XOR_TWO: return xorcore_xor_on(w->kernel, out, in, text, n);
    case XOR_FIRST: return xorcore_xor_on(w->kernel, out, text, in, n);
    case XOR_MANY: return xorcore_xor_many_on(w->kernel, out, sources, 3, n);
    case XOR_STRIDED: return xorcore_xor_strided_on(w->kernel, out, in, n, 1, n);
    default: return xorcore_xor_repeat_on(w->kernel, out, in, n, aad, 7, 3);
    }
}

static void matrix(const struct work *w, const char *label)
{
    size_t unit = w->what == SECTORS ? 16 : w->a ? w->a->unit : 1, least = w->a ? w->a->least : 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        size_t n = sizes[s] - sizes[s] % unit;
        if (n == 0 || n < least)
            continue;
        int has_tag = w->a && w->a->noun == AEAD && w->what != STREAM;
        uint8_t *tag = arena + ARENA - 100;
        random_bytes(arena, ARENA);
        memcpy(arena + MIDDLE, text, n);
        int result = work_on(w, want, arena + MIDDLE, n, want_tag);
        if (w->what == ROWS) { /* one arena has to hold both */
            result = work_on(w, arena + 100, arena + MIDDLE, n, tag);
            memcpy(want, arena + 100, n);
            memcpy(want_tag, tag, 16);
        }
        check_result(result, XORCORE_OK, "%s, %zu bytes apart", label, n);
        for (size_t i = 0;; i++) {
            long d = i == 0 ? 0 : distance(i - 1, n);
            uint8_t *out = arena + MIDDLE + d;
            if (i > 0 && d == 0) {
                if (i > 20)
                    break;
                continue;
            }
            size_t far = (size_t)(d < 0 ? -d : d);
            int wanted = d == 0 || far >= n ? XORCORE_OK : XORCORE_E_OVERLAP;
            random_bytes(arena, ARENA);
            memcpy(arena + MIDDLE, text, n);
            memcpy(kept, arena, ARENA);
            result = work_on(w, out, arena + MIDDLE, n, tag);
            check_result(result, wanted, "%s, %zu bytes at distance %ld", label, n, d);
            if (wanted == XORCORE_OK) {
                memcpy(kept + (out - arena), want, n);
                if (has_tag)
                    memcpy(kept + (tag - arena), want_tag, 16);
            }
            check(!memcmp(arena, kept, ARENA), "%s, %zu bytes at distance %ld: other bytes", label, n, d);
        }
    }
}

/* A tag that touches the text: overlap by one byte is refused, end to end is fine. */
static void tags(const struct algorithm *a, void *object)
{
    const size_t n = 50;
    for (long at = -17; at <= 51; at++) {
        if (at > 2 && at < 48)
            continue;
        int wanted = at <= -16 || at >= (long)n ? XORCORE_OK : XORCORE_E_OVERLAP;
        for (int side = 0; side < 2; side++) { /* against out, against in */
            uint8_t *out = arena + MIDDLE, *in = arena + MIDDLE + 300;
            uint8_t *tag = (side ? in : out) + at;
            random_bytes(arena, ARENA);
            memcpy(kept, arena, ARENA);
            int result = a->noun == AEAD ? xorcore_aead_seal(object, out, tag, 16, nonce, a->nonce, in, n,
                                                             aad, sizeof aad)
                                         : xorcore_mac_compute(object, tag, 16, a->nonce ? nonce : NULL,
                                                               a->nonce, side ? in : out, n);
            check_result(result, wanted, "%s, the tag at %ld of %s", a->name, at, side ? "in" : "out");
            if (wanted != XORCORE_OK)
                check(!memcmp(arena, kept, ARENA), "%s, the tag at %ld of %s: something was written", a->name,
                      at, side ? "in" : "out");
        }
    }
}

/* ---- failed opens -------------------------------------------------------------------------------- */

/* A wrong byte anywhere, or a tag of another length: AUTH, `out` all zeros, nothing beside it. */
static void failed_opens(const struct algorithm *a, void *object, const char *kernel)
{
    uint8_t sealed[MOST], tag[32], bad_nonce[24], bad_aad[40];
    for (size_t n = 0; n <= 600; n += n < 70 ? 1 : 37) {
        random_bytes(tag, sizeof tag);
        random_bytes(text, n);
        int result = xorcore_aead_seal(object, sealed, tag, 16, nonce, a->nonce, text, n, aad, sizeof aad);
        check_result(result, XORCORE_OK, "%s on %s, sealing %zu bytes", a->name, kernel, n);
        /* Cases: 0..3 text (first, middle, last, in place), tag bits, nonce, AAD, AAD's length, tag lengths. */
        for (int what = 0; what < 12 + 18; what++) {
            size_t tag_len = 16, aad_len = sizeof aad;
            uint8_t used_tag[32], used[MOST];
            memcpy(used_tag, tag, sizeof tag);
            memcpy(used, sealed, n);
            memcpy(bad_nonce, nonce, sizeof nonce);
            memcpy(bad_aad, aad, sizeof aad);
            if (what < 3 && n == 0)
                continue;
            switch (what) {
            case 0: used[0] ^= 0x80; break;
            case 1: used[n / 2] ^= 0x10; break;
            case 2: used[n - 1] ^= 1; break;
            case 3: used_tag[0] ^= 0x80; break;
            case 4: used_tag[7] ^= 1; break;
            case 5: used_tag[15] ^= 1; break;
            case 6: bad_nonce[0] ^= 1; break;
            case 7: bad_nonce[a->nonce - 1] ^= 1; break;
            case 8: bad_aad[0] ^= 1; break;
            case 9: bad_aad[aad_len - 1] ^= 1; break;
            case 10: aad_len--; break;
            case 11: memset(used_tag, 0, 16); break;
            default: tag_len = (size_t)what - 12; /* 0 .. 17, of which 16 is right */
            }
            int wanted = tag_len == 16 && what >= 12 ? XORCORE_OK : XORCORE_E_AUTH;
            for (int in_place = 0; in_place < 2; in_place++) {
                uint8_t *out = arena + MIDDLE;
                random_bytes(arena, ARENA);
                if (in_place)
                    memcpy(out, used, n);
                memcpy(kept, arena, ARENA);
                result = xorcore_aead_open(object, out, bad_nonce, a->nonce, in_place ? out : used, n,
                                           used_tag, tag_len, bad_aad, aad_len);
                check_result(result, wanted, "%s on %s, %zu bytes, case %d", a->name, kernel, n, what);
                if (wanted == XORCORE_OK)
                    memcpy(kept + MIDDLE, text, n);
                else
                    memset(kept + MIDDLE, 0, n);
                check(!memcmp(arena, kept, ARENA), "%s on %s, %zu bytes, case %d: out is not %s", a->name,
                      kernel, n, what, wanted == XORCORE_OK ? "the text" : "zeros");
            }
        }
    }
}

static void truncated_macs(const struct algorithm *a, void *object)
{
    uint8_t tag[32];
    random_bytes(tag, sizeof tag);
    const uint8_t *iv = a->nonce ? nonce : NULL;
    check_result(xorcore_mac_compute(object, tag, 16, iv, a->nonce, text, 100), XORCORE_OK, "%s", a->name);
    for (size_t len = 0; len <= 17; len++)
        check_result(xorcore_mac_verify(object, tag, len, iv, a->nonce, text, 100),
                     len == 16 ? XORCORE_OK : XORCORE_E_AUTH,
                     "%s, the right tag cut or stretched to %zu bytes", a->name, len);
    for (size_t bit = 0; bit < 128; bit++) {
        tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
        check_result(xorcore_mac_verify(object, tag, 16, iv, a->nonce, text, 100), XORCORE_E_AUTH,
                     "%s, bit %zu of the tag", a->name, bit);
        tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

int main(void)
{
    char label[200];
    random_bytes(text, sizeof text);
    random_bytes(nonce, sizeof nonce);
    random_bytes(aad, sizeof aad);
    random_bytes(key, sizeof key);

    for (size_t i = 0; i < algorithm_count; i++) {
        const struct algorithm *a = &algorithms[i];
        /* The best kernel, and every row that it can be given by name. */
        for (size_t k = 0; k <= xorcore_kernel_count(); k++) {
            xorcore_kernel row = { 0 };
            const char *kernel = NULL;
            void *object = NULL;
            if (k > 0) {
                xorcore_kernel_at(k - 1, &row, sizeof row);
                kernel = row.name;
                if (!(row.flags & XORCORE_KERNEL_RUNS) || !strcmp(row.family, "xor"))
                    continue;
            }
            if (new_object(a, &object, key, a->key, a->tag, kernel) != XORCORE_OK)
                continue; /* not a name for this algorithm */
            const char *on = object_kernel(a, object);
            struct work w = { a, object, NULL, FORWARD };
            if (a->noun != MAC) {
                snprintf(label, sizeof label, "%s on %s", a->name, on);
                matrix(&w, label);
            }
            if (a->noun == CIPHER) {
                w.what = BACKWARD;
                snprintf(label, sizeof label, "%s decryption on %s", a->name, on);
                matrix(&w, label);
            }
            w.what = AT;
            if (a->id == XORCORE_AES_CTR)
                matrix(&w, "ctr_at");
            w.what = SECTORS;
            if (a->id == XORCORE_AES_XTS)
                matrix(&w, "sectors");
            snprintf(label, sizeof label, "%s stream on %s", a->name, on);
            w.what = STREAM;
            if (a->noun != MAC && a->streams)
                matrix(&w, label);
            snprintf(label, sizeof label, "%s rows on %s", a->name, on);
            w.what = ROWS;
            if (a->noun != MAC)
                matrix(&w, label);
            if (a->noun != CIPHER)
                tags(a, object);
            if (a->noun == AEAD)
                failed_opens(a, object, on);
            if (a->noun == MAC)
                truncated_macs(a, object);
            free_object(a, object);
        }
    }

    for (size_t k = 0; k <= xorcore_kernel_count(); k++) {
        xorcore_kernel row = { 0 };
        struct work w = { NULL, NULL, NULL, XOR_TWO };
        if (k > 0) {
            xorcore_kernel_at(k - 1, &row, sizeof row);
            if (strcmp(row.family, "xor") || !(row.flags & XORCORE_KERNEL_RUNS))
                continue;
            w.kernel = row.name;
        }
        for (; w.what <= XOR_REPEAT; w.what++) {
            snprintf(label, sizeof label, "xor function %d on %s", w.what - XOR_TWO,
                     w.kernel ? w.kernel : "the best");
            matrix(&w, label);
        }
    }
    return finish();
}
