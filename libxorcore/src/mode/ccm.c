/* ccm.c — AES-CCM over any aes kernel (SP 800-38C; the formatting is that of its appendix A). */
#include "../util/bytes.h"
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"
#include "aead.h"
#include "aes_key.h"
#include "cipher.h"
#include "xorcore.h"

/* The bytes of a partial block are already in `mac`; what is missing to 16 counts as zeros. */
struct state {
    uint8_t mac[XC_BLOCK];
    uint8_t s0[XC_BLOCK]; /* the counter block 0, then its encryption, which masks the tag */
    struct xc_cipher_state ctr;
    uint8_t used; /* bytes of the open block in `mac` */
    uint8_t sealing, in_text;
};

/* Text is hashed and encrypted by turns in pieces that stay in the first-level cache. */
enum { PIECE = 2048, NONCE_MAX = 13 };

/* Bytes of the field that holds the length, and of the counter. */
static size_t length_bytes(const uint8_t s0[16]) { return (size_t)s0[0] + 1; }

static uint64_t text_max_for(size_t nonce_len)
{
    const size_t q = 15 - nonce_len;
    return q >= 8 ? UINT64_MAX : ((uint64_t)1 << 8 * q) - 1;
}

/* n < 16 bytes that fit into the open block. */
static void absorb_bytes(const struct xc_aes_key *key, struct state *s, const uint8_t *in, size_t n)
{
    const struct xc_halves more = xc_halves_up(xc_load_halves(in, n), s->used);
    xc_store_halves(s->mac, xc_halves_sum(xc_load_block(s->mac), more));
    s->used = (uint8_t)(s->used + n);
    if (s->used == XC_BLOCK) {
        xc_aes_encrypt(key, s->mac, s->mac, 1);
        s->used = 0;
    }
}

static void absorb(const struct xc_aes_key *key, struct state *s, const uint8_t *in, size_t n)
{
    if (s->used) {
        const size_t room = XC_BLOCK - (size_t)s->used, m = n < room ? n : room;
        absorb_bytes(key, s, in, m);
        in += m;
        n -= m;
    }
    if (n / XC_BLOCK)
        xc_aes_mac(key, in, n / XC_BLOCK, s->mac);
    absorb_bytes(key, s, in + n / XC_BLOCK * XC_BLOCK, n % XC_BLOCK);
}

static void pad(const struct xc_aes_key *key, struct state *s)
{
    if (s->used) {
        xc_aes_encrypt(key, s->mac, s->mac, 1);
        s->used = 0;
    }
}

static void begin(const void *key, void *state, int sealing, const uint8_t *nonce, size_t nonce_len)
{
    struct state *s = state;
    (void)key;
    memset(s, 0, sizeof *s);
    s->sealing = (uint8_t)sealing;
    s->s0[0] = (uint8_t)(14 - nonce_len);
    memcpy(s->s0 + 1, nonce, nonce_len);
}

static void lengths(const void *key, void *state, uint64_t aad_len, uint64_t text_len, size_t tag_len)
{
    struct state *s = state;
    const size_t q = length_bytes(s->s0);

    /* B0: flags, nonce, length of the text. */
    memcpy(s->mac, s->s0, XC_BLOCK);
    s->mac[0] = (uint8_t)((aad_len != 0) << 6 | (tag_len - 2) / 2 << 3 | (q - 1));
    for (size_t i = 0; i < q && i < 8; i++)
        s->mac[XC_BLOCK - 1 - i] = (uint8_t)(text_len >> 8 * i);
    xc_aes_encrypt(key, s->mac, s->mac, 1);

    if (aad_len) {
        uint8_t head[10] = {0xff, 0xff};
        xc_store64_be(head + 2, aad_len);
        if (aad_len < 0xff00) {
            absorb(key, s, head + 8, 2);
        } else if (aad_len <= UINT32_MAX) {
            head[4] = 0xff;
            head[5] = 0xfe;
            absorb(key, s, head + 4, 6);
        } else {
            absorb(key, s, head, 10);
        }
    }

    memcpy(s->ctr.chain, s->s0, XC_BLOCK);
    s->ctr.chain[XC_BLOCK - 1] = 1;
    xc_aes_encrypt(key, s->s0, s->s0, 1);
}

static void aad(const void *key, void *state, const uint8_t *in, size_t n) { absorb(key, state, in, n); }

static void crypt(const struct xc_aes_key *key, struct state *s, uint8_t *out, const uint8_t *in, size_t n)
{
    if (s->sealing)
        absorb(key, s, in, n);
    xc_cipher_update(&xc_cipher_ctr, key, &s->ctr, 1, out, in, n);
    if (!s->sealing)
        absorb(key, s, out, n);
}

static void update(const void *key, void *state, uint8_t *out, const uint8_t *in, size_t n)
{
    struct state *s = state;
    uint8_t unseen[PIECE];
    if (n && !s->in_text) {
        pad(key, s); /* the AAD ends here */
        s->in_text = 1;
    }
    for (size_t at = 0; at < n; at += PIECE) {
        const size_t m = n - at < PIECE ? n - at : PIECE;
        crypt(key, s, out ? out + at : unseen, in + at, m);
    }
    if (!out)
        xc_wipe(unseen, n < PIECE ? n : PIECE);
}

static void finish(const void *key, void *state, uint8_t tag[16])
{
    struct state *s = state;
    pad(key, s);
    xc_xor_block(tag, s->mac, s->s0);
}

static void whole(const void *key, const struct xc_message *m, int sealing, uint8_t tag[16])
{
    struct state s;
    begin(key, &s, sealing, m->nonce, m->nonce_len);
    lengths(key, &s, m->aad_len, m->len, m->tag_len);
    if (m->aad_len)
        aad(key, &s, m->aad, m->aad_len);
    if (m->len)
        update(key, &s, m->out, m->in, m->len);
    finish(key, &s, tag);
    xc_wipe(&s, sizeof s);
}

static void seal(const void *key, const struct xc_message *m, uint8_t tag[16]) { whole(key, m, 1, tag); }

static void open(const void *key, const struct xc_message *m, const uint8_t given[16], uint8_t tag[16])
{
    (void)given;
    whole(key, m, 0, tag);
}

static void set_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len)
{
    xc_aes_set_key(key, choice->aes, bytes, len, 0);
}

static size_t state_size(const void *key)
{
    (void)key;
    return sizeof(struct state);
}

const struct xc_aead_mode xc_aead_ccm = {
    .algorithm = XORCORE_AES_CCM,
    .key_lengths = XC_KEYS_AES,
    .tag_lengths = XC_TAG(4) | XC_TAG(6) | XC_TAG(8) | XC_TAG(10) | XC_TAG(12) | XC_TAG(14) | XC_TAG(16),
    .nonce_min = 7,
    .nonce_max = NONCE_MAX,
    .aad_max = UINT64_MAX,
    .text_max_for = text_max_for,
    .choose = xc_choose_aes,
    .key_size = xc_aes_key_size,
    .set_key = set_key,
    .seal = seal,
    .open = open,
    .state_size = state_size,
    .begin = begin,
    .aad = aad,
    .update = update,
    .finish = finish,
    .lengths = lengths,
};
