/* ipsec_mb.c — Intel's ipsec-mb: GCM by its direct functions, CBC and CTR by its bursts of jobs.
 *
 * Its functions are called through pointers in a structure, so this file is built only where its header is. */
#include "peer.h"

#include <intel-ipsec-mb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages of one call. */
enum {
    JOBS_MAX = 64,
    LANE_MAX = 65520 /* the lanes of CBC encryption count bytes in 16 bits */
};

struct work {
    _Alignas(64) struct gcm_key_data gcm_key;
    struct gcm_context_data gcm;
    _Alignas(16) uint32_t encrypt_key[15 * 4];
    _Alignas(16) uint32_t decrypt_key[15 * 4];
    IMB_MGR *mgr;
    IMB_JOB jobs[JOBS_MAX];
    uint8_t ivs[JOBS_MAX][16];
    int big; /* 256 bits of key */
};

static void must(int good) { peer_must(good, "ipsec-mb"); }

static void seal(struct impl *impl, const uint8_t *in, uint8_t *out, uint8_t *tag)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    if (w->big)
        IMB_AES256_GCM_ENC(w->mgr, &w->gcm_key, &w->gcm, out, in, j->size, impl->nonce, j->aad, AAD, tag,
                           TAG);
    else
        IMB_AES128_GCM_ENC(w->mgr, &w->gcm_key, &w->gcm, out, in, j->size, impl->nonce, j->aad, AAD, tag,
                           TAG);
}

/* The comparison is the caller's. */
static void open_(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    uint8_t tag[TAG];
    if (w->big)
        IMB_AES256_GCM_DEC(w->mgr, &w->gcm_key, &w->gcm, j->out, j->in, j->size, j->nonce, j->aad, AAD, tag,
                           TAG);
    else
        IMB_AES128_GCM_DEC(w->mgr, &w->gcm_key, &w->gcm, j->out, j->in, j->size, j->nonce, j->aad, AAD, tag,
                           TAG);
    must(memcmp(tag, j->tag, TAG) == 0);
}

static void mac(struct impl *impl)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    if (w->big) {
        IMB_AES256_GMAC_INIT(w->mgr, &w->gcm_key, &w->gcm, impl->nonce, j->nonce_len);
        IMB_AES256_GMAC_UPDATE(w->mgr, &w->gcm_key, &w->gcm, j->in, j->size);
        IMB_AES256_GMAC_FINALIZE(w->mgr, &w->gcm_key, &w->gcm, j->out, TAG);
    } else {
        IMB_AES128_GMAC_INIT(w->mgr, &w->gcm_key, &w->gcm, impl->nonce, j->nonce_len);
        IMB_AES128_GMAC_UPDATE(w->mgr, &w->gcm_key, &w->gcm, j->in, j->size);
        IMB_AES128_GMAC_FINALIZE(w->mgr, &w->gcm_key, &w->gcm, j->out, TAG);
    }
}

static void set_key(struct work *w, const struct job *j)
{
    if (w->big)
        IMB_AES256_GCM_PRE(w->mgr, j->key, &w->gcm_key);
    else
        IMB_AES128_GCM_PRE(w->mgr, j->key, &w->gcm_key);
}

static void key(struct impl *impl) { set_key(impl->context, impl->job); }

/* All messages of a call in one burst, done when it returns. */
static void run_burst(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    struct work *w = impl->context;
    const uint32_t count = (uint32_t)j->op->messages;
    const IMB_CIPHER_MODE mode = j->op->mode[1] == 'b' ? IMB_CIPHER_CBC : IMB_CIPHER_CNTR;
    const IMB_CIPHER_DIRECTION direction = j->op->decrypt ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT;
    const IMB_KEY_SIZE_BYTES size = w->big ? IMB_KEY_256_BYTES : IMB_KEY_128_BYTES;
    for (size_t i = 0; i < calls; i++) {
        for (uint32_t k = 0; k < count; k++) {
            memcpy(w->ivs[k], impl->nonce, 16);
            next_nonce(impl->nonce);
        }
        must(IMB_SUBMIT_CIPHER_BURST_NOCHECK(w->mgr, w->jobs, count, mode, direction, size) == count);
    }
}

PEER_GCM_LOOPS(seal, open_, mac, key);
static const struct loops loops = { run_seal, run_open, run_mac, run_burst, run_key, run_key_and_seal };

static void done(struct impl *impl) { free(impl->context); }

static int offer(const struct peer *peer, struct impl *impl, const struct job *job)
{
    const int gcm = strcmp(job->op->mode, "gcm") == 0;
    if (job->op->messages > JOBS_MAX ||
        !(gcm || strcmp(job->op->mode, "cbc") == 0 || strcmp(job->op->mode, "ctr") == 0) ||
        !take_loop(impl, &loops))
        return 0;
    struct work *w = peer_memory(sizeof *w);
    w->mgr = peer->library;
    w->big = job->key_bits == 256;
    if (gcm) {
        set_key(w, job);
    } else if (job->size == 0 || (job->size > LANE_MAX && job->op->mode[1] == 'b' && !job->op->decrypt)) {
        free(w);
        return 0;
    } else {
        if (w->big)
            IMB_AES_KEYEXP_256(w->mgr, job->key, w->encrypt_key, w->decrypt_key);
        else
            IMB_AES_KEYEXP_128(w->mgr, job->key, w->encrypt_key, w->decrypt_key);
        for (size_t k = 0; k < job->op->messages; k++) {
            IMB_JOB *one = &w->jobs[k];
            one->enc_keys = w->encrypt_key;
            one->dec_keys = w->decrypt_key;
            one->key_len_in_bytes = job->key_len;
            one->src = job->in + k * job->size;
            one->dst = job->out + k * job->size;
            one->msg_len_to_cipher_in_bytes = job->size;
            one->iv = w->ivs[k];
            one->iv_len_in_bytes = 16;
        }
    }
    impl->context = w;
    impl->done = done;
    return 1;
}

void ipsec_mb_load(struct peer *peer, const char *file)
{
    static const char *const names[] = { "libIPSec_MB.so.1", NULL };
    IMB_MGR *(*alloc)(uint64_t);
    void (*init)(IMB_MGR *, IMB_ARCH *);
    const char *(*version)(void);
    void *l =
        library_open(peer, file, names, "no libIPSec_MB.so.1 is installed (Debian package: libipsec-mb1)");
    peer->offer = offer;
    if (!l)
        return;
    if (!library_symbol(l, &alloc, "alloc_mb_mgr") || !library_symbol(l, &init, "init_mb_mgr_auto") ||
        !library_symbol(l, &version, "imb_get_version_str")) {
        peer->absent = "that library lacks functions of ipsec-mb";
        return;
    }
    /* The structure behind all the pointers belongs to the version whose header was read. */
    if (strcmp(version(), IMB_VERSION_STR) != 0) {
        peer->absent =
            "it has another version than the header that this was built with (" IMB_VERSION_STR ")";
        return;
    }
    IMB_MGR *mgr = alloc(0);
    must(mgr != NULL);
    init(mgr, NULL);
    peer->library = mgr;
    snprintf(peer->version, sizeof peer->version, "ipsec-mb %s", version());
}
