/* residue.c — after a call nothing of its keys, hash keys or keystream is left on the stack.
 *
 * The call runs in a thread on a stack of ours, which is then searched for what the independent reference says
 * the call must have had in its hands: every round key of both directions, the hash key, each block of keystream,
 * the tweaks of XTS, derived keys, and the state of each block between its rounds: from known text and one of those a
 * round key follows. Half a block (8 bytes) is enough to be found. Of a long text the first blocks and the last are
 * searched for: what stays on the stack is mostly of the last ones. */
#include "test.h"

#include <pthread.h>

#include "naive.h"
#include "util/wipe.h"

enum {
    STACK = 256 * 1024,
    SECRETS = 200000,
    SLOTS = 1 << 19 /* of a hash table, most of them empty */
};

static _Alignas(4096) uint8_t stack[STACK];
static struct {
    uint8_t half[8];
    const char *what;
} secrets[SECRETS];
static size_t secret_count;
static uint32_t slots[SLOTS]; /* the number of a secret, from 1 on */

enum {
    LONG = 33000, /* long enough for a table that a kernel makes for one message */
    ROOM = LONG + 60,
    END_BLOCKS = 64 /* of a text are searched for at either end */
};
static uint8_t key[64], nonce[24], text[ROOM], out[ROOM], tag[16], aad[40];

/* ---- what must not be found ------------------------------------------------------------------------- */

/* Where a secret of these bytes is, or would come in. */
static size_t slot_of(const uint8_t half[8])
{
    uint64_t v;
    memcpy(&v, half, 8);
    size_t i = (size_t)((v * UINT64_C(0x9e3779b97f4a7c15)) >> 45);
    while (slots[i] && memcmp(secrets[slots[i] - 1].half, half, 8))
        i = (i + 1) % SLOTS;
    return i;
}

static void forget(void)
{
    secret_count = 0;
    memset(slots, 0, sizeof slots);
}

static void add_half(const uint8_t *p, const char *what)
{
    const size_t slot = slot_of(p);
    if (all_zero(p, 8) || slots[slot])
        return;
    if (secret_count == SECRETS) {
        check(0, "there is no room for every secret");
        return;
    }
    memcpy(secrets[secret_count].half, p, 8);
    secrets[secret_count++].what = what;
    slots[slot] = (uint32_t)secret_count;
}

/* A block as it stands and with its bytes reversed, as kernels keep it. */
static void add(const uint8_t block[16], const char *what)
{
    uint8_t reversed[16];
    for (int i = 0; i < 16; i++)
        reversed[i] = block[15 - i];
    add_half(block, what);
    add_half(block + 8, what);
    add_half(reversed, what);
    add_half(reversed + 8, what);
}

static uint8_t times(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b; b >>= 1, a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0)))
        if (b & 1)
            product ^= a;
    return product;
}

/* A block through the cipher, in its bytes' order alone, in which instructions have it. */
static void add_states(const struct naive_aes *aes, int encrypting, uint8_t block[16])
{
    uint8_t states[NAIVE_ROUNDS][16];
    if (encrypting)
        naive_aes_encrypt_seen(aes, block, block, states);
    else
        naive_aes_decrypt_seen(aes, block, block, states);
    for (int r = 0; r < aes->rounds; r++) {
        add_half(states[r], "a block between its rounds");
        add_half(states[r] + 8, "a block between its rounds");
    }
}

static void add_schedule(const struct naive_aes *aes, const char *what)
{
    for (int r = 0; r <= aes->rounds; r++) {
        uint8_t round[16], inverse[16];
        memcpy(round, aes->word[4 * r], 16);
        add(round, what);
        for (int c = 0; c < 4; c++) /* FIPS 197 5.3.5: the equivalent inverse cipher's key */
            for (int i = 0; i < 4; i++)
                inverse[4 * c + i] = times(round[4 * c + i], 14) ^ times(round[4 * c + (i + 1) % 4], 11) ^
                                     times(round[4 * c + (i + 2) % 4], 13) ^
                                     times(round[4 * c + (i + 3) % 4], 9);
        if (r > 0 && r < aes->rounds)
            add(inverse, "a round key of decryption");
    }
}

