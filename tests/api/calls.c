/* calls.c — one-shot calls with every fault by itself and every two together: which error, and nothing written.
 *
 * An operation is a call with all its arguments in one struct; a fault is a change of that struct and the
 * error that it earns. With two faults the earlier error of the written order has to win. */
#include "test.h"

struct args {
    const struct algorithm *a;
    const void *object;
    uint8_t *out, *tag;
    const uint8_t *nonce, *in, *in2, *aad;
    size_t tag_len, nonce_len, n, aad_len;
    int direction;
    uint64_t offset; /* of ctr_at; phase of repeat */
    size_t sector;   /* of sectors; stride of strided */
    size_t count;    /* of many and strided */
    const uint8_t *sources[3];
    const uint8_t *const *table;
    const char *kernel;
};

/* ---- operations -------------------------------------------------------------------------------- */

static int seal(struct args *g)
{
    return xorcore_aead_seal(g->object, g->out, g->tag, g->tag_len, g->nonce, g->nonce_len, g->in, g->n,
                             g->aad, g->aad_len);
}
static int open(struct args *g)
{
    return xorcore_aead_open(g->object, g->out, g->nonce, g->nonce_len, g->in, g->n, g->tag, g->tag_len,
                             g->aad, g->aad_len);
}
static int encrypt(struct args *g)
{
    return xorcore_cipher_encrypt(g->object, g->out, g->nonce, g->nonce_len, g->in, g->n);
}
static int decrypt(struct args *g)
{
    return xorcore_cipher_decrypt(g->object, g->out, g->nonce, g->nonce_len, g->in, g->n);
}
static int ctr_at(struct args *g)
{
    return xorcore_cipher_ctr_at(g->object, g->out, g->nonce, g->nonce_len, g->offset, g->in, g->n);
}
static int sectors(struct args *g)
{
    return xorcore_cipher_sectors(g->object, g->direction, g->out, g->nonce, g->nonce_len, g->in, g->n,
                                  g->sector);
}
static int compute(struct args *g)
{
    return xorcore_mac_compute(g->object, g->tag, g->tag_len, g->nonce, g->nonce_len, g->in, g->n);
}
static int verify(struct args *g)
{
    return xorcore_mac_verify(g->object, g->tag, g->tag_len, g->nonce, g->nonce_len, g->in, g->n);
}
static int xor_two(struct args *g) { return xorcore_xor(g->out, g->in, g->in2, g->n); }
static int xor_two_on(struct args *g) { return xorcore_xor_on(g->kernel, g->out, g->in, g->in2, g->n); }
static int xor_many(struct args *g) { return xorcore_xor_many(g->out, g->table, g->count, g->n); }
static int xor_many_on(struct args *g)
{
    return xorcore_xor_many_on(g->kernel, g->out, g->table, g->count, g->n);
}
static int xor_strided(struct args *g)
{
    return xorcore_xor_strided(g->out, g->in, g->sector, g->count, g->n);
}
static int xor_strided_on(struct args *g)
{
    return xorcore_xor_strided_on(g->kernel, g->out, g->in, g->sector, g->count, g->n);
}
static int xor_repeat(struct args *g)
{
    return xorcore_xor_repeat(g->out, g->in, g->n, g->nonce, g->nonce_len, g->offset);
}
static int xor_repeat_on(struct args *g)
{
    return xorcore_xor_repeat_on(g->kernel, g->out, g->in, g->n, g->nonce, g->nonce_len, g->offset);
}

/* ---- faults ------------------------------------------------------------------------------------ */

typedef void change(struct args *g);

