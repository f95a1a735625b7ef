// kernels.go — what is in the library, and what runs here.

package xorcore

import "strings"

// A Kernel is one implementation of one family of operations.
type Kernel struct {
	Family       string // "xor", "aes", "ghash", "gcm"
	Name         string // the name that WithKernel takes: "vaes_avx2"
	Needs        string // CPU features, with spaces between
	Why          string // empty when it runs here; else "cpu: WORDS", "os: WORDS" or "disabled: WORDS"
	Runs         bool   // this CPU and system can run it, and it is not disabled
	Default      bool   // what its family uses when no kernel is named; one per family
	ConstantTime bool   // no secret-dependent branch or memory index
}

// Kernels lists what is in the library, those kernels that can't run here included, best first within
// a family. A build without cgo has one row a family, named "go".
func Kernels() []Kernel { return kernels() }

// CPU returns the architecture and the CPU features that the library may use: "amd64", "aes", … What
// the environment variable XORCORE_DISABLE takes away is not among them.
func CPU() []string { return strings.Fields(cpu()) }

// Version returns the version of the C library that is running, or "go" in a build without cgo.
func Version() string { return version() }

// SelfTest runs known answers on every kernel that runs here. It returns nil, [ErrSelfTest] or
// [ErrMemory].
func SelfTest() error { return selfTest().err() }
