// purego_ghash.go — without cgo: GHASH in constant time.

//go:build !cgo

package xorcore

import (
	"encoding/binary"
	"math/bits"
)

// A field128 is an element of GHASH's field, GF(2^128) modulo x^128 + x^7 + x^2 + x + 1. Bit i of lo is
// the coefficient of x^i, bit i of hi that of x^(64+i). GHASH writes an element with its lowest
// coefficient in the highest bit of the first byte, so reading one is a reversal of bits.
type field128 struct{ lo, hi uint64 }

func (f *field128) read(b []byte) {
	f.lo = bits.Reverse64(binary.BigEndian.Uint64(b))
	f.hi = bits.Reverse64(binary.BigEndian.Uint64(b[8:]))
}

func (f *field128) write(b []byte) {
	binary.BigEndian.PutUint64(b, bits.Reverse64(f.lo))
	binary.BigEndian.PutUint64(b[8:], bits.Reverse64(f.hi))
}

// mulLow is the lower half of the carry-less product of x and y, in a time that depends on nothing. Each
// factor is cut into four with a coefficient in every fourth bit. A digit of an ordinary product then
// sums up to 16 coefficients, of which only the last digit's sum can leave its four bits, at the top,
// where it is lost. The lowest bit of a digit is the sum without carries.
func mulLow(x, y uint64) uint64 {
	const every4th = 0x1111111111111111
	x0, x1, x2, x3 := x&every4th, x&(every4th<<1), x&(every4th<<2), x&(every4th<<3)
	y0, y1, y2, y3 := y&every4th, y&(every4th<<1), y&(every4th<<2), y&(every4th<<3)
	z0 := x0*y0 ^ x1*y3 ^ x2*y2 ^ x3*y1
	z1 := x0*y1 ^ x1*y0 ^ x2*y3 ^ x3*y2
	z2 := x0*y2 ^ x1*y1 ^ x2*y0 ^ x3*y3
	z3 := x0*y3 ^ x1*y2 ^ x2*y1 ^ x3*y0
	return z0&every4th | z1&(every4th<<1) | z2&(every4th<<2) | z3&(every4th<<3)
}

// mul64 is the whole carry-less product. The upper half is the lower half of the product of the
// reversed factors, reversed.
func mul64(x, y uint64) (lo, hi uint64) {
	return mulLow(x, y), bits.Reverse64(mulLow(bits.Reverse64(x), bits.Reverse64(y))) >> 1
}

// mul sets f to f·g.
func (f *field128) mul(g *field128) {
	// Karatsuba: three products of 64 bits make one of 128.
	c0, c1 := mul64(f.lo, g.lo)
	c2, c3 := mul64(f.hi, g.hi)
	m0, m1 := mul64(f.lo^f.hi, g.lo^g.hi)
	m0 ^= c0 ^ c2
	m1 ^= c1 ^ c3
	c1 ^= m0
	c2 ^= m1
	// x^128 is x^7 + x^2 + x + 1. What that moves past x^128 again has degree 6 at most.
	top := c3>>63 ^ c3>>62 ^ c3>>57
	c2 ^= top
	f.hi = c1 ^ c3 ^ (c3<<1 | c2>>63) ^ (c3<<2 | c2>>62) ^ (c3<<7 | c2>>57)
	f.lo = c0 ^ c2 ^ c2<<1 ^ c2<<2 ^ c2<<7
}

// A ghash is GHASH of SP 800-38D over bytes that come in any pieces.
type ghash struct {
	h, y field128
	part [16]byte
	n    int // bytes in part
}

func (g *ghash) block(b []byte) {
	var x field128
	x.read(b)
	g.y.lo ^= x.lo
	g.y.hi ^= x.hi
	g.y.mul(&g.h)
}

func (g *ghash) write(b []byte) {
	if g.n > 0 {
		m := copy(g.part[g.n:], b)
		g.n += m
		b = b[m:]
		if g.n < 16 {
			return
		}
		g.block(g.part[:])
		g.n = 0
	}
	for len(b) >= 16 {
		g.block(b)
		b = b[16:]
	}
	g.n = copy(g.part[:], b)
}

// pad fills the block that is begun, if one is, with zeros.
func (g *ghash) pad() {
	if g.n > 0 {
		clear(g.part[g.n:])
		g.block(g.part[:])
		g.n = 0
	}
}

// lengths hashes the block of two lengths in bytes that ends a message.
func (g *ghash) lengths(a, b uint64) {
	var block [16]byte
	binary.BigEndian.PutUint64(block[:], a<<3)
	binary.BigEndian.PutUint64(block[8:], b<<3)
	g.block(block[:])
}
