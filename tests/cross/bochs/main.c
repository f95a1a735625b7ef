/* main.c — takes the program that multiboot has put into memory apart, builds its stack, and starts it.
 *
 * The program is multiboot's first module; the words of the module's command line are argv. The words NAME=VALUE
 * of the loader's own command line are the environment, but for xcr0=N, which is the loader's: the register
 * states that the system says it saves, as far as the CPU has them. */
#include "loader.h"

#define EFER 0xc0000080
#define EFER_SYSCALL 1
#define STAR 0xc0000081
#define LSTAR 0xc0000082
#define SFMASK 0xc0000084

#define FLAGS 0x202 /* what a program begins with; the interrupt bit is never looked at */
#define CR4_XSAVE 0x40000

enum { WORDS = 32, TEXT = 4096 };

struct words {
    char text[TEXT];
    const char *word[WORDS];
    int count;
};
static struct words arguments, environment;

static _Noreturn void refuse(const char *why)
{
    put("\nloader: ");
    put(why);
    put("\n");
    end(125);
}

/* ---- multiboot ------------------------------------------------------------------------------------------ */

static uint32_t word_at(uint64_t physical)
{
    return *(uint32_t *)(DIRECT + physical);
}

static void split(struct words *words, uint64_t physical)
{
    const char *from = (const char *)(DIRECT + physical);
    char *to = words->text;
    while (*from) {
        while (*from == ' ')
            from++;
        if (!*from)
            break;
        if (words->count == WORDS)
            refuse("too many words on a command line");
        words->word[words->count++] = to;
        while (*from && *from != ' ') {
            if (to >= words->text + TEXT - 1)
                refuse("a command line is too long");
            *to++ = *from++;
        }
        *to++ = 0;
    }
}

/* ---- the CPU ----------------------------------------------------------------------------------------------- */

/* The states that the system saves: all that the CPU has of those asked for. x87 and SSE always. */
static void enable_states(uint64_t wanted)
{
    uint64_t cr4;
    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    if (!(cr4 & CR4_XSAVE))
        return;
    uint32_t low = 0xd, b, leaf = 0, high;
    __asm__ volatile("cpuid" : "+a"(low), "=b"(b), "+c"(leaf), "=d"(high));
    low &= (uint32_t)wanted;
    __asm__ volatile("xsetbv" : : "a"(low | 3), "d"(0), "c"(0));
}

static void enable_calls(void)
{
    write_msr(EFER, read_msr(EFER) | EFER_SYSCALL);
    write_msr(STAR, (uint64_t)SEGMENT_CODE << 32);
    write_msr(LSTAR, (uint64_t)system_call);
    write_msr(SFMASK, 0x700); /* no single step, no interrupt, upwards */
}

/* ---- the program -------------------------------------------------------------------------------------------- */

struct file_header {
    uint8_t magic[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, segments, sections;
    uint32_t flags;
    uint16_t size, segment_size, segment_count;
};

struct segment {
    uint32_t type, flags; /* flags: 1 execute, 2 write, 4 read */
    uint64_t offset, at, physical, file_bytes, bytes, align;
};

enum { FIXED_PROGRAM = 2, AMD64 = 62, LOAD = 1, INTERPRETER = 3 };

static void copy_in(uint64_t to, const uint8_t *from, uint64_t n)
{
    while (n) {
        uint64_t some = PAGE - to % PAGE;
        if (some > n)
            some = n;
        memcpy(memory_at(to), from, some);
        to += some;
        from += some;
        n -= some;
    }
}

/* Maps the segments; returns the end of the last. *headers becomes the address of the segment table. */
static uint64_t map_program(const uint8_t *file, uint64_t *headers)
{
    const struct file_header *header = (const void *)file;
    if (*(const uint32_t *)(const void *)file != 0x464c457f || header->machine != AMD64 ||
        header->type != FIXED_PROGRAM)
        refuse("the program is no static amd64 ELF file at a fixed address");
    const struct segment *segment = (const void *)(file + header->segments);
    uint64_t top = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < header->segment_count; i++) {
            const struct segment *s = &segment[i];
            if (s->type == INTERPRETER)
                refuse("the program is linked dynamically");
            if (s->type != LOAD || !s->bytes)
                continue;
            if (s->at + s->bytes > LOADER)
                refuse("the program is too large");
            if (pass == 0) {
                if (!memory_map(s->at, s->bytes, READ | WRITE))
                    refuse("no memory for the program");
                copy_in(s->at, file + s->offset, s->file_bytes);
                if (header->segments >= s->offset && header->segments < s->offset + s->file_bytes)
                    *headers = s->at + header->segments - s->offset;
                if (top < s->at + s->bytes)
                    top = s->at + s->bytes;
            } else {
                memory_protect(s->at, s->bytes, READ | (s->flags & 2 ? WRITE : 0));
            }
        }
    return top;
}

