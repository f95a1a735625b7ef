/* objects.c — making objects: every length of key and tag, every wrong constant and kernel, and which error wins. */
#include "test.h"

#include <limits.h>

static uint8_t key[128];

static int has(uint64_t set, size_t n) { return n < 64 && (set >> n & 1); }

static int key_is_right(const struct algorithm *a, size_t n)
{
    return has(a->keys, n) || (a->id == XORCORE_AES_XTS && n == 64);
}

/* On failure *out is NULL whatever it was. */
static void refused(const struct algorithm *a, const uint8_t *bytes, size_t key_len, size_t tag_len,
                    const char *kernel, int wanted, const char *what)
{
    void *object = &object;
    int result = new_object(a, &object, bytes, key_len, tag_len, kernel);
    check_result(result, wanted, "%s, %s", a->name, what);
    check(object == NULL, "%s, %s: *out is not NULL", a->name, what);
    if (result == XORCORE_OK)
        free_object(a, object);
}

static void lengths(const struct algorithm *a)
{
    static const size_t odd[] = { 80, 96, 127, (size_t)1 << 16, SIZE_MAX - 15, SIZE_MAX };
    for (size_t n = 0; n < 73 + sizeof odd / sizeof odd[0]; n++) {
        size_t len = n < 73 ? n : odd[n - 73];
        void *object = &object;
        int wanted = key_is_right(a, len) ? XORCORE_OK : XORCORE_E_KEY_LENGTH;
        int result = new_object(a, &object, key, len, a->tag, NULL);
        check_result(result, wanted, "%s, key of %zu bytes", a->name, len);
        check((object != NULL) == (wanted == XORCORE_OK), "%s, key of %zu bytes: *out", a->name, len);
        if (result == XORCORE_OK)
            free_object(a, object);
    }
    for (size_t len = 0; a->tags && len <= 40; len++) {
        size_t tag_len = len == 40 ? SIZE_MAX : len == 39 ? SIZE_MAX - 15 : len == 38 ? 64 + 16 : len;
        void *object = &object;
        int wanted = has(a->tags, tag_len) ? XORCORE_OK : XORCORE_E_TAG_LENGTH;
        int result = new_object(a, &object, key, a->key, tag_len, NULL);
        check_result(result, wanted, "%s, tag of %zu bytes", a->name, tag_len);
        check((object != NULL) == (wanted == XORCORE_OK), "%s, tag of %zu bytes: *out", a->name, tag_len);
        if (result == XORCORE_OK)
            free_object(a, object);
    }
}

static void constants(const struct algorithm *a)
{
    static const int others[] = { 0, 1, -1, 100, 105, 200, 208, 300, 303, 1101, INT_MAX, INT_MIN };
    struct algorithm wrong = *a;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        wrong.id = others[i];
        refused(&wrong, key, a->key, a->tag, NULL, XORCORE_E_ARG, "an unknown constant");
    }
    for (size_t i = 0; i < algorithm_count; i++) {
        wrong.id = algorithms[i].id;
        if (algorithms[i].noun != a->noun)
            refused(&wrong, key, 32, 16, NULL, XORCORE_E_ARG, "an algorithm of another noun");
    }
}

