/* ofb.c — OFB over any aes kernel (SP 800-38A 6.4). */
#include "../xor/xor_tiny.h"
#include "cipher.h"
#include "xorcore.h"

#include <string.h>

static void open(const struct xc_aes_key *key, uint8_t chain[16], uint8_t pad[16])
{
    xc_aes_encrypt(key, chain, chain, 1);
    memcpy(pad, chain, XC_BLOCK);
}

static void units(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in, size_t blocks,
                  uint8_t chain[16])
{
    (void)encrypt; /* the same both ways */
    if (key->ops->ofb) {
        key->ops->ofb(xc_aes_block(key), out, in, blocks, chain);
        return;
    }
    for (; blocks; blocks--, in += XC_BLOCK, out += XC_BLOCK) {
        xc_aes_encrypt(key, chain, chain, 1);
        xc_xor_block(out, in, chain);
    }
}

static xc_lanes_slot *side_by_side(const struct xc_aes_ops *ops, int encrypt)
{
    (void)encrypt;
    return ops->ofb_lanes;
}

const struct xc_cipher_mode xc_cipher_ofb = {
    .algorithm = XORCORE_AES_OFB,
    .key_lengths = XC_KEYS_AES,
    .iv_len = XC_BLOCK,
    .unit = XC_BLOCK,
    .units = units,
    .open = open,
    .side_by_side = side_by_side,
};
