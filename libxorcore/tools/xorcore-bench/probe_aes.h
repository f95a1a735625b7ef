/* probe_aes.h — the ceilings of AES and GHASH: what the CPU does when nothing but the necessary instructions is
 * asked of it, on registers alone.
 *
 * It is written once over a register type and compiled at each width: probe_128.c and its brothers define vec,
 * WIDE (blocks in a vec) and the operations V_…. Every probe keeps eight or twelve vectors in flight; they have
 * names, and a round of all is one statement, so that no compiler keeps them in memory or copies them. */
#include "machine_amd64.h"

/* Nothing before this may be thrown away, and nothing after it known beforehand. */
#define KEEP(x) __asm__ volatile("" : "+x"(x))

enum {
    CHAINS = 12, /* hide the latency of every AES unit there is */
    STEPS = 8
};

/* clang-format off */
#define ONE(op, n, key) V_INSTRUCTION(op, n, key)
#define EIGHT(op, key)                                                                                       \
    ONE(op, "0", key) ONE(op, "1", key) ONE(op, "2", key) ONE(op, "3", key)                                  \
    ONE(op, "4", key) ONE(op, "5", key) ONE(op, "6", key) ONE(op, "7", key)
#define ROUND_OF_12(op)                                                                                      \
    __asm__ volatile(EIGHT(op, "12") ONE(op, "8", "12") ONE(op, "9", "12") ONE(op, "10", "12")               \
                     ONE(op, "11", "12")                                                                     \
                     : "+x"(x0), "+x"(x1), "+x"(x2), "+x"(x3), "+x"(x4), "+x"(x5), "+x"(x6), "+x"(x7),       \
                       "+x"(x8), "+x"(x9), "+x"(x10), "+x"(x11)                                              \
                     : "x"(key))
#define ROUND_OF_8(op)                                                                                       \
    __asm__ volatile(EIGHT(op, "8")                                                                          \
                     : "+x"(x0), "+x"(x1), "+x"(x2), "+x"(x3), "+x"(x4), "+x"(x5), "+x"(x6), "+x"(x7)        \
                     : "x"(key))
/* clang-format on */

/* A probe for 10 and for 14 rounds, which are constants inside. */
#define FOR_ROUNDS(name, probe)                                                                              \
    static void name(size_t calls, int rounds)                                                               \
    {                                                                                                        \
        if (rounds == 10)                                                                                    \
            probe(calls, 10);                                                                                \
        else                                                                                                 \
            probe(calls, 14);                                                                                \
    }

#define INLINE static inline __attribute__((always_inline))

/* ---- independent blocks: CTR, decryption of CBC and CFB, many messages of CBC ------------------------------ */

INLINE void many_blocks(size_t calls, const int rounds)
{
    vec x0 = V_SET(0), x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0, x8 = x0, x9 = x0;
    vec x10 = x0, x11 = x0, key = V_SET(0x01234567);
    for (size_t call = 0; call < calls; call++) {
        for (int r = 1; r < rounds; r++)
            ROUND_OF_12("aesenc");
        ROUND_OF_12("aesenclast");
    }
}

FOR_ROUNDS(probe_aes, many_blocks)

/* ---- XTS: the same with a tweak for each vector ------------------------------------------------------------ */

/* The cheapest doubling there is: what leaves one half by a shift comes back in the other, or as the polynomial. */
INLINE vec tweak_step(vec t, vec polynomial)
{
    return V_XOR(V_SHIFT_LEFT(t, 1), V_AND(V_HALVES(V_SHIFT_RIGHT(t, 63)), polynomial));
}

/* Two XORs with the tweak, one of them with the last round key beforehand. As in a kernel no tweak waits for the
 * one before it. */
