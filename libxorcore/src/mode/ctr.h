/* ctr.h — counter mode over any aes kernel. */
#ifndef XC_MODE_CTR_H
#define XC_MODE_CTR_H

#include "../kernel.h"

/* counter += blocks, as 128 bits, big-endian, wrapping. */
void xc_counter_add(uint8_t counter[16], uint64_t blocks);

/* As xc_aes_ops.ctr: n bytes, the last block may be partial, the counter moves on by the blocks begun. */
void xc_ctr(const struct xc_aes_ops *ops, const void *key, uint8_t *out, const uint8_t *in, size_t n,
            uint8_t counter[16]);

#endif
