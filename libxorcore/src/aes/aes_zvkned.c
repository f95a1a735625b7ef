/* aes_zvkned.c — AES by RISC-V's vector cryptography, for registers of any length; the rounds are in zvkned.h.
 *
 * A group of four registers holds four blocks where a register has 128 bits, and more in proportion. A turn takes as many as fit or as
 * are left, so that ends are no cases of their own. Registers: round keys 11, state 4, text 4, places of counters 4; mask 1.
 * XTS' tweaks take what the other modes have for places and text.
 *
 * Executed instructions per byte of 16 KiB, AES-128, clang 19, counted by qemu-user, by the bits of a register:
 *
 *                    128     256     512     portable
 *     CTR            0.702   0.374   0.210    49.2
 *     CBC decryption 0.516   0.266   0.140    75.9
 *     CBC encryption 1.515   1.515   1.515   237.9
 *     XTS            0.990   0.506   0.264   (18.6 by encrypt() and what mode/ does around it)
 *
 * CBC of sixteen messages side by side takes 2.0, and one after the other 1.9, but their rounds do not wait for each other's. What
 * that gains nobody has measured. */
#include "../kernel.h"
#include "../util/wipe.h"
#include "zvkned.h"

typedef xc_rvv_words vec;

static void set_key(void *key, const uint8_t *bytes, size_t len)
{
    xc_zvkned_set(key, bytes, len);
}

/* `inverse` is a constant at both calls. */
XC_RVV_INLINE void blocks_of(const struct xc_zvkned_key *key, int inverse, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const xc_zvkned_early early = xc_zvkned_early_of(key);
    const xc_zvkned_late late = xc_zvkned_late_of(key);
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        now = xc_rvv_take(blocks);
        const vec x = xc_rvv_load(in, 16 * now);
        xc_rvv_store(out, inverse ? xc_zvkned_decrypt(x, early, late, key, 4 * now)
                                  : xc_zvkned_encrypt(x, early, late, key, 4 * now), 16 * now);
    }
}

static void encrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    blocks_of(key, 0, out, in, blocks);
}

static void decrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    blocks_of(key, 1, out, in, blocks);
}

/* ---- counters ------------------------------------------------------------------------------------- */

/* Text of n bytes, the last block of which may be partial. x holds what counts of the counters, `first` their constant rest and the
 * first round key: in words of which one or the other is zero. */
XC_RVV_INLINE void stream(vec x, vuint32m1_t first, xc_zvkned_early early, xc_zvkned_late late, const struct xc_zvkned_key *key,
                          uint8_t *out, const uint8_t *in, size_t n, size_t words)
{
    x = xc_zvkned_rounds(xc_zvkned_add(x, first, words), early, late, key, words);
    const vuint8m4_t pad = __riscv_vreinterpret_v_u32m4_u8m4(x);
    __riscv_vse8_v_u8m4(out, __riscv_vxor_vv_u8m4(pad, __riscv_vle8_v_u8m4(in, n), n), n);
}

/* Text of n bytes under counters of which the last byte alone differs: no more than until it wraps. */
static __attribute__((noinline)) void ctr_span(const struct xc_zvkned_key *key, uint8_t *out, const uint8_t *in, size_t n,
                                               const uint8_t counter[16])
{
    const xc_zvkned_early early = xc_zvkned_early_of(key);
    const xc_zvkned_late late = xc_zvkned_late_of(key);
    const size_t most = xc_rvv_take(256);
    const vbool8_t where = xc_zvkned_counting(3, 4 * most);
    const vec place = xc_zvkned_places(where, 24, 4 * most);
    const vuint32m1_t first = xc_zvkned_constant(early, counter, 3, 0xff000000);
    uint32_t number = counter[15];
    while (n != 0) {
        const size_t whole = n / 16 + (n % 16 != 0), now = whole < most ? whole : most;
        const size_t bytes = n < 16 * now ? n : 16 * now;
        const vec x = __riscv_vadd_vx_u32m4_mu(where, place, place, number << 24, 4 * now);
        stream(x, first, early, late, key, out, in, bytes, 4 * now);
        number += (uint32_t)now;
        out += bytes;
        in += bytes;
        n -= bytes;
    }
}

