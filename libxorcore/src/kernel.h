/* kernel.h — the contracts that kernels fulfil, the list of kernels, and how one is chosen.
 *
 * A kernel is a set of functions that agree on one private key layout. It checks nothing, allocates
 * nothing and knows nothing of CPUs or of preference, but for the one number of xc_cpu_cached() (cpu.h):
 * api/ has checked every argument, mode/ has put the work in order. Slots marked optional may be NULL; mode/
 * then builds them from the required ones.
 *
 * Rules for every slot, in every kernel:
 *   - any pointer may have any alignment, but for the key, which is 64-byte aligned;
 *   - `out` (`dst`) is exactly `in` (any source) or disjoint from it, and a count of 0 is legal;
 *   - nothing outside [in, in + n) is read and nothing outside [out, out + n) is written;
 *   - no branch, no index and no early exit depends on a key, on text or on a tag;
 *   - registers and stack that held keys, keystream or hash keys are not left behind in memory that
 *     the kernel owns: what is spilled on purpose is wiped (util/wipe.h). */
#ifndef XC_KERNEL_H
#define XC_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { XC_BLOCK = 16 };

/* ---- xor --------------------------------------------------------------------------------------- */

struct xc_xor_ops {
    /* dst[i] = a[i] ^ b[i] for i < n. dst may be a, b, or both. Returns 0, which is XORCORE_OK: so xorcore_xor()
     * ends in a jump to it, where a call and a return would be a third of a short text's time. */
    int (*two)(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n);

    /* Optional. dst = src[0] ^ … ^ src[count - 1], count >= 1. dst may be any of the sources. */
    void (*many)(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n);

    /* Optional. dst[i] = src[i] ^ key[(phase + i) mod key_len], with key_len >= 1 and phase < key_len. */
    void (*repeat)(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key, size_t key_len,
                   size_t phase);
};

/* ---- aes --------------------------------------------------------------------------------------- */

/* Messages side by side, each a chain of its own: place i of every array is lane i's. */
enum { XC_LANES_MAX = 16 };
struct xc_lanes {
    _Alignas(64) uint8_t chain[XC_LANES_MAX][XC_BLOCK];
    const uint8_t *in[XC_LANES_MAX];
    uint8_t *out[XC_LANES_MAX];
};

/* Slots that take a `chain` (IV, counter, tweak, MAC state) leave in it what continues the message.
 * `blocks` counts blocks of 16 bytes. */
struct xc_aes_ops {
    size_t key_size; /* bytes of the key block */

    /* FIPS 197 key expansion for keys of 16, 24 or 32 bytes: all that encryption needs. */
    void (*set_key)(void *key, const uint8_t *bytes, size_t len);

    /* Optional. Adds what `decrypt` and the slots that decrypt blocks need. After set_key. */
    void (*set_decrypt_key)(void *key);

    /* The block cipher on independent blocks (ECB). */
    void (*encrypt)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks);
    void (*decrypt)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks);

    /* Optional. out = in ^ keystream for n bytes (the last block may be partial), counter counted as
     * 128 bits, big-endian; it is advanced by the number of blocks begun. The counter is public: kernels branch
     * on where its bytes wrap. So GCM's, which may be made from the hash key, is not for this slot. */
    void (*ctr)(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16]);

    /* Optional. The same with GCM-SIV's counter: the first 4 bytes, little-endian, wrapping alone. It is made of the
     * tag that goes out with the message, and is as public. */
    void (*ctr32le)(const void *key, uint8_t *out, const uint8_t *in, size_t n, uint8_t chain[16]);

    /* Optional, SP 800-38A. CFB is CFB128. */
    void (*cbc_encrypt)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16]);
    void (*cbc_decrypt)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16]);
    void (*cfb_encrypt)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16]);
    void (*cfb_decrypt)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16]);
    void (*ofb)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16]);

    /* Optional, IEEE 1619: whole blocks of one data unit. The chain is the encrypted tweak, and is
     * left multiplied by x^blocks. */
    void (*xts_encrypt)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16]);
    void (*xts_decrypt)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t chain[16]);

    /* Optional. chain = E(chain ^ block) for every block in turn (CBC-MAC, the heart of CMAC and CCM). */
    void (*mac)(const void *key, const uint8_t *in, size_t blocks, uint8_t chain[16]);

    /* Optional: the slots above that cannot be parallel inside one message, for the messages in the lanes 0 to
     * count - 1, `blocks` blocks of each; 1 <= count <= lanes <= XC_LANES_MAX. What one lane writes, no other
     * reads or writes; `out` and `in` of a lane are the same or disjoint. The chains move on, the pointers
     * stay; the places behind the last lane are the kernel's to use. mac_lanes looks at no `out`. */
    size_t lanes;
    void (*cbc_encrypt_lanes)(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks);
    void (*cfb_encrypt_lanes)(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks);
    void (*ofb_lanes)(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks);
    void (*mac_lanes)(const void *key, struct xc_lanes *lanes, size_t count, size_t blocks);
};

/* ---- ghash ------------------------------------------------------------------------------------- */

struct xc_ghash_ops {
    size_t key_size;

    /* From the hash key H = E(0), in SP 800-38D's byte order. */
    void (*set_key)(void *key, const uint8_t h[16]);

    /* Optional. The same for a key of which no call of a slot below takes more than `most` blocks: what only longer
     * ones need may stay unmade. */
    void (*set_brief_key)(void *key, const uint8_t h[16], size_t most);

