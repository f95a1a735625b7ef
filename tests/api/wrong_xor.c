/* wrong_xor.c — a xor_portable that forgets the last byte of 129 or more. */
#include "kernel.h"

static int two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n - (n > 128); i++)
        dst[i] = a[i] ^ b[i];
    return 0;
}

const struct xc_xor_ops xc_xor_portable = { .two = two };
