/* machine.c — reads the input as a program of calls, and runs each on two kernels at once. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

unsigned long long happened[CALLS][RESULTS];

static struct {
    const uint8_t *at;
    size_t left, ops;
    const char *op;
} program;

void wrong(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "fuzz: wrong in operation %zu, %s: ", program.ops, program.op);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

void both_must(enum call call, const int got[2], int wanted)
{
    for (int side = 0; side < 2; side++)
        if (got[side] != wanted)
            wrong("kernel %d gave %s where %s was due", side, xorcore_result_name(got[side]),
                  xorcore_result_name(wanted));
    happened[call][-wanted]++;
}

/* ---- the program ------------------------------------------------------------------------------- */

uint8_t take8(void)
{
    if (!program.left)
        return 0;
    program.left--;
    return *program.at++;
}

uint32_t take16(void)
{
    const uint32_t low = take8(), high = take8();
    return low | high << 8;
}

size_t take_below(size_t limit) { return limit ? take16() % limit : 0; }

int take_chance(unsigned of_256) { return take8() >= 256 - of_256; }

size_t take_mostly(size_t limit, size_t rare)
{
    const int rarely = take_chance(40);
    return take_below(rarely ? rare : limit);
}

uint64_t take_64(void)
{
    const uint8_t kind = take8();
    const uint64_t small = take16();
    switch (kind % 8) {
    case 0: return UINT64_MAX - small % 40;
    case 1: return ((uint64_t)1 << 63) - 20 + small % 40;
    case 2: return ((uint64_t)1 << 32) - 20 + small % 40;
    case 3: return ((uint64_t)1 << 36) - 64 + small % 80;
    case 4: return (uint64_t)1 << small % 64;
    default: return small;
    }
}

size_t take_length(void)
{
    static const size_t edges[] = { 0,    1,    15,  16,  17,  31,  32,  33,   63,   64,   65,   127,
                                    128,  129,  255, 256, 257, 511, 512, 513,  1023, 1024, 1025, 2047,
                                    2048, 2049, 272, 288, 96,  48,  112, 4096, 4097, 8191 };
    const uint8_t kind = take8();
    if (kind < 80)
        return kind;
    if (kind < 130)
        return take_below(600);
    if (kind < 170)
        return take_below(5000);
    if (kind < 245)
        return edges[take8() % (sizeof edges / sizeof edges[0])];
    if (kind < 250)
        return 65536 + take8();
    return (size_t)take_64();
}

/* ---- the arenas ---------------------------------------------------------------------------------- */

uint8_t *arena[2];
uint8_t before[ARENA];

/* Each lies at its own distance from the start of its block, and either ends where the block ends, so that
 * the address sanitizer sees the first byte beyond, or has bytes behind it that must not change. */
enum {
    SHIFT_MAX = 64,
    TAIL = 64,
    GUARD = 0xa7
};
static uint8_t *block[2];
static size_t shift[2], tail[2];

static void arenas_begin(void)
{
    uint32_t state = 1 + take16();
    for (int side = 0; side < 2; side++) {
        shift[side] = take8() % SHIFT_MAX;
        tail[side] = take8() & 1 ? TAIL : 0;
        block[side] = malloc(shift[side] + ARENA + tail[side]);
        if (!block[side])
            abort();
        memset(block[side], GUARD, shift[side] + ARENA + tail[side]);
        arena[side] = block[side] + shift[side];
    }
    for (size_t i = 0; i < ARENA; i++) {
        state = state * 1664525 + 1013904223;
        arena[0][i] = arena[1][i] = (uint8_t)(state >> 24);
    }
}

static void arenas_end(void)
{
    free(block[0]);
    free(block[1]);
}

static void guards(const char *what)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < shift[side]; i++)
            if (block[side][i] != GUARD)
                wrong("%s: kernel %d wrote before its buffer", what, side);
        for (size_t i = 0; i < tail[side]; i++)
            if (block[side][shift[side] + ARENA + i] != GUARD)
                wrong("%s: kernel %d wrote behind its buffer", what, side);
    }
}

