/* objects.c — makes and frees key objects, each on two kernels, with right arguments and with wrong ones. */
#include "fuzz.h"

#include <stdlib.h>

struct object objects[OBJECTS];

static int make(enum noun noun, int id, void **out, const uint8_t *key, size_t key_len, size_t tag_len,
                const char *kernel)
{
    switch (noun) {
    case AEAD: return xorcore_aead_new((xorcore_aead **)out, id, key, key_len, tag_len, kernel);
    case CIPHER: return xorcore_cipher_new((xorcore_cipher **)out, id, key, key_len, kernel);
    default: return xorcore_mac_new((xorcore_mac **)out, id, key, key_len, tag_len, kernel);
    }
}

void handle_free(const struct rules *r, void *handle)
{
    switch (r->noun) {
    case AEAD: xorcore_aead_free(handle); break;
    case CIPHER: xorcore_cipher_free(handle); break;
    default: xorcore_mac_free(handle);
    }
}

static const char *handle_kernel(const struct rules *r, const void *handle)
{
    switch (r->noun) {
    case AEAD: return xorcore_aead_kernel(handle);
    case CIPHER: return xorcore_cipher_kernel(handle);
    default: return xorcore_mac_kernel(handle);
    }
}

void object_free(struct object *o)
{
    for (int side = 0; side < 2; side++) {
        if (o->handle[side])
            handle_free(o->rules, o->handle[side]);
        o->handle[side] = NULL;
    }
}

void objects_end(void)
{
    for (size_t i = 0; i < OBJECTS; i++)
        object_free(&objects[i]);
}

void *object_again(const struct object *o, int side)
{
    void *handle = NULL;
    if (make(o->rules->noun, o->rules->id, &handle, o->key, o->key_len, o->tag_len, o->kernel[side]))
        wrong("an object's own kernel, \"%s\", is not accepted back", o->kernel[side]);
    if (strcmp(handle_kernel(o->rules, handle), o->kernel[side]))
        wrong("\"%s\" became \"%s\"", o->kernel[side], handle_kernel(o->rules, handle));
    return handle;
}

/* ---- lengths ----------------------------------------------------------------------------------- */

/* One of the set bits. */
static size_t take_bit(uint32_t set)
{
    size_t n = take8() % (size_t)__builtin_popcount(set);
    for (size_t i = 0;; i++)
        if (set >> i & 1 && n-- == 0)
            return i;
}

size_t take_nonce_length(const struct rules *r)
{
    if (take_chance(8))
        return take_length();
    if (r->nonce_max == SIZE_MAX)
        return take_chance(128) ? 12 : 1 + take_mostly(40, 600);
    return r->nonce_min + take8() % (r->nonce_max - r->nonce_min + 1);
}

size_t take_tag_length(const struct object *o) { return take_chance(10) ? take_below(40) : o->tag_len; }

/* ---- making ------------------------------------------------------------------------------------ */

static int wanted(const struct rules *r, enum noun noun, int id, int null_key, const uint8_t *key,
                  size_t key_len, size_t tag_len, const char *kernel)
{
    if (!r || r->noun != noun || r->id != id || (null_key && key_len))
        return XORCORE_E_ARG;
    if (key_len % 8 || key_len > 64 || !(r->keys >> key_len / 8 & 1))
        return XORCORE_E_KEY_LENGTH;
    if (noun != CIPHER && (tag_len > 16 || !(r->tags >> tag_len & 1)))
        return XORCORE_E_TAG_LENGTH;
    if (id == XORCORE_AES_XTS && !memcmp(key, key + key_len / 2, key_len / 2))
        return XORCORE_E_WEAK_KEY;
    return wanted_kernel(r->reading, kernel);
}

