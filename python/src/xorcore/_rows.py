"""_rows — many messages in one call of the C library.

The flat forms (`*_rows_into`) take the rows as the C library does: 64 bytes each, offsets into the arenas.
ROW packs one; a numpy array with the dtype ROW_DTYPE is the way for many.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any, Final

from ._buffers import NULL, Buffer, flat, length, readable, writable
from ._errors import error, named
from ._ffi import ffi, lib

ROW: Final = struct.Struct("=QQQQQQQiI")
"""in_at, out_at, len, nonce_at, aad_at, aad_len, tag_at, result, reserved (0)."""

ROW_DTYPE: Final = [
    *(
        (name, "u8")
        for name in ("in_at", "out_at", "len", "nonce_at", "aad_at", "aad_len", "tag_at")
    ),
    ("result", "i4"),
    ("reserved", "u4"),
]
"""The same for numpy.dtype()."""


def rows_into(
    function: Any,
    handle: Any,
    rows: Buffer,
    out: Buffer | None,
    data: Buffer,
    aux: Buffer,
    nonce_length: int,
) -> None:
    """One call over a caller's rows and arenas; raises the lowest failing row's error."""
    with ExitStack() as held:
        table = held.enter_context(writable(rows))
        count, rest = divmod(len(table), ROW.size)
        # An empty buffer may lie anywhere.
        if rest or (count and int(ffi.cast("uintptr_t", table)) % 8):
            raise named("ARG", f"rows are {ROW.size} bytes each, at an address divisible by 8")
        target, room = NULL, 0
        if out is not None:
            target = held.enter_context(writable(out))
            room = len(target)
        source = held.enter_context(readable(data))
        extra = held.enter_context(readable(aux))
        code = function(
            handle,
            target,
            room,
            source,
            len(source),
            extra,
            len(extra),
            length(nonce_length),
            ffi.cast("xorcore_row *", table),
            count,
            ROW.size,
        )
        if code:
            raise error(code)


class Batch:
    """Messages of a list call, laid into arenas: `arena` for all that is read, `room` for all that is written."""

    def __init__(
        self,
        nonces: Iterable[Buffer] | None,
        datas: Iterable[Buffer],
        aads: Iterable[Buffer | None] | None,
    ) -> None:
        self.datas = [flat(data) for data in datas]
        count = len(self.datas)
        self.nonces = as_many(nonces, count, "nonces")
        given = None if aads is None else [b"" if aad is None else aad for aad in aads]
        self.aads = as_many(given, count, "associated data")
        self.nonce_length = len(self.nonces[0]) if count else 0
        for nonce in self.nonces:
            if len(nonce) != self.nonce_length:
                raise named("NONCE_LENGTH", "the nonces of one call have one length")
        self.parts: list[bytes] = []
        self.arena_size = 0
        self.room = 0
        self.rows: list[bytes] = []

    def put(self, part: bytes) -> int:
        """Adds bytes to the arena and returns where they stand."""
        at = self.arena_size
        self.parts.append(part)
        self.arena_size += len(part)
        return at

    def take(self, size: int) -> int:
        """Reserves room in the output and returns where it stands."""
        at = self.room
        self.room += size
        return at

    def row(self, in_at: int, out_at: int, size: int, at: int, tag_at: int) -> None:
        """Adds a row for message number `at`."""
        nonce, aad = self.nonces[at], self.aads[at]
        self.rows.append(
            ROW.pack(in_at, out_at, size, self.put(nonce), self.put(aad), len(aad), tag_at, 0, 0)
        )

    def run(self, function: Any, handle: Any) -> tuple[memoryview, list[int]]:
        """The call: what was written, and each row's result. Raises what is neither OK nor AUTH."""
        arena, out = b"".join(self.parts), bytearray(self.room)
        count = len(self.rows)
        table = ffi.new("xorcore_row[]", count)
        ffi.buffer(table)[:] = b"".join(self.rows)
        with writable(out) as target:
            size = len(arena)
            function(
                handle,
                target if self.room else NULL,
                self.room,
                arena,
                size,
                arena,
                size,
                self.nonce_length,
                table,
                count,
                ROW.size,
            )
        results = [table[index].result for index in range(count)]
        for code in results:
            if code not in (lib.XORCORE_OK, lib.XORCORE_E_AUTH):
                raise error(code)
        return memoryview(out), results


def as_many(values: Iterable[Buffer] | None, count: int, what: str) -> Sequence[bytes]:
    """One value for each message; empty ones where there are none."""
    if values is None:
        return [b""] * count
    many = [flat(value) for value in values]
    if len(many) != count:
        raise named("ARG", f"{len(many)} {what} for {count} messages")
    return many
