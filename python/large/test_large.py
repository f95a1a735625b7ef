"""test_large — lengths around 2**31 and 2**32, from Python and ctypes: five GiB, a minute."""

from __future__ import annotations

import hashlib
import mmap
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import xorcore

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/ctypes"))

import xorcore_ctypes

SIZES = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 5]
KEY, NONCE, IV = bytes(range(16)), bytes(range(12)), bytes(range(16, 32))
STEP = 1 << 24
BINDINGS: list[Any] = [xorcore, xorcore_ctypes]


@pytest.fixture(scope="module")
def memory() -> Iterator[mmap.mmap]:
    # Private, so that the system takes the pages back when told to.
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    with mmap.mmap(-1, max(SIZES) + 16, flags=flags) as mapped:
        yield mapped


def pieces(view: memoryview) -> Iterator[memoryview]:
    for at in range(0, len(view), STEP):
        yield view[at : at + STEP]


def digest(view: memoryview) -> bytes:
    made = hashlib.sha1(usedforsecurity=False)
    for piece in pieces(view):
        made.update(piece)
    return made.digest()


def wiped(mapped: mmap.mmap, size: int) -> memoryview:
    """`size` zero bytes: the pages go back to the system."""
    mapped.madvise(mmap.MADV_DONTNEED)
    return memoryview(mapped)[:size]


CASES = [*((xorcore, size) for size in SIZES), (xorcore_ctypes, SIZES[-1])]


@pytest.mark.parametrize(
    "binding, size", CASES, ids=lambda value: getattr(value, "__name__", str(value))
)
def test_gcm(binding: Any, size: int, memory: mmap.mmap) -> None:
    peer = Cipher(algorithms.AES(KEY), modes.GCM(NONCE)).encryptor()
    expected, zeros = hashlib.sha1(usedforsecurity=False), bytes(STEP)
    for at in range(0, size, STEP):
        expected.update(peer.update(zeros[: size - at]))
    peer.finalize()
    with wiped(memory, size + 16) as room, room[:size] as text:
        aead = binding.AESGCM(KEY)
        assert aead.encrypt_into(NONCE, text, None, room) == size + 16
        assert bytes(room[size:]) == peer.tag
        assert digest(text) == expected.digest()
        if size == SIZES[-1]:
            assert aead.decrypt_into(NONCE, room, None, text) == size
            assert binding.xor_many([text[-1000:], text[:1000]]) == bytes(1000)
            assert not any(bytes(piece).count(0) != len(piece) for piece in pieces(text))


@pytest.mark.parametrize("binding", BINDINGS, ids=lambda module: module.__name__)
def test_ctr_and_xor(binding: Any, memory: mmap.mmap) -> None:
    size = SIZES[-1]
    cipher = binding.cipher("AES-CTR", KEY, IV)
    with wiped(memory, size) as text:
        assert cipher.encrypt_into(text, text) == size
        for at in (0, 2**31 - 3, 2**32 - 3, size - 7):
            assert bytes(text[at : at + 7]) == cipher.ctr_at(at, bytes(7))
        context = cipher.decryptor()
        assert context.update_into(text, text) == size
        assert digest(text[-STEP:]) == digest(memoryview(bytes(STEP)))
        binding.xor_repeat(text, b"\1\2\3", out=text)
        for at in (0, 2**31 - 3, 2**32 - 3, size - 7):
            assert bytes(text[at : at + 7]) == bytes((at + i) % 3 + 1 for i in range(7))
        assert binding.xor(text, text, out=text) is text
        assert binding.equal(text, text)
        text[size - 1] = 1
        with memoryview(bytes(16)) as start:
            assert not binding.equal(text[-16:], start)


@pytest.mark.parametrize("binding", BINDINGS, ids=lambda module: module.__name__)
def test_mac(binding: Any, memory: mmap.mmap) -> None:
    size = SIZES[-1]
    peer = Cipher(algorithms.AES(KEY), modes.GCM(NONCE)).encryptor()
    for at in range(0, size, STEP):
        peer.authenticate_additional_data(bytes(STEP)[: size - at])
    peer.finalize()
    with wiped(memory, size) as text:
        mac = binding.GMAC(KEY)
        assert mac.compute(NONCE, text) == peer.tag
        context = mac.stream(NONCE)
        context.update(text)
        context.verify(peer.tag)
