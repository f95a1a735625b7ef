/* isal.c — ISA-L's XOR parity. It stores past the caches at every size, and wants addresses that 32 divides. */
#include "peer.h"

#include <stdio.h>

struct isal {
    int (*xor_gen)(int vectors, int len, void **array);
};

static void *pointer(const uint8_t *p) { return (void *)(uintptr_t)p; } /* its sources aren't const */

static void must(int error) { peer_must(error == 0, "ISA-L"); }

static void run_xor(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    const struct isal *l = impl->context;
    void *array[3] = { pointer(j->in), pointer(j->in2), j->out };
    for (size_t i = 0; i < calls; i++)
        must(l->xor_gen(3, (int)j->size, array));
}

static void run_xor_many(struct impl *impl, size_t calls)
{
    const struct job *j = impl->job;
    const struct isal *l = impl->context;
    void *array[16];
    for (size_t k = 0; k < j->op->messages; k++)
        array[k] = pointer(j->in + k * j->stride);
    array[j->op->messages] = j->out;
    for (size_t i = 0; i < calls; i++)
        must(l->xor_gen((int)j->op->messages + 1, (int)j->size, array));
}

static int offer(const struct peer *peer, struct impl *impl, const struct job *job)
{
    impl->context = peer->library;
    impl->run = job->op->shape == SHAPE_XOR        ? run_xor
                : job->op->shape == SHAPE_XOR_MANY ? run_xor_many
                                                   : NULL;
    return impl->run && job->size > 0 && job->size <= 1 << 30;
}

void isal_load(struct peer *peer, const char *file)
{
    static const char *const names[] = { "libisal.so.2", NULL };
    struct isal *l = peer_memory(sizeof *l);
    void *library =
        library_open(peer, file, names, "no libisal.so.2 is installed (Debian package: libisal2)");
    peer->library = l;
    peer->offer = offer;
    if (library && !library_symbol(library, &l->xor_gen, "xor_gen"))
        peer->absent = "that library lacks ISA-L's xor_gen";
    snprintf(peer->version, sizeof peer->version, "ISA-L (libisal.so.2)"); /* it tells no version */
}
