// purego_cipher.go — without cgo: the modes of AES over crypto/aes.

//go:build !cgo

package xorcore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
)

// Algorithms of a cipher.
const (
	aesECB = iota
	aesCBC
	aesCFB128
	aesCFB8
	aesOFB
	aesCTR
	aesXTS
)

// cipherKey is a key for one cipher algorithm. Any number of goroutines may use one.
type cipherKey struct {
	algorithm int
	block     cipher.Block
	tweak     cipher.Block // of XTS
	isClosed  bool
}

func newCipherKey(algorithm int, key []byte, kernel string) (*cipherKey, Error) {
	if algorithm < aesECB || algorithm > aesXTS {
		return nil, ErrArg
	}
	k := &cipherKey{algorithm: algorithm}
	if algorithm == aesXTS {
		half := len(key) / 2
		if len(key)%2 != 0 {
			return nil, ErrKeyLength
		}
		tweak, err := aes.NewCipher(key[half:])
		if err != nil {
			return nil, ErrKeyLength
		}
		if subtle.ConstantTimeCompare(key[:half], key[half:]) == 1 {
			return nil, ErrWeakKey
		}
		k.tweak = tweak
		key = key[:half]
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, ErrKeyLength
	}
	if !kernelFits(kernel) {
		return nil, ErrKernel
	}
	k.block = block
	return k, ok
}

func (k *cipherKey) close() { *k = cipherKey{algorithm: k.algorithm, isClosed: true} }

func (k *cipherKey) closed() bool { return k.isClosed }

func (k *cipherKey) kernel() string { return kernelOf(k.isClosed) }

func (k *cipherKey) ivSize() int {
	if k.algorithm == aesECB {
		return 0
	}
	return 16
}

// xtsMost is the longest data unit of XTS (SP 800-38E).
const xtsMost = 1 << 24

// crypt is one whole message.
func (k *cipherKey) crypt(direction int, out, iv, in []byte) Error {
	switch {
	case len(iv) != k.ivSize():
		return ErrNonceLength
	case k.wholeBlocks() && len(in)%16 != 0, k.algorithm == aesXTS && len(in) < 16:
		return ErrDataLength
	case k.algorithm == aesXTS && len(in) > xtsMost:
		return ErrLimit
	case inexactOverlap(out, in) || anyOverlap(out, iv):
		return ErrOverlap
	}
	if k.algorithm == aesXTS {
		k.unit(direction, out, [16]byte(iv), in)
		return ok
	}
	s := cipherState{key: k, encrypt: direction == streamEncrypt}
	s.start(iv)
	s.update(out, in)
	return ok
}

func (k *cipherKey) wholeBlocks() bool { return k.algorithm == aesECB || k.algorithm == aesCBC }

// ctrAt is CTR from that byte of the key stream on.
func (k *cipherKey) ctrAt(out, iv []byte, offset uint64, in []byte) Error {
	switch {
	case k.algorithm != aesCTR:
		return ErrUnsupported
	case len(iv) != 16:
		return ErrNonceLength
	case !ctrReaches(offset, len(in)):
		return ErrLimit
	case inexactOverlap(out, in) || anyOverlap(out, iv):
		return ErrOverlap
	}
	s := cipherState{key: k}
	s.start(iv)
	s.seek(offset)
	s.update(out, in)
	return ok
}

// ctrReaches tells whether n bytes from an offset on end at 2^64 at most.
func ctrReaches(offset uint64, n int) bool {
	end, carry := bits.Add64(offset, uint64(n), 0)
	return carry == 0 || end == 0
}

// sectors is XTS over units of sectorSize bytes, unit i with the tweak plus i.
func (k *cipherKey) sectors(direction int, out, tweak, in []byte, sectorSize int) Error {
	switch {
	case k.algorithm != aesXTS:
		return ErrUnsupported
	case len(tweak) != 16:
		return ErrNonceLength
	case sectorSize < 16 || sectorSize > xtsMost || len(in)%sectorSize != 0:
		return ErrDataLength
	case inexactOverlap(out, in) || anyOverlap(out, tweak):
		return ErrOverlap
	}
	lo, hi := binary.LittleEndian.Uint64(tweak), binary.LittleEndian.Uint64(tweak[8:])
	for at := 0; at < len(in); at += sectorSize {
		var t [16]byte
		binary.LittleEndian.PutUint64(t[:], lo)
		binary.LittleEndian.PutUint64(t[8:], hi)
		k.unit(direction, out[at:at+sectorSize], t, in[at:at+sectorSize])
		var carry uint64
		lo, carry = bits.Add64(lo, 1, 0)
		hi += carry
	}
	return ok
}

