// randomnonce.go — AEADs that choose their nonces, and keep them in front of the ciphertext.

package xorcore

import (
	"crypto/cipher"
	"crypto/rand"
)

// NewXAES256GCMWithRandomNonce returns XAES-256-GCM (C2SP) with a new random nonce for every message: Seal puts
// its 24 bytes in front of the ciphertext, and Open takes them from there. So NonceSize is 0, and the nonce that
// Seal and Open are given must be empty; Overhead is 40. The key has 32 bytes. One key is enough for 2^80 messages.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory].
func NewXAES256GCMWithRandomNonce(key []byte, opts ...Option) (cipher.AEAD, error) {
	return randomly(NewXAES256GCM(key, opts...))
}

// NewGCMWithRandomNonce returns AES-GCM with a new random nonce of 12 bytes for every message, as the function of
// this name in crypto/cipher. NonceSize is 0, and Overhead is 28. Encrypt at most 2^32 messages under one key, or use
// [NewXAES256GCMWithRandomNonce].
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory].
func NewGCMWithRandomNonce(key []byte, opts ...Option) (cipher.AEAD, error) {
	return randomly(NewGCM(key, opts...))
}

func randomly(a cipher.AEAD, err error) (cipher.AEAD, error) {
	if err != nil {
		return nil, err
	}
	return &randomNonce{a.(*aead)}, nil
}

// randomNonce is an AEAD whose messages begin with their nonce. It exports nothing but cipher.AEAD.
type randomNonce struct{ inner *aead }

func (a *randomNonce) object() object { return a.inner.key }

func (a *randomNonce) NonceSize() int { return 0 }

func (a *randomNonce) Overhead() int { return a.inner.nonceSize + a.inner.tagSize }

func (a *randomNonce) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	mustBeOpen(a.inner.key)
	a.checkNonce(nonce)
	a.inner.checkLength(plaintext)
	whole, out := grow(dst, len(plaintext)+a.Overhead())
	checkBuffers(out, plaintext, additionalData)
	nonce, out = out[:a.inner.nonceSize], out[a.inner.nonceSize:]
	if anyOverlap(whole[len(dst):], plaintext) {
		plaintext = out[:copy(out, plaintext)] // out of the nonce's place
	}
	_, _ = rand.Read(nonce) // never fails
	a.inner.key.seal(out, nonce, plaintext, additionalData).check()
	return whole
}

func (a *randomNonce) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if a.inner.key.closed() {
		return nil, ErrState
	}
	a.checkNonce(nonce)
	n := len(ciphertext) - a.Overhead()
	if n < 0 {
		return nil, ErrOpen
	}
	if uint64(n) > a.inner.maxText {
		return nil, ErrLimit
	}
	whole, out := grow(dst, n)
	checkBuffers(out, ciphertext, additionalData)
	nonce, sealed := ciphertext[:a.inner.nonceSize], ciphertext[a.inner.nonceSize:]
	if anyOverlap(out, ciphertext) {
		var room [movedNonce]byte
		nonce = append(room[:0], nonce...)
		// The text goes to where the nonce was, and so the ciphertext goes there first; the tag behind it, if that
		// is inside dst.
		sealed = append(out[:0], sealed...)
	}
	if r := a.inner.key.open(out, nonce, sealed, additionalData); r != ok {
		return nil, r.err()
	}
	return whole, nil
}

func (a *randomNonce) checkNonce(nonce []byte) {
	if len(nonce) != 0 {
		panic("crypto/cipher: non-empty nonce passed to " + a.inner.name + "WithRandomNonce")
	}
}
