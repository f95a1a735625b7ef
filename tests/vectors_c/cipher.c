/* cipher.c — the shapes of the ciphers. */
#include "rows.h"

#include <string.h>

static const struct lie {
    const char *shape;
    int in_place;
    size_t in, out;
} lies[] = { { "oneshot", 0, 0, 0 }, { "inplace", 1, 0, 0 }, { "offset", 0, 1, 3 } };

static int cipher_number(const char *algorithm)
{
    static const struct {
        const char *name;
        int number;
    } all[] = {
        { "AES-ECB", XORCORE_AES_ECB },       { "AES-CBC", XORCORE_AES_CBC },
        { "AES-CFB128", XORCORE_AES_CFB128 }, { "AES-CFB8", XORCORE_AES_CFB8 },
        { "AES-OFB", XORCORE_AES_OFB },       { "AES-CTR", XORCORE_AES_CTR },
        { "AES-XTS", XORCORE_AES_XTS },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!strcmp(algorithm, all[i].name))
            return all[i].number;
    }
    return 0;
}

/* One shape in one direction: the text at `in` becomes the text at `out`. `iv` is the case's. */
struct way {
    const xorcore_cipher *cipher;
    int algorithm, direction;
    const struct test *test;
    const struct plan *plan;
    const uint8_t *iv;
    const uint8_t *in;
    uint8_t *out;
    size_t n;
    const char *why; /* of what is not a result */
};

/* The whole text by one call. */
static int whole(struct way *way)
{
    const struct test *test = way->test;
    if (test->has_sector_size)
        return xorcore_cipher_sectors(way->cipher, way->direction, way->out, way->iv, test->iv.n,
                                      way->in, way->n, (size_t)test->sector_size);
    if (test->has_offset)
        return xorcore_cipher_ctr_at(way->cipher, way->out, way->iv, test->iv.n, test->offset,
                                     way->in, way->n);
    if (way->direction == XORCORE_ENCRYPT)
        return xorcore_cipher_encrypt(way->cipher, way->out, way->iv, test->iv.n, way->in, way->n);
    return xorcore_cipher_decrypt(way->cipher, way->out, way->iv, test->iv.n, way->in, way->n);
}

static int streamed(struct way *way)
{
    const struct test *test = way->test;
    size_t unit = way->algorithm == XORCORE_AES_ECB || way->algorithm == XORCORE_AES_CBC ? 16 : 1,
           at, len;
    struct pieces pieces;
    xorcore_stream *stream;
    int result =
        xorcore_stream_new_cipher(&stream, way->cipher, way->direction, way->iv, test->iv.n);
    pieces_start(&pieces, way->plan, unit, way->n);
    while (result == XORCORE_OK && pieces_next(&pieces, &at, &len))
        result = xorcore_stream_update(stream, way->out + at, way->in + at, len);
    if (result == XORCORE_OK && test->next_iv.n) {
        uint8_t iv[16];
        result = xorcore_stream_iv(stream, iv, sizeof iv);
        if (result == XORCORE_OK && !text_is(&test->next_iv, iv, sizeof iv))
            way->why = "nextIv is not right";
    }
    xorcore_stream_free(stream);
    return result;
}

/* The Monte Carlo loop: what comes in after the first step is the IV, and then the outputs, in a row. */
static int monte_carlo(struct way *way)
{
    static uint8_t behind[16 + 16 * 1000];
    const struct test *test = way->test;
    size_t size = way->n, filled = test->iv.n;
    if (test->mct > 1000 || size > 16)
        return XORCORE_E_ARG;
    if (filled)
        memcpy(behind, way->iv, filled);
    xorcore_stream *stream;
    int result =
        xorcore_stream_new_cipher(&stream, way->cipher, way->direction, way->iv, test->iv.n);
    for (size_t step = 0; result == XORCORE_OK && step < test->mct; step++) {
        const uint8_t *in = step ? behind + (step - 1) * size : way->in;
        result = xorcore_stream_update(stream, behind + filled, in, size);
        filled += size;
    }
    xorcore_stream_free(stream);
    memcpy(way->out, behind + filled - size, size);
    return result;
}

