/* lanes.c — many messages of a serial mode side by side: each has a lane of the kernel until it ends. */
#include "lanes.h"

#include "../util/wipe.h"

void xc_run_begin(struct xc_run *run, xc_lanes_slot *slot, const struct xc_aes_key *key)
{
    run->slot = slot;
    run->key = key;
    run->ended = NULL;
    run->count = run->most = 0;
    for (size_t i = 0; i < XC_LANES_MAX; i++)
        run->end[i] = &run->ends[i];
}

/* Lane i is through its blocks. It goes on with the last one, or its message ends; then 0. */
static int goes_on(struct xc_run *run, size_t i)
{
    struct xc_lane_end *end = run->end[i];
    if (end->has_last) {
        end->has_last = 0;
        run->lanes.in[i] = end->last;
        run->lanes.out[i] = end->last;
        run->left[i] = 1;
        return 1;
    }
    if (end->bytes)
        memcpy(end->out, end->last, end->bytes);
    if (run->ended)
        run->ended(run->caller, end, run->lanes.chain[i]);
    return 0;
}

/* The message in the last lane that is taken moves to the free one, if that is another. */
static void move_last_to(struct xc_run *run, size_t i)
{
    const size_t from = --run->count;
    if (from == i)
        return;
    struct xc_lane_end *free_end = run->end[i];
    memcpy(run->lanes.chain[i], run->lanes.chain[from], XC_BLOCK);
    run->lanes.in[i] = run->lanes.in[from];
    run->lanes.out[i] = run->lanes.out[from];
    run->left[i] = run->left[from];
    run->end[i] = run->end[from];
    run->end[from] = free_end;
}

/* All lanes until the first of them has no blocks left, and what then becomes of it. */
static void advance(struct xc_run *run)
{
    const size_t count = run->count;
    size_t blocks = run->left[0];
    for (size_t i = 1; i < count; i++)
        blocks = run->left[i] < blocks ? run->left[i] : blocks;
    if (blocks) {
        run->slot(xc_aes_block(run->key), &run->lanes, count, blocks);
        for (size_t i = 0; i < count; i++) {
            run->left[i] -= blocks;
            run->lanes.in[i] += blocks * XC_BLOCK;
            if (run->lanes.out[i])
                run->lanes.out[i] += blocks * XC_BLOCK;
        }
    }
    for (size_t i = count; i-- > 0;)
        if (!run->left[i] && !goes_on(run, i))
            move_last_to(run, i);
}

struct xc_lane_end *xc_run_add(struct xc_run *run, uint8_t *out, const uint8_t *in, size_t blocks,
                               const uint8_t *chain)
{
    while (run->count == run->key->ops->lanes)
        advance(run);
    const size_t i = run->count++;
    if (chain)
        memcpy(run->lanes.chain[i], chain, XC_BLOCK);
    else
        memset(run->lanes.chain[i], 0, XC_BLOCK);
    run->lanes.in[i] = in;
    run->lanes.out[i] = out;
    run->left[i] = blocks;
    run->end[i]->has_last = run->end[i]->bytes = 0;
    if (run->most < run->count)
        run->most = run->count;
    return run->end[i];
}

void xc_run_finish(struct xc_run *run)
{
    while (run->count)
        advance(run);
    if (run->most) {
        xc_wipe(run->lanes.chain, sizeof run->lanes.chain); /* all: the kernel may use more than are taken */
        xc_wipe(run->ends, run->most * sizeof run->ends[0]);
    }
}
