/* cipher.c — the way through a message that all cipher modes share: open block, whole units, open block. */
#include "cipher.h"

#include "../util/bytes.h"
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"
#include "ctr.h"

#include <string.h>

/* n < 16 bytes against the open block. */
static void through_pad(const struct xc_cipher_mode *mode, struct xc_cipher_state *state, int encrypt,
                        uint8_t *out, const uint8_t *in, size_t n)
{
    const size_t used = state->used;
    const struct xc_halves text = xc_load_halves(in, n);
    const struct xc_halves result = xc_halves_sum(text, xc_halves_down(xc_load_block(state->pad), used));
    if (mode->feedback)
        xc_store_first(state->chain + used, encrypt ? result : text, n);
    xc_store_first(out, result, n);
    state->used = (uint8_t)(used + n) % XC_BLOCK;
}

void xc_cipher_update(const struct xc_cipher_mode *mode, const struct xc_aes_key *key,
                      struct xc_cipher_state *state, int encrypt, uint8_t *out, const uint8_t *in, size_t n)
{
    if (state->used) {
        const size_t room = XC_BLOCK - (size_t)state->used, m = n < room ? n : room;
        through_pad(mode, state, encrypt, out, in, m);
        out += m;
        in += m;
        n -= m;
    }
    const size_t units = mode->unit == 1 ? n : n / XC_BLOCK, done = units * mode->unit; /* no division */
    if (units)
        mode->units(key, encrypt, out, in, units, state->chain);
    if (n > done) {
        mode->open(key, state->chain, state->pad);
        through_pad(mode, state, encrypt, out + done, in + done, n - done);
    }
}

void xc_cipher_message(const struct xc_cipher_mode *mode, const struct xc_aes_key *key, int encrypt, uint8_t *out,
                       const uint8_t *in, size_t n, const uint8_t *iv)
{
    struct xc_cipher_state state;
    state.used = 0;
    if (iv)
        xc_copy_halves(state.chain, iv);
    if (mode->message) {
        mode->message(key, out, in, n, state.chain);
        return; /* a counter is no secret */
    }
    xc_cipher_update(mode, key, &state, encrypt, out, in, n);
    xc_wipe(&state, sizeof state);
}

void xc_cipher_seek(const struct xc_cipher_mode *mode, const struct xc_aes_key *key,
                    struct xc_cipher_state *state, const uint8_t iv[16], uint64_t offset)
{
    memcpy(state->chain, iv, XC_BLOCK);
    xc_counter_add(state->chain, offset / XC_BLOCK);
    state->used = offset % XC_BLOCK;
    if (state->used)
        mode->open(key, state->chain, state->pad);
}

xc_lanes_slot *xc_cipher_side_by_side(const struct xc_cipher_mode *mode, const struct xc_aes_key *key, int encrypt)
{
    return mode->side_by_side ? mode->side_by_side(key->ops, encrypt) : NULL;
}

/* The bytes behind the last whole block become one, whose rest is zeros and comes to nothing. */
struct xc_lane_end *xc_cipher_add(struct xc_run *run, uint8_t *out, const uint8_t *iv, const uint8_t *in, size_t n)
{
    const size_t whole = n / XC_BLOCK, done = whole * XC_BLOCK;
    struct xc_lane_end *end = xc_run_add(run, out, in, whole, iv);
    if (n > done) {
        xc_store_halves(end->last, xc_load_halves(in + done, n - done));
        end->has_last = 1;
        end->bytes = (uint8_t)(n - done);
        end->out = out + done;
    }
    return end;
}

const struct xc_cipher_mode *xc_cipher_mode(int algorithm)
{
    static const struct xc_cipher_mode *const modes[] = {&xc_cipher_ecb,  &xc_cipher_cbc, &xc_cipher_cfb128,
                                                         &xc_cipher_cfb8, &xc_cipher_ofb, &xc_cipher_ctr};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (modes[i]->algorithm == algorithm)
            return modes[i];
    return NULL;
}
