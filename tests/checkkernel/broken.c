/* broken.c — kernels that are wrong on purpose: each must be reported, for the fault that it has.
 *
 * Every one is the portable kernel with one fault of the kinds that such code has had in public. */
#include "check.h"

#include <stdio.h>
#include <string.h>

static const struct xc_xor_ops *good_xor;
static const struct xc_aes_ops *good_aes;
static const struct xc_ghash_ops *good_ghash;
static const struct xc_gcm_ops *good_gcm;
static struct xc_choice good_parts;
static volatile uint8_t sink;

/* ---- xor --------------------------------------------------------------------------------------- */

static int wrong_tail(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    good_xor->two(dst, a, b, n);
    if (n > 128 && n % 32 == 29)
        dst[n - 1] ^= 1;
    return 0;
}

static int past_end(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    good_xor->two(dst, a, b, n);
    if (n == 77)
        dst[n] ^= 0x10;
    return 0;
}

static int before_start(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    good_xor->two(dst, a, b, n);
    if (n == 33)
        dst[-1] = 0;
    return 0;
}

static int reads_past(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n > 15)
        sink = b[n];
    good_xor->two(dst, a, b, n);
    return 0;
}

static int reads_before(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n > 15)
        sink = a[-1];
    good_xor->two(dst, a, b, n);
    return 0;
}

static int not_in_place(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    /* Head and tail overlap and the tail is loaded after the head was stored. */
    size_t half = (n + 1) / 2;
    good_xor->two(dst, a, b, half);
    if (n > 16)
        half -= 1;
    good_xor->two(dst + half, a + half, b + half, n - half);
    return 0;
}

static int changes_input(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    good_xor->two(dst, a, b, n);
    if (n > 2 && dst != b && a != b)
        ((uint8_t *)b)[n / 2] ^= 4;
    return 0;
}

static int only_aligned(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    good_xor->two(dst, a, b, n);
    if (n && ((uintptr_t)a & 63) == 37)
        dst[0] ^= 1;
    return 0;
}

static int loses_register(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    good_xor->two(dst, a, b, n);
    if (n > 256)
        regs_break();
    return 0;
}

static void forgets_source(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    memset(dst, 0, n); /* wrong in place, and without the last of many sources */
    for (size_t k = 0; k < count; k++)
        if (k < 15)
            good_xor->two(dst, dst, src[k], n);
}

static void phase_slips(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len,
                        size_t phase)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = src[i] ^ key[(phase + i + (i >= 256 && key_len == 7)) % key_len];
}

/* ---- aes --------------------------------------------------------------------------------------- */

static void ctr_counting(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16],
                         int bytes)
{
    for (size_t at = 0; at < n; at += 16) {
        uint8_t stream[16];
        size_t len = n - at < 16 ? n - at : 16;
        good_aes->encrypt(key, stream, chain, 1);
        for (size_t i = 0; i < len; i++)
            out[at + i] = in[at + i] ^ stream[i];
        for (int i = 15; i >= 16 - bytes && !++chain[i]; i--)
            ;
    }
}

static void ctr_32_bits(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    ctr_counting(key, out, in, n, chain, 4);
}

static void ctr_64_bits(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    ctr_counting(key, out, in, n, chain, 8);
}

static void ctr_chain(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    uint8_t before[16];
    memcpy(before, chain, 16);
    ctr_counting(key, out, in, n, chain, 16);
    if (n / 16 == 0)
        memcpy(chain, before, 16); /* a block that was only begun does not count */
}

static void ctr_whole_blocks(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16])
{
    ctr_counting(key, out, in, (n + 15) & ~(size_t)15, chain, 16);
}

static void reads_long_key(void *key, const uint8_t *bytes, size_t len)
{
    good_aes->set_key(key, bytes, len); /* first: the sweep goes on with this key after the fault */
    for (size_t i = 0; i < 32; i += 16)
        sink = bytes[i + 15];
}

static void writes_key(const void *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    good_aes->encrypt(key, out, in, blocks);
    ((uint8_t *)key)[0] ^=
        1; /* a bit of a round key: the rest, the count of rounds say, would lead out of bounds */
}

static void wrong_192(const void *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    good_aes->encrypt(key, out, in, blocks);
    if (blocks == 9)
        out[16 * 8] ^= 1;
}

static void cbc_in_place(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16])
{
    for (size_t b = 0; b < blocks; b++) {
        const uint8_t *previous = b ? in + 16 * (b - 1) : chain; /* overwritten when out is in */
        uint8_t text[16];
        good_aes->decrypt(key, text, in + 16 * b, 1);
        for (size_t i = 0; i < 16; i++)
            text[i] ^= previous[i];
        if (b == blocks - 1)
            memcpy(chain, in + 16 * b, 16);
        memcpy(out + 16 * b, text, 16);
    }
}

