/* xor_turn.h — XOR of two sources by turns of four vectors, for vectors of any width.
 *
 * The file that includes it says what a vector is: `vec` and VEC, its bytes; vec_load, vec_store and vec_xor. It also has
 * short_two, for fewer than XC_XOR_TINY bytes, and two_turns, the loop: xor_wide.h for amd64, xor_neon.c, xor_loong.h.
 *
 * What is left after the last whole turn is a tail of four vectors that overlaps it: computed before the loop and stored
 * after it, so that dst may be a source and no byte is ever handled by itself. A text that repays it has its stores
 * aligned, behind a head that overlaps in the same way. */
#ifndef XC_XOR_TURN_H
#define XC_XOR_TURN_H

#include "xor_tiny.h"

enum { TURN = 4 * VEC, PEEL_MIN = 256 };

_Static_assert(VEC <= (int)XC_XOR_TINY && TURN >= (int)XC_XOR_TINY, "what short_two leaves takes one to four vectors");

static inline vec both(const uint8_t *a, const uint8_t *b)
{
    return vec_xor(vec_load(a), vec_load(b));
}

static inline void store_turn(uint8_t *dst, vec v0, vec v1, vec v2, vec v3)
{
    vec_store(dst, v0);
    vec_store(dst + VEC, v1);
    vec_store(dst + 2 * VEC, v2);
    vec_store(dst + 3 * VEC, v3);
}

/* Whole turns, while more than one is left. `ask` is a constant: whether what is to be written is asked for ahead. */
static inline __attribute__((always_inline)) void two_turns(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                                                            int ask);

/* More than a turn, by turns and a tail. */
static inline __attribute__((always_inline)) void two_long(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                                                           int ask)
{
    const uint8_t *ta = a + n - TURN, *tb = b + n - TURN;
    vec t0 = both(ta, tb);
    vec t1 = both(ta + VEC, tb + VEC);
    vec t2 = both(ta + 2 * VEC, tb + 2 * VEC);
    vec t3 = both(ta + 3 * VEC, tb + 3 * VEC);
    two_turns(dst, a, b, n, ask);
    store_turn(dst + n - TURN, t0, t1, t2, t3);
}

/* The same with aligned stores, behind a head. */
static inline __attribute__((always_inline)) void two_peeled(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                                                             int ask)
{
    size_t skip = -(uintptr_t)dst & (VEC - 1);
    vec head = both(a, b);
    two_long(dst + skip, a + skip, b + skip, n - skip, ask);
    vec_store(dst, head);
}

/* XC_XOR_TINY bytes up to a turn. */
static inline __attribute__((always_inline)) void two_short(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (2 * VEC > XC_XOR_TINY && n < 2 * VEC) {
        vec head = both(a, b), tail = both(a + n - VEC, b + n - VEC);
        vec_store(dst, head);
        vec_store(dst + n - VEC, tail);
        return;
    }
    vec v0 = both(a, b);
    vec v1 = both(a + VEC, b + VEC);
    vec v2 = both(a + n - 2 * VEC, b + n - 2 * VEC);
    vec v3 = both(a + n - VEC, b + n - VEC);
    vec_store(dst, v0);
    vec_store(dst + VEC, v1);
    vec_store(dst + n - 2 * VEC, v2);
    vec_store(dst + n - VEC, v3);
}

#endif
