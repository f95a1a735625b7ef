// aeads_test.go — the list of all AEADs, and the errors of CCM, GCM-SIV and XAES-256-GCM.

package xorcore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"testing"
)

// aeadsUnderTest are all AEADs of this package, those of a Block included.
func aeadsUnderTest() []aeadUnderTest {
	list := gcmsUnderTest()
	for _, keySize := range []int{16, 24, 32} {
		key := random(uint64(keySize)+50, keySize)
		for _, nonceSize := range []int{7, 11, 12, 13} {
			for _, tagSize := range []int{4, 10, 16} {
				if nonceSize != 12 && tagSize != 16 || nonceSize == 13 {
					continue // 13: shorter texts, in TestCCMLimit
				}
				list = append(list, aeadUnderTest{fmt.Sprintf("CCM-%d/nonce%d/tag%d", 8*keySize, nonceSize, tagSize),
					func(opts ...Option) (cipher.AEAD, error) { return NewCCM(key, nonceSize, tagSize, opts...) }, nil})
			}
		}
		list = append(list, aeadUnderTest{fmt.Sprintf("Block/GCM-%d", 8*keySize),
			func(opts ...Option) (cipher.AEAD, error) {
				b, err := NewCipher(key, opts...)
				if err != nil {
					return nil, err
				}
				return cipher.NewGCM(b)
			}, stdGCM(key, cipher.NewGCM)})
	}
	for _, keySize := range []int{16, 32} {
		key := random(uint64(keySize)+60, keySize)
		list = append(list, aeadUnderTest{fmt.Sprintf("GCM-SIV-%d", 8*keySize),
			func(opts ...Option) (cipher.AEAD, error) { return NewGCMSIV(key, opts...) }, nil})
	}
	key := random(70, 32)
	return append(list, aeadUnderTest{"XAES-256-GCM",
		func(opts ...Option) (cipher.AEAD, error) { return NewXAES256GCM(key, opts...) }, nil})
}

// TestOtherAEADErrors has every way in which the objects of CCM, GCM-SIV and XAES-256-GCM are refused.
func TestOtherAEADErrors(t *testing.T) {
	fits := func(what string, err error, good bool, otherwise Error) {
		t.Helper()
		if good && err != nil || !good && err != otherwise {
			t.Errorf("%s: %v", what, err)
		}
	}
	for n := 0; n <= 65; n++ {
		key := make([]byte, n)
		_, err := NewCCM(key, 12, 16)
		fits(fmt.Sprintf("CCM key of %d", n), err, n == 16 || n == 24 || n == 32, ErrKeyLength)
		_, err = NewGCMSIV(key)
		fits(fmt.Sprintf("GCM-SIV key of %d", n), err, n == 16 || n == 32, ErrKeyLength)
		_, err = NewXAES256GCM(key)
		fits(fmt.Sprintf("XAES key of %d", n), err, n == 32, ErrKeyLength)
	}
	key := make([]byte, 16)
	for n := -1; n <= 20; n++ {
		_, err := NewCCM(key, 12, n)
		fits(fmt.Sprintf("CCM tag of %d", n), err, n >= 4 && n <= 16 && n%2 == 0, ErrTagLength)
		_, err = NewCCM(key, n, 16)
		fits(fmt.Sprintf("CCM nonce of %d", n), err, n >= 7 && n <= 13, ErrNonceLength)
	}
	for _, kernel := range []string{"nonsense", "+", "portable+nonsense"} {
		_, err := NewCCM(key, 12, 16, WithKernel(kernel))
		fits("CCM kernel "+kernel, err, false, ErrKernel)
		_, err = NewGCMSIV(key, WithKernel(kernel))
		fits("GCM-SIV kernel "+kernel, err, false, ErrKernel)
	}
	_, err := NewXAES256GCM(make([]byte, 32), WithKernel("nonsense"))
	fits("XAES kernel", err, false, ErrKernel)
}

// TestCCMLimit is about the text that a nonce of 13 bytes leaves room to count.
func TestCCMLimit(t *testing.T) {
	a := made(NewCCM(make([]byte, 16), 13, 8))(t)
	nonce, text := make([]byte, 13), make([]byte, 65536)
	sealed := a.Seal(nil, nonce, text[1:], nil)
	if _, err := a.Open(nil, nonce, sealed, nil); err != nil {
		t.Error(err)
	}
	dst := make([]byte, 70000)
	fill(dst)
	mustPanic(t, "crypto/cipher: message too large for CCM", func() { a.Seal(dst[:0], nonce, text, nil) })
	if out, err := a.Open(dst[:0], nonce, make([]byte, 65536+8), nil); err != ErrLimit || out != nil {
		t.Errorf("Open: %v", err)
	}
	if err := stillFilled(dst); err != nil {
		t.Error(err)
	}
}

// TestBlockGCMSizes goes through crypto/cipher, which asks the Block.
func TestBlockGCMSizes(t *testing.T) {
	key, nonce := random(1, 16), random(2, 20)
	b := made(NewCipher(key))(t)
	std := made(aes.NewCipher(key))(t)
	for _, wrap := range []func(cipher.Block) (cipher.AEAD, error){
		func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(b, 20) },
		func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(b, 13) },
	} {
		ours, theirs := made(wrap(b))(t), made(wrap(std))(t)
		if _, isOurs := ours.(*aead); !isOurs {
			t.Errorf("crypto/cipher did not take our GCM but %T", ours)
		}
		n := nonce[:ours.NonceSize()]
		same(t, "sealed", ours.Seal(nil, n, key, nil), theirs.Seal(nil, n, key, nil))
	}
	for _, kernel := range aesKernels() {
		a := made(cipher.NewGCM(made(NewCipher(key, WithKernel(kernel)))(t)))(t)
		if got := KernelOf(a); Native() && !bytes.HasPrefix([]byte(got), []byte(kernel+"+")) {
			t.Errorf("a Block on %s makes a GCM on %s", kernel, got)
		}
	}
}
