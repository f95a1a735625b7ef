/* ecb.c — ECB over any aes kernel (SP 800-38A 6.1). */
#include "cipher.h"
#include "xorcore.h"

static void units(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in, size_t blocks,
                  uint8_t chain[16])
{
    (void)chain;
    (encrypt ? key->ops->encrypt : key->ops->decrypt)(xc_aes_block(key), out, in, blocks);
}

const struct xc_cipher_mode xc_cipher_ecb = {
    .algorithm = XORCORE_AES_ECB,
    .key_lengths = XC_KEYS_AES,
    .unit = XC_BLOCK,
    .decrypts = 1,
    .units = units,
};
