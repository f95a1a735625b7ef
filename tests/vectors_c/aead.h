/* aead.h — what the AEAD shapes share. */
#ifndef AEAD_H
#define AEAD_H

#include "vectors.h"

int aead_number(const char *algorithm); /* 0 for none */
int is_auth(const struct test *test);

#endif
