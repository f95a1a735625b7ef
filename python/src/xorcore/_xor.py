"""_xor — XOR of two and of many buffers, masking with a repeating key, constant-time equality."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, TypeVar, overload

from ._buffers import Buffer, as_bytes, exact, kernel_name, new_result, readable, writable
from ._errors import error, named
from ._ffi import ffi, lib

Out = TypeVar("Out", bound=Buffer)

_xor2 = lib.xorcore_xor
_xor2_on = lib.xorcore_xor_on
_many_on = lib.xorcore_xor_many_on
_repeat_on = lib.xorcore_xor_repeat_on
_equal = lib.xorcore_equal


@overload
def xor(a: Buffer, b: Buffer, /, *, out: None = None, kernel: str | None = None) -> bytes: ...
@overload
def xor(a: Buffer, b: Buffer, /, *, out: Out, kernel: str | None = None) -> Out: ...
def xor(a: Buffer, b: Buffer, /, *, out: Any = None, kernel: str | None = None) -> Any:
    """a ^ b, byte by byte; both have the same length.

    Returns new `bytes`, or `out` when it is given: a writable buffer of the same length, exactly `a`,
    exactly `b` or apart from both. `kernel` names a kernel of the family "xor" for tests and comparisons.

    Raises ValueError for other lengths, a partial overlap or an unknown kernel.
    """
    if type(a) is bytes and type(b) is bytes and out is None and kernel is None:
        size = len(a)
        if size == len(b) and size > 1:
            result = bytes(size)
            code = _xor2(result, a, b, size)
            if code:
                raise error(code)
            return result
    with readable(a) as left, readable(b) as right:
        size = len(left)
        exact("b", len(right), size)
        if out is None:
            fresh = new_result(size)
            code = _xor2_on(kernel_name(kernel), fresh, left, right, size)
            if code:
                raise error(code)
            return as_bytes(fresh)
        with writable(out) as target:
            exact("out", len(target), size)
            code = _xor2_on(kernel_name(kernel), target, left, right, size)
            if code:
                raise error(code)
            return out


def _xor_many(target: Any, views: list[Any], kernel: str | None) -> None:
    if not views:
        raise named("ARG", "there is no source")
    size = len(target)
    for index, view in enumerate(views):
        exact(f"source {index}", len(view), size)
    pointers = ffi.new("const uint8_t *[]", [ffi.cast("const uint8_t *", view) for view in views])
    code = _many_on(kernel_name(kernel), target, pointers, len(views), size)
    if code:
        raise error(code)


def xor_into(out: Buffer, /, *sources: Buffer, kernel: str | None = None) -> int:
    """Writes the XOR of one or more sources to `out`, in one pass, and returns the number of bytes.

    All have the same length. `out` may be exactly one of the sources: `xor_into(acc, acc, shard)` adds a
    shard to `acc`. Raises ValueError for no source, other lengths, a partial overlap, an unknown kernel.
    """
    with ExitStack() as held:
        target = held.enter_context(writable(out))
        views = [held.enter_context(readable(source)) for source in sources]
        _xor_many(target, views, kernel)
        return len(target)


@overload
def xor_many(
    sources: Iterable[Buffer], /, *, out: None = None, kernel: str | None = None
) -> bytes: ...
@overload
def xor_many(sources: Iterable[Buffer], /, *, out: Out, kernel: str | None = None) -> Out: ...
def xor_many(sources: Iterable[Buffer], /, *, out: Any = None, kernel: str | None = None) -> Any:
    """The XOR of all sources, the parity of shards, in one pass over the memory.

    `sources` is any iterable of buffers of one length: a list, or a two-dimensional array whose rows they are.
    Returns new `bytes`, or `out` when it is given, which may be exactly one of the sources.
    Raises ValueError for no source, other lengths, a partial overlap, an unknown kernel.
    """
    if out is not None:
        xor_into(out, *sources, kernel=kernel)
        return out
    with ExitStack() as held:
        views = [held.enter_context(readable(source)) for source in sources]
        fresh = new_result(len(views[0]) if views else 0)
        _xor_many(fresh, views, kernel)
        return as_bytes(fresh)


@overload
def xor_repeat(
    data: Buffer, key: Buffer, /, *, phase: int = 0, out: None = None, kernel: str | None = None
) -> bytes: ...
@overload
def xor_repeat(
    data: Buffer, key: Buffer, /, *, phase: int = 0, out: Out, kernel: str | None = None
) -> Out: ...
def xor_repeat(
    data: Buffer, key: Buffer, /, *, phase: int = 0, out: Any = None, kernel: str | None = None
) -> Any:
    """Masks `data` with a repeating key: byte i is data[i] ^ key[(phase + i) % len(key)].

    A message in pieces is masked by giving the number of bytes that went before as the phase (0 to
    2**64 - 1). Returns new `bytes`, or `out` when it is given: of the length of `data`, exactly `data` or apart
    from it, and apart from `key`.

    Raises ValueError for an empty key, another length of `out`, an overlap or an unknown kernel, and
    OverflowError for a phase outside its range.
    """
    with readable(data) as source, readable(key) as mask:
        size = len(source)
        if out is None:
            fresh = new_result(size)
            code = _repeat_on(kernel_name(kernel), fresh, source, size, mask, len(mask), phase)
            if code:
                raise error(code)
            return as_bytes(fresh)
        with writable(out) as target:
            exact("out", len(target), size)
            code = _repeat_on(kernel_name(kernel), target, source, size, mask, len(mask), phase)
            if code:
                raise error(code)
            return out


def equal(a: Buffer, b: Buffer, /) -> bool:
    """Whether both hold the same bytes, in a time that depends on the length alone.

    Buffers of different lengths are not equal, and that answer comes at once: lengths are no secret.
    """
    with readable(a) as left, readable(b) as right:
        size = len(left)
        return size == len(right) and _equal(left, right, size) == 1