static void null_object(struct args *g) { g->object = NULL; }
static void null_out(struct args *g) { g->out = NULL; }
static void null_in(struct args *g) { g->in = NULL; }
static void null_in2(struct args *g) { g->in2 = NULL; }
static void null_tag(struct args *g) { g->tag = NULL; }
static void null_nonce(struct args *g) { g->nonce = NULL; }
static void null_aad(struct args *g) { g->aad = NULL; }
static void null_table(struct args *g) { g->table = NULL; }
static void null_source(struct args *g) { g->sources[1] = NULL; }
static void no_sources(struct args *g) { g->count = 0; }
static void span_too_long(struct args *g)
{
    g->sector = SIZE_MAX / 2;
    g->count = 4;
}
static void bad_direction(struct args *g) { g->direction = 3; }
static void negative_direction(struct args *g) { g->direction = -1; }
static void unverified(struct args *g) { g->direction = XORCORE_DECRYPT_UNVERIFIED; }
static void longer_nonce(struct args *g) { g->nonce_len = g->a->nonce_max + 1; }
static void huge_nonce(struct args *g) { g->nonce_len = (size_t)((uint64_t)1 << 61); }
static void no_nonce(struct args *g) { g->nonce_len = 0; }
static void shorter_nonce(struct args *g) { g->nonce_len = g->a->nonce_min - 1; }
static void shorter_tag(struct args *g) { g->tag_len = 15; }
static void longer_tag(struct args *g) { g->tag_len = 17; }
static void allowed_tag(struct args *g) { g->tag_len = 12; }
static void odd_length(struct args *g) { g->n = 33; }
static void below_block(struct args *g) { g->n = 15; }
static void odd_sector(struct args *g) { g->sector = 48; }
static void tiny_sector(struct args *g) { g->sector = 15; }
static void no_sector(struct args *g) { g->sector = 0; }
static void huge_sector(struct args *g) { g->sector = ((size_t)1 << 24) + 16; }
static void unit_too_long(struct args *g) { g->n = ((size_t)1 << 24) + 1; }
static void text_too_long(struct args *g) { g->n = (size_t)(((uint64_t)1 << 36) - 31); }
static void siv_too_long(struct args *g) { g->n = (size_t)(((uint64_t)1 << 36) + 1); }
static void siv_aad_too_long(struct args *g) { g->aad_len = (size_t)(((uint64_t)1 << 36) + 1); }
static void gcm_aad_too_long(struct args *g) { g->aad_len = (size_t)((uint64_t)1 << 61); }
static void gmac_too_long(struct args *g) { g->n = (size_t)((uint64_t)1 << 61); }
static void ccm_too_long(struct args *g) /* a nonce of 12 bytes leaves 3 for the length */
{
    g->n = (size_t)1 << 24;
}
static void past_the_end(struct args *g) { g->offset = UINT64_MAX - g->n + 2; }
static void out_in_plus(struct args *g) { g->out = (uint8_t *)g->in + 1; }
static void out_in_minus(struct args *g) { g->out = (uint8_t *)g->in - 1; }
static void out_in2_plus(struct args *g) { g->out = (uint8_t *)g->in2 + 1; }
static void out_last(struct args *g) { g->out = (uint8_t *)g->sources[2] + 17; }
static void out_row(struct args *g) { g->out = (uint8_t *)g->in + g->sector - 1; }
static void out_nonce(struct args *g) { g->out = (uint8_t *)g->nonce; }
static void out_nonce_end(struct args *g) { g->out = (uint8_t *)g->nonce + g->nonce_len - 1; }
static void out_aad(struct args *g) { g->out = (uint8_t *)g->aad + g->aad_len - 1; }
static void out_tag(struct args *g) { g->out = g->tag + 15; }
static void tag_in(struct args *g) { g->tag = (uint8_t *)g->in; }
static void tag_in_end(struct args *g) { g->tag = (uint8_t *)g->in + g->n - 1; }
static void tag_nonce(struct args *g) { g->tag = (uint8_t *)g->nonce; }
static void tag_aad(struct args *g) { g->tag = (uint8_t *)g->aad + 1; }
static void no_such_kernel(struct args *g) { g->kernel = "nope"; }
static void kernel_of_aes(struct args *g) { g->kernel = "composed"; }
static void empty_key(struct args *g) { g->nonce_len = 0; }

/* ---- which faults an operation can have ---------------------------------------------------------- */

enum kind {
    SEAL,
    OPEN,
    ENCRYPT,
    DECRYPT,
    CTR_AT,
    SECTORS,
    COMPUTE,
    VERIFY,
    TWO,
    TWO_ON,
    MANY,
    MANY_ON,
    STRIDED,
    STRIDED_ON,
    REPEAT,
    REPEAT_ON
};
#define ON(k) (1u << (k))
#define AEADS (ON(SEAL) | ON(OPEN))
#define CRYPTS (ON(ENCRYPT) | ON(DECRYPT))
#define CIPHERS (CRYPTS | ON(CTR_AT) | ON(SECTORS))
#define MACS (ON(COMPUTE) | ON(VERIFY))
#define OBJECTS (AEADS | CIPHERS | MACS)
#define TWOS (ON(TWO) | ON(TWO_ON))
#define MANYS (ON(MANY) | ON(MANY_ON))
#define STRIDES (ON(STRIDED) | ON(STRIDED_ON))
#define REPEATS (ON(REPEAT) | ON(REPEAT_ON))
#define XORS (TWOS | MANYS | STRIDES | REPEATS)
#define NAMED (ON(TWO_ON) | ON(MANY_ON) | ON(STRIDED_ON) | ON(REPEAT_ON))

