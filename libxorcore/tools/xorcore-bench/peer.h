/* peer.h — what the files of the peers share: how a library is found, and the loops over messages.
 *
 * Every library is loaded by dlopen, so that a program that was built here runs, and says who is absent, where
 * they are not installed. Their headers are needed for types alone, and by ipsec-mb's file only. */
#ifndef XORCORE_BENCH_PEER_H
#define XORCORE_BENCH_PEER_H

#include "bench.h"

/* Loads `file`, or when that is NULL the first of the names (a list that ends in NULL) that is here. Returns NULL
 * and sets `absent` when there is none. */
void *library_open(struct peer *peer, const char *file, const char *const *names, const char *absent);

/* Puts the address of a function into a pointer to it; 0 when the library has none of that name. */
int library_symbol(void *library, void *function, const char *name);

/* A call that fails would be a fast one. */
void peer_must(int good, const char *library);

void *peer_memory(size_t n); /* zeros, at the beginning of a cache line */

/* ---- one message, and loops over many ------------------------------------------------------------------ */

/* `impl->nonce` is this message's. */
typedef void seal_one(struct impl *impl, const uint8_t *in, uint8_t *out, uint8_t *tag);
typedef void open_one(struct impl *impl); /* job->in with job->tag */
typedef void mac_one(struct impl *impl);  /* of job->in, to job->out */
typedef void crypt_one(struct impl *impl, const uint8_t *in, uint8_t *out);
typedef void key_one(struct impl *impl);

typedef void run_loop(struct impl *impl, size_t calls);

struct loops {
    run_loop *seal, *open, *mac, *crypt, *key, *key_and_seal;
};

/* Gives the implementation the loop for its job's shape; 0 when there is none. */
int take_loop(struct impl *impl, const struct loops *loops);

/* The loops are inlined around the function for one message: it costs no call through a pointer. */
#define XB_INLINE static inline __attribute__((always_inline))

XB_INLINE void loop_seal(struct impl *impl, size_t calls, seal_one *seal)
{
    const struct job *j = impl->job;
    uint8_t *tags = j->out + j->op->messages * j->size;
    for (size_t i = 0; i < calls; i++)
        for (size_t k = 0; k < j->op->messages; k++) {
            seal(impl, j->in + k * j->size, j->out + k * j->size, tags + k * TAG);
            next_nonce(impl->nonce);
        }
}

XB_INLINE void loop_open(struct impl *impl, size_t calls, open_one *open)
{
    for (size_t i = 0; i < calls; i++)
        open(impl);
}

XB_INLINE void loop_mac(struct impl *impl, size_t calls, mac_one *mac)
{
    for (size_t i = 0; i < calls; i++) {
        mac(impl);
        next_nonce(impl->nonce);
    }
}

XB_INLINE void loop_crypt(struct impl *impl, size_t calls, crypt_one *crypt)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls; i++)
        for (size_t k = 0; k < j->op->messages; k++) {
            crypt(impl, j->in + k * j->size, j->out + k * j->size);
            next_nonce(impl->nonce);
        }
}

XB_INLINE void loop_key(struct impl *impl, size_t calls, key_one *key, seal_one *seal)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls; i++) {
        key(impl);
        if (seal) {
            seal(impl, j->in, j->out, j->out + j->size);
            next_nonce(impl->nonce);
        }
    }
}

/* clang-format off */
#define PEER_GCM_LOOPS(seal, open, mac, key)                                                                 \
    static void run_seal(struct impl *impl, size_t calls) { loop_seal(impl, calls, seal); }                  \
    static void run_open(struct impl *impl, size_t calls) { loop_open(impl, calls, open); }                  \
    static void run_mac(struct impl *impl, size_t calls) { loop_mac(impl, calls, mac); }                     \
    static void run_key(struct impl *impl, size_t calls) { loop_key(impl, calls, key, NULL); }               \
    static void run_key_and_seal(struct impl *impl, size_t calls) { loop_key(impl, calls, key, seal); }      \
    struct loops

#define PEER_LOOPS(seal, open, mac, crypt, key)                                                              \
    static void run_crypt(struct impl *impl, size_t calls) { loop_crypt(impl, calls, crypt); }               \
    PEER_GCM_LOOPS(seal, open, mac, key);                                                                    \
    static const struct loops loops = { run_seal, run_open, run_mac, run_crypt, run_key, run_key_and_seal }
/* clang-format on */

#endif
