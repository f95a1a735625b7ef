/* xorcore.h — XOR and AES at the speed of the machine, from any language.
 *
 * This is the whole public interface of libxorcore, in the order in which it is best read:
 *
 *     1  results      every call answers with one number, and each number has a name and a sentence
 *     2  XOR          two sources, many sources, a repeating key; constant-time equality
 *     3  AEAD         AES-GCM, AES-CCM, AES-GCM-SIV, XAES-256-GCM
 *     4  cipher       ECB, CBC, CFB, OFB, CTR, XTS
 *     5  MAC          GMAC, CMAC
 *     6  stream       one message in pieces, for all of these that can
 *     7  rows         many messages in one call
 *     8  kernels      what is in this library, what runs here, and what a bug report needs
 *
 * Rules that hold everywhere:
 *
 * Lengths are in bytes. Every pointer but an output travels with its length. Any pointer may be NULL
 * when its length is 0, and may have any alignment. Where an algorithm has no nonce or IV, its length is 0.
 *
 * Aliasing. An output and an input of one call are exactly the same buffer or do not touch; anything
 * between is XORCORE_E_OVERLAP. An output never touches a key, nonce, IV, AAD or tag. Buffers that lie
 * end to end do not touch, and nothing of length 0 touches anything.
 *
 * Failure. Every argument is checked before the first byte is written, so a call that fails has written
 * nothing - with one exception: when authentication fails the output is all zeros.
 *
 * Threads. Key objects - xorcore_aead, xorcore_cipher, xorcore_mac - are immutable once made: any number
 * of threads may use one at the same time. A xorcore_stream belongs to one thread at a time. Functions
 * without an object may be called from any thread at any time, the first call of the process included;
 * there is no initialisation call.
 *
 * Time. No branch, memory index or early exit depends on the value of a key, of text or of a tag; their
 * lengths are public.
 *
 * The header is C99, C11 and C++; it holds functions, enums with written values and plain structs, and
 * nothing that a binding generator would have to understand beyond that. */
#ifndef XORCORE_H
#define XORCORE_H

#include <stddef.h>
#include <stdint.h>

/* Who links the archive may define XORCORE_STATIC, as the CMake target xorcore_static does: no name then has
 * to cross a shared library's border. */
#if defined(XORCORE_STATIC)
#define XORCORE_API
#else
#define XORCORE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1 Results ----------------------------------------------------------------------------------- */

/* Results of every function that returns a plain int, but for xorcore_equal(). The values never change.
 * When several errors apply to one call, the first of this order is reported:
 *     creating   ARG, KEY_LENGTH, TAG_LENGTH, WEAK_KEY, KERNEL, MEMORY
 *     calling    ARG, UNSUPPORTED, STATE, NONCE_LENGTH, TAG_LENGTH, DATA_LENGTH, LIMIT, OVERLAP, AUTH */
enum {
    XORCORE_OK = 0,
    XORCORE_E_ARG = -1,          /* NULL where bytes are needed, or an unknown constant */
    XORCORE_E_KEY_LENGTH = -2,   /* the algorithm has no key of this length */
    XORCORE_E_NONCE_LENGTH = -3, /* the algorithm takes no nonce or IV of this length */
    XORCORE_E_TAG_LENGTH = -4,   /* the algorithm, or this object, has no tag of this length */
    XORCORE_E_DATA_LENGTH = -5,  /* not a multiple of the block, or shorter than the mode allows */
    XORCORE_E_OVERLAP = -6,      /* buffers overlap other than exactly */
    XORCORE_E_AUTH = -7,         /* authentication failed; the output is all zeros */
    XORCORE_E_LIMIT = -8,        /* more data than the standard allows under one key and nonce */
    XORCORE_E_STATE = -9,        /* calls out of order */
    XORCORE_E_KERNEL = -10,      /* no such kernel, or it cannot run here */
    XORCORE_E_WEAK_KEY = -11,    /* an XTS key with two equal halves */
    XORCORE_E_MEMORY = -12,      /* no memory for the object */
    XORCORE_E_SELFTEST = -13,    /* a kernel gave a wrong answer to a known question */
    XORCORE_E_UNSUPPORTED = -14  /* this algorithm has no such operation */
};

