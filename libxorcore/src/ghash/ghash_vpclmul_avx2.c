/* ghash_vpclmul_avx2.c — GHASH by VPCLMULQDQ, eight registers of two blocks to a reduction.
 *
 * The arithmetic is in vclmul.h; fewer than five blocks are multiplied one by one.
 * Measured on Zen 4: 256 bytes 18 ns, 1 KiB 17 GB/s, 1.8 times ghash_pclmul; one block 8 ns, as that. 16 powers
 * of H, fewer for a short message of GCM-SIV, which makes a key for itself: 64 bytes take 0.94 of the time that they
 * take with ghash_pclmul, 16 KiB 0.79. */
#include "../kernel.h"
#include "vec_avx2.h"

enum { XC_VCLMUL_POWERS = 8 * XC_WIDE };
#include "vclmul.h"

static void set_key(void *key, const uint8_t h[16])
{
    xc_vclmul_set(key, xc_clmul_load(h), XC_VCLMUL_POWERS);
}

static void set_brief_key(void *key, const uint8_t h[16], size_t most)
{
    xc_vclmul_set(key, xc_clmul_load(h), most);
}

static void update(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    __m128i sum = xc_vclmul_update(key, in, blocks, xc_clmul_swap(xc_clmul_load(y)), 0);
    _mm_storeu_si128((__m128i *)(void *)y, xc_clmul_swap(sum));
}

static void update_reversed(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    __m128i sum = xc_vclmul_update(key, in, blocks, xc_clmul_swap(xc_clmul_load(y)), 1);
    _mm_storeu_si128((__m128i *)(void *)y, xc_clmul_swap(sum));
}

const struct xc_ghash_ops xc_ghash_vpclmul_avx2 = {
    .key_size = sizeof(struct xc_vclmul_table),
    .set_key = set_key,
    .set_brief_key = set_brief_key,
    .update = update,
    .update_reversed = update_reversed,
};
