/* stream.c — one message in any split: which call is legal when, limits kept across calls, and the tag. */
#include "../util/equal.h"
#include "../util/wipe.h"
#include "check.h"
#include "objects.h"

#include <string.h>

enum noun { CIPHER, AEAD, MAC };
enum phase { FRESH, IN_AAD, IN_TEXT, DONE };

struct xorcore_stream {
    size_t size;
    struct xc_object *holder; /* the key object, kept alive */
    enum noun noun;
    enum phase phase;
    int direction;
    int announced; /* both lengths are known */
    int at_end;    /* CTR: byte 2^64 - 1 has been used, and text_len has come round to 0 */
    union {
        const xorcore_cipher *cipher;
        const xorcore_aead *aead;
        const xorcore_mac *mac;
    } key;
    uint64_t aad_len, text_len;   /* so far; for CTR text_len is the position in the keystream */
    uint64_t aad_goal, text_goal; /* as announced, or the algorithm's limits */
    uint8_t iv[XC_BLOCK];         /* CTR: where seeking counts from */
    _Alignas(XC_ALIGN) uint8_t state[];
};

/* ---- making ------------------------------------------------------------------------------------------ */

static int check_nonce(const xorcore_stream *s, size_t nonce_len)
{
    int good;
    switch (s->noun) {
    case CIPHER:
        good = nonce_len == s->key.cipher->mode->iv_len;
        break;
    case AEAD:
        good = nonce_len >= s->key.aead->mode->nonce_min && nonce_len <= s->key.aead->mode->nonce_max;
        break;
    default:
        good = nonce_len >= s->key.mac->mode->nonce_min && nonce_len <= s->key.mac->mode->nonce_max;
    }
    return good ? XORCORE_OK : XORCORE_E_NONCE_LENGTH;
}

/* From any state to the start of a message. */
static void begin(xorcore_stream *s, const uint8_t *nonce, size_t nonce_len)
{
    s->phase = FRESH;
    s->announced = s->at_end = 0;
    s->aad_len = s->text_len = 0;
    s->aad_goal = s->text_goal = UINT64_MAX;
    switch (s->noun) {
    case CIPHER: {
        struct xc_cipher_state *state = (struct xc_cipher_state *)s->state;
        memset(state, 0, sizeof *state);
        if (nonce_len) {
            memcpy(state->chain, nonce, nonce_len);
            memcpy(s->iv, nonce, nonce_len);
        }
        break;
    }
    case AEAD:
        s->aad_goal = s->key.aead->mode->aad_max;
        s->text_goal = xc_aead_text_max(s->key.aead->mode, nonce_len);
        s->key.aead->mode->begin(s->key.aead->key, s->state, s->direction == XORCORE_ENCRYPT, nonce, nonce_len);
        break;
    case MAC:
        s->text_goal = s->key.mac->mode->data_max;
        s->key.mac->mode->begin(s->key.mac->key, (union xc_mac_state *)s->state, nonce, nonce_len);
    }
}

/* `like` carries noun, direction and key. The caller has checked everything but the nonce's length. */
static int make(xorcore_stream **out, const xorcore_stream *like, struct xc_object *holder, size_t state_size,
                const uint8_t *nonce, size_t nonce_len)
{
    const int r = check_nonce(like, nonce_len);
    if (r)
        return r;
    const size_t size = sizeof *like + state_size;
    xorcore_stream *s = xc_block_new(size);
    if (!s)
        return XORCORE_E_MEMORY;
    memcpy(s, like, sizeof *like);
    s->size = size;
    s->holder = holder;
    xc_object_hold(holder);
    begin(s, nonce, nonce_len);
    *out = s;
    return XORCORE_OK;
}

int xorcore_stream_new_cipher(xorcore_stream **out, const xorcore_cipher *cipher, int direction,
                              const uint8_t *iv, size_t iv_len)
{
    if (!out)
        return XORCORE_E_ARG;
    *out = NULL;
    if (!cipher || (direction != XORCORE_ENCRYPT && direction != XORCORE_DECRYPT) || xc_missing(iv, iv_len))
        return XORCORE_E_ARG;
    if (!cipher->mode)
        return XORCORE_E_UNSUPPORTED; /* XTS: one data unit is one call */
    const xorcore_stream like = {.noun = CIPHER, .direction = direction, .key.cipher = cipher};
    return make(out, &like, (struct xc_object *)&cipher->object, sizeof(struct xc_cipher_state), iv, iv_len);
}

