/* xor_repeat.h — XOR with a repeating key, for the vectors of xor_vec.h.
 *
 * A key of up to KEY_SHORT bytes is laid out in a buffer again and again, so that a turn finds its key in
 * one piece; how far, says the text's length. Longer keys are plain XOR in runs. Two more things are the
 * including file's: short_same for fewer than VEC bytes under one vector, and repeat_short for keys of up
 * to 16 bytes, where shuffles and broadcasts may do without the buffer. */
#ifndef XC_XOR_REPEAT_H
#define XC_XOR_REPEAT_H

#include "xor_vec.h"

static void repeat_short(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len,
                         size_t phase);

/* The longest period and the turn that begins in its last byte. Of a key of up to 16 bytes a period has at most 15
 * vectors. One of up to KEY_SHORT is as long as a turn or is repeated until it is, and its last copy may be a key too much. */
enum { KEY_SHORT = 256, PERIOD = 16 * VEC > 2 * KEY_SHORT ? 16 * VEC : 2 * KEY_SHORT, LAID_OUT = PERIOD + TURN };
_Static_assert(3 * TURN <= (int)PERIOD, "a key shorter than a turn: less than both together, and one too much");

/* So many runs over the key cost less than laying it out. */
enum { RUNS = 6 };

/* xc_wipe() in whole vectors, for it is a short text's time: wipes n bytes and up to a vector more. */
static inline void wipe_vectors(uint8_t laid_out[LAID_OUT], size_t n)
{
    const vec zero = {0};
    for (size_t i = 0; i < n; i += VEC) {
        vec_store(laid_out + i, zero);
    }
    __asm__ __volatile__("" : : "r"(laid_out) : "memory");
}

/* Text under a laid-out key: whose period is at least a turn, if the text is. */
static inline void under_laid_out(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *laid_out, size_t phase,
                                  size_t period)
{
    for (; n >= TURN; n -= TURN) {
        const uint8_t *k = laid_out + phase;
        vec_store(dst, both(src, k));
        vec_store(dst + VEC, both(src + VEC, k + VEC));
        vec_store(dst + 2 * VEC, both(src + 2 * VEC, k + 2 * VEC));
        vec_store(dst + 3 * VEC, both(src + 3 * VEC, k + 3 * VEC));
        dst += TURN;
        src += TURN;
        phase += TURN;
        phase -= phase >= period ? period : 0;
    }
    two(dst, src, laid_out + phase, n);
}

/* Every VEC bytes of text meet the same key. */
static inline void under_same(uint8_t *dst, const uint8_t *src, size_t n, vec k)
{
    for (; n >= TURN; n -= TURN) {
        vec_store(dst, vec_xor(vec_load(src), k));
        vec_store(dst + VEC, vec_xor(vec_load(src + VEC), k));
        vec_store(dst + 2 * VEC, vec_xor(vec_load(src + 2 * VEC), k));
        vec_store(dst + 3 * VEC, vec_xor(vec_load(src + 3 * VEC), k));
        dst += TURN;
        src += TURN;
    }
    for (; n >= VEC; n -= VEC) {
        vec_store(dst, vec_xor(vec_load(src), k));
        dst += VEC;
        src += VEC;
    }
    short_same(dst, src, n, k);
}

/* A key of 1 to 16 bytes in two words, the first bytes lowest, without touching the byte after it. */
static inline void load_key(uint64_t word[2], const uint8_t *key, size_t key_len)
{
    word[1] = 0;
    if (key_len >= 8) {
        word[0] = xc_load64(key);
        /* Two steps, because the whole distance is 64 for a key of 8 bytes. */
        word[1] = xc_load64(key + key_len - 8) >> (4 * (16 - key_len)) >> (4 * (16 - key_len));
    } else if (key_len >= 4) {
        word[0] = xc_load32(key) | (uint64_t)xc_load32(key + key_len - 4) << (8 * (key_len - 4));
    } else {
        word[0] = key[0] | (uint64_t)key[key_len >> 1] << (8 * (key_len >> 1)) |
                  (uint64_t)key[key_len - 1] << (8 * (key_len - 1));
    }
}

/* Copies a key of 16 to KEY_SHORT bytes. Every copy is read from the key itself, for what has just been stored
 * in other pieces could not be read back without a wait. */
static inline void copy_key(uint8_t *to, const uint8_t *key, size_t key_len)
{
    if (key_len < VEC) {
        xc_pair v;
        for (size_t i = 0; i < key_len - 16; i += 16) {
            memcpy(&v, key + i, 16);
            memcpy(to + i, &v, 16);
        }
        memcpy(&v, key + key_len - 16, 16);
        memcpy(to + key_len - 16, &v, 16);
        return;
    }
    for (size_t i = 0; i < key_len - VEC; i += VEC) {
        vec_store(to + i, vec_load(key + i));
    }
    vec_store(to + key_len - VEC, vec_load(key + key_len - VEC));
}

/* Keys of 17 to KEY_SHORT bytes. */
static void repeat_laid_out(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len,
                            size_t phase)
{
    uint8_t laid_out[LAID_OUT];
    size_t need = n < LAID_OUT ? phase + n : LAID_OUT, have = 0, period = 0;
    do {
        copy_key(laid_out + have, key, key_len);
        have += key_len;
        if (period == 0 && have >= TURN) {
            period = have;
            need = need < period + TURN ? need : period + TURN;
        }
    } while (have < need);
    if (key_len == VEC) {
        under_same(dst, src, n, vec_load(laid_out + phase));
    } else {
        under_laid_out(dst, src, n, laid_out, phase, period);
    }
    wipe_vectors(laid_out, have);
}

static void repeat(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len, size_t phase)
{
    size_t run = key_len - phase;
    if (n <= run) {
        two(dst, src, key + phase, n);
    } else if (key_len <= 16) {
        repeat_short(dst, src, n, key, key_len, phase);
    } else if (key_len <= KEY_SHORT && n > RUNS * key_len) {
        repeat_laid_out(dst, src, n, key, key_len, phase);
    } else {
        for (; n > run; run = key_len) {
            two(dst, src, key + key_len - run, run);
            dst += run;
            src += run;
            n -= run;
        }
        two(dst, src, key, n);
    }
}

#endif
