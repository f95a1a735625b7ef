/* calls.c — the system calls of Linux that a static test program makes. */
#include "loader.h"

enum {
    NO_ENTRY = -2,
    BAD_FILE = -9,
    NO_MEMORY = -12,
    BAD_ADDRESS = -14,
    INVALID = -22,
    NOT_A_TERMINAL = -25,
    NOT_SERVED = -38
};

enum {
    READ_FILE = 0,
    WRITE_FILE = 1,
    OPEN = 2,
    CLOSE = 3,
    STAT = 4,
    FSTAT = 5,
    MMAP = 9,
    MPROTECT = 10,
    MUNMAP = 11,
    BRK = 12,
    RT_SIGACTION = 13,
    RT_SIGPROCMASK = 14,
    RT_SIGRETURN = 15,
    IOCTL = 16,
    WRITEV = 20,
    ACCESS = 21,
    SCHED_YIELD = 24,
    MREMAP = 25,
    MADVISE = 28,
    GETPID = 39,
    EXIT = 60,
    READLINK = 89,
    ARCH_PRCTL = 158,
    GETTID = 186,
    TIME = 201,
    FUTEX = 202,
    SCHED_GETAFFINITY = 204,
    SET_TID_ADDRESS = 218,
    CLOCK_GETTIME = 228,
    EXIT_GROUP = 231,
    TGKILL = 234,
    OPENAT = 257,
    NEWFSTATAT = 262,
    READLINKAT = 267,
    SET_ROBUST_LIST = 273,
    PRLIMIT64 = 302,
    GETRANDOM = 318,
    RSEQ = 334
};

enum { ANONYMOUS = 0x20, FIXED = 0x10, SET_FS = 0x1002, STAT_BYTES = 144 };

#define FS_BASE 0xc0000100

static uint64_t heap_start, heap_end;    /* brk */
static uint64_t next_mapping = MAPPINGS; /* never used twice, so that a late access always faults */
static uint64_t random_state = 0x9e3779b97f4a7c15;

void calls_begin(uint64_t heap)
{
    heap_start = heap_end = (heap + PAGE - 1) & -(uint64_t)PAGE;
}

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + PAGE - 1) & -(uint64_t)PAGE;
}

static int64_t brk(uint64_t to)
{
    if (to < heap_start || to > LOADER)
        return (int64_t)heap_end;
    const uint64_t had = whole_pages(heap_end), need = whole_pages(to);
    if (need > had && !memory_map(had, need - had, READ | WRITE)) {
        memory_unmap(had, need - had);
        return (int64_t)heap_end;
    }
    if (need < had)
        memory_unmap(need, had - need);
    heap_end = to;
    return (int64_t)heap_end;
}

static int64_t mmap(uint64_t bytes, uint64_t protection, uint64_t flags)
{
    if (!bytes || flags & FIXED || bytes > 1ull << 40)
        return INVALID;
    if (!(flags & ANONYMOUS))
        return BAD_FILE;
    const uint64_t at = next_mapping;
    next_mapping += whole_pages(bytes) + PAGE; /* a page between any two */
    if (memory_map(at, bytes, (int)protection))
        return (int64_t)at;
    memory_unmap(at, bytes);
    return NO_MEMORY;
}

static int64_t write_out(uint64_t file, uint64_t at, uint64_t bytes)
{
    if (file != 1 && file != 2)
        return BAD_FILE;
    for (uint64_t i = 0; i < bytes; i++) {
        const char *c = memory_at(at + i);
        if (!c)
            return BAD_ADDRESS;
        put_bytes(c, 1);
    }
    return (int64_t)bytes;
}

/* Copies to the program, which may have no such memory. */
static int64_t give(uint64_t to, const void *bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        uint8_t *at = memory_at(to + i);
        if (!at)
            return BAD_ADDRESS;
        *at = ((const uint8_t *)bytes)[i];
    }
    return 0;
}

static int64_t write_vector(uint64_t file, uint64_t vector, uint64_t count)
{
    int64_t total = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *at = memory_at(vector + 16 * i), *bytes = memory_at(vector + 16 * i + 8);
        const int64_t n = at && bytes ? write_out(file, *at, *bytes) : BAD_ADDRESS;
        if (n < 0)
            return n;
        total += n;
    }
    return total;
}

