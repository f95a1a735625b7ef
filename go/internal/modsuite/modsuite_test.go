// modsuite_test.go — gets the module as its users do, and builds it in every way.

// Package modsuite gets this module from a module proxy, in files, into a module of a user's, and builds that against
// the shared library, against the archive, and without cgo.
package modsuite

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"xorcore.example/xorcore"
)

const (
	module  = "xorcore.example/xorcore"
	version = "v1.0.0"
)

// What the program's first line has to be: the tag of AES-GCM, test case 1 of its specification.
const tag = "58e2fccefa7e3061367f1d57a4e7455a"

func TestModule(t *testing.T) {
	dir := t.TempDir()
	proxy, user := filepath.Join(dir, "proxy"), filepath.Join(dir, "user")
	writeProxy(t, filepath.Join("..", ".."), proxy)
	write(t, filepath.Join(user, "go.mod"), []byte("module user.example/user\n\ngo 1.24\n"))
	program, err := os.ReadFile(filepath.Join("testdata", "main.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(user, "main.go"), program)

	run := func(cgo string, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = user
		cmd.Env = append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy), "GOSUMDB=off", "GOWORK=off",
			"GOMODCACHE="+filepath.Join(dir, "cache"), "GOFLAGS=-modcacherw", "CGO_ENABLED="+cgo, "PWD="+user)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("0", "go", "get", module+"@latest")
	for _, name := range []string{"go.mod", "go.sum"} {
		if text, err := os.ReadFile(filepath.Join(user, name)); err != nil || !bytes.Contains(text, []byte(module+" "+version)) {
			t.Errorf("%s after go get: %v\n%s", name, err, text)
		}
	}

	check := func(name, cgo, tags, says string) {
		t.Run(name, func(t *testing.T) {
			exe := filepath.Join(user, name)
			run(cgo, "go", "build", "-tags", tags, "-o", exe, ".")
			out := strings.Split(run(cgo, exe), "\n")
			if out[0] != tag || !strings.HasPrefix(out[1], says) {
				t.Errorf("it says %q", out)
			}
			if needs := needsLibrary(t, exe); needs != (name == "shared") {
				t.Errorf("it needs libxorcore: %v", needs)
			}
		})
	}
	check("without-cgo", "0", "", "false go xor/go aes/go ghash/go gcm/go")
	if xorcore.Native() {
		check("shared", "1", "", "true "+xorcore.Version()+" ")
		check("static", "1", "xorcore_static", "true "+xorcore.Version()+" ")
	}
}

// needsLibrary tells whether a program needs our shared library when it starts.
func needsLibrary(t *testing.T, exe string) bool {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Fatal("how programs name their libraries is known here for ELF alone")
	}
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(strings.Join(libraries, " "), "libxorcore")
}

// writeProxy makes a module proxy (go.dev/ref/mod#goproxy-protocol) that has the module in `root` and nothing else.
func writeProxy(t *testing.T, root, proxy string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(root, name, "go.mod")); err == nil && name != "." {
				return fs.SkipDir // a module of its own
			}
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		f, err := w.Create(path.Join(module+"@"+version, name))
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(at, "list"), []byte(version+"\n"))
	write(t, filepath.Join(at, version+".info"), []byte(`{"Version":"`+version+`","Time":"2026-01-01T00:00:00Z"}`))
	write(t, filepath.Join(at, version+".mod"), mod)
	write(t, filepath.Join(at, version+".zip"), archive.Bytes())
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
