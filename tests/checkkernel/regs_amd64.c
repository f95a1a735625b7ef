/* regs_amd64.c — calls a kernel with every register that it must keep set to a known value.
 *
 * System V ABI, AMD64 supplement, section 3.2.1: rbx, rbp and r12..r15 belong to the caller, and the
 * direction flag is clear on return. */
#include "check.h"

unsigned regs_call_amd64(void (*fn)(void), const uintptr_t *arg);

__asm__(".pushsection .text\n"
        ".globl regs_call_amd64\n"
        ".hidden regs_call_amd64\n"
        ".type regs_call_amd64, @function\n"
        "regs_call_amd64:\n"
        "    push %rbx\n"
        "    push %rbp\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    sub $8, %rsp\n"
        "    mov %rdi, %rax\n"
        "    mov %rsi, %r10\n"
        "    push 56(%r10)\n"
        "    push 48(%r10)\n"
        "    mov (%r10), %rdi\n"
        "    mov 8(%r10), %rsi\n"
        "    mov 16(%r10), %rdx\n"
        "    mov 24(%r10), %rcx\n"
        "    mov 32(%r10), %r8\n"
        "    mov 40(%r10), %r9\n"
        "    mov $0x0b0b0b0b, %ebx\n"
        "    mov $0x0c0c0c0c, %ebp\n"
        "    mov $0x12121212, %r12d\n"
        "    mov $0x13131313, %r13d\n"
        "    mov $0x14141414, %r14d\n"
        "    mov $0x15151515, %r15d\n"
        "    call *%rax\n"
        "    pushfq\n"
        "    pop %rax\n"
        "    cld\n"
        "    and $0x400, %eax\n"
        "    xor $0x0b0b0b0b, %rbx\n"
        "    or %rbx, %rax\n"
        "    xor $0x0c0c0c0c, %rbp\n"
        "    or %rbp, %rax\n"
        "    xor $0x12121212, %r12\n"
        "    or %r12, %rax\n"
        "    xor $0x13131313, %r13\n"
        "    or %r13, %rax\n"
        "    xor $0x14141414, %r14\n"
        "    or %r14, %rax\n"
        "    xor $0x15151515, %r15\n"
        "    or %r15, %rax\n"
        "    xor %edx, %edx\n"
        "    test %rax, %rax\n"
        "    setne %dl\n"
        "    mov %edx, %eax\n"
        "    add $24, %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbp\n"
        "    pop %rbx\n"
        "    ret\n"
        ".size regs_call_amd64, . - regs_call_amd64\n"
        ".popsection\n");

const char *regs_call(void (*fn)(void), const uintptr_t arg[CALL_ARGS], int args)
{
    (void)args;
    return regs_call_amd64(fn, arg) ? "rbx, rbp, r12..r15 or the direction flag" : NULL;
}

int regs_watched(void) { return 1; }

void regs_break(void)
{
    /* Not declared as clobbered, on purpose. */
    __asm__ volatile("not %r13");
}
