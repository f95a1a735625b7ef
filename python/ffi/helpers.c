/* helpers.c — calls that Python would need pointer arithmetic for; compiled into the cffi module. */
#include <xorcore.h>

/* Seals into one buffer of in_len + tag_len bytes: ciphertext, then tag. */
static int helper_seal(const xorcore_aead *aead, uint8_t *out, size_t tag_len, const uint8_t *nonce,
                       size_t nonce_len, const uint8_t *in, size_t in_len, const uint8_t *aad, size_t aad_len)
{
    return xorcore_aead_seal(aead, out, out + in_len, tag_len, nonce, nonce_len, in, in_len, aad, aad_len);
}

/* Opens what helper_seal() made: in_len counts the tag. Input that is too short for a tag is passed on as
 * a tag that is too short, so that the library says which error comes first. */
static int helper_open(const xorcore_aead *aead, uint8_t *out, size_t tag_len, const uint8_t *nonce,
                       size_t nonce_len, const uint8_t *in, size_t in_len, const uint8_t *aad, size_t aad_len)
{
    size_t text_len = in_len < tag_len ? 0 : in_len - tag_len;

    return xorcore_aead_open(aead, out, nonce, nonce_len, in, text_len, in + text_len, in_len - text_len, aad,
                             aad_len);
}
