"""test_many — seal_many() and open_many() over lists, records of one size and Arrow columns, against OpenSSL."""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable
from typing import Any

import pyarrow
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM as Reference
from hypothesis import given
from hypothesis import strategies as st

import xorcore

KEY = bytes(range(16))
AEAD, REFERENCE = xorcore.AESGCM(KEY), Reference(KEY)
COUNT = 700  # more than the C extension works on at once
NONCES = [number.to_bytes(12, "big") for number in range(COUNT)]
RANDOM = random.Random(5)
MESSAGES = [RANDOM.randbytes(RANDOM.choice((0, 1, 16, 100, 3000))) for _ in range(COUNT)]
AADS = [RANDOM.randbytes(RANDOM.choice((0, 5, 20))) for _ in range(COUNT)]
BINARY = [pyarrow.binary(), pyarrow.large_binary()]


def expected(messages: Any, aads: Any = None) -> list[bytes]:
    aads = [None] * len(messages) if aads is None else aads
    rows = zip(NONCES, messages, aads, strict=False)
    return [REFERENCE.encrypt(nonce, message, aad) for nonce, message, aad in rows]


@pytest.mark.parametrize(
    "make", [list, tuple, iter, lambda many: [bytearray(each) for each in many]]
)
def test_lists(make: Callable[[Any], Any]) -> None:
    sealed = AEAD.seal_many(make(NONCES), make(MESSAGES), make(AADS))
    assert sealed == expected(MESSAGES, AADS)
    assert sealed == AEAD.encrypt_rows(make(NONCES), make(MESSAGES), make(AADS))
    assert all(type(each) is bytes for each in sealed)
    assert AEAD.open_many(make(NONCES), make(sealed), make(AADS)) == MESSAGES
    assert AEAD.seal_many(make(NONCES), make(MESSAGES)) == expected(MESSAGES)


def test_lists_with_some_aads() -> None:
    aads = [None if number % 3 else aad for number, aad in enumerate(AADS)]
    sealed = AEAD.seal_many(NONCES, MESSAGES, aads)
    assert sealed == expected(MESSAGES, aads)
    assert AEAD.open_many(NONCES, sealed, aads) == MESSAGES
    assert AEAD.seal_many([], []) == [] == AEAD.open_many([], [])


@pytest.mark.parametrize("kind", [xorcore.AESCCM, xorcore.AESGCMSIV, xorcore.XAES256GCM])
def test_other_algorithms(kind: Any) -> None:
    aead = kind(bytes(range(32)))
    nonces = NONCES if kind is not xorcore.XAES256GCM else [nonce * 2 for nonce in NONCES]
    one_by_one = [aead.encrypt(*row) for row in zip(nonces, MESSAGES, AADS, strict=True)]
    assert aead.seal_many(nonces, MESSAGES, AADS) == one_by_one
    assert aead.open_many(nonces, one_by_one, AADS) == MESSAGES
    column = pyarrow.array(MESSAGES, pyarrow.binary())
    sealed = aead.seal_many(b"".join(nonces), column, pyarrow.array(AADS, pyarrow.binary()))
    assert sealed.to_pylist() == one_by_one


def test_what_was_tampered_with() -> None:
    sealed = AEAD.seal_many(NONCES, MESSAGES)
    for wrong in ([3], [0, 300, COUNT - 1]):
        bad = list(sealed)
        for at in wrong:
            bad[at] = bytes([bad[at][0] ^ 1]) + bad[at][1:]
        with pytest.raises(
            xorcore.InvalidTag, match=f"{len(wrong)} of {COUNT}.*number {wrong[0]} "
        ):
            AEAD.open_many(NONCES, bad)
        texts = AEAD.decrypt_rows(NONCES, bad)
        assert [at for at, text in enumerate(texts) if text is None] == wrong
        assert [text for text in texts if text is not None] == [
            text for at, text in enumerate(MESSAGES) if at not in wrong
        ]
        for kind in BINARY:
            with pytest.raises(xorcore.InvalidTag, match=f"{len(wrong)} of .*number {wrong[0]} "):
                AEAD.open_many(b"".join(NONCES), pyarrow.array(bad, kind))
    bad = list(sealed)
    bad[7] = bytes(15)
    assert AEAD.decrypt_rows(NONCES, bad)[7] is None
    with pytest.raises(xorcore.InvalidTag, match="number 7 "):
        AEAD.open_many(b"".join(NONCES), pyarrow.array(bad, pyarrow.binary()))
    with pytest.raises(xorcore.InvalidTag, match="number 0 "):
        AEAD.open_many(NONCES[1:] + NONCES[:1], sealed)


