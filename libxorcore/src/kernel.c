/* kernel.c — the list of kernels, what each lacks here, and the choice: the first row that lacks nothing. */
#define _GNU_SOURCE /* secure_getenv */
#include "kernel.h"

#include "cpu.h"
#include "xorcore.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define XC_ROW(FAMILY, family, level, words, mask) extern const struct xc_##family##_ops xc_##family##_##level;
#include "xc_kernels.inc"
#undef XC_ROW

static const struct xc_kernel kernels[] = {
#define XC_ROW(FAMILY, family, level, words, mask)                                                           \
    {XC_##FAMILY, #family, #level, words, mask, &xc_##family##_##level},
#include "xc_kernels.inc"
#undef XC_ROW
};

enum { ROWS = sizeof kernels / sizeof kernels[0] };
_Static_assert(ROWS <= 64, "rows are kept as bits of a uint64_t");
_Static_assert(XC_CPU_BITS <= 64, "CPU features are kept as bits of a uint64_t");

/* ---- what this machine has, found out once -------------------------------------------------------- */

/* Any number of threads may find out at the same time: all write the same values, so there is nothing to
 * lock and nothing to wait for. `ready` is set last and read first. */
static struct {
    struct shared64 {
        _Atomic uint32_t low, high; /* no 64-bit atomics: some 32-bit CPUs have them only as library calls */
    } cpu, os, disabled, rows_disabled;
    atomic_int ready;
} machine;

static void put(struct shared64 *to, uint64_t bits)
{
    atomic_store_explicit(&to->low, (uint32_t)bits, memory_order_relaxed);
    atomic_store_explicit(&to->high, (uint32_t)(bits >> 32), memory_order_relaxed);
}

static uint64_t get(struct shared64 *from)
{
    return atomic_load_explicit(&from->low, memory_order_relaxed) |
           (uint64_t)atomic_load_explicit(&from->high, memory_order_relaxed) << 32;
}

static int same_word(const char *word, size_t len, const char *text)
{
    return strlen(text) == len && memcmp(word, text, len) == 0;
}

/* The length of the word that stands for a feature's whole group: its name up to the end of the first number. */
static size_t group_length(const char *feature)
{
    static const char digits[] = "0123456789";
    const size_t before = strcspn(feature, digits);
    return before + strspn(feature + before, digits);
}

/* One word of XORCORE_DISABLE. A word that is both a feature and a level is the feature; one that is a group of
 * features and a level is both. */
static void disable_word(const char *word, size_t len, uint64_t *bits, uint64_t *rows)
{
    char text[XC_CPU_WORD_MAX];
    for (size_t i = 0; i != XC_CPU_BITS; i++) {
        xc_cpu_word(i, text, sizeof text);
        if (same_word(word, len, text)) {
            *bits |= (uint64_t)1 << i;
            return;
        }
    }
    for (size_t i = 0; i != XC_CPU_BITS; i++) {
        xc_cpu_word(i, text, sizeof text);
        if (group_length(text) == len && memcmp(word, text, len) == 0)
            *bits |= (uint64_t)1 << i;
    }
    const char *slash = memchr(word, '/', len);
    for (size_t i = 0; i < ROWS; i++) {
        const struct xc_kernel *k = &kernels[i];
        if (!k->bits)
            continue; /* needs nothing, so every machine relies on it */
        if (slash ? same_word(word, (size_t)(slash - word), k->family_name) &&
                        same_word(slash + 1, len - (size_t)(slash + 1 - word), k->name)
                  : same_word(word, len, k->name))
            *rows |= (uint64_t)1 << i;
    }
}

static void find_out(void)
{
    struct xc_cpu_found found;
    xc_cpu_detect(&found);

    uint64_t bits = 0, rows = 0;
    const char *p = secure_getenv("XORCORE_DISABLE");
    while (p && *p) {
        size_t len = strcspn(p, ", ");
        if (len)
            disable_word(p, len, &bits, &rows);
        p += len + (p[len] != 0);
    }

    put(&machine.cpu, found.cpu);
    put(&machine.os, found.os);
    put(&machine.disabled, bits);
    put(&machine.rows_disabled, rows);
    atomic_store_explicit(&machine.ready, 1, memory_order_release);
}

static void know(void)
{
    if (!atomic_load_explicit(&machine.ready, memory_order_acquire))
        find_out();
}

uint64_t xc_cpu_usable(void)
{
    know();
    return get(&machine.os) & ~get(&machine.disabled);
}

/* ---- the list ------------------------------------------------------------------------------------- */

size_t xc_kernel_count(void) { return ROWS; }

const struct xc_kernel *xc_kernel_at(size_t index) { return index < ROWS ? &kernels[index] : NULL; }

void xc_kernel_lack(size_t index, struct xc_lack *lack)
{
    know();
    const uint64_t needs = kernels[index].bits;
    const uint64_t cpu = get(&machine.cpu);
    const uint64_t os = get(&machine.os);
    lack->cpu = needs & ~cpu;
    lack->os = needs & cpu & ~os;
    lack->disabled = needs & get(&machine.disabled);
    lack->row_disabled = (int)(get(&machine.rows_disabled) >> index & 1);
}

static int runs(size_t index)
{
    return !(kernels[index].bits & ~xc_cpu_usable()) && !(get(&machine.rows_disabled) >> index & 1);
}

const struct xc_kernel *xc_kernel_best(enum xc_family family)
{
    for (size_t i = 0; i < ROWS; i++)
        if (kernels[i].family == family && runs(i))
            return &kernels[i];
    return NULL; /* not reached: every family ends in a row that needs nothing */
}

/* The family has a row of that name, whether it runs or not. */
static int is_row(enum xc_family family, const char *name, size_t len)
{
    for (size_t i = 0; i < ROWS; i++)
        if (kernels[i].family == family && same_word(name, len, kernels[i].name))
            return 1;
    return 0;
}

const struct xc_kernel *xc_kernel_named(enum xc_family family, const char *name, size_t len)
{
    for (size_t i = 0; i < ROWS; i++)
        if (kernels[i].family == family && same_word(name, len, kernels[i].name))
            return runs(i) ? &kernels[i] : NULL;
    return NULL;
}

/* ---- the choice ----------------------------------------------------------------------------------- */

static void set_pair(struct xc_choice *choice, const struct xc_kernel *aes, const struct xc_kernel *ghash)
{
    choice->aes = aes->ops;
    choice->ghash = ghash->ops;
    char *p = choice->name;
    const size_t a = strlen(aes->name), g = strlen(ghash->name);
    memcpy(p, aes->name, a);
    p[a] = '+';
    memcpy(p + a + 1, ghash->name, g + 1);
}

/* "A+G" in full; 0 if either is no row that runs. */
static int named_pair(struct xc_choice *choice, const char *kernel, const char *plus)
{
    const struct xc_kernel *aes = xc_kernel_named(XC_AES, kernel, (size_t)(plus - kernel));
    const struct xc_kernel *ghash = xc_kernel_named(XC_GHASH, plus + 1, strlen(plus + 1));
    if (!aes || !ghash)
        return 0;
    set_pair(choice, aes, ghash);
    return 1;
}

int xc_choose_aes(struct xc_choice *choice, const char *kernel)
{
    memset(choice, 0, sizeof *choice);
    const struct xc_kernel *aes =
        kernel ? xc_kernel_named(XC_AES, kernel, strlen(kernel)) : xc_kernel_best(XC_AES);
    if (!aes)
        return XORCORE_E_KERNEL;
    choice->aes = aes->ops;
    memcpy(choice->name, aes->name, strlen(aes->name) + 1);
    return XORCORE_OK;
}

int xc_choose_gcm(struct xc_choice *choice, const char *kernel)
{
    memset(choice, 0, sizeof *choice);
    const char *plus = kernel ? strchr(kernel, '+') : NULL;
    if (plus) {
        /* The composed row is the last of its family and always runs. */
        choice->gcm = xc_kernel_named(XC_GCM, "composed", 8)->ops;
        return named_pair(choice, kernel, plus) ? XORCORE_OK : XORCORE_E_KERNEL;
    }
    const struct xc_kernel *gcm =
        kernel ? xc_kernel_named(XC_GCM, kernel, strlen(kernel)) : xc_kernel_best(XC_GCM);
    if (!gcm)
        return XORCORE_E_KERNEL;
    choice->gcm = gcm->ops;
    if (strcmp(gcm->name, "composed") == 0)
        set_pair(choice, xc_kernel_best(XC_AES), xc_kernel_best(XC_GHASH));
    else
        memcpy(choice->name, gcm->name, strlen(gcm->name) + 1);
    return XORCORE_OK;
}

int xc_choose_pair(struct xc_choice *choice, const char *kernel)
{
    memset(choice, 0, sizeof *choice);
    const struct xc_kernel *aes = xc_kernel_best(XC_AES), *ghash = xc_kernel_best(XC_GHASH);
    const char *plus = kernel ? strchr(kernel, '+') : NULL;
    if (plus)
        return named_pair(choice, kernel, plus) ? XORCORE_OK : XORCORE_E_KERNEL;
    if (kernel && strcmp(kernel, "composed") != 0) {
        /* One word names its row in each family that has it, and each of these must run; a family that
         * has none takes its best. */
        const size_t len = strlen(kernel);
        const int of_aes = is_row(XC_AES, kernel, len), of_ghash = is_row(XC_GHASH, kernel, len);
        if (of_aes)
            aes = xc_kernel_named(XC_AES, kernel, len);
        if (of_ghash)
            ghash = xc_kernel_named(XC_GHASH, kernel, len);
        if ((!of_aes && !of_ghash) || !aes || !ghash)
            return XORCORE_E_KERNEL;
    }
    set_pair(choice, aes, ghash);
    return XORCORE_OK;
}