/* Pieces from the last to the first, each by its own ctr_at, or on one stream that seeks. */
static int backwards(struct way *way, int by_seek)
{
    enum { MOST = 1 << 16 };
    static size_t ats[MOST], lens[MOST];
    const struct test *test = way->test;
    struct pieces pieces;
    size_t count = 0;
    xorcore_stream *stream = NULL;
    int result = XORCORE_OK;
    if (by_seek)
        result =
            xorcore_stream_new_cipher(&stream, way->cipher, way->direction, way->iv, test->iv.n);
    pieces_start(&pieces, default_plan(test), 1, way->n);
    while (count < MOST && pieces_next(&pieces, &ats[count], &lens[count]))
        count++;
    if (count == MOST)
        result = XORCORE_E_ARG;
    if (!way->n) {
        ats[0] = lens[0] = 0;
        count = 1;
    }
    while (result == XORCORE_OK && count--) {
        uint64_t at = test->offset + ats[count];
        if (by_seek) {
            result = xorcore_stream_seek(stream, at);
            if (result == XORCORE_OK)
                result = xorcore_stream_update(stream, way->out + ats[count], way->in + ats[count],
                                               lens[count]);
        } else {
            result = xorcore_cipher_ctr_at(way->cipher, way->out + ats[count], way->iv, test->iv.n,
                                           at, way->in + ats[count], lens[count]);
        }
    }
    xorcore_stream_free(stream);
    return result;
}

static int at_shape(struct way *way)
{
    return backwards(way, 0);
}
static int seek_shape(struct way *way)
{
    return backwards(way, 1);
}

/* One shape in the case's directions. */
static const char *both_ways(const xorcore_cipher *cipher, int algorithm, const struct test *test,
                             int (*shape)(struct way *), const struct plan *plan,
                             const struct lie *lie)
{
    struct scratch scratch = { .count = 0 };
    const uint8_t *ct = test->ct.p;
    const char *why = NULL;
    for (int step = 0; step < 2 && !why; step++) {
        int encrypting = !step;
        if (encrypting ? !test->encrypts : !test->decrypts)
            continue;
        const uint8_t *text = encrypting || test->error ? test->msg.p : ct;
        size_t n = encrypting || test->error ? test->msg.n : test->ct.n;
        uint8_t *in = scratch_in(&scratch, text, n, lie->in);
        struct way way = {
            .cipher = cipher, .algorithm = algorithm, .test = test, .plan = plan, .in = in, .n = n
        };
        way.direction = encrypting ? XORCORE_ENCRYPT : XORCORE_DECRYPT;
        way.iv = scratch_in(&scratch, test->iv.p, test->iv.n, lie->in);
        way.out = lie->in_place ? in : scratch_out(&scratch, n, lie->out);
        int result = shape(&way);
        why = way.why ? way.why : expect_error(test, result);
        if (!why && test->error && !all_bytes(way.out, n, 0xa5))
            why = "a refused call wrote";
        if (!why && !test->error && !text_is(encrypting ? &test->ct : &test->msg, way.out, n))
            why = encrypting ? "ct is not right" : "msg is not right";
        if (!why && test->iv.n && memcmp(way.iv, test->iv.p, test->iv.n))
            why = "the IV was written";
        if (encrypting && test->ct.digest)
            ct = way.out;
    }
    return scratch_close(&scratch, why);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static void rows_one_way(const xorcore_cipher *cipher, int encrypting, const struct test *tests,
                         const struct batch *before, struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        xorcore_row *row = &batch->rows[i];
        const uint8_t *ct =
            tests[i].ct.digest && before ? before->out.p + before->rows[i].out_at : tests[i].ct.p;
        row->len = encrypting ? tests[i].msg.n : tests[i].ct.n;
        row->in_at = arena_put(&batch->in, encrypting ? tests[i].msg.p : ct, (size_t)row->len);
        row->out_at = arena_put(&batch->out, NULL, (size_t)row->len);
        row->nonce_at = arena_put(&batch->aux, tests[i].iv.p, tests[i].iv.n);
    }
    batch_place(batch);
    batch_result(batch,
                 (encrypting ? xorcore_cipher_encrypt_rows : xorcore_cipher_decrypt_rows)(
                     cipher, batch->out.p, batch->out.n, batch->in.p, batch->in.n, batch->aux.p,
                     batch->aux.n, tests->iv.n, batch->rows, batch->count, sizeof *batch->rows));
    for (size_t i = 0; i < batch->count; i++) {
        xorcore_row *row = &batch->rows[i];
        const struct text *text = encrypting ? &tests[i].ct : &tests[i].msg;
        if (row->result != XORCORE_OK)
            batch->why[i] = xorcore_result_name(row->result);
        else if (!text_is(text, batch->out.p + row->out_at, (size_t)row->len))
            batch->why[i] = encrypting ? "ct is not right" : "msg is not right";
    }
}

