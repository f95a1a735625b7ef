// purego_gcm.go — without cgo: GCM for nonces and tags that crypto/cipher lacks, and in pieces.

//go:build !cgo

package xorcore

import (
	"crypto/cipher"
	"encoding/binary"
)

// A gcmKey is what AES-GCM makes of a key.
type gcmKey struct {
	block cipher.Block
	h     field128
}

func newGCMKey(block cipher.Block) gcmKey {
	k := gcmKey{block: block}
	var zero [16]byte
	block.Encrypt(zero[:], zero[:])
	k.h.read(zero[:])
	return k
}

// A gcmMachine is one message of AES-GCM, in any pieces (SP 800-38D, section 7).
type gcmMachine struct {
	key      *gcmKey
	ctr      counter32
	mask     [16]byte // E(J0), which hides the tag
	sum      ghash
	aadDone  uint64
	textDone uint64
}

func (m *gcmMachine) start(nonce []byte) {
	m.sum = ghash{h: m.key.h}
	m.aadDone, m.textDone = 0, 0
	var j0 [16]byte
	if len(nonce) == 12 {
		copy(j0[:], nonce)
		j0[15] = 1
	} else {
		m.sum.write(nonce)
		m.sum.pad()
		m.sum.lengths(0, uint64(len(nonce)))
		m.sum.y.write(j0[:])
		m.sum.y = field128{}
	}
	m.key.block.Encrypt(m.mask[:], j0[:])
	binary.BigEndian.PutUint32(j0[12:], binary.BigEndian.Uint32(j0[12:])+1)
	m.ctr.start(m.key.block, j0)
}

func (m *gcmMachine) lengths(aad, text uint64) {}

func (m *gcmMachine) aad(b []byte) {
	m.sum.write(b)
	m.aadDone += uint64(len(b))
}

func (m *gcmMachine) text(out, in []byte, mode int) {
	if m.textDone == 0 {
		m.sum.pad()
	}
	m.textDone += uint64(len(in))
	if mode == modeSeal {
		m.ctr.xor(out, in)
		m.sum.write(out)
		return
	}
	m.sum.write(in)
	if mode == modeOpenUnverified {
		m.ctr.xor(out, in)
	}
}

func (m *gcmMachine) tag() (tag [16]byte) {
	m.sum.pad()
	m.sum.lengths(m.aadDone, m.textDone)
	m.sum.y.write(tag[:])
	for i := range tag {
		tag[i] ^= m.mask[i]
	}
	return tag
}

func (m *gcmMachine) clone() machine {
	c := *m
	c.ctr = m.ctr.clone()
	return &c
}

// A counter32 is a key stream of counter blocks of which the last 4 bytes count, wrapping alone.
type counter32 struct {
	block cipher.Block
	first [16]byte
	done  uint64 // bytes
	ctr   cipher.Stream
	left  uint64 // bytes before the wrap
}

func (c *counter32) start(block cipher.Block, first [16]byte) {
	*c = counter32{block: block, first: first}
	c.resume()
}

// resume makes the key stream that goes on after `done` bytes, a whole number of blocks.
func (c *counter32) resume() {
	at := c.first
	count := binary.BigEndian.Uint32(at[12:]) + uint32(c.done>>4)
	binary.BigEndian.PutUint32(at[12:], count)
	c.ctr = cipher.NewCTR(c.block, at[:])
	c.left = (1<<32 - uint64(count)) << 4
}

func (c *counter32) xor(out, in []byte) {
	for len(in) > 0 {
		if c.left == 0 {
			c.resume()
		}
		n := int(min(uint64(len(in)), c.left))
		c.ctr.XORKeyStream(out[:n], in[:n])
		out, in = out[n:], in[n:]
		c.left -= uint64(n)
		c.done += uint64(n)
	}
}

func (c *counter32) clone() counter32 {
	d := *c
	d.done &^= 15
	d.resume()
	var skip [16]byte
	d.xor(skip[:c.done-d.done], skip[:c.done-d.done])
	return d
}
