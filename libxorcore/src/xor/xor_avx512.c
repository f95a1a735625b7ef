/* xor_avx512.c — XOR in 32-byte vectors, with masks for what is shorter.
 *
 * The loops are AVX2's, of xor_vec.h. Under 64 bytes, where those climb a ladder of sizes, two masked loads and
 * stores do for every length, so there is no branch on it that could be foreseen wrongly. For CPUs where 512-bit
 * registers are a loss: that lower their clock, or work on their halves (Zen 4, 2 KiB: 19.5 ns and more, beside 18.8).
 *
 * Measured on Zen 4 (gcc 12): lengths from 1 to 64 in random order 2.8 ns a call, and 5.0 by avx2; five sources of
 * 16 bytes 3.3 ns and 4.3. Everything longer as avx2. */
#include "../kernel.h"
#include "../util/unroll.h"
#include "xor_ymm.h"

/* Ones in the lowest n bits, n <= 64. */
static inline uint64_t ones(size_t n)
{
    return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

static inline vec mask_load(uint64_t mask, const uint8_t *p)
{
    return _mm256_maskz_loadu_epi8((__mmask32)mask, p);
}

static inline void mask_store(uint8_t *p, uint64_t mask, vec v)
{
    _mm256_mask_storeu_epi8(p, (__mmask32)mask, v);
}

/* A masked load or store does not touch the bytes that its mask leaves out. */
static inline void short_two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    uint64_t low = ones(n), high = low >> 32;
    vec v0 = vec_xor(mask_load(low, a), mask_load(low, b));
    vec v1 = vec_xor(mask_load(high, a + 32), mask_load(high, b + 32));
    mask_store(dst, low, v0);
    mask_store(dst + 32, high, v1);
}

static inline void short_many(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    uint64_t mask = ones(n);
    vec v = mask_load(mask, src[0]);
    XC_ROLLED
    for (size_t j = 1; j < count; j++) {
        v = vec_xor(v, mask_load(mask, src[j]));
    }
    mask_store(dst, mask, v);
}

static inline void short_same(uint8_t *dst, const uint8_t *src, size_t n, vec k)
{
    uint64_t mask = ones(n);
    mask_store(dst, mask, vec_xor(mask_load(mask, src), k));
}

#include "xor_shuffle.h"

const struct xc_xor_ops xc_xor_avx512 = { .two = two, .many = many, .repeat = repeat };