def test_lists_that_are_refused() -> None:
    def odd(values: list[Any], at: int, value: Any) -> list[Any]:
        return [*values[:at], value, *values[at + 1 :]]

    for nonces, messages, aads, error, text in (
        (NONCES[1:], MESSAGES, None, ValueError, "nonces"),
        (NONCES, MESSAGES, AADS[1:], ValueError, "associated data"),
        (odd(NONCES, 500, bytes(13)), MESSAGES, None, ValueError, "NONCE_LENGTH"),
        ([b""] * COUNT, MESSAGES, None, ValueError, "NONCE_LENGTH"),
        (odd(NONCES, 600, None), MESSAGES, None, TypeError, "bytes-like"),
        (NONCES, odd(MESSAGES, 600, "text"), None, TypeError, "bytes-like"),
        (NONCES, MESSAGES, odd(AADS, 600, 5), TypeError, "bytes-like"),
        (5, MESSAGES, None, TypeError, "iterable"),
    ):
        with pytest.raises(error, match=text):
            AEAD.seal_many(nonces, messages, aads)
        with pytest.raises(error, match=text):
            AEAD.open_many(nonces, messages, aads)
    with pytest.raises(OverflowError):
        xorcore.AESCCM(KEY).seal_many([bytes(13)] * 3, [b"", bytes(65536), b""])


def test_nothing_is_kept() -> None:
    sealed = AEAD.seal_many(NONCES, MESSAGES, AADS)
    bad = [*sealed[:-1], bytes(20)]
    ccm = xorcore.AESCCM(KEY)
    held = [NONCES, MESSAGES, AADS, sealed, bad, NONCES[0], MESSAGES[3], AADS[-1], sealed[400]]

    def once() -> None:
        AEAD.encrypt_rows(NONCES, MESSAGES, AADS)
        AEAD.decrypt_rows(NONCES, sealed, AADS)
        AEAD.decrypt_rows(NONCES, bad, AADS)
        for refused in (
            lambda: AEAD.encrypt_rows(NONCES, [*MESSAGES[:-1], 5], AADS),
            lambda: AEAD.encrypt_rows([b""] * COUNT, MESSAGES, AADS),
            lambda: ccm.encrypt_rows([bytes(13)] * 3, [b"", bytes(65536), b""]),
        ):
            with pytest.raises((TypeError, ValueError, OverflowError)):
                refused()

    once()
    gc.collect()
    before = [sys.getrefcount(each) for each in held]
    blocks = sys.getallocatedblocks()
    for _ in range(10):
        once()
    gc.collect()
    assert [sys.getrefcount(each) for each in held] == before
    assert sys.getallocatedblocks() - blocks < 200


@given(st.integers(0, 40), st.integers(1, 200), st.integers(0, 30), st.integers(1, 20))
def test_records(count: int, size: int, aad_size: int, nonce_size: int) -> None:
    data = random.Random(count).randbytes(count * size)
    nonces = bytes(range(256))[: nonce_size * count].ljust(nonce_size * count, b"n")
    aads = data[: count * aad_size].ljust(count * aad_size, b"a")
    sealed = AEAD.seal_many(nonces, bytearray(data), aads, record_size=size)
    wanted = b"".join(
        AEAD.encrypt(
            nonces[at * nonce_size : (at + 1) * nonce_size],
            data[at * size : (at + 1) * size],
            aads[at * aad_size : (at + 1) * aad_size],
        )
        for at in range(count)
    )
    assert sealed == wanted
    assert AEAD.open_many(nonces, memoryview(sealed), aads, record_size=size) == data
    assert AEAD.seal_many(nonces, data, record_size=size) == b"".join(
        AEAD.encrypt(
            nonces[at * nonce_size : (at + 1) * nonce_size], data[at * size : (at + 1) * size]
        )
        for at in range(count)
    )


def test_records_to_a_buffer(output: Callable[[bytes], Any]) -> None:
    data, nonces = bytes(range(200)), bytes(range(60))
    wanted = AEAD.seal_many(nonces, data, record_size=40)
    out = output(bytes(280))
    assert AEAD.seal_many(nonces, data, record_size=40, out=out) is out
    assert memoryview(out).tobytes() == wanted
    back = output(bytes(200))
    assert AEAD.open_many(nonces, out, record_size=40, out=back) is back
    assert memoryview(back).tobytes() == data
    bad = bytearray(wanted)
    bad[200] ^= 1
    with pytest.raises(xorcore.InvalidTag, match=r"1 of 5 .*number 3 "):
        AEAD.open_many(nonces, bad, record_size=40, out=back)
    assert memoryview(back).tobytes() == bytes(200)


