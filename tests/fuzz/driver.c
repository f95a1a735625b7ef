/* driver.c — the fuzzer without libFuzzer: programs from a seed, or from files.
 *
 *     fuzz [--seed N] [--runs N | --seconds N] [FILE...]
 *
 * Run i of a seed is the same program of calls everywhere. When one goes wrong its number is the last line:
 * `--seed N --runs 1` repeats it. */
#include "fuzz.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    PROGRAM_MAX = 3000,
    ENOUGH = 1000
};

static const char *const names[CALLS] = {
    [CALL_NEW] = "new",
    [CALL_SEAL] = "aead_seal",
    [CALL_OPEN] = "aead_open",
    [CALL_CRYPT] = "cipher_crypt",
    [CALL_CTR_AT] = "cipher_ctr_at",
    [CALL_SECTORS] = "cipher_sectors",
    [CALL_COMPUTE] = "mac_compute",
    [CALL_VERIFY] = "mac_verify",
    [CALL_STREAM_NEW] = "stream_new",
    [CALL_STREAM_RESET] = "stream_reset",
    [CALL_STREAM_LENGTHS] = "stream_lengths",
    [CALL_STREAM_AAD] = "stream_aad",
    [CALL_STREAM_UPDATE] = "stream_update",
    [CALL_STREAM_SEEK] = "stream_seek",
    [CALL_STREAM_IV] = "stream_iv",
    [CALL_STREAM_FINISH] = "stream_finish",
    [CALL_STREAM_VERIFY] = "stream_verify",
    [CALL_STREAM_COPY] = "stream_copy",
    [CALL_ROWS] = "rows",
    [CALL_ROW] = "row",
    [CALL_XOR] = "xor",
    [CALL_XOR_MANY] = "xor_many",
    [CALL_XOR_STRIDED] = "xor_strided",
    [CALL_XOR_REPEAT] = "xor_repeat",
};

/* ---- which run it is, said last whatever happens -------------------------------------------------- */

static char last_words[100];
static size_t last_size;

static void say_it(void)
{
    ssize_t ignored = write(STDERR_FILENO, last_words, last_size);
    (void)ignored;
}

static void on_signal(int number)
{
    say_it();
    signal(number, SIG_DFL);
    raise(number);
}

/* A sanitizer that stops the program asks for this. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void prepare(void)
{
    static const int signals[] = { SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE };
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(say_it);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], on_signal);
}

/* ---- programs -------------------------------------------------------------------------------------- */

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void run(uint64_t seed)
{
    uint64_t state = seed;
    const size_t size = 40 + splitmix64(&state) % (splitmix64(&state) % 4 ? 400 : PROGRAM_MAX - 40);
    uint8_t *data = malloc(size);
    if (!data)
        abort();
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)splitmix64(&state);
    last_size = (size_t)snprintf(last_words, sizeof last_words, "fuzz: this was --seed %llu --runs 1\n",
                                 (unsigned long long)seed);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
}

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 0;
    }
    size_t size = 0, room = 1 << 16, n;
    uint8_t *data = malloc(room);
    while (data && (n = fread(data + size, 1, room - size, file)) > 0) {
        size += n;
        if (size == room)
            data = realloc(data, room *= 2);
    }
    fclose(file);
    if (!data)
        abort();
    last_size = (size_t)snprintf(last_words, sizeof last_words, "fuzz: this was the file %.60s\n", path);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

/* What happened, call by call. 0 if a call never succeeded: then it was not tested. */
static int report(void)
{
    unsigned long long total = 0;
    int all = 1;
    for (int call = 0; call < CALLS; call++) {
        printf("%-15s", names[call]);
        for (int r = 0; r < RESULTS; r++) {
            if (happened[call][r])
                printf(" %s %llu", xorcore_result_name(-r), happened[call][r]);
            total += happened[call][r];
        }
        printf("\n");
        all &= happened[call][0] != 0;
    }
    printf("%llu calls\n", total);
    return all;
}

int main(int count, char **args)
{
    uint64_t seed = (uint64_t)time(NULL) * 1000000, runs = 0, done = 0;
    double seconds = 0;
    int files = 0;
    prepare();
    for (int i = 1; i < count; i++) {
        if (!strcmp(args[i], "--seed") && i + 1 < count)
            seed = strtoull(args[++i], NULL, 10);
        else if (!strcmp(args[i], "--runs") && i + 1 < count)
            runs = strtoull(args[++i], NULL, 10);
        else if (!strcmp(args[i], "--seconds") && i + 1 < count)
            seconds = strtod(args[++i], NULL);
        else if (args[i][0] == '-') {
            fprintf(stderr, "usage: %s [--seed N] [--runs N | --seconds N] [FILE...]\n", args[0]);
            return 2;
        } else if (!run_file(args[i]))
            return 2;
        else
            files++;
    }
    if (files) {
        printf("%d files\n", files);
        return 0;
    }
    if (!runs && seconds <= 0)
        runs = ENOUGH;
    printf("seed %llu\n", (unsigned long long)seed);
    fflush(stdout);
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        run(seed + done++);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (runs ? done < runs
                  : (double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec) <
                        seconds);
    const int all = report();
    printf("%llu programs from seed %llu\n", (unsigned long long)done, (unsigned long long)seed);
    if (done >= ENOUGH && !all) {
        fprintf(stderr, "fuzz: a call never succeeded\n");
        return 1;
    }
    return 0;
}
