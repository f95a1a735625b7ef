"""bench_xor — XOR beside what Python programs use for it, best of interleaved runs: bench_xor.py [ROUNDS].

The others are Python's integers, numpy and, where it is installed, PyCryptodome. Run it with XORCORE_PYTHON_FAST=0 for
the calls by cffi.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy
from bench import timed

import xorcore
from xorcore import _hot

SIZES = (16, 64, 256, 1 << 10, 1 << 16, 1 << 20)


def by_integers(a: bytes, b: bytes) -> bytes:
    """What the standard library offers."""
    return (int.from_bytes(a, "little") ^ int.from_bytes(b, "little")).to_bytes(len(a), "little")


def jobs(size: int) -> dict[str, Callable[[], Any]]:
    """Name: what to call."""
    a, b, out = os.urandom(size), os.urandom(size), bytearray(size)
    x, y, z = (numpy.frombuffer(each, dtype="u1") for each in (a, b, out))
    found: dict[str, Callable[[], Any]] = {
        "xor": lambda: xorcore.xor(a, b),
        "xor_into": lambda: xorcore.xor_into(out, a, b),
        "xor_into, numpy": lambda: xorcore.xor_into(z, x, y),
        "int.from_bytes": lambda: by_integers(a, b),
        "numpy out=": lambda: numpy.bitwise_xor(x, y, out=z),
    }
    try:
        from Crypto.Util.strxor import strxor
    except ImportError:
        pass
    else:
        found["strxor"] = lambda: strxor(a, b)
        found["strxor output="] = lambda: strxor(a, b, output=out)
    wanted = by_integers(a, b)
    for name, call in found.items():
        out[:] = bytes(size)
        result = call()
        assert wanted == (result if type(result) is bytes else out), name
    return found


def main(rounds: int) -> None:
    """Prints a table of nanoseconds for one call."""
    best: dict[int, dict[str, float]] = {}
    for size in SIZES:
        calls = jobs(size)
        count = max(3, min(2000, (1 << 22) // size))
        best[size] = dict.fromkeys(calls, 1e18)
        for _ in range(rounds):
            for name, call in calls.items():
                best[size][name] = min(best[size][name], timed(call, count))
    print(f"XOR, calls by {_hot.CALLS}, nanoseconds")
    print(f"{'':16}" + "".join(f"{size:>9}" for size in SIZES))
    for name in best[SIZES[0]]:
        print(f"{name:16}" + "".join(f"{best[size][name]:9.0f}" for size in SIZES))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
