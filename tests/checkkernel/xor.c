/* xor.c — the slots of a xor kernel against XOR byte by byte. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "xor/xor_tiny.h"

enum {
    MESSAGE = REPEAT_LONG + 3 * REPEAT_PERIOD,
    SOURCES = 20
};

typedef void (*function)(void);

struct xor_case {
    const struct xc_xor_ops *ops;
    int sources; /* for many */
    size_t key_len, phase;
    uint8_t *source[SOURCES];
    uint8_t *want;
    uint8_t key[4096];
};

static void case_make(struct xor_case *c, const struct xc_xor_ops *ops, size_t n)
{
    memset(c, 0, sizeof *c);
    c->ops = ops;
    for (int i = 0; i < SOURCES; i++) {
        c->source[i] = malloc(n);
        if (c->source[i])
            random_bytes(c->source[i], n);
    }
    c->want = malloc(n);
    if (!c->want || !c->source[SOURCES - 1]) {
        printf("checkkernel: no memory\n");
        exit(2);
    }
}

static void case_free(struct xor_case *c)
{
    for (int i = 0; i < SOURCES; i++)
        free(c->source[i]);
    free(c->want);
}

/* ---- two --------------------------------------------------------------------------------------- */

static void want_two(struct xor_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c->want[i] = c->source[0][i] ^ c->source[1][i];
}

static void build_two(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    const struct xor_case *c = plan->self;
    call_begin(call, (function)c->ops->two);
    int dst = call_out(call, "dst", c->want + from, count);
    int a = call_in(call, "a", c->source[0] + from, count);
    int b = call_in(call, "b", c->source[1] + from, count);
    call_number(call, "n", count);
    call_alias(call, dst, a);
    call_alias(call, dst, b);
}

/* One source twice, and the output over it: all zeros. */
static void build_same(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    build_two(call, plan, from, count);
    call->buffers = 2; /* b is a */
    call->arg_buffer[2] = 1;
    call->aliases = 1;
}

static void check_two(struct xor_case *c, size_t total, size_t max)
{
    struct plan plan = { "two", build_two, c, 1, total, max, 1 };
    want_two(c, total);
    sweep_all(&plan);
    if (check.bench)
        return;
    struct plan same = { "two (a is b)", build_same, c, 1, total, max, 1 };
    memset(c->want, 0, total);
    sweep_lengths(&same);
}

/* ---- many -------------------------------------------------------------------------------------- */

static void build_many(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    const struct xor_case *c = plan->self;
    call_begin(call, (function)c->ops->many);
    int dst = call_out(call, "dst", c->want + from, count);
    call_table(call, "src", 2, c->sources);
    for (int i = 0; i < c->sources; i++) {
        int source = call_hidden(call, "source", c->source[i] + from, count);
        call_alias(call, dst, source);
    }
    call_number(call, "count", (size_t)c->sources);
    call_number(call, "n", count);
}

static void check_many(struct xor_case *c)
{
    /* Counts that a kernel may have its own code for, and some beyond. */
    static const int all[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 16, 17, SOURCES };
    static const int few[] = { 1, 2, 3, 5, 8 };
    const int *counts = check.quick || check.bench ? few : all;
    size_t how_many = check.quick || check.bench ? sizeof few / sizeof few[0] : sizeof all / sizeof all[0];
    for (size_t k = 0; k < how_many; k++) {
        char slot[16];
        struct plan plan = { slot, build_many, c, 1, MESSAGE, check.quick ? 257 : 2 * XOR_PERIOD + 1, 1 };
        snprintf(slot, sizeof slot, "many (%d)", counts[k]);
        c->sources = counts[k];
        memset(c->want, 0, MESSAGE);
        for (int s = 0; s < c->sources; s++)
            for (size_t i = 0; i < MESSAGE; i++)
                c->want[i] ^= c->source[s][i];
        if (counts[k] > 3 && !check.bench) {
            sweep_lengths(&plan);
            sweep_pieces(&plan);
        } else {
            sweep_all(&plan);
        }
    }
}

/* ---- repeat ------------------------------------------------------------------------------------ */

static void build_repeat(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    const struct xor_case *c = plan->self;
    call_begin(call, (function)c->ops->repeat);
    int dst = call_out(call, "dst", c->want + from, count);
    int src = call_in(call, "src", c->source[0] + from, count);
    call_number(call, "n", count);
    call_in(call, "key", c->key, c->key_len);
    call_number(call, "key_len", c->key_len);
    call_number(call, "phase", (c->phase + from) % c->key_len);
    call_alias(call, dst, src);
}

static void want_repeat(struct xor_case *c, size_t key_len, size_t phase)
{
    c->key_len = key_len;
    c->phase = phase;
    for (size_t i = 0; i < MESSAGE; i++)
        c->want[i] = c->source[0][i] ^ c->key[(phase + i) % key_len];
}

