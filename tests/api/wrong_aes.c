/* wrong_aes.c — an aes_portable that is no AES at all, and undoes itself. */
#include "kernel.h"

#include <string.h>

static void set_key(void *key, const uint8_t *bytes, size_t len)
{
    (void)len;
    memcpy(key, bytes, 16);
}

static void mask(const void *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const uint8_t *k = key;
    for (size_t i = 0; i < 16 * blocks; i++)
        out[i] = in[i] ^ k[i % 16];
}

const struct xc_aes_ops xc_aes_portable = {
    .key_size = 64,
    .set_key = set_key,
    .encrypt = mask,
    .decrypt = mask,
};
