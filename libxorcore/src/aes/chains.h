/* chains.h — CBC and CFB encryption, OFB and the MAC on many messages side by side, in vectors of any width.
 *
 * A chain waits for its own rounds, and chains of other messages fill the time: eight registers with XC_WIDE chains
 * each go through the rounds together, or four where no more are needed. Places without a chain take part in the
 * rounds and touch no memory but the stage.
 * The stage is why the messages may lie anywhere. Read block by block, sixteen messages that lie a power of two apart
 * have their lines in a few sets of the first-level cache and displace one another there between one block and the
 * next. So four blocks of every message, a line, are brought to the stage at once, and from there back: while one
 * group is worked on, the group before it leaves and the group after it comes, a quarter of the messages in each step.
 * What is known before the last round of a block is summed before it, as in aesni_modes.h.
 * Registers: chains 8, round keys 3, text 2.
 *
 * Measured on Zen 4 (gcc 12), 128-bit keys, sixteen messages of 1 KiB in registers of two blocks: CBC 52 cycles for a
 * block of each, where their rounds have a latency of 40 and take the unit for 40. Without a stage it is 51, but 68
 * for messages that lie 1 KiB apart, 130 where it is 2 KiB and 300 where it is 4, and here 52, 58 and 77. Registers of
 * four blocks, without a stage, take 55; to fill one takes longer than it saves.
 *
 * The including file has included aesni_modes.h and defined the words that are used here (chains_*.h). */

enum { CHAINS = 8 }; /* registers */

XC_AESNI_INLINE xc_vec chains_key(const __m128i *key)
{
    return xc_v_all(*xc_aesni_again(key));
}

XC_AESNI_INLINE void chains_round(size_t n, xc_vec x[CHAINS], __m128i key)
{
    const xc_vec k = xc_v_all(key);
    XC_UNROLL
    for (size_t j = 0; j < n; j++) {
        x[j] = xc_v_round(x[j], k);
    }
}

XC_AESNI_INLINE void chains_middle(size_t n, xc_vec x[CHAINS], const __m128i *keys, unsigned rounds)
{
    XC_UNROLL
    for (int r = 1; r < 10; r++) {
        keys = xc_aesni_again(keys);
        chains_round(n, x, keys[r]);
    }
    if (rounds > 10) {
        chains_round(n, x, keys[10]);
        chains_round(n, x, keys[11]);
        if (rounds > 12) {
            chains_round(n, x, keys[12]);
            chains_round(n, x, keys[13]);
        }
    }
}

/* What a call does, a constant in each of them, as is the number of registers `n`. */
enum chain { CHAIN_CBC, CHAIN_MAC, CHAIN_CFB, CHAIN_OFB };

/* ---- the text ----------------------------------------------------------------------------------------- */

enum { GROUP = 4, GROUP_BYTES = 16 * GROUP };

/* A group of blocks of every message, one message after the other. */
struct chains_stage {
    _Alignas(64) uint8_t text[CHAINS * XC_WIDE][GROUP_BYTES];
};

XC_AESNI_INLINE void chains_copy(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n >= GROUP_BYTES) {
        XC_UNROLL
        for (size_t at = 0; at < GROUP_BYTES; at += 16 * XC_WIDE) {
            xc_v_store(to + at, xc_v_load(from + at));
        }
        return;
    }
    for (size_t at = 0; at < n; at += 16) {
        xc_store128(to + at, xc_load128(from + at));
    }
}

/* Lane i's text from `at` on comes onto the stage, if there is any. */
XC_AESNI_INLINE void chains_in(struct chains_stage *stage, const struct xc_lanes *lanes, size_t i, size_t at,
                               size_t end)
{
    if (at < end) {
        chains_copy(stage->text[i], lanes->in[i] + at, end - at);
    }
}

XC_AESNI_INLINE void chains_out(const struct chains_stage *stage, const struct xc_lanes *lanes, size_t i, size_t at,
                                size_t end)
{
    chains_copy(lanes->out[i] + at, stage->text[i], end - at);
}

XC_AESNI_INLINE void chains_wipe(struct chains_stage *stage, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        XC_UNROLL
        for (size_t at = 0; at < GROUP_BYTES; at += 16 * XC_WIDE) {
            xc_v_store(stage->text[i] + at, xc_v_zero());
        }
    }
    __asm__ __volatile__("" : : "r"(stage) : "memory");
}

/* The j-th register's blocks. */
XC_AESNI_INLINE xc_vec chains_load(const uint8_t *block, size_t j)
{
    return xc_v_gather(block + GROUP_BYTES * XC_WIDE * j);
}

XC_AESNI_INLINE void chains_store(uint8_t *block, size_t j, xc_vec v)
{
    xc_v_scatter(block + GROUP_BYTES * XC_WIDE * j, v);
}

/* ---- the steps ---------------------------------------------------------------------------------------- */

/* Behind the rounds of a block: the last one, what is written, and the sum that the next block begins with. `next` is
 * NULL where none follows; then x is the chain. */
