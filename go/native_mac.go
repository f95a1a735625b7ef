// native_mac.go — calls into the C library: MACs.

//go:build cgo

package xorcore

/*
#include <stdlib.h>
#include <xorcore.h>

#cgo noescape xorcore_mac_new
#cgo nocallback xorcore_mac_new
#cgo noescape xorcore_mac_compute
#cgo nocallback xorcore_mac_compute
#cgo noescape xorcore_mac_verify
#cgo nocallback xorcore_mac_verify
#cgo noescape xorcore_mac_compute_rows
#cgo nocallback xorcore_mac_compute_rows
#cgo noescape xorcore_mac_verify_rows
#cgo nocallback xorcore_mac_verify_rows
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// Algorithms of a MAC.
const (
	aesGMAC = int(C.XORCORE_AES_GMAC)
	aesCMAC = int(C.XORCORE_AES_CMAC)
)

// macKey is a key for one MAC algorithm and one tag length. Any number of goroutines may use one.
type macKey struct {
	p    *C.xorcore_mac
	free runtime.Cleanup
}

func newMACKey(algorithm int, key []byte, tagSize int, kernel string) (*macKey, Error) {
	name := cname(kernel)
	defer C.free(unsafe.Pointer(name))
	k := new(macKey)
	if r := C.xorcore_mac_new(&k.p, C.int(algorithm), ptr(key), C.size_t(len(key)), C.size_t(max(tagSize, 0)),
		name); r != 0 {
		return nil, Error(r)
	}
	k.free = runtime.AddCleanup(k, func(p *C.xorcore_mac) { C.xorcore_mac_free(p) }, k.p)
	return k, ok
}

func (k *macKey) close() {
	if k.p != nil {
		k.free.Stop()
		C.xorcore_mac_free(k.p)
		k.p = nil
	}
}

func (k *macKey) closed() bool { return k.p == nil }

func (k *macKey) kernel() string {
	name := C.GoString(C.xorcore_mac_kernel(k.p))
	runtime.KeepAlive(k)
	return name
}

func (k *macKey) compute(tag, nonce, data []byte) Error {
	r := C.xorcore_mac_compute(k.p, ptr(tag), C.size_t(len(tag)), ptr(nonce), C.size_t(len(nonce)), ptr(data),
		C.size_t(len(data)))
	runtime.KeepAlive(k)
	return Error(r)
}

func (k *macKey) verify(tag, nonce, data []byte) Error {
	r := C.xorcore_mac_verify(k.p, ptr(tag), C.size_t(len(tag)), ptr(nonce), C.size_t(len(nonce)), ptr(data),
		C.size_t(len(data)))
	runtime.KeepAlive(k)
	return Error(r)
}

// rows computes or verifies the tags of many messages.
func (k *macKey) rows(compute bool, out, in, aux []byte, nonceSize int, rows []Row) Error {
	var r C.int
	if compute {
		r = C.xorcore_mac_compute_rows(k.p, ptr(out), C.size_t(len(out)), ptr(in), C.size_t(len(in)),
			ptr(aux), C.size_t(len(aux)), C.size_t(nonceSize), crows(rows), C.size_t(len(rows)), rowSize)
	} else {
		r = C.xorcore_mac_verify_rows(k.p, nil, 0, ptr(in), C.size_t(len(in)),
			ptr(aux), C.size_t(len(aux)), C.size_t(nonceSize), crows(rows), C.size_t(len(rows)), rowSize)
	}
	runtime.KeepAlive(k)
	return Error(r)
}
