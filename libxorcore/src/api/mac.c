/* mac.c — the public MAC functions: checks and whole messages. */
#include "../util/equal.h"
#include "../util/wipe.h"
#include "check.h"
#include "objects.h"

#include <string.h>

int xorcore_mac_new(xorcore_mac **out, int algorithm, const uint8_t *key, size_t key_len, size_t tag_len,
                    const char *kernel)
{
    if (!out)
        return XORCORE_E_ARG;
    *out = NULL;
    const struct xc_mac_mode *mode = xc_mac_mode(algorithm);
    if (!mode || xc_missing(key, key_len))
        return XORCORE_E_ARG;
    if (!xc_has_key(mode->key_lengths, key_len))
        return XORCORE_E_KEY_LENGTH;
    if (!xc_has_tag(mode->tag_lengths, tag_len))
        return XORCORE_E_TAG_LENGTH;
    struct xc_choice choice;
    const int r = mode->choose(&choice, kernel);
    if (r)
        return r;
    xorcore_mac *m = xc_object_new(sizeof *m + mode->key_size(&choice), &choice);
    if (!m)
        return XORCORE_E_MEMORY;
    m->mode = mode;
    m->tag_len = tag_len;
    mode->set_key(m->key, &choice, key, key_len);
    *out = m;
    return XORCORE_OK;
}

void xorcore_mac_free(xorcore_mac *mac) { xc_object_release(mac ? &mac->object : NULL); }

const char *xorcore_mac_kernel(const xorcore_mac *mac) { return mac ? mac->object.kernel : NULL; }

static int missing(const xorcore_mac *mac, const uint8_t *tag, size_t tag_len, const uint8_t *nonce,
                   size_t nonce_len, const uint8_t *data, size_t n)
{
    return !mac || xc_missing(tag, tag_len) || xc_missing(nonce, nonce_len) || xc_missing(data, n);
}

int xc_mac_check(const xorcore_mac *mac, int making, const uint8_t *tag, size_t tag_len, const uint8_t *nonce,
                 size_t nonce_len, const uint8_t *data, size_t n)
{
    if (missing(mac, tag, tag_len, nonce, nonce_len, data, n))
        return XORCORE_E_ARG;
    if (nonce_len < mac->mode->nonce_min || nonce_len > mac->mode->nonce_max)
        return XORCORE_E_NONCE_LENGTH;
    if (making && tag_len != mac->tag_len)
        return XORCORE_E_TAG_LENGTH;
    if (n > mac->mode->data_max)
        return XORCORE_E_LIMIT;
    if (making && (xc_touch(tag, tag_len, nonce, nonce_len) || xc_touch(tag, tag_len, data, n)))
        return XORCORE_E_OVERLAP;
    return XORCORE_OK;
}

/* The whole 16-byte tag of one message. */
static void whole(const xorcore_mac *mac, const uint8_t *nonce, size_t nonce_len, const uint8_t *data,
                  size_t n, uint8_t tag[16])
{
    if (mac->mode->whole) {
        mac->mode->whole(mac->key, nonce, nonce_len, data, n, tag);
        return;
    }
    union xc_mac_state state;
    mac->mode->begin(mac->key, &state, nonce, nonce_len);
    if (n)
        mac->mode->update(mac->key, &state, data, n);
    mac->mode->finish(mac->key, &state, tag);
    xc_wipe(&state, sizeof state);
}

int xorcore_mac_compute(const xorcore_mac *mac, uint8_t *tag, size_t tag_len, const uint8_t *nonce,
                        size_t nonce_len, const uint8_t *data, size_t n)
{
    const int r = xc_mac_check(mac, 1, tag, tag_len, nonce, nonce_len, data, n);
    if (r)
        return r;
    uint8_t tag16[XC_BLOCK];
    whole(mac, nonce, nonce_len, data, n, tag16);
    memcpy(tag, tag16, tag_len);
    xc_wipe(tag16, sizeof tag16);
    return XORCORE_OK;
}

int xorcore_mac_verify(const xorcore_mac *mac, const uint8_t *tag, size_t tag_len, const uint8_t *nonce,
                       size_t nonce_len, const uint8_t *data, size_t n)
{
    const int r = xc_mac_check(mac, 0, tag, tag_len, nonce, nonce_len, data, n);
    if (r)
        return r;
    if (tag_len != mac->tag_len)
        return XORCORE_E_AUTH;
    uint8_t ought[XC_BLOCK];
    whole(mac, nonce, nonce_len, data, n, ought);
    const int ok = xc_equal(tag, ought, tag_len);
    xc_wipe(ought, sizeof ought); /* a right tag for a forged message is a secret */
    return ok ? XORCORE_OK : XORCORE_E_AUTH;
}
