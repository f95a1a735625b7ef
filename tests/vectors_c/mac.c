/* mac.c — the shapes of the MACs. */
#include "aead.h"
#include "rows.h"

#include <string.h>

/* One message's buffers, placed `offset` bytes off alignment. */
struct placed {
    uint8_t *msg, *iv, *given, *made;
};

static struct placed put(struct scratch *scratch, const struct group *group,
                         const struct test *test, size_t in, size_t out)
{
    struct placed placed;
    placed.msg = scratch_in(scratch, test->msg.p, test->msg.n, in);
    placed.iv = scratch_in(scratch, test->iv.p, test->iv.n, in);
    placed.given = scratch_in(scratch, test->tag.p, test->tag.n, in);
    placed.made = scratch_out(scratch, group->tag_len, out);
    return placed;
}

static const char *once(const xorcore_mac *mac, const struct group *group, const struct test *test,
                        size_t in, size_t out)
{
    static const uint8_t zeros[64];
    struct scratch scratch = { .count = 0 };
    struct placed at = put(&scratch, group, test, in, out);
    const char *why = NULL;
    if (test->encrypts && !is_auth(test)) {
        int result = xorcore_mac_compute(mac, at.made, group->tag_len, at.iv, test->iv.n, at.msg,
                                         test->msg.n);
        why = expect_error(test, result);
        if (!why && test->error && !all_bytes(at.made, group->tag_len, 0xa5))
            why = "a refused call wrote";
        if (!why && !test->error && !text_is(&test->tag, at.made, group->tag_len))
            why = "tag is not right";
    }
    if (!why && (test->decrypts || is_auth(test))) {
        const uint8_t *tag = test->error && !is_auth(test) ? zeros : at.given;
        size_t n = test->error && !is_auth(test) ? group->tag_len : test->tag.n;
        why = expect_error(test,
                           xorcore_mac_verify(mac, tag, n, at.iv, test->iv.n, at.msg, test->msg.n));
    }
    return scratch_close(&scratch, why);
}

static int feed(xorcore_stream *stream, const struct plan *plan, const uint8_t *msg, size_t n)
{
    struct pieces pieces;
    size_t at, len;
    int result = XORCORE_OK;
    pieces_start(&pieces, plan, 1, n);
    while (result == XORCORE_OK && pieces_next(&pieces, &at, &len))
        result = xorcore_stream_update(stream, NULL, msg + at, len);
    return result;
}

static const char *streamed(const xorcore_mac *mac, const struct group *group,
                            const struct test *test, const struct plan *plan)
{
    struct scratch scratch = { .count = 0 };
    struct placed at = put(&scratch, group, test, 0, 0);
    const char *why = NULL;
    xorcore_stream *stream;
    if (test->encrypts && !is_auth(test)) {
        int result = xorcore_stream_new_mac(&stream, mac, at.iv, test->iv.n);
        if (result == XORCORE_OK)
            result = feed(stream, plan, at.msg, test->msg.n);
        if (result == XORCORE_OK)
            result = xorcore_stream_finish(stream, at.made, group->tag_len);
        xorcore_stream_free(stream);
        if (result != XORCORE_OK)
            why = xorcore_result_name(result);
        else if (!text_is(&test->tag, at.made, group->tag_len))
            why = "tag is not right";
    }
    if (!why && (test->decrypts || is_auth(test))) {
        int result = xorcore_stream_new_mac(&stream, mac, at.iv, test->iv.n);
        if (result == XORCORE_OK)
            result = feed(stream, plan, at.msg, test->msg.n);
        if (result == XORCORE_OK)
            result = xorcore_stream_verify(stream, at.given, test->tag.n);
        xorcore_stream_free(stream);
        why = expect_error(test, result);
    }
    return scratch_close(&scratch, why);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static void rows_one_way(const xorcore_mac *mac, int computing, const struct group *group,
                         const struct test *tests, struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        xorcore_row *row = &batch->rows[i];
        row->len = tests[i].msg.n;
        row->in_at = arena_put(&batch->in, tests[i].msg.p, tests[i].msg.n);
        row->nonce_at = arena_put(&batch->aux, tests[i].iv.p, tests[i].iv.n);
        row->tag_at = computing ? arena_put(&batch->out, NULL, group->tag_len)
                                : arena_put(&batch->aux, tests[i].tag.p, tests[i].tag.n);
    }
    batch_place(batch);
    if (computing)
        batch_result(batch,
                     xorcore_mac_compute_rows(mac, batch->out.p, batch->out.n, batch->in.p,
                                              batch->in.n, batch->aux.p, batch->aux.n, tests->iv.n,
                                              batch->rows, batch->count, sizeof *batch->rows));
    else
        batch_result(batch, xorcore_mac_verify_rows(
                                mac, NULL, 0, batch->in.p, batch->in.n, batch->aux.p, batch->aux.n,
                                tests->iv.n, batch->rows, batch->count, sizeof *batch->rows));
    for (size_t i = 0; i < batch->count; i++) {
        xorcore_row *row = &batch->rows[i];
        batch->why[i] = expect_error(&tests[i], row->result);
        if (!computing)
            continue;
        if (!batch->why[i] && !text_is(&tests[i].tag, batch->out.p + row->tag_at, group->tag_len))
            batch->why[i] = "tag is not right";
        batch_taken(batch, (size_t)row->tag_at, group->tag_len);
    }
    batch_close(batch);
}

static void rows(struct run *run, const xorcore_mac *mac, const struct test *tests, size_t count)
{
    struct batch made, checked;
    batch_start(&made, count);
    batch_start(&checked, count);
    if (tests->encrypts && !is_auth(tests))
        rows_one_way(mac, 1, run->group, tests, &made);
    if (tests->decrypts || is_auth(tests))
        rows_one_way(mac, 0, run->group, tests, &checked);
    for (size_t i = 0; i < count; i++)
        report(run, &tests[i], "rows", made.why[i] ? made.why[i] : checked.why[i]);
}

/* ---- a group ------------------------------------------------------------------------------------------- */

void run_mac(struct run *run)
{
    int algorithm = !strcmp(run->file->algorithm, "AES-GMAC") ? XORCORE_AES_GMAC : XORCORE_AES_CMAC;
    size_t in_rows = 0;
    for (size_t i = 0; i < run->group->count; i++) {
        const struct test *test = &run->group->tests[i];
        xorcore_mac *mac;
        int result = xorcore_mac_new(&mac, algorithm, test->key.p, test->key.n, run->group->tag_len,
                                     run->kernel);
        if (result != XORCORE_OK) {
            report(run, test, "oneshot",
                   mac ? "a failed new left an object" : expect_error(test, result));
            in_rows += i == in_rows;
            continue;
        }
        const char *why = expect_kernel(run, xorcore_mac_kernel(mac));
        report(run, test, "oneshot", why ? why : once(mac, run->group, test, 0, 0));
        if (!oneshot_only(run->group, test)) {
            report(run, test, "offset", once(mac, run->group, test, 1, 3));
            for (size_t k = 0; k < test->plan_count; k++)
                report(run, test, "stream", streamed(mac, run->group, test, &test->plans[k]));
            if (!test->plan_count)
                report(run, test, "stream", streamed(mac, run->group, test, default_plan(test)));
        }
        if (i == in_rows) {
            size_t count = rows_together(run, i);
            if (count)
                rows(run, mac, test, count);
            in_rows += count ? count : 1;
        }
        xorcore_mac_free(mac);
    }
}
