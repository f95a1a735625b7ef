/* kernels.c — the kernel list, XORCORE_DISABLE, and 64 threads that make the first calls of a process together.
 *
 *     api_kernels [EMULATOR…]
 *
 * What depends on the environment or on being first runs in child processes: this program again, through the
 * emulator where there is one. */
#include "test.h"

#include <limits.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LISTED = 64,
    TEXT = 40000
};

/* ---- the list, in this process ------------------------------------------------------------------- */

static void list(void)
{
    static const char *const families[] = { "xor", "aes", "ghash", "gcm" };
    unsigned defaults[4] = { 0 }, running[4] = { 0 };
    size_t count = xorcore_kernel_count();
    check(count >= 4, "there are %zu kernels", count);
    for (size_t i = 0; i < count; i++) {
        xorcore_kernel k, again;
        struct {
            xorcore_kernel k;
            uint8_t more[40];
        } larger;
        uint8_t smaller[sizeof(xorcore_kernel) + 8];
        int family = -1;

        memset(&k, 0xa5, sizeof k);
        check_result(xorcore_kernel_at(i, &k, sizeof k), XORCORE_OK, "kernel %zu", i);
        for (int f = 0; f < 4; f++)
            if (!strcmp(k.family, families[f]))
                family = f;
        check(family >= 0, "kernel %zu is of the family %s", i, k.family);
        check(k.name && *k.name && k.needs, "kernel %zu has no name", i);
        check(k.reserved == 0, "kernel %zu: reserved", i);
        check(!(k.flags & ~(uint32_t)7), "kernel %zu: flags %u", i, k.flags);
        check(k.flags & XORCORE_KERNEL_CONSTANT_TIME, "kernel %zu is not constant-time", i);
        check(!(k.flags & XORCORE_KERNEL_RUNS) == (k.why != NULL), "%s/%s: why, and runs", k.family, k.name);
        if (k.why)
            check(!strncmp(k.why, "cpu: ", 5) || !strncmp(k.why, "os: ", 4) ||
                      !strncmp(k.why, "disabled: ", 10),
                  "%s/%s does not run because %s", k.family, k.name, k.why);
        if (family >= 0 && k.flags & XORCORE_KERNEL_DEFAULT) {
            check(k.flags & XORCORE_KERNEL_RUNS, "%s/%s is the default and does not run", k.family, k.name);
            check(running[family] == 0, "%s/%s is the default, not the first that runs", k.family, k.name);
            defaults[family]++;
        }
        if (family >= 0 && k.flags & XORCORE_KERNEL_RUNS)
            running[family]++;

        check_result(xorcore_kernel_at(i, &again, sizeof again), XORCORE_OK, "kernel %zu again", i);
        check(!memcmp(&k, &again, sizeof k), "kernel %zu tells two things", i);
        memset(&larger, 0xa5, sizeof larger);
        check_result(xorcore_kernel_at(i, &larger.k, sizeof larger), XORCORE_OK, "kernel %zu into more", i);
        check(all_zero(larger.more, sizeof larger.more), "kernel %zu: the rest is not zeros", i);
        check(!memcmp(&larger.k, &k, sizeof k), "kernel %zu into more tells another thing", i);
        for (size_t size = 0; size < sizeof k; size++) {
            memset(smaller, 0xa5, sizeof smaller);
            check_result(xorcore_kernel_at(i, (xorcore_kernel *)(void *)smaller, size), XORCORE_E_ARG,
                         "kernel %zu into %zu bytes", i, size);
            check(smaller[0] == 0xa5 && !memcmp(smaller, smaller + 1, sizeof smaller - 1),
                  "a refused kernel_at has written");
        }
        check_result(xorcore_kernel_at(i, NULL, sizeof k), XORCORE_E_ARG, "kernel %zu into NULL", i);
    }
    for (int f = 0; f < 4; f++)
        check(defaults[f] == 1, "%s has %u defaults", families[f], defaults[f]);
    xorcore_kernel k;
    check_result(xorcore_kernel_at(count, &k, sizeof k), XORCORE_E_ARG, "one kernel too many");
    check_result(xorcore_kernel_at(SIZE_MAX, &k, sizeof k), XORCORE_E_ARG, "kernel SIZE_MAX");
}

