// purego_aead.go — without cgo: AEADs over crypto/aes.

//go:build !cgo

package xorcore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
)

// Algorithms of an AEAD.
const (
	aesGCM = iota
	aesCCM
	aesGCMSIV
	xaes256GCM
)

// What a machine does with text.
const (
	modeAuthenticate   = streamDecrypt           // looks at ciphertext
	modeSeal           = streamEncrypt           // encrypts
	modeOpenUnverified = streamDecryptUnverified // decrypts
)

// A machine is one message of an AEAD, in any pieces: start, lengths, aad, text, tag. Its caller has
// checked every argument and the order.
type machine interface {
	start(nonce []byte)
	lengths(aad, text uint64) // before the first byte, where they are known
	aad(b []byte)
	text(out, in []byte, mode int)
	tag() [16]byte
	clone() machine
}

// aeadKey is a key for one AEAD algorithm and one tag length. Any number of goroutines may use one.
type aeadKey struct {
	algorithm int
	keySize   int
	tagSize   int
	block     cipher.Block
	gcm       gcmKey
	std       cipher.AEAD // the standard library's GCM, for 12-byte nonces and the tags that it has
	isClosed  bool
}

func newAEADKey(algorithm int, key []byte, tagSize int, kernel string) (*aeadKey, Error) {
	block, err := aes.NewCipher(key)
	if err != nil || algorithm == aesGCMSIV && len(key) == 24 || algorithm == xaes256GCM && len(key) != 32 {
		return nil, ErrKeyLength
	}
	if !aeadTagFits(algorithm, tagSize) {
		return nil, ErrTagLength
	}
	if !kernelFits(kernel) {
		return nil, ErrKernel
	}
	k := &aeadKey{algorithm: algorithm, keySize: len(key), tagSize: tagSize, block: block}
	if algorithm == aesGCM {
		k.setGCM()
	}
	return k, ok
}

func (k *aeadKey) setGCM() {
	k.gcm = newGCMKey(k.block)
	if k.tagSize >= 12 {
		// In fips140=only the standard library has no GCM with nonces of the caller's; ours will do.
		k.std, _ = cipher.NewGCMWithTagSize(k.block, k.tagSize)
	}
}

func aeadTagFits(algorithm, n int) bool {
	switch algorithm {
	case aesGCM:
		return n == 4 || n == 8 || n >= 12 && n <= 16
	case aesCCM:
		return n >= 4 && n <= 16 && n%2 == 0
	}
	return n == 16
}

func aeadNonceFits(algorithm, n int) bool {
	switch algorithm {
	case aesGCM:
		return n >= 1
	case aesCCM:
		return n >= 7 && n <= 13
	case xaes256GCM:
		return n == 24
	}
	return n == 12
}

// aeadTextLimit is the most text for a nonce of n bytes.
func aeadTextLimit(algorithm, n int) uint64 {
	switch algorithm {
	case aesCCM:
		if n > 7 {
			return 1<<(8*(15-n)) - 1
		}
		return 1<<64 - 1
	case aesGCMSIV:
		return 1 << 36
	}
	return 1<<36 - 32
}

func aeadAADLimit(algorithm int) uint64 {
	switch algorithm {
	case aesCCM:
		return 1<<64 - 1
	case aesGCMSIV:
		return 1 << 36
	}
	return 1<<61 - 1
}

func (k *aeadKey) close() { *k = aeadKey{isClosed: true} }

func (k *aeadKey) closed() bool { return k.isClosed }

func (k *aeadKey) kernel() string { return kernelOf(k.isClosed) }

// ofNonce is the key that XAES-256-GCM derives from the first half of its nonce, and the second half;
// for the other algorithms k and the nonce themselves.
func (k *aeadKey) ofNonce(nonce []byte) (*aeadKey, []byte) {
	if k.algorithm != xaes256GCM {
		return k, nonce
	}
	var l [16]byte
	k.block.Encrypt(l[:], l[:])
	double(&l)
	var derived [32]byte
	for i := range 2 {
		half := derived[16*i : 16*i+16]
		copy(half, []byte{0, byte(i + 1), 'X', 0})
		copy(half[4:], nonce[:12])
		subtle.XORBytes(half, half, l[:])
		k.block.Encrypt(half, half)
	}
	block, err := aes.NewCipher(derived[:])
	if err != nil {
		panic("xorcore: " + err.Error())
	}
	clear(derived[:])
	gcm := &aeadKey{algorithm: aesGCM, keySize: 32, tagSize: k.tagSize, block: block}
	gcm.setGCM()
	return gcm, nonce[12:]
}

// machine starts a message of an algorithm that has one.
func (k *aeadKey) machine(nonce []byte) machine {
	k, nonce = k.ofNonce(nonce)
	var m machine
	if k.algorithm == aesCCM {
		m = &ccmMachine{block: k.block, tagSize: k.tagSize}
	} else {
		m = &gcmMachine{key: &k.gcm}
	}
	m.start(nonce)
	return m
}

// seal writes the ciphertext of `in` and then the tag to out.
func (k *aeadKey) seal(out, nonce, in, aad []byte) Error {
	if r := k.check(out[:len(in)], nonce, in, aad); r != ok {
		return r
	}
	k, nonce = k.ofNonce(nonce)
	switch {
	case k.algorithm == aesGCMSIV:
		sealSIV(k.block, k.keySize, out, nonce, in, aad)
		return ok
	case k.std != nil && len(nonce) == 12:
		k.std.Seal(out[:0], nonce, in, aad)
		return ok
	}
	m := k.machine(nonce)
	m.lengths(uint64(len(aad)), uint64(len(in)))
	m.aad(aad)
	m.text(out[:len(in)], in, modeSeal)
	tag := m.tag()
	copy(out[len(in):], tag[:k.tagSize])
	return ok
}

// open checks and decrypts `in`, a ciphertext of out's length and then a tag.
func (k *aeadKey) open(out, nonce, in, aad []byte) Error {
	text, tag := in[:len(out)], in[len(out):]
	if r := k.check(out, nonce, text, aad); r != ok {
		return r
	}
	if len(tag) != k.tagSize {
		clear(out)
		return ErrOpen
	}
	k, nonce = k.ofNonce(nonce)
	switch {
	case k.algorithm == aesGCMSIV:
		if !openSIV(k.block, k.keySize, out, nonce, in, aad) {
			return ErrOpen
		}
		return ok
	case k.std != nil && len(nonce) == 12:
		if _, err := k.std.Open(out[:0], nonce, in, aad); err != nil {
			clear(out)
			return ErrOpen
		}
		return ok
	}
	m := k.machine(nonce)
	m.lengths(uint64(len(aad)), uint64(len(text)))
	m.aad(aad)
	m.text(nil, text, modeAuthenticate)
	want := m.tag()
	if subtle.ConstantTimeCompare(tag, want[:k.tagSize]) != 1 {
		clear(out)
		return ErrOpen
	}
	m = k.machine(nonce)
	m.text(out, text, modeOpenUnverified)
	return ok
}

func (k *aeadKey) check(out, nonce, in, aad []byte) Error {
	switch {
	case !aeadNonceFits(k.algorithm, len(nonce)):
		return ErrNonceLength
	case uint64(len(in)) > aeadTextLimit(k.algorithm, len(nonce)),
		uint64(len(aad)) > aeadAADLimit(k.algorithm):
		return ErrLimit
	case inexactOverlap(out, in) || anyOverlap(out, nonce) || anyOverlap(out, aad):
		return ErrOverlap
	}
	return ok
}