static void add_hash_key(const uint8_t h[16])
{
    uint8_t power[16];
    memcpy(power, h, 16);
    for (int i = 0; i < 16; i++) {
        static const uint8_t zero[16];
        add(power, "a power of the hash key");
        naive_ghash(power, zero, h);
    }
}

/* One counter and its keystream. Whoever knows a counter takes it off the round key that it was summed with. */
static void add_counter(const struct naive_aes *aes, const uint8_t counter[16], uint8_t stream[16])
{
    uint8_t sum[16];
    memcpy(stream, counter, 16);
    add_states(aes, 1, stream);
    add(stream, "keystream");
    memcpy(sum, aes->word[0], 16);
    for (int j = 0; j < 16; j++)
        sum[j] ^= counter[j];
    add(sum, "a round key summed with a counter");
}

/* A run of counters, of `counter_bytes` at the end. */
static void add_stream(const struct naive_aes *aes, const uint8_t first[16], int counter_bytes, size_t blocks)
{
    uint8_t counter[16], block[16];
    memcpy(counter, first, 16);
    for (size_t i = 0; i < blocks; i++, naive_count_big(counter, counter_bytes))
        if (i < END_BLOCKS || i + END_BLOCKS >= blocks)
            add_counter(aes, counter, block);
}

/* GCM under this key. From a nonce that is not 12 bytes long the first counter is made with the hash key, and
 * who knows both has an equation for it: then the counters are secrets too. */
static void add_gcm(const struct naive_aes *aes, const uint8_t *iv, size_t iv_len, size_t n)
{
    static const uint8_t zero[16];
    uint8_t h[16], j0[16] = { 0 };
    add_schedule(aes, "a round key");
    memcpy(h, zero, 16);
    add_states(aes, 1, h);
    add_hash_key(h);
    if (iv_len == 12) {
        memcpy(j0, iv, 12);
        j0[15] = 1;
    } else {
        uint8_t block[32] = { 0 }, lengths[16] = { 0 };
        memcpy(block, iv, iv_len);
        lengths[15] = (uint8_t)(iv_len * 8);
        naive_ghash(j0, block, h);
        if (iv_len > 16)
            naive_ghash(j0, block + 16, h);
        naive_ghash(j0, lengths, h);
        add(j0, "a counter made with the hash key");
    }
    add_stream(aes, j0, 4, (n + 15) / 16 + 1);
}

/* RFC 8452 section 4: the counters from this tag on, and what they make of the text. */
static void add_siv_stream(const struct naive_aes *enc, const uint8_t made[16], size_t n, uint8_t *plain)
{
    uint8_t counter[16], block[16];
    memcpy(counter, made, 16);
    counter[15] |= 0x80;
    for (size_t i = 0; i < n; i += 16) {
        add_counter(enc, counter, block);
        for (size_t j = i; plain && j < n && j < i + 16; j++)
            plain[j] = text[j] ^ block[j - i];
        for (int j = 0; j < 4 && !++counter[j]; j++) {}
    }
}

/* What was encrypted to this tag. */
static void add_siv_sum(const struct naive_aes *enc, const uint8_t made[16])
{
    uint8_t sum[16];
    naive_aes_decrypt(enc, sum, made);
    add(sum, "what POLYVAL made");
    add_states(enc, 1, sum);
}

