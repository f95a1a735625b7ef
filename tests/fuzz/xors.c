/* xors.c — the XOR calls against their definition, a byte at a time; and the calls that answer with words. */
#include "fuzz.h"

#include <stdlib.h>

/* NULL stands for the call without a kernel's name; any string rarely, and then it is the same for both. */
static int take_xor_kernels(const char *names[2])
{
    static const char *const odd[] = { "",        "+",        "portable+portable",
                                       "aesni",   "composed", "xor/portable",
                                       "Portable" };
    xorcore_kernel k;
    if (take_chance(6)) {
        names[0] = names[1] = odd[take8() % (sizeof odd / sizeof odd[0])];
    } else {
        const char *rows[64];
        size_t n = 0;
        for (size_t i = 0; xorcore_kernel_at(i, &k, sizeof k) == XORCORE_OK && n < 64; i++)
            if (!strcmp(k.family, "xor") && k.flags & XORCORE_KERNEL_RUNS)
                rows[n++] = k.name;
        for (int side = 0; side < 2; side++)
            names[side] = take_chance(60) ? NULL : rows[take8() % n];
    }
    return names[0] && kernel_exists("xor", names[0], strlen(names[0])) != 1 ? XORCORE_E_KERNEL : XORCORE_OK;
}

static void compare(enum call call, const int got[2], int due, struct where dst, const uint8_t *sum)
{
    both_must(call, got, due);
    if (!due && dst.n && memcmp(arena[0] + dst.at, sum, dst.n))
        wrong("not the XOR");
    unchanged_but("xor", &dst, !due);
}

static uint8_t sum[ARENA];

static void two_op(void)
{
    const size_t n = take_length();
    const struct where dst = take_where(n, NULL, 0), a = take_where(n, &dst, 120),
                       b = take_where(n, &dst, 120);
    const char *names[2];
    const int kernel = take_xor_kernels(names);
    int due = missing(dst) || missing(a) || missing(b) ? XORCORE_E_ARG : kernel, got[2];
    if (!due && (partly(dst, a) || partly(dst, b)))
        due = XORCORE_E_OVERLAP;
    if ((!due && (!fits(dst) || !fits(a) || !fits(b))) || (due == XORCORE_E_OVERLAP && n > SIZE_MAX / 2))
        return;
    keep();
    for (size_t i = 0; !due && i < n; i++)
        sum[i] = before[a.at + i] ^ before[b.at + i];
    for (int side = 0; side < 2; side++) {
        uint8_t *d = pointer(side, dst);
        const uint8_t *x = pointer(side, a), *y = pointer(side, b);
        got[side] = names[side] ? xorcore_xor_on(names[side], d, x, y, n) : xorcore_xor(d, x, y, n);
    }
    compare(CALL_XOR, got, due, dst, sum);
}

static void many_op(void)
{
    enum {
        MOST = 40
    };
    const size_t n = take_length(), count = take_chance(6) ? 0 : 1 + take_mostly(7, MOST);
    const struct where dst = take_where(n, NULL, 0);
    const int no_list = take_chance(4);
    struct where src[MOST];
    const char *names[2];
    int due = take_xor_kernels(names), got[2], wild = !fits(dst), nulls = !count || no_list || missing(dst),
        overlap = 0;
    for (size_t k = 0; k < count; k++) {
        src[k] = take_where(n, &dst, 60);
        src[k].null &= count < 8 || !n; /* or there would be one nearly always */
        wild |= !fits(src[k]);
        nulls |= missing(src[k]);
        overlap |= partly(dst, src[k]);
    }
    due = nulls ? XORCORE_E_ARG : due ? due : overlap ? XORCORE_E_OVERLAP : XORCORE_OK;
    if ((!due && wild) || (due == XORCORE_E_OVERLAP && n > SIZE_MAX / 2))
        return;
    keep();
    for (size_t i = 0; !due && i < n; i++) {
        sum[i] = 0;
        for (size_t k = 0; k < count; k++)
            sum[i] ^= before[src[k].at + i];
    }
    for (int side = 0; side < 2; side++) {
        const uint8_t **list = malloc((count + 1) * sizeof *list);
        if (!list)
            abort();
        for (size_t k = 0; k < count; k++)
            list[k] = pointer(side, src[k]);
        uint8_t *d = pointer(side, dst);
        const uint8_t *const *s = no_list ? NULL : list;
        got[side] =
            names[side] ? xorcore_xor_many_on(names[side], d, s, count, n) : xorcore_xor_many(d, s, count, n);
        free(list);
    }
    compare(CALL_XOR_MANY, got, due, dst, sum);
}

