/* demo.c — the library's main job from C, on real files: what each operation gives goes into a folder.
 *
 *     demo FOLDER FILE...
 *
 * prints one line an operation (name, megabytes a second, kernel) and leaves its result in FOLDER/name, where
 * docs/demo/run.py compares it with the other languages' and with a reference. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <xorcore.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SHARDS = 4,
    LOST = 2,
    NONCE = 12,
    TAG = 16,
    SECTOR = 4096,
    FIRST_SECTOR = 1000,
    RECORDS = 1000,
    RECORD = 64
};

static const uint8_t mask_key[] = "xorcore"; /* its 7 letters */
static const uint8_t aad[] = "libxorcore demo";

/* What the operations work on. */
struct demo {
    const char *folder;
    const uint8_t *text; /* all files, one after the other */
    size_t n;

    size_t shard; /* a quarter of the text, the last one filled up with zeros */
    const uint8_t *shards[SHARDS];
    const uint8_t *left[SHARDS]; /* what there is to rebuild from: three shards and the parity */
    uint8_t *parity, *rebuilt, *masked, *unmasked;

    uint8_t key[64], nonce[NONCE]; /* XTS takes all of the key, the others half of it */
    xorcore_aead *aead;
    uint8_t *sealed, *opened, *flipped; /* sealed, flipped: the ciphertext, then the tag */

    xorcore_cipher *cipher;
    uint8_t iv[16], *encrypted, *slice;
    size_t slice_at, slice_len;

    uint8_t tweak[16], *sectors; /* whole sectors, filled up with zeros */
    size_t sectors_len;

    xorcore_row rows[RECORDS];
    uint8_t *records, *packets;                    /* a packet is a record's ciphertext, then its tag */
    uint8_t aux[sizeof aad - 1 + RECORDS * NONCE]; /* the AAD of all, and a nonce for each */
};

/* ---- the operations -------------------------------------------------------------------------------- */

static int parity(struct demo *d) { return xorcore_xor_many(d->parity, d->shards, SHARDS, d->shard); }

static int rebuild(struct demo *d)
{
    return xorcore_xor_many(d->rebuilt + LOST * d->shard, d->left, SHARDS, d->shard);
}

static int mask(struct demo *d)
{
    return xorcore_xor_repeat(d->masked, d->text, d->n, mask_key, sizeof mask_key - 1, 0);
}

/* In two pieces: the second says how many bytes went before. */
static int unmask(struct demo *d)
{
    const size_t half = d->n / 2;
    const int result = xorcore_xor_repeat(d->unmasked, d->masked, half, mask_key, sizeof mask_key - 1, 0);
    if (result != XORCORE_OK)
        return result;
    return xorcore_xor_repeat(d->unmasked + half, d->masked + half, d->n - half, mask_key,
                              sizeof mask_key - 1, half);
}

static int seal(struct demo *d)
{
    return xorcore_aead_seal(d->aead, d->sealed, d->sealed + d->n, TAG, d->nonce, NONCE, d->text, d->n, aad,
                             sizeof aad - 1);
}

static int open(struct demo *d)
{
    return xorcore_aead_open(d->aead, d->opened, d->nonce, NONCE, d->sealed, d->n, d->sealed + d->n, TAG, aad,
                             sizeof aad - 1);
}

/* One bit is not what it was: that has to be refused, and nothing of the text given away. */
static int refuse(struct demo *d)
{
    const int result = xorcore_aead_open(d->aead, d->opened, d->nonce, NONCE, d->flipped, d->n,
                                         d->flipped + d->n, TAG, aad, sizeof aad - 1);
    if (result == XORCORE_OK) {
        fprintf(stderr, "demo: a flipped bit was not noticed\n");
        exit(1);
    }
    return result == XORCORE_E_AUTH ? XORCORE_OK : result;
}

static int ctr(struct demo *d)
{
    return xorcore_cipher_encrypt(d->cipher, d->encrypted, d->iv, sizeof d->iv, d->text, d->n);
}

/* A few bytes from the middle, without what stands before them. */
static int slice(struct demo *d)
{
    return xorcore_cipher_ctr_at(d->cipher, d->slice, d->iv, sizeof d->iv, d->slice_at,
                                 d->encrypted + d->slice_at, d->slice_len);
}

