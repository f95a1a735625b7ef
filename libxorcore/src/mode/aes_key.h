/* aes_key.h — an expanded AES key together with the kernel that expanded it. */
#ifndef XC_MODE_AES_KEY_H
#define XC_MODE_AES_KEY_H

#include "../kernel.h"
#include "../util/block.h"
#include "../xor/xor_tiny.h"

/* This header, and 64-byte aligned after it the kernel's key block. */
struct xc_aes_key {
    const struct xc_aes_ops *ops;
};

_Static_assert(sizeof(struct xc_aes_key) <= XC_ALIGN, "the kernel's block begins at the next 64 bytes");

static inline size_t xc_aes_key_size(const struct xc_choice *choice)
{
    return XC_ALIGN + xc_align(choice->aes->key_size);
}

static inline const void *xc_aes_block(const struct xc_aes_key *key) { return (const uint8_t *)key + XC_ALIGN; }

/* For encryption; with `decrypt` for both directions of the block cipher. */
static inline void xc_aes_set_key(struct xc_aes_key *key, const struct xc_aes_ops *ops, const uint8_t *bytes,
                                  size_t len, int decrypt)
{
    key->ops = ops;
    ops->set_key((uint8_t *)key + XC_ALIGN, bytes, len);
    if (decrypt && ops->set_decrypt_key)
        ops->set_decrypt_key((uint8_t *)key + XC_ALIGN);
}

static inline void xc_aes_encrypt(const struct xc_aes_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    key->ops->encrypt(xc_aes_block(key), out, in, blocks);
}

/* chain = E(chain ^ block) for every block in turn. */
static inline void xc_aes_mac(const struct xc_aes_key *key, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    if (key->ops->mac) {
        key->ops->mac(xc_aes_block(key), in, blocks, chain);
        return;
    }
    for (; blocks; blocks--, in += XC_BLOCK) {
        xc_xor_block(chain, chain, in);
        xc_aes_encrypt(key, chain, chain, 1);
    }
}

#endif
