// rows.go — many messages in one call, as rows and as records.

package xorcore

import (
	"crypto/cipher"
	"crypto/rand"
	"slices"
	"sync"
)

// A Row is one message among many that are processed in one call, as offsets into three slices: in, out,
// and aux for nonces, additional data and tags that are to be checked. What an operation has no use for is
// not looked at.
type Row struct {
	InAt    uint64 // the text, in `in`
	OutAt   uint64 // its result, in `out`; not for a MAC
	Len     uint64 // bytes of text
	NonceAt uint64 // the nonce, in `aux`
	AADAt   uint64 // AEAD: additional data, in `aux`
	AADLen  uint64
	TagAt   uint64 // AEAD, MAC: in `out` when it is made, in `aux` when it is checked
	Result  Error  // written by the call: 0, or what is wrong with this row

	_ uint32 // 0
}

// SealRows encrypts many messages in one call, each as Seal would: the ciphertext of a row goes to OutAt,
// its tag to TagAt. The slices may be one and the same. Inside a row the output may be exactly the input and
// overlaps nothing else; a row must not write what another row reads or writes, which is not checked.
//
// Each row gets its own Result; the call returns nil, or the error of the first row that failed. A row whose
// offsets leave a slice is [ErrArg]. An error of the whole call stands in every row: [ErrArg], where the AEAD
// is not of this package, and [ErrUnsupported], where it chooses its nonces.
func SealRows(a cipher.AEAD, out, in, aux []byte, rows []Row) error {
	return aeadRows(a, true, out, in, aux, rows)
}

// OpenRows checks and decrypts many messages in one call, each as Open would: the text of a row has Len
// bytes, and its tag is in aux. A row that fails has [ErrOpen] and zeros where its text would be; the others
// are not touched by that. Otherwise as [SealRows].
func OpenRows(a cipher.AEAD, out, in, aux []byte, rows []Row) error {
	return aeadRows(a, false, out, in, aux, rows)
}

func aeadRows(a cipher.AEAD, seal bool, out, in, aux []byte, rows []Row) error {
	ours, r := withNonces(a)
	if r != ok {
		return refused(rows, r)
	}
	return ours.key.rows(seal, out, in, aux, ours.nonceSize, rows).err()
}

// refused is an error of the whole call, which stands in every row.
func refused(rows []Row, e Error) error {
	for i := range rows {
		rows[i].Result = e
	}
	return e.err()
}

// SumRows computes the tags of many messages in one call; nonces have nonceSize bytes. Otherwise as
// [SealRows], with [ErrNonceLength] as another error of the whole call. Where cgo is used, messages of a
// CMAC are then worked on side by side, which for many is several times as fast as one by one.
func (m *MAC) SumRows(out, in, aux []byte, nonceSize int, rows []Row) error {
	if m.key.closed() {
		return refused(rows, ErrState)
	}
	return m.key.rows(true, out, in, aux, nonceSize, rows).err()
}

// VerifyRows checks the tags of many messages in one call. Otherwise as [MAC.SumRows].
func (m *MAC) VerifyRows(in, aux []byte, nonceSize int, rows []Row) error {
	if m.key.closed() {
		return refused(rows, ErrState)
	}
	return m.key.rows(false, nil, in, aux, nonceSize, rows).err()
}

// ---- records ---------------------------------------------------------------------------------------

// SealRecords cuts src into records of recordSize bytes (the last may be shorter), encrypts them all in one
// call and appends the sealed records, each with its tag behind it, to dst. Record i has the i-th nonce of
// `nonces`, in which they lie behind one another; there are none if the AEAD chooses its nonces itself. All have
// the same additional data. dst's new bytes must not overlap anything that is read, or it panics.
//
// With an AEAD that is not of this package it does the same record by record.
//
// Errors: [ErrArg] (recordSize is not positive), [ErrNonceLength] (not one nonce a record).
func SealRecords(a cipher.AEAD, dst, src []byte, recordSize int, nonces, additionalData []byte) ([]byte, error) {
	return records(a, true, dst, src, recordSize, nonces, additionalData)
}

