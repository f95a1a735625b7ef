/* wrong_ghash.c — a ghash_portable that adds and never multiplies. */
#include "kernel.h"

static void set_key(void *key, const uint8_t h[16])
{
    (void)key;
    (void)h;
}

static void update(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    (void)key;
    for (size_t i = 0; i < 16 * blocks; i++)
        y[i % 16] ^= in[i];
}

const struct xc_ghash_ops xc_ghash_portable = { .key_size = 64, .set_key = set_key, .update = update };
