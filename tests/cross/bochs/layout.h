/* layout.h — where things lie in the emulated machine: for boot.S, loader.ld and the C files. */
#ifndef LAYOUT_H
#define LAYOUT_H

/* The loader, in memory and in the address space. A program has what is below for itself. */
#define LOADER 0x8000000
#define LOADER_LIMIT 0x8200000

/* All memory once more, for the loader. */
#define DIRECT 0x8000000000

/* The program's mappings, upwards, and the top of its stack. */
#define MAPPINGS 0x100000000000
#define PROGRAM_STACK 0x7ffffffff000
#define PROGRAM_STACK_BYTES 0x800000

#define STACK_BYTES 65536 /* the loader's own */

#define SEGMENT_CODE 0x08
#define SEGMENT_DATA 0x10
#define SEGMENT_USER_DATA 0x18
#define SEGMENT_USER_CODE 0x20
#define SEGMENT_TASK 0x28

#endif
