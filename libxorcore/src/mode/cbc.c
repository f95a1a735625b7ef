/* cbc.c — CBC over any aes kernel (SP 800-38A 6.2). */
#include "../xor/xor_tiny.h"
#include "cipher.h"
#include "xorcore.h"

#include <string.h>

static void encrypt_serial(const struct xc_aes_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                           uint8_t chain[16])
{
    for (; blocks; blocks--, in += XC_BLOCK, out += XC_BLOCK) {
        xc_aes_mac(key, in, 1, chain);
        memcpy(out, chain, XC_BLOCK);
    }
}

/* In pieces: the ciphertext is kept aside, since `out` may be where it stands. */
static void decrypt_pieces(const struct xc_aes_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                           uint8_t chain[16])
{
    enum { PIECE = 32 };
    uint8_t previous[(PIECE + 1) * XC_BLOCK];
    while (blocks) {
        const size_t m = blocks < PIECE ? blocks : PIECE, n = m * XC_BLOCK;
        memcpy(previous, chain, XC_BLOCK);
        memcpy(previous + XC_BLOCK, in, n);
        memcpy(chain, previous + n, XC_BLOCK);
        key->ops->decrypt(xc_aes_block(key), out, in, m);
        xc_xor_run(out, out, previous, n);
        out += n;
        in += n;
        blocks -= m;
    }
}

static void units(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in, size_t blocks,
                  uint8_t chain[16])
{
    const struct xc_aes_ops *ops = key->ops;
    if (encrypt && ops->cbc_encrypt)
        ops->cbc_encrypt(xc_aes_block(key), out, in, blocks, chain);
    else if (encrypt)
        encrypt_serial(key, out, in, blocks, chain);
    else if (ops->cbc_decrypt)
        ops->cbc_decrypt(xc_aes_block(key), out, in, blocks, chain);
    else
        decrypt_pieces(key, out, in, blocks, chain);
}

static xc_lanes_slot *side_by_side(const struct xc_aes_ops *ops, int encrypt)
{
    return encrypt ? ops->cbc_encrypt_lanes : NULL;
}

const struct xc_cipher_mode xc_cipher_cbc = {
    .algorithm = XORCORE_AES_CBC,
    .key_lengths = XC_KEYS_AES,
    .iv_len = XC_BLOCK,
    .unit = XC_BLOCK,
    .decrypts = 1,
    .units = units,
    .side_by_side = side_by_side,
};
