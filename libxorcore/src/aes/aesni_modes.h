/* aesni_modes.h — the key of the AES-NI and VAES kernels, and the modes that are chains, which wider registers do not help.
 *
 * CBC and CFB encryption, OFB and the MAC run at the latency of their rounds alone: what follows the last round (the next
 * block of text, the first round key) is summed with the last round key beforehand. The other modes are in batches.h. */
#include "../kernel.h"
#include "../util/bytes.h"
#include "../util/wipe.h"
#include "aesni.h"

struct key {
    __m128i enc[XC_AESNI_ROUNDS + 1];
    __m128i dec[XC_AESNI_ROUNDS + 1]; /* in the order of use, as AESDEC wants them */
    unsigned rounds;
};

static void set_key(void *opaque, const uint8_t *bytes, size_t len)
{
    struct key *key = opaque;
    key->rounds = xc_aesni_expand(key->enc, bytes, len);
}

static void set_decrypt_key(void *opaque)
{
    struct key *key = opaque;
    unsigned rounds = key->rounds;
    key->dec[0] = key->enc[rounds];
    for (unsigned r = 1; r < rounds; r++) {
        key->dec[r] = _mm_aesimc_si128(key->enc[rounds - r]);
    }
    key->dec[rounds] = key->enc[0];
}

/* By halves: a chain was often written a moment ago in words of eight bytes, and a load of all 16 would wait for
 * those to reach the cache. */
XC_AESNI_INLINE __m128i load_chain(const uint8_t chain[16])
{
    __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)chain);
    __asm__("" : "+x"(low)); /* or the halves become one load again */
    return _mm_unpacklo_epi64(low, _mm_loadl_epi64((const __m128i *)(const void *)(chain + 8)));
}

/* ---- chains: the state is always that after the first sum ----------------------------------------- */

/* A chain holds no round key of its own over a block: all are read again, which costs it no time. */
XC_AESNI_INLINE __m128i chain_start(const struct key *key, const uint8_t chain[16])
{
    return _mm_xor_si128(load_chain(chain), key->enc[0]);
}

static void cbc_encrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct key *key = opaque;
    const unsigned rounds = key->rounds;
    if (blocks == 0) {
        return;
    }
    __m128i state = _mm_xor_si128(chain_start(key, chain), xc_load128(in));
    for (; blocks > 1; blocks--) {
        const __m128i *keys = xc_aesni_again(key->enc);
        in += 16;
        __m128i end = _mm_xor_si128(_mm_xor_si128(xc_load128(in), keys[0]), keys[rounds]);
        state = xc_aesni_middle(state, keys, rounds);
        xc_store128(out, _mm_aesenclast_si128(state, keys[rounds]));
        state = _mm_aesenclast_si128(state, end);
        out += 16;
    }
    state = _mm_aesenclast_si128(xc_aesni_middle(state, key->enc, rounds), key->enc[rounds]);
    xc_store128(out, state);
    xc_store128(chain, state);
}

static void mac(const void *opaque, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct key *key = opaque;
    const unsigned rounds = key->rounds;
    if (blocks == 0) {
        return;
    }
    __m128i state = _mm_xor_si128(chain_start(key, chain), xc_load128(in));
    for (; blocks > 1; blocks--) {
        const __m128i *keys = xc_aesni_again(key->enc);
        in += 16;
        __m128i end = _mm_xor_si128(_mm_xor_si128(xc_load128(in), keys[0]), keys[rounds]);
        state = _mm_aesenclast_si128(xc_aesni_middle(state, keys, rounds), end);
    }
    xc_store128(chain, _mm_aesenclast_si128(xc_aesni_middle(state, key->enc, rounds), key->enc[rounds]));
}

static void cfb_encrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct key *key = opaque;
    const unsigned rounds = key->rounds;
    __m128i state = chain_start(key, chain);
    for (; blocks != 0; blocks--) {
        const __m128i *keys = xc_aesni_again(key->enc);
        __m128i end = _mm_xor_si128(xc_load128(in), keys[rounds]);
        __m128i next = _mm_xor_si128(end, keys[0]);
        state = xc_aesni_middle(state, keys, rounds);
        const __m128i text = _mm_aesenclast_si128(state, end);
        state = _mm_aesenclast_si128(state, next);
        xc_store128(out, text);
        in += 16;
        out += 16;
    }
    xc_store128(chain, _mm_xor_si128(state, key->enc[0]));
}

static void ofb(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct key *key = opaque;
    const unsigned rounds = key->rounds;
    __m128i state = chain_start(key, chain);
    for (; blocks != 0; blocks--) {
        const __m128i *keys = xc_aesni_again(key->enc);
        __m128i text = _mm_xor_si128(xc_load128(in), keys[0]);
        __m128i end = _mm_xor_si128(keys[0], keys[rounds]);
        state = _mm_aesenclast_si128(xc_aesni_middle(state, keys, rounds), end);
        xc_store128(out, _mm_xor_si128(state, text));
        in += 16;
        out += 16;
    }
    xc_store128(chain, _mm_xor_si128(state, key->enc[0]));
}
