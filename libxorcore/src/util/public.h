/* public.h — where a value that was made of secrets goes out with the message, and so may be branched on. */
#ifndef XC_PUBLIC_H
#define XC_PUBLIC_H

/* Nothing but for the constant-time builds, whose tests/ct/declassify.h has told the engine already what it means. */
#ifndef xc_make_public
#define xc_make_public(p, n) ((void)(p), (void)(n))
#endif

#endif