XC_AESNI_INLINE void chains_end(enum chain chain, size_t n, xc_vec x[CHAINS], const __m128i *keys, unsigned rounds,
                                uint8_t *block, const uint8_t *next)
{
    const xc_vec last = chains_key(keys + rounds), first = chains_key(keys), both = xc_v_xor(first, last);
    __asm__ __volatile__("" : "+r"(block)); /* nothing of it is read before this place: there are no registers for it */
    if (next == NULL) {
        XC_UNROLL
        for (size_t j = 0; j < n; j++) {
            x[j] = xc_v_last(x[j], last);
            if (chain == CHAIN_CBC) {
                chains_store(block, j, x[j]);
            } else if (chain != CHAIN_MAC) {
                xc_vec sum = xc_v_xor(x[j], chains_load(block, j));
                chains_store(block, j, sum);
                x[j] = chain == CHAIN_CFB ? sum : x[j];
            }
        }
        return;
    }
    __asm__ __volatile__("" : "+r"(next)); /* likewise */
    XC_UNROLL
    for (size_t j = 0; j < n; j++) {
        if (chain == CHAIN_CBC) {
            x[j] = xc_v_last(x[j], last);
            chains_store(block, j, x[j]);
            x[j] = xc_v_xor(x[j], xc_v_held(xc_v_xor(first, chains_load(next, j))));
        } else if (chain == CHAIN_MAC) {
            x[j] = xc_v_last(x[j], xc_v_xor(both, chains_load(next, j)));
        } else if (chain == CHAIN_CFB) {
            x[j] = xc_v_last(x[j], xc_v_xor(last, chains_load(block, j)));
            chains_store(block, j, x[j]);
            x[j] = xc_v_xor(x[j], first);
        } else {
            x[j] = xc_v_last(x[j], both);
            chains_store(block, j, xc_v_xor(x[j], xc_v_held(xc_v_xor(first, chains_load(block, j)))));
        }
    }
}

XC_AESNI_INLINE void chains_steps(enum chain chain, const struct key *key, struct xc_lanes *lanes, size_t n,
                                  size_t count, size_t blocks)
{
    const size_t quarter = n * XC_WIDE / GROUP, end = 16 * blocks;
    const int writes = chain != CHAIN_MAC, sums = chain == CHAIN_CBC || chain == CHAIN_MAC;
    struct chains_stage stages[2], *now = &stages[0], *other = &stages[1];
    xc_vec x[CHAINS];
    for (size_t i = 0; i < count; i++) {
        chains_in(now, lanes, i, 0, end);
    }
    XC_UNROLL
    for (size_t j = 0; j < n; j++) {
        x[j] = xc_v_xor(xc_v_load(lanes->chain[XC_WIDE * j]), chains_key(key->enc));
        if (sums) {
            x[j] = xc_v_xor(x[j], chains_load(now->text[0], j));
        }
    }
    uint8_t *block = now->text[0];
    for (size_t at = 0;; at += 16) {
        const size_t in_group = at % GROUP_BYTES, group = at - in_group;
        for (size_t i = in_group / 16 * quarter; i < (in_group / 16 + 1) * quarter && i < count; i++) {
            if (writes && group != 0) {
                chains_out(other, lanes, i, group - GROUP_BYTES, group);
            }
            chains_in(other, lanes, i, group + GROUP_BYTES, end);
        }
        chains_middle(n, x, key->enc, key->rounds);
        if (at + 16 == end) {
            break;
        }
        uint8_t *next = block + 16;
        if (in_group + 16 == GROUP_BYTES) {
            struct chains_stage *swap = now;
            now = other;
            other = swap;
            next = now->text[0];
        }
        chains_end(chain, n, x, key->enc, key->rounds, block, next);
        block = next;
    }
    chains_end(chain, n, x, key->enc, key->rounds, block, NULL);
    XC_UNROLL
    for (size_t j = 0; j < n; j++) {
        xc_v_store(lanes->chain[XC_WIDE * j], x[j]);
    }
    const size_t group = (end - 1) / GROUP_BYTES * GROUP_BYTES;
    for (size_t i = 0; writes && i < count; i++) {
        if (group != 0 && i >= (end - group) / 16 * quarter) {
            chains_out(other, lanes, i, group - GROUP_BYTES, group);
        }
        chains_out(now, lanes, i, group, end);
    }
    if (chain == CHAIN_OFB || chain == CHAIN_MAC) { /* else it is ciphertext that stands there */
        chains_wipe(now, count);
        if (group != 0) {
            chains_wipe(other, count);
        }
    }
}

XC_AESNI_INLINE void chains(enum chain chain, const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    if (blocks == 0) {
        return;
    }
    if (count <= CHAINS / 2 * XC_WIDE) {
        chains_steps(chain, key, lanes, CHAINS / 2, count, blocks);
    } else {
        chains_steps(chain, key, lanes, CHAINS, count, blocks);
    }
}

static void cbc_encrypt_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    chains(CHAIN_CBC, key, lanes, count, blocks);
}

static void cfb_encrypt_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    chains(CHAIN_CFB, key, lanes, count, blocks);
}

static void ofb_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    chains(CHAIN_OFB, key, lanes, count, blocks);
}

static void mac_lanes(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks)
{
    chains(CHAIN_MAC, key, lanes, count, blocks);
}
