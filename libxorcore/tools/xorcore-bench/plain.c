/* plain.c — peers without a library: memcpy, and the two XOR loops that everybody else has. */
#include "bench.h"

#include <string.h>

/* memcpy moves the bytes of one source: no XOR can be faster for long, and few are for short ones. */
static void run_memcpy(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls; i++) {
        memcpy(j->out, j->in, j->size);
        __asm__ volatile("" : : : "memory");
    }
}

static void run_memcpy_random(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls; i++) {
        memcpy(j->out, j->in, next_size(impl));
        __asm__ volatile("" : : : "memory");
    }
}

static void run_go(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    const char *absent;
    xor_loop *loop = machine_go_loop(&absent);
    for (size_t i = 0; i < calls; i++)
        loop(j->out, j->in, j->in2, j->size);
}

static void run_go_random(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    const char *absent;
    xor_loop *loop = machine_go_loop(&absent);
    for (size_t i = 0; i < calls; i++)
        loop(j->out, j->in, j->in2, next_size(impl));
}

static void run_go_many(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    const char *absent;
    xor_loop *loop = machine_go_loop(&absent);
    for (size_t i = 0; i < calls; i++) {
        loop(j->out, j->in, j->in + j->stride, j->size);
        for (size_t k = 2; k < j->op->messages; k++)
            loop(j->out, j->out, j->in + k * j->stride, j->size);
    }
}

static void run_gcc(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls; i++)
        loop_gcc(j->out, j->in, j->in2, j->size);
}

static void run_gcc_random(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls; i++)
        loop_gcc(j->out, j->in, j->in2, next_size(impl));
}

static void run_gcc_many(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls; i++) {
        loop_gcc(j->out, j->in, j->in + j->stride, j->size);
        for (size_t k = 2; k < j->op->messages; k++)
            loop_gcc(j->out, j->out, j->in + k * j->stride, j->size);
    }
}

static void run_gcc_repeat(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    for (size_t i = 0; i < calls; i++)
        loop_gcc_repeat(j->out, j->in, j->size, j->key, j->op->repeat);
}

static int offer_memcpy(const struct peer *peer, struct impl *impl, const struct job *job)
{
    (void)peer;
    impl->run = job->op->shape == SHAPE_XOR          ? run_memcpy
                : job->op->shape == SHAPE_XOR_RANDOM ? run_memcpy_random
                                                     : NULL;
    return impl->run != NULL;
}

static int offer_go(const struct peer *peer, struct impl *impl, const struct job *job)
{
    (void)peer;
    switch (job->op->shape) {
    case SHAPE_XOR: impl->run = run_go; return 1;
    case SHAPE_XOR_RANDOM: impl->run = run_go_random; return 1;
    case SHAPE_XOR_MANY: impl->run = run_go_many; return 1;
    default: return 0;
    }
}

static int offer_gcc(const struct peer *peer, struct impl *impl, const struct job *job)
{
    (void)peer;
    switch (job->op->shape) {
    case SHAPE_XOR: impl->run = run_gcc; return 1;
    case SHAPE_XOR_RANDOM: impl->run = run_gcc_random; return 1;
    case SHAPE_XOR_MANY: impl->run = run_gcc_many; return 1;
    case SHAPE_XOR_REPEAT: impl->run = run_gcc_repeat; return 1;
    default: return 0;
    }
}

void plain_load(struct peer *peer, const char *file)
{
    (void)file;
    if (strcmp(peer->name, "memcpy") == 0) {
        peer->offer = offer_memcpy;
    } else if (strcmp(peer->name, "go-sse2") == 0) {
        peer->offer = offer_go;
        machine_go_loop(&peer->absent);
    } else {
        peer->offer = offer_gcc;
        peer->absent = machine_gcc_absent();
    }
}
