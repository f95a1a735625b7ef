/* cfb.c — CFB with segments of 128 and of 8 bits over any aes kernel (SP 800-38A 6.3). */
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"
#include "cipher.h"
#include "xorcore.h"

#include <string.h>

enum { PIECE = 32 };

static void open(const struct xc_aes_key *key, uint8_t chain[16], uint8_t pad[16])
{
    xc_aes_encrypt(key, pad, chain, 1);
}

/* ---- CFB128 ---------------------------------------------------------------------------------------- */

static void encrypt_serial(const struct xc_aes_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                           uint8_t chain[16])
{
    for (; blocks; blocks--, in += XC_BLOCK, out += XC_BLOCK) {
        xc_aes_encrypt(key, chain, chain, 1);
        xc_xor_block(chain, chain, in);
        memcpy(out, chain, XC_BLOCK);
    }
}

/* Decryption is parallel: every block's keystream is the encryption of the ciphertext before it. */
static void decrypt_pieces(const struct xc_aes_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                           uint8_t chain[16])
{
    uint8_t stream[PIECE * XC_BLOCK];
    while (blocks) {
        const size_t m = blocks < PIECE ? blocks : PIECE, n = m * XC_BLOCK;
        memcpy(stream, chain, XC_BLOCK);
        memcpy(stream + XC_BLOCK, in, n - XC_BLOCK);
        memcpy(chain, in + n - XC_BLOCK, XC_BLOCK);
        xc_aes_encrypt(key, stream, stream, m);
        xc_xor_run(out, in, stream, n);
        out += n;
        in += n;
        blocks -= m;
    }
    xc_wipe(stream, sizeof stream);
}

static void units128(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in,
                     size_t blocks, uint8_t chain[16])
{
    const struct xc_aes_ops *ops = key->ops;
    if (encrypt && ops->cfb_encrypt)
        ops->cfb_encrypt(xc_aes_block(key), out, in, blocks, chain);
    else if (encrypt)
        encrypt_serial(key, out, in, blocks, chain);
    else if (ops->cfb_decrypt)
        ops->cfb_decrypt(xc_aes_block(key), out, in, blocks, chain);
    else
        decrypt_pieces(key, out, in, blocks, chain);
}

static xc_lanes_slot *side_by_side(const struct xc_aes_ops *ops, int encrypt)
{
    return encrypt ? ops->cfb_encrypt_lanes : NULL;
}

const struct xc_cipher_mode xc_cipher_cfb128 = {
    .algorithm = XORCORE_AES_CFB128,
    .key_lengths = XC_KEYS_AES,
    .iv_len = XC_BLOCK,
    .unit = XC_BLOCK,
    .feedback = 1,
    .units = units128,
    .open = open,
    .side_by_side = side_by_side,
};

/* ---- CFB8 ------------------------------------------------------------------------------------------ */

static void encrypt_bytes(const struct xc_aes_key *key, uint8_t *out, const uint8_t *in, size_t n,
                          uint8_t chain[16])
{
    uint8_t stream[XC_BLOCK];
    for (size_t i = 0; i < n; i++) {
        xc_aes_encrypt(key, stream, chain, 1);
        memmove(chain, chain + 1, XC_BLOCK - 1);
        out[i] = chain[XC_BLOCK - 1] = in[i] ^ stream[0];
    }
    xc_wipe(stream, sizeof stream);
}

/* Byte i's keystream comes from the 16 bytes of ciphertext before it: windows that overlap in 15 bytes, all
 * known beforehand, so they are encrypted many at a time. */
static void decrypt_bytes(const struct xc_aes_key *key, uint8_t *out, const uint8_t *in, size_t n,
                          uint8_t chain[16])
{
    uint8_t stream[PIECE * XC_BLOCK], before[XC_BLOCK + PIECE];
    while (n) {
        const size_t m = n < PIECE ? n : PIECE;
        memcpy(before, chain, XC_BLOCK);
        memcpy(before + XC_BLOCK, in, m);
        memcpy(chain, before + m, XC_BLOCK);
        for (size_t i = 0; i < m; i++)
            memcpy(stream + i * XC_BLOCK, before + i, XC_BLOCK);
        xc_aes_encrypt(key, stream, stream, m);
        for (size_t i = 0; i < m; i++)
            out[i] = in[i] ^ stream[i * XC_BLOCK];
        out += m;
        in += m;
        n -= m;
    }
    xc_wipe(stream, sizeof stream);
}

static void units8(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in, size_t n,
                   uint8_t chain[16])
{
    (encrypt ? encrypt_bytes : decrypt_bytes)(key, out, in, n, chain);
}

const struct xc_cipher_mode xc_cipher_cfb8 = {
    .algorithm = XORCORE_AES_CFB8,
    .key_lengths = XC_KEYS_AES,
    .iv_len = XC_BLOCK,
    .unit = 1,
    .units = units8,
};
