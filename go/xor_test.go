// xor_test.go — XOR against crypto/subtle.

package xorcore

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"math"
	"testing"
)

// xorLengths has every length around the switches of the code, and some of every size.
func xorLengths() (list []int) {
	for n := 0; n <= 300; n++ {
		list = append(list, n)
	}
	for n := 301; n < 1024; n += 1 + n/16 {
		list = append(list, n)
	}
	for _, n := range []int{1024, 2048, 4096, 8192, 16384, 65536} {
		for d := -3; d <= 3; d++ {
			list = append(list, n+d)
		}
	}
	return list
}

func TestXORBytes(t *testing.T) {
	for _, n := range xorLengths() {
		places := 8
		if n > 64 {
			places = 3
		}
		for i := range places * places * places {
			ap, aq, ad := i%places, i/places%places, i/places/places
			p := random(uint64(n), ap+n+100)[ap : ap+n]
			q := random(uint64(n)+1, aq+n+100)[aq : aq+n]
			if n%2 == 0 { // the shorter of the two counts
				p = p[:n+9]
			} else {
				q = q[:n+9]
			}
			dst := random(uint64(n)+2, ad+n+40)
			want := bytes.Clone(dst)
			for j := range n {
				want[ad+j] = p[j] ^ q[j]
			}
			if got := XORBytes(dst[ad:], p, q); got != n || !bytes.Equal(dst, want) {
				t.Fatalf("n=%d, offsets %d %d %d: wrong, returned %d", n, ap, aq, ad, got)
			}
			sum := want[ad : ad+n]
			p1, q1 := bytes.Clone(p), bytes.Clone(q)
			if got := XORBytes(p1, p1, q); got != n || !bytes.Equal(p1[:n], sum) || !bytes.Equal(p1[n:], p[n:]) {
				t.Fatalf("n=%d: wrong with dst == x", n)
			}
			if got := XORBytes(q1, p, q1); got != n || !bytes.Equal(q1[:n], sum) || !bytes.Equal(q1[n:], q[n:]) {
				t.Fatalf("n=%d: wrong with dst == y", n)
			}
			if XORBytes(dst[ad:], p, p); !bytes.Equal(dst[ad:ad+n], make([]byte, n)) {
				t.Fatalf("n=%d: wrong with x == y", n)
			}
			if XORBytes(p1, p1, p1); !bytes.Equal(p1, make([]byte, len(p1))) {
				t.Fatalf("n=%d: wrong with dst == x == y", n)
			}
		}
	}
}

// TestXORBytesPanics compares with crypto/subtle call by call, on both sides of the switch to C.
func TestXORBytesPanics(t *testing.T) {
	outcome := func(f func(dst, x, y []byte) int, dst, x, y []byte) (s string) {
		defer func() {
			if p := recover(); p != nil {
				s = fmt.Sprintf("panic %v", p)
			}
		}()
		return fmt.Sprint(f(dst, x, y))
	}
	for _, n := range []int{1, 2, 3, 16, 100, 4096, 70000} {
		for _, shift := range []int{1, 8, 16, 17, 63, 64, n - 1, n, n + 1} {
			for k, pick := range []func(b []byte) (dst, x, y []byte){
				func(b []byte) ([]byte, []byte, []byte) { return nil, b[:n], b[:n] },
				func(b []byte) ([]byte, []byte, []byte) { return b[:n-1], b[:n], b[:n] },
				func(b []byte) ([]byte, []byte, []byte) { return b[:0], b[:n], nil },
				func(b []byte) ([]byte, []byte, []byte) { return nil, nil, nil },
				func(b []byte) ([]byte, []byte, []byte) { return b[:n], b[shift : shift+n], b[3*n+9:] },
				func(b []byte) ([]byte, []byte, []byte) { return b[shift : shift+n], b[:n], b[3*n+9:] },
				func(b []byte) ([]byte, []byte, []byte) { return b[:n], b[3*n+9:], b[shift : shift+n] },
				func(b []byte) ([]byte, []byte, []byte) { return b[shift : shift+n], b[3*n+9:], b[:n] },
				func(b []byte) ([]byte, []byte, []byte) { return b[:n+shift], b[n : 2*n], b[:n] },
				func(b []byte) ([]byte, []byte, []byte) { return b[:n], b[:n+shift], b[n:] },
				func(b []byte) ([]byte, []byte, []byte) { return b[:n], b[n:], b[n+1:] },
			} {
				b1, b2 := random(9, 4*n+80), random(9, 4*n+80)
				dst, x, y := pick(b1)
				got := outcome(XORBytes, dst, x, y)
				dst, x, y = pick(b2)
				want := outcome(subtle.XORBytes, dst, x, y)
				if got != want || !bytes.Equal(b1, b2) {
					t.Errorf("n=%d shift=%d call %d: %s, want %s", n, shift, k, got, want)
				}
			}
		}
	}
}

