/* naive.c — AES and GHASH as their standards write them, bit by bit: the reference that shares no code. */
#include "naive.h"

#include <string.h>

/* FIPS 197 section 4.2: multiplication in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. */
static uint8_t multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (int i = 0; i < 8; i++) {
        if ((b >> i) & 1)
            product ^= a;
        a = (uint8_t)((a << 1) ^ ((a & 0x80) ? 0x1b : 0));
    }
    return product;
}

/* The boxes and the products that MixColumns needs, computed once from the definitions above. */
static uint8_t sbox[256], sbox_inverse[256], times[16][256];

static void make_tables(void)
{
    if (sbox[0])
        return;
    for (int b = 0; b < 256; b++)
        for (int f = 1; f < 16; f++)
            times[f][b] = multiply((uint8_t)b, (uint8_t)f);
    for (int b = 0; b < 256; b++) {
        uint8_t inverse = 0;
        for (int c = 1; c < 256; c++)
            if (multiply((uint8_t)b, (uint8_t)c) == 1)
                inverse = (uint8_t)c;
        uint8_t s = 0;
        for (int i = 0; i < 8; i++) { /* section 5.1.1, equation 5.1 */
            int bit = (inverse >> i) ^ (inverse >> ((i + 4) % 8)) ^ (inverse >> ((i + 5) % 8)) ^
                      (inverse >> ((i + 6) % 8)) ^ (inverse >> ((i + 7) % 8)) ^ (0x63 >> i);
            s = (uint8_t)(s | ((bit & 1) << i));
        }
        sbox[b] = s;
        sbox_inverse[s] = (uint8_t)b;
    }
}

void naive_aes_key(struct naive_aes *aes, const uint8_t *key, size_t len)
{
    int nk = (int)len / 4;
    uint8_t rcon = 1;
    make_tables();
    aes->rounds = nk + 6;
    memcpy(aes->word, key, len);
    for (int i = nk; i < 4 * (aes->rounds + 1); i++) {
        uint8_t t[4];
        memcpy(t, aes->word[i - 1], 4);
        if (i % nk == 0) {
            uint8_t first = t[0];
            t[0] = (uint8_t)(sbox[t[1]] ^ rcon);
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[first];
            rcon = multiply(rcon, 2);
        } else if (nk > 6 && i % nk == 4) {
            for (int j = 0; j < 4; j++)
                t[j] = sbox[t[j]];
        }
        for (int j = 0; j < 4; j++)
            aes->word[i][j] = aes->word[i - nk][j] ^ t[j];
    }
}

static void add_round_key(uint8_t s[16], const struct naive_aes *aes, int round)
{
    for (int i = 0; i < 16; i++)
        s[i] ^= aes->word[4 * round + i / 4][i % 4];
}

/* Byte r + 4c of the state is row r of column c. */
static void substitute_and_shift(uint8_t s[16], const uint8_t box[256], int direction)
{
    uint8_t t[16];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            t[r + 4 * c] = box[s[r + 4 * ((c + direction * r + 4) % 4)]];
    memcpy(s, t, 16);
}

static void mix_columns(uint8_t s[16], const uint8_t factor[4])
{
    for (int c = 0; c < 4; c++) {
        uint8_t t[4];
        for (int r = 0; r < 4; r++)
            t[r] = times[factor[0]][s[4 * c + r]] ^ times[factor[1]][s[4 * c + (r + 1) % 4]] ^
                   times[factor[2]][s[4 * c + (r + 2) % 4]] ^ times[factor[3]][s[4 * c + (r + 3) % 4]];
        memcpy(s + 4 * c, t, 4);
    }
}

void naive_aes_encrypt(const struct naive_aes *aes, uint8_t out[16], const uint8_t in[16])
{
    uint8_t unused[NAIVE_ROUNDS][16];
    naive_aes_encrypt_seen(aes, out, in, unused);
}

void naive_aes_decrypt(const struct naive_aes *aes, uint8_t out[16], const uint8_t in[16])
{
    uint8_t unused[NAIVE_ROUNDS][16];
    naive_aes_decrypt_seen(aes, out, in, unused);
}

void naive_aes_encrypt_seen(const struct naive_aes *aes, uint8_t out[16], const uint8_t in[16],
                            uint8_t states[NAIVE_ROUNDS][16])
{
    static const uint8_t mix[4] = { 2, 3, 1, 1 };
    uint8_t s[16];
    memcpy(s, in, 16);
    add_round_key(s, aes, 0);
    for (int round = 1; round <= aes->rounds; round++) {
        memcpy(states[round - 1], s, 16);
        substitute_and_shift(s, sbox, 1);
        if (round < aes->rounds)
            mix_columns(s, mix);
        add_round_key(s, aes, round);
    }
    memcpy(out, s, 16);
}

