/* hwcap.c — takes CPU features away from programs that ask the system for them, by way of LD_PRELOAD.
 *
 * HWCAP_CLEAR and HWCAP2_CLEAR are the bits that getauxval() leaves out, HWPROBE_CLEAR those of RISC-V's system call.
 * HWPROBE_GONE makes that fail as it does in an older system, and VECTORS_FORBIDDEN answers as where no program may use vectors. qemu
 * has no 64-bit Arm without AES, and there are such. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

static unsigned long wish(const char *name)
{
    const char *clear = name ? getenv(name) : NULL;
    return clear ? strtoul(clear, NULL, 0) : 0;
}

unsigned long getauxval(unsigned long entry)
{
    unsigned long (*next)(unsigned long);
    *(void **)&next = dlsym(RTLD_NEXT, "getauxval");
    return next(entry) & ~wish(entry == AT_HWCAP ? "HWCAP_CLEAR" : entry == AT_HWCAP2 ? "HWCAP2_CLEAR" : NULL);
}

#if defined(__riscv)
struct pair {
    int64_t key;
    uint64_t value;
};

long syscall(long number, ...)
{
    enum { HWPROBE = 258, EXTENSIONS = 4 };
    long (*next)(long, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == HWPROBE && wish("HWPROBE_GONE")) {
        errno = ENOSYS;
        return -1;
    }
    const long result = next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (number == HWPROBE && result == 0)
        for (struct pair *pair = (struct pair *)a[0]; pair < (struct pair *)a[0] + a[1]; pair++)
            if (pair->key == EXTENSIONS)
                pair->value &= ~wish("HWPROBE_CLEAR");
    return result;
}

int prctl(int option, ...)
{
    enum { GET_VECTOR_CONTROL = 70, OFF = 1 };
    int (*next)(int, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "prctl");
    unsigned long a[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    if (option == GET_VECTOR_CONTROL && wish("VECTORS_FORBIDDEN"))
        return OFF;
    return next(option, a[0], a[1], a[2], a[3]);
}
#endif
