/* ours.c — the operations through the library's public functions. */
#include "bench.h"

#include <xorcore.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call that fails would be a fast one. */
static void must(int result)
{
    if (result != XORCORE_OK) {
        fprintf(stderr, "xorcore-bench: %s\n", xorcore_result_text(result));
        exit(1);
    }
}

/* ---- XOR ------------------------------------------------------------------------------------------- */

static void run_xor(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    int result = XORCORE_OK;
    if (j->kernel)
        for (size_t i = 0; i < calls; i++)
            result |= xorcore_xor_on(j->kernel, j->out, j->in, j->in2, j->size);
    else
        for (size_t i = 0; i < calls; i++)
            result |= xorcore_xor(j->out, j->in, j->in2, j->size);
    must(result);
}

static void run_xor_random(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    int result = XORCORE_OK;
    if (j->kernel)
        for (size_t i = 0; i < calls; i++)
            result |= xorcore_xor_on(j->kernel, j->out, j->in, j->in2, next_size(impl));
    else
        for (size_t i = 0; i < calls; i++)
            result |= xorcore_xor(j->out, j->in, j->in2, next_size(impl));
    must(result);
}

static void run_xor_many(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    const uint8_t *src[8];
    for (size_t k = 0; k < j->op->messages; k++)
        src[k] = j->in + k * j->stride;
    int result = XORCORE_OK;
    if (j->kernel)
        for (size_t i = 0; i < calls; i++)
            result |= xorcore_xor_many_on(j->kernel, j->out, src, j->op->messages, j->size);
    else
        for (size_t i = 0; i < calls; i++)
            result |= xorcore_xor_many(j->out, src, j->op->messages, j->size);
    must(result);
}

static void run_xor_repeat(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    int result = XORCORE_OK;
    if (j->kernel)
        for (size_t i = 0; i < calls; i++)
            result |= xorcore_xor_repeat_on(j->kernel, j->out, j->in, j->size, j->key, j->op->repeat, 0);
    else
        for (size_t i = 0; i < calls; i++)
            result |= xorcore_xor_repeat(j->out, j->in, j->size, j->key, j->op->repeat, 0);
    must(result);
}

/* ---- AEAD, MAC, cipher ----------------------------------------------------------------------------- */

static void run_seal(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    int result = XORCORE_OK;
    for (size_t i = 0; i < calls; i++) {
        result |= xorcore_aead_seal(impl->object, j->out, j->out + j->size, TAG, impl->nonce, j->nonce_len,
                                    j->in, j->size, j->aad, AAD);
        next_nonce(impl->nonce);
    }
    must(result);
}

static void run_open(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    int result = XORCORE_OK;
    for (size_t i = 0; i < calls; i++)
        result |= xorcore_aead_open(impl->object, j->out, j->nonce, j->nonce_len, j->in, j->size, j->tag, TAG,
                                    j->aad, AAD);
    must(result);
}

static void run_mac(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    int result = XORCORE_OK;
    for (size_t i = 0; i < calls; i++) {
        result |= xorcore_mac_compute(impl->object, j->out, TAG, impl->nonce, j->nonce_len, j->in, j->size);
        next_nonce(impl->nonce);
    }
    must(result);
}

static void run_encrypt(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    int result = XORCORE_OK;
    for (size_t i = 0; i < calls; i++) {
        result |= xorcore_cipher_encrypt(impl->object, j->out, impl->nonce, j->nonce_len, j->in, j->size);
        next_nonce(impl->nonce);
    }
    must(result);
}

static void run_decrypt(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    int result = XORCORE_OK;
    for (size_t i = 0; i < calls; i++) {
        result |= xorcore_cipher_decrypt(impl->object, j->out, impl->nonce, j->nonce_len, j->in, j->size);
        next_nonce(impl->nonce);
    }
    must(result);
}

static void run_key(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls; i++) {
        xorcore_aead *aead;
        must(xorcore_aead_new(&aead, j->op->algorithm, j->key, j->key_len, TAG, j->kernel));
        xorcore_aead_free(aead);
    }
}