INLINE void many_tweaks(size_t calls, const int rounds)
{
    vec x0 = V_SET(0), x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0, key = V_SET(0x01234567);
    vec base = V_SET(1), polynomial = V_SET(0x87), text = V_SET(3);
    for (size_t call = 0; call < calls; call++) {
        vec last[STEPS];
        vec *const x[STEPS] = { &x0, &x1, &x2, &x3, &x4, &x5, &x6, &x7 };
#pragma GCC unroll 8
        for (int i = 0; i < STEPS; i++) {
            KEEP(text);
            KEEP(base);
            const vec t = tweak_step(base, polynomial);
            *x[i] = V_XOR(text, t);
            last[i] = V_XOR(key, t);
        }
        for (int r = 1; r < rounds; r++)
            ROUND_OF_8("aesenc");
#pragma GCC unroll 8
        for (int i = 0; i < STEPS; i++) {
            *x[i] = V_AES_LAST(*x[i], last[i]);
            KEEP(*x[i]);
        }
    }
}

FOR_ROUNDS(probe_xts, many_tweaks)

/* ---- GHASH ------------------------------------------------------------------------------------------------- */

/* A vector by Karatsuba: byte order, three multiplications, and where their halves go. */
INLINE void hash(vec d, vec swap, vec h, vec *lo, vec *mi, vec *hi)
{
    d = V_SHUFFLE(d, swap);
    const vec t = V_XOR(d, V_HALVES(d));
    *lo = V_XOR(*lo, V_CLMUL(d, h, 0x00));
    *hi = V_XOR(*hi, V_CLMUL(d, h, 0x11));
    *mi = V_XOR(*mi, V_CLMUL(t, h, 0x10));
    KEEP(*lo); /* or the compiler orders the sums anew, and spills them */
    KEEP(*hi);
    KEEP(*mi);
}

/* Half of a reduction: a multiplication, a swap of halves, and three sums. */
INLINE void half_reduction(vec d, vec h, vec *reduced)
{
    *reduced = V_XOR(V_XOR(*reduced, V_CLMUL(d, h, 0x10)), V_XOR(d, V_HALVES(d)));
    KEEP(*reduced);
}

/* Eight vectors, with a reduction for every sixteen blocks. */
static void probe_ghash(size_t calls)
{
    vec lo = V_SET(1), mi = V_SET(2), hi = V_SET(3), h = V_SET(4), swap = V_SET(0x00010203), d = V_SET(5);
    vec reduced = V_SET(0);
    for (size_t call = 0; call < calls; call++) {
        for (int i = 0; i < STEPS; i++) {
            KEEP(d);
            hash(d, swap, h, &lo, &mi, &hi);
        }
        for (int i = 0; i < WIDE; i++)
            half_reduction(d, h, &reduced);
    }
}

/* ---- GCM: every vector operation of a kernel that saves the first round ------------------------------------- */

/* Eight vectors: a counter each, one round fewer than the key has, the text added to the last round key, GHASH by
 * Karatsuba between the rounds, and half of a reduction. */
INLINE void both(size_t calls, const int rounds)
{
    vec x0 = V_SET(0), x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0, key = V_SET(0x01234567);
    vec lo = V_SET(1), mi = V_SET(2), hi = V_SET(3), h = V_SET(4), swap = V_SET(0x00010203), d = V_SET(5);
    vec reduced = V_SET(0);
    for (size_t call = 0; call < calls; call++) {
        vec *const x[STEPS] = { &x0, &x1, &x2, &x3, &x4, &x5, &x6, &x7 };
#pragma GCC unroll 8
        for (int i = 0; i < STEPS; i++) {
            KEEP(d);
            *x[i] = V_XOR(d, h);
        }
        for (int r = 0; r < STEPS; r++) {
            KEEP(d);
            ROUND_OF_8("aesenc");
            hash(d, swap, h, &lo, &mi, &hi);
        }
        for (int r = STEPS + 2; r < rounds; r++)
            ROUND_OF_8("aesenc");
#pragma GCC unroll 8
        for (int i = 0; i < STEPS; i++) {
            KEEP(d);
            *x[i] = V_AES_LAST(*x[i], V_XOR(key, d));
            KEEP(*x[i]);
        }
        half_reduction(d, h, &reduced);
    }
}

FOR_ROUNDS(probe_gcm, both)

#define AES_PROBES { probe_aes, probe_xts, probe_gcm, probe_ghash, 16.0 * WIDE * CHAINS, 16.0 * WIDE * STEPS }
