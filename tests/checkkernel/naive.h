/* naive.h — AES and GHASH as their standards write them, bit by bit: the reference that shares no code.
 *
 * Sources: FIPS 197 for AES, SP 800-38D section 6.3 for the field of GHASH, IEEE 1619 for the tweak. */
#ifndef NAIVE_H
#define NAIVE_H

#include <stddef.h>
#include <stdint.h>

struct naive_aes {
    int rounds;
    uint8_t word[60][4];
};

void naive_aes_key(struct naive_aes *aes, const uint8_t *key, size_t len);
void naive_aes_encrypt(const struct naive_aes *aes, uint8_t out[16], const uint8_t in[16]);
void naive_aes_decrypt(const struct naive_aes *aes, uint8_t out[16], const uint8_t in[16]);

/* The same, and the state at the beginning of every round, after the key of the one before. That of decryption is the
 * equivalent inverse cipher's (FIPS 197 section 5.3.5). */
enum { NAIVE_ROUNDS = 14 };
void naive_aes_encrypt_seen(const struct naive_aes *aes, uint8_t out[16], const uint8_t in[16],
                            uint8_t states[NAIVE_ROUNDS][16]);
void naive_aes_decrypt_seen(const struct naive_aes *aes, uint8_t out[16], const uint8_t in[16],
                            uint8_t states[NAIVE_ROUNDS][16]);

/* y = (y ^ block) * h */
void naive_ghash(uint8_t y[16], const uint8_t block[16], const uint8_t h[16]);

/* The tweak times x, IEEE 1619's byte order. */
void naive_xts_double(uint8_t tweak[16]);

/* Counts the last (big) or first (little) `bytes` bytes of the block up by one, wrapping alone. */
void naive_count_big(uint8_t block[16], int bytes);
void naive_count_little(uint8_t block[16], int bytes);

/* The standards' own examples; 0 when they come out right. */
int naive_selftest(void);

#endif
