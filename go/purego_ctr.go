// purego_ctr.go — without cgo: positions in a key stream of CTR.

//go:build !cgo

package xorcore

// ctrState is a position in a key stream of CTR.
type ctrState struct{ s cipherState }

func (c *ctrState) start(k *cipherKey, iv []byte) {
	c.s = cipherState{key: k}
	c.s.start(iv)
}

func (c *ctrState) first() [16]byte { return c.s.iv }

func (c *ctrState) seek(offset uint64) { c.s.seek(offset) }

func (c *ctrState) xor(_ *cipherKey, dst, src []byte) Error {
	if len(src) == 0 {
		return ok
	}
	if c.s.end || !ctrReaches(c.s.at, len(src)) {
		return ErrLimit
	}
	c.s.update(dst, src)
	return ok
}

func (c *ctrState) wipe() { c.s = cipherState{} }
