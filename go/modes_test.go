// modes_test.go — blocks, block modes, streams and XTS against other implementations.

package xorcore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"testing"
)

// streamUnderTest is one cipher.Stream of this package, and another implementation where there is one.
type streamUnderTest struct {
	name string
	new  func(key, iv []byte) (cipher.Stream, error)
	ref  func(b cipher.Block, iv []byte) cipher.Stream
	more []string // methods beyond the interface
}

func streamsUnderTest() []streamUnderTest {
	return []streamUnderTest{
		{"CTR", func(key, iv []byte) (cipher.Stream, error) { return NewCTR(key, iv) }, cipher.NewCTR,
			[]string{"XORKeyStreamAt", "Seek"}},
		{"Block/CTR", func(key, iv []byte) (cipher.Stream, error) {
			b, err := NewCipher(key)
			if err != nil {
				return nil, err
			}
			return cipher.NewCTR(b, iv), nil
		}, cipher.NewCTR, nil},
		//lint:ignore SA1019 they are what ours is compared with
		{"CFB/encrypt", func(key, iv []byte) (cipher.Stream, error) { return NewCFBEncrypter(key, iv) }, cipher.NewCFBEncrypter, nil},
		//lint:ignore SA1019 the same
		{"CFB/decrypt", func(key, iv []byte) (cipher.Stream, error) { return NewCFBDecrypter(key, iv) }, cipher.NewCFBDecrypter, nil},
		{"CFB8/encrypt", func(key, iv []byte) (cipher.Stream, error) { return NewCFB8Encrypter(key, iv) }, cfb8(true), nil},
		{"CFB8/decrypt", func(key, iv []byte) (cipher.Stream, error) { return NewCFB8Decrypter(key, iv) }, cfb8(false), nil},
		//lint:ignore SA1019 the same
		{"OFB", func(key, iv []byte) (cipher.Stream, error) { return NewOFB(key, iv) }, cipher.NewOFB, nil},
	}
}

// cfb8 is SP 800-38A's CFB with segments of 8 bits, written down over a block cipher.
func cfb8(encrypt bool) func(b cipher.Block, iv []byte) cipher.Stream {
	return func(b cipher.Block, iv []byte) cipher.Stream {
		return &cfb8Stream{b, bytes.Clone(iv), encrypt}
	}
}

type cfb8Stream struct {
	b       cipher.Block
	shift   []byte
	encrypt bool
}

func (s *cfb8Stream) XORKeyStream(dst, src []byte) {
	out := make([]byte, 16)
	for i, in := range src {
		s.b.Encrypt(out, s.shift)
		dst[i] = in ^ out[0]
		if s.encrypt {
			in = dst[i]
		}
		s.shift = append(s.shift[1:], in)
	}
}

var streamLengths = []int{0, 1, 3, 4, 8, 10, 15, 16, 20, 32, 50, 63, 64, 65, 255, 4096, 5000}

func TestStreams(t *testing.T) {
	for _, u := range streamsUnderTest() {
		t.Run(u.name, func(t *testing.T) {
			for _, keySize := range []int{16, 24, 32} {
				key, iv := random(uint64(keySize), keySize), random(4, 16)
				block := made(aes.NewCipher(key))(t)
				fresh := func() cipher.Stream { return made(u.new(key, iv))(t) }
				exportsOnly[cipher.Stream](t, fresh(), u.more...)
				checkStreamContract(t, fresh)
				// The bytes, in one piece and in pieces of every size.
				text := random(5, 10000)
				want := make([]byte, len(text))
				u.ref(block, iv).XORKeyStream(want, text)
				for _, step := range append(streamLengths[1:], len(text)) {
					got, s := make([]byte, len(text)), fresh()
					for at := 0; at < len(text); at += step {
						s.XORKeyStream(got[at:], text[at:min(at+step, len(text))])
					}
					same(t, fmt.Sprintf("in steps of %d", step), got, want)
				}
				copy(iv, random(6, 16)) // a stream has its own copy
			}
			if _, err := u.new(make([]byte, 15), make([]byte, 16)); err != ErrKeyLength {
				t.Errorf("a key of 15 bytes: %v", err)
			}
			if u.name == "Block/CTR" {
				mustPanic(t, "IV length must equal block size", func() { _, _ = u.new(make([]byte, 16), make([]byte, 15)) })
				return
			}
			for _, n := range []int{0, 1, 15, 17, 32} {
				if _, err := u.new(make([]byte, 16), make([]byte, n)); err != ErrNonceLength {
					t.Errorf("an IV of %d bytes: %v", n, err)
				}
			}
			s := made(u.new(make([]byte, 16), make([]byte, 16)))(t)
			if KernelOf(s) == "" {
				t.Error("no kernel")
			}
			Close(s)
			Close(s)
			mustPanic(t, "xorcore: use of a closed object", func() { s.XORKeyStream(nil, nil) })
		})
	}
}

