/* main.c — runs every case of the vectors on every kernel, in every shape, through the shared library.
 *
 *     xorcore_vectors [--whole WORDS] FILE      a file made by tests/vectors/flatten.py
 *
 * A program built with VECTORS_INSIDE carries the file in itself and takes none. With --whole, for emulators, only kernels
 * that need one of these CPU features (by commas) run every case, in pairs each beside the other family's default and
 * beside one another. Of the others the defaults, which a program gets that asks for none, run the sample that
 * tests/vectors/sample.py has marked. */
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels ------------------------------------------------------------------------------------------ */

enum cases { NO_CASES, SAMPLE, EVERY_CASE };

struct name {
    char text[96];
    enum cases cases; /* that it runs */
};

struct names {
    struct name *name;
    size_t count;
};

static const char *whole; /* NULL: all kernels run every case */

/* Not by strcspn: the C library's own for SSE4.2 relies on SSSE3 too, which an emulated CPU may lack. */
static size_t word_length(const char *text, int separator)
{
    const char *end = strchr(text, separator);
    return end ? (size_t)(end - text) : strlen(text);
}

static int in_whole(const char *word, size_t n)
{
    for (const char *at = whole; *at; at += *at != 0) {
        const size_t len = word_length(at, ',');
        if (len == n && !memcmp(at, word, n))
            return 1;
        at += len;
    }
    return 0;
}

static enum cases cases_of(const xorcore_kernel *kernel)
{
    if (!whole)
        return EVERY_CASE;
    for (const char *needs = kernel->needs; *needs; needs += *needs != 0) {
        const size_t n = word_length(needs, ' ');
        if (in_whole(needs, n))
            return EVERY_CASE;
        needs += n;
    }
    return kernel->flags & XORCORE_KERNEL_DEFAULT ? SAMPLE : NO_CASES;
}

static void add_name(struct names *names, const char *one, const char *two, enum cases cases)
{
    names->name = realloc(names->name, (names->count + 1) * sizeof *names->name);
    if (!names->name)
        exit(2);
    struct name *name = &names->name[names->count++];
    const int length = snprintf(name->text, sizeof name->text, "%s%s%s", one, two ? "+" : "", two ? two : "");
    if (length < 0 || (size_t)length >= sizeof name->text) {
        printf("the name %s%s%s is too long\n", one, two ? "+" : "", two ? two : "");
        exit(2);
    }
    name->cases = cases;
}

static void family(struct names *names, const char *family)
{
    for (size_t i = 0; i < xorcore_kernel_count(); i++) {
        xorcore_kernel kernel;
        if (xorcore_kernel_at(i, &kernel, sizeof kernel) == XORCORE_OK &&
            !strcmp(kernel.family, family) && kernel.flags & XORCORE_KERNEL_RUNS)
            add_name(names, kernel.name, NULL, cases_of(&kernel));
    }
}

/* Not every aes row with every ghash row, whose number grows with the square (checkkernel does run them all): each beside
 * the best of the other family, and the last of both, which are portable. */
static int paired(size_t a, size_t aes, size_t g, size_t ghash)
{
    return a == 0 || g == 0 || (a == aes - 1 && g == ghash - 1);
}

static enum cases both(enum cases aes, enum cases ghash)
{
    return aes == NO_CASES || ghash == NO_CASES ? NO_CASES : aes > ghash ? aes : ghash;
}

static void pairs(struct names *names)
{
    struct names aes = { NULL, 0 }, ghash = { NULL, 0 };
    family(&aes, "aes");
    family(&ghash, "ghash");
    for (size_t a = 0; a < aes.count; a++) {
        for (size_t g = 0; g < ghash.count; g++) {
            if (paired(a, aes.count, g, ghash.count))
                add_name(names, aes.name[a].text, ghash.name[g].text,
                         both(aes.name[a].cases, ghash.name[g].cases));
        }
    }
    free(aes.name);
    free(ghash.name);
}

static void kernels(struct names *names, const char *algorithm)
{
    static const char *const on_gcm[] = { "AES-GCM", "XAES-256-GCM", "AES-GMAC" };
    if (!strcmp(algorithm, "EQUAL")) {
        add_name(names, "", NULL, whole ? SAMPLE : EVERY_CASE);
        return;
    }
    if (!strncmp(algorithm, "XOR", 3)) {
        family(names, "xor");
        return;
    }
    if (!strcmp(algorithm, "AES-GCM-SIV")) {
        pairs(names);
        return;
    }
    for (size_t i = 0; i < sizeof on_gcm / sizeof *on_gcm; i++) {
        if (!strcmp(algorithm, on_gcm[i])) {
            family(names, "gcm");
            pairs(names);
            return;
        }
    }
    family(names, "aes");
}

const char *expect_kernel(const struct run *run, const char *told)
{
    if (!told)
        return "the object tells no kernel";
    if (!strcmp(run->kernel, "composed"))
        return strchr(told, '+') ? NULL : "composed is not a pair";
    return strcmp(run->kernel, told) ? "the object runs on another kernel" : NULL;
}

/* ---- reports ------------------------------------------------------------------------------------------ */

enum { TELL_AT_MOST = 50 };

