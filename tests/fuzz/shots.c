/* shots.c — whole messages: AEAD, cipher and MAC calls with any lengths, places and overlaps. */
#include "fuzz.h"

/* An object for a call that wants that noun; rarely of another kind or none. */
static struct object *take_of(enum noun noun)
{
    struct object *o = take_object();
    for (size_t i = 0; i < OBJECTS && o->rules->noun != noun; i++)
        if (objects[i].handle[0])
            o = &objects[i];
    return o->rules->noun == noun ? o : NULL;
}

/* A call that would write, or read, outside the arena is not made unless it is refused before. Lengths beyond
 * half the address space name no buffer, so where they reach to is not asked either. */
static int askable(int due, const struct where *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!fits(args[i]) && (due == XORCORE_OK || due == XORCORE_E_AUTH))
            return 0;
        if (args[i].n > SIZE_MAX / 2 && due == XORCORE_E_OVERLAP)
            return 0;
    }
    return 1;
}

/* The text as it was, at an address of its own: what is done to it there must give the same as in the arena, in
 * place or not. */
static uint8_t apart[ARENA];

static void same_apart(const char *what, int result, struct where out)
{
    if (result)
        wrong("%s: %s by itself", what, xorcore_result_name(result));
    if (out.n && memcmp(apart, arena[0] + out.at, out.n))
        wrong("%s: other bytes in a buffer by itself", what);
}

/* ---- AEAD --------------------------------------------------------------------------------------- */

struct aead_args {
    const struct rules *rules;
    struct where out, in, nonce, aad, tag;
    size_t tag_len; /* the object's */
};

/* What sealing and opening have in common, up to OVERLAP. */
static int wanted_aead(const struct aead_args *a, int sealing)
{
    if (missing(a->out) || missing(a->in) || missing(a->nonce) || missing(a->aad) || missing(a->tag))
        return XORCORE_E_ARG;
    if (!nonce_fits(a->rules, a->nonce.n))
        return XORCORE_E_NONCE_LENGTH;
    if (sealing && a->tag.n != a->tag_len)
        return XORCORE_E_TAG_LENGTH;
    if (a->in.n > text_limit(a->rules, a->nonce.n) || a->aad.n > aad_limit(a->rules))
        return XORCORE_E_LIMIT;
    if (partly(a->out, a->in) || touch(a->out, a->nonce) || touch(a->out, a->aad) || touch(a->out, a->tag))
        return XORCORE_E_OVERLAP;
    if (sealing && (touch(a->tag, a->in) || touch(a->tag, a->nonce) || touch(a->tag, a->aad)))
        return XORCORE_E_OVERLAP;
    return XORCORE_OK;
}

static int call_aead(const struct object *o, const struct aead_args *a, int side, int sealing)
{
    if (sealing)
        return xorcore_aead_seal(o->handle[side], pointer(side, a->out), pointer(side, a->tag), a->tag.n,
                                 pointer(side, a->nonce), a->nonce.n, pointer(side, a->in), a->in.n,
                                 pointer(side, a->aad), a->aad.n);
    return xorcore_aead_open(o->handle[side], pointer(side, a->out), pointer(side, a->nonce), a->nonce.n,
                             pointer(side, a->in), a->in.n, pointer(side, a->tag), a->tag.n,
                             pointer(side, a->aad), a->aad.n);
}

