// object.go — what all objects have in common: a kernel, and an end.

package xorcore

// object is what every object of this package is underneath.
type object interface {
	kernel() string
	close()
}

// KernelOf tells what an object of this package runs on: "vaes_avx2", "aesni+pclmul", or "go" in a
// build without cgo. [WithKernel] accepts the answer. It is empty for anything that is not from this
// package, and for what has been closed.
func KernelOf(v any) string {
	if o, isOurs := v.(interface{ object() object }); isOurs {
		return o.object().kernel()
	}
	return ""
}

// Close wipes and frees an object of this package now, where the garbage collector would do so some time
// after its last use. No other goroutine may be using the object. Using it afterwards is [ErrState] where a
// call returns errors, and a panic where it does not. Closing it again does nothing, nor does closing anything
// that is not from this package. Objects that were made from one another are closed one by one.
func Close(v any) {
	if o, isOurs := v.(interface{ object() object }); isOurs {
		o.object().close()
	}
}

// mustBeOpen panics if an object has been closed: for calls that can't return an error.
func mustBeOpen(o interface{ closed() bool }) {
	if o.closed() {
		panic("xorcore: use of a closed object")
	}
}
