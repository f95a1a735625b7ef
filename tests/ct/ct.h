/* ct.h — secrets are memory that an engine takes for undefined: it reports every branch and index on them. */
#ifndef CT_H
#define CT_H

#include <stddef.h>
#include <stdint.h>

/* The engine, memcheck.c or msan.c: what it is called, whether it watches this process, what it has reported. */
extern const char engine[];
int engine_watches(void);
unsigned long engine_reports(void);
/* Writes the name of a case among the reports. */
void engine_begins(const char *label);
/* Is every one of the bytes still a secret to the engine? */
int engine_follows(const void *p, size_t n);

void secret(void *p, size_t n);
void public(void *p, size_t n);

/* Everything between the two is one case: it passes when the engine reported nothing. */
void begin_case(const char *format, ...) __attribute__((format(printf, 1, 2)));
void end_case(void);
/* A result inside a case: a call that was refused has leaked nothing, and proves nothing. */
void expect(int result, int wanted);
/* What was made of secrets must be one to the engine, or else it has lost sight of them. */
void expect_secret(const void *p, size_t n);
/* A case that must be reported. */
void end_control(void);

/* Buffers for the cases: filled with a pattern, and secret where the name says so. */
enum {
    MOST = 8300
};
struct data {
    uint8_t key[64], secret_text[MOST], out[MOST], tag[16], chain[16], nonce[32];
};
void fill(struct data *d);

/* Lengths around the usual loops and tails. */
extern const size_t lengths[];
extern const size_t length_count;

void check_controls(void);
void check_kernels(void);
void check_api(void);
void check_exact_blocks(void);

extern struct data *data;

#endif
