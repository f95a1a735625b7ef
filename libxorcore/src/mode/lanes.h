/* lanes.h — many messages of a serial mode side by side: each has a lane of the kernel until it ends.
 *
 * The caller adds message after message. When all lanes are taken, they run until the shortest ends, and the next
 * message takes its place: none waits for a longer one. */
#ifndef XC_MODE_LANES_H
#define XC_MODE_LANES_H

#include "aes_key.h"

typedef void xc_lanes_slot(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks);

/* What comes after the whole blocks of a message. */
struct xc_lane_end {
    uint8_t last[XC_BLOCK]; /* one more block, made beforehand */
    uint8_t has_last;
    uint8_t bytes; /* of what becomes of it, these go to `out` */
    uint8_t *out;
    size_t row;      /* which message this is, */
    uint64_t tag_at; /* and where its tag is: for the caller */
};

struct xc_run {
    xc_lanes_slot *slot;
    const struct xc_aes_key *key;

    /* A message has ended with this chain. NULL where nobody wants to know. */
    void (*ended)(void *caller, const struct xc_lane_end *end, const uint8_t chain[16]);
    void *caller;

    size_t count; /* lanes taken, the first ones */
    size_t most;  /* that ever were at once */
    struct xc_lanes lanes;
    size_t left[XC_LANES_MAX];              /* blocks */
    struct xc_lane_end *end[XC_LANES_MAX];  /* the lane's, in `ends` */
    struct xc_lane_end ends[XC_LANES_MAX];
};

void xc_run_begin(struct xc_run *run, xc_lanes_slot *slot, const struct xc_aes_key *key);

/* The next message. It begins with `chain` (NULL: zeros) and has `blocks` whole blocks; `out` is NULL for a MAC. What
 * is returned is for the caller to fill in before the next call; only has_last and `bytes` are set, to 0. */
struct xc_lane_end *xc_run_add(struct xc_run *run, uint8_t *out, const uint8_t *in, size_t blocks,
                               const uint8_t *chain);

/* All messages to their ends. Wipes what is secret in `run`. */
void xc_run_finish(struct xc_run *run);

#endif
