/* work.c — one operation through a library's public functions, so and so often: what count.py counts.
 *
 *     work xorcore|LIBCRYPTO OPERATION BYTES ROUNDS [OFFSET_OUT OFFSET_A OFFSET_B]
 *
 * OPERATION is xor, gcm, ctr, cbc-encrypt or cbc-decrypt, with a key of 128 bits. LIBCRYPTO is a file of OpenSSL's, whose
 * functions are declared here, for its headers need not be there. The last line is a digest of the output, the same for both. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xorcore.h>

static const uint8_t key[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, iv[16] = {7, 7, 7};
static uint8_t *out, *a, *b, tag[16];
static size_t n;

static void must(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "work: %s went wrong\n", what);
        exit(1);
    }
}

static void xorcore(const char *operation, long rounds)
{
    if (!strcmp(operation, "xor")) {
        for (; rounds; rounds--)
            must(xorcore_xor(out, a, b, n) == XORCORE_OK, operation);
    } else if (!strcmp(operation, "gcm")) {
        xorcore_aead *aead;
        must(xorcore_aead_new(&aead, XORCORE_AES_GCM, key, sizeof key, 16, NULL) == XORCORE_OK, "the key");
        for (; rounds; rounds--)
            must(xorcore_aead_seal(aead, out, tag, 16, iv, 12, a, n, NULL, 0) == XORCORE_OK, operation);
        xorcore_aead_free(aead);
    } else {
        xorcore_cipher *cipher;
        const int algorithm = !strcmp(operation, "ctr") ? XORCORE_AES_CTR : XORCORE_AES_CBC;
        must(xorcore_cipher_new(&cipher, algorithm, key, sizeof key, NULL) == XORCORE_OK, "the key");
        const int decrypt = !strcmp(operation, "cbc-decrypt");
        for (; rounds; rounds--)
            must((decrypt ? xorcore_cipher_decrypt : xorcore_cipher_encrypt)(cipher, out, iv, 16, a, n) == XORCORE_OK,
                 operation);
        xorcore_cipher_free(cipher);
    }
}

static void *crypto;

/* ISO C has no cast from an object's address to a function's, and POSIX wants it. */
#define FUNCTION(result, name, ...)           \
    result (*name)(__VA_ARGS__);              \
    *(void **)&name = dlsym(crypto, #name);   \
    must(name != NULL, #name)

static void openssl(const char *operation, long rounds)
{
    FUNCTION(void *, EVP_CIPHER_CTX_new, void);
    FUNCTION(const void *, EVP_get_cipherbyname, const char *);
    FUNCTION(int, EVP_CipherInit_ex, void *, const void *, void *, const uint8_t *, const uint8_t *, int);
    FUNCTION(int, EVP_CIPHER_CTX_set_padding, void *, int);
    FUNCTION(int, EVP_CIPHER_CTX_ctrl, void *, int, int, void *);
    FUNCTION(int, EVP_CipherUpdate, void *, uint8_t *, int *, const uint8_t *, int);
    FUNCTION(int, EVP_CipherFinal_ex, void *, uint8_t *, int *);
    const int gcm = !strcmp(operation, "gcm"), encrypt = strcmp(operation, "cbc-decrypt") != 0;
    const char *name = gcm ? "AES-128-GCM" : !strcmp(operation, "ctr") ? "AES-128-CTR" : "AES-128-CBC";
    void *context = EVP_CIPHER_CTX_new();
    must(EVP_CipherInit_ex(context, EVP_get_cipherbyname(name), NULL, key, iv, encrypt), "the key");
    for (; rounds; rounds--) {
        int length;
        must(EVP_CipherInit_ex(context, NULL, NULL, NULL, iv, -1), "the IV");
        EVP_CIPHER_CTX_set_padding(context, 0);
        must(EVP_CipherUpdate(context, out, &length, a, (int)n), operation);
        must(EVP_CipherFinal_ex(context, out + n, &length), operation);
        if (gcm)
            must(EVP_CIPHER_CTX_ctrl(context, 0x10 /* EVP_CTRL_GCM_GET_TAG */, 16, tag), "the tag");
    }
}

int main(int argc, char **argv)
{
    must(argc == 5 || argc == 8, "the command line");
    const char *operation = argv[2];
    n = (size_t)strtoul(argv[3], NULL, 10);
    uint8_t *buffers[3];
    for (int i = 0; i < 3; i++) {
        must(posix_memalign((void **)&buffers[i], 64, n + 64) == 0, "memory");
        memset(buffers[i], 0, n + 64);
        buffers[i] += argc == 8 ? atoi(argv[5 + i]) : 0;
    }
    out = buffers[0], a = buffers[1], b = buffers[2];
    for (size_t i = 0; i < n; i++)
        a[i] = (uint8_t)(i * 7 + (i >> 8)), b[i] = (uint8_t)(i * 13 + 5);
    if (!strcmp(argv[1], "xorcore"))
        xorcore(operation, atol(argv[4]));
    else {
        crypto = dlopen(argv[1], RTLD_NOW);
        must(crypto != NULL, argv[1]);
        openssl(operation, atol(argv[4]));
    }
    uint64_t digest = 0;
    for (size_t i = 0; i < n; i++)
        digest = (digest ^ out[i]) * 0x100000001b3u;
    for (size_t i = 0; i < sizeof tag; i++)
        digest = (digest ^ tag[i]) * 0x100000001b3u;
    printf("%016llx\n", (unsigned long long)digest);
    return 0;
}
