/* hidden.h — a value about which the compiler may conclude nothing. */
#ifndef XC_HIDDEN_H
#define XC_HIDDEN_H

#include <stdint.h>

/* v itself. A loop that counts a secret up beside its own index may otherwise be made to end by the secret. */
static inline uint32_t xc_hidden(uint32_t v)
{
    __asm__("" : "+r"(v));
    return v;
}

#endif