/* RFC 8452 section 4. */
static void add_siv(const struct algorithm *a, const struct naive_aes *master, size_t key_len, size_t n)
{
    uint8_t derived[6 * 8], block[16], h[16];
    struct naive_aes enc;
    add_schedule(master, "a round key");
    for (size_t i = 0; i < 2 + key_len / 8; i++) {
        uint8_t in[16] = { (uint8_t)i };
        memcpy(in + 4, nonce, 12);
        memcpy(block, in, 16);
        add_states(master, 1, block);
        add(block, "a derived key");
        memcpy(derived + 8 * i, block, 8);
    }
    naive_aes_key(&enc, derived + 16, key_len);
    add_schedule(&enc, "a round key of the derived key");
    add(derived, "the authentication key");
    for (int i = 0; i < 16; i++)
        h[i] = derived[15 - i];
    /* mulX_GHASH (appendix A): one step to the right in GHASH's order. */
    int low = h[15] & 1;
    for (int i = 15; i > 0; i--)
        h[i] = (uint8_t)(h[i] >> 1 | h[i - 1] << 7);
    h[0] = (uint8_t)(h[0] >> 1 ^ (low ? 0xe1 : 0));
    add_hash_key(h);

    /* The text as it is sealed; as it is opened, with its first bytes for a tag, and the tag that would be right. */
    static uint8_t plain[ROOM];
    void *siv = make_object(a, NULL, key, key_len);
    add_siv_stream(&enc, text, n, plain);
    for (size_t aad_len = 0; aad_len <= 40; aad_len += 40) {
        uint8_t made[16];
        xorcore_aead_seal(siv, out, made, 16, nonce, 12, text, n, aad, aad_len);
        add_siv_sum(&enc, made);
        add_siv_stream(&enc, made, n, NULL);
        xorcore_aead_seal(siv, out, made, 16, nonce, 12, plain, n, aad, aad_len);
        add_siv_sum(&enc, made);
        add(made, "the right tag of a forged message");
    }
    free_object(a, siv);
}

/* C2SP XAES-256-GCM. */
static void add_xaes(const struct naive_aes *master, size_t n)
{
    uint8_t k1[16] = { 0 }, derived[32];
    struct naive_aes enc;
    add_schedule(master, "a round key");
    add_states(master, 1, k1);
    add(k1, "CMAC's L");
    int high = k1[0] >> 7;
    for (int i = 0; i < 15; i++)
        k1[i] = (uint8_t)(k1[i] << 1 | k1[i + 1] >> 7);
    k1[15] = (uint8_t)(k1[15] << 1 ^ (high ? 0x87 : 0));
    add(k1, "CMAC's subkey");
    for (int i = 0; i < 2; i++) {
        uint8_t m[16] = { 0, (uint8_t)(i + 1), 'X', 0 };
        memcpy(m + 4, nonce, 12);
        for (int j = 0; j < 16; j++)
            m[j] ^= k1[j];
        add_states(master, 1, m);
        memcpy(derived + 16 * i, m, 16);
        add(derived + 16 * i, "the derived key");
    }
    naive_aes_key(&enc, derived, 32);
    add_gcm(&enc, nonce + 12, 12, n);
}

/* CBC over the text. */
static void add_chain(const struct naive_aes *aes, uint8_t chain[16], size_t n)
{
    for (size_t i = 0; i < n / 16; i++) {
        for (size_t j = 0; j < 16; j++)
            chain[j] ^= text[16 * i + j];
        add_states(aes, 1, chain);
    }
}

/* SP 800-38B: the subkeys, and the chain to its last block. */
static void add_cmac(const struct naive_aes *aes, size_t n)
{
    const size_t before = (n - 1) / 16, rest = n - 16 * before;
    uint8_t k[16] = { 0 }, chain[16] = { 0 };
    add_states(aes, 1, k);
    add(k, "CMAC's L");
    for (int twice = 0; twice < 2; twice++) {
        const int high = k[0] >> 7;
        for (int i = 0; i < 15; i++)
            k[i] = (uint8_t)(k[i] << 1 | k[i + 1] >> 7);
        k[15] = (uint8_t)(k[15] << 1 ^ (high ? 0x87 : 0));
        add(k, "CMAC's subkey");
        if (twice != (rest < 16))
            continue;
        uint8_t last[16] = { 0 };
        memcpy(last, text + 16 * before, rest);
        if (rest < 16)
            last[rest] = 0x80;
        add_chain(aes, chain, 16 * before);
        for (int i = 0; i < 16; i++)
            last[i] ^= k[i];
        add(last, "CMAC's last block with its subkey");
        for (int i = 0; i < 16; i++)
            chain[i] ^= last[i];
        add_states(aes, 1, chain);
    }
}

