"""_buffers — the way of bytes between Python objects and the C library.

Inputs are anything that gives a C-contiguous buffer. A `bytes` object goes to cffi as it is, which is the
fastest way; everything else is taken with readable() or writable() in a `with` statement, so that it is
locked exactly as long as the call runs, also when the call fails.

New `bytes` results are written in place by the library instead of being copied from a scratch buffer.
That is what C extensions do with PyBytes_FromStringAndSize(NULL, n): the object is fresh, nothing else
holds it and its hash is not known yet. bytes(n) gives such an object on CPython for every n > 1.
"""

from __future__ import annotations

import sys
from operator import index
from typing import TYPE_CHECKING, Any, Final

from ._errors import named
from ._ffi import ffi

if TYPE_CHECKING:
    if sys.version_info >= (3, 12):
        from collections.abc import Buffer as Buffer
    else:
        from typing_extensions import Buffer as Buffer
else:
    Buffer = Any

if sys.implementation.name != "cpython":
    raise ImportError(
        "xorcore relies on CPython's bytes objects; it has not been made for other interpreters"
    )

U8: Final = ffi.typeof("uint8_t[]")
NULL: Final = ffi.NULL
_from_buffer: Final = ffi.from_buffer
release: Final = ffi.release
"""Ends the lock of what readable() or writable() gave; `with` does the same and costs more."""


def readable(data: Buffer) -> Any:
    """The bytes of `data` as a cffi array, which is a context manager; its len() is their number."""
    try:
        return _from_buffer(U8, data)
    except Exception as refused:
        raise _explain(data, refused, False) from None


def writable(buf: Buffer) -> Any:
    """The same for an output."""
    try:
        return _from_buffer(U8, buf, True)
    except Exception as refused:
        raise _explain(buf, refused, True) from None


def _explain(data: object, refused: Exception, output: bool) -> Exception:
    """Objects refuse in many ways; this gives one exception for one cause."""
    try:
        view = memoryview(data)  # type: ignore[arg-type]
    except TypeError:
        return TypeError(f"a bytes-like object is required, not {type(data).__name__!r}")
    except Exception as own:
        return own
    with view:
        if output and view.readonly:
            return BufferError(
                f"the output must be writable, and this {type(data).__name__!r} is read-only"
            )
        if not view.c_contiguous:
            return BufferError("the buffer must be C-contiguous")
    return refused


def new_result(size: int) -> Any:
    """Memory for a `bytes` result of `size` bytes; give it to as_bytes() once it is filled."""
    return bytes(size) if size > 1 else ffi.new(U8, size)


def as_bytes(result: Any) -> bytes:
    """The `bytes` object that was begun with new_result()."""
    return result if type(result) is bytes else bytes(ffi.buffer(result))


def exact(what: str, has: int, needs: int) -> None:
    """Refuses a buffer of another length than `needs`."""
    if has != needs:
        raise named("DATA_LENGTH", f"{what} must have {needs} bytes and has {has}")


def kernel_name(kernel: str | None) -> Any:
    """A kernel argument for C: NULL for None."""
    if kernel is None:
        return NULL
    if not isinstance(kernel, str):
        raise TypeError(f"kernel must be a str or None, not {type(kernel).__name__!r}")
    if "\0" in kernel or not kernel.isascii():
        raise named("KERNEL", f"no kernel is called {kernel!r}")
    return kernel.encode()


def length(number: int) -> int:
    """A length given as a number. What no size_t can hold becomes one that no algorithm has, so that C
    says what is wrong in its own order."""
    number = index(number)
    return number if 0 <= number < 1 << 31 else 1 << 31


def flat(data: Buffer) -> bytes:
    """The bytes of a buffer, copied unless they are `bytes` already."""
    if type(data) is bytes:
        return data
    with readable(data) as view:
        return bytes(ffi.buffer(view))
