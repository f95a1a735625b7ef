// vectors_mac_test.go — the vector runner: MACs.

package xorcore

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// A vectorMAC is how the runner makes one algorithm's objects, and on which kernels.
type vectorMAC struct {
	kernels func() []string
	make    func(key []byte, tagSize int, opts ...Option) (*MAC, error)
}

var vectorMACs = map[string]vectorMAC{
	"AES-GMAC": {gcmKernels, NewGMACWithTagSize},
	"AES-CMAC": {aesKernels, NewCMACWithTagSize},
}

type macCase struct {
	*vectorCase
	key, iv, msg, tag []byte
}

func (v *vectorRun) macTests(group vectorFields, cases []*vectorCase) {
	alg := vectorMACs[v.algo]
	if alg.kernels == nil {
		v.stop("algorithm %q", v.algo)
	}
	var tagBits int
	v.take(group, "tagSize", &tagBits)
	tagSize := tagBits / 8
	list := make([]*macCase, len(cases))
	for i, c := range cases {
		list[i] = &macCase{c, v.input(c.fields, "key"), v.input(c.fields, "iv"), v.input(c.fields, "msg"),
			v.input(c.fields, "tag")}
	}
	for _, kernel := range alg.kernels() {
		for _, c := range list {
			v.macCase(c, alg, tagSize, kernel)
		}
		v.macRows(list, alg, tagSize, kernel)
	}
}

func (v *vectorRun) macCase(c *macCase, alg vectorMAC, tagSize int, kernel string) {
	if c.invalid && c.err != "AUTH" {
		v.run(c.vectorCase, kernel, "oneshot", func() error { return c.refused(alg, tagSize, kernel) })
		return
	}
	for _, p := range placings {
		v.run(c.vectorCase, kernel, p.shape, func() error {
			m, err := alg.make(c.key, tagSize, WithKernel(kernel))
			if err != nil {
				return err
			}
			defer Close(m)
			iv, msg := p.in.copy(c.iv), p.in.copy(c.msg)
			if c.encrypts() && !c.invalid {
				tag := m.Sum(p.out.room(tagSize)[:0], iv, msg)
				if !bytes.Equal(tag, c.tag) {
					return fmt.Errorf("tag is wrong: %x", tag)
				}
			}
			if c.decrypts() {
				if err := c.verified(m.Verify(p.in.copy(c.tag), iv, msg)); err != nil {
					return err
				}
			}
			return rightKernel(m, kernel)
		})
		if c.invalid && len(c.tag) != tagSize {
			return
		}
	}
	for _, plan := range c.plans() {
		v.run(c.vectorCase, kernel, "stream", func() error {
			m, err := alg.make(c.key, tagSize, WithKernel(kernel))
			if err != nil {
				return err
			}
			defer Close(m)
			if c.encrypts() && !c.invalid {
				h, err := m.NewHash(c.iv)
				if err != nil {
					return err
				}
				defer Close(h)
				for _, p := range pieces(plan, len(c.msg), 1) {
					if _, err := h.Write(c.msg[p[0]:p[1]]); err != nil {
						return err
					}
				}
				if tag := h.Sum(nil); !bytes.Equal(tag, c.tag) {
					return fmt.Errorf("tag is wrong: %x", tag)
				}
			}
			if !c.decrypts() {
				return nil
			}
			s, r := m.key.newStream(c.iv)
			if r != ok {
				return r
			}
			defer s.close()
			for _, p := range pieces(plan, len(c.msg), 1) {
				if r := s.update(nil, c.msg[p[0]:p[1]]); r != ok {
					return r
				}
			}
			return c.verified(s.verify(c.tag).err())
		})
	}
}

func (c *macCase) verified(err error) error {
	if c.invalid && err == ErrOpen {
		return nil
	}
	if c.invalid && err == nil {
		return errors.New("verified")
	}
	return err
}

func (c *macCase) refused(alg vectorMAC, tagSize int, kernel string) error {
	buf := make([]byte, max(tagSize, 16))
	var errs []error
	if c.encrypts() {
		errs = append(errs, expect(c.err, buf, func() error {
			m, err := alg.make(c.key, tagSize, WithKernel(kernel))
			if err == nil {
				m.Sum(buf[:0], c.iv, c.msg)
			}
			return err
		}))
	}
	if c.decrypts() {
		errs = append(errs, expect(c.err, buf, func() error {
			m, err := alg.make(c.key, tagSize, WithKernel(kernel))
			if err != nil {
				return err
			}
			return m.Verify(make([]byte, tagSize), c.iv, c.msg)
		}))
	}
	return errors.Join(errs...)
}

func (v *vectorRun) macRows(cases []*macCase, alg vectorMAC, tagSize int, kernel string) {
	calls := rowCalls(cases,
		func(c *macCase) bool { return !c.invalid || c.err == "AUTH" && len(c.tag) == tagSize },
		func(c *macCase) bool { return c.invalid },
		func(a, b *macCase) bool {
			return bytes.Equal(a.key, b.key) && len(a.iv) == len(b.iv) && a.dir == b.dir
		})
	for _, call := range calls {
		errs := make([]error, len(call))
		if err := attempt(func() error { return macRowCall(call, errs, alg, tagSize, kernel) }); err != nil {
			errs = slices.Repeat([]error{err}, len(call))
		}
		for i, c := range call {
			v.run(c.vectorCase, kernel, "rows", func() error { return errs[i] })
		}
	}
}

func macRowCall(call []*macCase, errs []error, alg vectorMAC, tagSize int, kernel string) error {
	m, err := alg.make(call[0].key, tagSize, WithKernel(kernel))
	if err != nil {
		return err
	}
	defer Close(m)
	nonceSize := len(call[0].iv)
	if call[0].encrypts() && !call[0].invalid {
		var in, out, aux arena
		rows := make([]Row, len(call))
		for i, c := range call {
			rows[i] = Row{InAt: in.add(c.msg), Len: uint64(len(c.msg)), NonceAt: aux.add(c.iv), TagAt: out.room(tagSize)}
		}
		if err := m.SumRows(out.b, in.b, aux.b, nonceSize, rows); err != nil {
			return err
		}
		for i, c := range call {
			if got := out.b[rows[i].TagAt:][:tagSize]; !bytes.Equal(got, c.tag) || rows[i].Result != ok {
				errs[i] = fmt.Errorf("tag is wrong: %x", got)
			}
		}
	}
	if !call[0].decrypts() {
		return nil
	}
	var in, aux arena
	rows := make([]Row, len(call))
	for i, c := range call {
		rows[i] = Row{InAt: in.add(c.msg), Len: uint64(len(c.msg)), NonceAt: aux.add(c.iv), TagAt: aux.add(c.tag)}
	}
	err = m.VerifyRows(in.b, aux.b, nonceSize, rows)
	if call[0].invalid {
		return call[0].verified(err)
	}
	for i := range call {
		errs[i] = errors.Join(errs[i], rows[i].Result.err())
	}
	return err
}