int xorcore_stream_new_aead(xorcore_stream **out, const xorcore_aead *aead, int direction,
                            const uint8_t *nonce, size_t nonce_len)
{
    if (!out)
        return XORCORE_E_ARG;
    *out = NULL;
    if (!aead || direction < XORCORE_DECRYPT || direction > XORCORE_DECRYPT_UNVERIFIED ||
        xc_missing(nonce, nonce_len))
        return XORCORE_E_ARG;
    if (!aead->mode->state_size)
        return XORCORE_E_UNSUPPORTED; /* GCM-SIV reads the text twice */
    const xorcore_stream like = {.noun = AEAD, .direction = direction, .key.aead = aead};
    return make(out, &like, (struct xc_object *)&aead->object, aead->mode->state_size(aead->key), nonce,
                nonce_len);
}

int xorcore_stream_new_mac(xorcore_stream **out, const xorcore_mac *mac, const uint8_t *nonce,
                           size_t nonce_len)
{
    if (!out)
        return XORCORE_E_ARG;
    *out = NULL;
    if (!mac || xc_missing(nonce, nonce_len))
        return XORCORE_E_ARG;
    const xorcore_stream like = {.noun = MAC, .direction = XORCORE_ENCRYPT, .key.mac = mac};
    return make(out, &like, (struct xc_object *)&mac->object, sizeof(union xc_mac_state), nonce, nonce_len);
}

int xorcore_stream_reset(xorcore_stream *stream, const uint8_t *nonce, size_t nonce_len)
{
    if (!stream || xc_missing(nonce, nonce_len))
        return XORCORE_E_ARG;
    const int r = check_nonce(stream, nonce_len);
    if (r)
        return r;
    begin(stream, nonce, nonce_len);
    return XORCORE_OK;
}

int xorcore_stream_copy(xorcore_stream **out, const xorcore_stream *stream)
{
    if (!out)
        return XORCORE_E_ARG;
    *out = NULL;
    if (!stream)
        return XORCORE_E_ARG;
    if (stream->noun == AEAD && stream->direction == XORCORE_ENCRYPT)
        return XORCORE_E_UNSUPPORTED; /* two messages would go out under one nonce */
    xorcore_stream *s = xc_block_new(stream->size);
    if (!s)
        return XORCORE_E_MEMORY;
    memcpy(s, stream, stream->size);
    xc_object_hold(s->holder);
    *out = s;
    return XORCORE_OK;
}

void xorcore_stream_free(xorcore_stream *stream)
{
    if (!stream)
        return;
    struct xc_object *holder = stream->holder;
    xc_block_free(stream, stream->size);
    xc_object_release(holder);
}

/* ---- feeding ------------------------------------------------------------------------------------------- */

/* CCM cannot begin before it knows both lengths. */
static int waits_for_lengths(const xorcore_stream *s)
{
    return s->noun == AEAD && s->key.aead->mode->lengths && !s->announced;
}

int xorcore_stream_lengths(xorcore_stream *stream, uint64_t aad_len, uint64_t text_len)
{
    if (!stream)
        return XORCORE_E_ARG;
    if (stream->noun != AEAD)
        return XORCORE_E_UNSUPPORTED;
    if (stream->phase != FRESH || stream->announced)
        return XORCORE_E_STATE;
    if (aad_len > stream->aad_goal || text_len > stream->text_goal)
        return XORCORE_E_LIMIT;
    stream->announced = 1;
    stream->aad_goal = aad_len;
    stream->text_goal = text_len;
    const xorcore_aead *a = stream->key.aead;
    if (a->mode->lengths)
        a->mode->lengths(a->key, stream->state, aad_len, text_len, a->tag_len);
    return XORCORE_OK;
}

int xorcore_stream_aad(xorcore_stream *stream, const uint8_t *aad, size_t n)
{
    if (!stream || xc_missing(aad, n))
        return XORCORE_E_ARG;
    if (stream->noun != AEAD)
        return XORCORE_E_UNSUPPORTED;
    if (stream->phase > IN_AAD || waits_for_lengths(stream))
        return XORCORE_E_STATE;
    if (n > stream->aad_goal - stream->aad_len)
        return XORCORE_E_LIMIT;
    if (n) {
        stream->key.aead->mode->aad(stream->key.aead->key, stream->state, aad, n);
        stream->aad_len += n;
        stream->phase = IN_AAD;
    }
    return XORCORE_OK;
}

/* Announced AAD is still to come. */
static int text_is_early(const xorcore_stream *s) { return s->announced && s->aad_len != s->aad_goal; }

