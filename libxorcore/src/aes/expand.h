/* expand.h — the key schedule of FIPS 197 section 5.2, on words, over a kernel's S-box. */
#ifndef XC_EXPAND_H
#define XC_EXPAND_H

#include "../util/bytes.h"

#include <stddef.h>
#include <stdint.h>

enum { XC_EXPAND_ROUNDS = 14, XC_EXPAND_WORDS = 4 * (XC_EXPAND_ROUNDS + 1) };

/* Round keys for `len` bytes of key as little-endian words; returns the number of rounds. sub_word is the S-box
 * on the four bytes of a word. */
static inline __attribute__((always_inline)) unsigned xc_expand(uint32_t w[XC_EXPAND_WORDS], const uint8_t *bytes,
                                                                size_t len, uint32_t (*sub_word)(uint32_t))
{
    const unsigned words = (unsigned)(len / 4), rounds = words + 6;
    uint32_t constant = 1;
    for (unsigned i = 0; i < words; i++)
        w[i] = xc_load32_le(bytes + 4 * i);
    for (unsigned i = words; i < 4 * (rounds + 1); i++) {
        uint32_t t = w[i - 1];
        if (i % words == 0) {
            t = sub_word(t >> 8 | t << 24) ^ constant;
            constant = constant << 1 ^ (constant >> 7) * 0x11b;
        } else if (words == 8 && i % words == 4) {
            t = sub_word(t);
        }
        w[i] = w[i - words] ^ t;
    }
    return rounds;
}

#endif
