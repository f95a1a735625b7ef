// purego_named.go — without cgo: what the tests ask of a named kernel.

//go:build !cgo

package xorcore

// The XOR functions as the tests compare them kernel by kernel, where there is but one.

func xorTwoOn(kernel string, dst, x, y []byte) Error {
	if !kernelFits(kernel) {
		return ErrKernel
	}
	if inexactOverlap(dst, x) || inexactOverlap(dst, y) {
		return ErrOverlap
	}
	XORBytes(dst, x, y)
	return ok
}

func xorManyOn(kernel string, dst []byte, srcs [][]byte) Error {
	if len(srcs) == 0 {
		return ErrArg
	}
	if !kernelFits(kernel) {
		return ErrKernel
	}
	for _, src := range srcs {
		if inexactOverlap(dst, src) {
			return ErrOverlap
		}
	}
	XORBytesN(dst, srcs...)
	return ok
}

func xorStridedOn(kernel string, dst, src []byte, stride, count int) Error {
	srcs := make([][]byte, count)
	for i := range srcs {
		srcs[i] = src[i*stride:][:len(dst)]
	}
	return xorManyOn(kernel, dst, srcs)
}

func xorRepeatOn(kernel string, dst, src, key []byte, phase uint64) Error {
	if len(key) == 0 {
		return ErrKeyLength
	}
	if !kernelFits(kernel) {
		return ErrKernel
	}
	if inexactOverlap(dst, src) || anyOverlap(dst, key) {
		return ErrOverlap
	}
	XORRepeat(dst, src, key, phase)
	return ok
}

func equalNative(x, y []byte) bool { return Equal(x, y) }

// resultWords is what the C library would call a result.
func resultWords(result int) (name, text string) { return Error(result).Name(), Error(result).Error() }
