/* loader.h — runs one unchanged static amd64 Linux program on an emulated machine without a system.
 *
 * Served is what a single-threaded test program of glibc asks for: memory with real page protection, output, the
 * signals of faults. There are no files, no threads, no other processes. What is not served says so. */
#ifndef LOADER_H
#define LOADER_H

#include <stddef.h>
#include <stdint.h>

#include "layout.h"

/* What the doors of boot.S save, lowest address first. */
struct registers {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    uint64_t vector, error;
    uint64_t rip, cs, rflags, rsp, ss;
};

/* ---- boot.S ------------------------------------------------------------------------------------------- */

extern uint64_t top_table[512];
extern uint64_t segments[];
extern uint8_t stack_top[], exceptions[];
void system_call(void);
_Noreturn void start(const struct registers *registers);

/* ---- memory.c: pages of 4 KiB -------------------------------------------------------------------------- */

enum { PAGE = 4096 };
enum protection { READ = 1, WRITE = 2, EXECUTE = 4 }; /* as mmap numbers them */

void memory_give(uint64_t from, uint64_t to); /* physical memory that may be handed out */
int memory_map(uint64_t at, uint64_t bytes, int protection); /* zeros; 0 when there is no memory left */
int memory_protect(uint64_t at, uint64_t bytes, int protection); /* 0 when a page is not mapped */
void memory_unmap(uint64_t at, uint64_t bytes);
void *memory_at(uint64_t at); /* where the loader sees this byte of the program, or NULL */

/* ---- faults.c: exceptions, and the signals that they become --------------------------------------------- */

void faults_begin(void);
void fault(struct registers *registers);
int signal_action(int number, const uint64_t *action, uint64_t *old); /* rt_sigaction's structs */
void signal_deliver(struct registers *registers, int number, int code, uint64_t address);

/* ---- calls.c ------------------------------------------------------------------------------------------- */

void calls_begin(uint64_t heap);
void serve(struct registers *registers);

/* ---- console.c ----------------------------------------------------------------------------------------- */

void put(const char *text);
void put_bytes(const char *text, size_t n);
void put_number(uint64_t number);
void put_hex(uint64_t number);
_Noreturn void end(int status); /* switches the machine off */

/* ---- the machine --------------------------------------------------------------------------------------- */

static inline uint64_t read_msr(uint32_t number)
{
    uint32_t low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(number));
    return (uint64_t)high << 32 | low;
}

static inline void write_msr(uint32_t number, uint64_t value)
{
    __asm__ volatile("wrmsr" : : "c"(number), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}

/* ---- memory, without a C library -------------------------------------------------------------------------- */

void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);

#endif
