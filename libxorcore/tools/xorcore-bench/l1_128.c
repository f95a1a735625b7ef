/* l1_128.c — loads and stores of SSE2. */
#include <emmintrin.h>

typedef __m128i vec;
#define V_SET _mm_set1_epi32
#define V_XOR _mm_xor_si128
#include "probe_l1.h"

const struct l1_probes xb_l1_128 = L1_PROBES;
