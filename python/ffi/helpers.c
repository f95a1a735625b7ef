/* helpers.c — calls that Python would need pointer arithmetic for; compiled into the cffi module. */
#include <string.h>

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

/* ---- many messages in columns --------------------------------------------------------------------------- */

/* One value for each of many messages, as Apache Arrow lays them: value i stands between two neighbouring offsets of
 * `width` bytes each (4 or 8), or, when width is 0, `each` bytes behind the one before. `first` is the number of the
 * first value in `data`, `offsets` and the bits of `valid`, which is NULL when no value is null. */
typedef struct helper_column {
    const uint8_t *data;
    size_t size;
    const void *offsets;
    size_t width;
    size_t each;
    const uint8_t *valid;
    size_t first;
} helper_column;

/* What a call over columns tells beside its result. */
typedef struct helper_many {
    size_t used;   /* bytes written to the output */
    size_t wrong;  /* messages that are not authentic */
    size_t lowest; /* the first of them, or the one of the error */
} helper_many;

/* Where value i is: 0 when it is null, -1 when its offsets leave the data, which may come from a file. */
static int helper_value(const helper_column *column, size_t i, const uint8_t **at, size_t *len)
{
    uint64_t begin, end;

    *at = NULL;
    *len = 0;
    i += column->first;
    if (column->valid && !(column->valid[i / 8] >> i % 8 & 1))
        return 0;
    if (column->width == 4) {
        int32_t ends[2]; /* a buffer out of a file may lie anywhere */

        memcpy(ends, (const uint8_t *)column->offsets + i * sizeof *ends, sizeof ends);
        begin = (uint64_t)(int64_t)ends[0];
        end = (uint64_t)(int64_t)ends[1];
    } else if (column->width == 8) {
        int64_t ends[2];

        memcpy(ends, (const uint8_t *)column->offsets + i * sizeof *ends, sizeof ends);
        begin = (uint64_t)ends[0];
        end = (uint64_t)ends[1];
    } else {
        begin = (uint64_t)i * column->each;
        end = begin + column->each;
    }
    if (begin > end || end > column->size)
        return -1;
    *at = column->data + begin;
    *len = (size_t)(end - begin);
    return 1;
}

static void helper_end(void *ends, size_t width, size_t i, size_t end)
{
    if (width == 4)
        ((int32_t *)ends)[i] = (int32_t)end;
    else if (width == 8)
        ((int64_t *)ends)[i] = (int64_t)end;
}

/* Both directions. Results stand one behind the other in `out`; where `width` is not 0, `ends` gets count + 1 offsets
 * of them. What does not fit is ARG; so is a null nonce. Messages that are not authentic are counted, and their places
 * are zeros; any other error ends the call. */
static inline int helper_many_of(int opening, const xorcore_aead *aead, uint8_t *out, size_t out_len, void *ends,
                                 size_t width, size_t tag_len, const helper_column *nonces, const helper_column *texts,
                                 const helper_column *aads, size_t count, helper_many *told)
{
    size_t used = 0, most = width == 4 && out_len > INT32_MAX ? INT32_MAX : out_len;

    told->wrong = 0;
    helper_end(ends, width, 0, 0);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *nonce, *text, *aad;
        size_t nonce_len, len, aad_len;
        int there = helper_value(texts, i, &text, &len), code = XORCORE_OK;

        if (there) {
            size_t result = opening ? len - tag_len : len + tag_len;

            if (there < 0 || helper_value(nonces, i, &nonce, &nonce_len) != 1 ||
                helper_value(aads, i, &aad, &aad_len) < 0)
                code = XORCORE_E_ARG;
            else if (opening && len < tag_len)
                code = XORCORE_E_AUTH;
            else if (result > most - used)
                code = XORCORE_E_ARG;
            else if (opening)
                code = xorcore_aead_open(aead, out + used, nonce, nonce_len, text, result, text + result, tag_len, aad,
                                         aad_len);
            else
                code = xorcore_aead_seal(aead, out + used, out + used + len, tag_len, nonce, nonce_len, text, len, aad,
                                         aad_len);
            if (code != XORCORE_OK && (code != XORCORE_E_AUTH || told->wrong++ == 0))
                told->lowest = i;
            if (code != XORCORE_OK && code != XORCORE_E_AUTH)
                return code;
            if (!opening || len >= tag_len)
                used += result;
        }
        helper_end(ends, width, i + 1, used);
    }
    told->used = used;
    return told->wrong ? XORCORE_E_AUTH : XORCORE_OK;
}

static int helper_seal_many(const xorcore_aead *aead, uint8_t *out, size_t out_len, void *ends, size_t width,
                            size_t tag_len, const helper_column *nonces, const helper_column *texts,
                            const helper_column *aads, size_t count, helper_many *told)
{
    return helper_many_of(0, aead, out, out_len, ends, width, tag_len, nonces, texts, aads, count, told);
}

static int helper_open_many(const xorcore_aead *aead, uint8_t *out, size_t out_len, void *ends, size_t width,
                            size_t tag_len, const helper_column *nonces, const helper_column *texts,
                            const helper_column *aads, size_t count, helper_many *told)
{
    return helper_many_of(1, aead, out, out_len, ends, width, tag_len, nonces, texts, aads, count, told);
}
