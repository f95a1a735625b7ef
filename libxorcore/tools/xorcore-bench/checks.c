/* checks.c — what a caller must not meet and a table of speeds doesn't show: each check prints its worst place.
 *
 * Nothing here fails: a figure that a busy machine spoiled is no fault of the library's. */
#include "bench.h"

#include <xorcore.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MAX = 16,
    PLACES_MAX = 1024,
    REPEATS_MAX = 40,
    SURE_MS = 15,
    LONG_MS = 150
};

/* ---- the output -------------------------------------------------------------------------------------------- */

struct finding {
    const char *check, *kernel;
    const struct op *op;
    int key_bits;
    size_t size;
    double value, limit;
    int at_least; /* the limit is a lower one */
    const char *unit;
};

static void print_finding(const struct finding *f, const char *text)
{
    const int good = f->at_least ? f->value >= f->limit : f->value <= f->limit;
    if (want.json)
        printf("{\"check\":\"%s\",\"op\":\"%s\",\"key\":%d,\"size\":%zu,\"kernel\":\"%s\",\"value\":%.4f,"
               "\"limit\":%.4f,\"good\":%s,\"text\":\"%s\"}\n",
               f->check, f->op->name, f->key_bits, f->size, f->kernel, f->value, f->limit,
               good ? "true" : "false", text);
    else
        printf("%-11s %-16s %3d %8zu  %8.2f %s (%s %.2f)  %-7s %s: %s\n", f->check, f->op->name, f->key_bits,
               f->size, f->value, f->unit, f->at_least ? "at least" : "at most", f->limit,
               good ? "ok" : "OVER", f->kernel, text);
    fflush(stdout);
}

/* ---- one of ours at a size ----------------------------------------------------------------------------------- */

struct run {
    struct job job;
    struct impl impl;
};

/* 0 when the kernel doesn't do the operation. */
static int run_new(struct run *r, const struct op *op, int key_bits, size_t size, const char *kernel,
                   int offset)
{
    job_new(&r->job, op, key_bits, size, kernel, offset);
    if (ours_new(&r->impl, &r->job) == XORCORE_OK)
        return 1;
    ours_done(&r->impl);
    job_free(&r->job);
    return 0;
}

static void run_free(struct run *r)
{
    ours_done(&r->impl);
    job_free(&r->job);
}

/* Nanoseconds of a call, roughly; 0 when the kernel doesn't do the operation. */
static double quick_ns(const struct op *op, int key_bits, size_t size, const char *kernel)
{
    struct run r;
    if (!run_new(&r, op, key_bits, size, kernel, 0))
        return 0;
    measure_quickly(&r.impl);
    run_free(&r);
    return r.impl.best;
}

/* The impls must not move while they are measured, so their jobs stay where they are. */
static void measure_runs(struct run *runs, size_t count, double ms)
{
    struct impl impls[ROWS_MAX];
    for (size_t i = 0; i < count; i++)
        impls[i] = runs[i].impl;
    measure(impls, count, ms);
    for (size_t i = 0; i < count; i++) {
        runs[i].impl.best = impls[i].best;
        free(impls[i].samples);
    }
}

static size_t rows_of(const struct op *op, const char **rows)
{
    size_t count = 0;
    xorcore_kernel k;
    for (size_t i = 0; xorcore_kernel_at(i, &k, sizeof k) == XORCORE_OK; i++)
        if (count < ROWS_MAX - 1 && strcmp(k.family, family_of(op)) == 0 && k.flags & XORCORE_KERNEL_RUNS)
            rows[count++] = k.name;
    return count;
}

static const char *kernel_name(const struct op *op, int key_bits)
{
    static char name[64];
    struct run r;
    if (!run_new(&r, op, key_bits, 16, want.kernel, 0))
        return NULL;
    snprintf(name, sizeof name, "%s", r.impl.kernel);
    run_free(&r);
    return name;
}

/* ---- pairs of which one must not be much slower than the other -------------------------------------------------- */

/* What a call takes at `size_b`, in `kernel_b`, over `factor` times what one takes at `size_a`, in `kernel_a`. */
struct place {
    size_t size_a, size_b;
    const char *kernel_a, *kernel_b;
    double a, b, factor;
    int sure; /* both were measured in turn, and for longer */
};

