/* gcm_siv.c — AES-GCM-SIV over any aes and ghash kernel (RFC 8452).
 *
 * POLYVAL is GHASH seen from the other end (RFC 8452 appendix A): with every block's bytes reversed, and the
 * hash key reversed and multiplied by x, a ghash kernel computes it. */
#include "../util/block.h"
#include "../util/bytes.h"
#include "../util/hidden.h"
#include "../util/public.h"
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"
#include "aead.h"
#include "aes_key.h"
#include "xorcore.h"

enum { NONCE = 12, PIECE = 32 };

/* Of a block's last byte; the tag's is 0, the counter's 1. */
static const uint64_t TOP_BIT = (uint64_t)1 << 63;

#define SIZE_LIMIT ((uint64_t)1 << 36)

/* This header, and 64-byte aligned after it the AES key that generates keys. */
struct key {
    struct xc_choice choice; /* what derived keys run on */
    size_t len;              /* bytes of the user's key, and of each encryption key */
};

enum { MASTER_AT = (sizeof(struct key) + XC_ALIGN - 1) / XC_ALIGN * XC_ALIGN };

/* The two keys of one message. */
struct message_keys {
    const struct xc_ghash_ops *ghash;
    _Alignas(XC_ALIGN) uint8_t auth[XC_GHASH_KEY_MAX];
    _Alignas(XC_ALIGN) uint8_t enc[XC_ALIGN + XC_AES_KEY_MAX];
};

static const struct xc_aes_key *enc_key(const struct message_keys *mk) { return (const void *)mk->enc; }

static size_t key_size(const struct xc_choice *choice) { return MASTER_AT + xc_aes_key_size(choice); }

static void set_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len)
{
    struct key *k = key;
    k->choice = *choice;
    k->len = len;
    xc_aes_set_key((void *)((uint8_t *)key + MASTER_AT), choice->aes, bytes, len, 0);
}

/* By halves, not by bytes: those a compiler gathers on the stack, where the hash key then stays. */
static void reverse(uint8_t out[16], const uint8_t in[16])
{
    const uint64_t first = xc_load64_le(in), second = xc_load64_le(in + 8);
    xc_store64_be(out, second);
    xc_store64_be(out + 8, first);
}

/* block *= x in GHASH's order, where the first bit of the first byte is the coefficient of x^0. */
static void times_x(uint8_t block[16])
{
    const uint64_t high = xc_load64_be(block), low = xc_load64_be(block + 8);
    xc_store64_be(block, high >> 1 ^ ((uint64_t)0xe1 << 56 & (0 - (low & 1))));
    xc_store64_be(block + 8, low >> 1 | high << 63);
}

/* The most blocks that POLYVAL takes in one call for this message: text, additional data and lengths go by themselves. */
static size_t most_blocks(const struct xc_message *m)
{
    return (m->len > m->aad_len ? m->len : m->aad_len) / XC_BLOCK + 1;
}

/* RFC 8452 section 4: halves of encrypted counters make the authentication and the encryption key, for this message. */
static void derive(const struct key *k, const struct xc_message *m, struct message_keys *mk)
{
    enum { PARTS = 6, HALF = 8 };
    const size_t parts = 2 + k->len / HALF;
    uint8_t blocks[PARTS * XC_BLOCK], keys[PARTS * HALF], h[XC_BLOCK];
    struct xc_halves counter = xc_halves_up(xc_load_halves(m->nonce, NONCE), XC_BLOCK - NONCE);
    for (size_t i = 0; i < parts; i++, counter.low++)
        xc_store_halves(blocks + i * XC_BLOCK, counter);
    xc_aes_encrypt((const void *)((const uint8_t *)k + MASTER_AT), blocks, blocks, parts);
    for (size_t i = 0; i < parts; i++) /* not by pairs, which compilers put together on the stack */
        memcpy(keys + i * HALF, blocks + i * XC_BLOCK, HALF);

    reverse(h, keys);
    times_x(h);
    mk->ghash = k->choice.ghash;
    if (mk->ghash->set_brief_key)
        mk->ghash->set_brief_key(mk->auth, h, most_blocks(m));
    else
        mk->ghash->set_key(mk->auth, h);
    xc_aes_set_key((void *)mk->enc, k->choice.aes, keys + XC_BLOCK, k->len, 0);
    xc_wipe(blocks, sizeof blocks);
    xc_wipe(keys, sizeof keys);
    xc_wipe(h, sizeof h);
}

static void forget(const struct key *k, struct message_keys *mk)
{
    xc_wipe(mk->auth, k->choice.ghash->key_size);
    xc_wipe(mk->enc, xc_aes_key_size(&k->choice));
}

