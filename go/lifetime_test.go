// lifetime_test.go — closing and collecting, for every kind of object.

package xorcore

import (
	"crypto/cipher"
	"hash"
	"runtime"
	"sync"
	"testing"
	"time"
)

// A life is an object and what can be done with it.
type life struct {
	object any
	use    func() []byte  // a message, always the same; the last use of the object
	errs   []func() error // calls that return errors
	panics []func()       // and calls that do not
}

// errOf leaves the error of two results.
func errOf[T any](_ T, err error) error { return err }

// lives makes an object of every kind, for texts of n bytes, a multiple of 16.
func lives(t *testing.T, n int) map[string]func() life {
	key, xtsKey, nonce, iv, text := random(1, 32), random(2, 64), random(3, 12), random(4, 16), random(5, n)
	one := []Row{{Len: uint64(n), TagAt: uint64(n)}}

	list := map[string]func() life{
		"Block": func() life {
			b := made(NewCipher(key))(t)
			return life{object: b,
				use: func() []byte {
					out := make([]byte, n)
					for at := 0; at < min(n, 4096); at += 16 {
						b.Encrypt(out[at:], text[at:])
					}
					return out
				},
				errs:   []func() error{func() error { return errOf(cipher.NewGCM(b)) }},
				panics: []func(){func() { b.Encrypt(text, text) }, func() { b.Decrypt(text, text) }, func() { cipher.NewCTR(b, iv) }}}
		},
		"XTS": func() life {
			x := made(NewXTS(xtsKey))(t)
			return life{object: x,
				use: func() []byte {
					out := make([]byte, n)
					if err := x.EncryptSectors(out, text, 16, 1); err != nil {
						t.Error(err)
					}
					return out
				},
				errs: []func() error{func() error { return x.EncryptTweak(text, text, iv) }, func() error { return x.DecryptTweak(text, text, iv) },
					func() error { return x.EncryptSectors(text, text, 16, 1) }, func() error { return x.DecryptSectors(text, text, 16, 1) }},
				panics: []func(){func() { x.Encrypt(text, text, 1) }, func() { x.Decrypt(text, text, 1) }}}
		},
		"ModeCipher": func() life {
			c := made(NewModeCipher(ModeCBC, key))(t)
			return life{object: c,
				use: func() []byte {
					out := make([]byte, n)
					if err := c.Encrypt(out, text, iv); err != nil {
						t.Error(err)
					}
					return out
				},
				errs: []func() error{func() error { return c.Encrypt(text, text, iv) }, func() error { return c.Decrypt(text, text, iv) },
					func() error { return c.EncryptRows(text, text, iv, one) }, func() error { return c.DecryptRows(text, text, iv, one) },
					func() error { return errOf(c.NewEncryptStream(iv)) }, func() error { return errOf(c.NewDecryptStream(iv)) }}}
		},
		"ModeStream": func() life {
			s := made(made(NewModeCipher(ModeOFB, key))(t).NewEncryptStream(iv))(t)
			return life{object: s,
				use: func() []byte {
					out := make([]byte, n)
					if err := s.Update(out, text); err != nil {
						t.Error(err)
					}
					return out
				},
				errs: []func() error{func() error { return s.Update(text, text) }, func() error { return s.Seek(1) },
					func() error { return errOf(s.IV()) }, func() error { return s.Reset(iv) }, func() error { return errOf(s.Clone()) }}}
		},
		"CTR": func() life {
			c := made(NewCTR(key, iv))(t)
			return life{object: c,
				use: func() []byte {
					out := make([]byte, n)
					c.XORKeyStreamAt(out, text, 3)
					return out
				},
				panics: []func(){func() { c.XORKeyStream(text, text) }, func() { c.XORKeyStreamAt(text, text, 0) }, func() { c.Seek(0) }}}
		},
		"AEADStream": func() life {
			s := made(NewSealStream(made(NewGCM(key))(t), nonce))(t)
			return life{object: s,
				use: func() []byte {
					out := make([]byte, n)
					if err := s.Update(out, text); err != nil {
						t.Error(err)
					}
					return out
				},
				errs: []func() error{func() error { return s.Reset(nonce) }, func() error { return s.Lengths(1, 1) },
					func() error { return s.AdditionalData(nil) }, func() error { return s.Update(nil, nil) },
					func() error { return errOf(s.Finish(nil)) }, func() error { return s.Verify(iv) }, func() error { return errOf(s.Clone()) }}}
		},
	}

	for name, f := range map[string]func(key []byte, opts ...Option) (cipher.AEAD, error){"GCM": NewGCM, "GCM-SIV": NewGCMSIV,
		"CCM": func(key []byte, opts ...Option) (cipher.AEAD, error) { return NewCCM(key, 12, 16, opts...) }} {
		list[name] = func() life {
			a := made(f(key))(t)
			sealed := make([]byte, n+16)
			return life{object: a,
				use: func() []byte { return a.Seal(sealed[:0], nonce, text, nil) },
				errs: []func() error{func() error { return errOf(a.Open(nil, nonce, sealed, nil)) },
					func() error { return errOf(NewSealStream(a, nonce)) },
					func() error { return SealRows(a, sealed, sealed, nonce, one) }, func() error { return OpenRows(a, sealed, sealed, sealed, one) },
					func() error { return errOf(SealRecords(a, nil, text, n, nonce, nil)) },
					func() error { return errOf(OpenRecords(a, nil, sealed, n, nonce, nil)) }},
				panics: []func(){func() { a.Seal(nil, nonce, text, nil) }}}
		}
	}
	list["random nonces"] = func() life {
		a := made(NewXAES256GCMWithRandomNonce(key))(t)
		sealed := a.Seal(nil, nil, text, nil)
		return life{object: a,
			use: func() []byte {
				out, err := a.Open(nil, nil, sealed, nil)
				if err != nil {
					t.Error(err)
				}
				return out
			},
			errs: []func() error{func() error { return errOf(a.Open(nil, nil, sealed, nil)) },
				func() error { return errOf(SealRecords(a, nil, text, n, nil, nil)) },
				func() error { return errOf(OpenRecords(a, nil, sealed, n, nil, nil)) }},
			panics: []func(){func() { a.Seal(nil, nil, text, nil) }}}
	}
	for name, f := range map[string]func(key, iv []byte, opts ...Option) (cipher.Stream, error){
		"CFB": NewCFBEncrypter, "CFB8": NewCFB8Decrypter, "OFB": NewOFB,
		"CTR of a Block": func(key, iv []byte, _ ...Option) (cipher.Stream, error) {
			return cipher.NewCTR(made(NewCipher(key))(t), iv), nil
		}} {
		list[name] = func() life {
			s := made(f(key, iv))(t)
			return life{object: s,
				use: func() []byte {
					out := make([]byte, n)
					s.XORKeyStream(out, text)
					return out
				},
				panics: []func(){func() { s.XORKeyStream(text, text) }}}
		}
	}
	for name, f := range map[string]func(key, iv []byte, opts ...Option) (cipher.BlockMode, error){
		"CBC": NewCBCEncrypter, "CBC, back": NewCBCDecrypter,
		"CBC of a Block": func(key, iv []byte, _ ...Option) (cipher.BlockMode, error) {
			return cipher.NewCBCEncrypter(made(NewCipher(key))(t), iv), nil
		}} {
		list[name] = func() life {
			m := made(f(key, iv))(t)
			return life{object: m,
				use: func() []byte {
					out := make([]byte, n)
					m.CryptBlocks(out, text)
					return out
				},
				panics: []func(){func() { m.CryptBlocks(text, text) }}}
		}
	}
	for name, f := range map[string]func(key []byte, opts ...Option) (*MAC, error){"CMAC": NewCMAC, "GMAC": NewGMAC} {
		nonce := nonce
		if name == "CMAC" {
			nonce = nil
		}
		list[name] = func() life {
			m := made(f(key))(t)
			return life{object: m,
				use: func() []byte { return m.Sum(nil, nonce, text) },
				errs: []func() error{func() error { return m.Verify(iv, nonce, text) }, func() error { return errOf(m.NewHash(nonce)) },
					func() error { return m.SumRows(text, text, nonce, len(nonce), one) },
					func() error { return m.VerifyRows(text, nonce, len(nonce), one) }},
				panics: []func(){func() { m.Sum(nil, nonce, text) }}}
		}
		list["hash of "+name] = func() life {
			var h hash.Hash = made(made(f(key))(t).NewHash(nonce))(t)
			return life{object: h,
				use: func() []byte {
					_, _ = h.Write(text)
					return h.Sum(nil)
				},
				errs:   []func() error{func() error { return errOf(h.Write(text)) }},
				panics: []func(){func() { h.Sum(nil) }, func() { h.Reset() }}}
		}
	}
	return list
}

