"""xorcore_ctypes — libxorcore for scripts: this one file, Python's ctypes, and nothing else.

The library is looked for in this order:

    1. the file that the environment variable XORCORE_LIBRARY names
    2. the file inside an installed Python package xorcore
    3. libxorcore.so.1, wherever the system's loader finds it
    4. what ctypes.util.find_library() makes of "xorcore"

PROTOTYPES declares every exported function; `lib` is the loaded library with them applied, for calls
that the functions and classes below don't cover. Those take any C-contiguous buffer, refuse read-only
outputs and text strings, and turn results into exceptions.
"""

import ctypes
import ctypes.util
import os
from ctypes import (
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int32,
    c_size_t,
    c_ubyte,
    c_uint32,
    c_uint64,
    c_void_p,
)
from operator import index

SONAME = "libxorcore.so.1"
ABI = 1

# ---- what xorcore.h declares -------------------------------------------------------------------------

XORCORE_OK = 0
XORCORE_E_ARG = -1
XORCORE_E_KEY_LENGTH = -2
XORCORE_E_NONCE_LENGTH = -3
XORCORE_E_TAG_LENGTH = -4
XORCORE_E_DATA_LENGTH = -5
XORCORE_E_OVERLAP = -6
XORCORE_E_AUTH = -7
XORCORE_E_LIMIT = -8
XORCORE_E_STATE = -9
XORCORE_E_KERNEL = -10
XORCORE_E_WEAK_KEY = -11
XORCORE_E_MEMORY = -12
XORCORE_E_SELFTEST = -13
XORCORE_E_UNSUPPORTED = -14

XORCORE_AES_GCM = 101
XORCORE_AES_CCM = 102
XORCORE_AES_GCM_SIV = 103
XORCORE_XAES_256_GCM = 104

XORCORE_AES_ECB = 201
XORCORE_AES_CBC = 202
XORCORE_AES_CFB128 = 203
XORCORE_AES_CFB8 = 204
XORCORE_AES_OFB = 205
XORCORE_AES_CTR = 206
XORCORE_AES_XTS = 207

XORCORE_AES_GMAC = 301
XORCORE_AES_CMAC = 302

XORCORE_DECRYPT = 0
XORCORE_ENCRYPT = 1
XORCORE_DECRYPT_UNVERIFIED = 2

XORCORE_KERNEL_RUNS = 1
XORCORE_KERNEL_DEFAULT = 2
XORCORE_KERNEL_CONSTANT_TIME = 4


