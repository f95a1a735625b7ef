/* gmac.c — GMAC: AES-GCM whose data is all AAD (SP 800-38D 3). */
#include "mac.h"
#include "xorcore.h"

static void begin(const void *key, union xc_mac_state *state, const uint8_t *nonce, size_t nonce_len)
{
    xc_gcm_begin(key, &state->gcm, 1, nonce, nonce_len);
}

static void update(const void *key, union xc_mac_state *state, const uint8_t *data, size_t n)
{
    xc_gcm_aad(key, &state->gcm, data, n);
}

static void finish(const void *key, union xc_mac_state *state, uint8_t tag[16])
{
    xc_gcm_finish(key, &state->gcm, tag);
}

static void whole(const void *key, const uint8_t *nonce, size_t nonce_len, const uint8_t *data, size_t n,
                  uint8_t tag[16])
{
    const struct xc_message m = {NULL, NULL, 0, nonce, nonce_len, data, n, XC_BLOCK};
    xc_gcm_seal(key, &m, tag);
}

const struct xc_mac_mode xc_mac_gmac = {
    .algorithm = XORCORE_AES_GMAC,
    .key_lengths = XC_KEYS_AES,
    .tag_lengths = XC_GCM_TAGS,
    .nonce_min = 1,
    .nonce_max = XC_GCM_AAD_MAX,
    .data_max = XC_GCM_AAD_MAX,
    .choose = xc_choose_gcm,
    .key_size = xc_gcm_key_size,
    .set_key = xc_gcm_set_key,
    .begin = begin,
    .update = update,
    .finish = finish,
    .whole = whole,
};
