/* gcm.c — AES-GCM over any gcm kernel (SP 800-38D). */
#include "gcm.h"

#include "../util/block.h"
#include "../util/bytes.h"
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"
#include "xorcore.h"

_Static_assert(sizeof(struct xc_gcm_key) <= XC_ALIGN, "the kernel's block begins at the next 64 bytes");

size_t xc_gcm_key_size(const struct xc_choice *choice) { return XC_ALIGN + choice->gcm->key_size(choice); }

void xc_gcm_set_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len)
{
    struct xc_gcm_key *k = key;
    k->ops = choice->gcm;
    k->ops->set_key((uint8_t *)key + XC_ALIGN, choice, bytes, len);
}

void xc_gcm_set_brief_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len, size_t most)
{
    struct xc_gcm_key *k = key;
    k->ops = choice->gcm;
    if (k->ops->set_brief_key)
        k->ops->set_brief_key((uint8_t *)key + XC_ALIGN, choice, bytes, len, most);
    else
        k->ops->set_key((uint8_t *)key + XC_ALIGN, choice, bytes, len);
}

const void *xc_gcm_kernel_key(const struct xc_gcm_key *key) { return (const uint8_t *)key + XC_ALIGN; }

void xc_gcm_hash_padded(const struct xc_gcm_key *key, const uint8_t *in, size_t n, uint8_t y[16])
{
    const void *kk = xc_gcm_kernel_key(key);
    if (n / XC_BLOCK)
        key->ops->hash(kk, in, n / XC_BLOCK, y);
    if (n % XC_BLOCK) {
        uint8_t last[XC_BLOCK];
        xc_store_halves(last, xc_load_halves(in + n / XC_BLOCK * XC_BLOCK, n % XC_BLOCK));
        key->ops->hash(kk, last, 1, y);
        xc_wipe(last, sizeof last);
    }
}

static void lengths(uint8_t block[16], uint64_t aad_len, uint64_t len)
{
    xc_store_halves(block, (struct xc_halves){xc_be64(xc_le64(aad_len * 8)), xc_be64(xc_le64(len * 8))});
}

void xc_gcm_j0(const struct xc_gcm_key *key, const uint8_t *nonce, size_t nonce_len, uint8_t j0[16])
{
    if (nonce_len == 12) {
        memcpy(j0, nonce, 12);
        xc_store32_be(j0 + 12, 1);
        return;
    }
    uint8_t last[XC_BLOCK];
    memset(j0, 0, XC_BLOCK);
    xc_gcm_hash_padded(key, nonce, nonce_len, j0);
    lengths(last, 0, nonce_len);
    key->ops->hash(xc_gcm_kernel_key(key), last, 1, j0);
}

void xc_gcm_tag(const struct xc_gcm_key *key, const uint8_t j0[16], uint64_t aad_len, uint64_t len,
                const uint8_t y[16], uint8_t tag[16])
{
    const void *kk = xc_gcm_kernel_key(key);
    uint8_t sum[XC_BLOCK], last[XC_BLOCK], mask[XC_BLOCK];
    memcpy(sum, y, XC_BLOCK);
    lengths(last, aad_len, len);
    key->ops->hash(kk, last, 1, sum);
    key->ops->block(kk, mask, j0);
    xc_xor_block(tag, sum, mask);
    xc_wipe(sum, sizeof sum);
    xc_wipe(mask, sizeof mask);
}

static void next_counter(uint8_t counter[16]) { xc_store32_be(counter + 12, xc_load32_be(counter + 12) + 1); }

/* The last, partial block of a message; y is taken over its ciphertext. */
static void last_block(const struct xc_gcm_key *key, int sealing, uint8_t *out, const uint8_t *in, size_t n,
                       const uint8_t counter[16], uint8_t y[16])
{
    const struct xc_halves text = xc_load_halves(in, n);
    uint8_t stream[XC_BLOCK], cipher[XC_BLOCK];
    key->ops->block(xc_gcm_kernel_key(key), stream, counter);
    const struct xc_halves result = xc_halves_sum(text, xc_load_block(stream));
    xc_store_first(out, result, n);
    xc_store_halves(cipher, sealing ? xc_halves_first(result, n) : text);
    key->ops->hash(xc_gcm_kernel_key(key), cipher, 1, y);
    xc_wipe(stream, sizeof stream);
}

