/* abi_check.c — what xorcore.abi.json records, held against xorcore.h by the compiler.
 * Derived from xorcore.h by bindings/abi.py; don't edit.
 *
 * Every build compiles this file. It is part of no library; tests/abi links it to see that every
 * function is there. */
#include "xorcore.h"

struct xc_abi_functions {
    const char *(*xorcore_result_name)(int result);
    const char *(*xorcore_result_text)(int result);
    const char *(*xorcore_version)(void);
    uint32_t (*xorcore_abi)(void);
    int (*xorcore_xor)(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n);
    int (*xorcore_xor_many)(uint8_t *dst, const uint8_t *const *src, size_t count, size_t n);
    int (*xorcore_xor_strided)(uint8_t *dst, const uint8_t *src, size_t stride, size_t count, size_t n);
    int (*xorcore_xor_repeat)(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *key,
                              size_t key_len, uint64_t phase);
    int (*xorcore_equal)(const uint8_t *a, const uint8_t *b, size_t n);
    int (*xorcore_xor_on)(const char *kernel, uint8_t *dst, const uint8_t *a, const uint8_t *b,
                          size_t n);
    int (*xorcore_xor_many_on)(const char *kernel, uint8_t *dst, const uint8_t *const *src,
                               size_t count, size_t n);
    int (*xorcore_xor_strided_on)(const char *kernel, uint8_t *dst, const uint8_t *src, size_t stride,
                                  size_t count, size_t n);
    int (*xorcore_xor_repeat_on)(const char *kernel, uint8_t *dst, const uint8_t *src, size_t n,
                                 const uint8_t *key, size_t key_len, uint64_t phase);
    int (*xorcore_aead_new)(xorcore_aead **out, int algorithm, const uint8_t *key, size_t key_len,
                            size_t tag_len, const char *kernel);
    int (*xorcore_aead_seal)(const xorcore_aead *aead, uint8_t *out, uint8_t *tag, size_t tag_len,
                             const uint8_t *nonce, size_t nonce_len, const uint8_t *in, size_t in_len,
                             const uint8_t *aad, size_t aad_len);
    int (*xorcore_aead_open)(const xorcore_aead *aead, uint8_t *out, const uint8_t *nonce,
                             size_t nonce_len, const uint8_t *in, size_t in_len, const uint8_t *tag,
                             size_t tag_len, const uint8_t *aad, size_t aad_len);
    const char *(*xorcore_aead_kernel)(const xorcore_aead *aead);
    void (*xorcore_aead_free)(xorcore_aead *aead);
    int (*xorcore_cipher_new)(xorcore_cipher **out, int algorithm, const uint8_t *key, size_t key_len,
                              const char *kernel);
    int (*xorcore_cipher_encrypt)(const xorcore_cipher *cipher, uint8_t *out, const uint8_t *iv,
                                  size_t iv_len, const uint8_t *in, size_t n);
    int (*xorcore_cipher_decrypt)(const xorcore_cipher *cipher, uint8_t *out, const uint8_t *iv,
                                  size_t iv_len, const uint8_t *in, size_t n);
    int (*xorcore_cipher_ctr_at)(const xorcore_cipher *cipher, uint8_t *out, const uint8_t *iv,
                                 size_t iv_len, uint64_t offset, const uint8_t *in, size_t n);
    int (*xorcore_cipher_sectors)(const xorcore_cipher *cipher, int direction, uint8_t *out,
                                  const uint8_t *tweak, size_t tweak_len, const uint8_t *in, size_t n,
                                  size_t sector_size);
    const char *(*xorcore_cipher_kernel)(const xorcore_cipher *cipher);
    void (*xorcore_cipher_free)(xorcore_cipher *cipher);
    int (*xorcore_mac_new)(xorcore_mac **out, int algorithm, const uint8_t *key, size_t key_len,
                           size_t tag_len, const char *kernel);
    int (*xorcore_mac_compute)(const xorcore_mac *mac, uint8_t *tag, size_t tag_len,
                               const uint8_t *nonce, size_t nonce_len, const uint8_t *data, size_t n);
    int (*xorcore_mac_verify)(const xorcore_mac *mac, const uint8_t *tag, size_t tag_len,
                              const uint8_t *nonce, size_t nonce_len, const uint8_t *data, size_t n);
    const char *(*xorcore_mac_kernel)(const xorcore_mac *mac);
    void (*xorcore_mac_free)(xorcore_mac *mac);
    int (*xorcore_stream_new_cipher)(xorcore_stream **out, const xorcore_cipher *cipher, int direction,
                                     const uint8_t *iv, size_t iv_len);
    int (*xorcore_stream_new_aead)(xorcore_stream **out, const xorcore_aead *aead, int direction,
                                   const uint8_t *nonce, size_t nonce_len);
    int (*xorcore_stream_new_mac)(xorcore_stream **out, const xorcore_mac *mac, const uint8_t *nonce,
                                  size_t nonce_len);
    int (*xorcore_stream_reset)(xorcore_stream *stream, const uint8_t *nonce, size_t nonce_len);
    int (*xorcore_stream_lengths)(xorcore_stream *stream, uint64_t aad_len, uint64_t text_len);
    int (*xorcore_stream_aad)(xorcore_stream *stream, const uint8_t *aad, size_t n);
    int (*xorcore_stream_update)(xorcore_stream *stream, uint8_t *out, const uint8_t *in, size_t n);
    int (*xorcore_stream_seek)(xorcore_stream *stream, uint64_t offset);
    int (*xorcore_stream_iv)(const xorcore_stream *stream, uint8_t *iv, size_t iv_len);
    int (*xorcore_stream_finish)(xorcore_stream *stream, uint8_t *tag, size_t tag_len);
    int (*xorcore_stream_verify)(xorcore_stream *stream, const uint8_t *tag, size_t tag_len);
    int (*xorcore_stream_copy)(xorcore_stream **out, const xorcore_stream *stream);
    void (*xorcore_stream_free)(xorcore_stream *stream);
    int (*xorcore_aead_seal_rows)(const xorcore_aead *aead, uint8_t *out, size_t out_len,
                                  const uint8_t *in, size_t in_len, const uint8_t *aux, size_t aux_len,
                                  size_t nonce_len, xorcore_row *rows, size_t count, size_t row_size);
    int (*xorcore_aead_open_rows)(const xorcore_aead *aead, uint8_t *out, size_t out_len,
                                  const uint8_t *in, size_t in_len, const uint8_t *aux, size_t aux_len,
                                  size_t nonce_len, xorcore_row *rows, size_t count, size_t row_size);
    int (*xorcore_cipher_encrypt_rows)(const xorcore_cipher *cipher, uint8_t *out, size_t out_len,
                                       const uint8_t *in, size_t in_len, const uint8_t *aux,
                                       size_t aux_len, size_t nonce_len, xorcore_row *rows,
                                       size_t count, size_t row_size);
    int (*xorcore_cipher_decrypt_rows)(const xorcore_cipher *cipher, uint8_t *out, size_t out_len,
                                       const uint8_t *in, size_t in_len, const uint8_t *aux,
                                       size_t aux_len, size_t nonce_len, xorcore_row *rows,
                                       size_t count, size_t row_size);
    int (*xorcore_mac_compute_rows)(const xorcore_mac *mac, uint8_t *out, size_t out_len,
                                    const uint8_t *in, size_t in_len, const uint8_t *aux,
                                    size_t aux_len, size_t nonce_len, xorcore_row *rows, size_t count,
                                    size_t row_size);
    int (*xorcore_mac_verify_rows)(const xorcore_mac *mac, uint8_t *out, size_t out_len,
                                   const uint8_t *in, size_t in_len, const uint8_t *aux, size_t aux_len,
                                   size_t nonce_len, xorcore_row *rows, size_t count, size_t row_size);
    size_t (*xorcore_kernel_count)(void);
    int (*xorcore_kernel_at)(size_t index, xorcore_kernel *out, size_t size);
    const char *(*xorcore_cpu)(void);
    int (*xorcore_selftest)(void);
};

