/* xor.c — XOR of many sources and with a repeating key, over any xor kernel. */
#include "xor.h"

#include "../util/wipe.h"

#include <string.h>

enum { PIECE = 1024 };

/* Without the kernel's one-pass slot: a piece at a time in a buffer, since dst may be any of the sources. */
static void many_by_two(const struct xc_xor_ops *ops, uint8_t *dst, const uint8_t *const *src, size_t count,
                        size_t n)
{
    uint8_t sum[PIECE];
    for (size_t at = 0; at < n; at += PIECE) {
        const size_t m = n - at < PIECE ? n - at : PIECE;
        memcpy(sum, src[0] + at, m);
        for (size_t k = 1; k < count; k++)
            ops->two(sum, sum, src[k] + at, m);
        memcpy(dst + at, sum, m);
    }
    xc_wipe(sum, sizeof sum);
}

void xc_xor_many(const struct xc_xor_ops *ops, uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    if (!n)
        return;
    if (ops->many)
        ops->many(dst, src, count, n);
    else
        many_by_two(ops, dst, src, count, n);
}

/* The sources go to the kernel in batches; dst, as the sum so far, is the first source of every batch but
 * the first. So the source that *is* dst must be taken in the first batch, before dst is written. */
void xc_xor_strided(const struct xc_xor_ops *ops, uint8_t *dst, const uint8_t *src, size_t stride,
                    size_t count, size_t n)
{
    enum { BATCH = 32 };
    const uint8_t *batch[BATCH];
    size_t held = 0;

    if (!n)
        return;
    if (!stride)
        count = count & 1 ? 1 : 2; /* the same source again and again: pairs of it cancel */
    const size_t own =
        stride && dst >= src && (size_t)(dst - src) % stride == 0 ? (size_t)(dst - src) / stride : count;
    if (own < count)
        batch[held++] = dst;
    for (size_t k = 0; k < count; k++) {
        if (k == own)
            continue;
        batch[held++] = src + k * stride;
        if (held == BATCH) {
            xc_xor_many(ops, dst, batch, held, n);
            batch[0] = dst;
            held = 1;
        }
    }
    if (held > 1 || batch[0] != dst)
        xc_xor_many(ops, dst, batch, held, n);
}

void xc_xor_repeat(const struct xc_xor_ops *ops, uint8_t *dst, const uint8_t *src, size_t n,
                   const uint8_t *key, size_t key_len, uint64_t phase)
{
    size_t at = (size_t)(phase < key_len ? phase : phase % key_len); /* a division takes as long as a short text */
    if (!n)
        return;
    if (ops->repeat) {
        ops->repeat(dst, src, n, key, key_len, at);
        return;
    }

    /* Runs of whole keys: a short key is first laid out many times in a row. */
    uint8_t laid[PIECE];
    const size_t used = key_len < PIECE ? PIECE / key_len * key_len : 0;
    if (used) {
        for (size_t i = 0; i < used; i += key_len)
            memcpy(laid + i, key, key_len);
        key = laid;
        key_len = used;
    }
    while (n) {
        const size_t m = n < key_len - at ? n : key_len - at;
        ops->two(dst, src, key + at, m);
        dst += m;
        src += m;
        n -= m;
        at = 0;
    }
    xc_wipe(laid, used);
}