static double excess(const struct place *p) { return p->b - p->factor * p->a; }

static void make_sure(struct place *p, const struct op *op, int key_bits)
{
    struct run runs[2];
    p->sure = 1;
    if (!run_new(&runs[0], op, key_bits, p->size_a, p->kernel_a, 0))
        return;
    if (run_new(&runs[1], op, key_bits, p->size_b, p->kernel_b, 0)) {
        measure_runs(runs, 2, SURE_MS);
        p->a = runs[0].impl.best;
        p->b = runs[1].impl.best;
        run_free(&runs[1]);
    }
    run_free(&runs[0]);
}

/* The place that is worst after it has been measured well. */
static const struct place *worst(struct place *places, size_t count, const struct op *op, int key_bits)
{
    for (int repeat = 0;; repeat++) {
        struct place *most = &places[0];
        for (size_t i = 1; i < count; i++)
            most = excess(&places[i]) > excess(most) ? &places[i] : most;
        if (most->sure || repeat == REPEATS_MAX)
            return most;
        make_sure(most, op, key_bits);
    }
}

static void print_worst(struct finding f, const struct place *p)
{
    char text[160];
    f.size = p->size_b;
    f.value = excess(p);
    f.unit = "ns";
    if (p->size_a != p->size_b)
        snprintf(text, sizeof text, "%zu B take %.1f ns, %zu B %.1f ns", p->size_a, p->a, p->size_b, p->b);
    else
        snprintf(text, sizeof text, "%zu B take %.1f ns, in %s %.1f ns", p->size_b, p->b, p->kernel_a, p->a);
    print_finding(&f, text);
}

/* ---- the checks ------------------------------------------------------------------------------------------------- */

static int one_message(const struct op *op)
{
    switch (op->shape) {
    case SHAPE_XOR:
    case SHAPE_XOR_MANY:
    case SHAPE_XOR_REPEAT:
    case SHAPE_SEAL:
    case SHAPE_OPEN:
    case SHAPE_MAC:
    case SHAPE_CIPHER: return 1;
    default: return 0;
    }
}

/* A byte more never costs much more: time(n + 1) <= 1.25 time(n) + 5 ns, for every n up to 512 and around each
 * power of two. */
static int check_cliffs(const struct op *op, int key_bits)
{
    enum {
        EVERY = 512,
        LOG_MAX = 16
    };
    static struct place places[PLACES_MAX];
    size_t count = 0;
    if (!one_message(op) || !size_fits(op, 17))
        return 0;
    const char *kernel = kernel_name(op, key_bits);
    if (!kernel)
        return 0;
    double before = 0;
    size_t last = 0;
    for (size_t n = 1; n <= ((size_t)1 << LOG_MAX) + 2; n++) {
        size_t power = 1;
        while (power < n)
            power *= 2; /* the first that is no smaller */
        if (n > EVERY && power - n > 2 && n - power / 2 > 2) {
            n = power - 3;
            continue;
        }
        if (!size_fits(op, n))
            continue;
        const double took = quick_ns(op, key_bits, n, want.kernel);
        if (last && last + 1 == n)
            places[count++] = (struct place){ n - 1, n, want.kernel, want.kernel, before, took, 1.25, 0 };
        before = took;
        last = n;
    }
    const struct finding f = {
        .check = "cliffs", .kernel = kernel, .op = op, .key_bits = key_bits, .limit = 5
    };
    print_worst(f, worst(places, count, op, key_bits));
    return 1;
}

/* The kernel that is chosen is never much slower than another one would be: 1.10 times and 2 ns. It is called by its
 * name too, for looking for a name takes XOR some nanoseconds. */
