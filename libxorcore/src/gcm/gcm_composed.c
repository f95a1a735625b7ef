/* gcm_composed.c — AES-GCM made of an aes kernel and a ghash kernel, a chunk at a time.
 *
 * A chunk of 2 KiB is encrypted and then hashed while it is still in the first-level cache; longer chunks
 * gain nothing, shorter ones pay the two calls more often. */
#include "../kernel.h"
#include "../util/block.h"
#include "../util/bytes.h"
#include "../util/hidden.h"
#include "../util/wipe.h"

struct key {
    const struct xc_aes_ops *aes;
    const struct xc_ghash_ops *ghash;
    size_t ghash_at; /* from the start of the block; the aes key follows this header */
};

enum { AES_AT = XC_ALIGN, CHUNK = 128 };
_Static_assert(sizeof(struct key) <= AES_AT, "the header ends where the aes key begins");

static const void *aes_key(const struct key *k) { return (const uint8_t *)k + AES_AT; }
static const void *ghash_key(const struct key *k) { return (const uint8_t *)k + k->ghash_at; }

static size_t key_size(const struct xc_choice *parts)
{
    return AES_AT + xc_align(parts->aes->key_size) + xc_align(parts->ghash->key_size);
}

static void set_key(void *key, const struct xc_choice *parts, const uint8_t *bytes, size_t len)
{
    struct key *k = key;
    k->aes = parts->aes;
    k->ghash = parts->ghash;
    k->ghash_at = AES_AT + xc_align(parts->aes->key_size);

    uint8_t h[XC_BLOCK] = {0};
    k->aes->set_key((uint8_t *)k + AES_AT, bytes, len);
    k->aes->encrypt(aes_key(k), h, h, 1);
    k->ghash->set_key((uint8_t *)k + k->ghash_at, h);
    xc_wipe(h, sizeof h);
}

static void block(const void *key, uint8_t out[16], const uint8_t in[16])
{
    const struct key *k = key;
    k->aes->encrypt(aes_key(k), out, in, 1);
}

static void hash(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    const struct key *k = key;
    k->ghash->update(ghash_key(k), in, blocks, y);
}

/* CTR with a counter of 32 bits. The counter of a nonce that is not 12 bytes long is made from the hash
 * key, so nothing may depend on where it wraps: hence blocks written out and encrypted, instead of runs
 * of the aes kernel's 128-bit counter cut at the wrap. */
static void ctr32(const struct key *k, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16])
{
    enum { BATCH = 32 };
    uint8_t stream[BATCH * XC_BLOCK];
    uint32_t low = xc_load32_be(counter + 12);
    while (blocks) {
        const size_t m = blocks < BATCH ? blocks : BATCH;
        for (size_t i = 0; i < m; i++) {
            memcpy(stream + i * XC_BLOCK, counter, 12);
            xc_store32_be(stream + i * XC_BLOCK + 12, low);
            low = xc_hidden(low + 1);
        }
        k->aes->encrypt(aes_key(k), stream, stream, m);
        for (size_t i = 0; i < m * XC_BLOCK; i += 8)
            xc_store64(out + i, xc_load64(in + i) ^ xc_load64(stream + i));
        out += m * XC_BLOCK;
        in += m * XC_BLOCK;
        blocks -= m;
    }
    xc_store32_be(counter + 12, low);
    xc_wipe(stream, sizeof stream);
}

static void seal_blocks(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16],
                        uint8_t y[16])
{
    const struct key *k = key;
    while (blocks) {
        const size_t m = blocks < CHUNK ? blocks : CHUNK;
        ctr32(k, out, in, m, counter);
        k->ghash->update(ghash_key(k), out, m, y);
        out += m * XC_BLOCK;
        in += m * XC_BLOCK;
        blocks -= m;
    }
}

static void open_blocks(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16],
                        uint8_t y[16])
{
    const struct key *k = key;
    while (blocks) {
        const size_t m = blocks < CHUNK ? blocks : CHUNK;
        k->ghash->update(ghash_key(k), in, m, y);
        ctr32(k, out, in, m, counter);
        out += m * XC_BLOCK;
        in += m * XC_BLOCK;
        blocks -= m;
    }
}

const struct xc_gcm_ops xc_gcm_composed = {
    .key_size = key_size,
    .set_key = set_key,
    .block = block,
    .hash = hash,
    .seal_blocks = seal_blocks,
    .open_blocks = open_blocks,
};
