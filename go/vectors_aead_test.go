// vectors_aead_test.go — the vector runner: AEAD as streams and rows.

package xorcore

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha3"
	"errors"
	"fmt"
	"slices"
)

// A vectorAEAD is how the runner makes one algorithm's objects, and on which kernels.
type vectorAEAD struct {
	kernels func() []string
	make    func(c *aeadCase, tagSize int, kernel string) (cipher.AEAD, error)
	streams bool
}

var vectorAEADs = map[string]vectorAEAD{
	"AES-GCM": {gcmKernels, func(c *aeadCase, tagSize int, kernel string) (cipher.AEAD, error) {
		return NewGCMWithSizes(c.key, len(c.iv), tagSize, WithKernel(kernel))
	}, true},
	"AES-CCM": {aesKernels, func(c *aeadCase, tagSize int, kernel string) (cipher.AEAD, error) {
		return NewCCM(c.key, len(c.iv), tagSize, WithKernel(kernel))
	}, true},
	"AES-GCM-SIV": {pairKernels, func(c *aeadCase, tagSize int, kernel string) (cipher.AEAD, error) {
		if tagSize != 16 { // which the constructor can't ask for
			_, r := newAEADKey(aesGCMSIV, c.key, tagSize, kernel)
			return nil, r.err()
		}
		return NewGCMSIV(c.key, WithKernel(kernel))
	}, false},
	"XAES-256-GCM": {gcmKernels, func(c *aeadCase, tagSize int, kernel string) (cipher.AEAD, error) {
		if tagSize != 16 {
			_, r := newAEADKey(xaes256GCM, c.key, tagSize, kernel)
			return nil, r.err()
		}
		return NewXAES256GCM(c.key, WithKernel(kernel))
	}, true},
}

func aesKernels() []string { return familyKernels("aes") }

// aeadStreams are the runs of the shape "stream".
func (v *vectorRun) aeadStreams(c *aeadCase, alg vectorAEAD, tagSize int, kernel string) {
	if !alg.streams {
		return
	}
	for _, plan := range c.plans() {
		v.run(c.vectorCase, kernel, "stream", func() error {
			a, err := alg.make(c, tagSize, kernel)
			if err != nil {
				return err
			}
			defer Close(a)
			ct := c.ct.bytes
			if c.encrypts() && !c.invalid {
				if ct, err = c.sealPieces(a, plan); err != nil {
					return err
				}
			}
			if !c.decrypts() {
				return nil
			}
			return errors.Join(c.openPieces(a, plan, ct, NewUnverifiedOpenStream),
				c.openPieces(a, plan, ct, NewVerifyStream))
		})
	}
}

// feed passes AAD and text to a stream; out is nil where nothing comes out.
func (c *aeadCase) feed(s *AEADStream, plan []int, out, in []byte) error {
	if err := s.Lengths(uint64(len(c.aad)), uint64(len(in))); err != nil {
		return err
	}
	for _, p := range pieces(plan, len(c.aad), 1) {
		if err := s.AdditionalData(c.aad[p[0]:p[1]]); err != nil {
			return err
		}
	}
	for _, p := range pieces(plan, len(in), 1) {
		dst := out
		if out != nil {
			dst = out[p[0]:p[1]]
		}
		if err := s.Update(dst, in[p[0]:p[1]]); err != nil {
			return err
		}
	}
	return nil
}

func (c *aeadCase) sealPieces(a cipher.AEAD, plan []int) ([]byte, error) {
	s, err := NewSealStream(a, c.iv)
	if err != nil {
		return nil, err
	}
	defer Close(s)
	ct := make([]byte, len(c.msg))
	if err := c.feed(s, plan, ct, c.msg); err != nil {
		return nil, err
	}
	sealed, err := s.Finish(ct)
	if err != nil {
		return nil, err
	}
	return ct, c.sealed(sealed)
}

func (c *aeadCase) openPieces(a cipher.AEAD, plan []int, ct []byte,
	make func(cipher.AEAD, []byte) (*AEADStream, error)) error {
	s, err := make(a, c.iv)
	if err != nil {
		return err
	}
	defer Close(s)
	var out []byte
	if s.direction == streamDecryptUnverified {
		out = placeAligned.room(len(ct))
	}
	if err := c.feed(s, plan, out, ct); err != nil {
		return err
	}
	if err := s.Verify(c.tag); c.invalid {
		if err != ErrOpen {
			return fmt.Errorf("Verify: %v", err)
		}
		return nil
	} else if err != nil {
		return err
	}
	if out != nil && !bytes.Equal(out, c.msg) {
		return errors.New("text is wrong")
	}
	return nil
}

// An arena holds the parts of rows, with gaps of one byte.
type arena struct{ b []byte }

func (a *arena) add(b []byte) uint64 {
	a.b = append(a.b, 0xa5)
	a.b = append(a.b, b...)
	return uint64(len(a.b) - len(b))
}

func (a *arena) room(n int) uint64 { return a.add(bytes.Repeat([]byte{0xa5}, n)) }

