/* aead.c — the public AEAD functions: checks, one-shot messages, what happens when a tag is wrong. */
#include "../util/equal.h"
#include "../util/wipe.h"
#include "check.h"
#include "objects.h"

#include <string.h>

int xorcore_aead_new(xorcore_aead **out, int algorithm, const uint8_t *key, size_t key_len, size_t tag_len,
                     const char *kernel)
{
    if (!out)
        return XORCORE_E_ARG;
    *out = NULL;
    const struct xc_aead_mode *mode = xc_aead_mode(algorithm);
    if (!mode || xc_missing(key, key_len))
        return XORCORE_E_ARG;
    if (!xc_has_key(mode->key_lengths, key_len))
        return XORCORE_E_KEY_LENGTH;
    if (!xc_has_tag(mode->tag_lengths, tag_len))
        return XORCORE_E_TAG_LENGTH;

    struct xc_choice choice;
    int r = mode->choose(&choice, kernel);
    if (r)
        return r;
    xorcore_aead *a = xc_object_new(sizeof *a + mode->key_size(&choice), &choice);
    if (!a)
        return XORCORE_E_MEMORY;
    a->mode = mode;
    a->tag_len = tag_len;
    mode->set_key(a->key, &choice, key, key_len);
    *out = a;
    return XORCORE_OK;
}

void xorcore_aead_free(xorcore_aead *aead) { xc_object_release(aead ? &aead->object : NULL); }

const char *xorcore_aead_kernel(const xorcore_aead *aead) { return aead ? aead->object.kernel : NULL; }

/* ---- checks ------------------------------------------------------------------------------------------------ *
 *
 * Short messages spend much of their time in here, so there are two of each: `usual` is quick and sometimes
 * wrong about a call that is fine; what it does not pass goes to the exact check, which knows the error. */

static int usual(const xorcore_aead *aead, const struct xc_message *m, const uint8_t *tag)
{
    if (!aead || !m->out || !m->in || !m->nonce || !m->aad || !tag)
        return 0;
    const struct xc_aead_mode *mode = aead->mode;
    if (m->nonce_len < mode->nonce_min || m->nonce_len > mode->nonce_max || m->len > mode->text_max ||
        m->aad_len > mode->aad_max || m->tag_len != aead->tag_len)
        return 0;
    return !(xc_near(m->out, m->len, m->nonce, m->nonce_len) || xc_near(m->out, m->len, m->aad, m->aad_len) ||
             xc_near(m->out, m->len, tag, m->tag_len) || (m->out != m->in && xc_near(m->out, m->len, m->in, m->len)));
}

static int missing(const xorcore_aead *aead, const struct xc_message *m, const uint8_t *tag)
{
    return (aead == NULL) | xc_missing(m->out, m->len) | xc_missing(m->in, m->len) |
           xc_missing(m->nonce, m->nonce_len) | xc_missing(m->aad, m->aad_len) | xc_missing(tag, m->tag_len);
}

static int bad_nonce(const xorcore_aead *aead, const struct xc_message *m)
{
    return m->nonce_len < aead->mode->nonce_min || m->nonce_len > aead->mode->nonce_max;
}

static int over_limit(const xorcore_aead *aead, const struct xc_message *m)
{
    return m->len > xc_aead_text_max(aead->mode, m->nonce_len) || m->aad_len > aead->mode->aad_max;
}

/* `out` against everything that is read, but for a tag. */
static int out_clashes(const struct xc_message *m)
{
    return xc_partly(m->out, m->in, m->len) || xc_touch(m->out, m->len, m->nonce, m->nonce_len) ||
           xc_touch(m->out, m->len, m->aad, m->aad_len);
}

/* The tag that is written, against everything but `out`. */
static int tag_clashes(const struct xc_message *m, const uint8_t *tag)
{
    return xc_touch(tag, m->tag_len, m->in, m->len) || xc_touch(tag, m->tag_len, m->nonce, m->nonce_len) ||
           xc_touch(tag, m->tag_len, m->aad, m->aad_len);
}

static int usual_tag(const struct xc_message *m, const uint8_t *tag)
{
    return !(xc_near(tag, m->tag_len, m->in, m->len) || xc_near(tag, m->tag_len, m->nonce, m->nonce_len) ||
             xc_near(tag, m->tag_len, m->aad, m->aad_len));
}

