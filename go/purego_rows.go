// purego_rows.go — without cgo: many messages in one call.

//go:build !cgo

package xorcore

// Many messages in one call, with the meaning and the errors of xorcore_*_rows.

// inside tells whether [at, at+n) lies in an arena of `size` bytes.
func inside(at, n uint64, size int) bool { return n <= uint64(size) && at <= uint64(size)-n }

// eachRow runs one on every row, and returns the first error.
func eachRow(nonceFits bool, rows []Row, one func(r *Row) Error) Error {
	first := ok
	for i := range rows {
		r := &rows[i]
		if !nonceFits {
			r.Result = ErrNonceLength
		} else {
			r.Result = one(r)
		}
		if first == ok {
			first = r.Result
		}
	}
	if !nonceFits {
		return ErrNonceLength
	}
	return first
}

func (k *aeadKey) rows(seal bool, out, in, aux []byte, nonceSize int, rows []Row) Error {
	return eachRow(aeadNonceFits(k.algorithm, nonceSize), rows, func(r *Row) Error {
		tags := len(aux)
		if seal {
			tags = len(out)
		}
		tagSize := uint64(k.tagSize)
		if !inside(r.InAt, r.Len, len(in)) || !inside(r.OutAt, r.Len, len(out)) ||
			!inside(r.NonceAt, uint64(nonceSize), len(aux)) || !inside(r.AADAt, r.AADLen, len(aux)) ||
			!inside(r.TagAt, tagSize, tags) {
			return ErrArg
		}
		src, dst := in[r.InAt:][:r.Len], out[r.OutAt:][:r.Len]
		nonce, aad := aux[r.NonceAt:][:nonceSize], aux[r.AADAt:][:r.AADLen]
		// Ciphertext and tag lie where the row says; here they are one slice.
		both := make([]byte, len(src)+k.tagSize)
		if r2 := k.check(dst, nonce, src, aad); r2 != ok {
			return r2
		}
		if !seal {
			tag := aux[r.TagAt:][:tagSize]
			if anyOverlap(dst, tag) {
				return ErrOverlap
			}
			copy(both, src)
			copy(both[len(src):], tag)
			return k.open(dst, nonce, both, aad)
		}
		tag := out[r.TagAt:][:tagSize]
		if anyOverlap(tag, dst) || anyOverlap(tag, src) || anyOverlap(tag, nonce) || anyOverlap(tag, aad) {
			return ErrOverlap
		}
		k.seal(both, nonce, src, aad)
		copy(dst, both)
		copy(tag, both[len(src):])
		return ok
	})
}

func (k *cipherKey) rows(direction int, out, in, aux []byte, ivSize int, rows []Row) Error {
	return eachRow(ivSize == k.ivSize(), rows, func(r *Row) Error {
		if !inside(r.InAt, r.Len, len(in)) || !inside(r.OutAt, r.Len, len(out)) ||
			!inside(r.NonceAt, uint64(ivSize), len(aux)) {
			return ErrArg
		}
		return k.crypt(direction, out[r.OutAt:][:r.Len], aux[r.NonceAt:][:ivSize], in[r.InAt:][:r.Len])
	})
}

func (k *macKey) rows(compute bool, out, in, aux []byte, nonceSize int, rows []Row) Error {
	return eachRow(k.nonceFits(nonceSize), rows, func(r *Row) Error {
		tags := aux
		if compute {
			tags = out
		}
		if !inside(r.InAt, r.Len, len(in)) || !inside(r.NonceAt, uint64(nonceSize), len(aux)) ||
			!inside(r.TagAt, uint64(k.tagSize), len(tags)) {
			return ErrArg
		}
		tag, nonce, data := tags[r.TagAt:][:k.tagSize], aux[r.NonceAt:][:nonceSize], in[r.InAt:][:r.Len]
		if compute {
			return k.compute(tag, nonce, data)
		}
		return k.verify(tag, nonce, data)
	})
}
