"""_cipher — the modes of SP 800-38A and XTS. None of them authenticates: prefer an AEAD."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from ._buffers import (
    NULL,
    Buffer,
    as_bytes,
    exact,
    flat,
    kernel_name,
    length,
    new_result,
    readable,
    writable,
)
from ._errors import error, named
from ._ffi import ffi, lib
from ._rows import Batch, rows_into
from ._secret import Secret
from ._stream import CipherContext, _opened

_encrypt = lib.xorcore_cipher_encrypt
_decrypt = lib.xorcore_cipher_decrypt

ALGORITHMS: Final[dict[str, int]] = {
    "AES-ECB": lib.XORCORE_AES_ECB,
    "AES-CBC": lib.XORCORE_AES_CBC,
    "AES-CFB128": lib.XORCORE_AES_CFB128,
    "AES-CFB8": lib.XORCORE_AES_CFB8,
    "AES-OFB": lib.XORCORE_AES_OFB,
    "AES-CTR": lib.XORCORE_AES_CTR,
    "AES-XTS": lib.XORCORE_AES_XTS,
}


def new_cipher(algorithm: int, key: Buffer, kernel: str | None) -> Any:
    """A key object of the C library as an owned pointer."""
    out = ffi.new("xorcore_cipher **")
    with readable(key) as k:
        code = lib.xorcore_cipher_new(out, algorithm, k, len(k), kernel_name(kernel))
    if code:
        raise error(code)
    return ffi.gc(out[0], lib.xorcore_cipher_free)


def cipher_kernel(handle: Any) -> str:
    """What a key object runs on."""
    name: bytes = ffi.string(lib.xorcore_cipher_kernel(handle))
    return name.decode()


def refused(code: int, iv: Any) -> Exception:
    """The exception for a result; one for a missing IV says so."""
    if code == lib.XORCORE_E_NONCE_LENGTH and len(iv) == 0:
        return _no_iv()
    return error(code)


def _no_iv() -> Exception:
    return named("NONCE_LENGTH", "an IV or tweak of 16 bytes is needed, and none was given")


def crypt(function: Any, handle: Any, iv: bytes, data: Buffer) -> bytes:
    """One whole message to new bytes."""
    if type(data) is bytes:
        result = new_result(len(data))
        code = function(handle, result, iv, len(iv), data, len(data))
    else:
        with readable(data) as d:
            result = new_result(len(d))
            code = function(handle, result, iv, len(iv), d, len(d))
    if code:
        raise refused(code, iv)
    return as_bytes(result)


def crypt_into(function: Any, handle: Any, iv: Buffer, data: Buffer, buf: Buffer) -> int:
    """One whole message to a buffer of the same length."""
    with writable(buf) as out, readable(iv) as v, readable(data) as d:
        size = len(d)
        exact("buf", len(out), size)
        code = function(handle, out, v, len(v), d, size)
        if code:
            raise refused(code, v)
        return size


class Cipher(Secret):
    """A key with a mode, from cipher(). Immutable: any number of threads may use one object.

    The one-shot calls take a whole message and use the IV of the object unless they are given another.
    encryptor() and decryptor() process a message in pieces.
    """

    __slots__ = ("_algorithm", "_handle", "_iv")

    def __init__(
        self, algorithm: str, key: Buffer, iv: Buffer | None = None, *, kernel: str | None = None
    ) -> None:
        if not isinstance(algorithm, str):
            raise TypeError(f"algorithm must be a str, not {type(algorithm).__name__!r}")
        if algorithm not in ALGORITHMS:
            raise named("ARG", f"no cipher {algorithm!r}; there are {', '.join(ALGORITHMS)}")
        self._algorithm = algorithm
        self._handle = new_cipher(ALGORITHMS[algorithm], key, kernel)
        self._iv = b"" if iv is None else flat(iv)
        if iv is not None:
            # An empty message is refused for its IV first.
            code = _encrypt(self._handle, NULL, self._iv, len(self._iv), NULL, 0)
            if code == lib.XORCORE_E_NONCE_LENGTH:
                raise error(code)

    def __repr__(self) -> str:
        return f"<xorcore.Cipher {self._algorithm} kernel={self.kernel!r}>"

    @property
    def algorithm(self) -> str:
        """The name of the mode, as cipher() takes it."""
        return self._algorithm

    @property
    def kernel(self) -> str:
        """What this object runs on; accepted as `kernel` again."""
        return cipher_kernel(self._handle)

    def _chosen(self, iv: Buffer | None) -> bytes:
        return self._iv if iv is None else flat(iv)

    def encrypt(self, data: Buffer, *, iv: Buffer | None = None) -> bytes:
        """Encrypts one whole message."""
        return crypt(_encrypt, self._handle, self._chosen(iv), data)

    def decrypt(self, data: Buffer, *, iv: Buffer | None = None) -> bytes:
        """Decrypts one whole message."""
        return crypt(_decrypt, self._handle, self._chosen(iv), data)

    def encrypt_into(self, data: Buffer, buf: Buffer, *, iv: Buffer | None = None) -> int:
        """Encrypts one whole message to `buf`, which is writable, of the same length, and exactly `data` or
        apart from it and the IV. Returns the number of bytes."""
        return crypt_into(_encrypt, self._handle, self._iv if iv is None else iv, data, buf)

    def decrypt_into(self, data: Buffer, buf: Buffer, *, iv: Buffer | None = None) -> int:
        """Decrypts one whole message to `buf`; as encrypt_into()."""
        return crypt_into(_decrypt, self._handle, self._iv if iv is None else iv, data, buf)

    def ctr_at(self, offset: int, data: Buffer, *, iv: Buffer | None = None) -> bytes:
        """AES-CTR: `data` as the bytes from `offset` on of a longer message, both ways.

        Raises UnsupportedError for other modes, OverflowError past 2**64.
        """
        v = self._chosen(iv)
        with readable(data) as d:
            result = new_result(len(d))
            code = lib.xorcore_cipher_ctr_at(self._handle, result, v, len(v), offset, d, len(d))
            if code:
                raise refused(code, v)
            return as_bytes(result)

    def ctr_at_into(
        self, offset: int, data: Buffer, buf: Buffer, *, iv: Buffer | None = None
    ) -> int:
        """ctr_at() to `buf`, as encrypt_into()."""
        with (
            writable(buf) as out,
            readable(self._iv if iv is None else iv) as v,
            readable(data) as d,
        ):
            size = len(d)
            exact("buf", len(out), size)
            code = lib.xorcore_cipher_ctr_at(self._handle, out, v, len(v), offset, d, size)
            if code:
                raise refused(code, v)
            return size

    def _context(self, direction: int, iv: Buffer | None) -> CipherContext:
        v = self._chosen(iv)
        try:
            stream = _opened(lib.xorcore_stream_new_cipher, self._handle, direction, v, len(v))
        except ValueError:
            if not v:
                raise _no_iv() from None
            raise
        return CipherContext(stream, v)

    def encryptor(self, iv: Buffer | None = None) -> CipherContext:
        """A context that encrypts one message in pieces. UnsupportedError for AES-XTS."""
        return self._context(lib.XORCORE_ENCRYPT, iv)

    def decryptor(self, iv: Buffer | None = None) -> CipherContext:
        """A context that decrypts one message in pieces. UnsupportedError for AES-XTS."""
        return self._context(lib.XORCORE_DECRYPT, iv)

    def _rows(
        self, function: Any, ivs: Iterable[Buffer] | None, datas: Iterable[Buffer]
    ) -> list[bytes]:
        batch = Batch(ivs, datas, None)
        for at, data in enumerate(batch.datas):
            batch.row(batch.put(data), batch.take(len(data)), len(data), at, 0)
        out, _ = batch.run(function, self._handle)
        results, at = [], 0
        for data in batch.datas:
            results.append(bytes(out[at : at + len(data)]))
            at += len(data)
        return results

    def encrypt_rows(self, ivs: Iterable[Buffer] | None, datas: Iterable[Buffer]) -> list[bytes]:
        """Encrypts many messages, each under its own IV, in one call. `ivs` is None for AES-ECB.

        In CBC, CFB and OFB they are encrypted side by side, which is several times as fast as one by one."""
        return self._rows(lib.xorcore_cipher_encrypt_rows, ivs, datas)

    def decrypt_rows(self, ivs: Iterable[Buffer] | None, datas: Iterable[Buffer]) -> list[bytes]:
        """Decrypts many messages, each under its own IV, in one call."""
        return self._rows(lib.xorcore_cipher_decrypt_rows, ivs, datas)

    def encrypt_rows_into(
        self, rows: Buffer, out: Buffer, data: Buffer, aux: Buffer, *, iv_length: int
    ) -> None:
        """The same over arenas of the caller: text in `data`, results in `out`, IVs in `aux`; see ROW. Each row
        gets its result; the exception is that of the lowest row that failed."""
        rows_into(lib.xorcore_cipher_encrypt_rows, self._handle, rows, out, data, aux, iv_length)

    def decrypt_rows_into(
        self, rows: Buffer, out: Buffer, data: Buffer, aux: Buffer, *, iv_length: int
    ) -> None:
        """As encrypt_rows_into(), the other way."""
        rows_into(lib.xorcore_cipher_decrypt_rows, self._handle, rows, out, data, aux, iv_length)


def cipher(
    algorithm: str, key: Buffer, iv: Buffer | None = None, *, kernel: str | None = None
) -> Cipher:
    """A key with a mode: "AES-ECB", "AES-CBC", "AES-CFB128", "AES-CFB8", "AES-OFB", "AES-CTR", "AES-XTS".

    Keys have 16, 24 or 32 bytes (XTS: 32, 48 or 64, the two keys one behind the other), IVs 16 bytes, for ECB
    none. `iv` is for the calls that are given no other, and may be left out when each of them has one:
    `encrypt(data, iv=iv)`, `encryptor(iv)`, `encrypt_rows(ivs, datas)`. CTR counts all 128 bits of the IV, big-endian.
    Nothing is padded: ECB and CBC take multiples of 16. `kernel` names a kernel of the family "aes".

    None of these modes authenticates. CTR and OFB must never see one IV twice.
    """
    return Cipher(algorithm, key, iv, kernel=kernel)


Tweak: TypeAlias = "Buffer | int"


class AESXTS(Secret):
    """AES-XTS (IEEE 1619, SP 800-38E) for storage: one call is one data unit of 16 to 2**24 bytes.

    `key` is the two keys one behind the other, 32 or 64 bytes (48 is not in the standard but in use); equal
    halves are refused, so the key of IEEE 1619's vector 1 is too. A tweak is 16 bytes, or the number of the
    data unit. It comes first, as an AEAD's nonce does; a run of sectors comes before the number of its first
    one. Immutable: any number of threads may use one object.
    """

    __slots__ = ("_handle",)

    def __init__(self, key: Buffer, *, kernel: str | None = None) -> None:
        self._handle = new_cipher(lib.XORCORE_AES_XTS, key, kernel)

    def __repr__(self) -> str:
        return f"<xorcore.AESXTS kernel={self.kernel!r}>"

    @property
    def kernel(self) -> str:
        """What this object runs on; accepted as `kernel` again."""
        return cipher_kernel(self._handle)

    @staticmethod
    def _tweak(tweak: Tweak) -> Any:
        return tweak.to_bytes(16, "little") if isinstance(tweak, int) else tweak

    def encrypt(self, tweak: Tweak, data: Buffer) -> bytes:
        """Encrypts one data unit."""
        return crypt(_encrypt, self._handle, flat(self._tweak(tweak)), data)

    def decrypt(self, tweak: Tweak, data: Buffer) -> bytes:
        """Decrypts one data unit."""
        return crypt(_decrypt, self._handle, flat(self._tweak(tweak)), data)

    def encrypt_into(self, tweak: Tweak, data: Buffer, buf: Buffer) -> int:
        """Encrypts one data unit to `buf`, of the same length, exactly `data` or apart from it."""
        return crypt_into(_encrypt, self._handle, self._tweak(tweak), data, buf)

    def decrypt_into(self, tweak: Tweak, data: Buffer, buf: Buffer) -> int:
        """Decrypts one data unit to `buf`; as encrypt_into()."""
        return crypt_into(_decrypt, self._handle, self._tweak(tweak), data, buf)

    def _sectors(
        self, direction: int, data: Buffer, first: Tweak, sector_size: int, out: Any
    ) -> Any:
        with readable(self._tweak(first)) as tweak, readable(data) as d:
            size = len(d)
            sector_size = length(sector_size)
            if out is None:
                fresh = new_result(size)
                code = lib.xorcore_cipher_sectors(
                    self._handle, direction, fresh, tweak, len(tweak), d, size, sector_size
                )
                if code:
                    raise error(code)
                return as_bytes(fresh)
            with writable(out) as target:
                exact("out", len(target), size)
                code = lib.xorcore_cipher_sectors(
                    self._handle, direction, target, tweak, len(tweak), d, size, sector_size
                )
                if code:
                    raise error(code)
                return out

    def encrypt_sectors(
        self, data: Buffer, first_sector: Tweak, sector_size: int, *, out: Any = None
    ) -> Any:
        """Encrypts a run of data units of `sector_size` bytes, numbered from `first_sector` on.

        Returns new `bytes`, or `out` when it is given: of the length of `data`, exactly it or apart from it.
        Raises ValueError when `data` is no whole number of sectors.
        """
        return self._sectors(lib.XORCORE_ENCRYPT, data, first_sector, sector_size, out)

    def decrypt_sectors(
        self, data: Buffer, first_sector: Tweak, sector_size: int, *, out: Any = None
    ) -> Any:
        """Decrypts a run of data units; as encrypt_sectors()."""
        return self._sectors(lib.XORCORE_DECRYPT, data, first_sector, sector_size, out)
