/* aead.c — the AEAD algorithms by their constants. */
#include "aead.h"

const struct xc_aead_mode *xc_aead_mode(int algorithm)
{
    static const struct xc_aead_mode *const modes[] = {&xc_aead_gcm, &xc_aead_ccm, &xc_aead_gcm_siv,
                                                       &xc_aead_xaes_256_gcm};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (modes[i]->algorithm == algorithm)
            return modes[i];
    return NULL;
}
