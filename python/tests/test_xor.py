"""test_xor — XOR against Python's own arithmetic."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import xorcore
from buffers import running

SIZES = [*range(70), 127, 128, 129, 255, 1000, 4096, 65537]


def reference(*sources: bytes) -> bytes:
    total = 0
    for source in sources:
        total ^= int.from_bytes(source, "little")
    return total.to_bytes(len(sources[0]), "little")


def text(size: int, seed: int) -> bytes:
    return numpy.random.default_rng(seed).bytes(size)


@pytest.mark.parametrize("kernel", [None, *running("xor")])
@pytest.mark.parametrize("size", SIZES)
def test_xor(size: int, kernel: str | None) -> None:
    a, b = text(size, 1), text(size, 2)
    expected = reference(a, b)
    got = xorcore.xor(a, b, kernel=kernel)
    assert type(got) is bytes and got == expected
    out = bytearray(size)
    assert xorcore.xor(a, b, out=out, kernel=kernel) is out
    assert out == expected


def test_results_are_fresh_objects() -> None:
    """The library writes into new bytes objects; no constant of the interpreter may ever be one of them."""
    for size in (0, 1, 2, 3, 16):
        zeros, ones = bytes(size), b"\xff" * size
        assert xorcore.xor(zeros, ones) == ones
        assert bytes(size) == b"\0" * size == zeros
    assert [bytes([value]) for value in range(256)] == [
        value.to_bytes(1, "big") for value in range(256)
    ]
    result = xorcore.xor(b"ab", b"cd")
    assert {result: 1}[b"\x02\x06"] == 1


def test_in_place() -> None:
    a, b = bytearray(text(100, 1)), bytearray(text(100, 2))
    expected = reference(a, b)
    assert xorcore.xor(a, b, out=a) is a
    assert a == expected
    a = bytearray(text(100, 1))
    xorcore.xor(a, b, out=b)
    assert b == expected
    xorcore.xor(a, a, out=a)
    assert a == bytes(100)


@pytest.mark.parametrize("kernel", [None, *running("xor")])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 17])
def test_many(count: int, kernel: str | None) -> None:
    for size in (0, 1, 15, 64, 1000):
        shards = [text(size, seed) for seed in range(count)]
        expected = reference(*shards)
        assert xorcore.xor_many(shards, kernel=kernel) == expected
        assert xorcore.xor_many(iter(shards), kernel=kernel) == expected
        out = bytearray(size)
        assert xorcore.xor_many(shards, out=out, kernel=kernel) is out
        assert out == expected
        out = bytearray(size)
        assert xorcore.xor_into(out, *shards, kernel=kernel) == size
        assert out == expected


def test_many_rows_of_an_array() -> None:
    rows = numpy.arange(60, dtype="u1").reshape(4, 15)
    assert xorcore.xor_many(rows) == numpy.bitwise_xor.reduce(rows).tobytes()


def test_into_accumulates() -> None:
    shards = [text(77, seed) for seed in range(5)]
    parity = bytearray(77)
    for shard in shards:
        assert xorcore.xor_into(parity, parity, shard) == 77
    assert parity == reference(*shards)


@pytest.mark.parametrize("kernel", [None, *running("xor")])
@pytest.mark.parametrize("key_size", [1, 2, 3, 4, 7, 16, 31, 64, 100])
def test_repeat(key_size: int, kernel: str | None) -> None:
    key = text(key_size, 9)
    for size in (0, 1, 5, 63, 64, 65, 1000):
        data = text(size, size)
        for phase in (0, 1, key_size - 1, key_size, 12345, 2**64 - 1):
            expected = bytes(byte ^ key[(phase + at) % key_size] for at, byte in enumerate(data))
            assert xorcore.xor_repeat(data, key, phase=phase, kernel=kernel) == expected
            out = bytearray(data)
            assert xorcore.xor_repeat(out, key, phase=phase, out=out, kernel=kernel) is out
            assert out == expected


@given(
    st.binary(max_size=300),
    st.binary(min_size=1, max_size=40),
    st.lists(st.integers(0, 70), max_size=8),
)
def test_repeat_in_pieces(data: bytes, key: bytes, sizes: list[int]) -> None:
    whole = xorcore.xor_repeat(data, key)
    done = bytearray()
    for size in [*sizes, len(data)]:
        done += xorcore.xor_repeat(data[len(done) : len(done) + size], key, phase=len(done))
    assert done == whole


@given(st.binary(max_size=200), st.integers(0, 63), st.integers(0, 63))
def test_offsets(data: bytes, at_a: int, at_out: int) -> None:
    a = memoryview(bytearray(at_a) + data)[at_a:]
    room = bytearray(b"\xa5" * (at_out + len(data) + 1))
    xorcore.xor(a, data[::-1], out=memoryview(room)[at_out : at_out + len(data)])
    assert room == b"\xa5" * at_out + reference(data, data[::-1]) + b"\xa5"


def test_equal() -> None:
    for size in SIZES:
        data = text(size, 3)
        assert xorcore.equal(data, bytearray(data)) is True
        assert xorcore.equal(data, data + b"x") is False
        for at in {0, size // 2, size - 1} if size else set():
            for bit in (1, 128):
                other = bytearray(data)
                other[at] ^= bit
                assert xorcore.equal(data, other) is False
