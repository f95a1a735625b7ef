/* aead.c — the shapes of the AEADs. */
#include "aead.h"

#include "rows.h"

#include <string.h>

static const struct lie {
    const char *shape;
    int in_place;
    size_t in, out;
} lies[] = { { "oneshot", 0, 0, 0 }, { "inplace", 1, 0, 0 }, { "offset", 0, 1, 3 } };

int aead_number(const char *algorithm)
{
    static const struct {
        const char *name;
        int number;
    } all[] = {
        { "AES-GCM", XORCORE_AES_GCM },
        { "AES-CCM", XORCORE_AES_CCM },
        { "AES-GCM-SIV", XORCORE_AES_GCM_SIV },
        { "XAES-256-GCM", XORCORE_XAES_256_GCM },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!strcmp(algorithm, all[i].name))
            return all[i].number;
    }
    return 0;
}

/* Seals; on success *ct is the ciphertext in `scratch`. */
static const char *seal(const xorcore_aead *aead, const struct group *group,
                        const struct test *test, const struct lie *lie, struct scratch *scratch,
                        uint8_t **ct)
{
    uint8_t *in = scratch_in(scratch, test->msg.p, test->msg.n, lie->in);
    uint8_t *out = lie->in_place ? in : scratch_out(scratch, test->msg.n, lie->out);
    uint8_t *tag = scratch_out(scratch, group->tag_len, lie->out);
    uint8_t *iv = scratch_in(scratch, test->iv.p, test->iv.n, lie->in);
    uint8_t *aad = scratch_in(scratch, test->aad.p, test->aad.n, lie->in);
    int result = xorcore_aead_seal(aead, out, tag, group->tag_len, iv, test->iv.n, in, test->msg.n,
                                   aad, test->aad.n);
    *ct = out;
    if (test->error) {
        const char *why = expect_error(test, result);
        return why ? why : all_bytes(out, test->msg.n, 0xa5) ? NULL : "a refused seal wrote";
    }
    if (result != XORCORE_OK)
        return xorcore_result_name(result);
    if (!text_is(&test->ct, out, test->msg.n))
        return "ct is not right";
    return text_is(&test->tag, tag, group->tag_len) ? NULL : "tag is not right";
}

static const char *open_(const xorcore_aead *aead, const struct test *test, const struct lie *lie,
                         struct scratch *scratch, const uint8_t *ct, size_t n,
                         const uint8_t *tag_bytes, size_t tag_len)
{
    uint8_t *in = scratch_in(scratch, ct, n, lie->in);
    uint8_t *out = lie->in_place ? in : scratch_out(scratch, n, lie->out);
    uint8_t *tag = scratch_in(scratch, tag_bytes, tag_len, lie->in);
    uint8_t *iv = scratch_in(scratch, test->iv.p, test->iv.n, lie->in);
    uint8_t *aad = scratch_in(scratch, test->aad.p, test->aad.n, lie->in);
    int result =
        xorcore_aead_open(aead, out, iv, test->iv.n, in, n, tag, tag_len, aad, test->aad.n);
    if (test->error) {
        const char *why = expect_error(test, result);
        if (!why && !all_bytes(out, n, result == XORCORE_E_AUTH ? 0 : 0xa5))
            why = result == XORCORE_E_AUTH ? "the output is not zeros" : "a refused open wrote";
        return why;
    }
    if (result != XORCORE_OK)
        return xorcore_result_name(result);
    return text_is(&test->msg, out, n) ? NULL : "msg is not right";
}

int is_auth(const struct test *test)
{
    return test->error && !strcmp(test->error, "AUTH");
}

static const char *once(const xorcore_aead *aead, const struct group *group,
                        const struct test *test, const struct lie *lie)
{
    static const uint8_t zeros[64];
    struct scratch scratch = { .count = 0 };
    const char *why = NULL;
    const uint8_t *ct = test->ct.p;
    if (test->encrypts && !is_auth(test)) {
        uint8_t *made;
        why = seal(aead, group, test, lie, &scratch, &made);
        if (test->ct.digest)
            ct = made;
    }
    if (!why && is_auth(test)) {
        why = open_(aead, test, lie, &scratch, ct, test->ct.n, test->tag.p, test->tag.n);
    } else if (!why && test->decrypts) {
        if (test->error)
            why = open_(aead, test, lie, &scratch, test->msg.p, test->msg.n, zeros, group->tag_len);
        else
            why = open_(aead, test, lie, &scratch, ct, test->ct.n, test->tag.p, test->tag.n);
    }
    return scratch_close(&scratch, why);
}

