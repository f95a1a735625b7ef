/* ipsec_mb_absent.c — what stands for ipsec_mb.c where its header was not at hand. */
#include "bench.h"

void ipsec_mb_load(struct peer *peer, const char *file)
{
    (void)file;
    peer->absent = "this program was built without its header (Debian package: libipsec-mb-dev)";
}