/* The name of a result: "AUTH" for XORCORE_E_AUTH, "OK" for XORCORE_OK, "UNKNOWN" for a number that is
 * no result. Static, never NULL. */
XORCORE_API const char *xorcore_result_name(int result);

/* The same as a sentence for people. Static, never NULL. */
XORCORE_API const char *xorcore_result_text(int result);

/* The version of the library that is running: "1.0.0". Static. */
XORCORE_API const char *xorcore_version(void);

/* The number of the ABI, 1. It changes only together with the name of the library file. */
XORCORE_API uint32_t xorcore_abi(void);

/* ---- 2 XOR --------------------------------------------------------------------------------------- */

/* dst[i] = a[i] ^ b[i] for n bytes. dst may be exactly a, exactly b, or both; a and b may overlap each
 * other in any way.
 * Errors: ARG (a NULL pointer with n > 0), OVERLAP. */
XORCORE_API int xorcore_xor(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n);

/* dst = src[0] ^ src[1] ^ … ^ src[count - 1], n bytes each: the parity of `count` shards, in one pass.
 * dst may be exactly any of the sources, and does not touch the list; the sources may overlap each other.
 * Errors: ARG (count is 0, src is NULL, or a NULL pointer with n > 0), OVERLAP. */
XORCORE_API int xorcore_xor_many(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n);

/* The same with source k at src + k * stride, as the rows of a matrix lie. A stride below n makes the
 * sources overlap each other, which is allowed; a stride of 0 takes one source `count` times.
 * Errors: ARG (count is 0, a NULL pointer with n > 0, or (count - 1) * stride + n over SIZE_MAX),
 * OVERLAP. */
XORCORE_API int xorcore_xor_strided(uint8_t *dst, const uint8_t *src, size_t stride, size_t count, size_t n);

/* dst[i] = src[i] ^ key[(phase + i) mod key_len]: masking with a repeating key. A message in pieces is
 * masked by passing the number of bytes that went before as the phase (any value; it does not wrap at
 * 2^64 within a call). dst may be exactly src and must not touch key.
 * Errors: ARG, KEY_LENGTH (key_len is 0), OVERLAP. */
XORCORE_API int xorcore_xor_repeat(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key,
                                   size_t key_len, uint64_t phase);

/* 1 if the n bytes at a and b are the same, else 0, in a time that depends on n alone. Not a result
 * code: 0 for a NULL pointer with n > 0, 1 for n = 0. */
XORCORE_API int xorcore_equal(const uint8_t *a, const uint8_t *b, size_t n);

/* The four again on one named kernel of the family "xor", for tests and comparisons; NULL is the best.
 * Errors: as above, with KERNEL before OVERLAP. */
XORCORE_API int xorcore_xor_on(const char *kernel, uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n);
XORCORE_API int xorcore_xor_many_on(const char *kernel, uint8_t *dst, const uint8_t *const *src, size_t count,
                                    size_t n);
XORCORE_API int xorcore_xor_strided_on(const char *kernel, uint8_t *dst, const uint8_t *src, size_t stride,
                                       size_t count, size_t n);
XORCORE_API int xorcore_xor_repeat_on(const char *kernel, uint8_t *dst, const uint8_t *src, size_t n,
                                      const uint8_t *key, size_t key_len, uint64_t phase);

/* ---- 3 AEAD: authenticated encryption with associated data --------------------------------------- */

/* A key together with an algorithm, a tag length and the kernels it runs on. Immutable. */
typedef struct xorcore_aead xorcore_aead;

/* Algorithms for xorcore_aead_new().
 *
 *                    key        nonce    tag          text, AAD
 *     AES_GCM        16 24 32   >= 1     4 8 12..16   <= 2^36 - 32, <= 2^61 - 1     SP 800-38D
 *     AES_CCM        16 24 32   7..13    4 6 .. 16    < 2^(8 (15 - nonce)), any      SP 800-38C
 *     AES_GCM_SIV    16 32      12       16           <= 2^36, <= 2^36               RFC 8452
 *     XAES_256_GCM   32         24       16           as AES_GCM                     C2SP XAES-256-GCM
 *
 * A GCM nonce must never be used twice with one key: two messages under one nonce give away the XOR of
 * the texts and the authentication key. Use 12 bytes. This library does not count: with random 12-byte
 * nonces encrypt at most 2^32 messages under one key. Tags shorter than 12 bytes are for the special uses
 * of SP 800-38D appendix C, with its limits on messages and their lengths.
 *
 * XAES-256-GCM's nonces may be random for any number of messages. GCM-SIV survives a nonce used twice: it then
 * shows only whether the two messages were equal. CCM, like GCM, must never see a nonce twice. */
