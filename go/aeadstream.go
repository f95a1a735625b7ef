// aeadstream.go — one message of an AEAD in pieces.

package xorcore

import "crypto/cipher"

// An AEADStream is one message of an AEAD in pieces of any sizes, for messages that don't fit into
// memory. It belongs to one goroutine at a time, and stays usable when its AEAD is closed. A call that
// returns an error leaves it as it was.
//
// A message is: Lengths, where its lengths are known (CCM must have them); AdditionalData; Update; and at
// the end Finish or Verify. After that [ErrState] is all there is, until Reset.
type AEADStream struct {
	s         *stream
	direction int
	nonceSize int
	tagSize   int
}

// NewSealStream begins a message that is encrypted. The AEAD is one of this package; GCM-SIV has no
// streams, for it reads the text twice, nor has one that chooses its nonces.
//
// Errors: [ErrArg] (not an AEAD of this package), [ErrUnsupported] (one of those two), [ErrNonceLength],
// [ErrMemory], [ErrState] (the AEAD is closed).
func NewSealStream(a cipher.AEAD, nonce []byte) (*AEADStream, error) {
	return newAEADStream(a, streamEncrypt, nonce)
}

// NewVerifyStream begins a message that is authenticated and not decrypted: the safe first pass over a
// long message, after which another one can decrypt. Errors as [NewSealStream].
func NewVerifyStream(a cipher.AEAD, nonce []byte) (*AEADStream, error) {
	return newAEADStream(a, streamDecrypt, nonce)
}

// NewUnverifiedOpenStream begins a message that is decrypted before its tag is checked. Whatever Update
// has given must not be used, and must be thrown away, when Verify fails at the end. Errors as
// [NewSealStream].
func NewUnverifiedOpenStream(a cipher.AEAD, nonce []byte) (*AEADStream, error) {
	return newAEADStream(a, streamDecryptUnverified, nonce)
}

func newAEADStream(a cipher.AEAD, direction int, nonce []byte) (*AEADStream, error) {
	ours, r := withNonces(a)
	if r != ok {
		return nil, r.err()
	}
	if len(nonce) != ours.nonceSize && ours.name != "GCM-SIV" {
		return nil, ErrNonceLength
	}
	s, r := ours.key.newStream(direction, nonce)
	if r != ok {
		return nil, r.err()
	}
	return &AEADStream{s: s, direction: direction, nonceSize: ours.nonceSize, tagSize: ours.tagSize}, nil
}

func (s *AEADStream) object() object { return s.s }

// Reset begins another message with the same key and direction, from any state.
//
// Errors: [ErrNonceLength].
func (s *AEADStream) Reset(nonce []byte) error {
	if s.s.closed() {
		return ErrState
	}
	if len(nonce) != s.nonceSize {
		return ErrNonceLength
	}
	return s.s.reset(nonce).err()
}

// Lengths tells, before anything else, how much additional data and text will come. More than that is
// then [ErrLimit], and less at the end is [ErrState].
//
// Errors: [ErrState], [ErrLimit].
func (s *AEADStream) Lengths(additionalData, text uint64) error {
	if s.s.closed() {
		return ErrState
	}
	return s.s.lengths(additionalData, text).err()
}

// AdditionalData takes more of the additional data, all of which comes before the text.
//
// Errors: [ErrState], [ErrLimit].
func (s *AEADStream) AdditionalData(b []byte) error {
	if s.s.closed() {
		return ErrState
	}
	return s.s.aad(b).err()
}

// Update takes src, more of the text, and writes as many bytes to dst, which may be exactly src. A stream
// that only authenticates writes nothing: its dst is nil. It panics when dst is shorter than src.
//
// Errors: [ErrArg] (a dst where there is nothing to write), [ErrState], [ErrLimit], [ErrOverlap].
func (s *AEADStream) Update(dst, src []byte) error {
	if s.s.closed() {
		return ErrState
	}
	if s.direction == streamDecrypt {
		if dst != nil {
			return ErrArg
		}
		return s.s.update(nil, src).err()
	}
	return s.s.update(cut(dst, src), src).err()
}

// Finish ends a message that was encrypted, appends its tag to dst and returns the result.
//
// Errors: [ErrUnsupported] (the message is being opened), [ErrState].
func (s *AEADStream) Finish(dst []byte) ([]byte, error) {
	if s.s.closed() {
		return nil, ErrState
	}
	whole, tag := grow(dst, s.tagSize)
	if r := s.s.finish(tag); r != ok {
		return nil, r.err()
	}
	return whole, nil
}

// Verify ends a message that was opened, and returns nil when tag is the right one.
//
// Errors: [ErrUnsupported] (the message is being encrypted), [ErrState], [ErrOpen].
func (s *AEADStream) Verify(tag []byte) error {
	if s.s.closed() {
		return ErrState
	}
	return s.s.verify(tag).err()
}

// Clone returns a second stream in the same state.
//
// Errors: [ErrUnsupported] (the message is being encrypted: two would go out under one nonce),
// [ErrMemory].
func (s *AEADStream) Clone() (*AEADStream, error) {
	if s.s.closed() {
		return nil, ErrState
	}
	inner, r := s.s.copy()
	if r != ok {
		return nil, r.err()
	}
	c := *s
	c.s = inner
	return &c, nil
}
