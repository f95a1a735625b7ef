// modes.go — CTR, CBC, CFB and OFB with crypto/cipher's interfaces.

package xorcore

import "crypto/cipher"

// None of these modes authenticates: use an AEAD unless a format demands one of them.

// checkStream panics as the streams of crypto/cipher do, and cuts dst to src's length.
func checkStream(dst, src []byte) []byte {
	dst = cut(dst, src)
	if inexactOverlap(dst, src) {
		panic("crypto/cipher: invalid buffer overlap")
	}
	return dst
}

// ---- CTR -------------------------------------------------------------------------------------------

// A CTR is a [crypto/cipher.Stream] of AES in counter mode (SP 800-38A, 6.5) that can go to any byte of
// its key stream.
type CTR struct{ ctr }

// NewCTR returns AES-CTR for a key of 16, 24 or 32 bytes; iv is the first counter block, 16 bytes,
// counted as 128 bits, big-endian. An IV used twice gives away the XOR of the texts.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory], [ErrNonceLength].
func NewCTR(key, iv []byte, opts ...Option) (*CTR, error) {
	k, err := newModeKey(aesCTR, key, iv, opts)
	if err != nil {
		return nil, err
	}
	c := &CTR{ctr{key: k}}
	c.state.start(k, iv)
	return c, nil
}

func newModeKey(algorithm int, key, iv []byte, opts []Option) (*cipherKey, error) {
	k, r := newCipherKey(algorithm, key, collect(opts).kernel)
	if r == ok && len(iv) != 16 {
		k.close()
		r = ErrNonceLength
	}
	if r != ok {
		return nil, r.err()
	}
	return k, nil
}

// ctr is CTR with nothing but the interface.
type ctr struct {
	key    *cipherKey
	shared bool // the key is a Block's
	state  ctrState
}

func (c *ctr) object() object { return (*ctrObject)(c) }

type ctrObject ctr

func (o *ctrObject) kernel() string { return o.key.kernel() }

func (o *ctrObject) close() {
	o.key = closeKey(o.key, o.shared)
	o.state.wipe()
}

// closeKey closes a key, or leaves a shared one alone and returns a closed one for its user.
func closeKey(k *cipherKey, shared bool) *cipherKey {
	if shared {
		k = new(cipherKey)
	}
	k.close()
	return k
}

// XORKeyStream XORs src with the key stream from the position on, writes that to dst, which may be exactly
// src, and moves the position. It panics as the streams of crypto/cipher do, and when the position would pass
// 2^64.
func (c *ctr) XORKeyStream(dst, src []byte) {
	mustBeOpen(c.key)
	c.state.xor(c.key, checkStream(dst, src), src).check()
}

// XORKeyStreamAt is XORKeyStream with the key stream from its byte `offset` on. It neither uses nor
// moves the position, and may be called from any number of goroutines at a time.
func (c *CTR) XORKeyStreamAt(dst, src []byte, offset uint64) {
	mustBeOpen(c.key)
	iv := c.state.first()
	c.key.ctrAt(checkStream(dst, src), iv[:], offset, src).check()
}

// Seek makes byte `offset` of the key stream the next one that [CTR.XORKeyStream] uses. Going back
// uses key stream twice.
func (c *CTR) Seek(offset uint64) {
	mustBeOpen(c.key)
	c.state.seek(offset)
}

// ---- CBC -------------------------------------------------------------------------------------------

// NewCBCEncrypter returns AES-CBC encryption (SP 800-38A, 6.2) for a key of 16, 24 or 32 bytes and an
// IV of 16, which must be unpredictable. No padding is added.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory], [ErrNonceLength].
func NewCBCEncrypter(key, iv []byte, opts ...Option) (cipher.BlockMode, error) {
	return newCBC(streamEncrypt, key, iv, opts)
}

// NewCBCDecrypter returns AES-CBC decryption. No padding is removed. Errors as [NewCBCEncrypter].
func NewCBCDecrypter(key, iv []byte, opts ...Option) (cipher.BlockMode, error) {
	return newCBC(streamDecrypt, key, iv, opts)
}

