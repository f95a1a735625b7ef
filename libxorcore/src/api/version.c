/* version.c — which library this is. */
#include "xorcore.h"

const char *xorcore_version(void) { return XC_VERSION; }

uint32_t xorcore_abi(void) { return 1; }