/* `due` for an opening that passes all checks is OK, AUTH, or 1 where nobody can know (4-byte tags). */
static int run_aead(const struct object *o, const struct aead_args *a, int sealing, int due)
{
    const struct where args[] = { a->out, a->in, a->nonce, a->aad, a->tag };
    int got[2];
    if (!askable(due == 1 ? XORCORE_OK : due, args, 5))
        return 1;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = call_aead(o, a, side, sealing);
    if (due == 1 && (got[0] == XORCORE_OK || got[0] == XORCORE_E_AUTH))
        due = got[0];
    both_must(sealing ? CALL_SEAL : CALL_OPEN, got, due);
    if (due == XORCORE_OK) {
        const uint8_t *in = a->in.n ? before + a->in.at : NULL, *aad = a->aad.n ? before + a->aad.at : NULL;
        uint8_t tag[16];
        same_apart("aead",
                   sealing ? xorcore_aead_seal(o->handle[1], apart, tag, a->tag.n, before + a->nonce.at,
                                               a->nonce.n, in, a->in.n, aad, a->aad.n)
                           : xorcore_aead_open(o->handle[1], apart, before + a->nonce.at, a->nonce.n, in,
                                               a->in.n, before + a->tag.at, a->tag.n, aad, a->aad.n),
                   a->out);
        if (sealing && memcmp(tag, arena[0] + a->tag.at, a->tag.n))
            wrong("aead: another tag in a buffer by itself");
        const struct where written[] = { a->out, a->tag };
        unchanged_but("aead", written, sealing ? 2 : 1);
    } else {
        if (due == XORCORE_E_AUTH)
            all_zero("open", a->out);
        unchanged_but("aead", &a->out, due == XORCORE_E_AUTH);
    }
    return due;
}

static void flip(struct where w)
{
    const size_t at = w.at + take_below(w.n);
    const uint8_t bit = (uint8_t)(1 << take8() % 8);
    arena[0][at] ^= bit;
    arena[1][at] ^= bit;
}

/* Opens what `a` has sealed, as it stands or with something changed. */
static void open_again(const struct object *o, const struct aead_args *sealed)
{
    struct aead_args a = *sealed;
    const uint8_t kind = take8();
    struct where *const parts[] = { &a.in, &a.tag, &a.nonce, &a.aad };
    a.in = sealed->out;
    a.out = take_where(a.in.n, &a.in, 160);
    int due = wanted_aead(&a, 0);
    if (due)
        return (void)run_aead(o, &a, 0, due);
    if (kind < 100 || (kind < 228 && !parts[kind % 4]->n)) {
        due = XORCORE_OK;
    } else if (kind < 228) {
        flip(*parts[kind % 4]);
        due = o->tag_len < 8 ? 1 : XORCORE_E_AUTH;
    } else {
        a.tag.n = take_below(40);
        if (!fits(a.tag))
            return;
        due = wanted_aead(&a, 0);
        due = due ? due : a.tag.n == o->tag_len ? XORCORE_OK : XORCORE_E_AUTH;
    }
    run_aead(o, &a, 0, due);
}

void aead_op(void)
{
    const struct object *o = take_of(AEAD);
    if (!o)
        return;
    struct aead_args a = { .rules = o->rules, .tag_len = o->tag_len };
    const int sealing = take_chance(200);
    const size_t n = take_length();
    a.in = take_where(n, NULL, 0);
    a.out = take_where(n, &a.in, 120);
    a.nonce = take_where(take_nonce_length(o->rules), &a.out, 8);
    a.aad = take_where(take_length(), &a.in, 16);
    a.tag = take_where(take_tag_length(o), &a.out, 16);
    int due = wanted_aead(&a, sealing);
    if (!due && !sealing)
        due = a.tag.n != o->tag_len || o->tag_len >= 8 ? XORCORE_E_AUTH : 1;
    if (run_aead(o, &a, sealing, due) == XORCORE_OK && sealing)
        open_again(o, &a);
}

/* ---- cipher --------------------------------------------------------------------------------------- */

struct cipher_args {
    const struct object *object;
    struct where out, in, iv;
};

static int wanted_nulls(const struct cipher_args *a)
{
    return missing(a->out) || missing(a->in) || missing(a->iv) ? XORCORE_E_ARG : XORCORE_OK;
}

static int wanted_overlap(const struct cipher_args *a)
{
    return partly(a->out, a->in) || touch(a->out, a->iv) ? XORCORE_E_OVERLAP : XORCORE_OK;
}

static void finish_cipher(enum call call, const struct cipher_args *a, const int got[2], int due)
{
    both_must(call, got, due);
    unchanged_but("cipher", &a->out, due == XORCORE_OK);
}