extern const struct xc_abi_functions xc_abi_functions;
const struct xc_abi_functions xc_abi_functions = {
    .xorcore_result_name = xorcore_result_name,
    .xorcore_result_text = xorcore_result_text,
    .xorcore_version = xorcore_version,
    .xorcore_abi = xorcore_abi,
    .xorcore_xor = xorcore_xor,
    .xorcore_xor_many = xorcore_xor_many,
    .xorcore_xor_strided = xorcore_xor_strided,
    .xorcore_xor_repeat = xorcore_xor_repeat,
    .xorcore_equal = xorcore_equal,
    .xorcore_xor_on = xorcore_xor_on,
    .xorcore_xor_many_on = xorcore_xor_many_on,
    .xorcore_xor_strided_on = xorcore_xor_strided_on,
    .xorcore_xor_repeat_on = xorcore_xor_repeat_on,
    .xorcore_aead_new = xorcore_aead_new,
    .xorcore_aead_seal = xorcore_aead_seal,
    .xorcore_aead_open = xorcore_aead_open,
    .xorcore_aead_kernel = xorcore_aead_kernel,
    .xorcore_aead_free = xorcore_aead_free,
    .xorcore_cipher_new = xorcore_cipher_new,
    .xorcore_cipher_encrypt = xorcore_cipher_encrypt,
    .xorcore_cipher_decrypt = xorcore_cipher_decrypt,
    .xorcore_cipher_ctr_at = xorcore_cipher_ctr_at,
    .xorcore_cipher_sectors = xorcore_cipher_sectors,
    .xorcore_cipher_kernel = xorcore_cipher_kernel,
    .xorcore_cipher_free = xorcore_cipher_free,
    .xorcore_mac_new = xorcore_mac_new,
    .xorcore_mac_compute = xorcore_mac_compute,
    .xorcore_mac_verify = xorcore_mac_verify,
    .xorcore_mac_kernel = xorcore_mac_kernel,
    .xorcore_mac_free = xorcore_mac_free,
    .xorcore_stream_new_cipher = xorcore_stream_new_cipher,
    .xorcore_stream_new_aead = xorcore_stream_new_aead,
    .xorcore_stream_new_mac = xorcore_stream_new_mac,
    .xorcore_stream_reset = xorcore_stream_reset,
    .xorcore_stream_lengths = xorcore_stream_lengths,
    .xorcore_stream_aad = xorcore_stream_aad,
    .xorcore_stream_update = xorcore_stream_update,
    .xorcore_stream_seek = xorcore_stream_seek,
    .xorcore_stream_iv = xorcore_stream_iv,
    .xorcore_stream_finish = xorcore_stream_finish,
    .xorcore_stream_verify = xorcore_stream_verify,
    .xorcore_stream_copy = xorcore_stream_copy,
    .xorcore_stream_free = xorcore_stream_free,
    .xorcore_aead_seal_rows = xorcore_aead_seal_rows,
    .xorcore_aead_open_rows = xorcore_aead_open_rows,
    .xorcore_cipher_encrypt_rows = xorcore_cipher_encrypt_rows,
    .xorcore_cipher_decrypt_rows = xorcore_cipher_decrypt_rows,
    .xorcore_mac_compute_rows = xorcore_mac_compute_rows,
    .xorcore_mac_verify_rows = xorcore_mac_verify_rows,
    .xorcore_kernel_count = xorcore_kernel_count,
    .xorcore_kernel_at = xorcore_kernel_at,
    .xorcore_cpu = xorcore_cpu,
    .xorcore_selftest = xorcore_selftest,
};

