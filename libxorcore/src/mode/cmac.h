/* cmac.h — CMAC's state, and its subkeys, which XAES-256-GCM uses too (SP 800-38B). */
#ifndef XC_MODE_CMAC_H
#define XC_MODE_CMAC_H

#include <stdint.h>

/* The last block is held back, whole or not, until the end is known: it alone takes a subkey. */
struct xc_cmac_state {
    uint8_t chain[16], held[16];
    uint8_t used; /* bytes of `held`; behind them are zeros */
};

/* block *= x in GF(2^128), first bit first: from L = E(0) to K1, and from K1 to K2. */
void xc_cmac_double(uint8_t block[16]);

#endif
