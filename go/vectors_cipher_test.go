// vectors_cipher_test.go — the vector runner: ciphers.

package xorcore

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"fmt"
	"slices"
)

var vectorCiphers = map[string]int{"AES-ECB": aesECB, "AES-CBC": aesCBC, "AES-CFB128": aesCFB128,
	"AES-CFB8": aesCFB8, "AES-OFB": aesOFB, "AES-CTR": aesCTR, "AES-XTS": aesXTS}

// The fields of a CipherTest.
type cipherCase struct {
	*vectorCase
	algo          int
	key, iv, msg  []byte
	ct            vectorOutput
	plain         vectorOutput // msg, as what comes out
	nextIV        []byte
	mct           int
	offset        uint64
	hasOffset     bool
	sectorSize    int
	hasSectorSize bool
}

func (v *vectorRun) cipherTests(_ vectorFields, cases []*vectorCase) {
	algo, known := vectorCiphers[v.algo]
	if !known {
		v.stop("algorithm %q", v.algo)
	}
	list := make([]*cipherCase, len(cases))
	for i, vc := range cases {
		c := &cipherCase{vectorCase: vc, algo: algo, key: v.input(vc.fields, "key"), iv: v.input(vc.fields, "iv")}
		if _, there := vc.fields["mct"]; there && vc.dir == "decrypt" {
			c.plain = v.output(vc.fields, "msg")
		} else {
			c.msg = v.input(vc.fields, "msg")
			c.plain = vectorOutput{bytes: c.msg, len: len(c.msg)}
		}
		c.ct = v.output(vc.fields, "ct")
		c.nextIV = v.input(vc.fields, "nextIv")
		v.take(vc.fields, "mct", &c.mct)
		if algo == aesCTR {
			c.hasOffset = v.take(vc.fields, "offset", &c.offset)
		}
		if algo == aesXTS {
			c.hasSectorSize = v.take(vc.fields, "sectorSize", &c.sectorSize)
		}
		list[i] = c
	}
	for _, kernel := range aesKernels() {
		for _, c := range list {
			v.cipherCase(c, kernel)
		}
		v.cipherRows(list, kernel)
	}
}

func (v *vectorRun) cipherCase(c *cipherCase, kernel string) {
	run := func(shape string, f func(k *cipherKey) error) {
		v.run(c.vectorCase, kernel, shape, func() error {
			k, r := newCipherKey(c.algo, c.key, kernel)
			if r != ok {
				return r
			}
			defer k.close()
			if err := f(k); err != nil {
				return err
			}
			if k.kernel() != kernel {
				return fmt.Errorf("runs on %s", k.kernel())
			}
			return nil
		})
	}
	switch {
	case c.invalid:
		v.run(c.vectorCase, kernel, "oneshot", func() error { return c.refused(kernel) })
		return
	case c.mct > 0:
		run("stream", c.monteCarlo)
		return
	case c.hasOffset:
		run("at", c.at)
		run("seek", c.seek)
		return
	}
	for _, p := range placings {
		run(p.shape, func(k *cipherKey) error {
			return c.eachWay(func(direction int, in []byte) ([]byte, error) {
				out := p.out.room(len(in))
				r := c.call(k, direction, out, p.in.copy(c.iv), p.in.copy(in))
				if p.shape == "oneshot" && r == ok {
					return out, c.public(kernel, direction, in, out)
				}
				return out, r.err()
			})
		})
	}
	run("inplace", func(k *cipherKey) error {
		return c.eachWay(func(direction int, in []byte) ([]byte, error) {
			buf := bytes.Clone(in)
			return buf, c.call(k, direction, buf, c.iv, buf).err()
		})
	})
	if c.algo == aesXTS {
		return
	}
	for _, plan := range c.plans() {
		run("stream", func(k *cipherKey) error { return c.stream(k, plan) })
	}
	if c.algo == aesCTR {
		run("at", c.at)
		run("seek", c.seek)
	}
}

