// native_ctr.go — positions in a key stream of CTR, with short calls served from a piece made ahead.

//go:build cgo

package xorcore

import (
	"crypto/subtle"
	"math"
)

// ctrState is a position in a key stream of CTR. Nothing of it lies in C, so that a stream costs no more
// to make than its memory.
type ctrState struct {
	iv  [16]byte
	at  uint64
	end bool // the position is 2^64

	// Who makes one short call makes many: from the second in a row on, the key stream comes from C in
	// pieces of this size, and is XORed here.
	short bool
	ahead *[ctrAhead]byte // a piece of the key stream
	left  int             // bytes at the end of ahead that are not used yet; they begin at the position
}

const (
	ctrAhead = 512
	ctrShort = 256 // a call of this length is not short any more
)

func (s *ctrState) start(_ *cipherKey, iv []byte) { *s = ctrState{iv: [16]byte(iv)} }

func (s *ctrState) first() [16]byte { return s.iv }

func (s *ctrState) seek(offset uint64) {
	s.at, s.end, s.left = offset, false, 0
}

func (s *ctrState) wipe() {
	if s.ahead != nil {
		clear(s.ahead[:])
	}
	s.left = 0
}

// xor checks the limit before it writes anything.
func (s *ctrState) xor(k *cipherKey, dst, src []byte) Error {
	if len(src) == 0 {
		return ok
	}
	if s.end {
		return ErrLimit
	}
	isShort := len(src) < ctrShort
	if !isShort || !s.short || s.at > math.MaxUint64-2*ctrAhead {
		s.short = isShort
		s.left = 0
		if r := k.ctrAt(dst, s.iv[:], s.at, src); r != ok {
			return r
		}
		s.advance(len(src))
		return ok
	}
	for {
		n := min(s.left, len(src))
		if n > 0 {
			subtle.XORBytes(dst, src[:n], s.ahead[ctrAhead-s.left:])
			s.left -= n
			s.advance(n)
		}
		if n == len(src) {
			return ok
		}
		dst, src = dst[n:], src[n:]
		if s.ahead == nil {
			s.ahead = new([ctrAhead]byte)
		}
		clear(s.ahead[:])
		inBlock := s.at % 16
		if r := k.ctrAt(s.ahead[:], s.iv[:], s.at-inBlock, s.ahead[:]); r != ok {
			return r
		}
		s.left = ctrAhead - int(inBlock)
	}
}

func (s *ctrState) advance(n int) {
	s.at += uint64(n)
	s.end = s.at == 0
}
