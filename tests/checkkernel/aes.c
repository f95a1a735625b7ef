/* aes.c — the slots of an aes kernel against SP 800-38A, RFC 8452 and IEEE 1619 over FIPS 197.
 *
 * Every slot is one line of the standards about one block and the chain before it, so that the message
 * and the chain after each of its blocks can be computed once and every call compared with a piece. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "naive.h"

typedef void (*function)(void);

enum mode {
    ENCRYPT,
    DECRYPT,
    CTR,
    CTR32LE,
    CBC_ENCRYPT,
    CBC_DECRYPT,
    CFB_ENCRYPT,
    CFB_DECRYPT,
    OFB,
    XTS_ENCRYPT,
    XTS_DECRYPT,
    MAC,
    MODES
};

static const struct {
    const char *name;
    int decrypts_blocks; /* needs set_decrypt_key */
    int by_bytes;
} modes[MODES] = {
    { "encrypt", 0, 0 },     { "decrypt", 1, 0 },     { "ctr", 0, 1 },         { "ctr32le", 0, 1 },
    { "cbc_encrypt", 0, 0 }, { "cbc_decrypt", 1, 0 }, { "cfb_encrypt", 0, 0 }, { "cfb_decrypt", 0, 0 },
    { "ofb", 0, 0 },         { "xts_encrypt", 0, 0 }, { "xts_decrypt", 1, 0 }, { "mac", 0, 0 },
};

static function slot_of(const struct xc_aes_ops *ops, enum mode mode)
{
    switch (mode) {
    case ENCRYPT: return (function)ops->encrypt;
    case DECRYPT: return (function)ops->decrypt;
    case CTR: return (function)ops->ctr;
    case CTR32LE: return (function)ops->ctr32le;
    case CBC_ENCRYPT: return (function)ops->cbc_encrypt;
    case CBC_DECRYPT: return (function)ops->cbc_decrypt;
    case CFB_ENCRYPT: return (function)ops->cfb_encrypt;
    case CFB_DECRYPT: return (function)ops->cfb_decrypt;
    case OFB: return (function)ops->ofb;
    case XTS_ENCRYPT: return (function)ops->xts_encrypt;
    case XTS_DECRYPT: return (function)ops->xts_decrypt;
    case MAC: return (function)ops->mac;
    default: return NULL;
    }
}

enum {
    BLOCKS = 2 * AES_PERIOD + 70
};

struct aes_case {
    const struct xc_aes_ops *ops;
    enum mode mode;
    const struct key_block *key;
    uint8_t in[BLOCKS * 16], out[BLOCKS * 16];
    uint8_t chain[BLOCKS + 1][16];
};

static void xor_block(uint8_t out[16], const uint8_t a[16], const uint8_t b[16])
{
    for (int i = 0; i < 16; i++)
        out[i] = a[i] ^ b[i];
}

/* One block: what is written, and the chain made into what it must be afterwards. */
static void step(enum mode mode, const struct naive_aes *aes, uint8_t out[16], const uint8_t in[16],
                 uint8_t chain[16])
{
    uint8_t t[16];
    switch (mode) {
    case ENCRYPT: naive_aes_encrypt(aes, out, in); break;
    case DECRYPT: naive_aes_decrypt(aes, out, in); break;
    case CTR:
    case CTR32LE:
        naive_aes_encrypt(aes, t, chain);
        xor_block(out, in, t);
        if (mode == CTR)
            naive_count_big(chain, 16);
        else
            naive_count_little(chain, 4);
        break;
    case CBC_ENCRYPT:
        xor_block(t, in, chain);
        naive_aes_encrypt(aes, out, t);
        memcpy(chain, out, 16);
        break;
    case CBC_DECRYPT:
        naive_aes_decrypt(aes, t, in);
        xor_block(out, t, chain);
        memcpy(chain, in, 16);
        break;
    case CFB_ENCRYPT:
        naive_aes_encrypt(aes, t, chain);
        xor_block(out, in, t);
        memcpy(chain, out, 16);
        break;
    case CFB_DECRYPT:
        naive_aes_encrypt(aes, t, chain);
        xor_block(out, in, t);
        memcpy(chain, in, 16);
        break;
    case OFB:
        naive_aes_encrypt(aes, chain, chain);
        xor_block(out, in, chain);
        break;
    case XTS_ENCRYPT:
    case XTS_DECRYPT:
        xor_block(t, in, chain);
        if (mode == XTS_ENCRYPT)
            naive_aes_encrypt(aes, t, t);
        else
            naive_aes_decrypt(aes, t, t);
        xor_block(out, t, chain);
        naive_xts_double(chain);
        break;
    default: /* MAC writes no text */
        xor_block(t, in, chain);
        naive_aes_encrypt(aes, chain, t);
        break;
    }
}

