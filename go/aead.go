// aead.go — the AEADs, with crypto/cipher's contract and panics.

package xorcore

import (
	"crypto/cipher"
	"math"
)

// NewGCM returns AES-GCM (SP 800-38D) with 12-byte nonces and 16-byte tags, for a key of 16, 24 or 32
// bytes. The result keeps [crypto/cipher.AEAD]'s contract and panics as crypto/cipher's own GCM does.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory].
func NewGCM(key []byte, opts ...Option) (cipher.AEAD, error) {
	return NewGCMWithSizes(key, 12, 16, opts...)
}

// NewGCMWithSizes returns AES-GCM with nonces of nonceSize bytes, at least 1, and tags of tagSize
// bytes, 4, 8 or 12 to 16. Use [NewGCM] unless something that exists already needs other sizes.
//
// Errors: [ErrKeyLength], [ErrTagLength], [ErrKernel], [ErrMemory], [ErrNonceLength].
func NewGCMWithSizes(key []byte, nonceSize, tagSize int, opts ...Option) (cipher.AEAD, error) {
	return newAEAD(aesGCM, "GCM", key, nonceSize, tagSize, 1<<36-32, nonceSize >= 1, opts)
}

// NewCCM returns AES-CCM (SP 800-38C) with nonces of nonceSize bytes, 7 to 13, and tags of tagSize bytes, an
// even number from 4 to 16, for a key of 16, 24 or 32 bytes. The text is shorter than 2^(8·(15-nonceSize))
// bytes. A nonce must never be used twice with one key.
//
// Errors: [ErrKeyLength], [ErrTagLength], [ErrKernel], [ErrMemory], [ErrNonceLength].
func NewCCM(key []byte, nonceSize, tagSize int, opts ...Option) (cipher.AEAD, error) {
	maxText := uint64(math.MaxUint64)
	if nonceSize > 7 && nonceSize <= 13 {
		maxText = 1<<(8*(15-nonceSize)) - 1
	}
	return newAEAD(aesCCM, "CCM", key, nonceSize, tagSize, maxText, nonceSize >= 7 && nonceSize <= 13, opts)
}

// NewGCMSIV returns AES-GCM-SIV (RFC 8452), with 12-byte nonces and 16-byte tags, for a key of 16 or 32
// bytes. A nonce that is used twice shows only whether the two messages were equal.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory].
func NewGCMSIV(key []byte, opts ...Option) (cipher.AEAD, error) {
	return newAEAD(aesGCMSIV, "GCM-SIV", key, 12, 16, 1<<36, true, opts)
}

// NewXAES256GCM returns XAES-256-GCM (C2SP), with 24-byte nonces, which may be random for any number of
// messages, and 16-byte tags, for a key of 32 bytes.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory].
func NewXAES256GCM(key []byte, opts ...Option) (cipher.AEAD, error) {
	return newAEAD(xaes256GCM, "XAES-256-GCM", key, 24, 16, 1<<36-32, true, opts)
}

// aead is an AEAD with crypto/cipher's contract. It exports nothing but that interface.
type aead struct {
	key       *aeadKey
	nonceSize int
	tagSize   int
	maxText   uint64
	name      string // in messages of panics
}

func newAEAD(algorithm int, name string, key []byte, nonceSize, tagSize int, maxText uint64, nonceFits bool,
	opts []Option) (cipher.AEAD, error) {
	k, r := newAEADKey(algorithm, key, tagSize, collect(opts).kernel)
	if r == ok && !nonceFits {
		k.close()
		r = ErrNonceLength
	}
	if r != ok {
		return nil, r.err()
	}
	return &aead{key: k, nonceSize: nonceSize, tagSize: tagSize, maxText: maxText, name: name}, nil
}

// withNonces is the AEAD of this package behind a, if it is open and its nonces are its caller's.
func withNonces(a cipher.AEAD) (*aead, Error) {
	switch a := a.(type) {
	case *aead:
		if a.key.closed() {
			return nil, ErrState
		}
		return a, ok
	case *randomNonce:
		return nil, ErrUnsupported
	}
	return nil, ErrArg
}

func (a *aead) object() object { return a.key }

func (a *aead) NonceSize() int { return a.nonceSize }

func (a *aead) Overhead() int { return a.tagSize }

func (a *aead) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	mustBeOpen(a.key)
	a.checkNonce(nonce)
	a.checkLength(plaintext)
	whole, out := grow(dst, len(plaintext)+a.tagSize)
	checkBuffers(out, plaintext, additionalData)
	if anyOverlap(out, nonce) {
		var room [movedNonce]byte
		nonce = append(room[:0], nonce...)
	}
	a.key.seal(out, nonce, plaintext, additionalData).check()
	return whole
}

func (a *aead) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if a.key.closed() {
		return nil, ErrState
	}
	a.checkNonce(nonce)
	n := len(ciphertext) - a.tagSize
	if n < 0 {
		return nil, ErrOpen
	}
	if uint64(n) > a.maxText {
		return nil, ErrLimit
	}
	whole, out := grow(dst, n)
	checkBuffers(out, ciphertext, additionalData)
	if anyOverlap(out, nonce) {
		var room [movedNonce]byte
		nonce = append(room[:0], nonce...)
	}
	if r := a.key.open(out, nonce, ciphertext, additionalData); r != ok {
		return nil, r.err()
	}
	return whole, nil
}

func (a *aead) checkNonce(nonce []byte) {
	if len(nonce) != a.nonceSize {
		panic("crypto/cipher: incorrect nonce length given to " + a.name)
	}
}

func (a *aead) checkLength(plaintext []byte) {
	if uint64(len(plaintext)) > a.maxText {
		panic("crypto/cipher: message too large for " + a.name)
	}
}

// A nonce may lie where the output will, which the C library does not allow: it is moved then, to the stack if it
// is no longer than this.
const movedNonce = 64

// checkBuffers panics as crypto/cipher does.
func checkBuffers(out, in, additionalData []byte) {
	if inexactOverlap(out, in) {
		panic("crypto/cipher: invalid buffer overlap of output and input")
	}
	if anyOverlap(out, additionalData) {
		panic("crypto/cipher: invalid buffer overlap of output and additional data")
	}
}
