/* icount.c — a plugin of qemu's translator that counts executed instructions: in all, and by block.
 *
 * At the end it writes `total N`, then for the blocks that took most `block ADDRESS INSTRUCTIONS TIMES SYMBOL`. Debian has
 * no header for plugins, so the few declarations of version 1 of the interface stand here. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { ADD_U64 = 0 };

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int, void *, uint64_t);
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);

#define FOR_QEMU __attribute__((visibility("default")))
FOR_QEMU int qemu_plugin_version = 1;
FOR_QEMU int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

/* A block may be translated more than once; each time it counts for itself. */
struct block {
    uint64_t times, address, instructions;
    const char *symbol;
    struct block *next;
};
static struct block *blocks;

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
    (void)id;
    struct block *block = calloc(1, sizeof *block);
    if (!block)
        abort();
    block->address = qemu_plugin_tb_vaddr(tb);
    block->instructions = qemu_plugin_tb_n_insns(tb);
    block->symbol = qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(tb, 0));
    block->next = __atomic_exchange_n(&blocks, block, __ATOMIC_SEQ_CST);
    qemu_plugin_register_vcpu_tb_exec_inline(tb, ADD_U64, &block->times, 1);
}

static void ended(plugin_id id, void *data)
{
    (void)id;
    (void)data;
    uint64_t total = 0;
    for (const struct block *b = blocks; b; b = b->next)
        total += b->times * b->instructions;
    fprintf(stderr, "total %" PRIu64 "\n", total);
    for (const struct block *b = blocks; b; b = b->next)
        if (b->times * b->instructions > total / 20)
            fprintf(stderr, "block %" PRIx64 " %" PRIu64 " %" PRIu64 " %s\n", b->address, b->instructions, b->times,
                    b->symbol ? b->symbol : "?");
}

FOR_QEMU int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    (void)argc;
    (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
