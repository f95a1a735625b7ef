/* call.c — buffers between unmapped pages, canaries beside them, and one call compared byte by byte. */
#include "check.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct check check;

/* ---- random numbers: splitmix64 ---------------------------------------------------------------- */

static uint64_t random_state;

uint64_t random64(void)
{
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

size_t random_below(size_t limit) { return (size_t)(random64() % limit); }

void random_bytes(void *p, size_t n)
{
    uint8_t *at = p;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = random64();
        memcpy(at + i, &word, n - i < 8 ? n - i : 8);
    }
}

/* ---- groups and faults ------------------------------------------------------------------------- */

enum {
    FAULTS_SHOWN = 3
};

static const struct call *running;
static const struct layout *running_layout;

void begin_kernel(const char *label)
{
    check.label = label;
    check.kinds = 0;
    random_state = check.seed;
    for (const char *s = label; *s; s++)
        random_state = random_state * 31 + (uint8_t)*s;
}

void begin_group(const char *slot, const char *group)
{
    check.slot = slot;
    check.group = group;
    check.group_faults = 0;
}

void end_group(void)
{
    if (check.group_faults)
        check.failed++;
    else
        check.passed++;
}

int group_over(void) { return check.group_faults >= FAULTS_SHOWN; }

static void describe(const struct call *call, const struct layout *layout)
{
    for (int i = 0; i < call->args; i++)
        if (call->arg_buffer[i] < 0 && call->arg_name[i])
            printf(" %s=%zu", call->arg_name[i], (size_t)call->arg[i]);
    for (int i = 0; i < call->buffers; i++) {
        const struct buffer *b = &call->buffer[i];
        printf(" %s[%zu]@%u", b->name, b->len, (unsigned)((uintptr_t)b->at & 63));
    }
    printf(layout->edge == EDGE_START ? " at the page's start"
           : layout->edge == EDGE_END ? " at the page's end"
                                      : "");
    if (layout->alias >= 0)
        printf(" with %s = %s", call->buffer[call->alias[layout->alias][0]].name,
               call->buffer[call->alias[layout->alias][1]].name);
}

void fault(unsigned kind, const char *format, ...)
{
    check.kinds |= kind;
    if (check.group_faults++ >= FAULTS_SHOWN || check.quiet)
        return;
    va_list args;
    va_start(args, format);
    printf("FAILED %s %s, %s: ", check.label, check.slot, check.group);
    vprintf(format, args);
    va_end(args);
    if (running) {
        printf(";");
        describe(running, running_layout);
    }
    printf(" (--seed %llu --kernel %s%s)\n", (unsigned long long)check.seed, check.label,
           check.quick ? " --quick" : "");
    fflush(stdout);
}

/* ---- guarded memory ---------------------------------------------------------------------------- */

enum {
    CANARY = 128,
    AREA_BYTES = 16384
};

struct area {
    uint8_t *map;
    size_t map_bytes;
    uint8_t *start, *end; /* what is mapped between the two guards */
};

static struct area areas[CALL_BUFFERS];
static uint8_t noise[4096];
/* What lies beside the buffers of the call being made: CANARY bytes of the noise, others in every call,
 * so that a kernel that writes a fixed value beside a buffer cannot go on meeting that very value. */
static const uint8_t *canary = noise;

static size_t page_bytes(void)
{
    static size_t bytes;
    if (!bytes)
        bytes = (size_t)sysconf(_SC_PAGESIZE);
    return bytes;
}

static void out_of_memory(void)
{
    printf("checkkernel: no memory for the buffers\n");
    exit(2);
}

/* At least n bytes between two pages that cannot be touched. */
static void area_make(struct area *area, size_t n)
{
    size_t page = page_bytes(), inner = (n + page - 1) / page * page;
    area->map_bytes = inner + 2 * page;
    area->map = mmap(NULL, area->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area->map == MAP_FAILED)
        out_of_memory();
    area->start = area->map + page;
    area->end = area->start + inner;
    if (mprotect(area->map, page, PROT_NONE) || mprotect(area->end, page, PROT_NONE))
        out_of_memory();
}

