/* cmac.c — CMAC over any aes kernel (SP 800-38B). */
#include "cmac.h"

#include "../util/bytes.h"
#include "../xor/xor_tiny.h"
#include "aes_key.h"
#include "mac.h"
#include "xorcore.h"

/* The subkeys lie before the AES key, which begins at the next 64 bytes. */
struct key {
    uint8_t k1[XC_BLOCK], k2[XC_BLOCK];
};

_Static_assert(sizeof(struct key) <= XC_ALIGN, "the AES key begins at the next 64 bytes");

static const struct xc_aes_key *aes(const void *key) { return (const void *)((const uint8_t *)key + XC_ALIGN); }

void xc_cmac_double(uint8_t block[16])
{
    const uint64_t high = xc_load64_be(block), low = xc_load64_be(block + 8);
    xc_store64_be(block, high << 1 | low >> 63);
    xc_store64_be(block + 8, low << 1 ^ (0x87 & (0 - (high >> 63))));
}

static size_t key_size(const struct xc_choice *choice) { return XC_ALIGN + xc_aes_key_size(choice); }

static void set_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len)
{
    struct key *k = key;
    xc_aes_set_key((void *)((uint8_t *)key + XC_ALIGN), choice->aes, bytes, len, 0);
    memset(k->k1, 0, XC_BLOCK);
    xc_aes_encrypt(aes(key), k->k1, k->k1, 1);
    xc_cmac_double(k->k1);
    memcpy(k->k2, k->k1, XC_BLOCK);
    xc_cmac_double(k->k2);
}

static void begin(const void *key, union xc_mac_state *state, const uint8_t *nonce, size_t nonce_len)
{
    (void)key;
    (void)nonce;
    (void)nonce_len;
    memset(&state->cmac, 0, sizeof state->cmac);
}

/* n <= 16 bytes. */
static struct xc_halves last_of(const uint8_t *data, size_t n)
{
    return n == XC_BLOCK ? xc_load_block(data) : xc_load_halves(data, n);
}

static void update(const void *key, union xc_mac_state *state, const uint8_t *data, size_t n)
{
    struct xc_cmac_state *s = &state->cmac;
    if (!n)
        return;
    if (s->used) {
        const size_t room = XC_BLOCK - (size_t)s->used, m = n < room ? n : room;
        xc_copy_small(s->held + s->used, data, m);
        s->used = (uint8_t)(s->used + m);
        data += m;
        n -= m;
        if (!n)
            return;
        xc_aes_mac(aes(key), s->held, 1, s->chain); /* more follows, so it was not the last */
    }
    const size_t blocks = (n - 1) / XC_BLOCK;
    if (blocks)
        xc_aes_mac(aes(key), data, blocks, s->chain);
    s->used = (uint8_t)(n - blocks * XC_BLOCK);
    xc_store_halves(s->held, last_of(data + blocks * XC_BLOCK, s->used));
}

/* The last block of a message, of which n bytes are there and zeros behind them, as it goes into the chain. By itself:
 * with its caller, compilers have kept the subkey in registers that the kernel then saves on the stack. */
static __attribute__((noinline)) void complete(const struct key *k, uint8_t block[16], struct xc_halves halves,
                                               size_t n)
{
    const uint64_t end = 0x80;
    if (n < 8)
        halves.low |= end << 8 * n;
    else if (n < XC_BLOCK)
        halves.high |= end << (8 * (n - 8));
    xc_store_halves(block, xc_halves_sum(halves, xc_load_block(n < XC_BLOCK ? k->k2 : k->k1)));
}

static void finish(const void *key, union xc_mac_state *state, uint8_t tag[16])
{
    struct xc_cmac_state *s = &state->cmac;
    complete(key, s->held, xc_load_block(s->held), s->used);
    xc_aes_mac(aes(key), s->held, 1, s->chain);
    memcpy(tag, s->chain, XC_BLOCK);
}

static int begin_run(const void *key, struct xc_run *run)
{
    if (!aes(key)->ops->mac_lanes)
        return 0;
    xc_run_begin(run, aes(key)->ops->mac_lanes, aes(key));
    return 1;
}

static struct xc_lane_end *add(const void *key, struct xc_run *run, const uint8_t *data, size_t n)
{
    const size_t before = n ? (n - 1) / XC_BLOCK : 0, done = before * XC_BLOCK;
    struct xc_lane_end *end = xc_run_add(run, NULL, data, before, NULL);
    complete(key, end->last, last_of(n ? data + done : data, n - done), n - done);
    end->has_last = 1;
    return end;
}

/* 4 to 16 bytes. */
#define TAGS ((uint32_t)0x1fff0)

const struct xc_mac_mode xc_mac_cmac = {
    .algorithm = XORCORE_AES_CMAC,
    .key_lengths = XC_KEYS_AES,
    .tag_lengths = TAGS,
    .nonce_min = 0,
    .nonce_max = 0,
    .data_max = UINT64_MAX,
    .choose = xc_choose_aes,
    .key_size = key_size,
    .set_key = set_key,
    .begin = begin,
    .update = update,
    .finish = finish,
    .begin_run = begin_run,
    .add = add,
};