static void whole(const struct xc_gcm_key *key, int sealing, const struct xc_message *m,
                  const uint8_t j0[16], uint8_t tag[16])
{
    const void *kk = xc_gcm_kernel_key(key);
    uint8_t y[XC_BLOCK] = {0}, counter[XC_BLOCK];
    const size_t blocks = m->len / XC_BLOCK, done = blocks * XC_BLOCK;

    memcpy(counter, j0, XC_BLOCK);
    next_counter(counter);
    if (m->aad_len)
        xc_gcm_hash_padded(key, m->aad, m->aad_len, y);
    if (blocks)
        (sealing ? key->ops->seal_blocks : key->ops->open_blocks)(kk, m->out, m->in, blocks, counter, y);
    if (m->len > done)
        last_block(key, sealing, m->out + done, m->in + done, m->len - done, counter, y);
    xc_gcm_tag(key, j0, m->aad_len, m->len, y, tag);
    xc_wipe(y, sizeof y);
    xc_wipe(counter, sizeof counter);
}

/* J0 made from a nonce that is not 12 bytes long gives the hash key to whoever knows both. It is wiped, and with
 * it what kernels' registers have left of it on the stack: this function's own frame covers the frames of the
 * calls before it. Such nonces are rare, and a call with one can afford it. */
static __attribute__((noinline)) void wipe_frames(void)
{
    uint8_t below[4096];
    xc_wipe(below, sizeof below);
}

static int has_secret_counter(size_t nonce_len) { return nonce_len != 12; }

typedef void (*message)(const void *key, const struct xc_message *m, const uint8_t *secret_j0, uint8_t tag[16]);

/* A kernel makes the usual pre-counter block itself. By itself, so that the usual message has no stack of ours. */
static __attribute__((noinline)) void unusual(const struct xc_gcm_key *key, message by_kernel, int sealing,
                                              const struct xc_message *m, uint8_t tag[16])
{
    uint8_t j0[XC_BLOCK];
    xc_gcm_j0(key, m->nonce, m->nonce_len, j0);
    if (by_kernel)
        by_kernel(xc_gcm_kernel_key(key), m, j0, tag);
    else
        whole(key, sealing, m, j0, tag);
    xc_wipe(j0, sizeof j0);
    if (has_secret_counter(m->nonce_len))
        wipe_frames();
}

void xc_gcm_seal(const void *key, const struct xc_message *m, uint8_t tag[16])
{
    const struct xc_gcm_key *k = key;
    if (k->ops->seal && !has_secret_counter(m->nonce_len))
        k->ops->seal(xc_gcm_kernel_key(k), m, NULL, tag);
    else
        unusual(k, k->ops->seal, 1, m, tag);
}

void xc_gcm_open(const void *key, const struct xc_message *m, const uint8_t given[16], uint8_t tag[16])
{
    const struct xc_gcm_key *k = key;
    (void)given;
    if (k->ops->open && !has_secret_counter(m->nonce_len))
        k->ops->open(xc_gcm_kernel_key(k), m, NULL, tag);
    else
        unusual(k, k->ops->open, 0, m, tag);
}

/* ---- in pieces -------------------------------------------------------------------------------------- */

size_t xc_gcm_state_size(const void *key)
{
    (void)key;
    return sizeof(struct xc_gcm_state);
}

void xc_gcm_begin(const void *key, void *state, int sealing, const uint8_t *nonce, size_t nonce_len)
{
    struct xc_gcm_state *s = state;
    memset(s, 0, sizeof *s);
    s->sealing = (uint8_t)sealing;
    xc_gcm_j0(key, nonce, nonce_len, s->j0);
    memcpy(s->counter, s->j0, XC_BLOCK);
    next_counter(s->counter);
    s->secret_counter = (uint8_t)has_secret_counter(nonce_len);
    if (s->secret_counter)
        wipe_frames();
}

/* Takes the part of a block into y, zero-padded. */
static void flush(const struct xc_gcm_key *key, struct xc_gcm_state *s)
{
    if (s->used) {
        memset(s->part + s->used, 0, XC_BLOCK - s->used);
        key->ops->hash(xc_gcm_kernel_key(key), s->part, 1, s->y);
        s->used = 0;
    }
}

