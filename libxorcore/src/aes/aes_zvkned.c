/* aes_zvkned.c — AES by RISC-V's vector cryptography, for registers of any length; the rounds are in zvkned.h.
 *
 * A group of four registers holds four blocks where a register has 128 bits, and more in proportion. A turn takes as many as fit or as
 * are left, so that ends are no cases of their own. Registers: round keys 11, state 4, text 4, places of counters 4; mask 1.
 * Executed instructions per byte of 16 KiB, AES-128, clang 19, counted by qemu-user, by the bits of a register:
 *
 *                    128     256     512     portable
 *     CTR            0.702   0.374   0.210    49.2
 *     CBC decryption 0.516   0.266   0.140    75.9
 *     CBC encryption 1.515   1.515   1.515   237.9 */
#include "../kernel.h"
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
    .mac = mac,
};