extern const unsigned xc_abi_function_count;
const unsigned xc_abi_function_count = sizeof(xc_abi_functions) / sizeof(int (*)(void));

_Static_assert(XORCORE_OK == 0, "XORCORE_OK");
_Static_assert(XORCORE_E_ARG == -1, "XORCORE_E_ARG");
_Static_assert(XORCORE_E_KEY_LENGTH == -2, "XORCORE_E_KEY_LENGTH");
_Static_assert(XORCORE_E_NONCE_LENGTH == -3, "XORCORE_E_NONCE_LENGTH");
_Static_assert(XORCORE_E_TAG_LENGTH == -4, "XORCORE_E_TAG_LENGTH");
_Static_assert(XORCORE_E_DATA_LENGTH == -5, "XORCORE_E_DATA_LENGTH");
_Static_assert(XORCORE_E_OVERLAP == -6, "XORCORE_E_OVERLAP");
_Static_assert(XORCORE_E_AUTH == -7, "XORCORE_E_AUTH");
_Static_assert(XORCORE_E_LIMIT == -8, "XORCORE_E_LIMIT");
_Static_assert(XORCORE_E_STATE == -9, "XORCORE_E_STATE");
_Static_assert(XORCORE_E_KERNEL == -10, "XORCORE_E_KERNEL");
_Static_assert(XORCORE_E_WEAK_KEY == -11, "XORCORE_E_WEAK_KEY");
_Static_assert(XORCORE_E_MEMORY == -12, "XORCORE_E_MEMORY");
_Static_assert(XORCORE_E_SELFTEST == -13, "XORCORE_E_SELFTEST");
_Static_assert(XORCORE_E_UNSUPPORTED == -14, "XORCORE_E_UNSUPPORTED");

