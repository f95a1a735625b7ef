/* selftest.c — the self-test of a library in which one kernel is wrong: the table beside this file is linked
 * in place of the library's own. */
#include <stdio.h>
#include <string.h>

#include "xorcore.h"

int main(void)
{
    int result = xorcore_selftest();
    printf("the self-test says %s: %s\n", xorcore_result_name(result), xorcore_result_text(result));
    int good = result == XORCORE_E_SELFTEST;
    printf("%d passed, %d failed\n", good, !good);
    return !good;
}
