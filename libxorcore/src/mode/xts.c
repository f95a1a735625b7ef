/* xts.c — XTS-AES with ciphertext stealing over any aes kernel (IEEE 1619 5.3, SP 800-38E). */
#include "xts.h"

#include "../util/bytes.h"
#include "../util/wipe.h"
#include "../xor/xor_tiny.h"

struct pair {
    const struct xc_aes_key *data, *tweak;
};

/* Both halves of the key have the same kernel and so the same size, which lies before the first. */
struct header {
    size_t each;
};

static struct pair keys(const void *key)
{
    const uint8_t *p = (const uint8_t *)key + XC_ALIGN;
    const struct header *h = key;
    return (struct pair){(const void *)p, (const void *)(p + h->each)};
}

size_t xc_xts_key_size(const struct xc_choice *choice) { return XC_ALIGN + 2 * xc_aes_key_size(choice); }

void xc_xts_set_key(void *key, const struct xc_choice *choice, const uint8_t *bytes, size_t len)
{
    struct header *h = key;
    uint8_t *p = (uint8_t *)key + XC_ALIGN;
    h->each = xc_aes_key_size(choice);
    xc_aes_set_key((void *)p, choice->aes, bytes, len / 2, 1);
    xc_aes_set_key((void *)(p + h->each), choice->aes, bytes + len / 2, len / 2, 0);
}

/* t * x in GF(2^128), bytes in little-endian order, without a branch on the bit that falls out. */
static inline struct xc_halves times_x(struct xc_halves t)
{
    return (struct xc_halves){t.low << 1 ^ (0x87 & (0 - (t.high >> 63))), t.high << 1 | t.low >> 63};
}

/* Out of line and with a frame that xc_wipe_below() covers: compilers keep more tweaks than have a register. */
static __attribute__((noinline)) void blocks_generic(const struct xc_aes_key *key, int encrypt, uint8_t *out,
                                                     const uint8_t *in, size_t blocks, uint8_t t[16])
{
    enum { PIECE = 16 };
    uint8_t tweaks[PIECE * XC_BLOCK];
    struct xc_halves tweak = xc_load_block(t); /* by halves: a load of 16 bytes would wait for two stores of 8 */
    while (blocks) {
        const size_t m = blocks < PIECE ? blocks : PIECE, n = m * XC_BLOCK;
        for (size_t i = 0; i < n; i += XC_BLOCK) {
            xc_store_halves(tweaks + i, tweak);
            tweak = times_x(tweak);
        }
        xc_xor_run(out, in, tweaks, n);
        (encrypt ? key->ops->encrypt : key->ops->decrypt)(xc_aes_block(key), out, out, m);
        xc_xor_run(out, out, tweaks, n);
        out += n;
        in += n;
        blocks -= m;
    }
    xc_store_halves(t, tweak);
    xc_wipe(tweaks, sizeof tweaks);
}

static void blocks_any(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in,
                       size_t blocks, uint8_t t[16])
{
    void (*slot)(const void *, uint8_t *, const uint8_t *, size_t, uint8_t[16]) =
        encrypt ? key->ops->xts_encrypt : key->ops->xts_decrypt;
    if (slot)
        slot(xc_aes_block(key), out, in, blocks, t);
    else {
        blocks_generic(key, encrypt, out, in, blocks, t);
        xc_wipe_below();
    }
}

/* The `rest` bytes after the whole blocks of a data unit, and the last of those, which is at `in` and `out`. Its
 * first pass is over, with the result in `first`; t is the tweak of the second. The head of `first` is the output's
 * short end, and its tail fills up the block of the second pass. */
static void steal(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in, size_t rest,
                  const uint8_t first[16], uint8_t t[16])
{
    uint8_t second[XC_BLOCK];
    const struct xc_halves whole = xc_load_block(first), head = xc_halves_first(whole, rest);
    xc_store_halves(second, xc_halves_sum(xc_halves_sum(whole, head), xc_load_halves(in + XC_BLOCK, rest)));
    xc_store_first(out + XC_BLOCK, head, rest);
    blocks_any(key, encrypt, out, second, 1, t);
    xc_wipe(second, sizeof second);
}

/* With t the encrypted tweak. Encrypting, the tweaks are used in order; decrypting, the last whole block takes the
 * one after that of the bytes behind it. */
static void unit_blocks(const struct xc_aes_key *key, int encrypt, uint8_t *out, const uint8_t *in, size_t n,
                        uint8_t t[16])
{
    const size_t rest = n % XC_BLOCK, blocks = n / XC_BLOCK, last = n - rest - XC_BLOCK;
    if (!rest) {
        blocks_any(key, encrypt, out, in, blocks, t);
        return;
    }
    uint8_t first[XC_BLOCK];
    if (encrypt) {
        blocks_any(key, 1, out, in, blocks, t);
        memcpy(first, out + last, XC_BLOCK);
    } else {
        uint8_t later[XC_BLOCK];
        if (blocks > 1)
            blocks_any(key, 0, out, in, blocks - 1, t);
        xc_store_halves(later, times_x(xc_load_block(t)));
        blocks_any(key, 0, first, in + last, 1, later);
        xc_wipe(later, sizeof later);
    }
    steal(key, encrypt, out + last, in + last, rest, first, t);
    xc_wipe(first, sizeof first);
}

/* Kernels wipe what tweaks they keep in memory. */
void xc_xts(const void *key, int encrypt, uint8_t *out, const uint8_t *in, size_t n, const uint8_t tweak[16])
{
    const struct pair k = keys(key);
    uint8_t t[XC_BLOCK];
    xc_aes_encrypt(k.tweak, t, tweak, 1);
    unit_blocks(k.data, encrypt, out, in, n, t);
    xc_wipe(t, sizeof t);
}

/* Tweaks are encrypted several at a time, because one takes as long. */
void xc_xts_sectors(const void *key, int encrypt, uint8_t *out, const uint8_t *in, size_t n, size_t size,
                    const uint8_t tweak[16])
{
    enum { SECTORS = 8 };
    const struct pair k = keys(key);
    uint64_t low = xc_load64_le(tweak), high = xc_load64_le(tweak + 8);
    uint8_t t[SECTORS * XC_BLOCK] = {0};
    for (size_t left = n / size; left;) {
        const size_t now = left < SECTORS ? left : SECTORS;
        for (size_t i = 0; i < now; i++) {
            xc_store64_le(t + i * XC_BLOCK, low);
            xc_store64_le(t + i * XC_BLOCK + 8, high);
            high += ++low == 0;
        }
        xc_aes_encrypt(k.tweak, t, t, now);
        for (size_t i = 0; i < now; i++, in += size, out += size)
            unit_blocks(k.data, encrypt, out, in, size, t + i * XC_BLOCK);
        left -= now;
    }
    xc_wipe(t, sizeof t);
}