int xorcore_stream_update(xorcore_stream *stream, uint8_t *out, const uint8_t *in, size_t n)
{
    if (!stream || xc_missing(in, n))
        return XORCORE_E_ARG;
    const int silent = stream->noun == MAC || (stream->noun == AEAD && stream->direction == XORCORE_DECRYPT);
    if (silent ? out != NULL : xc_missing(out, n))
        return XORCORE_E_ARG;
    if (stream->phase == DONE || waits_for_lengths(stream) || (n && text_is_early(stream)))
        return XORCORE_E_STATE;
    if (stream->noun == CIPHER) {
        const struct xc_cipher_mode *mode = stream->key.cipher->mode;
        if (!mode->open && n % mode->unit)
            return XORCORE_E_DATA_LENGTH;
        if (mode->seekable && n && (stream->at_end || n - 1 > UINT64_MAX - stream->text_len))
            return XORCORE_E_LIMIT;
    } else if (n > stream->text_goal - stream->text_len)
        return XORCORE_E_LIMIT;
    if (!silent && xc_partly(out, in, n))
        return XORCORE_E_OVERLAP;
    if (!n)
        return XORCORE_OK;

    switch (stream->noun) {
    case CIPHER:
        xc_cipher_update(stream->key.cipher->mode, (const struct xc_aes_key *)stream->key.cipher->key,
                         (struct xc_cipher_state *)stream->state, stream->direction == XORCORE_ENCRYPT, out, in,
                         n);
        break;
    case AEAD:
        stream->key.aead->mode->update(stream->key.aead->key, stream->state, out, in, n);
        break;
    case MAC:
        stream->key.mac->mode->update(stream->key.mac->key, (union xc_mac_state *)stream->state, in, n);
    }
    stream->text_len += n;
    stream->at_end = stream->noun == CIPHER && !stream->text_len;
    stream->phase = IN_TEXT;
    return XORCORE_OK;
}

int xorcore_stream_seek(xorcore_stream *stream, uint64_t offset)
{
    if (!stream)
        return XORCORE_E_ARG;
    if (stream->noun != CIPHER || !stream->key.cipher->mode->seekable)
        return XORCORE_E_UNSUPPORTED;
    xc_cipher_seek(stream->key.cipher->mode, (const struct xc_aes_key *)stream->key.cipher->key,
                   (struct xc_cipher_state *)stream->state, stream->iv, offset);
    stream->text_len = offset;
    stream->at_end = 0;
    return XORCORE_OK;
}

int xorcore_stream_iv(const xorcore_stream *stream, uint8_t *iv, size_t iv_len)
{
    if (!stream || xc_missing(iv, iv_len))
        return XORCORE_E_ARG;
    if (stream->noun != CIPHER || !stream->key.cipher->mode->iv_len)
        return XORCORE_E_UNSUPPORTED;
    const struct xc_cipher_state *state = (const struct xc_cipher_state *)stream->state;
    if (state->used)
        return XORCORE_E_STATE;
    if (iv_len != XC_BLOCK)
        return XORCORE_E_NONCE_LENGTH;
    memcpy(iv, state->chain, XC_BLOCK);
    return XORCORE_OK;
}

/* ---- the end ------------------------------------------------------------------------------------------- */

static size_t tag_length(const xorcore_stream *s)
{
    return s->noun == AEAD ? s->key.aead->tag_len : s->key.mac->tag_len;
}

/* The message may end here. */
static int end_is_early(const xorcore_stream *s)
{
    return s->phase == DONE || waits_for_lengths(s) ||
           (s->announced && (s->aad_len != s->aad_goal || s->text_len != s->text_goal));
}

static void end(xorcore_stream *s, uint8_t tag[16])
{
    if (s->noun == AEAD)
        s->key.aead->mode->finish(s->key.aead->key, s->state, tag);
    else
        s->key.mac->mode->finish(s->key.mac->key, (union xc_mac_state *)s->state, tag);
    s->phase = DONE;
}

int xorcore_stream_finish(xorcore_stream *stream, uint8_t *tag, size_t tag_len)
{
    if (!stream || xc_missing(tag, tag_len))
        return XORCORE_E_ARG;
    if (stream->noun == CIPHER || (stream->noun == AEAD && stream->direction != XORCORE_ENCRYPT))
        return XORCORE_E_UNSUPPORTED;
    if (end_is_early(stream))
        return XORCORE_E_STATE;
    if (tag_len != tag_length(stream))
        return XORCORE_E_TAG_LENGTH;
    uint8_t tag16[XC_BLOCK];
    end(stream, tag16);
    memcpy(tag, tag16, tag_len);
    xc_wipe(tag16, sizeof tag16);
    return XORCORE_OK;
}

int xorcore_stream_verify(xorcore_stream *stream, const uint8_t *tag, size_t tag_len)
{
    if (!stream || xc_missing(tag, tag_len))
        return XORCORE_E_ARG;
    if (stream->noun == CIPHER || (stream->noun == AEAD && stream->direction == XORCORE_ENCRYPT))
        return XORCORE_E_UNSUPPORTED;
    if (end_is_early(stream))
        return XORCORE_E_STATE;
    uint8_t ought[XC_BLOCK];
    end(stream, ought);
    const int ok = tag_len == tag_length(stream) && xc_equal(tag, ought, tag_len);
    xc_wipe(ought, sizeof ought); /* a right tag for a forged message is a secret */
    return ok ? XORCORE_OK : XORCORE_E_AUTH;
}
