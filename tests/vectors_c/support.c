/* support.c — buffers with guards, digests, SHAKE128, the pieces of a plan. */
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- buffers ------------------------------------------------------------------------------------------ */

enum { ALIGNED = 64, GUARD = 32, GUARD_BYTE = 0xc3, UNWRITTEN = 0xa5 };

static uint8_t *scratch_take(struct scratch *scratch, size_t n, size_t offset)
{
    if (scratch->count == SCRATCH_MAX) {
        fprintf(stderr, "vectors: more buffers than SCRATCH_MAX in one run\n");
        exit(2);
    }
    uint8_t *base = malloc(2 * ALIGNED + offset + n + GUARD);
    if (!base) {
        fprintf(stderr, "vectors: no memory\n");
        exit(2);
    }
    size_t before = 2 * ALIGNED - (uintptr_t)base % ALIGNED + offset;
    memset(base, GUARD_BYTE, before);
    memset(base + before + n, GUARD_BYTE, GUARD);
    scratch->blocks[scratch->count].base = base;
    scratch->blocks[scratch->count].before = before;
    scratch->blocks[scratch->count].n = n;
    scratch->count++;
    return base + before;
}

uint8_t *scratch_in(struct scratch *scratch, const uint8_t *bytes, size_t n, size_t offset)
{
    uint8_t *at = scratch_take(scratch, n, offset);
    if (n)
        memcpy(at, bytes, n);
    return at;
}

uint8_t *scratch_out(struct scratch *scratch, size_t n, size_t offset)
{
    uint8_t *at = scratch_take(scratch, n, offset);
    memset(at, UNWRITTEN, n);
    return at;
}

const char *scratch_close(struct scratch *scratch, const char *why)
{
    for (size_t i = 0; i < scratch->count; i++) {
        uint8_t *base = scratch->blocks[i].base;
        size_t before = scratch->blocks[i].before, n = scratch->blocks[i].n;
        if (!why && !all_bytes(base, before, GUARD_BYTE))
            why = "bytes before a buffer were written";
        if (!why && !all_bytes(base + before + n, GUARD, GUARD_BYTE))
            why = "bytes behind a buffer were written";
        free(base);
    }
    scratch->count = 0;
    return why;
}

int all_bytes(const uint8_t *bytes, size_t n, uint8_t value)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != value)
            return 0;
    }
    return 1;
}

int text_is(const struct text *text, const uint8_t *bytes, size_t n)
{
    if (text->n != n)
        return 0;
    if (!text->digest)
        return n == 0 || memcmp(text->p, bytes, n) == 0;
    uint8_t digest[32];
    sha256(digest, bytes, n);
    return memcmp(text->p, digest, sizeof digest) == 0;
}

/* ---- plans -------------------------------------------------------------------------------------------- */

const struct plan *default_plan(const struct test *test)
{
    static size_t sizes[8][4] = {
        { 1 },         { 16 },     { 17, 1, 64 }, { 63, 64, 65 }, { 0, 15, 33 }, { 1, 255, 1, 256 },
        { 48, 80, 7 }, { 511, 2 },
    };
    static const struct plan plans[8] = {
        { sizes[0], 1 }, { sizes[1], 1 }, { sizes[2], 3 }, { sizes[3], 3 },
        { sizes[4], 3 }, { sizes[5], 4 }, { sizes[6], 3 }, { sizes[7], 2 },
    };
    return &plans[test->id % 8];
}

void pieces_start(struct pieces *pieces, const struct plan *plan, size_t unit, size_t n)
{
    *pieces = (struct pieces){ plan, 0, unit, 0, n };
}

int pieces_next(struct pieces *pieces, size_t *at, size_t *len)
{
    if (pieces->done == pieces->n)
        return 0;
    size_t size = pieces->unit * pieces->plan->sizes[pieces->step];
    if (pieces->step + 1 < pieces->plan->count)
        pieces->step++;
    if (size > pieces->n - pieces->done)
        size = pieces->n - pieces->done;
    *at = pieces->done;
    *len = size;
    pieces->done += size;
    return 1;
}

/* ---- SHA-256 (FIPS 180-4) ------------------------------------------------------------------------------- */

static uint32_t right(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void sha256_block(uint32_t state[8], const uint8_t *p)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2,
    };
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
               (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (right(x, 7) ^ right(x, 18) ^ x >> 3) +
               (right(y, 17) ^ right(y, 19) ^ y >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
        uint32_t one =
            h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i];
        uint32_t two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + one;
        d = c, c = b, b = a, a = one + two;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void sha256(uint8_t digest[32], const uint8_t *bytes, size_t n)
{
    uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    size_t whole = n / 64 * 64, rest = n - whole;
    for (size_t i = 0; i < whole; i += 64)
        sha256_block(state, bytes + i);
    uint8_t last[128] = { 0 };
    if (rest)
        memcpy(last, bytes + whole, rest);
    last[rest] = 0x80;
    size_t end = rest < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++)
        last[end - 1 - (size_t)i] = (uint8_t)((uint64_t)n * 8 >> 8 * i);
    for (size_t i = 0; i < end; i += 64)
        sha256_block(state, last + i);
    for (int i = 0; i < 32; i++)
        digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

/* ---- SHAKE128 (FIPS 202) ---------------------------------------------------------------------------------- */

enum { SHAKE_RATE = 168 };

static uint64_t left(uint64_t x, int n)
{
    return n ? x << n | x >> (64 - n) : x;
}

static void keccak(uint64_t a[25])
{
    unsigned lfsr = 1;
    for (int round = 0; round < 24; round++) {
        uint64_t c[5], b[25];
        for (int x = 0; x < 5; x++)
            c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        for (int x = 0; x < 5; x++) {
            const uint64_t d = c[(x + 4) % 5] ^ left(c[(x + 1) % 5], 1);
            for (int y = 0; y < 25; y += 5)
                a[x + y] ^= d;
        }
        b[0] = a[0];
        for (int t = 0, x = 1, y = 0; t < 24; t++) {
            int next = (2 * x + 3 * y) % 5;
            b[y + 5 * next] = left(a[x + 5 * y], (t + 1) * (t + 2) / 2 % 64);
            x = y;
            y = next;
        }
        for (int y = 0; y < 25; y += 5)
            for (int x = 0; x < 5; x++)
                a[x + y] = b[x + y] ^ (~b[(x + 1) % 5 + y] & b[(x + 2) % 5 + y]);
        for (int j = 0; j < 7; j++) {
            if (lfsr & 1)
                a[0] ^= (uint64_t)1 << ((1 << j) - 1);
            lfsr = lfsr << 1 ^ (lfsr & 0x80 ? 0x171 : 0);
        }
    }
}

void shake_absorb(struct shake *shake, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        shake->lanes[shake->at / 8] ^= (uint64_t)bytes[i] << 8 * (shake->at % 8);
        if (++shake->at == SHAKE_RATE) {
            keccak(shake->lanes);
            shake->at = 0;
        }
    }
}

void shake_squeeze_start(struct shake *shake)
{
    shake->lanes[shake->at / 8] ^= (uint64_t)0x1f << 8 * (shake->at % 8);
    shake->lanes[SHAKE_RATE / 8 - 1] ^= (uint64_t)1 << 63;
    keccak(shake->lanes);
    shake->at = 0;
}

void shake_squeeze(struct shake *shake, uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (shake->at == SHAKE_RATE) {
            keccak(shake->lanes);
            shake->at = 0;
        }
        bytes[i] = (uint8_t)(shake->lanes[shake->at / 8] >> 8 * (shake->at % 8));
        shake->at++;
    }
}
