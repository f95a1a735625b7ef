/* cpu.c — the words of the CPU bits, and what follows from the caches' sizes. */
#include "cpu.h"

#include <stdatomic.h>

/* The names of cpu.def in lower case, made once by the compiler rather than typed a second time. */
#define XC_BIT(name) #name,
static const char names[][XC_CPU_WORD_MAX] = {
#include "xc_cpu.inc"
    "" /* an architecture may have no row */
};
#undef XC_BIT

#define XC_BIT(name) _Static_assert(sizeof #name <= XC_CPU_WORD_MAX, "cpu.def: " #name " is too long a name");
#include "xc_cpu.inc"
#undef XC_BIT

size_t xc_cpu_word(size_t index, char *word, size_t size)
{
    size_t n = 0;
    for (const char *p = names[index]; *p && n + 1 < size; p++)
        word[n++] = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
    word[n] = 0;
    return n;
}

/* Asked once: a guest's CPUID goes to its host and back. Threads that ask together find the same answer. */
size_t xc_cpu_cached(void)
{
    static atomic_size_t cached;
    size_t bytes = atomic_load_explicit(&cached, memory_order_relaxed);
    if (!bytes) {
        const uint64_t largest = xc_cpu_largest_cache();
        const uint64_t quarter = largest / 4 < SIZE_MAX ? largest / 4 : SIZE_MAX;
        bytes = !largest                   ? XC_CACHED_DEFAULT
                : quarter > XC_CACHED_MIN ? (size_t)quarter
                                          : XC_CACHED_MIN;
        atomic_store_explicit(&cached, bytes, memory_order_relaxed);
    }
    return bytes;
}