/* Counting is apart from the spans: gcc calls a function to turn bytes round, and would have the round keys on the stack meanwhile. */
static void ctr(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    uint64_t high = xc_load64_be(chain), low = xc_load64_be(chain + 8);
    while (n != 0) {
        const size_t left = 16 * (256 - (size_t)(low & 255)), now = n < left ? n : left;
        ctr_span(key, out, in, now, chain);
        const uint64_t next = low + (now + 15) / 16;
        high += next < low;
        low = next;
        xc_store64_be(chain, high);
        xc_store64_be(chain + 8, low);
        out += now;
        in += now;
        n -= now;
    }
}

/* The first word counts, and wraps alone. */
static void ctr32le(const void *opaque, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    const struct xc_zvkned_key *key = opaque;
    const xc_zvkned_early early = xc_zvkned_early_of(key);
    const xc_zvkned_late late = xc_zvkned_late_of(key);
    const size_t most = xc_rvv_take(256);
    const vbool8_t where = xc_zvkned_counting(0, 4 * most);
    const vec place = xc_zvkned_places(where, 0, 4 * most);
    const vuint32m1_t first = xc_zvkned_constant(early, chain, 0, UINT32_MAX);
    uint32_t number = xc_load32_le(chain);
    while (n != 0) {
        const size_t whole = n / 16 + (n % 16 != 0), now = whole < most ? whole : most;
        const size_t bytes = n < 16 * now ? n : 16 * now;
        const vec x = __riscv_vadd_vx_u32m4_mu(where, place, place, number, 4 * now);
        stream(x, first, early, late, key, out, in, bytes, 4 * now);
        number += (uint32_t)now;
        out += bytes;
        in += bytes;
        n -= bytes;
    }
    xc_store32_le(chain, number);
}

/* ---- CBC and CFB decryption ----------------------------------------------------------------------- */

/* The blocks that stand one place before those of x, of which the first is `before`; and the last block of x. */
XC_RVV_INLINE vec one_before(vec before, vec x, size_t words)
{
    return __riscv_vslideup_vx_u32m4(before, x, 4, words);
}

XC_RVV_INLINE vec last_of(vec x, size_t words)
{
    return __riscv_vslidedown_vx_u32m4(x, words - 4, 4);
}

static void cbc_decrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct xc_zvkned_key *key = opaque;
    const xc_zvkned_early early = xc_zvkned_early_of(key);
    const xc_zvkned_late late = xc_zvkned_late_of(key);
    vec before = xc_rvv_load(chain, 16);
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        now = xc_rvv_take(blocks);
        const vec text = xc_rvv_load(in, 16 * now), previous = one_before(before, text, 4 * now);
        before = last_of(text, 4 * now);
        const vec x = xc_zvkned_decrypt(text, early, late, key, 4 * now);
        xc_rvv_store(out, __riscv_vxor_vv_u32m4(x, previous, 4 * now), 16 * now);
    }
    xc_rvv_store(chain, before, 16);
}

static void cfb_decrypt(const void *opaque, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    const struct xc_zvkned_key *key = opaque;
    const xc_zvkned_early early = xc_zvkned_early_of(key);
    const xc_zvkned_late late = xc_zvkned_late_of(key);
    vec before = xc_rvv_load(chain, 16);
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        now = xc_rvv_take(blocks);
        const vec text = xc_rvv_load(in, 16 * now), previous = one_before(before, text, 4 * now);
        before = last_of(text, 4 * now);
        const vec x = xc_zvkned_encrypt(previous, early, late, key, 4 * now);
        xc_rvv_store(out, __riscv_vxor_vv_u32m4(x, text, 4 * now), 16 * now);
    }
    xc_rvv_store(chain, before, 16);
}

/* ---- modes that go block by block ------------------------------------------------------------------ */

/* What becomes of a block of text and the chain: E is added to the text or taken of the sum, and the chain is what is written, or E
 * itself, or nothing is written. */
enum serial { CBC, CFB, OFB, MAC };