/* As far as the sweeps go; the reference takes its time. */
static size_t message_blocks(void) { return check.quick ? 2 * LOOP_PERIOD + 16 : BLOCKS; }

static void case_fill(struct aes_case *c, const struct naive_aes *aes, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        memcpy(c->chain[b + 1], c->chain[b], 16);
        step(c->mode, aes, c->out + 16 * b, c->in + 16 * b, c->chain[b + 1]);
    }
}

static void build(struct call *call, const struct plan *plan, size_t from, size_t count)
{
    const struct aes_case *c = plan->self;
    size_t at = from * plan->unit, n = count * plan->unit;
    size_t first = at / 16, last = (at + n + 15) / 16;
    call_begin(call, slot_of(c->ops, c->mode));
    call_key(call, c->key);
    int out = c->mode == MAC ? -1 : call_out(call, "out", c->out + at, n);
    int in = call_in(call, "in", c->in + at, n);
    call_number(call, modes[c->mode].by_bytes ? "n" : "blocks", count);
    if (c->mode > DECRYPT)
        call_inout(call, "chain", c->chain[first], c->chain[count ? last : first], 16);
    if (out >= 0)
        call_alias(call, out, in);
}

static struct plan plan_for(const struct aes_case *c)
{
    size_t unit = modes[c->mode].by_bytes ? 1 : 16;
    size_t blocks = check.quick ? 2 * LOOP_PERIOD + 1 : 2 * AES_PERIOD + 1;
    struct plan plan = { modes[c->mode].name, build,    c, unit, BLOCKS * 16 / unit,
                         blocks * 16 / unit,  16 / unit };
    if (check.quick) {
        plan.total = (2 * LOOP_PERIOD + 9) * 16 / unit;
        if (unit == 1)
            plan.max = 2 * LOOP_PERIOD * 16 + 1;
    }
    return plan;
}

/* The counter wraps at 2^8, 2^16, 2^32, 2^64 and 2^128 in every lane of the widest loop and further on. */
static void check_wraps(struct aes_case *c, const struct naive_aes *aes)
{
    static const int big[] = { 1, 2, 4, 8, 12, 15, 16 }, little[] = { 1, 2, 3, 4 };
    const int *bytes = c->mode == CTR ? big : little;
    size_t how_many = c->mode == CTR ? sizeof big / sizeof big[0] : sizeof little / sizeof little[0];
    size_t lanes = check.quick ? 40 : 2 * LOOP_PERIOD + 3;
    struct call call;
    struct layout layout;
    struct plan plan = plan_for(c);
    begin_group(modes[c->mode].name, "counter wraps");
    for (size_t w = 0; w < how_many; w++) {
        /* chain[lanes] is the first counter after the wrap: piece `from` wraps after lanes - from blocks. */
        random_bytes(c->chain[0], 16);
        for (int i = 0; i < bytes[w]; i++)
            c->chain[0][c->mode == CTR ? 15 - i : i] = 0xff;
        c->chain[0][c->mode == CTR ? 15 : 0] = (uint8_t)(0x100 - lanes);
        size_t blocks = 2 * lanes + 40;
        case_fill(c, aes, blocks);
        for (size_t from = 0; from <= lanes && !group_over(); from++) {
            for (int turn = 0; turn < 2; turn++) {
                if (check.brief && (size_t)turn != from % 2)
                    continue;
                size_t most = (blocks - from) * 16, least = (lanes - from) * 16 + 1;
                size_t n = least + random_below(most - least + 1);
                build(&call, &plan, from * 16, turn ? n : most);
                layout_random(&layout);
                if (turn && call.aliases)
                    layout.alias = 0;
                call_run(&call, &layout);
            }
        }
    }
    end_group();
}

/* ---- messages side by side ---------------------------------------------------------------------- */

typedef void lanes_slot(const void *, struct xc_lanes *, size_t, size_t);

static lanes_slot *lanes_slot_of(const struct xc_aes_ops *ops, enum mode mode)
{
    switch (mode) {
    case CBC_ENCRYPT: return ops->cbc_encrypt_lanes;
    case CFB_ENCRYPT: return ops->cfb_encrypt_lanes;
    case OFB: return ops->ofb_lanes;
    case MAC: return ops->mac_lanes;
    default: return NULL;
    }
}

enum {
    LANE_BLOCKS = 4 * LANES_PERIOD + 2
};

/* A message in each lane; the first `count` take part, those with their bit in `in_place` in place. */
static struct {
    struct aes_case lane[XC_LANES_MAX];
    size_t count, in_place;
    uint8_t before[XC_LANES_MAX][16], after[XC_LANES_MAX][16];
} side;

