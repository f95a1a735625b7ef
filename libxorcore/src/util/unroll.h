/* unroll.h — tells the compiler to unroll a loop of a constant number of turns completely, or not at all. */
#ifndef XC_UNROLL_H
#define XC_UNROLL_H

/* Vectors in a small array stay in registers only when no index into it is left: the compilers'
 * own idea of a loop worth unrolling is not enough, and each has its own way of being told.
 * A loop of few turns that nobody can foresee is slower unrolled: what chooses between four turns and one takes longer
 * than they do. clang unrolls such loops, or makes vectors of their words, unless it is told. */
#if defined(__clang__)
#define XC_UNROLL _Pragma("clang loop unroll(full)")
#define XC_ROLLED _Pragma("clang loop unroll(disable) vectorize(disable)")
#else
#define XC_UNROLL _Pragma("GCC unroll 32")
#define XC_ROLLED _Pragma("GCC unroll 1")
#endif

#endif
