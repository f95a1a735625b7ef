/* libgcrypt.c — libgcrypt's ciphers. */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Constants of its ABI. */
enum {
    AES128 = 7,
    AES256 = 9,
    CMAC_AES = 201,
    CTL_RESET = 4,
    DISABLE_SECMEM = 37,
    INITIALIZATION_FINISHED = 38
};

struct gcry {
    const char *(*gcry_check_version)(const char *);
    unsigned (*gcry_control)(int, ...);
    unsigned (*gcry_cipher_open)(void **, int, int, unsigned);
    void (*gcry_cipher_close)(void *);
    unsigned (*gcry_cipher_setkey)(void *, const void *, size_t);
    unsigned (*gcry_cipher_setiv)(void *, const void *, size_t);
    unsigned (*gcry_cipher_setctr)(void *, const void *, size_t);
    unsigned (*gcry_cipher_authenticate)(void *, const void *, size_t);
    unsigned (*gcry_cipher_encrypt)(void *, void *, size_t, const void *, size_t);
    unsigned (*gcry_cipher_decrypt)(void *, void *, size_t, const void *, size_t);
    unsigned (*gcry_cipher_gettag)(void *, void *, size_t);
    unsigned (*gcry_cipher_checktag)(void *, const void *, size_t);
    unsigned (*gcry_mac_open)(void **, int, unsigned, void *);
    void (*gcry_mac_close)(void *);
    unsigned (*gcry_mac_ctl)(void *, int, void *, size_t);
    unsigned (*gcry_mac_setkey)(void *, const void *, size_t);
    unsigned (*gcry_mac_write)(void *, const void *, size_t);
    unsigned (*gcry_mac_read)(void *, void *, size_t *);
};

struct work {
    const struct gcry *gcry;
    void *cipher;
    int counter; /* CTR takes its IV by another function */
};

static void must(unsigned error) { peer_must(error == 0, "libgcrypt"); }

static void seal(struct impl *impl, const uint8_t *in, uint8_t *out, uint8_t *tag)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const struct gcry *g = w->gcry;
    unsigned error = g->gcry_cipher_setiv(w->cipher, impl->nonce, j->nonce_len);
    error |= g->gcry_cipher_authenticate(w->cipher, j->aad, AAD);
    error |= g->gcry_cipher_encrypt(w->cipher, out, j->size, in, j->size);
    error |= g->gcry_cipher_gettag(w->cipher, tag, TAG);
    must(error);
}

static void open_(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const struct gcry *g = w->gcry;
    unsigned error = g->gcry_cipher_setiv(w->cipher, j->nonce, j->nonce_len);
    error |= g->gcry_cipher_authenticate(w->cipher, j->aad, AAD);
    error |= g->gcry_cipher_decrypt(w->cipher, j->out, j->size, j->in, j->size);
    error |= g->gcry_cipher_checktag(w->cipher, j->tag, TAG);
    must(error);
}

static void mac(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const struct gcry *g = w->gcry;
    unsigned error = g->gcry_cipher_setiv(w->cipher, impl->nonce, j->nonce_len);
    error |= g->gcry_cipher_authenticate(w->cipher, j->in, j->size);
    error |= g->gcry_cipher_gettag(w->cipher, j->out, TAG);
    must(error);
}

static void crypt_(struct impl *impl, const uint8_t *in, uint8_t *out)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const struct gcry *g = w->gcry;
    unsigned error = w->counter ? g->gcry_cipher_setctr(w->cipher, impl->nonce, j->nonce_len)
                                : g->gcry_cipher_setiv(w->cipher, impl->nonce, j->nonce_len);
    error |= (j->op->decrypt ? g->gcry_cipher_decrypt : g->gcry_cipher_encrypt)(w->cipher, out, j->size, in,
                                                                                j->size);
    must(error);
}

static void key(struct impl *impl)
{
    struct work *w = impl->context;
    must(w->gcry->gcry_cipher_setkey(w->cipher, impl->job->key, impl->job->key_len));
}

PEER_LOOPS(seal, open_, mac, crypt_, key);

static void cmac(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const struct gcry *g = w->gcry;
    size_t n = TAG;
    unsigned error = g->gcry_mac_ctl(w->cipher, CTL_RESET, NULL, 0);
    error |= g->gcry_mac_write(w->cipher, j->in, j->size);
    error |= g->gcry_mac_read(w->cipher, j->out, &n);
    must(error);
}