def test_outputs_that_are_refused() -> None:
    memory = memoryview(bytearray(1000))
    nonces, data, aads, out = memory[:60], memory[60:260], memory[260:310], memory[310:590]
    AEAD.seal_many(nonces, data, aads, record_size=40, out=out)
    before = bytes(memory)
    for at in (0, 59, 60, 259, 260, 309):
        with pytest.raises(ValueError, match="OVERLAP"):
            AEAD.seal_many(nonces, data, aads, record_size=40, out=memory[at : at + 280])
    for size in (279, 281):
        with pytest.raises(ValueError, match="280 bytes"):
            AEAD.seal_many(nonces, data, record_size=40, out=bytearray(size))
    with pytest.raises(BufferError, match="writable"):
        AEAD.seal_many(nonces, data, record_size=40, out=bytes(280))
    assert memory == before
    for call in (AEAD.seal_many, AEAD.open_many):
        with pytest.raises(TypeError, match="record_size"):
            call([NONCES[0]], [bytes(16)], out=bytearray(32))  # type: ignore[call-overload]


def test_records_that_are_refused() -> None:
    nonces, data = bytes(24), bytes(20)
    for call, text in (
        (lambda: AEAD.seal_many(nonces, data, record_size=0), "1 byte"),
        (lambda: AEAD.open_many(nonces, data, record_size=-5), "1 byte"),
        (lambda: AEAD.seal_many(nonces, data, record_size=9), "whole number"),
        (lambda: AEAD.seal_many(nonces[1:], data, record_size=10), "nonces"),
        (lambda: AEAD.seal_many(nonces, data, b"abc", record_size=10), "aads"),
        (lambda: AEAD.seal_many(b"", data, record_size=10), "NONCE_LENGTH"),
        (lambda: AEAD.open_many(nonces, bytes(53), record_size=10), "whole number"),
    ):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(xorcore.InvalidTag, match="2 of 2"):
        AEAD.open_many(nonces, bytes(52), record_size=10)
    with pytest.raises(TypeError, match="bytes-like"):
        AEAD.seal_many(nonces, [b"list"], record_size=10)


@pytest.mark.parametrize("kind", [*BINARY, "strings"])
def test_arrow(kind: Any) -> None:
    strings = [message[:50].hex() for message in MESSAGES]
    column: Any = pyarrow.array(strings) if kind == "strings" else pyarrow.array(MESSAGES, kind)
    plain = [text.encode() for text in strings] if kind == "strings" else MESSAGES
    nonces, aads = pyarrow.array(NONCES, pyarrow.binary(12)), pyarrow.array(AADS, pyarrow.binary())
    sealed = AEAD.seal_many(nonces, column, aads)
    sealed.validate(full=True)
    assert sealed.type == (pyarrow.large_binary() if kind == BINARY[1] else pyarrow.binary())
    assert sealed.to_pylist() == expected(plain, AADS)
    opened = AEAD.open_many(nonces, sealed, aads)
    opened.validate(full=True)
    assert opened.to_pylist() == plain
    assert AEAD.seal_many(b"".join(NONCES), column).to_pylist() == expected(plain)
    # A slice has its offsets and its bits in the middle.
    part = AEAD.seal_many(nonces.slice(13, 50), column.slice(13, 50), aads.slice(13, 50))
    part.validate(full=True)
    assert part.to_pylist() == sealed.to_pylist()[13:63]
    for empty in (column.slice(0, 0), pyarrow.array([], column.type)):
        assert AEAD.seal_many(nonces.slice(0, 0), empty).to_pylist() == []


@pytest.mark.parametrize("kind", [*BINARY, pyarrow.binary(8)])
def test_arrow_nulls(kind: Any) -> None:
    values = [None if number % 5 == 2 else number.to_bytes(8, "big") for number in range(100)]
    aads = [None if number % 7 == 3 else b"aad" for number in range(100)]
    column, headers = pyarrow.array(values, kind), pyarrow.array(aads, pyarrow.binary())
    nonces = pyarrow.array(NONCES[:100], pyarrow.binary())
    wanted = [
        None if value is None else REFERENCE.encrypt(nonce, value, aad)
        for nonce, value, aad in zip(NONCES[:100], values, aads, strict=True)
    ]
    sealed = AEAD.seal_many(nonces, column, headers)
    sealed.validate(full=True)
    assert sealed.to_pylist() == wanted and sealed.null_count == 20
    assert AEAD.open_many(nonces, sealed, headers).to_pylist() == values
    at = slice(11, 60)
    part = AEAD.seal_many(nonces[at], column[at], headers[at])
    part.validate(full=True)
    assert part.to_pylist() == wanted[at]
    assert AEAD.open_many(nonces[at], part, headers[at]).to_pylist() == values[at]
    with pytest.raises(ValueError, match="nonce is null"):
        AEAD.seal_many(pyarrow.array([None, *NONCES[1:100]], pyarrow.binary(12)), column)