enum {
    XORCORE_AES_GCM = 101,
    XORCORE_AES_CCM = 102,
    XORCORE_AES_GCM_SIV = 103,
    XORCORE_XAES_256_GCM = 104
};

/* Makes an object for key_len bytes of key and tags of exactly tag_len bytes.
 * `kernel` is NULL for the best one here; else, for GCM and XAES-256-GCM, the name of a row of the family
 * "gcm" or two names "A+G", a row of "aes" and a row of "ghash"; for CCM the name of a row of "aes"; for
 * GCM-SIV "A+G", where one word alone names that row in each family that has it. On failure *out is NULL.
 * Errors: ARG (out is NULL, an unknown algorithm, a NULL key), KEY_LENGTH, TAG_LENGTH, KERNEL, MEMORY. */
XORCORE_API int xorcore_aead_new(xorcore_aead **out, int algorithm, const uint8_t *key, size_t key_len,
                                 size_t tag_len, const char *kernel);

/* Encrypts in_len bytes from `in` to `out` and writes the tag. `out` may be exactly `in`; out and tag
 * touch neither each other nor the nonce nor the AAD, and the tag does not touch `in`.
 * Errors: ARG, NONCE_LENGTH, TAG_LENGTH (tag_len is not the object's), LIMIT, OVERLAP. */
XORCORE_API int xorcore_aead_seal(const xorcore_aead *aead, uint8_t *out, uint8_t *tag, size_t tag_len,
                                  const uint8_t *nonce, size_t nonce_len, const uint8_t *in, size_t in_len,
                                  const uint8_t *aad, size_t aad_len);

/* Checks the tag and decrypts in_len bytes from `in` to `out`, which may be exactly `in`. When the tag is
 * not the right one, of the right length, `out` is all zeros - in place that includes the ciphertext.
 * Errors: ARG, NONCE_LENGTH, LIMIT, OVERLAP, AUTH. */
XORCORE_API int xorcore_aead_open(const xorcore_aead *aead, uint8_t *out, const uint8_t *nonce,
                                  size_t nonce_len, const uint8_t *in, size_t in_len, const uint8_t *tag,
                                  size_t tag_len, const uint8_t *aad, size_t aad_len);

/* What the object runs on: "portable+portable". Its answer is accepted as a `kernel`. Lives as long as
 * the object; NULL for NULL. */
XORCORE_API const char *xorcore_aead_kernel(const xorcore_aead *aead);

/* Wipes and frees the object, once no stream holds it any longer. NULL is fine. */
XORCORE_API void xorcore_aead_free(xorcore_aead *aead);

/* ---- 4 Cipher: the modes of SP 800-38A, and XTS --------------------------------------------------- */

/* A key together with a mode and the kernel it runs on. Immutable. */
typedef struct xorcore_cipher xorcore_cipher;

/* Algorithms for xorcore_cipher_new(). None of them authenticates: use an AEAD unless a format demands
 * one of these.
 *
 *                    key        IV      data
 *     AES_ECB        16 24 32   none    a multiple of 16     SP 800-38A 6.1; shows which blocks are equal
 *     AES_CBC        16 24 32   16      a multiple of 16     6.2; no padding is added or removed
 *     AES_CFB128     16 24 32   16      any                  6.3, segments of 128 bits
 *     AES_CFB8       16 24 32   16      any                  6.3, segments of 8 bits: a block call a byte
 *     AES_OFB        16 24 32   16      any                  6.4
 *     AES_CTR        16 24 32   16      any                  6.5; the IV is the first counter block, counted
 *                                                            as 128 bits, big-endian
 *     AES_XTS        32 64      16      16 .. 2^24 a call    IEEE 1619, SP 800-38E, with ciphertext stealing;
 *                    also 48                                 the IV is the tweak (the sector number,
 *                                                            little-endian); one call is one data unit
 *
 * OFB and CTR: an IV used twice gives away the XOR of the texts, and so does going back in a stream. CBC and
 * CFB: an IV must be unpredictable. XTS keys of 48 bytes are not in the standard, but in use; keys with two
 * equal halves are refused (FIPS 140), which includes the key of IEEE 1619's vector 1. */
