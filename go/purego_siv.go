// purego_siv.go — without cgo: GCM-SIV.

//go:build !cgo

package xorcore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"slices"
)

// sivMessage is one message of AES-GCM-SIV (RFC 8452): what its nonce makes of the key.
type sivMessage struct {
	block cipher.Block
	h     field128
	nonce [12]byte
}

func newSIVMessage(key cipher.Block, keySize int, nonce []byte) *sivMessage {
	m := new(sivMessage)
	copy(m.nonce[:], nonce)
	derived := make([]byte, 0, 48)
	for i := range uint32((16 + keySize) / 8) {
		var b [16]byte
		binary.LittleEndian.PutUint32(b[:], i)
		copy(b[4:], nonce)
		key.Encrypt(b[:], b[:])
		derived = append(derived, b[:8]...)
	}
	block, err := aes.NewCipher(derived[16:])
	if err != nil {
		panic("xorcore: " + err.Error())
	}
	m.block = block
	// POLYVAL is GHASH with the bytes of every block, and of the result, in reverse order, under the
	// reversed key times x (RFC 8452, appendix A).
	slices.Reverse(derived[:16])
	m.h.read(derived[:16])
	m.h.timesX()
	clear(derived)
	return m
}

// timesX multiplies by x.
func (f *field128) timesX() {
	carry := f.hi >> 63
	f.hi = f.hi<<1 | f.lo>>63
	f.lo = f.lo<<1 ^ carry*0x87
}

func (m *sivMessage) tag(text, aad []byte) (tag [16]byte) {
	sum := ghash{h: m.h}
	reversed := func(b []byte) {
		for len(b) > 0 {
			var block [16]byte
			b = b[copy(block[:], b):]
			slices.Reverse(block[:])
			sum.block(block[:])
		}
	}
	reversed(aad)
	reversed(text)
	var sizes [16]byte
	binary.LittleEndian.PutUint64(sizes[:], uint64(len(aad))<<3)
	binary.LittleEndian.PutUint64(sizes[8:], uint64(len(text))<<3)
	reversed(sizes[:])
	sum.y.write(tag[:])
	slices.Reverse(tag[:])
	subtle.XORBytes(tag[:], tag[:], m.nonce[:])
	tag[15] &= 0x7f
	m.block.Encrypt(tag[:], tag[:])
	return tag
}

// crypt is the key stream of a tag, its first 4 bytes counting, least significant first.
func (m *sivMessage) crypt(out, in []byte, tag [16]byte) {
	tag[15] |= 0x80
	for count := binary.LittleEndian.Uint32(tag[:]); len(in) > 0; count++ {
		var key [16]byte
		binary.LittleEndian.PutUint32(tag[:], count)
		m.block.Encrypt(key[:], tag[:])
		n := subtle.XORBytes(out, in, key[:])
		out, in = out[n:], in[n:]
	}
}

func sealSIV(key cipher.Block, keySize int, out, nonce, in, aad []byte) {
	m := newSIVMessage(key, keySize, nonce)
	tag := m.tag(in, aad)
	m.crypt(out, in, tag)
	copy(out[len(in):], tag[:])
}

func openSIV(key cipher.Block, keySize int, out, nonce, in, aad []byte) bool {
	m := newSIVMessage(key, keySize, nonce)
	text, got := in[:len(out)], [16]byte{}
	copy(got[:], in[len(out):])
	m.crypt(out, text, got)
	want := m.tag(out, aad)
	if subtle.ConstantTimeCompare(want[:], in[len(text):]) != 1 {
		clear(out)
		return false
	}
	return true
}
