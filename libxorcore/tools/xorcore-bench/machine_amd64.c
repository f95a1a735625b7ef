/* machine_amd64.c — which loops and probes this amd64 CPU can run; itself baseline code. */
#include "machine_amd64.h"

#include "bench.h"

#include <cpuid.h>

xor_loop *machine_go_loop(const char **absent)
{
    *absent = NULL;
    return xb_loop_go_sse2;
}

const char *machine_gcc_absent(void)
{
    return __builtin_cpu_supports("avx2") ? NULL : "the loop is compiled for AVX2, which this CPU lacks";
}

/* __builtin_cpu_supports() has no word for VAES in every compiler. It stands beside VPCLMULQDQ, which tells of the
 * system's part. */
static int has_vaes(void)
{
    unsigned a, b, c, d;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("vpclmulqdq") &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) && c >> 9 & 1;
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

static int has_aes(void)
{
    return __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul") &&
           __builtin_cpu_supports("ssse3");
}

/* Bits of the widest registers. CPUID takes microseconds in a virtual machine, so nothing that is timed asks. */
static int aes_width(void) { return !has_aes() ? 0 : !has_vaes() ? 128 : has_avx512() ? 512 : 256; }
static int xor_width(void) { return has_avx512() ? 512 : __builtin_cpu_supports("avx2") ? 256 : 128; }

static const struct aes_probes *aes_probes(int width)
{
    return width == 512 ? &xb_aes_512 : width == 256 ? &xb_aes_256 : &xb_aes_128;
}

static const struct l1_probes *l1_probes(int width)
{
    return width == 512 ? &xb_l1_512 : width == 256 ? &xb_l1_256 : &xb_l1_128;
}

/* Some libraries return with the upper halves of vector registers in use, which makes every SSE instruction of the
 * next one wait for the one before it. */
void machine_settle(void)
{
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper");
}

/* ---- the probes ---------------------------------------------------------------------------------------------- */

static int rounds(const struct impl *impl) { return impl->job->key_bits / 32 + 6; }

static void run_aes(struct impl *impl, size_t calls) { aes_probes(impl->width)->aes(calls, rounds(impl)); }
static void run_xts(struct impl *impl, size_t calls) { aes_probes(impl->width)->xts(calls, rounds(impl)); }
static void run_gcm(struct impl *impl, size_t calls) { aes_probes(impl->width)->gcm(calls, rounds(impl)); }
static void run_ghash(struct impl *impl, size_t calls) { aes_probes(impl->width)->ghash(calls); }
static void run_chain(struct impl *impl, size_t calls) { xb_aes_chain(calls, rounds(impl)); }
static void run_xor(struct impl *impl, size_t calls) { l1_probes(impl->width)->two_and_store(calls); }
static void run_mask(struct impl *impl, size_t calls) { l1_probes(impl->width)->one_and_store(calls); }
static void run_load(struct impl *impl, size_t calls) { l1_probes(impl->width)->loads(calls); }

static void set(struct impl *impl, const char *kind, int width, void (*run)(struct impl *, size_t),
                double bytes)
{
    impl->name = "ceiling";
    impl->kernel = kind;
    impl->width = width;
    impl->run = run;
    impl->bytes = bytes;
}

/* One probe of the bound at that width; for XTS the second is of its whole mix. */
static int probe_at(struct impl *impl, enum bound bound, int width, int second)
{
    const struct aes_probes *aes = aes_probes(width);
    if (second) {
        if (bound == BOUND_XTS)
            set(impl, "AES rounds and tweaks", width, run_xts, aes->step_bytes);
        return bound == BOUND_XTS;
    }
    switch (bound) {
    case BOUND_XOR: set(impl, "L1, two loads and a store", width, run_xor, PROBE_L1_BYTES); return 1;
    case BOUND_MASK: set(impl, "L1, a load and a store", width, run_mask, PROBE_L1_BYTES); return 1;
    case BOUND_LOAD: set(impl, "L1, loads", width, run_load, 2 * PROBE_L1_BYTES); return 1;
    case BOUND_AES:
    case BOUND_XTS: set(impl, "AES rounds", width, run_aes, aes->aes_bytes); return 1;
    case BOUND_CHAIN: set(impl, "AES latency", width, run_chain, 16); return 1;
    case BOUND_GHASH: set(impl, "GHASH, 16 blocks a reduction", width, run_ghash, aes->step_bytes); return 1;
    case BOUND_GCM: set(impl, "GCM, all vector operations", width, run_gcm, aes->step_bytes); return 1;
    default: return 0;
    }
}

size_t machine_probes(struct impl *impls, const struct job *job)
{
    const enum bound bound = job->op->bound;
    const int plain = bound == BOUND_XOR || bound == BOUND_MASK || bound == BOUND_LOAD;
    const int widest = bound == BOUND_CHAIN && has_aes() ? 128 : plain ? xor_width() : aes_width();
    size_t count = 0;
    for (int second = 0; second < 2; second++)
        for (int width = 128; width <= widest; width *= 2)
            count += (size_t)probe_at(&impls[count], bound, width, second);
    for (size_t i = 0; i < count; i++)
        impls[i].job = job;
    return count;
}