static __attribute__((noinline)) int check_seal(const xorcore_aead *aead, const struct xc_message *m, const uint8_t *tag)
{
    if (missing(aead, m, tag))
        return XORCORE_E_ARG;
    if (bad_nonce(aead, m))
        return XORCORE_E_NONCE_LENGTH;
    if (m->tag_len != aead->tag_len)
        return XORCORE_E_TAG_LENGTH;
    if (over_limit(aead, m))
        return XORCORE_E_LIMIT;
    if (out_clashes(m) || xc_touch(tag, m->tag_len, m->out, m->len) || tag_clashes(m, tag))
        return XORCORE_E_OVERLAP;
    return XORCORE_OK;
}

/* A tag of another length is no error of the call: it is wrong. */
static __attribute__((noinline)) int check_open(const xorcore_aead *aead, const struct xc_message *m, const uint8_t *tag)
{
    if (missing(aead, m, tag))
        return XORCORE_E_ARG;
    if (bad_nonce(aead, m))
        return XORCORE_E_NONCE_LENGTH;
    if (over_limit(aead, m))
        return XORCORE_E_LIMIT;
    if (out_clashes(m) || xc_touch(m->out, m->len, tag, m->tag_len))
        return XORCORE_E_OVERLAP;
    return XORCORE_OK;
}

/* ---- messages ---------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) void seal_short_tag(const xorcore_aead *aead, const struct xc_message *m, uint8_t *tag)
{
    uint8_t whole[XC_BLOCK];
    aead->mode->seal(aead->key, m, whole);
    memcpy(tag, whole, m->tag_len);
    xc_wipe(whole, sizeof whole); /* what a short tag leaves out is nobody's to see */
}

void xc_aead_seal_message(const xorcore_aead *aead, const struct xc_message *m, uint8_t *tag)
{
    if (m->tag_len == XC_BLOCK)
        aead->mode->seal(aead->key, m, tag);
    else
        seal_short_tag(aead, m, tag);
}

int xorcore_aead_seal(const xorcore_aead *aead, uint8_t *out, uint8_t *tag, size_t tag_len,
                      const uint8_t *nonce, size_t nonce_len, const uint8_t *in, size_t in_len,
                      const uint8_t *aad, size_t aad_len)
{
    const struct xc_message m = {out, in, in_len, nonce, nonce_len, aad, aad_len, tag_len};
    if (!usual(aead, &m, tag) || !usual_tag(&m, tag)) {
        const int r = check_seal(aead, &m, tag);
        if (r)
            return r;
    }
    xc_aead_seal_message(aead, &m, tag);
    return XORCORE_OK;
}

/* The tag that the message ought to have, against the one that it has: 1 or 0. */
static __attribute__((noinline)) int open_short_tag(const xorcore_aead *aead, const struct xc_message *m,
                                                    const uint8_t *tag)
{
    uint8_t given[XC_BLOCK] = {0}, ought[XC_BLOCK];
    memcpy(given, tag, m->tag_len);
    aead->mode->open(aead->key, m, given, ought);
    const int ok = xc_equal(given, ought, m->tag_len);
    xc_wipe(ought, sizeof ought); /* a right tag for a forged message is a secret */
    return ok;
}

int xc_aead_open_message(const xorcore_aead *aead, const struct xc_message *m, const uint8_t *tag)
{
    int ok;
    if (m->tag_len == XC_BLOCK) {
        uint8_t ought[XC_BLOCK];
        aead->mode->open(aead->key, m, tag, ought);
        ok = xc_equal(tag, ought, XC_BLOCK);
        xc_wipe(ought, sizeof ought);
    } else {
        ok = open_short_tag(aead, m, tag);
    }
    if (!ok && m->len)
        xc_wipe(m->out, m->len);
    return ok ? XORCORE_OK : XORCORE_E_AUTH;
}

int xorcore_aead_open(const xorcore_aead *aead, uint8_t *out, const uint8_t *nonce, size_t nonce_len,
                      const uint8_t *in, size_t in_len, const uint8_t *tag, size_t tag_len,
                      const uint8_t *aad, size_t aad_len)
{
    const struct xc_message m = {out, in, in_len, nonce, nonce_len, aad, aad_len, tag_len};
    if (!usual(aead, &m, tag)) {
        const int r = check_open(aead, &m, tag);
        if (r)
            return r;
    }
    if (tag_len == aead->tag_len)
        return xc_aead_open_message(aead, &m, tag);
    if (in_len)
        xc_wipe(out, in_len);
    return XORCORE_E_AUTH;
}