static void area_free(struct area *area)
{
    munmap(area->map, area->map_bytes);
    memset(area, 0, sizeof *area);
}

static struct area *area_for(int index, size_t len)
{
    struct area *area = &areas[index];
    size_t need = len + 2 * CANARY + 128;
    if (area->map && (size_t)(area->end - area->start) >= need)
        return area;
    if (area->map)
        area_free(area);
    area_make(area, need < AREA_BYTES ? AREA_BYTES : need);
    return area;
}

void memory_trim(void)
{
    for (int i = 0; i < CALL_BUFFERS; i++)
        if (areas[i].map)
            area_free(&areas[i]);
}

/* How much canary fits on each side of [at, at + len). */
static size_t room_before(const struct area *area, const uint8_t *at)
{
    size_t room = (size_t)(at - area->start);
    return room < CANARY ? room : CANARY;
}

static size_t room_after(const struct area *area, const uint8_t *at, size_t len)
{
    size_t room = (size_t)(area->end - (at + len));
    return room < CANARY ? room : CANARY;
}

static void canaries_set(const struct area *area, uint8_t *at, size_t len)
{
    size_t before = room_before(area, at);
    memcpy(at - before, canary, before);
    memcpy(at + len, canary, room_after(area, at, len));
}

/* The distance from the buffer of a changed byte: negative before it, 0 for none. */
static long canaries_check(const struct area *area, const uint8_t *at, size_t len)
{
    size_t before = room_before(area, at), after = room_after(area, at, len);
    if (memcmp(at - before, canary, before))
        for (size_t i = before; i > 0; i--)
            if (at[-(long)i] != canary[before - i])
                return -(long)i;
    if (memcmp(at + len, canary, after))
        for (size_t i = 0; i < after; i++)
            if (at[len + i] != canary[i])
                return (long)i + 1;
    return 0;
}

/* ---- the key block ----------------------------------------------------------------------------- */

static size_t round64(size_t n) { return (n + 63) / 64 * 64; }

void key_make(struct key_block *key, size_t size)
{
    key->size = size;
    key->area = calloc(1, sizeof *key->area);
    key->saved = malloc(size + 1);
    if (!key->area || !key->saved)
        out_of_memory();
    area_make(key->area, round64(size) + CANARY);
    key->at = key->area->end - round64(size);
    random_bytes(key->at, size);
}

void key_save(struct key_block *key) { memcpy(key->saved, key->at, key->size); }

void key_free(struct key_block *key)
{
    area_free(key->area);
    free(key->area);
    free(key->saved);
    memset(key, 0, sizeof *key);
}

/* ---- building a call --------------------------------------------------------------------------- */

void call_begin(struct call *call, void (*fn)(void))
{
    call->fn = fn;
    call->args = call->buffers = call->aliases = 0;
    call->table = -1;
    call->key = NULL;
    call->key_written = NULL;
    memset(call->arg, 0, sizeof call->arg);
}

static void add_arg(struct call *call, const char *name, uintptr_t value, int buffer)
{
    call->arg[call->args] = value;
    call->arg_name[call->args] = name;
    call->arg_buffer[call->args++] = buffer;
}

static int add_buffer(struct call *call, const char *name, const void *before, const void *after, size_t len)
{
    struct buffer *b = &call->buffer[call->buffers];
    b->name = name;
    b->len = len;
    b->before = before;
    b->after = after;
    b->align = 1;
    b->at = NULL;
    return call->buffers++;
}

int call_hidden(struct call *call, const char *name, const void *bytes, size_t len)
{
    return add_buffer(call, name, bytes, bytes, len);
}

int call_hidden_as(struct call *call, const char *name, const void *bytes, const void *want, size_t len)
{
    return add_buffer(call, name, bytes, want, len);
}

int call_in(struct call *call, const char *name, const void *bytes, size_t len)
{
    return call_inout(call, name, bytes, bytes, len);
}

int call_out(struct call *call, const char *name, const void *want, size_t len)
{
    return call_inout(call, name, NULL, want, len);
}

int call_inout(struct call *call, const char *name, const void *bytes, const void *want, size_t len)
{
    int index = add_buffer(call, name, bytes, want, len);
    add_arg(call, name, 0, index);
    return index;
}