enum {
    XORCORE_AES_ECB = 201,
    XORCORE_AES_CBC = 202,
    XORCORE_AES_CFB128 = 203,
    XORCORE_AES_CFB8 = 204,
    XORCORE_AES_OFB = 205,
    XORCORE_AES_CTR = 206,
    XORCORE_AES_XTS = 207
};

/* Makes an object for key_len bytes of key (for XTS key 1 and key 2, one after the other). `kernel` is NULL
 * for the best one here, else the name of a row of the family "aes". On failure *out is NULL.
 * Errors: ARG (out is NULL, an unknown algorithm, a NULL key), KEY_LENGTH, WEAK_KEY, KERNEL, MEMORY. */
XORCORE_API int xorcore_cipher_new(xorcore_cipher **out, int algorithm, const uint8_t *key, size_t key_len,
                                   const char *kernel);

/* Encrypts or decrypts one whole message of n bytes; `out` may be exactly `in` and must not touch the IV,
 * which is never written.
 * Errors: ARG, NONCE_LENGTH (iv_len), DATA_LENGTH, LIMIT (XTS), OVERLAP. */
XORCORE_API int xorcore_cipher_encrypt(const xorcore_cipher *cipher, uint8_t *out, const uint8_t *iv,
                                       size_t iv_len, const uint8_t *in, size_t n);
XORCORE_API int xorcore_cipher_decrypt(const xorcore_cipher *cipher, uint8_t *out, const uint8_t *iv,
                                       size_t iv_len, const uint8_t *in, size_t n);

/* CTR: the same as bytes [offset, offset + n) of a longer message under this IV, both ways.
 * Errors: ARG, UNSUPPORTED (not CTR), NONCE_LENGTH, LIMIT (offset + n over 2^64), OVERLAP. */
XORCORE_API int xorcore_cipher_ctr_at(const xorcore_cipher *cipher, uint8_t *out, const uint8_t *iv,
                                      size_t iv_len, uint64_t offset, const uint8_t *in, size_t n);

/* XTS: n / sector_size data units of sector_size bytes each; unit i has the tweak `tweak` + i, counted as a
 * little-endian number modulo 2^128. `direction` is XORCORE_ENCRYPT or XORCORE_DECRYPT.
 * Errors: ARG (also the direction), UNSUPPORTED (not XTS), NONCE_LENGTH (tweak_len is not 16), DATA_LENGTH
 * (sector_size outside 16 .. 2^24, or n no multiple of it), OVERLAP. */
XORCORE_API int xorcore_cipher_sectors(const xorcore_cipher *cipher, int direction, uint8_t *out,
                                       const uint8_t *tweak, size_t tweak_len, const uint8_t *in, size_t n,
                                       size_t sector_size);

/* What the object runs on: "portable". Lives as long as the object; NULL for NULL. */
XORCORE_API const char *xorcore_cipher_kernel(const xorcore_cipher *cipher);

/* Wipes and frees the object, once no stream holds it any longer. NULL is fine. */
XORCORE_API void xorcore_cipher_free(xorcore_cipher *cipher);

/* ---- 5 MAC: message authentication codes ----------------------------------------------------------- */

/* A key together with an algorithm, a tag length and the kernels it runs on. Immutable. */
typedef struct xorcore_mac xorcore_mac;

/* Algorithms for xorcore_mac_new().
 *
 *                    key        nonce    tag          data
 *     AES_GMAC       16 24 32   >= 1     4 8 12..16   <= 2^61 - 1     SP 800-38D; the rules of GCM's nonce hold
 *     AES_CMAC       16 24 32   none     4..16        any             SP 800-38B */
enum {
    XORCORE_AES_GMAC = 301,
    XORCORE_AES_CMAC = 302
};

/* Makes an object for key_len bytes of key and tags of exactly tag_len bytes. `kernel` as for the AEAD of
 * GCM for GMAC, as for ciphers for CMAC. On failure *out is NULL.
 * Errors: ARG (out is NULL, an unknown algorithm, a NULL key), KEY_LENGTH, TAG_LENGTH, KERNEL, MEMORY. */
