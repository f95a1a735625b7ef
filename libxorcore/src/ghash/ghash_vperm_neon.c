/* ghash_vperm_neon.c — GHASH for Arm CPUs without carry-less multiplication, by NEON's table look-up.
 *
 * The code is in nibbles.h. */
#include "../util/neon.h"

typedef vec one;

static inline one o_load(const uint8_t *p) { return v_load(p); }
static inline void o_store(uint8_t *p, one v) { v_store(p, v); }
static inline one o_dup(uint8_t byte) { return vdupq_n_u8(byte); }
static inline one o_shuffle(one table, one index) { return v_shuffle(table, index); }
static inline one o_low(one v) { return v_low(v); }
static inline one o_high(one v) { return v_high(v); }
static inline one o_up(one v) { return vextq_u8(vdupq_n_u8(0), v, 15); }
static inline one o_end(one v) { return vextq_u8(v, vdupq_n_u8(0), 15); }

static inline one o_reverse(one v)
{
    const uint8x16_t halves = vrev64q_u8(v);
    return vextq_u8(halves, halves, 8);
}

static inline vec v_up(vec v) { return o_up(v); }
static inline vec v_join(vec a, vec b) { return vextq_u8(b, a, 15); }
static inline vec v_reverse(vec v) { return o_reverse(v); }
static inline vec v_first(one block) { return block; }
static inline one v_sum(vec v) { return v; }

#include "nibbles.h"

const struct xc_ghash_ops xc_ghash_vperm_neon = {
    .key_size = sizeof(struct key),
    .set_key = set_key,
    .update = update,
    .update_reversed = update_reversed,
};
