// aead_test.go — GCM against crypto/cipher, and what every AEAD must do.

package xorcore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"testing"
)

// aeadUnderTest is one AEAD of this package, and another implementation of it where there is one.
type aeadUnderTest struct {
	name string
	new  func(opts ...Option) (cipher.AEAD, error)
	ref  func() (cipher.AEAD, error)
}

func stdGCM(key []byte, wrap func(cipher.Block) (cipher.AEAD, error)) func() (cipher.AEAD, error) {
	return func() (cipher.AEAD, error) {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return wrap(block)
	}
}

func gcmsUnderTest() (list []aeadUnderTest) {
	for _, keySize := range []int{16, 24, 32} {
		key := random(uint64(keySize), keySize)
		list = append(list, aeadUnderTest{fmt.Sprintf("GCM-%d", 8*keySize),
			func(opts ...Option) (cipher.AEAD, error) { return NewGCM(key, opts...) },
			stdGCM(key, cipher.NewGCM)})
		for _, nonceSize := range []int{1, 8, 16, 60} {
			list = append(list, aeadUnderTest{fmt.Sprintf("GCM-%d/nonce%d", 8*keySize, nonceSize),
				func(opts ...Option) (cipher.AEAD, error) { return NewGCMWithSizes(key, nonceSize, 16, opts...) },
				stdGCM(key, func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(b, nonceSize) })})
		}
		for _, tagSize := range []int{12, 13, 14, 15} {
			list = append(list, aeadUnderTest{fmt.Sprintf("GCM-%d/tag%d", 8*keySize, tagSize),
				func(opts ...Option) (cipher.AEAD, error) { return NewGCMWithSizes(key, 12, tagSize, opts...) },
				stdGCM(key, func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(b, tagSize) })})
		}
	}
	return list
}

func TestAEADContract(t *testing.T) {
	for _, a := range aeadsUnderTest() {
		t.Run(a.name, func(t *testing.T) {
			ours := made(a.new())(t)
			exportsOnly[cipher.AEAD](t, ours)
			checkAEAD(t, ours)
			if a.ref != nil {
				compareAEADs(t, ours, made(a.ref())(t))
			}
		})
	}
}

// compareAEADs seals and opens with both, at many lengths.
func compareAEADs(t *testing.T, ours, ref cipher.AEAD) {
	t.Helper()
	if ours.NonceSize() != ref.NonceSize() || ours.Overhead() != ref.Overhead() {
		t.Fatalf("sizes %d %d, want %d %d", ours.NonceSize(), ours.Overhead(), ref.NonceSize(), ref.Overhead())
	}
	nonce := random(1, ours.NonceSize())
	for n := 0; n < 4000; n += 1 + n/40 {
		text, aad := random(uint64(n), n), random(uint64(n)+7, n*7%99)
		want := ref.Seal(nil, nonce, text, aad)
		got := ours.Seal(nil, nonce, text, aad)
		same(t, "Seal", got, want)
		plain, err := ours.Open(nil, nonce, want, aad)
		if err != nil {
			t.Fatalf("n=%d: %v", n, err)
		}
		same(t, "Open", plain, text)
	}
}

