"""_stream — one message in pieces, of any split; what encryptor(), decryptor() and stream() return.

A context belongs to one message. Calls from several threads are put one after the other, but their order
is then the threads' affair. Contexts keep their key alive by themselves.
"""

from __future__ import annotations

from threading import RLock
from typing import Any, Self

from ._buffers import NULL, Buffer, as_bytes, new_result, readable, writable
from ._errors import AlreadyFinalized, error, named
from ._ffi import ffi, lib
from ._secret import Secret

_update = lib.xorcore_stream_update


def _opened(make: Any, *arguments: Any) -> Any:
    """Calls one of the xorcore_stream_new functions and returns the stream as an owned pointer."""
    out = ffi.new("xorcore_stream **")
    code = make(out, *arguments)
    if code:
        raise error(code)
    return ffi.gc(out[0], lib.xorcore_stream_free)


class _Stream(Secret):
    """What all contexts have in common."""

    __slots__ = ("_finalized", "_lock", "_nonce", "_stream")

    def __init__(self, stream: Any, nonce: bytes) -> None:
        self._stream = stream
        self._nonce = nonce
        self._finalized = False
        self._lock = RLock()

    def _alive(self) -> None:
        if self._finalized:
            done = AlreadyFinalized("the message is finished; reset() begins another (STATE)")
            done.result = "STATE"
            raise done

    def _reset(self, nonce: Buffer | None) -> None:
        with readable(self._nonce if nonce is None else nonce) as n:
            code = lib.xorcore_stream_reset(self._stream, n, len(n))
            if code:
                raise error(code)
            if nonce is not None:
                self._nonce = bytes(ffi.buffer(n))
        self._finalized = False

    def _swallow(self, data: Buffer) -> None:
        """An update that gives nothing."""
        with self._lock, readable(data) as d:
            self._alive()
            code = _update(self._stream, NULL, d, len(d))
            if code:
                raise error(code)

    def _aad(self, data: Buffer) -> None:
        with self._lock, readable(data) as d:
            self._alive()
            code = lib.xorcore_stream_aad(self._stream, d, len(d))
            if code:
                raise error(code)

    def _lengths(self, aad_length: int | None, length: int | None) -> None:
        if aad_length is None and length is None:
            return
        if aad_length is None or length is None:
            raise named("ARG", "aad_length and length are announced together")
        code = lib.xorcore_stream_lengths(self._stream, aad_length, length)
        if code:
            raise error(code)

    def _finish(self, size: int) -> bytes:
        with self._lock:
            self._alive()
            tag = bytes(size)
            code = lib.xorcore_stream_finish(self._stream, tag, size)
            if code:
                raise error(code)
            self._finalized = True
            return tag

    def _verify(self, tag: Buffer) -> None:
        with self._lock, readable(tag) as t:
            self._alive()
            code = lib.xorcore_stream_verify(self._stream, t, len(t))
            if code in (lib.XORCORE_OK, lib.XORCORE_E_AUTH):
                self._finalized = True
            if code:
                raise error(code)

    def _copied(self) -> Self:
        with self._lock:
            other = type(self).__new__(type(self))
            _Stream.__init__(other, _opened(lib.xorcore_stream_copy, self._stream), self._nonce)
            other._finalized = self._finalized
            return other


class _Text(_Stream):
    """A stream that gives as many bytes as it takes."""

    __slots__ = ()

    def update(self, data: Buffer) -> bytes:
        """Processes more of the message and returns as many bytes."""
        with self._lock:
            self._alive()
            if type(data) is bytes:
                return self._updated(data)
            with readable(data) as d:
                return self._updated(d)

    def update_into(self, data: Buffer, buf: Buffer) -> int:
        """Processes more of the message into `buf`, which is writable and at least as long as `data`, and
        returns the number of bytes. `data` may be exactly the beginning of `buf`."""
        with self._lock, writable(buf) as out, readable(data) as d:
            self._alive()
            size = len(d)
            if len(out) < size:
                raise named("DATA_LENGTH", f"buf must have {size} bytes or more and has {len(out)}")
            code = _update(self._stream, out, d, size)
            if code:
                raise error(code)
            return size

    def _updated(self, data: Any) -> bytes:
        size = len(data)
        result = new_result(size)
        code = _update(self._stream, result, data, size)
        if code:
            raise error(code)
        return as_bytes(result)


