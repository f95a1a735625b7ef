/* boot.S — from the boot loader's 32-bit entry to long mode, and the doors between program and loader.
 *
 * A multiboot loader enters at boot with 32-bit flat segments. Two maps of memory are made here, of 2 MiB
 * pages that only the loader may touch: the loader where it was linked, and all memory again at DIRECT. The
 * rest of the address space is the program's (memory.c). */
#include "layout.h"

#define MULTIBOOT_MAGIC 0x1badb002
#define MULTIBOOT_FLAGS 3 /* modules on page boundaries; say how much memory there is */

#define PRESENT_WRITABLE 3
#define PRESENT_WRITABLE_USER 7
#define PRESENT_WRITABLE_LARGE 0x83

#define EFER 0xc0000080
#define EFER_LONG_MODE 0x100
#define CR0_PAGING_WRITE_PROTECT 0x80010003 /* also: protected mode, watch the x87 unit */
#define CR0_NO_X87 0xc
#define CR4_PAE_SSE 0x620
#define CR4_XSAVE 0x40000
#define CPUID_1_ECX_XSAVE 0x04000000

        .section .multiboot, "a"
        .balign 4
        .long MULTIBOOT_MAGIC, MULTIBOOT_FLAGS, -(MULTIBOOT_MAGIC + MULTIBOOT_FLAGS)

        .section .bss
        .balign 4096
        .globl top_table
top_table:
        .skip 4096
low_table:                      /* the first 512 GiB: the program's, but for the loader */
        .skip 4096
low_directory:                  /* the first GiB of them */
        .skip 4096
direct_table:
        .skip 4096
direct_directory:
        .skip 4096
        .balign 16
        .skip STACK_BYTES
        .globl stack_top
stack_top:

        .section .data
        .balign 16
        .globl segments
segments:
        .quad 0
        .quad 0x00af9a000000ffff /* SEGMENT_CODE: 64-bit code of the loader */
        .quad 0x00cf92000000ffff /* SEGMENT_DATA */
        .quad 0x00cff2000000ffff /* SEGMENT_USER_DATA: below the code, as SYSCALL's sister wants it */
        .quad 0x00affa000000ffff /* SEGMENT_USER_CODE */
        .quad 0, 0               /* SEGMENT_TASK, made in faults.c */
segments_end:
segments_pointer:
        .word segments_end - segments - 1
        .long segments, 0

        .section .text
        .code32
        .globl boot
boot:
        cli
        mov $stack_top, %esp
        mov %ebx, %ebp          /* multiboot's account of the machine */

        movl $low_table + PRESENT_WRITABLE_USER, top_table
        movl $direct_table + PRESENT_WRITABLE, top_table + 8 * (DIRECT >> 39)
        movl $low_directory + PRESENT_WRITABLE_USER, low_table
        movl $direct_directory + PRESENT_WRITABLE, direct_table
        mov $PRESENT_WRITABLE_LARGE, %eax
        xor %ecx, %ecx
1:      mov %eax, direct_directory(, %ecx, 8)
        cmp $LOADER, %eax
        jb 2f
        cmp $LOADER_LIMIT, %eax
        jae 2f
        mov %eax, low_directory(, %ecx, 8)
2:      add $0x200000, %eax
        inc %ecx
        cmp $512, %ecx
        jb 1b
        mov $top_table, %eax
        mov %eax, %cr3

        mov $1, %eax
        cpuid
        mov $CR4_PAE_SSE, %eax
        test $CPUID_1_ECX_XSAVE, %ecx
        jz 3f
        or $CR4_XSAVE, %eax
3:      mov %eax, %cr4
        mov $EFER, %ecx
        rdmsr
        or $EFER_LONG_MODE, %eax
        wrmsr
        mov %cr0, %eax
        and $~CR0_NO_X87, %eax
        or $CR0_PAGING_WRITE_PROTECT, %eax
        mov %eax, %cr0
        lgdt segments_pointer
        ljmp $SEGMENT_CODE, $long_mode

        .code64
long_mode:
        mov $SEGMENT_DATA, %ax
        mov %ax, %ds
        mov %ax, %es
        mov %ax, %ss
        mov $stack_top, %rsp
        mov %ebp, %edi
        call loader             /* does not return */

/* ---- doors --------------------------------------------------------------------------------------------
 *
 * Every one leaves a struct registers (loader.h) on the loader's stack and hands it over; what the loader
 * makes of it is what the program goes on with. The loader uses no vector registers. */

        .macro save
        push %rax
        push %rbx
        push %rcx
        push %rdx
        push %rsi
        push %rdi
        push %rbp
        push %r8
        push %r9
        push %r10
        push %r11
        push %r12
        push %r13
        push %r14
        push %r15
        mov %rsp, %rdi
        .endm

        .globl system_call
system_call:                    /* SYSCALL: rcx is the program's rip, r11 its flags */
        mov %rsp, program_stack(%rip)
        mov $stack_top, %rsp
        push $SEGMENT_USER_DATA + 3
        push program_stack(%rip)
        push %r11
        push $SEGMENT_USER_CODE + 3
        push %rcx
        push $0
        push $0
        save
        call serve
        jmp resume

        .globl resume
resume:
        pop %r15
        pop %r14
        pop %r13
        pop %r12
        pop %r11
        pop %r10
        pop %r9
        pop %r8
        pop %rbp
        pop %rdi
        pop %rsi
        pop %rdx
        pop %rcx
        pop %rbx
        pop %rax
        add $16, %rsp
        iretq

        .globl start
start:                          /* start(registers): the program's first instruction */
        mov %rdi, %rsp
        jmp resume

/* One stub of 16 bytes for each exception. Those that push no error code get a 0. */
        .balign 16
        .globl exceptions
exceptions:
        .set vector, 0
        .rept 32
        .balign 16
        .if vector != 8 && vector != 17 && (vector < 10 || vector > 14)
        push $0
        .endif
        push $vector
        jmp exception
        .set vector, vector + 1
        .endr
exception:
        save
        call fault
        jmp resume

        .section .bss
        .balign 8
program_stack:
        .skip 8
