/* memory.c — the program's address space in pages of 4 KiB, each with its own protection.
 *
 * A page that may not be touched keeps its frame: the entry says MAPPED and not PRESENT. So a fault comes
 * from every page that is unmapped or PROT_NONE, and from every write to one that is read-only. */
#include "loader.h"

enum {
    PRESENT = 1,
    WRITABLE = 2,
    USER = 4,
    MAPPED = 1 << 9, /* a bit that the CPU leaves to us */
    ENTRIES = 512
};

#define FRAME 0x000ffffffffff000u

static uint64_t free_from, free_to; /* memory never handed out */
static uint64_t returned;           /* the first of the frames that came back; each holds the next */

static void *seen(uint64_t physical)
{
    return (void *)(DIRECT + physical);
}

void memory_give(uint64_t from, uint64_t to)
{
    free_from = (from + PAGE - 1) & -(uint64_t)PAGE;
    free_to = to & -(uint64_t)PAGE;
}

/* A frame of zeros, or 0. */
static uint64_t take(void)
{
    uint64_t frame = returned;
    if (frame) {
        returned = *(uint64_t *)seen(frame);
    } else {
        if (free_from >= free_to)
            return 0;
        frame = free_from;
        free_from += PAGE;
    }
    memset(seen(frame), 0, PAGE);
    return frame;
}

static void give_back(uint64_t frame)
{
    *(uint64_t *)seen(frame) = returned;
    returned = frame;
}

/* The entry of an address, with the tables above it made if asked for; or NULL. */
static uint64_t *entry(uint64_t at, int make)
{
    uint64_t *table = top_table;
    for (int shift = 39; shift > 12; shift -= 9) {
        uint64_t *next = &table[at >> shift & (ENTRIES - 1)];
        if (!*next) {
            uint64_t frame = make ? take() : 0;
            if (!frame)
                return NULL;
            *next = frame | PRESENT | WRITABLE | USER;
        }
        table = seen(*next & FRAME);
    }
    return &table[at >> 12 & (ENTRIES - 1)];
}

static uint64_t bits(int protection)
{
    if (!protection)
        return MAPPED;
    return MAPPED | PRESENT | USER | (protection & WRITE ? WRITABLE : 0);
}

static void forget(uint64_t at)
{
    __asm__ volatile("invlpg (%0)" : : "r"(at) : "memory");
}

static uint64_t pages(uint64_t at, uint64_t bytes)
{
    return (at + bytes + PAGE - 1) / PAGE - at / PAGE;
}

int memory_map(uint64_t at, uint64_t bytes, int protection)
{
    for (uint64_t n = pages(at, bytes); n; n--, at += PAGE) {
        uint64_t *e = entry(at, 1);
        if (!e)
            return 0;
        if (!*e) {
            uint64_t frame = take();
            if (!frame)
                return 0;
            *e = frame;
        }
        *e = (*e & FRAME) | bits(protection);
        forget(at);
    }
    return 1;
}

int memory_protect(uint64_t at, uint64_t bytes, int protection)
{
    for (uint64_t n = pages(at, bytes); n; n--, at += PAGE) {
        uint64_t *e = entry(at, 0);
        if (!e || !*e)
            return 0;
        *e = (*e & FRAME) | bits(protection);
        forget(at);
    }
    return 1;
}

void memory_unmap(uint64_t at, uint64_t bytes)
{
    for (uint64_t n = pages(at, bytes); n; n--, at += PAGE) {
        uint64_t *e = entry(at, 0);
        if (!e || !*e)
            continue;
        give_back(*e & FRAME);
        *e = 0;
        forget(at);
    }
}

void *memory_at(uint64_t at)
{
    uint64_t *e = at < 1ull << 47 ? entry(at, 0) : NULL;
    return e && *e ? (uint8_t *)seen(*e & FRAME) + at % PAGE : NULL;
}
