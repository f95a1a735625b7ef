// rows_test.go — rows and records.

package xorcore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"math"
	"testing"
)

func TestRecords(t *testing.T) {
	key := random(1, 16)
	std := made(cipher.NewGCM(made(aes.NewCipher(key))(t)))(t)
	for _, a := range []cipher.AEAD{made(NewGCM(key))(t), made(NewCCM(key, 12, 8))(t), made(NewGCMSIV(key))(t), std} {
		over := a.Overhead()
		for _, size := range []int{1, 16, 100, 1350} {
			for _, n := range []int{0, 1, size - 1, size, size + 1, 3 * size, 5*size + size/2} {
				text, ad := random(2, n), random(3, 13)
				count := (n + size - 1) / size
				nonces := random(4, count*a.NonceSize())
				var want []byte
				for i := range count {
					want = a.Seal(want, nonces[i*a.NonceSize():][:a.NonceSize()], text[i*size:min((i+1)*size, n)], ad)
				}
				got, err := SealRecords(a, []byte("prefix"), text, size, nonces, ad)
				if err != nil {
					t.Fatal(err)
				}
				same(t, fmt.Sprintf("%d in records of %d", n, size), got, append([]byte("prefix"), want...))
				back, err := OpenRecords(a, []byte("prefix"), want, size, nonces, ad)
				if err != nil {
					t.Fatal(err)
				}
				same(t, "opened", back, append([]byte("prefix"), text...))
				for i := 0; i < len(want); i += 1 + len(want)/7 {
					bad := bytes.Clone(want)
					bad[i] ^= 1
					dst := make([]byte, n+20)
					fill(dst)
					if out, err := OpenRecords(a, dst[:0], bad, size, nonces, ad); err != ErrOpen || out != nil {
						t.Errorf("a changed record: %v", err)
					}
					same(t, "what is left", dst[:n], make([]byte, n))
					if err := stillFilled(dst[n:]); err != nil {
						t.Error(err)
					}
				}
				if n%size > 0 {
					short := want[:len(want)-n%size-1] // its last record is shorter than a tag
					if out, err := OpenRecords(a, nil, short, size, nonces, ad); err != ErrOpen || out != nil {
						t.Errorf("a short record: %v", err)
					}
				}
			}
		}
		for _, size := range []int{math.MaxInt - over, math.MaxInt - over - 1, math.MaxInt - 50} { // one record, however large
			text, nonce := random(5, 50+over), random(6, a.NonceSize())
			sealed, err := SealRecords(a, nil, text, size, nonce, nil)
			if err != nil {
				t.Fatalf("records of %d: %v", size, err)
			}
			same(t, fmt.Sprintf("records of %d", size), sealed, a.Seal(nil, nonce, text, nil))
			back, err := OpenRecords(a, nil, sealed, size, nonce, nil)
			if err != nil {
				t.Fatalf("records of %d: %v", size, err)
			}
			same(t, "opened", back, text)
			if _, err := SealRecords(a, nil, text, size, nil, nil); err != ErrNonceLength {
				t.Errorf("records of %d without a nonce: %v", size, err)
			}
		}
		buf, nonces := make([]byte, 400), make([]byte, 2*a.NonceSize())
		for _, size := range []int{0, -1, math.MinInt, math.MaxInt} {
			if _, err := SealRecords(a, nil, buf[:32], size, nonces, nil); err != ErrArg {
				t.Errorf("records of %d: %v", size, err)
			}
		}
		for _, n := range []int{0, len(nonces) - 1, len(nonces) / 2} {
			if _, err := SealRecords(a, nil, buf[:32], 16, nonces[:n], nil); err != ErrNonceLength {
				t.Errorf("%d bytes of nonces: %v", n, err)
			}
		}
		const overlap = "crypto/cipher: invalid buffer overlap"
		mustPanic(t, overlap, func() { _, _ = SealRecords(a, buf[:0], buf[:32], 16, nonces, nil) })
		mustPanic(t, overlap, func() { _, _ = SealRecords(a, buf[:0], make([]byte, 32), 16, nonces, buf[8:9]) })
		mustPanic(t, overlap, func() { _, _ = OpenRecords(a, buf[:0], buf[31:31+32+2*over], 16, nonces, nil) })
		mustPanic(t, overlap, func() { _, _ = SealRecords(a, buf[:0], make([]byte, 32), 16, buf[:len(nonces)], nil) })
		same(t, "after panics", buf, make([]byte, 400))
	}
}