/* The chain after some blocks of text, one of each message; with what is written to `out` in the text's place. */
XC_RVV_INLINE vec serial_step(enum serial mode, vec chain, vec text, xc_zvkned_early early, xc_zvkned_late late,
                              const struct xc_zvkned_key *key, size_t words)
{
    if (mode == CBC || mode == MAC) {
        chain = __riscv_vxor_vv_u32m4(chain, text, words);
    }
    chain = xc_zvkned_encrypt(chain, early, late, key, words);
    return mode == CFB ? __riscv_vxor_vv_u32m4(chain, text, words) : chain;
}

/* `mode` is a constant at every call. */
XC_RVV_INLINE void serial(enum serial mode, const struct xc_zvkned_key *key, uint8_t *out, const uint8_t *in,
                          size_t blocks, uint8_t chain[16])
{
    const xc_zvkned_early early = xc_zvkned_early_of(key);
    const xc_zvkned_late late = xc_zvkned_late_of(key);
    vec x = xc_rvv_load(chain, 16);
    for (; blocks != 0; blocks--, in += 16) {
        const vec text = xc_rvv_load(in, 16);
        x = serial_step(mode, x, text, early, late, key, 4);
        if (mode != MAC) {
            xc_rvv_store(out, mode == OFB ? __riscv_vxor_vv_u32m4(x, text, 4) : x, 16);
            out += 16;
        }
    }
    xc_rvv_store(chain, x, 16);
}

static void cbc_encrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    serial(CBC, key, out, in, blocks, chain);
}

static void cfb_encrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    serial(CFB, key, out, in, blocks, chain);
}

static void ofb(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    serial(OFB, key, out, in, blocks, chain);
}

static void mac(const void *key, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    serial(MAC, key, NULL, in, blocks, chain);
}

/* ---- many messages --------------------------------------------------------------------------------- */

/* A block from one place to another, by registers: C's own copy goes by bytes where no word may stand anywhere. */
XC_RVV_INLINE void copy_block(uint8_t *to, const uint8_t *from)
{
    __riscv_vse8_v_u8m1(to, __riscv_vle8_v_u8m1(from, 16), 16);
}

/* A block of every lane at a time; `mode` is a constant at every call. */
XC_RVV_INLINE void side_by_side(enum serial mode, const struct xc_zvkned_key *key, struct xc_lanes *lanes, size_t count,
                                size_t blocks)
{
    const xc_zvkned_early early = xc_zvkned_early_of(key);
    const xc_zvkned_late late = xc_zvkned_late_of(key);
    uint8_t text[XC_LANES_MAX][16];
    for (size_t at = 0; at != 16 * blocks; at += 16) {
        for (size_t i = 0; i < count; i++) {
            copy_block(text[i], lanes->in[i] + at);
        }
        size_t now;
        for (size_t i = 0; i < count; i += now) {
            now = xc_rvv_take(count - i);
            const vec in = xc_rvv_load(text[i], 16 * now);
            const vec x = serial_step(mode, xc_rvv_load(lanes->chain[i], 16 * now), in, early, late, key, 4 * now);
            xc_rvv_store(lanes->chain[i], x, 16 * now);
            if (mode == OFB) {
                xc_rvv_store(text[i], __riscv_vxor_vv_u32m4(x, in, 4 * now), 16 * now);
            }
        }
        for (size_t i = 0; mode != MAC && i < count; i++) {
            copy_block(lanes->out[i] + at, mode == OFB ? text[i] : lanes->chain[i]);
        }
    }
    xc_wipe(text, sizeof text);
}

static void cbc_encrypt_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    side_by_side(CBC, key, lanes, count, blocks);
}

static void cfb_encrypt_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    side_by_side(CFB, key, lanes, count, blocks);
}

static void ofb_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    side_by_side(OFB, key, lanes, count, blocks);
}

static void mac_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    side_by_side(MAC, key, lanes, count, blocks);
}

/* ---- XTS ------------------------------------------------------------------------------------------- */

/* The tweak times x^place in every block, by halves, of which the upper are odd. The bits that leave the lower half are the upper half's,
 * and those that leave the top come back times x^7 + x^2 + x + 1 (IEEE 1619 5.2); they stay in their half if no place is above 57. */
