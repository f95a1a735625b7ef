"""xorcore — XOR and AES at the speed of the machine.

    >>> import xorcore
    >>> xorcore.xor(b"abc", b"ABC")
    b'   '
    >>> key = xorcore.AESGCM.generate_key(256)
    >>> aead = xorcore.AESGCM(key)
    >>> sealed = aead.encrypt(bytes(12), b"text", b"header")
    >>> aead.decrypt(bytes(12), sealed, b"header")
    b'text'

Inputs are any C-contiguous buffers: bytes, bytearray, memoryview, array, mmap, numpy arrays, pyarrow buffers. The `_into` and
`out=` forms write to a buffer of yours and are the fast way for much data. The GIL is released while the
library works: other threads must leave the buffers of a call alone until it returns.

Exceptions: TypeError for an object without a buffer (text strings among them), BufferError for a
read-only output or a buffer with gaps, ValueError for wrong lengths, overlaps and unknown names,
OverflowError for more data than an algorithm allows, and XorcoreError with its subclasses.

encrypt_file(), decrypt_file(), parity_files() and rebuild_file() take whole files; the program xorcore, or python -m
xorcore, does it from the command line.

Contexts (AEADEncryptor, CipherContext and the others) come from encryptor(), decryptor() and stream().

The `_rows_into` forms take rows of 64 bytes, as ROW (a struct.Struct) packs them and as ROW_DTYPE (for
numpy.dtype()) names their fields: in_at, out_at, len, nonce_at, aad_at, aad_len, tag_at, result, reserved.
The first seven say where in the arenas a message lies, in bytes; `result` is written, `reserved` is 0.
"""

from ._aead import AESCCM, AESGCM, AESGCMSIV, XAES256GCM
from ._build_info import VERSION as __version__
from ._cipher import AESXTS, Cipher, cipher
from ._errors import AlreadyFinalized, DamagedFile, InvalidTag, UnsupportedError, XorcoreError
from ._files import decrypt_file, encrypt_file, parity_files, rebuild_file
from ._hot import xor, xor_into, xor_many, xor_repeat
from ._kernels import Kernel, cpu, kernels, library_path, library_version, selftest
from ._mac import CMAC, GMAC
from ._rows import ROW, ROW_DTYPE
from ._stream import (
    AEADDecryptor,
    AEADEncryptor,
    AEADUnverifiedDecryptor,
    CipherContext,
    MACContext,
)
from ._xor import equal

__all__ = [
    "AESCCM",
    "AESGCM",
    "AESGCMSIV",
    "AESXTS",
    "CMAC",
    "GMAC",
    "ROW",
    "ROW_DTYPE",
    "XAES256GCM",
    "AEADDecryptor",
    "AEADEncryptor",
    "AEADUnverifiedDecryptor",
    "AlreadyFinalized",
    "Cipher",
    "CipherContext",
    "DamagedFile",
    "InvalidTag",
    "Kernel",
    "MACContext",
    "UnsupportedError",
    "XorcoreError",
    "__version__",
    "cipher",
    "cpu",
    "decrypt_file",
    "encrypt_file",
    "equal",
    "kernels",
    "library_path",
    "library_version",
    "parity_files",
    "rebuild_file",
    "selftest",
    "xor",
    "xor_into",
    "xor_many",
    "xor_repeat",
]