func TestXORBytesN(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 63, 64, 65, 1000, 8191, 8192, 8193, 30000} {
		for count := 1; count <= 20; count++ {
			srcs := make([][]byte, count)
			want := make([]byte, n)
			for i := range srcs {
				srcs[i] = random(uint64(i), n+i%3)
				subtle.XORBytes(want, want, srcs[i])
			}
			if count > 1 {
				srcs[count-1] = srcs[count-1][:n]
			} else {
				n = len(srcs[0])
			}
			dst := random(99, n+20)
			tail := bytes.Clone(dst[n:])
			if got := XORBytesN(dst, srcs...); got != n || !bytes.Equal(dst[:n], want) || !bytes.Equal(dst[n:], tail) {
				t.Fatalf("n=%d count=%d: wrong, returned %d", n, count, got)
			}
			// dst is each of the sources in turn, and then several of them.
			for _, at := range [][]int{{0}, {count / 2}, {count - 1}, {0, count - 1}, {0, count / 2, count - 1}} {
				list := make([][]byte, count)
				for i := range list {
					list[i] = bytes.Clone(srcs[i])
				}
				for _, i := range at {
					list[i] = list[at[0]]
				}
				want := make([]byte, n)
				for i := range list {
					subtle.XORBytes(want, want, list[i])
				}
				m := n
				for i := range list {
					m = min(m, len(list[i]))
				}
				if got := XORBytesN(list[at[0]], list...); got != m || !bytes.Equal(list[at[0]][:m], want[:m]) {
					t.Fatalf("n=%d count=%d dst is source %v: wrong", n, count, at)
				}
			}
		}
	}
	b := make([]byte, 100)
	mustPanic(t, "xorcore.XORBytesN: no sources", func() { XORBytesN(b) })
	mustPanic(t, "xorcore.XORBytesN: dst too short", func() { XORBytesN(b[:9], b[20:30]) })
	mustPanic(t, "xorcore.XORBytesN: invalid overlap", func() { XORBytesN(b[:10], b[20:30], b[1:11]) })
	mustPanic(t, "xorcore.XORBytesN: invalid overlap", func() { XORBytesN(b[1:11], b[:10]) })
	if XORBytesN(nil, b, nil) != 0 || XORBytesN(b[:10], b[10:20], b[12:22]) != 10 {
		t.Error("legal calls went wrong")
	}
}