/* Messages side by side, one after the other, which is slow and right, but for the fault. */
static void cbc_lane(const void *key, struct xc_lanes *lanes, size_t i, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        for (size_t k = 0; k < 16; k++)
            lanes->chain[i][k] ^= lanes->in[i][16 * b + k];
        good_aes->encrypt(key, lanes->chain[i], lanes->chain[i], 1);
        memcpy(lanes->out[i] + 16 * b, lanes->chain[i], 16);
    }
}

static void lanes_forget_one(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    for (size_t i = 0; i < count; i++)
        cbc_lane(key, lanes, i, i == 12 && blocks == 9 ? blocks - 1 : blocks);
}

static void lanes_read_ahead(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    for (size_t i = 0; i < count; i++) {
        cbc_lane(key, lanes, i, blocks);
        if (blocks % 4 == 3)
            sink = lanes->in[i][16 * blocks + 15]; /* a group of four, which it is not */
    }
}

static void lanes_write_twice(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    for (size_t i = 0; i < count; i++)
        cbc_lane(key, lanes, i, blocks);
    if (count % 2 && blocks) /* a copy of the last lane fills the register, and comes too late to read its text */
        cbc_lane(key, lanes, count - 1, 1);
}

/* ---- ghash, gcm -------------------------------------------------------------------------------- */

static void loses_backlog(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    good_ghash->update(key, in, blocks > 40 && blocks % 8 == 5 ? blocks - 1 : blocks, y);
}

static void hash_wrong(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16])
{
    good_gcm->hash(key, in, blocks > 64 && blocks % 16 == 1 ? blocks - 1 : blocks, y);
}

static void carries_too_far(const void *key, uint8_t *out, const uint8_t *in, size_t blocks,
                            uint8_t counter[16], uint8_t y[16])
{
    for (size_t b = 0; b < blocks; b++) {
        good_gcm->seal_blocks(key, out + 16 * b, in + 16 * b, 1, counter, y);
        if (!(counter[12] | counter[13] | counter[14] | counter[15]))
            counter[11]++;
    }
}

static void hashes_plaintext(const void *key, uint8_t *out, const uint8_t *in, size_t blocks,
                             uint8_t counter[16], uint8_t y[16])
{
    for (size_t b = 0; b < blocks; b++) {
        good_gcm->open_blocks(key, out + 16 * b, in + 16 * b, 1, counter, y);
        if (b == 7)
            y[0] ^= out[16 * b];
    }
}

/* ---- the proof --------------------------------------------------------------------------------- */

static void expect(const char *what, unsigned kind)
{
    /* Faults of another kind beside it are fine, as long as this one was seen. */
    int seen = (check.kinds & kind) != 0;
    printf("%s %s (%s)\n", seen ? "reported" : "NOT REPORTED", check.label, what);
    if (seen)
        check.passed++;
    else
        check.failed++;
}

static void with_xor(const char *label, const struct xc_xor_ops *ops, const char *what, unsigned kind)
{
    unsigned long passed = check.passed, failed = check.failed;
    check_xor(label, ops);
    check.passed = passed;
    check.failed = failed;
    expect(what, kind);
}

static void with_two(const char *label, int (*two)(uint8_t *, const uint8_t *, const uint8_t *, size_t),
                     const char *what, unsigned kind)
{
    struct xc_xor_ops ops = { two, NULL, NULL };
    with_xor(label, &ops, what, kind);
}

static void with_aes(const char *label, const struct xc_aes_ops *ops, const char *what, unsigned kind)
{
    unsigned long passed = check.passed, failed = check.failed;
    check_aes(label, ops);
    check.passed = passed;
    check.failed = failed;
    expect(what, kind);
}

static void with_ctr(const char *label,
                     void (*ctr)(const void *, uint8_t *, const uint8_t *, size_t, uint8_t[16]),
                     const char *what, unsigned kind)
{
    struct xc_aes_ops ops = { .key_size = good_aes->key_size, .set_key = good_aes->set_key, .ctr = ctr };
    with_aes(label, &ops, what, kind);
}

static void with_gcm(const char *label, const struct xc_gcm_ops *ops, const char *what, unsigned kind)
{
    unsigned long passed = check.passed, failed = check.failed;
    check_gcm(label, ops, &good_parts);
    check.passed = passed;
    check.failed = failed;
    expect(what, kind);
}