// checkStreamContract checks what the documentation of cipher.Stream promises.
func checkStreamContract(t *testing.T, fresh func() cipher.Stream) {
	t.Helper()
	for _, n := range streamLengths {
		src := random(uint64(n), n)
		before := bytes.Clone(src)
		want := make([]byte, n)
		fresh().XORKeyStream(want, src)
		same(t, "src afterwards", src, before)
		buf := bytes.Clone(src)
		fresh().XORKeyStream(buf, buf)
		same(t, "in place", buf, want)
		long := random(7, n+40)
		tail := bytes.Clone(long[n:])
		fresh().XORKeyStream(long, src)
		same(t, "in a longer dst", long[:n], want)
		same(t, "behind", long[n:], tail)
		if n > 0 {
			short := make([]byte, n)
			fill(short)
			s := fresh()
			mustPanic(t, "crypto/cipher: output smaller than input", func() { s.XORKeyStream(short[:n-1], src) })
			if err := stillFilled(short); err != nil {
				t.Error(err)
			}
			// What panics does not move the stream.
			s.XORKeyStream(short, src)
			same(t, "after a panic", short, want)
		}
		if n > 1 {
			buf := make([]byte, 2*n)
			for _, p := range [][2]int{{1, 0}, {n - 1, 0}, {0, n - 1}, {0, 1}} {
				mustPanic(t, "crypto/cipher: invalid buffer overlap", func() {
					fresh().XORKeyStream(buf[p[0]:p[0]+n], buf[p[1]:p[1]+n])
				})
			}
			same(t, "after panics", buf, make([]byte, 2*n))
		}
	}
	fresh().XORKeyStream(nil, nil)
	fresh().XORKeyStream(make([]byte, 3), nil)
}

func TestCTRPosition(t *testing.T) {
	key, text := random(1, 32), random(2, 3000)
	for _, iv := range [][]byte{random(3, 16), bytes.Repeat([]byte{0xff}, 16), make([]byte, 16)} {
		s := made(NewCTR(key, iv))(t)
		want := make([]byte, len(text))
		cipher.NewCTR(made(aes.NewCipher(key))(t), iv).XORKeyStream(want, text)
		got := make([]byte, len(text))
		for _, at := range []int{2999, 0, 1, 15, 16, 17, 64, 1000, 2048} {
			s.XORKeyStreamAt(got[at:], text[at:], uint64(at))
			same(t, "at", got[at:], want[at:])
			s.Seek(uint64(at))
			end := min(at+33, len(text))
			s.XORKeyStream(got[at:end], text[at:end])
			s.XORKeyStreamAt(got[:5], text[:5], 0) // moves nothing
			s.XORKeyStream(got[end:], text[end:])
			same(t, "after Seek", got[at:], want[at:])
		}
		// The last bytes that can be reached, and those behind them.
		s.Seek(1<<64 - 40)
		s.XORKeyStream(got[:40], text[:40])
		mustPanic(t, ErrLimit.Error(), func() { s.XORKeyStream(got[:1], text[:1]) })
		s.XORKeyStream(nil, nil)
		s.Seek(1<<64 - 40)
		mustPanic(t, ErrLimit.Error(), func() { s.XORKeyStream(got[:41], text[:41]) })
		mustPanic(t, ErrLimit.Error(), func() { s.XORKeyStreamAt(got[:41], text[:41], 1<<64-40) })
		mustPanic(t, "crypto/cipher: output smaller than input", func() { s.XORKeyStreamAt(got[:4], text[:5], 0) })
		mustPanic(t, "crypto/cipher: invalid buffer overlap", func() { s.XORKeyStreamAt(got[:4], got[1:5], 0) })
		Close(s)
		mustPanic(t, "xorcore: use of a closed object", func() { s.XORKeyStreamAt(nil, nil, 0) })
		mustPanic(t, "xorcore: use of a closed object", func() { s.Seek(0) })
	}
}