class xorcore_kernel(Structure):
    """One row of the kernel list."""

    _fields_ = [
        ("family", c_char_p),
        ("name", c_char_p),
        ("needs", c_char_p),
        ("why", c_char_p),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


class xorcore_row(Structure):
    """One message of a call for many, as offsets into the arenas."""

    _fields_ = [
        ("in_at", c_uint64),
        ("out_at", c_uint64),
        ("len", c_uint64),
        ("nonce_at", c_uint64),
        ("aad_at", c_uint64),
        ("aad_len", c_uint64),
        ("tag_at", c_uint64),
        ("result", c_int32),
        ("reserved", c_uint32),
    ]


# An object, out, in and aux with their lengths, the nonce length, and the rows.
_ROWS = [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_size_t, c_size_t]
_ROWS += [POINTER(xorcore_row), c_size_t, c_size_t]

# Name: (result type, argument types). Pointers to bytes and to objects are c_void_p, which takes None, bytes,
# ctypes arrays and addresses; with no restype ctypes would cut a pointer to an int.
PROTOTYPES = {
    "xorcore_result_name": (c_char_p, [c_int]),
    "xorcore_result_text": (c_char_p, [c_int]),
    "xorcore_version": (c_char_p, []),
    "xorcore_abi": (c_uint32, []),
    "xorcore_xor": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t]),
    "xorcore_xor_many": (c_int, [c_void_p, POINTER(c_void_p), c_size_t, c_size_t]),
    "xorcore_xor_strided": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_size_t]),
    "xorcore_xor_repeat": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_uint64]),
    "xorcore_equal": (c_int, [c_void_p, c_void_p, c_size_t]),
    "xorcore_xor_on": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p, c_size_t]),
    "xorcore_xor_many_on": (c_int, [c_char_p, c_void_p, POINTER(c_void_p), c_size_t, c_size_t]),
    "xorcore_xor_strided_on": (
        c_int,
        [c_char_p, c_void_p, c_void_p, c_size_t, c_size_t, c_size_t],
    ),
    "xorcore_xor_repeat_on": (
        c_int,
        [c_char_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_uint64],
    ),
    "xorcore_aead_new": (
        c_int,
        [POINTER(c_void_p), c_int, c_void_p, c_size_t, c_size_t, c_char_p],
    ),
    "xorcore_aead_seal": (
        c_int,
        [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]
        + [c_void_p, c_size_t, c_void_p, c_size_t],
    ),
    "xorcore_aead_open": (
        c_int,
        [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]
        + [c_void_p, c_size_t, c_void_p, c_size_t],
    ),
    "xorcore_aead_kernel": (c_char_p, [c_void_p]),
    "xorcore_aead_free": (None, [c_void_p]),
    "xorcore_aead_seal_rows": (c_int, _ROWS),
    "xorcore_aead_open_rows": (c_int, _ROWS),
    "xorcore_cipher_new": (c_int, [POINTER(c_void_p), c_int, c_void_p, c_size_t, c_char_p]),
    "xorcore_cipher_encrypt": (
        c_int,
        [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t],
    ),
    "xorcore_cipher_decrypt": (
        c_int,
        [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t],
    ),
    "xorcore_cipher_ctr_at": (
        c_int,
        [c_void_p, c_void_p, c_void_p, c_size_t, c_uint64, c_void_p, c_size_t],
    ),
    "xorcore_cipher_sectors": (
        c_int,
        [c_void_p, c_int, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_size_t],
    ),
    "xorcore_cipher_kernel": (c_char_p, [c_void_p]),
    "xorcore_cipher_free": (None, [c_void_p]),
    "xorcore_cipher_encrypt_rows": (c_int, _ROWS),
    "xorcore_cipher_decrypt_rows": (c_int, _ROWS),
    "xorcore_mac_new": (
        c_int,
        [POINTER(c_void_p), c_int, c_void_p, c_size_t, c_size_t, c_char_p],
    ),
    "xorcore_mac_compute": (
        c_int,
        [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_size_t],
    ),
    "xorcore_mac_verify": (
        c_int,
        [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_size_t],
    ),
    "xorcore_mac_kernel": (c_char_p, [c_void_p]),
    "xorcore_mac_free": (None, [c_void_p]),
    "xorcore_mac_compute_rows": (c_int, _ROWS),
    "xorcore_mac_verify_rows": (c_int, _ROWS),
    "xorcore_stream_new_cipher": (
        c_int,
        [POINTER(c_void_p), c_void_p, c_int, c_void_p, c_size_t],
    ),
    "xorcore_stream_new_aead": (
        c_int,
        [POINTER(c_void_p), c_void_p, c_int, c_void_p, c_size_t],
    ),
    "xorcore_stream_new_mac": (c_int, [POINTER(c_void_p), c_void_p, c_void_p, c_size_t]),
    "xorcore_stream_reset": (c_int, [c_void_p, c_void_p, c_size_t]),
    "xorcore_stream_lengths": (c_int, [c_void_p, c_uint64, c_uint64]),
    "xorcore_stream_aad": (c_int, [c_void_p, c_void_p, c_size_t]),
    "xorcore_stream_update": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t]),
    "xorcore_stream_seek": (c_int, [c_void_p, c_uint64]),
    "xorcore_stream_iv": (c_int, [c_void_p, c_void_p, c_size_t]),
    "xorcore_stream_finish": (c_int, [c_void_p, c_void_p, c_size_t]),
    "xorcore_stream_verify": (c_int, [c_void_p, c_void_p, c_size_t]),
    "xorcore_stream_copy": (c_int, [POINTER(c_void_p), c_void_p]),
    "xorcore_stream_free": (None, [c_void_p]),
    "xorcore_kernel_count": (c_size_t, []),
    "xorcore_kernel_at": (c_int, [c_size_t, POINTER(xorcore_kernel), c_size_t]),
    "xorcore_cpu": (c_char_p, []),
    "xorcore_selftest": (c_int, []),
}


# ---- the library -------------------------------------------------------------------------------------


def _candidates():
    """File names to try, in order; a named file is the only candidate."""
    named = os.environ.get("XORCORE_LIBRARY")
    if named:
        yield named
        return
    try:
        from xorcore import library_path
    except ImportError:
        pass
    else:
        yield library_path()
    yield SONAME
    found = ctypes.util.find_library("xorcore")
    if found:
        yield found


def load(path=None):
    """Opens the library, checks its ABI number and gives every function its prototype."""
    tried = []
    for name in [path] if path else _candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError as problem:
            tried.append(str(problem))
            continue
        for symbol, (restype, argtypes) in PROTOTYPES.items():
            try:
                function = getattr(library, symbol)
            except AttributeError:
                raise ImportError(f"{name} is no libxorcore, or too old: it has no {symbol}()") from None
            function.restype = restype
            function.argtypes = argtypes
        abi = library.xorcore_abi()
        if abi != ABI:
            raise ImportError(f"{name} has ABI {abi}, this file is for {ABI}")
        return library
    raise ImportError("no libxorcore (XORCORE_LIBRARY can name its file): " + "; ".join(tried))


lib = load()


# ---- results -----------------------------------------------------------------------------------------


class XorcoreError(Exception):
    """The base of the exceptions of this file. Whatever stands for a result of the library, builtin
    exceptions too, has its name in the attribute `result`."""


class InvalidTag(XorcoreError):
    """Authentication failed; an output buffer that was given holds zeros."""


class UnsupportedError(XorcoreError):
    """This algorithm has no such operation."""


