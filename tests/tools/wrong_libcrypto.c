/* wrong_libcrypto.c — a libcrypto that says yes to everything and computes nothing: xorcore-bench must find out. */
#include <stdint.h>
#include <string.h>

static int context, cipher;

void *EVP_CIPHER_CTX_new(void) { return &context; }
void EVP_CIPHER_CTX_free(void *ctx) { (void)ctx; }
int EVP_CIPHER_CTX_set_padding(void *ctx, int pad) { return ctx && !pad; }
const void *EVP_aes_128_gcm(void) { return &cipher; }
const void *EVP_aes_128_ctr(void) { return &cipher; }

int EVP_CIPHER_CTX_ctrl(void *ctx, int type, int n, void *p)
{
    if (type == 0x10) /* the tag is asked for */
        memset(p, 0, (size_t)n);
    return ctx != NULL;
}

int EVP_CipherInit_ex(void *ctx, const void *c, void *engine, const uint8_t *key, const uint8_t *iv, int enc)
{
    return ctx && (c || engine || key || iv || enc);
}

int EVP_EncryptInit_ex(void *ctx, const void *c, void *engine, const uint8_t *key, const uint8_t *iv)
{
    return EVP_CipherInit_ex(ctx, c, engine, key, iv, 1);
}

int EVP_DecryptInit_ex(void *ctx, const void *c, void *engine, const uint8_t *key, const uint8_t *iv)
{
    return EVP_CipherInit_ex(ctx, c, engine, key, iv, 1);
}

int EVP_EncryptUpdate(void *ctx, uint8_t *out, int *n, const uint8_t *in, int len)
{
    if (out)
        memcpy(out, in, (size_t)len);
    *n = len;
    return ctx != NULL;
}

int EVP_DecryptUpdate(void *ctx, uint8_t *out, int *n, const uint8_t *in, int len)
{
    return EVP_EncryptUpdate(ctx, out, n, in, len);
}

int EVP_EncryptFinal_ex(void *ctx, uint8_t *out, int *n)
{
    *n = 0;
    return ctx && out;
}

int EVP_DecryptFinal_ex(void *ctx, uint8_t *out, int *n) { return EVP_EncryptFinal_ex(ctx, out, n); }
