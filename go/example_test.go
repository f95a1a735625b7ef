// example_test.go — examples, which are run as tests.

package xorcore_test

import (
	"crypto/rand"
	"fmt"
	"log"

	"xorcore.example/xorcore"
)

func ExampleXORBytes() {
	dst := make([]byte, 5)
	n := xorcore.XORBytes(dst, []byte("hello"), []byte{0x20, 0x20, 0x20, 0x20, 0x20})
	fmt.Printf("%s %d\n", dst[:n], n)
	// Output: HELLO 5
}

func ExampleXORBytesN() {
	shards := [][]byte{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	parity := make([]byte, 3)
	xorcore.XORBytesN(parity, shards...)
	// Any shard is the XOR of the others and the parity.
	lost := make([]byte, 3)
	xorcore.XORBytesN(lost, shards[0], shards[2], parity)
	fmt.Println(parity, lost)
	// Output: [2 15 12] [4 5 6]
}

func ExampleXORRepeat() {
	mask := []byte{0x37, 0xfa, 0x21, 0x3d} // of a WebSocket frame
	frame := []byte{0x7f, 0x9f, 0x4d, 0x51, 0x58}
	xorcore.XORRepeat(frame, frame, mask, 0)
	fmt.Printf("%s\n", frame)
	// Output: Hello
}

func ExampleNewGCM() {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		log.Fatal(err)
	}
	aead, err := xorcore.NewGCM(key)
	if err != nil {
		log.Fatal(err)
	}
	nonce := make([]byte, aead.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		log.Fatal(err)
	}
	// The nonce travels in front of the ciphertext.
	message := aead.Seal(nonce, nonce, []byte("attack at dawn"), nil)
	text, err := aead.Open(nil, message[:12], message[12:], nil)
	if err == xorcore.ErrOpen {
		log.Fatal("someone has changed the message")
	}
	fmt.Printf("%s\n", text)
	// Output: attack at dawn
}

func ExampleNewXAES256GCMWithRandomNonce() {
	key := make([]byte, 32) // from crypto/rand
	aead, err := xorcore.NewXAES256GCMWithRandomNonce(key)
	if err != nil {
		fmt.Println(err)
		return
	}
	sealed := aead.Seal(nil, nil, []byte("hello"), nil) // its nonce is in front
	text, err := aead.Open(nil, nil, sealed, nil)
	fmt.Println(len(sealed)-len(text), string(text), err)
	// Output: 40 hello <nil>
}

func ExampleCTR_XORKeyStreamAt() {
	key, iv := make([]byte, 16), make([]byte, 16)
	ctr, err := xorcore.NewCTR(key, iv)
	if err != nil {
		log.Fatal(err)
	}
	text := []byte("a long file, of which someone wants the middle")
	sealed := make([]byte, len(text))
	ctr.XORKeyStream(sealed, text)

	middle := make([]byte, 4)
	ctr.XORKeyStreamAt(middle, sealed[7:11], 7)
	fmt.Printf("%s\n", middle)
	// Output: file
}

func ExampleXTS_EncryptSectors() {
	key := make([]byte, 64)
	key[0] = 1 // the two halves of a key must differ
	xts, err := xorcore.NewXTS(key)
	if err != nil {
		log.Fatal(err)
	}
	disk := make([]byte, 8*512)
	if err := xts.EncryptSectors(disk, disk, 512, 100); err != nil {
		log.Fatal(err)
	}
	// Any sector can be read without the others.
	sector := make([]byte, 512)
	xts.Decrypt(sector, disk[3*512:4*512], 103)
	fmt.Println(xorcore.Equal(sector, make([]byte, 512)))
	// Output: true
}

func ExampleSealRecords() {
	aead, err := xorcore.NewGCM(make([]byte, 16))
	if err != nil {
		log.Fatal(err)
	}
	lines := []byte("one  two  three")
	nonces := make([]byte, 3*12)
	for i := range 3 {
		nonces[12*i] = byte(i) // each nonce is used once
	}
	sealed, err := xorcore.SealRecords(aead, nil, lines, 5, nonces, nil)
	if err != nil {
		log.Fatal(err)
	}
	opened, err := xorcore.OpenRecords(aead, nil, sealed, 5, nonces, nil)
	fmt.Printf("%d %s %v\n", len(sealed), opened, err)
	// Output: 63 one  two  three <nil>
}

func ExampleNewSealStream() {
	aead, err := xorcore.NewGCM(make([]byte, 32))
	if err != nil {
		log.Fatal(err)
	}
	nonce := make([]byte, 12)
	stream, err := xorcore.NewSealStream(aead, nonce)
	if err != nil {
		log.Fatal(err)
	}
	var sealed []byte
	for _, piece := range []string{"a message ", "that is too long ", "for memory"} {
		out := make([]byte, len(piece))
		if err := stream.Update(out, []byte(piece)); err != nil {
			log.Fatal(err)
		}
		sealed = append(sealed, out...)
	}
	if sealed, err = stream.Finish(sealed); err != nil {
		log.Fatal(err)
	}
	text, err := aead.Open(nil, nonce, sealed, nil)
	fmt.Printf("%s %v\n", text, err)
	// Output: a message that is too long for memory <nil>
}

func ExampleMAC() {
	mac, err := xorcore.NewCMAC(make([]byte, 16))
	if err != nil {
		log.Fatal(err)
	}
	tag := mac.Sum(nil, nil, []byte("text"))
	fmt.Println(len(tag), mac.Verify(tag, nil, []byte("text")), mac.Verify(tag, nil, []byte("test")))
	// Output: 16 <nil> message authentication failed
}