ERRORS = {
    "ARG": ValueError,
    "KEY_LENGTH": ValueError,
    "NONCE_LENGTH": ValueError,
    "TAG_LENGTH": ValueError,
    "DATA_LENGTH": ValueError,
    "OVERLAP": ValueError,
    "AUTH": InvalidTag,
    "LIMIT": OverflowError,
    "STATE": XorcoreError,
    "KERNEL": ValueError,
    "WEAK_KEY": ValueError,
    "MEMORY": MemoryError,
    "SELFTEST": XorcoreError,
    "UNSUPPORTED": UnsupportedError,
}


def _named(name, text):
    error = ERRORS.get(name, XorcoreError)(f"{text} ({name})")
    error.result = name
    return error


def check(result):
    """Raises the exception for a negative result of the library."""
    if result < 0:
        name = lib.xorcore_result_name(result).decode()
        raise _named(name, lib.xorcore_result_text(result).decode().rstrip("."))


# ---- buffers -----------------------------------------------------------------------------------------
#
# A buffer is locked as long as a ctypes array on it lives. Arrays are therefore made as arguments of the
# call and die with it, before check() raises: a traceback must not keep a bytearray from growing. Until then
# another thread may change a length that was looked at. So the library gets no length but that of an array.


def _view(data):
    try:
        view = memoryview(data)
    except TypeError:
        raise TypeError(f"a bytes-like object is required, not {type(data).__name__!r}") from None
    if not view.c_contiguous:
        view.release()
        raise BufferError("the buffer must be C-contiguous")
    return view


def size_of(data):
    """The number of bytes of a buffer."""
    if type(data) is bytes:
        return len(data)
    with _view(data) as view:
        return view.nbytes


def readable(data, what="data", needs=None):
    """An input as C takes it, of exactly `needs` bytes if that is said. Read-only buffers other than bytes are
    copied: ctypes can't point at them."""
    if type(data) is bytes:
        if needs is not None:
            _exact(what, len(data), needs)
        return data
    with _view(data) as view:
        size = view.nbytes
        if needs is not None:
            _exact(what, size, needs)
        if view.readonly:
            return bytes(view)
    return (c_ubyte * size).from_buffer(data) if size else None


def writable(data, what, needs):
    """An output of exactly `needs` bytes as C takes it."""
    with _view(data) as view:
        size = view.nbytes
        if view.readonly:
            raise BufferError(
                f"{what} must be writable, and this {type(data).__name__!r} is read-only"
            )
        _exact(what, size, needs)
    return (c_ubyte * size).from_buffer(data) if size else None


def _exact(what, has, needs):
    if has != needs:
        raise _named("DATA_LENGTH", f"{what} must have {needs} bytes and has {has}")


def _behind(source, offset):
    """The address `offset` bytes behind the beginning of what readable() or writable() gave."""
    if isinstance(source, bytes):
        # Not ctypes.cast(): it makes a reference cycle, and the bytes would live on until the next collection.
        return c_void_p.from_buffer(c_char_p(source)).value + offset
    return ctypes.addressof(source) + offset if source is not None else offset


def _kernel(name):
    if name is None:
        return None
    if not isinstance(name, str):
        raise TypeError(f"kernel must be a str or None, not {type(name).__name__!r}")
    if "\0" in name or not name.isascii():
        raise _named("KERNEL", f"no kernel is called {name!r}")
    return name.encode()


def _length(number):
    """A length given as a number; what no size_t can hold becomes one that no algorithm has."""
    number = index(number)
    return number if 0 <= number < 1 << 31 else 1 << 31


def _position(number):
    """ctypes would cut a number that is too large."""
    if not 0 <= number < 1 << 64:
        raise OverflowError("a position must be 0 to 2**64 - 1")


# ---- XOR ---------------------------------------------------------------------------------------------


def xor(a, b, out=None, kernel=None):
    """a ^ b, both of one length; new bytes, or `out`, which may be exactly a or b."""
    size = size_of(a)
    _exact("b", size_of(b), size)
    room = bytearray(size) if out is None else out
    check(
        lib.xorcore_xor_on(
            _kernel(kernel),
            writable(room, "out", size),
            readable(a, "a", size),
            readable(b, "b", size),
            size,
        )
    )
    return bytes(room) if out is None else out


def xor_into(out, *sources, kernel=None):
    """Writes the XOR of one or more sources to `out` and returns the number of bytes."""
    if not sources:
        raise _named("ARG", "there is no source")
    size = size_of(out)
    for number, source in enumerate(sources):
        _exact(f"source {number}", size_of(source), size)
    writable(out, "out", size)  # refused before any source is locked
    check(_xor_many(out, sources, size, _kernel(kernel)))
    return size


def _xor_many(out, sources, size, kernel):
    held = [readable(source, f"source {number}", size) for number, source in enumerate(sources)]
    pointers = (c_void_p * len(held))(*(_behind(one, 0) for one in held))
    return lib.xorcore_xor_many_on(kernel, writable(out, "out", size), pointers, len(held), size)


def xor_many(sources, out=None, kernel=None):
    """The parity of any number of buffers of one length; new bytes, or `out`."""
    sources = list(sources)
    room = bytearray(size_of(sources[0]) if sources else 0) if out is None else out
    xor_into(room, *sources, kernel=kernel)
    return bytes(room) if out is None else out


