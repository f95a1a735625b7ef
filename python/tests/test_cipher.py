"""test_cipher — the modes of SP 800-38A and XTS against OpenSSL."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
import xorcore
from buffers import running

KERNELS = [None, *running("aes")]
BLOCK_MODES = ["AES-ECB", "AES-CBC"]
STREAM_MODES = ["AES-CFB128", "AES-CFB8", "AES-OFB", "AES-CTR"]


def sizes(algorithm: str) -> list[int]:
    if algorithm in BLOCK_MODES:
        return [0, 16, 32, 48, 128, 144, 1024, 4096 + 16]
    if algorithm == "AES-XTS":
        return [16, 17, 31, 32, 33, 100, 512, 4095]
    return [0, 1, 15, 16, 17, 100, 129, 1000]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("algorithm", reference.MODES)
def test_same_as_openssl(algorithm: str, kernel: str | None) -> None:
    for key_size in (32, 64) if algorithm == "AES-XTS" else (16, 24, 32):
        key = os.urandom(key_size)
        for size in sizes(algorithm):
            iv = b"" if algorithm == "AES-ECB" else os.urandom(16)
            data = os.urandom(size)
            expected = reference.encrypt(algorithm, key, iv, data)
            cipher = xorcore.cipher(algorithm, key, iv, kernel=kernel)
            assert cipher.algorithm == algorithm
            assert cipher.kernel == kernel or kernel is None
            assert cipher.encrypt(data) == expected
            assert cipher.decrypt(expected) == data
            assert xorcore.cipher(algorithm, key).encrypt(bytearray(data), iv=iv) == expected
            room = bytearray(data)
            assert cipher.encrypt_into(room, room) == size
            assert room == expected
            assert cipher.decrypt_into(room, room) == size
            assert room == data


def test_default_kernel_is_told() -> None:
    told = xorcore.cipher("AES-CTR", bytes(16), bytes(16)).kernel
    default = next(k.name for k in xorcore.kernels() if k.family == "aes" and k.default)
    assert told == default
    assert told in repr(xorcore.cipher("AES-CTR", bytes(16)))


@given(st.binary(min_size=1, max_size=200), st.integers(0, 300), st.integers(0, 2**64 - 600))
def test_ctr_at(data: bytes, offset: int, base: int) -> None:
    cipher = xorcore.cipher("AES-CTR", bytes(range(16)), b"\xff" * 15 + b"\xfe")
    whole = cipher.ctr_at(base, bytes(600))
    expected = xorcore.xor(whole[offset : offset + len(data)], data)
    assert cipher.ctr_at(base + offset, data) == expected
    room = bytearray(data)
    assert cipher.ctr_at_into(base + offset, room, room) == len(data)
    assert room == expected


def test_ctr_at_the_start_is_ctr() -> None:
    cipher = xorcore.cipher("AES-CTR", bytes(16), bytes(16))
    data = os.urandom(1000)
    assert cipher.ctr_at(0, data) == cipher.encrypt(data)
    assert cipher.ctr_at(333, data[333:]) == cipher.encrypt(data)[333:]
    # 2**63 bytes on, the counter has gone on by 2**59 blocks.
    far = xorcore.cipher("AES-CTR", bytes(16), (2**59).to_bytes(16, "big"))
    assert cipher.ctr_at(2**63, data) == far.encrypt(data)


def test_xts() -> None:
    key = os.urandom(64)
    xts = xorcore.AESXTS(key)
    assert xorcore.AESXTS(key, kernel=xts.kernel).kernel == xts.kernel
    assert xts.kernel in repr(xts)
    data = os.urandom(4 * 512)
    sectors = [data[at : at + 512] for at in range(0, len(data), 512)]
    first = 2**64 - 2
    expected = [
        reference.encrypt("AES-XTS", key, (first + at).to_bytes(16, "little"), sector)
        for at, sector in enumerate(sectors)
    ]
    for at, sector in enumerate(sectors):
        tweak = (first + at).to_bytes(16, "little")
        assert xts.encrypt(tweak, sector) == xts.encrypt(first + at, sector) == expected[at]
        assert xts.decrypt(tweak, expected[at]) == sector
        room = bytearray(sector)
        assert xts.encrypt_into(first + at, room, room) == 512
        assert room == expected[at]
        assert xts.decrypt_into(first + at, room, room) == 512
        assert room == sector
    run = b"".join(expected)
    assert xts.encrypt_sectors(data, first, 512) == run
    assert xts.encrypt_sectors(data, first.to_bytes(16, "little"), 512) == run
    assert xts.decrypt_sectors(run, first, 512) == data
    room = bytearray(data)
    assert xts.encrypt_sectors(room, first, 512, out=room) is room
    assert room == run
    assert xts.decrypt_sectors(b"", first, 512) == b""
