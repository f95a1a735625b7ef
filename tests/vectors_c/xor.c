/* xor.c — the shapes of the XOR family. */
#include "vectors.h"

#include <string.h>

/* How the buffers of a run lie: which input the result overwrites, and how far off alignment. */
struct lie {
    const char *shape;
    int over; /* 0: none, 1: a (the text, the last source), 2: b */
    size_t in, out;
};

static const char *wrong(struct scratch *scratch, const struct text *out, const uint8_t *dst,
                         int result)
{
    const char *why = result != XORCORE_OK ? xorcore_result_name(result) : NULL;
    if (!why && !text_is(out, dst, out->n))
        why = "out is not right";
    return scratch_close(scratch, why);
}

void run_xor(struct run *run)
{
    static const struct lie lies[] = { { "oneshot", 0, 0, 0 },
                                       { "inplace", 1, 0, 0 },
                                       { "inplace_b", 2, 0, 0 },
                                       { "offset", 0, 1, 3 } };
    for (size_t i = 0; i < run->group->count; i++) {
        const struct test *test = &run->group->tests[i];
        size_t n = test->a.n;
        for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
            struct scratch scratch = { .count = 0 };
            uint8_t *a = scratch_in(&scratch, test->a.p, n, lies[k].in);
            uint8_t *b = scratch_in(&scratch, test->b.p, test->b.n, lies[k].in);
            uint8_t *dst = lies[k].over == 1   ? a
                           : lies[k].over == 2 ? b
                                               : scratch_out(&scratch, n, lies[k].out);
            int result = xorcore_xor_on(run->kernel, dst, a, b, n);
            report(run, test, lies[k].shape, wrong(&scratch, &test->out, dst, result));
        }
    }
}

static const char *many_once(struct run *run, const struct test *test, const struct lie *lie)
{
    struct scratch scratch = { .count = 0 };
    const uint8_t *srcs[SCRATCH_MAX];
    size_t n = test->srcs[0].n;
    uint8_t *last = NULL;
    for (size_t k = 0; k < test->src_count; k++)
        srcs[k] = last = scratch_in(&scratch, test->srcs[k].p, n, lie->in);
    uint8_t *dst = lie->over ? last : scratch_out(&scratch, n, lie->out);
    int result = xorcore_xor_many_on(run->kernel, dst, srcs, test->src_count, n);
    return wrong(&scratch, &test->out, dst, result);
}

static const char *strided_once(struct run *run, const struct test *test)
{
    struct scratch scratch = { .count = 0 };
    size_t n = test->srcs[0].n, stride = n + 5;
    uint8_t *src = scratch_out(&scratch, (test->src_count - 1) * stride + n, 0);
    uint8_t *dst = scratch_out(&scratch, n, 0);
    for (size_t k = 0; k < test->src_count && n; k++)
        memcpy(src + k * stride, test->srcs[k].p, n);
    int result = xorcore_xor_strided_on(run->kernel, dst, src, stride, test->src_count, n);
    return wrong(&scratch, &test->out, dst, result);
}

void run_xor_many(struct run *run)
{
    static const struct lie lies[] = { { "oneshot", 0, 0, 0 },
                                       { "inplace", 1, 0, 0 },
                                       { "offset", 0, 1, 3 } };
    for (size_t i = 0; i < run->group->count; i++) {
        const struct test *test = &run->group->tests[i];
        for (size_t k = 0; k < sizeof lies / sizeof *lies; k++)
            report(run, test, lies[k].shape, many_once(run, test, &lies[k]));
        report(run, test, "strided", strided_once(run, test));
    }
}

static const char *repeat_once(struct run *run, const struct test *test, const struct lie *lie)
{
    struct scratch scratch = { .count = 0 };
    size_t n = test->msg.n;
    uint8_t *src = scratch_in(&scratch, test->msg.p, n, lie->in);
    uint8_t *key = scratch_in(&scratch, test->key.p, test->key.n, lie->in);
    uint8_t *dst = lie->over ? src : scratch_out(&scratch, n, lie->out);
    int result = xorcore_xor_repeat_on(run->kernel, dst, src, n, key, test->key.n, test->phase);
    if (test->error) {
        const char *why = expect_error(test, result);
        if (!why && !all_bytes(dst, n, 0xa5))
            why = "a refused call wrote";
        return scratch_close(&scratch, why);
    }
    return wrong(&scratch, &test->out, dst, result);
}

static const char *repeat_pieces(struct run *run, const struct test *test, const struct plan *plan)
{
    struct scratch scratch = { .count = 0 };
    size_t n = test->msg.n, at, len;
    uint8_t *src = scratch_in(&scratch, test->msg.p, n, 0);
    uint8_t *key = scratch_in(&scratch, test->key.p, test->key.n, 0);
    uint8_t *dst = scratch_out(&scratch, n, 0);
    int result = XORCORE_OK;
    struct pieces pieces;
    pieces_start(&pieces, plan, 1, n);
    while (result == XORCORE_OK && pieces_next(&pieces, &at, &len))
        result = xorcore_xor_repeat_on(run->kernel, dst + at, src + at, len, key, test->key.n,
                                       test->phase % test->key.n + at);
    return wrong(&scratch, &test->out, dst, result);
}

void run_xor_repeat(struct run *run)
{
    static const struct lie lies[] = { { "oneshot", 0, 0, 0 },
                                       { "inplace", 1, 0, 0 },
                                       { "offset", 0, 1, 3 } };
    for (size_t i = 0; i < run->group->count; i++) {
        const struct test *test = &run->group->tests[i];
        size_t shapes = oneshot_only(run->group, test) ? 1 : sizeof lies / sizeof *lies;
        for (size_t k = 0; k < shapes; k++)
            report(run, test, lies[k].shape, repeat_once(run, test, &lies[k]));
        if (shapes == 1)
            continue;
        for (size_t k = 0; k < test->plan_count; k++)
            report(run, test, "stream", repeat_pieces(run, test, &test->plans[k]));
        if (!test->plan_count)
            report(run, test, "stream", repeat_pieces(run, test, default_plan(test)));
    }
}

void run_equal(struct run *run)
{
    static const struct lie lies[] = { { "oneshot", 0, 0, 0 }, { "offset", 0, 1, 3 } };
    for (size_t i = 0; i < run->group->count; i++) {
        const struct test *test = &run->group->tests[i];
        for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
            struct scratch scratch = { .count = 0 };
            uint8_t *a = scratch_in(&scratch, test->a.p, test->a.n, lies[k].in);
            uint8_t *b = scratch_in(&scratch, test->b.p, test->b.n, lies[k].out);
            const char *why = xorcore_equal(a, b, test->a.n) == (int)test->equal
                                  ? NULL
                                  : "the answer is not right";
            report(run, test, lies[k].shape, scratch_close(&scratch, why));
        }
    }
}