/* ---- streams ------------------------------------------------------------------------------------------- */

/* Everything of a message but its end. `out` NULL in the direction that only authenticates. */
static int feed(xorcore_stream *stream, int announced, const struct test *test,
                const struct plan *plan, const uint8_t *aad, uint8_t *out, const uint8_t *in,
                size_t n)
{
    struct pieces pieces;
    size_t at, len;
    int result = announced ? xorcore_stream_lengths(stream, test->aad.n, n) : XORCORE_OK;
    pieces_start(&pieces, plan, 1, test->aad.n);
    while (result == XORCORE_OK && pieces_next(&pieces, &at, &len))
        result = xorcore_stream_aad(stream, aad + at, len);
    pieces_start(&pieces, plan, 1, n);
    while (result == XORCORE_OK && pieces_next(&pieces, &at, &len))
        result = xorcore_stream_update(stream, out ? out + at : NULL, in + at, len);
    return result;
}

static const char *seal_stream(const xorcore_aead *aead, int announced, const struct group *group,
                               const struct test *test, const struct plan *plan,
                               struct scratch *scratch, uint8_t **ct)
{
    uint8_t *in = scratch_in(scratch, test->msg.p, test->msg.n, 0);
    uint8_t *out = scratch_out(scratch, test->msg.n, 0);
    uint8_t *tag = scratch_out(scratch, group->tag_len, 0);
    uint8_t *iv = scratch_in(scratch, test->iv.p, test->iv.n, 0);
    uint8_t *aad = scratch_in(scratch, test->aad.p, test->aad.n, 0);
    xorcore_stream *stream;
    *ct = out;
    int result = xorcore_stream_new_aead(&stream, aead, XORCORE_ENCRYPT, iv, test->iv.n);
    if (result == XORCORE_OK)
        result = feed(stream, announced, test, plan, aad, out, in, test->msg.n);
    if (result == XORCORE_OK)
        result = xorcore_stream_finish(stream, tag, group->tag_len);
    xorcore_stream_free(stream);
    if (result != XORCORE_OK)
        return xorcore_result_name(result);
    if (!text_is(&test->ct, out, test->msg.n))
        return "ct is not right";
    return text_is(&test->tag, tag, group->tag_len) ? NULL : "tag is not right";
}

static const char *open_stream(const xorcore_aead *aead, int announced, int direction,
                               const struct test *test, const struct plan *plan,
                               struct scratch *scratch, const uint8_t *ct)
{
    size_t n = test->ct.n;
    uint8_t *in = scratch_in(scratch, ct, n, 0);
    uint8_t *out = direction == XORCORE_DECRYPT ? NULL : scratch_out(scratch, n, 0);
    uint8_t *tag = scratch_in(scratch, test->tag.p, test->tag.n, 0);
    uint8_t *iv = scratch_in(scratch, test->iv.p, test->iv.n, 0);
    uint8_t *aad = scratch_in(scratch, test->aad.p, test->aad.n, 0);
    xorcore_stream *stream;
    int result = xorcore_stream_new_aead(&stream, aead, direction, iv, test->iv.n);
    if (result == XORCORE_OK)
        result = feed(stream, announced, test, plan, aad, out, in, n);
    if (result == XORCORE_OK)
        result = xorcore_stream_verify(stream, tag, test->tag.n);
    xorcore_stream_free(stream);
    const char *why = expect_error(test, result);
    if (!why && !test->error && out && !text_is(&test->msg, out, n))
        why = "msg is not right";
    return why;
}

