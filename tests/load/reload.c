/* reload.c — the library loaded, used and unloaded again and again; then loaded by many threads at once.
 *
 *     reload LIBRARY
 *
 * A sanitizer that looks for leaks sees what an unloaded library leaves behind. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xorcore.h"

enum {
    TIMES = 60,
    THREADS = 4
};

static const char *path;

static void *symbol(void *library, const char *name)
{
    void *p = dlsym(library, name);
    if (!p) {
        fprintf(stderr, "%s: not there\n", name);
        exit(1);
    }
    return p;
}

/* Function pointers from dlsym, without a cast that ISO C does not know. */
#define FUNCTION(name)                                                                                       \
    __typeof__(&xorcore_##name) name;                                                                        \
    *(void **)(void *)&name = symbol(library, "xorcore_" #name)

static int use(void *library)
{
    FUNCTION(aead_new);
    FUNCTION(aead_seal);
    FUNCTION(aead_free);
    FUNCTION(kernel_at);
    FUNCTION(cpu);
    uint8_t key[16] = { 9 }, nonce[12] = { 8 }, text[100] = { 7 }, tag[16];
    xorcore_aead *aead;
    xorcore_kernel k;
    if (!*cpu())
        return 0;
    for (size_t i = 0; kernel_at(i, &k, sizeof k) == XORCORE_OK; i++)
        if (!k.name || (k.why == NULL) != (k.flags & XORCORE_KERNEL_RUNS))
            return 0;
    if (aead_new(&aead, XORCORE_AES_GCM, key, sizeof key, 16, NULL) ||
        aead_seal(aead, text, tag, 16, nonce, sizeof nonce, text, sizeof text, NULL, 0))
        return 0;
    aead_free(aead);
    return 1;
}

static void *again_and_again(void *failed)
{
    for (int i = 0; i < TIMES; i++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            exit(1);
        }
        if (!use(library))
            *(int *)failed = 1;
        dlclose(library);
    }
    return NULL;
}

int main(int count, char **args)
{
    int failed[THREADS + 1] = { 0 }, sum = 0;
    pthread_t threads[THREADS];
    if (count != 2)
        return 2;
    path = args[1];
    again_and_again(&failed[THREADS]);
    if (!dlopen(path, RTLD_NOW | RTLD_LOCAL)) /* the threads share this one: who unloads it is not their question */
        return 2;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, again_and_again, &failed[i]))
            return 2;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i <= THREADS; i++)
        sum += failed[i];
    if (sum)
        fprintf(stderr, "%d of %d threads got wrong answers\n", sum, THREADS + 1);
    return sum != 0;
}
