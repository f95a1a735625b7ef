/* arm64.c — CPU features of 64-bit Arm. Bits: Linux, arch/arm64/include/uapi/asm/hwcap.h. */
#include "auxv.h"

const char xc_cpu_arch[] = "arm64";

void xc_cpu_detect(struct xc_cpu_found *found)
{
    static const struct hwcap caps[] = {
        {XC_CPU_MASK(NEON), AT_HWCAP, 1},   {XC_CPU_MASK(AES), AT_HWCAP, 3},   {XC_CPU_MASK(PMULL), AT_HWCAP, 4},
        {XC_CPU_MASK(SHA3), AT_HWCAP, 17},  {XC_CPU_MASK(SVE), AT_HWCAP, 22},  {XC_CPU_MASK(SVE2), AT_HWCAP2, 1},
        {XC_CPU_MASK(SVE_AES), AT_HWCAP2, 2},
    };
    find_hwcaps(found, caps, sizeof caps / sizeof caps[0]);
}

/* The system's kernel tells programs nothing of the caches but in files. */
uint64_t xc_cpu_largest_cache(void) { return 0; }
