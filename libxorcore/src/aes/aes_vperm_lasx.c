/* aes_vperm_lasx.c — AES for LoongArch, which has no instructions for it, by LASX' byte shuffle: eight blocks in flight.
 *
 * The code is in vperm.h. Executed instructions per byte of 8 KiB, AES-128, clang 19, counted by qemu-user: CTR 10.2, CBC decryption 16.3; by LSX
 * 19.0 and 26.9, portable 37.0 and 53.8. One chain of blocks takes 45.3, by LSX 33.7. */
#include "../util/lasx.h"

static inline vec v_load(const uint8_t *p) { return __lasx_xvld(p, 0); }

static inline void v_put(uint8_t *p, vec v)
{
    __lasx_xvstelm_d(v, p, 0, 0);
    __lasx_xvstelm_d(v, p, 8, 1);
}

#include "vperm.h"

const struct xc_aes_ops xc_aes_vperm_lasx = {
    .key_size = sizeof(struct xc_vperm_key),
    .set_key = set_key,
    .set_decrypt_key = set_decrypt_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .mac = mac,
};