type blockModeUnderTest struct {
	name     string
	new, inv func(key, iv []byte) (cipher.BlockMode, error)
	ref      func(b cipher.Block, iv []byte) cipher.BlockMode
}

func blockModesUnderTest() []blockModeUnderTest {
	ours := func(f func(key, iv []byte, opts ...Option) (cipher.BlockMode, error)) func(key, iv []byte) (cipher.BlockMode, error) {
		return func(key, iv []byte) (cipher.BlockMode, error) { return f(key, iv) }
	}
	std := func(f func(b cipher.Block, iv []byte) cipher.BlockMode) func(key, iv []byte) (cipher.BlockMode, error) {
		return func(key, iv []byte) (cipher.BlockMode, error) {
			b, err := NewCipher(key)
			if err != nil {
				return nil, err
			}
			return f(b, iv), nil
		}
	}
	return []blockModeUnderTest{
		{"CBC/encrypt", ours(NewCBCEncrypter), ours(NewCBCDecrypter), cipher.NewCBCEncrypter},
		{"CBC/decrypt", ours(NewCBCDecrypter), ours(NewCBCEncrypter), cipher.NewCBCDecrypter},
		{"Block/CBC/encrypt", std(cipher.NewCBCEncrypter), std(cipher.NewCBCDecrypter), cipher.NewCBCEncrypter},
		{"Block/CBC/decrypt", std(cipher.NewCBCDecrypter), std(cipher.NewCBCEncrypter), cipher.NewCBCDecrypter},
	}
}

func TestBlockModes(t *testing.T) {
	for _, u := range blockModesUnderTest() {
		t.Run(u.name, func(t *testing.T) {
			for _, keySize := range []int{16, 24, 32} {
				key, iv := random(uint64(keySize), keySize), random(4, 16)
				fresh := func() cipher.BlockMode { return made(u.new(key, iv))(t) }
				exportsOnly[cipher.BlockMode](t, fresh(), "SetIV")
				if _, isOurs := fresh().(*cbc); !isOurs {
					t.Errorf("%T is not ours", fresh())
				}
				if fresh().BlockSize() != 16 {
					t.Error("block size")
				}
				text := random(5, 16*300)
				want := make([]byte, len(text))
				u.ref(made(aes.NewCipher(key))(t), iv).CryptBlocks(want, text)
				for _, step := range []int{16, 32, 48, 128, 272, len(text)} {
					got, m := make([]byte, len(text)), fresh()
					for at := 0; at < len(text); at += step {
						m.CryptBlocks(got[at:], text[at:min(at+step, len(text))])
					}
					same(t, fmt.Sprintf("in steps of %d", step), got, want)
					// In place, and back.
					buf, m := bytes.Clone(text), fresh()
					for at := 0; at < len(text); at += step {
						end := min(at+step, len(text))
						m.CryptBlocks(buf[at:end], buf[at:end])
					}
					same(t, "in place", buf, want)
					made(u.inv(key, iv))(t).CryptBlocks(buf, buf)
					same(t, "and back", buf, text)
				}
				checkBlockMode(t, fresh)
				m := fresh()
				m.CryptBlocks(make([]byte, 64), text[:64])
				m.(interface{ SetIV([]byte) }).SetIV(iv)
				got := make([]byte, 64)
				m.CryptBlocks(got, text[:64])
				same(t, "after SetIV", got, want[:64])
				mustPanic(t, "cipher: incorrect length IV", func() { m.(interface{ SetIV([]byte) }).SetIV(iv[:15]) })
			}
			if _, err := u.new(make([]byte, 17), make([]byte, 16)); err != ErrKeyLength {
				t.Errorf("a key of 17 bytes: %v", err)
			}
			for _, n := range []int{0, 15, 17} {
				err := attempt(func() error { _, err := u.new(make([]byte, 16), make([]byte, n)); return err })
				if resultName(err) != "NONCE_LENGTH" {
					t.Errorf("an IV of %d bytes: %v", n, err)
				}
			}
			m := made(u.new(make([]byte, 16), make([]byte, 16)))(t)
			if KernelOf(m) == "" {
				t.Error("no kernel")
			}
			Close(m)
			mustPanic(t, "xorcore: use of a closed object", func() { m.CryptBlocks(nil, nil) })
		})
	}
}