/* ---- its stack ------------------------------------------------------------------------------------------------ */

static uint64_t push_bytes(uint64_t *stack, const void *bytes, uint64_t n)
{
    *stack -= n;
    copy_in(*stack, bytes, n);
    return *stack;
}

static uint64_t push_text(uint64_t *stack, const char *text)
{
    uint64_t n = 0;
    while (text[n++])
        ;
    return push_bytes(stack, text, n);
}

/* argc, argv, the environment and the auxiliary vector, as the ABI puts them; returns the stack pointer. */
static uint64_t build_stack(const struct file_header *header, uint64_t headers)
{
    enum { PHDR = 3, PHENT = 4, PHNUM = 5, PAGESZ = 6, ENTRY = 9, UID = 11, EUID = 12, GID = 13, EGID = 14 };
    enum { PLATFORM = 15, HWCAP = 16, CLKTCK = 17, SECURE = 23, RANDOM = 25 };
    uint64_t stack = PROGRAM_STACK, words[2 * WORDS + 64];
    int n = 0;
    if (!memory_map(PROGRAM_STACK - PROGRAM_STACK_BYTES, PROGRAM_STACK_BYTES, READ | WRITE))
        refuse("no memory for the stack");

    const uint64_t platform = push_text(&stack, "x86_64");
    const uint64_t random = push_bytes(&stack, "sixteen of bytes", 16);
    words[n++] = (uint64_t)arguments.count;
    for (int i = 0; i < arguments.count; i++)
        words[n++] = push_text(&stack, arguments.word[i]);
    words[n++] = 0;
    for (int i = 0; i < environment.count; i++)
        words[n++] = push_text(&stack, environment.word[i]);
    words[n++] = 0;

    uint32_t a = 1, b, c = 0, features;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(features));
    const uint64_t vector[] = {
        PHDR, headers, PHENT, header->segment_size, PHNUM, header->segment_count, PAGESZ, PAGE,
        ENTRY, header->entry, UID, 0, EUID, 0, GID, 0, EGID, 0, SECURE, 0, PLATFORM, platform,
        HWCAP, features, CLKTCK, 100, RANDOM, random, 0, 0,
    };
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++)
        words[n++] = vector[i];
    stack = (stack - 8 * (uint64_t)n) & ~15ull;
    copy_in(stack, (const uint8_t *)words, 8 * (uint64_t)n);
    return stack;
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

static uint64_t states_wanted(void)
{
    uint64_t wanted = 0xe7; /* x87, SSE, AVX, AVX-512 */
    int kept = 0;
    for (int i = 1; i < environment.count; i++) { /* the first word is the loader's name */
        const char *word = environment.word[i];
        if (word[0] == 'x' && word[1] == 'c' && word[2] == 'r' && word[3] == '0' && word[4] == '=') {
            wanted = 0;
            for (word += 5; *word >= '0' && *word <= '9'; word++)
                wanted = 10 * wanted + (uint64_t)(*word - '0');
        } else {
            environment.word[kept++] = word;
        }
    }
    environment.count = kept;
    return wanted;
}

void loader(uint64_t info);
void loader(uint64_t info)
{
    extern uint8_t loader_end[];
    enum { UPPER = 8, COMMAND = 16, MODULE_COUNT = 20, MODULES = 24 }; /* of multiboot's account */
    faults_begin();
    if (!word_at(info + MODULE_COUNT))
        refuse("there is no program");
    const uint64_t module = word_at(info + MODULES);
    const uint64_t from = word_at(module), to = word_at(module + 4);
    split(&environment, word_at(info + COMMAND));
    split(&arguments, word_at(module + 8));
    enable_states(states_wanted());
    enable_calls();

    const uint64_t used = to > (uint64_t)loader_end ? to : (uint64_t)loader_end;
    memory_give(used, 0x100000 + 1024ull * word_at(info + UPPER));
    const uint8_t *file = (const uint8_t *)(DIRECT + from);
    uint64_t headers = 0;
    const uint64_t top = map_program(file, &headers);
    calls_begin(top);
    const struct registers registers = {
        .rip = ((const struct file_header *)(const void *)file)->entry,
        .cs = SEGMENT_USER_CODE + 3,
        .rflags = FLAGS & ~0x200,
        .rsp = build_stack((const void *)file, headers),
        .ss = SEGMENT_USER_DATA + 3,
    };
    start(&registers);
}
