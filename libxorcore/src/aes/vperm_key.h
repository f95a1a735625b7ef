/* vperm_key.h — the key block of vperm.h, for a kernel that has one inside its own. */
#ifndef XC_VPERM_KEY_H
#define XC_VPERM_KEY_H

#include "expand.h"

struct xc_vperm_key {
    uint8_t enc[XC_EXPAND_ROUNDS + 1][16]; /* 1 to rounds - 1: T(round key + 0x63), in the form of its round */
    uint8_t dec[XC_EXPAND_ROUNDS][16];     /* T(M(InvMixColumns(round key) + 0x63)), likewise */
    unsigned rounds;
};

#endif