// checkBlockMode checks what the documentation of cipher.BlockMode promises.
func checkBlockMode(t *testing.T, fresh func() cipher.BlockMode) {
	t.Helper()
	for _, n := range []int{1, 15, 17, 31, 33, 100} {
		mustPanic(t, "crypto/cipher: input not full blocks", func() { fresh().CryptBlocks(make([]byte, 200), make([]byte, n)) })
	}
	for _, n := range []int{0, 16, 32, 256} {
		src := random(uint64(n), n)
		before := bytes.Clone(src)
		dst := random(9, n+48)
		tail := bytes.Clone(dst[n:])
		fresh().CryptBlocks(dst, src)
		same(t, "src afterwards", src, before)
		same(t, "behind dst", dst[n:], tail)
		if n == 0 {
			continue
		}
		short := make([]byte, n)
		fill(short)
		mustPanic(t, "crypto/cipher: output smaller than input", func() { fresh().CryptBlocks(short[:n-1], src) })
		if err := stillFilled(short); err != nil {
			t.Error(err)
		}
		buf := make([]byte, 2*n)
		for _, p := range [][2]int{{1, 0}, {n - 1, 0}, {0, n - 1}, {0, 1}} {
			mustPanic(t, "crypto/cipher: invalid buffer overlap", func() {
				fresh().CryptBlocks(buf[p[0]:p[0]+n], buf[p[1]:p[1]+n])
			})
		}
		same(t, "after panics", buf, make([]byte, 2*n))
	}
}