_Static_assert(XORCORE_AES_GCM == 101, "XORCORE_AES_GCM");
_Static_assert(XORCORE_AES_CCM == 102, "XORCORE_AES_CCM");
_Static_assert(XORCORE_AES_GCM_SIV == 103, "XORCORE_AES_GCM_SIV");
_Static_assert(XORCORE_XAES_256_GCM == 104, "XORCORE_XAES_256_GCM");

_Static_assert(XORCORE_AES_ECB == 201, "XORCORE_AES_ECB");
_Static_assert(XORCORE_AES_CBC == 202, "XORCORE_AES_CBC");
_Static_assert(XORCORE_AES_CFB128 == 203, "XORCORE_AES_CFB128");
_Static_assert(XORCORE_AES_CFB8 == 204, "XORCORE_AES_CFB8");
_Static_assert(XORCORE_AES_OFB == 205, "XORCORE_AES_OFB");
_Static_assert(XORCORE_AES_CTR == 206, "XORCORE_AES_CTR");
_Static_assert(XORCORE_AES_XTS == 207, "XORCORE_AES_XTS");

_Static_assert(XORCORE_AES_GMAC == 301, "XORCORE_AES_GMAC");
_Static_assert(XORCORE_AES_CMAC == 302, "XORCORE_AES_CMAC");

_Static_assert(XORCORE_DECRYPT == 0, "XORCORE_DECRYPT");
_Static_assert(XORCORE_ENCRYPT == 1, "XORCORE_ENCRYPT");
_Static_assert(XORCORE_DECRYPT_UNVERIFIED == 2, "XORCORE_DECRYPT_UNVERIFIED");

_Static_assert(XORCORE_KERNEL_RUNS == 1, "XORCORE_KERNEL_RUNS");
_Static_assert(XORCORE_KERNEL_DEFAULT == 2, "XORCORE_KERNEL_DEFAULT");
_Static_assert(XORCORE_KERNEL_CONSTANT_TIME == 4, "XORCORE_KERNEL_CONSTANT_TIME");

_Static_assert(sizeof(xorcore_row) == 64, "xorcore_row");
_Static_assert(offsetof(xorcore_row, in_at) == 0, "xorcore_row.in_at");
_Static_assert(offsetof(xorcore_row, out_at) == 8, "xorcore_row.out_at");
_Static_assert(offsetof(xorcore_row, len) == 16, "xorcore_row.len");
_Static_assert(offsetof(xorcore_row, nonce_at) == 24, "xorcore_row.nonce_at");
_Static_assert(offsetof(xorcore_row, aad_at) == 32, "xorcore_row.aad_at");
_Static_assert(offsetof(xorcore_row, aad_len) == 40, "xorcore_row.aad_len");
_Static_assert(offsetof(xorcore_row, tag_at) == 48, "xorcore_row.tag_at");
_Static_assert(offsetof(xorcore_row, result) == 56, "xorcore_row.result");
_Static_assert(offsetof(xorcore_row, reserved) == 60, "xorcore_row.reserved");

_Static_assert(sizeof(xorcore_kernel) == (sizeof(void *) == 8 ? 40 : 24), "xorcore_kernel");
_Static_assert(offsetof(xorcore_kernel, family) == 0, "xorcore_kernel.family");
_Static_assert(offsetof(xorcore_kernel, name) == (sizeof(void *) == 8 ? 8 : 4), "xorcore_kernel.name");
_Static_assert(offsetof(xorcore_kernel, needs) == (sizeof(void *) == 8 ? 16 : 8), "xorcore_kernel.needs");
_Static_assert(offsetof(xorcore_kernel, why) == (sizeof(void *) == 8 ? 24 : 12), "xorcore_kernel.why");
_Static_assert(offsetof(xorcore_kernel, flags) == (sizeof(void *) == 8 ? 32 : 16), "xorcore_kernel.flags");
_Static_assert(offsetof(xorcore_kernel, reserved) == (sizeof(void *) == 8 ? 36 : 20), "xorcore_kernel.reserved");
