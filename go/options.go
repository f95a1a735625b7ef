// options.go — how an object is made otherwise than by default.

package xorcore

// An Option changes how an object is made.
type Option func(*options)

type options struct {
	kernel string
}

// WithKernel makes an object run on the named kernel in place of the best one: for tests, comparisons
// and bug reports. The names are those of [Kernels]. Ciphers, CCM and CMAC take a row of the family
// "aes"; GCM, XAES-256-GCM and GMAC take a row of "gcm", or "A+G", a row of "aes" and one of "ghash";
// GCM-SIV takes "A+G". A name that is unknown or can't run here makes the constructor fail with
// [ErrKernel]. The empty name is the best kernel.
func WithKernel(name string) Option {
	return func(o *options) { o.kernel = name }
}

func collect(opts []Option) options {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	return o
}