static void run_cmac(struct impl *impl, size_t calls) { loop_mac(impl, calls, cmac); }

static void done_cmac(struct impl *impl)
{
    struct work *w = impl->context;
    w->gcry->gcry_mac_close(w->cipher);
    free(w);
}

static int offer_cmac(const struct gcry *g, struct impl *impl, const struct job *job)
{
    struct work *w = peer_memory(sizeof *w);
    w->gcry = g;
    must(g->gcry_mac_open(&w->cipher, CMAC_AES, 0, NULL));
    must(g->gcry_mac_setkey(w->cipher, job->key, job->key_len));
    impl->run = run_cmac;
    impl->context = w;
    impl->done = done_cmac;
    return 1;
}

static void done(struct impl *impl)
{
    struct work *w = impl->context;
    w->gcry->gcry_cipher_close(w->cipher);
    free(w);
}

static int offer(const struct peer *peer, struct impl *impl, const struct job *job)
{
    static const struct {
        const char *mode;
        int number;
    } modes[] = { { "cfb128", 2 }, { "cbc", 3 }, { "ofb", 5 }, { "ctr", 6 }, { "gcm", 9 }, { "xts", 13 } };
    const struct gcry *g = peer->library;
    int mode = 0;
    if (strcmp(job->op->mode, "cmac") == 0)
        return offer_cmac(g, impl, job);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(job->op->mode, modes[i].mode) == 0)
            mode = modes[i].number;
    if (!mode || !take_loop(impl, &loops))
        return 0;
    struct work *w = peer_memory(sizeof *w);
    w->gcry = g;
    w->counter = strcmp(job->op->mode, "ctr") == 0;
    must(g->gcry_cipher_open(&w->cipher, job->key_bits == 128 ? AES128 : AES256, mode, 0));
    must(g->gcry_cipher_setkey(w->cipher, job->key, job->key_len));
    impl->context = w;
    impl->done = done;
    return 1;
}

void libgcrypt_load(struct peer *peer, const char *file)
{
    static const char *const names[] = { "libgcrypt.so.20", NULL };
    struct gcry *g = peer_memory(sizeof *g);
    void *l =
        library_open(peer, file, names, "no libgcrypt.so.20 is installed (Debian package: libgcrypt20)");
    peer->library = g;
    peer->offer = offer;
    if (!l)
        return;
    int good = library_symbol(l, &g->gcry_check_version, "gcry_check_version");
    good &= library_symbol(l, &g->gcry_control, "gcry_control");
    good &= library_symbol(l, &g->gcry_cipher_open, "gcry_cipher_open");
    good &= library_symbol(l, &g->gcry_cipher_close, "gcry_cipher_close");
    good &= library_symbol(l, &g->gcry_cipher_setkey, "gcry_cipher_setkey");
    good &= library_symbol(l, &g->gcry_cipher_setiv, "gcry_cipher_setiv");
    good &= library_symbol(l, &g->gcry_cipher_setctr, "gcry_cipher_setctr");
    good &= library_symbol(l, &g->gcry_cipher_authenticate, "gcry_cipher_authenticate");
    good &= library_symbol(l, &g->gcry_cipher_encrypt, "gcry_cipher_encrypt");
    good &= library_symbol(l, &g->gcry_cipher_decrypt, "gcry_cipher_decrypt");
    good &= library_symbol(l, &g->gcry_cipher_gettag, "gcry_cipher_gettag");
    good &= library_symbol(l, &g->gcry_cipher_checktag, "gcry_cipher_checktag");
    good &= library_symbol(l, &g->gcry_mac_open, "gcry_mac_open");
    good &= library_symbol(l, &g->gcry_mac_close, "gcry_mac_close");
    good &= library_symbol(l, &g->gcry_mac_ctl, "gcry_mac_ctl");
    good &= library_symbol(l, &g->gcry_mac_setkey, "gcry_mac_setkey");
    good &= library_symbol(l, &g->gcry_mac_write, "gcry_mac_write");
    good &= library_symbol(l, &g->gcry_mac_read, "gcry_mac_read");
    if (!good) {
        peer->absent = "that library lacks functions of libgcrypt";
        return;
    }
    snprintf(peer->version, sizeof peer->version, "libgcrypt %s", g->gcry_check_version(NULL));
    g->gcry_control(DISABLE_SECMEM, 0);
    g->gcry_control(INITIALIZATION_FINISHED, 0);
}
