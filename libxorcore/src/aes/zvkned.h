/* zvkned.h — AES by RISC-V's vector instructions, on as many blocks as four registers hold.
 *
 * Inline functions alone, for files that are compiled with these instructions; nothing else may include it. An instruction does its round on
 * every block of a group with one key. The first round key and the last ten are in registers over a whole call, in two
 * tuples, because types without a size cannot stand in a structure; what a longer key has more is read again in every round. */
#ifndef XC_ZVKNED_H
#define XC_ZVKNED_H

#include "../util/rvv.h"
#include "expand.h"

#include <string.h>

/* gcc 14.2 compiles what follows and gets it wrong: where a key in one register goes with blocks in four, it sets the length of a group
 * to one. So kernels.cmake finds that this does not compile, and leaves the rows out. */
#if !defined(__clang__)
#error "only clang sets the length of a group for these instructions"
#endif

typedef vuint32m1x8_t xc_zvkned_early;
typedef vuint32m1x3_t xc_zvkned_late;

/* All round keys but the first stand at the end, whatever their number. */
struct xc_zvkned_key {
    uint32_t words[XC_EXPAND_WORDS];
    unsigned rounds;
};

/* The S-box, for the key schedule: the last round with a key of zeros; ShiftRows does nothing to four equal columns. */
static inline uint32_t xc_zvkned_sub_word(uint32_t word)
{
    const vuint32m1_t columns = __riscv_vmv_v_x_u32m1(word, 4), zeros = __riscv_vmv_v_x_u32m1(0, 4);
    return __riscv_vmv_x_s_u32m1_u32(__riscv_vaesef_vv_u32m1(columns, zeros, 4));
}

static inline void xc_zvkned_set(struct xc_zvkned_key *key, const uint8_t *bytes, size_t len)
{
    key->rounds = xc_expand(key->words, bytes, len, xc_zvkned_sub_word);
    memmove(key->words + XC_EXPAND_WORDS - 4 * key->rounds, key->words + 4, 16 * key->rounds);
}

XC_RVV_INLINE vuint32m1_t xc_zvkned_at(const struct xc_zvkned_key *key, unsigned i)
{
    return __riscv_vle32_v_u32m1(key->words + 4 * i, 4);
}

XC_RVV_INLINE xc_zvkned_early xc_zvkned_early_of(const struct xc_zvkned_key *key)
{
    return __riscv_vcreate_v_u32m1x8(xc_zvkned_at(key, 0), xc_zvkned_at(key, 5), xc_zvkned_at(key, 6), xc_zvkned_at(key, 7),
                                     xc_zvkned_at(key, 8), xc_zvkned_at(key, 9), xc_zvkned_at(key, 10), xc_zvkned_at(key, 11));
}

XC_RVV_INLINE xc_zvkned_late xc_zvkned_late_of(const struct xc_zvkned_key *key)
{
    return __riscv_vcreate_v_u32m1x3(xc_zvkned_at(key, 12), xc_zvkned_at(key, 13), xc_zvkned_at(key, 14));
}

/* The first round key. */
XC_RVV_INLINE vuint32m1_t xc_zvkned_first(xc_zvkned_early early)
{
    return __riscv_vget_v_u32m1x8_u32m1(early, 0);
}

/* Adds a key to every block. */
XC_RVV_INLINE xc_rvv_words xc_zvkned_add(xc_rvv_words x, vuint32m1_t key, size_t words)
{
    return __riscv_vaesz_vs_u32m1_u32m4(x, key, words);
}

XC_RVV_INLINE xc_rvv_words xc_zvkned_round(xc_rvv_words x, int inverse, vuint32m1_t key, size_t words)
{
    return inverse ? __riscv_vaesdm_vs_u32m1_u32m4(x, key, words) : __riscv_vaesem_vs_u32m1_u32m4(x, key, words);
}

