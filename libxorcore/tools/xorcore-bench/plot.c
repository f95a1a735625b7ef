/* plot.c — a plain SVG: one panel an operation and key, gigabytes a second over size, a line an implementation. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 420,
    HEIGHT = 250,
    LEFT = 48,
    RIGHT = 12,
    TOP = 28,
    BOTTOM = 34,
    COLUMNS = 2,
    NAMES_MAX = 16
};

static const char *const colours[] = { "#0b62a4", "#c0392b", "#2e8b57", "#8e44ad",
                                       "#b9770e", "#555555", "#16a085" };

static int same_panel(const struct point *a, const struct point *b)
{
    return strcmp(a->op, b->op) == 0 && a->key_bits == b->key_bits;
}

static double log_size(const struct point *p) { return log2((double)(p->size ? p->size : 1)); }

static void panel(FILE *f, const struct point *points, size_t count, const struct point *of, int x, int y)
{
    const char *names[NAMES_MAX];
    size_t names_count = 0;
    double low = 1e9, high = 0, top = 0;
    for (size_t i = 0; i < count; i++) {
        const struct point *p = &points[i];
        if (!same_panel(p, of))
            continue;
        low = log_size(p) < low ? log_size(p) : low;
        high = log_size(p) > high ? log_size(p) : high;
        top = p->gbps > top ? p->gbps : top;
        size_t k = 0;
        while (k < names_count && strcmp(names[k], p->impl) != 0)
            k++;
        if (k == names_count && names_count < NAMES_MAX)
            names[names_count++] = p->impl;
    }
    const double across = WIDTH - LEFT - RIGHT, down = HEIGHT - TOP - BOTTOM;
    const double per_size = high > low ? across / (high - low) : 0, per_gbps = top > 0 ? down / top : 0;

    fprintf(f, "<g transform=\"translate(%d,%d)\">\n<text x=\"%d\" y=\"16\" font-weight=\"bold\">%s", x, y,
            LEFT, of->op);
    if (of->key_bits)
        fprintf(f, "-%d", of->key_bits);
    fprintf(f, "</text>\n<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#888\"/>\n", LEFT, TOP,
            HEIGHT - BOTTOM, WIDTH - RIGHT);
    for (int i = 0; i <= 4; i++)
        fprintf(f, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%.3g</text>\n", LEFT - 4,
                HEIGHT - BOTTOM - down * i / 4 + 4, top * i / 4);
    for (double at = ceil(low); at <= high; at += high - low > 8 ? 3 : 1)
        fprintf(f, "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n",
                LEFT + (at - low) * per_size, HEIGHT - BOTTOM + 14, exp2(at));
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">bytes</text><text x=\"4\" y=\"%d\">GB/s</text>\n",
            WIDTH - RIGHT, HEIGHT - 6, TOP - 8);
    for (size_t k = 0; k < names_count; k++) {
        const char *colour = colours[k % (sizeof colours / sizeof colours[0])];
        fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%d\" points=\"", colour, k ? 1 : 2);
        for (size_t i = 0; i < count; i++)
            if (same_panel(&points[i], of) && strcmp(points[i].impl, names[k]) == 0)
                fprintf(f, "%.1f,%.1f ", LEFT + (log_size(&points[i]) - low) * per_size,
                        HEIGHT - BOTTOM - points[i].gbps * per_gbps);
        fprintf(f, "\"/>\n<text x=\"%d\" y=\"%zu\" fill=\"%s\">%s</text>\n", LEFT + 10, TOP + 12 + 13 * k,
                colour, names[k]);
    }
    fprintf(f, "</g>\n");
}

int plot(const char *file, const struct point *points, size_t count)
{
    size_t panels = 0;
    for (size_t i = 0; i < count; i++)
        panels += i == 0 || !same_panel(&points[i], &points[i - 1]);
    FILE *f = fopen(file, "w");
    if (!f)
        return 0;
    fprintf(
        f,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        COLUMNS * WIDTH, (panels + COLUMNS - 1) / COLUMNS * HEIGHT);
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !same_panel(&points[i], &points[i - 1])) {
            panel(f, points, count, &points[i], (int)(at % COLUMNS) * WIDTH, (int)(at / COLUMNS) * HEIGHT);
            at++;
        }
    fprintf(f, "</svg>\n");
    const int bad = ferror(f);
    return fclose(f) == 0 && !bad;
}
