/* go_sse2.c — XOR as Go 1.23 does it on amd64: sixteen bytes a step, a tail of eight, then single bytes.
 *
 * Its build turns vectorising and unrolling off, so that no compiler makes something else of it. */
#include "machine_amd64.h"

#include <emmintrin.h>
#include <string.h>

/* The tail comes first, from the end: bytes down to a multiple of eight, eight more down to sixteen. */
void xb_loop_go_sse2(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    while (n & 7) {
        n--;
        dst[n] = a[n] ^ b[n];
    }
    if (n & 15) {
        uint64_t x, y;
        n -= 8;
        memcpy(&x, a + n, 8);
        memcpy(&y, b + n, 8);
        x ^= y;
        memcpy(dst + n, &x, 8);
    }
    for (size_t i = 0; i != n; i += 16)
        _mm_storeu_si128((__m128i *)(void *)(dst + i),
                         _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)(a + i)),
                                       _mm_loadu_si128((const __m128i *)(const void *)(b + i))));
}
