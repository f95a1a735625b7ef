// buffers.go — overlap of slices, and appending to them.

package xorcore

import "unsafe"

// anyOverlap tells whether the bytes of x and y have any in common.
func anyOverlap(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	px := uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	py := uintptr(unsafe.Pointer(unsafe.SliceData(y)))
	return px-py < uintptr(len(y)) || py-px < uintptr(len(x))
}

// inexactOverlap tells whether x and y have bytes in common without starting at the same one.
func inexactOverlap(x, y []byte) bool {
	return unsafe.SliceData(x) != unsafe.SliceData(y) && anyOverlap(x, y)
}

// grow appends n bytes to dst, in its spare capacity when that is enough, and returns the whole and
// the new part. The new bytes hold anything.
func grow(dst []byte, n int) (whole, added []byte) {
	total := len(dst) + n
	if total < 0 {
		panic("xorcore: length out of range")
	}
	if total <= cap(dst) {
		whole = dst[:total]
	} else {
		whole = make([]byte, total)
		copy(whole, dst)
	}
	return whole, whole[len(dst):]
}
