/* ghash_pclmul.c — GHASH by the PCLMULQDQ instruction, sixteen blocks to a reduction.
 *
 * The arithmetic is in clmul.h. Sixteen products of Karatsuba's three multiplications each are summed
 * against H^16 … H^1 and reduced once; a shorter rest is summed against its own last powers, and
 * reduced once as well. Registers: sums 3, operand 2, power 1; the byte order comes from memory.
 *
 * Measured on Zen 4: 9.4 GB/s from 8 KiB on, which is all that one multiplication in two cycles
 * gives (50 of them for 256 bytes); 9 ns for one block; 18 powers of H are made in 57 ns. */
#include "../kernel.h"
#include "clmul.h"

static void set_key(void *key, const uint8_t h[16])
{
    xc_clmul_set(key, xc_clmul_load(h), XC_CLMUL_POWERS);
}

static void set_brief_key(void *key, const uint8_t h[16], size_t most)
{
    xc_clmul_set(key, xc_clmul_load(h), most);
}

static void update(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    __m128i sum = xc_clmul_update(key, in, blocks, xc_clmul_swap(xc_clmul_load(y)), 0);
    _mm_storeu_si128((__m128i *)(void *)y, xc_clmul_swap(sum));
}

static void update_reversed(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    __m128i sum = xc_clmul_update(key, in, blocks, xc_clmul_swap(xc_clmul_load(y)), 1);
    _mm_storeu_si128((__m128i *)(void *)y, xc_clmul_swap(sum));
}

const struct xc_ghash_ops xc_ghash_pclmul = {
    .key_size = sizeof(struct xc_clmul_table),
    .set_key = set_key,
    .set_brief_key = set_brief_key,
    .update = update,
    .update_reversed = update_reversed,
};
