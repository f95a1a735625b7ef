"""_oneshot — the one-shot calls of AEAD objects and their lists of messages, by cffi.

_fast.c has the same six for the arguments that are usual, and hands all others on to these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from ._buffers import U8, Buffer, as_bytes, exact, new_result, readable, release, writable
from ._errors import error
from ._ffi import ffi, lib
from ._rows import Batch

_seal = lib.helper_seal
_open = lib.helper_open
_from_buffer = ffi.from_buffer


def _wrong_size(out: Any, needs: int) -> NoReturn:
    """Gives an output of another length back and raises."""
    size = len(out)
    release(out)
    exact("buf", size, needs)
    raise AssertionError("it has the right length")


# Both take over `out`: it is released when the last reference goes, but by hand before an exception,
# whose traceback would hold it.


def _seal_to(key: OneShot, out: Any, nonce: Any, data: Any, aad: Any) -> int:
    size = len(data)
    tag_len = key._tag_len
    total = size + tag_len
    if len(out) != total:
        _wrong_size(out, total)
    code = _seal(key._handle, out, tag_len, nonce, len(nonce), data, size, aad, len(aad))
    if code:
        release(out)
        raise error(code)
    return total


def _open_to(key: OneShot, out: Any, nonce: Any, data: Any, aad: Any) -> int:
    size = len(data)
    tag_len = key._tag_len
    total = size - tag_len
    # Data too short for a tag has no right output length: C refuses it.
    if len(out) != total and total >= 0:
        _wrong_size(out, total)
    code = _open(key._handle, out, tag_len, nonce, len(nonce), data, size, aad, len(aad))
    if code:
        release(out)
        raise error(code)
    return total


class OneShot:
    """An AEAD object's key, and whole messages."""

    __slots__ = ("_handle", "_tag_len")

    _handle: Any
    _tag_len: int

    def _bind(self, handle: Any, address: int, tag_len: int) -> None:
        """Takes over a xorcore_aead, which `handle` owns and which lies at `address`."""
        self._handle = handle
        self._tag_len = tag_len

    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes:
        """Encrypts `data` and returns the ciphertext with the tag behind it.

        Raises ValueError for a nonce of a wrong length, OverflowError for more data than the algorithm allows.
        """
        aad = b"" if associated_data is None else associated_data
        if type(data) is bytes and type(nonce) is bytes and type(aad) is bytes:
            size = len(data)
            tag_len = self._tag_len
            result = bytes(size + tag_len)
            code = _seal(
                self._handle, result, tag_len, nonce, len(nonce), data, size, aad, len(aad)
            )
            if code:
                raise error(code)
            return result
        with readable(nonce) as n, readable(data) as d, readable(aad) as a:
            result = bytes(len(d) + self._tag_len)
            code = _seal(self._handle, result, self._tag_len, n, len(n), d, len(d), a, len(a))
            if code:
                raise error(code)
            return result

    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes:
        """Checks the tag at the end of `data` and returns the decrypted text.

        Raises InvalidTag when anything is not what was sealed, and for data too short to hold a tag;
        ValueError for a nonce of a wrong length.
        """
        aad = b"" if associated_data is None else associated_data
        if type(data) is bytes and type(nonce) is bytes and type(aad) is bytes:
            size = len(data)
            tag_len = self._tag_len
            text_len = size - tag_len
            result = bytes(text_len) if text_len > 1 else new_result(max(text_len, 0))
            code = _open(
                self._handle, result, tag_len, nonce, len(nonce), data, size, aad, len(aad)
            )
            if code:
                raise error(code)
            return result if text_len > 1 else as_bytes(result)
        with readable(nonce) as n, readable(data) as d, readable(aad) as a:
            result = new_result(max(len(d) - self._tag_len, 0))
            code = _open(self._handle, result, self._tag_len, n, len(n), d, len(d), a, len(a))
            if code:
                raise error(code)
            return as_bytes(result)

    def encrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int:
        """Encrypts `data` to `buf`, ciphertext and then tag, and returns the number of bytes.

        `buf` is writable and has len(data) + tag_length bytes. `data` may be exactly its beginning; other
        overlaps, and any with the nonce or the associated data, are a ValueError. Errors are those of
        encrypt(), and nothing is written then.
        """
        aad = b"" if associated_data is None else associated_data
        if type(data) is bytes and type(nonce) is bytes and type(aad) is bytes:
            # _seal_to(writable(buf), …), without the two calls, which a short message would feel.
            try:
                out = _from_buffer(U8, buf, True)
            except Exception:
                out = writable(buf)  # says what is wrong
            size = len(data)
            tag_len = self._tag_len
            total = size + tag_len
            if len(out) != total:
                _wrong_size(out, total)
            code = _seal(self._handle, out, tag_len, nonce, len(nonce), data, size, aad, len(aad))
            if code:
                release(out)
                raise error(code)
            return total
        with readable(nonce) as n, readable(data) as d, readable(aad) as a:
            return _seal_to(self, writable(buf), n, d, a)

    def decrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int:
        """Checks the tag at the end of `data`, decrypts to `buf` and returns the number of bytes.

        `buf` is writable and has len(data) - tag_length bytes; it may be exactly the beginning of `data`.
        On InvalidTag it holds zeros. On any other error nothing is written.
        """
        aad = b"" if associated_data is None else associated_data
        if type(data) is bytes and type(nonce) is bytes and type(aad) is bytes:
            try:
                out = _from_buffer(U8, buf, True)
            except Exception:
                out = writable(buf)
            size = len(data)
            tag_len = self._tag_len
            total = size - tag_len
            if len(out) != total and total >= 0:
                _wrong_size(out, total)
            code = _open(self._handle, out, tag_len, nonce, len(nonce), data, size, aad, len(aad))
            if code:
                release(out)
                raise error(code)
            return total
        with readable(nonce) as n, readable(data) as d, readable(aad) as a:
            return _open_to(self, writable(buf), n, d, a)

    def encrypt_rows(
        self,
        nonces: Iterable[Buffer],
        datas: Iterable[Buffer],
        associated_data: Iterable[Buffer | None] | None = None,
    ) -> list[bytes]:
        """Encrypts many messages, each under its own nonce, in one call: a list of what encrypt() returns."""
        batch = Batch(nonces, datas, associated_data)
        tag_len = self._tag_len
        for at, data in enumerate(batch.datas):
            out_at = batch.take(len(data) + tag_len)
            batch.row(batch.put(data), out_at, len(data), at, out_at + len(data))
        out, _ = batch.run(lib.xorcore_aead_seal_rows, self._handle)
        results, begin = [], 0
        for data in batch.datas:
            end = begin + len(data) + tag_len
            results.append(bytes(out[begin:end]))
            begin = end
        return results

    def decrypt_rows(
        self,
        nonces: Iterable[Buffer],
        datas: Iterable[Buffer],
        associated_data: Iterable[Buffer | None] | None = None,
    ) -> list[bytes | None]:
        """Decrypts many messages in one call: a list of what decrypt() returns, with None for each message that
        is not what was sealed."""
        batch = Batch(nonces, datas, associated_data)
        sizes = [len(data) - self._tag_len for data in batch.datas]
        for at, data in enumerate(batch.datas):
            if sizes[at] >= 0:
                in_at = batch.put(data)
                batch.row(in_at, batch.take(sizes[at]), sizes[at], at, in_at + sizes[at])
        out, codes = batch.run(lib.xorcore_aead_open_rows, self._handle)
        results: list[bytes | None] = []
        begin, code = 0, iter(codes)
        for size in sizes:
            if size < 0:
                results.append(None)  # too short for a tag
                continue
            end = begin + size
            results.append(bytes(out[begin:end]) if next(code) == lib.XORCORE_OK else None)
            begin = end
        return results
