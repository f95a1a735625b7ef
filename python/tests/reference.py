"""reference — OpenSSL through pyca/cryptography, for every algorithm here that it has."""

from __future__ import annotations

import warnings
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV
from cryptography.hazmat.primitives.cmac import CMAC

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        from cryptography.hazmat.decrepit.ciphers.modes import CFB, CFB8, OFB
    except ImportError:
        CFB, CFB8, OFB = modes.CFB, modes.CFB8, modes.OFB

MODES: dict[str, Any] = {
    "AES-ECB": lambda iv: modes.ECB(),
    "AES-CBC": modes.CBC,
    "AES-CFB128": CFB,
    "AES-CFB8": CFB8,
    "AES-OFB": OFB,
    "AES-CTR": modes.CTR,
    "AES-XTS": modes.XTS,
}


def encrypt(algorithm: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        encryptor = Cipher(algorithms.AES(key), MODES[algorithm](iv)).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def cmac(key: bytes, data: bytes) -> bytes:
    made = CMAC(algorithms.AES(key))
    made.update(data)
    return made.finalize()


def gmac(key: bytes, nonce: bytes, data: bytes) -> bytes:
    return AESGCM(key).encrypt(nonce, b"", data)


def xaes_256_gcm(key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
    """C2SP's definition: a key derived by CMAC from the first half of the nonce."""
    derived = b"".join(cmac(key, bytes((0, n)) + b"X\0" + nonce[:12]) for n in (1, 2))
    return AESGCM(derived).encrypt(nonce[12:], data, aad)


def seal(name: str, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
    if name == "XAES256GCM":
        return xaes_256_gcm(key, nonce, data, aad)
    made: Any = {"AESGCM": AESGCM, "AESCCM": AESCCM, "AESGCMSIV": AESGCMSIV}[name](key)
    return made.encrypt(nonce, data, aad)
