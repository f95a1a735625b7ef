/* ghash_vperm_lsx.c — GHASH for LoongArch, which has no carry-less multiplication, by LSX' byte shuffle.
 *
 * The code is in nibbles.h. Figures are in ghash_vperm_lasx.c. */
#include "../util/lsx.h"

#include <string.h>

typedef one vec;

/* Not by the intrinsic, into which clang 19 takes no offset: tables stand side by side. */
static inline vec v_load(const uint8_t *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline vec v_first(one block) { return block; }
static inline vec v_shuffle(vec table, vec index) { return o_shuffle(table, index); }
static inline vec v_low(vec v) { return o_low(v); }
static inline vec v_high(vec v) { return o_high(v); }
static inline vec v_up(vec v) { return o_up(v); }
static inline vec v_join(vec a, vec b) { return o_up(a) ^ o_end(b); }
static inline vec v_reverse(vec v) { return o_reverse(v); }
static inline one v_sum(vec v) { return v; }

#include "nibbles.h"

const struct xc_ghash_ops xc_ghash_vperm_lsx = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .update = update,
    .update_reversed = update_reversed,
};
