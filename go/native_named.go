// native_named.go — calls into the C library that only the tests make.

//go:build cgo

package xorcore

// #include <stdlib.h>
// #include <xorcore.h>
import "C"

import (
	"runtime"
	"unsafe"
)

// The XOR functions on a kernel that is named, whatever the length: what the tests compare kernel by
// kernel. They check nothing that C does not check.

func xorTwoOn(kernel string, dst, x, y []byte) Error {
	name := cname(kernel)
	defer C.free(unsafe.Pointer(name))
	return Error(C.xorcore_xor_on(name, ptr(dst), ptr(x), ptr(y), C.size_t(len(dst))))
}

func xorManyOn(kernel string, dst []byte, srcs [][]byte) Error {
	name := cname(kernel)
	defer C.free(unsafe.Pointer(name))
	var pins runtime.Pinner
	defer pins.Unpin()
	list := make([]*C.uint8_t, len(srcs))
	for i, src := range srcs {
		if len(src) > 0 {
			list[i] = ptr(src)
			pins.Pin(list[i])
		}
	}
	return Error(C.xorcore_xor_many_on(name, ptr(dst), unsafe.SliceData(list), C.size_t(len(list)),
		C.size_t(len(dst))))
}

func xorStridedOn(kernel string, dst, src []byte, stride, count int) Error {
	name := cname(kernel)
	defer C.free(unsafe.Pointer(name))
	return Error(C.xorcore_xor_strided_on(name, ptr(dst), ptr(src), C.size_t(stride), C.size_t(count),
		C.size_t(len(dst))))
}

func xorRepeatOn(kernel string, dst, src, key []byte, phase uint64) Error {
	name := cname(kernel)
	defer C.free(unsafe.Pointer(name))
	return Error(C.xorcore_xor_repeat_on(name, ptr(dst), ptr(src), C.size_t(len(src)), ptr(key),
		C.size_t(len(key)), C.uint64_t(phase)))
}

func equalNative(x, y []byte) bool {
	return C.xorcore_equal(ptr(x), ptr(y), C.size_t(len(x))) == 1
}

// resultWords is what the C library calls a result.
func resultWords(result int) (name, text string) {
	return C.GoString(C.xorcore_result_name(C.int(result))), C.GoString(C.xorcore_result_text(C.int(result)))
}
