/* aes_128.c — the ceilings of AES-NI and PCLMULQDQ, a block in a register; and of one block after the other. */
#include <immintrin.h>

typedef __m128i vec;
#define WIDE 1
#define V_SET _mm_set1_epi32
#define V_XOR _mm_xor_si128
#define V_INSTRUCTION(op, n, key) op " %" key ", %" n "\n\t"
#define V_AES_LAST _mm_aesenclast_si128
#define V_SHUFFLE _mm_shuffle_epi8
#define V_HALVES(a) _mm_shuffle_epi32(a, 0x4e)
#define V_AND _mm_and_si128
#define V_SHIFT_LEFT _mm_slli_epi64
#define V_SHIFT_RIGHT _mm_srli_epi64
#define V_CLMUL _mm_clmulepi64_si128
#include "probe_aes.h"

/* One block whose rounds wait for each other, and so do the blocks: CBC and CFB encryption, OFB. */
INLINE void one_block(size_t calls, const int rounds)
{
    vec x = V_SET(0), key = V_SET(0x01234567);
    for (size_t call = 0; call < calls; call++) {
        for (int r = 1; r < rounds; r++)
            __asm__ volatile("aesenc %1, %0" : "+x"(x) : "x"(key));
        __asm__ volatile("aesenclast %1, %0" : "+x"(x) : "x"(key));
    }
}

FOR_ROUNDS(probe_chain, one_block)

const struct aes_probes xb_aes_128 = AES_PROBES;
aes_probe *const xb_aes_chain = probe_chain;