/* Two rounds with keys from memory, of which the compiler no longer knows that it has seen them: it would keep them on the stack. */
XC_RVV_INLINE xc_rvv_words xc_zvkned_two_rounds(xc_rvv_words x, int inverse, const struct xc_zvkned_key *key, unsigned one,
                                                unsigned two, size_t words)
{
    __asm__ __volatile__("" : "+r"(key)); /* volatile, or a loop could do it once */
    return xc_zvkned_round(xc_zvkned_round(x, inverse, xc_zvkned_at(key, one), words), inverse, xc_zvkned_at(key, two), words);
}

/* Encrypts blocks to which the first round key has been added. */
XC_RVV_INLINE xc_rvv_words xc_zvkned_rounds(xc_rvv_words x, xc_zvkned_early early, xc_zvkned_late late,
                                            const struct xc_zvkned_key *key, size_t words)
{
    if (key->rounds > 12) {
        x = xc_zvkned_two_rounds(x, 0, key, 1, 2, words);
    }
    if (key->rounds > 10) {
        x = xc_zvkned_two_rounds(x, 0, key, 3, 4, words);
    }
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 1), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 2), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 3), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 4), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 5), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 6), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 7), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x3_u32m1(late, 0), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x3_u32m1(late, 1), words);
    return __riscv_vaesef_vs_u32m1_u32m4(x, __riscv_vget_v_u32m1x3_u32m1(late, 2), words);
}

XC_RVV_INLINE xc_rvv_words xc_zvkned_encrypt(xc_rvv_words x, xc_zvkned_early early, xc_zvkned_late late,
                                             const struct xc_zvkned_key *key, size_t words)
{
    return xc_zvkned_rounds(xc_zvkned_add(x, xc_zvkned_first(early), words), early, late, key, words);
}

/* The same keys backwards: the instruction adds its key before it mixes the columns. */
XC_RVV_INLINE xc_rvv_words xc_zvkned_decrypt(xc_rvv_words x, xc_zvkned_early early, xc_zvkned_late late,
                                             const struct xc_zvkned_key *key, size_t words)
{
    x = xc_zvkned_add(x, __riscv_vget_v_u32m1x3_u32m1(late, 2), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x3_u32m1(late, 1), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x3_u32m1(late, 0), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 7), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 6), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 5), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 4), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 3), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 2), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 1), words);
    if (key->rounds > 10) {
        x = xc_zvkned_two_rounds(x, 1, key, 4, 3, words);
    }
    if (key->rounds > 12) {
        x = xc_zvkned_two_rounds(x, 1, key, 2, 1, words);
    }
    return __riscv_vaesdf_vs_u32m1_u32m4(x, xc_zvkned_first(early), words);
}

/* ---- counters ------------------------------------------------------------------------------------- */

/* Which words are the one of their block that counts. */
XC_RVV_INLINE vbool8_t xc_zvkned_counting(unsigned word, size_t words)
{
    return __riscv_vmseq_vx_u32m4_b8(__riscv_vand_vx_u32m4(__riscv_vid_v_u32m4(words), 3, words), word, words);
}

/* The number of every block in its group, shifted left, in the word that counts; zeros in the others. */
XC_RVV_INLINE xc_rvv_words xc_zvkned_places(vbool8_t where, unsigned shift, size_t words)
{
    const xc_rvv_words number = __riscv_vsrl_vx_u32m4(__riscv_vid_v_u32m4(words), 2, words);
    return __riscv_vsll_vx_u32m4_mu(where, __riscv_vmv_v_x_u32m4(0, words), number, shift, words);
}

/* A counter block without those bits of a word that count, and the first round key. */
XC_RVV_INLINE vuint32m1_t xc_zvkned_constant(xc_zvkned_early early, const uint8_t counter[16], unsigned word, uint32_t bits)
{
    const vuint32m1_t block = __riscv_vreinterpret_v_u8m1_u32m1(__riscv_vle8_v_u8m1(counter, 16));
    const vbool32_t where = __riscv_vmseq_vx_u32m1_b32(__riscv_vid_v_u32m1(4), word, 4);
    return __riscv_vxor_vv_u32m1(__riscv_vand_vx_u32m1_mu(where, block, block, ~bits, 4), xc_zvkned_first(early), 4);
}

#endif
