// randomnonce_test.go — AEADs that choose their nonces.

package xorcore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"testing"
)

// TestRandomNonce has messages that begin with their nonce read, and written, by AEADs that are given it, the
// standard library's before all.
func TestRandomNonce(t *testing.T) {
	key := random(1, 32)
	std := made(cipher.NewGCMWithRandomNonce(made(aes.NewCipher(key))(t)))(t)
	for _, u := range []struct {
		name           string
		a, given       cipher.AEAD
		wrongNonceSays string
	}{
		{"GCM", made(NewGCMWithRandomNonce(key))(t), made(NewGCM(key))(t), "non-empty nonce passed to GCMWithRandomNonce"},
		{"XAES", made(NewXAES256GCMWithRandomNonce(key))(t), made(NewXAES256GCM(key))(t), "non-empty nonce passed to XAES-256-GCM"},
	} {
		t.Run(u.name, func(t *testing.T) {
			a, front, over := u.a, u.given.NonceSize(), u.given.NonceSize()+16
			exportsOnly(t, a)
			if a.NonceSize() != 0 || a.Overhead() != over || KernelOf(a) != KernelOf(u.given) {
				t.Errorf("nonces of %d, overhead %d, on %s", a.NonceSize(), a.Overhead(), KernelOf(a))
			}
			seen := map[string]bool{}
			for _, n := range []int{0, 1, 12, 16, 24, 100, 5000} {
				text, ad := random(uint64(n), n), random(3, 20)
				sealed := a.Seal([]byte("prefix"), nil, text, ad)[6:]
				nonce := string(sealed[:front])
				if len(sealed) != n+over || seen[nonce] || nonce == string(make([]byte, front)) {
					t.Errorf("%d bytes of %d, nonce %x", len(sealed), n, nonce)
				}
				seen[nonce] = true
				same(t, "with that nonce", u.given.Seal(nil, sealed[:front], text, ad), sealed[front:])
				same(t, "opened", made(a.Open(nil, nil, sealed, ad))(t), text)
				if u.name == "GCM" {
					same(t, "of the standard library", made(a.Open(nil, nil, std.Seal(nil, nil, text, ad), ad))(t), text)
					same(t, "by the standard library", made(std.Open(nil, nil, sealed, ad))(t), text)
				}
				checkInPlace(t, a, text, sealed, ad)
				for i := 0; i < len(sealed); i += 1 + len(sealed)/20 {
					bad := bytes.Clone(sealed)
					bad[i] ^= 0x10
					if out, err := a.Open(nil, nil, bad, ad); err != ErrOpen || out != nil {
						t.Errorf("byte %d changed: %v", i, err)
					}
					if out, err := a.Open(bad[:0], nil, bad, ad); err != ErrOpen || out != nil {
						t.Errorf("byte %d changed, in place: %v", i, err)
					}
					same(t, "what is left", bad[:n], make([]byte, n))
				}
			}
			for n := range over {
				if _, err := a.Open(nil, nil, make([]byte, n), nil); err != ErrOpen {
					t.Errorf("%d bytes: %v", n, err)
				}
			}
			checkRandomRecords(t, a)

			buf := make([]byte, 100)
			mustPanic(t, u.wrongNonceSays, func() { a.Seal(nil, buf[:front], nil, nil) })
			mustPanic(t, u.wrongNonceSays, func() { _, _ = a.Open(nil, buf[:1], buf, nil) })
			const overlap = "crypto/cipher: invalid buffer overlap of output and "
			mustPanic(t, overlap+"input", func() { a.Seal(buf[:0], nil, buf[1:9], nil) })
			mustPanic(t, overlap+"input", func() { a.Seal(buf[:0], nil, buf[front:front+8], nil) })
			mustPanic(t, overlap+"additional data", func() { a.Seal(buf[:0], nil, nil, buf[over-1:]) })
			mustPanic(t, overlap+"input", func() { _, _ = a.Open(buf[1:1], nil, buf, nil) })
			same(t, "after panics", buf, make([]byte, 100))
			if _, err := NewSealStream(a, buf[:front]); err != ErrUnsupported {
				t.Errorf("a stream: %v", err)
			}
			rows := make([]Row, 1)
			if err := SealRows(a, nil, nil, nil, rows); err != ErrUnsupported || rows[0].Result != ErrUnsupported {
				t.Errorf("rows: %v", err)
			}
		})
	}
	for n := range 40 {
		_, err := NewXAES256GCMWithRandomNonce(make([]byte, n))
		if (err == nil) != (n == 32) || n != 32 && err != ErrKeyLength {
			t.Errorf("a key of %d: %v", n, err)
		}
	}
	if _, err := NewGCMWithRandomNonce(key, WithKernel("nonsense")); err != ErrKernel {
		t.Error(err)
	}
}

// checkInPlace seals and opens where the input lies, with room behind it and without: what is behind a slice's
// capacity stays as it is.
func checkInPlace(t *testing.T, a cipher.AEAD, text, sealed, ad []byte) {
	t.Helper()
	for _, room := range []int{len(text), len(text) + 5, len(text) + 16, len(sealed), len(sealed) + 9} {
		what := fmt.Sprintf("%d bytes, capacity %d", len(text), room)
		buf := make([]byte, len(sealed)+40)
		fill(buf)
		copy(buf, text)
		out := a.Seal(buf[:0:room], nil, buf[:len(text)], ad)
		same(t, "sealed in place, "+what, made(a.Open(nil, nil, out, ad))(t), text)
		if err := stillFilled(buf[max(room, len(text)):]); err != nil {
			t.Errorf("sealing wrote behind the capacity, %s: %v", what, err)
		}
		fill(buf)
		copy(buf, sealed)
		same(t, "opened in place, "+what, made(a.Open(buf[:0:room], nil, buf[:len(sealed)], ad))(t), text)
		same(t, "behind the capacity, "+what, buf[min(room, len(sealed)):len(sealed)], sealed[min(room, len(sealed)):])
		if err := stillFilled(buf[len(sealed):]); err != nil {
			t.Errorf("opening wrote behind its input, %s: %v", what, err)
		}
	}
}

func checkRandomRecords(t *testing.T, a cipher.AEAD) {
	t.Helper()
	const size = 50
	text, ad := random(7, 4*size+20), random(8, 9)
	sealed := made(SealRecords(a, nil, text, size, nil, ad))(t)
	same(t, "records", made(OpenRecords(a, nil, sealed, size, nil, ad))(t), text)
	var opened []byte
	for at := 0; at < len(sealed); at += size + a.Overhead() {
		opened = append(opened, made(a.Open(nil, nil, sealed[at:min(at+size+a.Overhead(), len(sealed))], ad))(t)...)
	}
	same(t, "one by one", opened, text)
	if _, err := SealRecords(a, nil, text, size, make([]byte, 1), ad); err != ErrNonceLength {
		t.Errorf("records with a nonce: %v", err)
	}
	sealed[size+a.Overhead()] ^= 1 // the second record's nonce
	if out, err := OpenRecords(a, nil, sealed, size, nil, ad); err != ErrOpen || out != nil {
		t.Errorf("a changed nonce: %v", err)
	}
}
