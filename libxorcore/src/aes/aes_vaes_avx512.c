/* aes_vaes_avx512.c — AES by VAES in registers of four blocks, eight of them in flight.
 *
 * The code is in batches.h, aesni_modes.h and chains.h, the last in registers of two blocks. Registers: state 8, and 24
 * for round keys, counters and what the compiler finds constant; tweaks of long texts are in memory. Parts of a vector
 * are loaded and stored under a mask.
 *
 * Measured on Zen 4 (gcc 12) as aes_vaes_avx2.c was and in the same run: CTR 24.4 GB/s, 103 %; CBC decryption 23.6, 99.7 %;
 * CFB decryption 23.5, 99 %; XTS 19.3, 82 %, and at 4 KiB 75 %. Sixteen bytes of CTR 12.5 ns. The unit starts
 * registers of four blocks half as often, so that what is won is the other instructions. */
#include "aesni.h"

#include <immintrin.h>

typedef __m512i vec;
enum { WIDE = 4 };

XC_AESNI_INLINE vec v_load(const uint8_t *p) { return _mm512_loadu_si512(p); }
XC_AESNI_INLINE void v_store(uint8_t *p, vec v) { _mm512_storeu_si512(p, v); }
XC_AESNI_INLINE vec v_all(__m128i block) { return _mm512_broadcast_i32x4(block); }
XC_AESNI_INLINE __m128i v_block(vec v) { return _mm512_castsi512_si128(v); }
XC_AESNI_INLINE vec v_round(vec x, vec key) { return _mm512_aesenc_epi128(x, key); }
XC_AESNI_INLINE vec v_last(vec x, vec key) { return _mm512_aesenclast_epi128(x, key); }
XC_AESNI_INLINE vec v_unround(vec x, vec key) { return _mm512_aesdec_epi128(x, key); }
XC_AESNI_INLINE vec v_unlast(vec x, vec key) { return _mm512_aesdeclast_epi128(x, key); }
XC_AESNI_INLINE vec v_xor(vec a, vec b) { return _mm512_xor_si512(a, b); }
XC_AESNI_INLINE vec v_xor3(vec a, vec b, vec c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
XC_AESNI_INLINE vec v_and(vec a, vec b) { return _mm512_and_si512(a, b); }
XC_AESNI_INLINE vec v_add32(vec a, vec b) { return _mm512_add_epi32(a, b); }
XC_AESNI_INLINE vec v_add64(vec a, vec b) { return _mm512_add_epi64(a, b); }
XC_AESNI_INLINE vec v_top(vec v) { return _mm512_slli_epi32(v, 24); }
XC_AESNI_INLINE vec v_left(vec v, unsigned n) { return _mm512_sll_epi64(v, _mm_cvtsi32_si128((int)n)); }
XC_AESNI_INLINE vec v_exchange(vec v) { return _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4e); }
/* Every block turned by WIDE bytes, the last ones to its beginning. */
XC_AESNI_INLINE vec v_turn_up(vec v) { return _mm512_alignr_epi8(v, v, 16 - WIDE); }
XC_AESNI_INLINE vec v_bytes(vec v, __m128i order) { return _mm512_shuffle_epi8(v, v_all(order)); }

/* Place i by `from` + i, and by what that leaves of 64. */
XC_AESNI_INLINE vec v_left_by(vec v, unsigned from)
{
    return _mm512_sllv_epi64(v, _mm512_add_epi64(_mm512_set1_epi64(from), _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0)));
}

XC_AESNI_INLINE vec v_right_by(vec v, unsigned from)
{
    const vec most = _mm512_set_epi64(61, 61, 62, 62, 63, 63, 64, 64);
    return _mm512_srlv_epi64(v, _mm512_sub_epi64(most, _mm512_set1_epi64(from)));
}

/* {before, the blocks of v but the last}. */
XC_AESNI_INLINE vec v_after(__m128i before, vec v) { return _mm512_alignr_epi64(v, v_all(before), 6); }

/* Both exist here. */
XC_AESNI_INLINE void v_hold(vec *a, vec *b) { __asm__("" : "+v"(*a), "+v"(*b)); }

/* x[j]: `first` with column j of `columns` in place of its first. */
XC_AESNI_INLINE void v_columns(vec x[4], vec first, vec columns)
{
    x[0] = _mm512_mask_mov_epi32(first, 0x1111, columns);
    x[1] = _mm512_mask_shuffle_epi32(first, 0x1111, columns, (_MM_PERM_ENUM)1);
    x[2] = _mm512_mask_shuffle_epi32(first, 0x1111, columns, (_MM_PERM_ENUM)2);
    x[3] = _mm512_mask_shuffle_epi32(first, 0x1111, columns, (_MM_PERM_ENUM)3);
}

/* Parts: one to three blocks, or 0 < n < 64 bytes. */
XC_AESNI_INLINE vec v_load_blocks(const uint8_t *p, size_t blocks)
{
    return _mm512_maskz_loadu_epi64((__mmask8)((1u << 2 * blocks) - 1), p);
}

XC_AESNI_INLINE void v_store_blocks(uint8_t *p, vec v, size_t blocks)
{
    _mm512_mask_storeu_epi64(p, (__mmask8)((1u << 2 * blocks) - 1), v);
}

XC_AESNI_INLINE __mmask64 first_bytes(size_t n) { return UINT64_MAX >> (64 - n); }
XC_AESNI_INLINE vec v_load_part(const uint8_t *p, size_t n) { return _mm512_maskz_loadu_epi8(first_bytes(n), p); }

XC_AESNI_INLINE void v_store_part(uint8_t *p, vec v, size_t n)
{
    _mm512_mask_storeu_epi8(p, first_bytes(n), v);
}

#include "batches.h"
#include "chains_avx2.h"

const struct xc_aes_ops xc_aes_vaes_avx512 = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .set_decrypt_key = set_decrypt_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .ctr32le = ctr32le,
    .cbc_encrypt = cbc_encrypt,
    .cbc_decrypt = cbc_decrypt,
    .cfb_encrypt = cfb_encrypt,
    .cfb_decrypt = cfb_decrypt,
    .ofb = ofb,
    .xts_encrypt = xts_encrypt,
    .xts_decrypt = xts_decrypt,
    .mac = mac,
    .lanes = CHAINS * XC_WIDE,
    .cbc_encrypt_lanes = cbc_encrypt_lanes,
    .cfb_encrypt_lanes = cfb_encrypt_lanes,
    .ofb_lanes = ofb_lanes,
    .mac_lanes = mac_lanes,
};
