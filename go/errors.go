// errors.go — the results of the C library as Go errors.

package xorcore

// An Error is a result of the library other than success. It compares with ==, so err == ErrOpen and
// errors.Is(err, ErrOpen) both work.
type Error int32

// The errors, with the numbers of xorcore.h. When several apply to one call, the first of this order is
// reported: creating ErrArg, ErrKeyLength, ErrTagLength, ErrWeakKey, ErrKernel, ErrMemory; calling
// ErrArg, ErrUnsupported, ErrState, ErrNonceLength, ErrTagLength, ErrDataLength, ErrLimit, ErrOverlap,
// ErrOpen.
const (
	ErrArg         Error = -1  // an argument that can't be
	ErrKeyLength   Error = -2  // the algorithm has no key of this length
	ErrNonceLength Error = -3  // the algorithm takes no nonce or IV of this length
	ErrTagLength   Error = -4  // the algorithm, or this object, has no tag of this length
	ErrDataLength  Error = -5  // not a multiple of the block, or shorter than the mode allows
	ErrOverlap     Error = -6  // buffers overlap other than exactly
	ErrOpen        Error = -7  // authentication failed; the output is all zeros
	ErrLimit       Error = -8  // more data than the standard allows under one key and nonce
	ErrState       Error = -9  // calls out of order, or of a closed object
	ErrKernel      Error = -10 // no such kernel, or it can't run here
	ErrWeakKey     Error = -11 // an XTS key with two equal halves
	ErrMemory      Error = -12 // no memory for the object
	ErrSelfTest    Error = -13 // a kernel gave a wrong answer to a known question
	ErrUnsupported Error = -14 // this algorithm has no such operation

	ok Error = 0
)

// Names and sentences, by the negated number. The tests compare them with the C library's.
var errorWords = [...]struct{ name, text string }{
	{"OK", "success"},
	{"ARG", "an argument is NULL where bytes are needed, or an unknown constant"},
	{"KEY_LENGTH", "the algorithm has no key of this length"},
	{"NONCE_LENGTH", "the algorithm takes no nonce or IV of this length"},
	{"TAG_LENGTH", "the tag has a length that the algorithm or the object does not have"},
	{"DATA_LENGTH", "the data is not a multiple of the block, or too short for the mode"},
	{"OVERLAP", "buffers overlap other than exactly"},
	{"AUTH", "message authentication failed"},
	{"LIMIT", "more data than the standard allows"},
	{"STATE", "calls out of order: data before CCM's lengths, AAD after text, an end before all that was announced, or a call after the end"},
	{"KERNEL", "no such kernel, or it cannot run on this machine"},
	{"WEAK_KEY", "the two halves of an XTS key are equal"},
	{"MEMORY", "out of memory"},
	{"SELFTEST", "a kernel failed its known-answer test"},
	{"UNSUPPORTED", "the algorithm has no such operation"},
}

// Error returns the sentence that xorcore_result_text() has for the result.
func (e Error) Error() string {
	if e <= 0 && int(-e) < len(errorWords) {
		return errorWords[-e].text
	}
	return "a number that is no result of this library"
}

// Name returns the name that xorcore_result_name() has for the result: "AUTH" for ErrOpen.
func (e Error) Name() string {
	if e <= 0 && int(-e) < len(errorWords) {
		return errorWords[-e].name
	}
	return "UNKNOWN"
}

// Code returns the number of the result in xorcore.h.
func (e Error) Code() int { return int(e) }

// errorValues are the errors as values of that interface, so that returning one takes no memory.
var errorValues = func() (list [len(errorWords)]error) {
	for i := 1; i < len(list); i++ {
		list[i] = Error(-i)
	}
	return list
}()

// err makes an error of a result: nil for success.
func (e Error) err() error {
	if e <= 0 && int(-e) < len(errorValues) {
		return errorValues[-e]
	}
	return e
}

// check panics unless the result is success.
func (e Error) check() {
	if e != ok {
		panic("xorcore: " + e.Error())
	}
}
