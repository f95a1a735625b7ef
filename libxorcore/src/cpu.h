/* cpu.h — CPU features as bits, what this CPU has, and what XORCORE_DISABLE took away. */
#ifndef XC_CPU_H
#define XC_CPU_H

#include <stddef.h>
#include <stdint.h>

enum xc_cpu_index {
#define XC_BIT(name) XC_CPU_INDEX_##name,
#include "xc_cpu.inc" /* this architecture's rows of cpu.def */
#undef XC_BIT
    XC_CPU_BITS
};

/* The bits as constants: XC_CPU_AVX2. */
#define XC_CPU_MASK(name) ((uint64_t)1 << XC_CPU_INDEX_##name)

/* What the machine reports, before anybody's wish. */
struct xc_cpu_found {
    uint64_t cpu; /* the CPU has the instruction */
    uint64_t os;  /* and the system saves the registers that it needs */
};

/* One definition per architecture, in cpu/<arch>.c; in cpu/other.c where no row needs a bit. */
extern const char xc_cpu_arch[];
void xc_cpu_detect(struct xc_cpu_found *found);

/* Bytes of the largest cache that the CPU tells of, 0 when it tells of none. */
uint64_t xc_cpu_largest_cache(void);

/* The bits that the library may use: found, saved by the system, and not in XORCORE_DISABLE (kernel.c). */
uint64_t xc_cpu_usable(void);

/* Writes the word of bit `index`, in lower case, with its NUL; returns its length. */
enum { XC_CPU_WORD_MAX = 16 };
size_t xc_cpu_word(size_t index, char *word, size_t size);

/* A result of so many bytes no longer finds room in the caches, and is better stored around them: a quarter of
 * the largest, for the sources pass through it as well. It is never below XC_CACHED_MIN, where plain
 * stores win whatever a CPU tells of itself, and XC_CACHED_DEFAULT when it tells nothing. */
enum { XC_CACHED_MIN = 4 << 20, XC_CACHED_DEFAULT = 8 << 20 };
size_t xc_cpu_cached(void);

#endif