/* SP 800-38C: what the tag is before it is masked, of the text sealed, and of the text that opening would give. */
static void add_ccm(const struct naive_aes *aes, const uint8_t first[16], size_t n, size_t tag_len)
{
    static uint8_t plain[ROOM + 16];
    uint8_t counter[16], stream[16];
    memcpy(counter, first, 16);
    for (size_t i = 0; i < n; i += 16) {
        naive_count_big(counter, 3);
        naive_aes_encrypt(aes, stream, counter);
        for (size_t j = i; j < n && j < i + 16; j++)
            plain[j] = text[j] ^ stream[j - i];
    }
    for (int way = 0; way < 4; way++) {
        const uint8_t *of = way & 1 ? plain : text;
        const int with_aad = way >> 1;
        uint8_t chain[16];
        memcpy(chain, first, 16);
        chain[0] |= (uint8_t)(with_aad << 6 | (int)((tag_len - 2) / 2) << 3);
        chain[14] = (uint8_t)(n >> 8);
        chain[15] = (uint8_t)n;
        add_states(aes, 1, chain);
        if (with_aad) { /* 2 bytes of its length, and 40 of its own */
            uint8_t block[48] = { 0, 40 };
            memcpy(block + 2, aad, 40);
            for (size_t at = 0; at < 48; at += 16) {
                for (size_t j = 0; j < 16; j++)
                    chain[j] ^= block[at + j];
                add_states(aes, 1, chain);
            }
        }
        for (size_t i = 0; i < n; i += 16) {
            for (size_t j = 0; j < 16 && i + j < n; j++)
                chain[j] ^= of[i + j];
            add_states(aes, 1, chain);
        }
        add(chain, "a tag before it is masked");
    }
}

/* One byte for each block: what is shifted in is the ciphertext, of the text or the text itself. */
static void add_cfb8(const struct naive_aes *aes, size_t n)
{
    for (int encrypting = 0; encrypting < 2; encrypting++) {
        uint8_t shift[16], block[16];
        memcpy(shift, nonce, 16);
        for (size_t i = 0; i < n; i++) {
            memcpy(block, shift, 16);
            add_states(aes, 1, block);
            add(block, "keystream");
            memmove(shift, shift + 1, 15);
            shift[15] = encrypting ? text[i] ^ block[0] : text[i];
        }
    }
}

static void expected(const struct algorithm *a, size_t key_len, size_t nonce_len, size_t tag_len, size_t n)
{
    struct naive_aes aes, second;
    uint8_t block[16], chain[16];
    forget();
    naive_aes_key(&aes, key, a->id == XORCORE_AES_XTS ? key_len / 2 : key_len);
    switch (a->id) {
    case XORCORE_AES_GCM:
    case XORCORE_AES_GMAC: add_gcm(&aes, nonce, nonce_len, n); break;
    case XORCORE_AES_CCM:
        add_schedule(&aes, "a round key");
        memset(block, 0, 16);
        block[0] = (uint8_t)(14 - a->nonce);
        memcpy(block + 1, nonce, a->nonce);
        add_stream(&aes, block, 3, n / 16 + 2);
        add_ccm(&aes, block, n, tag_len);
        break;
    case XORCORE_AES_GCM_SIV: add_siv(a, &aes, key_len, n); break;
    case XORCORE_XAES_256_GCM: add_xaes(&aes, n); break;
    case XORCORE_AES_CTR:
        add_schedule(&aes, "a round key");
        add_stream(&aes, nonce, 16, n / 16 + 1);
        break;
    case XORCORE_AES_OFB:
        add_schedule(&aes, "a round key");
        memcpy(chain, nonce, 16);
        for (size_t i = 0; i <= n / 16; i++) {
            add_states(&aes, 1, chain);
            add(chain, "keystream");
        }
        break;
    case XORCORE_AES_CFB128:
        add_schedule(&aes, "a round key");
        memcpy(chain, nonce, 16);
        for (size_t i = 0; i < n / 16; i++) {
            memcpy(block, chain, 16);
            add_states(&aes, 1, block);
            add(block, "keystream");
            for (int j = 0; j < 16; j++)
                chain[j] = block[j] ^ text[16 * i + (size_t)j];
            memcpy(block, text + 16 * i, 16); /* decryption */
            add_states(&aes, 1, block);
            add(block, "keystream");
        }
        break;
    case XORCORE_AES_XTS:
        add_schedule(&aes, "a round key");
        naive_aes_key(&second, key + key_len / 2, key_len / 2);
        add_schedule(&second, "a round key of the tweak");
        memcpy(block, nonce, 16);
        add_states(&second, 1, block);
        for (size_t i = 0; i <= n / 16; i++) {
            add(block, "an encrypted tweak");
            for (int encrypting = 0; encrypting < 2 && i < n / 16; encrypting++) {
                uint8_t sum[16];
                for (size_t j = 0; j < 16; j++)
                    sum[j] = block[j] ^ text[16 * i + j];
                add_states(&aes, encrypting, sum);
            }
            int carry = block[15] >> 7;
            for (int j = 15; j > 0; j--)
                block[j] = (uint8_t)(block[j] << 1 | block[j - 1] >> 7);
            block[0] = (uint8_t)(block[0] << 1 ^ (carry ? 0x87 : 0));
        }
        break;
    case XORCORE_AES_CMAC:
        add_schedule(&aes, "a round key");
        add_cmac(&aes, n);
        break;
    case XORCORE_AES_CFB8:
        add_schedule(&aes, "a round key");
        add_cfb8(&aes, n);
        break;
    case XORCORE_AES_CBC:
    case XORCORE_AES_ECB:
        add_schedule(&aes, "a round key");
        memcpy(chain, nonce, 16);
        add_chain(&aes, chain, n);
        for (size_t i = 0; i < n / 16; i++)
            for (int encrypting = 0; encrypting < 2; encrypting++) {
                memcpy(block, text + 16 * i, 16);
                add_states(&aes, encrypting, block);
            }
        break;
    default: add_schedule(&aes, "a round key");
    }
}

