// allocs_test.go — no call that moves data takes memory from Go's heap.

//go:build cgo

package xorcore

import (
	"crypto/cipher"
	"fmt"
	"hash"
	"testing"
)

// noAllocs calls f once for what is kept from call to call, and then looks at what every call takes.
func noAllocs(t *testing.T, what string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(10, f); n != 0 {
		t.Errorf("%s: %v allocations a call", what, n)
	}
}

// allocSizes lie on both sides of every length from which on the work is C's.
var allocSizes = []int{0, 16, 48, 240, 512, 4096, 20000}

func TestAllocsXOR(t *testing.T) {
	for _, n := range allocSizes {
		dst, matrix := make([]byte, n), make([]byte, 20*n)
		rows := make([][]byte, 20)
		for k := range rows {
			rows[k] = matrix[k*n:][:n]
		}
		key := random(1, 5)
		noAllocs(t, fmt.Sprintf("XORBytes of %d", n), func() { XORBytes(dst, rows[0], rows[1]) })
		for _, count := range []int{1, 2, 8, 20} {
			noAllocs(t, fmt.Sprintf("XORBytesN of %d times %d", count, n), func() { XORBytesN(dst, rows[:count]...) })
			noAllocs(t, fmt.Sprintf("XORStrided of %d times %d", count, n), func() { XORStrided(dst, matrix, n, count) })
		}
		noAllocs(t, fmt.Sprintf("XORBytesN of three named, %d", n), func() { XORBytesN(dst, rows[0], dst, rows[2]) })
		noAllocs(t, fmt.Sprintf("XORRepeat of %d", n), func() { XORRepeat(dst, dst, key, 3) })
		noAllocs(t, fmt.Sprintf("Equal of %d", n), func() { Equal(rows[3], rows[4]) })
	}
}

func TestAllocsAEAD(t *testing.T) {
	for _, u := range aeadsUnderTest() {
		a := made(u.new())(t)
		for _, n := range allocSizes {
			name := fmt.Sprintf("%s of %d", u.name, n)
			// A nonce that lies where the text will be has to be moved.
			text, ad := random(1, n), random(2, 13)
			nonce := random(3, a.NonceSize())
			out := make([]byte, max(n+a.Overhead(), len(nonce)))
			noAllocs(t, "Seal, "+name, func() {
				a.Seal(out[:0], out[:copy(out, nonce)], text, ad)
			})
			sealed := a.Seal(nil, nonce, text, ad)
			noAllocs(t, "Open, "+name, func() {
				if _, err := a.Open(out[:0], out[:copy(out, nonce)], sealed, ad); err != nil {
					t.Fatal(err)
				}
			})
			sealed[n]++
			noAllocs(t, "Open of a forgery, "+name, func() {
				if _, err := a.Open(out[:0], nonce, sealed, ad); err != ErrOpen {
					t.Fatal(err)
				}
			})
		}
	}
}

func TestAllocsRandomNonce(t *testing.T) {
	a := made(NewXAES256GCMWithRandomNonce(random(1, 32)))(t)
	const count, size = 20, 300
	text := random(2, count*size)
	sealed, opened := make([]byte, 0, len(text)+count*40), make([]byte, 0, len(text))
	noAllocs(t, "random nonces", func() {
		sealed = a.Seal(sealed[:0], nil, text, nil)
		opened, _ = a.Open(opened[:0], nil, sealed, nil)
		same(t, "opened", opened, text)
		inPlace, _ := a.Open(sealed[:0], nil, sealed, nil)
		sealed = a.Seal(inPlace[:0], nil, inPlace, nil)
		sealed, _ = SealRecords(a, sealed[:0], text, size, nil, nil)
		opened, _ = OpenRecords(a, opened[:0], sealed, size, nil, nil)
	})
	same(t, "records", opened, text)
}