int call_table(struct call *call, const char *name, int first, int count)
{
    int index = call_inout(call, name, NULL, NULL, (size_t)count * sizeof(void *));
    call->buffer[index].align = sizeof(void *);
    call->table = index;
    call->table_first = first;
    call->table_count = count;
    return index;
}

void call_number(struct call *call, const char *name, size_t value) { add_arg(call, name, value, -1); }

void call_key(struct call *call, const struct key_block *key)
{
    add_arg(call, NULL, (uintptr_t)key->at, -1);
    call->key = key;
}

void call_new_key(struct call *call, struct key_block *key)
{
    add_arg(call, NULL, (uintptr_t)key->at, -1);
    call->key_written = key;
}

void call_pointer(struct call *call, const void *p) { add_arg(call, NULL, (uintptr_t)p, -1); }

void call_alias(struct call *call, int first, int second)
{
    call->alias[call->aliases][0] = first;
    call->alias[call->aliases++][1] = second;
}

/* ---- making it --------------------------------------------------------------------------------- */

static sigjmp_buf escape;
static volatile sig_atomic_t armed;

static void on_signal(int number)
{
    if (armed) {
        armed = 0;
        siglongjmp(escape, number);
    }
    signal(number, SIG_DFL);
    raise(number);
}

void memory_begin(void)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGILL };
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_NODEFER;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
    random_state = check.seed;
    random_bytes(noise, sizeof noise);
}

static void fill_noise(uint8_t *at, size_t len)
{
    size_t from = random_below(sizeof noise / 2);
    for (size_t i = 0; i < len; i += sizeof noise / 2)
        memcpy(at + i, noise + from, len - i < sizeof noise / 2 ? len - i : sizeof noise / 2);
}

static int alias_first(const struct call *call, const struct layout *layout)
{
    return layout->alias < 0 ? -1 : call->alias[layout->alias][0];
}

static int alias_second(const struct call *call, const struct layout *layout)
{
    return layout->alias < 0 ? -1 : call->alias[layout->alias][1];
}

static void place(struct call *call, const struct layout *layout)
{
    int first = alias_first(call, layout), second = alias_second(call, layout);
    const struct key_block *key = call->key ? call->key : call->key_written;
    canary = noise + random_below(sizeof noise - CANARY);
    if (key)
        canaries_set(key->area, key->at, key->size);
    for (int i = 0; i < call->buffers; i++) {
        struct buffer *b = &call->buffer[i];
        if (i == first)
            continue;
        struct area *area = area_for(i, b->len);
        if (layout->edge == EDGE_START)
            b->at = area->start;
        else if (layout->edge == EDGE_END)
            b->at = area->end - b->len;
        else
            b->at = area->start + CANARY + layout->offset[i];
        b->at -= (uintptr_t)b->at % b->align;
        canaries_set(area, b->at, b->len);
        if (b->before)
            memcpy(b->at, b->before, b->len);
        else
            fill_noise(b->at, b->len);
    }
    if (first >= 0)
        call->buffer[first].at = call->buffer[second].at;
    if (call->table >= 0)
        for (int i = 0; i < call->table_count; i++)
            memcpy(call->buffer[call->table].at + (size_t)i * sizeof(void *),
                   &call->buffer[call->table_first + i].at, sizeof(void *));
    for (int i = 0; i < call->args; i++)
        if (call->arg_buffer[i] >= 0)
            call->arg[i] = (uintptr_t)call->buffer[call->arg_buffer[i]].at;
}

static void compare_buffer(const struct call *call, const struct layout *layout, int i)
{
    const struct buffer *b = &call->buffer[i];
    int first = alias_first(call, layout), second = alias_second(call, layout);
    const uint8_t *want = i == second ? call->buffer[first].after : b->after;
    if (i != first) {
        long beside = canaries_check(&areas[i], b->at, b->len);
        if (beside < 0)
            fault(WRONG_CANARY, "a byte was written %ld before %s", -beside, b->name);
        else if (beside > 0)
            fault(WRONG_CANARY, "byte %ld past the end of %s was written", beside, b->name);
    }
    if (i == call->table || i == first)
        return; /* the table is compared by the caller; the shared buffer once */
    if (!memcmp(b->at, want, b->len))
        return;
    size_t at = 0;
    while (b->at[at] == want[at])
        at++;
    if (i != second && b->before == b->after)
        fault(WRONG_INPUT, "%s was changed at byte %zu", b->name, at);
    else
        fault(WRONG_OUTPUT, "%s is wrong from byte %zu: %02x, not %02x", b->name, at, b->at[at], want[at]);
}

