/* early.h — what the constructor of early.c found, and whether the same is found later. */
#ifndef EARLY_H
#define EARLY_H

#include "xorcore.h"

struct early {
    int result, selftest, xored;
    uint8_t tag[16];
    char kernel[64], cpu[600];
};

int early_is_right(void);

#endif
