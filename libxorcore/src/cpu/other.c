/* other.c — architectures whose kernel rows need no CPU feature, and which do not tell of their caches. */
#include "../cpu.h"

const char xc_cpu_arch[] = XC_ARCH_NAME;

void xc_cpu_detect(struct xc_cpu_found *found)
{
    found->cpu = 0;
    found->os = 0;
}

uint64_t xc_cpu_largest_cache(void) { return 0; }
