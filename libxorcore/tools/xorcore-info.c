/* xorcore-info.c — prints what the installed library is, what the CPU has, and which kernels run here. */
#define _GNU_SOURCE /* dladdr */
#include <xorcore.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words of XORCORE_DISABLE that the library doesn't know ---------------------------------------- */

/* The features and levels, from the lists that the library itself is built from. */
static const char *const features[] = {
#define CPU_BIT(arch, name) #name,
#include "../src/cpu.def"
#undef CPU_BIT
};

static const char *const levels[] = {
#define BASELINE(arch, flags)
#define TUNING(arch, flags)
#define ISA(arch, name, ...) #name,
#include "../src/isa.def"
#undef ISA
#undef TUNING
#undef BASELINE
};

static int same(const char *word, size_t len, const char *text)
{
    return strlen(text) == len && memcmp(word, text, len) == 0;
}

/* A feature, or the group of those whose names begin alike up to the end of the first number, as in avx512.
 * cpu.def writes features in upper case, everybody else in lower case. */
static int same_feature(const char *word, size_t len, const char *upper)
{
    static const char digits[] = "0123456789";
    const size_t before = strcspn(upper, digits), group = before + strspn(upper + before, digits);
    if (strlen(upper) != len && group != len)
        return 0;
    for (size_t i = 0; i < len; i++) {
        const char c = upper[i];
        if (word[i] != (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c))
            return 0;
    }
    return 1;
}

static int known(const char *word, size_t len)
{
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        if (same_feature(word, len, features[i]))
            return 1;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (same(word, len, levels[i]))
            return 1;
    for (size_t i = 0; i < xorcore_kernel_count(); i++) {
        xorcore_kernel k;
        if (xorcore_kernel_at(i, &k, sizeof k) != XORCORE_OK)
            continue;
        const size_t family = strlen(k.family);
        if (len > family && memcmp(word, k.family, family) == 0 && word[family] == '/' &&
            same(word + family + 1, len - family - 1, k.name))
            return 1;
    }
    return 0;
}

static void print_unknown(FILE *to, const char *before)
{
    const char *p = getenv("XORCORE_DISABLE");
    int any = 0;
    while (p && *p) {
        const size_t len = strcspn(p, ", ");
        if (len && !known(p, len)) {
            fprintf(to, "%s%.*s", any ? " " : before, (int)len, p);
            any = 1;
        }
        p += len + (p[len] != 0);
    }
    if (any)
        fputc('\n', to);
}

/* ---- text ------------------------------------------------------------------------------------------ */

static const char *library_file(void)
{
    Dl_info info;
    /* ISO C has no conversion from a function to an object pointer; POSIX has it, byte for byte. */
    const char *(*function)(void) = xorcore_version;
    void *address;
    memcpy(&address, &function, sizeof address);
    return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "unknown";
}

static int print_text(void)
{
    printf("version  %s (ABI %u)\n", xorcore_version(), (unsigned)xorcore_abi());
    printf("library  %s\n", library_file());
    printf("cpu      %s\n", xorcore_cpu());
    const char *disable = getenv("XORCORE_DISABLE");
    if (disable && *disable)
        printf("disabled %s\n", disable);
    print_unknown(stdout, "unknown words in XORCORE_DISABLE, ignored: ");

    printf("\n%-7s %-20s %-10s %-14s %s\n", "family", "kernel", "here", "constant time", "needs");
    for (size_t i = 0; i < xorcore_kernel_count(); i++) {
        xorcore_kernel k;
        const int result = xorcore_kernel_at(i, &k, sizeof k);
        if (result != XORCORE_OK) {
            fprintf(stderr, "xorcore-info: kernel %zu: %s\n", i, xorcore_result_text(result));
            return 1;
        }
        const char *here = k.flags & XORCORE_KERNEL_DEFAULT ? "default"
                           : k.flags & XORCORE_KERNEL_RUNS  ? "runs"
                                                            : "no";
        printf("%-7s %-20s %-10s %-14s %s", k.family, k.name, here,
               k.flags & XORCORE_KERNEL_CONSTANT_TIME ? "yes" : "no", *k.needs ? k.needs : "-");
        if (k.why)
            printf("  (%s)", k.why);
        putchar('\n');
    }
    return 0;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

/* The library's words are plain; quoted with care all the same. */
static void json_string(const char *text, size_t len)
{
    putchar('"');
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void json_flag(const char *name, int set) { printf(",\"%s\":%s", name, set ? "true" : "false"); }

static int print_json(void)
{
    printf("{\"version\":");
    json_string(xorcore_version(), strlen(xorcore_version()));
    printf(",\"abi\":%u,\"cpu\":[", (unsigned)xorcore_abi());
    const char *p = xorcore_cpu();
    for (int first = 1; *p; first = 0) {
        const size_t len = strcspn(p, " ");
        if (!first)
            putchar(',');
        json_string(p, len);
        p += len + (p[len] != 0);
    }
    printf("],\"kernels\":[");
    for (size_t i = 0; i < xorcore_kernel_count(); i++) {
        xorcore_kernel k;
        const int result = xorcore_kernel_at(i, &k, sizeof k);
        if (result != XORCORE_OK) {
            fprintf(stderr, "xorcore-info: kernel %zu: %s\n", i, xorcore_result_text(result));
            return 1;
        }
        printf("%s{\"family\":", i ? "," : "");
        json_string(k.family, strlen(k.family));
        printf(",\"name\":");
        json_string(k.name, strlen(k.name));
        printf(",\"needs\":");
        json_string(k.needs, strlen(k.needs));
        json_flag("runs", !!(k.flags & XORCORE_KERNEL_RUNS));
        json_flag("default", !!(k.flags & XORCORE_KERNEL_DEFAULT));
        json_flag("constant_time", !!(k.flags & XORCORE_KERNEL_CONSTANT_TIME));
        printf(",\"why\":");
        if (k.why)
            json_string(k.why, strlen(k.why));
        else
            printf("null");
        putchar('}');
    }
    printf("]}\n");
    print_unknown(stderr, "xorcore-info: unknown words in XORCORE_DISABLE, ignored: ");
    return 0;
}

int main(int argc, char **argv)
{
    int json = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            json = 1;
        } else if (strcmp(argv[i], "--help") == 0) {
            puts("usage: xorcore-info [--json]\n"
                 "Prints the library's version and file, the CPU features it may use, and its kernels.");
            return 0;
        } else {
            fprintf(stderr, "xorcore-info: unknown argument %s; usage: xorcore-info [--json]\n", argv[i]);
            return 2;
        }
    }
    const int status = json ? print_json() : print_text();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("xorcore-info");
        return 1;
    }
    return status;
}
