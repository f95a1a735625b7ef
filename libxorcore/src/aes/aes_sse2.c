/* aes_sse2.c — the portable AES on words of two lanes, for amd64 without byte shuffles: sixteen blocks at once.
 *
 * The code is in fixsliced.h. Rows are the 16-bit lanes of SSE2, so that a row is turned by two shifts of such lanes, and
 * the next row is a shuffle of them. Two groups of eight blocks are in flight for 256 bytes and more.
 *
 * Measured on Zen 4 at 16 KiB with 128-bit keys: CTR 0.55 GB/s (gcc 12), 0.57 (clang 14), 3.2 times OpenSSL 3.0's C
 * tables, which are what it has without SSSE3, and 1.8 times aes_portable; 0.45 with one group in flight. */
#include <stdint.h>

#include <emmintrin.h>

typedef uint64_t word __attribute__((vector_size(16)));

enum { GROUPS = 2 };

#include "exchange.h"
#include "fixsliced.h"

/* Every row one place down, as two shuffles of 16-bit lanes. */
INLINE __m128i rows_down(__m128i x)
{
    return _mm_shufflehi_epi16(_mm_shufflelo_epi16(x, 0x39), 0x39);
}

/* Every row turned by 4 * turn bits. */
INLINE __m128i turned(__m128i x, unsigned turn)
{
    return turn ? _mm_or_si128(_mm_srli_epi16(x, (int)(4 * turn)), _mm_slli_epi16(x, (int)(16 - 4 * turn))) : x;
}

INLINE word next_row(word x, unsigned turn) { return (word)rows_down(turned((__m128i)x, turn)); }

INLINE word far_row(word x, unsigned turn)
{
    return (word)turned(_mm_shuffle_epi32((__m128i)x, 0xb1), 2 * turn % 4);
}

INLINE void load_text(word q[8], const uint8_t *text)
{
    for (unsigned b = 0; b < 4; b++) {
        const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * b));
        const __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(text + 64 + 16 * b));
        q[2 * b] = (word)_mm_unpacklo_epi64(first, second);
        q[2 * b + 1] = (word)_mm_unpackhi_epi64(first, second);
    }
}

INLINE void store_text(uint8_t *text, const word q[8])
{
    for (unsigned b = 0; b < 4; b++) {
        const __m128i lower = (__m128i)q[2 * b], upper = (__m128i)q[2 * b + 1];
        _mm_storeu_si128((__m128i *)(void *)(text + 16 * b), _mm_unpacklo_epi64(lower, upper));
        _mm_storeu_si128((__m128i *)(void *)(text + 64 + 16 * b), _mm_unpackhi_epi64(lower, upper));
    }
}

INLINE uint64_t lane0(word x) { return x[0]; }

const struct xc_aes_ops xc_aes_sse2 = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr_batches,
};