static void crypt_op(const struct cipher_args *a)
{
    const int encrypt = take8() & 1, xts = a->object->rules->id == XORCORE_AES_XTS;
    int due = wanted_nulls(a), got[2];
    if (!due && !nonce_fits(a->object->rules, a->iv.n))
        due = XORCORE_E_NONCE_LENGTH;
    if (!due && ((xts && a->in.n < 16) || a->in.n % a->object->rules->unit))
        due = XORCORE_E_DATA_LENGTH;
    if (!due && xts && a->in.n > (size_t)1 << 24)
        due = XORCORE_E_LIMIT;
    due = due ? due : wanted_overlap(a);
    const struct where args[] = { a->out, a->in, a->iv };
    if (!askable(due, args, 3))
        return;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = (encrypt ? xorcore_cipher_encrypt : xorcore_cipher_decrypt)(
            a->object->handle[side], pointer(side, a->out), pointer(side, a->iv), a->iv.n,
            pointer(side, a->in), a->in.n);
    if (!due)
        same_apart("cipher",
                   (encrypt ? xorcore_cipher_encrypt : xorcore_cipher_decrypt)(
                       a->object->handle[1], apart, before + a->iv.at, a->iv.n, before + a->in.at, a->in.n),
                   a->out);
    finish_cipher(CALL_CRYPT, a, got, due);
}

static void ctr_at_op(const struct cipher_args *a)
{
    const uint64_t offset = take_64();
    int due = wanted_nulls(a), got[2];
    if (!due && a->object->rules->id != XORCORE_AES_CTR)
        due = XORCORE_E_UNSUPPORTED;
    if (!due && a->iv.n != 16)
        due = XORCORE_E_NONCE_LENGTH;
    if (!due && a->in.n && UINT64_MAX - offset < a->in.n - 1)
        due = XORCORE_E_LIMIT;
    due = due ? due : wanted_overlap(a);
    const struct where args[] = { a->out, a->in, a->iv };
    if (!askable(due, args, 3))
        return;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] =
            xorcore_cipher_ctr_at(a->object->handle[side], pointer(side, a->out), pointer(side, a->iv),
                                  a->iv.n, offset, pointer(side, a->in), a->in.n);
    if (!due)
        same_apart("ctr_at",
                   xorcore_cipher_ctr_at(a->object->handle[1], apart, before + a->iv.at, 16, offset,
                                         before + a->in.at, a->in.n),
                   a->out);
    finish_cipher(CALL_CTR_AT, a, got, due);
}

/* Each data unit by itself, its tweak by school arithmetic. */
static void sectors_alone(const struct cipher_args *a, int direction, size_t size)
{
    uint8_t tweak[16];
    memcpy(tweak, before + a->iv.at, 16);
    for (size_t at = 0; at < a->in.n; at += size) {
        if ((direction ? xorcore_cipher_encrypt : xorcore_cipher_decrypt)(
                a->object->handle[1], apart + at, tweak, 16, before + a->in.at + at, size))
            wrong("sectors: a unit by itself is refused");
        for (size_t i = 0; i < 16 && !++tweak[i]; i++)
            continue;
    }
    same_apart("sectors", XORCORE_OK, a->out);
}

static void sectors_op(const struct cipher_args *a)
{
    const size_t size = take_chance(20) ? take_length() : 16 + take_below(200);
    struct cipher_args whole = *a;
    if (take_chance(200) && size)
        whole.in.n = whole.out.n = a->in.n / size * size;
    const int direction = take_chance(8) ? (int)take_64() : take8() & 1;
    int due = wanted_nulls(&whole), got[2];
    if (direction != XORCORE_ENCRYPT && direction != XORCORE_DECRYPT)
        due = XORCORE_E_ARG;
    if (!due && a->object->rules->id != XORCORE_AES_XTS)
        due = XORCORE_E_UNSUPPORTED;
    if (!due && whole.iv.n != 16)
        due = XORCORE_E_NONCE_LENGTH;
    if (!due && (size < 16 || size > (size_t)1 << 24 || whole.in.n % size))
        due = XORCORE_E_DATA_LENGTH;
    due = due ? due : wanted_overlap(&whole);
    const struct where args[] = { whole.out, whole.in, whole.iv };
    if (!askable(due, args, 3))
        return;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_cipher_sectors(a->object->handle[side], direction, pointer(side, whole.out),
                                           pointer(side, whole.iv), whole.iv.n, pointer(side, whole.in),
                                           whole.in.n, size);
    if (!due)
        sectors_alone(&whole, direction, size);
    finish_cipher(CALL_SECTORS, &whole, got, due);
}