void report(struct run *run, const struct test *test, const char *shape, const char *why)
{
    if (!why) {
        run->runs++;
        return;
    }
    if (run->failed++ < TELL_AT_MOST)
        printf("FAIL %s tcId=%lu kernel=%s shape=%s: %s\n", run->file->name, test->id, run->kernel,
               shape, why);
}

const char *expect_error(const struct test *test, int result)
{
    const char *name = xorcore_result_name(result);
    if (!test->error)
        return result == XORCORE_OK ? NULL : name;
    if (!strcmp(name, test->error))
        return NULL;
    return result == XORCORE_OK ? "what must fail did not" : name;
}

int oneshot_only(const struct group *group, const struct test *test)
{
    return test->error && (strcmp(test->error, "AUTH") || test->tag.n != group->tag_len);
}

/* ---- files -------------------------------------------------------------------------------------------- */

/* The cases of a group that this kernel runs. */
static struct group chosen(const struct group *group, enum cases cases)
{
    struct group some = *group;
    if (cases == EVERY_CASE)
        return some;
    some.tests = malloc(group->count * sizeof *some.tests);
    if (!some.tests)
        exit(2);
    some.count = 0;
    for (size_t i = 0; i < group->count; i++)
        if (cases == SAMPLE && group->tests[i].in_sample)
            some.tests[some.count++] = group->tests[i];
    return some;
}

/* Which kernels ran how much, by the names of the list of kernels. */
static void tell_choice(const char *label, enum cases cases)
{
    printf("%s:", label);
    for (size_t i = 0; i < xorcore_kernel_count(); i++) {
        xorcore_kernel kernel;
        if (xorcore_kernel_at(i, &kernel, sizeof kernel) == XORCORE_OK &&
            kernel.flags & XORCORE_KERNEL_RUNS && cases_of(&kernel) == cases)
            printf(" %s/%s", kernel.family, kernel.name);
    }
    printf("\n");
}

static void run_group(struct run *run)
{
    static const struct {
        const char *type;
        void (*function)(struct run *run);
    } types[] = {
        { "XorTest", run_xor },
        { "XorManyTest", run_xor_many },
        { "XorRepeatTest", run_xor_repeat },
        { "EqualTest", run_equal },
        { "AeadTest", run_aead },
        { "AccumulatedTest", run_accumulated },
        { "CipherTest", run_cipher },
        { "MacTest", run_mac },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!strcmp(run->group->type, types[i].type)) {
            types[i].function(run);
            return;
        }
    }
    fprintf(stderr, "vectors: %s: no runner for %s\n", run->file->name, run->group->type);
    exit(2);
}

#ifdef VECTORS_INSIDE
/* The file as this program's own data: assembled in, because a C array of megabytes compiles slowly. */
__asm__(".section .data\n"
        ".global vectors_inside\n"
        "vectors_inside:\n"
        ".incbin \"" VECTORS_INSIDE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern char vectors_inside[];
#endif

static char *vectors(int argc, char **argv)
{
    if (argc > 2 && !strcmp(argv[1], "--whole")) {
        whole = argv[2];
        argv += 2;
        argc -= 2;
    }
#ifdef VECTORS_INSIDE
    (void)argv;
    if (argc == 1)
        return vectors_inside;
#else
    if (argc == 2)
        return read_whole(argv[1]);
#endif
    fprintf(stderr, "usage: xorcore_vectors [--whole WORDS] [FILE made by flatten.py, unless one is built in]\n");
    exit(2);
}

int main(int argc, char **argv)
{
    const char *totals_path = getenv("XORCORE_VECTORS_TOTALS");
    FILE *totals = totals_path && *totals_path ? fopen(totals_path, "w") : NULL;
    if (totals_path && *totals_path && !totals) {
        perror(totals_path);
        return 2;
    }
    struct lines lines;
    char *text = vectors(argc, argv);
    read_start(&lines, text);
    unsigned long runs = 0, failed = 0;
    struct file file;
    while (read_file(&lines, &file)) {
        struct names names = { NULL, 0 };
        kernels(&names, file.algorithm);
        struct run run = { .file = &file };
        for (size_t g = 0; g < file.count; g++) {
            for (size_t k = 0; k < names.count; k++) {
                struct group group = chosen(&file.groups[g], names.name[k].cases);
                run.group = &group;
                run.kernel = names.name[k].text;
                run_group(&run);
                if (group.tests != file.groups[g].tests)
                    free(group.tests);
            }
        }
        printf("vectors c %s: cases=%lu runs=%lu\n", file.name, (unsigned long)file.cases,
               run.runs);
        fflush(stdout);
        if (totals)
            fprintf(totals, "%s %lu %lu\n", file.name, (unsigned long)file.cases, run.runs);
        runs += run.runs;
        failed += run.failed;
        free(names.name);
        read_free(&file);
    }
#ifndef VECTORS_INSIDE
    free(text);
#endif
    if (totals && fclose(totals)) {
        perror(totals_path);
        return 2;
    }
    tell_choice("every case on", EVERY_CASE);
    tell_choice("a sample on", SAMPLE);
    printf("vectors c total: runs=%lu\n%lu passed, %lu failed\n", runs, runs, failed);
    return failed || !runs ? 1 : 0;
}
