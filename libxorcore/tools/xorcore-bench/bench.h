/* bench.h — what the files of xorcore-bench share: an operation, a job, and those who do it. */
#ifndef XORCORE_BENCH_H
#define XORCORE_BENCH_H

#include <stddef.h>
#include <stdint.h>

/* What the machine is doing in an operation, and so what bounds it. */
enum bound {
    BOUND_NONE,
    BOUND_XOR,
    BOUND_MASK,
    BOUND_LOAD,
    BOUND_AES,
    BOUND_XTS,
    BOUND_CHAIN,
    BOUND_GHASH,
    BOUND_GCM
};

/* The shape of an operation: which library function, and so which peers' functions, it stands for. */
enum shape {
    SHAPE_XOR,
    SHAPE_XOR_RANDOM,
    SHAPE_XOR_MANY,
    SHAPE_XOR_REPEAT,
    SHAPE_SEAL,
    SHAPE_OPEN,
    SHAPE_MAC,
    SHAPE_CIPHER,
    SHAPE_CIPHER_ROWS,
    SHAPE_SEAL_ROWS,
    SHAPE_KEY,
    SHAPE_KEY_AND_SEAL
};

struct op {
    const char *name;
    enum shape shape;
    enum bound bound;
    int algorithm; /* XORCORE_AES_… */
    int decrypt;
    const char *mode; /* the end of OpenSSL's name for it: "cfb128" */
    int keyed;        /* has a key size */
    size_t messages;  /* of `size` bytes each in one call; for xor-many, sources */
    size_t repeat;    /* bytes of a repeating key */
    const char *about;
};

extern const struct op ops[];
extern const size_t ops_count;

enum {
    NONCE_MAX = 16,
    TAG = 16,
    AAD = 13,
    KEY_MAX = 64,
    RANDOM_SIZES = 32768
};

/* One line of the table: an operation at a size, with buffers that all implementations work on in turn. */
struct job {
    const struct op *op;
    int key_bits; /* 0 for XOR */
    size_t size;
    double bytes; /* that count for one call */
    const char *kernel;

    uint8_t key[KEY_MAX];
    size_t key_len;
    uint8_t nonce[NONCE_MAX];
    size_t nonce_len;
    uint8_t aad[AAD];
    uint8_t *in; /* op->messages texts, `stride` apart; for `open` the ciphertext */
    size_t stride;
    uint8_t *in2; /* the second source of an XOR */
    uint8_t *out; /* results, then tags */
    size_t out_len;
    uint8_t tag[TAG];       /* for `open` */
    uint16_t *random_sizes; /* for xor-random */
    int offset;             /* 0: every buffer begins a cache line; else each at an odd place of its own */
};

/* job.c */
void stop(const char *what, const char *detail); /* ends the program */
int size_fits(const struct op *op, size_t size);
void job_new(struct job *j, const struct op *op, int key_bits, size_t size, const char *kernel, int offset);
void job_free(struct job *j);

/* Somebody who does a job. */
struct impl {
    const char *name;   /* "xorcore", "openssl", … */
    const char *kernel; /* what it runs on, or its version */
    const struct job *job;
    void (*run)(struct impl *, size_t calls);
    void (*prove)(struct impl *, size_t calls); /* after a `run` that leaves nothing to see; or NULL */
    void (*done)(struct impl *);
    void *context, *object;
    uint8_t nonce[NONCE_MAX]; /* of the next message */
    double bytes;             /* of one call; a probe has its own */
    size_t at;                /* in the random sizes, which no predictor may learn from the beginning again */
    int width;                /* bits of a register, of a probe */

    size_t calls; /* in one timed batch */
    double best, *samples;
    size_t samples_count;
};

/* A new nonce for each message, at the same small cost for everybody. */
static inline void next_nonce(uint8_t *nonce)
{
    uint64_t count;
    __builtin_memcpy(&count, nonce, 8);
    count++;
    __builtin_memcpy(nonce, &count, 8);
}

static inline size_t next_size(struct impl *impl)
{
    return impl->job->random_sizes[impl->at++ % RANDOM_SIZES];
}

int same_output(struct impl *ours, struct impl *peer); /* job.c: before anything is timed */

/* ours.c */
int ours_new(struct impl *impl, const struct job *job); /* a result of the library */
void ours_done(struct impl *impl);
const char *family_of(const struct op *op); /* whose rows do it */

/* Peers. An `offer` returns 1 and fills in the implementation when the peer does that operation. */
struct peer {
    const char *name;
    const char *absent; /* why it can't be timed here; NULL when it can */
    char version[64];
    int (*offer)(const struct peer *, struct impl *, const struct job *);
    void *library;
};

/* file NULL: the system's */
void openssl_load(struct peer *peer, const char *file);
void libgcrypt_load(struct peer *peer, const char *file);
void nettle_load(struct peer *peer, const char *file);
void isal_load(struct peer *peer, const char *file);
void ipsec_mb_load(struct peer *peer, const char *file); /* ipsec_mb.c, or ipsec_mb_absent.c */
void plain_load(struct peer *peer, const char *file);    /* plain.c: memcpy, go-sse2, gcc-loop */

/* options.c */
enum {
    PEERS_MAX = 16,
    SIZES_MAX = 1024
};

struct options {
    const char *ops; /* with commas; NULL for all */
    const char *kernel, *plot_file, *check;
    int keys[2];
    size_t keys_count;
    size_t sizes[SIZES_MAX];
    size_t sizes_count; /* 0: each operation's own */
    double budget_ms;
    int json, ceilings, list;
    struct peer peers[PEERS_MAX];
    size_t peers_count;
};

extern struct options want;
void read_options(int argc, char **argv);
int in_list(const char *list, const char *word); /* a list with commas */

/* checks.c: what a table of speeds doesn't show. Returns 0 when there was nothing to do. */
int run_checks(void);

/* machine_<arch>.c: what depends on the instruction set. */
typedef void xor_loop(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n);
xor_loop *machine_go_loop(const char **absent); /* NULL, and why, where there is none */
const char *machine_gcc_absent(void); /* why the loops of gcc_loop.c can't run; NULL when they can */
void machine_settle(void);            /* takes away what the one before left in registers */

/* The ceilings of a kind of operation, in registers (or L1) alone, at each width of register that this CPU has,
 * whatever our kernels use of it; after them others of interest, with another name in `kernel`. Returns how many
 * there are, PROBES_MAX at most. */
enum {
    PROBES_MAX = 6
};
size_t machine_probes(struct impl *impls, const struct job *job);

/* gcc_loop.c */
void loop_gcc(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n);
void loop_gcc_repeat(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len);

/* measure.c */
double now_ns(void);
double core_ghz(void);
void pin_to_cpu(void);
void measure(struct impl *impls, size_t count, double budget_ms);
void measure_quickly(struct impl *impl); /* a few batches of one alone */
double median(struct impl *impl);

/* plot.c */
struct point {
    const char *op, *impl;
    int key_bits;
    size_t size;
    double gbps, ns;
};
int plot(const char *file, const struct point *points, size_t count);

#endif
