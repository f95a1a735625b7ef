"""buffers — kinds of buffers for the tests, and the kernels that run here."""

from __future__ import annotations

import array
import mmap
from collections.abc import Callable
from typing import Any

import numpy
import pyarrow

import xorcore


def _mapped(data: bytes) -> Any:
    if not data:
        return memoryview(b"")  # there is no empty mapping
    mapped = mmap.mmap(-1, len(data))
    mapped[:] = data
    return mapped


def _sliced(data: bytes) -> memoryview:
    return memoryview(b"!" + data + b"!")[1 : 1 + len(data)]


def _sliced_writable(data: bytes) -> memoryview:
    return memoryview(bytearray(b"!" + data + b"!"))[1 : 1 + len(data)]


def _wide(data: bytes) -> Any:
    return numpy.frombuffer(bytearray(data), dtype="<u4") if len(data) % 4 == 0 else bytearray(data)


def _doubles(data: bytes) -> Any:
    return array.array("d", data) if len(data) % 8 == 0 else bytearray(data)


def _cube(data: bytes) -> Any:
    made = numpy.frombuffer(bytearray(data), dtype=">u2" if len(data) % 4 == 0 else "u1")
    return made.reshape(2, 1, -1) if len(data) % 4 == 0 else made


def _read_only_array(data: bytes) -> Any:
    made = numpy.frombuffer(bytearray(data), dtype="u1")
    made.flags.writeable = False
    return made


class Subclass(bytes):
    """A subclass of bytes is a buffer like any other."""


WRITABLE: dict[str, Callable[[bytes], Any]] = {
    "bytearray": bytearray,
    "memoryview of bytearray": lambda data: memoryview(bytearray(data)),
    "memoryview slice": _sliced_writable,
    "array B": lambda data: array.array("B", data),
    "numpy u1": lambda data: numpy.frombuffer(bytearray(data), dtype="u1"),
    "array d": _doubles,
    "numpy u4": _wide,
    "numpy of three dimensions": _cube,
    "pyarrow buffer of a bytearray": lambda data: pyarrow.py_buffer(bytearray(data)),
}
READ_ONLY: dict[str, Callable[[bytes], Any]] = {
    "bytes": bytes,
    "bytes subclass": Subclass,
    "read-only memoryview": memoryview,
    "read-only slice": _sliced,
    "read-only numpy": _read_only_array,
    "pyarrow buffer": lambda data: pyarrow.py_buffer(bytes(data)),
}
BUFFERS = WRITABLE | READ_ONLY | {"mmap": _mapped}


def running(family: str) -> list[str]:
    return [kernel.name for kernel in xorcore.kernels() if kernel.family == family and kernel.runs]
