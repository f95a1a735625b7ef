/* xor_tiny.h — the XOR of fewer than 64 bytes: a ladder of sizes without a loop; and of blocks and runs, for modes.
 *
 * Each rung covers its range with a head and a tail that may overlap, and makes every load before its
 * first store, so that dst may be a or b. It is baseline C, for every kernel without masks and for what a
 * mode leaves over. The 16-byte type is the compiler's own: it becomes a vector register where the
 * baseline has one and machine words elsewhere. */
#ifndef XC_XOR_TINY_H
#define XC_XOR_TINY_H

#include "../util/bytes.h"
#include "../util/unroll.h"

#include <stddef.h>

typedef uint64_t xc_pair __attribute__((vector_size(16)));

/* By pointer: a vector that is passed by value has no settled ABI on machines without vectors. */
static inline void xc_pair_xor(xc_pair *v, const uint8_t *a, const uint8_t *b)
{
    xc_pair w;
    memcpy(v, a, sizeof *v);
    memcpy(&w, b, sizeof w);
    *v ^= w;
}

/* xc_xor_tiny() is for n below this. */
enum { XC_XOR_TINY = 64 };

static inline void xc_xor_tiny(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n >= 16) {
        /* Up to 32 bytes the two in the middle are the outer ones again: the length decides where they are,
         * not whether, since a branch on a length that nobody foresees costs more than they do. */
        size_t in = n > 32 ? 16 : 0;
        xc_pair head, second, third, tail;
        xc_pair_xor(&head, a, b);
        xc_pair_xor(&second, a + in, b + in);
        xc_pair_xor(&third, a + n - 16 - in, b + n - 16 - in);
        xc_pair_xor(&tail, a + n - 16, b + n - 16);
        memcpy(dst, &head, 16);
        memcpy(dst + in, &second, 16);
        memcpy(dst + n - 16 - in, &third, 16);
        memcpy(dst + n - 16, &tail, 16);
    } else if (n >= 8) {
        uint64_t head = xc_load64(a) ^ xc_load64(b);
        uint64_t tail = xc_load64(a + n - 8) ^ xc_load64(b + n - 8);
        xc_store64(dst, head);
        xc_store64(dst + n - 8, tail);
    } else if (n >= 4) {
        uint32_t head = xc_load32(a) ^ xc_load32(b);
        uint32_t tail = xc_load32(a + n - 4) ^ xc_load32(b + n - 4);
        xc_store32(dst, head);
        xc_store32(dst + n - 4, tail);
    } else if (n != 0) {
        /* First, middle and last: all three bytes of three, and the same ones again of fewer. */
        uint8_t first = a[0] ^ b[0];
        uint8_t middle = a[n >> 1] ^ b[n >> 1];
        uint8_t last = a[n - 1] ^ b[n - 1];
        dst[0] = first;
        dst[n >> 1] = middle;
        dst[n - 1] = last;
    }
}

/* ---- blocks and runs of them, for modes ---------------------------------------------------------------- */

static inline void xc_xor_block(uint8_t dst[16], const uint8_t a[16], const uint8_t b[16])
{
    xc_pair v;
    xc_pair_xor(&v, a, b);
    memcpy(dst, &v, sizeof v);
}

static inline void xc_store_halves(uint8_t dst[16], struct xc_halves halves)
{
    const xc_pair v = {xc_le64(halves.low), xc_le64(halves.high)};
    memcpy(dst, &v, sizeof v);
}

/* Any number of bytes that are at hand in the first-level cache. One pair at a time: what is summed may be keystream, and
 * a compiler that runs out of registers would leave it on the stack. */
static inline void xc_xor_run(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    for (; n >= 16; n -= 16, a += 16, b += 16, dst += 16)
        xc_xor_block(dst, a, b);
    xc_xor_tiny(dst, a, b, n);
}

/* ---- any number of sources, fewer than 32 bytes ------------------------------------------------------ */

static inline void xc_pair_sum(xc_pair *sum, const uint8_t *const *src, size_t count, size_t at)
{
    memcpy(sum, src[0] + at, sizeof *sum);
    XC_ROLLED
    for (size_t j = 1; j < count; j++) {
        xc_pair v;
        memcpy(&v, src[j] + at, sizeof v);
        *sum ^= v;
    }
}

static inline uint64_t xc_sum64(const uint8_t *const *src, size_t count, size_t at)
{
    uint64_t sum = xc_load64(src[0] + at);
    XC_ROLLED
    for (size_t j = 1; j < count; j++) {
        sum ^= xc_load64(src[j] + at);
    }
    return sum;
}

static inline uint32_t xc_sum32(const uint8_t *const *src, size_t count, size_t at)
{
    uint32_t sum = xc_load32(src[0] + at);
    XC_ROLLED
    for (size_t j = 1; j < count; j++) {
        sum ^= xc_load32(src[j] + at);
    }
    return sum;
}

static inline uint8_t xc_sum8(const uint8_t *const *src, size_t count, size_t at)
{
    uint8_t sum = src[0][at];
    XC_ROLLED
    for (size_t j = 1; j < count; j++) {
        sum ^= src[j][at];
    }
    return sum;
}

static inline void xc_xor_tiny_many(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    if (n >= 16) {
        xc_pair head, tail;
        xc_pair_sum(&head, src, count, 0);
        xc_pair_sum(&tail, src, count, n - 16);
        memcpy(dst, &head, 16);
        memcpy(dst + n - 16, &tail, 16);
    } else if (n >= 8) {
        uint64_t head = xc_sum64(src, count, 0);
        uint64_t tail = xc_sum64(src, count, n - 8);
        xc_store64(dst, head);
        xc_store64(dst + n - 8, tail);
    } else if (n >= 4) {
        uint32_t head = xc_sum32(src, count, 0);
        uint32_t tail = xc_sum32(src, count, n - 4);
        xc_store32(dst, head);
        xc_store32(dst + n - 4, tail);
    } else if (n != 0) {
        uint8_t first = xc_sum8(src, count, 0);
        uint8_t middle = xc_sum8(src, count, n >> 1);
        uint8_t last = xc_sum8(src, count, n - 1);
        dst[0] = first;
        dst[n >> 1] = middle;
        dst[n - 1] = last;
    }
}

#endif
