/* use.c — a user's program: XOR, and one block of AES-GCM with a known answer. */
#include <stdio.h>
#include <string.h>
#include <xorcore.h>

/* Key, nonce and the first block of test case 3 of the GCM specification; the tag over that block alone
 * was computed with OpenSSL. */
static const uint8_t key[16] = {0xfe, 0xff, 0xe9, 0x92, 0x86, 0x65, 0x73, 0x1c,
                                0x6d, 0x6a, 0x8f, 0x94, 0x67, 0x30, 0x83, 0x08};
static const uint8_t nonce[12] = {0xca, 0xfe, 0xba, 0xbe, 0xfa, 0xce, 0xdb, 0xad, 0xde, 0xca, 0xf8, 0x88};
static const uint8_t text[16] = {0xd9, 0x31, 0x32, 0x25, 0xf8, 0x84, 0x06, 0xe5,
                                 0xa5, 0x59, 0x09, 0xc5, 0xaf, 0xf5, 0x26, 0x9a};
static const uint8_t sealed[16] = {0x42, 0x83, 0x1e, 0xc2, 0x21, 0x77, 0x74, 0x24,
                                   0x4b, 0x72, 0x21, 0xb7, 0x84, 0xd0, 0xd4, 0x9c};
static const uint8_t sealed_tag[16] = {0x57, 0x92, 0x6d, 0xde, 0x92, 0xa5, 0xc0, 0x1e,
                                       0xe8, 0x54, 0xdc, 0x9b, 0x33, 0xeb, 0xc8, 0x56};

int main(void)
{
    uint8_t out[16], tag[16], mask[16];
    xorcore_aead *aead;

    if (xorcore_xor(mask, text, sealed, 16) != XORCORE_OK || mask[0] != (0xd9 ^ 0x42))
        return 1;
    if (xorcore_aead_new(&aead, XORCORE_AES_GCM, key, sizeof key, 16, NULL) != XORCORE_OK)
        return 2;
    if (xorcore_aead_seal(aead, out, tag, 16, nonce, 12, text, 16, NULL, 0) != XORCORE_OK ||
        memcmp(out, sealed, 16) != 0 || memcmp(tag, sealed_tag, 16) != 0)
        return 3;
    tag[0] ^= 1;
    if (xorcore_aead_open(aead, out, nonce, 12, sealed, 16, tag, 16, NULL, 0) != XORCORE_E_AUTH)
        return 4;
    xorcore_aead_free(aead);
    printf("libxorcore %s works\n", xorcore_version());
    return 0;
}
