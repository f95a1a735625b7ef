/* gcm_zvkned.c — AES-GCM by RISC-V's vector cryptography: the blocks of a group of registers are encrypted and hashed in one turn.
 *
 * The rounds are in aes/zvkned.h, the products in ghash/zvkg.h. Counters are numbers in the last word of every block, whose bytes one
 * instruction then turns round: so nothing depends on where they wrap. Registers: round keys 11, state 4, text or powers 4,
 * sums 4, places of counters 4; mask 1. Executed instructions per byte of 16 KiB, AES-128, clang 19, counted by qemu-user, by the bits of a
 * register: 0.767 for 128, 0.408 for 256, 0.229 for 512; composed of zvkned and zvkg 15.3, which counts and adds by bytes. */
#include "../kernel.h"
#include "../aes/zvkned.h"
#include "../ghash/zvkg.h"
#include "../util/wipe.h"

struct key {
    struct xc_zvkned_key aes;
    struct xc_zvkg_key ghash;
};

static size_t key_size(const struct xc_choice *parts)
{
    (void)parts;
    return sizeof(struct key);
}

/* out = E(in), one block. By itself, or set_brief_key() would have no register for one of the keys. */
static __attribute__((noinline)) void block(const void *opaque, uint8_t out[16], const uint8_t in[16])
{
    const struct key *key = opaque;
    const xc_zvkned_early early = xc_zvkned_early_of(&key->aes);
    const xc_zvkned_late late = xc_zvkned_late_of(&key->aes);
    xc_rvv_store(out, xc_zvkned_encrypt(xc_rvv_load(in, 16), early, late, &key->aes, 4), 16);
}

/* No call of a slot takes more blocks than `most` bytes fill, and one of lengths. */
static void set_brief_key(void *opaque, const struct xc_choice *parts, const uint8_t *bytes, size_t len, size_t most)
{
    struct key *key = opaque;
    uint8_t h[16] = {0};
    (void)parts;
    xc_zvkned_set(&key->aes, bytes, len);
    block(key, h, h);
    xc_zvkg_set(&key->ghash, h, most / 16);
    xc_wipe(h, sizeof h);
}

static void set_key(void *key, const struct xc_choice *parts, const uint8_t *bytes, size_t len)
{
    set_brief_key(key, parts, bytes, len, 16 * XC_ZVKG_MOST);
}

static void hash(const void *opaque, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    const struct key *key = opaque;
    xc_zvkg_update(&key->ghash, 0, in, blocks, y);
}

/* The counters from `number` on, without the words that do not count. */
XC_RVV_INLINE xc_rvv_words counters(xc_rvv_words place, vbool8_t where, uint32_t number, size_t words)
{
    return __riscv_vrev8_v_u32m4(__riscv_vadd_vx_u32m4_mu(where, place, place, number, words), words);
}

/* `sealing` is a constant at both calls. What is hashed is what is written, or what is read. */
XC_RVV_INLINE void blocks_of(const struct key *key, int sealing, uint8_t *out, const uint8_t *in, size_t blocks,
                             uint8_t counter[16], uint8_t y[16])
{
    uint32_t number = xc_load32_be(counter + 12); /* before the keys: see aes_zvkned.c */
    const xc_zvkned_early early = xc_zvkned_early_of(&key->aes);
    const xc_zvkned_late late = xc_zvkned_late_of(&key->aes);
    const size_t lanes = key->ghash.lanes;
    const vbool8_t where = xc_zvkned_counting(3, 4 * lanes);
    const xc_rvv_words place = xc_zvkned_places(where, 0, 4 * lanes);
    const vuint32m1_t constant = xc_zvkned_constant(early, counter, 3, UINT32_MAX);
    while (blocks != 0) {
        size_t now = blocks < lanes ? blocks : lanes;
        xc_rvv_words sums = xc_zvkg_begin(y, now);
        for (int last = 0; !last;) {
            last = blocks < 2 * lanes;
            now = last ? now : lanes;
            xc_rvv_words x = xc_zvkned_add(counters(place, where, number, 4 * now), constant, 4 * now);
            x = xc_zvkned_rounds(x, early, late, &key->aes, 4 * now);
            const xc_rvv_words text = xc_rvv_load(in, 16 * now);
            x = __riscv_vxor_vv_u32m4(x, text, 4 * now);
            xc_rvv_store(out, x, 16 * now);
            if (last) {
                xc_zvkg_end(&key->ghash, sums, sealing ? x : text, now, y);
            } else {
                sums = xc_zvkg_step(&key->ghash, sums, sealing ? x : text);
            }
            number += (uint32_t)now;
            out += 16 * now;
            in += 16 * now;
            blocks -= now;
        }
    }
    xc_store32_be(counter + 12, number);
}

static void seal_blocks(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16], uint8_t y[16])
{
    blocks_of(key, 1, out, in, blocks, counter, y);
}

static void open_blocks(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16], uint8_t y[16])
{
    blocks_of(key, 0, out, in, blocks, counter, y);
}

const struct xc_gcm_ops xc_gcm_zvkned = {
    .key_size = key_size,
    .set_key = set_key,
    .set_brief_key = set_brief_key,
    .block = block,
    .hash = hash,
    .seal_blocks = seal_blocks,
    .open_blocks = open_blocks,
};
