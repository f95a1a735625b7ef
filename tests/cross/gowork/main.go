// Command gowork does with Go's standard library what work.c does with libxorcore and OpenSSL:
//
//	gowork OPERATION BYTES ROUNDS [OFFSET_OUT OFFSET_A OFFSET_B]
package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"fmt"
	"os"
	"strconv"
)

func number(i int) int {
	if i >= len(os.Args) {
		return 0
	}
	value, err := strconv.Atoi(os.Args[i])
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	operation, n, rounds := os.Args[1], number(2), number(3)
	buffer := func(i int) []byte { return make([]byte, n+64)[number(i):][:n : n+16] }
	out, a, b := buffer(4), buffer(5), buffer(6)
	for i := range n {
		a[i], b[i] = byte(i*7+i>>8), byte(i*13+5)
	}
	iv := [16]byte{7, 7, 7}
	block, err := aes.NewCipher([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	var tag [16]byte
	for range rounds {
		switch operation {
		case "xor":
			subtle.XORBytes(out, a, b)
		case "gcm":
			copy(tag[:], aead.Seal(out[:0], iv[:12], a, nil)[n:])
		case "ctr":
			cipher.NewCTR(block, iv[:]).XORKeyStream(out, a)
		case "cbc-encrypt":
			cipher.NewCBCEncrypter(block, iv[:]).CryptBlocks(out, a)
		case "cbc-decrypt":
			cipher.NewCBCDecrypter(block, iv[:]).CryptBlocks(out, a)
		default:
			panic(operation)
		}
	}
	digest := uint64(0)
	for _, part := range [][]byte{out, tag[:]} {
		for _, c := range part {
			digest = (digest ^ uint64(c)) * 0x100000001b3
		}
	}
	fmt.Printf("%016x\n", digest)
}
