/* fuzz.h — what the parts of the fuzzer share: the program, two arenas, the objects, what must happen. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "xorcore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says what was wrong, and where in the program; does not return. */
void wrong(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- how often what happened, for the driver ----------------------------------------------------- */

enum call {
    CALL_NEW,
    CALL_SEAL,
    CALL_OPEN,
    CALL_CRYPT,
    CALL_CTR_AT,
    CALL_SECTORS,
    CALL_COMPUTE,
    CALL_VERIFY,
    CALL_STREAM_NEW,
    CALL_STREAM_RESET,
    CALL_STREAM_LENGTHS,
    CALL_STREAM_AAD,
    CALL_STREAM_UPDATE,
    CALL_STREAM_SEEK,
    CALL_STREAM_IV,
    CALL_STREAM_FINISH,
    CALL_STREAM_VERIFY,
    CALL_STREAM_COPY,
    CALL_ROWS,
    CALL_ROW,
    CALL_XOR,
    CALL_XOR_MANY,
    CALL_XOR_STRIDED,
    CALL_XOR_REPEAT,
    CALLS
};
enum {
    RESULTS = 15
};
extern unsigned long long happened[CALLS][RESULTS]; /* by call and minus the result */

/* Counts a result, which must be the one wanted, from both kernels. */
void both_must(enum call call, const int got[2], int wanted);

/* ---- the program: bytes are taken from its front, and are 0 after its end ------------------------ */

uint8_t take8(void);
uint32_t take16(void);
size_t take_below(size_t limit); /* limit <= 65536 */
int take_chance(unsigned of_256);
size_t take_mostly(size_t limit, size_t rare); /* below the first limit, rarely below the second */
size_t take_length(void);                      /* mostly small, now and then impossible */
uint64_t take_64(void);                        /* the same for 64 bits, near the ends of the range */

/* ---- two arenas of the same bytes, one for each kernel ------------------------------------------- */

enum {
    ARENA = 16384
};
extern uint8_t *arena[2];
extern uint8_t before[ARENA]; /* the bytes of both when keep() was called */

/* An argument: a pointer into the arena, or NULL, and its length. */
struct where {
    int null;
    size_t at, n;
};

/* For n bytes; with that chance at, or nearly at, the place of another argument. */
struct where take_where(size_t n, const struct where *near, unsigned of_256);
uint8_t *pointer(int side, struct where w);
int missing(struct where w);
int fits(struct where w);
int touch(struct where a, struct where b);
int partly(struct where out, struct where in);

/* Now and then fills it with ones, but for its last byte: counters and tweaks that are about to carry. */
void take_edge(struct where w);

void keep(void);
/* The arenas are equal, and but for the bytes of these arguments as they were. */
void unchanged_but(const char *what, const struct where *written, size_t count);
void all_zero(const char *what, struct where w);

/* ---- what abi.md's tables say of each algorithm (rules.c) ---------------------------------------- */

enum noun {
    AEAD,
    CIPHER,
    MAC
};
enum reading {
    READ_AES,
    READ_GCM,
    READ_PAIR
}; /* of the kernel argument */
struct rules {
    int id;
    enum noun noun;
    enum reading reading;
    uint32_t keys, tags; /* keys: bit n for 8n bytes; tags: bit n for n bytes */
    size_t nonce_min, nonce_max;
    size_t unit;
    int streams;
};
extern const struct rules rules[];
extern const size_t rule_count;

int nonce_fits(const struct rules *r, size_t n);
uint64_t text_limit(const struct rules *r, size_t nonce_len);
uint64_t aad_limit(const struct rules *r);
int kernel_exists(const char *family, const char *name, size_t len); /* -1 no, 0 cannot run, 1 runs */
int wanted_kernel(enum reading reading, const char *kernel);
/* A kernel argument: a good one, or rarely any string. */
const char *take_kernel(enum reading reading, char *space, size_t size);
enum {
    KERNEL_SPACE = 600
};

/* ---- objects (objects.c) --------------------------------------------------------------------------- */

struct object {
    const struct rules *rules;
    void *handle[2]; /* NULL: this object was never made, or is freed */
    uint8_t key[64];
    size_t key_len, tag_len;
    char kernel[2][64]; /* what each of the two runs on */
};
enum {
    OBJECTS = 4
};
extern struct object objects[OBJECTS];

void object_op(void);
void object_free(struct object *o);
void objects_end(void);
/* An object with good arguments of any algorithm, in any slot. */
struct object *take_object(void);
/* Another handle like that of one side. */
void *object_again(const struct object *o, int side);
void handle_free(const struct rules *r, void *handle);
size_t take_nonce_length(const struct rules *r);
size_t take_tag_length(const struct object *o);

/* ---- the calls --------------------------------------------------------------------------------------- */

void aead_op(void);
void cipher_op(void);
void mac_op(void);
void stream_op(void);
void streams_end(void);
void rows_op(void);
void xor_op(void);
void strings_op(void);

#endif