/* Standard output and error: a character device, which the C library then writes to line by line. */
static int64_t status_of(uint64_t file, uint64_t to)
{
    uint8_t status[STAT_BYTES] = { 0 };
    *(uint32_t *)(void *)(status + 24) = 0020600;
    return file > 2 ? BAD_FILE : give(to, status, sizeof status);
}

/* The cycles since the machine's start, taken for nanoseconds: every clock here. */
static uint64_t ticks(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static int64_t seconds(void)
{
    return (int64_t)(ticks() / 1000000000);
}

static int64_t clock(uint64_t to)
{
    const uint64_t now = ticks(), time[2] = { now / 1000000000, now % 1000000000 };
    return give(to, time, sizeof time);
}

static int64_t random_bytes(uint64_t to, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++) {
        random_state = random_state * 6364136223846793005 + 1442695040888963407;
        const uint8_t byte = (uint8_t)(random_state >> 56);
        if (give(to + i, &byte, 1))
            return BAD_ADDRESS;
    }
    return (int64_t)bytes;
}

static int64_t action(uint64_t number, uint64_t new, uint64_t old)
{
    uint64_t had[4], want[4];
    for (int i = 0; new && i < 4; i++) {
        const uint64_t *word = memory_at(new + 8 * (uint64_t)i);
        if (!word)
            return BAD_ADDRESS;
        want[i] = *word;
    }
    if (!signal_action((int)number, new ? want : NULL, had))
        return INVALID;
    return old ? give(old, had, sizeof had) : 0;
}

void serve(struct registers *r)
{
    const uint64_t a = r->rdi, b = r->rsi, c = r->rdx;
    int64_t result = 0;
    switch (r->rax) {
    case READ_FILE: result = a ? BAD_FILE : 0; break;
    case WRITE_FILE: result = write_out(a, b, c); break;
    case WRITEV: result = write_vector(a, b, c); break;
    case FSTAT: result = status_of(a, b); break;
    case NEWFSTATAT: result = r->r10 & 0x1000 ? status_of(a, c) : NO_ENTRY; break;
    case OPEN:
    case OPENAT:
    case STAT:
    case ACCESS:
    case READLINK:
    case READLINKAT: result = NO_ENTRY; break;
    case CLOSE: break;
    case IOCTL: result = NOT_A_TERMINAL; break;

    case MMAP: result = mmap(b, c, r->r10); break;
    case MPROTECT: result = memory_protect(a, b, (int)c) ? 0 : NO_MEMORY; break;
    case MUNMAP: memory_unmap(a, b); break;
    case BRK: result = brk(a); break;
    case MREMAP: result = NO_MEMORY; break; /* the C library then copies */
    case MADVISE: break;

    case RT_SIGACTION: result = action(a, b, c); break;
    case RT_SIGPROCMASK: break; /* the signals of faults are never held back */
    case RT_SIGRETURN: put("\nloader: a signal handler returned, which is not served\n"); end(126);
    case TGKILL:
        r->rax = 0;
        signal_deliver(r, (int)c, 0, 0);
        return;

    case ARCH_PRCTL:
        if (a == SET_FS)
            write_msr(FS_BASE, b);
        result = a == SET_FS ? 0 : INVALID;
        break;
    case GETPID:
    case GETTID:
    case SET_TID_ADDRESS: result = 1; break;
    case SCHED_GETAFFINITY: {
        const uint64_t first = 1;
        result = give(c, &first, 8) ? BAD_ADDRESS : 8;
        break;
    }
    case SCHED_YIELD:
    case FUTEX:
    case SET_ROBUST_LIST: break;
    case CLOCK_GETTIME: result = clock(b); break;
    case TIME: result = a ? INVALID : seconds(); break;
    case GETRANDOM: result = random_bytes(a, b); break;
    case PRLIMIT64:
    case RSEQ: result = NOT_SERVED; break;

    case EXIT:
    case EXIT_GROUP: end((int)(a & 255));
    default:
        put("\nloader: system call ");
        put_number(r->rax);
        put(" is not served\n");
        result = NOT_SERVED;
    }
    r->rax = (uint64_t)result;
}
