/* ghash.c — the slots of a ghash kernel against SP 800-38D's multiplication, bit by bit. */
#include "check.h"

#include <string.h>

#include "naive.h"

typedef void (*function)(void);

enum {
    BLOCKS = 2 * GHASH_PERIOD + 60
};

struct ghash_case {
    const struct xc_ghash_ops *ops;
    int reversed;
    struct key_block key;
    uint8_t h[16];
    uint8_t in[BLOCKS * 16];
    uint8_t y[BLOCKS + 1][16];
};

static void case_fill(struct ghash_case *c)
{
    random_bytes(c->y[0], 16);
    for (size_t b = 0; b < BLOCKS; b++) {
        uint8_t block[16];
        for (size_t i = 0; i < 16; i++)
            block[i] = c->in[16 * b + (c->reversed ? 15 - i : i)];
        memcpy(c->y[b + 1], c->y[b], 16);
        naive_ghash(c->y[b + 1], block, c->h);
    }
}

static void build(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    const struct ghash_case *c = plan->self;
    call_begin(call, c->reversed ? (function)c->ops->update_reversed : (function)c->ops->update);
    call_key(call, &c->key);
    call_in(call, "in", c->in + 16 * from, 16 * count);
    call_number(call, "blocks", count);
    call_inout(call, "y", c->y[from], c->y[from + count], 16);
}

/* A key for calls of at most `most` blocks, or, with SIZE_MAX, for all. Returns 0 when there is no key to go on with. */
static int make_key_for(struct ghash_case *c, size_t most, const struct layout *layout)
{
    struct call call;
    key_make(&c->key, c->ops->key_size);
    call_begin(&call, most == SIZE_MAX ? (function)c->ops->set_key : (function)c->ops->set_brief_key);
    call_new_key(&call, &c->key);
    call_in(&call, "h", c->h, 16);
    if (most != SIZE_MAX)
        call_number(&call, "most", most);
    unsigned wrong = call_run(&call, layout);
    key_save(&c->key);
    return !(wrong & WRONG_ACCESS);
}

static int make_key(struct ghash_case *c, const struct layout *layout) { return make_key_for(c, SIZE_MAX, layout); }

/* Keys for just as many blocks as there are, and for one more; the rest of the key is noise. */
static void check_brief_keys(struct ghash_case *c, const struct plan *plan)
{
    struct call call;
    struct layout aligned = { EDGE_MIDDLE, { 0 }, -1 };
    if (!c->ops->set_brief_key)
        return;
    begin_group("set_brief_key", plan->slot);
    random_bytes(c->in, sizeof c->in);
    for (size_t n = 0; n <= plan->max && !group_over(); n += n < 70 ? 1 : 13) {
        random_bytes(c->h, 16);
        case_fill(c);
        if (make_key_for(c, n + n % 2, &aligned)) {
            build(&call, plan, 0, n);
            call_run(&call, &aligned);
        }
        key_free(&c->key);
    }
    end_group();
}

/* Hash keys with few bits, all bits and carries at the ends, from every offset, and random ones. */
static void check_keys(struct ghash_case *c, const struct plan *plan)
{
    struct call call;
    struct layout layout;
    begin_group(plan->slot, "hash keys");
    for (unsigned turn = 0; turn < 66 && !group_over(); turn += check.quick && turn ? 5 : 1) {
        random_bytes(c->h, 16);
        if (turn < 6)
            memset(c->h, turn == 1 ? 0xff : 0, 16);
        if (turn == 2)
            c->h[0] = 0x80; /* one */
        if (turn == 3)
            c->h[15] = 0x01; /* x^127 */
        if (turn == 4)
            c->h[7] = 0x01;
        if (turn == 5)
            c->h[8] = 0x80;
        layout_random(&layout);
        layout.edge = turn == 0 ? EDGE_START : turn == 1 ? EDGE_END : EDGE_MIDDLE;
        if (turn > 1)
            layout.offset[0] = (uint8_t)(turn - 2);
        int made = make_key(c, &layout);
        random_bytes(c->in, sizeof c->in);
        if (turn & 1) /* text with long runs of ones, for the carries of integer multiplication */
            memset(c->in, 0xff, sizeof c->in / 2);
        case_fill(c);
        for (int i = 0; made && i < 8; i++) {
            size_t from = random_below(8), n = random_below(plan->max - 8);
            build(&call, plan, from, i ? n : 1);
            layout_random(&layout);
            call_run(&call, &layout);
        }
        key_free(&c->key);
    }
    end_group();
}

void check_ghash(const char *label, const struct xc_ghash_ops *ops)
{
    static struct ghash_case c;
    struct layout aligned = { EDGE_MIDDLE, { 0 }, -1 };
    begin_kernel(label);
    memset(&c, 0, sizeof c);
    c.ops = ops;
    for (c.reversed = 0; c.reversed < 2; c.reversed++) {
        if (c.reversed && !ops->update_reversed)
            continue;
        struct plan plan = { c.reversed ? "update_reversed" : "update",
                             build,
                             &c,
                             16,
                             BLOCKS,
                             check.quick ? 2 * LOOP_PERIOD + 1 : 2 * GHASH_PERIOD + 1,
                             1 };
        if (check.quick)
            plan.total = 2 * LOOP_PERIOD + 9;
        if (!check.bench) {
            check_keys(&c, &plan);
            check_brief_keys(&c, &plan);
        }
        random_bytes(c.h, 16);
        begin_group("set_key", "the key of the sweeps");
        int made = make_key(&c, &aligned);
        end_group();
        random_bytes(c.in, sizeof c.in);
        case_fill(&c);
        if (made)
            sweep_all(&plan);
        key_free(&c.key);
    }
}