XORCORE_API int xorcore_mac_new(xorcore_mac **out, int algorithm, const uint8_t *key, size_t key_len,
                                size_t tag_len, const char *kernel);

/* Writes the tag of n bytes of data; the tag touches neither data nor nonce.
 * Errors: ARG, NONCE_LENGTH, TAG_LENGTH (tag_len is not the object's), LIMIT, OVERLAP. */
XORCORE_API int xorcore_mac_compute(const xorcore_mac *mac, uint8_t *tag, size_t tag_len, const uint8_t *nonce,
                                    size_t nonce_len, const uint8_t *data, size_t n);

/* XORCORE_OK if `tag` is the right one, and of the right length.
 * Errors: ARG, NONCE_LENGTH, LIMIT, AUTH. */
XORCORE_API int xorcore_mac_verify(const xorcore_mac *mac, const uint8_t *tag, size_t tag_len,
                                   const uint8_t *nonce, size_t nonce_len, const uint8_t *data, size_t n);

/* What the object runs on; as xorcore_aead_kernel(). */
XORCORE_API const char *xorcore_mac_kernel(const xorcore_mac *mac);

/* Wipes and frees the object, once no stream holds it any longer. NULL is fine. */
XORCORE_API void xorcore_mac_free(xorcore_mac *mac);

/* ---- 6 Stream: one message in any split -------------------------------------------------------------- */

/* One message on its way, and a claim on its key object: the two may be freed in any order. One thread at a
 * time. A call that is refused leaves the stream as it was. */
typedef struct xorcore_stream xorcore_stream;

/* Directions. */
enum {
    XORCORE_DECRYPT = 0, /* for an AEAD: only authenticate, so that nothing is released unchecked */
    XORCORE_ENCRYPT = 1,
    XORCORE_DECRYPT_UNVERIFIED = 2 /* AEAD: release text before its tag is checked, at the caller's risk */
};

/* A stream over a key object. Every update gives exactly as many bytes as it takes.
 *
 *     cipher    update …                                      not XTS: one data unit is one call
 *     AEAD      [lengths] aad … update … finish or verify     CCM: lengths first; not GCM-SIV, which reads
 *                                                             the text twice
 *     MAC       update … finish or verify
 *
 * To open a long message safely, pass over it once with XORCORE_DECRYPT and verify, then decrypt it with
 * the one-shot call or with XORCORE_DECRYPT_UNVERIFIED. On failure *out is NULL.
 * Errors: ARG (a NULL, a bad direction), UNSUPPORTED (XTS, GCM-SIV), NONCE_LENGTH, MEMORY. */
XORCORE_API int xorcore_stream_new_cipher(xorcore_stream **out, const xorcore_cipher *cipher, int direction,
                                          const uint8_t *iv, size_t iv_len);
XORCORE_API int xorcore_stream_new_aead(xorcore_stream **out, const xorcore_aead *aead, int direction,
                                        const uint8_t *nonce, size_t nonce_len);
XORCORE_API int xorcore_stream_new_mac(xorcore_stream **out, const xorcore_mac *mac, const uint8_t *nonce,
                                       size_t nonce_len);

/* Begins another message with the same key and direction, from any state; its lengths are announced anew.
 * Allocates nothing.
 * Errors: ARG, NONCE_LENGTH. */
XORCORE_API int xorcore_stream_reset(xorcore_stream *stream, const uint8_t *nonce, size_t nonce_len);

/* AEAD, before any data: how much AAD and text will come. Afterwards more is LIMIT, and less at the end is
 * STATE.
 * Errors: ARG, UNSUPPORTED (not an AEAD), STATE, LIMIT. */
XORCORE_API int xorcore_stream_lengths(xorcore_stream *stream, uint64_t aad_len, uint64_t text_len);

/* AEAD: n more bytes of associated data, all of it before the text.
 * Errors: ARG, UNSUPPORTED (not an AEAD), STATE (after text, or CCM's lengths are still to come), LIMIT. */
XORCORE_API int xorcore_stream_aad(xorcore_stream *stream, const uint8_t *aad, size_t n);