static int check_rows(const struct op *op, int key_bits)
{
    enum {
        EVERY = 288,
        LAST = 4096
    };
    static struct place places[PLACES_MAX];
    const char *rows[ROWS_MAX];
    size_t count = 0;
    if (!one_message(op))
        return 0;
    const char *kernel = kernel_name(op, key_bits);
    const size_t rows_count = rows_of(op, rows);
    if (!kernel || rows_count < 2)
        return 0;
    for (size_t n = 1; n <= LAST; n += n < EVERY ? 1 : n < LAST - n / 24 ? n / 24 : n < LAST ? LAST - n : 1) {
        if (!size_fits(op, n))
            continue;
        struct place p = { n, n, NULL, kernel, 0, quick_ns(op, key_bits, n, kernel), 1.10, 0 };
        for (size_t i = 0; i < rows_count; i++) {
            if (strcmp(rows[i], kernel) == 0)
                continue;
            const double took = quick_ns(op, key_bits, n, rows[i]);
            if (took > 0 && (!p.kernel_a || took < p.a)) {
                p.kernel_a = rows[i];
                p.a = took;
            }
        }
        if (p.kernel_a)
            places[count++] = p;
    }
    if (!count)
        return 0;
    const struct finding f = {
        .check = "rows", .kernel = kernel, .op = op, .key_bits = key_bits, .limit = 2
    };
    print_worst(f, worst(places, count, op, key_bits));
    return 1;
}

/* Three buffers at odd places cost at most 1.7 times what aligned ones do. */
static int check_misaligned(const struct op *op, int key_bits)
{
    enum {
        SIZE = 2048,
        PLACES = 8
    };
    struct run runs[1 + PLACES];
    if (op->shape != SHAPE_XOR || !kernel_name(op, key_bits))
        return 0;
    for (int i = 0; i <= PLACES; i++)
        if (!run_new(&runs[i], op, key_bits, SIZE, want.kernel, i == 0 ? 0 : 4 * i - 3))
            return 0;
    measure_runs(runs, 1 + PLACES, LONG_MS);
    size_t slow = 1;
    for (size_t i = 2; i <= PLACES; i++)
        slow = runs[i].impl.best > runs[slow].impl.best ? i : slow;
    char text[160];
    snprintf(text, sizeof text, "%.1f ns aligned, %.1f ns at offset %zu of its cache line and others",
             runs[0].impl.best, runs[slow].impl.best, (size_t)((uintptr_t)runs[slow].job.out % 64));
    const struct finding f = {
        .check = "misaligned", .kernel = kernel_name(op, key_bits), .op = op, .key_bits = key_bits,
        .size = SIZE, .value = runs[slow].impl.best / runs[0].impl.best, .limit = 1.7,
        .unit = "x the aligned time"
    };
    print_finding(&f, text);
    for (size_t i = 0; i <= PLACES; i++)
        run_free(&runs[i]);
    return 1;
}

static void run_repeated(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls && !j->kernel; i++) {
        int result = xorcore_xor(j->out, j->in, j->in + j->stride, j->size);
        for (size_t k = 2; k < j->op->messages; k++)
            result |= xorcore_xor(j->out, j->out, j->in + k * j->stride, j->size);
        if (result != XORCORE_OK)
            stop("an XOR failed", "");
    }
    for (size_t i = 0; i < calls && j->kernel; i++) {
        int result = xorcore_xor_on(j->kernel, j->out, j->in, j->in + j->stride, j->size);
        for (size_t k = 2; k < j->op->messages; k++)
            result |= xorcore_xor_on(j->kernel, j->out, j->out, j->in + k * j->stride, j->size);
        if (result != XORCORE_OK)
            stop("an XOR failed", "");
    }
}

/* Parity in one pass beside the XOR of two, again and again. */
static int check_parity(const struct op *op, int key_bits)
{
    enum {
        SIZE = 2048
    };
    struct run runs[2];
    if (op->shape != SHAPE_XOR_MANY)
        return 0;
    for (int i = 0; i < 2; i++)
        if (!run_new(&runs[i], op, key_bits, SIZE, want.kernel, 0))
            return 0;
    runs[1].impl.run = run_repeated;
    if (!same_output(&runs[0].impl, &runs[1].impl))
        stop("parity computes something else than repeated XOR", "");
    measure_runs(runs, 2, LONG_MS);
    char text[160];
    snprintf(text, sizeof text, "%.1f ns in one pass, %.1f ns repeated", runs[0].impl.best,
             runs[1].impl.best);
    const struct finding f = {
        .check = "parity", .kernel = runs[0].impl.kernel, .op = op, .key_bits = key_bits, .size = SIZE,
        .value = runs[1].impl.best / runs[0].impl.best, .limit = 1.75, .at_least = 1, .unit = "x repeated"
    };
    print_finding(&f, text);
    run_free(&runs[0]);
    run_free(&runs[1]);
    return 1;
}

