// cipher.go — AES as a cipher.Block, with the methods that crypto/cipher looks for.

package xorcore

import (
	"crypto/cipher"
	"sync"
)

// NewCipher returns AES (FIPS 197) as a [crypto/cipher.Block], for a key of 16, 24 or 32 bytes.
//
// A call of Encrypt or Decrypt does one block, for which crossing into C costs several times the work: use
// the modes. The constructors of crypto/cipher that ask a Block for an implementation of its own -
// NewGCM, NewCTR, NewCBCEncrypter, NewCBCDecrypter - get this library's from it; NewCFBEncrypter,
// NewCFBDecrypter and NewOFB of crypto/cipher don't ask, so use those of this package.
//
// The Block keeps a copy of its key in Go's memory, which those modes are made from; closing the Block
// wipes it, and closes the CTR and CBC objects that were made from the Block.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory].
func NewCipher(key []byte, opts ...Option) (cipher.Block, error) {
	b := &block{kernel: collect(opts).kernel}
	var r Error
	if b.ecb, r = newCipherKey(aesECB, key, b.kernel); r != ok {
		return nil, r.err()
	}
	b.keySize = copy(b.raw[:], key)
	return b, nil
}

// block is an AES key as a cipher.Block. It exports that interface and the four methods that
// crypto/cipher looks for.
type block struct {
	ecb     *cipherKey
	kernel  string // as asked for
	raw     [32]byte
	keySize int

	mu       sync.Mutex
	ctr, cbc *cipherKey // made when first asked for
}

func (b *block) object() object { return blockObject{b} }

type blockObject struct{ *block }

func (o blockObject) kernel() string { return o.ecb.kernel() }

func (o blockObject) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.raw[:])
	for _, k := range []*cipherKey{o.ecb, o.ctr, o.cbc} {
		if k != nil {
			k.close()
		}
	}
}

func (b *block) BlockSize() int { return 16 }

func (b *block) Encrypt(dst, src []byte) { b.one(streamEncrypt, dst, src) }

func (b *block) Decrypt(dst, src []byte) { b.one(streamDecrypt, dst, src) }

func (b *block) one(direction int, dst, src []byte) {
	mustBeOpen(b.ecb)
	if len(src) < 16 {
		panic("crypto/aes: input not full block")
	}
	if len(dst) < 16 {
		panic("crypto/aes: output not full block")
	}
	if inexactOverlap(dst[:16], src[:16]) {
		panic("crypto/aes: invalid buffer overlap")
	}
	b.ecb.crypt(direction, dst[:16], nil, src[:16]).check()
}

// mode returns a key for another algorithm from *slot, where it is kept.
func (b *block) mode(slot **cipherKey, algorithm int) *cipherKey {
	b.mu.Lock()
	defer b.mu.Unlock()
	mustBeOpen(b.ecb)
	if *slot == nil {
		k, r := newCipherKey(algorithm, b.raw[:b.keySize], b.kernel)
		r.check()
		*slot = k
	}
	return *slot
}

// NewGCM is what crypto/cipher.NewGCM and its sisters call.
func (b *block) NewGCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	if b.ecb.closed() {
		return nil, ErrState
	}
	// The Block's kernel is a row of "aes"; for GCM that row is joined with the best of "ghash".
	kernel := b.kernel
	if kernel != "" {
		for _, k := range Kernels() {
			if k.Family == "ghash" && k.Default {
				kernel += "+" + k.Name
			}
		}
	}
	return NewGCMWithSizes(b.raw[:b.keySize], nonceSize, tagSize, WithKernel(kernel))
}

// NewCTR is what crypto/cipher.NewCTR calls.
func (b *block) NewCTR(iv []byte) cipher.Stream {
	if len(iv) != 16 {
		panic("cipher.NewCTR: IV length must equal block size")
	}
	s := &ctr{key: b.mode(&b.ctr, aesCTR), shared: true}
	s.state.start(s.key, iv)
	return s
}

// NewCBCEncrypter is what crypto/cipher.NewCBCEncrypter calls.
func (b *block) NewCBCEncrypter(iv []byte) cipher.BlockMode {
	if len(iv) != 16 {
		panic("cipher.NewCBCEncrypter: IV length must equal block size")
	}
	return &cbc{key: b.mode(&b.cbc, aesCBC), shared: true, direction: streamEncrypt, iv: [16]byte(iv)}
}

// NewCBCDecrypter is what crypto/cipher.NewCBCDecrypter calls.
func (b *block) NewCBCDecrypter(iv []byte) cipher.BlockMode {
	if len(iv) != 16 {
		panic("cipher.NewCBCDecrypter: IV length must equal block size")
	}
	return &cbc{key: b.mode(&b.cbc, aesCBC), shared: true, direction: streamDecrypt, iv: [16]byte(iv)}
}