/* Fills the open part from `in`; returns the bytes taken, and hashes the block when it is full. */
static size_t fill(const struct xc_gcm_key *key, struct xc_gcm_state *s, const uint8_t *in, size_t n)
{
    const size_t room = XC_BLOCK - (size_t)s->used, m = n < room ? n : room;
    memcpy(s->part + s->used, in, m);
    s->used = (uint8_t)(s->used + m);
    if (s->used == XC_BLOCK)
        flush(key, s);
    return m;
}

/* What is hashed as it stands: AAD, and ciphertext that is only authenticated. */
static void hash_pieces(const struct xc_gcm_key *key, struct xc_gcm_state *s, const uint8_t *in, size_t n)
{
    if (s->used) {
        const size_t m = fill(key, s, in, n);
        in += m;
        n -= m;
    }
    if (n / XC_BLOCK)
        key->ops->hash(xc_gcm_kernel_key(key), in, n / XC_BLOCK, s->y);
    if (n % XC_BLOCK)
        fill(key, s, in + n / XC_BLOCK * XC_BLOCK, n % XC_BLOCK);
}

void xc_gcm_aad(const void *key, void *state, const uint8_t *aad, size_t n)
{
    struct xc_gcm_state *s = state;
    s->aad_len += n;
    hash_pieces(key, s, aad, n);
}

/* n bytes of the open block, through its keystream and into `part`. */
static void through_pad(const struct xc_gcm_key *key, struct xc_gcm_state *s, uint8_t *out, const uint8_t *in,
                        size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t byte = in[i], result = byte ^ s->pad[s->used + i];
        s->part[s->used + i] = s->sealing ? result : byte;
        out[i] = result;
    }
    s->used = (uint8_t)(s->used + n);
    if (s->used == XC_BLOCK)
        flush(key, s);
}

static void text(const void *key, void *state, uint8_t *out, const uint8_t *in, size_t n)
{
    const struct xc_gcm_key *k = key;
    const void *kk = xc_gcm_kernel_key(k);
    struct xc_gcm_state *s = state;
    if (!n)
        return;
    if (!s->len)
        flush(k, s); /* the AAD ends here */
    s->len += n;
    if (!out) {
        hash_pieces(k, s, in, n);
        return;
    }
    if (s->used) {
        const size_t room = XC_BLOCK - (size_t)s->used, m = n < room ? n : room;
        through_pad(k, s, out, in, m);
        out += m;
        in += m;
        n -= m;
    }
    const size_t blocks = n / XC_BLOCK, done = blocks * XC_BLOCK;
    if (blocks)
        (s->sealing ? k->ops->seal_blocks : k->ops->open_blocks)(kk, out, in, blocks, s->counter, s->y);
    if (n > done) {
        k->ops->block(kk, s->pad, s->counter);
        next_counter(s->counter);
        through_pad(k, s, out + done, in + done, n - done);
    }
}

void xc_gcm_update(const void *key, void *state, uint8_t *out, const uint8_t *in, size_t n)
{
    const struct xc_gcm_state *s = state;
    text(key, state, out, in, n);
    if (s->secret_counter)
        wipe_frames();
}

void xc_gcm_finish(const void *key, void *state, uint8_t tag[16])
{
    struct xc_gcm_state *s = state;
    flush(key, s);
    xc_gcm_tag(key, s->j0, s->aad_len, s->len, s->y, tag);
    if (s->secret_counter)
        wipe_frames();
}

const struct xc_aead_mode xc_aead_gcm = {
    .algorithm = XORCORE_AES_GCM,
    .key_lengths = XC_KEYS_AES,
    .tag_lengths = XC_GCM_TAGS,
    .nonce_min = 1,
    .nonce_max = XC_GCM_AAD_MAX, /* 2^64 - 1 bits, the same as for the AAD */
    .aad_max = XC_GCM_AAD_MAX,
    .text_max = XC_GCM_TEXT_MAX,
    .choose = xc_choose_gcm,
    .key_size = xc_gcm_key_size,
    .set_key = xc_gcm_set_key,
    .seal = xc_gcm_seal,
    .open = xc_gcm_open,
    .state_size = xc_gcm_state_size,
    .begin = xc_gcm_begin,
    .aad = xc_gcm_aad,
    .update = xc_gcm_update,
    .finish = xc_gcm_finish,
};
