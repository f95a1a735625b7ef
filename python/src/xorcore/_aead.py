"""_aead — authenticated encryption: the classes have the shape of pyca/cryptography's."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar, overload

from . import _columns as columns
from ._buffers import Buffer, flat, kernel_name, length, readable
from ._errors import error, named
from ._ffi import ffi, lib
from ._hot import OneShot
from ._rows import rows_into
from ._secret import Secret
from ._stream import AEADDecryptor, AEADEncryptor, AEADUnverifiedDecryptor, _opened

Out = TypeVar("Out", bound=Buffer)


class _AEAD(Secret, OneShot):
    """What every AEAD class does; a subclass names the algorithm and its key sizes."""

    __slots__ = ()

    _algorithm: ClassVar[int]
    _key_bits: ClassVar[tuple[int, ...]]

    def __init__(self, key: Buffer, tag_length: int = 16, *, kernel: str | None = None) -> None:
        out = ffi.new("xorcore_aead **")
        tag_len = length(tag_length)
        with readable(key) as k:
            code = lib.xorcore_aead_new(
                out, self._algorithm, k, len(k), tag_len, kernel_name(kernel)
            )
        if code:
            raise error(code)
        handle = ffi.gc(out[0], lib.xorcore_aead_free)
        self._bind(handle, int(ffi.cast("uintptr_t", handle)), tag_len)

    @classmethod
    def _generate(cls, bit_length: int) -> bytes:
        if bit_length not in cls._key_bits:
            sizes = ", ".join(map(str, cls._key_bits))
            raise named("KEY_LENGTH", f"{cls.__name__} keys have {sizes} bits, not {bit_length!r}")
        return os.urandom(bit_length // 8)

    def __repr__(self) -> str:
        return f"<xorcore.{type(self).__name__} tag_length={self._tag_len} kernel={self.kernel!r}>"

    @property
    def tag_length(self) -> int:
        """The length of this object's tags, in bytes."""
        return self._tag_len

    @property
    def kernel(self) -> str:
        """What this object runs on; accepted as `kernel` again."""
        name: bytes = ffi.string(lib.xorcore_aead_kernel(self._handle))
        return name.decode()

    @overload
    def seal_many(
        self,
        nonces: Buffer,
        messages: Buffer,
        aads: Buffer | None = ...,
        *,
        record_size: int,
        out: None = ...,
    ) -> bytes: ...
    @overload
    def seal_many(
        self,
        nonces: Buffer,
        messages: Buffer,
        aads: Buffer | None = ...,
        *,
        record_size: int,
        out: Out,
    ) -> Out: ...
    @overload
    def seal_many(
        self,
        nonces: Iterable[Buffer],
        messages: Iterable[Buffer],
        aads: Iterable[Buffer | None] | None = ...,
    ) -> list[bytes]: ...
    @overload
    def seal_many(self, nonces: Any, messages: Any, aads: Any = ...) -> Any: ...
    def seal_many(
        self,
        nonces: Any,
        messages: Any,
        aads: Any = None,
        *,
        record_size: int | None = None,
        out: Any = None,
    ) -> Any:
        """Encrypts many messages, each under its own nonce, in one call of the library.

        The result has the shape of `messages`, each with its tag behind it:

        - with `record_size`, one buffer of records of that size, one behind the other: `bytes`. `nonces` is a buffer
          of nonces, `aads` None or a buffer of associated data, of one size each. `out`, which is then returned, takes the
          result, has its length and touches nothing else;
        - a pyarrow Array or ChunkedArray of binary, string or fixed-size binary: another, with nulls where nulls were.
          `nonces` and `aads` are Arrow arrays or, as above, buffers; an AAD that is null is empty;
        - any other iterable of buffers: a list, as by encrypt_rows().

        Raises ValueError when the numbers do not agree or a nonce has a wrong length, TypeError for other Arrow types.
        """
        if record_size is not None:
            return columns.seal_records(self, nonces, messages, aads, record_size, out)
        columns.only_for_records(out)
        if columns.is_arrow(messages):
            return columns.seal_arrow(self, nonces, messages, aads)
        return self.encrypt_rows(nonces, messages, aads)

    @overload
    def open_many(
        self,
        nonces: Buffer,
        sealed: Buffer,
        aads: Buffer | None = ...,
        *,
        record_size: int,
        out: None = ...,
    ) -> bytes: ...
    @overload
    def open_many(
        self,
        nonces: Buffer,
        sealed: Buffer,
        aads: Buffer | None = ...,
        *,
        record_size: int,
        out: Out,
    ) -> Out: ...
    @overload
    def open_many(
        self,
        nonces: Iterable[Buffer],
        sealed: Iterable[Buffer],
        aads: Iterable[Buffer | None] | None = ...,
    ) -> list[bytes]: ...
    @overload
    def open_many(self, nonces: Any, sealed: Any, aads: Any = ...) -> Any: ...
    def open_many(
        self,
        nonces: Any,
        sealed: Any,
        aads: Any = None,
        *,
        record_size: int | None = None,
        out: Any = None,
    ) -> Any:
        """The way back; `record_size` is that of the texts, without their tags.

        Raises InvalidTag when any message is not what was sealed, and gives none of them then (`out` holds zeros);
        decrypt_rows() gives the others.
        """
        if record_size is not None:
            return columns.open_records(self, nonces, sealed, aads, record_size, out)
        columns.only_for_records(out)
        if columns.is_arrow(sealed):
            return columns.open_arrow(self, nonces, sealed, aads)
        texts = self.decrypt_rows(nonces, sealed, aads)
        wrong = [at for at, text in enumerate(texts) if text is None]
        if wrong:
            raise columns.forged(len(wrong), len(texts), wrong[0])
        return texts

    def encrypt_rows_into(
        self, rows: Buffer, out: Buffer, data: Buffer, aux: Buffer, *, nonce_length: int
    ) -> None:
        """The same over arenas of the caller: text in `data`, ciphertext and tags to `out`, nonces and associated
        data in `aux`; see ROW. Each row gets its result; the exception is that of the lowest row that failed."""
        rows_into(lib.xorcore_aead_seal_rows, self._handle, rows, out, data, aux, nonce_length)

    def decrypt_rows_into(
        self, rows: Buffer, out: Buffer, data: Buffer, aux: Buffer, *, nonce_length: int
    ) -> None:
        """As encrypt_rows_into(), with the tags in `aux`."""
        rows_into(lib.xorcore_aead_open_rows, self._handle, rows, out, data, aux, nonce_length)

    def _begun(self, direction: int, nonce: bytes) -> Any:
        return _opened(lib.xorcore_stream_new_aead, self._handle, direction, nonce, len(nonce))

    def encryptor(
        self, nonce: Buffer, *, aad_length: int | None = None, length: int | None = None
    ) -> AEADEncryptor:
        """A context that seals one message in pieces.

        `aad_length` and `length` announce how much associated data and text will come; AESCCM needs them.
        """
        n = flat(nonce)
        made = AEADEncryptor(self._begun(lib.XORCORE_ENCRYPT, n), n, self._tag_len)
        made._lengths(aad_length, length)
        return made

    def decryptor(
        self, nonce: Buffer, *, aad_length: int | None = None, length: int | None = None
    ) -> AEADDecryptor:
        """A context that checks one message in pieces and gives no text: the safe first pass."""
        n = flat(nonce)
        made = AEADDecryptor(self._begun(lib.XORCORE_DECRYPT, n), n)
        made._lengths(aad_length, length)
        return made

    def decryptor_unverified(
        self, nonce: Buffer, *, aad_length: int | None = None, length: int | None = None
    ) -> AEADUnverifiedDecryptor:
        """A context that decrypts one message in pieces, before its tag is checked, at the caller's risk."""
        n = flat(nonce)
        made = AEADUnverifiedDecryptor(self._begun(lib.XORCORE_DECRYPT_UNVERIFIED, n), n)
        made._lengths(aad_length, length)
        return made