/* Whole blocks into y, which is kept in GHASH's order. */
static void polyval_blocks(const struct message_keys *mk, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    if (mk->ghash->update_reversed) {
        mk->ghash->update_reversed(mk->auth, in, blocks, y);
        return;
    }
    uint8_t piece[PIECE * XC_BLOCK];
    for (size_t m; blocks; blocks -= m, in += m * XC_BLOCK) {
        m = blocks < PIECE ? blocks : PIECE;
        for (size_t i = 0; i < m; i++)
            reverse(piece + i * XC_BLOCK, in + i * XC_BLOCK);
        mk->ghash->update(mk->auth, piece, m, y);
    }
    xc_wipe(piece, sizeof piece);
}

static void polyval_padded(const struct message_keys *mk, const uint8_t *in, size_t n, uint8_t y[16])
{
    const size_t whole = n / XC_BLOCK;
    if (whole)
        polyval_blocks(mk, in, whole, y);
    if (n % XC_BLOCK) {
        uint8_t last[XC_BLOCK];
        xc_store_halves(last, xc_load_halves(in + whole * XC_BLOCK, n % XC_BLOCK));
        polyval_blocks(mk, last, 1, y);
        xc_wipe(last, sizeof last);
    }
}

/* The tag of a message whose text is at `text`. */
static void make_tag(const struct message_keys *mk, const struct xc_message *m, const uint8_t *text,
                     uint8_t tag[16])
{
    uint8_t y[XC_BLOCK] = {0}, lengths[XC_BLOCK];
    polyval_padded(mk, m->aad, m->aad_len, y);
    polyval_padded(mk, text, m->len, y);
    xc_store_halves(lengths, (struct xc_halves){(uint64_t)m->aad_len * 8, (uint64_t)m->len * 8});
    polyval_blocks(mk, lengths, 1, y);
    reverse(tag, y);
    struct xc_halves sum = xc_halves_sum(xc_load_block(tag), xc_load_halves(m->nonce, NONCE));
    sum.high &= ~TOP_BIT;
    xc_store_halves(tag, sum);
    xc_aes_encrypt(enc_key(mk), tag, tag, 1);
    xc_wipe(y, sizeof y);
}

/* CTR from the tag, counting in its first 4 bytes, little-endian and wrapping alone. */
static void crypt(const struct message_keys *mk, uint8_t *out, const uint8_t *in, size_t n, const uint8_t tag[16])
{
    const struct xc_aes_key *key = enc_key(mk);
    uint8_t counter[XC_BLOCK], stream[PIECE * XC_BLOCK];
    struct xc_halves first = xc_load_block(tag);
    first.high |= TOP_BIT;
    xc_store_halves(counter, first);
    xc_make_public(counter, sizeof counter);
    if (!n)
        return;
    if (key->ops->ctr32le) {
        key->ops->ctr32le(xc_aes_block(key), out, in, n, counter);
        return;
    }
    uint32_t low = xc_load32_le(counter);
    for (size_t m; n; n -= m, in += m, out += m) {
        m = n < sizeof stream ? n : sizeof stream;
        const size_t blocks = (m + XC_BLOCK - 1) / XC_BLOCK;
        for (size_t i = 0; i < blocks; i++) {
            xc_store32_le(stream + i * XC_BLOCK, low);
            memcpy(stream + i * XC_BLOCK + 4, counter + 4, XC_BLOCK - 4);
            low = xc_hidden(low + 1);
        }
        xc_aes_encrypt(key, stream, stream, blocks);
        xc_xor_run(out, in, stream, m);
    }
    xc_wipe(stream, sizeof stream);
}

static void seal(const void *key, const struct xc_message *m, uint8_t tag[16])
{
    struct message_keys mk;
    derive(key, m, &mk);
    make_tag(&mk, m, m->in, tag);
    crypt(&mk, m->out, m->in, m->len, tag);
    forget(key, &mk);
}

static void open(const void *key, const struct xc_message *m, const uint8_t given[16], uint8_t tag[16])
{
    struct message_keys mk;
    derive(key, m, &mk);
    crypt(&mk, m->out, m->in, m->len, given);
    make_tag(&mk, m, m->out, tag);
    forget(key, &mk);
}

const struct xc_aead_mode xc_aead_gcm_siv = {
    .algorithm = XORCORE_AES_GCM_SIV,
    .key_lengths = XC_KEY(16) | XC_KEY(32),
    .tag_lengths = XC_TAG(16),
    .nonce_min = NONCE,
    .nonce_max = NONCE,
    .aad_max = SIZE_LIMIT,
    .text_max = SIZE_LIMIT,
    .choose = xc_choose_pair,
    .key_size = key_size,
    .set_key = set_key,
    .seal = seal,
    .open = open,
};
