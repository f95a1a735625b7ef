/* xor_portable.c — XOR in machine words, in plain C: the reference that every other kernel must equal.
 *
 * A word is loaded and stored through memcpy, which is one instruction where the machine allows any
 * address. Where it does not, buffers that are aligned, or that become so together, still run in whole
 * aligned words: the loops exist twice, with and without the promise of alignment, from one source.
 * The last word overlaps the one before it, and is computed first, so that dst may be a source. */
#include "../kernel.h"
#include "../util/wipe.h"
#include "xor_tiny.h"

#include <string.h>

typedef uintptr_t word;

enum { WORD = sizeof(word), UNROLL = 4 };

static inline word load(const uint8_t *p, int aligned)
{
    word w;
    memcpy(&w, aligned ? __builtin_assume_aligned(p, WORD) : p, WORD);
    return w;
}

static inline void store(uint8_t *p, word w, int aligned)
{
    memcpy(aligned ? __builtin_assume_aligned(p, WORD) : p, &w, WORD);
}

static inline size_t misfit(const uint8_t *p)
{
    return (uintptr_t)p & (WORD - 1);
}

/* Whole words, as many as fit. `aligned` is a constant at every call. */
static inline void two_words(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n, int aligned)
{
    size_t i = 0;
    for (; n - i >= UNROLL * WORD; i += UNROLL * WORD) {
        word w0 = load(a + i, aligned) ^ load(b + i, aligned);
        word w1 = load(a + i + WORD, aligned) ^ load(b + i + WORD, aligned);
        word w2 = load(a + i + 2 * WORD, aligned) ^ load(b + i + 2 * WORD, aligned);
        word w3 = load(a + i + 3 * WORD, aligned) ^ load(b + i + 3 * WORD, aligned);
        store(dst + i, w0, aligned);
        store(dst + i + WORD, w1, aligned);
        store(dst + i + 2 * WORD, w2, aligned);
        store(dst + i + 3 * WORD, w3, aligned);
    }
    for (; n - i >= WORD; i += WORD) {
        store(dst + i, load(a + i, aligned) ^ load(b + i, aligned), aligned);
    }
}

static int two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n < XC_XOR_TINY) {
        xc_xor_tiny(dst, a, b, n);
        return 0;
    }
    word head = load(a, 0) ^ load(b, 0);
    word tail = load(a + n - WORD, 0) ^ load(b + n - WORD, 0);
    if (misfit(dst) == misfit(a) && misfit(dst) == misfit(b)) {
        size_t skip = (WORD - misfit(dst)) & (WORD - 1);
        two_words(dst + skip, a + skip, b + skip, n - skip, 1);
    } else {
        two_words(dst, a, b, n, 0);
    }
    store(dst + n - WORD, tail, 0);
    store(dst, head, 0);
    return 0;
}

static inline word one_word(const uint8_t *const *src, size_t count, size_t at, int aligned)
{
    word w = load(src[0] + at, aligned);
    for (size_t j = 1; j < count; j++) {
        w ^= load(src[j] + at, aligned);
    }
    return w;
}

static inline void many_words(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n, int aligned)
{
    size_t i = 0;
    for (; n - i >= UNROLL * WORD; i += UNROLL * WORD) {
        word w[UNROLL];
        for (size_t u = 0; u < UNROLL; u++) {
            w[u] = load(src[0] + i + u * WORD, aligned);
        }
        for (size_t j = 1; j < count; j++) {
            for (size_t u = 0; u < UNROLL; u++) {
                w[u] ^= load(src[j] + i + u * WORD, aligned);
            }
        }
        for (size_t u = 0; u < UNROLL; u++) {
            store(dst + i + u * WORD, w[u], aligned);
        }
    }
    for (; n - i >= WORD; i += WORD) {
        store(dst + i, one_word(src, count, i, aligned), aligned);
    }
}

static void many(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n)
{
    if (n < WORD) {
        for (size_t i = 0; i < n; i++) {
            uint8_t byte = src[0][i];
            for (size_t j = 1; j < count; j++) {
                byte ^= src[j][i];
            }
            dst[i] = byte;
        }
        return;
    }
    size_t misfits = misfit(dst);
    for (size_t j = 0; j < count; j++) {
        misfits |= misfit(src[j]);
    }
    word tail = one_word(src, count, n - WORD, 0);
    if (misfits == 0) {
        many_words(dst, src, count, n, 1);
    } else {
        many_words(dst, src, count, n, 0);
    }
    store(dst + n - WORD, tail, 0);
}

/* A short key is repeated up to a whole number of its lengths, so that what remains is `two` in runs. */
enum { RUN = 128 };

static void repeat(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len, size_t phase)
{
    uint8_t longer[2 * RUN];
    const uint8_t *run = key;
    size_t period = key_len;
    size_t filled = 0;

    if (key_len < RUN && n > key_len - phase) {
        period = key_len * ((RUN + key_len - 1) / key_len);
        memcpy(longer, key, key_len);
        for (filled = key_len; filled < period; filled += key_len) {
            memcpy(longer + filled, key, key_len);
        }
        run = longer;
    }
    while (n != 0) {
        size_t step = n < period - phase ? n : period - phase;
        two(dst, src, run + phase, step);
        dst += step;
        src += step;
        n -= step;
        phase = 0;
    }
    if (filled != 0) {
        xc_wipe(longer, filled);
    }
}

const struct xc_xor_ops xc_xor_portable = { .two = two, .many = many, .repeat = repeat };