enum {
    OUT = 1,
    IN = 2,
    TAG = 4,
    NONCE = 8,
    AAD = 16,
    COUNT = 32,
    LEN = 64,
    TAG_LEN = 128,
    NONCE_LEN = 256,
    AAD_LEN = 512
};

static const struct fault {
    const char *name;
    int error;
    change *apply;
    unsigned kinds;
    int algorithm; /* 0: every one of the kind */
    int only64;    /* the length does not fit into 32 bits */
    unsigned uses; /* arguments it looks at or changes: faults that share one may undo each other */
} faults[] = {
    { "NULL object", XORCORE_E_ARG, null_object, OBJECTS, 0, 0, 0 },
    { "NULL out", XORCORE_E_ARG, null_out, AEADS | CIPHERS | XORS, 0, 0, OUT },
    { "NULL in", XORCORE_E_ARG, null_in, OBJECTS | TWOS | STRIDES | REPEATS, 0, 0, IN },
    { "NULL second source", XORCORE_E_ARG, null_in2, TWOS, 0, 0, AAD },
    { "NULL tag", XORCORE_E_ARG, null_tag, AEADS | MACS, 0, 0, TAG },
    { "NULL nonce or key", XORCORE_E_ARG, null_nonce, OBJECTS | REPEATS, 0, 0, NONCE },
    { "NULL AAD", XORCORE_E_ARG, null_aad, AEADS, 0, 0, AAD },
    { "NULL table", XORCORE_E_ARG, null_table, MANYS, 0, 0, 0 },
    { "NULL among the sources", XORCORE_E_ARG, null_source, MANYS, 0, 0, COUNT },
    { "count 0", XORCORE_E_ARG, no_sources, MANYS | STRIDES, 0, 0, COUNT },
    { "a span over SIZE_MAX", XORCORE_E_ARG, span_too_long, STRIDES, 0, 0, COUNT },
    { "direction 3", XORCORE_E_ARG, bad_direction, ON(SECTORS), 0, 0, 0 },
    { "direction -1", XORCORE_E_ARG, negative_direction, ON(SECTORS), 0, 0, 0 },
    { "direction UNVERIFIED", XORCORE_E_ARG, unverified, ON(SECTORS), 0, 0, 0 },

    { "no nonce", XORCORE_E_NONCE_LENGTH, no_nonce, AEADS | MACS, XORCORE_AES_GCM, 0, NONCE },
    { "no nonce", XORCORE_E_NONCE_LENGTH, no_nonce, MACS, XORCORE_AES_GMAC, 0, NONCE },
    { "a nonce of 2^61 bytes", XORCORE_E_NONCE_LENGTH, huge_nonce, AEADS, XORCORE_AES_GCM, 1, NONCE_LEN },
    { "a nonce of 2^61 bytes", XORCORE_E_NONCE_LENGTH, huge_nonce, MACS, XORCORE_AES_GMAC, 1, NONCE_LEN },
    { "a long nonce", XORCORE_E_NONCE_LENGTH, longer_nonce, AEADS, XORCORE_AES_CCM, 0, NONCE },
    { "a short nonce", XORCORE_E_NONCE_LENGTH, shorter_nonce, AEADS, XORCORE_AES_CCM, 0, NONCE },
    { "a long nonce", XORCORE_E_NONCE_LENGTH, longer_nonce, AEADS, XORCORE_AES_GCM_SIV, 0, NONCE },
    { "a short nonce", XORCORE_E_NONCE_LENGTH, shorter_nonce, AEADS, XORCORE_AES_GCM_SIV, 0, NONCE },
    { "a long nonce", XORCORE_E_NONCE_LENGTH, longer_nonce, AEADS, XORCORE_XAES_256_GCM, 0, NONCE },
    { "a short nonce", XORCORE_E_NONCE_LENGTH, shorter_nonce, AEADS, XORCORE_XAES_256_GCM, 0, NONCE },
    { "a long IV", XORCORE_E_NONCE_LENGTH, longer_nonce, CIPHERS, 0, 0, NONCE },
    { "a nonce for CMAC", XORCORE_E_NONCE_LENGTH, longer_nonce, MACS, XORCORE_AES_CMAC, 0, NONCE },
    { "a short IV", XORCORE_E_NONCE_LENGTH, shorter_nonce, CIPHERS, XORCORE_AES_CBC, 0, NONCE },
    { "a short IV", XORCORE_E_NONCE_LENGTH, shorter_nonce, CIPHERS, XORCORE_AES_CFB128, 0, NONCE },
    { "a short IV", XORCORE_E_NONCE_LENGTH, shorter_nonce, CIPHERS, XORCORE_AES_CFB8, 0, NONCE },
    { "a short IV", XORCORE_E_NONCE_LENGTH, shorter_nonce, CIPHERS, XORCORE_AES_OFB, 0, NONCE },
    { "a short IV", XORCORE_E_NONCE_LENGTH, shorter_nonce, CIPHERS, XORCORE_AES_CTR, 0, NONCE },
    { "a short IV", XORCORE_E_NONCE_LENGTH, shorter_nonce, CIPHERS, XORCORE_AES_XTS, 0, NONCE },

    { "a short tag", XORCORE_E_TAG_LENGTH, shorter_tag, ON(SEAL) | ON(COMPUTE), 0, 0, TAG_LEN },
    { "a long tag", XORCORE_E_TAG_LENGTH, longer_tag, ON(SEAL) | ON(COMPUTE), 0, 0, TAG_LEN },
    { "another tag length", XORCORE_E_TAG_LENGTH, allowed_tag, ON(SEAL) | ON(COMPUTE), 0, 0, TAG_LEN },
    { "a short tag", XORCORE_E_AUTH, shorter_tag, ON(OPEN) | ON(VERIFY), 0, 0, TAG_LEN },
    { "a long tag", XORCORE_E_AUTH, longer_tag, ON(OPEN) | ON(VERIFY), 0, 0, TAG_LEN },
    { "another tag length", XORCORE_E_AUTH, allowed_tag, ON(OPEN) | ON(VERIFY), 0, 0, TAG_LEN },

    { "33 bytes", XORCORE_E_DATA_LENGTH, odd_length, CRYPTS, XORCORE_AES_ECB, 0, LEN },
    { "15 bytes", XORCORE_E_DATA_LENGTH, below_block, CRYPTS, XORCORE_AES_ECB, 0, LEN },
    { "33 bytes", XORCORE_E_DATA_LENGTH, odd_length, CRYPTS, XORCORE_AES_CBC, 0, LEN },
    { "15 bytes", XORCORE_E_DATA_LENGTH, below_block, CRYPTS, XORCORE_AES_CBC, 0, LEN },
    { "15 bytes", XORCORE_E_DATA_LENGTH, below_block, CRYPTS, XORCORE_AES_XTS, 0, LEN },
    { "sectors of 48 in 64 bytes", XORCORE_E_DATA_LENGTH, odd_sector, ON(SECTORS), 0, 0, 0 },
    { "sectors of 15", XORCORE_E_DATA_LENGTH, tiny_sector, ON(SECTORS), 0, 0, 0 },
    { "sectors of 0", XORCORE_E_DATA_LENGTH, no_sector, ON(SECTORS), 0, 0, 0 },
    { "sectors of 2^24 + 16", XORCORE_E_DATA_LENGTH, huge_sector, ON(SECTORS), 0, 0, 0 },

    { "2^36 - 31 bytes", XORCORE_E_LIMIT, text_too_long, AEADS, XORCORE_AES_GCM, 1, LEN },
    { "2^36 - 31 bytes", XORCORE_E_LIMIT, text_too_long, AEADS, XORCORE_XAES_256_GCM, 1, LEN },
    { "2^61 bytes of AAD", XORCORE_E_LIMIT, gcm_aad_too_long, AEADS, XORCORE_AES_GCM, 1, AAD_LEN },
    { "2^61 bytes of AAD", XORCORE_E_LIMIT, gcm_aad_too_long, AEADS, XORCORE_XAES_256_GCM, 1, AAD_LEN },
    { "2^36 + 1 bytes", XORCORE_E_LIMIT, siv_too_long, AEADS, XORCORE_AES_GCM_SIV, 1, LEN },
    { "2^36 + 1 bytes of AAD", XORCORE_E_LIMIT, siv_aad_too_long, AEADS, XORCORE_AES_GCM_SIV, 1, AAD_LEN },
    { "2^24 bytes", XORCORE_E_LIMIT, ccm_too_long, AEADS, XORCORE_AES_CCM, 0, LEN },
    { "2^61 bytes", XORCORE_E_LIMIT, gmac_too_long, MACS, XORCORE_AES_GMAC, 1, LEN },
    { "2^24 + 1 bytes", XORCORE_E_LIMIT, unit_too_long, CRYPTS, XORCORE_AES_XTS, 0, LEN },
    { "past 2^64", XORCORE_E_LIMIT, past_the_end, ON(CTR_AT), 0, 0, LEN },

    { "no such kernel", XORCORE_E_KERNEL, no_such_kernel, NAMED, 0, 0, 0 },
    { "a kernel of another family", XORCORE_E_KERNEL, kernel_of_aes, NAMED, 0, 0, 0 },
    { "an empty key", XORCORE_E_KEY_LENGTH, empty_key, REPEATS, 0, 0, NONCE },

    { "out = in + 1", XORCORE_E_OVERLAP, out_in_plus, AEADS | CIPHERS | TWOS | STRIDES | REPEATS, 0, 0,
      OUT | IN },
    { "out = in - 1", XORCORE_E_OVERLAP, out_in_minus, AEADS | CIPHERS | TWOS | STRIDES | REPEATS, 0, 0,
      OUT | IN },
    { "out = the second source + 1", XORCORE_E_OVERLAP, out_in2_plus, TWOS, 0, 0, OUT | AAD },
    { "out in the last source", XORCORE_E_OVERLAP, out_last, MANYS, 0, 0, OUT | COUNT },
    { "out = in + stride - 1", XORCORE_E_OVERLAP, out_row, STRIDES, 0, 0, OUT | COUNT | IN },
    { "out = nonce or key", XORCORE_E_OVERLAP, out_nonce, AEADS | REPEATS, 0, 0, OUT | NONCE },
    { "out over the nonce's end", XORCORE_E_OVERLAP, out_nonce_end, AEADS | REPEATS, 0, 0,
      OUT | NONCE | NONCE_LEN },
    { "out over the AAD's end", XORCORE_E_OVERLAP, out_aad, AEADS, 0, 0, OUT | AAD | AAD_LEN },
    { "out over the tag's end", XORCORE_E_OVERLAP, out_tag, AEADS, 0, 0, OUT | TAG | TAG_LEN },
    { "tag = in", XORCORE_E_OVERLAP, tag_in, ON(SEAL) | ON(COMPUTE), 0, 0, TAG | IN },
    { "tag over the end of in", XORCORE_E_OVERLAP, tag_in_end, ON(SEAL) | ON(COMPUTE), 0, 0, TAG | IN | LEN },
    { "tag = nonce", XORCORE_E_OVERLAP, tag_nonce, ON(SEAL), 0, 0, TAG | NONCE },
    { "tag in the AAD", XORCORE_E_OVERLAP, tag_aad, ON(SEAL), 0, 0, TAG | AAD },
};
enum {
    FAULTS = sizeof faults / sizeof faults[0]
};

