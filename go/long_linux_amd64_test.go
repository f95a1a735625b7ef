// long_linux_amd64_test.go — lengths at which 32-bit numbers end.

//go:build cgo && large

package xorcore

import (
	"crypto/aes"
	"crypto/cipher"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// windows is address space up to the last of the ends, in which the same memory lies again and again, so that
// a long output needs little of it. Only the 16 MiB around each of the ends are by themselves; elsewhere stands
// what came last.
func windows(t *testing.T, ends ...int) []byte {
	t.Helper()
	const window = 16 << 20
	file, err := os.CreateTemp(t.TempDir(), "window")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(int64(1+2*len(ends)) * window); err != nil {
		t.Fatal(err)
	}
	last := ends[len(ends)-1]
	count := (last + window - 1) / window
	space := untouched(t, count*window)
	for i := range count {
		at := 0
		for k, end := range ends {
			if before := (end - 1) / window; i == before || i == before-1 {
				at = 1 + 2*k + before - i
			}
		}
		_, _, errno := syscall.Syscall6(syscall.SYS_MMAP, uintptr(unsafe.Pointer(&space[i*window])), window,
			syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_FIXED, file.Fd(), uintptr(at*window))
		if errno != 0 {
			t.Fatal(errno)
		}
	}
	return space[:last]
}

// TestLong has the lengths at which 32-bit numbers end. It takes some seconds: -tags large. (Without cgo it is
// crypto/cipher that has them.)
func TestLong(t *testing.T) {
	const most = 1<<32 + 5
	zeros, err := syscall.Mmap(-1, 0, most, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(zeros) }()
	_ = syscall.Madvise(zeros, 14) // MADV_HUGEPAGE: fewer page faults, where the system can
	key, iv := random(1, 16), random(2, 16)
	out := windows(t, 1<<31-1, 1<<32, most+16)
	for _, n := range []int{1<<31 - 1, 1 << 32} {
		copy(out[n-4:], "tail")
		zeros[n] = 7
		if got := XORBytes(out[:n], zeros[:n], zeros[1:n+1]); got != n || out[n-2] != 0 || out[n-1] != 7 {
			t.Errorf("XORBytes of %d bytes: %d, %q", n, got, out[n-4:n])
		}
		zeros[n] = 0
	}
	zeros[most-1] = 7
	if got := XORBytesN(out, zeros, zeros, zeros); got != most || out[most-2] != 0 || out[most-1] != 7 {
		t.Errorf("XORBytesN: %d, %q", got, out[most-4:most])
	}
	if Equal(zeros[1:], zeros[:most-1]) {
		t.Error("Equal does not see the last byte")
	}
	ctr := made(NewCTR(key, iv))(t)
	ctr.XORKeyStream(out, zeros)
	end := append(make([]byte, 39), 7)
	ctr.XORKeyStreamAt(end, end, most-40)
	same(t, "the end of a long key stream", out[most-40:most], end)
	nonce := iv[:12]
	ours, theirs := made(NewGCM(key))(t), made(cipher.NewGCM(made(aes.NewCipher(key))(t)))(t)
	same(t, "a tag of much additional data", ours.Seal(nil, nonce, nil, zeros), theirs.Seal(nil, nonce, nil, zeros))
	got := append([]byte{}, ours.Seal(out[:0], nonce, zeros, nil)[most:]...)
	want := append([]byte{}, theirs.Seal(out[:0], nonce, zeros, nil)[most:]...)
	same(t, "the tag of a long text", got, want)
}
