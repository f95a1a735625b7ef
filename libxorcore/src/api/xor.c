/* xor.c — the public XOR functions: checks, and the way to a kernel. */
#include "../mode/xor.h"

#include "../kernel.h"
#include "../util/equal.h"
#include "check.h"
#include "xorcore.h"

#include <stdatomic.h>
#include <string.h>

static _Atomic(const struct xc_xor_ops *) cached;

/* The best kernel, found at the first call; every thread finds the same one. */
static const struct xc_xor_ops *best(void)
{
    const struct xc_xor_ops *ops = atomic_load_explicit(&cached, memory_order_relaxed);
    if (!ops) {
        ops = xc_kernel_best(XC_XOR)->ops;
        atomic_store_explicit(&cached, ops, memory_order_relaxed);
    }
    return ops;
}

/* The kernel of that name, the best one for NULL; NULL if it cannot run. */
static const struct xc_xor_ops *named(const char *kernel)
{
    if (!kernel)
        return best();
    const struct xc_kernel *row = xc_kernel_named(XC_XOR, kernel, strlen(kernel));
    return row ? row->ops : NULL;
}

/* ---- checks: each returns a result, before the kernel and (`…_overlap`) after it -------------------- */

static int check_two(const uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    return xc_missing(dst, n) || xc_missing(a, n) || xc_missing(b, n) ? XORCORE_E_ARG : XORCORE_OK;
}

static int overlap_two(const uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    return xc_partly(dst, a, n) || xc_partly(dst, b, n) ? XORCORE_E_OVERLAP : XORCORE_OK;
}

static int check_many(const uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    if (!count || !src || xc_missing(dst, n) || count > SIZE_MAX / sizeof *src)
        return XORCORE_E_ARG;
    for (size_t k = 0; n && k < count; k++)
        if (!src[k])
            return XORCORE_E_ARG;
    return XORCORE_OK;
}

/* The list is read while dst is written, so it counts as well. */
static int overlap_many(const uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    if (xc_touch(dst, n, src, count * sizeof *src))
        return XORCORE_E_OVERLAP;
    for (size_t k = 0; n && k < count; k++)
        if (xc_partly(dst, src[k], n))
            return XORCORE_E_OVERLAP;
    return XORCORE_OK;
}

static int check_strided(const uint8_t *dst, const uint8_t *src, size_t stride, size_t count, size_t n)
{
    size_t span;
    if (!count || xc_missing(dst, n) || xc_missing(src, n) ||
        __builtin_mul_overflow(count - 1, stride, &span) || __builtin_add_overflow(span, n, &span))
        return XORCORE_E_ARG;
    return XORCORE_OK;
}

static int overlap_strided(const uint8_t *dst, const uint8_t *src, size_t stride, size_t count, size_t n)
{
    if (!stride)
        count = 1;
    for (size_t k = 0; n && k < count; k++)
        if (xc_partly(dst, src + k * stride, n))
            return XORCORE_E_OVERLAP;
    return XORCORE_OK;
}

static int check_repeat(const uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len)
{
    if (xc_missing(dst, n) || xc_missing(src, n) || xc_missing(key, key_len))
        return XORCORE_E_ARG;
    return key_len ? XORCORE_OK : XORCORE_E_KEY_LENGTH;
}

static int overlap_repeat(const uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len)
{
    return xc_partly(dst, src, n) || xc_touch(dst, n, key, key_len) ? XORCORE_E_OVERLAP : XORCORE_OK;
}

/* ---- a first look, which lets nothing pass that the checks would not: most calls need no more ---------- */

/* Not disjoint, or n is 0; for n up to half of memory. */
static inline int near(const uint8_t *dst, const uint8_t *src, size_t n)
{
    return (uintptr_t)dst - (uintptr_t)src + (n - 1) <= 2 * (n - 1);
}

/* Every source is there, and is dst or far from it. n is no more than half of memory, and not 0. */
static int fine_many(const uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    int bad = 0;
    for (size_t k = 0; k < count; k++)
        bad |= (src[k] == NULL) | (near(dst, src[k], n) & (dst != src[k]));
    return !bad;
}

/* ---- the functions ---------------------------------------------------------------------------------- */

/* Each noun has its checks in a function apart, which also serves the names of kernels: the usual call then saves
 * no register for them. */
static __attribute__((noinline)) int careful_xor(const char *kernel, uint8_t *dst, const uint8_t *a, const uint8_t *b,
                                                 size_t n)
{
    int r = check_two(dst, a, b, n);
    if (r)
        return r;
    const struct xc_xor_ops *ops = named(kernel);
    if (!ops)
        return XORCORE_E_KERNEL;
    if ((r = overlap_two(dst, a, b, n)))
        return r;
    return ops->two(dst, a, b, n);
}