// checkAEAD checks what the documentation of cipher.AEAD promises.
func checkAEAD(t *testing.T, a cipher.AEAD) {
	t.Helper()
	nonce := random(3, a.NonceSize())
	over := a.Overhead()
	for _, n := range []int{0, 1, 15, 16, 17, 156, 8192, 8193, 8208} {
		for _, m := range []int{0, 1, 16, 156, 8192, 8193} {
			text, aad := random(uint64(n), n), random(uint64(m), m)
			kept := [][]byte{bytes.Clone(nonce), bytes.Clone(text), bytes.Clone(aad)}
			sealed := a.Seal(nil, nonce, text, aad)
			if len(sealed) != n+over {
				t.Fatalf("%d bytes sealed to %d", n, len(sealed))
			}
			opened, err := a.Open(nil, nonce, sealed, aad)
			if err != nil {
				t.Fatalf("n=%d m=%d: %v", n, m, err)
			}
			same(t, "opened", opened, text)
			// Appending: a prefix that stays, with room behind it and without.
			for _, prefix := range [][]byte{{}, []byte("a"), random(8, 512)} {
				for _, room := range []int{0, n + over - 1, n + over, n + over + 100} {
					dst := append(make([]byte, 0, len(prefix)+room), prefix...)
					out := a.Seal(dst, nonce, text, aad)
					same(t, "prefix", out[:len(prefix)], prefix)
					same(t, "appended", out[len(prefix):], sealed)
					if room >= n+over && addressOf(out) != addressOf(dst) {
						t.Error("Seal did not use the room in dst")
					}
					dst = append(make([]byte, 0, len(prefix)+room), prefix...)
					out, err := a.Open(dst, nonce, sealed, aad)
					if err != nil {
						t.Fatal(err)
					}
					same(t, "prefix", out[:len(prefix)], prefix)
					same(t, "appended", out[len(prefix):], text)
				}
			}
			// In place.
			buf := append(bytes.Clone(text), make([]byte, over)...)
			same(t, "sealed in place", a.Seal(buf[:0], nonce, buf[:n], aad), sealed)
			opened, err = a.Open(buf[:0], nonce, buf, aad)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "opened in place", opened, text)
			same(t, "nonce after all", nonce, kept[0])
			same(t, "text after all", text, kept[1])
			same(t, "aad after all", aad, kept[2])
			checkRejects(t, a, nonce, text, aad, sealed)
			checkOverlaps(t, a, nonce, text, aad, sealed)
		}
	}
	// A nonce that lies where the output goes is no error in Go.
	buf := make([]byte, max(200, 2*len(nonce)+over))
	copy(buf, nonce)
	want := a.Seal(nil, nonce, make([]byte, 50), nil)
	same(t, "nonce under the output", a.Seal(buf[:0], buf[:len(nonce)], make([]byte, 50), nil), want)
	copy(buf, nonce)
	got, err := a.Open(buf[:0], buf[:len(nonce)], want, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "nonce under the output", got, make([]byte, 50))
	// nil is as good as empty.
	same(t, "nil", a.Seal(nil, nonce, nil, nil), a.Seal([]byte{}, nonce, []byte{}, []byte{}))
	// Nonces of other lengths.
	for _, n := range []int{0, len(nonce) - 1, len(nonce) + 1, 100} {
		mustPanic(t, "crypto/cipher: incorrect nonce length given to ", func() { a.Seal(nil, make([]byte, n), nil, nil) })
		mustPanic(t, "crypto/cipher: incorrect nonce length given to ", func() { _, _ = a.Open(nil, make([]byte, n), want, nil) })
	}
}

// checkRejects opens what was changed anywhere: an error, no slice, and zeros in the room of dst.
func checkRejects(t *testing.T, a cipher.AEAD, nonce, text, aad, sealed []byte) {
	t.Helper()
	reject := func(what string, nonce, sealed, aad []byte) {
		t.Helper()
		dst := bytes.Repeat([]byte{0xa5}, 3+len(sealed)+8)
		out, err := a.Open(dst[:3], nonce, sealed, aad)
		if err != ErrOpen || out != nil {
			t.Errorf("%s: %v, %x", what, err, out)
		}
		same(t, "prefix", dst[:3], []byte{0xa5, 0xa5, 0xa5})
		if n := max(len(sealed)-a.Overhead(), 0); !bytes.Equal(dst[3:3+n], make([]byte, n)) ||
			stillFilled(dst[3+n:]) != nil {
			t.Errorf("%s: the room of dst holds %x", what, dst[:min(len(dst), 48)])
		}
	}
	flip := func(b []byte, i int) []byte {
		b = bytes.Clone(b)
		b[i] ^= 0x10
		return b
	}
	if len(nonce) > 0 {
		reject("another nonce", flip(nonce, len(nonce)-1), sealed, aad)
	}
	if len(aad) > 0 {
		reject("other data", nonce, sealed, flip(aad, len(aad)-1))
		reject("less data", nonce, sealed, aad[:len(aad)-1])
	}
	reject("more data", nonce, sealed, append(bytes.Clone(aad), 0))
	for i := 0; i < len(sealed); i += 1 + i/2 {
		reject("a changed byte", nonce, flip(sealed, i), aad)
	}
	reject("a changed tag", nonce, flip(sealed, len(sealed)-1), aad)
	for n := 0; n < len(sealed); n += 1 + n/4 {
		reject("a shorter text", nonce, sealed[:n], aad)
	}
	reject("a longer text", nonce, append(bytes.Clone(sealed), 0), aad)
}

func checkOverlaps(t *testing.T, a cipher.AEAD, nonce, text, aad, sealed []byte) {
	t.Helper()
	n, over := len(text), a.Overhead()
	if n < 2 {
		return
	}
	const input = "crypto/cipher: invalid buffer overlap of output and input"
	const data = "crypto/cipher: invalid buffer overlap of output and additional data"
	buf := make([]byte, 3*(n+over)+len(aad))
	try := func(want string, at int, in []byte, f func(dst []byte)) {
		t.Helper()
		mustPanic(t, want, func() { f(buf[at:at]) })
	}
	copy(buf, text)
	before := bytes.Clone(buf)
	for _, at := range []int{1, n / 2, n - 1} {
		try(input, at, buf[:n], func(dst []byte) { a.Seal(dst, nonce, buf[:n], aad) })
	}
	try(input, 0, buf, func(dst []byte) { a.Seal(dst, nonce, buf[1:n+1], aad) })
	try(input, 0, buf, func(dst []byte) { a.Seal(dst, nonce, buf[n+over-1:2*n+over-1], aad) })
	same(t, "after panics", buf, before)
	copy(buf, sealed)
	before = bytes.Clone(buf)
	for _, at := range []int{1, n / 2, n - 1, n + over - 1} {
		try(input, at, buf, func(dst []byte) { _, _ = a.Open(dst, nonce, buf[:n+over], aad) })
	}
	if len(aad) > 0 {
		m := len(aad)
		try(data, 0, nil, func(dst []byte) { a.Seal(dst, nonce, text, buf[:m]) })
		try(data, 0, nil, func(dst []byte) { a.Seal(dst, nonce, text, buf[n+over-1:n+over-1+m]) })
		try(data, 0, nil, func(dst []byte) { _, _ = a.Open(dst, nonce, sealed, buf[n-1:n-1+m]) })
	}
	same(t, "after panics", buf, before)
}