def xor_repeat(data, key, phase=0, out=None, kernel=None):
    """data[i] ^ key[(phase + i) % len(key)]; new bytes, or `out`, which may be exactly data."""
    _position(phase)
    size = size_of(data)
    room = bytearray(size) if out is None else out
    check(
        lib.xorcore_xor_repeat_on(
            _kernel(kernel),
            writable(room, "out", size),
            *_in(data, size),
            *_in(key),
            phase,
        )
    )
    return bytes(room) if out is None else out


def equal(a, b):
    """Whether both hold the same bytes, in a time that depends on the length alone."""
    size = size_of(a)
    return (
        size == size_of(b)
        and lib.xorcore_equal(readable(a, "a", size), readable(b, "b", size), size) == 1
    )


# ---- objects -----------------------------------------------------------------------------------------


class _Object:
    """Something of the library's that is freed with this object."""

    _handle = None

    def __init__(self, new, free, *arguments):
        handle = c_void_p()
        check(new(handle, *arguments))
        self._handle, self._free = handle, free

    def __del__(self):
        if self._handle is not None:
            self._free(self._handle)


def _name_of(getter, handle):
    return getter(handle).decode()


def _in(data, needs=None):
    """An input as two arguments of a call."""
    source = readable(data, "data", needs)
    return source, 0 if source is None else len(source)


# ---- AEAD --------------------------------------------------------------------------------------------


class AEAD(_Object):
    """A key with an algorithm and a tag length. Immutable, for any number of threads."""

    def __init__(self, algorithm, key, tag_length=16, kernel=None):
        self.tag_length = _length(tag_length)
        super().__init__(
            lib.xorcore_aead_new,
            lib.xorcore_aead_free,
            algorithm,
            *_in(key),
            self.tag_length,
            _kernel(kernel),
        )

    @property
    def kernel(self):
        """What this object runs on."""
        return _name_of(lib.xorcore_aead_kernel, self._handle)

    def encrypt_into(self, nonce, data, aad, out):
        """Ciphertext and tag to `out`, of len(data) + tag_length bytes; returns their number. `data` may be
        exactly the beginning of `out`."""
        size = size_of(data)
        total = size + self.tag_length
        check(
            self._seal(
                writable(out, "out", total),
                *_in(nonce),
                *_in(data, size),
                *_in(b"" if aad is None else aad),
            )
        )
        return total

    def _seal(self, target, nonce, nonce_len, data, size, aad, aad_len):
        tag = _behind(target, size)
        return lib.xorcore_aead_seal(
            *(self._handle, target, tag, self.tag_length),
            *(nonce, nonce_len, data, size, aad, aad_len),
        )

    def encrypt(self, nonce, data, aad=None):
        """New bytes: ciphertext and tag."""
        out = bytearray(size_of(data) + self.tag_length)
        self.encrypt_into(nonce, data, aad, out)
        return bytes(out)

    def decrypt_into(self, nonce, data, aad, out):
        """Checks the tag at the end of `data` and writes the text to `out`, of len(data) - tag_length bytes,
        which may be exactly the beginning of `data`. On InvalidTag it holds zeros."""
        size = size_of(data)
        total = size - self.tag_length
        # Data too short for a tag has no right output length: the library refuses it.
        check(
            self._open(
                writable(out, "out", total if total >= 0 else size_of(out)),
                *_in(nonce),
                *_in(data, size),
                *_in(b"" if aad is None else aad),
            )
        )
        return total

    def _open(self, target, nonce, nonce_len, data, size, aad, aad_len):
        text = max(size - self.tag_length, 0)
        tag = _behind(data, text)
        return lib.xorcore_aead_open(
            *(self._handle, target, nonce, nonce_len, data, text),
            *(tag, size - text, aad, aad_len),
        )

    def decrypt(self, nonce, data, aad=None):
        """New bytes: the text."""
        out = bytearray(max(size_of(data) - self.tag_length, 0))
        self.decrypt_into(nonce, data, aad, out)
        return bytes(out)

    def encrypt_rows(self, nonces, datas, aads=None):
        """Encrypts many messages in one call: a list of what encrypt() returns."""
        batch = _Batch(nonces, datas, aads)
        for at, data in enumerate(batch.datas):
            out_at = batch.take(len(data) + self.tag_length)
            batch.row(at, batch.put(data), out_at, len(data), out_at + len(data))
        batch.run(lib.xorcore_aead_seal_rows, self._handle)
        return [batch.result(row.out_at, row.len + self.tag_length) for row in batch.rows]

    def decrypt_rows(self, nonces, datas, aads=None):
        """Decrypts many messages in one call: a list of what decrypt() returns, with None for each message that
        is not what was sealed."""
        batch = _Batch(nonces, datas, aads)
        rows = []
        for at, data in enumerate(batch.datas):
            size = len(data) - self.tag_length
            in_at = batch.put(data)
            rows.append(
                batch.row(at, in_at, batch.take(size), size, in_at + size) if size >= 0 else None
            )
        batch.run(lib.xorcore_aead_open_rows, self._handle)
        return [
            batch.result(row.out_at, row.len) if row is not None and row.result == 0 else None
            for row in (None if number is None else batch.rows[number] for number in rows)
        ]

    def encryptor(self, nonce, aad_length=None, length=None):
        """A message that is sealed in pieces; AES-CCM needs both lengths."""
        return AEADStream(self, XORCORE_ENCRYPT, nonce, aad_length, length)

    def decryptor(self, nonce, aad_length=None, length=None):
        """A message that is checked in pieces and gives no text: the safe first pass."""
        return AEADStream(self, XORCORE_DECRYPT, nonce, aad_length, length)

    def decryptor_unverified(self, nonce, aad_length=None, length=None):
        """A message that is decrypted in pieces before its tag is checked, at the caller's risk."""
        return AEADStream(self, XORCORE_DECRYPT_UNVERIFIED, nonce, aad_length, length)


