/* xor_sve.c — XOR in vectors of SVE, of whatever length the CPU has.
 *
 * Four vectors a turn; what is left goes a vector at a time, the last under a mask, so that no byte outside is touched and no
 * length is a case of its own. Executed instructions per byte of `two` at 32 KiB, gcc 12, counted by qemu-user, by the bytes
 * of a vector: 0.344 for 16, 0.172 for 32,
 * 0.086 for 64. NEON's is 0.119 everywhere, which is fewer on all cores but those of 64 bytes. */
#include "../kernel.h"

#include <arm_sve.h>

static int two(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    const svbool_t all = svptrue_b8();
    const size_t turn = 4 * svcntb();
    for (; n >= turn; n -= turn) {
        svst1_vnum_u8(all, dst, 0, sveor_u8_x(all, svld1_vnum_u8(all, a, 0), svld1_vnum_u8(all, b, 0)));
        svst1_vnum_u8(all, dst, 1, sveor_u8_x(all, svld1_vnum_u8(all, a, 1), svld1_vnum_u8(all, b, 1)));
        svst1_vnum_u8(all, dst, 2, sveor_u8_x(all, svld1_vnum_u8(all, a, 2), svld1_vnum_u8(all, b, 2)));
        svst1_vnum_u8(all, dst, 3, sveor_u8_x(all, svld1_vnum_u8(all, a, 3), svld1_vnum_u8(all, b, 3)));
        dst += turn;
        a += turn;
        b += turn;
    }
    for (size_t i = 0; i < n; i += svcntb()) {
        const svbool_t some = svwhilelt_b8_u64(i, n);
        svst1_u8(some, dst + i, sveor_u8_x(some, svld1_u8(some, a + i), svld1_u8(some, b + i)));
    }
    return 0;
}

const struct xc_xor_ops xc_xor_sve = { .two = two };
