// object_test.go — errors, the library's description, first calls, sharing.

package xorcore

import (
	"crypto/cipher"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestErrors(t *testing.T) {
	for code := -20; code <= 2; code++ {
		e := Error(code)
		name, text := resultWords(code)
		if e.Name() != name || e.Error() != text || e.Code() != code {
			t.Errorf("%d: %s, %q; the library says %s, %q", code, e.Name(), e.Error(), name, text)
		}
	}
	for e, name := range map[Error]string{ErrArg: "ARG", ErrKeyLength: "KEY_LENGTH", ErrNonceLength: "NONCE_LENGTH",
		ErrTagLength: "TAG_LENGTH", ErrDataLength: "DATA_LENGTH", ErrOverlap: "OVERLAP", ErrOpen: "AUTH",
		ErrLimit: "LIMIT", ErrState: "STATE", ErrKernel: "KERNEL", ErrWeakKey: "WEAK_KEY", ErrMemory: "MEMORY",
		ErrSelfTest: "SELFTEST", ErrUnsupported: "UNSUPPORTED"} {
		if e.Name() != name {
			t.Errorf("%d is %s, not %s", e, e.Name(), name)
		}
	}
	var e Error
	if err := error(ErrOpen); !errors.Is(err, ErrOpen) || !errors.As(err, &e) || e != ErrOpen {
		t.Error("errors.Is and errors.As don't see an Error")
	}
}

func TestLibrary(t *testing.T) {
	if Native() != (Version() != "go") || Version() == "" {
		t.Errorf("version %q", Version())
	}
	if words := CPU(); len(words) == 0 || words[0] != runtime.GOARCH {
		t.Errorf("CPU %q on %s", words, runtime.GOARCH)
	}
	defaults := map[string]int{}
	for _, k := range Kernels() {
		if k.Default {
			defaults[k.Family]++
		}
		if k.Runs != (k.Why == "") || k.Default && !k.Runs || k.Family == "" || k.Name == "" {
			t.Errorf("a kernel that makes no sense: %+v", k)
		}
		if !k.Runs && !strings.HasPrefix(k.Why, "cpu: ") && !strings.HasPrefix(k.Why, "os: ") &&
			!strings.HasPrefix(k.Why, "disabled: ") {
			t.Errorf("%s/%s does not run because of %q", k.Family, k.Name, k.Why)
		}
	}
	for _, family := range []string{"xor", "aes", "ghash", "gcm"} {
		if defaults[family] != 1 {
			t.Errorf("%s has %d defaults", family, defaults[family])
		}
	}
	if err := SelfTest(); err != nil {
		t.Error(err)
	}
}

// TestFirstCalls has 64 threads make the first calls of a process, in a process of its own.
func TestFirstCalls(t *testing.T) {
	const child = "XORCORE_TEST_FIRST_CALLS"
	if os.Getenv(child) == "" {
		for range 5 {
			cmd := exec.Command(os.Args[0], "-test.run=^TestFirstCalls$", "-test.count=1")
			cmd.Env = append(os.Environ(), child+"=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		return
	}
	key, nonce, text := random(1, 16), random(2, 12), random(3, 9000)
	want := made(stdGCM(key, cipher.NewGCM)())(t).Seal(nil, nonce, text, nonce)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread()
			<-start
			switch i % 4 {
			case 0:
				a, err := NewGCM(key)
				if err != nil {
					t.Error(err)
					return
				}
				same(t, "sealed", a.Seal(nil, nonce, text, nonce), want)
			case 1:
				dst := make([]byte, len(text))
				XORBytes(dst, text, text)
				same(t, "xor", dst, make([]byte, len(text)))
			case 2:
				if len(Kernels()) == 0 || len(CPU()) == 0 {
					t.Error("no kernels")
				}
			case 3:
				if err := SelfTest(); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	close(start)
	wg.Wait()
}

// TestShared uses one key from many goroutines.
func TestShared(t *testing.T) {
	for _, u := range aeadsUnderTest()[:2] {
		a := made(u.new())(t)
		nonce, text := random(1, a.NonceSize()), random(2, 3000)
		want := a.Seal(nil, nonce, text, nil)
		var wg sync.WaitGroup
		for range 16 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				var buf []byte
				for range 200 {
					buf = a.Seal(buf[:0], nonce, text, nil)
					same(t, "sealed", buf, want)
				}
			}()
		}
		wg.Wait()
	}
}