class AESGCM(AEAD):
    """AES-GCM, in the shape of the class of the same name in the package xorcore; the others likewise."""

    def __init__(self, key, tag_length=16, kernel=None):
        super().__init__(XORCORE_AES_GCM, key, tag_length, kernel)


class AESCCM(AEAD):
    """AES-CCM."""

    def __init__(self, key, tag_length=16, kernel=None):
        super().__init__(XORCORE_AES_CCM, key, tag_length, kernel)


class AESGCMSIV(AEAD):
    """AES-GCM-SIV."""

    def __init__(self, key, tag_length=16, kernel=None):
        super().__init__(XORCORE_AES_GCM_SIV, key, tag_length, kernel)


class XAES256GCM(AEAD):
    """XAES-256-GCM."""

    def __init__(self, key, tag_length=16, kernel=None):
        super().__init__(XORCORE_XAES_256_GCM, key, tag_length, kernel)


# ---- cipher ------------------------------------------------------------------------------------------

CIPHERS = {
    "AES-ECB": XORCORE_AES_ECB,
    "AES-CBC": XORCORE_AES_CBC,
    "AES-CFB128": XORCORE_AES_CFB128,
    "AES-CFB8": XORCORE_AES_CFB8,
    "AES-OFB": XORCORE_AES_OFB,
    "AES-CTR": XORCORE_AES_CTR,
    "AES-XTS": XORCORE_AES_XTS,
}


class Cipher(_Object):
    """A key with a mode, and an IV for the calls that are given no other. Immutable."""

    def __init__(self, algorithm, key, iv=None, kernel=None):
        if algorithm not in CIPHERS:
            raise _named("ARG", f"no cipher {algorithm!r}; there are {', '.join(CIPHERS)}")
        self.algorithm = algorithm
        self.iv = b"" if iv is None else bytes(_flat(iv))
        super().__init__(
            lib.xorcore_cipher_new,
            lib.xorcore_cipher_free,
            CIPHERS[algorithm],
            *_in(key),
            _kernel(kernel),
        )
        if iv is not None:
            # An empty message is refused for its IV first.
            empty = lib.xorcore_cipher_encrypt(self._handle, None, *_in(self.iv), None, 0)
            if empty == XORCORE_E_NONCE_LENGTH:
                check(empty)

    @property
    def kernel(self):
        """What this object runs on."""
        return _name_of(lib.xorcore_cipher_kernel, self._handle)

    def _into(self, function, iv, data, out):
        size = size_of(data)
        iv = self.iv if iv is None else iv
        check(function(self._handle, writable(out, "out", size), *_in(iv), *_in(data, size)))
        return size

    def encrypt_into(self, data, out, iv=None):
        """Encrypts a whole message to `out`, of the same length, which may be exactly `data`."""
        return self._into(lib.xorcore_cipher_encrypt, iv, data, out)

    def decrypt_into(self, data, out, iv=None):
        """Decrypts a whole message to `out`."""
        return self._into(lib.xorcore_cipher_decrypt, iv, data, out)

    def encrypt(self, data, iv=None):
        """New bytes: the encrypted message."""
        out = bytearray(size_of(data))
        self.encrypt_into(data, out, iv)
        return bytes(out)

    def decrypt(self, data, iv=None):
        """New bytes: the decrypted message."""
        out = bytearray(size_of(data))
        self.decrypt_into(data, out, iv)
        return bytes(out)

    def ctr_at_into(self, offset, data, out, iv=None):
        """AES-CTR: `data` as the bytes from `offset` on of a longer message, to `out`."""
        _position(offset)
        size = size_of(data)
        iv = self.iv if iv is None else iv
        check(
            lib.xorcore_cipher_ctr_at(
                self._handle, writable(out, "out", size), *_in(iv), offset, *_in(data, size)
            )
        )
        return size

    def ctr_at(self, offset, data, iv=None):
        """The same as new bytes."""
        out = bytearray(size_of(data))
        self.ctr_at_into(offset, data, out, iv)
        return bytes(out)

    def encryptor(self, iv=None):
        """A message that is encrypted in pieces."""
        return CipherStream(self, XORCORE_ENCRYPT, self.iv if iv is None else iv)

    def decryptor(self, iv=None):
        """A message that is decrypted in pieces."""
        return CipherStream(self, XORCORE_DECRYPT, self.iv if iv is None else iv)

    def _rows(self, function, ivs, datas):
        batch = _Batch(ivs, datas, None)
        for at, data in enumerate(batch.datas):
            batch.row(at, batch.put(data), batch.take(len(data)), len(data), 0)
        batch.run(function, self._handle)
        return [batch.result(row.out_at, row.len) for row in batch.rows]

    def encrypt_rows(self, ivs, datas):
        """Encrypts many messages, each under its own IV, in one call; `ivs` is None for AES-ECB."""
        return self._rows(lib.xorcore_cipher_encrypt_rows, ivs, datas)

    def decrypt_rows(self, ivs, datas):
        """Decrypts many messages in one call."""
        return self._rows(lib.xorcore_cipher_decrypt_rows, ivs, datas)


