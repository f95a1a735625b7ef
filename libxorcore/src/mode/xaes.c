/* xaes.c — XAES-256-GCM: AES-256-GCM under a key derived from half of a 24-byte nonce (C2SP XAES-256-GCM). */
#include "../util/block.h"
#include "../util/bytes.h"
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"
#include "cmac.h"
#include "gcm.h"
#include "xorcore.h"

enum { NONCE = 24, SPLIT = 12, KEY = 32 };

/* This header, and 64-byte aligned after it an AES-256-GCM key made of the user's key, of which only the
 * block cipher is used. */
struct key {
    struct xc_choice choice; /* what derived keys run on */
    uint8_t k1[XC_BLOCK];    /* CMAC's first subkey */
};

enum { MASTER_AT = (sizeof(struct key) + XC_ALIGN - 1) / XC_ALIGN * XC_ALIGN };

static const struct xc_gcm_key *master(const struct key *k) { return (const void *)((const uint8_t *)k + MASTER_AT); }

static size_t key_size(const struct xc_choice *choice) { return MASTER_AT + xc_gcm_key_size(choice); }

static void block(const struct key *k, uint8_t out[16], const uint8_t in[16])
{
    master(k)->ops->block(xc_gcm_kernel_key(master(k)), out, in);
}

static void set_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len)
{
    struct key *k = key;
    k->choice = *choice;
    xc_gcm_set_key((uint8_t *)key + MASTER_AT, choice, bytes, len);
    memset(k->k1, 0, sizeof k->k1);
    block(k, k->k1, k->k1);
    xc_cmac_double(k->k1);
}

/* The AES-256-GCM key of this nonce: the CMACs of two blocks 00 01 "X" 00 N[0..12), 00 02 "X" 00 N[0..12). It is
 * for `most` bytes of text and additional data. */
static void derive(const struct key *k, const uint8_t *nonce, void *gcm_key, size_t most)
{
    uint8_t bytes[KEY];
    for (uint8_t i = 0; i < 2; i++) {
        uint8_t *half = bytes + i * XC_BLOCK;
        half[0] = 0;
        half[1] = i + 1;
        half[2] = 'X';
        half[3] = 0;
        memcpy(half + 4, nonce, SPLIT);
        xc_xor_block(half, half, k->k1);
        block(k, half, half);
    }
    xc_gcm_set_brief_key(gcm_key, &k->choice, bytes, sizeof bytes, most);
    xc_wipe(bytes, sizeof bytes);
}

static void whole(const struct key *k, const struct xc_message *m, int sealing, const uint8_t *given,
                  uint8_t tag[16])
{
    _Alignas(XC_ALIGN) uint8_t gcm_key[XC_ALIGN + XC_GCM_KEY_MAX];
    struct xc_message rest = *m;
    rest.nonce += SPLIT;
    rest.nonce_len = NONCE - SPLIT;
    derive(k, m->nonce, gcm_key, m->aad_len > SIZE_MAX - m->len ? SIZE_MAX : m->len + m->aad_len);
    if (sealing)
        xc_gcm_seal(gcm_key, &rest, tag);
    else
        xc_gcm_open(gcm_key, &rest, given, tag);
    xc_wipe(gcm_key, xc_gcm_key_size(&k->choice));
}

static void seal(const void *key, const struct xc_message *m, uint8_t tag[16]) { whole(key, m, 1, NULL, tag); }

static void open(const void *key, const struct xc_message *m, const uint8_t given[16], uint8_t tag[16])
{
    whole(key, m, 0, given, tag);
}

/* ---- in pieces: the GCM state, and 64-byte aligned after it the derived key ------------------------------ */

enum { DERIVED_AT = (sizeof(struct xc_gcm_state) + XC_ALIGN - 1) / XC_ALIGN * XC_ALIGN };

static const void *derived(const void *state) { return (const uint8_t *)state + DERIVED_AT; }

static size_t state_size(const void *key)
{
    return DERIVED_AT + xc_gcm_key_size(&((const struct key *)key)->choice);
}

static void begin(const void *key, void *state, int sealing, const uint8_t *nonce, size_t nonce_len)
{
    derive(key, nonce, (uint8_t *)state + DERIVED_AT, SIZE_MAX);
    xc_gcm_begin(derived(state), state, sealing, nonce + SPLIT, nonce_len - SPLIT);
}

static void aad(const void *key, void *state, const uint8_t *in, size_t n)
{
    (void)key;
    xc_gcm_aad(derived(state), state, in, n);
}

static void update(const void *key, void *state, uint8_t *out, const uint8_t *in, size_t n)
{
    (void)key;
    xc_gcm_update(derived(state), state, out, in, n);
}

static void finish(const void *key, void *state, uint8_t tag[16])
{
    (void)key;
    xc_gcm_finish(derived(state), state, tag);
}

const struct xc_aead_mode xc_aead_xaes_256_gcm = {
    .algorithm = XORCORE_XAES_256_GCM,
    .key_lengths = XC_KEY(KEY),
    .tag_lengths = XC_TAG(16),
    .nonce_min = NONCE,
    .nonce_max = NONCE,
    .aad_max = XC_GCM_AAD_MAX,
    .text_max = XC_GCM_TEXT_MAX,
    .choose = xc_choose_gcm,
    .key_size = key_size,
    .set_key = set_key,
    .seal = seal,
    .open = open,
    .state_size = state_size,
    .begin = begin,
    .aad = aad,
    .update = update,
    .finish = finish,
};