func TestBlock(t *testing.T) {
	for _, keySize := range []int{16, 24, 32} {
		key := random(uint64(keySize), keySize)
		for _, kernel := range append(aesKernels(), "") {
			b := made(NewCipher(key, WithKernel(kernel)))(t)
			std := made(aes.NewCipher(key))(t)
			exportsOnly[cipher.Block](t, b, "NewGCM", "NewCTR", "NewCBCEncrypter", "NewCBCDecrypter")
			if kernel != "" && KernelOf(b) != kernel {
				t.Errorf("on %s, not %s", KernelOf(b), kernel)
			}
			if b.BlockSize() != 16 {
				t.Error("block size")
			}
			for i, f := range []struct{ ours, theirs func(dst, src []byte) }{{b.Encrypt, std.Encrypt}, {b.Decrypt, std.Decrypt}} {
				src := random(uint64(i), 48)
				before := bytes.Clone(src)
				want := make([]byte, 16)
				f.theirs(want, src)
				dst := random(9, 48)
				tail := bytes.Clone(dst[16:])
				f.ours(dst, src)
				same(t, "block", dst[:16], want)
				same(t, "behind dst", dst[16:], tail)
				same(t, "src afterwards", src, before)
				f.ours(src, src)
				same(t, "in place", src[:16], want)
				same(t, "behind", src[16:], before[16:])
				for _, n := range []int{0, 1, 15} {
					mustPanic(t, "crypto/aes: input not full block", func() { f.ours(dst, src[:n]) })
					mustPanic(t, "crypto/aes: output not full block", func() { f.ours(dst[:n], src) })
				}
				for _, p := range [][2]int{{1, 0}, {0, 1}, {15, 0}, {0, 15}} {
					mustPanic(t, "crypto/aes: invalid buffer overlap", func() { f.ours(src[p[0]:], src[p[1]:]) })
				}
				f.ours(src[16:], src) // end to end
			}
		}
	}
	for n := 0; n <= 65; n++ {
		if _, err := NewCipher(make([]byte, n)); (err == nil) != (n == 16 || n == 24 || n == 32) || err != nil && err != ErrKeyLength {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
	}
	for _, kernel := range []string{"nonsense", "portable+portable", "composed", "portable\x00", "\x00"} {
		if _, err := NewCipher(make([]byte, 16), WithKernel(kernel)); err != ErrKernel {
			t.Errorf("kernel %q: %v", kernel, err)
		}
	}
	b := made(NewCipher(make([]byte, 16)))(t)
	iv := make([]byte, 16)
	ctr, other := cipher.NewCTR(b, iv), cipher.NewCTR(b, iv)
	cbc := cipher.NewCBCEncrypter(b, iv)
	Close(ctr) // is of no concern to the other, nor to the block
	mustPanic(t, "xorcore: use of a closed object", func() { ctr.XORKeyStream(iv, iv) })
	other.XORKeyStream(iv, iv)
	b.Encrypt(iv, iv)
	Close(b)
	Close(b)
	for _, f := range []func(){func() { b.Encrypt(iv, iv) }, func() { b.Decrypt(iv, iv) }, func() { other.XORKeyStream(iv, iv) },
		func() { cbc.CryptBlocks(iv, iv) }, func() { cipher.NewCTR(b, iv) }, func() { cipher.NewCBCDecrypter(b, iv) }} {
		mustPanic(t, "xorcore: use of a closed object", f)
	}
}

func TestXTS(t *testing.T) {
	for _, keySize := range []int{32, 48, 64} {
		key := random(uint64(keySize), keySize)
		x := made(NewXTS(key))(t)
		one, two := made(aes.NewCipher(key[:keySize/2]))(t), made(aes.NewCipher(key[keySize/2:]))(t)
		for _, n := range []int{16, 17, 31, 32, 33, 100, 512, 527, 4096, 4100} {
			text, tweak := random(uint64(n), n), random(8, 16)
			got := make([]byte, n)
			if err := x.EncryptTweak(got, text, tweak); err != nil {
				t.Fatal(err)
			}
			same(t, "XTS", got, plainXTS(one, two, text, tweak))
			back := bytes.Clone(got)
			if err := x.DecryptTweak(back, back, tweak); err != nil {
				t.Fatal(err)
			}
			same(t, "and back", back, text)
			// The number of a sector is its tweak.
			x.Encrypt(got, text, 0x0102030405060708)
			same(t, "sector", got, plainXTS(one, two, text, []byte{8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0}))
			x.Decrypt(got, got, 0x0102030405060708)
			same(t, "and back", got, text)
		}
		// A run of sectors, over the end of 64 bits.
		text := random(9, 5*512)
		got, want := make([]byte, len(text)), make([]byte, 0, len(text))
		if err := x.EncryptSectors(got, text, 512, 1<<64-2); err != nil {
			t.Fatal(err)
		}
		tweak := append(bytes.Repeat([]byte{0xff}, 8), make([]byte, 8)...)
		tweak[0]--
		for at := 0; at < len(text); at += 512 {
			want = append(want, plainXTS(one, two, text[at:at+512], tweak)...)
			for i := range tweak {
				if tweak[i]++; tweak[i] != 0 {
					break
				}
			}
		}
		same(t, "sectors", got, want)
		if err := x.DecryptSectors(got, got, 512, 1<<64-2); err != nil {
			t.Fatal(err)
		}
		same(t, "and back", got, text)
	}
	checkXTSErrors(t)
}

// plainXTS is IEEE 1619's encryption of one data unit, written down over a block cipher.
func plainXTS(one, two cipher.Block, text, tweak []byte) []byte {
	t := make([]byte, 16)
	two.Encrypt(t, tweak)
	block := func(b []byte) []byte {
		out := make([]byte, 16)
		for i := range out {
			out[i] = b[i] ^ t[i]
		}
		one.Encrypt(out, out)
		for i := range out {
			out[i] ^= t[i]
		}
		carry := byte(0)
		for i := range t {
			t[i], carry = t[i]<<1|carry, t[i]>>7
		}
		t[0] ^= carry * 0x87
		return out
	}
	var out []byte
	for len(text) >= 16 {
		out = append(out, block(text[:16])...)
		text = text[16:]
	}
	if len(text) > 0 {
		last := out[len(out)-16:]
		stolen := bytes.Clone(last[:len(text)])
		copy(last, block(append(bytes.Clone(text), last[len(text):]...)))
		out = append(out, stolen...)
	}
	return out
}

func checkXTSErrors(t *testing.T) {
	for n := 0; n <= 130; n++ {
		_, err := NewXTS(random(uint64(n), n))
		if good := n == 32 || n == 48 || n == 64; good != (err == nil) || !good && err != ErrKeyLength {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
	}
	for _, n := range []int{16, 24, 32} {
		if _, err := NewXTS(bytes.Repeat(random(1, n), 2), WithKernel("nonsense")); err != ErrWeakKey {
			t.Errorf("equal halves: %v", err)
		}
	}
	if _, err := NewXTS(random(1, 32), WithKernel("nonsense")); err != ErrKernel {
		t.Errorf("kernel: %v", err)
	}
	x := made(NewXTS(random(1, 32)))(t)
	buf, tweak := make([]byte, 1<<24+16), make([]byte, 16)
	fill(buf[:200])
	for what, c := range map[string]struct {
		err  error
		want Error
	}{
		"tweak of 15":         {x.EncryptTweak(buf[:32], buf[:32], tweak[:15]), ErrNonceLength},
		"no tweak":            {x.DecryptTweak(buf[:32], buf[:32], nil), ErrNonceLength},
		"15 bytes":            {x.EncryptTweak(buf[:15], buf[:15], tweak), ErrDataLength},
		"no bytes":            {x.DecryptTweak(nil, nil, tweak), ErrDataLength},
		"too much":            {x.EncryptTweak(buf, buf[:1<<24+1], tweak), ErrLimit},
		"shifted":             {x.EncryptTweak(buf[1:], buf[:32], tweak), ErrOverlap},
		"over the tweak":      {x.EncryptTweak(buf[:32], buf[64:96], buf[8:24]), ErrOverlap},
		"sectors of 0":        {x.EncryptSectors(buf, buf[:32], 0, 0), ErrDataLength},
		"sectors of -16":      {x.EncryptSectors(buf, buf[:32], -16, 0), ErrDataLength},
		"sectors of 15":       {x.DecryptSectors(buf, buf[:30], 15, 0), ErrDataLength},
		"sectors of 2^24 + 1": {x.DecryptSectors(buf, buf[:1<<24+1], 1<<24+1, 0), ErrDataLength},
		"half a sector":       {x.EncryptSectors(buf, buf[:48], 32, 0), ErrDataLength},
		"sectors shifted":     {x.DecryptSectors(buf[16:], buf[:64], 32, 0), ErrOverlap},
	} {
		if c.err != c.want {
			t.Errorf("%s: %v, not %v", what, c.err, c.want)
		}
	}
	if err := stillFilled(buf[:200]); err != nil {
		t.Error(err)
	}
	if err := x.EncryptSectors(nil, nil, 512, 0); err != nil {
		t.Errorf("no sectors: %v", err)
	}
	mustPanic(t, ErrDataLength.Error(), func() { x.Encrypt(buf, buf[:15], 0) })
	mustPanic(t, ErrOverlap.Error(), func() { x.Decrypt(buf[1:], buf[:32], 0) })
	mustPanic(t, "crypto/cipher: output smaller than input", func() { x.Encrypt(buf[:31], buf[:32], 0) })
	Close(x)
	mustPanic(t, "xorcore: use of a closed object", func() { x.Encrypt(buf, buf[:32], 0) })
}

func TestModeCipher(t *testing.T) {
	key, iv, text := random(1, 32), random(2, 16), random(3, 480)
	for _, mode := range []Mode{ModeECB, ModeCBC, ModeCFB, ModeCFB8, ModeOFB, ModeCTR, ModeXTS} {
		c := made(NewModeCipher(mode, key))(t)
		iv := iv
		if mode == ModeECB {
			iv = nil
		}
		whole := made(NewModeCipher(mode, key))(t)
		want := make([]byte, len(text))
		if err := whole.Encrypt(want, text, iv); err != nil {
			t.Fatal(err)
		}
		// As the crypto/cipher interfaces have it, which are compared with other implementations.
		check := &cipherCase{algo: int(mode), key: key, iv: iv}
		if err := check.public(KernelOf(c), streamEncrypt, text, want); err != nil && mode != ModeXTS && mode != ModeECB {
			t.Errorf("mode %d: %v", mode, err)
		}
		back := bytes.Clone(want)
		if err := c.Decrypt(back, back, iv); err != nil {
			t.Fatal(err)
		}
		same(t, "and back", back, text)
		buf := make([]byte, 64)
		refuse := func(what string, err error, want Error) {
			t.Helper()
			if err != want {
				t.Errorf("mode %d, %s: %v, not %v", mode, what, err, want)
			}
		}
		refuse("IV of 15", c.Encrypt(buf[:32], buf[:32], make([]byte, 15)), ErrNonceLength)
		refuse("shifted", c.Decrypt(buf[1:33], buf[:32], iv), ErrOverlap)
		if mode == ModeECB || mode == ModeCBC || mode == ModeXTS {
			refuse("15 bytes", c.Encrypt(buf[:15], buf[:15], iv), ErrDataLength)
		}
		mustPanic(t, "crypto/cipher: output smaller than input", func() { _ = c.Encrypt(buf[:31], buf[:32], iv) })
		if mode == ModeXTS {
			_, err := c.NewEncryptStream(iv)
			refuse("stream", err, ErrUnsupported)
			Close(c)
			continue
		}
		_, err := c.NewEncryptStream(make([]byte, 17))
		refuse("stream with an IV of 17", err, ErrNonceLength)
		checkModeStream(t, mode, c, iv, text, want)
	}
	for _, mode := range []Mode{-1, ModeECB - 1, ModeXTS + 1, 1000} {
		if _, err := NewModeCipher(mode, key); err != ErrArg {
			t.Errorf("mode %d: %v", mode, err)
		}
	}
	if _, err := NewModeCipher(ModeXTS, make([]byte, 32)); err != ErrWeakKey {
		t.Errorf("equal halves: %v", err)
	}
	for _, mode := range []Mode{ModeECB, ModeCTR} {
		if _, err := NewModeCipher(mode, key[:31]); err != ErrKeyLength {
			t.Errorf("a key of 31: %v", err)
		}
		if _, err := NewModeCipher(mode, key, WithKernel("nonsense")); err != ErrKernel {
			t.Errorf("kernel: %v", err)
		}
	}
}

// checkModeStream closes c.
func checkModeStream(t *testing.T, mode Mode, c *ModeCipher, iv, text, want []byte) {
	t.Helper()
	e := made(c.NewEncryptStream(iv))(t)
	got := make([]byte, len(text))
	step := func(s *ModeStream, dst []byte, from, to int, src []byte) {
		t.Helper()
		if err := s.Update(dst[from:to], src[from:to]); err != nil {
			t.Fatal(err)
		}
	}
	step(e, got, 0, 32, text)
	next, err := e.IV()
	if mode == ModeECB {
		if err != ErrUnsupported {
			t.Errorf("IV of ECB: %v", err)
		}
	} else {
		// The rest on its own.
		rest := make([]byte, len(text)-32)
		if err := errors.Join(err, c.Encrypt(rest, text[32:], next)); err != nil {
			t.Fatal(err)
		}
		same(t, "the rest", rest, want[32:])
	}
	twin := made(e.Clone())(t)
	step(e, got, 32, len(text), text)
	same(t, "in pieces", got, want)
	again := make([]byte, len(text))
	step(twin, again, 32, len(text), text)
	same(t, "the clone", again[32:], want[32:])
	if err := e.Seek(5); mode == ModeCTR {
		step(e, got, 5, 100, text)
		same(t, "after Seek", got, want)
		if _, err2 := e.IV(); err != nil || err2 != ErrState {
			t.Errorf("Seek: %v; IV inside a block: %v", err, err2)
		}
	} else if err != ErrUnsupported {
		t.Errorf("mode %d, Seek: %v", mode, err)
	}
	if mode == ModeECB || mode == ModeCBC {
		if err := e.Update(got[:17], text[:17]); err != ErrDataLength {
			t.Errorf("Update of 17 bytes: %v", err)
		}
	}
	if err := e.Update(got[1:17], got[:16]); err != ErrOverlap {
		t.Errorf("Update over itself: %v", err)
	}
	if err := e.Reset(make([]byte, 5)); err != ErrNonceLength {
		t.Errorf("Reset: %v", err)
	}
	if err := e.Reset(iv); err != nil {
		t.Error(err)
	}
	d := made(c.NewDecryptStream(iv))(t)
	Close(c) // the streams have what they need
	clear(got)
	step(e, got, 0, len(text), text)
	same(t, "after Reset", got, want)
	step(d, got, 0, len(text), want)
	same(t, "decrypted", got, text)
	mustPanic(t, "crypto/cipher: output smaller than input", func() { _ = e.Update(nil, text) })
}
