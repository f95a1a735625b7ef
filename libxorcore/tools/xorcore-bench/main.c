/* main.c — xorcore-bench: operations beside peers and ceilings, interleaved in one process. */
#include "bench.h"

#include <xorcore.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    IMPLS_MAX = 1 + PEERS_MAX + PROBES_MAX,
    POINTS_MAX = 8192
};

static struct point points[POINTS_MAX];
static size_t points_count;

static int failed, progress, done_jobs, all_jobs;

/* ---- the jobs ------------------------------------------------------------------------------------------ */

static const size_t *own_sizes(const struct op *op, size_t *count)
{
    static const size_t xor_sizes[] = { 1,   7,   8,   15,  16,   31,   32,   33,   63,    64,
                                        100, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768 };
    static const size_t random_sizes[] = { 64 };
    static const size_t many_sizes[] = { 64, 512, 2048, 16384, 1048576 };
    static const size_t mode_sizes[] = { 16, 64, 256, 1024, 1350, 4096, 8192, 65536 };
    static const size_t row_sizes[] = { 64, 256, 1024 };
    static const size_t none[] = { 0 };
    static const size_t one_message[] = { 16 };
#define LIST(list) (*count = sizeof list / sizeof list[0], list)
    switch (op->shape) {
    case SHAPE_XOR: return LIST(xor_sizes);
    case SHAPE_XOR_RANDOM: return LIST(random_sizes);
    case SHAPE_XOR_MANY:
    case SHAPE_XOR_REPEAT: return LIST(many_sizes);
    case SHAPE_CIPHER_ROWS:
    case SHAPE_SEAL_ROWS: return LIST(row_sizes);
    case SHAPE_KEY: return LIST(none);
    case SHAPE_KEY_AND_SEAL: return LIST(one_message);
    default: return LIST(mode_sizes);
    }
#undef LIST
}

/* ---- the output ---------------------------------------------------------------------------------------- */

/* What of a line is the same for everybody; `ns` for one call of the job. */
static void print_json(const struct impl *impl, double ns, double ceiling_ns)
{
    const struct job *j = impl->job;
    printf("{\"op\":\"%s\",\"key\":%d,\"size\":%zu,\"impl\":\"%s\",\"kernel\":\"", j->op->name, j->key_bits,
           j->size, impl->name);
    if (impl->width)
        printf("%s, %d bits\",", impl->kernel, impl->width);
    else
        printf("%s\",", impl->kernel);
    printf("\"ns\":%.2f,\"gbps\":%.4f,\"ceiling\":", ns, j->bytes / ns);
    if (ceiling_ns > 0)
        printf("%.4f", ceiling_ns / ns);
    else
        printf("null");
}

static void print_line(struct impl *impl, const struct impl *ours, double ceiling_ns, struct impl *all,
                       size_t count)
{
    const struct job *j = impl->job;
    const double gbps = j->bytes / impl->best;
    if (points_count < POINTS_MAX)
        points[points_count++] =
            (struct point){ j->op->name, impl->name, j->key_bits, j->size, gbps, impl->best };
    if (want.json) {
        print_json(impl, impl->best, ceiling_ns);
        if (impl == ours) {
            printf(",\"vs\":{");
            for (size_t i = 1; i < count; i++)
                printf("%s\"%s\":%.4f", i > 1 ? "," : "", all[i].name, all[i].best / ours->best);
            putchar('}');
        }
        printf("}\n");
    } else {
        if (impl == ours)
            printf("%-16s %3d %8zu", j->op->name, j->key_bits, j->size);
        else
            printf("%-16s %3s %8s", "", "", "");
        printf("  %-10s %11.1f ns %8.2f GB/s  median %11.1f", impl->name, impl->best, gbps, median(impl));
        if (ceiling_ns > 0)
            printf("  %5.1f %%", 100 * ceiling_ns / impl->best);
        else
            printf("  %5s  ", "");
        if (impl != ours)
            printf("  we %5.2f x", impl->best / ours->best);
        printf("  %s\n", impl->kernel);
    }
}

/* A ceiling, with our share of it. */
static void print_ceiling(const struct impl *probe, const struct impl *ours)
{
    const double ns = probe->best / probe->bytes * ours->job->bytes;
    if (want.json) {
        if (want.ceilings) {
            print_json(probe, ns, 0);
            printf("}\n");
        }
    } else {
        printf("%-16s %3s %8s  %-10s %11.1f ns %8.2f GB/s  %18s  we are at %5.1f %% of %s, %d bits\n", "", "",
               "", probe->name, ns, ours->job->bytes / ns, "", 100 * ns / ours->best, probe->kernel,
               probe->width);
    }
}

