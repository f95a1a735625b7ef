// Command xorcore-demo does the library's main job from Go, on real files: what each operation gives
// goes into a folder.
//
//	xorcore-demo FOLDER FILE...
//
// The operations, their names and their results are those of docs/demo/demo.c.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"xorcore.example/xorcore"
)

const (
	shards      = 4
	lost        = 2
	sectorSize  = 4096
	firstSector = 1000
	recordCount = 1000
	recordSize  = 64
)

var (
	mask           = []byte("xorcore")
	additionalData = []byte("libxorcore demo")
	// So that everybody gets the same results. A real key is random, a real nonce is never used twice.
	key   = count(0, 32)
	nonce = count(0xa0, 12)
	iv    = count(0xc0, 16)
)

func count(from byte, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = from + byte(i)
	}
	return b
}

// demo is the real input, and the folder in which every operation leaves its result.
type demo struct {
	folder string
	text   []byte
}

// show runs an operation a few times, prints its best speed over n bytes, and saves what it made.
func (d *demo) show(name string, n int, kernel string, out []byte, operation func() error) {
	begun, best := time.Now(), time.Hour
	for i := 0; i < 3 || time.Since(begun) < 50*time.Millisecond; i++ {
		from := time.Now()
		err := operation()
		best = min(best, time.Since(from))
		if err != nil {
			log.Fatalf("demo: %s: %v", name, err)
		}
	}
	fmt.Printf("%s\t%.0f\t%s\n", name, float64(n)/best.Seconds()/1e6, kernel)
	if err := os.WriteFile(filepath.Join(d.folder, name), out, 0o666); err != nil {
		log.Fatal(err)
	}
}

// kernel returns the kernel that a family uses when none is named.
func kernel(family string) string {
	for _, k := range xorcore.Kernels() {
		if k.Family == family && k.Default {
			return k.Name
		}
	}
	return ""
}

func (d *demo) xor() {
	n := len(d.text)
	size := (n + shards - 1) / shards
	filled := make([]byte, shards*size)
	copy(filled, d.text)
	rebuilt := append([]byte(nil), filled...)
	clear(rebuilt[lost*size : (lost+1)*size])

	parity := make([]byte, size)
	var all, left [][]byte
	for i := range shards {
		shard := filled[i*size : (i+1)*size]
		all = append(all, shard)
		if i != lost {
			left = append(left, shard)
		}
	}
	left = append(left, parity)
	d.show("parity", shards*size, kernel("xor"), parity, func() error {
		xorcore.XORBytesN(parity, all...)
		return nil
	})
	d.show("rebuild", shards*size, kernel("xor"), rebuilt[:n], func() error {
		xorcore.XORBytesN(rebuilt[lost*size:(lost+1)*size], left...)
		return nil
	})

	masked := make([]byte, n)
	d.show("mask", n, kernel("xor"), masked, func() error {
		xorcore.XORRepeat(masked, d.text, mask, 0)
		return nil
	})
	// In two pieces: the second says how many bytes went before.
	half := n / 2
	unmasked := make([]byte, n)
	d.show("unmask", n, kernel("xor"), unmasked, func() error {
		xorcore.XORRepeat(unmasked[:half], masked[:half], mask, 0)
		xorcore.XORRepeat(unmasked[half:], masked[half:], mask, uint64(half))
		return nil
	})
}

func (d *demo) aead() {
	n := len(d.text)
	aead, err := xorcore.NewGCM(key)
	if err != nil {
		log.Fatal(err)
	}
	kernel := xorcore.KernelOf(aead)

	sealed := make([]byte, n+aead.Overhead())
	d.show("seal", n, kernel, sealed, func() error {
		aead.Seal(sealed[:0], nonce, d.text, additionalData)
		return nil
	})
	opened := make([]byte, n)
	d.show("open", n, kernel, opened, func() error {
		_, err := aead.Open(opened[:0], nonce, sealed, additionalData)
		return err
	})
	flipped := append([]byte(nil), sealed...)
	flipped[n/2] ^= 1
	d.show("refuse", n, kernel, opened, func() error {
		_, err := aead.Open(opened[:0], nonce, flipped, additionalData)
		switch {
		case err == nil:
			return errors.New("a flipped bit was not noticed")
		case err == xorcore.ErrOpen:
			return nil
		}
		return err
	})
}

func (d *demo) cipher() {
	n := len(d.text)
	ctr, err := xorcore.NewCTR(key, iv)
	if err != nil {
		log.Fatal(err)
	}
	encrypted := make([]byte, n)
	d.show("ctr", n, xorcore.KernelOf(ctr), encrypted, func() error {
		ctr.XORKeyStreamAt(encrypted, d.text, 0)
		return nil
	})
	// A few bytes from the middle, without what stands before them.
	at := n / 3
	slice := make([]byte, n/4)
	d.show("slice", len(slice), xorcore.KernelOf(ctr), slice, func() error {
		ctr.XORKeyStreamAt(slice, encrypted[at:at+len(slice)], uint64(at))
		return nil
	})

	xts, err := xorcore.NewXTS(count(0, 64))
	if err != nil {
		log.Fatal(err)
	}
	sectors := make([]byte, (n+sectorSize-1)/sectorSize*sectorSize)
	copy(sectors, d.text)
	encrypted = make([]byte, len(sectors))
	d.show("sectors", len(sectors), xorcore.KernelOf(xts), encrypted, func() error {
		return xts.EncryptSectors(encrypted, sectors, sectorSize, firstSector)
	})
}

// records seals a thousand records of the text, which begins again when it is short, each under a nonce
// of its own.
func (d *demo) records() {
	aead, err := xorcore.NewGCM(key)
	if err != nil {
		log.Fatal(err)
	}
	records := make([]byte, 0, recordCount*recordSize)
	for len(records) < cap(records) {
		records = append(records, d.text[:min(len(d.text), cap(records)-len(records))]...)
	}
	var nonces []byte
	for i := range recordCount {
		nonces = append(nonces, nonce[:8]...)
		nonces = binary.BigEndian.AppendUint32(nonces, uint32(i))
	}
	packets := make([]byte, recordCount*(recordSize+aead.Overhead()))
	d.show("records", len(records), xorcore.KernelOf(aead), packets, func() error {
		_, err := xorcore.SealRecords(aead, packets[:0], records, recordSize, nonces, additionalData)
		return err
	})
}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: xorcore-demo FOLDER FILE...")
	}
	d := &demo{folder: os.Args[1]}
	for _, name := range os.Args[2:] {
		part, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		d.text = append(d.text, part...)
	}
	d.xor()
	d.aead()
	d.cipher()
	d.records()
}
