/* probe_l1.h — what loads and stores of one width can do when everything is aligned and lies in L1.
 *
 * As probe_aes.h it is compiled at each width. */
#include "machine_amd64.h"

enum {
    VECTORS = PROBE_L1_BYTES / (int)sizeof(vec)
};

/* As a job's buffers they have an offset each in their pages. The sources lie together for the loads alone. */
static struct {
    vec from[2 * VECTORS];
    uint8_t gap[17 * 64];
    vec to[VECTORS];
} l1;

/* Everything may have been read and written by somebody else, so all of it is loaded and stored again. */
#define AGAIN() __asm__ volatile("" : : "r"(&l1) : "memory")

static void probe_xor(size_t calls)
{
    for (size_t call = 0; call < calls; call++) {
        for (int i = 0; i < VECTORS; i += 4) {
            l1.to[i] = V_XOR(l1.from[i], l1.from[VECTORS + i]);
            l1.to[i + 1] = V_XOR(l1.from[i + 1], l1.from[VECTORS + i + 1]);
            l1.to[i + 2] = V_XOR(l1.from[i + 2], l1.from[VECTORS + i + 2]);
            l1.to[i + 3] = V_XOR(l1.from[i + 3], l1.from[VECTORS + i + 3]);
        }
        AGAIN();
    }
}

static void probe_mask(size_t calls)
{
    const vec key = V_SET(0x01234567);
    for (size_t call = 0; call < calls; call++) {
        for (int i = 0; i < VECTORS; i += 4) {
            l1.to[i] = V_XOR(l1.from[i], key);
            l1.to[i + 1] = V_XOR(l1.from[i + 1], key);
            l1.to[i + 2] = V_XOR(l1.from[i + 2], key);
            l1.to[i + 3] = V_XOR(l1.from[i + 3], key);
        }
        AGAIN();
    }
}

/* Parity can't be faster than its sources can be read; its stores find their place beside that. */
static void probe_load(size_t calls)
{
    const vec *p = l1.from;
    vec v0 = p[0], v1 = v0, v2 = v0, v3 = v0, v4 = v0, v5 = v0, v6 = v0, v7 = v0;
    for (size_t call = 0; call < calls; call++) {
        for (int i = 0; i < 2 * VECTORS; i += 8) {
            v0 = V_XOR(v0, p[i]);
            v1 = V_XOR(v1, p[i + 1]);
            v2 = V_XOR(v2, p[i + 2]);
            v3 = V_XOR(v3, p[i + 3]);
            v4 = V_XOR(v4, p[i + 4]);
            v5 = V_XOR(v5, p[i + 5]);
            v6 = V_XOR(v6, p[i + 6]);
            v7 = V_XOR(v7, p[i + 7]);
        }
        __asm__ volatile("" : "+x"(v0), "+x"(v1), "+x"(v2), "+x"(v3), "+x"(v4), "+x"(v5), "+x"(v6), "+x"(v7));
        AGAIN();
    }
}

#define L1_PROBES { probe_xor, probe_mask, probe_load }
