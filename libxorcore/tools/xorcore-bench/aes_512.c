/* aes_512.c — the ceilings of VAES and VPCLMULQDQ, four blocks in a register. */
#include <immintrin.h>

typedef __m512i vec;
#define WIDE 4
#define V_SET _mm512_set1_epi32
#define V_XOR _mm512_xor_si512
#define V_INSTRUCTION(op, n, key) "v" op " %" key ", %" n ", %" n "\n\t"
#define V_AES_LAST _mm512_aesenclast_epi128
#define V_SHUFFLE _mm512_shuffle_epi8
#define V_HALVES(a) _mm512_shuffle_epi32(a, 0x4e)
#define V_AND _mm512_and_si512
#define V_SHIFT_LEFT _mm512_slli_epi64
#define V_SHIFT_RIGHT _mm512_srli_epi64
#define V_CLMUL _mm512_clmulepi64_epi128
#include "probe_aes.h"

const struct aes_probes xb_aes_512 = AES_PROBES;