static int rank(int error)
{
    static const int order[] = { XORCORE_E_ARG,          XORCORE_E_UNSUPPORTED, XORCORE_E_STATE,
                                 XORCORE_E_NONCE_LENGTH, XORCORE_E_KEY_LENGTH,  XORCORE_E_TAG_LENGTH,
                                 XORCORE_E_DATA_LENGTH,  XORCORE_E_LIMIT,       XORCORE_E_KERNEL,
                                 XORCORE_E_OVERLAP,      XORCORE_E_AUTH };
    for (int i = 0; i < (int)(sizeof order / sizeof order[0]); i++)
        if (order[i] == error)
            return i;
    return 99;
}

/* ---- the base, and all of it -------------------------------------------------------------------- */

enum {
    TEXT = 64,
    ARENA = 2048
};
static uint8_t arena[ARENA], kept[ARENA];
static uint8_t key[64];

/* A call that is right, with its buffers apart in the arena. */
static void base(struct args *g, const struct algorithm *a, const void *object)
{
    memset(g, 0, sizeof *g);
    g->a = a;
    g->object = object;
    g->out = arena + 64;
    g->in = arena + 300;
    g->in2 = arena + 500;
    g->tag = arena + 700;
    g->nonce = arena + 800;
    g->aad = arena + 900;
    g->n = TEXT;
    g->tag_len = a ? a->tag : 0;
    g->nonce_len = a ? a->nonce : 7;
    g->aad_len = 20;
    g->direction = XORCORE_ENCRYPT;
    g->offset = 5;
    g->sector = a ? 32 : 128;
    g->count = 3;
    for (int i = 0; i < 3; i++)
        g->sources[i] = arena + 300 + 128 * i;
    g->table = g->sources;
}

