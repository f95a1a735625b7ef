/* measure.c — many short batches of every implementation in turn, so that all meet the same weather. */
#define _GNU_SOURCE /* sched_setaffinity, sched_getcpu */
#include "bench.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    BATCH_NS = 20000,
    SAMPLES_MAX = 4096,
    ROUNDS_MIN = 3
};

double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

void pin_to_cpu(void)
{
    const int cpu = sched_getcpu();
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu >= 0) {
        CPU_SET((size_t)cpu, &set);
        sched_setaffinity(0, sizeof set, &set); /* without it figures are only noisier */
    }
}

/* Every CPU adds two registers in one cycle, so a chain of additions shows the clock. */
double core_ghz(void)
{
    enum {
        ADDITIONS = 200000
    };
    double best = 1e18;
    for (int run = 0; run < 20; run++) {
        size_t x = 1, k = (size_t)run + 1;
        __asm__ volatile("" : "+r"(k));
        const double from = now_ns();
        for (int i = 0; i < ADDITIONS / 10; i++) {
#define ADD                                                                                                  \
    __asm__ volatile("" : "+r"(x));                                                                          \
    x += k;
            ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
#undef ADD
        }
        __asm__ volatile("" : "+r"(x));
        const double took = now_ns() - from;
        best = took < best ? took : best;
    }
    return ADDITIONS / best;
}

static double batch(struct impl *impl)
{
    machine_settle();
    const double from = now_ns();
    impl->run(impl, impl->calls);
    return (now_ns() - from) / (double)impl->calls;
}

/* As many calls as make a batch long enough for the clock and short enough to fit between interruptions. The
 * best of several batches counts, because a first one may meet page faults. */
static void calibrate(struct impl *impl)
{
    impl->best = 1e18;
    for (impl->calls = 1; impl->calls < (size_t)1 << 24; impl->calls *= 2) {
        double each = batch(impl);
        for (int i = 0; i < 4 && each * (double)impl->calls >= BATCH_NS / 2.0; i++) {
            const double again = batch(impl);
            each = again < each ? again : each;
        }
        if (each * (double)impl->calls >= BATCH_NS / 2.0) {
            impl->calls = (size_t)(BATCH_NS / each) + 1;
            return;
        }
    }
}

void measure(struct impl *impls, size_t count, double budget_ms)
{
    for (size_t i = 0; i < count; i++) {
        impls[i].samples = malloc(SAMPLES_MAX * sizeof(double));
        if (!impls[i].samples) {
            fprintf(stderr, "xorcore-bench: no memory\n");
            exit(1);
        }
        impls[i].samples_count = 0;
        calibrate(&impls[i]);
    }
    const double begun = now_ns();
    for (int round = 0; round < SAMPLES_MAX; round++) {
        if (round >= ROUNDS_MIN && now_ns() - begun > budget_ms * 1e6)
            break;
        for (size_t i = 0; i < count; i++) {
            struct impl *impl = &impls[i];
            impl->run(impl, 1); /* whose caches and predictors are these now: not timed */
            const double each = batch(impl);
            impl->samples[impl->samples_count++] = each;
            impl->best = each < impl->best ? each : impl->best;
        }
    }
}

void measure_quickly(struct impl *impl)
{
    calibrate(impl);
    for (int round = 0; round < 2 * ROUNDS_MIN; round++) {
        const double each = batch(impl);
        impl->best = each < impl->best ? each : impl->best;
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(struct impl *impl)
{
    qsort(impl->samples, impl->samples_count, sizeof(double), ascending);
    return impl->samples[impl->samples_count / 2];
}