// OpenRecords opens what [SealRecords] has made: src are the sealed records, and recordSize is the one that
// SealRecords was given, without what is added to a record. It is all or nothing: when one record fails, what was appended is
// zeros, and the result nil and [ErrOpen]. To have the others, use [OpenRows].
//
// Errors: [ErrArg], [ErrNonceLength], [ErrOpen].
func OpenRecords(a cipher.AEAD, dst, src []byte, recordSize int, nonces, additionalData []byte) ([]byte, error) {
	return records(a, false, dst, src, recordSize, nonces, additionalData)
}

// scratch is what a call for many records needs beside its arguments.
type scratch struct {
	rows []Row
	aux  []byte
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func records(a cipher.AEAD, seal bool, dst, src []byte, size int, nonces, ad []byte) ([]byte, error) {
	overhead, nonceSize := a.Overhead(), a.NonceSize()
	if size <= 0 || size > size+overhead {
		return nil, ErrArg
	}
	from, to := size, size+overhead
	if !seal {
		from, to = to, from
	}
	count := len(src) / from // and not by a sum, which a size near the largest int takes below 0
	if len(src)%from != 0 {
		count++
	}
	if len(nonces) != count*nonceSize {
		return nil, ErrNonceLength
	}
	added := len(src) + count*(to-from)
	if !seal && (len(src)-(count-1)*from < overhead) && count > 0 {
		return nil, ErrOpen // the last record is shorter than that
	}
	whole, out := grow(dst, added)
	if anyOverlap(out, src) {
		panic("crypto/cipher: invalid buffer overlap of output and input")
	}
	if anyOverlap(out, ad) || anyOverlap(out, nonces) {
		panic("crypto/cipher: invalid buffer overlap of output and additional data")
	}
	ours, isOurs := a.(*aead)
	front := 0 // bytes of nonce before each sealed record
	if r, isRandom := a.(*randomNonce); isRandom {
		ours, front = r.inner, r.inner.nonceSize
	} else if !isOurs {
		for i := range count {
			in := src[i*from : min((i+1)*from, len(src))]
			room := out[i*to : i*to : min((i+1)*to, len(out))]
			nonce := nonces[i*nonceSize:][:nonceSize]
			if seal {
				a.Seal(room, nonce, in, ad)
			} else if _, err := a.Open(room, nonce, in, ad); err != nil {
				clear(out)
				return nil, ErrOpen
			}
		}
		return whole, nil
	}
	if ours.key.closed() {
		return nil, ErrState
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.rows = append(s.rows[:0], make([]Row, count)...)
	if front == 0 {
		s.aux = append(s.aux[:0], nonces...)
	} else {
		nonceSize = front
		s.aux = slices.Grow(s.aux[:0], count*nonceSize)[:count*nonceSize]
		if seal {
			_, _ = rand.Read(s.aux) // never fails
		}
	}
	adAt := len(s.aux)
	s.aux = append(s.aux, ad...)
	for i := range s.rows {
		text := min(from, len(src)-i*from)
		if !seal {
			text -= overhead
		}
		r := &s.rows[i]
		*r = Row{InAt: uint64(i * from), OutAt: uint64(i * to), Len: uint64(text),
			NonceAt: uint64(i * nonceSize), AADAt: uint64(adAt), AADLen: uint64(len(ad))}
		if seal {
			r.OutAt += uint64(copy(out[r.OutAt:], s.aux[r.NonceAt:][:front]))
			r.TagAt = r.OutAt + r.Len
		} else {
			r.InAt += uint64(copy(s.aux[r.NonceAt:][:front], src[r.InAt:]))
			r.TagAt = uint64(len(s.aux))
			s.aux = append(s.aux, src[r.InAt+r.Len:][:ours.tagSize]...)
		}
	}
	if r := ours.key.rows(seal, out, src, s.aux, nonceSize, s.rows); r != ok {
		clear(out)
		return nil, r.err()
	}
	return whole, nil
}
