// vectors_test.go — the vector runner: reading, counting, XOR, one-shot AEAD.

package xorcore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestVectors is the Go runner of tests/vectors; its contract is the README.md there.
func TestVectors(t *testing.T) {
	v := &vectorRun{t: t, files: map[string]string{}}
	for _, dir := range vectorDirs() {
		v.collect(dir)
	}
	names := make([]string, 0, len(v.files))
	for name := range v.files {
		names = append(names, name)
	}
	slices.Sort(names)
	total, totals := 0, ""
	for _, name := range names {
		cases, runs := v.runFile(name)
		fmt.Printf("vectors go %s: cases=%d runs=%d\n", name, cases, runs)
		totals += fmt.Sprintf("%s %d %d\n", name, cases, runs)
		total += runs
	}
	fmt.Printf("vectors go total: runs=%d\n", total)
	if !Native() {
		fmt.Printf("vectors go: this build has no C library; its one kernel is \"go\", and AES-GCM-SIV, " +
			"which crypto/cipher lacks, costs 0 cases\n")
	}
	if file := os.Getenv("XORCORE_VECTORS_TOTALS"); file != "" {
		if err := os.WriteFile(file, []byte(totals), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func vectorDirs() []string {
	if dirs := os.Getenv("XORCORE_VECTORS"); dirs != "" {
		return strings.Split(dirs, ":")
	}
	return []string{filepath.Join("..", "tests", "vectors", "data")}
}

// ---- reading ---------------------------------------------------------------------------------------

type vectorRun struct {
	t     *testing.T
	files map[string]string // path by name
	file  string
	algo  string
	runs  int
}

func (v *vectorRun) collect(dir string) {
	paths, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if len(paths) == 0 {
		v.t.Fatalf("%s: no vector files", dir)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if v.files[name] != "" {
			v.t.Fatalf("%s: a file of this name comes twice", name)
		}
		v.files[name] = path
	}
}

// vectorFields is a JSON object of which every field must be taken.
type vectorFields map[string]json.RawMessage

func (v *vectorRun) stop(format string, args ...any) {
	v.t.Helper()
	v.t.Fatalf("%s: %s", v.file, fmt.Sprintf(format, args...))
}

// take decodes a field, if it is there, and removes it.
func (v *vectorRun) take(f vectorFields, name string, to any) bool {
	raw, there := f[name]
	if !there {
		return false
	}
	delete(f, name)
	if err := json.Unmarshal(raw, to); err != nil {
		v.stop("field %s: %v", name, err)
	}
	return true
}

func (v *vectorRun) done(what string, f vectorFields) {
	for name := range f {
		v.stop("%s: field %q is not used", what, name)
	}
}

func (v *vectorRun) hex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		v.stop("%v", err)
	}
	return b
}

func (v *vectorRun) bytes(raw json.RawMessage) []byte {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return v.hex(s)
	}
	f := vectorFields{}
	if err := json.Unmarshal(raw, &f); err != nil {
		v.stop("an input that is none: %v", err)
	}
	var gen, seed, repeat string
	var n int
	v.take(f, "len", &n)
	out := make([]byte, n)
	if v.take(f, "repeat", &repeat) {
		for i, unit := 0, v.hex(repeat); i < n; {
			i += copy(out[i:], unit)
		}
	} else if v.take(f, "gen", &gen); gen == "splitmix64" && v.take(f, "seed", &seed) {
		state, err := strconv.ParseUint(seed, 16, 64)
		if err != nil {
			v.stop("%v", err)
		}
		for at := 0; at < n; at += 8 {
			var word [8]byte
			binary.LittleEndian.PutUint64(word[:], splitmix64(&state))
			copy(out[at:], word[:])
		}
	} else {
		v.stop("an input that is none: %s", raw)
	}
	v.done("input", f)
	return out
}