func newCBC(direction int, key, iv []byte, opts []Option) (cipher.BlockMode, error) {
	k, err := newModeKey(aesCBC, key, iv, opts)
	if err != nil {
		return nil, err
	}
	return &cbc{key: k, direction: direction, iv: [16]byte(iv)}, nil
}

// cbc has the methods of the standard library's own: the interface, and SetIV, which crypto/tls and
// others look for.
type cbc struct {
	key       *cipherKey
	shared    bool // the key is a Block's
	direction int
	iv        [16]byte // the last block of ciphertext
}

func (c *cbc) object() object { return (*cbcObject)(c) }

type cbcObject cbc

func (o *cbcObject) kernel() string { return o.key.kernel() }

func (o *cbcObject) close() { o.key = closeKey(o.key, o.shared) }

func (c *cbc) BlockSize() int { return 16 }

func (c *cbc) CryptBlocks(dst, src []byte) {
	mustBeOpen(c.key)
	if len(src)%16 != 0 {
		panic("crypto/cipher: input not full blocks")
	}
	dst = checkStream(dst, src)
	if len(src) == 0 {
		return
	}
	next := [16]byte(src[len(src)-16:])
	c.key.crypt(c.direction, dst, c.iv[:], src).check()
	if c.direction == streamEncrypt {
		next = [16]byte(dst[len(dst)-16:])
	}
	c.iv = next
}

// SetIV begins another message.
func (c *cbc) SetIV(iv []byte) {
	if len(iv) != len(c.iv) {
		panic("cipher: incorrect length IV")
	}
	c.iv = [16]byte(iv)
}

// ---- CFB, OFB --------------------------------------------------------------------------------------

// NewCFBEncrypter returns AES-CFB encryption with segments of 128 bits (SP 800-38A, 6.3), as the function
// of this name in crypto/cipher, for a key of 16, 24 or 32 bytes and an IV of 16.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory], [ErrNonceLength].
func NewCFBEncrypter(key, iv []byte, opts ...Option) (cipher.Stream, error) {
	return newKeyStream(aesCFB128, streamEncrypt, key, iv, opts)
}

// NewCFBDecrypter returns AES-CFB decryption with segments of 128 bits, which, unlike encryption, is as
// fast as CTR. Errors as [NewCFBEncrypter].
func NewCFBDecrypter(key, iv []byte, opts ...Option) (cipher.Stream, error) {
	return newKeyStream(aesCFB128, streamDecrypt, key, iv, opts)
}

// NewCFB8Encrypter returns AES-CFB encryption with segments of 8 bits: a whole block's work for every
// byte. Errors as [NewCFBEncrypter].
func NewCFB8Encrypter(key, iv []byte, opts ...Option) (cipher.Stream, error) {
	return newKeyStream(aesCFB8, streamEncrypt, key, iv, opts)
}

// NewCFB8Decrypter returns AES-CFB decryption with segments of 8 bits. Errors as [NewCFBEncrypter].
func NewCFB8Decrypter(key, iv []byte, opts ...Option) (cipher.Stream, error) {
	return newKeyStream(aesCFB8, streamDecrypt, key, iv, opts)
}

// NewOFB returns AES-OFB (SP 800-38A, 6.4), the same in both directions. An IV used twice gives away
// the XOR of the texts. Errors as [NewCFBEncrypter].
func NewOFB(key, iv []byte, opts ...Option) (cipher.Stream, error) {
	return newKeyStream(aesOFB, streamEncrypt, key, iv, opts)
}

// keyStream is a cipher.Stream over a stream of the library.
type keyStream struct{ s *stream }

func newKeyStream(algorithm, direction int, key, iv []byte, opts []Option) (cipher.Stream, error) {
	k, err := newModeKey(algorithm, key, iv, opts)
	if err != nil {
		return nil, err
	}
	defer k.close() // the stream holds what it needs of it
	s, r := k.newStream(direction, iv)
	if r != ok {
		return nil, r.err()
	}
	return &keyStream{s}, nil
}

func (k *keyStream) object() object { return k.s }

func (k *keyStream) XORKeyStream(dst, src []byte) {
	mustBeOpen(k.s)
	k.s.update(checkStream(dst, src), src).check()
}
