/* peer.c — how the peers' libraries are found, and which loop does a job. */
#include "peer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *library_open(struct peer *peer, const char *file, const char *const *names, const char *absent)
{
    const int how = RTLD_NOW | RTLD_LOCAL; /* so two libraries with the same names don't meet */
    void *library = NULL;
    if (file)
        library = dlopen(file, how);
    else
        while (!library && *names)
            library = dlopen(*names++, how);
    if (!library)
        peer->absent = file ? "that file can't be loaded" : absent;
    return library;
}

int library_symbol(void *library, void *function, const char *name)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

void peer_must(int good, const char *library)
{
    if (!good) {
        fprintf(stderr, "xorcore-bench: a call of %s failed\n", library);
        exit(1);
    }
}

void *peer_memory(size_t n)
{
    const size_t size = (n + 63) / 64 * 64;
    void *p = aligned_alloc(64, size);
    if (!p) {
        fprintf(stderr, "xorcore-bench: no memory\n");
        exit(1);
    }
    return memset(p, 0, size);
}

int take_loop(struct impl *impl, const struct loops *loops)
{
    switch (impl->job->op->shape) {
    case SHAPE_SEAL:
    case SHAPE_SEAL_ROWS: impl->run = loops->seal; break;
    case SHAPE_OPEN: impl->run = loops->open; break;
    case SHAPE_MAC: impl->run = loops->mac; break;
    case SHAPE_CIPHER:
    case SHAPE_CIPHER_ROWS: impl->run = loops->crypt; break;
    case SHAPE_KEY:
        impl->run = loops->key;
        impl->prove = loops->seal;
        break;
    case SHAPE_KEY_AND_SEAL: impl->run = loops->key_and_seal; break;
    default: impl->run = NULL;
    }
    return impl->run != NULL;
}