static const char *streamed(const xorcore_aead *aead, int announced, const struct group *group,
                            const struct test *test, const struct plan *plan)
{
    struct scratch scratch = { .count = 0 };
    const char *why = NULL;
    const uint8_t *ct = test->ct.p;
    if (test->encrypts && !is_auth(test)) {
        uint8_t *made;
        why = seal_stream(aead, announced, group, test, plan, &scratch, &made);
        if (test->ct.digest)
            ct = made;
    }
    if (!why && (test->decrypts || is_auth(test))) {
        why = open_stream(aead, announced, XORCORE_DECRYPT_UNVERIFIED, test, plan, &scratch, ct);
        if (!why)
            why = open_stream(aead, announced, XORCORE_DECRYPT, test, plan, &scratch, ct);
    }
    return scratch_close(&scratch, why);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static void seal_rows(const xorcore_aead *aead, const struct group *group, const struct test *tests,
                      struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        xorcore_row *row = &batch->rows[i];
        row->len = tests[i].msg.n;
        row->in_at = arena_put(&batch->in, tests[i].msg.p, tests[i].msg.n);
        row->out_at = arena_put(&batch->out, NULL, tests[i].msg.n);
        row->tag_at = arena_put(&batch->out, NULL, group->tag_len);
        row->nonce_at = arena_put(&batch->aux, tests[i].iv.p, tests[i].iv.n);
        row->aad_at = arena_put(&batch->aux, tests[i].aad.p, tests[i].aad.n);
        row->aad_len = tests[i].aad.n;
    }
    batch_place(batch);
    batch_result(batch, xorcore_aead_seal_rows(aead, batch->out.p, batch->out.n, batch->in.p,
                                               batch->in.n, batch->aux.p, batch->aux.n, tests->iv.n,
                                               batch->rows, batch->count, sizeof *batch->rows));
    for (size_t i = 0; i < batch->count; i++) {
        xorcore_row *row = &batch->rows[i];
        if (row->result != XORCORE_OK)
            batch->why[i] = xorcore_result_name(row->result);
        else if (!text_is(&tests[i].ct, batch->out.p + row->out_at, tests[i].msg.n))
            batch->why[i] = "ct is not right";
        else if (!text_is(&tests[i].tag, batch->out.p + row->tag_at, group->tag_len))
            batch->why[i] = "tag is not right";
    }
}

/* `sealed`, when there is one, is the batch that made the ciphertexts. */
static void open_rows(const xorcore_aead *aead, const struct test *tests,
                      const struct batch *sealed, struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        xorcore_row *row = &batch->rows[i];
        const uint8_t *ct =
            tests[i].ct.digest ? sealed->out.p + sealed->rows[i].out_at : tests[i].ct.p;
        row->len = tests[i].ct.n;
        row->in_at = arena_put(&batch->in, ct, tests[i].ct.n);
        row->out_at = arena_put(&batch->out, NULL, tests[i].ct.n);
        row->tag_at = arena_put(&batch->aux, tests[i].tag.p, tests[i].tag.n);
        row->nonce_at = arena_put(&batch->aux, tests[i].iv.p, tests[i].iv.n);
        row->aad_at = arena_put(&batch->aux, tests[i].aad.p, tests[i].aad.n);
        row->aad_len = tests[i].aad.n;
    }
    batch_place(batch);
    batch_result(batch, xorcore_aead_open_rows(aead, batch->out.p, batch->out.n, batch->in.p,
                                               batch->in.n, batch->aux.p, batch->aux.n, tests->iv.n,
                                               batch->rows, batch->count, sizeof *batch->rows));
    for (size_t i = 0; i < batch->count; i++) {
        xorcore_row *row = &batch->rows[i];
        const uint8_t *out = batch->out.p + row->out_at;
        batch->why[i] = expect_error(&tests[i], row->result);
        if (!batch->why[i] && tests[i].error && !all_bytes(out, tests[i].ct.n, 0))
            batch->why[i] = "the output is not zeros";
        if (!batch->why[i] && !tests[i].error && !text_is(&tests[i].msg, out, tests[i].ct.n))
            batch->why[i] = "msg is not right";
        batch_taken(batch, row->out_at, tests[i].ct.n);
    }
    batch_close(batch);
}

static void rows(struct run *run, const xorcore_aead *aead, const struct test *tests, size_t count)
{
    struct batch sealed, opened;
    batch_start(&sealed, count);
    batch_start(&opened, count);
    int seals = tests->encrypts && !is_auth(tests), opens = tests->decrypts || is_auth(tests);
    if (seals)
        seal_rows(aead, run->group, tests, &sealed);
    if (opens)
        open_rows(aead, tests, &sealed, &opened);
    if (seals) {
        for (size_t i = 0; i < count; i++) {
            batch_taken(&sealed, sealed.rows[i].out_at, tests[i].msg.n);
            batch_taken(&sealed, sealed.rows[i].tag_at, run->group->tag_len);
        }
        batch_close(&sealed);
    }
    for (size_t i = 0; i < count; i++)
        report(run, &tests[i], "rows", sealed.why[i] ? sealed.why[i] : opened.why[i]);
}

