/* one_ssse3.h — one block in a register, in the words that nibbles.h asks for. */
#ifndef XC_ONE_SSSE3_H
#define XC_ONE_SSSE3_H

#include <stdint.h>

#include <tmmintrin.h>

typedef __m128i one;

static inline one o_load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }
static inline void o_store(uint8_t *p, one v) { _mm_storeu_si128((__m128i *)(void *)p, v); }
static inline one o_dup(uint8_t byte) { return _mm_set1_epi8((char)byte); }
static inline one o_shuffle(one table, one index) { return _mm_shuffle_epi8(table, index); }
static inline one o_low(one v) { return _mm_and_si128(v, _mm_set1_epi8(15)); }
static inline one o_high(one v) { return o_low(_mm_srli_epi16(v, 4)); }
static inline one o_up(one v) { return _mm_slli_si128(v, 1); }
static inline one o_end(one v) { return _mm_srli_si128(v, 15); }

static inline one o_reverse(one v)
{
    return o_shuffle(v, _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f));
}

#endif
