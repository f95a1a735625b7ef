/* api.c — the public functions on secret keys, texts and tags, on every kernel; and exactly sized blocks. */
#include "ct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xorcore.h"

/* The algorithms, each with the nonce or IV it takes and what its text is a multiple of. */
enum noun {
    AEAD,
    CIPHER,
    MAC
};
static const struct algorithm {
    enum noun noun;
    int id;
    const char *name;
    size_t keys[3], nonce, unit, least;
    int streams;
} algorithms[] = {
    { AEAD, XORCORE_AES_GCM, "GCM", { 16, 24, 32 }, 12, 1, 0, 1 },
    /* A nonce of another length is hashed under the hash key: then the counter is a secret too. */
    { AEAD, XORCORE_AES_GCM, "GCM with a hashed nonce", { 16, 24, 32 }, 16, 1, 0, 1 },
    { AEAD, XORCORE_AES_CCM, "CCM", { 16, 24, 32 }, 12, 1, 0, 1 },
    { AEAD, XORCORE_AES_GCM_SIV, "GCM-SIV", { 16, 32 }, 12, 1, 0, 0 },
    { AEAD, XORCORE_XAES_256_GCM, "XAES-256-GCM", { 32 }, 24, 1, 0, 1 },
    { CIPHER, XORCORE_AES_ECB, "ECB", { 16, 24, 32 }, 0, 16, 0, 1 },
    { CIPHER, XORCORE_AES_CBC, "CBC", { 16, 24, 32 }, 16, 16, 0, 1 },
    { CIPHER, XORCORE_AES_CFB128, "CFB128", { 16, 24, 32 }, 16, 1, 0, 1 },
    { CIPHER, XORCORE_AES_CFB8, "CFB8", { 16, 24, 32 }, 16, 1, 0, 1 },
    { CIPHER, XORCORE_AES_OFB, "OFB", { 16, 24, 32 }, 16, 1, 0, 1 },
    { CIPHER, XORCORE_AES_CTR, "CTR", { 16, 24, 32 }, 16, 1, 0, 1 },
    { CIPHER, XORCORE_AES_XTS, "XTS", { 32, 48, 64 }, 16, 1, 16, 0 },
    { MAC, XORCORE_AES_GMAC, "GMAC", { 16, 24, 32 }, 12, 1, 0, 1 },
    { MAC, XORCORE_AES_CMAC, "CMAC", { 16, 24, 32 }, 0, 1, 0, 1 },
};

/* Every name that an object might run on: the rows that run, and every pair of an aes and a ghash row. */
static size_t kernel_names(char names[][64], size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < xorcore_kernel_count() && count < most; i++) {
        struct xorcore_kernel a, g;
        int seen = 0;
        xorcore_kernel_at(i, &a, sizeof a);
        for (size_t j = 0; j < count; j++)
            seen |= !strcmp(names[j], a.name);
        if (a.flags & XORCORE_KERNEL_RUNS && !seen)
            snprintf(names[count++], 64, "%.60s", a.name);
        for (size_t j = 0; j < xorcore_kernel_count() && count < most; j++) {
            xorcore_kernel_at(j, &g, sizeof g);
            if (!strcmp(a.family, "aes") && !strcmp(g.family, "ghash") &&
                a.flags & g.flags & XORCORE_KERNEL_RUNS)
                snprintf(names[count++], 64, "%.30s+%.30s", a.name, g.name);
        }
    }
    return count;
}

static void check_xor(void)
{
    begin_case("the xor functions");
    for (size_t i = 0; i < length_count; i++) {
        size_t n = lengths[i] / 3;
        fill(data);
        const uint8_t *text = data->secret_text, *sources[2] = { text, text + n };
        xorcore_xor(data->out, text, text + n, n);
        xorcore_xor_many(data->out, sources, 2, n);
        xorcore_xor_strided(data->out, text, n, 3, n);
        xorcore_xor_repeat(data->out, text, n, text + n, n / 5 + 1, 7);
    }
    end_case();

    begin_case("equality");
    for (size_t i = 0; i < length_count; i++) {
        fill(data);
        size_t n = lengths[i];
        int same = xorcore_equal(data->secret_text, data->secret_text, n);
        secret(data->out, sizeof data->out);
        int other = xorcore_equal(data->secret_text, data->out, n);
        public(&same, sizeof same);
        public(&other, sizeof other);
        expect(same, 1);
        expect(other, n == 0);
    }
    end_case();
}

/* ---- objects ------------------------------------------------------------------------------------- */

static const uint8_t *iv_of(const struct algorithm *a) { return a->nonce ? data->nonce : NULL; }

