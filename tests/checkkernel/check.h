/* check.h — what the parts of checkkernel share: the state of a run, guarded buffers, calls, sweeps.
 *
 * A slot of a kernel is described once, as a plan: how the call over the piece [from, from + count) of
 * one long message is built, and what must be in every buffer afterwards. The sweeps, the benchmark
 * and the proof that faults are seen all work from that description. */
#ifndef CHECK_H
#define CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "kernel.h"

/* The longest period in any kernel's code: the widest loop or the widest aggregation, and for counters
 * the span in which the low byte does not wrap. Lengths are tested to twice that and one more. A kernel
 * with a longer period raises its number here. */
enum {
    XOR_PERIOD = 512,    /* bytes */
    REPEAT_PERIOD = 640, /* bytes: a key laid out, and a turn that begins in its last byte */
    REPEAT_LONG = 2048,  /* bytes: from here on a kernel may lay out a short key that it shuffled before */
    AES_PERIOD = 256,    /* blocks: one span of the counter's low byte */
    GHASH_PERIOD = 128,  /* blocks */
    LOOP_PERIOD = 64,    /* blocks in the widest loop alone, for the quick set */
    LANES_PERIOD = 8     /* blocks of each message, where many go side by side: two groups of four */
};

/* ---- the run ----------------------------------------------------------------------------------- */

/* What can be wrong with a call. */
enum {
    WRONG_OUTPUT = 1,    /* other bytes than the reference's */
    WRONG_CANARY = 2,    /* a write beside a buffer */
    WRONG_INPUT = 4,     /* an input was changed */
    WRONG_KEY = 8,       /* the key block was changed, or bytes beside it */
    WRONG_ACCESS = 16,   /* a read or write of an unmapped page, or an illegal instruction */
    WRONG_REGISTERS = 32 /* a register that belongs to the caller was lost */
};

struct check {
    uint64_t seed;
    int quick;         /* the set for emulators */
    int brief;         /* with quick, for slow ones: one layout for each length and lane, in turns */
    int one_key;       /* gcm with this key length alone, or 0: what a pair of parts gets in brief */
    int bench;         /* time the calls instead of checking them */
    int quiet;         /* count faults without printing them: the proof */
    const char *label; /* family/name of the kernel under test */
    const char *slot;
    const char *group; /* what is being varied */
    unsigned group_faults;
    unsigned kinds;               /* WRONG_… seen since begin_kernel */
    unsigned long passed, failed; /* groups */
    unsigned long long calls;
};
extern struct check check;

void begin_kernel(const char *label); /* also restarts the random numbers, so that --kernel repeats a run */
void begin_group(const char *slot, const char *group);
void end_group(void);
int group_over(void); /* enough faults have been seen in this group */
void fault(unsigned kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

uint64_t random64(void);
size_t random_below(size_t limit);
void random_bytes(void *p, size_t n);

/* ---- guarded memory and calls ------------------------------------------------------------------ */

enum {
    CALL_BUFFERS = 2 * XC_LANES_MAX + 2,
    CALL_ARGS = 8
};

/* A kernel's key block: 64-byte aligned, as near to an unmapped page as that allows. */
struct key_block {
    uint8_t *at;
    size_t size;
    struct area *area;
    uint8_t *saved;
};
void key_make(struct key_block *key, size_t size); /* filled with noise */
void key_save(struct key_block *key);              /* from here on it must not change */
void key_free(struct key_block *key);

struct buffer {
    const char *name;
    size_t len;
    const uint8_t *before; /* NULL: noise */
    const uint8_t *after;
    size_t align;
    uint8_t *at; /* where it lies in the call being made */
};

struct call {
    void (*fn)(void);
    int args;
    uintptr_t arg[CALL_ARGS];
    const char *arg_name[CALL_ARGS];
    int arg_buffer[CALL_ARGS]; /* the buffer that this argument points to, or -1 */
    int buffers;
    struct buffer buffer[CALL_BUFFERS];
    int aliases; /* buffers that may be one: first is exactly second */
    int alias[CALL_BUFFERS][2];
    int table, table_first, table_count; /* a buffer of pointers to other buffers, or -1 */
    const struct key_block *key;         /* must not change */
    struct key_block *key_written;       /* is being made: only what lies beside it must not change */
};

void call_begin(struct call *call, void (*fn)(void));
int call_in(struct call *call, const char *name, const void *bytes, size_t len);
int call_out(struct call *call, const char *name, const void *want, size_t len);
int call_inout(struct call *call, const char *name, const void *bytes, const void *want, size_t len);
int call_hidden(struct call *call, const char *name, const void *bytes,
                size_t len); /* no argument of its own */
int call_hidden_as(struct call *call, const char *name, const void *bytes, const void *want, size_t len);
int call_table(struct call *call, const char *name, int first, int count);
void call_number(struct call *call, const char *name, size_t value);
void call_key(struct call *call, const struct key_block *key);
void call_new_key(struct call *call, struct key_block *key);
void call_pointer(struct call *call, const void *p); /* read only, not watched */
void call_alias(struct call *call, int first, int second);

enum edge {
    EDGE_START,
    EDGE_MIDDLE,
    EDGE_END
};

/* Where the buffers of a call lie: all against one edge, or each at its own offset from a multiple of
 * 64. `alias` is one of the call's alias pairs, or -1. */
struct layout {
    enum edge edge;
    uint8_t offset[CALL_BUFFERS];
    int alias;
};

/* Makes the call and compares everything; returns the WRONG_… kinds seen. */
unsigned call_run(struct call *call, const struct layout *layout);
/* The best time of the call in nanoseconds. */
double call_time(struct call *call);

void memory_begin(void); /* signal handlers; once */
void memory_trim(void);  /* gives the buffers back */

/* ---- registers --------------------------------------------------------------------------------- */

/* Calls fn with up to 8 arguments, each a pointer or a size_t; returns a word of the registers that it
 * should have kept and did not, or NULL. */
const char *regs_call(void (*fn)(void), const uintptr_t arg[CALL_ARGS], int args);
void plain_call(void (*fn)(void), const uintptr_t arg[CALL_ARGS], int args);
int regs_watched(void);
void regs_break(void); /* loses a register on purpose */

/* ---- plans ------------------------------------------------------------------------------------- */

struct plan {
    const char *slot;
    void (*build)(struct call *call, const struct plan *plan, size_t from, size_t count);
    const void *self;
    size_t unit;  /* bytes that one of `count` stands for: 1 or 16 */
    size_t total; /* the length of the message, in units */
    size_t max;   /* every count from 0 to this */
    size_t step;  /* a piece may begin at multiples of this; 0: only at 0 */
};

void sweep_lengths(const struct plan *plan);
void sweep_offsets(const struct plan *plan);
void sweep_pieces(const struct plan *plan);
void sweep_all(const struct plan *plan); /* the three, or the benchmark */
void layout_random(struct layout *layout);

/* ---- families ---------------------------------------------------------------------------------- */

void check_xor(const char *label, const struct xc_xor_ops *ops);
void check_xor_tiny(void);
void check_aes(const char *label, const struct xc_aes_ops *ops);
void check_ghash(const char *label, const struct xc_ghash_ops *ops);
void check_gcm(const char *label, const struct xc_gcm_ops *ops, const struct xc_choice *parts);

/* Runs kernels that are wrong on purpose and fails where the fault is not reported. */
void check_proof(void);

#endif
