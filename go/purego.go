// purego.go — without cgo: XOR and the library's description.

//go:build !cgo

package xorcore

import (
	"crypto/subtle"
	"runtime"
)

// Native tells whether this build calls the C library: true with cgo, false without.
func Native() bool { return false }

// ---- XOR -------------------------------------------------------------------------------------------

// xorThreshold is a length that no slice reaches: everything is for crypto/subtle.
const xorThreshold = int(^uint(0) >> 1)

func xorTwo(dst, x, y []byte) { subtle.XORBytes(dst, x, y) }

func xorMany(dst []byte, srcs [][]byte) {
	// In pieces that stay in the first-level cache.
	const piece = 8192
	part := make([][]byte, len(srcs))
	for at := 0; at < len(dst); at += piece {
		for i, src := range srcs {
			part[i] = src[at:]
		}
		xorManyGo(dst[at:min(at+piece, len(dst))], part)
	}
}

func xorStrided(dst, src []byte, stride, count int) {
	srcs := make([][]byte, count)
	for k := range srcs {
		srcs[k] = src[k*stride:][:len(dst)]
	}
	xorMany(dst, srcs)
}

func xorRepeat(dst, src, key []byte, offset uint64) { xorRepeatGo(dst, src, key, offset) }

func equal(x, y []byte) bool { return equalGo(x, y) }

// ---- the library -----------------------------------------------------------------------------------

func version() string { return "go" }

func cpu() string { return runtime.GOARCH }

// kernels has one row a family. None claims to be constant-time: on CPUs without AES instructions
// crypto/aes works with tables.
func kernels() []Kernel {
	var list []Kernel
	for _, family := range []string{"xor", "aes", "ghash", "gcm"} {
		list = append(list, Kernel{Family: family, Name: "go", Runs: true, Default: true})
	}
	return list
}

// kernelFits tells whether a kernel argument names what a build without cgo has.
func kernelFits(kernel string) bool {
	return kernel == "" || kernel == "go" || kernel == "go+go"
}

func kernelOf(closed bool) string {
	if closed {
		return ""
	}
	return "go"
}
