/* zvkned.h — AES by RISC-V's vector instructions, on as many blocks as four registers hold.
 *
 * Inline functions alone, for files that are compiled with these instructions; nothing else may include it. The round keys stay in
 * fifteen registers over a whole call, one in each; an instruction does its round on every block of a group with the one key. They
 * are in two tuples, because types without a size cannot stand in a structure. */
#ifndef XC_ZVKNED_H
#define XC_ZVKNED_H

#include "../util/rvv.h"
#include "expand.h"

#include <string.h>

typedef vuint32m1x8_t xc_zvkned_early;
typedef vuint32m1x7_t xc_zvkned_late;

/* All but the first round key stand at the end of `at`, whatever their number. */
enum { XC_ZVKNED_KEYS = XC_EXPAND_ROUNDS + 1 };
struct xc_zvkned_key {
    uint32_t at[XC_ZVKNED_KEYS][4];
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
    key->rounds = xc_expand(key->at[0], bytes, len, xc_zvkned_sub_word);
    memmove(key->at[XC_ZVKNED_KEYS - key->rounds], key->at[1], 16 * key->rounds);
}

XC_RVV_INLINE vuint32m1_t xc_zvkned_at(const struct xc_zvkned_key *key, unsigned i)
{
    return __riscv_vle32_v_u32m1(key->at[i], 4);
}

XC_RVV_INLINE xc_zvkned_early xc_zvkned_early_of(const struct xc_zvkned_key *key)
{
    return __riscv_vcreate_v_u32m1x8(xc_zvkned_at(key, 0), xc_zvkned_at(key, 1), xc_zvkned_at(key, 2), xc_zvkned_at(key, 3),
                                     xc_zvkned_at(key, 4), xc_zvkned_at(key, 5), xc_zvkned_at(key, 6), xc_zvkned_at(key, 7));
}

XC_RVV_INLINE xc_zvkned_late xc_zvkned_late_of(const struct xc_zvkned_key *key)
{
    return __riscv_vcreate_v_u32m1x7(xc_zvkned_at(key, 8), xc_zvkned_at(key, 9), xc_zvkned_at(key, 10), xc_zvkned_at(key, 11),
                                     xc_zvkned_at(key, 12), xc_zvkned_at(key, 13), xc_zvkned_at(key, 14));
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

/* Encrypts blocks to which the first round key has been added. */
XC_RVV_INLINE xc_rvv_words xc_zvkned_rounds(xc_rvv_words x, xc_zvkned_early early, xc_zvkned_late late, unsigned rounds,
                                            size_t words)
{
    if (rounds > 12) {
        x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 1), words);
        x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 2), words);
    }
    if (rounds > 10) {
        x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 3), words);
        x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 4), words);
    }
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 5), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 6), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x8_u32m1(early, 7), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x7_u32m1(late, 0), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x7_u32m1(late, 1), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x7_u32m1(late, 2), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x7_u32m1(late, 3), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x7_u32m1(late, 4), words);
    x = xc_zvkned_round(x, 0, __riscv_vget_v_u32m1x7_u32m1(late, 5), words);
    return __riscv_vaesef_vs_u32m1_u32m4(x, __riscv_vget_v_u32m1x7_u32m1(late, 6), words);
}

XC_RVV_INLINE xc_rvv_words xc_zvkned_encrypt(xc_rvv_words x, xc_zvkned_early early, xc_zvkned_late late, unsigned rounds,
                                             size_t words)
{
    return xc_zvkned_rounds(xc_zvkned_add(x, xc_zvkned_first(early), words), early, late, rounds, words);
}

/* The same keys backwards: the instruction adds its key before it mixes the columns. */
XC_RVV_INLINE xc_rvv_words xc_zvkned_decrypt(xc_rvv_words x, xc_zvkned_early early, xc_zvkned_late late, unsigned rounds,
                                             size_t words)
{
    x = xc_zvkned_add(x, __riscv_vget_v_u32m1x7_u32m1(late, 6), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x7_u32m1(late, 5), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x7_u32m1(late, 4), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x7_u32m1(late, 3), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x7_u32m1(late, 2), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x7_u32m1(late, 1), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x7_u32m1(late, 0), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 7), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 6), words);
    x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 5), words);
    if (rounds > 10) {
        x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 4), words);
        x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 3), words);
    }
    if (rounds > 12) {
        x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 2), words);
        x = xc_zvkned_round(x, 1, __riscv_vget_v_u32m1x8_u32m1(early, 1), words);
    }
    return __riscv_vaesdf_vs_u32m1_u32m4(x, xc_zvkned_first(early), words);
}

#endif
