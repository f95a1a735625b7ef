/* test.h — what the API tests share: checks that count themselves, data, and the list of algorithms. */
#ifndef TEST_H
#define TEST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xorcore.h"

/* Counts; prints where it is not so. */
void check(int good, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for results, told by name. */
void check_result(int got, int wanted, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Prints the last line; the exit status. */
int finish(void);

/* A repeatable stream of bytes. */
void random_bytes(void *p, size_t n);
size_t random_below(size_t limit);

int all_zero(const uint8_t *p, size_t n);

/* Every AEAD, cipher and MAC, with lengths that are right for it. */
enum noun {
    AEAD,
    CIPHER,
    MAC
};
struct algorithm {
    enum noun noun;
    int id;
    const char *name;
    uint64_t keys;               /* bit n: a key of n bytes, n < 64 */
    uint64_t tags;               /* bit n: a tag of n bytes */
    size_t nonce_min, nonce_max; /* nonce_max SIZE_MAX: any */
    size_t key, tag, nonce;      /* what the tests use */
    size_t unit;                 /* text is a multiple of this */
    size_t least;                /* and no shorter */
    int streams;                 /* can be fed in pieces */
};
extern const struct algorithm algorithms[];
extern const size_t algorithm_count;

/* An object of the algorithm with a key of random bytes; it fails the program when there is none. */
void *make_object(const struct algorithm *a, const char *kernel, const uint8_t *key, size_t key_len);
int new_object(const struct algorithm *a, void **out, const uint8_t *key, size_t key_len, size_t tag_len,
               const char *kernel);
const char *object_kernel(const struct algorithm *a, const void *object);
void free_object(const struct algorithm *a, void *object);

#endif
