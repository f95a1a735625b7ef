/* memcheck.c — the engine that executes the program's machine code: valgrind's memcheck. */
#include "ct.h"

#include <valgrind/memcheck.h>

const char engine[] = "memcheck";

int engine_watches(void) { return RUNNING_ON_VALGRIND != 0; }

unsigned long engine_reports(void) { return VALGRIND_COUNT_ERRORS; }

void engine_begins(const char *label) { VALGRIND_PRINTF("case %s\n", label); }

int engine_follows(const void *p, size_t n)
{
    const uint8_t *byte = p;
    for (size_t i = 0; i < n; i++) {
        uint8_t undefined = 0;
        if (VALGRIND_GET_VBITS(byte + i, &undefined, 1) != 1 || !undefined)
            return 0;
    }
    return 1;
}

void secret(void *p, size_t n) { (void)VALGRIND_MAKE_MEM_UNDEFINED(p, n); }

void public(void *p, size_t n) { (void)VALGRIND_MAKE_MEM_DEFINED(p, n); }
