// xts.go — XTS.

package xorcore

import "encoding/binary"

// An XTS is a key for AES-XTS (IEEE 1619, SP 800-38E), the mode of disk encryption. It does not
// authenticate. Any number of goroutines may use one.
//
// One call of Encrypt or Decrypt is one data unit, of 16 bytes to 16 MiB; a unit can't be processed in
// pieces. Lengths that are no multiple of 16 are done with ciphertext stealing.
type XTS struct{ key *cipherKey }

// NewXTS returns AES-XTS. The key is key 1 and key 2, one after the other: 32 or 64 bytes, or 48, which is
// not in the standard, but in use.
//
// Errors: [ErrKeyLength], [ErrWeakKey] (two equal halves, which includes the key of IEEE 1619's vector
// 1), [ErrKernel], [ErrMemory].
func NewXTS(key []byte, opts ...Option) (*XTS, error) {
	k, r := newCipherKey(aesXTS, key, collect(opts).kernel)
	if r != ok {
		return nil, r.err()
	}
	return &XTS{k}, nil
}

func (x *XTS) object() object { return x.key }

// Encrypt encrypts the data unit of that number from src to dst, with the meaning of
// golang.org/x/crypto/xts: the number is the tweak, little-endian. dst may be exactly src. It panics
// where [XTS.EncryptTweak] returns an error.
func (x *XTS) Encrypt(dst, src []byte, sector uint64) {
	mustBeOpen(x.key)
	t := tweakOf(sector)
	x.unit(streamEncrypt, dst, src, t[:]).check()
}

// Decrypt decrypts what [XTS.Encrypt] has made.
func (x *XTS) Decrypt(dst, src []byte, sector uint64) {
	mustBeOpen(x.key)
	t := tweakOf(sector)
	x.unit(streamDecrypt, dst, src, t[:]).check()
}

// EncryptTweak encrypts one data unit from src to dst under a tweak of 16 bytes. dst may be exactly src.
// It panics when dst is shorter than src.
//
// Errors: [ErrNonceLength] (of the tweak), [ErrDataLength] (under 16 bytes), [ErrLimit] (over 2^24),
// [ErrOverlap].
func (x *XTS) EncryptTweak(dst, src, tweak []byte) error {
	return x.unit(streamEncrypt, dst, src, tweak).err()
}

// DecryptTweak decrypts what [XTS.EncryptTweak] has made, with its errors.
func (x *XTS) DecryptTweak(dst, src, tweak []byte) error {
	return x.unit(streamDecrypt, dst, src, tweak).err()
}

// EncryptSectors encrypts a run of data units of sectorSize bytes each, in one call. The first has the
// number `first`, and the others those that follow. dst may be exactly src. It panics when dst is
// shorter than src.
//
// Errors: [ErrDataLength] (sectorSize not from 16 to 2^24, or src no multiple of it), [ErrOverlap].
func (x *XTS) EncryptSectors(dst, src []byte, sectorSize int, first uint64) error {
	t := tweakOf(first)
	return x.sectors(streamEncrypt, dst, src, t[:], sectorSize).err()
}

// DecryptSectors decrypts what [XTS.EncryptSectors] has made, with its errors.
func (x *XTS) DecryptSectors(dst, src []byte, sectorSize int, first uint64) error {
	t := tweakOf(first)
	return x.sectors(streamDecrypt, dst, src, t[:], sectorSize).err()
}

// An array and not a slice of one: where the compiler does not inline this, as on 32-bit Arm, a slice would be on the heap.
func tweakOf(sector uint64) (t [16]byte) {
	binary.LittleEndian.PutUint64(t[:], sector)
	return t
}

func (x *XTS) unit(direction int, dst, src, tweak []byte) Error {
	if x.key.closed() {
		return ErrState
	}
	return x.key.crypt(direction, cut(dst, src), tweak, src)
}

func (x *XTS) sectors(direction int, dst, src, tweak []byte, sectorSize int) Error {
	if x.key.closed() {
		return ErrState
	}
	return x.key.sectors(direction, cut(dst, src), tweak, src, sectorSize)
}
