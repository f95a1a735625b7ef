/* auxv.h — CPU features by getauxval(), where the system's kernel tells programs what they may use.
 *
 * What it tells of is there and saved, so `cpu` and `os` are the same. No instruction is tried, and no file is read. */
#ifndef XC_CPU_AUXV_H
#define XC_CPU_AUXV_H

#include "../cpu.h"

#include <sys/auxv.h>

/* A feature: the entry that tells of it, and its bit there. The numbers are the kernel's ABI, written down because the
 * C library's headers may be older than the CPU. */
struct hwcap {
    uint64_t mask;
    unsigned long entry; /* AT_HWCAP or AT_HWCAP2 */
    unsigned bit;
};

static inline void find_hwcaps(struct xc_cpu_found *found, const struct hwcap *caps, size_t count)
{
    found->cpu = 0;
    for (size_t i = 0; i < count; i++)
        if (getauxval(caps[i].entry) >> caps[i].bit & 1)
            found->cpu |= caps[i].mask;
    found->os = found->cpu;
}

#endif
