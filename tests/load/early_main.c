/* early_main.c — did a constructor before main get right answers? */
#include "early.h"

#include <stdio.h>

int main(void)
{
    if (early_is_right())
        return 0;
    fprintf(stderr, "another answer from a constructor than from main\n");
    return 1;
}