typedef int operation(struct args *g);

static void with_faults(const char *name, enum kind kind, operation *call, const struct algorithm *a,
                        const void *object)
{
    struct args g;
    unsigned count = 0;
    for (int i = 0; i < FAULTS; i++) {
        for (int j = i; j < FAULTS; j++) {
            const struct fault *f = &faults[i], *h = &faults[j];
            int applies = 1;
            for (int k = 0; k < 2; k++) {
                const struct fault *x = k ? h : f;
                if (!(x->kinds & ON(kind)) || (x->algorithm && (!a || x->algorithm != a->id)) ||
                    (x->only64 && SIZE_MAX == UINT32_MAX))
                    applies = 0;
                if (a && a->nonce == 0 &&
                    (x->apply == null_nonce || x->apply == shorter_nonce || x->apply == out_nonce ||
                     x->apply == out_nonce_end || x->apply == tag_nonce))
                    applies = 0;
            }
            if (!applies || (i != j && f->uses & h->uses))
                continue;
            random_bytes(arena, sizeof arena);
            memcpy(kept, arena, sizeof arena);
            base(&g, a, object);
            f->apply(&g);
            if (j != i)
                h->apply(&g);
            int wanted = rank(f->error) <= rank(h->error) ? f->error : h->error;
            int result = call(&g);
            check_result(result, wanted, "%s of %s: %s%s%s", name, a ? a->name : "XOR", f->name,
                         i == j ? "" : ", and ", i == j ? "" : h->name);
            /* After AUTH `out` is zeros; anything else has written nothing. */
            if (result == XORCORE_E_AUTH && kind == OPEN)
                memset(kept + (g.out - arena), 0, g.n);
            check(!memcmp(arena, kept, sizeof arena), "%s of %s: %s%s%s: something was written", name,
                  a ? a->name : "XOR", f->name, i == j ? "" : ", and ", i == j ? "" : h->name);
            count++;
        }
    }
    check(count > 0, "%s: no fault was tried", name);

    /* And without a fault it works. */
    random_bytes(arena, sizeof arena);
    base(&g, a, object);
    int wanted = kind == OPEN || kind == VERIFY ? XORCORE_E_AUTH : XORCORE_OK;
    check_result(call(&g), wanted, "%s of %s, nothing wrong", name, a ? a->name : "XOR");
}