func TestAllocsAEADStream(t *testing.T) {
	for _, a := range []cipher.AEAD{made(NewGCM(random(1, 16)))(t), made(NewCCM(random(1, 32), 12, 16))(t),
		made(NewXAES256GCM(random(1, 32)))(t)} {
		nonce, text, ad := random(2, a.NonceSize()), random(3, 5000), random(4, 20)
		out, tag := make([]byte, len(text)), make([]byte, 0, 16)
		seal := made(NewSealStream(a, nonce))(t)
		message := func(s *AEADStream, dst, src []byte) {
			t.Helper()
			for _, err := range []error{s.Reset(nonce), s.Lengths(uint64(len(ad)), uint64(len(src))),
				s.AdditionalData(ad), s.Update(dst[:min(len(dst), 1000)], src[:1000]),
				s.Update(dst[min(len(dst), 1000):], src[1000:])} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		noAllocs(t, "a sealed message in pieces", func() {
			message(seal, out, text)
			tag, _ = seal.Finish(tag[:0])
		})
		verify := made(NewVerifyStream(a, nonce))(t)
		noAllocs(t, "a verified message in pieces", func() {
			message(verify, nil, out)
			if err := verify.Verify(tag); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestAllocsModes(t *testing.T) {
	key, iv := random(1, 32), random(2, 16)
	block := made(NewCipher(key))(t)
	ctr := made(NewCTR(key, iv))(t)
	streams := map[string]cipher.Stream{
		"NewCTR": ctr, "CTR of the Block": cipher.NewCTR(block, iv), "NewOFB": made(NewOFB(key, iv))(t),
		"NewCFBEncrypter": made(NewCFBEncrypter(key, iv))(t), "NewCFBDecrypter": made(NewCFBDecrypter(key, iv))(t),
		"NewCFB8Encrypter": made(NewCFB8Encrypter(key, iv))(t), "NewCFB8Decrypter": made(NewCFB8Decrypter(key, iv))(t),
	}
	cbcs := map[string]cipher.BlockMode{
		"NewCBCEncrypter": made(NewCBCEncrypter(key, iv))(t), "NewCBCDecrypter": made(NewCBCDecrypter(key, iv))(t),
		"CBC of the Block": cipher.NewCBCEncrypter(block, iv), "CBC of the Block, back": cipher.NewCBCDecrypter(block, iv),
	}
	for _, n := range allocSizes {
		src, dst := random(3, n), make([]byte, n)
		for name, s := range streams {
			noAllocs(t, fmt.Sprintf("%s of %d", name, n), func() { s.XORKeyStream(dst, src) })
		}
		noAllocs(t, fmt.Sprintf("CTR from an offset on, %d", n), func() {
			ctr.Seek(5)
			ctr.XORKeyStreamAt(dst, src, 1234567)
		})
		for name, m := range cbcs {
			noAllocs(t, fmt.Sprintf("%s of %d", name, n), func() { m.CryptBlocks(dst[:n&^15], src[:n&^15]) })
		}
	}
	one := make([]byte, 16)
	noAllocs(t, "a block", func() {
		block.Encrypt(one, one)
		block.Decrypt(one, one)
	})
}

func TestAllocsModeCiphers(t *testing.T) {
	for mode, keySize := range map[Mode]int{ModeECB: 16, ModeCBC: 24, ModeCFB: 32, ModeCFB8: 16, ModeOFB: 24, ModeCTR: 32,
		ModeXTS: 64} {
		c := made(NewModeCipher(mode, random(1, keySize)))(t)
		iv, buf := random(2, c.ivSize()), random(3, 4096)
		aux, rows := append(random(4, 100), iv...), make([]Row, 8)
		for i := range rows {
			rows[i] = Row{InAt: uint64(512 * i), OutAt: uint64(512 * i), Len: 512, NonceAt: 100}
		}
		noAllocs(t, fmt.Sprintf("mode %d", mode), func() {
			for _, err := range []error{c.Encrypt(buf, buf, iv), c.Decrypt(buf, buf, iv),
				c.EncryptRows(buf, buf, aux, rows), c.DecryptRows(buf, buf, aux, rows)} {
				if err != nil {
					t.Fatal(err)
				}
			}
		})
		if mode == ModeXTS {
			continue
		}
		s := made(c.NewEncryptStream(iv))(t)
		noAllocs(t, fmt.Sprintf("a stream of mode %d", mode), func() {
			for _, err := range []error{s.Reset(iv), s.Update(buf[:16], buf[:16]), s.Update(buf, buf)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if mode == ModeCTR && s.Seek(9) != nil {
				t.Fatal("no seek")
			}
		})
	}
}

func TestAllocsXTS(t *testing.T) {
	x := made(NewXTS(random(1, 64)))(t)
	buf, tweak := random(2, 8192), random(3, 16)
	noAllocs(t, "XTS", func() {
		x.Encrypt(buf[:500], buf[:500], 7)
		x.Decrypt(buf[:500], buf[:500], 7)
		for _, err := range []error{x.EncryptTweak(buf, buf, tweak), x.DecryptTweak(buf, buf, tweak),
			x.EncryptSectors(buf, buf, 512, 99), x.DecryptSectors(buf, buf, 512, 99)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestAllocsMAC(t *testing.T) {
	for m, nonce := range map[*MAC][]byte{made(NewCMAC(random(1, 16)))(t): nil,
		made(NewGMACWithTagSize(random(1, 32), 12))(t): random(2, 12)} {
		data := random(3, 4000)
		tag := m.Sum(nil, nonce, data)
		noAllocs(t, m.name+", its nonce where the tag will be", func() {
			m.Sum(tag[:0], tag[:copy(tag, nonce)], data)
		})
		noAllocs(t, m.name+", verified", func() {
			if err := m.Verify(tag, nonce, data); err != nil {
				t.Fatal(err)
			}
		})
		tags, rows := make([]byte, 10*m.Size()), make([]Row, 10)
		aux := append(tags, nonce...)
		for i := range rows {
			rows[i] = Row{InAt: uint64(i), Len: 300, NonceAt: uint64(len(tags)), TagAt: uint64(i * m.Size())}
		}
		noAllocs(t, m.name+", rows", func() {
			if err := m.SumRows(tags, data, aux, len(nonce), rows); err != nil {
				t.Fatal(err)
			}
			copy(aux, tags)
			if err := m.VerifyRows(data, aux, len(nonce), rows); err != nil {
				t.Fatal(err)
			}
		})
		var h hash.Hash = made(m.NewHash(nonce))(t)
		noAllocs(t, m.name+", in pieces", func() {
			h.Reset()
			_, _ = h.Write(data[:100])
			_, _ = h.Write(data[100:])
			tag = h.Sum(tag[:0])
		})
	}
}

func TestAllocsRecords(t *testing.T) {
	a := made(NewGCM(random(1, 16)))(t)
	const count, size = 20, 300
	src, nonces, ad := random(2, count*size), random(3, count*12), random(4, 13)
	out := made(SealRecords(a, nil, src, size, nonces, ad))(t)
	back := make([]byte, 0, len(src))
	noAllocs(t, "SealRecords, OpenRecords", func() {
		var err error
		if out, err = SealRecords(a, out[:0], src, size, nonces, ad); err != nil {
			t.Fatal(err)
		}
		if back, err = OpenRecords(a, back[:0], out, size, nonces, ad); err != nil {
			t.Fatal(err)
		}
	})
	same(t, "opened", back, src)

	buf, aux, rows := make([]byte, count*(size+16)), append(random(5, 12), ad...), make([]Row, count)
	for i := range rows {
		at := uint64(i * (size + 16))
		rows[i] = Row{InAt: at, OutAt: at, Len: size, AADAt: 12, AADLen: 13, TagAt: at + size}
	}
	noAllocs(t, "SealRows", func() {
		if err := SealRows(a, buf, buf, aux, rows); err != nil {
			t.Fatal(err)
		}
	})
}
