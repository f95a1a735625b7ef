/* machine_amd64.h — what the amd64 files of xorcore-bench share. */
#ifndef XORCORE_BENCH_MACHINE_AMD64_H
#define XORCORE_BENCH_MACHINE_AMD64_H

#include <stddef.h>
#include <stdint.h>

void xb_loop_go_sse2(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n); /* go_sse2.c */

typedef void aes_probe(size_t calls, int rounds);
typedef void probe(size_t calls);

/* The ceilings of AES and GHASH at one width of register (probe_aes.h). */
struct aes_probes {
    aes_probe *aes, *xts, *gcm;
    probe *ghash;
    double aes_bytes, step_bytes; /* of one call: of `aes`, and of the others */
};

extern const struct aes_probes xb_aes_128, xb_aes_256, xb_aes_512;
extern aes_probe *const xb_aes_chain; /* one block of 16 bytes */

/* Passes over PROBE_L1_BYTES in registers of one width (probe_l1.h). */
enum {
    PROBE_L1_BYTES = 2048
};
struct l1_probes {
    probe *two_and_store, *one_and_store, *loads; /* the last over twice as many bytes */
};

extern const struct l1_probes xb_l1_128, xb_l1_256, xb_l1_512;

#endif
