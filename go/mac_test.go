// mac_test.go — MACs against other implementations, as calls and as hashes.

package xorcore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"hash"
	"testing"
)

// plainCMAC is SP 800-38B, written down over a block cipher.
func plainCMAC(b cipher.Block, data []byte) []byte {
	double := func(in []byte) []byte {
		out := make([]byte, 16)
		carry := byte(0)
		for i := 15; i >= 0; i-- {
			out[i], carry = in[i]<<1|carry, in[i]>>7
		}
		out[15] ^= carry * 0x87
		return out
	}
	sub := make([]byte, 16)
	b.Encrypt(sub, sub)
	sub = double(sub)
	data = bytes.Clone(data)
	if len(data) == 0 || len(data)%16 != 0 {
		sub = double(sub)
		data = append(data, 0x80)
		data = append(data, make([]byte, (16-len(data)%16)%16)...)
	}
	x := make([]byte, 16)
	for at := 0; at < len(data); at += 16 {
		for i := range x {
			x[i] ^= data[at+i]
			if at+16 == len(data) {
				x[i] ^= sub[i]
			}
		}
		b.Encrypt(x, x)
	}
	return x
}

type macUnderTest struct {
	name   string
	new    func(key []byte, tagSize int, opts ...Option) (*MAC, error)
	nonces []int
	tags   func(n int) bool
	ref    func(t *testing.T, key, nonce, data []byte) []byte
}

func macsUnderTest() []macUnderTest {
	return []macUnderTest{
		{"GMAC", NewGMACWithTagSize, []int{12, 1, 16, 33}, func(n int) bool { return n == 4 || n == 8 || n >= 12 && n <= 16 },
			func(t *testing.T, key, nonce, data []byte) []byte {
				return made(cipher.NewGCMWithNonceSize(made(aes.NewCipher(key))(t), len(nonce)))(t).Seal(nil, nonce, nil, data)
			}},
		{"CMAC", NewCMACWithTagSize, []int{0}, func(n int) bool { return n >= 4 && n <= 16 },
			func(t *testing.T, key, _, data []byte) []byte { return plainCMAC(made(aes.NewCipher(key))(t), data) }},
	}
}

func TestMACs(t *testing.T) {
	for _, u := range macsUnderTest() {
		t.Run(u.name, func(t *testing.T) {
			for _, keySize := range []int{16, 24, 32} {
				key := random(uint64(keySize), keySize)
				for _, nonceSize := range u.nonces {
					nonce := random(2, nonceSize)
					for _, tagSize := range []int{4, 8, 12, 15, 16} {
						m := made(u.new(key, tagSize))(t)
						for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 33, 300, 5000} {
							data := random(uint64(n), n)
							checkMAC(t, m, nonce, data, u.ref(t, key, nonce, data)[:tagSize])
						}
					}
				}
			}
			for n := 0; n <= 65; n++ {
				_, err := u.new(make([]byte, n), 16)
				if good := n == 16 || n == 24 || n == 32; good != (err == nil) || !good && err != ErrKeyLength {
					t.Errorf("a key of %d bytes: %v", n, err)
				}
			}
			for n := -1; n <= 20; n++ {
				_, err := u.new(make([]byte, 16), n)
				if u.tags(n) != (err == nil) || !u.tags(n) && err != ErrTagLength {
					t.Errorf("a tag of %d bytes: %v", n, err)
				}
			}
			if _, err := u.new(make([]byte, 16), 16, WithKernel("nonsense")); err != ErrKernel {
				t.Errorf("kernel: %v", err)
			}
			m := made(u.new(make([]byte, 16), 16))(t)
			wrong := make([]byte, 3)
			if u.name == "GMAC" {
				wrong = nil
			}
			mustPanic(t, "xorcore: incorrect nonce length given to "+u.name, func() { m.Sum(nil, wrong, nil) })
			if err := m.Verify(make([]byte, 16), wrong, nil); err != ErrNonceLength {
				t.Errorf("Verify: %v", err)
			}
			if _, err := m.NewHash(wrong); err != ErrNonceLength {
				t.Errorf("NewHash: %v", err)
			}
			nonce := make([]byte, u.nonces[0])
			buf := make([]byte, 40)
			mustPanic(t, "overlap of tag and data", func() { m.Sum(buf[:0], nonce, buf[15:]) })
			mustPanic(t, "overlap of tag and data", func() { m.Sum(buf[:0], nonce, buf) })
			same(t, "after panics", buf, make([]byte, 40))
			want := m.Sum(nil, nonce, buf[16:])
			same(t, "end to end", m.Sum(buf[:0], nonce, buf[16:]), want)
			if KernelOf(m) == "" || m.Size() != 16 {
				t.Error("what a MAC knows of itself")
			}
			h := made(m.NewHash(nonce))(t)
			Close(m)
			// The hash lives on.
			if _, err := h.Write(buf[16:]); err != nil {
				t.Error(err)
			}
			same(t, "without its key", h.Sum(nil), want)
		})
	}
}

func checkMAC(t *testing.T, m *MAC, nonce, data, want []byte) {
	t.Helper()
	prefix := []byte("prefix")
	same(t, "Sum", m.Sum(nil, nonce, data), want)
	same(t, "Sum", m.Sum(prefix, nonce, data), append(prefix, want...))
	if err := m.Verify(want, nonce, data); err != nil {
		t.Errorf("Verify: %v", err)
	}
	for i := range want {
		bad := bytes.Clone(want)
		bad[i] ^= 0x40
		if err := m.Verify(bad, nonce, data); err != ErrOpen {
			t.Errorf("Verify of a wrong tag: %v", err)
		}
	}
	for n := range 20 {
		if n == len(want) {
			continue
		}
		if err := m.Verify(append(bytes.Clone(want), make([]byte, 4)...)[:min(n, len(want)+4)], nonce, data); err != ErrOpen && n < len(want)+4 {
			t.Errorf("Verify of a tag of %d bytes: %v", n, err)
		}
	}
	h := made(m.NewHash(nonce))(t)
	exportsOnly[hash.Hash](t, h)
	if h.Size() != len(want) || h.BlockSize() != 16 {
		t.Error("sizes")
	}
	for _, step := range []int{1, 7, 16, 64, 1000} {
		if step == 1 && len(data) > 100 {
			continue
		}
		h.Reset()
		for at := 0; at < len(data); at += step {
			if n, err := h.Write(data[at:min(at+step, len(data))]); err != nil || n != min(step, len(data)-at) {
				t.Errorf("Write: %d, %v", n, err)
			}
			h.Sum(nil) // changes nothing
		}
		same(t, fmt.Sprintf("hash in steps of %d", step), h.Sum(prefix), append(prefix, want...))
		same(t, "again", h.Sum(nil), want)
	}
	Close(h)
}
