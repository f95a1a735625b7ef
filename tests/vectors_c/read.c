/* read.c — the lines of flatten.py as cases. */
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory of one file: a list of pieces that are freed together. */
struct piece {
    _Alignas(max_align_t) struct piece *next; /* what follows may be anything */
};

static void *take(struct file *file, size_t n)
{
    struct piece *piece = calloc(1, sizeof *piece + n);
    if (!piece) {
        fprintf(stderr, "vectors: no memory\n");
        exit(2);
    }
    piece->next = file->memory;
    file->memory = piece;
    return piece + 1;
}

/* Room for item `count`: the list doubles when that is a power of two. */
static void *grow(struct file *file, void *list, size_t count, size_t size)
{
    if (count & (count - 1))
        return list;
    void *more = take(file, (count ? 2 * count : 1) * size);
    if (count)
        memcpy(more, list, count * size);
    return more;
}

static void bad(const struct lines *lines, const char *what)
{
    fprintf(stderr, "vectors: line %lu: %s\n", lines->number, what);
    exit(2);
}

static char *next_line(struct lines *lines)
{
    char *line = lines->at;
    char *end = strchr(line, '\n');
    if (!end)
        bad(lines, "the end is missing");
    *end = 0;
    lines->at = end + 1;
    lines->number++;
    return line;
}

static char *word(char **rest)
{
    char *start = *rest;
    if (!start)
        return "";
    char *space = strchr(start, ' ');
    if (space)
        *space++ = 0;
    *rest = space;
    return start;
}

static int digit(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint64_t number(const struct lines *lines, const char *text)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end)
        bad(lines, "not a number");
    return value;
}

static struct text hex(const struct lines *lines, struct file *file, const char *digits)
{
    struct text text = { NULL, 0, 0 };
    if (!strcmp(digits, "-"))
        return text;
    text.n = strlen(digits) / 2;
    text.p = take(file, text.n);
    for (size_t i = 0; i < text.n; i++) {
        int high = digit(digits[2 * i]), low = digit(digits[2 * i + 1]);
        if (high < 0 || low < 0)
            bad(lines, "not hex");
        text.p[i] = (uint8_t)(16 * high + low);
    }
    return text;
}

static void splitmix64(uint8_t *out, size_t n, uint64_t state)
{
    for (size_t at = 0; at < n; at += 8) {
        state += 0x9e3779b97f4a7c15;
        uint64_t z = state;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        z ^= z >> 31;
        for (size_t i = at; i < n && i < at + 8; i++, z >>= 8)
            out[i] = (uint8_t)z;
    }
}

static struct text value(const struct lines *lines, struct file *file, char *rest)
{
    char kind = *word(&rest);
    struct text first = hex(lines, file, word(&rest));
    if (kind == 'h')
        return first;
    struct text text = { NULL, (size_t)number(lines, word(&rest)), 0 };
    if (kind == 's') {
        text.p = first.p;
        text.digest = 1;
        return text;
    }
    text.p = take(file, text.n);
    if (kind == 'g') {
        uint64_t seed = 0;
        for (size_t i = 0; i < 8; i++)
            seed = seed << 8 | first.p[i];
        splitmix64(text.p, text.n, seed);
    } else if (kind == 'r') {
        for (size_t done = 0, more; done < text.n; done += more) { /* there are 16 MiB of one byte: each time as much again */
            more = done ? done : first.n;
            more = more < text.n - done ? more : text.n - done;
            memcpy(text.p + done, done ? text.p : first.p, more);
        }
    } else {
        bad(lines, "an unknown kind of value");
    }
    return text;
}

static uint64_t counted(const struct lines *lines, char *rest)
{
    if (strcmp(word(&rest), "n"))
        bad(lines, "a number is expected");
    return number(lines, word(&rest));
}

static void add_plan(const struct lines *lines, struct file *file, struct test *test, char *rest)
{
    test->plans = grow(file, test->plans, test->plan_count, sizeof *test->plans);
    struct plan *plan = &test->plans[test->plan_count++];
    *plan = (struct plan){ NULL, 0 };
    while (rest) {
        plan->sizes = grow(file, plan->sizes, plan->count, sizeof *plan->sizes);
        plan->sizes[plan->count++] = (size_t)number(lines, word(&rest));
    }
}

