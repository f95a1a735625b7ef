/* hwcap.c — takes CPU features away from programs that ask for them by getauxval(), by way of LD_PRELOAD.
 *
 * HWCAP_CLEAR and HWCAP2_CLEAR are the bits. qemu has no 64-bit Arm without AES, and there are such. */
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>

unsigned long getauxval(unsigned long entry)
{
    unsigned long (*next)(unsigned long);
    *(void **)&next = dlsym(RTLD_NEXT, "getauxval");
    const char *clear = entry == AT_HWCAP ? getenv("HWCAP_CLEAR") : entry == AT_HWCAP2 ? getenv("HWCAP2_CLEAR") : NULL;
    return next(entry) & ~(clear ? strtoul(clear, NULL, 0) : 0);
}
