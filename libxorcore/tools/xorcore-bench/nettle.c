/* nettle.c — nettle's ciphers. Its contexts are plain memory of the caller's; the sizes here have room to spare. */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void crypt_blocks(const void *ctx, size_t n, uint8_t *out, const uint8_t *in);
typedef void gcm_text(void *ctx, size_t n, uint8_t *out, const uint8_t *in);
typedef void take_bytes(void *ctx, size_t n, const uint8_t *bytes);
typedef void mode_text(const void *ctx, crypt_blocks *f, size_t block, uint8_t *iv, size_t n, uint8_t *out,
                       const uint8_t *in);

/* What it has for one size of key. */
struct sized {
    void (*gcm_set_key)(void *ctx, const uint8_t *key);
    take_bytes *gcm_set_iv, *gcm_update;
    gcm_text *gcm_encrypt, *gcm_decrypt;
    void (*gcm_digest)(void *ctx, size_t n, uint8_t *tag);
    void (*set_encrypt_key)(void *ctx, const uint8_t *key);
    void (*set_decrypt_key)(void *ctx, const uint8_t *key);
    crypt_blocks *encrypt, *decrypt;
    void (*cbc_encrypt)(const void *ctx, uint8_t *iv, size_t n, uint8_t *out, const uint8_t *in);
    void (*cmac_set_key)(void *ctx, const uint8_t *key);
    take_bytes *cmac_update;
    void (*cmac_digest)(void *ctx, size_t n, uint8_t *tag);
    void (*xts_set_encrypt_key)(void *ctx, const uint8_t *key);
    void (*xts_set_decrypt_key)(void *ctx, const uint8_t *key);
    void (*xts_encrypt)(void *ctx, const uint8_t *tweak, size_t n, uint8_t *out, const uint8_t *in);
    void (*xts_decrypt)(void *ctx, const uint8_t *tweak, size_t n, uint8_t *out, const uint8_t *in);
};

struct nettle {
    mode_text *ctr, *cbc_decrypt, *cfb_encrypt, *cfb_decrypt;
    struct sized aes128, aes256;
};

enum mode {
    MODE_GCM,
    MODE_CTR,
    MODE_CBC,
    MODE_CFB,
    MODE_XTS,
    MODE_CMAC,
    MODES
};

struct work {
    const struct nettle *nettle;
    const struct sized *aes;
    enum mode mode;
    _Alignas(64) uint8_t ctx[8192]; /* GCM's table has 4096 bytes */
};

static void seal(struct impl *impl, const uint8_t *in, uint8_t *out, uint8_t *tag)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    w->aes->gcm_set_iv(w->ctx, j->nonce_len, impl->nonce);
    w->aes->gcm_update(w->ctx, AAD, j->aad);
    w->aes->gcm_encrypt(w->ctx, j->size, out, in);
    w->aes->gcm_digest(w->ctx, TAG, tag);
}

/* The comparison is the caller's. */
static void open_(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    uint8_t tag[TAG];
    w->aes->gcm_set_iv(w->ctx, j->nonce_len, j->nonce);
    w->aes->gcm_update(w->ctx, AAD, j->aad);
    w->aes->gcm_decrypt(w->ctx, j->size, j->out, j->in);
    w->aes->gcm_digest(w->ctx, TAG, tag);
    peer_must(memcmp(tag, j->tag, TAG) == 0, "nettle");
}

static void mac(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    if (w->mode == MODE_CMAC) {
        w->aes->cmac_update(w->ctx, j->size, j->in);
        w->aes->cmac_digest(w->ctx, TAG, j->out); /* and begins anew */
        return;
    }
    w->aes->gcm_set_iv(w->ctx, j->nonce_len, impl->nonce);
    w->aes->gcm_update(w->ctx, j->size, j->in);
    w->aes->gcm_digest(w->ctx, TAG, j->out);
}

static void crypt_(struct impl *impl, const uint8_t *in, uint8_t *out)
{
    const size_t n = impl->job->size;
    const int decrypt = impl->job->op->decrypt;
    struct work *w = impl->context;
    const struct nettle *t = w->nettle;
    uint8_t iv[16];
    memcpy(iv, impl->nonce, sizeof iv); /* it is advanced */
    switch (w->mode) {
    case MODE_CTR: t->ctr(w->ctx, w->aes->encrypt, 16, iv, n, out, in); break;
    case MODE_CBC:
        if (decrypt)
            t->cbc_decrypt(w->ctx, w->aes->decrypt, 16, iv, n, out, in);
        else
            w->aes->cbc_encrypt(w->ctx, iv, n, out, in);
        break;
    case MODE_CFB:
        (decrypt ? t->cfb_decrypt : t->cfb_encrypt)(w->ctx, w->aes->encrypt, 16, iv, n, out, in);
        break;
    default: (decrypt ? w->aes->xts_decrypt : w->aes->xts_encrypt)(w->ctx, iv, n, out, in);
    }
}

