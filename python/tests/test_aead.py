"""test_aead — AES-GCM against pyca/cryptography, whose classes have the same shape."""

from __future__ import annotations

import os
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM as Reference
from hypothesis import given, settings
from hypothesis import strategies as st

import xorcore
from buffers import running
from xorcore import AESGCM

GCM_KERNELS = [
    None,
    *running("gcm"),
    *(f"{a}+{g}" for a in running("aes") for g in running("ghash")),
]


@pytest.mark.parametrize("kernel", GCM_KERNELS)
@pytest.mark.parametrize("bits", [128, 192, 256])
def test_same_as_openssl(bits: int, kernel: str | None) -> None:
    key = AESGCM.generate_key(bits)
    ours, reference = AESGCM(key, kernel=kernel), Reference(key)
    for size in (0, 1, 15, 16, 17, 64, 129, 1000, 5000):
        for aad in (None, b"", b"header", os.urandom(100)):
            nonce, data = os.urandom(12), os.urandom(size)
            sealed = reference.encrypt(nonce, data, aad)
            assert ours.encrypt(nonce, data, aad) == sealed
            assert ours.decrypt(nonce, sealed, aad) == data
            out = bytearray(size + 16)
            assert ours.encrypt_into(nonce, data, aad, out) == size + 16
            assert out == sealed
            back = bytearray(size)
            assert ours.decrypt_into(nonce, out, aad, back) == size
            assert back == data


@pytest.mark.parametrize("nonce_size", [1, 8, 11, 12, 13, 16, 100])
@pytest.mark.parametrize("tag_size", [4, 8, 12, 13, 14, 15, 16])
def test_nonce_and_tag_lengths(nonce_size: int, tag_size: int) -> None:
    key, nonce, data = os.urandom(16), os.urandom(nonce_size), os.urandom(50)
    ours = AESGCM(key, tag_length=tag_size)
    sealed = ours.encrypt(nonce, data, b"aad")
    assert len(sealed) == 50 + tag_size and ours.tag_length == tag_size
    if nonce_size >= 8:
        encryptor = Cipher(algorithms.AES(key), modes.GCM(nonce)).encryptor()
        encryptor.authenticate_additional_data(b"aad")
        assert sealed == encryptor.update(data) + encryptor.finalize() + encryptor.tag[:tag_size]
    assert ours.decrypt(nonce, sealed, b"aad") == data


def test_in_place() -> None:
    key, nonce, data = os.urandom(32), os.urandom(12), os.urandom(333)
    room = bytearray(data) + bytes(16)
    assert AESGCM(key).encrypt_into(nonce, memoryview(room)[:333], b"", room) == 349
    assert room == Reference(key).encrypt(nonce, data, b"")
    assert AESGCM(key).decrypt_into(nonce, room, None, memoryview(room)[:333]) == 333
    assert room[:333] == data


def test_small_plaintexts() -> None:
    aead = AESGCM(bytes(16))
    for size in range(4):
        data = bytes([7]) * size
        assert aead.decrypt(bytes(12), aead.encrypt(bytes(12), data), None) == data
    assert bytes(1) == b"\0"


@given(st.binary(max_size=100), st.binary(max_size=40), st.data())
@settings(max_examples=50)
def test_every_change_is_noticed(data: bytes, aad: bytes, draw: Any) -> None:
    aead, nonce = AESGCM(b"k" * 16), b"n" * 12
    sealed = bytearray(aead.encrypt(nonce, data, aad))
    bit = draw.draw(st.integers(0, len(sealed) * 8 - 1))
    sealed[bit // 8] ^= 1 << bit % 8
    with pytest.raises(xorcore.InvalidTag) as caught:
        aead.decrypt(nonce, sealed, aad)
    assert caught.value.result == "AUTH"
    out = bytearray(b"\xa5" * len(data))
    with pytest.raises(xorcore.InvalidTag):
        aead.decrypt_into(nonce, sealed, aad, out)
    assert out == bytes(len(data))


def test_wrong_nonce_aad_key() -> None:
    aead, nonce = AESGCM(b"k" * 16), b"n" * 12
    sealed = aead.encrypt(nonce, b"text", b"aad")
    for wrong in (
        lambda: aead.decrypt(b"m" * 12, sealed, b"aad"),
        lambda: aead.decrypt(nonce, sealed, b"aae"),
        lambda: aead.decrypt(nonce, sealed, None),
        lambda: AESGCM(b"l" * 16).decrypt(nonce, sealed, b"aad"),
        lambda: AESGCM(b"k" * 16, tag_length=12).decrypt(nonce, sealed, b"aad"),
    ):
        with pytest.raises(xorcore.InvalidTag):
            wrong()


@pytest.mark.parametrize("size", range(16))
def test_too_short_for_a_tag(size: int) -> None:
    with pytest.raises(xorcore.InvalidTag):
        AESGCM(bytes(16)).decrypt(bytes(12), bytes(size), None)
    with pytest.raises(xorcore.InvalidTag):
        AESGCM(bytes(16)).decrypt_into(bytes(12), bytes(size), None, bytearray(3))


def test_generate_key() -> None:
    for bits in (128, 192, 256):
        assert len(AESGCM.generate_key(bit_length=bits)) == bits // 8
    assert AESGCM.generate_key(128) != AESGCM.generate_key(128)
    for wrong in (0, 64, 129, 512):
        with pytest.raises(ValueError, match="128, 192, 256"):
            AESGCM.generate_key(wrong)


def test_kernel_is_told_and_accepted() -> None:
    for kernel in GCM_KERNELS:
        told = AESGCM(bytes(16), kernel=kernel).kernel
        assert told != "composed"
        assert AESGCM(bytes(16), kernel=told).kernel == told
        assert told == kernel or kernel in (None, "composed")
        assert told in repr(AESGCM(bytes(16), kernel=kernel))


def test_the_key_is_copied() -> None:
    key = bytearray(b"k" * 16)
    aead = AESGCM(key)
    key[:] = bytes(16)
    assert aead.encrypt(bytes(12), b"text") == AESGCM(b"k" * 16).encrypt(bytes(12), b"text")
