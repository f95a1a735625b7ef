/* ghash_pmull.c — GHASH by the PMULL instruction of 64-bit Arm, sixteen blocks to a reduction; the arithmetic is in pmull.h.
 *
 * Karatsuba's rule takes three products, three sums and one and a half instructions for the operand of the third, the
 * schoolbook four products and four sums. */
#include "../kernel.h"
#include "pmull_arm64.h"
#include "pmull_eor.h"

#include "pmull.h"

static void set_key(void *key, const uint8_t h[16])
{
    xc_pmull_set(key, xc_pmull_load(h), XC_PMULL_POWERS);
}

static void set_brief_key(void *key, const uint8_t h[16], size_t most)
{
    xc_pmull_set(key, xc_pmull_load(h), most);
}

static void update(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    xc_pmull_store(y, xc_pmull_update(key, in, blocks, xc_pmull_load(y), 0));
}

static void update_reversed(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    xc_pmull_store(y, xc_pmull_update(key, in, blocks, xc_pmull_load(y), 1));
}

const struct xc_ghash_ops xc_ghash_pmull = {
    .key_size = sizeof(struct xc_pmull_table),
    .set_key = set_key,
    .set_brief_key = set_brief_key,
    .update = update,
    .update_reversed = update_reversed,
};
