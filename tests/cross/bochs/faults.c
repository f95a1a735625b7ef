/* faults.c — exceptions become the signals that Linux would make of them; unhandled, they end the run.
 *
 * A handler is entered with the signal's number, a siginfo with the address, and an empty context. It has to
 * leave by siglongjmp: a handler that returns ends the run, because nothing here keeps vector registers. */
#include "loader.h"

enum { DIVIDE = 0, INVALID = 6, PROTECTION = 13, PAGE_FAULT = 14, X87 = 16, ALIGNMENT = 17, SIMD = 19 };
enum { ILLEGAL = 4, ABORT = 6, BUS = 7, ARITHMETIC = 8, KILL = 9, VIOLATION = 11, SIGNALS = 65 };
enum { NOT_MAPPED = 1, NOT_ALLOWED = 2 }; /* SEGV_MAPERR, SEGV_ACCERR */
enum { DEFAULT = 0, IGNORE = 1, RESTORER = 0x04000000 };
enum { RED_ZONE = 128, SIGINFO_BYTES = 128, CONTEXT_BYTES = 1024 };

/* rt_sigaction's struct: handler, flags, restorer, mask. */
static uint64_t actions[SIGNALS][4];

struct __attribute__((packed)) gate {
    uint16_t low, segment;
    uint8_t stack, type;
    uint16_t middle;
    uint32_t high, zero;
};

struct __attribute__((packed)) table {
    uint16_t limit;
    uint64_t base;
};

static struct gate gates[32];
static struct __attribute__((packed)) {
    uint32_t zero;
    uint64_t stack[3]; /* where exceptions from the program put their frame */
    uint8_t rest[76];
    uint16_t io;
} task;

void faults_begin(void)
{
    for (int i = 0; i < 32; i++) {
        const uint64_t at = (uint64_t)exceptions + 16 * (uint64_t)i;
        gates[i] = (struct gate){ (uint16_t)at, SEGMENT_CODE, 0, 0x8e, (uint16_t)(at >> 16),
                                  (uint32_t)(at >> 32), 0 };
    }
    const struct table table = { sizeof gates - 1, (uint64_t)gates };
    __asm__ volatile("lidt %0" : : "m"(table));

    const uint64_t at = (uint64_t)&task;
    task.stack[0] = (uint64_t)stack_top;
    task.io = sizeof task;
    segments[SEGMENT_TASK / 8] = (sizeof task - 1) | (at & 0xffffff) << 16 | 0x89ull << 40 | (at >> 24 & 0xff) << 56;
    segments[SEGMENT_TASK / 8 + 1] = at >> 32;
    __asm__ volatile("ltr %w0" : : "r"(SEGMENT_TASK));
}

int signal_action(int number, const uint64_t *action, uint64_t *old)
{
    if (number < 1 || number >= SIGNALS)
        return 0;
    if (old)
        memcpy(old, actions[number], sizeof actions[number]);
    if (action)
        memcpy(actions[number], action, sizeof actions[number]);
    return 1;
}

static const char *name(int number)
{
    switch (number) {
    case ILLEGAL: return "SIGILL";
    case ABORT: return "SIGABRT";
    case BUS: return "SIGBUS";
    case ARITHMETIC: return "SIGFPE";
    case VIOLATION: return "SIGSEGV";
    default: return "a signal";
    }
}

static _Noreturn void die(const struct registers *registers, int number, uint64_t address, const char *why)
{
    put("\nloader: ");
    put(why);
    put(name(number));
    put(" at address ");
    put_hex(address);
    put(", by the instruction at ");
    put_hex(registers->rip);
    put("\n");
    end(128 + number);
}

void signal_deliver(struct registers *registers, int number, int code, uint64_t address)
{
    const uint64_t handler = actions[number][0], flags = actions[number][1], restorer = actions[number][2];
    if (handler == IGNORE && !registers->vector)
        return;
    if (handler <= IGNORE)
        die(registers, number, address, "");

    /* As a call: the return address on top of a stack that is 16-byte aligned above it. */
    const uint64_t context = (registers->rsp - RED_ZONE - CONTEXT_BYTES) & ~15ull;
    const uint64_t info = context - SIGINFO_BYTES, frame = info - 8;
    uint64_t *const top = memory_at(frame);
    int32_t *const siginfo = memory_at(info);
    if (!top || !siginfo || !memory_at(registers->rsp - RED_ZONE) || !(flags & RESTORER))
        die(registers, number, address, "no room for a handler of ");
    for (uint64_t i = frame & ~7ull; i < context + CONTEXT_BYTES; i += 8)
        *(uint64_t *)memory_at(i) = 0;
    *top = restorer;
    siginfo[0] = number;
    siginfo[2] = code;
    *(uint64_t *)memory_at(info + 16) = address;
    registers->rdi = (uint64_t)number;
    registers->rsi = info;
    registers->rdx = context;
    registers->rax = 0;
    registers->rsp = frame;
    registers->rip = handler;
    registers->rflags &= ~0x400ull; /* the direction that the ABI promises */
    if (flags & 0x80000000)         /* SA_RESETHAND */
        actions[number][0] = DEFAULT;
}

void fault(struct registers *registers)
{
    uint64_t address = registers->rip;
    int number, code = 0;
    switch (registers->vector) {
    case DIVIDE:
    case X87:
    case SIMD: number = ARITHMETIC; break;
    case INVALID: number = ILLEGAL; break;
    case ALIGNMENT: number = BUS; break;
    case PAGE_FAULT:
        __asm__ volatile("mov %%cr2, %0" : "=r"(address));
        code = memory_at(address) ? NOT_ALLOWED : NOT_MAPPED;
        number = VIOLATION;
        break;
    default: /* PROTECTION, also of what must be aligned: Linux tells no address then */
        address = 0;
        number = VIOLATION;
    }
    if (!(registers->cs & 3))
        die(registers, number, address, "the loader itself: ");
    registers->vector++; /* never 0, which is a call */
    signal_deliver(registers, number, code, address);
}
