// modecipher.go — every mode of AES for whole messages, for many in a call, and as a stream.

package xorcore

// A Mode is a mode of AES for [NewModeCipher].
type Mode int

// The modes. None of them authenticates: use an AEAD unless a format demands one of these.
const (
	ModeECB  = Mode(aesECB)    // SP 800-38A 6.1, no IV; shows which blocks are equal
	ModeCBC  = Mode(aesCBC)    // 6.2; no padding is added or removed
	ModeCFB  = Mode(aesCFB128) // 6.3, segments of 128 bits
	ModeCFB8 = Mode(aesCFB8)   // 6.3, segments of 8 bits
	ModeOFB  = Mode(aesOFB)    // 6.4
	ModeCTR  = Mode(aesCTR)    // 6.5; the IV is the first counter block
	ModeXTS  = Mode(aesXTS)    // IEEE 1619; the IV is the tweak, a message is one data unit
)

// A ModeCipher is a key for one mode of AES. It holds no position: its methods do whole messages, one or
// many in a call, and any number of goroutines may use one. [NewCTR], [NewCBCEncrypter] and the like are
// for where a crypto/cipher interface is wanted.
type ModeCipher struct{ key *cipherKey }

// NewModeCipher returns a mode of AES for a key of 16, 24 or 32 bytes, or of [NewXTS]'s lengths.
//
// Errors: [ErrArg] (no such mode), [ErrKeyLength], [ErrWeakKey] (XTS), [ErrKernel], [ErrMemory].
func NewModeCipher(mode Mode, key []byte, opts ...Option) (*ModeCipher, error) {
	k, r := newCipherKey(int(mode), key, collect(opts).kernel)
	if r != ok {
		return nil, r.err()
	}
	return &ModeCipher{k}, nil
}

func (c *ModeCipher) object() object { return c.key }

// Encrypt encrypts one whole message from src to dst, which may be exactly src. The IV, of 16 bytes and for
// ECB of none, is not written to. It panics when dst is shorter than src.
//
// Errors: [ErrNonceLength] (of the IV), [ErrDataLength] (ECB and CBC: src is no multiple of 16; XTS: it is
// under 16), [ErrLimit] (XTS: over 2^24), [ErrOverlap].
func (c *ModeCipher) Encrypt(dst, src, iv []byte) error {
	if c.key.closed() {
		return ErrState
	}
	return c.key.crypt(streamEncrypt, cut(dst, src), iv, src).err()
}

// Decrypt decrypts what [ModeCipher.Encrypt] has made, with its errors.
func (c *ModeCipher) Decrypt(dst, src, iv []byte) error {
	if c.key.closed() {
		return ErrState
	}
	return c.key.crypt(streamDecrypt, cut(dst, src), iv, src).err()
}

// EncryptRows encrypts many messages in one call: serial modes, CBC encryption before all, have their
// messages interleaved where the kernel can. Otherwise as [SealRows]; rows have no tags and no additional
// data.
func (c *ModeCipher) EncryptRows(out, in, aux []byte, rows []Row) error {
	if c.key.closed() {
		return refused(rows, ErrState)
	}
	return c.key.rows(streamEncrypt, out, in, aux, c.ivSize(), rows).err()
}

// DecryptRows decrypts many messages in one call. Otherwise as [ModeCipher.EncryptRows].
func (c *ModeCipher) DecryptRows(out, in, aux []byte, rows []Row) error {
	if c.key.closed() {
		return refused(rows, ErrState)
	}
	return c.key.rows(streamDecrypt, out, in, aux, c.ivSize(), rows).err()
}

func (c *ModeCipher) ivSize() int {
	if c.key.algorithm == aesECB {
		return 0
	}
	return 16
}

// NewEncryptStream begins a message that is encrypted in pieces.
//
// Errors: [ErrUnsupported] (XTS: one data unit is one call), [ErrNonceLength], [ErrMemory].
func (c *ModeCipher) NewEncryptStream(iv []byte) (*ModeStream, error) {
	return c.newStream(streamEncrypt, iv)
}

// NewDecryptStream begins a message that is decrypted in pieces, with the errors of
// [ModeCipher.NewEncryptStream].
func (c *ModeCipher) NewDecryptStream(iv []byte) (*ModeStream, error) {
	return c.newStream(streamDecrypt, iv)
}

func (c *ModeCipher) newStream(direction int, iv []byte) (*ModeStream, error) {
	if c.key.closed() {
		return nil, ErrState
	}
	s, r := c.key.newStream(direction, iv)
	if r != ok {
		return nil, r.err()
	}
	return &ModeStream{s}, nil
}

// A ModeStream is one message of a [ModeCipher] in pieces of any sizes. It belongs to one goroutine at a
// time, and stays usable when its ModeCipher is closed. A call that returns an error leaves it as it was.
type ModeStream struct{ s *stream }

func (s *ModeStream) object() object { return s.s }

// Update takes src and writes as many bytes to dst, which may be exactly src. It panics when dst is shorter
// than src.
//
// Errors: [ErrDataLength] (ECB and CBC: src is no multiple of 16), [ErrLimit] (CTR: the position would pass
// 2^64), [ErrOverlap].
func (s *ModeStream) Update(dst, src []byte) error {
	if s.s.closed() {
		return ErrState
	}
	return s.s.update(cut(dst, src), src).err()
}

// Seek goes to byte `offset` of a message of CTR. Going back uses key stream twice.
//
// Errors: [ErrUnsupported] (not CTR).
func (s *ModeStream) Seek(offset uint64) error {
	if s.s.closed() {
		return ErrState
	}
	return s.s.seek(offset).err()
}

// IV returns the IV with which the rest of the message could be processed on its own.
//
// Errors: [ErrUnsupported] (ECB), [ErrState] (the position is inside a block).
func (s *ModeStream) IV() ([]byte, error) {
	if s.s.closed() {
		return nil, ErrState
	}
	iv := make([]byte, 16)
	if r := s.s.iv(iv); r != ok {
		return nil, r.err()
	}
	return iv, nil
}

// Reset begins another message with the same key and direction.
//
// Errors: [ErrNonceLength].
func (s *ModeStream) Reset(iv []byte) error {
	if s.s.closed() {
		return ErrState
	}
	return s.s.reset(iv).err()
}

// Clone returns a second stream in the same state.
//
// Errors: [ErrMemory].
func (s *ModeStream) Clone() (*ModeStream, error) {
	if s.s.closed() {
		return nil, ErrState
	}
	c, r := s.s.copy()
	if r != ok {
		return nil, r.err()
	}
	return &ModeStream{c}, nil
}

// cut panics when dst is shorter than src, and cuts it to src's length.
func cut(dst, src []byte) []byte {
	if len(dst) < len(src) {
		panic("crypto/cipher: output smaller than input")
	}
	return dst[:len(src)]
}