static int sectors(struct demo *d)
{
    return xorcore_cipher_sectors(d->cipher, XORCORE_ENCRYPT, d->encrypted, d->tweak, sizeof d->tweak,
                                  d->sectors, d->sectors_len, SECTOR);
}

static int records(struct demo *d)
{
    return xorcore_aead_seal_rows(d->aead, d->packets, RECORDS * (RECORD + TAG), d->records, RECORDS * RECORD,
                                  d->aux, sizeof d->aux, NONCE, d->rows, RECORDS, sizeof d->rows[0]);
}

/* ---- around them ----------------------------------------------------------------------------------- */

static void stop(const char *what)
{
    perror(what);
    exit(1);
}

static uint8_t *memory(size_t size)
{
    uint8_t *p = calloc(size + !size, 1);
    if (!p)
        stop("demo: memory");
    return p;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Runs an operation a few times, prints its best speed over `bytes`, and saves what it made. */
static void show(struct demo *d, const char *name, int (*operation)(struct demo *), size_t bytes,
                 const char *kernel, const uint8_t *out, size_t size)
{
    const double begun = now();
    double best = 1e9;
    for (int i = 0; i < 3 || now() - begun < 0.05; i++) {
        const double from = now();
        const int result = operation(d);
        const double took = now() - from;
        if (result != XORCORE_OK) {
            fprintf(stderr, "demo: %s: %s\n", name, xorcore_result_text(result));
            exit(1);
        }
        best = took < best ? took : best;
    }
    printf("%s\t%.0f\t%s\n", name, (double)bytes / best / 1e6, kernel);

    char path[4096];
    snprintf(path, sizeof path, "%s/%s", d->folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(out, 1, size, f) != size || fclose(f) != 0)
        stop(path);
}

static void read_file(const char *path, uint8_t **text, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        stop(path);
    const long size = ftell(f);
    rewind(f);
    *text = size < 0 ? NULL : realloc(*text, *n + (size_t)size + 1);
    if (!*text || fread(*text + *n, 1, (size_t)size, f) != (size_t)size)
        stop(path);
    fclose(f);
    *n += (size_t)size;
}

static const char *default_kernel(const char *family)
{
    xorcore_kernel k;
    for (size_t i = 0; xorcore_kernel_at(i, &k, sizeof k) == XORCORE_OK; i++)
        if (strcmp(k.family, family) == 0 && k.flags & XORCORE_KERNEL_DEFAULT)
            return k.name;
    return "";
}

static void xor_operations(struct demo *d)
{
    const char *kernel = default_kernel("xor");

    d->shard = (d->n + SHARDS - 1) / SHARDS;
    uint8_t *filled = memory(SHARDS * d->shard);
    memcpy(filled, d->text, d->n);
    d->parity = memory(d->shard);
    d->rebuilt = memory(SHARDS * d->shard);
    for (int i = 0; i < SHARDS; i++) {
        d->shards[i] = filled + (size_t)i * d->shard;
        d->left[i] = i == LOST ? d->parity : d->shards[i];
        if (i != LOST)
            memcpy(d->rebuilt + (size_t)i * d->shard, d->shards[i], d->shard);
    }
    show(d, "parity", parity, SHARDS * d->shard, kernel, d->parity, d->shard);
    show(d, "rebuild", rebuild, SHARDS * d->shard, kernel, d->rebuilt, d->n);

    d->masked = memory(d->n);
    d->unmasked = memory(d->n);
    show(d, "mask", mask, d->n, kernel, d->masked, d->n);
    show(d, "unmask", unmask, d->n, kernel, d->unmasked, d->n);
    free(filled);
    free(d->parity);
    free(d->rebuilt);
    free(d->masked);
    free(d->unmasked);
}

static void must(int result)
{
    if (result != XORCORE_OK) {
        fprintf(stderr, "demo: %s\n", xorcore_result_text(result));
        exit(1);
    }
}

static void aead_operations(struct demo *d)
{
    must(xorcore_aead_new(&d->aead, XORCORE_AES_GCM, d->key, 32, TAG, NULL));
    const char *kernel = xorcore_aead_kernel(d->aead);

    d->sealed = memory(d->n + TAG);
    d->opened = memory(d->n);
    show(d, "seal", seal, d->n, kernel, d->sealed, d->n + TAG);
    show(d, "open", open, d->n, kernel, d->opened, d->n);
    d->flipped = memory(d->n + TAG);
    memcpy(d->flipped, d->sealed, d->n + TAG);
    d->flipped[d->n / 2] ^= 1;
    show(d, "refuse", refuse, d->n, kernel, d->opened, d->n);
    xorcore_aead_free(d->aead);
    free(d->sealed);
    free(d->opened);
    free(d->flipped);
}

static void cipher_operations(struct demo *d)
{
    must(xorcore_cipher_new(&d->cipher, XORCORE_AES_CTR, d->key, 32, NULL));
    d->encrypted = memory(d->n);
    d->slice_at = d->n / 3;
    d->slice_len = d->n / 4;
    d->slice = memory(d->slice_len);
    show(d, "ctr", ctr, d->n, xorcore_cipher_kernel(d->cipher), d->encrypted, d->n);
    show(d, "slice", slice, d->slice_len, xorcore_cipher_kernel(d->cipher), d->slice, d->slice_len);
    xorcore_cipher_free(d->cipher);
    free(d->encrypted);
    free(d->slice);

    must(xorcore_cipher_new(&d->cipher, XORCORE_AES_XTS, d->key, 64, NULL));
    d->sectors_len = (d->n + SECTOR - 1) / SECTOR * SECTOR;
    d->sectors = memory(d->sectors_len);
    memcpy(d->sectors, d->text, d->n);
    d->encrypted = memory(d->sectors_len);
    d->tweak[0] = FIRST_SECTOR & 255; /* the number of the first sector, little-endian */
    d->tweak[1] = FIRST_SECTOR >> 8;
    show(d, "sectors", sectors, d->sectors_len, xorcore_cipher_kernel(d->cipher), d->encrypted,
         d->sectors_len);
    xorcore_cipher_free(d->cipher);
    free(d->encrypted);
    free(d->sectors);
}

/* A thousand records of the text, which begins again when it is short, each under a nonce of its own. */
static void record_operations(struct demo *d)
{
    must(xorcore_aead_new(&d->aead, XORCORE_AES_GCM, d->key, 32, TAG, NULL));
    d->records = memory(RECORDS * RECORD);
    d->packets = memory(RECORDS * (RECORD + TAG));
    for (size_t i = 0; i < RECORDS * RECORD; i++)
        d->records[i] = d->text[i % d->n];
    memcpy(d->aux, aad, sizeof aad - 1);
    for (size_t i = 0; i < RECORDS; i++) {
        xorcore_row *row = &d->rows[i];
        row->in_at = i * RECORD;
        row->len = RECORD;
        row->out_at = i * (RECORD + TAG);
        row->tag_at = row->out_at + RECORD;
        row->aad_len = sizeof aad - 1;
        row->nonce_at = sizeof aad - 1 + i * NONCE;
        uint8_t *nonce = d->aux + row->nonce_at; /* the first eight bytes as ever, then the record's number */
        memcpy(nonce, d->nonce, 8);
        nonce[10] = (uint8_t)(i >> 8);
        nonce[11] = (uint8_t)i;
    }
    show(d, "records", records, RECORDS * RECORD, xorcore_aead_kernel(d->aead), d->packets,
         RECORDS * (RECORD + TAG));
    xorcore_aead_free(d->aead);
    free(d->records);
    free(d->packets);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: demo FOLDER FILE...\n");
        return 2;
    }
    uint8_t *text = NULL;
    static struct demo d;
    d.folder = argv[1];
    for (int i = 2; i < argc; i++)
        read_file(argv[i], &text, &d.n);
    d.text = text;
    /* So that everybody gets the same results. A real key is random, and a real nonce is never used twice. */
    for (size_t i = 0; i < sizeof d.key; i++)
        d.key[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof d.nonce; i++)
        d.nonce[i] = (uint8_t)(0xa0 + i);

    for (size_t i = 0; i < sizeof d.iv; i++)
        d.iv[i] = (uint8_t)(0xc0 + i);

    xor_operations(&d);
    aead_operations(&d);
    cipher_operations(&d);
    record_operations(&d);
    free(text);
    return 0;
}