/* A mask of 4 bytes in cycles of the clock that a chain of additions shows. */
static int check_mask(const struct op *op, int key_bits)
{
    enum {
        SIZE = 16384
    };
    struct run r;
    if (op->repeat != 4 || !run_new(&r, op, key_bits, SIZE, want.kernel, 0))
        return 0;
    const double before = core_ghz();
    measure_runs(&r, 1, LONG_MS);
    const double after = core_ghz(), ghz = before > after ? before : after;
    const double speed = SIZE / r.impl.best / ghz;
    char text[160];
    snprintf(text, sizeof text, "%.1f ns, %.1f bytes a cycle at %.2f GHz", r.impl.best, speed, ghz);
    const struct finding f = {
        .check = "mask", .kernel = r.impl.kernel, .op = op, .key_bits = key_bits, .size = SIZE,
        .value = 100 * speed / 32, .limit = 75, .at_least = 1, .unit = "% of 32 B/cycle"
    };
    print_finding(&f, text);
    run_free(&r);
    return 1;
}

/* A key made and freed; and one that is used for a single message beside the other rows. */
static int check_keys(const struct op *op, int key_bits)
{
    const char *rows[ROWS_MAX];
    struct run runs[ROWS_MAX];
    if (op->shape != SHAPE_KEY && op->shape != SHAPE_KEY_AND_SEAL)
        return 0;
    const size_t size = op->shape == SHAPE_KEY ? 0 : 16;
    if (!run_new(&runs[0], op, key_bits, size, want.kernel, 0))
        return 0;
    size_t count = 1, rows_count = rows_of(op, rows);
    for (size_t i = 0; op->shape == SHAPE_KEY_AND_SEAL && i < rows_count; i++)
        if (strcmp(rows[i], runs[0].impl.kernel) != 0)
            count += (size_t)run_new(&runs[count], op, key_bits, size, rows[i], 0);
    measure_runs(runs, count, LONG_MS);
    char text[160];
    struct finding f = {
        .check = "keys", .kernel = runs[0].impl.kernel, .op = op, .key_bits = key_bits, .size = size,
        .value = runs[0].impl.best, .limit = 200, .unit = "ns"
    };
    snprintf(text, sizeof text, "%.1f ns", runs[0].impl.best);
    if (op->shape == SHAPE_KEY_AND_SEAL && count > 1) {
        size_t quick = 1;
        for (size_t i = 2; i < count; i++)
            quick = runs[i].impl.best < runs[quick].impl.best ? i : quick;
        f.value = runs[0].impl.best / runs[quick].impl.best;
        f.limit = 1.1;
        f.unit = "x the best other row";
        snprintf(text, sizeof text, "%.1f ns, and %s %.1f ns", runs[0].impl.best, runs[quick].impl.kernel,
                 runs[quick].impl.best);
    }
    if (op->shape == SHAPE_KEY || count > 1)
        print_finding(&f, text);
    for (size_t i = 0; i < count; i++)
        run_free(&runs[i]);
    return 1;
}

int run_checks(void)
{
    static const struct {
        const char *name;
        int (*check)(const struct op *, int key_bits);
    } checks[] = { { "cliffs", check_cliffs }, { "rows", check_rows }, { "misaligned", check_misaligned },
                   { "parity", check_parity }, { "mask", check_mask }, { "keys", check_keys } };
    const int all = strcmp(want.check, "all") == 0;
    int done = 0;
    for (size_t c = 0; c < sizeof checks / sizeof checks[0]; c++)
        for (size_t i = 0; i < ops_count; i++)
            if ((all || in_list(want.check, checks[c].name)) && (!want.ops || in_list(want.ops, ops[i].name)))
                done += checks[c].check(&ops[i], ops[i].keyed ? want.keys[0] : 0);
    return done;
}