func TestClose(t *testing.T) {
	for name, newLife := range lives(t, 64) {
		t.Run(name, func(t *testing.T) {
			l := newLife()
			l.use()
			if KernelOf(l.object) == "" {
				t.Error("no kernel")
			}
			Close(l.object)
			Close(l.object)
			if KernelOf(l.object) != "" {
				t.Error("it still has a kernel")
			}
			for i, f := range l.errs {
				if err := f(); err != ErrState {
					t.Errorf("call %d after Close: %v", i, err)
				}
			}
			for _, f := range l.panics {
				mustPanic(t, "xorcore: use of a closed object", f)
			}
		})
	}
	a := made(NewGCM(random(1, 16)))(t)
	Close(a)
	if a.NonceSize() != 12 || a.Overhead() != 16 {
		t.Error("what is known without the key is gone")
	}
	rows := make([]Row, 3)
	if err := SealRows(a, nil, nil, nil, rows); err != ErrState || rows[0].Result != ErrState || rows[2].Result != ErrState {
		t.Errorf("the error of the whole call is not in every row: %v", rows)
	}
	Close(nil)
	Close(42)
	std := made(stdGCM(make([]byte, 16), cipher.NewGCM)())(t)
	Close(std)
	if KernelOf(std) != "" || KernelOf(nil) != "" {
		t.Error("KernelOf of what is not ours")
	}
}

// TestCollected makes objects and drops them with their last call, while the collector runs and other
// goroutines fill the memory that it frees: none may be freed during the call.
func TestCollected(t *testing.T) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	pressure := func(f func()) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-stop:
					return
				default:
					f()
				}
			}
		}()
	}
	pressure(runtime.GC)
	var kept [64][]byte
	pressure(func() {
		for i := range kept {
			kept[i] = make([]byte, 1000*i)
		}
		runtime.Gosched()
	})
	for name, newLife := range lives(t, 64<<10) {
		want := newLife().use()
		for begun, rounds := time.Now(), 0; rounds < 3 || time.Since(begun) < 50*time.Millisecond; rounds++ {
			same(t, name, newLife().use(), want)
			if KernelOf(newLife().object) == "" {
				t.Errorf("%s: no kernel", name)
			}
		}
	}
	close(stop)
	wg.Wait()
}
