/* bytes.h — loads, stores and byte order through memcpy, so that no pointer needs an alignment. */
#ifndef XC_BYTES_H
#define XC_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t xc_load32(const void *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t xc_load64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* A block of 16 bytes by halves: it was often counted up a moment ago, and a load of the whole would wait until that has
 * reached the cache. The empty asm keeps the compiler from making one load of the two. */
static inline void xc_copy_halves(uint8_t dst[16], const uint8_t src[16])
{
    uint64_t first = xc_load64(src), second = xc_load64(src + 8);
    __asm__("" : "+r"(first), "+r"(second));
    memcpy(dst, &first, 8);
    memcpy(dst + 8, &second, 8);
}

/* n < 16 bytes between places that do not overlap, without a loop or a call: the head and the tail may overlap. */
static inline void xc_copy_small(uint8_t *dst, const uint8_t *src, size_t n)
{
    if (n >= 8) {
        const uint64_t head = xc_load64(src), tail = xc_load64(src + n - 8);
        memcpy(dst, &head, 8);
        memcpy(dst + n - 8, &tail, 8);
    } else if (n >= 4) {
        const uint32_t head = xc_load32(src), tail = xc_load32(src + n - 4);
        memcpy(dst, &head, 4);
        memcpy(dst + n - 4, &tail, 4);
    } else if (n != 0) {
        const uint8_t first = src[0], middle = src[n >> 1], last = src[n - 1];
        dst[0] = first;
        dst[n >> 1] = middle;
        dst[n - 1] = last;
    }
}

static inline void xc_store32(void *p, uint32_t v) { memcpy(p, &v, sizeof v); }
static inline void xc_store64(void *p, uint64_t v) { memcpy(p, &v, sizeof v); }

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static inline uint32_t xc_be32(uint32_t v) { return v; }
static inline uint64_t xc_be64(uint64_t v) { return v; }
static inline uint32_t xc_le32(uint32_t v) { return __builtin_bswap32(v); }
static inline uint64_t xc_le64(uint64_t v) { return __builtin_bswap64(v); }
#else
static inline uint32_t xc_be32(uint32_t v) { return __builtin_bswap32(v); }
static inline uint64_t xc_be64(uint64_t v) { return __builtin_bswap64(v); }
static inline uint32_t xc_le32(uint32_t v) { return v; }
static inline uint64_t xc_le64(uint64_t v) { return v; }
#endif

static inline uint32_t xc_load32_be(const void *p) { return xc_be32(xc_load32(p)); }
static inline uint64_t xc_load64_be(const void *p) { return xc_be64(xc_load64(p)); }
static inline uint32_t xc_load32_le(const void *p) { return xc_le32(xc_load32(p)); }
static inline uint64_t xc_load64_le(const void *p) { return xc_le64(xc_load64(p)); }

static inline void xc_store32_be(void *p, uint32_t v) { xc_store32(p, xc_be32(v)); }
static inline void xc_store64_be(void *p, uint64_t v) { xc_store64(p, xc_be64(v)); }
static inline void xc_store32_le(void *p, uint32_t v) { xc_store32(p, xc_le32(v)); }
static inline void xc_store64_le(void *p, uint64_t v) { xc_store64(p, xc_le64(v)); }

/* ---- less than a block ----------------------------------------------------------------------------------- */

/* Two little-endian numbers. A load that spans two stores of a moment ago, or that crosses the middle of a block just stored,
 * waits until all that came before has reached the cache, and so keeps messages from overlapping (the Xeon of isa.def: CMAC of
 * 9 bytes 25 ns, without it 15). So what is to become a block, or comes out of one, is moved and cut in registers. */
struct xc_halves {
    uint64_t low, high;
};

static inline struct xc_halves xc_load_block(const uint8_t block[16])
{
    return (struct xc_halves){xc_load64_le(block), xc_load64_le(block + 8)};
}

/* n < 16 bytes, with zeros behind them. */
static inline struct xc_halves xc_load_halves(const uint8_t *p, size_t n)
{
    struct xc_halves halves = {0, 0};
    if (n >= 8) {
        halves.low = xc_load64_le(p);
        halves.high = xc_load64_le(p + n - 8) >> (8 * (15 - n)) >> 8; /* in two steps: 64 bits at once are undefined */
    } else if (n >= 4) {
        halves.low = xc_load32_le(p) | ((uint64_t)xc_load32_le(p + n - 4) >> (8 * (8 - n))) << 32;
    } else if (n != 0) {
        halves.low = p[0] | (uint64_t)p[n >> 1] << (8 * (n >> 1)) | (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    return halves;
}

/* The first n < 16 bytes. */
static inline void xc_store_first(uint8_t *p, struct xc_halves halves, size_t n)
{
    const uint64_t low = halves.low;
    if (n >= 8) {
        xc_store64_le(p, low);
        xc_store64_le(p + n - 8, low >> (8 * (n - 8)) | halves.high << (8 * (15 - n)) << 8);
    } else if (n >= 4) {
        xc_store32_le(p, (uint32_t)low);
        xc_store32_le(p + n - 4, (uint32_t)(low >> (8 * (n - 4))));
    } else if (n != 0) {
        p[0] = (uint8_t)low;
        p[n >> 1] = (uint8_t)(low >> (8 * (n >> 1)));
        p[n - 1] = (uint8_t)(low >> (8 * (n - 1)));
    }
}

static inline struct xc_halves xc_halves_sum(struct xc_halves a, struct xc_halves b)
{
    return (struct xc_halves){a.low ^ b.low, a.high ^ b.high};
}

/* The first n < 16 bytes, and zeros. */
static inline struct xc_halves xc_halves_first(struct xc_halves halves, size_t n)
{
    const uint64_t ones = ~(uint64_t)0;
    if (n >= 8)
        return (struct xc_halves){halves.low, halves.high & ~(ones << (8 * (n - 8)))};
    return (struct xc_halves){halves.low & ~(ones << 8 * n), 0};
}

/* Moved n < 16 bytes up, behind zeros, and n bytes down. */
static inline struct xc_halves xc_halves_up(struct xc_halves halves, size_t n)
{
    if (n >= 8)
        return (struct xc_halves){0, halves.low << (8 * (n - 8))};
    return (struct xc_halves){halves.low << 8 * n, halves.high << 8 * n | halves.low >> (8 * (7 - n)) >> 8};
}

static inline struct xc_halves xc_halves_down(struct xc_halves halves, size_t n)
{
    if (n >= 8)
        return (struct xc_halves){halves.high >> (8 * (n - 8)), 0};
    return (struct xc_halves){halves.low >> 8 * n | halves.high << (8 * (7 - n)) << 8, halves.high >> 8 * n};
}

#endif