class CipherContext(_Text):
    """A message that a cipher encrypts or decrypts, from Cipher.encryptor() or Cipher.decryptor().

    For AES-ECB and AES-CBC the pieces are multiples of 16 bytes: nothing is held back and nothing is padded.
    """

    __slots__ = ()

    def finalize(self) -> bytes:
        """Ends the message. There is never anything left to give: the answer is b""."""
        with self._lock:
            self._alive()
            self._finalized = True
            return b""

    def reset(self, iv: Buffer | None = None) -> None:
        """Begins another message, with the same IV if none is given."""
        with self._lock:
            self._reset(iv)

    def copy(self) -> CipherContext:
        """A second context in the same state."""
        return self._copied()

    def seek(self, offset: int) -> None:
        """AES-CTR: goes to that byte of the message. Encrypting another text at the same place reuses
        keystream. UnsupportedError for other modes."""
        with self._lock:
            self._alive()
            code = lib.xorcore_stream_seek(self._stream, offset)
            if code:
                raise error(code)

    @property
    def next_iv(self) -> bytes:
        """The IV with which the rest of the message could be processed on its own. XorcoreError (STATE) inside
        a block, UnsupportedError for AES-ECB."""
        with self._lock:
            iv = bytes(16)
            code = lib.xorcore_stream_iv(self._stream, iv, 16)
            if code:
                raise error(code)
            return iv


class AEADEncryptor(_Text):
    """A message that is sealed in pieces: authenticate_additional_data(), update(), finalize(), then `tag`."""

    __slots__ = ("_tag", "_tag_len")

    def __init__(self, stream: Any, nonce: bytes, tag_len: int) -> None:
        super().__init__(stream, nonce)
        self._tag_len = tag_len
        self._tag: bytes | None = None

    def authenticate_additional_data(self, data: Buffer) -> None:
        """More associated data; all of it comes before the text."""
        self._aad(data)

    def finalize(self) -> bytes:
        """Ends the message and returns b""; the tag is in `tag`."""
        self._tag = self._finish(self._tag_len)
        return b""

    @property
    def tag(self) -> bytes:
        """The tag, once finalize() was called."""
        if self._tag is None:
            raise named("STATE", "the tag is made by finalize()")
        return self._tag

    def reset(
        self, nonce: Buffer, *, aad_length: int | None = None, length: int | None = None
    ) -> None:
        """Begins another message under another nonce."""
        with self._lock:
            self._reset(nonce)
            self._tag = None
            self._lengths(aad_length, length)


class _Opening(_Stream):
    __slots__ = ()

    def authenticate_additional_data(self, data: Buffer) -> None:
        """More associated data; all of it comes before the text."""
        self._aad(data)

    def reset(
        self, nonce: Buffer, *, aad_length: int | None = None, length: int | None = None
    ) -> None:
        """Begins another message."""
        with self._lock:
            self._reset(nonce)
            self._lengths(aad_length, length)


class AEADDecryptor(_Opening):
    """A sealed message that is checked in pieces and gives no text.

    It is the safe first pass over what is too large for one call: when finalize_with_tag() returns, decrypt in
    a second pass, with decrypt_into() or decryptor_unverified().
    """

    __slots__ = ()

    def update(self, data: Buffer) -> None:
        """More ciphertext."""
        self._swallow(data)

    def finalize_with_tag(self, tag: Buffer) -> None:
        """Ends the message; InvalidTag when it is not what was sealed."""
        self._verify(tag)

    def copy(self) -> AEADDecryptor:
        """A second context in the same state."""
        return self._copied()


class AEADUnverifiedDecryptor(_Text, _Opening):
    """A sealed message that is decrypted in pieces, before anything was checked.

    What update() returns may be forged: use it for nothing until finalize_with_tag() has returned, and throw
    it away on InvalidTag.
    """

    __slots__ = ()

    def finalize_with_tag(self, tag: Buffer) -> bytes:
        """Ends the message and returns b""; InvalidTag when it is not what was sealed."""
        self._verify(tag)
        return b""

    def copy(self) -> AEADUnverifiedDecryptor:
        """A second context in the same state."""
        return self._copied()


class MACContext(_Stream):
    """A message that is authenticated in pieces, from GMAC.stream() or CMAC.stream()."""

    __slots__ = ("_tag_len",)

    def __init__(self, stream: Any, nonce: bytes, tag_len: int) -> None:
        super().__init__(stream, nonce)
        self._tag_len = tag_len

    def update(self, data: Buffer) -> None:
        """More of the message."""
        self._swallow(data)

    def finalize(self) -> bytes:
        """Ends the message and returns its tag."""
        return self._finish(self._tag_len)

    def verify(self, tag: Buffer) -> None:
        """Ends the message and checks its tag: InvalidTag when it is another."""
        self._verify(tag)

    def reset(self, nonce: Buffer | None = None) -> None:
        """Begins another message, with the same nonce if none is given."""
        with self._lock:
            self._reset(nonce)

    def copy(self) -> MACContext:
        """A second context in the same state."""
        other = self._copied()
        other._tag_len = self._tag_len
        return other