/* The list of sources is read all the while: dst may lie right before or behind it, and nowhere in it. */
static void list_op(void)
{
    enum {
        MOST = 5
    };
    const uint8_t *list[MOST * 3], *kept[MOST * 3];
    const size_t count = 1 + take8() % MOST, n = 1 + take_below(sizeof list / 3);
    uint8_t *dst = (uint8_t *)list + take_below(sizeof list - n + 1);
    const size_t from = MOST * sizeof *list, to = from + count * sizeof *list;
    const size_t at = (size_t)(dst - (uint8_t *)list);
    const char *names[2];
    for (size_t i = 0; i < MOST * 3; i++)
        list[i] = arena[0] + take_below(ARENA - n);
    memcpy(kept, list, sizeof list);
    const int kernel = take_xor_kernels(names), due = kernel                     ? kernel
                                                      : at < to && from < at + n ? XORCORE_E_OVERLAP
                                                                                 : 0;
    const int got = xorcore_xor_many_on(names[0], dst, list + MOST, count, n);
    if (got != due || (due && memcmp(list, kept, sizeof list)))
        wrong("dst beside the list, or in it: %s and not %s", xorcore_result_name(got),
              xorcore_result_name(due));
    for (size_t i = 0; !due && i < n; i++) {
        uint8_t byte = 0;
        for (size_t k = 0; k < count; k++)
            byte ^= kept[MOST + k][i];
        if (dst[i] != byte)
            wrong("not the XOR, beside the list");
    }
}

/* (count - 1) * stride + n by additions of halves, so that it is not the library's own arithmetic. */
static int over(size_t stride, size_t count, size_t n)
{
    if (count == 1 || !stride)
        return 0;
    return stride > (SIZE_MAX - n) / (count - 1);
}

static void strided_op(void)
{
    size_t n = take_length(), stride, count;
    const uint8_t kind = take8();
    stride = kind & 1 ? n : kind & 2 ? n + take_below(40) : kind & 4 ? take_below(40) : take_length();
    count = 1 + take_mostly(7, 100);
    if (take_chance(6))
        count = 0;
    else if (take_chance(8))
        count = (size_t)take_64();
    struct where src = take_where(n, NULL, 0), dst = take_where(n, &src, 100);
    const char *names[2];
    int due = take_xor_kernels(names), got[2];
    const int arg = !count || missing(dst) || missing(src) || over(stride, count, n);
    const size_t span = arg ? 0 : (count - 1) * stride + n;
    const int wild = span > ARENA;
    if (!arg && !wild && !src.null && n) {
        if (src.at > ARENA - span)
            src.at = ARENA - span;
        if (take_chance(120)) /* dst is one of the sources */
            dst.at = src.at + (stride ? take_below(count) * stride : 0);
        if (take_chance(20) && dst.at + n + 1 <= ARENA)
            dst.at++;
    }
    int overlap = 0;
    for (size_t k = 0; !arg && !wild && n && k < (stride ? count : 1); k++)
        overlap |= partly(dst, (struct where){ src.null, src.at + k * stride, n });
    due = arg ? XORCORE_E_ARG : due ? due : overlap ? XORCORE_E_OVERLAP : XORCORE_OK;
    if (due != XORCORE_E_ARG && n && (wild || !fits(dst) || (due && !stride && n > SIZE_MAX / 2)))
        return;
    keep();
    for (size_t i = 0; !due && i < n; i++) {
        sum[i] = 0;
        for (size_t k = 0; k < (stride ? count : count & 1); k++)
            sum[i] ^= before[src.at + k * stride + i];
    }
    for (int side = 0; side < 2; side++) {
        uint8_t *d = pointer(side, dst);
        const uint8_t *s = pointer(side, src);
        got[side] = names[side] ? xorcore_xor_strided_on(names[side], d, s, stride, count, n)
                                : xorcore_xor_strided(d, s, stride, count, n);
    }
    compare(CALL_XOR_STRIDED, got, due, dst, sum);
}