/* ---- calls on our stack --------------------------------------------------------------------------------- */

static struct {
    const struct algorithm *a;
    const char *kernel;
    void *object;
    size_t key_len, nonce_len, tag_len, n;
    int what;
    xorcore_stream *stream; /* of pieces(); freed later, for that would write over what the last call left */
} job;
enum {
    MAKE,
    FORWARD,
    BACKWARD,
    PIECES,
    PIECES_BACK,
    ROWS,
    ROWS_BACK,
    AT,
    KINDS
};
static const char *const kinds[] = { "new",         "forward", "backward",      "pieces",
                                     "pieces back", "rows",    "rows backward", "at" };

static const uint8_t *iv(void) { return job.a->nonce ? nonce : NULL; }

/* A message that is opened or verified has a wrong tag. */
static void pieces(int direction)
{
    xorcore_stream *s = NULL;
    size_t step = job.n == LONG ? 3000 : job.n > 600 ? 592 : job.a->unit == 16 ? 64 : 61;
    int silent = job.a->noun == MAC || (job.a->noun == AEAD && direction == XORCORE_DECRYPT);
    switch (job.a->noun) {
    case AEAD: xorcore_stream_new_aead(&s, job.object, direction, iv(), job.nonce_len); break;
    case CIPHER: xorcore_stream_new_cipher(&s, job.object, direction, iv(), job.nonce_len); break;
    default: xorcore_stream_new_mac(&s, job.object, iv(), job.nonce_len);
    }
    if (job.a->id == XORCORE_AES_CCM)
        xorcore_stream_lengths(s, 0, job.n);
    for (size_t at = 0; at < job.n; at += step)
        xorcore_stream_update(s, silent ? NULL : out + at, text + at,
                              job.n - at < step ? job.n - at : step);
    if (job.a->noun != CIPHER && direction == XORCORE_ENCRYPT)
        xorcore_stream_finish(s, tag, job.tag_len);
    else if (job.a->noun != CIPHER)
        xorcore_stream_verify(s, text, job.tag_len);
    job.stream = s;
}