// unit is one data unit of XTS (IEEE 1619, with ciphertext stealing).
func (k *cipherKey) unit(direction int, out []byte, t [16]byte, in []byte) {
	k.tweak.Encrypt(t[:], t[:])
	one := func(out, in []byte, t *[16]byte) {
		var b [16]byte
		subtle.XORBytes(b[:], in, t[:])
		if direction == streamEncrypt {
			k.block.Encrypt(b[:], b[:])
		} else {
			k.block.Decrypt(b[:], b[:])
		}
		subtle.XORBytes(out, b[:], t[:])
	}
	next := func(t *[16]byte) {
		lo, hi := binary.LittleEndian.Uint64(t[:]), binary.LittleEndian.Uint64(t[8:])
		binary.LittleEndian.PutUint64(t[:], lo<<1^hi>>63*0x87)
		binary.LittleEndian.PutUint64(t[8:], hi<<1|lo>>63)
	}
	rest := len(in) % 16
	whole := len(in) - rest
	if rest > 0 {
		whole -= 16 // the last whole block is part of the stealing
	}
	for at := 0; at < whole; at += 16 {
		one(out[at:at+16], in[at:at+16], &t)
		next(&t)
	}
	if rest == 0 {
		return
	}
	// The last whole block is taken with one tweak, its first bytes become the short block, and the
	// short input takes their place for the other tweak. Decryption takes the tweaks the other way.
	first, second := t, t
	next(&second)
	if direction != streamEncrypt {
		first, second = second, first
	}
	var b, short [16]byte
	one(b[:], in[whole:whole+16], &first)
	copy(short[:], in[whole+16:])
	copy(out[whole+16:], b[:rest])
	copy(b[:rest], short[:rest])
	one(out[whole:whole+16], b[:], &second)
}

// cipherState is one message of a cipher other than XTS, in any pieces.
type cipherState struct {
	key     *cipherKey
	encrypt bool
	iv      [16]byte // the chain; of CTR the first counter block
	stream  [16]byte // CFB128: the key stream of the block that is begun
	n       int      // CFB128, OFB: bytes of that block that are used
	ctr     cipher.Stream
	at      uint64 // CTR: the position
	end     bool   // CTR: the position is 2^64
}

func (s *cipherState) start(iv []byte) {
	*s = cipherState{key: s.key, encrypt: s.encrypt}
	copy(s.iv[:], iv)
	if s.key.algorithm == aesCTR {
		s.seek(0)
	}
}

// counter is the counter block at the position.
func (s *cipherState) counter() (c [16]byte) {
	lo, carry := bits.Add64(binary.BigEndian.Uint64(s.iv[8:]), s.at/16, 0)
	binary.BigEndian.PutUint64(c[8:], lo)
	hi := binary.BigEndian.Uint64(s.iv[:]) + carry
	if s.end {
		hi, lo = binary.BigEndian.Uint64(s.iv[:]), binary.BigEndian.Uint64(s.iv[8:])
		lo, carry = bits.Add64(lo, 1<<60, 0)
		hi += carry
		binary.BigEndian.PutUint64(c[8:], lo)
	}
	binary.BigEndian.PutUint64(c[:], hi)
	return c
}

func (s *cipherState) seek(offset uint64) {
	s.at, s.end = offset, false
	c := s.counter()
	s.ctr = cipher.NewCTR(s.key.block, c[:])
	var skip [16]byte
	s.ctr.XORKeyStream(skip[:offset%16], skip[:offset%16])
}

func (s *cipherState) update(out, in []byte) {
	block := s.key.block
	switch s.key.algorithm {
	case aesECB:
		for ; len(in) > 0; out, in = out[16:], in[16:] {
			if s.encrypt {
				block.Encrypt(out, in)
			} else {
				block.Decrypt(out, in)
			}
		}
	case aesCBC:
		if len(in) == 0 {
			return
		}
		chain := s.iv
		if s.encrypt {
			cipher.NewCBCEncrypter(block, chain[:]).CryptBlocks(out, in)
			copy(s.iv[:], out[len(in)-16:])
		} else {
			copy(s.iv[:], in[len(in)-16:])
			cipher.NewCBCDecrypter(block, chain[:]).CryptBlocks(out, in)
		}
	case aesCFB128:
		for len(in) > 0 {
			if s.n == 0 {
				block.Encrypt(s.stream[:], s.iv[:])
			}
			n := min(16-s.n, len(in))
			if !s.encrypt {
				copy(s.iv[s.n:], in[:n])
			}
			subtle.XORBytes(out, in[:n], s.stream[s.n:])
			if s.encrypt {
				copy(s.iv[s.n:], out[:n])
			}
			s.n = (s.n + n) % 16
			out, in = out[n:], in[n:]
		}
	case aesCFB8:
		for i := range in {
			block.Encrypt(s.stream[:], s.iv[:])
			text := in[i]
			out[i] = text ^ s.stream[0]
			copy(s.iv[:], s.iv[1:])
			if s.iv[15] = text; s.encrypt {
				s.iv[15] = out[i]
			}
		}
	case aesOFB:
		for len(in) > 0 {
			if s.n == 0 {
				block.Encrypt(s.iv[:], s.iv[:])
			}
			n := subtle.XORBytes(out, in, s.iv[s.n:])
			s.n = (s.n + n) % 16
			out, in = out[n:], in[n:]
		}
	case aesCTR:
		s.ctr.XORKeyStream(out[:len(in)], in)
		s.at += uint64(len(in))
		s.end = len(in) > 0 && s.at == 0
	}
}

// next is the IV that continues the message, unless the position is inside a block.
func (s *cipherState) next() ([16]byte, bool) {
	if s.key.algorithm == aesCTR {
		return s.counter(), s.at%16 == 0
	}
	return s.iv, s.n == 0
}

func (s *cipherState) clone() *cipherState {
	c := *s
	if s.ctr != nil && !s.end {
		c.seek(s.at)
	}
	return &c
}
