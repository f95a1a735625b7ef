/* amd64.c — CPU features and cache sizes by CPUID, and what the system saves by XGETBV. */
#include "../cpu.h"

#include <cpuid.h>
#include <string.h>

const char xc_cpu_arch[] = "amd64";

/* XGETBV by its bytes' mnemonic needs no -mxsave; it may run only where CPUID says OSXSAVE. */
static uint64_t enabled_state(void)
{
    uint32_t low, high;
    __asm__ __volatile__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

struct leaf {
    uint32_t eax, ebx, ecx, edx;
};

static struct leaf cpuid(uint32_t number, uint32_t sub)
{
    struct leaf r = {0, 0, 0, 0};
    if ((uint32_t)__get_cpuid_max(number & 0x80000000u, NULL) >= number)
        __cpuid_count(number, sub, r.eax, r.ebx, r.ecx, r.edx);
    return r;
}

/* FAST_ZMM is withheld from Intel's family 6, model 0x55: Skylake-SP and -X, Cascade Lake, Cooper Lake. After a few
 * 512-bit instructions these lower the clock of all that runs on the core, by Intel's optimization manual (Skylake
 * Server Power Management). Linux also prefers 256 bits on Ice Lake and Tiger Lake (X86_FEATURE_PREFER_YMM).
 * They keep the bit here: a step of 100 MHz while one core works, none with more, is what T. Downs measured
 * ("Ice Lake AVX-512 Downclocking", 2020), and a register of four blocks is worth more than that. */
static int lowers_its_clock(const char maker[12], struct leaf one)
{
    const uint32_t family = one.eax >> 8 & 15, model = (one.eax >> 4 & 15) | (one.eax >> 12 & 0xf0);
    return memcmp(maker, "GenuineIntel", 12) == 0 && family == 6 && model == 0x55;
}

/* WHOLE_ZMM is withheld from AMD's family 0x19, whose part with AVX-512 is Zen 4. It stores 512 bits in two
 * halves: XOR of 2 KiB takes 19.5 ns there, and 18.8 by registers of 256 bits. */
static int halves_its_zmm(const char maker[12], struct leaf one)
{
    const uint32_t family = (one.eax >> 8 & 15) + (one.eax >> 20 & 0xff);
    return memcmp(maker, "AuthenticAMD", 12) == 0 && family == 0x19;
}

void xc_cpu_detect(struct xc_cpu_found *found)
{
    const struct leaf zero = cpuid(0, 0), one = cpuid(1, 0), seven = cpuid(7, 0);
    const uint32_t words[3] = {zero.ebx, zero.edx, zero.ecx};
    char maker[12];
    memcpy(maker, words, sizeof maker);

    /* XCR0: bit 1 is the xmm, bit 2 the ymm state. xmm is always saved in 64-bit mode. */
    const uint64_t xcr0 = one.ecx >> 27 & 1 ? enabled_state() : 0;
    const int ymm = (xcr0 & 6) == 6;
    /* Bits 5 to 7 are the mask registers, the upper halves of zmm0 to 15, and zmm16 to 31. */
    const int zmm = (xcr0 & 0xe6) == 0xe6;

    const uint32_t avx512 = seven.ebx >> 16 & 1;
    const uint32_t fast_zmm = avx512 && !lowers_its_clock(maker, one), whole_zmm = avx512 && !halves_its_zmm(maker, one);
    const struct {
        uint64_t mask;
        uint32_t cpu;
        int os;
    } bits[] = {
        {XC_CPU_MASK(SSE2), one.edx >> 26, 1},  {XC_CPU_MASK(SSSE3), one.ecx >> 9, 1},
        {XC_CPU_MASK(SSE4_1), one.ecx >> 19, 1}, {XC_CPU_MASK(SSE4_2), one.ecx >> 20, 1},
        {XC_CPU_MASK(AES), one.ecx >> 25, 1},
        {XC_CPU_MASK(PCLMUL), one.ecx >> 1, 1}, {XC_CPU_MASK(AVX), one.ecx >> 28, ymm},
        {XC_CPU_MASK(AVX2), seven.ebx >> 5, ymm}, {XC_CPU_MASK(AVX512F), avx512, zmm},
        {XC_CPU_MASK(AVX512BW), seven.ebx >> 30, zmm}, {XC_CPU_MASK(AVX512VL), seven.ebx >> 31, zmm},
        {XC_CPU_MASK(FAST_ZMM), fast_zmm, zmm}, {XC_CPU_MASK(WHOLE_ZMM), whole_zmm, zmm},
        {XC_CPU_MASK(VAES), seven.ecx >> 9, ymm}, {XC_CPU_MASK(VPCLMULQDQ), seven.ecx >> 10, ymm},
    };

    found->cpu = found->os = 0;
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (bits[i].cpu & 1) {
            found->cpu |= bits[i].mask;
            if (bits[i].os)
                found->os |= bits[i].mask;
        }
}

/* The caches as leaves of one form, whose number is the maker's choice: 4, or 0x8000001D, each of which is
 * empty or absent where the other is used. */
static uint64_t largest_of(uint32_t number)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < 16; i++) {
        const struct leaf cache = cpuid(number, i);
        const uint32_t type = cache.eax & 31;
        if (type == 0)
            break; /* no more */
        const uint64_t ways = (cache.ebx >> 22) + 1, parts = (cache.ebx >> 12 & 0x3ff) + 1;
        const uint64_t line = (cache.ebx & 0xfff) + 1, sets = (uint64_t)cache.ecx + 1;
        const uint64_t size = ways * parts * line * sets;
        if (type != 2 && size > largest) /* 2 holds instructions alone */
            largest = size;
    }
    return largest;
}

uint64_t xc_cpu_largest_cache(void)
{
    const uint64_t size = largest_of(4);
    return size ? size : largest_of(0x8000001du);
}
