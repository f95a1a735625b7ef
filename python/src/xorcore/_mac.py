"""_mac — message authentication codes: GMAC and CMAC."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ._buffers import Buffer, flat, kernel_name, length, readable
from ._errors import error
from ._ffi import ffi, lib
from ._rows import Batch, as_many, rows_into
from ._secret import Secret
from ._stream import MACContext, _opened


class _MAC(Secret):
    """What both classes do."""

    __slots__ = ("_handle", "_tag_len")

    _algorithm: ClassVar[int]

    def __init__(self, key: Buffer, tag_length: int = 16, *, kernel: str | None = None) -> None:
        out = ffi.new("xorcore_mac **")
        tag_len = length(tag_length)
        with readable(key) as k:
            code = lib.xorcore_mac_new(
                out, self._algorithm, k, len(k), tag_len, kernel_name(kernel)
            )
        if code:
            raise error(code)
        self._handle = ffi.gc(out[0], lib.xorcore_mac_free)
        self._tag_len = tag_len

    def __repr__(self) -> str:
        return f"<xorcore.{type(self).__name__} tag_length={self._tag_len} kernel={self.kernel!r}>"

    @property
    def tag_length(self) -> int:
        """The length of this object's tags, in bytes."""
        return self._tag_len

    @property
    def kernel(self) -> str:
        """What this object runs on; accepted as `kernel` again."""
        name: bytes = ffi.string(lib.xorcore_mac_kernel(self._handle))
        return name.decode()

    def _compute(self, nonce: Buffer, data: Buffer) -> bytes:
        tag = bytes(self._tag_len)
        with readable(nonce) as n, readable(data) as d:
            code = lib.xorcore_mac_compute(self._handle, tag, self._tag_len, n, len(n), d, len(d))
        if code:
            raise error(code)
        return tag

    def _verify(self, nonce: Buffer, data: Buffer, tag: Buffer) -> None:
        with readable(nonce) as n, readable(data) as d, readable(tag) as t:
            code = lib.xorcore_mac_verify(self._handle, t, len(t), n, len(n), d, len(d))
        if code:
            raise error(code)

    def _stream(self, nonce: Buffer) -> MACContext:
        n = flat(nonce)
        return MACContext(
            _opened(lib.xorcore_stream_new_mac, self._handle, n, len(n)), n, self._tag_len
        )

    def _compute_rows(
        self, nonces: Iterable[Buffer] | None, datas: Iterable[Buffer]
    ) -> list[bytes]:
        batch = Batch(nonces, datas, None)
        for at, data in enumerate(batch.datas):
            batch.row(batch.put(data), 0, len(data), at, batch.take(self._tag_len))
        out, _ = batch.run(lib.xorcore_mac_compute_rows, self._handle)
        size = self._tag_len
        return [bytes(out[at * size : (at + 1) * size]) for at in range(len(batch.datas))]

    def _verify_rows(
        self, nonces: Iterable[Buffer] | None, datas: Iterable[Buffer], tags: Iterable[Buffer]
    ) -> list[bool]:
        batch = Batch(nonces, datas, None)
        given = as_many(tags, len(batch.datas), "tags")
        # A tag of another length is not the right one, and has no place in a row.
        fits = [len(tag) == self._tag_len for tag in given]
        for at, data in enumerate(batch.datas):
            if fits[at]:
                batch.row(batch.put(data), 0, len(data), at, batch.put(given[at]))
        _, results = batch.run(lib.xorcore_mac_verify_rows, self._handle)
        right = iter(results)
        return [fit and next(right) == lib.XORCORE_OK for fit in fits]

    def compute_rows_into(
        self, rows: Buffer, out: Buffer, data: Buffer, aux: Buffer, *, nonce_length: int
    ) -> None:
        """Many tags over arenas of the caller, in one call: messages in `data`, tags to `out`, nonces in `aux`;
        see ROW. Each row gets its result; the exception is that of the lowest row that failed."""
        rows_into(lib.xorcore_mac_compute_rows, self._handle, rows, out, data, aux, nonce_length)

    def verify_rows_into(
        self, rows: Buffer, data: Buffer, aux: Buffer, *, nonce_length: int
    ) -> None:
        """Checks many tags, which are in `aux`; as compute_rows_into()."""
        rows_into(lib.xorcore_mac_verify_rows, self._handle, rows, None, data, aux, nonce_length)


class GMAC(_MAC):
    """AES-GMAC (SP 800-38D). Immutable: any number of threads may use one object.

    `key` has 16, 24 or 32 bytes, tags 4, 8 or 12 to 16. The rules of GCM's nonce hold: at least one byte, use 12,
    and never one nonce twice with one key. `kernel` as for AESGCM.
    """

    __slots__ = ()
    _algorithm = lib.XORCORE_AES_GMAC

    def compute(self, nonce: Buffer, data: Buffer) -> bytes:
        """The tag of a message."""
        return self._compute(nonce, data)

    def verify(self, nonce: Buffer, data: Buffer, tag: Buffer) -> None:
        """Raises InvalidTag when `tag` is not the message's."""
        self._verify(nonce, data, tag)

    def stream(self, nonce: Buffer) -> MACContext:
        """A context for one message in pieces."""
        return self._stream(nonce)

    def compute_rows(self, nonces: Iterable[Buffer], datas: Iterable[Buffer]) -> list[bytes]:
        """The tags of many messages, in one call."""
        return self._compute_rows(nonces, datas)

    def verify_rows(
        self, nonces: Iterable[Buffer], datas: Iterable[Buffer], tags: Iterable[Buffer]
    ) -> list[bool]:
        """For each of many messages whether its tag is right, in one call."""
        return self._verify_rows(nonces, datas, tags)


class CMAC(_MAC):
    """AES-CMAC (SP 800-38B). Immutable: any number of threads may use one object.

    `key` has 16, 24 or 32 bytes, tags 4 to 16; there is no nonce. `kernel` names a kernel of the family "aes".
    """

    __slots__ = ()
    _algorithm = lib.XORCORE_AES_CMAC

    def compute(self, data: Buffer) -> bytes:
        """The tag of a message."""
        return self._compute(b"", data)

    def verify(self, data: Buffer, tag: Buffer) -> None:
        """Raises InvalidTag when `tag` is not the message's."""
        self._verify(b"", data, tag)

    def stream(self) -> MACContext:
        """A context for one message in pieces."""
        return self._stream(b"")

    def compute_rows(self, datas: Iterable[Buffer]) -> list[bytes]:
        """The tags of many messages, in one call."""
        return self._compute_rows(None, datas)

    def verify_rows(self, datas: Iterable[Buffer], tags: Iterable[Buffer]) -> list[bool]:
        """For each of many messages whether its tag is right, in one call."""
        return self._verify_rows(None, datas, tags)
