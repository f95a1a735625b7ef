// native_stream.go — calls into the C library: messages in pieces.

//go:build cgo

package xorcore

/*
#include <xorcore.h>

#cgo noescape xorcore_stream_new_cipher
#cgo nocallback xorcore_stream_new_cipher
#cgo noescape xorcore_stream_new_aead
#cgo nocallback xorcore_stream_new_aead
#cgo noescape xorcore_stream_new_mac
#cgo nocallback xorcore_stream_new_mac
#cgo nocallback xorcore_stream_lengths
#cgo nocallback xorcore_stream_seek

#cgo noescape xorcore_stream_aad
#cgo nocallback xorcore_stream_aad
#cgo noescape xorcore_stream_update
#cgo nocallback xorcore_stream_update
#cgo noescape xorcore_stream_finish
#cgo nocallback xorcore_stream_finish
#cgo noescape xorcore_stream_verify
#cgo nocallback xorcore_stream_verify
#cgo noescape xorcore_stream_reset
#cgo nocallback xorcore_stream_reset
#cgo noescape xorcore_stream_iv
#cgo nocallback xorcore_stream_iv
#cgo noescape xorcore_go_stream_sum
#cgo nocallback xorcore_go_stream_sum

// The end of a message is the end of its stream, and a hash goes on: a copy comes to its end instead, in one
// call and without an object of Go's.
static int xorcore_go_stream_sum(const xorcore_stream *stream, uint8_t *tag, size_t tag_len)
{
    xorcore_stream *end;
    int result = xorcore_stream_copy(&end, stream);

    if (result == XORCORE_OK) {
        result = xorcore_stream_finish(end, tag, tag_len);
        xorcore_stream_free(end);
    }
    return result;
}
*/
import "C"

import "runtime"

// Directions of a stream.
const (
	streamDecrypt           = int(C.XORCORE_DECRYPT)
	streamEncrypt           = int(C.XORCORE_ENCRYPT)
	streamDecryptUnverified = int(C.XORCORE_DECRYPT_UNVERIFIED)
)

// A stream is one message in any split. It holds its key by itself.
type stream struct {
	p    *C.xorcore_stream
	free runtime.Cleanup
	name string // of the kernel
}

// adopt takes what a constructor of C has made.
func (s *stream) adopt(r C.int, name string) (*stream, Error) {
	if r != 0 {
		return nil, Error(r)
	}
	s.name = name
	s.free = runtime.AddCleanup(s, func(p *C.xorcore_stream) { C.xorcore_stream_free(p) }, s.p)
	return s, ok
}

func (k *cipherKey) newStream(direction int, iv []byte) (*stream, Error) {
	s := new(stream)
	r := C.xorcore_stream_new_cipher(&s.p, k.p, C.int(direction), ptr(iv), C.size_t(len(iv)))
	return s.adopt(r, k.kernel())
}

func (k *aeadKey) newStream(direction int, nonce []byte) (*stream, Error) {
	s := new(stream)
	r := C.xorcore_stream_new_aead(&s.p, k.p, C.int(direction), ptr(nonce), C.size_t(len(nonce)))
	return s.adopt(r, k.kernel())
}

func (k *macKey) newStream(nonce []byte) (*stream, Error) {
	s := new(stream)
	r := C.xorcore_stream_new_mac(&s.p, k.p, ptr(nonce), C.size_t(len(nonce)))
	return s.adopt(r, k.kernel())
}

func (s *stream) copy() (*stream, Error) {
	c := new(stream)
	r := C.xorcore_stream_copy(&c.p, s.p)
	runtime.KeepAlive(s)
	return c.adopt(r, s.name)
}

func (s *stream) close() {
	if s.p != nil {
		s.free.Stop()
		C.xorcore_stream_free(s.p)
		s.p, s.name = nil, ""
	}
}

func (s *stream) closed() bool { return s.p == nil }

func (s *stream) kernel() string { return s.name }

func (s *stream) reset(nonce []byte) Error {
	r := C.xorcore_stream_reset(s.p, ptr(nonce), C.size_t(len(nonce)))
	runtime.KeepAlive(s)
	return Error(r)
}

func (s *stream) lengths(aad, text uint64) Error {
	r := C.xorcore_stream_lengths(s.p, C.uint64_t(aad), C.uint64_t(text))
	runtime.KeepAlive(s)
	return Error(r)
}

func (s *stream) aad(b []byte) Error {
	r := C.xorcore_stream_aad(s.p, ptr(b), C.size_t(len(b)))
	runtime.KeepAlive(s)
	return Error(r)
}

// update takes text; out is nil for a MAC and for an AEAD that only authenticates.
func (s *stream) update(out, in []byte) Error {
	r := C.xorcore_stream_update(s.p, ptr(out), ptr(in), C.size_t(len(in)))
	runtime.KeepAlive(s)
	return Error(r)
}

func (s *stream) seek(offset uint64) Error {
	r := C.xorcore_stream_seek(s.p, C.uint64_t(offset))
	runtime.KeepAlive(s)
	return Error(r)
}

func (s *stream) iv(iv []byte) Error {
	r := C.xorcore_stream_iv(s.p, ptr(iv), C.size_t(len(iv)))
	runtime.KeepAlive(s)
	return Error(r)
}

func (s *stream) finish(tag []byte) Error {
	r := C.xorcore_stream_finish(s.p, ptr(tag), C.size_t(len(tag)))
	runtime.KeepAlive(s)
	return Error(r)
}

// sum is what finish would give now; the message goes on.
func (s *stream) sum(tag []byte) Error {
	r := C.xorcore_go_stream_sum(s.p, ptr(tag), C.size_t(len(tag)))
	runtime.KeepAlive(s)
	return Error(r)
}

func (s *stream) verify(tag []byte) Error {
	r := C.xorcore_stream_verify(s.p, ptr(tag), C.size_t(len(tag)))
	runtime.KeepAlive(s)
	return Error(r)
}
