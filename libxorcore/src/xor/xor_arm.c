/* xor_arm.c — XOR in words of four registers at a time, for 32-bit Arm without NEON, from ARMv5TE on.
 *
 * LDM and STM move four aligned words by one instruction. A source that stands otherwise in its words than dst is read in
 * whole words all the same, and each word is put together from two by shifts that cost nothing: no access is misaligned,
 * which ARMv5 would not allow. XOR does not mind the order of its sources, so six pairs of places do for nine.
 *
 * No compiler makes LDM and STM of a loop over words, nor finds registers for it; so it is assembly. Executed
 * instructions per byte, gcc 12, counted by qemu-user (ARMv7's portable code loads misaligned words):
 *
 *                      32 KiB    2 KiB: together   one source off   all off each other
 *     this               0.56       0.59 to 0.64         0.89              1.39
 *     portable, ARMv5    3.95       4.06 to 4.11        26.8              27.8
 *     portable, ARMv7    1.13       1.15 to 1.16         1.40              1.40
 *
 * Registers: four of each source, one or two of the words before, four for pointers and count; r11 is left alone. */
#include "../kernel.h"

enum { WORD = 4, ROUND = 4 * WORD };

static inline size_t misfit(const uint8_t *p)
{
    return (uintptr_t)p & (WORD - 1);
}

static inline void bytes(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = a[i] ^ b[i];
    }
}

/* The statements below work on `dst`, aligned, `a`, `b` and `rounds`, at least one. What a source begins and ends with in the
 * middle of a word is read from that word. A shift is the place in the word in bits. */
#define LOOP(first, body)                                                                                                  \
    __asm__ volatile(first "1:\n\t" body "stmia %0!, {r4, r5, r6, r7}\n\t"                                                 \
                           "subs %3, %3, #1\n\t"                                                                           \
                           "bne 1b"                                                                                        \
                     : "+r"(dst), "+r"(a), "+r"(b), "+r"(rounds)                                                           \
                     :                                                                                                     \
                     : "memory", "cc", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r12", "lr")

#define STRAIGHT                                                                                                           \
    LOOP("", "ldmia %1!, {r4, r5, r6, r7}\n\t"                                                                             \
             "ldmia %2!, {r8, r9, r10, r12}\n\t"                                                                           \
             "eor r4, r4, r8\n\t"                                                                                          \
             "eor r5, r5, r9\n\t"                                                                                          \
             "eor r6, r6, r10\n\t"                                                                                         \
             "eor r7, r7, r12\n\t")

/* To r4 to r7 what b has, whose word before is in lr. */
#define ADD_SHIFTED(shift)                                                                                                 \
    "eor r4, r4, lr, lsr #" #shift "\n\t"                                                                                  \
    "ldmia %2!, {r9, r10, r12, lr}\n\t"                                                                                    \
    "eor r4, r4, r9, lsl #(32 - " #shift ")\n\t"                                                                           \
    "eor r5, r5, r9, lsr #" #shift "\n\t"                                                                                  \
    "eor r5, r5, r10, lsl #(32 - " #shift ")\n\t"                                                                          \
    "eor r6, r6, r10, lsr #" #shift "\n\t"                                                                                 \
    "eor r6, r6, r12, lsl #(32 - " #shift ")\n\t"                                                                          \
    "eor r7, r7, r12, lsr #" #shift "\n\t"                                                                                 \
    "eor r7, r7, lr, lsl #(32 - " #shift ")\n\t"

#define ONE_SHIFTED(shift)                                                                                                 \
    LOOP("ldr lr, [%2], #4\n\t", "ldmia %1!, {r4, r5, r6, r7}\n\t" ADD_SHIFTED(shift))

/* a's word before is in r8. */
#define BOTH_SHIFTED(shift_a, shift_b)                                                                                     \
    LOOP("ldr r8, [%1], #4\n\t"                                                                                            \
         "ldr lr, [%2], #4\n\t",                                                                                           \
         "mov r4, r8, lsr #" #shift_a "\n\t"                                                                               \
         "ldmia %1!, {r5, r6, r7, r8}\n\t"                                                                                 \
         "eor r4, r4, r5, lsl #(32 - " #shift_a ")\n\t"                                                                    \
         "mov r5, r5, lsr #" #shift_a "\n\t"                                                                               \
         "eor r5, r5, r6, lsl #(32 - " #shift_a ")\n\t"                                                                    \
         "mov r6, r6, lsr #" #shift_a "\n\t"                                                                               \
         "eor r6, r6, r7, lsl #(32 - " #shift_a ")\n\t"                                                                    \
         "mov r7, r7, lsr #" #shift_a "\n\t"                                                                               \
         "eor r7, r7, r8, lsl #(32 - " #shift_a ")\n\t" ADD_SHIFTED(shift_b))

/* dst is aligned, and a stands no further into its word than b. */
static __attribute__((noinline)) void words(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t rounds)
{
    const size_t places = 4 * misfit(a) + misfit(b);
    a -= misfit(a);
    b -= misfit(b);
    switch (places) {
    case 0: STRAIGHT; break;
    case 1: ONE_SHIFTED(8); break;
    case 2: ONE_SHIFTED(16); break;
    case 3: ONE_SHIFTED(24); break;
    case 4 + 1: BOTH_SHIFTED(8, 8); break;
    case 4 + 2: BOTH_SHIFTED(8, 16); break;
    case 4 + 3: BOTH_SHIFTED(8, 24); break;
    case 8 + 2: BOTH_SHIFTED(16, 16); break;
    case 8 + 3: BOTH_SHIFTED(16, 24); break;
    default: BOTH_SHIFTED(24, 24); break;
    }
}

static int two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n < 2 * ROUND) {
        bytes(dst, a, b, n);
        return 0;
    }
    const int off = misfit(a) != misfit(dst) || misfit(b) != misfit(dst);
    size_t skip = -(uintptr_t)dst & (WORD - 1);
    size_t rounds = (n - skip) / ROUND;
    if (off) {
        /* So that the words in whose middle a source begins and ends are inside of it. */
        skip += WORD;
        rounds = (n - skip - WORD) / ROUND;
    }
    bytes(dst, a, b, skip);
    if (misfit(a + skip) <= misfit(b + skip)) {
        words(dst + skip, a + skip, b + skip, rounds);
    } else {
        words(dst + skip, b + skip, a + skip, rounds);
    }
    skip += rounds * ROUND;
    bytes(dst + skip, a + skip, b + skip, n - skip);
    return 0;
}

const struct xc_xor_ops xc_xor_arm = { .two = two };
