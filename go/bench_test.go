// bench_test.go — benchmarks with the names of the standard library's own.

package xorcore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// The benchmarks have the names of the standard library's own and measure this package, or with
// XORCORE_BENCH=std the standard library: two runs, two files, one benchstat.

func benchmarksStd(b *testing.B) bool {
	switch s := os.Getenv("XORCORE_BENCH"); s {
	case "std":
		return true
	case "", "xorcore":
		return false
	default:
		b.Fatalf("XORCORE_BENCH=%s is neither std nor xorcore", s)
		return false
	}
}

func benchXOR(b *testing.B, dst, x, y []byte) {
	b.SetBytes(int64(len(x)))
	if benchmarksStd(b) {
		for b.Loop() {
			subtle.XORBytes(dst, x, y)
		}
		return
	}
	for b.Loop() {
		XORBytes(dst, x, y)
	}
}

func BenchmarkXORBytes(b *testing.B) {
	for _, n := range []int{8, 128, 512, 1024, 2048, 4096, 8192, 32768} { // five of them are crypto/subtle's
		b.Run(fmt.Sprintf("%dBytes", n), func(b *testing.B) {
			benchXOR(b, make([]byte, n), make([]byte, n), make([]byte, n))
		})
	}
}

func BenchmarkXORBytesAlignment(b *testing.B) {
	dst, x, y := make([]byte, 2056), make([]byte, 2056), make([]byte, 2056)
	for _, n := range []int{8, 128, 2048} {
		for at := range 8 {
			b.Run(fmt.Sprintf("%dBytes%dOffset", n, at), func(b *testing.B) {
				benchXOR(b, dst[at:at+n], x[at:at+n], y[at:at+n])
			})
		}
	}
}

func BenchmarkXORBytesN(b *testing.B) {
	for _, count := range []int{3, 8, 16} {
		for _, n := range []int{256, 4096, 65536} {
			b.Run(fmt.Sprintf("%dx%dBytes", count, n), func(b *testing.B) {
				srcs := make([][]byte, count)
				for i := range srcs {
					srcs[i] = random(uint64(i), n)
				}
				dst := make([]byte, n)
				b.SetBytes(int64(n * count))
				b.ReportAllocs()
				std := benchmarksStd(b)
				for b.Loop() {
					if !std {
						XORBytesN(dst, srcs...)
						continue
					}
					copy(dst, srcs[0])
					for _, src := range srcs[1:] {
						subtle.XORBytes(dst, dst, src)
					}
				}
			})
		}
	}
}

func BenchmarkXORRepeat(b *testing.B) {
	key := random(1, 4)
	for _, n := range []int{16, 64, 128, 256, 512, 1024, 8192} {
		b.Run(fmt.Sprintf("%dBytes", n), func(b *testing.B) {
			buf := make([]byte, n)
			b.SetBytes(int64(n))
			std := benchmarksStd(b)
			for b.Loop() {
				if std {
					for i := range buf {
						buf[i] ^= key[i&3]
					}
				} else {
					XORRepeat(buf, buf, key, 0)
				}
			}
		})
	}
}

func BenchmarkEqual(b *testing.B) {
	for _, n := range []int{16, 32, 64, 128, 1024} {
		b.Run(fmt.Sprintf("%dBytes", n), func(b *testing.B) {
			x, y := make([]byte, n), make([]byte, n)
			b.SetBytes(int64(n))
			std := benchmarksStd(b)
			for b.Loop() {
				if std {
					subtle.ConstantTimeCompare(x, y)
				} else {
					Equal(x, y)
				}
			}
		})
	}
}

func benchGCM(b *testing.B, keySize int) cipher.AEAD {
	key := make([]byte, keySize)
	if !benchmarksStd(b) {
		return made(NewGCM(key))(b)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		b.Fatal(err)
	}
	return made(cipher.NewGCM(block))(b)
}

func BenchmarkAESGCM(b *testing.B) {
	for _, n := range []int{64, 1350, 8192, 65536} {
		for _, keyBits := range []int{128, 256} {
			suffix := "-" + strconv.Itoa(keyBits) + "-" + strconv.Itoa(n)
			nonce, ad := make([]byte, 12), make([]byte, 13)
			b.Run("Open"+suffix, func(b *testing.B) {
				a := benchGCM(b, keyBits/8)
				sealed := a.Seal(nil, nonce, make([]byte, n), ad)
				var out []byte
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					out, _ = a.Open(out[:0], nonce, sealed, ad)
				}
			})
			b.Run("Seal"+suffix, func(b *testing.B) {
				a := benchGCM(b, keyBits/8)
				text := make([]byte, n)
				var out []byte
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					out = a.Seal(out[:0], nonce, text, ad)
				}
			})
		}
	}
}

func BenchmarkNewGCM(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		benchGCM(b, 16)
	}
}

// almost1K and almost8K are no multiples of the block.
const (
	almost1K = 1024 - 5
	almost8K = 8*1024 - 5
)

