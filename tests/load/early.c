/* early.c — a constructor that uses libxorcore before main, and before the library has had any turn of its own. */
#include "early.h"

#include <string.h>

struct early early;

static void find(struct early *e)
{
    static const uint8_t key[16] = { 1, 2, 3 }, nonce[12] = { 4, 5 };
    uint8_t text[300] = { 6 }, out[300];
    xorcore_aead *aead;
    e->result = xorcore_aead_new(&aead, XORCORE_AES_GCM, key, sizeof key, 16, NULL);
    if (e->result)
        return;
    e->result = xorcore_aead_seal(aead, out, e->tag, 16, nonce, sizeof nonce, text, sizeof text, NULL, 0);
    strncpy(e->kernel, xorcore_aead_kernel(aead), sizeof e->kernel - 1);
    strncpy(e->cpu, xorcore_cpu(), sizeof e->cpu - 1);
    e->xored = xorcore_xor(out, out, out, sizeof out) ? -1 : out[0] | out[299];
    e->selftest = xorcore_selftest();
    xorcore_aead_free(aead);
}

/* The earliest that a program may ask for. */
__attribute__((constructor(101))) static void before_everything(void) { find(&early); }

int early_is_right(void)
{
    struct early late;
    memset(&late, 0, sizeof late);
    find(&late);
    return early.result == XORCORE_OK && early.selftest == XORCORE_OK && !early.xored && early.kernel[0] &&
           !memcmp(&early, &late, sizeof late);
}
