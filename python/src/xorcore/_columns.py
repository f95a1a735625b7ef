"""_columns — many messages that lie in one buffer: records of one size, and Arrow's binary columns.

A column is a buffer with offsets, or with values of one size; the loop over them is helper_seal_many() in
ffi/helpers.c. pyarrow is imported only when an array of it comes.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from ._buffers import NULL, Buffer, as_bytes, exact, new_result, readable, writable
from ._errors import InvalidTag, error, named
from ._ffi import ffi, lib

if TYPE_CHECKING:
    from ._oneshot import OneShot

_seal = lib.helper_seal_many
_open = lib.helper_open_many


def forged(wrong: int, count: int, lowest: int) -> Exception:
    """The exception for messages of which `wrong` are not authentic."""
    made = InvalidTag(
        f"{wrong} of {count} messages are not what was sealed, the first of them is number {lowest} (AUTH)"
    )
    made.result = "AUTH"
    return made


def _run(
    function: Any,
    key: OneShot,
    out: Any,
    room: int,
    ends: Any,
    width: int,
    columns: Any,
    count: int,
) -> int:
    """One call over three columns; the number of bytes written."""
    told = ffi.new("helper_many *")
    code = function(key._handle, out, room, ends, width, key._tag_len, *columns, count, told)
    if code == lib.XORCORE_E_AUTH:
        raise forged(told.wrong, count, told.lowest)
    if code == lib.XORCORE_E_ARG:
        raise named(
            "ARG", f"message {told.lowest} leaves its column, has no nonce or fits no 32-bit offset"
        )
    if code:
        raise error(code)
    used: int = told.used
    return used


def only_for_records(out: Any) -> None:
    """Lists and Arrow columns come as new objects."""
    if out is not None:
        raise TypeError("out goes together with record_size")


# ---- records of one size ---------------------------------------------------------------------------------


def _fixed(held: ExitStack, data: Buffer | None, count: int, what: str) -> Any:
    """A column of values of one size, whichever makes `count` of them."""
    column = ffi.new("helper_column *")
    if data is None:
        return column
    view = held.enter_context(readable(data))
    each, rest = divmod(len(view), count) if count else (0, len(view))
    if rest:
        raise named("DATA_LENGTH", f"{len(view)} bytes of {what} are no {count} of one size")
    column.data, column.size, column.each = ffi.cast("uint8_t *", view), len(view), each
    return column


def _apart(out: Any, *views: Any) -> None:
    """Refuses an output that touches an input: records of another size than theirs would run into each other's."""
    begin = int(ffi.cast("uintptr_t", out))
    for view in views:
        start = int(ffi.cast("uintptr_t", view))
        if len(out) and len(view) and begin < start + len(view) and start < begin + len(out):
            raise named("OVERLAP", "out must not touch the messages, nonces or aads")


def _records(
    function: Any,
    key: OneShot,
    nonces: Buffer,
    data: Buffer,
    aads: Any,
    size: int,
    change: int,
    out: Any,
) -> Any:
    """Records of `size` bytes to records of size + change."""
    if min(size, size + change) < 1:
        raise named("DATA_LENGTH", f"a record has 1 byte or more, not {min(size, size + change)}")
    with ExitStack() as held:
        view = held.enter_context(readable(data))
        count, rest = divmod(len(view), size)
        if rest:
            raise named(
                "DATA_LENGTH", f"{len(view)} bytes are no whole number of records of {size}"
            )
        columns = (
            _fixed(held, nonces, count, "nonces"),
            _fixed(held, data, count, "records"),
            _fixed(held, aads, count, "aads"),
        )
        room = count * (size + change)
        if out is None:
            fresh = new_result(room)
            _run(function, key, fresh, room, NULL, 0, columns, count)
            return as_bytes(fresh)
        target = held.enter_context(writable(out))
        exact("out", len(target), room)
        given = [
            held.enter_context(readable(b"" if each is None else each)) for each in (nonces, aads)
        ]
        _apart(target, view, *given)
        try:
            _run(function, key, target, room, NULL, 0, columns, count)
        except InvalidTag:
            # All or nothing, though other records were right.
            ffi.buffer(target)[:] = bytes(room)
            raise
        return out