/* n more bytes of text from `in` to `out`, which may be exactly `in`. For a MAC, and for an AEAD in the
 * direction XORCORE_DECRYPT, `out` must be NULL.
 * Errors: ARG, STATE (after the end, or CCM's lengths or announced AAD are still to come), DATA_LENGTH (ECB
 * and CBC: n is no multiple of 16), LIMIT (CTR too, past byte 2^64), OVERLAP. */
XORCORE_API int xorcore_stream_update(xorcore_stream *stream, uint8_t *out, const uint8_t *in, size_t n);

/* CTR: goes to byte `offset` of the message. Going back repeats keystream.
 * Errors: ARG, UNSUPPORTED (not CTR). */
XORCORE_API int xorcore_stream_seek(xorcore_stream *stream, uint64_t offset);

/* CTR, CBC, CFB, OFB: writes the IV with which the rest of the message could be processed on its own.
 * Errors: ARG, UNSUPPORTED, STATE (inside a block), NONCE_LENGTH (iv_len is not 16). */
XORCORE_API int xorcore_stream_iv(const xorcore_stream *stream, uint8_t *iv, size_t iv_len);

/* Ends a sealed message, or a MAC, and writes the tag. After this and after verify only reset, copy and free
 * are legal.
 * Errors: ARG, UNSUPPORTED (a cipher, or opening), STATE, TAG_LENGTH. */
XORCORE_API int xorcore_stream_finish(xorcore_stream *stream, uint8_t *tag, size_t tag_len);

/* Ends an opened message, or a MAC, and checks the tag. What XORCORE_DECRYPT_UNVERIFIED has released cannot be
 * taken back: on AUTH it is the caller's to discard.
 * Errors: ARG, UNSUPPORTED (a cipher, or sealing), STATE, AUTH (also for a tag of another length). */
XORCORE_API int xorcore_stream_verify(xorcore_stream *stream, const uint8_t *tag, size_t tag_len);

/* A second stream in the same state. Not for an AEAD that seals, where it would spend one nonce twice. On
 * failure *out is NULL.
 * Errors: ARG, UNSUPPORTED, MEMORY. */
XORCORE_API int xorcore_stream_copy(xorcore_stream **out, const xorcore_stream *stream);

/* Wipes and frees the stream. NULL is fine. */
XORCORE_API void xorcore_stream_free(xorcore_stream *stream);

/* ---- 7 Rows: many messages in one call ------------------------------------------------------------------ */

/* One message, as offsets into three arenas: `in`, `out`, and `aux` for nonces, AAD and tags to be checked.
 * 64 bytes on every machine, numbers in its own byte order. Fields that an operation has no use for are not
 * looked at. */
typedef struct xorcore_row {
    uint64_t in_at;    /* text in `in` */
    uint64_t out_at;   /* its result in `out`; not for a MAC */
    uint64_t len;      /* bytes of text */
    uint64_t nonce_at; /* nonce or IV in `aux` */
    uint64_t aad_at;   /* AEAD: associated data in `aux` */
    uint64_t aad_len;
    uint64_t tag_at;    /* AEAD, MAC: in `out` when it is made, in `aux` when it is checked */
    int32_t result;     /* written by the call */
    uint32_t reserved;  /* 0 */
} xorcore_row;

/* `count` messages, each as the one-shot call of that name would treat it, with nonces of nonce_len bytes and
 * tags of the object's length. row_size is sizeof(xorcore_row), or more where rows carry bytes of a later
 * version, all 0.
 *
 * Each row gets its own result; the call returns XORCORE_OK or the result of the lowest row that failed. An
 * error of the call as a whole - ARG for a NULL, a bad row_size or more rows than memory can hold,
 * NONCE_LENGTH - writes no output and stands in every row. A row whose offsets leave an arena, or with bytes
 * set that must be 0, is ARG.
 *
 * The arenas may be one and the same buffer; the array of rows lies outside them. Inside a row the rules of
 * the one-shot call hold, by address. A row must not write what another row reads or writes; this is not
 * checked, and those bytes are then unspecified. mac_verify_rows uses no `out`: pass NULL and 0.
 *
 * A message of CBC or CFB128 encryption, OFB or CMAC is a chain that waits for itself. Rows of these run side by
 * side where the kernel can, of any lengths, which is several times as fast as one after the other. */