def test_arrow_values_of_one_size() -> None:
    values = [number.to_bytes(10, "big") for number in range(COUNT)]
    column = pyarrow.array(values, pyarrow.binary(10))
    sealed = AEAD.seal_many(b"".join(NONCES), column)
    sealed.validate(full=True)
    assert sealed.type == pyarrow.binary(26) and sealed.to_pylist() == expected(values)
    opened = AEAD.open_many(b"".join(NONCES), sealed)
    assert opened.equals(column)
    with pytest.raises(ValueError, match="too short"):
        AEAD.open_many(b"".join(NONCES), column)


def test_arrow_chunks() -> None:
    column = pyarrow.chunked_array([MESSAGES[:100], [], MESSAGES[100:]], pyarrow.binary())
    aads = pyarrow.chunked_array([AADS[:333], AADS[333:]], pyarrow.binary())
    for nonces in (b"".join(NONCES), pyarrow.chunked_array([NONCES[:5], NONCES[5:]])):
        sealed = AEAD.seal_many(nonces, column, aads)
        assert isinstance(sealed, pyarrow.ChunkedArray)
        assert sealed.to_pylist() == expected(MESSAGES, AADS)
        assert AEAD.open_many(nonces, sealed, aads).to_pylist() == MESSAGES
    none = pyarrow.chunked_array([], pyarrow.binary())
    assert AEAD.seal_many(b"", none).to_pylist() == []
    with pytest.raises(ValueError, match="nonces"):
        AEAD.seal_many(pyarrow.array(NONCES[1:]), column)
    with pytest.raises(ValueError, match="values of one size"):
        AEAD.seal_many(bytes(12 * COUNT + 1), column)


def test_arrow_that_is_refused() -> None:
    column = pyarrow.array(MESSAGES, pyarrow.binary())
    with pytest.raises(TypeError, match="int64"):
        AEAD.seal_many(b"", pyarrow.array([1, 2]))
    with pytest.raises(TypeError, match="double"):
        AEAD.seal_many(pyarrow.array([1.5] * COUNT), column)
    with pytest.raises(TypeError, match="bytes-like"):
        AEAD.seal_many(NONCES, column)
    with pytest.raises(ValueError, match="aads"):
        AEAD.seal_many(b"".join(NONCES), column, column.slice(1))


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize(
    "offsets", [[0, -1, 5], [0, 9, 3], [0, 99, 5], [0, 2**31 - 1, 5], [3, 0, 5]]
)
def test_arrow_offsets_that_lead_outside(offsets: list[int], width: int) -> None:
    """A damaged file can say anything, and pyarrow looks at the first and the last offset alone."""
    table = b"".join(each.to_bytes(width, "little", signed=True) for each in offsets)
    kind = pyarrow.binary() if width == 4 else pyarrow.large_binary()
    buffers = [None, pyarrow.py_buffer(table), pyarrow.py_buffer(bytes(20))]
    column = pyarrow.Array.from_buffers(kind, 2, buffers)
    good = pyarrow.array([b"text", b"more"], kind)
    for call in (
        lambda: AEAD.seal_many(bytes(24), column),
        lambda: AEAD.open_many(bytes(24), column),
        lambda: AEAD.seal_many(column, good),
        lambda: AEAD.seal_many(bytes(24), good, column),
    ):
        with pytest.raises((ValueError, xorcore.InvalidTag)):
            call()


@pytest.mark.parametrize("width", [4, 8])
def test_arrow_offsets_at_odd_addresses(width: int) -> None:
    table = b"!" + b"".join(each.to_bytes(width, "little") for each in (0, 4, 9))
    kind = pyarrow.binary() if width == 4 else pyarrow.large_binary()
    buffers = [None, pyarrow.py_buffer(table).slice(1), pyarrow.py_buffer(b"textother")]
    column = pyarrow.Array.from_buffers(kind, 2, buffers)
    sealed = AEAD.seal_many(b"".join(NONCES[:2]), column)
    assert sealed.to_pylist() == expected([b"text", b"other"])