static void key(struct impl *impl)
{
    struct work *w = impl->context;
    w->aes->gcm_set_key(w->ctx, impl->job->key);
}

PEER_LOOPS(seal, open_, mac, crypt_, key);

static void done(struct impl *impl) { free(impl->context); }

static int offer(const struct peer *peer, struct impl *impl, const struct job *job)
{
    static const char *const modes[MODES] = { "gcm", "ctr", "cbc", "cfb128", "xts", "cmac" };
    int mode = 0;
    while (mode < MODES && strcmp(job->op->mode, modes[mode]) != 0)
        mode++;
    if (mode == MODES || !take_loop(impl, &loops))
        return 0;
    struct work *w = peer_memory(sizeof *w);
    w->nettle = peer->library;
    w->aes = job->key_bits == 128 ? &w->nettle->aes128 : &w->nettle->aes256;
    w->mode = (enum mode)mode;
    const int inverse = job->op->decrypt && mode == MODE_CBC;
    if (mode == MODE_GCM)
        w->aes->gcm_set_key(w->ctx, job->key);
    else if (mode == MODE_CMAC)
        w->aes->cmac_set_key(w->ctx, job->key);
    else if (mode == MODE_XTS)
        (job->op->decrypt ? w->aes->xts_set_decrypt_key : w->aes->xts_set_encrypt_key)(w->ctx, job->key);
    else
        (inverse ? w->aes->set_decrypt_key : w->aes->set_encrypt_key)(w->ctx, job->key);
    impl->context = w;
    impl->done = done;
    return 1;
}

static int find_sized(void *library, struct sized *s, int bits)
{
    const struct {
        void *function;
        const char *name;
    } list[] = { { &s->gcm_set_key, "gcm_aes%d_set_key" },
                 { &s->gcm_set_iv, "gcm_aes%d_set_iv" },
                 { &s->gcm_update, "gcm_aes%d_update" },
                 { &s->gcm_encrypt, "gcm_aes%d_encrypt" },
                 { &s->gcm_decrypt, "gcm_aes%d_decrypt" },
                 { &s->gcm_digest, "gcm_aes%d_digest" },
                 { &s->set_encrypt_key, "aes%d_set_encrypt_key" },
                 { &s->set_decrypt_key, "aes%d_set_decrypt_key" },
                 { &s->encrypt, "aes%d_encrypt" },
                 { &s->decrypt, "aes%d_decrypt" },
                 { &s->cbc_encrypt, "cbc_aes%d_encrypt" },
                 { &s->cmac_set_key, "cmac_aes%d_set_key" },
                 { &s->cmac_update, "cmac_aes%d_update" },
                 { &s->cmac_digest, "cmac_aes%d_digest" },
                 { &s->xts_set_encrypt_key, "xts_aes%d_set_encrypt_key" },
                 { &s->xts_set_decrypt_key, "xts_aes%d_set_decrypt_key" },
                 { &s->xts_encrypt, "xts_aes%d_encrypt_message" },
                 { &s->xts_decrypt, "xts_aes%d_decrypt_message" } };
    int good = 1;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const char *number = strchr(list[i].name, '%');
        char name[64];
        snprintf(name, sizeof name, "nettle_%.*s%d%s", (int)(number - list[i].name), list[i].name, bits,
                 number + 2);
        good &= library_symbol(library, list[i].function, name);
    }
    return good;
}

void nettle_load(struct peer *peer, const char *file)
{
    static const char *const names[] = { "libnettle.so.8", NULL }; /* 3.6 and later, whose ABI this is */
    struct nettle *t = peer_memory(sizeof *t);
    void *l = library_open(peer, file, names, "no libnettle.so.8 is installed (Debian package: libnettle8)");
    peer->library = t;
    peer->offer = offer;
    if (!l)
        return;
    int (*major)(void), (*minor)(void);
    int good = library_symbol(l, &t->ctr, "nettle_ctr_crypt");
    good &= library_symbol(l, &t->cbc_decrypt, "nettle_cbc_decrypt");
    good &= library_symbol(l, &t->cfb_encrypt, "nettle_cfb_encrypt");
    good &= library_symbol(l, &t->cfb_decrypt, "nettle_cfb_decrypt");
    good &= library_symbol(l, &major, "nettle_version_major");
    good &= library_symbol(l, &minor, "nettle_version_minor");
    good &= find_sized(l, &t->aes128, 128);
    good &= find_sized(l, &t->aes256, 256);
    if (!good)
        peer->absent = "that library lacks functions of nettle (3.8 has them: cbc_aes128_encrypt)";
    else
        snprintf(peer->version, sizeof peer->version, "nettle %d.%d", major(), minor());
}