// eachWay encrypts msg and decrypts what that is, and compares.
func (c *cipherCase) eachWay(f func(direction int, in []byte) ([]byte, error)) error {
	ct := c.ct.bytes
	if c.encrypts() {
		out, err := f(streamEncrypt, c.msg)
		if err == nil {
			err = c.ct.check("ct", out)
		}
		if err != nil {
			return fmt.Errorf("encrypt: %w", err)
		}
		ct = out
	}
	if c.decrypts() {
		out, err := f(streamDecrypt, ct)
		if err == nil {
			err = c.plain.check("msg", out)
		}
		if err != nil {
			return fmt.Errorf("decrypt: %w", err)
		}
	}
	return nil
}

// call is the one call for a whole message.
func (c *cipherCase) call(k *cipherKey, direction int, out, iv, in []byte) Error {
	switch {
	case c.hasSectorSize:
		return k.sectors(direction, out, iv, in, c.sectorSize)
	case c.hasOffset:
		return k.ctrAt(out, iv, c.offset, in)
	}
	return k.crypt(direction, out, iv, in)
}

// public does the same through the exported interface; want is what it must give.
func (c *cipherCase) public(kernel string, direction int, in, want []byte) error {
	out := placeAligned.room(len(in))
	opt := WithKernel(kernel)
	if c.algo == aesECB || c.algo == aesXTS {
		if err := c.publicBlocks(opt, direction, out, in); err != nil {
			return err
		}
	} else {
		object, crypt, err := c.publicMode(opt, direction)
		if err != nil {
			return err
		}
		defer Close(object)
		if err := rightKernel(object, kernel); err != nil {
			return err
		}
		crypt(out, in)
	}
	if !bytes.Equal(out, want) {
		return errors.New("the exported interface gives something else")
	}
	return nil
}

func (c *cipherCase) publicMode(opt Option, direction int) (any, func(dst, src []byte), error) {
	stream := func(s cipher.Stream, err error) (any, func(dst, src []byte), error) {
		if err != nil {
			return nil, nil, err
		}
		return s, s.XORKeyStream, nil
	}
	mode := func(m cipher.BlockMode, err error) (any, func(dst, src []byte), error) {
		if err != nil {
			return nil, nil, err
		}
		return m, m.CryptBlocks, nil
	}
	encrypt := direction == streamEncrypt
	switch c.algo {
	case aesCBC:
		if encrypt {
			return mode(NewCBCEncrypter(c.key, c.iv, opt))
		}
		return mode(NewCBCDecrypter(c.key, c.iv, opt))
	case aesCFB128:
		if encrypt {
			return stream(NewCFBEncrypter(c.key, c.iv, opt))
		}
		return stream(NewCFBDecrypter(c.key, c.iv, opt))
	case aesCFB8:
		if encrypt {
			return stream(NewCFB8Encrypter(c.key, c.iv, opt))
		}
		return stream(NewCFB8Decrypter(c.key, c.iv, opt))
	case aesOFB:
		return stream(NewOFB(c.key, c.iv, opt))
	}
	s, err := NewCTR(c.key, c.iv, opt)
	return stream(s, err)
}

