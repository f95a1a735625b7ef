// purego_mac.go — without cgo: GMAC and CMAC.

//go:build !cgo

package xorcore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
)

// Algorithms of a MAC.
const (
	aesGMAC = iota
	aesCMAC
)

// macKey is a key for one MAC algorithm and one tag length. Any number of goroutines may use one.
type macKey struct {
	algorithm int
	tagSize   int
	block     cipher.Block
	gcm       gcmKey
	isClosed  bool
}

func newMACKey(algorithm int, key []byte, tagSize int, kernel string) (*macKey, Error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, ErrKeyLength
	}
	if tagSize < 4 || tagSize > 16 || algorithm == aesGMAC && !aeadTagFits(aesGCM, tagSize) {
		return nil, ErrTagLength
	}
	if !kernelFits(kernel) {
		return nil, ErrKernel
	}
	return &macKey{algorithm: algorithm, tagSize: tagSize, block: block, gcm: newGCMKey(block)}, ok
}

func (k *macKey) close() { *k = macKey{isClosed: true} }

func (k *macKey) closed() bool { return k.isClosed }

func (k *macKey) kernel() string { return kernelOf(k.isClosed) }

func (k *macKey) nonceFits(n int) bool { return (k.algorithm == aesGMAC) == (n > 0) }

func (k *macKey) compute(tag, nonce, data []byte) Error {
	switch {
	case !k.nonceFits(len(nonce)):
		return ErrNonceLength
	case len(tag) != k.tagSize:
		return ErrTagLength
	case anyOverlap(tag, nonce) || anyOverlap(tag, data):
		return ErrOverlap
	}
	m := k.machine(nonce)
	m.write(data)
	sum := m.sum()
	copy(tag, sum[:])
	return ok
}

func (k *macKey) verify(tag, nonce, data []byte) Error {
	if !k.nonceFits(len(nonce)) {
		return ErrNonceLength
	}
	m := k.machine(nonce)
	m.write(data)
	return k.compare(m.sum(), tag)
}

func (k *macKey) compare(sum [16]byte, tag []byte) Error {
	if len(tag) != k.tagSize || subtle.ConstantTimeCompare(sum[:k.tagSize], tag) != 1 {
		return ErrOpen
	}
	return ok
}

// macMachine is one message of a MAC, in any pieces.
type macMachine struct {
	gcm *gcmMachine // of GMAC; else nil
	cbc cbcMAC
}

func (k *macKey) machine(nonce []byte) *macMachine {
	m := &macMachine{cbc: cbcMAC{block: k.block}}
	if k.algorithm == aesGMAC {
		m.gcm = &gcmMachine{key: &k.gcm}
		m.gcm.start(nonce)
	}
	return m
}

func (m *macMachine) write(b []byte) {
	if m.gcm != nil {
		m.gcm.aad(b)
		return
	}
	m.cbc.write(b)
}

// sum ends the message. CMAC is SP 800-38B: the last block, which cbcMAC has not encrypted yet, is
// changed by a subkey, 2·E(0) when it is whole and 4·E(0) when it is padded.
func (m *macMachine) sum() (tag [16]byte) {
	if m.gcm != nil {
		return m.gcm.tag()
	}
	var sub [16]byte
	m.cbc.block.Encrypt(sub[:], sub[:])
	double(&sub)
	if m.cbc.n < 16 {
		double(&sub)
		m.cbc.x[m.cbc.n] ^= 0x80
	}
	subtle.XORBytes(tag[:], m.cbc.x[:], sub[:])
	m.cbc.block.Encrypt(tag[:], tag[:])
	return tag
}

func (m *macMachine) clone() *macMachine {
	c := *m
	if m.gcm != nil {
		g := *m.gcm
		c.gcm = &g
	}
	return &c
}

// double multiplies by x in the field of CMAC, whose bytes go from the highest coefficient down.
func double(b *[16]byte) {
	hi, lo := binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])
	binary.BigEndian.PutUint64(b[:], hi<<1|lo>>63)
	binary.BigEndian.PutUint64(b[8:], lo<<1^hi>>63*0x87)
}