static void field(const struct lines *lines, struct file *file, struct test *test, const char *name,
                  char *rest)
{
    const struct {
        const char *name;
        struct text *text;
    } texts[] = {
        { "key", &test->key },
        { "iv", &test->iv },
        { "aad", &test->aad },
        { "msg", &test->msg },
        { "ct", &test->ct },
        { "tag", &test->tag },
        { "a", &test->a },
        { "b", &test->b },
        { "out", &test->out },
        { "digest", &test->digest },
        { "nextIv", &test->next_iv },
    };
    const struct {
        const char *name;
        uint64_t *number;
        int *present;
    } numbers[] = {
        { "phase", &test->phase, NULL },
        { "equal", &test->equal, NULL },
        { "mct", &test->mct, NULL },
        { "count", &test->count, NULL },
        { "offset", &test->offset, &test->has_offset },
        { "sectorSize", &test->sector_size, &test->has_sector_size },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!strcmp(name, texts[i].name)) {
            *texts[i].text = value(lines, file, rest);
            return;
        }
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!strcmp(name, numbers[i].name)) {
            *numbers[i].number = counted(lines, rest);
            if (numbers[i].present)
                *numbers[i].present = 1;
            return;
        }
    }
    if (!strcmp(name, "src")) {
        test->srcs = grow(file, test->srcs, test->src_count, sizeof *test->srcs);
        test->srcs[test->src_count++] = value(lines, file, rest);
    } else if (!strcmp(name, "sample")) {
        test->in_sample = 1;
    } else if (!strcmp(name, "error")) {
        test->error = word(&rest);
    } else if (!strcmp(name, "dir")) {
        const char *which = word(&rest);
        test->encrypts = strcmp(which, "decrypt") != 0;
        test->decrypts = strcmp(which, "encrypt") != 0;
    } else if (!strcmp(name, "plan")) {
        add_plan(lines, file, test, rest);
    } else {
        bad(lines, "an unknown field");
    }
}

void read_start(struct lines *lines, char *text)
{
    lines->at = text;
    lines->number = 0;
    if (strcmp(next_line(lines), "xorcore vectors 1"))
        bad(lines, "this is not made by flatten.py");
}

int read_file(struct lines *lines, struct file *file)
{
    memset(file, 0, sizeof *file);
    char *rest = next_line(lines);
    char *first = word(&rest);
    if (!strcmp(first, "end"))
        return 0;
    if (strcmp(first, "file"))
        bad(lines, "a file is expected");
    file->name = word(&rest);
    file->algorithm = word(&rest);
    file->cases = (size_t)number(lines, word(&rest));

    struct group *group = NULL;
    struct test *test = NULL;
    size_t cases = 0;
    for (;;) {
        char *before = lines->at;
        if (!strncmp(before, "file ", 5) || !strncmp(before, "end\n", 4))
            break;
        rest = next_line(lines);
        char *name = word(&rest);
        if (!strcmp(name, "group")) {
            file->groups = grow(file, file->groups, file->count, sizeof *file->groups);
            group = &file->groups[file->count++];
            memset(group, 0, sizeof *group);
            group->type = word(&rest);
            const char *bits = word(&rest);
            group->tag_len = strcmp(bits, "-") ? (size_t)number(lines, bits) / 8 : 0;
            test = NULL;
        } else if (!strcmp(name, "test") && group) {
            group->tests = grow(file, group->tests, group->count, sizeof *group->tests);
            test = &group->tests[group->count++];
            memset(test, 0, sizeof *test);
            test->id = (unsigned long)number(lines, word(&rest));
            test->encrypts = test->decrypts = 1;
            cases++;
        } else if (test) {
            field(lines, file, test, name, rest);
        } else {
            bad(lines, "a field of no test");
        }
    }
    if (!cases || cases != file->cases)
        bad(lines, "the file has another number of tests than it says");
    return 1;
}

void read_free(struct file *file)
{
    struct piece *piece = file->memory;
    while (piece) {
        struct piece *next = piece->next;
        free(piece);
        piece = next;
    }
    file->memory = NULL;
}

void *read_whole(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        perror(path);
        exit(2);
    }
    size_t n = 0, room = 1 << 20;
    char *text = malloc(room);
    while (text) {
        size_t got = fread(text + n, 1, room - n - 1, stream);
        n += got;
        if (!got)
            break;
        if (n + 1 == room)
            text = realloc(text, room *= 2);
    }
    if (!text || ferror(stream)) {
        fprintf(stderr, "vectors: %s can't be read\n", path);
        exit(2);
    }
    fclose(stream);
    text[n] = 0;
    return text;
}