func (c *cipherCase) publicBlocks(opt Option, direction int, out, in []byte) error {
	if c.algo == aesXTS {
		x, err := NewXTS(c.key, opt)
		if err != nil {
			return err
		}
		defer Close(x)
		sector := uint64(0)
		small := bytes.Equal(c.iv[8:], make([]byte, 8))
		for i := 7; i >= 0; i-- {
			sector = sector<<8 | uint64(c.iv[i])
		}
		switch {
		case c.hasSectorSize && small && direction == streamEncrypt:
			return x.EncryptSectors(out, in, c.sectorSize, sector)
		case c.hasSectorSize && small:
			return x.DecryptSectors(out, in, c.sectorSize, sector)
		case c.hasSectorSize:
			return x.key.sectors(direction, out, c.iv, in, c.sectorSize).err()
		case direction == streamEncrypt && small:
			x.Encrypt(out, in, sector)
			return nil
		case small:
			x.Decrypt(out, in, sector)
			return nil
		case direction == streamEncrypt:
			return x.EncryptTweak(out, in, c.iv)
		}
		return x.DecryptTweak(out, in, c.iv)
	}
	b, err := NewCipher(c.key, opt)
	if err != nil {
		return err
	}
	defer Close(b)
	for at := 0; at < len(in); at += 16 {
		if direction == streamEncrypt {
			b.Encrypt(out[at:], in[at:])
		} else {
			b.Decrypt(out[at:], in[at:])
		}
	}
	return nil
}

func (c *cipherCase) stream(k *cipherKey, plan []int) error {
	unit := 1
	if c.algo == aesECB || c.algo == aesCBC {
		unit = 16
	}
	return c.eachWay(func(direction int, in []byte) ([]byte, error) {
		s, err := (&ModeCipher{k}).newStream(direction, c.iv)
		if err != nil {
			return nil, err
		}
		defer Close(s)
		out := placeAligned.room(len(in))
		for _, p := range pieces(plan, len(in), unit) {
			if err := s.Update(out[p[0]:p[1]], in[p[0]:p[1]]); err != nil {
				return nil, err
			}
		}
		if c.nextIV == nil {
			return out, nil
		}
		if next, err := s.IV(); err != nil || !bytes.Equal(next, c.nextIV) {
			return nil, fmt.Errorf("the IV that continues: %v, %x", err, next)
		}
		return out, nil
	})
}

// backwards are the pieces of the shapes "at" and "seek".
func (c *cipherCase) backwards(n int) [][2]int {
	list := pieces(c.plan(), n, 1)
	slices.Reverse(list)
	if n == 0 {
		return [][2]int{{0, 0}}
	}
	return list
}

func (c *cipherCase) at(k *cipherKey) error {
	return c.eachWay(func(_ int, in []byte) ([]byte, error) {
		out := placeAligned.room(len(in))
		for _, p := range c.backwards(len(in)) {
			if r := k.ctrAt(out[p[0]:p[1]], c.iv, c.offset+uint64(p[0]), in[p[0]:p[1]]); r != ok {
				return nil, r
			}
		}
		s, err := NewCTR(c.key, c.iv, WithKernel(k.kernel()))
		if err != nil {
			return nil, err
		}
		defer Close(s)
		again := make([]byte, len(in))
		if s.XORKeyStreamAt(again, in, c.offset); !bytes.Equal(again, out) {
			return nil, errors.New("XORKeyStreamAt gives something else")
		}
		return out, nil
	})
}

func (c *cipherCase) seek(k *cipherKey) error {
	return c.eachWay(func(direction int, in []byte) ([]byte, error) {
		s, err := (&ModeCipher{k}).newStream(direction, c.iv)
		if err != nil {
			return nil, err
		}
		defer Close(s)
		again, err := NewCTR(c.key, c.iv, WithKernel(k.kernel()))
		if err != nil {
			return nil, err
		}
		defer Close(again)
		out, other := placeAligned.room(len(in)), placeAligned.room(len(in))
		for _, p := range c.backwards(len(in)) {
			at := c.offset + uint64(p[0])
			if err := errors.Join(s.Seek(at), s.Update(out[p[0]:p[1]], in[p[0]:p[1]])); err != nil {
				return nil, err
			}
			again.Seek(at)
			again.XORKeyStream(other[p[0]:p[1]], in[p[0]:p[1]])
		}
		if !bytes.Equal(out, other) {
			return nil, errors.New("CTR.Seek gives something else")
		}
		return out, nil
	})
}

