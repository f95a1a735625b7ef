// native_aead.go — calls into the C library: AEADs.

//go:build cgo

package xorcore

/*
#include <stdlib.h>
#include <xorcore.h>

#cgo noescape xorcore_aead_new
#cgo nocallback xorcore_aead_new
#cgo noescape xorcore_aead_seal
#cgo nocallback xorcore_aead_seal
#cgo noescape xorcore_aead_open
#cgo nocallback xorcore_aead_open
#cgo noescape xorcore_aead_seal_rows
#cgo nocallback xorcore_aead_seal_rows
#cgo noescape xorcore_aead_open_rows
#cgo nocallback xorcore_aead_open_rows
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// Algorithms of an AEAD.
const (
	aesGCM     = int(C.XORCORE_AES_GCM)
	aesCCM     = int(C.XORCORE_AES_CCM)
	aesGCMSIV  = int(C.XORCORE_AES_GCM_SIV)
	xaes256GCM = int(C.XORCORE_XAES_256_GCM)
)

// aeadKey is a key for one AEAD algorithm and one tag length. Any number of goroutines may use one.
type aeadKey struct {
	p    *C.xorcore_aead
	tag  C.size_t
	free runtime.Cleanup
}

func newAEADKey(algorithm int, key []byte, tagSize int, kernel string) (*aeadKey, Error) {
	name := cname(kernel)
	defer C.free(unsafe.Pointer(name))
	k := &aeadKey{tag: C.size_t(max(tagSize, 0))}
	if r := C.xorcore_aead_new(&k.p, C.int(algorithm), ptr(key), C.size_t(len(key)), k.tag, name); r != 0 {
		return nil, Error(r)
	}
	k.free = runtime.AddCleanup(k, func(p *C.xorcore_aead) { C.xorcore_aead_free(p) }, k.p)
	return k, ok
}

func (k *aeadKey) close() {
	if k.p != nil {
		k.free.Stop()
		C.xorcore_aead_free(k.p)
		k.p = nil
	}
}

func (k *aeadKey) closed() bool { return k.p == nil }

func (k *aeadKey) kernel() string {
	name := C.GoString(C.xorcore_aead_kernel(k.p))
	runtime.KeepAlive(k)
	return name
}

// seal writes the ciphertext of `in` and then the tag to out.
func (k *aeadKey) seal(out, nonce, in, aad []byte) Error {
	r := C.xorcore_aead_seal(k.p, ptr(out), ptr(out[len(in):]), k.tag, ptr(nonce), C.size_t(len(nonce)),
		ptr(in), C.size_t(len(in)), ptr(aad), C.size_t(len(aad)))
	runtime.KeepAlive(k)
	return Error(r)
}

// open checks and decrypts `in`, a ciphertext of out's length and then a tag.
func (k *aeadKey) open(out, nonce, in, aad []byte) Error {
	n := len(out)
	r := C.xorcore_aead_open(k.p, ptr(out), ptr(nonce), C.size_t(len(nonce)), ptr(in), C.size_t(n),
		ptr(in[n:]), C.size_t(len(in)-n), ptr(aad), C.size_t(len(aad)))
	runtime.KeepAlive(k)
	return Error(r)
}

// rows seals or opens many messages.
func (k *aeadKey) rows(seal bool, out, in, aux []byte, nonceSize int, rows []Row) Error {
	var r C.int
	if seal {
		r = C.xorcore_aead_seal_rows(k.p, ptr(out), C.size_t(len(out)), ptr(in), C.size_t(len(in)),
			ptr(aux), C.size_t(len(aux)), C.size_t(nonceSize), crows(rows), C.size_t(len(rows)), rowSize)
	} else {
		r = C.xorcore_aead_open_rows(k.p, ptr(out), C.size_t(len(out)), ptr(in), C.size_t(len(in)),
			ptr(aux), C.size_t(len(aux)), C.size_t(nonceSize), crows(rows), C.size_t(len(rows)), rowSize)
	}
	runtime.KeepAlive(k)
	return Error(r)
}

// A Row is laid out as a xorcore_row.
const rowSize = C.sizeof_xorcore_row

var _ = [1]int{}[unsafe.Sizeof(Row{})-rowSize]

func crows(rows []Row) *C.xorcore_row {
	return (*C.xorcore_row)(unsafe.Pointer(unsafe.SliceData(rows)))
}