// rowCalls cuts the cases that have the shape "rows" into calls: what follows one another and can share one.
func rowCalls[C any](cases []C, has func(C) bool, alone func(C) bool, share func(a, b C) bool) (calls [][]C) {
	open := false
	for _, c := range cases {
		switch last := len(calls) - 1; {
		case !has(c):
			open = false
		case alone(c):
			calls = append(calls, []C{c})
			open = false
		case open && len(calls[last]) < 16 && share(calls[last][0], c):
			calls[last] = append(calls[last], c)
		default:
			calls = append(calls, []C{c})
			open = true
		}
	}
	return calls
}

func (v *vectorRun) aeadRows(cases []*aeadCase, alg vectorAEAD, tagSize int, kernel string) {
	calls := rowCalls(cases,
		func(c *aeadCase) bool { return !c.invalid || c.err == "AUTH" && len(c.tag) == tagSize },
		func(c *aeadCase) bool { return c.invalid },
		func(a, b *aeadCase) bool {
			return bytes.Equal(a.key, b.key) && len(a.iv) == len(b.iv) && a.dir == b.dir
		})
	for _, call := range calls {
		errs := make([]error, len(call))
		if err := attempt(func() error { return aeadRowCall(call, errs, alg, tagSize, kernel) }); err != nil {
			errs = slices.Repeat([]error{err}, len(call))
		}
		for i, c := range call {
			v.run(c.vectorCase, kernel, "rows", func() error { return errs[i] })
		}
	}
}

func aeadRowCall(call []*aeadCase, errs []error, alg vectorAEAD, tagSize int, kernel string) error {
	a, err := alg.make(call[0], tagSize, kernel)
	if err != nil {
		return err
	}
	defer Close(a)
	invalid := call[0].invalid
	texts := make([][]byte, len(call)) // ciphertexts
	for i, c := range call {
		texts[i] = c.ct.bytes
	}
	if call[0].encrypts() && !invalid {
		var in, out, aux arena
		rows := make([]Row, len(call))
		for i, c := range call {
			rows[i] = Row{InAt: in.add(c.msg), OutAt: out.room(len(c.msg)), Len: uint64(len(c.msg)),
				NonceAt: aux.add(c.iv), AADAt: aux.add(c.aad), AADLen: uint64(len(c.aad)), TagAt: out.room(tagSize)}
		}
		if err := SealRows(a, out.b, in.b, aux.b, rows); err != nil {
			return err
		}
		for i, c := range call {
			texts[i] = out.b[rows[i].OutAt:][:len(c.msg)]
			errs[i] = errors.Join(rows[i].Result.err(),
				c.sealed(slices.Concat(texts[i], out.b[rows[i].TagAt:][:tagSize])))
		}
	}
	if !call[0].decrypts() {
		return nil
	}
	var in, out, aux arena
	rows := make([]Row, len(call))
	for i, c := range call {
		rows[i] = Row{InAt: in.add(texts[i]), OutAt: out.room(len(texts[i])), Len: uint64(len(texts[i])),
			NonceAt: aux.add(c.iv), AADAt: aux.add(c.aad), AADLen: uint64(len(c.aad)), TagAt: aux.add(c.tag)}
	}
	err = OpenRows(a, out.b, in.b, aux.b, rows)
	if invalid {
		if err != ErrOpen || rows[0].Result != ErrOpen || !bytes.Equal(out.b[1:], make([]byte, len(texts[0]))) {
			return fmt.Errorf("OpenRows: %v, %v, %x", err, rows[0].Result, out.b)
		}
		return nil
	}
	if err != nil {
		return err
	}
	for i, c := range call {
		if errs[i] == nil {
			errs[i] = rows[i].Result.err()
		}
		if errs[i] == nil && !bytes.Equal(out.b[rows[i].OutAt:][:len(c.msg)], c.msg) {
			errs[i] = errors.New("text is wrong")
		}
	}
	return nil
}

// accumulated is the type AccumulatedTest.
func (v *vectorRun) accumulated(_ vectorFields, cases []*vectorCase) {
	for _, c := range cases {
		var count int
		v.take(c.fields, "count", &count)
		digest := v.output(c.fields, "digest")
		for _, kernel := range gcmKernels() {
			v.run(c, kernel, "oneshot", func() error {
				in, sum := sha3.NewSHAKE128(), sha3.NewSHAKE128()
				next := func(n int) []byte {
					b := make([]byte, n)
					_, _ = in.Read(b)
					return b
				}
				for range count {
					key, nonce := next(32), next(24)
					text := next(int(next(1)[0]))
					aad := next(int(next(1)[0]))
					a, err := NewXAES256GCM(key, WithKernel(kernel))
					if err != nil {
						return err
					}
					sealed := a.Seal(nil, nonce, text, aad)
					_, _ = sum.Write(sealed)
					opened, err := a.Open(sealed[:0], nonce, sealed, aad)
					if err != nil || !bytes.Equal(opened, text) {
						return fmt.Errorf("Open: %v", err)
					}
					Close(a)
				}
				got := make([]byte, 32)
				_, _ = sum.Read(got)
				return digest.check("digest", got)
			})
		}
	}
}
