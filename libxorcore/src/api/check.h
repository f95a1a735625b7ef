/* check.h — the checks that every public function makes of its pointers. */
#ifndef XC_CHECK_H
#define XC_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* NULL where n bytes are needed. */
static inline int xc_missing(const void *p, size_t n) { return (p == NULL) & (n != 0); }

/* The two ranges have a byte in common. Differences of addresses wrap, so no sum can overflow. */
static inline int xc_touch(const void *a, size_t n, const void *b, size_t m)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return (n != 0) & (m != 0) & ((x - y < m) | (y - x < n));
}

/* The same, but for n or m of 0, where it may say so without cause: for a first look, which an exact one follows. */
static inline int xc_near(const void *a, size_t n, const void *b, size_t m)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x - y < m || y - x < n;
}

/* Neither exactly the same nor disjoint: nearer than n, and not at distance 0, which wraps here. */
static inline int xc_partly(const void *out, const void *in, size_t n)
{
    const uintptr_t ahead = (uintptr_t)out - (uintptr_t)in;
    return n && ((ahead - 1 < n - 1) | (-ahead - 1 < n - 1));
}

#endif