static void *work(void *unused)
{
    static xorcore_row row;
    size_t n = job.n, nonce_len = job.nonce_len, tag_len = job.tag_len;
    void *object = job.object;
    (void)unused;
    memset(&row, 0, sizeof row);
    row.len = n;
    row.tag_at = job.what == ROWS ? ROOM - 40 : 0;
    switch (job.what) {
    case MAKE: new_object(job.a, &job.object, key, job.key_len, tag_len, job.kernel); break;
    case FORWARD:
        if (job.a->noun == AEAD)
            xorcore_aead_seal(object, out, tag, tag_len, iv(), nonce_len, text, n, aad, 40);
        else if (job.a->noun == CIPHER)
            xorcore_cipher_encrypt(object, out, iv(), nonce_len, text, n);
        else
            xorcore_mac_compute(object, tag, tag_len, iv(), nonce_len, text, n);
        break;
    case BACKWARD:
        if (job.a->noun == AEAD)
            xorcore_aead_open(object, out, iv(), nonce_len, text, n, text, tag_len, aad, 40);
        else if (job.a->noun == CIPHER)
            xorcore_cipher_decrypt(object, out, iv(), nonce_len, text, n);
        else
            xorcore_mac_verify(object, text, tag_len, iv(), nonce_len, text, n);
        break;
    case PIECES:
    case PIECES_BACK:
        if (job.a->streams)
            pieces(job.what == PIECES ? XORCORE_ENCRYPT : XORCORE_DECRYPT);
        break;
    case ROWS:
        if (job.a->noun == AEAD)
            xorcore_aead_seal_rows(object, out, ROOM, text, ROOM, nonce, 24, nonce_len, &row, 1, 64);
        else if (job.a->noun == CIPHER)
            xorcore_cipher_encrypt_rows(object, out, ROOM, text, ROOM, nonce, 24, nonce_len, &row, 1, 64);
        else
            xorcore_mac_compute_rows(object, out, ROOM, text, ROOM, nonce, 24, nonce_len, &row, 1, 64);
        break;
    case ROWS_BACK:
        if (job.a->noun == AEAD)
            xorcore_aead_open_rows(object, out, ROOM, text, ROOM, nonce, 24, nonce_len, &row, 1, 64);
        else if (job.a->noun == CIPHER)
            xorcore_cipher_decrypt_rows(object, out, ROOM, text, ROOM, nonce, 24, nonce_len, &row, 1, 64);
        else
            xorcore_mac_verify_rows(object, NULL, 0, text, ROOM, nonce, 24, nonce_len, &row, 1, 64);
        break;
    default:
        if (job.a->id == XORCORE_AES_CTR)
            xorcore_cipher_ctr_at(object, out, nonce, 16, 7, text, n - 7);
        if (job.a->id == XORCORE_AES_XTS)
            xorcore_cipher_sectors(object, XORCORE_DECRYPT, out, nonce, 16, text, n / 32 * 32, 32);
    }
    return NULL;
}

static void on_our_stack(void *(*f)(void *))
{
    pthread_t thread;
    pthread_attr_t attributes;
    memset(stack, 0, sizeof stack);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, sizeof stack) ||
        pthread_create(&thread, &attributes, f, NULL)) {
        check(0, "no thread on a stack of ours");
        exit(finish());
    }
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

/* The first secret on the stack, or NULL; *at is where, from the top. */
static const char *found(size_t *at)
{
    size_t used = 0;
    while (used < STACK && !stack[used])
        used++;
    for (size_t i = used; i + 8 <= STACK; i++) {
        const uint32_t number = slots[slot_of(stack + i)];
        if (number) {
            *at = STACK - i;
            return secrets[number - 1].what;
        }
    }
    return NULL;
}

/* Controls: one that leaves a key, far enough down that the thread's own end does not write over it, and one that
 * wipes it. The asm sees the copy's address, so that no compiler may leave the copy out or take it apart. */
static void *leaves_a_key(void *unused)
{
    uint8_t copy[8192];
    memcpy(copy + 3, key, 16);
    __asm__ __volatile__("" : : "r"(copy) : "memory");
    return unused;
}

static void *wipes_a_key(void *unused)
{
    uint8_t copy[8192];
    memcpy(copy + 3, key, 16);
    __asm__ __volatile__("" : : "r"(copy) : "memory");
    xc_wipe(copy, sizeof copy);
    return unused;
}

/* The whole tag of `text`, as a text and as a ciphertext: of a short tag the rest is a secret, and of a message
 * that somebody forged all of the right one. */
