/* riscv64.c — CPU features of 64-bit RISC-V, by the system call that tells of them.
 *
 * Numbers: Linux, arch/riscv/include/uapi/asm/hwprobe.h (the call and its key for extensions), hwcap.h and
 * include/uapi/linux/prctl.h. */
#include "../cpu.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

const char xc_cpu_arch[] = "riscv64";

enum { HWPROBE = 258, EXTENSIONS = 4, EXTENSION_V = 2, HWCAP_V = 'v' - 'a' };
enum { GET_VECTOR_CONTROL = 70, VECTOR_MASK = 3, VECTOR_OFF = 1 };

/* Without the call, which Linux has from 6.4 on and some sandboxes refuse, only V is known, and only from Linux 6.5 on: those who
 * set its bit earlier did so for a draft of the extension, of which instructions mean something else. */
static uint64_t told_otherwise(void)
{
    struct utsname name;
    if (!(getauxval(AT_HWCAP) >> HWCAP_V & 1) || uname(&name) != 0)
        return 0;
    char *end;
    const long major = strtol(name.release, &end, 10), minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return (uint64_t)(major > 6 || (major == 6 && minor >= 5)) << EXTENSION_V;
}

/* The extensions that every core has. The call puts -1 in the place of a key that it does not know. */
static uint64_t extensions(void)
{
    struct {
        int64_t key;
        uint64_t value;
    } pair = {EXTENSIONS, 0};
    if (syscall(HWPROBE, &pair, 1L, 0L, NULL, 0L) == 0 && pair.key == EXTENSIONS)
        return pair.value;
    return told_otherwise();
}

/* Vectors can be forbidden to a program, or to all that do not ask for them. A system that does not know the question has
 * no such rule. */
static int vectors_forbidden(void)
{
    const int control = prctl(GET_VECTOR_CONTROL, 0L, 0L, 0L, 0L);
    return control >= 0 && (control & VECTOR_MASK) == VECTOR_OFF;
}

/* All of the bits here are about vector registers. */
void xc_cpu_detect(struct xc_cpu_found *found)
{
    static const struct {
        uint64_t mask;
        unsigned bit;
    } bits[] = {
        {XC_CPU_MASK(V), EXTENSION_V}, {XC_CPU_MASK(ZVBC), 18},   {XC_CPU_MASK(ZVKB), 19},
        {XC_CPU_MASK(ZVKG), 20},       {XC_CPU_MASK(ZVKNED), 21}, {XC_CPU_MASK(ZVKT), 26},
    };
    const uint64_t told = extensions();
    found->cpu = 0;
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (told >> bits[i].bit & 1)
            found->cpu |= bits[i].mask;
    found->os = vectors_forbidden() ? 0 : found->cpu;
}

/* The system tells programs nothing of the caches but in files. */
uint64_t xc_cpu_largest_cache(void) { return 0; }
