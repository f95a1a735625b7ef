/* kernels.c — every slot of every kernel that the engine can execute, on secret keys and texts. */
#include "ct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "util/block.h"
#include "xorcore.h"

/* From here on the text is public, and what comes out is secret by the key alone. */
static void open_text(void)
{
    public(data->secret_text, sizeof data->secret_text);
    public(data->out, sizeof data->out);
}

static void check_xor(const char *name, const struct xc_xor_ops *ops)
{
    static const size_t key_lens[] = { 1, 4, 7, 16, 31, 64, 100, 300 };
    for (size_t i = 0; i < length_count; i++) {
        size_t n = lengths[i] / 2; /* the text serves as two */
        const uint8_t *text = data->secret_text, *sources[3] = { text, text + n, text + n / 2 };
        begin_case("xor/%s two, %zu bytes", name, n);
        fill(data);
        ops->two(data->out, text, text + n, n);
        expect_secret(data->out, n);
        end_case();
        if (ops->many) {
            begin_case("xor/%s many, %zu bytes", name, n);
            fill(data);
            ops->many(data->out, sources, 3, n);
            expect_secret(data->out, n);
            end_case();
        }
        if (ops->repeat) {
            begin_case("xor/%s repeat, %zu bytes", name, n);
            fill(data);
            for (size_t k = 0; k < sizeof key_lens / sizeof key_lens[0]; k++) {
                public(data->out, n);
                ops->repeat(data->out, text, n, text + n, key_lens[k], key_lens[k] / 2);
                expect_secret(data->out, n);
            }
            end_case();
        }
    }
}

typedef void (*chained)(const void *key, uint8_t *out, const uint8_t *in, size_t count, uint8_t chain[16]);

/* `secret_chain` where the chain is made of text: all but a counter. */
static void check_chained(const char *name, const char *slot, chained f, const void *key, size_t unit,
                          int secret_chain)
{
    if (!f)
        return;
    begin_case("aes/%s %s", name, slot);
    for (size_t i = 0; i < length_count; i++) {
        fill(data);
        if (secret_chain)
            secret(data->chain, 16);
        f(key, data->out, data->secret_text, lengths[i] / unit, data->chain);
        expect_secret(data->out, lengths[i] / unit * unit);
        if (secret_chain)
            expect_secret(data->chain, 16);
        open_text();
        f(key, data->out, data->secret_text, lengths[i] / unit, data->chain);
        expect_secret(data->out, lengths[i] / unit * unit);
    }
    end_case();
}

/* Every number of lanes on secret chains and texts, in lengths around the groups of blocks. */
static void check_lanes(const char *name, const char *slot,
                        void (*f)(const void *, struct xc_lanes *, size_t, size_t), const void *key, size_t most,
                        int writes)
{
    if (!f)
        return;
    begin_case("aes/%s %s", name, slot);
    for (size_t count = 1; count <= most; count++) {
        for (size_t blocks = 0; blocks <= 13; blocks += 1 + count % 3) {
            struct xc_lanes lanes;
            fill(data);
            memset(&lanes, 0, sizeof lanes);
            for (size_t i = 0; i < count; i++) {
                lanes.in[i] = data->secret_text + 16 * 13 * i;
                lanes.out[i] = data->out + 16 * 13 * i;
            }
            secret(lanes.chain, 16 * count);
            f(key, &lanes, count, blocks);
            expect_secret(lanes.chain, 16 * count);
            if (writes)
                expect_secret(data->out, blocks * 16);
        }
    }
    end_case();
}