static void add_tags(const struct algorithm *a, const void *whole, size_t nonce_len, size_t n)
{
    static uint8_t plain[ROOM];
    uint8_t right[16];
    for (size_t aad_len = 0; aad_len <= 40; aad_len += 40) {
        if (a->noun == MAC) {
            xorcore_mac_compute(whole, right, 16, iv(), nonce_len, text, n);
            add(right, "a whole tag");
            continue;
        }
        xorcore_aead_seal(whole, out, right, 16, nonce, nonce_len, text, n, aad, aad_len);
        add(right, "a whole tag");
        xorcore_stream *s = NULL;
        xorcore_stream_new_aead(&s, whole, XORCORE_DECRYPT_UNVERIFIED, nonce, nonce_len);
        if (a->id == XORCORE_AES_CCM)
            xorcore_stream_lengths(s, 0, n);
        xorcore_stream_update(s, plain, text, n);
        xorcore_stream_free(s);
        xorcore_aead_seal(whole, out, right, 16, nonce, nonce_len, plain, n, aad, aad_len);
        check(!memcmp(out, text, n), "%s: the text that is sealed to the ciphertext", a->name);
        add(right, "the right tag of a forged message");
    }
}

/* Every kind of call, at several lengths of text. */
static void search(const struct algorithm *a, const char *kernel, size_t key_len, size_t nonce_len,
                   size_t tag_len)
{
    static const size_t sizes[] = { 16, 48, 100, 272, 640, 3000, LONG };
    const size_t count = a->id == XORCORE_AES_GCM || a->id == XORCORE_XAES_256_GCM ? 7 : 6;
    for (size_t s = 0; s < count; s++) {
        job.a = a;
        job.kernel = kernel;
        job.object = NULL;
        job.key_len = key_len;
        job.nonce_len = nonce_len;
        job.tag_len = tag_len;
        job.n = sizes[s] - sizes[s] % a->unit;
        expected(a, key_len, nonce_len, tag_len, job.n);
        if (tag_len && tag_len < 16) {
            void *whole = NULL;
            new_object(a, &whole, key, key_len, 16, kernel);
            add_tags(a, whole, nonce_len, job.n);
            free_object(a, whole);
        }
        for (job.what = MAKE; job.what < KINDS; job.what++) {
            size_t at = 0;
            on_our_stack(work);
            const char *what = found(&at);
            xorcore_stream_free(job.stream);
            job.stream = NULL;
            check(!what,
                  "%s, %zu-byte key, %zu-byte nonce, %zu-byte tag, %zu bytes, on %s, %s: %s is left on the "
                  "stack, %zu bytes from its top",
                  a->name, key_len, nonce_len, tag_len, job.n, kernel ? kernel : "the best", kinds[job.what],
                  what ? what : "", at);
        }
        free_object(a, job.object);
    }
}

int main(void)
{
    size_t at = 0;
    random_bytes(key, sizeof key);
    random_bytes(nonce, sizeof nonce);
    random_bytes(text, sizeof text);

    /* What searches must be able to find. */
    expected(&algorithms[0], 16, 12, 16, 100);
    on_our_stack(leaves_a_key);
    check(found(&at) != NULL, "a key left on the stack was not found");
    on_our_stack(wipes_a_key);
    check(found(&at) == NULL, "a key that was wiped is found on the stack");

    for (size_t i = 0; i < algorithm_count; i++) {
        const struct algorithm *a = &algorithms[i];
        for (size_t k = 0; k <= xorcore_kernel_count(); k++) {
            xorcore_kernel row = { 0 };
            void *object = NULL;
            if (k > 0)
                xorcore_kernel_at(k - 1, &row, sizeof row);
            const char *kernel = k ? row.name : NULL;
            if (new_object(a, &object, key, a->key, a->tag, kernel) != XORCORE_OK)
                continue; /* not a name for this algorithm, or not of a kernel that runs here */
            free_object(a, object);
            for (size_t key_len = 16; key_len <= 64; key_len += 8) {
                if (new_object(a, &object, key, key_len, a->tag, kernel) != XORCORE_OK)
                    continue;
                free_object(a, object);
                search(a, kernel, key_len, a->nonce, a->tag);
                if (a->nonce_max == SIZE_MAX)
                    search(a, kernel, key_len, 17, a->tag);
                if (a->tag && new_object(a, &object, key, key_len, 4, kernel) == XORCORE_OK) {
                    free_object(a, object);
                    search(a, kernel, key_len, a->nonce, 4);
                }
            }
        }
    }
    return finish();
}
