/* openssl.c — libcrypto through its EVP functions. */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CTRL_GCM_GET_TAG = 0x10,
    CTRL_GCM_SET_TAG = 0x11
};

/* The functions, by their own names; the types behind void * are libcrypto's. */
struct evp {
    void *library;
    void *(*EVP_CIPHER_CTX_new)(void);
    void (*EVP_CIPHER_CTX_free)(void *);
    int (*EVP_CIPHER_CTX_ctrl)(void *, int, int, void *);
    int (*EVP_CIPHER_CTX_set_padding)(void *, int);
    int (*EVP_CipherInit_ex)(void *, const void *, void *, const uint8_t *, const uint8_t *, int);
    int (*EVP_EncryptInit_ex)(void *, const void *, void *, const uint8_t *, const uint8_t *);
    int (*EVP_DecryptInit_ex)(void *, const void *, void *, const uint8_t *, const uint8_t *);
    int (*EVP_EncryptUpdate)(void *, uint8_t *, int *, const uint8_t *, int);
    int (*EVP_DecryptUpdate)(void *, uint8_t *, int *, const uint8_t *, int);
    int (*EVP_EncryptFinal_ex)(void *, uint8_t *, int *);
    int (*EVP_DecryptFinal_ex)(void *, uint8_t *, int *);
    /* Deprecated, and quicker than what took their place; not looked for before CMAC is asked for. */
    void *(*CMAC_CTX_new)(void);
    void (*CMAC_CTX_free)(void *);
    int (*CMAC_Init)(void *, const void *, size_t, const void *, void *);
    int (*CMAC_Update)(void *, const void *, size_t);
    int (*CMAC_Final)(void *, uint8_t *, size_t *);
};

struct work {
    const struct evp *evp;
    void *ctx;
};

static void must(int good) { peer_must(good, "libcrypto"); }

static void seal(struct impl *impl, const uint8_t *in, uint8_t *out, uint8_t *tag)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const struct evp *e = w->evp;
    int n, good;
    good = e->EVP_EncryptInit_ex(w->ctx, NULL, NULL, NULL, impl->nonce);
    good &= e->EVP_EncryptUpdate(w->ctx, NULL, &n, j->aad, AAD);
    good &= e->EVP_EncryptUpdate(w->ctx, out, &n, in, (int)j->size);
    good &= e->EVP_EncryptFinal_ex(w->ctx, out + j->size, &n);
    good &= e->EVP_CIPHER_CTX_ctrl(w->ctx, CTRL_GCM_GET_TAG, TAG, tag);
    must(good);
}

static void open_(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const struct evp *e = w->evp;
    int n, good;
    good = e->EVP_DecryptInit_ex(w->ctx, NULL, NULL, NULL, j->nonce);
    good &= e->EVP_DecryptUpdate(w->ctx, NULL, &n, j->aad, AAD);
    good &= e->EVP_DecryptUpdate(w->ctx, j->out, &n, j->in, (int)j->size);
    good &= e->EVP_CIPHER_CTX_ctrl(w->ctx, CTRL_GCM_SET_TAG, TAG, (void *)(uintptr_t)j->tag);
    good &= e->EVP_DecryptFinal_ex(w->ctx, j->out + j->size, &n);
    must(good);
}

static void mac(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const struct evp *e = w->evp;
    int n, good;
    good = e->EVP_EncryptInit_ex(w->ctx, NULL, NULL, NULL, impl->nonce);
    good &= e->EVP_EncryptUpdate(w->ctx, NULL, &n, j->in, (int)j->size);
    good &= e->EVP_EncryptFinal_ex(w->ctx, j->out, &n);
    good &= e->EVP_CIPHER_CTX_ctrl(w->ctx, CTRL_GCM_GET_TAG, TAG, j->out);
    must(good);
}

static void crypt_(struct impl *impl, const uint8_t *in, uint8_t *out)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const struct evp *e = w->evp;
    int n, good;
    if (j->op->decrypt) {
        good = e->EVP_DecryptInit_ex(w->ctx, NULL, NULL, NULL, impl->nonce);
        good &= e->EVP_DecryptUpdate(w->ctx, out, &n, in, (int)j->size);
    } else {
        good = e->EVP_EncryptInit_ex(w->ctx, NULL, NULL, NULL, impl->nonce);
        good &= e->EVP_EncryptUpdate(w->ctx, out, &n, in, (int)j->size);
    }
    must(good);
}

/* The context stays and gets a key, which is its fastest way. */
static void key(struct impl *impl)
{
    struct work *w = impl->context;
    must(w->evp->EVP_EncryptInit_ex(w->ctx, NULL, NULL, impl->job->key, NULL));
}

PEER_LOOPS(seal, open_, mac, crypt_, key);

static void cmac(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    size_t n;
    int good = w->evp->CMAC_Init(w->ctx, NULL, 0, NULL, NULL); /* again, with the same key */
    good &= w->evp->CMAC_Update(w->ctx, j->in, j->size);
    good &= w->evp->CMAC_Final(w->ctx, j->out, &n);
    must(good);
}

static void run_cmac(struct impl *impl, size_t calls) { loop_mac(impl, calls, cmac); }

static void done_cmac(struct impl *impl)
{
    struct work *w = impl->context;
    w->evp->CMAC_CTX_free(w->ctx);
    free(w);
}

