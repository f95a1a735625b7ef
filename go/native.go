// native.go — calls into the C library: XOR and the library itself.

//go:build cgo

package xorcore

/*
#cgo pkg-config: xorcore
#cgo xorcore_static LDFLAGS: -l:libxorcore.a

#include <xorcore.h>

#cgo noescape xorcore_xor
#cgo nocallback xorcore_xor
#cgo noescape xorcore_xor_strided
#cgo nocallback xorcore_xor_strided
#cgo noescape xorcore_xor_repeat
#cgo nocallback xorcore_xor_repeat
#cgo noescape xorcore_equal
#cgo nocallback xorcore_equal
#cgo noescape xorcore_go_xor_many
#cgo nocallback xorcore_go_xor_many

// Go must not hand C an array of Go pointers without pinning every one of them, but each pointer that
// is an argument of its own is pinned for nothing. So the array is made here, on C's side.
static int xorcore_go_xor_many(uint8_t *dst, size_t count, size_t n, const uint8_t *s0, const uint8_t *s1,
                               const uint8_t *s2, const uint8_t *s3, const uint8_t *s4, const uint8_t *s5,
                               const uint8_t *s6, const uint8_t *s7)
{
    const uint8_t *src[] = {s0, s1, s2, s3, s4, s5, s6, s7};

    return xorcore_xor_many(dst, src, count, n);
}
*/
import "C"

import (
	"strings"
	"unsafe"
)

// Native tells whether this build calls the C library: true with cgo, false without.
func Native() bool { return true }

// ptr is where C finds the bytes of b. The length travels beside it; that of an empty slice is 0, and
// C then looks at no pointer.
func ptr(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(b)) }

// cname is a kernel's name for C: NULL for the best one. Free it. A NUL would end the name early.
func cname(kernel string) *C.char {
	if kernel == "" {
		return nil
	}
	return C.CString(strings.ReplaceAll(kernel, "\x00", "?"))
}

func must(result C.int) {
	if result != 0 {
		panic("xorcore: " + Error(result).Error())
	}
}

// ---- XOR -------------------------------------------------------------------------------------------

// Below these lengths a call into C, 29 ns, costs more than it saves. Measured on Zen 4 with go1.26 and
// the kernel xor/avx2, ns in Go and in C:
//
//	XORBytes   1024: 38, 41   2048: 73, 50   3072: 108, 60   4096: 142, 70
//	in luck    1024: 22, 40   2048: 39, 50   3072:  60, 60   4096:  80, 70
//	XORRepeat    16: 31, 37     32: 60, 37     64:  52, 37   (key of 4 bytes)
//	Equal        64: 20, 31    128: 37, 35    256:  72, 44
//
// The loop of crypto/subtle has two speeds, by the address at which a program's linker puts it.
const (
	xorThreshold       = 3072
	xorRepeatThreshold = 32
	equalThreshold     = 128
)

// xorTwo is dst = x ^ y for slices of one length that XORBytes has checked.
func xorTwo(dst, x, y []byte) {
	must(C.xorcore_xor(ptr(dst), ptr(x), ptr(y), C.size_t(len(dst))))
}

// xorMany is dst = srcs[0] ^ srcs[1] ^ … over len(dst) bytes that XORBytesN has checked.
func xorMany(dst []byte, srcs [][]byte) {
	const width, piece = 8, 8192
	switch {
	case len(dst)*len(srcs) < xorThreshold:
		xorManyGo(dst, srcs)
	case len(srcs) == 2:
		xorTwo(dst, srcs[0], srcs[1])
	case len(srcs) <= width:
		var s [width]*C.uint8_t
		for i, src := range srcs {
			s[i] = ptr(src)
		}
		xorPass(dst, len(srcs), &s)
	default:
		// In passes of up to width sources over pieces that stay in the first-level cache. From the second
		// pass on the result so far is a source; from the first on if dst is one, an odd number of times.
		fromDst := timesAt(dst, srcs)%2 == 1
		for at := 0; at < len(dst); at += piece {
			out := dst[at:min(at+piece, len(dst))]
			var s [width]*C.uint8_t
			n := 0
			if fromDst {
				s[0], n = ptr(out), 1
			}
			for _, src := range srcs {
				if unsafe.SliceData(src) == unsafe.SliceData(dst) {
					continue
				}
				if n == width {
					xorPass(out, n, &s)
					s[0], n = ptr(out), 1
				}
				s[n] = ptr(src[at:])
				n++
			}
			if n == 0 {
				clear(out)
			} else {
				xorPass(out, n, &s)
			}
		}
	}
}

func xorPass(dst []byte, n int, s *[8]*C.uint8_t) {
	must(C.xorcore_go_xor_many(ptr(dst), C.size_t(n), C.size_t(len(dst)),
		s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]))
}

// xorStrided is what XORStrided does once it has checked.
func xorStrided(dst, src []byte, stride, count int) {
	must(C.xorcore_xor_strided(ptr(dst), ptr(src), C.size_t(stride), C.size_t(count), C.size_t(len(dst))))
}

func xorRepeat(dst, src, key []byte, offset uint64) {
	if len(src) < xorRepeatThreshold {
		xorRepeatGo(dst, src, key, offset)
		return
	}
	must(C.xorcore_xor_repeat(ptr(dst), ptr(src), C.size_t(len(src)), ptr(key), C.size_t(len(key)),
		C.uint64_t(offset)))
}

func equal(x, y []byte) bool {
	if len(x) < equalThreshold {
		return equalGo(x, y)
	}
	return C.xorcore_equal(ptr(x), ptr(y), C.size_t(len(x))) == 1
}

// ---- the library -----------------------------------------------------------------------------------

func version() string { return C.GoString(C.xorcore_version()) }

func cpu() string { return C.GoString(C.xorcore_cpu()) }

func selfTest() Error { return Error(C.xorcore_selftest()) }

func kernels() []Kernel {
	list := make([]Kernel, 0, int(C.xorcore_kernel_count()))
	for i := range cap(list) {
		var k C.xorcore_kernel
		must(C.xorcore_kernel_at(C.size_t(i), &k, C.sizeof_xorcore_kernel))
		list = append(list, Kernel{
			Family:       C.GoString(k.family),
			Name:         C.GoString(k.name),
			Needs:        C.GoString(k.needs),
			Why:          C.GoString(k.why),
			Runs:         k.flags&C.XORCORE_KERNEL_RUNS != 0,
			Default:      k.flags&C.XORCORE_KERNEL_DEFAULT != 0,
			ConstantTime: k.flags&C.XORCORE_KERNEL_CONSTANT_TIME != 0,
		})
	}
	return list
}
