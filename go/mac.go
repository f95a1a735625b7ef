// mac.go — GMAC and CMAC.

package xorcore

import (
	"bytes"
	"hash"
)

// A MAC is a key for message authentication, with tags of one length. Any number of goroutines may use
// one.
type MAC struct {
	key  *macKey
	size int
	name string // in messages of panics
}

// NewGMAC returns GMAC (SP 800-38D): GCM without a text, with tags of 16 bytes, for a key of 16, 24 or 32
// bytes. Its nonces are of any length from 1 on, best 12, and each may be used only once, as with GCM.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory].
func NewGMAC(key []byte, opts ...Option) (*MAC, error) {
	return newMAC(aesGMAC, "GMAC", key, 16, opts)
}

// NewGMACWithTagSize is [NewGMAC] with tags of 4, 8 or 12 to 16 bytes. Another length is [ErrTagLength].
func NewGMACWithTagSize(key []byte, tagSize int, opts ...Option) (*MAC, error) {
	return newMAC(aesGMAC, "GMAC", key, tagSize, opts)
}

// NewCMAC returns AES-CMAC (SP 800-38B) with tags of 16 bytes, for a key of 16, 24 or 32 bytes. It takes
// no nonce: pass nil.
//
// Errors: [ErrKeyLength], [ErrKernel], [ErrMemory].
func NewCMAC(key []byte, opts ...Option) (*MAC, error) {
	return newMAC(aesCMAC, "CMAC", key, 16, opts)
}

// NewCMACWithTagSize is [NewCMAC] with tags of 4 to 16 bytes. Another length is [ErrTagLength].
func NewCMACWithTagSize(key []byte, tagSize int, opts ...Option) (*MAC, error) {
	return newMAC(aesCMAC, "CMAC", key, tagSize, opts)
}

func newMAC(algorithm int, name string, key []byte, tagSize int, opts []Option) (*MAC, error) {
	k, r := newMACKey(algorithm, key, tagSize, collect(opts).kernel)
	if r != ok {
		return nil, r.err()
	}
	return &MAC{key: k, size: tagSize, name: name}, nil
}

func (m *MAC) object() object { return m.key }

// Size returns the length of a tag.
func (m *MAC) Size() int { return m.size }

// Sum appends the tag of data under nonce to dst and returns the result. It panics when the algorithm
// has no nonce of this length, and when the new bytes would overlap data.
func (m *MAC) Sum(dst, nonce, data []byte) []byte {
	mustBeOpen(m.key)
	whole, tag := grow(dst, m.size)
	if anyOverlap(tag, data) {
		panic("xorcore: invalid buffer overlap of tag and data")
	}
	if anyOverlap(tag, nonce) {
		var room [movedNonce]byte
		nonce = append(room[:0], nonce...)
	}
	r := m.key.compute(tag, nonce, data)
	if r == ErrNonceLength {
		panic("xorcore: incorrect nonce length given to " + m.name)
	}
	r.check()
	return whole
}

// Verify returns nil when tag is the tag of data under nonce, in a time that does not depend on where
// it differs.
//
// Errors: [ErrNonceLength], [ErrOpen], also for a tag of another length.
func (m *MAC) Verify(tag, nonce, data []byte) error {
	if m.key.closed() {
		return ErrState
	}
	return m.key.verify(tag, nonce, data).err()
}

// NewHash returns a [hash.Hash] for data that comes in pieces. It stays usable when the MAC is closed.
// Compare what it returns with [Equal]. Its Reset begins again under the same nonce; GMAC needs another
// nonce, and so another hash, for every message.
//
// Errors: [ErrNonceLength], [ErrMemory].
func (m *MAC) NewHash(nonce []byte) (hash.Hash, error) {
	if m.key.closed() {
		return nil, ErrState
	}
	s, r := m.key.newStream(nonce)
	if r != ok {
		return nil, r.err()
	}
	return &macHash{s: s, size: m.size, nonce: bytes.Clone(nonce)}, nil
}

type macHash struct {
	s     *stream
	size  int
	nonce []byte
}

func (h *macHash) object() object { return h.s }

func (h *macHash) Write(p []byte) (int, error) {
	if h.s.closed() {
		return 0, ErrState
	}
	if r := h.s.update(nil, p); r != ok {
		return 0, r.err()
	}
	return len(p), nil
}

func (h *macHash) Sum(b []byte) []byte {
	mustBeOpen(h.s)
	whole, tag := grow(b, h.size)
	h.s.sum(tag).check()
	return whole
}

func (h *macHash) Reset() {
	mustBeOpen(h.s)
	h.s.reset(h.nonce).check()
}

func (h *macHash) Size() int { return h.size }

func (h *macHash) BlockSize() int { return 16 }
