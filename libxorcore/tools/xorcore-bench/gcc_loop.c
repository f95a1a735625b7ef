/* gcc_loop.c — the loop that everybody writes, left to the compiler: -O3, and AVX2 on amd64. */
#include "bench.h"

void loop_gcc(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = a[i] ^ b[i];
}

void loop_gcc_repeat(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        dst[i] = src[i] ^ key[k];
        k = k + 1 == key_len ? 0 : k + 1;
    }
}