static void results(void)
{
    static const char *const names[] = { "OK",         "ARG",         "KEY_LENGTH", "NONCE_LENGTH",
                                         "TAG_LENGTH", "DATA_LENGTH", "OVERLAP",    "AUTH",
                                         "LIMIT",      "STATE",       "KERNEL",     "WEAK_KEY",
                                         "MEMORY",     "SELFTEST",    "UNSUPPORTED" };
    static const int others[] = { 1, 2, -15, -16, -100, 1000, INT_MAX, INT_MIN };
    for (int i = 0; i < 15; i++) {
        check(!strcmp(xorcore_result_name(-i), names[i]), "result %d is named %s", -i,
              xorcore_result_name(-i));
        check(strlen(xorcore_result_text(-i)) >= 5, "result %d has no sentence", -i);
        for (int j = 0; j < i; j++)
            check(strcmp(xorcore_result_text(-i), xorcore_result_text(-j)),
                  "results %d and %d have one sentence", -i, -j);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        check(!strcmp(xorcore_result_name(others[i]), "UNKNOWN"), "result %d is named %s", others[i],
              xorcore_result_name(others[i]));
        check(xorcore_result_text(others[i]) && *xorcore_result_text(others[i]), "result %d has no text",
              others[i]);
    }
    check(!strcmp(xorcore_version(), XORCORE_TEST_VERSION), "version %s", xorcore_version());
    check(xorcore_abi() == 1, "ABI %u", xorcore_abi());
    check_result(xorcore_selftest(), XORCORE_OK, "the self-test");
}

/* ---- children -------------------------------------------------------------------------------------- */

/* Whatever does not run is refused by name, and what runs is accepted; then the list for the parent. */
static int child_list(void)
{
    uint8_t key[32] = { 1 }, text[64] = { 2 };
    for (size_t i = 0; i < xorcore_kernel_count(); i++) {
        xorcore_kernel k;
        int result = XORCORE_OK;
        xorcore_kernel_at(i, &k, sizeof k);
        int runs = (k.flags & XORCORE_KERNEL_RUNS) != 0;
        if (!strcmp(k.family, "xor"))
            result = xorcore_xor_on(k.name, text, text, text, sizeof text);
        if (!strcmp(k.family, "aes")) {
            xorcore_cipher *c = NULL;
            result = xorcore_cipher_new(&c, XORCORE_AES_CTR, key, 32, k.name);
            xorcore_cipher_free(c);
        }
        if (!strcmp(k.family, "gcm")) {
            xorcore_aead *a = NULL;
            result = xorcore_aead_new(&a, XORCORE_AES_GCM, key, 32, 16, k.name);
            xorcore_aead_free(a);
        }
        if (!strcmp(k.family, "ghash")) {
            char pair[80];
            xorcore_aead *a = NULL;
            snprintf(pair, sizeof pair, "portable+%s", k.name);
            result = xorcore_aead_new(&a, XORCORE_AES_GCM, key, 32, 16, pair);
            xorcore_aead_free(a);
        }
        if (result != (runs ? XORCORE_OK : XORCORE_E_KERNEL))
            printf("wrong %s/%s is %s\n", k.family, k.name, xorcore_result_name(result));
        printf("row %s %s %u [%s] %s\n", k.family, k.name, k.flags, k.needs, k.why ? k.why : "-");
    }
    printf("cpu %s\n", xorcore_cpu());
    if (xorcore_selftest() != XORCORE_OK)
        printf("wrong self-test\n");
    /* Read once: a change comes too late. */
    const char *cpu = xorcore_cpu();
    setenv("XORCORE_DISABLE", "sse2,avx2,aes", 1);
    if (strcmp(cpu, xorcore_cpu()))
        printf("wrong: the environment is read twice\n");
    printf("secure %lu\n", getauxval(AT_SECURE));
    return 0;
}

enum {
    THREADS = 64
};
static pthread_barrier_t barrier;
static int first_call;

