/* main.c — checkkernel: every kernel in the list, slot by slot, against an independent reference.
 *
 *     checkkernel [--seed N] [--kernel FAMILY/NAME] [--quick] [--brief] [--bench] [--proof] [--list]
 *
 * A gcm row that is composed is checked on the best parts and on every pair of parts that runs here.
 * The last line is "N passed, N failed"; a group of calls about one thing counts as one. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "naive.h"
#include "xorcore.h"

static const char *only; /* --kernel */
static unsigned ran, skipped, found;
static char ran_names[16384];

static int usage(void)
{
    printf("usage: checkkernel [--seed N] [--kernel FAMILY/NAME] [--quick] [--brief] [--bench] [--proof] [--list]\n"
           "  --seed     the random numbers of another run, which it names in its first line\n"
           "  --kernel   this row alone, or for gcm this pair of parts: gcm/aesni+pclmul\n"
           "  --quick    fewer lengths and places, for emulators\n"
           "  --brief    fewer still: one place for each length, in turns\n"
           "  --bench    times the calls instead of checking them\n"
           "  --proof    breaks kernels on purpose and looks whether that is noticed\n"
           "  --list     the rows of this build\n");
    return 2;
}

static int wanted(const char *label)
{
    if (only && strcmp(only, label))
        return 0;
    found++;
    return 1;
}

static void note_ran(const char *label)
{
    size_t at = strlen(ran_names);
    ran++;
    snprintf(ran_names + at, sizeof ran_names - at, " %s", label);
    fflush(stdout);
}

/* Every pair of parts that runs here, under the name that a user would give. */
static void run_pairs(const struct xc_gcm_ops *ops)
{
    for (size_t a = 0; a < xc_kernel_count(); a++) {
        for (size_t g = 0; g < xc_kernel_count(); g++) {
            const struct xc_kernel *aes = xc_kernel_at(a), *ghash = xc_kernel_at(g);
            struct xc_choice parts;
            char pair[XC_NAME_MAX], label[XC_NAME_MAX + 8];
            if (aes->family != XC_AES || ghash->family != XC_GHASH)
                continue;
            snprintf(pair, sizeof pair, "%.30s+%.30s", aes->name, ghash->name);
            snprintf(label, sizeof label, "gcm/%s", pair);
            if (xc_choose_gcm(&parts, pair) != XORCORE_OK || !wanted(label))
                continue;
            if (parts.gcm != ops)
                continue; /* not made of parts */
            int quick = check.quick;
            check.quick = !only || quick; /* the parts themselves have had the full set */
            check.one_key = check.brief && !only ? 16 + 8 * (int)((a + g) % 3) : 0;
            check_gcm(label, ops, &parts);
            check.quick = quick;
            check.one_key = 0;
            note_ran(label);
        }
    }
}

static void run_row(size_t index)
{
    const struct xc_kernel *row = xc_kernel_at(index);
    struct xorcore_kernel told;
    char label[128];
    snprintf(label, sizeof label, "%s/%s", row->family_name, row->name);
    int composed = row->family == XC_GCM && !strcmp(row->name, "composed");
    if (!wanted(label)) {
        if (composed && only && !strncmp(only, "gcm/", 4))
            run_pairs(row->ops);
        return;
    }
    if (xorcore_kernel_at(index, &told, sizeof told) != XORCORE_OK || strcmp(told.name, row->name) ||
        strcmp(told.family, row->family_name)) {
        printf("FAILED %s: the public list tells another kernel\n", label);
        check.failed++;
        return;
    }
    if (!(told.flags & XORCORE_KERNEL_RUNS)) {
        printf("skipped %s (%s)\n", label, told.why ? told.why : "no reason given");
        skipped++;
        return;
    }
    switch (row->family) {
    case XC_XOR: check_xor(label, row->ops); break;
    case XC_AES: check_aes(label, row->ops); break;
    case XC_GHASH: check_ghash(label, row->ops); break;
    default: {
        struct xc_choice parts;
        if (xc_choose_gcm(&parts, row->name) != XORCORE_OK) {
            printf("FAILED %s: runs here, and cannot be chosen\n", label);
            check.failed++;
            return;
        }
        check_gcm(label, row->ops, &parts);
    }
    }
    note_ran(label);
    if (composed && !check.bench)
        run_pairs(row->ops);
}

static const char *model(void)
{
    const char *name = getenv("XORCORE_MODEL");
    return name && *name ? name : "native";
}

/* What the library found here, and what it made of that, for tests/cross. */
static void tell_machine(void)
{
    printf("cpu %s: %s\ndefault %s:", model(), xorcore_cpu(), model());
    for (size_t i = 0; i < xc_kernel_count(); i++) {
        struct xorcore_kernel told;
        if (xorcore_kernel_at(i, &told, sizeof told) == XORCORE_OK && told.flags & XORCORE_KERNEL_DEFAULT)
            printf(" %s/%s", told.family, told.name);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    int proof = 0, list = 0;
    check.seed = (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            check.seed = strtoull(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--kernel") && i + 1 < argc)
            only = argv[++i];
        else if (!strcmp(argv[i], "--quick"))
            check.quick = 1;
        else if (!strcmp(argv[i], "--brief"))
            check.quick = check.brief = 1;
        else if (!strcmp(argv[i], "--bench"))
            check.bench = 1;
        else if (!strcmp(argv[i], "--proof"))
            proof = 1;
        else if (!strcmp(argv[i], "--list"))
            list = 1;
        else
            return usage();
    }
    if (list) {
        for (size_t i = 0; i < xc_kernel_count(); i++)
            printf("%s/%s\n", xc_kernel_at(i)->family_name, xc_kernel_at(i)->name);
        printf("xor/tiny\n");
        return 0;
    }

    printf("seed %llu\n", (unsigned long long)check.seed);
    memory_begin();
    if (naive_selftest()) {
        printf("FAILED the reference does not give the standards' examples\n0 passed, 1 failed\n");
        return 1;
    }
    if (proof) {
        check_proof();
        printf("%lu passed, %lu failed\n", check.passed, check.failed);
        return check.failed ? 1 : 0;
    }

    if (wanted("xor/tiny")) {
        check_xor_tiny();
        note_ran("xor/tiny");
    }
    for (size_t i = 0; i < xc_kernel_count(); i++)
        run_row(i);

    if (!check.bench) {
        tell_machine();
        printf("ran %s:%s\n", model(), ran_names);
        printf("%u kernels ran, %u skipped, %llu calls, seed %llu\n", ran, skipped, check.calls,
               (unsigned long long)check.seed);
    }
    if (only && !found) {
        printf("FAILED there is no kernel %s\n", only);
        check.failed++;
    } else if (!ran) {
        printf("FAILED no kernel ran\n");
        check.failed++;
    }
    if (!check.bench || check.failed)
        printf("%lu passed, %lu failed\n", check.passed, check.failed);
    return check.failed ? 1 : 0;
}
