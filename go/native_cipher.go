// native_cipher.go — calls into the C library: ciphers.

//go:build cgo

package xorcore

/*
#include <stdlib.h>
#include <xorcore.h>

#cgo noescape xorcore_cipher_new
#cgo nocallback xorcore_cipher_new
#cgo noescape xorcore_cipher_encrypt
#cgo nocallback xorcore_cipher_encrypt
#cgo noescape xorcore_cipher_decrypt
#cgo nocallback xorcore_cipher_decrypt
#cgo noescape xorcore_cipher_ctr_at
#cgo nocallback xorcore_cipher_ctr_at
#cgo noescape xorcore_cipher_sectors
#cgo nocallback xorcore_cipher_sectors
#cgo noescape xorcore_cipher_encrypt_rows
#cgo nocallback xorcore_cipher_encrypt_rows
#cgo noescape xorcore_cipher_decrypt_rows
#cgo nocallback xorcore_cipher_decrypt_rows
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// Algorithms of a cipher.
const (
	aesECB    = int(C.XORCORE_AES_ECB)
	aesCBC    = int(C.XORCORE_AES_CBC)
	aesCFB128 = int(C.XORCORE_AES_CFB128)
	aesCFB8   = int(C.XORCORE_AES_CFB8)
	aesOFB    = int(C.XORCORE_AES_OFB)
	aesCTR    = int(C.XORCORE_AES_CTR)
	aesXTS    = int(C.XORCORE_AES_XTS)
)

// cipherKey is a key for one cipher algorithm. Any number of goroutines may use one.
type cipherKey struct {
	algorithm int
	p         *C.xorcore_cipher
	free      runtime.Cleanup
}

func newCipherKey(algorithm int, key []byte, kernel string) (*cipherKey, Error) {
	name := cname(kernel)
	defer C.free(unsafe.Pointer(name))
	k := &cipherKey{algorithm: algorithm}
	if r := C.xorcore_cipher_new(&k.p, C.int(algorithm), ptr(key), C.size_t(len(key)), name); r != 0 {
		return nil, Error(r)
	}
	k.free = runtime.AddCleanup(k, func(p *C.xorcore_cipher) { C.xorcore_cipher_free(p) }, k.p)
	return k, ok
}

func (k *cipherKey) close() {
	if k.p != nil {
		k.free.Stop()
		C.xorcore_cipher_free(k.p)
		k.p = nil
	}
}

func (k *cipherKey) closed() bool { return k.p == nil }

func (k *cipherKey) kernel() string {
	name := C.GoString(C.xorcore_cipher_kernel(k.p))
	runtime.KeepAlive(k)
	return name
}

// crypt is one whole message.
func (k *cipherKey) crypt(direction int, out, iv, in []byte) Error {
	var r C.int
	if direction == streamEncrypt {
		r = C.xorcore_cipher_encrypt(k.p, ptr(out), ptr(iv), C.size_t(len(iv)), ptr(in), C.size_t(len(in)))
	} else {
		r = C.xorcore_cipher_decrypt(k.p, ptr(out), ptr(iv), C.size_t(len(iv)), ptr(in), C.size_t(len(in)))
	}
	runtime.KeepAlive(k)
	return Error(r)
}

// ctrAt is CTR from that byte of the key stream on.
func (k *cipherKey) ctrAt(out, iv []byte, offset uint64, in []byte) Error {
	r := C.xorcore_cipher_ctr_at(k.p, ptr(out), ptr(iv), C.size_t(len(iv)), C.uint64_t(offset), ptr(in),
		C.size_t(len(in)))
	runtime.KeepAlive(k)
	return Error(r)
}

// sectors is XTS over units of sectorSize bytes, unit i with the tweak plus i.
func (k *cipherKey) sectors(direction int, out, tweak, in []byte, sectorSize int) Error {
	r := C.xorcore_cipher_sectors(k.p, C.int(direction), ptr(out), ptr(tweak), C.size_t(len(tweak)), ptr(in),
		C.size_t(len(in)), C.size_t(max(sectorSize, 0)))
	runtime.KeepAlive(k)
	return Error(r)
}

// rows encrypts or decrypts many messages.
func (k *cipherKey) rows(direction int, out, in, aux []byte, ivSize int, rows []Row) Error {
	var r C.int
	if direction == streamEncrypt {
		r = C.xorcore_cipher_encrypt_rows(k.p, ptr(out), C.size_t(len(out)), ptr(in), C.size_t(len(in)),
			ptr(aux), C.size_t(len(aux)), C.size_t(ivSize), crows(rows), C.size_t(len(rows)), rowSize)
	} else {
		r = C.xorcore_cipher_decrypt_rows(k.p, ptr(out), C.size_t(len(out)), ptr(in), C.size_t(len(in)),
			ptr(aux), C.size_t(len(aux)), C.size_t(ivSize), crows(rows), C.size_t(len(rows)), rowSize)
	}
	runtime.KeepAlive(k)
	return Error(r)
}