static void check_aes(const char *name, const struct xc_aes_ops *ops)
{
    uint8_t *key = xc_block_new(ops->key_size);
    for (size_t len = 16; len <= 32; len += 8) {
        fill(data);
        begin_case("aes/%s set_key, %zu bits", name, 8 * len);
        ops->set_key(key, data->key, len);
        if (ops->set_decrypt_key)
            ops->set_decrypt_key(key);
        end_case();
        begin_case("aes/%s encrypt and decrypt, %zu bits", name, 8 * len);
        for (size_t i = 0; i < length_count; i++) {
            fill(data);
            ops->encrypt(key, data->out, data->secret_text, lengths[i] / 16);
            expect_secret(data->out, lengths[i] / 16 * 16);
            public(data->out, lengths[i]);
            ops->decrypt(key, data->out, data->secret_text, lengths[i] / 16);
            expect_secret(data->out, lengths[i] / 16 * 16);
            open_text();
            ops->encrypt(key, data->out, data->secret_text, lengths[i] / 16);
            expect_secret(data->out, lengths[i] / 16 * 16);
        }
        end_case();
        check_chained(name, "ctr", ops->ctr, key, 1, 0);
        check_chained(name, "ctr32le", ops->ctr32le, key, 1, 0);
        check_chained(name, "cbc_encrypt", ops->cbc_encrypt, key, 16, 1);
        check_chained(name, "cbc_decrypt", ops->cbc_decrypt, key, 16, 1);
        check_chained(name, "cfb_encrypt", ops->cfb_encrypt, key, 16, 1);
        check_chained(name, "cfb_decrypt", ops->cfb_decrypt, key, 16, 1);
        check_chained(name, "ofb", ops->ofb, key, 16, 1);
        check_chained(name, "xts_encrypt", ops->xts_encrypt, key, 16, 1);
        check_chained(name, "xts_decrypt", ops->xts_decrypt, key, 16, 1);
        check_lanes(name, "cbc_encrypt_lanes", ops->cbc_encrypt_lanes, key, ops->lanes, 1);
        check_lanes(name, "cfb_encrypt_lanes", ops->cfb_encrypt_lanes, key, ops->lanes, 1);
        check_lanes(name, "ofb_lanes", ops->ofb_lanes, key, ops->lanes, 1);
        check_lanes(name, "mac_lanes", ops->mac_lanes, key, ops->lanes, 0);
        if (ops->mac) {
            begin_case("aes/%s mac", name);
            for (size_t i = 0; i < length_count; i++) {
                fill(data);
                secret(data->chain, 16);
                ops->mac(key, data->secret_text, lengths[i] / 16, data->chain);
                expect_secret(data->chain, 16);
            }
            end_case();
        }
    }
    public(key, ops->key_size);
    xc_block_free(key, ops->key_size);
}

static void check_ghash(const char *name, const struct xc_ghash_ops *ops)
{
    uint8_t *key = xc_block_new(ops->key_size);
    fill(data);
    begin_case("ghash/%s set_key", name);
    ops->set_key(key, data->key);
    end_case();
    for (size_t i = 0; i < length_count; i++) {
        begin_case("ghash/%s update, %zu blocks", name, lengths[i] / 16);
        fill(data);
        secret(data->chain, 16);
        ops->update(key, data->secret_text, lengths[i] / 16, data->chain);
        if (ops->update_reversed)
            ops->update_reversed(key, data->secret_text, lengths[i] / 16, data->chain);
        expect_secret(data->chain, 16);
        public(data->chain, 16);
        ops->update(key, data->nonce, 2, data->chain);
        expect_secret(data->chain, 16); /* by the hash key alone */
        end_case();
    }
    public(key, ops->key_size);
    xc_block_free(key, ops->key_size);
}

/* Long enough for what a kernel makes for one message alone, and may look up by a public counter only. */
static void long_message(const struct xc_gcm_ops *ops, const void *key, const uint8_t *secret_j0)
{
    enum {
        LONG = 33000
    };
    static uint8_t text[LONG], out[LONG];
    const struct xc_message m = { out, text, LONG, data->nonce, 12, data->secret_text, 13, 16 };
    secret(text, LONG);
    ops->seal(key, &m, secret_j0, data->tag);
    expect_secret(out, LONG);
    expect_secret(data->tag, 16);
    public(data->tag, 16);
    ops->open(key, &m, secret_j0, data->tag);
    expect_secret(out, LONG);
    expect_secret(data->tag, 16);
    public(out, LONG);
    public(text, LONG);
    public(data->tag, 16);
}