static void *first(void *out)
{
    int *result = out;
    uint8_t key[16] = { 7 }, nonce[12] = { 1 }, text[256] = { 3 }, sealed[256], tag[16], mask[256];
    xorcore_aead *a = NULL;
    xorcore_kernel k;
    pthread_barrier_wait(&barrier);
    switch (first_call) {
    case 0: *result = strlen(xorcore_cpu()) == 0; break;
    case 1: *result = xorcore_kernel_at(xorcore_kernel_count() - 1, &k, sizeof k); break;
    case 2: *result = xorcore_xor(mask, text, text, sizeof mask); break;
    case 3: *result = xorcore_selftest(); break;
    case 4: *result = xorcore_equal(text, text, 100) != 1; break;
    case 5: *result = xorcore_xor_repeat(mask, text, 200, key, 16, 3); break;
    default: break;
    }
    if (!*result)
        *result = xorcore_aead_new(&a, XORCORE_AES_GCM, key, 16, 16, NULL);
    if (!*result)
        *result = xorcore_aead_seal(a, sealed, tag, 16, nonce, 12, text, sizeof text, NULL, 0);
    if (!*result)
        *result = xorcore_aead_open(a, sealed, nonce, 12, sealed, sizeof text, tag, 16, NULL, 0);
    if (!*result)
        *result = memcmp(sealed, text, sizeof text) != 0;
    for (size_t i = 0; i < xorcore_kernel_count() && !*result; i++)
        *result = xorcore_kernel_at(i, &k, sizeof k);
    if (!*result)
        *result = strlen(xorcore_cpu()) == 0;
    xorcore_aead_free(a);
    return NULL;
}

static int child_threads(int which)
{
    pthread_t threads[THREADS];
    int outcome[THREADS] = { 0 }, bad = 0;
    first_call = which;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, first, &outcome[i]))
            return 3;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        bad += outcome[i] != 0;
    }
    return bad != 0;
}

/* ---- the parent's side -------------------------------------------------------------------------------- */

static char **emulator;
static int emulator_words;
static char self[4096];

/* Runs this program with one word in an environment where XORCORE_DISABLE is `disable` (NULL: not set); its
 * output into `text`. Returns its exit status, or -1. */
static int run_child(const char *program, const char *word, const char *disable, int as_nobody, char *text,
                     size_t most)
{
    int pipes[2], status;
    size_t n = 0;
    if (pipe(pipes))
        return -1;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        char *argv[20];
        int k = 0;
        for (int i = 0; i < emulator_words && i < 15; i++)
            argv[k++] = emulator[i];
        argv[k++] = (char *)program;
        argv[k++] = (char *)word;
        argv[k] = NULL;
        if (disable)
            setenv("XORCORE_DISABLE", disable, 1);
        else
            unsetenv("XORCORE_DISABLE");
        dup2(pipes[1], 1);
        close(pipes[0]);
        close(pipes[1]);
        if (as_nobody && (setgid(65534) || setuid(65534)))
            _exit(126);
        execvp(argv[0], argv);
        _exit(127);
    }
    close(pipes[1]);
    for (;;) {
        char drain[512];
        ssize_t got =
            n + 1 < most ? read(pipes[0], text + n, most - 1 - n) : read(pipes[0], drain, sizeof drain);
        if (got <= 0)
            break;
        if (n + 1 < most)
            n += (size_t)got;
    }
    text[n] = 0;
    close(pipes[0]);
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

struct listed {
    size_t count;
    struct {
        char family[16], name[48], needs[200], why[200];
        unsigned flags;
    } row[LISTED];
    char cpu[1000];
    unsigned long secure;
};