struct where take_where(size_t n, const struct where *near, unsigned of_256)
{
    static const size_t apart[] = { 1, 2, 4, 8, 15, 16, 17, 31, 32, 63, 64, 100 };
    struct where w = { 0, 0, n };
    const size_t most = n < ARENA ? ARENA - n : 0;
    const uint8_t kind = take8();
    if (near && take_chance(of_256)) {
        const size_t distance = kind & 2 ? n : apart[(kind >> 2) % (sizeof apart / sizeof apart[0])];
        w.null = near->null;
        w.at = near->at;
        if (kind % 8 >= 4) /* half of them exactly there */
            w.at = kind & 1 ? w.at + distance : w.at < distance ? 0 : w.at - distance;
        w.at = w.at < most ? w.at : most;
        return w;
    }
    w.at = take_below(most + 1);
    w.null = kind < 6;
    return w;
}

uint8_t *pointer(int side, struct where w) { return w.null ? NULL : arena[side] + w.at; }

int missing(struct where w) { return w.null && w.n; }

int fits(struct where w) { return w.null || (w.at <= ARENA && w.n <= ARENA - w.at); }

/* Ends of ranges, without overflow: no range is longer than this. */
static uint64_t end(struct where w)
{
    const uint64_t most = (uint64_t)1 << 62;
    return w.at + (w.n < most ? w.n : most);
}

int touch(struct where a, struct where b)
{
    return a.n && b.n && !a.null && !b.null && a.at < end(b) && b.at < end(a);
}

int partly(struct where out, struct where in) { return touch(out, in) && out.at != in.at; }

void take_edge(struct where w)
{
    if (w.null || !fits(w) || !w.n || !take_chance(40))
        return;
    const uint8_t last = take8(), from = take8() % 16;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < w.n; i++)
            arena[side][w.at + i] = i < from && from > 8 ? (uint8_t)i : 0xff;
        arena[side][w.at + w.n - 1] = last | 0xe0;
    }
}

void keep(void) { memcpy(before, arena[0], ARENA); }

void unchanged_but(const char *what, const struct where *written, size_t count)
{
    if (memcmp(arena[0], arena[1], ARENA)) {
        size_t i = 0;
        while (arena[0][i] == arena[1][i])
            i++;
        wrong("%s: the two kernels wrote different bytes at %zu", what, i);
    }
    for (size_t k = 0; k < count; k++)
        if (!written[k].null && written[k].n)
            memcpy(before + written[k].at, arena[0] + written[k].at, written[k].n);
    if (memcmp(arena[0], before, ARENA)) {
        size_t i = 0;
        while (arena[0][i] == before[i])
            i++;
        wrong("%s: byte %zu was written, which is no output", what, i);
    }
    guards(what);
}

void all_zero(const char *what, struct where w)
{
    for (size_t i = 0; i < w.n; i++)
        if (arena[0][w.at + i] || arena[1][w.at + i])
            wrong("%s: the output is not all zeros", what);
}

/* ---- operations ------------------------------------------------------------------------------------ */

static void fill_op(void)
{
    const struct where w = take_where(take_below(600), NULL, 0);
    const uint8_t byte = take8(), step = take8();
    for (size_t i = 0; !w.null && i < w.n; i++)
        arena[0][w.at + i] = arena[1][w.at + i] = (uint8_t)(byte + i * step);
}

static const struct {
    const char *name;
    void (*run)(void);
    unsigned weight;
} ops[] = {
    { "object", object_op, 40 }, { "aead", aead_op, 45 },     { "cipher", cipher_op, 40 },
    { "mac", mac_op, 20 },       { "stream", stream_op, 50 }, { "rows", rows_op, 25 },
    { "xor", xor_op, 30 },       { "fill", fill_op, 4 },      { "strings", strings_op, 2 },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    program.at = data;
    program.left = size;
    program.ops = 0;
    program.op = "start";
    arenas_begin();
    while (program.left) {
        unsigned choice = take8();
        size_t i = 0;
        while (choice >= ops[i].weight && i + 1 < sizeof ops / sizeof ops[0])
            choice -= ops[i++].weight;
        program.op = ops[i].name;
        program.ops++;
        ops[i].run();
    }
    program.op = "end";
    streams_end();
    objects_end();
    arenas_end();
    return 0;
}
