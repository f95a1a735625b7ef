/* link.c — a program that holds a pointer to every export, so that it only links and starts when all are there. */
#include <stdio.h>
#include <string.h>

#include "xorcore.h"

extern const unsigned char xc_abi_functions[]; /* a struct of function pointers: abi_check.c */
extern const unsigned xc_abi_function_count;

int main(void)
{
    unsigned present = 0;
    for (unsigned i = 0; i < xc_abi_function_count; i++) {
        int (*function)(void);
        memcpy(&function, xc_abi_functions + i * sizeof function, sizeof function);
        present += function != NULL;
    }
    printf("libxorcore %s, ABI %u: %u of %u functions\n", xorcore_version(), (unsigned)xorcore_abi(), present,
           xc_abi_function_count);
    return present != xc_abi_function_count || present == 0 || xorcore_abi() != 1;
}
