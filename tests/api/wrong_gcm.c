/* wrong_gcm.c — a gcm_composed that seals nothing. */
#include "kernel.h"

#include <string.h>

static size_t key_size(const struct xc_choice *parts)
{
    (void)parts;
    return 64;
}

static void set_key(void *key, const struct xc_choice *parts, const uint8_t *bytes, size_t len)
{
    (void)key;
    (void)parts;
    (void)bytes;
    (void)len;
}

static void block(const void *key, uint8_t out[16], const uint8_t in[16])
{
    (void)key;
    memmove(out, in, 16);
}

static void hash(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    (void)key;
    (void)in;
    (void)blocks;
    (void)y;
}

static void crypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16],
                  uint8_t y[16])
{
    (void)key;
    (void)counter;
    (void)y;
    memmove(out, in, 16 * blocks);
}

const struct xc_gcm_ops xc_gcm_composed = {
    .key_size = key_size,
    .set_key = set_key,
    .block = block,
    .hash = hash,
    .seal_blocks = crypt,
    .open_blocks = crypt,
};
