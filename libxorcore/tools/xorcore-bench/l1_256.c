/* l1_256.c — loads and stores of AVX2. */
#include <immintrin.h>

typedef __m256i vec;
#define V_SET _mm256_set1_epi32
#define V_XOR _mm256_xor_si256
#include "probe_l1.h"

const struct l1_probes xb_l1_256 = L1_PROBES;