static int offer_cmac(struct evp *e, struct impl *impl, const struct job *job)
{
    void *l = e->library;
    const void *(*cipher)(void);
    if (!library_symbol(l, &e->CMAC_CTX_new, "CMAC_CTX_new") ||
        !library_symbol(l, &e->CMAC_CTX_free, "CMAC_CTX_free") ||
        !library_symbol(l, &e->CMAC_Init, "CMAC_Init") ||
        !library_symbol(l, &e->CMAC_Update, "CMAC_Update") ||
        !library_symbol(l, &e->CMAC_Final, "CMAC_Final") ||
        !library_symbol(l, &cipher, job->key_bits == 128 ? "EVP_aes_128_cbc" : "EVP_aes_256_cbc"))
        return 0;
    struct work *w = peer_memory(sizeof *w);
    w->evp = e;
    w->ctx = e->CMAC_CTX_new();
    must(w->ctx && e->CMAC_Init(w->ctx, job->key, job->key_len, cipher(), NULL));
    impl->run = run_cmac;
    impl->context = w;
    impl->done = done_cmac;
    return 1;
}

static void done(struct impl *impl)
{
    struct work *w = impl->context;
    w->evp->EVP_CIPHER_CTX_free(w->ctx);
    free(w);
}

static int offer(const struct peer *peer, struct impl *impl, const struct job *job)
{
    struct evp *e = peer->library;
    char name[64];
    const void *(*cipher)(void);
    if (strcmp(job->op->mode, "cmac") == 0)
        return offer_cmac(e, impl, job);
    snprintf(name, sizeof name, "EVP_aes_%d_%s", job->key_bits, job->op->mode);
    if (job->size > 1 << 30 || !take_loop(impl, &loops) || !library_symbol(e->library, &cipher, name))
        return 0;

    struct work *w = peer_memory(sizeof *w);
    w->evp = e;
    w->ctx = e->EVP_CIPHER_CTX_new();
    must(w->ctx && e->EVP_CipherInit_ex(w->ctx, cipher(), NULL, job->key, job->nonce, !job->op->decrypt));
    e->EVP_CIPHER_CTX_set_padding(w->ctx, 0);
    impl->context = w;
    impl->done = done;
    return 1;
}

/* What this CPU may be for libcrypto, in the form of its own variable: without AES-NI, PCLMULQDQ and their wide
 * forms, and without SSSE3 as well, which leaves it its C tables. libcrypto reads it when it is loaded. */
static const char *mask_of(const char *peer)
{
    if (strcmp(peer, "openssl-no-aes") == 0)
        return "~0x200000200000000:~0x60000000000";
    if (strcmp(peer, "openssl-c") == 0)
        return "~0x200020200000000:~0x60000000000";
    return NULL;
}

void openssl_load(struct peer *peer, const char *file)
{
    static const char *const names[] = { "libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1",
                                         "libcrypto.so", NULL };
    struct evp *e = peer_memory(sizeof *e);
    if (mask_of(peer->name))
        setenv("OPENSSL_ia32cap", mask_of(peer->name), 1);
    void *l = e->library =
        library_open(peer, file, names, "no libcrypto is installed (Debian package: libssl3)");
    peer->library = e;
    peer->offer = offer;
    if (!l)
        return;
    int good = library_symbol(l, &e->EVP_CIPHER_CTX_new, "EVP_CIPHER_CTX_new");
    good &= library_symbol(l, &e->EVP_CIPHER_CTX_free, "EVP_CIPHER_CTX_free");
    good &= library_symbol(l, &e->EVP_CIPHER_CTX_ctrl, "EVP_CIPHER_CTX_ctrl");
    good &= library_symbol(l, &e->EVP_CIPHER_CTX_set_padding, "EVP_CIPHER_CTX_set_padding");
    good &= library_symbol(l, &e->EVP_CipherInit_ex, "EVP_CipherInit_ex");
    good &= library_symbol(l, &e->EVP_EncryptInit_ex, "EVP_EncryptInit_ex");
    good &= library_symbol(l, &e->EVP_DecryptInit_ex, "EVP_DecryptInit_ex");
    good &= library_symbol(l, &e->EVP_EncryptUpdate, "EVP_EncryptUpdate");
    good &= library_symbol(l, &e->EVP_DecryptUpdate, "EVP_DecryptUpdate");
    good &= library_symbol(l, &e->EVP_EncryptFinal_ex, "EVP_EncryptFinal_ex");
    good &= library_symbol(l, &e->EVP_DecryptFinal_ex, "EVP_DecryptFinal_ex");
    if (!good) {
        peer->absent = "that library lacks functions of libcrypto's EVP";
        return;
    }
    const char *(*version)(int);
    const char *words = library_symbol(l, &version, "OpenSSL_version") ? version(0) : "libcrypto";
    size_t len = strcspn(words, " "); /* "OpenSSL 3.0.17 1 Jul 2025": the number is enough */
    if (words[len])
        len += 1 + strcspn(words + len + 1, " ");
    snprintf(peer->version, sizeof peer->version, "%.*s%s", (int)(len < 40 ? len : 40), words,
             !mask_of(peer->name)                   ? ""
             : strcmp(peer->name, "openssl-c") == 0 ? " in plain C"
                                                    : " without AES-NI");
}
