// helpers_test.go — what the tests share.

package xorcore

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// addressOf is where the bytes of b lie.
func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// random returns n bytes that are the same in every run for one seed.
func random(seed uint64, n int) []byte {
	src := rand.NewPCG(seed, 0x786f72)
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(src.Uint64() >> 24)
	}
	return b
}

// mustPanic runs f, which must panic with a string that contains `want`.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
			t.Errorf("panic %q, want %q", got, want)
		}
	}()
	f()
}

// made is for a constructor that has to succeed.
func made[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
		return v
	}
}

// exportsOnly checks that the type of v exports the methods of the interface I and of `more`, and no
// others: what can be reached by a type assertion is API.
func exportsOnly[I any](t *testing.T, v I, more ...string) {
	t.Helper()
	allowed := more
	iface := reflect.TypeFor[I]()
	for i := range iface.NumMethod() {
		allowed = append(allowed, iface.Method(i).Name)
	}
	typ := reflect.TypeOf(v)
	for i := range typ.NumMethod() {
		if m := typ.Method(i); m.IsExported() && !slices.Contains(allowed, m.Name) {
			t.Errorf("%v exports %s", typ, m.Name)
		}
	}
}

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %x, want %x (%d and %d bytes)", what, got[:min(len(got), 48)],
			want[:min(len(want), 48)], len(got), len(want))
	}
}
