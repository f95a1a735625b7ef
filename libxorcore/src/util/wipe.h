/* wipe.h — memory that held a secret is overwritten in a way that the compiler cannot leave out. */
#ifndef XC_WIPE_H
#define XC_WIPE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The empty asm reads the memory as far as the compiler knows, so the memset before it must happen. */
static inline void xc_wipe(void *p, size_t n)
{
    memset(p, 0, n);
    __asm__ __volatile__("" : : "r"(p) : "memory");
}

/* Overwrites the stack below the caller, where functions that have returned kept what their compiler had no
 * register for. For secrets that a kernel has more of than there are registers. */
static __attribute__((noinline, unused)) void xc_wipe_below(void)
{
    uint8_t left[1024];
    xc_wipe(left, sizeof left);
}

#endif
