/* large.c — lengths around 2^31 and 2^32 in one call, where a length that is kept in 32 bits shows.
 *
 *     api_large [--all]
 *
 * The buffers are a window of memory mapped again and again, with a tail of pages of their own: whoever stops
 * early, wraps or begins again leaves the tail or the tag wrong. What the call must give is computed by the same
 * library in pieces of a few MiB, whose lengths the other tests have checked. --all adds the serial modes,
 * which take some seconds each. What there is no address space, memory or time for is named. */
#include "test.h"

#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#define G ((uint64_t)1 << 30)
enum {
    WINDOW = 4 << 20,
    TAIL = 2 << 20,
    PIECE = (3 << 20) + 4096
};

static uint8_t key[64], nonce[24], aad[40];

/* Of this process's own time, so that a busy machine does not leave out what a quiet one does. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- large buffers of little memory ----------------------------------------------------------------- */

struct large {
    uint8_t *at;
    size_t mapped, tail; /* the tail begins here */
};

/* n bytes; NULL in `at` when it cannot be had. */
static struct large large_new(uint64_t n, unsigned seed)
{
    struct large l = { NULL, 0, 0 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (n + TAIL + WINDOW > SIZE_MAX / 2)
        return l;
    int fd = memfd_create("window", 0);
    if (fd < 0 || ftruncate(fd, WINDOW))
        return l;
    l.mapped = ((size_t)n + page - 1) / page * page;
    l.tail = (l.mapped - TAIL) / WINDOW * WINDOW;
    uint8_t *p =
        mmap(NULL, l.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        close(fd);
        return l;
    }
    for (size_t at = 0; at < l.tail; at += WINDOW) {
        if (mmap(p + at, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0) ==
            MAP_FAILED) {
            munmap(p, l.mapped);
            close(fd);
            return l;
        }
    }
    close(fd);
    l.at = p;
    for (size_t i = 0; i < WINDOW + (l.mapped - l.tail); i++) {
        uint8_t *byte = i < WINDOW ? p + i : p + l.tail + (i - WINDOW);
        seed = seed * 1664525u + 1013904223u;
        *byte = (uint8_t)(seed >> 24);
    }
    return l;
}

static void large_free(struct large *l)
{
    if (l->at)
        munmap(l->at, l->mapped);
    l->at = NULL;
}

static void left_out(const char *what, const char *why) { printf("left out: %s (%s)\n", what, why); }

/* ---- XOR -------------------------------------------------------------------------------------------- */

static void xor_of(uint64_t n)
{
    struct large a = large_new(n, 1), b = large_new(n, 2), out = large_new(n, 3);
    size_t len = (size_t)n, key_len = 1000003;
    uint8_t *mask = malloc(key_len);
    if (!a.at || !b.at || !out.at || !mask) {
        left_out("XOR of more than 2 GiB", "no address space");
    } else {
        const uint8_t *sources[3] = { a.at, b.at, a.at };
        size_t wrong = 0;
        random_bytes(mask, key_len);

        check_result(xorcore_xor(out.at, a.at, b.at, len), XORCORE_OK, "xor of %llu bytes",
                     (unsigned long long)n);
        for (size_t i = out.tail; i < len; i++)
            wrong += out.at[i] != (a.at[i] ^ b.at[i]);
        for (size_t i = 0; i < WINDOW; i++)
            wrong += out.at[i] != (a.at[i] ^ b.at[i]);
        check(!wrong, "xor of %llu bytes: %zu are wrong", (unsigned long long)n, wrong);

        check_result(xorcore_xor_many(out.at, sources, 3, len), XORCORE_OK, "xor_many of %llu bytes",
                     (unsigned long long)n);
        wrong = 0;
        for (size_t i = out.tail; i < len; i++)
            wrong += out.at[i] != b.at[i];
        check(!wrong, "xor_many of %llu bytes: %zu are wrong", (unsigned long long)n, wrong);

        uint64_t phase = UINT64_MAX - 5;
        check_result(xorcore_xor_repeat(out.at, a.at, len, mask, key_len, phase), XORCORE_OK,
                     "xor_repeat of %llu bytes", (unsigned long long)n);
        wrong = 0;
        for (size_t i = out.tail; i < len; i++)
            wrong += out.at[i] != (a.at[i] ^ mask[(phase % key_len + i) % key_len]);
        check(!wrong, "xor_repeat of %llu bytes: %zu are wrong", (unsigned long long)n, wrong);

        memcpy(out.at, a.at, WINDOW);
        memcpy(out.at + out.tail, a.at + a.tail, len - out.tail);
        check(xorcore_equal(a.at, out.at, len) == 1, "equal: %llu bytes", (unsigned long long)n);
        out.at[len - 1] ^= 1;
        check(xorcore_equal(a.at, out.at, len) == 0, "equal: the last of %llu bytes", (unsigned long long)n);
        /* One byte of overlap at the far end. */
        check_result(xorcore_xor(out.at, a.at, out.at + 1, len - 1), XORCORE_E_OVERLAP,
                     "xor of %llu bytes over itself", (unsigned long long)n);
    }
    free(mask);
    large_free(&a);
    large_free(&b);
    large_free(&out);
}

/* ---- ciphers, AEADs, MACs ------------------------------------------------------------------------------ */

static const uint8_t *iv_of(const struct algorithm *a) { return a->nonce ? nonce : NULL; }

/* The message in pieces, into `out`, and its tag. */
static int in_pieces(const struct algorithm *a, const void *object, int direction, uint8_t *out,
                     const uint8_t *in, size_t n, uint8_t tag[16])
{
    xorcore_stream *s = NULL;
    int result;
    if (a->noun == AEAD)
        result = xorcore_stream_new_aead(&s, object, direction, nonce, a->nonce);
    else if (a->noun == CIPHER)
        result = xorcore_stream_new_cipher(&s, object, direction, iv_of(a), a->nonce);
    else
        result = xorcore_stream_new_mac(&s, object, iv_of(a), a->nonce);
    if (!result && a->noun == AEAD)
        result = xorcore_stream_lengths(s, sizeof aad, n);
    if (!result && a->noun == AEAD)
        result = xorcore_stream_aad(s, aad, sizeof aad);
    for (size_t at = 0; at < n && !result; at += PIECE)
        result = xorcore_stream_update(s, a->noun == MAC ? NULL : out + at, in + at,
                                       n - at < PIECE ? n - at : PIECE);
    if (!result && a->noun != CIPHER)
        result = xorcore_stream_finish(s, tag, 16);
    xorcore_stream_free(s);
    return result;
}

static int at_once(const struct algorithm *a, const void *object, int direction, uint8_t *out,
                   const uint8_t *in, size_t n, uint8_t tag[16])
{
    if (a->noun == AEAD)
        return xorcore_aead_seal(object, out, tag, 16, nonce, a->nonce, in, n, aad, sizeof aad);
    if (a->noun == MAC)
        return xorcore_mac_compute(object, tag, 16, iv_of(a), a->nonce, in, n);
    return (direction ? xorcore_cipher_encrypt : xorcore_cipher_decrypt)(object, out, iv_of(a), a->nonce, in,
                                                                         n);
}

static void message_of(const struct algorithm *a, int direction, uint64_t n, double seconds)
{
    char what[100];
    uint8_t tag[16] = { 0 }, want_tag[16] = { 0 };
    snprintf(what, sizeof what, "%s %s of %llu bytes", a->name, direction ? "forward" : "backward",
             (unsigned long long)n);
    struct algorithm wide = *a;
    if (a->id == XORCORE_AES_CCM)
        wide.nonce = 8; /* leaves 7 bytes for the length */
    struct large in = large_new(n, 4), out = large_new(n, 5), want = large_new(n, 6);
    size_t len = (size_t)n;
    if (!in.at || !out.at || !want.at) {
        left_out(what, "no address space");
    } else {
        void *object = make_object(a, NULL, key, a->key);
        /* How fast it is here decides whether there is time for it. */
        double begin = now();
        at_once(&wide, object, direction, out.at, in.at, WINDOW, tag);
        double estimate = 3 * (now() - begin) * (double)n / WINDOW;
        if (estimate > seconds) {
            char why[80];
            snprintf(why, sizeof why, "it would take %.0f s here", estimate);
            left_out(what, why);
        } else {
            check_result(at_once(&wide, object, direction, out.at, in.at, len, tag), XORCORE_OK, "%s", what);
            if (a->streams) {
                check_result(in_pieces(&wide, object, direction, want.at, in.at, len, want_tag), XORCORE_OK,
                             "%s, in pieces", what);
                check(!memcmp(tag, want_tag, 16), "%s: another tag than in pieces", what);
                if (a->noun != MAC) {
                    check(!memcmp(out.at + out.tail, want.at + want.tail, len - out.tail),
                          "%s: another end than in pieces", what);
                    check(!memcmp(out.at, want.at, WINDOW), "%s: other bytes than in pieces", what);
                }
            }
            if (a->noun == AEAD && !a->streams) {
                /* There and back needs a text that is all there: the tail alone is. */
                left_out("its bytes", "GCM-SIV has no pieces to compare with; the tag was made");
            }
            if (a->noun == MAC) {
                check_result(xorcore_mac_verify(object, want_tag, 16, iv_of(a), a->nonce, in.at, len),
                             XORCORE_OK, "%s, verified", what);
                in.at[len - 1] ^= 1;
                check_result(xorcore_mac_verify(object, want_tag, 16, iv_of(a), a->nonce, in.at, len),
                             XORCORE_E_AUTH, "%s, the last byte wrong", what);
            }
        }
        free_object(a, object);
    }
    large_free(&in);
    large_free(&out);
    large_free(&want);
}

static const struct algorithm *algorithm(int id)
{
    for (size_t i = 0; i < algorithm_count; i++)
        if (algorithms[i].id == id)
            return &algorithms[i];
    printf("FAILED no algorithm %d\n", id);
    exit(1);
}

int main(int argc, char **argv)
{
    static const uint64_t sizes[] = { 2 * G - 1, 2 * G, 2 * G + 1, 4 * G - 1, 4 * G, 4 * G + 5 };
    int all = argc > 1 && !strcmp(argv[1], "--all");
    double seconds = all ? 60 : 30;
    struct sysinfo info;
    random_bytes(key, sizeof key);
    random_bytes(nonce, sizeof nonce);
    random_bytes(aad, sizeof aad);

    if (sizeof(size_t) < 8) {
        left_out("all of it", "lengths have 32 bits here");
        check(1, "nothing");
        return finish();
    }
    /* Page tables and windows take less than 100 MiB. */
    if (!sysinfo(&info) &&
        (double)info.freeram * info.mem_unit + (double)info.bufferram * info.mem_unit < 200e6) {
        left_out("all of it", "less than 200 MB of memory are free");
        check(1, "nothing");
        return finish();
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (all || i == 1 || i == 5)
            xor_of(sizes[i]);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (i != 5 && !(all && i == 1))
            continue;
        message_of(algorithm(XORCORE_AES_GCM), 1, sizes[i], seconds);
        message_of(algorithm(XORCORE_AES_CTR), 1, sizes[i], seconds);
        message_of(algorithm(XORCORE_AES_GMAC), 1, sizes[i], seconds);
    }
    if (all) {
        for (size_t i = 0; i < algorithm_count; i++) {
            const struct algorithm *a = &algorithms[i];
            if (a->id == XORCORE_AES_GCM || a->id == XORCORE_AES_CTR || a->id == XORCORE_AES_GMAC ||
                a->id == XORCORE_AES_XTS || a->id == XORCORE_AES_CFB8)
                continue; /* done; a unit of 2^24 at most; sixteen times the work of CFB128 */
            uint64_t n = 4 * G + (a->unit == 16 ? 16 : 5);
            message_of(a, 1, n, seconds);
            if (a->noun == CIPHER)
                message_of(a, 0, n, seconds);
        }
    }
    return finish();
}