static void compare_table(const struct call *call)
{
    for (int i = 0; i < call->table_count; i++)
        if (memcmp(call->buffer[call->table].at + (size_t)i * sizeof(void *),
                   &call->buffer[call->table_first + i].at, sizeof(void *)))
            fault(WRONG_INPUT, "pointer %d of %s was changed", i, call->buffer[call->table].name);
}

static void compare_key(const struct call *call)
{
    const struct key_block *key = call->key ? call->key : call->key_written;
    if (!key)
        return;
    if (call->key && memcmp(key->at, key->saved, key->size))
        fault(WRONG_KEY, "the key block was changed");
    if (canaries_check(key->area, key->at, key->size))
        fault(WRONG_KEY, "a byte beside the key block was written");
    if (check.group_faults && call->key) /* so that one fault is not reported at every call after it */
        memcpy(key->at, key->saved, key->size);
}

unsigned call_run(struct call *call, const struct layout *layout)
{
    unsigned faults = check.group_faults, kinds = check.kinds;
    check.kinds = 0;
    check.calls++;
    place(call, layout);
    running = call;
    running_layout = layout;
    int number = sigsetjmp(escape, 0);
    if (number == 0) {
        armed = 1;
        const char *lost = regs_call(call->fn, call->arg, call->args);
        armed = 0;
        if (lost)
            fault(WRONG_REGISTERS, "%s not kept", lost);
        if (call->table >= 0)
            compare_table(call);
        for (int i = 0; i < call->buffers; i++)
            compare_buffer(call, layout, i);
    } else {
        fault(WRONG_ACCESS, number == SIGILL ? "an instruction that this CPU does not have"
                                             : "memory outside the buffers was touched");
    }
    compare_key(call);
    running = NULL;
    unsigned seen = check.group_faults == faults ? 0 : check.kinds;
    check.kinds |= kinds;
    return seen;
}

/* ---- timing ------------------------------------------------------------------------------------ */

/* Every argument is passed in a register or a stack slot of its own width wherever the library builds,
 * so a function of n pointers and sizes can be called as one of n words. */
void plain_call(void (*fn)(void), const uintptr_t a[CALL_ARGS], int args)
{
    typedef uintptr_t w;
    switch (args) {
    case 1: ((void (*)(w))fn)(a[0]); break;
    case 2: ((void (*)(w, w))fn)(a[0], a[1]); break;
    case 3: ((void (*)(w, w, w))fn)(a[0], a[1], a[2]); break;
    case 4: ((void (*)(w, w, w, w))fn)(a[0], a[1], a[2], a[3]); break;
    case 5: ((void (*)(w, w, w, w, w))fn)(a[0], a[1], a[2], a[3], a[4]); break;
    case 6: ((void (*)(w, w, w, w, w, w))fn)(a[0], a[1], a[2], a[3], a[4], a[5]); break;
    case 7: ((void (*)(w, w, w, w, w, w, w))fn)(a[0], a[1], a[2], a[3], a[4], a[5], a[6]); break;
    default: ((void (*)(w, w, w, w, w, w, w, w))fn)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]); break;
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double call_time(struct call *call)
{
    struct layout layout = { EDGE_MIDDLE, { 0 }, -1 };
    double best = 1e18;
    long loops = 1;
    place(call, &layout);
    for (int round = 0; round < 30; round++) {
        double begin = now();
        for (long i = 0; i < loops; i++)
            plain_call(call->fn, call->arg, call->args);
        double span = now() - begin;
        if (span < 200e3 && round < 20) { /* rounds of a fifth of a millisecond or more */
            loops *= 2;
            continue;
        }
        if (span / (double)loops < best)
            best = span / (double)loops;
    }
    return best;
}
