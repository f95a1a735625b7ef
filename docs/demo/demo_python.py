"""demo_python.py — the library's main job from Python, with the package xorcore: FOLDER FILE..."""

import sys

import demo_common
import xorcore


def record_operations(demo):
    """A thousand small records sealed in one call. (AESGCM.encrypt_rows takes and gives lists; this is faster.)"""
    aead = xorcore.AESGCM(demo_common.KEY)
    arenas = demo_common.Arenas(demo)
    rows = bytearray().join(xorcore.ROW.pack(*row, 0, 0) for row in arenas.rows)

    def seal():
        aead.encrypt_rows_into(rows, arenas.out, arenas.data, arenas.aux, nonce_length=len(demo_common.NONCE))

    demo.show("records", seal, len(arenas.data), aead.kernel, arenas.out)


def main():
    demo = demo_common.Demo(*sys.argv[1:])
    kernel = next(k.name for k in xorcore.kernels() if k.family == "xor" and k.default)
    demo_common.xor_operations(demo, xorcore, kernel)
    demo_common.aead_operations(demo, xorcore)
    demo_common.cipher_operations(demo, xorcore)
    record_operations(demo)


if __name__ == "__main__":
    main()