def seal_records(
    key: OneShot, nonces: Buffer, data: Buffer, aads: Any, record_size: int, out: Any
) -> Any:
    """seal_many() with a record_size."""
    return _records(_seal, key, nonces, data, aads, record_size, key._tag_len, out)


def open_records(
    key: OneShot, nonces: Buffer, data: Buffer, aads: Any, record_size: int, out: Any
) -> Any:
    """open_many() with a record_size."""
    sealed = record_size + key._tag_len
    return _records(_open, key, nonces, data, aads, sealed, -key._tag_len, out)


# ---- Arrow -----------------------------------------------------------------------------------------------


def is_arrow(messages: Any) -> bool:
    """Whether it is an array of pyarrow's, which nobody can have who has not imported it."""
    pyarrow: Any = sys.modules.get("pyarrow")
    return pyarrow is not None and isinstance(messages, pyarrow.Array | pyarrow.ChunkedArray)


def _pyarrow() -> Any:
    """The module, by way of a function because it has no types that mypy could look at."""
    return importlib.import_module("pyarrow")


def _width(kind: Any) -> int:
    """Bytes of an offset of this type; 0 for values of one size."""
    types = _pyarrow().types
    if types.is_fixed_size_binary(kind):
        return 0
    if types.is_binary(kind) or types.is_string(kind):
        return 4
    if types.is_large_binary(kind) or types.is_large_string(kind):
        return 8
    raise TypeError(
        f"Arrow arrays of binary, string or fixed-size binary are needed, not of {kind}"
    )