static void repeat_op(void)
{
    const size_t n = take_length(), key_len = take_chance(200) ? take_below(256) : take_length();
    const uint64_t phase = take_64();
    const struct where src = take_where(n, NULL, 0), dst = take_where(n, &src, 120),
                       key = take_where(key_len, &dst, 16);
    const char *names[2];
    int due = take_xor_kernels(names), got[2];
    if (missing(src) || missing(dst) || missing(key))
        due = XORCORE_E_ARG;
    else if (!key_len)
        due = XORCORE_E_KEY_LENGTH;
    else if (!due && (partly(dst, src) || touch(dst, key)))
        due = XORCORE_E_OVERLAP;
    if ((!due && n && (!fits(src) || !fits(dst) || !fits(key))) ||
        (due == XORCORE_E_OVERLAP && (n > SIZE_MAX / 2 || key_len > SIZE_MAX / 2)))
        return;
    keep();
    size_t at = key_len ? (size_t)(phase % key_len) : 0;
    for (size_t i = 0; !due && i < n; i++) {
        sum[i] = before[src.at + i] ^ before[key.at + at];
        at = at + 1 == key_len ? 0 : at + 1;
    }
    for (int side = 0; side < 2; side++) {
        uint8_t *d = pointer(side, dst);
        const uint8_t *s = pointer(side, src), *k = pointer(side, key);
        got[side] = names[side] ? xorcore_xor_repeat_on(names[side], d, s, n, k, key_len, phase)
                                : xorcore_xor_repeat(d, s, n, k, key_len, phase);
    }
    compare(CALL_XOR_REPEAT, got, due, dst, sum);
}

static void equal_op(void)
{
    const size_t n = take_length();
    const struct where a = take_where(n, NULL, 0), b = take_where(n, &a, 200);
    int due = !missing(a) && !missing(b);
    if (due && n) {
        if (!fits(a) || !fits(b))
            return;
        due = !memcmp(arena[0] + a.at, arena[0] + b.at, n);
    }
    for (int side = 0; side < 2; side++)
        if (xorcore_equal(pointer(side, a), pointer(side, b), n) != due)
            wrong("equal is not %d", due);
}

void xor_op(void)
{
    static void (*const ops[])(void) = { two_op, many_op, list_op, strided_op, repeat_op, equal_op };
    ops[take8() % (sizeof ops / sizeof ops[0])]();
}

/* ---- words ------------------------------------------------------------------------------------------ */

void strings_op(void)
{
    const size_t size = take8(), index = take_chance(128) ? take8() : (size_t)take_64();
    const int result = take_chance(128) ? -(int)(take8() % 20) : (int)take_64();
    uint8_t *p = malloc(size + 1);
    if (!p)
        abort();
    memset(p, 0x77, size + 1);
    const int good = index < xorcore_kernel_count() && size >= sizeof(xorcore_kernel);
    if (xorcore_kernel_at(index, (xorcore_kernel *)(void *)p, size) != (good ? XORCORE_OK : XORCORE_E_ARG) ||
        xorcore_kernel_at(index, NULL, sizeof(xorcore_kernel)) != XORCORE_E_ARG)
        wrong("kernel_at(%zu, %zu)", index, size);
    for (size_t i = good ? sizeof(xorcore_kernel) : 0; i < size; i++)
        if (p[i] != (good ? 0 : 0x77))
            wrong("kernel_at wrote byte %zu", i);
    if (p[size] != 0x77)
        wrong("kernel_at wrote behind its struct");
    free(p);
    const int known = result <= 0 && result > -RESULTS;
    if (!xorcore_result_name(result) || !xorcore_result_text(result) ||
        known != !!strcmp(xorcore_result_name(result), "UNKNOWN"))
        wrong("result %d", result);
    if (!xorcore_cpu() || xorcore_abi() != 1 || !xorcore_version())
        wrong("no words");
}
