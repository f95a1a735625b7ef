// Package xorcore is XOR and AES at the speed of the machine, through the C library libxorcore.
//
// Everything has the shape that Go programs already use: [NewGCM] returns a [crypto/cipher.AEAD],
// [XORBytes] has the meaning and the panics of [crypto/subtle.XORBytes]. Changing from the standard
// library is changing a constructor.
//
// # Two builds, one answer
//
// With cgo the package calls libxorcore, found by pkg-config. With CGO_ENABLED=0 it is written in Go
// over the standard library and gives the same bytes and the same errors, at the standard library's
// speed; [Native] tells which of the two a program has, and [Kernels] then holds rows named "go".
//
// # Errors and panics
//
// What a caller of crypto/cipher gets as a panic (a nonce of the wrong length, buffers that overlap
// other than exactly, a short output) is a panic with the same message here, raised before a byte is
// written. Everything else is an [Error], whose numbers, names and sentences are those of the C library.
//
// # Threads
//
// Keys (the objects of [NewGCM] and the like) are immutable and may be used by any number of goroutines
// at a time. What carries a position in a message belongs to one goroutine at a time.
//
// # Memory
//
// Keys lie outside Go's heap, are wiped when they are freed, and are freed when the garbage collector
// finds their object dead. [Close] does it at once. (A Block keeps its key in Go's heap too: [NewCipher]. In
// a build without cgo everything lies there.)
//
// # Limits that nobody counts for you
//
// A GCM nonce must never be used twice with one key: two messages under one nonce give away the XOR of
// the texts and the authentication key. With random 12-byte nonces encrypt at most 2^32 messages under
// one key, or use [NewXAES256GCMWithRandomNonce], whose nonces are long enough for any number. Tags shorter
// than 12 bytes are for the special uses of SP 800-38D, appendix C.
package xorcore
