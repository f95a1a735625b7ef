/* aes_vperm_lsx.c — AES for LoongArch, which has no instructions for it, by LSX' byte shuffle: four blocks in flight.
 *
 * The code is in vperm.h. Figures are in aes_vperm_lasx.c. */
#include "../util/lsx.h"

typedef one vec;

static inline vec v_load(const uint8_t *p) { return o_load(p); }
static inline vec v_all(const uint8_t *p) { return o_load(p); }
static inline void v_store(uint8_t *p, vec v) { o_store(p, v); }
static inline void v_put(uint8_t *p, vec v) { o_store(p, v); }
static inline vec v_shuffle(vec table, vec index) { return o_shuffle(table, index); }
static inline vec v_low(vec v) { return o_low(v); }
static inline vec v_high(vec v) { return o_high(v); }

#include "vperm.h"

const struct xc_aes_ops xc_aes_vperm_lsx = {
    .key_size = sizeof(struct xc_vperm_key),
    .set_key = set_key,
    .set_decrypt_key = set_decrypt_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .mac = mac,
};