void naive_aes_decrypt_seen(const struct naive_aes *aes, uint8_t out[16], const uint8_t in[16],
                            uint8_t states[NAIVE_ROUNDS][16])
{
    static const uint8_t mix[4] = { 14, 11, 13, 9 };
    uint8_t s[16];
    memcpy(s, in, 16);
    for (int round = aes->rounds; round >= 1; round--) {
        add_round_key(s, aes, round);
        if (round < aes->rounds)
            mix_columns(s, mix);
        memcpy(states[aes->rounds - round], s, 16);
        substitute_and_shift(s, sbox_inverse, -1);
    }
    add_round_key(s, aes, 0);
    memcpy(out, s, 16);
}

static uint64_t big_endian(const uint8_t bytes[8])
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = word << 8 | bytes[i];
    return word;
}

/* SP 800-38D section 6.3: bit 0 is the leftmost bit of byte 0. Algorithm 1's V_i, which are H times x^i, do not depend on
 * the text; all sums of four neighbours of them are kept for the last H, so that an emulator gets through the sweeps. */
static const uint64_t (*sums_of(const uint8_t h[16]))[16][2]
{
    static uint8_t last[16];
    static uint64_t sums[32][16][2]; /* all zeros, which is right for the H in `last` */
    if (!memcmp(last, h, 16))
        return (const uint64_t(*)[16][2])sums;
    memcpy(last, h, 16);
    uint64_t v[2] = { big_endian(h), big_endian(h + 8) };
    for (int i = 0; i < 128; i++) {
        const int bit = 8 >> i % 4; /* the leftmost of four bits is the highest of a number */
        for (int four = 0; four < 16; four++)
            for (int j = 0; j < 2; j++)
                sums[i / 4][four][j] = (i % 4 ? sums[i / 4][four][j] : 0) ^ (four & bit ? v[j] : 0);
        const uint64_t low = v[1] & 1;
        v[1] = v[1] >> 1 | v[0] << 63;
        v[0] >>= 1;
        if (low)
            v[0] ^= 0xe1ull << 56;
    }
    return (const uint64_t(*)[16][2])sums;
}

void naive_ghash(uint8_t y[16], const uint8_t block[16], const uint8_t h[16])
{
    const uint64_t(*sums)[16][2] = sums_of(h);
    uint64_t z[2] = { 0, 0 };
    for (int i = 0; i < 32; i++) {
        const unsigned x = y[i / 2] ^ block[i / 2], four = i % 2 ? x & 15 : x >> 4;
        z[0] ^= sums[i][four][0];
        z[1] ^= sums[i][four][1];
    }
    for (int i = 0; i < 16; i++)
        y[i] = (uint8_t)(z[i / 8] >> (56 - 8 * (i % 8)));
}

void naive_xts_double(uint8_t tweak[16])
{
    int high = tweak[15] >> 7;
    for (int j = 15; j > 0; j--)
        tweak[j] = (uint8_t)((tweak[j] << 1) | (tweak[j - 1] >> 7));
    tweak[0] = (uint8_t)((tweak[0] << 1) ^ (high ? 0x87 : 0));
}

void naive_count_big(uint8_t block[16], int bytes)
{
    for (int i = 15; i >= 16 - bytes; i--)
        if (++block[i])
            return;
}

void naive_count_little(uint8_t block[16], int bytes)
{
    for (int i = 0; i < bytes; i++)
        if (++block[i])
            return;
}

int naive_selftest(void)
{
    /* FIPS 197 appendix C: key 00 01 02 …, text 00 11 22 …, for 128, 192 and 256 bits. */
    static const uint8_t want[3][16] = {
        { 0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a },
        { 0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91 },
        { 0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89 }
    };
    /* The GCM specification's test case 2: H = E(0) under a zero key; GHASH of one block and the lengths. */
    static const uint8_t cipher_text[16] = { 0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92,
                                             0xf3, 0x28, 0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78 };
    static const uint8_t hash[16] = { 0xf3, 0x8c, 0xbb, 0x1a, 0xd6, 0x92, 0x23, 0xdc,
                                      0xc3, 0x45, 0x7a, 0xe5, 0xb6, 0xb0, 0xf8, 0x85 };
    struct naive_aes aes;
    uint8_t key[32], text[16], block[16], h[16], y[16] = { 0 }, lengths[16] = { 0 };
    int wrong = 0;

    for (int i = 0; i < 32; i++)
        key[i] = (uint8_t)i;
    for (int i = 0; i < 16; i++)
        text[i] = (uint8_t)(0x11 * i);
    for (int i = 0; i < 3; i++) {
        naive_aes_key(&aes, key, 16 + 8 * (size_t)i);
        naive_aes_encrypt(&aes, block, text);
        wrong |= memcmp(block, want[i], 16);
        naive_aes_decrypt(&aes, block, block);
        wrong |= memcmp(block, text, 16);
    }
    memset(key, 0, 32);
    naive_aes_key(&aes, key, 16);
    naive_aes_encrypt(&aes, h, key);
    lengths[15] = 128;
    naive_ghash(y, cipher_text, h);
    naive_ghash(y, lengths, h);
    wrong |= memcmp(y, hash, 16);
    return wrong;
}
