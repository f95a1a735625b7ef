/* mac.h — what a MAC is to api/: its limits as data, and its functions. One table per algorithm. */
#ifndef XC_MODE_MAC_H
#define XC_MODE_MAC_H

#include "../kernel.h"
#include "cmac.h"
#include "gcm.h"
#include "lanes.h"
#include "lengths.h"

union xc_mac_state {
    struct xc_gcm_state gcm;
    struct xc_cmac_state cmac;
};

struct xc_mac_mode {
    int algorithm;
    uint32_t key_lengths, tag_lengths;
    uint64_t nonce_min, nonce_max;
    uint64_t data_max;

    int (*choose)(struct xc_choice *choice, const char *kernel);
    size_t (*key_size)(const struct xc_choice *choice);
    void (*set_key)(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len);

    /* `begin`, then `update` any number of times, then `finish` once: the whole 16-byte tag. */
    void (*begin)(const void *key, union xc_mac_state *state, const uint8_t *nonce, size_t nonce_len);
    void (*update)(const void *key, union xc_mac_state *state, const uint8_t *data, size_t n);
    void (*finish)(const void *key, union xc_mac_state *state, uint8_t tag[16]);

    /* Optional. All of it at once. */
    void (*whole)(const void *key, const uint8_t *nonce, size_t nonce_len, const uint8_t *data, size_t n,
                  uint8_t tag[16]);

    /* Optional, both or neither: begins a run of many messages side by side, 0 where the kernel has no slot for it;
     * and puts a whole message into it. The chain that a message ends with is its 16-byte tag. */
    int (*begin_run)(const void *key, struct xc_run *run);
    struct xc_lane_end *(*add)(const void *key, struct xc_run *run, const uint8_t *data, size_t n);
};

extern const struct xc_mac_mode xc_mac_gmac, xc_mac_cmac;

/* The table of an algorithm constant, or NULL. */
const struct xc_mac_mode *xc_mac_mode(int algorithm);

#endif