static void rows(struct run *run, const xorcore_cipher *cipher, const struct test *tests,
                 size_t count)
{
    struct batch batches[2];
    for (int step = 0; step < 2; step++) {
        batch_start(&batches[step], count);
        if (step ? tests->decrypts : tests->encrypts)
            rows_one_way(cipher, !step, tests, step ? &batches[0] : NULL, &batches[step]);
    }
    for (int step = 0; step < 2; step++) {
        if (!(step ? tests->decrypts : tests->encrypts))
            continue;
        for (size_t i = 0; i < count; i++)
            batch_taken(&batches[step], batches[step].rows[i].out_at,
                        (size_t)batches[step].rows[i].len);
        batch_close(&batches[step]);
    }
    for (size_t i = 0; i < count; i++)
        report(run, &tests[i], "rows", batches[0].why[i] ? batches[0].why[i] : batches[1].why[i]);
}

/* ---- a group ------------------------------------------------------------------------------------------- */

static void case_shapes(struct run *run, const xorcore_cipher *cipher, int algorithm,
                        const struct test *test)
{
    const struct lie *plain = &lies[0];
    int in_pieces = algorithm != XORCORE_AES_XTS;
    if (oneshot_only(run->group, test)) {
        report(run, test, "oneshot", both_ways(cipher, algorithm, test, whole, NULL, plain));
        return;
    }
    if (test->mct) {
        report(run, test, "stream", both_ways(cipher, algorithm, test, monte_carlo, NULL, plain));
        return;
    }
    if (!test->has_offset) {
        for (size_t k = 0; k < sizeof lies / sizeof *lies; k++)
            report(run, test, lies[k].shape,
                   both_ways(cipher, algorithm, test, whole, NULL, &lies[k]));
        for (size_t k = 0; in_pieces && k < test->plan_count; k++)
            report(run, test, "stream",
                   both_ways(cipher, algorithm, test, streamed, &test->plans[k], plain));
        if (in_pieces && !test->plan_count)
            report(run, test, "stream",
                   both_ways(cipher, algorithm, test, streamed, default_plan(test), plain));
    }
    if (algorithm == XORCORE_AES_CTR) {
        report(run, test, "at", both_ways(cipher, algorithm, test, at_shape, NULL, plain));
        report(run, test, "seek", both_ways(cipher, algorithm, test, seek_shape, NULL, plain));
    }
}

void run_cipher(struct run *run)
{
    int algorithm = cipher_number(run->file->algorithm);
    size_t in_rows = 0;
    for (size_t i = 0; i < run->group->count; i++) {
        const struct test *test = &run->group->tests[i];
        xorcore_cipher *cipher;
        int result = xorcore_cipher_new(&cipher, algorithm, test->key.p, test->key.n, run->kernel);
        if (result != XORCORE_OK) {
            report(run, test, "oneshot",
                   cipher ? "a failed new left an object" : expect_error(test, result));
            in_rows += i == in_rows;
            continue;
        }
        const char *why = expect_kernel(run, xorcore_cipher_kernel(cipher));
        if (why)
            report(run, test, "oneshot", why);
        else
            case_shapes(run, cipher, algorithm, test);
        if (i == in_rows) {
            size_t count = rows_together(run, i);
            if (count)
                rows(run, cipher, test, count);
            in_rows += count ? count : 1;
        }
        xorcore_cipher_free(cipher);
    }
}