/* What the call is made of, put into the struct that the slot takes. The table has every lane's `in`, then `out` of
 * those that are not in place. */
static void through_lanes(const void *key, uint8_t (*chain)[16], uint8_t *const *table, size_t count,
                          size_t blocks, size_t in_place)
{
    struct xc_lanes lanes, want;
    memset(&lanes, 0xee, sizeof lanes); /* the places behind the last lane hold no pointers */
    size_t outs = count;
    for (size_t i = 0; i < count; i++) {
        memcpy(lanes.chain[i], chain[i], 16);
        lanes.in[i] = table[i];
        if (side.lane[0].mode != MAC)
            lanes.out[i] = in_place >> i & 1 ? table[i] : table[outs++];
    }
    want = lanes;
    lanes_slot_of(side.lane[0].ops, side.lane[0].mode)(key, &lanes, count, blocks);
    memcpy(chain, lanes.chain, 16 * count);
    if (memcmp(lanes.in, want.in, count * sizeof *want.in) || memcmp(lanes.out, want.out, count * sizeof *want.out))
        fault(WRONG_INPUT, "a lane's pointer was changed");
}

static void build_side(struct call *call, const struct plan *plan, size_t from, size_t blocks)
{
    static const char *const names[2] = { "in", "out" };
    int first = -1, buffers = 0;
    call_begin(call, (function)through_lanes);
    call_key(call, side.lane[0].key);
    for (size_t i = 0; i < side.count; i++) {
        memcpy(side.before[i], side.lane[i].chain[from], 16);
        memcpy(side.after[i], side.lane[i].chain[from + blocks], 16);
    }
    call_inout(call, "chains", side.before, side.after, 16 * side.count);
    for (int outs = 0; outs < (side.lane[0].mode == MAC ? 1 : 2); outs++) {
        for (size_t i = 0; i < side.count; i++) {
            const struct aes_case *c = &side.lane[i];
            int alone = !(side.in_place >> i & 1);
            if (outs && !alone)
                continue;
            int at = call_hidden_as(call, names[outs], outs ? NULL : c->in + 16 * from,
                                    outs || !alone ? c->out + 16 * from : c->in + 16 * from, 16 * blocks);
            first = first < 0 ? at : first;
            buffers++;
        }
    }
    call_table(call, "lanes", first, buffers);
    call_number(call, "count", side.count);
    call_number(call, "blocks", blocks);
    call_number(call, "in_place", side.in_place);
    (void)plan;
}

/* Every number of lanes and every length, at both edges, at random offsets, and some or all of them in place. */
static void check_side(const struct xc_aes_ops *ops, enum mode mode, const struct key_block *key,
                       const struct naive_aes *aes, const char *bits)
{
    struct call call;
    struct layout layout;
    char name[40];
    if (!lanes_slot_of(ops, mode))
        return;
    snprintf(name, sizeof name, "%s%s lanes", modes[mode].name, bits);
    for (size_t i = 0; i < ops->lanes; i++) {
        struct aes_case *c = &side.lane[i];
        c->ops = ops;
        c->mode = mode;
        c->key = key;
        random_bytes(c->in, 16 * LANE_BLOCKS);
        random_bytes(c->chain[0], 16);
        case_fill(c, aes, LANE_BLOCKS);
    }
    struct plan plan = { name, build_side, NULL, 16 * ops->lanes, LANE_BLOCKS, LANE_BLOCKS, 0 };
    side.in_place = 0;
    if (check.bench) {
        side.count = ops->lanes;
        sweep_all(&plan);
        return;
    }
    begin_group(name, "counts and lengths");
    for (side.count = 1; side.count <= ops->lanes && !group_over(); side.count++) {
        for (size_t blocks = 0; blocks <= 2 * LANES_PERIOD + 1; blocks++) {
            for (unsigned turn = 0; turn < 5; turn++) {
                size_t from = turn < 2 ? 0 : random_below(LANE_BLOCKS - blocks);
                if (check.quick && turn != 0 && turn != 4)
                    continue;
                if (check.brief && turn != (side.count + blocks) % 2 * 4)
                    continue;
                side.in_place = mode == MAC || turn < 3 ? 0 : turn == 3 ? ~(size_t)0 : random64();
                layout_random(&layout);
                if (turn < 2)
                    layout.edge = turn ? EDGE_START : EDGE_END;
                else if (turn == 3)
                    layout.edge = blocks & 1 ? EDGE_START : EDGE_END;
                build_side(&call, &plan, from, blocks);
                call_run(&call, &layout);
            }
        }
    }
    end_group();
}