def cipher(algorithm, key, iv=None, kernel=None):
    """A key with a mode of CIPHERS."""
    return Cipher(algorithm, key, iv, kernel)


class AESXTS(_Object):
    """AES-XTS: one call is one data unit. A tweak is 16 bytes, or the number of the data unit."""

    def __init__(self, key, kernel=None):
        super().__init__(
            lib.xorcore_cipher_new,
            lib.xorcore_cipher_free,
            XORCORE_AES_XTS,
            *_in(key),
            _kernel(kernel),
        )

    @property
    def kernel(self):
        """What this object runs on."""
        return _name_of(lib.xorcore_cipher_kernel, self._handle)

    @staticmethod
    def _tweak(tweak):
        return tweak.to_bytes(16, "little") if isinstance(tweak, int) else tweak

    def encrypt_into(self, tweak, data, out):
        """Encrypts one data unit to `out`, which may be exactly `data`."""
        size = size_of(data)
        tweak = self._tweak(tweak)
        check(
            lib.xorcore_cipher_encrypt(
                self._handle, writable(out, "out", size), *_in(tweak), *_in(data, size)
            )
        )
        return size

    def decrypt_into(self, tweak, data, out):
        """Decrypts one data unit to `out`."""
        size = size_of(data)
        tweak = self._tweak(tweak)
        check(
            lib.xorcore_cipher_decrypt(
                self._handle, writable(out, "out", size), *_in(tweak), *_in(data, size)
            )
        )
        return size

    def encrypt(self, tweak, data):
        """New bytes: the encrypted data unit."""
        out = bytearray(size_of(data))
        self.encrypt_into(tweak, data, out)
        return bytes(out)

    def decrypt(self, tweak, data):
        """New bytes: the decrypted data unit."""
        out = bytearray(size_of(data))
        self.decrypt_into(tweak, data, out)
        return bytes(out)

    def _sectors(self, direction, data, first, sector_size, out):
        size = size_of(data)
        room = bytearray(size) if out is None else out
        check(
            lib.xorcore_cipher_sectors(
                self._handle,
                direction,
                writable(room, "out", size),
                *_in(self._tweak(first)),
                *_in(data, size),
                _length(sector_size),
            )
        )
        return bytes(room) if out is None else out

    def encrypt_sectors(self, data, first_sector, sector_size, out=None):
        """Encrypts a run of data units; new bytes, or `out`, which may be exactly `data`."""
        return self._sectors(XORCORE_ENCRYPT, data, first_sector, sector_size, out)

    def decrypt_sectors(self, data, first_sector, sector_size, out=None):
        """Decrypts a run of data units."""
        return self._sectors(XORCORE_DECRYPT, data, first_sector, sector_size, out)


# ---- MAC ---------------------------------------------------------------------------------------------


class _MAC(_Object):
    def __init__(self, algorithm, key, tag_length, kernel):
        self.tag_length = _length(tag_length)
        super().__init__(
            lib.xorcore_mac_new,
            lib.xorcore_mac_free,
            algorithm,
            *_in(key),
            self.tag_length,
            _kernel(kernel),
        )

    @property
    def kernel(self):
        """What this object runs on."""
        return _name_of(lib.xorcore_mac_kernel, self._handle)

    def _compute(self, nonce, data):
        tag = bytearray(self.tag_length)
        check(
            lib.xorcore_mac_compute(
                self._handle,
                writable(tag, "tag", self.tag_length),
                self.tag_length,
                *_in(nonce),
                *_in(data),
            )
        )
        return bytes(tag)

    def _verify(self, nonce, data, tag):
        check(lib.xorcore_mac_verify(self._handle, *_in(tag), *_in(nonce), *_in(data)))

    def _compute_rows(self, nonces, datas):
        batch = _Batch(nonces, datas, None)
        for at, data in enumerate(batch.datas):
            batch.row(at, batch.put(data), 0, len(data), batch.take(self.tag_length))
        batch.run(lib.xorcore_mac_compute_rows, self._handle)
        return [batch.result(row.tag_at, self.tag_length) for row in batch.rows]

    def _verify_rows(self, nonces, datas, tags):
        batch = _Batch(nonces, datas, None)
        given = _as_many(tags, len(batch.datas), "tags")
        rows = []
        for at, data in enumerate(batch.datas):
            # A tag of another length is not the right one, and has no place in a row.
            fits = len(given[at]) == self.tag_length
            rows.append(
                batch.row(at, batch.put(data), 0, len(data), batch.put(given[at])) if fits else None
            )
        batch.run(lib.xorcore_mac_verify_rows, self._handle)
        return [number is not None and batch.rows[number].result == 0 for number in rows]


