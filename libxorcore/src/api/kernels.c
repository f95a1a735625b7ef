/* kernels.c — introspection: the kernel list and the CPU in words. */
#include "../kernel.h"

#include "../cpu.h"
#include "xorcore.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 48, TEXT_MAX = XC_CPU_BITS * (XC_CPU_WORD_MAX + 1) + WORDS_MAX };

/* "PREFIX word word …" of the bits. */
static void words(char *text, const char *prefix, uint64_t bits)
{
    size_t n = strlen(prefix);
    memcpy(text, prefix, n);
    for (size_t i = 0; i != XC_CPU_BITS; i++)
        if (bits >> i & 1) {
            if (n)
                text[n++] = ' ';
            n += xc_cpu_word(i, text + n, XC_CPU_WORD_MAX);
        }
    text[n] = 0;
}

/* Every string of this file is a function of the machine. It is kept in the library's own memory, so that
 * unloading the library leaves nothing behind. Whoever claims the place writes it; who comes while that goes on
 * gives the writer some turns. In the child of a fork made at that moment the writer is no more, hence not for
 * ever: then a copy on the heap takes the place. */
struct text {
    atomic_int state;
    _Atomic(char *) copy;
    char words[TEXT_MAX];
};

enum { EMPTY, CLAIMED, READY, TURNS = 10000 };

static const char *publish_copy(struct text *place, const char *text)
{
    char *had = atomic_load_explicit(&place->copy, memory_order_acquire);
    if (had)
        return had;
    char *made = strdup(text);
    if (!made)
        return "cpu: out of memory";
    if (atomic_compare_exchange_strong_explicit(&place->copy, &had, made, memory_order_acq_rel,
                                                memory_order_acquire))
        return made;
    free(made);
    return had;
}

static const char *publish(struct text *place, const char *text)
{
    int state = EMPTY;
    if (atomic_compare_exchange_strong_explicit(&place->state, &state, CLAIMED, memory_order_acquire,
                                                memory_order_acquire)) {
        strcpy(place->words, text);
        atomic_store_explicit(&place->state, READY, memory_order_release);
        return place->words;
    }
    for (int i = 0; state != READY && i < TURNS; i++) {
        sched_yield();
        state = atomic_load_explicit(&place->state, memory_order_acquire);
    }
    return state == READY ? place->words : publish_copy(place, text);
}

static const char *why(size_t index, const struct xc_kernel *kernel)
{
    static struct text texts[64]; /* as many as kernel.c allows */
    struct xc_lack lack;
    char text[TEXT_MAX];
    xc_kernel_lack(index, &lack);
    if (lack.cpu)
        words(text, "cpu:", lack.cpu);
    else if (lack.os)
        words(text, "os:", lack.os);
    else if (lack.disabled)
        words(text, "disabled:", lack.disabled);
    else if (lack.row_disabled) {
        strcpy(text, "disabled: ");
        strcat(strcat(strcat(text, kernel->family_name), "/"), kernel->name);
    } else
        return NULL;
    return publish(&texts[index], text);
}

size_t xorcore_kernel_count(void) { return xc_kernel_count(); }

int xorcore_kernel_at(size_t index, xorcore_kernel *out, size_t size)
{
    const struct xc_kernel *kernel = xc_kernel_at(index);
    if (!kernel || !out || size < sizeof *out)
        return XORCORE_E_ARG;
    memset(out, 0, size);
    out->family = kernel->family_name;
    out->name = kernel->name;
    out->needs = kernel->needs;
    out->why = why(index, kernel);
    /* Every kernel is constant-time: another kind is not accepted into the list. */
    out->flags = XORCORE_KERNEL_CONSTANT_TIME;
    if (!out->why)
        out->flags |= XORCORE_KERNEL_RUNS;
    if (kernel == xc_kernel_best(kernel->family))
        out->flags |= XORCORE_KERNEL_DEFAULT;
    return XORCORE_OK;
}

const char *xorcore_cpu(void)
{
    static struct text text;
    char made[TEXT_MAX];
    words(made, xc_cpu_arch, xc_cpu_usable());
    return publish(&text, made);
}