static int new_object(const struct algorithm *a, void **out, size_t key_len, const char *kernel)
{
    switch (a->noun) {
    case AEAD: return xorcore_aead_new((xorcore_aead **)out, a->id, data->key, key_len, 16, kernel);
    case CIPHER: return xorcore_cipher_new((xorcore_cipher **)out, a->id, data->key, key_len, kernel);
    default: return xorcore_mac_new((xorcore_mac **)out, a->id, data->key, key_len, 16, kernel);
    }
}

static void free_object(const struct algorithm *a, void *object)
{
    switch (a->noun) {
    case AEAD: xorcore_aead_free(object); break;
    case CIPHER: xorcore_cipher_free(object); break;
    default: xorcore_mac_free(object);
    }
}

/* One message there and back, in place, and with a tag that is wrong. */
static void whole(const struct algorithm *a, const void *object, size_t n)
{
    const uint8_t *text = data->secret_text, *iv = iv_of(a);
    size_t aad_len = n % 41;
    uint8_t tag[16];
    fill(data);
    switch (a->noun) {
    case AEAD:
        expect(xorcore_aead_seal(object, data->out, tag, 16, iv, a->nonce, text, n, text, aad_len),
               XORCORE_OK);
        expect(xorcore_aead_open(object, data->out, iv, a->nonce, data->out, n, tag, 16, text, aad_len),
               XORCORE_OK);
        expect(xorcore_aead_open(object, data->out, iv, a->nonce, text, n, data->tag, 16, text, aad_len),
               XORCORE_E_AUTH);
        break;
    case CIPHER:
        expect(xorcore_cipher_encrypt(object, data->out, iv, a->nonce, text, n), XORCORE_OK);
        expect(xorcore_cipher_decrypt(object, data->out, iv, a->nonce, data->out, n), XORCORE_OK);
        if (a->id == XORCORE_AES_CTR)
            expect(xorcore_cipher_ctr_at(object, data->out, iv, 16, 100 + n, text, n), XORCORE_OK);
        if (a->id == XORCORE_AES_XTS)
            expect(xorcore_cipher_sectors(object, XORCORE_DECRYPT, data->out, iv, 16, text, n / 48 * 48, 48),
                   XORCORE_OK);
        break;
    default:
        expect(xorcore_mac_compute(object, tag, 16, iv, a->nonce, text, n), XORCORE_OK);
        expect(xorcore_mac_verify(object, tag, 16, iv, a->nonce, text, n), XORCORE_OK);
        expect(xorcore_mac_verify(object, data->tag, 16, iv, a->nonce, text, n), XORCORE_E_AUTH);
    }
}

static int new_stream(const struct algorithm *a, xorcore_stream **s, const void *object, int direction)
{
    switch (a->noun) {
    case AEAD: return xorcore_stream_new_aead(s, object, direction, iv_of(a), a->nonce);
    case CIPHER: return xorcore_stream_new_cipher(s, object, direction, iv_of(a), a->nonce);
    default: return xorcore_stream_new_mac(s, object, iv_of(a), a->nonce);
    }
}

/* The same message in pieces of `step` bytes, in each direction; a stream that opens ends in AUTH. */
static void pieces(const struct algorithm *a, const void *object, size_t n, size_t step)
{
    for (int direction = 0; direction <= (a->noun == AEAD ? 2 : 1); direction++) {
        int silent = a->noun == MAC || (a->noun == AEAD && direction == XORCORE_DECRYPT);
        xorcore_stream *s = NULL;
        uint8_t tag[16];
        fill(data);
        expect(new_stream(a, &s, object, direction), XORCORE_OK);
        if (a->id == XORCORE_AES_CCM)
            expect(xorcore_stream_lengths(s, 30, n), XORCORE_OK);
        if (a->noun == AEAD) {
            expect(xorcore_stream_aad(s, data->secret_text, 13), XORCORE_OK);
            expect(xorcore_stream_aad(s, data->secret_text, 17), XORCORE_OK);
        }
        for (size_t at = 0; at < n; at += step)
            expect(xorcore_stream_update(s, silent ? NULL : data->out + at, data->secret_text + at,
                                         n - at < step ? n - at : step),
                   XORCORE_OK);
        if (a->noun == MAC || (a->noun == AEAD && direction == XORCORE_ENCRYPT))
            expect(xorcore_stream_finish(s, tag, 16), XORCORE_OK);
        else if (a->noun == AEAD)
            expect(xorcore_stream_verify(s, data->tag, 16), XORCORE_E_AUTH);
        xorcore_stream_free(s);
    }
}

