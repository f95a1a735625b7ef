/* aes_256.c — the ceilings of VAES and VPCLMULQDQ, two blocks in a register. */
#include <immintrin.h>

typedef __m256i vec;
#define WIDE 2
#define V_SET _mm256_set1_epi32
#define V_XOR _mm256_xor_si256
#define V_INSTRUCTION(op, n, key) "v" op " %" key ", %" n ", %" n "\n\t"
#define V_AES_LAST _mm256_aesenclast_epi128
#define V_SHUFFLE _mm256_shuffle_epi8
#define V_HALVES(a) _mm256_shuffle_epi32(a, 0x4e)
#define V_AND _mm256_and_si256
#define V_SHIFT_LEFT _mm256_slli_epi64
#define V_SHIFT_RIGHT _mm256_srli_epi64
#define V_CLMUL _mm256_clmulepi64_epi128
#include "probe_aes.h"

const struct aes_probes xb_aes_256 = AES_PROBES;
