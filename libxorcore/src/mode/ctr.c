/* ctr.c — counter mode over any aes kernel (SP 800-38A 6.5). */
#include "ctr.h"

#include "../util/bytes.h"
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"
#include "cipher.h"
#include "xorcore.h"

void xc_counter_add(uint8_t counter[16], uint64_t blocks)
{
    const uint64_t low = xc_load64_be(counter + 8), sum = low + blocks;
    xc_store64_be(counter + 8, sum);
    xc_store64_be(counter, xc_load64_be(counter) + (sum < low));
}

void xc_ctr(const struct xc_aes_ops *ops, const void *key, uint8_t *out, const uint8_t *in, size_t n,
            uint8_t counter[16])
{
    if (ops->ctr) {
        ops->ctr(key, out, in, n, counter);
        return;
    }
    enum { BLOCKS = 32 };
    uint8_t stream[BLOCKS * XC_BLOCK];
    uint64_t high = xc_load64_be(counter), low = xc_load64_be(counter + 8);
    while (n) {
        const size_t m = n < sizeof stream ? n : sizeof stream, blocks = (m + XC_BLOCK - 1) / XC_BLOCK;
        for (size_t i = 0; i < blocks; i++) {
            xc_store64_be(stream + i * XC_BLOCK, high);
            xc_store64_be(stream + i * XC_BLOCK + 8, low);
            high += ++low == 0;
        }
        ops->encrypt(key, stream, stream, blocks);
        xc_xor_run(out, in, stream, m);
        out += m;
        in += m;
        n -= m;
    }
    xc_store64_be(counter, high);
    xc_store64_be(counter + 8, low);
    xc_wipe(stream, sizeof stream);
}

static void units(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in, size_t blocks,
                  uint8_t chain[16])
{
    (void)encrypt; /* the same both ways */
    xc_ctr(key->ops, xc_aes_block(key), out, in, blocks * XC_BLOCK, chain);
}

static void message(const struct xc_aes_key *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    xc_ctr(key->ops, xc_aes_block(key), out, in, n, chain);
}

static void open(const struct xc_aes_key *key, uint8_t chain[16], uint8_t pad[16])
{
    xc_aes_encrypt(key, pad, chain, 1);
    xc_counter_add(chain, 1);
}

const struct xc_cipher_mode xc_cipher_ctr = {
    .algorithm = XORCORE_AES_CTR,
    .key_lengths = XC_KEYS_AES,
    .iv_len = XC_BLOCK,
    .unit = XC_BLOCK,
    .seekable = 1,
    .units = units,
    .message = message,
    .open = open,
};
