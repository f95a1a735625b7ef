/* part.h — parts of a block in 128-bit registers, by loads and stores that overlap.
 *
 * Inline functions alone, for files that are compiled with AES-NI; nothing else may include it. */
#ifndef XC_PART_H
#define XC_PART_H

#include "../util/bytes.h"
#include "aesni.h"

/* n bytes, 0 < n < 16, with zeros behind them. */
XC_AESNI_INLINE __m128i xc_load_part(const uint8_t *p, size_t n)
{
    uint64_t low, high = 0;
    if (n >= 8) {
        low = xc_load64(p);
        /* Two steps, because the whole distance is 64 for 8 bytes. */
        high = xc_load64(p + n - 8) >> (4 * (16 - n)) >> (4 * (16 - n));
    } else if (n >= 4) {
        low = xc_load32(p) | (uint64_t)xc_load32(p + n - 4) << (8 * (n - 4));
    } else {
        low = p[0] | (uint64_t)p[n >> 1] << (8 * (n >> 1)) | (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    return _mm_set_epi64x((long long)high, (long long)low);
}

/* The first n bytes of v, 0 < n < 16. */
XC_AESNI_INLINE void xc_store_part(uint8_t *p, __m128i v, size_t n)
{
    uint64_t low = (uint64_t)_mm_cvtsi128_si64(v);
    if (n >= 8) {
        xc_store64(p, low);
        if (n > 8) {
            uint64_t high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v));
            xc_store64(p + n - 8, low >> (8 * (n - 8)) | high << (8 * (16 - n)));
        }
    } else if (n >= 4) {
        xc_store32(p, (uint32_t)low);
        xc_store32(p + n - 4, (uint32_t)(low >> (8 * (n - 4))));
    } else {
        p[0] = (uint8_t)low;
        p[n >> 1] = (uint8_t)(low >> (8 * (n >> 1)));
        p[n - 1] = (uint8_t)(low >> (8 * (n - 1)));
    }
}

#endif
