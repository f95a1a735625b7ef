// aeadstream_test.go — AEAD streams: order of calls, limits, clones.

package xorcore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"testing"
)

// streamingAEADs are those that can be streamed.
func streamingAEADs(t *testing.T) map[string]cipher.AEAD {
	return map[string]cipher.AEAD{
		"GCM":  made(NewGCM(random(1, 16)))(t),
		"CCM":  made(NewCCM(random(2, 24), 11, 8))(t),
		"XAES": made(NewXAES256GCM(random(3, 32)))(t),
	}
}

func TestAEADStream(t *testing.T) {
	for name, a := range streamingAEADs(t) {
		t.Run(name, func(t *testing.T) {
			nonce, text, aad := random(4, a.NonceSize()), random(5, 5000), random(6, 300)
			n := len(text)
			sealed := a.Seal(nil, nonce, text, aad)
			tag := sealed[n:]

			s := made(NewSealStream(a, nonce))(t)
			pass := func(s *AEADStream, dst, src []byte) {
				t.Helper()
				steps := []error{s.Lengths(300, 5000), s.AdditionalData(aad[:7]), s.AdditionalData(nil), s.AdditionalData(aad[7:])}
				for _, cut := range [][2]int{{0, 0}, {0, 1}, {1, 1}, {1, 18}, {18, 4000}, {4000, 5000}} {
					out := dst
					if dst != nil {
						out = dst[cut[0]:cut[1]]
					}
					steps = append(steps, s.Update(out, src[cut[0]:cut[1]]))
				}
				for i, err := range steps {
					if err != nil {
						t.Fatalf("step %d: %v", i, err)
					}
				}
			}
			for range 2 { // the second time after Reset
				got := make([]byte, n, n+16)
				pass(s, got, text)
				whole, err := s.Finish(got)
				if err != nil {
					t.Fatal(err)
				}
				same(t, "sealed", whole, sealed)
				checkEnded(t, s, nonce)
			}
			// In place, opened unverified, and only verified.
			buf := bytes.Clone(sealed[:n])
			u := made(NewUnverifiedOpenStream(a, nonce))(t)
			pass(u, buf, buf)
			if err := u.Verify(tag); err != nil {
				t.Error(err)
			}
			same(t, "opened", buf, text)
			v := made(NewVerifyStream(a, nonce))(t)
			pass(v, nil, sealed)
			if err := v.Verify(tag); err != nil {
				t.Error(err)
			}
			for _, bad := range [][]byte{nil, tag[:len(tag)-1], append(bytes.Clone(tag), 0), append([]byte{tag[0] ^ 1}, tag[1:]...)} {
				if err := v.Reset(nonce); err != nil {
					t.Fatal(err)
				}
				pass(v, nil, sealed)
				if err := v.Verify(bad); err != ErrOpen {
					t.Errorf("Verify of %x: %v", bad, err)
				}
			}
			checkStreamErrors(t, a, nonce)
			if _, err := s.Clone(); err != ErrUnsupported {
				t.Errorf("Clone of what is being sealed: %v", err)
			}
			if err := u.Reset(nonce); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(u.Lengths(300, 5000), u.AdditionalData(aad), u.Update(buf[:9], sealed[:9])); err != nil {
				t.Fatal(err)
			}
			for range 2 { // each of two clones ends the message for itself
				c := made(u.Clone())(t)
				if err := errors.Join(c.Update(buf[9:], sealed[9:n]), c.Verify(tag)); err != nil {
					t.Error(err)
				}
				same(t, "opened by a clone", buf, text)
			}
			// The stream lives on when its key is closed, and not when it is closed itself.
			if err := v.Reset(nonce); err != nil {
				t.Fatal(err)
			}
			if KernelOf(v) != KernelOf(a) {
				t.Errorf("a stream on %s of a key on %s", KernelOf(v), KernelOf(a))
			}
			Close(a)
			pass(v, nil, sealed)
			if err := v.Verify(tag); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkEnded has what is left after the end, which is Reset.
func checkEnded(t *testing.T, s *AEADStream, nonce []byte) {
	t.Helper()
	_, finish := s.Finish(nil)
	for what, err := range map[string]error{"Finish": finish, "Update": s.Update(make([]byte, 1), make([]byte, 1)),
		"empty Update": s.Update([]byte{}, nil), "AdditionalData": s.AdditionalData([]byte{1}), "Lengths": s.Lengths(1, 1)} {
		if err != ErrState {
			t.Errorf("%s after the end: %v", what, err)
		}
	}
	if err := s.Reset(make([]byte, len(nonce)+1)); err != ErrNonceLength {
		t.Errorf("Reset: %v", err)
	}
	if err := s.Reset(nonce); err != nil {
		t.Errorf("Reset: %v", err)
	}
}

func checkStreamErrors(t *testing.T, a cipher.AEAD, nonce []byte) {
	t.Helper()
	want := func(what string, err error, e Error) {
		t.Helper()
		if err != e.err() {
			t.Errorf("%s: %v, not %v", what, err, e)
		}
	}
	for _, make := range []func(cipher.AEAD, []byte) (*AEADStream, error){NewSealStream, NewVerifyStream, NewUnverifiedOpenStream} {
		for _, n := range [][]byte{nil, nonce[1:], append(bytes.Clone(nonce), 0)} {
			_, err := make(a, n)
			want("a wrong nonce", err, ErrNonceLength)
		}
	}
	s := made(NewSealStream(a, nonce))(t)
	buf := make([]byte, 64)
	if a.Overhead() == 8 { // CCM, which has to know its lengths
		want("AdditionalData first", s.AdditionalData(buf), ErrState)
		want("Update first", s.Update(buf, buf), ErrState)
		want("Update of nothing first", s.Update(nil, nil), ErrState)
		_, err := s.Finish(nil)
		want("Finish first", err, ErrState)
		want("Lengths too long", s.Lengths(0, 1<<32), ErrLimit)
	} else {
		want("Lengths too long", s.Lengths(0, 1<<36-31), ErrLimit)
		want("Lengths too long", s.Lengths(1<<61, 0), ErrLimit)
	}
	want("Lengths", s.Lengths(10, 20), ok)
	want("Lengths again", s.Lengths(10, 20), ErrState)
	want("too much data", s.AdditionalData(buf[:11]), ErrLimit)
	want("text too early", s.Update(buf[:1], buf[:1]), ErrState)
	want("data", s.AdditionalData(buf[:10]), ok)
	want("too much text", s.Update(buf[:21], buf[:21]), ErrLimit)
	want("partly overlapping", s.Update(buf[1:20], buf[:19]), ErrOverlap)
	want("text", s.Update(buf[:19], buf[:19]), ok)
	want("data behind text", s.AdditionalData(buf[:1]), ErrState)
	_, err := s.Finish(nil)
	want("Finish too early", err, ErrState)
	want("Verify", s.Verify(buf[:16]), ErrUnsupported)
	want("the last byte", s.Update(buf[:1], buf[:1]), ok)
	if _, err := s.Finish(nil); err != nil {
		t.Errorf("Finish after calls that were refused: %v", err)
	}
	mustPanic(t, "crypto/cipher: output smaller than input", func() { _ = s.Update(buf[:1], buf[:2]) })
	v := made(NewVerifyStream(a, nonce))(t)
	want("an output where none is", v.Update(buf, buf), ErrArg)
	_, err = v.Finish(nil)
	want("Finish", err, ErrUnsupported)
}

func TestAEADStreamUnsupported(t *testing.T) {
	siv := made(NewGCMSIV(make([]byte, 16)))(t)
	std := made(cipher.NewGCM(made(aes.NewCipher(make([]byte, 16)))(t)))(t)
	for _, make := range []func(cipher.AEAD, []byte) (*AEADStream, error){NewSealStream, NewVerifyStream, NewUnverifiedOpenStream} {
		for _, nonce := range [][]byte{nil, random(1, 12)} { // UNSUPPORTED stands before NONCE_LENGTH
			if _, err := make(siv, nonce); err != ErrUnsupported {
				t.Errorf("GCM-SIV: %v", err)
			}
		}
		if _, err := make(std, random(1, 12)); err != ErrArg {
			t.Errorf("crypto/cipher's GCM: %v", err)
		}
	}
}