    /* y = (y ^ block) * H for every block in turn; y in SP 800-38D's byte order. */
    void (*update)(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16]);

    /* Optional. The same over blocks whose 16 bytes stand in reverse order: POLYVAL (RFC 8452) is
     * GHASH over reversed blocks. y stays in SP 800-38D's order. */
    void (*update_reversed)(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16]);
};

/* ---- gcm --------------------------------------------------------------------------------------- */

struct xc_choice;

/* One whole message of an AEAD, arguments checked. */
struct xc_message {
    uint8_t *out;
    const uint8_t *in;
    size_t len;
    const uint8_t *nonce;
    size_t nonce_len;
    const uint8_t *aad;
    size_t aad_len;
    size_t tag_len;
};

/* Inside, `counter` is a whole counter block whose last 4 bytes count, big-endian, wrapping alone. It is made
 * from the hash key when the nonce is not 12 bytes, so no branch and no index may depend on it. The one
 * counter that is known to be public is that of a whole message without a `secret_j0`. */
struct xc_gcm_ops {
    /* A stitched kernel has a layout of its own and ignores `parts`; the composed row is made of them. */
    size_t (*key_size)(const struct xc_choice *parts);
    void (*set_key)(void *key, const struct xc_choice *parts, const uint8_t *bytes, size_t len);

    /* Optional. The same for a key that lives for one message of no more than `most` bytes, text and additional
     * data together: what only longer ones need may stay unmade. */
    void (*set_brief_key)(void *key, const struct xc_choice *parts, const uint8_t *bytes, size_t len, size_t most);

    /* out = E(in), one block. */
    void (*block)(const void *key, uint8_t out[16], const uint8_t in[16]);

    /* y = GHASH of whole blocks, as xc_ghash_ops.update. */
    void (*hash)(const void *key, const uint8_t *in, size_t blocks, uint8_t y[16]);

    /* CTR over whole blocks, with y taken over the ciphertext: what is written, or what is read.
     * `counter` is that of the first block, and is advanced. */
    void (*seal_blocks)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16],
                        uint8_t y[16]);
    void (*open_blocks)(const void *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16],
                        uint8_t y[16]);

    /* Optional. A whole message to its untruncated tag, which for `open` is the tag that the message ought to
     * have. Without a `secret_j0` the nonce has 12 bytes: the pre-counter block is the nonce and 00000001, and
     * the counter is public, so that a place in a table may depend on it. Otherwise the pre-counter block is
     * `secret_j0`, and the nonce is not looked at. m->tag_len is not for the kernel. */
    void (*seal)(const void *key, const struct xc_message *m, const uint8_t *secret_j0, uint8_t tag[16]);
    void (*open)(const void *key, const struct xc_message *m, const uint8_t *secret_j0, uint8_t tag[16]);
};

/* No key block is larger than these: modes that derive a key for each message keep it on the stack. The
 * self-test holds every kernel to them. */
enum { XC_AES_KEY_MAX = 4096, XC_GHASH_KEY_MAX = 4096, XC_GCM_KEY_MAX = 12288 };

/* ---- the list and the choice --------------------------------------------------------------------- */

enum xc_family { XC_XOR, XC_AES, XC_GHASH, XC_GCM, XC_FAMILIES };

/* One kernel row of this build. */
struct xc_kernel {
    enum xc_family family;
    const char *family_name;
    const char *name;  /* the level: "sse2" */
    const char *needs; /* CPU features, as words */
    uint64_t bits;     /* the same as XC_CPU_… bits */
    const void *ops;   /* struct xc_<family>_ops */
};

size_t xc_kernel_count(void);
const struct xc_kernel *xc_kernel_at(size_t index);

/* What the row lacks here; all three are 0 when it runs. Which of them is set says whom to blame. */
struct xc_lack {
    uint64_t cpu;      /* bits the CPU does not have */
    uint64_t os;       /* bits the CPU has and the system does not save the registers for */
    uint64_t disabled; /* bits taken away by XORCORE_DISABLE */
    int row_disabled;  /* the row itself was taken away, by level or by family/name */
};
void xc_kernel_lack(size_t index, struct xc_lack *lack);

/* The first row of the family that runs, or the one of that name (length len) if it runs, else NULL. */
const struct xc_kernel *xc_kernel_best(enum xc_family family);
const struct xc_kernel *xc_kernel_named(enum xc_family family, const char *name, size_t len);

/* Longest name of a choice with its NUL: two kernel names and a plus sign. */
enum { XC_NAME_MAX = 64 };

/* The kernels that one object runs on. Fields that its algorithm has no use for are NULL. */
struct xc_choice {
    const struct xc_aes_ops *aes;
    const struct xc_ghash_ops *ghash;
    const struct xc_gcm_ops *gcm;
    char name[XC_NAME_MAX]; /* what *_kernel() tells: "aesni+pclmul" */
};

/* How an algorithm's `kernel` argument is read: the name of an aes row; a gcm row or A+G; or
 * A+G alone, where one word stands for both. Each returns XORCORE_OK or XORCORE_E_KERNEL. */
int xc_choose_aes(struct xc_choice *choice, const char *kernel);
int xc_choose_gcm(struct xc_choice *choice, const char *kernel);
int xc_choose_pair(struct xc_choice *choice, const char *kernel);

#endif