func splitmix64(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// input takes a field that holds bytes; one that is not there is empty.
func (v *vectorRun) input(f vectorFields, name string) []byte {
	raw, there := f[name]
	if !there {
		return nil
	}
	delete(f, name)
	return v.bytes(raw)
}

// A vectorOutput is what must come out: bytes, or their digest.
type vectorOutput struct {
	bytes  []byte
	digest []byte // nil where the bytes are known
	len    int
}

func (v *vectorRun) output(f vectorFields, name string) vectorOutput {
	raw, there := f[name]
	if !there {
		return vectorOutput{}
	}
	delete(f, name)
	var s string
	if json.Unmarshal(raw, &s) == nil {
		b := v.hex(s)
		return vectorOutput{bytes: b, len: len(b)}
	}
	o := vectorFields{}
	if err := json.Unmarshal(raw, &o); err != nil {
		v.stop("an output that is none: %v", err)
	}
	var n int
	if !v.take(o, "sha256", &s) || !v.take(o, "len", &n) {
		v.stop("an output that is none: %s", raw)
	}
	v.done("output", o)
	return vectorOutput{digest: v.hex(s), len: n}
}

func (o vectorOutput) check(what string, got []byte) error {
	right := len(got) == o.len
	if o.digest != nil {
		sum := sha256.Sum256(got)
		right = right && bytes.Equal(sum[:], o.digest)
	} else {
		right = right && bytes.Equal(got, o.bytes)
	}
	if !right {
		return fmt.Errorf("%s is wrong: %x", what, got[:min(len(got), 64)])
	}
	return nil
}

// A vectorCase is what every test has; `fields` is the rest.
type vectorCase struct {
	id      int
	invalid bool
	err     string
	dir     string
	chunks  [][]int
	fields  vectorFields
}

func (c *vectorCase) encrypts() bool { return c.dir != "decrypt" }
func (c *vectorCase) decrypts() bool { return c.dir != "encrypt" }

// plans are the splits of the shape "stream".
func (c *vectorCase) plans() [][]int {
	if c.chunks != nil {
		return c.chunks
	}
	return [][]int{c.plan()}
}

// plan is the split that a case has by its number.
func (c *vectorCase) plan() []int {
	return [][]int{{1}, {16}, {17, 1, 64}, {63, 64, 65}, {0, 15, 33}, {1, 255, 1, 256}, {48, 80, 7},
		{511, 2}}[c.id%8]
}

// pieces cuts n bytes as a plan says; each size counts `unit` bytes.
func pieces(plan []int, n, unit int) [][2]int {
	var list [][2]int
	for at, i := 0, 0; at < n; i++ {
		end := min(at+plan[min(i, len(plan)-1)]*unit, n)
		list = append(list, [2]int{at, end})
		at = end
	}
	return list
}

func (v *vectorRun) readCase(f vectorFields, seen map[int]bool) *vectorCase {
	c := &vectorCase{fields: f, dir: "both"}
	if !v.take(f, "tcId", &c.id) || seen[c.id] {
		v.stop("tcId %d is missing or comes twice", c.id)
	}
	seen[c.id] = true
	var result string
	v.take(f, "result", &result)
	if result != "valid" && result != "invalid" {
		v.stop("tcId %d: result %q", c.id, result)
	}
	c.invalid = result == "invalid"
	if v.take(f, "error", &c.err) != c.invalid {
		v.stop("tcId %d: an invalid case, and no other, has an error", c.id)
	}
	if v.take(f, "dir", &c.dir); !slices.Contains([]string{"both", "encrypt", "decrypt"}, c.dir) {
		v.stop("tcId %d: dir %q", c.id, c.dir)
	}
	v.take(f, "chunks", &c.chunks)
	delete(f, "comment")
	delete(f, "flags")
	return c
}

// runFile runs one file and counts.
func (v *vectorRun) runFile(name string) (cases, runs int) {
	v.file, v.runs = name, 0
	raw, err := os.ReadFile(v.files[name])
	if err != nil {
		v.stop("%v", err)
	}
	file := vectorFields{}
	if err := json.Unmarshal(raw, &file); err != nil {
		v.stop("%v", err)
	}
	var schema string
	if v.take(file, "schema", &schema); schema != "xorcore_vectors_v1" {
		v.stop("schema %q", schema)
	}
	v.take(file, "algorithm", &v.algo)
	var announced int
	v.take(file, "numberOfTests", &announced)
	var groups []vectorFields
	v.take(file, "testGroups", &groups)
	for _, field := range []string{"generatorVersion", "header", "license", "notes"} {
		delete(file, field)
	}
	v.done("file", file)
	if len(groups) == 0 {
		v.stop("no groups")
	}
	seen := map[int]bool{}
	for _, g := range groups {
		var kind string
		v.take(g, "type", &kind)
		delete(g, "source")
		var tests []vectorFields
		v.take(g, "tests", &tests)
		if len(tests) == 0 {
			v.stop("a group without tests")
		}
		list := make([]*vectorCase, len(tests))
		for i, f := range tests {
			list[i] = v.readCase(f, seen)
		}
		run := vectorTypes[kind]
		if run == nil {
			v.stop("type %q", kind)
		}
		run(v, g, list)
		v.done("group", g)
		for _, c := range list {
			v.done(fmt.Sprintf("tcId %d", c.id), c.fields)
		}
		cases += len(list)
	}
	if cases != announced {
		v.stop("%d tests, %d announced", cases, announced)
	}
	return cases, v.runs
}

// ---- running ---------------------------------------------------------------------------------------

var vectorTypes = map[string]func(v *vectorRun, group vectorFields, cases []*vectorCase){
	"XorTest":         (*vectorRun).xorTests,
	"XorManyTest":     (*vectorRun).xorManyTests,
	"XorRepeatTest":   (*vectorRun).xorRepeatTests,
	"EqualTest":       (*vectorRun).equalTests,
	"AeadTest":        (*vectorRun).aeadTests,
	"AccumulatedTest": (*vectorRun).accumulated,
	"CipherTest":      (*vectorRun).cipherTests,
	"MacTest":         (*vectorRun).macTests,
}

// run carries one run out, and counts it unless it fails.
func (v *vectorRun) run(c *vectorCase, kernel, shape string, f func() error) {
	if err := attempt(f); err != nil {
		fmt.Printf("FAIL %s tcId=%d kernel=%s shape=%s: %v\n", v.file, c.id, kernel, shape, err)
		v.t.Fail()
		return
	}
	v.runs++
}

// attempt turns a panic of f into an error.
func attempt(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// resultName is the one table from what Go returns or panics with to the names of the results.
func resultName(err error) string {
	var e Error
	switch {
	case err == nil:
		return "OK"
	case errors.As(err, &e):
		return e.Name()
	}
	for text, name := range map[string]string{
		"incorrect nonce length": "NONCE_LENGTH",
		"IV length must equal":   "NONCE_LENGTH",
		"message too large":      "LIMIT",
		"overlap":                "OVERLAP",
		"not full block":         "DATA_LENGTH",
		"empty key":              "KEY_LENGTH",
	} {
		if strings.Contains(err.Error(), text) {
			return name
		}
	}
	return err.Error()
}

// expect runs a call that must fail with the error of that name and leave buf as `fill` left it.
func expect(name string, buf []byte, f func() error) error {
	fill(buf)
	if got := resultName(attempt(f)); got != name {
		return fmt.Errorf("%s, not %s", got, name)
	}
	return stillFilled(buf)
}

func fill(buf []byte) {
	for i := range buf {
		buf[i] = 0xa5
	}
}

func stillFilled(buf []byte) error {
	for i, b := range buf {
		if b != 0xa5 {
			return fmt.Errorf("byte %d of the output was written", i)
		}
	}
	return nil
}

// familyKernels are the rows of a family that run here.
func familyKernels(family string) (names []string) {
	for _, k := range Kernels() {
		if k.Family == family && k.Runs {
			names = append(names, k.Name)
		}
	}
	return names
}

// pairKernels are the pairs of tests/vectors/README.md.
func pairKernels() (names []string) {
	aes, ghash := familyKernels("aes"), familyKernels("ghash")
	for i, a := range aes {
		for j, g := range ghash {
			if i == 0 || j == 0 || (i == len(aes)-1 && j == len(ghash)-1) {
				names = append(names, a+"+"+g)
			}
		}
	}
	return names
}

func gcmKernels() []string { return append(familyKernels("gcm"), pairKernels()...) }

// rightKernel checks that an object runs on the kernel that it was made with.
func rightKernel(object any, kernel string) error {
	got := KernelOf(object)
	if got == kernel || kernel == "composed" && strings.Contains(got, "+") ||
		!Native() && got == "go" {
		return nil
	}
	return fmt.Errorf("runs on %s", got)
}

// A place lays buffers out as a shape says: offset counts bytes behind an aligned address.
type place int

const (
	placeAligned place = 0
	placeIn      place = 1 // inputs of the shape "offset"
	placeOut     place = 3 // outputs of it
)

// room is a buffer of n bytes (and of that capacity), filled.
func (p place) room(n int) []byte {
	raw := make([]byte, n+int(p)+128)
	at := int(-addressOf(raw)&63) + int(p)
	buf := raw[at : at+n : at+n]
	fill(buf)
	return buf
}

func (p place) copy(b []byte) []byte {
	buf := p.room(len(b))
	copy(buf, b)
	return buf
}

// both shapes of placing, with their names.
var placings = []struct {
	shape   string
	in, out place
}{
	{"oneshot", placeAligned, placeAligned},
	{"offset", placeIn, placeOut},
}

// ---- XOR -------------------------------------------------------------------------------------------

func (v *vectorRun) xorTests(_ vectorFields, cases []*vectorCase) {
	for _, c := range cases {
		a, b, out := v.input(c.fields, "a"), v.input(c.fields, "b"), v.output(c.fields, "out")
		for _, kernel := range familyKernels("xor") {
			for _, p := range placings {
				v.run(c, kernel, p.shape, func() error {
					dst := p.out.room(len(a))
					r := xorTwoOn(kernel, dst, p.in.copy(a), p.in.copy(b))
					return errors.Join(r.err(), out.check("out", dst))
				})
			}
			v.run(c, kernel, "inplace", func() error {
				dst := bytes.Clone(a)
				r := xorTwoOn(kernel, dst, dst, bytes.Clone(b))
				return errors.Join(r.err(), out.check("out", dst))
			})
			v.run(c, kernel, "inplace_b", func() error {
				dst := bytes.Clone(b)
				r := xorTwoOn(kernel, dst, bytes.Clone(a), dst)
				return errors.Join(r.err(), out.check("out", dst))
			})
		}
	}
}

func (v *vectorRun) xorManyTests(_ vectorFields, cases []*vectorCase) {
	for _, c := range cases {
		var raw []json.RawMessage
		v.take(c.fields, "srcs", &raw)
		out := v.output(c.fields, "out")
		var srcs [][]byte
		for _, s := range raw {
			srcs = append(srcs, v.bytes(s))
		}
		sources := func(p place) (list [][]byte) {
			for _, s := range srcs {
				list = append(list, p.copy(s))
			}
			return list
		}
		for _, kernel := range familyKernels("xor") {
			if c.invalid {
				v.run(c, kernel, "oneshot", func() error {
					return expect(c.err, make([]byte, 64), func() error {
						return xorManyOn(kernel, nil, srcs).err()
					})
				})
				continue
			}
			n := len(srcs[0])
			for _, p := range placings {
				v.run(c, kernel, p.shape, func() error {
					dst := p.out.room(n)
					r := xorManyOn(kernel, dst, sources(p.in))
					return errors.Join(r.err(), out.check("out", dst))
				})
			}
			v.run(c, kernel, "inplace", func() error {
				list := sources(placeAligned)
				dst := list[len(list)-1]
				r := xorManyOn(kernel, dst, list)
				return errors.Join(r.err(), out.check("out", dst))
			})
			v.run(c, kernel, "strided", func() error {
				stride := n + 5
				src := make([]byte, (len(srcs)-1)*stride+n)
				for i, s := range srcs {
					copy(src[i*stride:], s)
				}
				dst := placeAligned.room(n)
				r := xorStridedOn(kernel, dst, src, stride, len(srcs))
				return errors.Join(r.err(), out.check("out", dst))
			})
		}
	}
}

func (v *vectorRun) xorRepeatTests(_ vectorFields, cases []*vectorCase) {
	for _, c := range cases {
		key, msg, out := v.input(c.fields, "key"), v.input(c.fields, "msg"), v.output(c.fields, "out")
		var phase uint64
		v.take(c.fields, "phase", &phase)
		for _, kernel := range familyKernels("xor") {
			if c.invalid {
				v.run(c, kernel, "oneshot", func() error {
					buf := make([]byte, len(msg))
					return errors.Join(
						expect(c.err, buf, func() error { return xorRepeatOn(kernel, buf, msg, key, phase).err() }),
						expect(c.err, buf, func() error { XORRepeat(buf, msg, key, phase); return nil }))
				})
				continue
			}
			for _, p := range placings {
				v.run(c, kernel, p.shape, func() error {
					dst := p.out.room(len(msg))
					r := xorRepeatOn(kernel, dst, p.in.copy(msg), p.in.copy(key), phase)
					return errors.Join(r.err(), out.check("out", dst))
				})
			}
			v.run(c, kernel, "inplace", func() error {
				dst := bytes.Clone(msg)
				r := xorRepeatOn(kernel, dst, dst, key, phase)
				return errors.Join(r.err(), out.check("out", dst))
			})
			for _, plan := range c.plans() {
				v.run(c, kernel, "stream", func() error {
					dst := placeAligned.room(len(msg))
					first := phase % uint64(len(key))
					for _, p := range pieces(plan, len(msg), 1) {
						r := xorRepeatOn(kernel, dst[p[0]:p[1]], msg[p[0]:p[1]], key, first+uint64(p[0]))
						if r != ok {
							return r
						}
					}
					return out.check("out", dst)
				})
			}
		}
	}
}

func (v *vectorRun) equalTests(_ vectorFields, cases []*vectorCase) {
	for _, c := range cases {
		a, b := v.input(c.fields, "a"), v.input(c.fields, "b")
		var want bool
		v.take(c.fields, "equal", &want)
		for _, p := range placings {
			v.run(c, "", p.shape, func() error {
				x, y := p.in.copy(a), p.out.copy(b)
				if Equal(x, y) != want || len(x) == len(y) && equalNative(x, y) != want {
					return fmt.Errorf("not %v", want)
				}
				return nil
			})
		}
	}
}

// ---- AEAD ------------------------------------------------------------------------------------------

// The fields of an AeadTest.
type aeadCase struct {
	*vectorCase
	key, iv, aad, msg, tag []byte
	ct                     vectorOutput
}

func (v *vectorRun) aeadTests(group vectorFields, cases []*vectorCase) {
	alg := vectorAEADs[v.algo]
	if alg.kernels == nil {
		v.stop("algorithm %q", v.algo)
	}
	var tagBits int
	v.take(group, "tagSize", &tagBits)
	tagSize := tagBits / 8
	list := make([]*aeadCase, len(cases))
	for i, c := range cases {
		list[i] = &aeadCase{vectorCase: c, key: v.input(c.fields, "key"), iv: v.input(c.fields, "iv"),
			aad: v.input(c.fields, "aad"), msg: v.input(c.fields, "msg"), tag: v.input(c.fields, "tag"),
			ct: v.output(c.fields, "ct")}
	}
	for _, kernel := range alg.kernels() {
		for _, c := range list {
			v.aeadCase(c, alg, tagSize, kernel)
		}
		v.aeadRows(list, alg, tagSize, kernel)
	}
}

func (v *vectorRun) aeadCase(c *aeadCase, alg vectorAEAD, tagSize int, kernel string) {
	if c.invalid && c.err != "AUTH" {
		v.run(c.vectorCase, kernel, "oneshot", func() error { return c.refused(alg, tagSize, kernel) })
		return
	}
	for _, p := range placings {
		v.run(c.vectorCase, kernel, p.shape, func() error {
			a, err := alg.make(c, tagSize, kernel)
			if err != nil {
				return err
			}
			defer Close(a)
			if c.invalid {
				return c.rejected(a, p.in.copy(slices.Concat(c.ct.bytes, c.tag)), p.out.room(c.ct.len+len(c.tag)+tagSize))
			}
			sealed := slices.Concat(c.ct.bytes, c.tag)
			if c.encrypts() {
				dst := p.out.room(len(c.msg) + tagSize)
				sealed = a.Seal(dst[:0], p.in.copy(c.iv), p.in.copy(c.msg), p.in.copy(c.aad))
				if addressOf(sealed) != addressOf(dst) {
					return errors.New("Seal did not use the capacity of dst")
				}
				if err := c.sealed(sealed); err != nil {
					return err
				}
			}
			if c.decrypts() {
				got, err := a.Open(p.out.room(len(c.msg))[:0], p.in.copy(c.iv), p.in.copy(sealed),
					p.in.copy(c.aad))
				if err != nil || !bytes.Equal(got, c.msg) {
					return fmt.Errorf("Open: %v, %x", err, got[:min(len(got), 64)])
				}
			}
			return rightKernel(a, kernel)
		})
		if c.invalid && len(c.tag) != tagSize {
			return
		}
	}
	v.run(c.vectorCase, kernel, "inplace", func() error {
		a, err := alg.make(c, tagSize, kernel)
		if err != nil {
			return err
		}
		defer Close(a)
		if c.invalid {
			buf := slices.Concat(c.ct.bytes, c.tag)
			return c.rejected(a, buf, buf)
		}
		buf := slices.Concat(c.msg, make([]byte, tagSize))
		if c.encrypts() {
			a.Seal(buf[:0], c.iv, buf[:len(c.msg)], c.aad)
			if err := c.sealed(buf); err != nil {
				return err
			}
		} else {
			buf = slices.Concat(c.ct.bytes, c.tag)
		}
		if c.decrypts() {
			got, err := a.Open(buf[:0], c.iv, buf, c.aad)
			if err != nil || !bytes.Equal(got, c.msg) {
				return fmt.Errorf("Open: %v, %x", err, got[:min(len(got), 64)])
			}
		}
		return nil
	})
	v.aeadStreams(c, alg, tagSize, kernel)
}

func (c *aeadCase) sealed(sealed []byte) error {
	n := len(c.msg)
	if !bytes.Equal(sealed[n:], c.tag) {
		return fmt.Errorf("tag is wrong: %x", sealed[n:])
	}
	return c.ct.check("ct", sealed[:n])
}

// rejected opens what must not open. dst is where the text would go, and may be `sealed` itself.
func (c *aeadCase) rejected(a interface {
	Open(dst, nonce, sealed, aad []byte) ([]byte, error)
	Overhead() int
}, sealed, dst []byte) error {
	inPlace := addressOf(sealed) == addressOf(dst)
	got, err := a.Open(dst[:0], c.iv, sealed, c.aad)
	if err != ErrOpen || got != nil {
		return fmt.Errorf("Open: %v, %x", err, got)
	}
	n := len(sealed) - a.Overhead()
	if n < 0 {
		n = 0
	} else if !bytes.Equal(dst[:n], make([]byte, n)) {
		return errors.New("Open left something in the output")
	}
	if inPlace {
		return nil
	}
	return stillFilled(dst[n:])
}

// refused makes the calls of a case that is wrong before anything is computed.
func (c *aeadCase) refused(alg vectorAEAD, tagSize int, kernel string) (err error) {
	buf := make([]byte, len(c.msg)+max(tagSize, 16))
	if c.encrypts() {
		err = expect(c.err, buf, func() error {
			a, err := alg.make(c, tagSize, kernel)
			if err == nil {
				a.Seal(buf[:0], c.iv, c.msg, c.aad)
			}
			return err
		})
	}
	if c.decrypts() && err == nil {
		err = expect(c.err, buf, func() error {
			a, err := alg.make(c, tagSize, kernel)
			if err == nil {
				_, err = a.Open(buf[:0], c.iv, slices.Concat(c.msg, make([]byte, tagSize)), c.aad)
			}
			return err
		})
	}
	return err
}

// TestSplitmix64 checks the generator with the sample of the README.
func TestSplitmix64(t *testing.T) {
	v := &vectorRun{t: t}
	got := v.bytes(json.RawMessage(`{"gen":"splitmix64","seed":"0000000000000000","len":20}`))
	if fmt.Sprintf("%x", got) != "afcd1d7b39a820e2f465b9a16a9e786e4f450980" {
		t.Errorf("%x", got)
	}
}
