/* job.c — the buffers of one line of the table, and whether a peer computes what we do. */
#include "bench.h"

#include <xorcore.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stop(const char *what, const char *detail)
{
    fprintf(stderr, "xorcore-bench: %s%s\n", what, detail);
    exit(2);
}

int size_fits(const struct op *op, size_t size)
{
    switch (op->algorithm) {
    case XORCORE_AES_CBC: return size % 16 == 0;
    case XORCORE_AES_XTS: return size >= 16 && size <= 1 << 24;
    default: return op->shape != SHAPE_XOR_RANDOM || (size >= 1 && size <= UINT16_MAX);
    }
}

static uint64_t random_state;

static uint64_t random64(void) /* splitmix64 */
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void fill(uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        const uint64_t word = random64();
        memcpy(p + i, &word, n - i < 8 ? n - i : 8);
    }
}

static void *memory(size_t n)
{
    void *p = calloc(n + !n, 1);
    if (!p)
        stop("no memory", "");
    return p;
}

/* A buffer at the beginning of a cache line, the k-th of a job. Buffers at one offset in their pages would make CPUs
 * take a load for the reader of another buffer's store; so each has an offset of its own. */
static uint8_t *buffer(size_t n, size_t k)
{
    const size_t offset = k * 17 * 64;
    uint8_t *p = aligned_alloc(4096, (offset + n) / 4096 * 4096 + 4096);
    if (!p)
        stop("no memory", "");
    memset(p, 0, offset + n);
    return p + offset;
}

static void buffer_free(uint8_t *p, size_t k) { free(p - k * 17 * 64); }

/* Odd distances from the beginning of a cache line, other ones for each of three buffers. */
static size_t misaligned(int offset, size_t k)
{
    return offset ? (size_t)(offset + (int)k * 10) % 32 | 1 : 0;
}

void job_new(struct job *j, const struct op *op, int key_bits, size_t size, const char *kernel, int offset)
{
    const size_t text = op->messages * size;
    memset(j, 0, sizeof *j);
    /* Messages follow each other; the sources of a parity lie apart, as buffers do. */
    j->stride = op->shape == SHAPE_XOR_MANY ? (size + 63) / 64 * 64 + 17 * 64 : size;
    random_state = size;
    j->op = op;
    j->key_bits = key_bits;
    j->size = size;
    j->bytes = (double)text;
    j->kernel = kernel;
    j->offset = offset;
    j->key_len = (size_t)key_bits / 8 * (op->algorithm == XORCORE_AES_XTS ? 2 : 1);
    fill(j->key, sizeof j->key);
    fill(j->nonce, sizeof j->nonce);
    fill(j->aad, sizeof j->aad);
    j->nonce_len = op->algorithm == XORCORE_AES_CMAC ? 0 : op->mode[0] == 'g' ? 12 : 16;
    j->in = buffer(op->messages * j->stride + 32, 0) + misaligned(offset, 0);
    j->in2 = buffer(size + 32, 1) + misaligned(offset, 1);
    j->out_len = op->shape == SHAPE_XOR_MANY ? size : text;
    if (op->shape == SHAPE_MAC)
        j->out_len = TAG;
    else if (strcmp(op->mode, "gcm") == 0 && !op->decrypt)
        j->out_len += op->messages * TAG;
    j->out = buffer(j->out_len + TAG + 32, 2) + misaligned(offset, 2);
    fill(j->in, op->messages * j->stride);
    fill(j->in2, size);
    if (op->shape == SHAPE_XOR_RANDOM) {
        double sum = 0;
        j->random_sizes = memory(RANDOM_SIZES * sizeof(uint16_t));
        for (size_t i = 0; i < RANDOM_SIZES; i++)
            sum += j->random_sizes[i] = (uint16_t)(1 + random64() % size);
        j->bytes = sum / RANDOM_SIZES;
    }
    if (op->shape == SHAPE_OPEN) {
        xorcore_aead *aead;
        if (xorcore_aead_new(&aead, op->algorithm, j->key, j->key_len, TAG, NULL) != XORCORE_OK ||
            xorcore_aead_seal(aead, j->in, j->tag, TAG, j->nonce, j->nonce_len, j->in, size, j->aad, AAD) !=
                XORCORE_OK)
            stop("no sealed message to open", "");
        xorcore_aead_free(aead);
    }
}

void job_free(struct job *j)
{
    buffer_free(j->in - misaligned(j->offset, 0), 0);
    buffer_free(j->in2 - misaligned(j->offset, 1), 1);
    buffer_free(j->out - misaligned(j->offset, 2), 2);
    free(j->random_sizes);
}

/* ---- comparison ------------------------------------------------------------------------------------------ */

/* What one first call of it writes. */
static uint8_t *first_output(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    memset(j->out, 0xee, j->out_len);
    impl->run(impl, calls);
    if (impl->prove)
        impl->prove(impl, 1);
    uint8_t *copy = memory(j->out_len);
    memcpy(copy, j->out, j->out_len);
    return copy;
}

/* Whether a peer computes what we do. memcpy computes nothing, but has to move the bytes. */
int same_output(struct impl *ours, struct impl *peer)
{
    const struct job *j = ours->job;
    /* With random lengths many calls write over each other, and the longest stands. */
    size_t calls = 1, written = j->out_len;
    if (j->op->shape == SHAPE_XOR_RANDOM) {
        calls = RANDOM_SIZES;
        written = 0;
        for (size_t i = 0; i < RANDOM_SIZES; i++)
            written = j->random_sizes[i] > written ? j->random_sizes[i] : written;
    }
    uint8_t *a = first_output(ours, calls), *b = first_output(peer, calls);
    memcpy(ours->nonce, j->nonce, sizeof ours->nonce); /* so that the next peer meets the same nonces */
    const int same = memcmp(strcmp(peer->name, "memcpy") == 0 ? j->in : a, b, written) == 0;
    free(a);
    free(b);
    return same;
}
