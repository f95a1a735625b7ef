// guard_linux_test.go — buffers that lie against inaccessible pages.

package xorcore

import (
	"bytes"
	"syscall"
	"testing"
)

// guarded returns memory that ends and begins at pages that can't be touched.
func guarded(t *testing.T, pages int) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	all, err := syscall.Mmap(-1, 0, (pages+2)*page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	for _, fence := range [][]byte{all[:page], all[(pages+1)*page:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return all[page : (pages+1)*page : (pages+1)*page]
}

// edges are the first and the last n bytes of b.
func edges(b []byte, n int) [][]byte {
	return [][]byte{b[:n:n], b[len(b)-n:]}
}

func TestXORAtPageEdges(t *testing.T) {
	a, b, c := guarded(t, 1), guarded(t, 1), guarded(t, 1)
	copy(a, random(1, len(a)))
	copy(b, random(2, len(b)))
	want := make([]byte, len(a))
	for n := 1; n <= len(a); n++ {
		for i, x := range edges(a, n) {
			for j, y := range edges(b, n) {
				if i != j && n%7 != 0 {
					continue
				}
				for k := range want[:n] {
					want[k] = x[k] ^ y[k]
				}
				for _, dst := range edges(c, n) {
					XORBytes(dst, x, y)
					if !bytes.Equal(dst, want[:n]) {
						t.Fatalf("XORBytes, n=%d: wrong", n)
					}
					XORBytesN(dst, x, y, y, y)
					if !bytes.Equal(dst, want[:n]) {
						t.Fatalf("XORBytesN, n=%d: wrong", n)
					}
					if key := y[:min(n, 37)]; n%5 == 0 {
						XORRepeat(dst, x, key, 3)
					}
				}
				if Equal(x, y) || !Equal(x, x) {
					t.Fatalf("Equal, n=%d: wrong", n)
				}
			}
		}
	}
}

func TestAEADAtPageEdges(t *testing.T) {
	in, out, side := guarded(t, 1), guarded(t, 1), guarded(t, 1)
	a := made(NewGCM(random(1, 16)))(t)
	text := random(2, len(in))
	for n := 0; n+16 <= len(in); n += 1 + n/300 {
		for i, src := range edges(in, n) {
			copy(src, text)
			aad := edges(side, n%77)[i]
			nonce := edges(side, 12)[1-i]
			want := a.Seal(nil, bytes.Clone(nonce), text[:n], bytes.Clone(aad))
			for _, dst := range edges(out, n+16) {
				a.Seal(dst[:0], nonce, src, aad)
				same(t, "sealed", dst, want)
				for _, sealed := range edges(in, n+16) {
					copy(sealed, want)
					if _, err := a.Open(dst[:0], nonce, sealed, aad); err != nil {
						t.Fatalf("n=%d: %v", n, err)
					}
					same(t, "opened", dst[:n], text[:n])
				}
				copy(src, text)
			}
		}
	}
}

// untouched is address space of n bytes without memory behind it.
func untouched(t *testing.T, n int) []byte {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	return b
}