static void show_progress(const struct op *op, int key_bits, size_t size)
{
    if (progress)
        fprintf(stderr, "\r\033[K[%d/%d] %s %d %zu", ++done_jobs, all_jobs, op->name, key_bits, size);
}

static void clear_progress(void)
{
    if (progress)
        fprintf(stderr, "\r\033[K");
}

/* ---- the run ------------------------------------------------------------------------------------------- */

/* Those peers that do the job, and do it right; returns how many. */
static size_t add_peers(struct impl *impls, const struct job *job)
{
    size_t count = 1;
    for (size_t i = 0; i < want.peers_count; i++) {
        const struct peer *peer = &want.peers[i];
        struct impl *impl = &impls[count];
        memset(impl, 0, sizeof *impl);
        impl->name = peer->name;
        impl->kernel = peer->version;
        impl->job = job;
        impl->bytes = job->bytes;
        memcpy(impl->nonce, job->nonce, sizeof impl->nonce);
        if (peer->absent || !peer->offer(peer, impl, job))
            continue;
        if (same_output(&impls[0], impl)) {
            count++;
            continue;
        }
        clear_progress();
        fprintf(stderr, "xorcore-bench: %s %d %zu: %s computes something else\n", job->op->name,
                job->key_bits, job->size, impl->name);
        failed = 1;
        ours_done(impl);
    }
    return count;
}

/* Nanoseconds for the job by the fastest width of the first kind of probe; 0 without one. */
static double least(const struct impl *probes, size_t count)
{
    double ns = 0;
    for (size_t i = 0; i < count && probes[i].kernel == probes[0].kernel; i++) {
        const double this = probes[i].best / probes[i].bytes * probes[i].job->bytes;
        ns = i == 0 || this < ns ? this : ns;
    }
    return ns;
}

static int run_job(const struct op *op, int key_bits, size_t size)
{
    struct job job;
    struct impl impls[IMPLS_MAX];

    show_progress(op, key_bits, size);
    job_new(&job, op, key_bits, size, want.kernel, 0);
    const int result = ours_new(&impls[0], &job);
    if (result != XORCORE_OK) {
        clear_progress();
        fprintf(stderr, "xorcore-bench: %s: %s%s%s\n", op->name, want.kernel ? want.kernel : "",
                want.kernel ? ": " : "", xorcore_result_text(result));
        ours_done(&impls[0]);
        job_free(&job);
        return 0;
    }
    const size_t count = add_peers(impls, &job);
    struct impl *probes = &impls[count];
    memset(probes, 0, PROBES_MAX * sizeof *probes);
    const size_t probed = machine_probes(probes, &job);

    measure(impls, count + probed, want.budget_ms);

    clear_progress();
    const double ceiling_ns = least(probes, probed);
    for (size_t i = 0; i < count; i++)
        print_line(&impls[i], &impls[0], ceiling_ns, impls, count);
    for (size_t i = 0; i < probed; i++)
        print_ceiling(&probes[i], &impls[0]);
    fflush(stdout);
    for (size_t i = 0; i < count + probed; i++) {
        free(impls[i].samples);
        ours_done(&impls[i]);
    }
    job_free(&job);
    return 1;
}

/* Goes through the plan; `run` NULL counts it. */
static int plan(int (*run)(const struct op *, int, size_t))
{
    int jobs = 0;
    for (size_t i = 0; i < ops_count; i++) {
        const struct op *op = &ops[i];
        if (want.ops && !in_list(want.ops, op->name))
            continue;
        size_t count;
        const size_t *sizes = own_sizes(op, &count);
        if (want.sizes_count && op->shape != SHAPE_KEY) {
            sizes = want.sizes;
            count = want.sizes_count;
        }
        for (size_t k = 0; k < (op->keyed ? want.keys_count : 1); k++)
            for (size_t s = 0; s < count; s++)
                if (size_fits(op, sizes[s]))
                    jobs += run ? run(op, op->keyed ? want.keys[k] : 0, sizes[s]) : 1;
    }
    return jobs;
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    for (size_t i = 0; i < want.peers_count; i++)
        if (want.peers[i].absent)
            fprintf(stderr, "xorcore-bench: peer %s is absent: %s\n", want.peers[i].name,
                    want.peers[i].absent);
    pin_to_cpu();
    fprintf(want.json ? stderr : stdout, "xorcore-bench: libxorcore %s on %s, core clock %.2f GHz\n",
            xorcore_version(), xorcore_cpu(), core_ghz());
    progress = isatty(STDERR_FILENO);
    if (!want.check)
        all_jobs = plan(NULL);
    if ((want.check ? run_checks() : plan(run_job)) == 0)
        stop("there was nothing to measure", "");
    if (want.plot_file && !plot(want.plot_file, points, points_count)) {
        perror(want.plot_file);
        return 1;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("xorcore-bench");
        return 1;
    }
    return failed;
}
