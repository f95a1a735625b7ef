/* xor_loong.h — XOR for both widths of LoongArch's vectors, over the words that the including file has for them.
 *
 * The loops are those of xor_turn.h, xor_vec.h and xor_repeat.h, four vectors a turn; half of a turn loads its sources before it uses
 * the first. */
#ifndef XC_XOR_LOONG_H
#define XC_XOR_LOONG_H

/* LoongArch has no store around the cache, nor anything to wait for after it. */
static inline void vec_stream(uint8_t *p, vec v)
{
    vec_store(p, v);
}

static inline void vec_drain(void)
{
}

#include "xor_ladder.h"
#include "xor_turns.h"
#include "xor_lay_out.h"

static inline __attribute__((always_inline)) void two_turns(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                                                            int ask)
{
    (void)ask; /* there is nothing to ask for: see xor_turns.h */
    for (; n > TURN; n -= TURN) {
        store_turn(dst, both(a, b), both(a + VEC, b + VEC), both(a + 2 * VEC, b + 2 * VEC), both(a + 3 * VEC, b + 3 * VEC));
        dst += TURN;
        a += TURN;
        b += TURN;
    }
}

#endif