int xorcore_xor(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    /* Three good buffers, far from each other or the same, and a kernel that is known: no more is asked. */
    if (__builtin_expect(!dst | !a | !b | (n > SIZE_MAX / 2), 0) ||
        (__builtin_expect(near(dst, a, n), 0) && (dst != a || !n)) ||
        (__builtin_expect(near(dst, b, n), 0) && dst != b))
        return careful_xor(NULL, dst, a, b, n);
    const struct xc_xor_ops *ops = atomic_load_explicit(&cached, memory_order_relaxed);
    if (__builtin_expect(!ops, 0))
        return careful_xor(NULL, dst, a, b, n);
    return ops->two(dst, a, b, n);
}

int xorcore_xor_on(const char *kernel, uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    return kernel ? careful_xor(kernel, dst, a, b, n) : xorcore_xor(dst, a, b, n);
}

static __attribute__((noinline)) int careful_many(const char *kernel, uint8_t *dst, const uint8_t *const *src, size_t count,
                                                  size_t n)
{
    int r = check_many(dst, src, count, n);
    if (r)
        return r;
    const struct xc_xor_ops *ops = named(kernel);
    if (!ops)
        return XORCORE_E_KERNEL;
    if ((r = overlap_many(dst, src, count, n)))
        return r;
    xc_xor_many(ops, dst, src, count, n);
    return XORCORE_OK;
}

int xorcore_xor_many(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    const struct xc_xor_ops *ops = atomic_load_explicit(&cached, memory_order_relaxed);
    if (__builtin_expect(!ops | !dst | !src | (n - 1 > SIZE_MAX / 2) | (count - 1 >= SIZE_MAX / sizeof *src), 0) ||
        xc_touch(dst, n, src, count * sizeof *src) || !fine_many(dst, src, count, n))
        return careful_many(NULL, dst, src, count, n);
    xc_xor_many(ops, dst, src, count, n);
    return XORCORE_OK;
}

int xorcore_xor_many_on(const char *kernel, uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    return kernel ? careful_many(kernel, dst, src, count, n) : xorcore_xor_many(dst, src, count, n);
}

int xorcore_xor_strided_on(const char *kernel, uint8_t *dst, const uint8_t *src, size_t stride, size_t count,
                           size_t n)
{
    int r = check_strided(dst, src, stride, count, n);
    if (r)
        return r;
    const struct xc_xor_ops *ops = named(kernel);
    if (!ops)
        return XORCORE_E_KERNEL;
    if ((r = overlap_strided(dst, src, stride, count, n)))
        return r;
    xc_xor_strided(ops, dst, src, stride, count, n);
    return XORCORE_OK;
}

int xorcore_xor_strided(uint8_t *dst, const uint8_t *src, size_t stride, size_t count, size_t n)
{
    return xorcore_xor_strided_on(NULL, dst, src, stride, count, n);
}

static __attribute__((noinline)) int careful_repeat(const char *kernel, uint8_t *dst, const uint8_t *src, size_t n,
                                                    const uint8_t *key, size_t key_len, uint64_t phase)
{
    int r = check_repeat(dst, src, n, key, key_len);
    if (r)
        return r;
    const struct xc_xor_ops *ops = named(kernel);
    if (!ops)
        return XORCORE_E_KERNEL;
    if ((r = overlap_repeat(dst, src, n, key, key_len)))
        return r;
    xc_xor_repeat(ops, dst, src, n, key, key_len, phase);
    return XORCORE_OK;
}

int xorcore_xor_repeat(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len,
                       uint64_t phase)
{
    const struct xc_xor_ops *ops = atomic_load_explicit(&cached, memory_order_relaxed);
    if (__builtin_expect(!ops | !dst | !src | !key | !key_len | (n - 1 > SIZE_MAX / 2), 0) ||
        xc_touch(dst, n, key, key_len) || (near(dst, src, n) && dst != src))
        return careful_repeat(NULL, dst, src, n, key, key_len, phase);
    xc_xor_repeat(ops, dst, src, n, key, key_len, phase);
    return XORCORE_OK;
}

int xorcore_xor_repeat_on(const char *kernel, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key,
                          size_t key_len, uint64_t phase)
{
    return kernel ? careful_repeat(kernel, dst, src, n, key, key_len, phase)
                  : xorcore_xor_repeat(dst, src, n, key, key_len, phase);
}

int xorcore_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
    return xc_missing(a, n) || xc_missing(b, n) ? 0 : xc_equal(a, b, n);
}