def _column(held: ExitStack, values: Any, count: int, what: str) -> Any:
    """An Arrow array, or a buffer of values of one size, as a column."""
    if not is_arrow(values):
        return _fixed(held, values, count, what)
    if len(values) != count:
        raise named("ARG", f"{len(values)} {what} for {count} messages")
    column = ffi.new("helper_column *")
    column.width = _width(values.type)
    buffers = values.buffers()
    # Arrow leaves out buffers that would be empty.
    if buffers[-1] is not None:
        view = held.enter_context(readable(buffers[-1]))
        column.data, column.size = ffi.cast("uint8_t *", view), len(view)
    column.first = values.offset
    if column.width == 0:
        column.each = values.type.byte_width
    if values.null_count:
        bits = held.enter_context(readable(buffers[0]))
        exact("the bitmap", min(len(bits), need := (values.offset + count + 7) // 8), need)
        column.valid = ffi.cast("uint8_t *", bits)
    if column.width and count:
        offsets = held.enter_context(readable(buffers[1]))
        need = (values.offset + count + 1) * column.width
        exact("the offsets", min(len(offsets), need), need)
        column.offsets = ffi.cast("void *", offsets)
    return column


def _flat(values: Any) -> Any:
    """One array out of one or many chunks."""
    return values.combine_chunks() if is_arrow(values) and hasattr(values, "chunks") else values


def _part(values: Any, at: int, count: int, total: int) -> Any:
    """What belongs to messages [at, at + count) of a column."""
    if values is None or is_arrow(values):
        return None if values is None else values.slice(at, count)
    with memoryview(values).cast("B") as view:
        each, rest = divmod(view.nbytes, total) if total else (0, view.nbytes)
        if rest:
            raise named("DATA_LENGTH", f"{view.nbytes} bytes are no {total} values of one size")
        return bytes(view[at * each : (at + count) * each])


def _chunk(function: Any, key: OneShot, nonces: Any, messages: Any, aads: Any) -> Any:
    pyarrow = _pyarrow()
    count, sealing = len(messages), function is _seal
    width = _width(messages.type)
    change = key._tag_len if sealing else -key._tag_len
    with ExitStack() as held:
        columns = [
            _column(held, nonces, count, "nonces"),
            _column(held, messages, count, "messages"),
            _column(held, aads, count, "aads"),
        ]
        if is_arrow(nonces) and nonces.null_count:
            raise named("NONCE_LENGTH", "a nonce is null")
        if width == 0:
            size = messages.type.byte_width + change
            if size < 0:
                raise named("DATA_LENGTH", "the values are too short for a tag")
            # A null has its place here, and nothing is in it; the results of the others are moved there.
            return _fixed_size(function, key, columns, messages, size)
        room = _text_bytes(messages) + (count * key._tag_len if sealing else 0)
        ends = ffi.new("int32_t[]" if width == 4 else "int64_t[]", count + 1)
        out = pyarrow.allocate_buffer(room)
        with writable(out) as target:
            used = _run(function, key, target, room, ends, width, columns, count)
        kind = pyarrow.binary() if width == 4 else pyarrow.large_binary()
        return pyarrow.Array.from_buffers(
            kind,
            count,
            [
                _bitmap(messages),
                pyarrow.py_buffer(bytes(ffi.buffer(ends))),
                out.slice(0, used),
            ],
            messages.null_count,
        )


def _fixed_size(function: Any, key: OneShot, columns: Any, messages: Any, size: int) -> Any:
    pyarrow = _pyarrow()
    count = len(messages)
    room = (count - messages.null_count) * size
    dense = new_result(room)
    _run(function, key, dense, room, NULL, 0, columns, count)
    made = pyarrow.Array.from_buffers(
        pyarrow.binary(size),
        count - messages.null_count,
        [None, pyarrow.py_buffer(as_bytes(dense))],
    )
    if not messages.null_count:
        return made
    # Where each message's result is among those that are not null; null where it was null.
    places, at = [], 0
    for there in messages.is_valid().to_pylist():
        places.append(at if there else None)
        at += there
    return made.take(pyarrow.array(places, pyarrow.int64()))


def _text_bytes(messages: Any) -> int:
    """The bytes between the first and the last offset, checked only against sense: C checks each."""
    buffers = messages.buffers()
    if not len(messages) or buffers[1] is None:
        return 0
    width = _width(messages.type)
    with memoryview(buffers[1]).cast("B").cast("i" if width == 4 else "q") as offsets:
        first = messages.offset
        span: int = offsets[first + len(messages)] - offsets[first]
        return max(0, span)


def _bitmap(messages: Any) -> Any:
    """The bitmap of the values that are not null, from its first bit on."""
    return messages.is_valid().buffers()[1] if messages.null_count else None


def _arrow(function: Any, key: OneShot, nonces: Any, messages: Any, aads: Any) -> Any:
    pyarrow = _pyarrow()
    nonces, aads = _flat(nonces), _flat(aads)
    if not hasattr(messages, "chunks"):
        return _chunk(function, key, nonces, messages, aads)
    total = len(messages)
    for values, what in ((nonces, "nonces"), (aads, "aads")):
        if is_arrow(values) and len(values) != total:
            raise named("ARG", f"{len(values)} {what} for {total} messages")
    made, at = [], 0
    for chunk in messages.chunks:
        parts = [_part(values, at, len(chunk), total) for values in (nonces, aads)]
        made.append(_chunk(function, key, parts[0], chunk, parts[1]))
        at += len(chunk)
    if not made:
        made.append(_chunk(function, key, b"", pyarrow.array([], messages.type), None))
    return pyarrow.chunked_array(made)


def seal_arrow(key: OneShot, nonces: Any, messages: Any, aads: Any) -> Any:
    """seal_many() of an Arrow array."""
    return _arrow(_seal, key, nonces, messages, aads)


def open_arrow(key: OneShot, nonces: Any, sealed: Any, aads: Any) -> Any:
    """open_many() of an Arrow array."""
    return _arrow(_open, key, nonces, sealed, aads)