static void new_object(struct object *o, const struct rules *r, int right)
{
    char space[2][KERNEL_SPACE];
    enum noun noun = r->noun;
    int id = r->id, null_key = 0, got[2];
    uint8_t key[300];
    size_t key_len = 8 * take_bit(r->keys), tag_len = r->tags ? take_bit(r->tags) : 0;
    const char *kernel[2];
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = i < 64 ? take8() : (uint8_t)i;
    key[0] ^= 0x55; /* or the halves are equal at the end of the program */

    for (int side = 0; side < 2; side++) {
        kernel[side] = take_kernel(r->reading, space[side], sizeof space[side]);
        if (right && wanted_kernel(r->reading, kernel[side]))
            kernel[side] = NULL;
    }
    if (!right) {
        if (take_chance(10))
            id = take_chance(128) ? rules[take8() % rule_count].id : (int)take_64();
        if (take_chance(10))
            noun = (enum noun)(take8() % 3);
        if (take_chance(20))
            key_len = take_below(sizeof key);
        if (take_chance(20))
            tag_len = take_length();
        if (take_chance(30) && key_len <= 64)
            memcpy(key + key_len / 2, key, key_len / 2);
        null_key = take_chance(10);
    }

    void *made[2];
    int due[2];
    for (int side = 0; side < 2; side++) {
        const struct rules *known = NULL;
        for (size_t i = 0; i < rule_count; i++)
            known = rules[i].id == id ? &rules[i] : known;
        made[side] = o; /* anything but NULL */
        due[side] = wanted(known, noun, id, null_key, key, key_len, tag_len, kernel[side]);
        got[side] = make(noun, id, &made[side], null_key ? NULL : key, key_len, tag_len, kernel[side]);
        if (got[side] != due[side])
            wrong("algorithm %d, key %zu, tag %zu, kernel %s: %s and not %s", id, key_len, tag_len,
                  kernel[side] ? kernel[side] : "NULL", xorcore_result_name(got[side]),
                  xorcore_result_name(due[side]));
        happened[CALL_NEW][-got[side]]++;
        if (got[side] && made[side])
            wrong("a failed new left something in *out");
    }
    if (got[0] || got[1]) {
        for (int side = 0; side < 2; side++)
            if (!got[side])
                handle_free(&(const struct rules){ .noun = noun }, made[side]);
        return;
    }
    object_free(o);
    o->rules = r;
    for (size_t i = 0; i < rule_count; i++)
        o->rules = rules[i].id == id ? &rules[i] : o->rules;
    memcpy(o->key, key, sizeof o->key);
    o->key_len = key_len;
    o->tag_len = tag_len;
    for (int side = 0; side < 2; side++) {
        const char *name = handle_kernel(o->rules, made[side]);
        if (!name || strlen(name) >= sizeof o->kernel[side] || !strcmp(name, "composed"))
            wrong("no good kernel name");
        strcpy(o->kernel[side], name);
        o->handle[side] = made[side];
    }
}

struct object *take_object(void)
{
    struct object *o = &objects[take8() % OBJECTS];
    if (!o->handle[0])
        new_object(o, &rules[take8() % rule_count], 1);
    return o;
}

void object_op(void)
{
    struct object *o = &objects[take8() % OBJECTS];
    const uint8_t kind = take8();
    if (kind < 20) {
        object_free(o);
    } else if (kind < 30 && o->handle[0]) {
        for (int side = 0; side < 2; side++)
            handle_free(o->rules, object_again(o, side));
    } else if (kind < 34) {
        xorcore_aead_free(NULL);
        xorcore_cipher_free(NULL);
        xorcore_mac_free(NULL);
        if (xorcore_aead_kernel(NULL) || xorcore_cipher_kernel(NULL) || xorcore_mac_kernel(NULL))
            wrong("NULL has a kernel");
        if (xorcore_aead_new(NULL, XORCORE_AES_GCM, o->key, 16, 16, NULL) != XORCORE_E_ARG ||
            xorcore_cipher_new(NULL, XORCORE_AES_CTR, o->key, 16, NULL) != XORCORE_E_ARG ||
            xorcore_mac_new(NULL, XORCORE_AES_CMAC, o->key, 16, 16, NULL) != XORCORE_E_ARG)
            wrong("out is NULL");
    } else {
        new_object(o, &rules[take8() % rule_count], kind & 1);
    }
}