/* ---- keys -------------------------------------------------------------------------------------- */

/* Returns 0 when the kernel did not get to its end, and there is no key to go on with. */
static int make_key(struct key_block *key, const struct xc_aes_ops *ops, const uint8_t *bytes, size_t len,
                    int decrypts, const struct layout *layout)
{
    unsigned wrong;
    struct call call;
    key_make(key, ops->key_size);
    call_begin(&call, (function)ops->set_key);
    call_new_key(&call, key);
    call_in(&call, "bytes", bytes, len);
    call_number(&call, "len", len);
    wrong = call_run(&call, layout);
    if (decrypts && ops->set_decrypt_key && !(wrong & WRONG_ACCESS)) {
        call_begin(&call, (function)ops->set_decrypt_key);
        call_new_key(&call, key);
        wrong |= call_run(&call, layout);
    }
    key_save(key);
    return !(wrong & WRONG_ACCESS);
}

/* Key bytes at every offset and against both edges; the block made of them is used both ways. */
static void check_keys(const struct xc_aes_ops *ops, size_t len)
{
    struct call call;
    struct layout layout;
    begin_group("set_key", len == 16 ? "128 bits" : len == 24 ? "192 bits" : "256 bits");
    for (unsigned turn = 0; turn < 66 && !group_over(); turn += check.quick && turn ? 13 : 1) {
        static const uint8_t special[] = { 0x00, 0xff, 0x80, 0x01 };
        struct aes_case c;
        struct naive_aes aes;
        struct key_block key;
        uint8_t bytes[32];
        random_bytes(bytes, len);
        if (turn < 4)
            memset(bytes, special[turn], len);
        layout_random(&layout);
        layout.edge = turn == 0 ? EDGE_START : turn == 1 ? EDGE_END : EDGE_MIDDLE;
        if (turn > 1)
            layout.offset[0] = (uint8_t)(turn - 2);
        naive_aes_key(&aes, bytes, len);
        int made = make_key(&key, ops, bytes, len, 1, &layout);
        c.ops = ops;
        c.key = &key;
        for (int m = ENCRYPT; made && m <= DECRYPT; m++) {
            struct plan plan = { modes[m].name, build, &c, 16, 3, 3, 1 };
            c.mode = (enum mode)m;
            random_bytes(c.in, 48);
            case_fill(&c, &aes, 3);
            build(&call, &plan, 0, 3);
            call_run(&call, &layout);
        }
        key_free(&key);
    }
    end_group();
}

void check_aes(const char *label, const struct xc_aes_ops *ops)
{
    static struct aes_case c;
    static const char *const names[] = { "-128", "-192", "-256" };
    struct layout aligned = { EDGE_MIDDLE, { 0 }, -1 };
    begin_kernel(label);
    for (size_t len = 16; len <= 32; len += 8) {
        struct key_block encrypt_key, decrypt_key;
        struct naive_aes aes;
        uint8_t bytes[32];
        if (check.bench && len == 24)
            continue;
        if (!check.bench)
            check_keys(ops, len);
        random_bytes(bytes, len);
        naive_aes_key(&aes, bytes, len);
        begin_group("set_key", "the key of the sweeps");
        int made = make_key(&encrypt_key, ops, bytes, len, 0, &aligned);
        made &= make_key(&decrypt_key, ops, bytes, len, 1, &aligned);
        end_group();
        for (int m = 0; made && m < MODES; m++) {
            char slot[32];
            check_side(ops, (enum mode)m, &encrypt_key, &aes, names[len / 8 - 2]);
            if (!slot_of(ops, (enum mode)m))
                continue;
            c.ops = ops;
            c.mode = (enum mode)m;
            /* What encrypts must run on a key that was never prepared for decryption. */
            c.key = modes[m].decrypts_blocks ? &decrypt_key : &encrypt_key;
            random_bytes(c.in, sizeof c.in);
            random_bytes(c.chain[0], 16);
            case_fill(&c, &aes, message_blocks());
            struct plan plan = plan_for(&c);
            snprintf(slot, sizeof slot, "%s%s", modes[m].name, names[len / 8 - 2]);
            plan.slot = slot;
            sweep_all(&plan);
            if (!check.bench && modes[m].by_bytes)
                check_wraps(&c, &aes);
            if (!check.bench && !modes[m].decrypts_blocks) { /* and on one that was */
                c.key = &decrypt_key;
                random_bytes(c.chain[0], 16);
                case_fill(&c, &aes, message_blocks());
                sweep_pieces(&plan);
            }
        }
        key_free(&encrypt_key);
        key_free(&decrypt_key);
    }
}
