/* vectors.h — what the parts of the C vector runner share: cases as read, buffers with guards, reports.
 *
 * tests/vectors/README.md is the contract: which kernels and which shapes a case is run on. */
#ifndef VECTORS_H
#define VECTORS_H

#include <stddef.h>
#include <stdint.h>

#include "xorcore.h"

/* ---- read.c: the cases ----------------------------------------------------------------------------- */

/* Bytes, or for an output the SHA-256 (at p) of n bytes. */
struct text {
    uint8_t *p;
    size_t n;
    int digest;
};

struct plan {
    size_t *sizes;
    size_t count;
};

struct test {
    unsigned long id;
    int in_sample;
    const char *error; /* NULL for a valid case */
    int encrypts, decrypts;
    struct text key, iv, aad, msg, ct, tag, a, b, out, digest, next_iv;
    struct text *srcs;
    size_t src_count;
    uint64_t phase, equal, mct, offset, sector_size, count;
    int has_offset, has_sector_size;
    struct plan *plans;
    size_t plan_count;
};

struct group {
    const char *type;
    size_t tag_len;
    struct test *tests;
    size_t count;
};

struct file {
    const char *name, *algorithm;
    size_t cases;
    struct group *groups;
    size_t count;
    void *memory; /* everything above, read.c's */
};

/* A cursor over the lines of flatten.py. Errors in them end the program with a message. */
struct lines {
    char *at;
    unsigned long number;
};

void read_start(struct lines *lines, char *text);
int read_file(struct lines *lines, struct file *file); /* 0 at the end of all files */
void read_free(struct file *file);
void *read_whole(const char *path); /* a file's content with a NUL behind it */

/* ---- support.c: buffers, digests, plans -------------------------------------------------------------- */

/* Buffers of one run. Each lies `offset` bytes behind an aligned address between guard bytes, which
 * scratch_close() looks at. */
enum { SCRATCH_MAX = 256 };
struct scratch {
    struct {
        uint8_t *base;
        size_t before, n;
    } blocks[SCRATCH_MAX];
    size_t count;
};

uint8_t *scratch_in(struct scratch *scratch, const uint8_t *bytes, size_t n, size_t offset);
uint8_t *scratch_out(struct scratch *scratch, size_t n, size_t offset); /* filled with a5 */

/* Frees all. Returns `why`, or if that is NULL and a guard byte changed, a sentence about it. */
const char *scratch_close(struct scratch *scratch, const char *why);

int text_is(const struct text *text, const uint8_t *bytes, size_t n);
int all_bytes(const uint8_t *bytes, size_t n, uint8_t value);

/* The pieces of n bytes under a plan. */
struct pieces {
    const struct plan *plan;
    size_t step, unit, done, n;
};

const struct plan *default_plan(const struct test *test);
void pieces_start(struct pieces *pieces, const struct plan *plan, size_t unit, size_t n);
int pieces_next(struct pieces *pieces, size_t *at, size_t *len); /* 0 when the data is used up */

void sha256(uint8_t digest[32], const uint8_t *bytes, size_t n);

/* SHAKE128: absorb any number of times, then squeeze_start, then squeeze. Begins as all zeros. */
struct shake {
    uint64_t lanes[25];
    size_t at;
};
void shake_absorb(struct shake *shake, const uint8_t *bytes, size_t n);
void shake_squeeze_start(struct shake *shake);
void shake_squeeze(struct shake *shake, uint8_t *bytes, size_t n);

/* ---- main.c: kernels and reports --------------------------------------------------------------------- */

struct run {
    const struct file *file;
    const struct group *group;
    const char *kernel;
    unsigned long runs, failed;
};

/* Counts a run. `why` is NULL for one in which every byte was right. */
void report(struct run *run, const struct test *test, const char *shape, const char *why);

/* NULL if `result` is the error that the case expects. */
const char *expect_error(const struct test *test, int result);

/* NULL if an object that tells `told` runs on the kernel asked for. */
const char *expect_kernel(const struct run *run, const char *told);

/* Invalid cases of other errors than AUTH, and wrong tag lengths, are run as oneshot alone. */
int oneshot_only(const struct group *group, const struct test *test);

/* ---- one function for each type of test: the whole group on one kernel ------------------------------- */

void run_xor(struct run *run);
void run_xor_many(struct run *run);
void run_xor_repeat(struct run *run);
void run_equal(struct run *run);
void run_aead(struct run *run);
void run_accumulated(struct run *run);
void run_cipher(struct run *run);
void run_mac(struct run *run);

#endif
