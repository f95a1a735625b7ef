/* controls.c — code that leaks on purpose: an AES by table, an early exit, branches on a bit; and some that doesn't. */
#include "ct.h"

#include <string.h>

static uint8_t sbox[256];

/* Any table will do: what leaks is the index. */
static void make_sbox(void)
{
    for (int i = 0; i < 256; i++)
        sbox[i] = (uint8_t)(i * 167 + 99);
}

static void table_aes(uint8_t state[16], const uint8_t key[16])
{
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < 16; i++)
            state[i] = sbox[state[i] ^ key[i]];
}

static int early_exit(const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

static void reduce_by_branch(uint8_t y[16])
{
    int low = y[15] & 1;
    for (int i = 15; i > 0; i--)
        y[i] = (uint8_t)(y[i] >> 1 | y[i - 1] << 7);
    y[0] >>= 1;
    if (low)
        y[0] ^= 0xe1;
}

void check_controls(void)
{
    volatile int sink;
    uint8_t state[16];
    make_sbox();

    fill(data);
    begin_case("control: AES by table");
    memcpy(state, data->secret_text, 16);
    table_aes(state, data->key);
    memcpy(data->out, state, 16);
    end_control();

    fill(data);
    begin_case("control: a comparison that stops at the first difference");
    sink = early_exit(data->tag, data->out, 16);
    end_control();

    fill(data);
    begin_case("control: a branch on a bit of the hash key");
    reduce_by_branch(data->key);
    memcpy(data->out, data->key, 16);
    end_control();
    (void)sink;
}