class AESGCM(_AEAD):
    """AES-GCM (SP 800-38D). Immutable: any number of threads may use one object at the same time.

    `key` has 16, 24 or 32 bytes, tags 4, 8 or 12 to 16. Nonces have at least one byte; use 12, and never one
    nonce twice with one key. Nothing is counted here: with random 12-byte nonces encrypt at most 2**32
    messages under one key. `kernel` is the name of a "gcm" kernel, or "A+G" for an "aes" and a "ghash" one.
    """

    __slots__ = ()
    _algorithm = lib.XORCORE_AES_GCM
    _key_bits = (128, 192, 256)

    @staticmethod
    def generate_key(bit_length: int = 256) -> bytes:
        """A random key of 128, 192 or 256 bits."""
        return AESGCM._generate(bit_length)


class AESCCM(_AEAD):
    """AES-CCM (SP 800-38C). Immutable: any number of threads may use one object at the same time.

    `key` has 16, 24 or 32 bytes, tags 4, 6, 8, 10, 12, 14 or 16, nonces 7 to 13, and a text must be shorter than
    2**(8 * (15 - nonce length)) bytes. Never use one nonce twice with one key. In pieces it needs the lengths
    first. `kernel` names a kernel of the family "aes".
    """

    __slots__ = ()
    _algorithm = lib.XORCORE_AES_CCM
    _key_bits = (128, 192, 256)

    @staticmethod
    def generate_key(bit_length: int = 256) -> bytes:
        """A random key of 128, 192 or 256 bits."""
        return AESCCM._generate(bit_length)


class AESGCMSIV(_AEAD):
    """AES-GCM-SIV (RFC 8452). Immutable: any number of threads may use one object at the same time.

    `key` has 16 or 32 bytes, nonces 12, tags 16. A nonce used twice shows only whether two messages were
    equal. It reads a text twice, so the contexts for
    pieces are an UnsupportedError. `kernel` is "A+G", an "aes" and a "ghash" kernel.
    """

    __slots__ = ()
    _algorithm = lib.XORCORE_AES_GCM_SIV
    _key_bits = (128, 256)

    @staticmethod
    def generate_key(bit_length: int = 256) -> bytes:
        """A random key of 128 or 256 bits."""
        return AESGCMSIV._generate(bit_length)


class XAES256GCM(_AEAD):
    """XAES-256-GCM (C2SP): AES-256-GCM with nonces of 24 bytes, which may be random for any number of messages.

    `key` has 32 bytes, tags 16. Immutable: any number of threads may use one object at the same time. `kernel` as
    for AESGCM.
    """

    __slots__ = ()
    _algorithm = lib.XORCORE_XAES_256_GCM
    _key_bits = (256,)

    @staticmethod
    def generate_key(bit_length: int = 256) -> bytes:
        """A random key of 256 bits."""
        return XAES256GCM._generate(bit_length)
