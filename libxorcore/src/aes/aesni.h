/* aesni.h — AES by its instructions, eight blocks at a time: what the kernels by AES-NI and VAES share.
 *
 * Inline functions alone, for files that are compiled with these instructions; nothing else may include
 * it. A round has a latency of three or four cycles and two of them start in each, so that eight blocks
 * keep the unit busy, and one block takes the time of eight. */
#ifndef XC_AESNI_H
#define XC_AESNI_H

#include "../util/unroll.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tmmintrin.h>
#include <wmmintrin.h>

#define XC_AESNI_INLINE static inline __attribute__((always_inline))

enum { XC_AESNI_LANES = 8, XC_AESNI_ROUNDS = 14 };

XC_AESNI_INLINE __m128i xc_load128(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

XC_AESNI_INLINE void xc_store128(uint8_t *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

/* The same pointer, of which the compiler no longer knows that it is. What is read through it is read at that
 * place; otherwise a compiler may gather round keys early and park copies of them on the stack. */
XC_AESNI_INLINE const __m128i *xc_aesni_again(const __m128i *keys)
{
    __asm__ __volatile__("" : "+r"(keys)); /* volatile, or a loop could do it once */
    return keys;
}

/* ---- the key schedule, FIPS 197 section 5.2 ------------------------------------------------------- */

/* Every word becomes the sum of itself and the words before it. The empty asm keeps the compiler from regrouping it
 * with what is added to it, which comes later than it does. */
XC_AESNI_INLINE __m128i xc_aesni_running(__m128i v)
{
    v = _mm_xor_si128(v, _mm_slli_si128(v, 4));
    v = _mm_xor_si128(v, _mm_slli_si128(v, 8));
    __asm__("" : "+x"(v));
    return v;
}

/* The last round is ShiftRows, SubBytes and a sum; on four equal columns ShiftRows does nothing. `order`
 * copies one word into all columns, rotated or not. */
XC_AESNI_INLINE __m128i xc_aesni_subword(__m128i v, __m128i order, __m128i constant)
{
    return _mm_aesenclast_si128(_mm_shuffle_epi8(v, order), constant);
}

/* Round keys for `len` bytes of key; returns the number of rounds. `keys` has room for 15. */
XC_AESNI_INLINE unsigned xc_aesni_expand(__m128i *keys, const uint8_t *bytes, size_t len)
{
    const __m128i rotated3 = _mm_set1_epi32(0x0c0f0e0d);
    const __m128i straight3 = _mm_set1_epi32(0x0f0e0d0c);
    const __m128i rotated1 = _mm_set1_epi32(0x04070605);
    __m128i a = xc_load128(bytes);
    __m128i constant = _mm_set1_epi32(1);
    if (len == 16) {
        keys[0] = a;
        for (int i = 1; i <= 10; i++) {
            a = _mm_xor_si128(xc_aesni_running(a), xc_aesni_subword(a, rotated3, constant));
            constant = i == 8 ? _mm_set1_epi32(0x1b) : _mm_add_epi32(constant, constant);
            keys[i] = a;
        }
        return 10;
    }
    if (len == 32) {
        __m128i b = xc_load128(bytes + 16);
        keys[0] = a;
        keys[1] = b;
        for (int i = 2; i <= 14; i += 2) {
            a = _mm_xor_si128(xc_aesni_running(a), xc_aesni_subword(b, rotated3, constant));
            constant = _mm_add_epi32(constant, constant);
            keys[i] = a;
            if (i < 14) {
                b = _mm_xor_si128(xc_aesni_running(b), xc_aesni_subword(a, straight3, _mm_setzero_si128()));
                keys[i + 1] = b;
            }
        }
        return 14;
    }
    /* 24 bytes: six words a step, and eight steps give the 52 words and two more, which have room. */
    uint8_t *to = (uint8_t *)keys;
    __m128i b = _mm_loadl_epi64((const __m128i *)(const void *)(bytes + 16));
    xc_store128(to, a);
    _mm_storel_epi64((__m128i *)(void *)(to + 16), b);
    for (int i = 0; i < 8; i++) {
        to += 24;
        a = _mm_xor_si128(xc_aesni_running(a), xc_aesni_subword(b, rotated1, constant));
        constant = _mm_add_epi32(constant, constant);
        b = _mm_xor_si128(_mm_xor_si128(b, _mm_slli_si128(b, 4)), _mm_shuffle_epi32(a, 0xff));
        xc_store128(to, a);
        _mm_storel_epi64((__m128i *)(void *)(to + 16), b);
    }
    return 12;
}

/* ---- the rounds ----------------------------------------------------------------------------------- */

/* All rounds but the first sum and the last round, for one block and for eight. */
XC_AESNI_INLINE __m128i xc_aesni_middle(__m128i x, const __m128i *keys, unsigned rounds)
{
    XC_UNROLL
    for (int r = 1; r < 10; r++) {
        keys = xc_aesni_again(keys);
        x = _mm_aesenc_si128(x, keys[r]);
    }
    if (rounds > 10) {
        keys = xc_aesni_again(keys);
        x = _mm_aesenc_si128(x, keys[10]);
        x = _mm_aesenc_si128(x, keys[11]);
        if (rounds > 12) {
            keys = xc_aesni_again(keys);
            x = _mm_aesenc_si128(x, keys[12]);
            x = _mm_aesenc_si128(x, keys[13]);
        }
    }
    return x;
}

XC_AESNI_INLINE __m128i xc_aesni_encrypt1(__m128i x, const __m128i *keys, unsigned rounds)
{
    x = xc_aesni_middle(_mm_xor_si128(x, keys[0]), keys, rounds);
    return _mm_aesenclast_si128(x, keys[rounds]);
}

/* With the keys of the inverse cipher in the order of their use. */
XC_AESNI_INLINE __m128i xc_aesni_decrypt1(__m128i x, const __m128i *keys, unsigned rounds)
{
    x = _mm_xor_si128(x, keys[0]);
    XC_UNROLL
    for (unsigned r = 1; r < 10; r++) {
        x = _mm_aesdec_si128(x, *xc_aesni_again(keys + r));
    }
    for (unsigned r = 10; r < rounds; r++) {
        x = _mm_aesdec_si128(x, *xc_aesni_again(keys + r));
    }
    return _mm_aesdeclast_si128(x, keys[rounds]);
}

XC_AESNI_INLINE void xc_aesni_round8(__m128i x[8], __m128i key)
{
    XC_UNROLL
    for (int j = 0; j < 8; j++) {
        x[j] = _mm_aesenc_si128(x[j], key);
    }
}

XC_AESNI_INLINE void xc_aesni_middle8(__m128i x[8], const __m128i *keys, unsigned rounds)
{
    XC_UNROLL
    for (int r = 1; r < 10; r++) {
        keys = xc_aesni_again(keys);
        xc_aesni_round8(x, keys[r]);
    }
    if (rounds > 10) {
        xc_aesni_round8(x, keys[10]);
        xc_aesni_round8(x, keys[11]);
        if (rounds > 12) {
            xc_aesni_round8(x, keys[12]);
            xc_aesni_round8(x, keys[13]);
        }
    }
}

#endif
