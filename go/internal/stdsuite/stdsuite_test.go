// stdsuite_test.go — runs the standard library's own tests on this module.

// Package stdsuite runs the standard library's own tests of crypto/cipher's interfaces, and of
// crypto/subtle.XORBytes, on this module.
//
// They are internal to the standard library, so they are taken from the Go installation at test time,
// into a module that lasts as long as the test: what a newer Go checks is then checked here too, and
// nothing of it is kept in this tree. testdata/suite_test.go says what is run on what.
package stdsuite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the borrowed files need from files that are not borrowed.
const shim = `package cryptotest

import (
	"io"
	"math/rand"
	"testing"
)

func newRandReader(t *testing.T) io.Reader {
	seed := rand.Int63()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewSource(seed))
}

func MustMinimumFIPS140ModuleVersion(t *testing.T, version string) {}
`

func TestStandardSuite(t *testing.T) {
	module, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	crypto := filepath.Join(goEnv(t, "GOROOT"), "src", "crypto")
	dir := t.TempDir()

	write(t, filepath.Join(dir, "go.mod"), "module suite.example/suite\n\ngo 1.24\n\n"+
		"require xorcore.example/xorcore v0.0.0\n\nreplace xorcore.example/xorcore => "+module+"\n")
	write(t, filepath.Join(dir, "cryptotest", "shim.go"), shim)
	for _, name := range []string{"aead.go", "block.go", "blockmode.go", "stream.go", "methods.go"} {
		write(t, filepath.Join(dir, "cryptotest", name),
			read(t, filepath.Join(crypto, "internal", "cryptotest", name)))
	}
	// A newer Go keeps its slices between inaccessible pages in a file of their own.
	boundary := filepath.Join(crypto, "internal", "cryptotest", "boundary.go")
	if _, err := os.Stat(boundary); err == nil {
		write(t, filepath.Join(dir, "cryptotest", "boundary.go"), read(t, boundary))
	}
	write(t, filepath.Join(dir, "suite_test.go"), read(t, filepath.Join("testdata", "suite_test.go")))
	// The tests of XORBytes, with our package under the name of theirs.
	for _, name := range []string{"xor_test.go", "xor_linux_test.go"} {
		source := read(t, filepath.Join(crypto, "subtle", name))
		ours := strings.ReplaceAll(source, ". \"crypto/subtle\"", ". \"xorcore.example/xorcore\"")
		ours = strings.ReplaceAll(ours, "\t\"crypto/subtle\"", "\tsubtle \"xorcore.example/xorcore\"")
		if ours == source {
			t.Fatalf("%s does not import crypto/subtle any more", name)
		}
		write(t, filepath.Join(dir, "subtle", name), ours)
	}

	cmd := exec.Command("go", "test", "-count=1", "-v", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "PWD="+dir)
	out, err := cmd.CombinedOutput()
	passed := strings.Count(string(out), "--- PASS: ")
	if err != nil || strings.Contains(string(out), "no tests to run") {
		t.Fatalf("%v\n%s", err, tail(string(out)))
	}
	t.Logf("%d checks of %s passed", passed, goEnv(t, "GOVERSION"))
	if passed < 100 {
		t.Errorf("only %d checks ran", passed)
	}
}

// tail is what is worth reading of a long log: its lines that tell of a failure.
func tail(log string) string {
	var lines []string
	for _, line := range strings.Split(log, "\n") {
		if !strings.Contains(line, "--- PASS") && !strings.Contains(line, "=== ") && !strings.Contains(line, "seed ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(len(lines)-200, 0):], "\n")
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