void cipher_op(void)
{
    struct cipher_args a = { .object = take_of(CIPHER) };
    if (!a.object)
        return;
    const uint8_t kind = take8();
    size_t n = take_length();
    if (take_chance(220))
        n -= n % a.object->rules->unit;
    a.in = take_where(n, NULL, 0);
    a.out = take_where(n, &a.in, 120);
    a.iv = take_where(take_nonce_length(a.object->rules), &a.out, 8);
    take_edge(a.iv);
    const int id = a.object->rules->id;
    if (kind < 4 || (id == XORCORE_AES_CTR && kind < 140))
        ctr_at_op(&a);
    else if (kind < 8 || (id == XORCORE_AES_XTS && kind < 140))
        sectors_op(&a);
    else
        crypt_op(&a);
}

/* ---- MAC -------------------------------------------------------------------------------------------- */

void mac_op(void)
{
    const struct object *o = take_of(MAC);
    if (!o)
        return;
    const struct where data = take_where(take_length(), NULL, 0);
    const struct where nonce = take_where(take_nonce_length(o->rules), &data, 16);
    struct where tag = take_where(take_tag_length(o), &data, 16);
    const struct where args[] = { data, nonce, tag };
    int due = missing(data) || missing(nonce) || missing(tag) ? XORCORE_E_ARG : XORCORE_OK, got[2];
    if (!due && !nonce_fits(o->rules, nonce.n))
        due = XORCORE_E_NONCE_LENGTH;

    int computed = due;
    if (!computed && tag.n != o->tag_len)
        computed = XORCORE_E_TAG_LENGTH;
    if (!computed && data.n > text_limit(o->rules, nonce.n))
        computed = XORCORE_E_LIMIT;
    if (!computed && (touch(tag, nonce) || touch(tag, data)))
        computed = XORCORE_E_OVERLAP;
    if (!askable(computed, args, 3))
        return;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_mac_compute(o->handle[side], pointer(side, tag), tag.n, pointer(side, nonce),
                                        nonce.n, pointer(side, data), data.n);
    both_must(CALL_COMPUTE, got, computed);
    unchanged_but("mac", &tag, computed == XORCORE_OK);

    /* The tag is right now, unless the call was refused or something is changed. */
    const uint8_t kind = take8();
    if (!due && data.n > text_limit(o->rules, nonce.n))
        due = XORCORE_E_LIMIT;
    if (!due && computed)
        due = o->tag_len < 8 && tag.n == o->tag_len ? 1 : XORCORE_E_AUTH;
    if (!due && kind >= 128) {
        const struct where *parts[] = { &tag, &data, &nonce };
        const struct where *part = parts[kind % 3];
        if (part->n) {
            flip(*part);
            due = o->tag_len < 8 ? 1 : XORCORE_E_AUTH;
        }
    } else if (!due && kind >= 100) {
        tag.n = take_below(40);
        due = missing(tag) ? XORCORE_E_ARG : tag.n == o->tag_len ? XORCORE_OK : XORCORE_E_AUTH;
    }
    const struct where read[] = { data, nonce, tag };
    if (!askable(due == 1 ? XORCORE_OK : due, read, 3))
        return;
    keep();
    for (int side = 0; side < 2; side++)
        got[side] = xorcore_mac_verify(o->handle[side], pointer(side, tag), tag.n, pointer(side, nonce),
                                       nonce.n, pointer(side, data), data.n);
    if (due == 1 && (got[0] == XORCORE_OK || got[0] == XORCORE_E_AUTH))
        due = got[0];
    both_must(CALL_VERIFY, got, due);
    unchanged_but("mac", NULL, 0);
}
