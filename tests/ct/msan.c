/* msan.c — the engine that is compiled in: clang's memory sanitizer, on any instruction that the CPU has.
 *
 * Instrumented code calls __msan_warning_with_origin where a branch, an address or an operand that the sanitizer
 * cannot follow is undefined. The linker sends those calls here first, to be counted. */
#include "ct.h"

#include <sanitizer/msan_interface.h>
#include <stdio.h>
#include <stdlib.h>

const char engine[] = "msan";

/* The controls are reported, and yet the exit status is the program's own. */
const char *__msan_default_options(void);
const char *__msan_default_options(void) { return "exitcode=0"; }

void __real___msan_warning_with_origin(uint32_t origin);
void __wrap___msan_warning_with_origin(uint32_t origin);

enum {
    SHOWN = 3 /* of one case; the rest is counted only */
};
static unsigned long reports, printed;
static unsigned shown;
static const char *label = "";

void __wrap___msan_warning_with_origin(uint32_t origin)
{
    reports++;
    if (shown++ < SHOWN) {
        if (shown == 1)
            fprintf(stderr, "case %s\n", label);
        printed++;
        __real___msan_warning_with_origin(origin);
    }
}

/* Reports that did not come by way of the function above, as from memcmp(), are not counted: tests/ct/run sees the
 * difference. */
static void tell(void) { fprintf(stderr, "counted %lu\n", printed); }

int engine_watches(void) { return !atexit(tell); }

unsigned long engine_reports(void) { return reports; }

void engine_begins(const char *name)
{
    label = name;
    shown = 0;
}

int engine_follows(const void *p, size_t n)
{
    const uint8_t *byte = p;
    for (size_t i = 0; i < n; i++)
        if (__msan_test_shadow(byte + i, 1) < 0)
            return 0;
    return 1;
}

void secret(void *p, size_t n) { __msan_poison(p, n); }

void public(void *p, size_t n) { __msan_unpoison(p, n); }
