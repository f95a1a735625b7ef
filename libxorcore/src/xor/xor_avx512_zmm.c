/* xor_avx512_zmm.c — XOR in 64-byte vectors, with a mask for what is shorter.
 *
 * The loops are those of xor_wide.h, xor_vec.h, xor_repeat.h and xor_shuffle.h. For CPUs that load and store a register of
 * 512 bits in one piece. Where buffers are aligned to nothing each load crosses a line, and still there are half as many.
 *
 * Measured on an Intel Xeon with AVX-512, 4.2 GHz (gcc 12), with xor_avx512.c's times of the same minutes in brackets: 256
 * bytes 2.7 ns (3.9), 2 KiB 12.6 (16.9), 8 KiB 46.9 (64.8), 32 KiB 703 (698); 2 KiB at odd places 23.3 to 29.5 (28.1); five
 * sources of 2 KiB 32.5 (45.6); 16 KiB under a key of 4 bytes 78.8 (100.7). */
#include "../kernel.h"
#include "../util/unroll.h"
#include "xor_zmm.h"

/* Ones in the lowest n bits, n < 64. */
static inline __mmask64 ones(size_t n)
{
    return ((uint64_t)1 << n) - 1;
}

/* A masked load or store does not touch the bytes that its mask leaves out. */
static inline void short_two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    const __mmask64 mask = ones(n);
    _mm512_mask_storeu_epi8(dst, mask, vec_xor(_mm512_maskz_loadu_epi8(mask, a), _mm512_maskz_loadu_epi8(mask, b)));
}

static inline void short_many(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    const __mmask64 mask = ones(n);
    vec v = _mm512_maskz_loadu_epi8(mask, src[0]);
    XC_ROLLED
    for (size_t j = 1; j < count; j++) {
        v = vec_xor(v, _mm512_maskz_loadu_epi8(mask, src[j]));
    }
    _mm512_mask_storeu_epi8(dst, mask, v);
}

static inline void short_same(uint8_t *dst, const uint8_t *src, size_t n, vec k)
{
    const __mmask64 mask = ones(n);
    _mm512_mask_storeu_epi8(dst, mask, vec_xor(_mm512_maskz_loadu_epi8(mask, src), k));
}

#include "xor_shuffle.h"

const struct xc_xor_ops xc_xor_avx512_zmm = { .two = two, .many = many, .repeat = repeat };