static void check_repeat(struct xor_case *c)
{
    static const size_t quick[] = { 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33, 64, 100, 255, 256, 257 };
    static const size_t bench[] = { 4, 7, 32, 100 };
    random_bytes(c->key, sizeof c->key);
    if (check.bench) {
        for (size_t k = 0; k < sizeof bench / sizeof bench[0]; k++) {
            char slot[24];
            struct plan plan = { slot, build_repeat, c, 1, MESSAGE, MESSAGE, 1 };
            snprintf(slot, sizeof slot, "repeat (%zu)", bench[k]);
            want_repeat(c, bench[k], 0);
            sweep_all(&plan);
        }
        return;
    }

    /* Every key length, from every end of the key and a random place in it, at every length of text. */
    struct call call;
    struct layout layout;
    struct plan plan = { "repeat", build_repeat, c, 1, MESSAGE, 2 * REPEAT_PERIOD + 1, 1 };
    size_t key_lens = check.quick ? sizeof quick / sizeof quick[0] : 300;
    begin_group("repeat", "key lengths");
    for (size_t k = 0; k < key_lens; k++) {
        size_t key_len = check.quick ? quick[k] : k + 1;
        for (int turn = 0; turn < 3; turn++) {
            if (check.brief && (size_t)turn != k % 3)
                continue;
            want_repeat(c, key_len, turn == 0 ? 0 : turn == 1 ? key_len - 1 : random_below(key_len));
            for (size_t n = (size_t)turn; n <= plan.max && !group_over(); n += check.quick ? 13 : 3) {
                build_repeat(&call, &plan, 0, n);
                layout_random(&layout);
                if (n % 4 == 0)
                    layout.edge = n % 8 ? EDGE_START : EDGE_END;
                if (n % 5 == 0)
                    layout.alias = 0;
                call_run(&call, &layout);
            }
        }
    }
    end_group();

    /* Short keys at lengths where they may be treated otherwise. */
    begin_group("repeat", "short keys, long texts");
    for (size_t key_len = 1; key_len <= 32; key_len += check.quick ? 3 : 1) {
        want_repeat(c, key_len, random_below(key_len));
        for (size_t n = REPEAT_LONG - 1; n <= REPEAT_LONG + 2 * REPEAT_PERIOD + 1 && !group_over();
             n += check.quick ? 101 : 1) {
            build_repeat(&call, &plan, 0, n);
            layout_random(&layout);
            if (n % 4 == 0)
                layout.edge = n % 8 ? EDGE_START : EDGE_END;
            if (n % 5 == 0)
                layout.alias = 0;
            call_run(&call, &layout);
        }
    }
    end_group();

    static const size_t lens[] = { 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 32, 33, 100, 255, 256, 257, 1000, 4096 };
    for (size_t k = 0; k < sizeof lens / sizeof lens[0]; k++) {
        want_repeat(c, lens[k], random_below(lens[k]));
        if (check.quick && k % 4)
            continue;
        if (check.quick)
            plan.max = 257;
        sweep_lengths(&plan);
        sweep_pieces(&plan);
        if (k < 4 || k == 10)
            sweep_offsets(&plan);
    }
}

/* ---- large buffers ----------------------------------------------------------------------------- */

/* The linker gives the kernels this in place of xc_cpu_cached(). With the CPU's own number a last-level cache of some
 * hundred megabytes would keep every buffer that there is time for inside the caches. */
size_t __wrap_xc_cpu_cached(void);
size_t __wrap_xc_cpu_cached(void) { return XC_CACHED_MIN; }

/* Kernels may store around the cache from there on, where every offset of dst and every rest is a case. */
static void check_large(const struct xc_xor_ops *ops)
{
    enum {
        LEAST = 600,
        TURNS = 5
    };
    const size_t cached = XC_CACHED_MIN + LEAST;
    const size_t sizes[] = { (1u << 20) + 61, XC_CACHED_MIN + 1, cached,
                             (8u << 20) + 127, (16u << 20) + 33, (64u << 20) + 95 };
    struct xor_case c;
    struct call call;
    struct layout layout;
    memset(&c, 0, sizeof c);
    c.ops = ops;
    c.sources = 3;
    begin_group("two and many", "large buffers");
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && !group_over(); k++) {
        size_t n = sizes[k];
        struct plan plan = { "large", build_two, &c, 1, n, n, 1 };
        uint8_t *bytes = malloc(n * 4);
        if (!bytes) {
            fault(0, "no memory for buffers of %zu bytes", n);
            break;
        }
        for (int i = 0; i < 3; i++)
            c.source[i] = bytes + n * (size_t)i;
        c.want = bytes + 3 * n;
        random_bytes(bytes, 3 * n);
        want_two(&c, n);
        const int more = n == cached ? 10 * TURNS : 0;
        for (int turn = 0; turn < TURNS + more; turn++) {
            size_t less = random_below(LEAST / 2);
            build_two(&call, &plan, less, n - less);
            layout_random(&layout);
            if (turn == 1)
                layout.edge = EDGE_END;
            if (turn == 3 || turn == 4)
                layout.alias = turn - 3;
            if (turn != 2)
                call_run(&call, &layout);
        }
        for (size_t i = 0; i < n; i++)
            c.want[i] ^= c.source[2][i];
        for (int turn = 0; ops->many && turn < 2 + more; turn++) {
            size_t less = random_below(LEAST / 2);
            build_many(&call, &plan, less, n - less);
            layout_random(&layout);
            layout.alias = turn == 1 ? 1 : -1;
            call_run(&call, &layout);
        }
        free(bytes);
    }
    memory_trim();
    end_group();
}

void check_xor(const char *label, const struct xc_xor_ops *ops)
{
    struct xor_case c;
    begin_kernel(label);
    case_make(&c, ops, MESSAGE * 4);
    check_two(&c, check.bench ? MESSAGE * 4 : MESSAGE,
              check.bench   ? MESSAGE * 4
              : check.quick ? 513
                            : 4 * XOR_PERIOD);
    if (ops->many)
        check_many(&c);
    if (ops->repeat)
        check_repeat(&c);
    case_free(&c);
    if (!check.quick && !check.bench && !check.quiet)
        check_large(ops);
}

/* ---- the ladder under 64 bytes ----------------------------------------------------------------- */

static int tiny(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    xc_xor_tiny(dst, a, b, n);
    return 0;
}

void check_xor_tiny(void)
{
    static const struct xc_xor_ops ops = { tiny, NULL, NULL };
    struct xor_case c;
    begin_kernel("xor/tiny");
    case_make(&c, &ops, MESSAGE);
    check_two(&c, MESSAGE, 63);
    case_free(&c);
}
