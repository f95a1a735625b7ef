/* msan.h — what the memory sanitizer has to be told about the library's code.
 *
 * It cannot see through asm: it reports undefined operands and takes the results for defined. The library's asm
 * without `volatile` is empty and only hides a value from the optimiser, so here there is none of it; asm with
 * `volatile` has pointers and public values for operands and stays. The system's headers, which name functions by asm,
 * come first. */
#ifndef MSAN_H
#define MSAN_H

#include <sanitizer/msan_interface.h>

#include <immintrin.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define __asm__(...)

/* Nor through an operation with a table in it. The library's one is a sum of three. */
#undef _mm512_ternarylogic_epi64
#define _mm512_ternarylogic_epi64(a, b, c, table) _mm512_xor_si512(a, _mm512_xor_si512(b, c))
#pragma clang diagnostic ignored "-Wunused-parameter" /* of functions that were nothing but such asm */

#endif
