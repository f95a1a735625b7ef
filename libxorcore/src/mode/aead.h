/* aead.h — what an AEAD is to api/: its limits as data, and its functions. One table per algorithm. */
#ifndef XC_MODE_AEAD_H
#define XC_MODE_AEAD_H

#include "../kernel.h"
#include "lengths.h"

struct xc_aead_mode {
    int algorithm;
    uint32_t key_lengths, tag_lengths;
    uint64_t nonce_min, nonce_max;
    uint64_t aad_max;
    uint64_t text_max;
    uint64_t (*text_max_for)(size_t nonce_len); /* CCM, where it depends on the nonce; else NULL */

    /* Which reading of the `kernel` argument is this algorithm's: xc_choose_aes, _gcm or _pair. */
    int (*choose)(struct xc_choice *choice, const char *kernel);

    size_t (*key_size)(const struct xc_choice *choice);
    void (*set_key)(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len);

    /* seal writes m->out and the whole 16-byte tag, of which the caller keeps the first tag_len bytes. */
    void (*seal)(const void *key, const struct xc_message *m, uint8_t tag[16]);

    /* open writes m->out and the tag that the message ought to have; the caller compares. `given` is the
     * tag that came with the message, zero-padded: some modes need it to decrypt. */
    void (*open)(const void *key, const struct xc_message *m, const uint8_t given[16], uint8_t tag[16]);

    /* In pieces; all NULL where the mode cannot. state_size is for this key; `begin` takes raw memory of that
     * size, 64-byte aligned. `aad` and then `update` are called any number of times, `finish` once; `update`
     * without `out` only authenticates. */
    size_t (*state_size)(const void *key);
    void (*begin)(const void *key, void *state, int sealing, const uint8_t *nonce, size_t nonce_len);
    void (*aad)(const void *key, void *state, const uint8_t *aad, size_t n);
    void (*update)(const void *key, void *state, uint8_t *out, const uint8_t *in, size_t n);
    void (*finish)(const void *key, void *state, uint8_t tag[16]);

    /* CCM: both lengths, and the tag's, before the first piece. NULL where they need not be known. */
    void (*lengths)(const void *key, void *state, uint64_t aad_len, uint64_t text_len, size_t tag_len);
};

extern const struct xc_aead_mode xc_aead_gcm, xc_aead_ccm, xc_aead_gcm_siv, xc_aead_xaes_256_gcm;

static inline uint64_t xc_aead_text_max(const struct xc_aead_mode *mode, size_t nonce_len)
{
    return mode->text_max_for ? mode->text_max_for(nonce_len) : mode->text_max;
}

/* The table of an algorithm constant, or NULL. */
const struct xc_aead_mode *xc_aead_mode(int algorithm);

#endif