/* ---- a group ------------------------------------------------------------------------------------------- */

void run_aead(struct run *run)
{
    int algorithm = aead_number(run->file->algorithm), announced = algorithm == XORCORE_AES_CCM;
    size_t in_rows = 0;
    for (size_t i = 0; i < run->group->count; i++) {
        const struct test *test = &run->group->tests[i];
        xorcore_aead *aead;
        int result = xorcore_aead_new(&aead, algorithm, test->key.p, test->key.n,
                                      run->group->tag_len, run->kernel);
        if (result != XORCORE_OK) {
            const char *why = aead ? "a failed new left an object" : expect_error(test, result);
            report(run, test, "oneshot", why);
            in_rows += i == in_rows;
            continue;
        }
        const char *why = expect_kernel(run, xorcore_aead_kernel(aead));
        size_t shapes = oneshot_only(run->group, test) ? 1 : sizeof lies / sizeof *lies;
        for (size_t k = 0; k < shapes; k++)
            report(run, test, lies[k].shape, why ? why : once(aead, run->group, test, &lies[k]));
        if (shapes > 1 && algorithm != XORCORE_AES_GCM_SIV) {
            for (size_t k = 0; k < test->plan_count; k++)
                report(run, test, "stream",
                       streamed(aead, announced, run->group, test, &test->plans[k]));
            if (!test->plan_count)
                report(run, test, "stream",
                       streamed(aead, announced, run->group, test, default_plan(test)));
        }
        if (i == in_rows) {
            size_t count = rows_together(run, i);
            if (count)
                rows(run, aead, test, count);
            in_rows += count ? count : 1;
        }
        xorcore_aead_free(aead);
    }
}

/* ---- accumulated ------------------------------------------------------------------------------------------ */

static const char *accumulated_once(struct run *run, const struct test *test)
{
    struct shake from = { .at = 0 }, to = { .at = 0 };
    shake_squeeze_start(&from);
    for (uint64_t i = 0; i < test->count; i++) {
        uint8_t key[32], nonce[24], n, aad_n, msg[255], aad[255], ct[255], tag[16], back[255];
        xorcore_aead *aead;
        shake_squeeze(&from, key, sizeof key);
        shake_squeeze(&from, nonce, sizeof nonce);
        shake_squeeze(&from, &n, 1);
        shake_squeeze(&from, msg, n);
        shake_squeeze(&from, &aad_n, 1);
        shake_squeeze(&from, aad, aad_n);
        int result =
            xorcore_aead_new(&aead, XORCORE_XAES_256_GCM, key, sizeof key, sizeof tag, run->kernel);
        const char *why =
            result == XORCORE_OK ? expect_kernel(run, xorcore_aead_kernel(aead)) : NULL;
        if (result == XORCORE_OK)
            result = xorcore_aead_seal(aead, ct, tag, sizeof tag, nonce, sizeof nonce, msg, n, aad,
                                       aad_n);
        if (result == XORCORE_OK)
            result = xorcore_aead_open(aead, back, nonce, sizeof nonce, ct, n, tag, sizeof tag, aad,
                                       aad_n);
        xorcore_aead_free(aead);
        if (result != XORCORE_OK)
            why = xorcore_result_name(result);
        if (!why && memcmp(msg, back, n))
            why = "what was opened is not what was sealed";
        if (why)
            return why;
        shake_absorb(&to, ct, n);
        shake_absorb(&to, tag, sizeof tag);
    }
    uint8_t digest[32];
    shake_squeeze_start(&to);
    shake_squeeze(&to, digest, sizeof digest);
    return text_is(&test->digest, digest, sizeof digest) ? NULL : "digest is not right";
}

void run_accumulated(struct run *run)
{
    for (size_t i = 0; i < run->group->count; i++)
        report(run, &run->group->tests[i], "oneshot", accumulated_once(run, &run->group->tests[i]));
}
