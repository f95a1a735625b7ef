/* block.h — the memory of objects: 64-byte aligned blocks, wiped when freed. */
#ifndef XC_BLOCK_H
#define XC_BLOCK_H

#include <stddef.h>

enum { XC_ALIGN = 64 };

/* n rounded up to whole XC_ALIGN units. */
static inline size_t xc_align(size_t n) { return (n + XC_ALIGN - 1) & ~(size_t)(XC_ALIGN - 1); }

/* `size` zero bytes, or NULL. */
void *xc_block_new(size_t size);

/* The same, whose bytes are anything: for those who write what they read. */
void *xc_block_raw(size_t size);

/* Wipes and frees what either gave for the same size. NULL is fine. */
void xc_block_free(void *block, size_t size);

#endif
