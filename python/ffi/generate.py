"""generate — writes the C source of the cffi module: generate.py CDEF OUTPUT."""

from __future__ import annotations

import sys
from pathlib import Path

import cffi

HERE = Path(__file__).resolve().parent


def main(cdef: str, output: str) -> None:
    """`cdef` is the declarations derived from xorcore.h; helpers.cdef and helpers.c add this binding's own."""
    ffi = cffi.FFI()
    ffi.cdef(Path(cdef).read_text(encoding="utf-8"))
    ffi.cdef((HERE / "helpers.cdef").read_text(encoding="utf-8"))
    ffi.set_source("xorcore._ffi", (HERE / "helpers.c").read_text(encoding="utf-8"))
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
