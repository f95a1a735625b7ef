/* l1_512.c — loads and stores of AVX-512. */
#include <immintrin.h>

typedef __m512i vec;
#define V_SET _mm512_set1_epi32
#define V_XOR _mm512_xor_si512
#include "probe_l1.h"

const struct l1_probes xb_l1_512 = L1_PROBES;
