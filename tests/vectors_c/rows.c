/* rows.c — many messages in one call: which cases go together, and the arenas of such a call. */
#include "rows.h"

#include "aead.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has_rows(const struct run *run, const struct test *test)
{
    return !test->mct && !test->has_offset && !test->has_sector_size &&
           !oneshot_only(run->group, test);
}

size_t rows_together(const struct run *run, size_t at)
{
    const struct group *group = run->group;
    const struct test *first = &group->tests[at];
    if (!has_rows(run, first))
        return 0;
    if (first->error)
        return 1;
    size_t count = 1;
    while (count < ROWS_MAX && at + count < group->count) {
        const struct test *test = first + count;
        if (test->error || !has_rows(run, test) || test->iv.n != first->iv.n ||
            test->key.n != first->key.n || test->encrypts != first->encrypts ||
            test->decrypts != first->decrypts || memcmp(test->key.p, first->key.p, first->key.n))
            break;
        count++;
    }
    return count;
}

size_t arena_put(struct arena *arena, const uint8_t *bytes, size_t n)
{
    size_t at = arena->n + 1;
    uint8_t *more = realloc(arena->p, at + n);
    if (!more) {
        fprintf(stderr, "vectors: no memory\n");
        exit(2);
    }
    memset(more + arena->n, 0xa5, 1 + n);
    if (bytes && n)
        memcpy(more + at, bytes, n);
    arena->p = more;
    arena->n = at + n;
    return at;
}

void batch_start(struct batch *batch, size_t count)
{
    memset(batch, 0, sizeof *batch);
    batch->count = count;
}

static void place(struct scratch *scratch, struct arena *arena)
{
    uint8_t *grown = arena->p;
    arena->p = scratch_in(scratch, grown, arena->n, 0);
    free(grown);
}

void batch_place(struct batch *batch)
{
    place(&batch->scratch, &batch->in);
    place(&batch->scratch, &batch->out);
    place(&batch->scratch, &batch->aux);
}

static void blame(struct batch *batch, const char *why)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (!batch->why[i])
            batch->why[i] = why;
    }
}

void batch_result(struct batch *batch, int result)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->rows[i].result != XORCORE_OK) {
            if (result != batch->rows[i].result)
                blame(batch, "the call's result is not its lowest failing row's");
            return;
        }
    }
    if (result != XORCORE_OK)
        blame(batch, xorcore_result_name(result));
}

void batch_taken(struct batch *batch, size_t at, size_t n)
{
    memset(batch->out.p + at, 0xa5, n);
}

void batch_close(struct batch *batch)
{
    if (!all_bytes(batch->out.p, batch->out.n, 0xa5))
        blame(batch, "bytes between the rows were written");
    const char *why = scratch_close(&batch->scratch, NULL);
    if (why)
        blame(batch, why);
}
