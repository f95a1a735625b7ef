/* mac.c — the MAC algorithms by their constants. */
#include "mac.h"

const struct xc_mac_mode *xc_mac_mode(int algorithm)
{
    static const struct xc_mac_mode *const modes[] = {&xc_mac_gmac, &xc_mac_cmac};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (modes[i]->algorithm == algorithm)
            return modes[i];
    return NULL;
}