/* Every pointer may be NULL where its length is 0. */
static void without_data(const struct algorithm *a, const void *object)
{
    struct args g;
    uint8_t tag[16], nonce[24] = { 0 };
    base(&g, a, object);
    g.out = NULL;
    g.in = g.aad = NULL;
    g.n = g.aad_len = 0;
    g.tag = tag;
    g.nonce = a->nonce ? nonce : NULL;
    switch (a->noun) {
    case AEAD:
        check_result(seal(&g), XORCORE_OK, "%s: sealing nothing", a->name);
        check_result(open(&g), XORCORE_OK, "%s: opening nothing", a->name);
        tag[3] ^= 1;
        check_result(open(&g), XORCORE_E_AUTH, "%s: opening nothing with a wrong tag", a->name);
        g.tag = NULL;
        g.tag_len = 0;
        check_result(seal(&g), XORCORE_E_TAG_LENGTH, "%s: sealing nothing to a tag of nothing", a->name);
        check_result(open(&g), XORCORE_E_AUTH, "%s: opening nothing with a tag of nothing", a->name);
        break;
    case CIPHER:
        check_result(encrypt(&g), a->least ? XORCORE_E_DATA_LENGTH : XORCORE_OK, "%s: encrypting nothing",
                     a->name);
        check_result(decrypt(&g), a->least ? XORCORE_E_DATA_LENGTH : XORCORE_OK, "%s: decrypting nothing",
                     a->name);
        if (a->id == XORCORE_AES_CTR)
            check_result(ctr_at(&g), XORCORE_OK, "ctr_at: nothing");
        if (a->id == XORCORE_AES_XTS)
            check_result(sectors(&g), XORCORE_OK, "sectors: nothing");
        break;
    default:
        check_result(compute(&g), XORCORE_OK, "%s of nothing", a->name);
        check_result(verify(&g), XORCORE_OK, "%s of nothing, verified", a->name);
        g.tag = NULL;
        g.tag_len = 0;
        check_result(compute(&g), XORCORE_E_TAG_LENGTH, "%s of nothing to a tag of nothing", a->name);
        check_result(verify(&g), XORCORE_E_AUTH, "%s: a tag of nothing", a->name);
    }
}