static struct listed listing(const char *program, const char *disable, int as_nobody)
{
    static char text[TEXT];
    struct listed l;
    memset(&l, 0, sizeof l);
    int status = run_child(program, "--list", disable, as_nobody, text, sizeof text);
    check(status == 0, "the child without %s ended with %d", disable ? disable : "anything", status);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        check(strncmp(line, "wrong", 5) != 0, "without %s: %s", disable ? disable : "anything", line);
        if (!strncmp(line, "cpu ", 4))
            snprintf(l.cpu, sizeof l.cpu, "%s ", line + 4);
        if (!strncmp(line, "secure ", 7))
            l.secure = strtoul(line + 7, NULL, 10);
        if (l.count < LISTED && sscanf(line, "row %15s %47s %u", l.row[l.count].family, l.row[l.count].name,
                                       &l.row[l.count].flags) == 3) {
            char *needs = strchr(line, '['), *end = strchr(line, ']');
            if (!needs || !end)
                continue;
            snprintf(l.row[l.count].needs, sizeof l.row[0].needs, " %.*s ", (int)(end - needs - 1),
                     needs + 1);
            snprintf(l.row[l.count].why, sizeof l.row[0].why, "%s", end + 2);
            l.count++;
        }
    }
    return l;
}

static int needs(const struct listed *l, size_t i, const char *word)
{
    char spaced[100];
    snprintf(spaced, sizeof spaced, " %.90s ", word);
    return strstr(l->row[i].needs, spaced) != NULL;
}

/* The row needs a feature of the group: one that begins with it, up to the end of the first number. */
static int needs_of_group(const struct listed *l, size_t i, const char *group)
{
    const size_t n = strlen(group);
    if (strcspn(group, "0123456789") + strspn(group + strcspn(group, "0123456789"), "0123456789") != n ||
        !strpbrk(group, "0123456789"))
        return 0;
    for (const char *word = l->row[i].needs; *word; word += strcspn(word, " ")) {
        word += strspn(word, " ");
        if (!strncmp(word, group, n) && !strchr("0123456789", word[n]))
            return 1;
    }
    return 0;
}

/* `taken` says of each row whether it must be gone. What remains is as before, and each family still has one
 * default: the first that runs. */
static void compare(const struct listed *all, const char *disable, const int *taken)
{
    struct listed l = listing(self, disable, 0);
    check(l.count == all->count, "without %s there are %zu rows", disable, l.count);
    if (l.count != all->count)
        return;
    for (size_t i = 0; i < l.count; i++) {
        int ran = (all->row[i].flags & XORCORE_KERNEL_RUNS) != 0,
            runs = (l.row[i].flags & XORCORE_KERNEL_RUNS) != 0;
        check(runs == (ran && !taken[i]), "without %s, %s/%s %s", disable, l.row[i].family, l.row[i].name,
              runs ? "runs" : "does not run");
        if (ran && taken[i])
            check(!strncmp(l.row[i].why, "disabled: ", 10), "without %s, %s/%s: %s", disable, l.row[i].family,
                  l.row[i].name, l.row[i].why);
        int is_default = (l.row[i].flags & XORCORE_KERNEL_DEFAULT) != 0, first_to_run = runs;
        for (size_t j = 0; j < i; j++)
            if (!strcmp(l.row[j].family, l.row[i].family) && l.row[j].flags & XORCORE_KERNEL_RUNS)
                first_to_run = 0;
        check(is_default == first_to_run, "without %s, %s/%s: default %d", disable, l.row[i].family,
              l.row[i].name, is_default);
    }
}

