"""demo_ctypes.py — the library's main job from a script, with the one file xorcore_ctypes.py: FOLDER FILE..."""

import ctypes
import sys

import demo_common
import xorcore_ctypes as xorcore


def record_operations(demo):
    """A thousand small records sealed in one call, by the functions of xorcore.h themselves."""
    lib, check = xorcore.lib, xorcore.check
    arenas = demo_common.Arenas(demo)
    rows = (xorcore.xorcore_row * len(arenas.rows))(*arenas.rows)
    out = (ctypes.c_ubyte * len(arenas.out)).from_buffer(arenas.out)
    handle = ctypes.c_void_p()
    check(lib.xorcore_aead_new(handle, xorcore.XORCORE_AES_GCM, demo_common.KEY, len(demo_common.KEY),
                               demo_common.TAG, None))

    def seal():
        check(lib.xorcore_aead_seal_rows(
            handle, out, len(out), arenas.data, len(arenas.data), arenas.aux, len(arenas.aux), len(demo_common.NONCE),
            rows, len(rows), ctypes.sizeof(rows[0])))

    demo.show("records", seal, len(arenas.data), lib.xorcore_aead_kernel(handle).decode(), arenas.out)
    lib.xorcore_aead_free(handle)


def main():
    demo = demo_common.Demo(*sys.argv[1:])
    kernel = next(k["name"] for k in xorcore.kernels() if k["family"] == "xor" and k["default"])
    demo_common.xor_operations(demo, xorcore, kernel)
    demo_common.aead_operations(demo, xorcore)
    demo_common.cipher_operations(demo, xorcore)
    record_operations(demo)


if __name__ == "__main__":
    main()
