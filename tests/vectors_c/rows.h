/* rows.h — many messages in one call: which cases go together, and the arenas of such a call. */
#ifndef ROWS_H
#define ROWS_H

#include "vectors.h"

enum { ROWS_MAX = 16 };

/* The number of cases that one call of rows takes, beginning with case `at`; 0 when that one has no rows. */
size_t rows_together(const struct run *run, size_t at);

/* Bytes that grow, every piece behind a gap of one byte. */
struct arena {
    uint8_t *p;
    size_t n;
};

size_t arena_put(struct arena *arena, const uint8_t *bytes,
                 size_t n); /* where they lie; NULL: room for n */

/* One call: its arenas are filled, then placed between guards. */
struct batch {
    struct scratch scratch;
    struct arena in, out, aux;
    xorcore_row rows[ROWS_MAX];
    size_t count;
    const char *why[ROWS_MAX];
};

void batch_start(struct batch *batch, size_t count);
void batch_place(struct batch *batch);

/* What the call gave as a whole: the result of the lowest row that failed. */
void batch_result(struct batch *batch, int result);

/* Row i wrote n bytes at `at`: they are taken out, so that batch_close() sees what else was written. */
void batch_taken(struct batch *batch, size_t at, size_t n);
void batch_close(struct batch *batch);

#endif
