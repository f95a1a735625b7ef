/* machine_other.c — on other architectures there is no loop of SSE2, and nobody has written a probe yet. */
#include "bench.h"

xor_loop *machine_go_loop(const char **absent)
{
    *absent = "it is a loop for amd64";
    return NULL;
}

const char *machine_gcc_absent(void) { return NULL; }

void machine_settle(void) {}

size_t machine_probes(struct impl *impls, const struct job *job)
{
    (void)impls;
    (void)job;
    return 0;
}