static void disabling(void)
{
    struct listed all = listing(self, NULL, 0);
    int taken[LISTED] = { 0 };
    check(all.count == xorcore_kernel_count(), "the child lists %zu kernels", all.count);

    static const char *const nothing[] = { "",
                                           ",",
                                           " , ,,",
                                           "bogus",
                                           "xor/bogus",
                                           "bogus/sse2",
                                           "portable",
                                           "composed",
                                           "aes/portable,xor/portable,ghash/portable,gcm/composed",
                                           "SSE2",
                                           "avx",
                                           "x",
                                           "/",
                                           "xor/",
                                           "/avx2",
                                           "bogus,portable,nope/nope" };
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        if (!strcmp(nothing[i], "avx")) /* a feature that rows may need */
            continue;
        compare(&all, nothing[i], taken);
    }

    /* Each row by family/name; portable and composed cannot be taken. */
    for (size_t i = 0; i < all.count; i++) {
        char word[80];
        snprintf(word, sizeof word, "%s/%s", all.row[i].family, all.row[i].name);
        memset(taken, 0, sizeof taken);
        taken[i] = strlen(all.row[i].needs) > 2;
        compare(&all, word, taken);
    }
    /* Groups of features. */
    static const char *const groups[] = { "avx512", "sse4", "sse4,avx512" };
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        for (size_t j = 0; j < all.count; j++)
            taken[j] = needs_of_group(&all, j, groups[i]) || (i == 2 && needs_of_group(&all, j, "avx512")) ||
                       (i == 2 && needs_of_group(&all, j, "sse4"));
        compare(&all, groups[i], taken);
    }
    /* Each level, and each feature: a word that is both is the feature, one that is also a group is that too. */
    for (size_t i = 0; i < all.count; i++) {
        const char *level = all.row[i].name;
        int feature = 0;
        for (size_t j = 0; j < all.count; j++)
            feature |= needs(&all, j, level);
        memset(taken, 0, sizeof taken);
        for (size_t j = 0; j < all.count; j++)
            taken[j] = feature ? needs(&all, j, level)
                               : (!strcmp(all.row[j].name, level) && strlen(all.row[j].needs) > 2) ||
                                     needs_of_group(&all, j, level);
        compare(&all, level, taken);
    }
    char features[1000], everything[1200] = "", *word;
    snprintf(features, sizeof features, "%s", all.cpu);
    strtok(features, " "); /* the architecture */
    while ((word = strtok(NULL, " "))) {
        snprintf(everything + strlen(everything), sizeof everything - strlen(everything), "%s,", word);
        if (strlen(everything) > 1000)
            break;
    }
    char copy[1200];
    snprintf(copy, sizeof copy, "%s", everything);
    size_t at = 0;
    while (copy[at]) {
        size_t len = strcspn(copy + at, ",");
        char one[100];
        snprintf(one, sizeof one, "%.*s", (int)(len < 90 ? len : 90), copy + at);
        at += len + 1;
        memset(taken, 0, sizeof taken);
        for (size_t j = 0; j < all.count; j++)
            taken[j] = needs(&all, j, one);
        compare(&all, one, taken);
        struct listed l = listing(self, one, 0);
        char spaced[110];
        snprintf(spaced, sizeof spaced, " %.100s ", one);
        check(!strstr(l.cpu, spaced), "without %s the CPU still has it: %s", one, l.cpu);
    }
    /* All at once: what needs something is gone, and the rest works. */
    for (size_t j = 0; j < all.count; j++)
        taken[j] = strlen(all.row[j].needs) > 2;
    if (*everything)
        compare(&all, everything, taken);
}

/* Where this runs as root: a program that is setuid does not look at XORCORE_DISABLE. */
static void setuid_program(void)
{
    char copy[4200], command[16000];
    struct listed all = listing(self, NULL, 0), l;
    if (geteuid() != 0 || emulator_words) {
        printf("setuid: not tried, it takes root and no emulator\n");
        return;
    }
    snprintf(copy, sizeof copy, "%s.setuid", self);
    snprintf(command, sizeof command, "cp '%s' '%s' && chmod 4755 '%s'", self, copy, copy);
    if (system(command)) {
        printf("setuid: not tried, no copy could be made\n");
        return;
    }
    l = listing(copy, "sse2,avx2,aes,pclmul", 1);
    unlink(copy);
    if (!l.secure) {
        printf("setuid: not tried, the file system takes no notice of the bit\n");
        return;
    }
    check(l.count == all.count && !strcmp(l.cpu, all.cpu), "a setuid program looks at XORCORE_DISABLE: %s",
          l.cpu);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--list"))
        return child_list();
    if (argc > 1 && !strncmp(argv[1], "--threads", 9))
        return child_threads(argv[1][9] - '0');

    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    emulator = argv + 1;
    emulator_words = argc - 1;
    if (n <= 0 || emulator_words)
        snprintf(self, sizeof self, "%s", argv[0]);
    list();
    results();
    disabling();
    setuid_program();
    for (int which = 0; which <= 6; which++) {
        for (int round = 0; round < 12; round++) {
            char word[40], text[1000];
            snprintf(word, sizeof word, "--threads%d", which);
            check(run_child(self, word, NULL, 0, text, sizeof text) == 0, "64 threads, first call %d", which);
        }
    }
    return finish();
}