class GMAC(_MAC):
    """AES-GMAC."""

    def __init__(self, key, tag_length=16, kernel=None):
        super().__init__(XORCORE_AES_GMAC, key, tag_length, kernel)

    def compute(self, nonce, data):
        """The tag of a message."""
        return self._compute(nonce, data)

    def verify(self, nonce, data, tag):
        """Raises InvalidTag when `tag` is not the message's."""
        self._verify(nonce, data, tag)

    def stream(self, nonce):
        """A message in pieces."""
        return MACStream(self, nonce)

    def compute_rows(self, nonces, datas):
        """The tags of many messages in one call."""
        return self._compute_rows(nonces, datas)

    def verify_rows(self, nonces, datas, tags):
        """For each of many messages whether its tag is right, in one call."""
        return self._verify_rows(nonces, datas, tags)


class CMAC(_MAC):
    """AES-CMAC."""

    def __init__(self, key, tag_length=16, kernel=None):
        super().__init__(XORCORE_AES_CMAC, key, tag_length, kernel)

    def compute(self, data):
        """The tag of a message."""
        return self._compute(b"", data)

    def verify(self, data, tag):
        """Raises InvalidTag when `tag` is not the message's."""
        self._verify(b"", data, tag)

    def stream(self):
        """A message in pieces."""
        return MACStream(self, b"")

    def compute_rows(self, datas):
        """The tags of many messages in one call."""
        return self._compute_rows(None, datas)

    def verify_rows(self, datas, tags):
        """For each of many messages whether its tag is right, in one call."""
        return self._verify_rows(None, datas, tags)


# ---- stream ------------------------------------------------------------------------------------------


