// suite_test.go — on what the standard library's tests are run.

// Package suite says on what the standard library's checks are run; see ../stdsuite_test.go.
package suite

import (
	"crypto/cipher"
	"fmt"
	"testing"

	"suite.example/suite/cryptotest"
	"xorcore.example/xorcore"
)

func key(size int) []byte {
	k := make([]byte, size)
	for i := range k {
		k[i] = byte(3 * i)
	}
	return k
}

func testAEAD(t *testing.T, name string, make func() (cipher.AEAD, error)) {
	t.Run(name, func(t *testing.T) {
		cryptotest.TestAEAD(t, make)
		aead, err := make()
		if err != nil {
			t.Fatal(err)
		}
		cryptotest.NoExtraMethods(t, &aead)
	})
}

func TestAEADs(t *testing.T) {
	for _, size := range []int{16, 24, 32} {
		key := key(size)
		testAEAD(t, fmt.Sprintf("GCM-%d", 8*size), func() (cipher.AEAD, error) { return xorcore.NewGCM(key) })
		testAEAD(t, fmt.Sprintf("Block-GCM-%d", 8*size), func() (cipher.AEAD, error) {
			return cipher.NewGCM(block(t, size))
		})
		testAEAD(t, fmt.Sprintf("CCM-%d", 8*size), func() (cipher.AEAD, error) { return xorcore.NewCCM(key, 12, 16) })
	}
	testAEAD(t, "GCM-128-nonce16-tag13", func() (cipher.AEAD, error) {
		return xorcore.NewGCMWithSizes(key(16), 16, 13)
	})
	testAEAD(t, "GCM-SIV-128", func() (cipher.AEAD, error) { return xorcore.NewGCMSIV(key(16)) })
	testAEAD(t, "GCM-SIV-256", func() (cipher.AEAD, error) { return xorcore.NewGCMSIV(key(32)) })
	testAEAD(t, "XAES-256-GCM", func() (cipher.AEAD, error) { return xorcore.NewXAES256GCM(key(32)) })
	testAEAD(t, "GCM-256-random", func() (cipher.AEAD, error) { return xorcore.NewGCMWithRandomNonce(key(32)) })
	testAEAD(t, "XAES-256-GCM-random", func() (cipher.AEAD, error) { return xorcore.NewXAES256GCMWithRandomNonce(key(32)) })
}

func block(t *testing.T, size int) cipher.Block {
	b, err := xorcore.NewCipher(key(size))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBlocks(t *testing.T) {
	for _, size := range []int{16, 24, 32} {
		t.Run(fmt.Sprint(8*size), func(t *testing.T) {
			cryptotest.TestBlock(t, size, func(key []byte) (cipher.Block, error) { return xorcore.NewCipher(key) })
			b := block(t, size)
			cryptotest.NoExtraMethods(t, &b, "NewGCM", "NewCTR", "NewCBCEncrypter", "NewCBCDecrypter")
			// The modes of crypto/cipher over our Block; CTR and CBC are ours then.
			cryptotest.TestBlockMode(t, b, cipher.NewCBCEncrypter, cipher.NewCBCDecrypter)
			cbc := cipher.NewCBCEncrypter(b, make([]byte, 16))
			cryptotest.NoExtraMethods(t, &cbc, "SetIV")
			t.Run("CTR", func(t *testing.T) { cryptotest.TestStreamFromBlock(t, b, cipher.NewCTR) })
			ctr := cipher.NewCTR(b, make([]byte, 16))
			cryptotest.NoExtraMethods(t, &ctr)
		})
	}
}

// The standard library's check of a BlockMode wants constructors over a Block, and a panic for a wrong IV;
// ours take the key and return an error.
func TestBlockModes(t *testing.T) {
	mode := func(f func(key, iv []byte, opts ...xorcore.Option) (cipher.BlockMode, error)) cryptotest.MakeBlockMode {
		return func(_ cipher.Block, iv []byte) cipher.BlockMode {
			m, err := f(key(32), iv)
			if err == xorcore.ErrNonceLength {
				panic("IV length must equal block size")
			}
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	cryptotest.TestBlockMode(t, block(t, 32), mode(xorcore.NewCBCEncrypter), mode(xorcore.NewCBCDecrypter))
}

func stream(t *testing.T, f func(key, iv []byte, opts ...xorcore.Option) (cipher.Stream, error)) cryptotest.MakeStream {
	return func() cipher.Stream {
		s, err := f(key(24), make([]byte, 16))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func TestCTRStream(t *testing.T) {
	cryptotest.TestStream(t, stream(t, func(key, iv []byte, opts ...xorcore.Option) (cipher.Stream, error) {
		return xorcore.NewCTR(key, iv, opts...)
	}))
}

func TestOFBStream(t *testing.T) { cryptotest.TestStream(t, stream(t, xorcore.NewOFB)) }

// The names tell the standard library's check that encryption and decryption are not the same.
func TestCFBStream(t *testing.T) {
	for name, f := range map[string]func(key, iv []byte, opts ...xorcore.Option) (cipher.Stream, error){
		"encrypt": xorcore.NewCFBEncrypter, "decrypt": xorcore.NewCFBDecrypter,
		"encrypt8": xorcore.NewCFB8Encrypter, "decrypt8": xorcore.NewCFB8Decrypter,
	} {
		t.Run(name, func(t *testing.T) { cryptotest.TestStream(t, stream(t, f)) })
	}
}
