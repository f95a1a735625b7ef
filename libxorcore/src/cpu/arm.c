/* arm.c — CPU features of 32-bit Arm. Bits: Linux, arch/arm/include/uapi/asm/hwcap.h. */
#include "auxv.h"

const char xc_cpu_arch[] = "arm";

void xc_cpu_detect(struct xc_cpu_found *found)
{
    static const struct hwcap caps[] = {
        {XC_CPU_MASK(NEON), AT_HWCAP, 12}, {XC_CPU_MASK(AES), AT_HWCAP2, 0}, {XC_CPU_MASK(PMULL), AT_HWCAP2, 1},
    };
    find_hwcaps(found, caps, sizeof caps / sizeof caps[0]);
}

/* The system's kernel tells programs nothing of the caches but in files. */
uint64_t xc_cpu_largest_cache(void) { return 0; }