static void unsupported(const struct algorithm *a, const void *object)
{
    struct args g;
    random_bytes(arena, sizeof arena);
    memcpy(kept, arena, sizeof arena);
    base(&g, a, object);
    g.nonce_len = 3; /* UNSUPPORTED comes before the lengths, and after ARG */
    g.sector = 0;
    if (a->id != XORCORE_AES_CTR) {
        check_result(ctr_at(&g), XORCORE_E_UNSUPPORTED, "ctr_at on %s", a->name);
        g.out = NULL;
        check_result(ctr_at(&g), XORCORE_E_ARG, "ctr_at on %s, and NULL", a->name);
        g.out = (uint8_t *)g.in + 1;
        check_result(ctr_at(&g), XORCORE_E_UNSUPPORTED, "ctr_at on %s, and overlap", a->name);
    }
    base(&g, a, object);
    g.nonce_len = 3;
    g.sector = 0;
    if (a->id != XORCORE_AES_XTS) {
        check_result(sectors(&g), XORCORE_E_UNSUPPORTED, "sectors on %s", a->name);
        g.direction = 7;
        check_result(sectors(&g), XORCORE_E_ARG, "sectors on %s, and a bad direction", a->name);
    }
    check(!memcmp(arena, kept, sizeof arena), "%s: an unsupported call has written", a->name);
}

static void ctr_end(const void *object)
{
    struct args g;
    uint8_t whole[32];
    random_bytes(arena, sizeof arena);
    base(&g, &algorithms[9], object);
    check(algorithms[9].id == XORCORE_AES_CTR, "the list of algorithms has changed");
    g.offset = UINT64_MAX - g.n + 1; /* the last byte is number 2^64 - 1 */
    check_result(ctr_at(&g), XORCORE_OK, "ctr_at to the very end");
    g.offset++;
    check_result(ctr_at(&g), XORCORE_E_LIMIT, "ctr_at one byte past the end");
    g.n = 0;
    g.offset = UINT64_MAX;
    check_result(ctr_at(&g), XORCORE_OK, "ctr_at of nothing at the end");
    g.n = 1;
    check_result(ctr_at(&g), XORCORE_OK, "ctr_at of the last byte");
    g.n = 2;
    check_result(ctr_at(&g), XORCORE_E_LIMIT, "ctr_at of the last byte and one more");

    /* The same bytes as of the whole, at every offset of the first blocks. */
    base(&g, &algorithms[9], object);
    g.n = 32;
    g.offset = 0;
    check_result(ctr_at(&g), XORCORE_OK, "ctr_at 0");
    memcpy(whole, g.out, 32);
    for (size_t at = 0; at < 32; at++) {
        const uint8_t *text = g.in;
        g.offset = at;
        g.n = 32 - at;
        g.in = text + at;
        check_result(ctr_at(&g), XORCORE_OK, "ctr_at %zu", at);
        check(!memcmp(g.out, whole + at, 32 - at), "ctr_at %zu gives other bytes", at);
        g.in = text;
    }
}