void check_proof(void)
{
    struct xc_xor_ops xor_ops;
    struct xc_aes_ops aes_ops;
    struct xc_ghash_ops ghash_ops;
    struct xc_gcm_ops gcm_ops;
    const struct xc_kernel *composed = xc_kernel_named(XC_GCM, "composed", strlen("composed"));

    check.quiet = 1;
    good_xor = xc_kernel_named(XC_XOR, "portable", 8)->ops;
    good_aes = xc_kernel_named(XC_AES, "portable", 8)->ops;
    good_ghash = xc_kernel_named(XC_GHASH, "portable", 8)->ops;
    good_gcm = composed->ops;
    xc_choose_gcm(&good_parts, "portable+portable");

    with_two("xor/wrong_tail", wrong_tail, "a tail of 29 bytes", WRONG_OUTPUT);
    with_two("xor/past_end", past_end, "a write past the end", WRONG_CANARY);
    with_two("xor/before_start", before_start, "a write before the start", WRONG_CANARY);
    with_two("xor/reads_past", reads_past, "a read past the end", WRONG_ACCESS);
    with_two("xor/reads_before", reads_before, "a read before the start", WRONG_ACCESS);
    with_two("xor/not_in_place", not_in_place, "dst is a source", WRONG_OUTPUT);
    with_two("xor/changes_input", changes_input, "an input written", WRONG_INPUT);
    with_two("xor/only_aligned", only_aligned, "one offset of one pointer", WRONG_OUTPUT);
    if (regs_watched())
        with_two("xor/loses_register", loses_register, "a callee-saved register", WRONG_REGISTERS);
    xor_ops = *good_xor;
    xor_ops.many = forgets_source;
    with_xor("xor/forgets_source", &xor_ops, "the last of many sources", WRONG_OUTPUT);
    xor_ops = *good_xor;
    xor_ops.repeat = phase_slips;
    with_xor("xor/phase_slips", &xor_ops, "a phase after the first step", WRONG_OUTPUT);

    with_ctr("aes/ctr_32_bits", ctr_32_bits, "a carry past 32 bits", WRONG_OUTPUT);
    with_ctr("aes/ctr_64_bits", ctr_64_bits, "a carry past 64 bits", WRONG_OUTPUT);
    with_ctr("aes/ctr_chain", ctr_chain, "the counter after part of a block", WRONG_OUTPUT);
    with_ctr("aes/ctr_whole_blocks", ctr_whole_blocks, "whole blocks at the tail",
             WRONG_ACCESS | WRONG_CANARY);
    aes_ops = *good_aes;
    aes_ops.set_key = reads_long_key;
    with_aes("aes/reads_long_key", &aes_ops, "32 bytes of a shorter key", WRONG_ACCESS);
    aes_ops = *good_aes;
    aes_ops.encrypt = writes_key;
    with_aes("aes/writes_key", &aes_ops, "a change of the key block", WRONG_KEY);
    aes_ops = *good_aes;
    aes_ops.encrypt = wrong_192;
    with_aes("aes/wrong_at_nine", &aes_ops, "nine blocks", WRONG_OUTPUT);
    aes_ops = *good_aes;
    aes_ops.cbc_decrypt = cbc_in_place;
    with_aes("aes/cbc_in_place", &aes_ops, "CBC decryption in place", WRONG_OUTPUT);

    static const struct {
        const char *label, *what;
        void (*lanes)(const void *, struct xc_lanes *, size_t, size_t);
        unsigned kind;
    } side[] = {
        { "aes/lanes_forget_one", "a block of one lane", lanes_forget_one, WRONG_OUTPUT },
        { "aes/lanes_read_ahead", "the text behind the last group", lanes_read_ahead, WRONG_ACCESS },
        { "aes/lanes_write_twice", "the odd lane", lanes_write_twice, WRONG_OUTPUT },
    };
    for (size_t i = 0; i < sizeof side / sizeof side[0]; i++) {
        aes_ops = *good_aes;
        aes_ops.lanes = XC_LANES_MAX;
        aes_ops.cbc_encrypt_lanes = side[i].lanes;
        with_aes(side[i].label, &aes_ops, side[i].what, side[i].kind);
    }

    ghash_ops = *good_ghash;
    ghash_ops.update = loses_backlog;
    unsigned long passed = check.passed, failed = check.failed;
    check_ghash("ghash/loses_backlog", &ghash_ops);
    check.passed = passed;
    check.failed = failed;
    expect("a backlog at the end of the loop", WRONG_OUTPUT);

    gcm_ops = *good_gcm;
    gcm_ops.hash = hash_wrong;
    with_gcm("gcm/hash_wrong", &gcm_ops, "a backlog of the hash", WRONG_OUTPUT);
    gcm_ops = *good_gcm;
    gcm_ops.seal_blocks = carries_too_far;
    with_gcm("gcm/carries_too_far", &gcm_ops, "a carry past the last 4 bytes", WRONG_OUTPUT);
    gcm_ops = *good_gcm;
    gcm_ops.open_blocks = hashes_plaintext;
    with_gcm("gcm/hashes_plaintext", &gcm_ops, "a hash over plaintext", WRONG_OUTPUT);
}
