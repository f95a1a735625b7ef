// purego_stream.go — without cgo: messages in pieces, with the C library's order of calls.

//go:build !cgo

package xorcore

// Directions of a stream.
const (
	streamDecrypt = iota
	streamEncrypt
	streamDecryptUnverified
)

type streamPhase int

const (
	fresh streamPhase = iota
	inAAD
	inText
	ended
)

// A stream is one message in any split, with the order of calls, the limits and the errors of
// xorcore_stream. One of cipher, aead and mac says what it is a message of.
type stream struct {
	direction int
	phase     streamPhase
	isClosed  bool

	cipher *cipherState

	aead      *aeadKey
	machine   machine
	announced bool

	mac        *macKey
	macMachine *macMachine

	aadDone, textDone uint64
	aadGoal, textGoal uint64 // as announced, or the algorithm's limits
}

func (k *cipherKey) newStream(direction int, iv []byte) (*stream, Error) {
	if k.algorithm == aesXTS {
		return nil, ErrUnsupported
	}
	s := &stream{direction: direction, cipher: &cipherState{key: k, encrypt: direction == streamEncrypt}}
	return s.made(iv)
}

func (k *aeadKey) newStream(direction int, nonce []byte) (*stream, Error) {
	if k.algorithm == aesGCMSIV {
		return nil, ErrUnsupported
	}
	return (&stream{direction: direction, aead: k}).made(nonce)
}

func (k *macKey) newStream(nonce []byte) (*stream, Error) {
	return (&stream{direction: streamEncrypt, mac: k}).made(nonce)
}

func (s *stream) made(nonce []byte) (*stream, Error) {
	if r := s.reset(nonce); r != ok {
		return nil, r
	}
	// The key may be closed before its stream: the stream keeps what it has of it.
	switch {
	case s.cipher != nil:
		k := *s.cipher.key
		s.cipher.key = &k
	case s.aead != nil:
		k := *s.aead
		s.aead = &k
		return s, s.reset(nonce)
	case s.mac != nil:
		k := *s.mac
		s.mac = &k
		return s, s.reset(nonce)
	}
	return s, ok
}

func (s *stream) reset(nonce []byte) Error {
	fits := false
	switch {
	case s.cipher != nil:
		fits = len(nonce) == s.cipher.key.ivSize()
	case s.aead != nil:
		fits = aeadNonceFits(s.aead.algorithm, len(nonce))
	default:
		fits = s.mac.nonceFits(len(nonce))
	}
	if !fits {
		return ErrNonceLength
	}
	s.phase, s.announced = fresh, false
	s.aadDone, s.textDone = 0, 0
	s.aadGoal, s.textGoal = 1<<64-1, 1<<64-1
	switch {
	case s.cipher != nil:
		s.cipher.start(nonce)
	case s.aead != nil:
		s.aadGoal = aeadAADLimit(s.aead.algorithm)
		s.textGoal = aeadTextLimit(s.aead.algorithm, len(nonce))
		s.machine = s.aead.machine(nonce)
	default:
		if s.mac.algorithm == aesGMAC {
			s.textGoal = 1<<61 - 1
		}
		s.macMachine = s.mac.machine(nonce)
	}
	return ok
}

// waits tells whether a message of CCM has not been told its lengths.
func (s *stream) waits() bool {
	return s.aead != nil && s.aead.algorithm == aesCCM && !s.announced
}

func (s *stream) lengths(aad, text uint64) Error {
	switch {
	case s.aead == nil:
		return ErrUnsupported
	case s.phase != fresh || s.announced:
		return ErrState
	case aad > s.aadGoal || text > s.textGoal:
		return ErrLimit
	}
	s.announced = true
	s.aadGoal, s.textGoal = aad, text
	s.machine.lengths(aad, text)
	return ok
}

func (s *stream) aad(b []byte) Error {
	switch {
	case s.aead == nil:
		return ErrUnsupported
	case s.phase > inAAD || s.waits():
		return ErrState
	case uint64(len(b)) > s.aadGoal-s.aadDone:
		return ErrLimit
	}
	if len(b) > 0 {
		s.machine.aad(b)
		s.aadDone += uint64(len(b))
		s.phase = inAAD
	}
	return ok
}

