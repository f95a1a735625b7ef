/* gcm_vaes_avx512.c — AES-GCM by VAES and VPCLMULQDQ in registers of four blocks.
 *
 * The body is gcm_vaes.h: batches of 32 blocks, two to a reduction, products added by twos. Registers: state 8,
 * sums 3, operand and power 2, products 3, round key 1, and the others hold what the compiler finds constant.
 * Parts of a vector are loaded and stored under a mask.
 *
 * Measured on Zen 4 (gcc 12; clang 14 is up to 6 % faster) through the public functions, with 13 bytes of additional
 * data, against OpenSSL 3.0 in the same run: AES-128 64 bytes 21 ns, 0.094 of its time; 1350 bytes 11.1 GB/s, 4.0
 * times its speed; 8 KiB 14.8, 3.4 times; 64 KiB 15.8, 3.2 times and 91 % of the ceiling with every vector operation
 * counted; AES-256 8 KiB 12.2. Opening is as fast. GMAC of 8 KiB 27.9 GB/s, 99 % of its ceiling; 16 bytes 17 ns.
 * At 64 KiB batches of four vectors instead of eight took an eighth more time, schoolbook products instead of
 * Karatsuba's 7 %. All 64 powers cost a new key 99 ns, the 32 of gcm_vaes_avx2 69. */
#include "../ghash/vec_avx512.h"
#include "gcm_part.h"

/* One round, and the last one. */
XC_AESNI_INLINE xc_vec xc_v_round(xc_vec x, xc_vec key) { return _mm512_aesenc_epi128(x, key); }
XC_AESNI_INLINE xc_vec xc_v_last(xc_vec x, xc_vec key) { return _mm512_aesenclast_epi128(x, key); }

/* Parts of a vector are n of its bytes, 0 < n < 64: a mask leaves the others alone in memory. */
XC_AESNI_INLINE __mmask64 first_bytes(size_t n) { return UINT64_MAX >> (64 - n); }

XC_AESNI_INLINE xc_vec xc_v_load_part(const uint8_t *p, size_t n)
{
    return _mm512_maskz_loadu_epi8(first_bytes(n), p);
}

XC_AESNI_INLINE void xc_v_store_part(uint8_t *p, xc_vec v, size_t n)
{
    _mm512_mask_storeu_epi8(p, first_bytes(n), v);
}

XC_AESNI_INLINE xc_vec xc_v_clip(xc_vec v, size_t n)
{
    return _mm512_maskz_mov_epi8(first_bytes(n), v);
}

#include "gcm_vaes.h"

const struct xc_gcm_ops xc_gcm_vaes_avx512 = {
    .key_size = key_size,
    .set_key = set_key,
    .set_brief_key = set_brief_key,
    .block = block,
    .hash = hash,
    .seal_blocks = seal_blocks,
    .open_blocks = open_blocks,
    .seal = seal,
    .open = open,
};
