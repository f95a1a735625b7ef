/* loongarch64.c — CPU features of 64-bit LoongArch. Bits: Linux, arch/loongarch/include/uapi/asm/hwcap.h. */
#include "auxv.h"

const char xc_cpu_arch[] = "loongarch64";

void xc_cpu_detect(struct xc_cpu_found *found)
{
    static const struct hwcap caps[] = {{XC_CPU_MASK(LSX), AT_HWCAP, 4}, {XC_CPU_MASK(LASX), AT_HWCAP, 5}};
    find_hwcaps(found, caps, sizeof caps / sizeof caps[0]);
}

/* The system's kernel tells programs nothing of the caches but in files. */
uint64_t xc_cpu_largest_cache(void) { return 0; }
