"""test_aead_others — AESCCM, AESGCMSIV, XAES256GCM: what AESGCM's tests do not reach."""

from __future__ import annotations

import os
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM as ReferenceCCM

import reference
import xorcore
from buffers import running
from vectors.suites import PAIRS

CLASSES: dict[str, tuple[Any, tuple[int, ...], int, list[str | None]]] = {
    "AESCCM": (xorcore.AESCCM, (128, 192, 256), 12, [None, *running("aes")]),
    "AESGCMSIV": (xorcore.AESGCMSIV, (128, 256), 12, [None, *PAIRS]),
    "XAES256GCM": (xorcore.XAES256GCM, (256,), 24, [None, *running("gcm"), *PAIRS]),
}


@pytest.mark.parametrize("name", CLASSES)
def test_same_as_the_reference(name: str) -> None:
    made, key_bits, nonce_size, kernels = CLASSES[name]
    for bits in key_bits:
        key = made.generate_key(bits)
        assert len(key) * 8 == bits
        for kernel in kernels:
            aead = made(key, kernel=kernel)
            assert made(key, kernel=aead.kernel).kernel == aead.kernel
            for size in (0, 1, 15, 16, 17, 100, 1000):
                nonce, data, aad = os.urandom(nonce_size), os.urandom(size), os.urandom(size % 37)
                sealed = reference.seal(name, key, nonce, data, aad)
                assert aead.encrypt(nonce, data, aad) == sealed
                assert aead.decrypt(nonce, sealed, aad) == data
                room = bytearray(data) + bytes(16)
                aead.encrypt_into(nonce, memoryview(room)[:size], aad, room)
                assert room == sealed
                aead.decrypt_into(nonce, room, aad, memoryview(room)[:size])
                assert room[:size] == data
                broken = bytearray(sealed)
                broken[size // 2] ^= 4
                text = bytearray(b"\xa5" * size)
                with pytest.raises(xorcore.InvalidTag):
                    aead.decrypt_into(nonce, broken, aad, text)
                assert text == bytes(size)


@pytest.mark.parametrize("name", CLASSES)
def test_generate_key(name: str) -> None:
    made, key_bits, *_ = CLASSES[name]
    for bits in {0, 64, 128, 192, 256, 512} - set(key_bits):
        with pytest.raises(ValueError, match="KEY_LENGTH"):
            made.generate_key(bits)
        with pytest.raises(ValueError, match="KEY_LENGTH"):
            made(bytes(bits // 8))


@pytest.mark.parametrize("tag_size", [4, 6, 8, 10, 12, 14, 16])
@pytest.mark.parametrize("nonce_size", range(7, 14))
def test_ccm_lengths(nonce_size: int, tag_size: int) -> None:
    key, nonce, data = os.urandom(16), os.urandom(nonce_size), os.urandom(50)
    sealed = ReferenceCCM(key, tag_size).encrypt(nonce, data, b"aad")
    assert xorcore.AESCCM(key, tag_size).encrypt(nonce, data, b"aad") == sealed
    assert xorcore.AESCCM(key, tag_length=tag_size).decrypt(nonce, sealed, b"aad") == data
