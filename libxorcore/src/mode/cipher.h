/* cipher.h — what a cipher mode is to api/: its limits as data, and its functions. One table per mode. */
#ifndef XC_MODE_CIPHER_H
#define XC_MODE_CIPHER_H

#include "aes_key.h"
#include "lanes.h"
#include "lengths.h"

/* A message on its way: the chaining value, and a block of keystream that is used in part. */
struct xc_cipher_state {
    uint8_t chain[XC_BLOCK]; /* the IV that continues here, when no block is open */
    uint8_t pad[XC_BLOCK];
    uint8_t used; /* bytes of `pad` that are used; 0 when no block is open */
};

struct xc_cipher_mode {
    int algorithm;
    uint32_t key_lengths;
    uint8_t iv_len;   /* 0 or 16 */
    uint8_t unit;     /* bytes that `units` counts in: 16, or 1 for CFB8; no other */
    uint8_t decrypts; /* uses the inverse of the block cipher */
    uint8_t feedback; /* the open block's ciphertext becomes the chain, byte by byte (CFB128) */
    uint8_t seekable; /* CTR */

    /* Whole units; the chain moves on. */
    void (*units)(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in, size_t units,
                  uint8_t chain[16]);

    /* Optional. A whole message of any length, whose last block no later call goes on with. */
    void (*message)(const struct xc_aes_key *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16]);

    /* Opens a block: its keystream into `pad`, the chain moves on. NULL: the mode takes whole units only. */
    void (*open)(const struct xc_aes_key *key, uint8_t chain[16], uint8_t pad[16]);

    /* Optional: the kernel's slot that does the units of many messages side by side. It is NULL where the kernel has
     * none, and the other way round (`encrypt` or not), where a message is parallel in itself. */
    xc_lanes_slot *(*side_by_side)(const struct xc_aes_ops *ops, int encrypt);
};

/* Any split of a message over any number of calls; without an `open` slot n is whole units. */
void xc_cipher_update(const struct xc_cipher_mode *mode, const struct xc_aes_key *key,
                      struct xc_cipher_state *state, int encrypt, uint8_t *out, const uint8_t *in, size_t n);

/* A message in one call, as xc_cipher_update from a state at its beginning; `iv` is NULL where the mode has none. */
void xc_cipher_message(const struct xc_cipher_mode *mode, const struct xc_aes_key *key, int encrypt, uint8_t *out,
                       const uint8_t *in, size_t n, const uint8_t *iv);

/* The state at byte `offset` of the keystream that begins at `iv`. For the seekable mode. */
void xc_cipher_seek(const struct xc_cipher_mode *mode, const struct xc_aes_key *key,
                    struct xc_cipher_state *state, const uint8_t iv[16], uint64_t offset);

/* The slot for many messages, or NULL where each goes its own way. */
xc_lanes_slot *xc_cipher_side_by_side(const struct xc_cipher_mode *mode, const struct xc_aes_key *key, int encrypt);

/* A whole message into a run with that slot, the mode's own arguments. */
struct xc_lane_end *xc_cipher_add(struct xc_run *run, uint8_t *out, const uint8_t *iv, const uint8_t *in, size_t n);

/* The table of an algorithm constant, or NULL; XTS is not among them (xts.h). */
const struct xc_cipher_mode *xc_cipher_mode(int algorithm);

extern const struct xc_cipher_mode xc_cipher_ecb, xc_cipher_cbc, xc_cipher_cfb128, xc_cipher_cfb8, xc_cipher_ofb,
    xc_cipher_ctr;

#endif
