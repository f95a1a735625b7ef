// purego_ccm.go — without cgo: CCM, and the CBC-MAC in it.

//go:build !cgo

package xorcore

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
)

// A cbcMAC is the chain x = E(x ^ block) over bytes that come in any pieces: the heart of CCM and CMAC.
type cbcMAC struct {
	block cipher.Block
	x     [16]byte
	n     int // bytes of the block that is begun, already in x
}

func (m *cbcMAC) write(b []byte) {
	for len(b) > 0 {
		if m.n == 16 {
			m.block.Encrypt(m.x[:], m.x[:])
			m.n = 0
		}
		n := subtle.XORBytes(m.x[m.n:], m.x[m.n:], b)
		m.n += n
		b = b[n:]
	}
}

// pad ends the block that is begun, if one is, as if with zeros.
func (m *cbcMAC) pad() {
	if m.n > 0 {
		m.block.Encrypt(m.x[:], m.x[:])
		m.n = 0
	}
}

// A ccmMachine is one message of AES-CCM, in any pieces (SP 800-38C). It has to know the lengths first:
// they are in the block that begins the authentication.
type ccmMachine struct {
	block   cipher.Block
	tagSize int
	nonce   [13]byte
	size    int // of the nonce
	mac     cbcMAC
	ctr     cipherState
	mask    [16]byte // E(A0), which hides the tag
	inText  bool
}

func (m *ccmMachine) start(nonce []byte) {
	*m = ccmMachine{block: m.block, tagSize: m.tagSize}
	m.size = copy(m.nonce[:], nonce)
	m.mac.block = m.block
	a := [16]byte{byte(14 - m.size)}
	copy(a[1:], nonce)
	m.block.Encrypt(m.mask[:], a[:])
	a[15] = 1
	m.ctr.key = &cipherKey{algorithm: aesCTR, block: m.block}
	m.ctr.start(a[:])
}

func (m *ccmMachine) lengths(aad, text uint64) {
	var b [16]byte
	binary.BigEndian.PutUint64(b[8:], text)
	b[0] = byte(14-m.size) | byte((m.tagSize-2)/2)<<3
	if aad > 0 {
		b[0] |= 1 << 6
	}
	copy(b[1:], m.nonce[:m.size])
	m.mac.write(b[:])
	var prefix []byte
	switch {
	case aad == 0:
	case aad < 0xff00:
		prefix = binary.BigEndian.AppendUint16(nil, uint16(aad))
	case aad < 1<<32:
		prefix = binary.BigEndian.AppendUint32([]byte{0xff, 0xfe}, uint32(aad))
	default:
		prefix = binary.BigEndian.AppendUint64([]byte{0xff, 0xff}, aad)
	}
	m.mac.write(prefix)
}

func (m *ccmMachine) aad(b []byte) { m.mac.write(b) }

func (m *ccmMachine) text(out, in []byte, mode int) {
	if !m.inText {
		m.mac.pad()
		m.inText = true
	}
	switch mode {
	case modeSeal:
		m.mac.write(in)
		m.ctr.update(out, in)
	case modeOpenUnverified:
		m.ctr.update(out, in)
		m.mac.write(out)
	default: // the authentication is of the plaintext, which is made here and not shown
		var piece [512]byte
		for len(in) > 0 {
			n := min(len(in), len(piece))
			m.ctr.update(piece[:n], in[:n])
			m.mac.write(piece[:n])
			in = in[n:]
		}
		clear(piece[:])
	}
}

func (m *ccmMachine) tag() (tag [16]byte) {
	m.mac.pad()
	subtle.XORBytes(tag[:], m.mac.x[:], m.mask[:])
	return tag
}

func (m *ccmMachine) clone() machine {
	c := *m
	c.ctr = *m.ctr.clone()
	return &c
}