/* Three messages as rows. */
static void rows(const struct algorithm *a, const void *object, size_t n)
{
    xorcore_row r[3];
    memset(r, 0, sizeof r);
    fill(data);
    for (size_t i = 0; i < 3; i++) {
        r[i].in_at = i * n;
        r[i].out_at = i * (n + 16);
        r[i].len = n;
        r[i].tag_at = a->noun == MAC ? 16 * i : i * (n + 16) + n;
    }
    const uint8_t *text = data->secret_text;
    switch (a->noun) {
    case AEAD:
        expect(xorcore_aead_seal_rows(object, data->out, MOST, text, MOST, data->nonce, 32, a->nonce, r, 3,
                                      sizeof *r),
               XORCORE_OK);
        for (size_t i = 0; i < 3; i++)
            r[i].tag_at = 0;
        expect(xorcore_aead_open_rows(object, data->out, MOST, text, MOST, data->nonce, 32, a->nonce, r, 3,
                                      sizeof *r),
               XORCORE_E_AUTH);
        break;
    case CIPHER:
        expect(xorcore_cipher_encrypt_rows(object, data->out, MOST, text, MOST, data->nonce, 32, a->nonce, r,
                                           3, sizeof *r),
               XORCORE_OK);
        expect(xorcore_cipher_decrypt_rows(object, data->out, MOST, text, MOST, data->nonce, 32, a->nonce, r,
                                           3, sizeof *r),
               XORCORE_OK);
        break;
    default:
        expect(xorcore_mac_compute_rows(object, data->out, MOST, text, MOST, data->nonce, 32, a->nonce, r, 3,
                                        sizeof *r),
               XORCORE_OK);
        for (size_t i = 0; i < 3; i++)
            r[i].tag_at = 0;
        expect(
            xorcore_mac_verify_rows(object, NULL, 0, text, MOST, data->nonce, 32, a->nonce, r, 3, sizeof *r),
            XORCORE_E_AUTH);
    }
}

static size_t units(const struct algorithm *a, size_t n)
{
    n -= n % a->unit;
    return n < a->least ? a->least : n;
}

/* All of one algorithm on one kernel. Returns 0 when that is no name of a kernel for it. */
static int check_object(const struct algorithm *a, size_t key_len, const char *kernel)
{
    void *object = NULL;
    fill(data);
    begin_case("%s, key of %zu bytes, on %s", a->name, key_len, kernel);
    int made = new_object(a, &object, key_len, kernel);
    if (made == XORCORE_E_KERNEL)
        return 0;
    expect(made, XORCORE_OK);
    for (size_t i = 0; object && i < length_count; i++)
        if (lengths[i] < 3000 || key_len == a->keys[0])
            whole(a, object, units(a, lengths[i]));
    for (size_t n = 0; object && a->streams && n < 400; n += 133) {
        pieces(a, object, units(a, n), units(a, 16));
        pieces(a, object, units(a, n), a->unit == 1 ? 7 : 48);
    }
    for (size_t n = 0; object && n < 600; n += 190)
        rows(a, object, units(a, n));
    free_object(a, object);
    end_case();
    return 1;
}

void check_api(void)
{
    enum {
        MOST_NAMES = 200
    };
    static char names[MOST_NAMES][64];
    size_t count = kernel_names(names, MOST_NAMES);
    check_xor();
    begin_case("room for the names of all kernels");
    expect(count < MOST_NAMES, 1);
    end_case();
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        int ran = 0;
        for (size_t k = 0; k < count; k++)
            for (size_t j = 0; j < 3 && algorithms[i].keys[j]; j++)
                ran += check_object(&algorithms[i], algorithms[i].keys[j], names[k]);
        begin_case("%s on any kernel", algorithms[i].name);
        expect(ran > 0, 1);
        end_case();
    }
}

/* Blocks of exactly n bytes on the heap and all of it public: an engine must have nothing to say about a
 * tail, neither of reading past the block nor of deciding on bytes that nobody wrote. */
void check_exact_blocks(void)
{
    uint8_t key[16] = { 1 }, nonce[12] = { 2 }, tag[16];
    xorcore_aead *aead = NULL;
    int sum = 0;
    begin_case("exactly sized blocks");
    xorcore_aead_new(&aead, XORCORE_AES_GCM, key, 16, 16, NULL);
    for (size_t n = 0; n <= 140; n++) {
        uint8_t *a = malloc(n + !n), *b = malloc(n + !n), *out = malloc(n + !n);
        memset(a, 1, n);
        memset(b, 2, n);
        xorcore_xor(out, a, b, n);
        xorcore_xor_repeat(out, out, n, a, n / 2 + 1 < n ? n / 2 + 1 : 1, 3);
        sum += xorcore_equal(out, b, n);
        xorcore_aead_seal(aead, out, tag, 16, nonce, 12, a, n, b, n);
        sum += xorcore_aead_open(aead, out, nonce, 12, out, n, tag, 16, b, n) == XORCORE_OK;
        for (size_t i = 0; i < n; i++)
            sum += out[i] > 100; /* a decision on every byte */
        free(a);
        free(b);
        free(out);
    }
    xorcore_aead_free(aead);
    expect(sum > 141, 1);
    end_case();
}