func TestXORRepeat(t *testing.T) {
	for _, keyLen := range []int{1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 64, 100, 255, 256, 257, 600} {
		key := random(uint64(keyLen), keyLen)
		for _, n := range []int{0, 1, 3, 15, 16, 63, 64, 65, 200, 255, 256, 257, 511, 512, 513, 1000, 5000} {
			for _, offset := range []uint64{0, 1, 3, uint64(keyLen) - 1, uint64(keyLen), 1000003, 1<<32 + 1, 1<<64 - 2} {
				src := random(5, n)
				want := make([]byte, n)
				at := offset % uint64(keyLen)
				for i := range want {
					want[i] = src[i] ^ key[(at+uint64(i))%uint64(keyLen)]
				}
				dst := random(6, n+30)
				tail := bytes.Clone(dst[n:])
				XORRepeat(dst, src, key, offset)
				same(t, fmt.Sprintf("key %d n %d offset %d", keyLen, n, offset), dst[:n], want)
				same(t, "behind dst", dst[n:], tail)
				xorRepeatGo(src, src, key, offset)
				same(t, "in place, in Go", src, want)
			}
		}
	}
	b := make([]byte, 1000)
	for _, n := range []int{1, 10, 300} {
		mustPanic(t, "xorcore.XORRepeat: empty key", func() { XORRepeat(b, b, nil, 0) })
		mustPanic(t, "xorcore.XORRepeat: dst too short", func() { XORRepeat(b[:n-1], b[400:400+n], b[900:], 0) })
		mustPanic(t, "xorcore.XORRepeat: invalid overlap", func() { XORRepeat(b[:n+1], b[1:n+2], b[900:], 0) })
		mustPanic(t, "xorcore.XORRepeat: invalid overlap", func() { XORRepeat(b[:n], b[400:400+n], b[n-1:n], 0) })
	}
	XORRepeat(nil, nil, b[:1], 7)
	XORRepeat(b[:10], b[10:20], b[10:30], 0)
}

func TestEqual(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 63, 64, 65, 100, 1000} {
		x := random(1, n)
		y := bytes.Clone(x)
		if !Equal(x, y) || !Equal(x, x) {
			t.Errorf("n=%d: not equal to itself", n)
		}
		if Equal(x, append(y, 0)) {
			t.Errorf("n=%d: equal to a longer one", n)
		}
		for i := range y {
			for _, bit := range []byte{1, 128} {
				y[i] ^= bit
				if Equal(x, y) || Equal(y, x) {
					t.Errorf("n=%d: a difference at %d not seen", n, i)
				}
				y[i] ^= bit
			}
		}
	}
	if !Equal(nil, []byte{}) {
		t.Error("nil and empty differ")
	}
}

func TestXORStrided(t *testing.T) {
	for _, n := range []int{0, 1, 16, 100, 5000} {
		for _, stride := range []int{0, 1, n / 2, n, n + 5} {
			for _, count := range []int{1, 2, 3, 9} {
				src := random(1, (count-1)*stride+n)
				want := make([]byte, n)
				for k := range count {
					subtle.XORBytes(want, want, src[k*stride:][:n])
				}
				dst := random(2, n+9)
				tail := bytes.Clone(dst[n:])
				XORStrided(dst[:n], src, stride, count)
				same(t, fmt.Sprintf("n=%d stride=%d count=%d", n, stride, count), dst[:n], want)
				same(t, "behind", dst[n:], tail)
				if stride >= n && n > 0 {
					XORStrided(src[(count-1)*stride:], src, stride, count)
					same(t, "into its last source", src[(count-1)*stride:], want)
				}
			}
		}
	}
	for _, count := range []int{math.MaxInt, math.MaxInt - 1} { // one source so many times takes no longer than twice
		src, dst, want := random(1, 5000), make([]byte, 5000), make([]byte, 5000)
		if count%2 == 1 {
			copy(want, src)
		}
		XORStrided(dst, src, 0, count)
		same(t, fmt.Sprintf("count=%d", count), dst, want)
		XORStrided(src, src, 0, count)
		same(t, fmt.Sprintf("in place, count=%d", count), src, want)
	}
	b := make([]byte, 100)
	for _, c := range [][2]int{{10, 0}, {10, -1}, {-1, 2}} {
		mustPanic(t, "xorcore.XORStrided: no sources", func() { XORStrided(b[:5], b[5:], c[0], c[1]) })
	}
	for _, c := range [][2]int{{81, 2}, {math.MaxInt, 2}, {1, math.MaxInt}, {40, 4}} {
		mustPanic(t, "xorcore.XORStrided: src too short", func() { XORStrided(b[:20], b, c[0], c[1]) })
	}
	mustPanic(t, "xorcore.XORStrided: invalid overlap", func() { XORStrided(b[:20], b[1:], 30, 2) })
	mustPanic(t, "xorcore.XORStrided: invalid overlap", func() { XORStrided(b[31:51], b, 30, 2) })
}
