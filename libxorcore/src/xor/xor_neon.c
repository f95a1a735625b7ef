/* xor_neon.c — XOR in 16-byte vectors of NEON, for arm64 and for 32-bit Arm.
 *
 * The loops are those of xor_turn.h, xor_vec.h and xor_repeat.h, but for that over two long sources: one instruction loads
 * or stores four registers (two on 32-bit Arm) and moves its pointer on. No compiler at hand makes that of intrinsics: gcc
 * 12 takes the registers through the stack, and has no such load for 32-bit Arm; clang 14 adds to pointers apart. So it is
 * assembly. Executed instructions per byte of `two` at 32 KiB, gcc 12, counted by qemu-user:
 *
 *                                          arm64   32-bit
 *     this                                 0.119   0.168
 *     by intrinsics, register by register  0.251   0.485
 *     portable                             0.470   1.127
 *
 * Registers: tail 4, loop 16 on arm64 and 8 on 32-bit Arm; none that a caller wants kept. */
#include "../kernel.h"

#include <arm_neon.h>

typedef uint8x16_t vec;
enum { VEC = 16 };

static inline vec vec_load(const uint8_t *p)
{
    return vld1q_u8(p);
}

static inline void vec_store(uint8_t *p, vec v)
{
    vst1q_u8(p, v);
}

/* NEON has no store around the cache for every compiler, nor anything to wait for after it. */
static inline void vec_stream(uint8_t *p, vec v)
{
    vec_store(p, v);
}

static inline void vec_drain(void)
{
}

static inline vec vec_xor(vec a, vec b)
{
    return veorq_u8(a, b);
}

#include "xor_ladder.h"
#include "xor_turns.h"
#include "xor_lay_out.h"

enum { ROUND = 256 };

/* XORs so many rounds and moves the pointers on. Half of a turn of the loop loads all of its sources before it uses the
 * first: a core that works in order would wait. */
static inline __attribute__((always_inline)) void two_rounds(uint8_t **dst, const uint8_t **a, const uint8_t **b, size_t rounds)
{
#if defined(__aarch64__)
    __asm__ volatile("1:\n\t"
                     ".rept 2\n\t"
                     "ld1 {v0.16b-v3.16b}, [%1], #64\n\t"
                     "ld1 {v4.16b-v7.16b}, [%2], #64\n\t"
                     "ld1 {v16.16b-v19.16b}, [%1], #64\n\t"
                     "ld1 {v20.16b-v23.16b}, [%2], #64\n\t"
                     "eor v0.16b, v0.16b, v4.16b\n\t"
                     "eor v1.16b, v1.16b, v5.16b\n\t"
                     "eor v2.16b, v2.16b, v6.16b\n\t"
                     "eor v3.16b, v3.16b, v7.16b\n\t"
                     "st1 {v0.16b-v3.16b}, [%0], #64\n\t"
                     "eor v16.16b, v16.16b, v20.16b\n\t"
                     "eor v17.16b, v17.16b, v21.16b\n\t"
                     "eor v18.16b, v18.16b, v22.16b\n\t"
                     "eor v19.16b, v19.16b, v23.16b\n\t"
                     "st1 {v16.16b-v19.16b}, [%0], #64\n\t"
                     ".endr\n\t"
                     "subs %3, %3, #1\n\t"
                     "b.ne 1b"
                     : "+r"(*dst), "+r"(*a), "+r"(*b), "+r"(rounds)
                     :
                     : "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20",
                       "v21", "v22", "v23");
#else
    __asm__ volatile("1:\n\t"
                     ".rept 4\n\t"
                     "vld1.8 {d16-d19}, [%1]!\n\t"
                     "vld1.8 {d20-d23}, [%2]!\n\t"
                     "vld1.8 {d24-d27}, [%1]!\n\t"
                     "vld1.8 {d28-d31}, [%2]!\n\t"
                     "veor q8, q8, q10\n\t"
                     "veor q9, q9, q11\n\t"
                     "vst1.8 {d16-d19}, [%0]!\n\t"
                     "veor q12, q12, q14\n\t"
                     "veor q13, q13, q15\n\t"
                     "vst1.8 {d24-d27}, [%0]!\n\t"
                     ".endr\n\t"
                     "subs %3, %3, #1\n\t"
                     "bne 1b"
                     : "+r"(*dst), "+r"(*a), "+r"(*b), "+r"(rounds)
                     :
                     : "memory", "cc", "q8", "q9", "q10", "q11", "q12", "q13", "q14", "q15");
#endif
}

/* What it does, xor_turn.h says. There is nothing to ask for: see xor_turns.h. */
static inline __attribute__((always_inline)) void two_turns(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                                                            int ask)
{
    (void)ask;
    if (n > ROUND) {
        size_t rounds = (n - 1) / ROUND;
        n -= rounds * ROUND;
        two_rounds(&dst, &a, &b, rounds);
    }
    for (; n > TURN; n -= TURN) {
        store_turn(dst, both(a, b), both(a + VEC, b + VEC), both(a + 2 * VEC, b + 2 * VEC), both(a + 3 * VEC, b + 3 * VEC));
        dst += TURN;
        a += TURN;
        b += TURN;
    }
}

const struct xc_xor_ops xc_xor_neon = { .two = two, .many = many, .repeat = repeat };
