/* aes_vperm_neon.c — AES for Arm CPUs without its instructions, by NEON's table look-up: four blocks in flight.
 *
 * The code is in vperm.h. */
#include "../util/neon.h"

static inline vec v_all(const uint8_t *p) { return v_load(p); }
static inline void v_put(uint8_t *p, vec v) { v_store(p, v); }

#include "vperm.h"

const struct xc_aes_ops xc_aes_vperm_neon = {
    .key_size = sizeof(struct xc_vperm_key),
    .set_key = set_key,
    .set_decrypt_key = set_decrypt_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .mac = mac,
};