XORCORE_API int xorcore_aead_seal_rows(const xorcore_aead *aead, uint8_t *out, size_t out_len,
                                       const uint8_t *in, size_t in_len, const uint8_t *aux, size_t aux_len,
                                       size_t nonce_len, xorcore_row *rows, size_t count, size_t row_size);
XORCORE_API int xorcore_aead_open_rows(const xorcore_aead *aead, uint8_t *out, size_t out_len,
                                       const uint8_t *in, size_t in_len, const uint8_t *aux, size_t aux_len,
                                       size_t nonce_len, xorcore_row *rows, size_t count, size_t row_size);
XORCORE_API int xorcore_cipher_encrypt_rows(const xorcore_cipher *cipher, uint8_t *out, size_t out_len,
                                            const uint8_t *in, size_t in_len, const uint8_t *aux,
                                            size_t aux_len, size_t nonce_len, xorcore_row *rows, size_t count,
                                            size_t row_size);
XORCORE_API int xorcore_cipher_decrypt_rows(const xorcore_cipher *cipher, uint8_t *out, size_t out_len,
                                            const uint8_t *in, size_t in_len, const uint8_t *aux,
                                            size_t aux_len, size_t nonce_len, xorcore_row *rows, size_t count,
                                            size_t row_size);
XORCORE_API int xorcore_mac_compute_rows(const xorcore_mac *mac, uint8_t *out, size_t out_len,
                                         const uint8_t *in, size_t in_len, const uint8_t *aux, size_t aux_len,
                                         size_t nonce_len, xorcore_row *rows, size_t count, size_t row_size);
XORCORE_API int xorcore_mac_verify_rows(const xorcore_mac *mac, uint8_t *out, size_t out_len,
                                        const uint8_t *in, size_t in_len, const uint8_t *aux, size_t aux_len,
                                        size_t nonce_len, xorcore_row *rows, size_t count, size_t row_size);

/* ---- 8 Kernels: what is in this library, and what runs ------------------------------------------- */

/* Flags of xorcore_kernel. */
enum {
    XORCORE_KERNEL_RUNS = 1,         /* this CPU and system can run it, and it is not disabled */
    XORCORE_KERNEL_DEFAULT = 2,      /* what its family uses when no kernel is named; one per family */
    XORCORE_KERNEL_CONSTANT_TIME = 4 /* no secret-dependent branch or memory index */
};

/* One kernel. The strings are static and live as long as the library. */
typedef struct xorcore_kernel {
    const char *family; /* "xor", "aes", "ghash", "gcm" */
    const char *name;   /* "sse2" */
    const char *needs;  /* CPU features, with spaces between: "aes pclmul"; "" for none */
    const char *why;    /* NULL when it runs; else "cpu: WORDS", "os: WORDS" or "disabled: WORDS" */
    uint32_t flags;     /* XORCORE_KERNEL_… */
    uint32_t reserved;  /* 0 */
} xorcore_kernel;

/* The number of kernels in this library, all families together, those that cannot run here included. */
XORCORE_API size_t xorcore_kernel_count(void);

/* Fills *out, of `size` bytes (pass sizeof), with kernel `index`, best first within a family. Bytes
 * past the struct that this library knows are set to 0.
 * Errors: ARG (index not below the count, out is NULL, or size below that of version 1.0's struct). */
XORCORE_API int xorcore_kernel_at(size_t index, xorcore_kernel *out, size_t size);

/* The architecture and the CPU features that the library may use, as words: "amd64 sse2 ssse3 aes". What
 * the environment variable XORCORE_DISABLE takes away is not among them. Static.
 *
 * XORCORE_DISABLE holds CPU features, groups of them, names of levels or family/name pairs, with commas between:
 * "avx2,avx512,gcm/aesni". A group is the beginning of features' names up to the first number's end: avx512 takes
 * all of avx512f, avx512bw and so on, sse4 takes sse4_1 and sse4_2. It is read once, at the first use of the
 * library, can only take away, cannot take the portable kernels, ignores words it does not know (xorcore-info
 * names them), and is not read in setuid programs. */
XORCORE_API const char *xorcore_cpu(void);

/* Runs known answers on every kernel that runs here.
 * Errors: SELFTEST, MEMORY. */
XORCORE_API int xorcore_selftest(void);

#ifdef __cplusplus
}
#endif

#endif
