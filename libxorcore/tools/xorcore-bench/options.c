/* options.c — the command line of xorcore-bench, and the peers that it names. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options want = { .keys = { 128, 256 }, .keys_count = 2, .budget_ms = 200 };

static const char usage[] =
    "usage: xorcore-bench [--list] [--op OP[,OP]] [--key 128|256] [--size N[,N]] [--kernel NAME]\n"
    "                     [--peers LIST] [--time MS] [--json] [--ceilings] [--plot FILE.svg]\n"
    "                     [--check LIST]\n"
    "  --list      the operations and the peers, with those that are absent here\n"
    "  --peers     names with commas, NAME=FILE for another libcrypto, or none (all that are here);\n"
    "              openssl-no-aes and openssl-c are libcrypto as it is on lesser CPUs\n"
    "  --kernel    the name without its family, as xorcore-info prints it: aesni\n"
    "  --time      milliseconds for one line's measurement (200)\n"
    "  --json      a line of JSON for each line of the table\n"
    "  --ceilings  with --json: lines of the ceilings too (impl \"ceiling\", kernel what and how wide)\n"
    "  --plot      writes the speeds of all sizes as a plot too\n"
    "  --check     instead of tables: cliffs,rows,misaligned,parity,mask,keys or all: what a caller must\n"
    "              not meet, each with its worst place\n"
    "A line: operation, bits of key, bytes, who, the best batch's time and speed, the median's time, the\n"
    "best speed in percent of this CPU's ceiling, and the kernel; of a peer its time over ours.\n";

/* ---- peers --------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*load)(struct peer *, const char *file);
    int usual;    /* taken when no list is given */
    int own_file; /* NAME=FILE is that library, from another file */
} known_peers[] = {
    { "openssl", openssl_load, 1, 1 },        { "libgcrypt", libgcrypt_load, 1, 1 },
    { "nettle", nettle_load, 1, 1 },          { "isal", isal_load, 1, 1 },
    { "ipsec-mb", ipsec_mb_load, 1, 1 },      { "memcpy", plain_load, 1, 0 },
    { "go-sse2", plain_load, 1, 0 },          { "gcc-loop", plain_load, 1, 0 },
    { "openssl-no-aes", openssl_load, 0, 1 }, { "openssl-c", openssl_load, 0, 1 },
};

enum {
    KNOWN_PEERS = sizeof known_peers / sizeof known_peers[0]
};

/* One process has one libcrypto, and it asks only once which CPU this is. */
static void check_one_openssl(const char *name)
{
    for (size_t i = 0; i < want.peers_count; i++) {
        const char *other = want.peers[i].name;
        if (strncmp(name, "openssl", 7) == 0 && strncmp(other, "openssl", 7) == 0 && strcmp(name, other) != 0)
            stop("the system's libcrypto is one CPU's in one process; not both: openssl and ", name);
    }
}

static void add_peer(const char *name, const char *file)
{
    size_t k = 0;
    while (k < KNOWN_PEERS && strcmp(name, known_peers[k].name) != 0)
        k++;
    if (want.peers_count == PEERS_MAX)
        stop("too many peers", "");
    if (k < KNOWN_PEERS ? file && !known_peers[k].own_file : !file)
        stop("unknown peer ", name);
    check_one_openssl(name);
    struct peer *p = &want.peers[want.peers_count++];
    p->name = name;
    (k < KNOWN_PEERS ? known_peers[k].load : openssl_load)(p, file);
}

static void add_peers(char *list)
{
    if (!list)
        for (size_t i = 0; i < KNOWN_PEERS; i++)
            if (known_peers[i].usual)
                add_peer(known_peers[i].name, NULL);
    if (!list || strcmp(list, "none") == 0)
        return;
    for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
        char *file = strchr(word, '=');
        if (file)
            *file++ = 0;
        add_peer(word, file);
    }
}

/* ---- lists --------------------------------------------------------------------------------------------- */

int in_list(const char *list, const char *word)
{
    const size_t len = strlen(word);
    for (const char *p = list; *p;) {
        const size_t n = strcspn(p, ",");
        if (n == len && memcmp(p, word, n) == 0)
            return 1;
        p += n + (p[n] != 0);
    }
    return 0;
}

static void read_sizes(const char *list)
{
    for (const char *p = list; *p;) {
        char *end;
        const unsigned long long n = strtoull(p, &end, 10);
        if (end == p || (*end && *end != ',') || *p == '-' || n > (unsigned long long)1 << 32)
            stop("a size is a number of bytes, not ", p);
        if (want.sizes_count == SIZES_MAX)
            stop("too many sizes", "");
        want.sizes[want.sizes_count++] = (size_t)n;
        p = *end ? end + 1 : end;
    }
}

static void check_ops(const char *list)
{
    for (const char *p = list; *p;) {
        const size_t n = strcspn(p, ",");
        int found = 0;
        for (size_t i = 0; i < ops_count; i++)
            found |= strlen(ops[i].name) == n && memcmp(p, ops[i].name, n) == 0;
        if (!found)
            stop("unknown operation (--list has them): ", p);
        p += n + (p[n] != 0);
    }
}

/* ---- the options --------------------------------------------------------------------------------------- */

static void read_key(const char *value)
{
    want.keys[0] = atoi(value);
    want.keys_count = 1;
    if (want.keys[0] != 128 && want.keys[0] != 256)
        stop("a key has 128 or 256 bits, not ", value);
}

static void read_time(const char *value)
{
    char *end;
    want.budget_ms = strtod(value, &end);
    if (*end || !(want.budget_ms >= 0))
        stop("a time is a number of milliseconds, not ", value);
}

static void print_list(void)
{
    for (size_t i = 0; i < ops_count; i++)
        printf("%-18s %s\n", ops[i].name, ops[i].about);
    for (size_t i = 0; i < want.peers_count; i++) {
        const struct peer *p = &want.peers[i];
        printf("peer %-13s %s%s\n", p->name, p->absent ? "absent: " : "",
               p->absent       ? p->absent
               : p->version[0] ? p->version
                               : "here");
    }
}

void read_options(int argc, char **argv)
{
    char *peers = NULL;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (strcmp(option, "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        int *flag = strcmp(option, "--list") == 0       ? &want.list
                    : strcmp(option, "--json") == 0     ? &want.json
                    : strcmp(option, "--ceilings") == 0 ? &want.ceilings
                                                        : NULL;
        if (flag) {
            *flag = 1;
            continue;
        }
        if (i + 1 == argc || strncmp(option, "--", 2) != 0) {
            fputs(usage, stderr);
            stop("unknown argument, or one without its value: ", option);
        }
        char *value = argv[++i];
        if (strcmp(option, "--op") == 0) {
            check_ops(want.ops = value);
        } else if (strcmp(option, "--key") == 0) {
            read_key(value);
        } else if (strcmp(option, "--size") == 0) {
            read_sizes(value);
        } else if (strcmp(option, "--kernel") == 0) {
            want.kernel = value;
        } else if (strcmp(option, "--peers") == 0) {
            peers = value;
        } else if (strcmp(option, "--time") == 0) {
            read_time(value);
        } else if (strcmp(option, "--plot") == 0) {
            want.plot_file = value;
        } else if (strcmp(option, "--check") == 0) {
            want.check = value;
        } else {
            fputs(usage, stderr);
            stop("unknown argument ", option);
        }
    }
    add_peers(peers);
    if (want.list) {
        print_list();
        exit(0);
    }
}