static void check_gcm(const char *name, const struct xc_gcm_ops *ops, const struct xc_choice *parts)
{
    size_t size = ops->key_size(parts);
    uint8_t *key = xc_block_new(size), y[16];
    for (size_t len = 16; len <= 32; len += 8) {
        fill(data);
        begin_case("gcm/%s set_key, %zu bits", name, 8 * len);
        ops->set_key(key, parts, data->key, len);
        end_case();
        begin_case("gcm/%s blocks, %zu bits", name, 8 * len);
        for (size_t i = 0; i < length_count; i++) {
            fill(data);
            secret(y, 16);
            secret(data->chain, 16); /* made from the hash key when the nonce is not 12 bytes */
            ops->seal_blocks(key, data->out, data->secret_text, lengths[i] / 16, data->chain, y);
            expect_secret(data->out, lengths[i] / 16 * 16);
            public(data->out, lengths[i]);
            ops->open_blocks(key, data->out, data->secret_text, lengths[i] / 16, data->chain, y);
            expect_secret(data->out, lengths[i] / 16 * 16);
            ops->hash(key, data->secret_text, lengths[i] / 16, y);
            ops->block(key, data->out, data->chain);
            expect_secret(data->out, 16);
            expect_secret(y, 16);
            open_text();
            public(data->chain, 16);
            public(y, 16);
            ops->seal_blocks(key, data->out, data->secret_text, lengths[i] / 16, data->chain, y);
            expect_secret(data->out, lengths[i] / 16 * 16);
            expect_secret(y, lengths[i] >= 16 ? 16 : 0);
        }
        end_case();
        if (!ops->seal || !ops->open)
            continue;
        begin_case("gcm/%s whole messages, %zu bits", name, 8 * len);
        for (size_t i = 0; i < length_count; i++) {
            const struct xc_message m = { data->out, data->secret_text, lengths[i], data->nonce, 12,
                                          data->secret_text, lengths[i] % 70, 16 };
            for (int by_nonce = 0; by_nonce < 2; by_nonce++) {
                const uint8_t *j0 = by_nonce ? NULL : data->chain;
                fill(data);
                secret(data->chain, 16);
                ops->seal(key, &m, j0, data->tag);
                expect_secret(data->out, lengths[i]);
                expect_secret(data->tag, 16);
                public(data->out, lengths[i]);
                public(data->tag, 16);
                ops->open(key, &m, j0, data->tag);
                expect_secret(data->out, lengths[i]);
                expect_secret(data->tag, 16);
                open_text();
                public(data->chain, 16);
                public(data->tag, 16);
                ops->seal(key, &m, j0, data->tag);
                expect_secret(data->out, lengths[i]);
                expect_secret(data->tag, 16);
            }
        }
        fill(data);
        secret(data->chain, 16);
        long_message(ops, key, data->chain);
        long_message(ops, key, NULL);
        end_case();
    }
    public(key, size);
    xc_block_free(key, size);
}

void check_kernels(void)
{
    for (size_t i = 0; i < xc_kernel_count(); i++) {
        const struct xc_kernel *row = xc_kernel_at(i);
        struct xorcore_kernel told;
        struct xc_choice parts;
        xorcore_kernel_at(i, &told, sizeof told);
        if (!(told.flags & XORCORE_KERNEL_RUNS)) {
            printf("not run by %s: %s/%s (%s)\n", engine, told.family, told.name, told.why);
            continue;
        }
        switch (row->family) {
        case XC_XOR: check_xor(row->name, row->ops); break;
        case XC_AES: check_aes(row->name, row->ops); break;
        case XC_GHASH: check_ghash(row->name, row->ops); break;
        default: xc_choose_gcm(&parts, row->name); check_gcm(row->name, row->ops, &parts);
        }
        printf("run by %s: %s/%s\n", engine, row->family_name, row->name);
    }
}