func benchStream(b *testing.B, n, keySize int, ours func(key, iv []byte, opts ...Option) (cipher.Stream, error),
	std func(b cipher.Block, iv []byte) cipher.Stream) {
	key, iv, buf := make([]byte, keySize), make([]byte, 16), make([]byte, n)
	var s cipher.Stream
	if benchmarksStd(b) {
		s = std(made(aes.NewCipher(key))(b), iv)
	} else {
		s = made(ours(key, iv))(b)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		s.XORKeyStream(buf, buf)
	}
}

func newCTR(key, iv []byte, opts ...Option) (cipher.Stream, error) { return NewCTR(key, iv, opts...) }

func BenchmarkAESCTR(b *testing.B) {
	for _, keyBits := range []int{128, 192, 256} {
		b.Run(strconv.Itoa(keyBits), func(b *testing.B) {
			for _, c := range []struct {
				name string
				n    int
			}{{"50", 50}, {"1K", almost1K}, {"8K", almost8K}} {
				b.Run(c.name, func(b *testing.B) { benchStream(b, c.n, keyBits/8, newCTR, cipher.NewCTR) })
			}
		})
	}
}

func BenchmarkAESCFBEncrypt1K(b *testing.B) {
	//lint:ignore SA1019 it is what ours is compared with
	benchStream(b, almost1K, 16, NewCFBEncrypter, cipher.NewCFBEncrypter)
}

func BenchmarkAESCFBDecrypt1K(b *testing.B) {
	//lint:ignore SA1019 the same
	benchStream(b, almost1K, 16, NewCFBDecrypter, cipher.NewCFBDecrypter)
}

func BenchmarkAESCFBDecrypt8K(b *testing.B) {
	//lint:ignore SA1019 the same
	benchStream(b, almost8K, 16, NewCFBDecrypter, cipher.NewCFBDecrypter)
}

func BenchmarkAESOFB1K(b *testing.B) {
	//lint:ignore SA1019 the same
	benchStream(b, almost1K, 16, NewOFB, cipher.NewOFB)
}

func benchCBC(b *testing.B, ours func(key, iv []byte, opts ...Option) (cipher.BlockMode, error),
	std func(b cipher.Block, iv []byte) cipher.BlockMode) {
	key, iv, buf := make([]byte, 16), make([]byte, 16), make([]byte, 1024)
	var m cipher.BlockMode
	if benchmarksStd(b) {
		m = std(made(aes.NewCipher(key))(b), iv)
	} else {
		m = made(ours(key, iv))(b)
	}
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		m.CryptBlocks(buf, buf)
	}
}

func BenchmarkAESCBCEncrypt1K(b *testing.B) { benchCBC(b, NewCBCEncrypter, cipher.NewCBCEncrypter) }

func BenchmarkAESCBCDecrypt1K(b *testing.B) { benchCBC(b, NewCBCDecrypter, cipher.NewCBCDecrypter) }

// BenchmarkRecords seals 64 records in one call; std is a loop over Seal.
func BenchmarkRecords(b *testing.B) {
	for _, n := range []int{64, 1350} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			a := benchGCM(b, 16)
			src, nonces, ad := make([]byte, 64*n), make([]byte, 64*12), make([]byte, 13)
			var out []byte
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				out, _ = SealRecords(a, out[:0], src, n, nonces, ad)
			}
		})
	}
}

// benchBlocks calls f for each size of key, with a block of text, as crypto/aes does.
func benchBlocks(b *testing.B, f func(b *testing.B, key, text []byte)) {
	for _, keyBits := range []int{128, 192, 256} {
		b.Run(fmt.Sprintf("AES-%d", keyBits), func(b *testing.B) { f(b, make([]byte, keyBits/8), make([]byte, 16)) })
	}
}

func benchCipher(b *testing.B, key []byte) cipher.Block {
	if benchmarksStd(b) {
		return made(aes.NewCipher(key))(b)
	}
	return made(NewCipher(key))(b)
}

func BenchmarkEncrypt(b *testing.B) {
	benchBlocks(b, func(b *testing.B, key, text []byte) {
		block, out := benchCipher(b, key), make([]byte, len(text))
		b.SetBytes(int64(len(out)))
		for b.Loop() {
			block.Encrypt(out, text)
		}
	})
}

func BenchmarkDecrypt(b *testing.B) {
	benchBlocks(b, func(b *testing.B, key, text []byte) {
		block, out := benchCipher(b, key), make([]byte, len(text))
		b.SetBytes(int64(len(out)))
		for b.Loop() {
			block.Decrypt(out, text)
		}
	})
}

func BenchmarkCreateCipher(b *testing.B) {
	benchBlocks(b, func(b *testing.B, key, _ []byte) {
		b.ReportAllocs()
		for b.Loop() {
			benchCipher(b, key)
		}
	})
}

func BenchmarkStreamFromBlock(b *testing.B) {
	key, iv, buf := make([]byte, 16), make([]byte, 16), make([]byte, 64)
	block := made(aes.NewCipher(key))(b)
	if !benchmarksStd(b) {
		block = made(NewCipher(key))(b)
	}
	b.ReportAllocs()
	for b.Loop() {
		cipher.NewCTR(block, iv).XORKeyStream(buf, buf)
	}
}
