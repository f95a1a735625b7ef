// xor.go — XOR of two and of many, masking, equality.

package xorcore

import (
	"crypto/subtle"
	"unsafe"
)

// XORBytes sets dst[i] = x[i] ^ y[i] for all i < n = min(len(x), len(y)) and returns n, the number of
// bytes written. It has the exact meaning of [crypto/subtle.XORBytes], panics included: it panics
// without writing anything when dst is shorter than n, or when the first n bytes of dst and of x or y
// overlap other than exactly.
func XORBytes(dst, x, y []byte) int {
	n := min(len(x), len(y))
	if n < xorThreshold {
		return subtle.XORBytes(dst, x, y)
	}
	return xorLong(dst, x, y, n)
}

func xorLong(dst, x, y []byte, n int) int {
	if n > len(dst) {
		panic("subtle.XORBytes: dst too short")
	}
	if inexactOverlap(dst[:n], x[:n]) || inexactOverlap(dst[:n], y[:n]) {
		panic("subtle.XORBytes: invalid overlap")
	}
	xorTwo(dst[:n], x[:n], y[:n])
	return n
}

// XORBytesN sets dst[i] to the XOR of srcs[0][i], srcs[1][i], … for all i < n, the length of the
// shortest source, and returns n: the parity of any number of shards, in one pass over memory. One
// source is a copy. dst may be exactly any of the sources, and the sources may overlap each other in
// any way.
//
// It panics without writing anything when there is no source, when dst is shorter than n, or when the
// first n bytes of dst and of a source overlap other than exactly.
func XORBytesN(dst []byte, srcs ...[]byte) int {
	if len(srcs) == 0 {
		panic("xorcore.XORBytesN: no sources")
	}
	n := len(srcs[0])
	for _, src := range srcs[1:] {
		n = min(n, len(src))
	}
	if n == 0 {
		return 0
	}
	if n > len(dst) {
		panic("xorcore.XORBytesN: dst too short")
	}
	dst = dst[:n]
	for _, src := range srcs {
		if inexactOverlap(dst, src[:n]) {
			panic("xorcore.XORBytesN: invalid overlap")
		}
	}
	xorMany(dst, srcs)
	return n
}

// XORStrided is [XORBytesN] for count sources of len(dst) bytes that lie in one slice, source k at
// k*stride, as the rows of a matrix do. A stride below len(dst) makes the sources overlap each other, which
// is allowed; a stride of 0 takes one source count times. dst may be exactly any of the sources.
//
// It panics without writing anything when count is not positive or stride negative, when src is too short,
// or when dst and a source overlap other than exactly.
func XORStrided(dst, src []byte, stride, count int) {
	if count <= 0 || stride < 0 {
		panic("xorcore.XORStrided: no sources")
	}
	n := len(dst)
	if n > len(src) || stride > 0 && count-1 > (len(src)-n)/stride {
		panic("xorcore.XORStrided: src too short")
	}
	if n == 0 {
		return
	}
	if stride == 0 {
		count = 2 - count%2 // pairs of the same source cancel: no count takes long
	}
	for k := range count {
		if inexactOverlap(dst, src[k*stride:][:n]) {
			panic("xorcore.XORStrided: invalid overlap")
		}
	}
	xorStrided(dst, src, stride, count)
}

// XORRepeat sets dst[i] = src[i] ^ key[(offset+i) mod len(key)] for every byte of src: masking with a
// repeating key, as WebSocket frames have it. A message in pieces is masked by passing the number of
// bytes that went before as the offset. dst may be exactly src and must not touch key.
//
// It panics without writing anything when key is empty, when dst is shorter than src, or when the
// buffers overlap in another way.
func XORRepeat(dst, src, key []byte, offset uint64) {
	if len(key) == 0 {
		panic("xorcore.XORRepeat: empty key")
	}
	if len(src) > len(dst) {
		panic("xorcore.XORRepeat: dst too short")
	}
	dst = dst[:len(src)]
	if inexactOverlap(dst, src) || anyOverlap(dst, key) {
		panic("xorcore.XORRepeat: invalid overlap")
	}
	if len(src) != 0 {
		xorRepeat(dst, src, key, offset)
	}
}

// Equal tells whether x and y hold the same bytes, in a time that depends on their lengths alone.
// Slices of different lengths are not equal.
func Equal(x, y []byte) bool {
	return len(x) == len(y) && equal(x, y)
}

// timesAt counts the sources that lie exactly at dst.
func timesAt(dst []byte, srcs [][]byte) (n int) {
	for _, src := range srcs {
		if unsafe.SliceData(src) == unsafe.SliceData(dst) {
			n++
		}
	}
	return n
}

// xorManyGo is XORBytesN for lengths too short to pay for a call into C, and for builds without it.
func xorManyGo(dst []byte, srcs [][]byte) {
	// What lies at dst is there already if it comes an odd number of times, and is nothing if even.
	started := timesAt(dst, srcs)%2 == 1
	var held []byte // the first source, waiting for a second
	for _, src := range srcs {
		switch {
		case unsafe.SliceData(src) == unsafe.SliceData(dst):
		case started:
			subtle.XORBytes(dst, dst, src)
		case held == nil:
			held = src
		default:
			subtle.XORBytes(dst, held[:len(dst)], src)
			started = true
		}
	}
	if started {
		return
	}
	clear(dst[copy(dst, held):])
}

// xorRepeatGo is XORRepeat for texts too short to pay for a call into C, and for builds without it.
func xorRepeatGo(dst, src, key []byte, offset uint64) {
	// A long run takes the key unrolled from the offset on; a whole number of keys at least 256 bytes
	// long, so that most of the work is done by subtle.XORBytes.
	at := int(offset % uint64(len(key)))
	if len(src) <= len(key)-at {
		subtle.XORBytes(dst, src, key[at:])
		return
	}
	if len(key) >= 256 || len(src) < 64 {
		for len(src) > 0 {
			n := subtle.XORBytes(dst, src, key[at:])
			dst, src, at = dst[n:], src[n:], 0
		}
		return
	}
	var run [512]byte
	n := copy(run[:], key[at:])
	n += copy(run[n:], key[:at])
	for 2*n <= len(run) {
		n += copy(run[n:], run[:n])
	}
	for len(src) > 0 {
		m := subtle.XORBytes(dst, src, run[:n])
		dst, src = dst[m:], src[m:]
	}
	clear(run[:])
}

// equalGo is Equal for slices of one length that are too short to pay for a call into C.
func equalGo(x, y []byte) bool { return subtle.ConstantTimeCompare(x, y) == 1 }
