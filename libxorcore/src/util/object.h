/* object.h — the common start of every key object: how large it is, who holds it, what it runs on. */
#ifndef XC_OBJECT_H
#define XC_OBJECT_H

#include "../kernel.h"
#include "block.h"

#include <stdatomic.h>
#include <string.h>

/* First member of every public key object. The object is immutable to its users; `holders` counts the
 * user and the streams made from it, and the last one to let go wipes and frees the block. */
struct xc_object {
    size_t size;
    atomic_uint holders;
    char kernel[XC_NAME_MAX];
};

/* A new block of `size` bytes with one holder, or NULL. All behind this struct is for the caller to write: a key is
 * made in it at once, and zeros before that would cost as much as wiping it afterwards. */
static inline void *xc_object_new(size_t size, const struct xc_choice *choice)
{
    struct xc_object *o = xc_block_raw(size);
    if (o) {
        o->size = size;
        atomic_init(&o->holders, 1);
        memcpy(o->kernel, choice->name, sizeof o->kernel);
    }
    return o;
}

static inline void xc_object_hold(struct xc_object *o)
{
    atomic_fetch_add_explicit(&o->holders, 1, memory_order_relaxed);
}

/* The last holder must see all that the others did with the object, hence acquire and release. */
static inline void xc_object_release(struct xc_object *o)
{
    if (o && atomic_fetch_sub_explicit(&o->holders, 1, memory_order_acq_rel) == 1)
        xc_block_free(o, o->size);
}

#endif
