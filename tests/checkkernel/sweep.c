/* sweep.c — a plan at every length, every offset, in place and in random pieces; or timed. */
#include "check.h"

#include <stdio.h>

static void layout_set(struct layout *layout, enum edge edge, unsigned offset)
{
    layout->edge = edge;
    layout->alias = -1;
    for (int i = 0; i < CALL_BUFFERS; i++)
        layout->offset[i] = (uint8_t)offset;
}

void layout_random(struct layout *layout)
{
    layout_set(layout, EDGE_MIDDLE, 0);
    for (int i = 0; i < CALL_BUFFERS; i++)
        layout->offset[i] = (uint8_t)random_below(64);
}

/* Every count, each time at both edges, at random offsets, and in place in every way. Above `dense`
 * bytes, where counts no longer change what a tail does, the layouts take turns. */
void sweep_lengths(const struct plan *plan)
{
    enum {
        DENSE = 1100
    };
    struct call call;
    struct layout layout;
    begin_group(plan->slot, "lengths");
    for (size_t n = 0; n <= plan->max && !group_over(); n++) {
        int all = n * plan->unit <= DENSE || plan->unit > 1;
        for (unsigned turn = 0; turn < 4; turn++) {
            if (!all && turn != n % 4 && turn != 3)
                continue;
            if (check.brief && turn != n % 4)
                continue;
            if (turn < 2)
                layout_set(&layout, turn ? EDGE_START : EDGE_END, 0);
            else
                layout_random(&layout);
            plan->build(&call, plan, 0, n);
            if (turn < 3)
                call_run(&call, &layout);
            if (turn == 3 && call.aliases) {
                for (int i = 0; i < call.aliases; i++) {
                    if (check.brief && (size_t)i != n / 4 % (size_t)call.aliases)
                        continue;
                    layout_random(&layout);
                    if ((n + (size_t)i) % 2)
                        layout.edge = n & 2 ? EDGE_START : EDGE_END;
                    layout.alias = i;
                    call_run(&call, &layout);
                }
            }
        }
    }
    end_group();
}

/* Each buffer by itself at every offset 0..63, the others aligned, at counts around the usual loops. */
void sweep_offsets(const struct plan *plan)
{
    static const size_t counts[] = { 1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,  23,  31,  32,
                                     33, 47, 63, 64, 65, 100, 127, 129, 255, 257, 300, 511, 513, 1000 };
    enum {
        COUNTS = sizeof counts / sizeof counts[0]
    };
    struct call call;
    struct layout layout;
    size_t at = 0;
    begin_group(plan->slot, "offsets");
    plan->build(&call, plan, 0, 1);
    int buffers = call.buffers;
    for (int b = 0; b < buffers; b++) {
        for (unsigned offset = 0; offset < 64 && !group_over(); offset += check.quick ? 21 : 1) {
            for (int turn = 0; turn < (check.brief ? 3 : 7); turn++) {
                size_t n = counts[at++ % COUNTS];
                if (n > plan->max)
                    continue;
                plan->build(&call, plan, 0, n);
                layout_set(&layout, EDGE_MIDDLE, 0);
                layout.offset[b] = (uint8_t)offset;
                if (call.aliases && turn % 3 == 2)
                    layout.alias = turn % call.aliases;
                call_run(&call, &layout);
            }
        }
    }
    end_group();
}

/* Random pieces of the message: each must continue where the one before it left the chain. */
void sweep_pieces(const struct plan *plan)
{
    struct call call;
    struct layout layout;
    int rounds = check.brief ? 2 : check.quick ? 4 : 40;
    begin_group(plan->slot, "pieces");
    for (int round = 0; round < rounds && !group_over(); round++) {
        size_t from = 0, left, n;
        size_t longest = 1 + random_below(round % 2 ? plan->max : 40);
        size_t total = plan->total - random_below(plan->step);
        while ((left = total - from) > 0 && !group_over()) {
            /* Only the last piece may end inside a block. */
            n = (random_below(longest + 1) + plan->step - 1) / plan->step * plan->step;
            if (n > left)
                n = left;
            plan->build(&call, plan, from, n);
            layout_random(&layout);
            if (call.aliases && random_below(2))
                layout.alias = (int)random_below((size_t)call.aliases);
            call_run(&call, &layout);
            from += n;
        }
    }
    end_group();
}

static void bench(const struct plan *plan)
{
    static const size_t sizes[] = { 16, 64, 256, 1024, 8192 };
    struct call call;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t n = sizes[i] / plan->unit;
        if (n > plan->max)
            continue;
        plan->build(&call, plan, 0, n);
        double ns = call_time(&call);
        printf("%-24s %-16s %6zu B %10.1f ns %8.3f GB/s\n", check.label, plan->slot, sizes[i], ns,
               (double)sizes[i] / ns);
    }
}

void sweep_all(const struct plan *plan)
{
    if (check.bench) {
        bench(plan);
        return;
    }
    sweep_lengths(plan);
    sweep_offsets(plan);
    if (plan->step)
        sweep_pieces(plan);
}
