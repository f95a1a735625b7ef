/* declassify.h — included before every file of the library in the constant-time builds: what is made public.
 *
 * Whether two secrets are equal is the one thing about them that the library tells, as AUTH or as
 * WEAK_KEY, so the answer of a comparison stops being a secret when the comparison is over. How it was
 * come by is still watched. The other thing is a GCM-SIV tag, which goes out with the message, when it becomes a counter
 * (xc_make_public). Nothing else is made public here. */
#ifndef DECLASSIFY_H
#define DECLASSIFY_H

#ifdef XORCORE_CT_MSAN
#include "msan.h"
#else
#include <valgrind/memcheck.h>
#endif

#include "util/equal.h"

#ifdef XORCORE_CT_MSAN
#define xc_make_public(p, n) __msan_unpoison(p, n)
#else
#define xc_make_public(p, n) ((void)VALGRIND_MAKE_MEM_DEFINED(p, n))
#endif

static inline int declassify(int answer)
{
    xc_make_public(&answer, sizeof answer);
    return answer;
}

#define xc_equal(a, b, n) declassify(xc_equal(a, b, n))

#endif
