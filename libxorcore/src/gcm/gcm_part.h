/* gcm_part.h — parts of a block in 128-bit registers: what the GCM kernels of amd64 share.
 *
 * Inline functions alone, for files that are compiled with AES-NI; nothing else may include it. */
#ifndef XC_GCM_PART_H
#define XC_GCM_PART_H

#include "../aes/part.h"

/* The first n bytes of v, 0 < n < 16, and zeros. */
XC_AESNI_INLINE __m128i xc_gcm_first_bytes(__m128i v, size_t n)
{
    static const uint8_t edge[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    return _mm_and_si128(v, xc_load128(edge + 16 - n));
}

/* The pre-counter block of a nonce of 12 bytes: the nonce and 1. */
XC_AESNI_INLINE __m128i xc_gcm_j0_of_nonce(const uint8_t *nonce)
{
    const uint64_t end = xc_load32(nonce + 8) | (uint64_t)1 << 56;
    return _mm_set_epi64x((long long)end, (long long)xc_load64(nonce));
}

/* The last block of the hash, in the order in which xc_clmul_swap leaves a block. */
XC_AESNI_INLINE __m128i xc_gcm_length_block(uint64_t aad_len, uint64_t n)
{
    return _mm_set_epi64x((long long)(aad_len * 8), (long long)(n * 8));
}

#endif