/* A key for one message. */
static void run_key_and_seal(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    int result = XORCORE_OK;
    for (size_t i = 0; i < calls; i++) {
        xorcore_aead *aead;
        must(xorcore_aead_new(&aead, j->op->algorithm, j->key, j->key_len, TAG, j->kernel));
        result |= xorcore_aead_seal(aead, j->out, j->out + j->size, TAG, impl->nonce, j->nonce_len, j->in,
                                    j->size, j->aad, AAD);
        xorcore_aead_free(aead);
        next_nonce(impl->nonce);
    }
    must(result);
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* The arena `aux`: the AAD, then a nonce a message. */
struct rows {
    uint8_t *aux;
    size_t aux_len;
    xorcore_row rows[];
};

static void new_nonces(struct impl *impl, struct rows *r)
{
    const struct job *j = impl->job;
    for (size_t k = 0; k < j->op->messages; k++) {
        memcpy(r->aux + AAD + k * j->nonce_len, impl->nonce, j->nonce_len);
        next_nonce(impl->nonce);
    }
}

static void run_cipher_rows(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    struct rows *r = impl->context;
    const size_t all = j->op->messages * j->size;
    for (size_t i = 0; i < calls; i++) {
        new_nonces(impl, r);
        must(xorcore_cipher_encrypt_rows(impl->object, j->out, all, j->in, all, r->aux, r->aux_len,
                                         j->nonce_len, r->rows, j->op->messages, sizeof(xorcore_row)));
    }
}

static void run_seal_rows(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    struct rows *r = impl->context;
    for (size_t i = 0; i < calls; i++) {
        new_nonces(impl, r);
        must(xorcore_aead_seal_rows(impl->object, j->out, j->out_len, j->in, j->op->messages * j->size,
                                    r->aux, r->aux_len, j->nonce_len, r->rows, j->op->messages,
                                    sizeof(xorcore_row)));
    }
}

static struct rows *rows_new(const struct job *j)
{
    const size_t count = j->op->messages;
    struct rows *r = calloc(1, sizeof *r + count * sizeof(xorcore_row));
    if (!r)
        return NULL;
    r->aux_len = AAD + count * j->nonce_len;
    r->aux = calloc(r->aux_len, 1);
    if (!r->aux) {
        free(r);
        return NULL;
    }
    memcpy(r->aux, j->aad, AAD);
    for (size_t k = 0; k < count; k++) {
        r->rows[k].in_at = r->rows[k].out_at = k * j->size;
        r->rows[k].len = j->size;
        r->rows[k].nonce_at = AAD + k * j->nonce_len;
        r->rows[k].aad_len = AAD;
        r->rows[k].tag_at = count * j->size + k * TAG;
    }
    return r;
}

/* ---- one implementation ------------------------------------------------------------------------------ */

static void done_aead(struct impl *impl) { xorcore_aead_free(impl->object); }
static void done_mac(struct impl *impl) { xorcore_mac_free(impl->object); }
static void done_cipher(struct impl *impl) { xorcore_cipher_free(impl->object); }

static void rows_free(struct impl *impl)
{
    struct rows *r = impl->context;
    if (r)
        free(r->aux);
    free(r);
    impl->context = NULL;
}

static void done_aead_rows(struct impl *impl)
{
    rows_free(impl);
    done_aead(impl);
}

static void done_cipher_rows(struct impl *impl)
{
    rows_free(impl);
    done_cipher(impl);
}

static int new_aead(struct impl *impl, const struct job *j)
{
    xorcore_aead *aead;
    const int result = xorcore_aead_new(&aead, j->op->algorithm, j->key, j->key_len, TAG, j->kernel);
    impl->object = aead;
    impl->kernel = xorcore_aead_kernel(aead);
    impl->done = done_aead;
    return result;
}

static int new_mac(struct impl *impl, const struct job *j)
{
    xorcore_mac *mac;
    const int result = xorcore_mac_new(&mac, j->op->algorithm, j->key, j->key_len, TAG, j->kernel);
    impl->object = mac;
    impl->kernel = xorcore_mac_kernel(mac);
    impl->done = done_mac;
    return result;
}

static int new_cipher(struct impl *impl, const struct job *j)
{
    xorcore_cipher *cipher;
    const int result = xorcore_cipher_new(&cipher, j->op->algorithm, j->key, j->key_len, j->kernel);
    impl->object = cipher;
    impl->kernel = xorcore_cipher_kernel(cipher);
    impl->done = done_cipher;
    return result;
}

static const char *default_xor(void)
{
    xorcore_kernel k;
    for (size_t i = 0; xorcore_kernel_at(i, &k, sizeof k) == XORCORE_OK; i++)
        if (strcmp(k.family, "xor") == 0 && k.flags & XORCORE_KERNEL_DEFAULT)
            return k.name;
    return "";
}

static int new_xor(struct impl *impl, const struct job *j)
{
    impl->kernel = j->kernel ? j->kernel : default_xor();
    return xorcore_xor_on(j->kernel, NULL, NULL, NULL, 0); /* is there such a kernel? */
}

int ours_new(struct impl *impl, const struct job *job)
{
    int result;
    memset(impl, 0, sizeof *impl);
    impl->name = "xorcore";
    impl->job = job;
    impl->bytes = job->bytes;
    memcpy(impl->nonce, job->nonce, sizeof impl->nonce);
    switch (job->op->shape) {
    case SHAPE_XOR: impl->run = run_xor; return new_xor(impl, job);
    case SHAPE_XOR_RANDOM: impl->run = run_xor_random; return new_xor(impl, job);
    case SHAPE_XOR_MANY: impl->run = run_xor_many; return new_xor(impl, job);
    case SHAPE_XOR_REPEAT: impl->run = run_xor_repeat; return new_xor(impl, job);
    case SHAPE_SEAL: impl->run = run_seal; return new_aead(impl, job);
    case SHAPE_OPEN: impl->run = run_open; return new_aead(impl, job);
    case SHAPE_MAC: impl->run = run_mac; return new_mac(impl, job);
    case SHAPE_CIPHER: impl->run = job->op->decrypt ? run_decrypt : run_encrypt; return new_cipher(impl, job);
    case SHAPE_KEY:
        impl->run = run_key;
        impl->prove = run_seal;
        return new_aead(impl, job);
    case SHAPE_KEY_AND_SEAL: impl->run = run_key_and_seal; return new_aead(impl, job);
    case SHAPE_CIPHER_ROWS:
        result = new_cipher(impl, job);
        impl->run = run_cipher_rows;
        impl->done = done_cipher_rows;
        break;
    case SHAPE_SEAL_ROWS:
        result = new_aead(impl, job);
        impl->run = run_seal_rows;
        impl->done = done_aead_rows;
        break;
    default: return XORCORE_E_ARG;
    }
    if (result == XORCORE_OK && !(impl->context = rows_new(job)))
        result = XORCORE_E_MEMORY;
    return result;
}

void ours_done(struct impl *impl)
{
    if (impl->done)
        impl->done(impl);
}

/* ---- the library's rows ------------------------------------------------------------------------------------ */

const char *family_of(const struct op *op)
{
    if (!op->keyed)
        return "xor";
    return strcmp(op->mode, "gcm") == 0 ? "gcm" : "aes";
}
