/* main.c — constant time, watched by an engine to which keys, texts and tags are undefined memory.
 *
 * First some things that leak on purpose, which must be reported; then every kernel that the engine can
 * execute, and the public functions. The last line is "N passed, N failed". */
#include "ct.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct data *data;
const size_t lengths[] = { 0,  1,   8,   15,  16,  17,  31,  33,   63,   64,
                           65, 100, 128, 200, 255, 257, 500, 1000, 2049, 8229 };
const size_t length_count = sizeof lengths / sizeof lengths[0];

static char label[200];
static unsigned long reports_before;
static unsigned passed, failed, unexpected, lost;

void begin_case(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(label, sizeof label, format, args);
    va_end(args);
    engine_begins(label);
    unexpected = lost = 0;
    reports_before = engine_reports();
}

void expect(int result, int wanted)
{
    if (result != wanted && !unexpected++)
        printf("%s: %d instead of %d\n", label, result, wanted);
}

void expect_secret(const void *p, size_t n)
{
    if (!engine_follows(p, n) && !lost++)
        printf("%s: %s lost sight of a secret, at %zu bytes\n", label, engine, n);
}

static void verdict(int good, const char *what, unsigned long reports)
{
    if (good)
        passed++;
    else
        failed++;
    if (!good)
        printf("FAILED %s: %s (%lu reports)\n", label, what, reports);
    fflush(stdout);
}

void end_case(void)
{
    unsigned long reports = engine_reports() - reports_before;
    if (reports)
        verdict(0, "a branch or an index depends on a secret", reports);
    else
        verdict(!unexpected && !lost, "a call did not do what it should, or was not followed", 0);
}

void end_control(void)
{
    unsigned long reports = engine_reports() - reports_before;
    verdict(reports > 0, "leaks on purpose, and nothing was reported", reports);
    if (reports)
        printf("reported %s\n", label);
}

void fill(struct data *d)
{
    public(d, sizeof *d);
    uint8_t *p = (uint8_t *)d;
    for (size_t i = 0; i < sizeof *d; i++)
        p[i] = (uint8_t)(i * 7 + i / 256 + 3);
    secret(d->key, sizeof d->key);
    secret(d->secret_text, sizeof d->secret_text);
    secret(d->tag, sizeof d->tag);
}

int main(void)
{
    if (!engine_watches()) {
        printf("FAILED %s does not watch this process\n0 passed, 1 failed\n", engine);
        return 1;
    }
    data = malloc(sizeof *data);
    if (!data)
        return 2;
    check_controls();
    check_kernels();
    check_api();
    check_exact_blocks();
    free(data);
    printf("reports %lu\n%u passed, %u failed\n", engine_reports(), passed, failed);
    return failed ? 1 : 0;
}
