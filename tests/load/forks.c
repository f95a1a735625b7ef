/* forks.c — a process that forks while its threads make their first calls: every child can still use the library. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "xorcore.h"

enum {
    THREADS = 4,
    ROUNDS = 12,
    FORKS = 3
};

static atomic_int stop;
static const uint8_t key[16] = { 3 }, nonce[12] = { 4 };

/* 1 when all is as it should be. */
static int use(void)
{
    uint8_t text[200] = { 5 }, tag[16];
    xorcore_aead *aead;
    xorcore_stream *stream;
    xorcore_kernel k;
    for (size_t i = 0; xorcore_kernel_at(i, &k, sizeof k) == XORCORE_OK; i++)
        if ((k.why == NULL) != (k.flags & XORCORE_KERNEL_RUNS))
            return 0;
    if (!*xorcore_cpu() || xorcore_xor(text, text, text, sizeof text) ||
        xorcore_aead_new(&aead, XORCORE_AES_GCM, key, sizeof key, 16, NULL))
        return 0;
    int good = !xorcore_stream_new_aead(&stream, aead, XORCORE_ENCRYPT, nonce, sizeof nonce);
    xorcore_aead_free(aead);
    if (!good)
        return 0;
    good = !xorcore_stream_update(stream, text, text, sizeof text) &&
           !xorcore_stream_finish(stream, tag, sizeof tag);
    xorcore_stream_free(stream);
    return good;
}

static void *busy(void *failed)
{
    do
        *(int *)failed |= !use();
    while (!atomic_load(&stop));
    return NULL;
}

/* A process of its own for each round, so that first calls are made again. */
static int one_round(void)
{
    pthread_t threads[THREADS];
    int failed[THREADS] = { 0 }, bad = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, busy, &failed[i]))
            return 2;
    for (int i = 0; i < FORKS; i++) {
        int status = 0;
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            _exit(use() ? 0 : 1);
        }
        bad += child < 0 || waitpid(child, &status, 0) != child || status != 0;
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        bad += failed[i];
    }
    return bad != 0;
}

int main(void)
{
    int bad = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int status = 0;
        const pid_t child = fork();
        if (child == 0)
            _exit(one_round());
        bad += child < 0 || waitpid(child, &status, 0) != child || status != 0;
    }
    if (bad)
        fprintf(stderr, "%d of %d rounds failed\n", bad, ROUNDS);
    return bad != 0;
}