// monteCarlo is one outer step of SP 800-20's loop.
func (c *cipherCase) monteCarlo(k *cipherKey) error {
	direction, in, want := streamEncrypt, c.msg, c.ct
	if c.dir == "decrypt" {
		direction, in, want = streamDecrypt, c.ct.bytes, c.plain
	}
	s, r := k.newStream(direction, c.iv)
	if r != ok {
		return r
	}
	defer s.close()
	n := len(in)
	x := bytes.Clone(c.iv)
	out := make([]byte, n)
	for j := range c.mct {
		if r := s.update(out, in); r != ok {
			return r
		}
		x = append(x, out...)
		in = x[j*n : (j+1)*n]
	}
	return want.check("the last output", out)
}

func (c *cipherCase) refused(kernel string) error {
	buf := make([]byte, len(c.msg))
	try := func(direction int) error {
		err := expect(c.err, buf, func() error {
			k, r := newCipherKey(c.algo, c.key, kernel)
			if r != ok {
				return r
			}
			defer k.close()
			return c.call(k, direction, buf, c.iv, c.msg).err()
		})
		if err != nil || c.algo == aesECB || c.algo == aesXTS || c.hasOffset {
			return err
		}
		return expect(c.err, buf, func() error {
			_, crypt, err := c.publicMode(WithKernel(kernel), direction)
			if err == nil {
				crypt(buf, c.msg)
			}
			return err
		})
	}
	var errs []error
	if c.encrypts() {
		errs = append(errs, try(streamEncrypt))
	}
	if c.decrypts() {
		errs = append(errs, try(streamDecrypt))
	}
	return errors.Join(errs...)
}

func (v *vectorRun) cipherRows(cases []*cipherCase, kernel string) {
	calls := rowCalls(cases,
		func(c *cipherCase) bool { return !c.invalid && c.mct == 0 && !c.hasOffset && !c.hasSectorSize },
		func(c *cipherCase) bool { return false },
		func(a, b *cipherCase) bool {
			return bytes.Equal(a.key, b.key) && len(a.iv) == len(b.iv) && a.dir == b.dir
		})
	for _, call := range calls {
		errs := make([]error, len(call))
		if err := attempt(func() error { return cipherRowCall(call, errs, kernel) }); err != nil {
			errs = slices.Repeat([]error{err}, len(call))
		}
		for i, c := range call {
			v.run(c.vectorCase, kernel, "rows", func() error { return errs[i] })
		}
	}
}

func cipherRowCall(call []*cipherCase, errs []error, kernel string) error {
	k, err := NewModeCipher(Mode(call[0].algo), call[0].key, WithKernel(kernel))
	if err != nil {
		return err
	}
	defer Close(k)
	texts := make([][]byte, len(call))
	for i, c := range call {
		texts[i] = c.ct.bytes
	}
	for _, direction := range []int{streamEncrypt, streamDecrypt} {
		if direction == streamEncrypt && !call[0].encrypts() || direction == streamDecrypt && !call[0].decrypts() {
			continue
		}
		var in, out, aux arena
		rows := make([]Row, len(call))
		for i, c := range call {
			text := c.msg
			if direction == streamDecrypt {
				text = texts[i]
			}
			rows[i] = Row{InAt: in.add(text), OutAt: out.room(len(text)), Len: uint64(len(text)), NonceAt: aux.add(c.iv)}
		}
		do := k.EncryptRows
		if direction == streamDecrypt {
			do = k.DecryptRows
		}
		if err := do(out.b, in.b, aux.b, rows); err != nil {
			return err
		}
		for i, c := range call {
			got := out.b[rows[i].OutAt:][:rows[i].Len]
			want, what := c.ct, "ct"
			if direction == streamDecrypt {
				want, what = c.plain, "msg"
			} else {
				texts[i] = got
			}
			errs[i] = errors.Join(errs[i], rows[i].Result.err(), want.check(what, got))
		}
	}
	return nil
}
