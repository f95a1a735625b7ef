// purego_selftest.go — without cgo: a known answer.

//go:build !cgo

package xorcore

import (
	"bytes"
	"encoding/hex"
)

// selfTest has one known answer that takes AES, GHASH and a counter that wraps: AES-GCM with a nonce
// whose first counter block is all ones.
func selfTest() Error {
	unhex := func(s string) []byte {
		b, _ := hex.DecodeString(s)
		return b
	}
	a, err := NewGCMWithSizes(unhex("00112233445566778899aabbccddeeff"), 16, 16)
	if err != nil {
		return ErrSelfTest
	}
	got := a.Seal(nil, unhex("1a552e67cdc4dc1a33b824874ebf0bed"), make([]byte, 40), nil)
	want := unhex("948ca37a8e6649e88aeffb1c598f3607007702417ea0e0bc3c60ad5a949886de968cf53ea6462aed" +
		"99b381bfa2af9751c39d1b6e86d1be6a")
	if !bytes.Equal(got, want) {
		return ErrSelfTest
	}
	return ok
}