static void equality(void)
{
    uint8_t a[70], b[70];
    random_bytes(a, sizeof a);
    for (size_t n = 0; n <= 70; n++) {
        memcpy(b, a, sizeof b);
        check(xorcore_equal(a, b, n) == 1, "equal: %zu bytes", n);
        check(xorcore_equal(a, a, n) == 1, "equal: %zu bytes and themselves", n);
        for (size_t i = 0; i < 70; i++) {
            b[i] ^= (uint8_t)(1 << i % 8);
            check(xorcore_equal(a, b, n) == (i >= n), "equal: %zu bytes that differ at %zu", n, i);
            b[i] = a[i];
        }
        check(xorcore_equal(NULL, b, n) == (n == 0), "equal: NULL first, %zu bytes", n);
        check(xorcore_equal(b, NULL, n) == (n == 0), "equal: NULL second, %zu bytes", n);
        check(xorcore_equal(NULL, NULL, n) == (n == 0), "equal: NULL twice, %zu bytes", n);
    }
}

static void xor_of_nothing(void)
{
    const uint8_t *none[2] = { NULL, NULL };
    uint8_t one[1] = { 0 };
    check_result(xorcore_xor(NULL, NULL, NULL, 0), XORCORE_OK, "xor of nothing");
    check_result(xorcore_xor_many(NULL, none, 2, 0), XORCORE_OK, "xor_many of nothing");
    check_result(xorcore_xor_many(NULL, NULL, 2, 0), XORCORE_E_ARG, "xor_many without a table");
    check_result(xorcore_xor_many(NULL, none, 0, 0), XORCORE_E_ARG, "xor_many of no sources");
    check_result(xorcore_xor_strided(NULL, NULL, 16, 2, 0), XORCORE_OK, "xor_strided of nothing");
    check_result(xorcore_xor_strided(NULL, NULL, 16, 0, 0), XORCORE_E_ARG, "xor_strided of no sources");
    check_result(xorcore_xor_strided(NULL, NULL, SIZE_MAX, 3, 0), XORCORE_E_ARG,
                 "xor_strided over SIZE_MAX, of nothing");
    check_result(xorcore_xor_strided(one, one, SIZE_MAX, 1, 1), XORCORE_OK,
                 "xor_strided of one source, whatever its stride");
    check_result(xorcore_xor_repeat(NULL, NULL, 0, one, 1, UINT64_MAX), XORCORE_OK, "xor_repeat of nothing");
    check_result(xorcore_xor_repeat(NULL, NULL, 0, NULL, 0, 0), XORCORE_E_KEY_LENGTH,
                 "xor_repeat of nothing, no key");
    check_result(xorcore_xor_on("portable", NULL, NULL, NULL, 0), XORCORE_OK, "xor_on of nothing");
    check_result(xorcore_xor_on("nope", NULL, NULL, NULL, 0), XORCORE_E_KERNEL,
                 "xor_on of nothing, no such kernel");
}

int main(void)
{
    random_bytes(key, sizeof key);
    for (size_t i = 0; i < algorithm_count; i++) {
        const struct algorithm *a = &algorithms[i];
        void *object = make_object(a, NULL, key, a->key);
        switch (a->noun) {
        case AEAD:
            with_faults("seal", SEAL, seal, a, object);
            with_faults("open", OPEN, open, a, object);
            break;
        case CIPHER:
            with_faults("encrypt", ENCRYPT, encrypt, a, object);
            with_faults("decrypt", DECRYPT, decrypt, a, object);
            if (a->id == XORCORE_AES_CTR)
                with_faults("ctr_at", CTR_AT, ctr_at, a, object);
            if (a->id == XORCORE_AES_XTS)
                with_faults("sectors", SECTORS, sectors, a, object);
            unsupported(a, object);
            if (a->id == XORCORE_AES_CTR)
                ctr_end(object);
            break;
        default:
            with_faults("compute", COMPUTE, compute, a, object);
            with_faults("verify", VERIFY, verify, a, object);
        }
        without_data(a, object);
        free_object(a, object);
    }
    with_faults("xor", TWO, xor_two, NULL, NULL);
    with_faults("xor_on", TWO_ON, xor_two_on, NULL, NULL);
    with_faults("xor_many", MANY, xor_many, NULL, NULL);
    with_faults("xor_many_on", MANY_ON, xor_many_on, NULL, NULL);
    with_faults("xor_strided", STRIDED, xor_strided, NULL, NULL);
    with_faults("xor_strided_on", STRIDED_ON, xor_strided_on, NULL, NULL);
    with_faults("xor_repeat", REPEAT, xor_repeat, NULL, NULL);
    with_faults("xor_repeat_on", REPEAT_ON, xor_repeat_on, NULL, NULL);
    xor_of_nothing();
    equality();
    return finish();
}