// update takes text; out is nil for a MAC and for an AEAD that only authenticates.
func (s *stream) update(out, in []byte) Error {
	silent := s.mac != nil || s.aead != nil && s.direction == streamDecrypt
	n := uint64(len(in))
	switch {
	case silent && out != nil || !silent && len(out) != len(in):
		return ErrArg
	case s.phase == ended, s.waits(), n > 0 && s.announced && s.aadDone != s.aadGoal:
		return ErrState
	case s.cipher != nil && s.cipher.key.wholeBlocks() && n%16 != 0:
		return ErrDataLength
	case s.cipher != nil && s.cipher.key.algorithm == aesCTR && n > 0 &&
		(s.cipher.end || !ctrReaches(s.cipher.at, len(in))),
		s.cipher == nil && n > s.textGoal-s.textDone:
		return ErrLimit
	case inexactOverlap(out, in):
		return ErrOverlap
	case n == 0:
		return ok
	}
	switch {
	case s.cipher != nil:
		s.cipher.update(out, in)
	case s.aead != nil:
		s.machine.text(out, in, s.direction)
	default:
		s.macMachine.write(in)
	}
	s.textDone += n
	s.phase = inText
	return ok
}

func (s *stream) seek(offset uint64) Error {
	if s.cipher == nil || s.cipher.key.algorithm != aesCTR {
		return ErrUnsupported
	}
	s.cipher.seek(offset)
	return ok
}

func (s *stream) iv(iv []byte) Error {
	if s.cipher == nil || s.cipher.key.ivSize() == 0 {
		return ErrUnsupported
	}
	next, whole := s.cipher.next()
	if !whole {
		return ErrState
	}
	if len(iv) != len(next) {
		return ErrNonceLength
	}
	copy(iv, next[:])
	return ok
}

// early tells whether the message may not end here.
func (s *stream) early() bool {
	return s.phase == ended || s.waits() ||
		s.announced && (s.aadDone != s.aadGoal || s.textDone != s.textGoal)
}

func (s *stream) end() [16]byte {
	s.phase = ended
	if s.aead != nil {
		return s.machine.tag()
	}
	return s.macMachine.sum()
}

func (s *stream) tagSize() int {
	if s.aead != nil {
		return s.aead.tagSize
	}
	return s.mac.tagSize
}

func (s *stream) finish(tag []byte) Error {
	switch {
	case s.cipher != nil || s.aead != nil && s.direction != streamEncrypt:
		return ErrUnsupported
	case s.early():
		return ErrState
	case len(tag) != s.tagSize():
		return ErrTagLength
	}
	sum := s.end()
	copy(tag, sum[:])
	return ok
}

// sum is what finish would give now; the message goes on.
func (s *stream) sum(tag []byte) Error {
	end, r := s.copy()
	if r != ok {
		return r
	}
	return end.finish(tag)
}

func (s *stream) verify(tag []byte) Error {
	switch {
	case s.cipher != nil || s.aead != nil && s.direction == streamEncrypt:
		return ErrUnsupported
	case s.early():
		return ErrState
	}
	sum := s.end()
	if !Equal(sum[:s.tagSize()], tag) {
		return ErrOpen
	}
	return ok
}

func (s *stream) copy() (*stream, Error) {
	if s.aead != nil && s.direction == streamEncrypt {
		return nil, ErrUnsupported
	}
	c := *s
	switch {
	case s.cipher != nil:
		c.cipher = s.cipher.clone()
	case s.aead != nil:
		c.machine = s.machine.clone()
	default:
		c.macMachine = s.macMachine.clone()
	}
	return &c, ok
}

func (s *stream) close() { *s = stream{isClosed: true} }

func (s *stream) closed() bool { return s.isClosed }

func (s *stream) kernel() string { return kernelOf(s.isClosed) }