/* Names that are none, or not for this algorithm. */
static void kernels(const struct algorithm *a)
{
    static const char *const bad[] = { "",
                                       "nope",
                                       "Portable",
                                       "portable ",
                                       " portable",
                                       "portable+",
                                       "+portable",
                                       "+",
                                       "portable+nope",
                                       "nope+portable",
                                       "portable+portable+portable",
                                       "portable,portable",
                                       "aes/portable" };
    int gcm = a->id == XORCORE_AES_GCM || a->id == XORCORE_XAES_256_GCM || a->id == XORCORE_AES_GMAC;
    int pair = a->id == XORCORE_AES_GCM_SIV;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(a, key, a->key, a->tag, bad[i], XORCORE_E_KERNEL, bad[i]);
    char longest[5000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    refused(a, key, a->key, a->tag, longest, XORCORE_E_KERNEL, "a name of 4999 letters");
    longest[2500] = '+';
    refused(a, key, a->key, a->tag, longest, XORCORE_E_KERNEL, "a pair of 2500 letters each");
    if (gcm)
        refused(a, key, a->key, a->tag, "portable", XORCORE_E_KERNEL, "\"portable\" alone");
    if (!gcm && !pair) {
        refused(a, key, a->key, a->tag, "portable+portable", XORCORE_E_KERNEL, "a pair");
        refused(a, key, a->key, a->tag, "composed", XORCORE_E_KERNEL, "\"composed\"");
    }

    static const char *const good[] = { NULL, "portable+portable", "composed", "portable" };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        int pair_name = i == 1 || i == 2;
        if ((pair_name && !gcm && !pair) || (i == 3 && gcm))
            continue;
        void *object = make_object(a, good[i], key, a->key), *again = NULL;
        const char *name = object_kernel(a, object);
        check(name && *name, "%s: a kernel without a name", a->name);
        check(!strstr(name, "composed"), "%s: the getter tells \"composed\"", a->name);
        if (i == 1 || (i == 3 && pair))
            check(!strcmp(name, "portable+portable"), "%s on %s tells %s", a->name, good[i], name);
        if (i == 3 && !pair)
            check(!strcmp(name, "portable"), "%s on %s tells %s", a->name, good[i], name);
        check_result(new_object(a, &again, key, a->key, a->tag, name), XORCORE_OK, "%s: %s, as told", a->name,
                     name);
        if (again) {
            check(!strcmp(object_kernel(a, again), name), "%s: %s becomes %s", a->name, name,
                  object_kernel(a, again));
            free_object(a, again);
        }
        free_object(a, object);
    }

    /* Every row by name: it makes an object exactly where the list says that it runs. */
    for (size_t i = 0; i < xorcore_kernel_count(); i++) {
        xorcore_kernel row;
        void *object = NULL;
        xorcore_kernel_at(i, &row, sizeof row);
        int takes = gcm ? !strcmp(row.family, "gcm")
                        : !strcmp(row.family, "aes") || (pair && !strcmp(row.family, "ghash"));
        if (!takes)
            continue;
        int runs = (row.flags & XORCORE_KERNEL_RUNS) != 0;
        check_result(new_object(a, &object, key, a->key, a->tag, row.name),
                     runs ? XORCORE_OK : XORCORE_E_KERNEL, "%s on %s/%s", a->name, row.family, row.name);
        if (object && strcmp(row.name, "composed"))
            check(strstr(object_kernel(a, object), row.name) != NULL, "%s on %s runs on %s", a->name,
                  row.name, object_kernel(a, object));
        if (object)
            free_object(a, object);
    }
}

static void precedence(const struct algorithm *a)
{
    struct algorithm wrong = *a;
    wrong.id = 999;
    check_result(new_object(a, NULL, key, a->key, a->tag, NULL), XORCORE_E_ARG, "%s, out is NULL", a->name);
    check_result(new_object(&wrong, NULL, NULL, 5, 99, "nope"), XORCORE_E_ARG, "%s, all wrong", a->name);
    refused(a, NULL, a->key, a->tag, NULL, XORCORE_E_ARG, "a NULL key");
    refused(a, NULL, 17, 99, "nope", XORCORE_E_ARG, "a NULL key of a wrong length");
    refused(a, NULL, 0, a->tag, NULL, XORCORE_E_KEY_LENGTH, "a NULL key of length 0");
    refused(&wrong, key, 17, a->tag, NULL, XORCORE_E_ARG, "unknown, and a wrong key length");
    refused(&wrong, key, a->key, a->tag, "nope", XORCORE_E_ARG, "unknown, and no such kernel");
    refused(a, key, 17, a->tag, "nope", XORCORE_E_KEY_LENGTH, "a wrong key length and no such kernel");
    if (a->tags) {
        refused(a, key, 17, 3, "nope", XORCORE_E_KEY_LENGTH, "wrong lengths of key and tag, no such kernel");
        refused(a, key, a->key, 3, "nope", XORCORE_E_TAG_LENGTH, "a wrong tag length and no such kernel");
        refused(&wrong, key, a->key, 3, NULL, XORCORE_E_ARG, "unknown, and a wrong tag length");
    }
    if (a->id == XORCORE_AES_XTS) {
        static const uint8_t zeros[66];
        for (size_t n = 0; n <= 66; n++) {
            int wanted = key_is_right(a, n) ? XORCORE_E_WEAK_KEY : XORCORE_E_KEY_LENGTH;
            refused(a, zeros, n, 0, NULL, wanted, "equal halves");
            refused(a, zeros, n, 0, "nope", wanted, "equal halves and no such kernel");
        }
        for (size_t bit = 0; bit < 256; bit++) { /* halves that differ in one bit are two keys */
            uint8_t nearly[64];
            void *object = NULL;
            memcpy(nearly, key, 32);
            memcpy(nearly + 32, key, 32);
            nearly[bit / 4] ^= (uint8_t)(1 << (bit % 4 * 2));
            check_result(new_object(a, &object, nearly, 64, 0, NULL), XORCORE_OK,
                         "XTS, halves that differ in bit %zu", bit);
            free_object(a, object);
        }
    }
    check(object_kernel(a, NULL) == NULL, "%s: the kernel of NULL", a->name);
    free_object(a, NULL);
}

int main(void)
{
    random_bytes(key, sizeof key);
    for (size_t i = 0; i < algorithm_count; i++) {
        lengths(&algorithms[i]);
        constants(&algorithms[i]);
        kernels(&algorithms[i]);
        precedence(&algorithms[i]);
    }
    xorcore_stream_free(NULL);
    return finish();
}