class _Stream(_Object):
    """One message in pieces, for one thread at a time. Calls out of order are XorcoreError (STATE)."""

    def __init__(self, new, *arguments):
        super().__init__(new, lib.xorcore_stream_free, *arguments)

    def reset(self, nonce):
        """Begins another message."""
        check(lib.xorcore_stream_reset(self._handle, *_in(nonce)))

    def copy(self):
        """A second stream in the same state; UnsupportedError for one that seals."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, _handle=None)
        _Object.__init__(other, lib.xorcore_stream_copy, lib.xorcore_stream_free, self._handle)
        return other

    def update_into(self, data, out):
        """Processes more of the message to `out`, of the same length, which may be exactly `data`."""
        size = size_of(data)
        check(lib.xorcore_stream_update(self._handle, writable(out, "out", size), *_in(data, size)))
        return size

    def _swallow(self, data):
        check(lib.xorcore_stream_update(self._handle, None, *_in(data)))

    def _finish(self, tag_length):
        tag = bytearray(tag_length)
        check(lib.xorcore_stream_finish(self._handle, writable(tag, "tag", tag_length), tag_length))
        return bytes(tag)

    def _verify(self, tag):
        check(lib.xorcore_stream_verify(self._handle, *_in(tag)))


class CipherStream(_Stream):
    """A message of a cipher in pieces."""

    def __init__(self, cipher, direction, iv):
        super().__init__(lib.xorcore_stream_new_cipher, cipher._handle, direction, *_in(iv))

    def update(self, data):
        """New bytes: what becomes of more of the message."""
        out = bytearray(size_of(data))
        self.update_into(data, out)
        return bytes(out)

    def seek(self, offset):
        """AES-CTR: goes to that byte of the message."""
        _position(offset)
        check(lib.xorcore_stream_seek(self._handle, offset))

    @property
    def next_iv(self):
        """The IV with which the rest of the message could be processed on its own."""
        iv = bytearray(16)
        check(lib.xorcore_stream_iv(self._handle, writable(iv, "iv", 16), 16))
        return bytes(iv)


class AEADStream(_Stream):
    """A message of an AEAD in pieces."""

    def __init__(self, aead, direction, nonce, aad_length, length):
        self.direction, self.tag_length = direction, aead.tag_length
        super().__init__(lib.xorcore_stream_new_aead, aead._handle, direction, *_in(nonce))
        self._lengths(aad_length, length)

    def _lengths(self, aad_length, length):
        if aad_length is not None or length is not None:
            if aad_length is None or length is None:
                raise _named("ARG", "aad_length and length are announced together")
            _position(aad_length)
            _position(length)
            check(lib.xorcore_stream_lengths(self._handle, aad_length, length))

    def reset(self, nonce, aad_length=None, length=None):
        """Begins another message."""
        super().reset(nonce)
        self._lengths(aad_length, length)

    def authenticate_additional_data(self, data):
        """More associated data; all of it comes before the text."""
        check(lib.xorcore_stream_aad(self._handle, *_in(data)))

    def update(self, data):
        """New bytes: what becomes of more of the text; None from decryptor()."""
        if self.direction == XORCORE_DECRYPT:
            return self._swallow(data)
        out = bytearray(size_of(data))
        self.update_into(data, out)
        return bytes(out)

    def finalize(self):
        """Ends a message that is sealed and returns its tag."""
        return self._finish(self.tag_length)

    def finalize_with_tag(self, tag):
        """Ends a message that is opened; InvalidTag when it is not what was sealed."""
        self._verify(tag)


class MACStream(_Stream):
    """A message of a MAC in pieces."""

    def __init__(self, mac, nonce):
        self.tag_length = mac.tag_length
        super().__init__(lib.xorcore_stream_new_mac, mac._handle, *_in(nonce))

    def update(self, data):
        """More of the message."""
        self._swallow(data)

    def finalize(self):
        """Ends the message and returns its tag."""
        return self._finish(self.tag_length)

    def verify(self, tag):
        """Ends the message; InvalidTag when `tag` is not its tag."""
        self._verify(tag)


# ---- rows --------------------------------------------------------------------------------------------


def _flat(data):
    return data if type(data) is bytes else bytes(_view(data))


def _as_many(values, count, what):
    if values is None:
        return [b""] * count
    many = [_flat(value) for value in values]
    if len(many) != count:
        raise _named("ARG", f"{len(many)} {what} for {count} messages")
    return many


class _Batch:
    """Messages of one call, laid into an arena that is read and one that is written."""

    def __init__(self, nonces, datas, aads):
        self.datas = [_flat(data) for data in datas]
        count = len(self.datas)
        self.nonces = _as_many(nonces, count, "nonces")
        aads = None if aads is None else [b"" if aad is None else aad for aad in aads]
        self.aads = _as_many(aads, count, "associated data")
        self.nonce_length = len(self.nonces[0]) if count else 0
        if any(len(nonce) != self.nonce_length for nonce in self.nonces):
            raise _named("NONCE_LENGTH", "the nonces of one call have one length")
        self.parts, self.read, self.written, self.rows = [], 0, 0, []

    def put(self, part):
        """Adds bytes to what is read and returns where they stand."""
        self.parts.append(part)
        self.read += len(part)
        return self.read - len(part)

    def take(self, size):
        """Reserves room in what is written and returns where it stands."""
        self.written += size
        return self.written - size

    def row(self, at, in_at, out_at, size, tag_at):
        """Adds a row for message `at` and returns the number of the row."""
        nonce_at, aad_at = self.put(self.nonces[at]), self.put(self.aads[at])
        aad_len = len(self.aads[at])
        self.rows.append((in_at, out_at, size, nonce_at, aad_at, aad_len, tag_at, 0, 0))
        return len(self.rows) - 1

    def run(self, function, handle):
        """The call. Raises what is neither OK nor AUTH; `rows` are the rows with their results afterwards."""
        arena, self.out = b"".join(self.parts), bytearray(self.written)
        self.rows = (xorcore_row * len(self.rows))(*self.rows)
        function(
            handle,
            writable(self.out, "out", self.written),
            self.written,
            *_in(arena),
            *_in(arena),
            self.nonce_length,
            self.rows,
            len(self.rows),
            ctypes.sizeof(xorcore_row),
        )
        for row in self.rows:
            if row.result != XORCORE_E_AUTH:
                check(row.result)

    def result(self, at, size):
        """Bytes that were written."""
        return bytes(self.out[at : at + size])


# ---- kernels -----------------------------------------------------------------------------------------


def kernels():
    """The kernel list, best first within a family: dicts with the keys of `xorcore-info --json`."""
    found = []
    row = xorcore_kernel()
    for number in range(lib.xorcore_kernel_count()):
        check(lib.xorcore_kernel_at(number, row, ctypes.sizeof(row)))
        found.append(
            {
                "family": row.family.decode(),
                "name": row.name.decode(),
                "needs": row.needs.decode(),
                "runs": bool(row.flags & XORCORE_KERNEL_RUNS),
                "default": bool(row.flags & XORCORE_KERNEL_DEFAULT),
                "constant_time": bool(row.flags & XORCORE_KERNEL_CONSTANT_TIME),
                "why": row.why.decode() if row.why else None,
            }
        )
    return found


def cpu():
    """The architecture and the CPU features that the library may use."""
    return lib.xorcore_cpu().decode().split()


def version():
    """The version of the library."""
    return lib.xorcore_version().decode()


def selftest():
    """Runs known answers on every kernel that runs here; raises XorcoreError when one is wrong."""
    check(lib.xorcore_selftest())


if __name__ == "__main__":
    print("libxorcore", version(), "on", " ".join(cpu()))
    for kernel in kernels():
        print(f"{kernel['family']:6} {kernel['name']:10} {kernel['why'] or 'runs'}")