XC_RVV_INLINE vec tweaks(vuint64m4_t place, vbool16_t odd, uint64_t low, uint64_t high, size_t halves)
{
    vuint64m4_t moved = __riscv_vmerge_vxm_u64m4(__riscv_vmv_v_x_u64m4(low, halves), high, odd, halves);
    vuint64m4_t left = __riscv_vmerge_vxm_u64m4(__riscv_vmv_v_x_u64m4(high, halves), low, odd, halves);
    moved = __riscv_vsll_vv_u64m4(moved, place, halves);
    left = __riscv_vsrl_vx_u64m4(left, 1, halves); /* in two steps: the whole distance is 64 at place 0 */
    left = __riscv_vsrl_vv_u64m4(left, __riscv_vrsub_vx_u64m4(place, 63, halves), halves);
    vuint64m4_t back = __riscv_vxor_vv_u64m4(left, __riscv_vsll_vx_u64m4(left, 1, halves), halves);
    back = __riscv_vxor_vv_u64m4(back, __riscv_vsll_vx_u64m4(left, 2, halves), halves);
    back = __riscv_vxor_vv_u64m4(back, __riscv_vsll_vx_u64m4(left, 7, halves), halves);
    back = __riscv_vmerge_vvm_u64m4(back, left, odd, halves);
    return __riscv_vreinterpret_v_u64m4_u32m4(__riscv_vxor_vv_u64m4(moved, back, halves));
}

/* `inverse` is a constant at both calls. */
XC_RVV_INLINE void xts(const struct xc_zvkned_key *key, int inverse, uint8_t *out, const uint8_t *in, size_t blocks,
                       uint8_t chain[16])
{
    const xc_zvkned_early early = xc_zvkned_early_of(key);
    const xc_zvkned_late late = xc_zvkned_late_of(key);
    const size_t most = xc_rvv_take(32);
    const vuint64m4_t half = __riscv_vid_v_u64m4(2 * most), place = __riscv_vsrl_vx_u64m4(half, 1, 2 * most);
    const vbool16_t odd = __riscv_vmsne_vx_u64m4_b16(__riscv_vand_vx_u64m4(half, 1, 2 * most), 0, 2 * most);
    struct xc_halves tweak = xc_load_block(chain);
    size_t now;
    for (; blocks != 0; blocks -= now, out += 16 * now, in += 16 * now) {
        now = blocks < most ? blocks : most;
        const vec t = tweaks(place, odd, tweak.low, tweak.high, 2 * now);
        vec x = __riscv_vxor_vv_u32m4(xc_rvv_load(in, 16 * now), t, 4 * now);
        x = inverse ? xc_zvkned_decrypt(x, early, late, key, 4 * now) : xc_zvkned_encrypt(x, early, late, key, 4 * now);
        xc_rvv_store(out, __riscv_vxor_vv_u32m4(x, t, 4 * now), 16 * now);
        const uint64_t top = tweak.high >> (64 - now);
        tweak.high = tweak.high << now | tweak.low >> (64 - now);
        tweak.low = tweak.low << now ^ top ^ top << 1 ^ top << 2 ^ top << 7;
    }
    xc_store64_le(chain, tweak.low);
    xc_store64_le(chain + 8, tweak.high);
}

static void xts_encrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    xts(key, 0, out, in, blocks, chain);
}

static void xts_decrypt(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    xts(key, 1, out, in, blocks, chain);
}

const struct xc_aes_ops xc_aes_zvkned = {
    .key_size = sizeof(struct xc_zvkned_key),
    .set_key = set_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .ctr32le = ctr32le,
    .cbc_encrypt = cbc_encrypt,
    .cbc_decrypt = cbc_decrypt,
    .cfb_encrypt = cfb_encrypt,
    .cfb_decrypt = cfb_decrypt,
    .ofb = ofb,
    .xts_encrypt = xts_encrypt,
    .xts_decrypt = xts_decrypt,
    .mac = mac,
    .lanes = XC_LANES_MAX,
    .cbc_encrypt_lanes = cbc_encrypt_lanes,
    .cfb_encrypt_lanes = cfb_encrypt_lanes,
    .ofb_lanes = ofb_lanes,
    .mac_lanes = mac_lanes,
};
