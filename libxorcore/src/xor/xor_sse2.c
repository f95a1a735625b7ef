/* xor_sse2.c — XOR in 16-byte vectors.
 *
 * The loops are those of xor_wide.h, xor_vec.h and xor_repeat.h. SSE2 has no shuffle by a vector, so every short key is
 * laid out in memory (xor_lay_out.h). */
#include "../kernel.h"
#include "xor_tiny.h"

#include <emmintrin.h>

typedef __m128i vec;
enum { VEC = 16 };

static inline vec vec_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void vec_store(uint8_t *p, vec v)
{
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

static inline void vec_stream(uint8_t *p, vec v)
{
    _mm_stream_si128((__m128i *)(void *)p, v);
}

static inline void vec_drain(void)
{
    _mm_sfence();
}

static inline vec vec_xor(vec a, vec b)
{
    return _mm_xor_si128(a, b);
}

#include "xor_ladder.h"
#include "xor_wide.h"
#include "xor_lay_out.h"

const struct xc_xor_ops xc_xor_sse2 = { .two = two, .many = many, .repeat = repeat };
