/* gcm.h — AES-GCM's parts that other modes stand on: keys, pre-counter blocks, whole messages. */
#ifndef XC_MODE_GCM_H
#define XC_MODE_GCM_H

#include "aead.h"

/* SP 800-38D 5.2.1.1. */
#define XC_GCM_TEXT_MAX (((uint64_t)1 << 36) - 32)
#define XC_GCM_AAD_MAX (((uint64_t)1 << 61) - 1)
#define XC_GCM_TAGS                                                                                          \
    (XC_TAG(4) | XC_TAG(8) | XC_TAG(12) | XC_TAG(13) | XC_TAG(14) | XC_TAG(15) | XC_TAG(16))

/* A GCM key: this header, and 64-byte aligned after it the kernel's key block. */
struct xc_gcm_key {
    const struct xc_gcm_ops *ops;
};

size_t xc_gcm_key_size(const struct xc_choice *choice);
void xc_gcm_set_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len);
/* For one message of no more than `most` bytes, text and additional data together. */
void xc_gcm_set_brief_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len, size_t most);
const void *xc_gcm_kernel_key(const struct xc_gcm_key *key);

/* The pre-counter block of a nonce of any length (SP 800-38D 7.1 step 2). */
void xc_gcm_j0(const struct xc_gcm_key *key, const uint8_t *nonce, size_t nonce_len, uint8_t j0[16]);

/* GHASH over n bytes, zero-padded to whole blocks. */
void xc_gcm_hash_padded(const struct xc_gcm_key *key, const uint8_t *in, size_t n, uint8_t y[16]);

/* The end of every message: the lengths block into y, and tag = y ^ E(J0). */
void xc_gcm_tag(const struct xc_gcm_key *key, const uint8_t j0[16], uint64_t aad_len, uint64_t len,
                const uint8_t y[16], uint8_t tag[16]);

/* A message in pieces. Opening and authenticating only, `pad` and `counter` stay unused. */
struct xc_gcm_state {
    uint8_t j0[XC_BLOCK], counter[XC_BLOCK], y[XC_BLOCK];
    uint8_t pad[XC_BLOCK];  /* keystream of the open block */
    uint8_t part[XC_BLOCK]; /* AAD, then ciphertext, that does not fill a block yet */
    uint8_t used;           /* bytes of `part` */
    uint8_t sealing;
    uint8_t secret_counter; /* it was made with the hash key */
    uint64_t aad_len, len;
};

size_t xc_gcm_state_size(const void *key);
void xc_gcm_begin(const void *key, void *state, int sealing, const uint8_t *nonce, size_t nonce_len);
void xc_gcm_aad(const void *key, void *state, const uint8_t *aad, size_t n);
void xc_gcm_update(const void *key, void *state, uint8_t *out, const uint8_t *in, size_t n);
void xc_gcm_finish(const void *key, void *state, uint8_t tag[16]);

void xc_gcm_seal(const void *key, const struct xc_message *m, uint8_t tag[16]);
void xc_gcm_open(const void *key, const struct xc_message *m, const uint8_t given[16], uint8_t tag[16]);

#endif