func TestRowErrors(t *testing.T) {
	key := random(1, 16)
	a := made(NewGCM(key))(t)
	in, aux := random(2, 100), random(3, 40)
	good := Row{InAt: 10, OutAt: 5, Len: 40, NonceAt: 3, AADAt: 20, AADLen: 20, TagAt: 60}
	bad := []func(r *Row){
		func(r *Row) { r.InAt = 61 },
		func(r *Row) { r.InAt = 1<<64 - 1 },
		func(r *Row) { r.Len = 1<<64 - 10 },
		func(r *Row) { r.OutAt = 61 },
		func(r *Row) { r.TagAt = 85 },
		func(r *Row) { r.TagAt = 1<<64 - 16 },
		func(r *Row) { r.NonceAt = 29 },
		func(r *Row) { r.AADLen = 21 },
		func(r *Row) { r.AADAt = 41; r.AADLen = 0 },
	}
	for i, change := range bad {
		out := make([]byte, 100)
		fill(out)
		rows := []Row{good, good, good}
		change(&rows[1])
		rows[2].OutAt, rows[2].TagAt = 60, 40 // tag and text overlap
		if err := SealRows(a, out, in, aux, rows); err != ErrArg {
			t.Errorf("change %d: %v", i, err)
		}
		if rows[0].Result != ok || rows[1].Result != ErrArg || rows[2].Result != ok && rows[2].Result != ErrOverlap {
			t.Errorf("change %d: %v %v %v", i, rows[0].Result, rows[1].Result, rows[2].Result)
		}
	}
	// One buffer for everything, in place, as a packet lies.
	packet := slicesOf(aux[:12], aux[20:33], in[:50], make([]byte, 16))
	want := a.Seal(nil, aux[:12], in[:50], aux[20:33])
	row := []Row{{InAt: 25, OutAt: 25, Len: 50, NonceAt: 0, AADAt: 12, AADLen: 13, TagAt: 75}}
	if err := SealRows(a, packet, packet, packet, row); err != nil {
		t.Fatal(err)
	}
	same(t, "packet", packet[25:], want)
	if err := OpenRows(a, packet, packet, packet, row); err != nil {
		t.Fatal(err)
	}
	same(t, "packet", packet[25:75], in[:50])
	row[0].OutAt = 26
	if err := SealRows(a, packet, packet, packet, row); err != ErrOverlap || row[0].Result != ErrOverlap {
		t.Errorf("a row that overlaps itself: %v", err)
	}
	std := made(cipher.NewGCM(made(aes.NewCipher(key))(t)))(t)
	if err := SealRows(std, packet, packet, packet, row); err != ErrArg || row[0].Result != ErrArg {
		t.Errorf("a foreign AEAD: %v", err)
	}
	if err := OpenRows(a, nil, nil, nil, nil); err != nil {
		t.Errorf("no rows: %v", err)
	}
	m := made(NewCMAC(key))(t)
	rows := []Row{{Len: 10}, {Len: 101}}
	if err := m.SumRows(packet, in, nil, 0, rows); err != ErrArg || rows[0].Result != ok || rows[1].Result != ErrArg {
		t.Errorf("SumRows: %v", err)
	}
	if err := m.SumRows(packet, in, aux, 12, rows); err != ErrNonceLength || rows[0].Result != ErrNonceLength {
		t.Errorf("SumRows with nonces: %v", err)
	}
	if err := m.VerifyRows(in, aux, 0, rows[:1]); err != ErrOpen || rows[0].Result != ErrOpen {
		t.Errorf("VerifyRows: %v", err)
	}
}

func slicesOf(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