// TestGCMErrors has every way in which an object is refused.
func TestGCMErrors(t *testing.T) {
	key := make([]byte, 16)
	for n := 0; n <= 65; n++ {
		_, err := NewGCM(make([]byte, n))
		if want := map[bool]error{true: nil, false: ErrKeyLength}[n == 16 || n == 24 || n == 32]; err != want {
			t.Errorf("key of %d: %v", n, err)
		}
	}
	if _, err := NewGCM(nil); err != ErrKeyLength {
		t.Errorf("no key: %v", err)
	}
	for n := -1; n <= 20; n++ {
		_, err := NewGCMWithSizes(key, 12, n)
		if want := map[bool]error{true: nil, false: ErrTagLength}[n == 4 || n == 8 || n >= 12 && n <= 16]; err != want {
			t.Errorf("tag of %d: %v", n, err)
		}
	}
	for _, n := range []int{-1, 0, 1} {
		_, err := NewGCMWithSizes(key, n, 16)
		if want := map[bool]error{true: nil, false: ErrNonceLength}[n > 0]; err != want {
			t.Errorf("nonce of %d: %v", n, err)
		}
	}
	for _, name := range []string{"nonsense", "+", "a+b", "portable+", "+portable", "portable", "composed+composed", "x\x00"} {
		if a, err := NewGCM(key, WithKernel(name)); err != ErrKernel || a != nil {
			t.Errorf("kernel %q: %v, %v", name, a, err)
		}
	}
	// The first of several errors.
	if _, err := NewGCMWithSizes(key[:15], 0, 17, WithKernel("nonsense")); err != ErrKeyLength {
		t.Error(err)
	}
	if _, err := NewGCMWithSizes(key, 0, 17, WithKernel("nonsense")); err != ErrTagLength {
		t.Error(err)
	}
	if _, err := NewGCMWithSizes(key, 0, 16, WithKernel("nonsense")); err != ErrKernel {
		t.Error(err)
	}
	if a, err := NewGCM(nil); a != nil || err == nil {
		t.Error("a constructor that fails returns an object")
	}
}

// TestGCMKernels seals on every kernel that runs here; the vectors do so at greater length.
func TestGCMKernels(t *testing.T) {
	key, nonce, text := random(1, 32), random(2, 12), random(3, 1000)
	want := made(stdGCM(key, cipher.NewGCM)())(t).Seal(nil, nonce, text, nonce)
	for _, kernel := range gcmKernels() {
		a := made(NewGCM(key, WithKernel(kernel)))(t)
		same(t, kernel, a.Seal(nil, nonce, text, nonce), want)
		// Its own answer is a name that it takes.
		again := made(NewGCM(key, WithKernel(KernelOf(a))))(t)
		if KernelOf(again) != KernelOf(a) {
			t.Errorf("%s, asked again, is %s", KernelOf(a), KernelOf(again))
		}
	}
	for _, k := range Kernels() {
		if k.Runs || k.Family != "gcm" {
			continue
		}
		if _, err := NewGCM(key, WithKernel(k.Name)); err != ErrKernel {
			t.Errorf("%s can't run here (%s), and yet: %v", k.Name, k.Why, err)
		}
	}
}

// TestGCMTooLong is about the limit of SP 800-38D; the text is address space that is never touched.
func TestGCMTooLong(t *testing.T) {
	if ^uint(0)>>32 == 0 {
		t.Log("no slice is that long here")
		return
	}
	limit := uint64(1)<<36 - 32
	tooLong := int(limit + 1)
	huge := untouched(t, tooLong+16)
	a := made(NewGCM(make([]byte, 16)))(t)
	mustPanic(t, "crypto/cipher: message too large for GCM", func() { a.Seal(nil, make([]byte, 12), huge[:tooLong], nil) })
	if out, err := a.Open(nil, make([]byte, 12), huge, nil); err != ErrLimit || out != nil {
		t.Errorf("Open: %v", err)
	}
}
