"""test_rows — many messages in one call give what as many calls give."""

from __future__ import annotations

import os
from typing import Any

import numpy
import pytest

import reference
import xorcore

KEY = bytes(range(16))
SIZES = [0, 1, 16, 100, 7, 1000, 64, 16]
DATAS = [os.urandom(size) for size in SIZES]
NONCES = [os.urandom(12) for _ in SIZES]
AADS = [os.urandom(size % 9) for size in SIZES]
AEADS: dict[str, tuple[Any, list[bytes]]] = {
    "AESGCM": (xorcore.AESGCM(KEY), NONCES),
    "AESCCM": (xorcore.AESCCM(KEY), NONCES),
    "AESGCMSIV": (xorcore.AESGCMSIV(KEY), NONCES),
    "XAES256GCM": (xorcore.XAES256GCM(KEY * 2), [nonce * 2 for nonce in NONCES]),
}


@pytest.mark.parametrize("name", AEADS)
def test_aead(name: str) -> None:
    aead, nonces = AEADS[name]
    key = KEY * 2 if name == "XAES256GCM" else KEY
    sealed = aead.encrypt_rows(nonces, DATAS, AADS)
    assert sealed == [
        reference.seal(name, key, *message) for message in zip(nonces, DATAS, AADS, strict=True)
    ]
    assert aead.decrypt_rows(iter(nonces), (bytearray(one) for one in sealed), AADS) == DATAS
    plain = aead.encrypt_rows(nonces, DATAS)
    assert plain == aead.encrypt_rows(nonces, DATAS, [None] * len(DATAS))
    # one is broken, one too short, and the others are not bothered
    broken = list(sealed)
    broken[3] = broken[3][:-1] + bytes([broken[3][-1] ^ 1])
    broken[5] = b"short"
    opened = aead.decrypt_rows(nonces, broken, AADS)
    assert opened == [None if at in (3, 5) else data for at, data in enumerate(DATAS)]
    assert aead.encrypt_rows([], []) == aead.decrypt_rows([], []) == []


@pytest.mark.parametrize("algorithm", reference.MODES)
def test_cipher(algorithm: str) -> None:
    datas = [os.urandom(16 * (at + 1)) for at in range(20)]
    key = bytes(range(32))
    ivs = None if algorithm == "AES-ECB" else [os.urandom(16) for _ in datas]
    cipher = xorcore.cipher(algorithm, key)
    sealed = cipher.encrypt_rows(ivs, datas)
    expected = [
        reference.encrypt(algorithm, key, iv, data)
        for iv, data in zip(ivs or [b""] * len(datas), datas, strict=True)
    ]
    assert sealed == expected
    assert cipher.decrypt_rows(ivs, sealed) == datas


def test_mac() -> None:
    gmac, cmac = xorcore.GMAC(KEY), xorcore.CMAC(KEY, 8)
    tags = gmac.compute_rows(NONCES, DATAS)
    assert tags == [reference.gmac(KEY, *one) for one in zip(NONCES, DATAS, strict=True)]
    assert gmac.verify_rows(NONCES, DATAS, tags) == [True] * len(DATAS)
    short = cmac.compute_rows(DATAS)
    assert short == [reference.cmac(KEY, data)[:8] for data in DATAS]
    wrong = [*short[:2], bytes(8), short[3][:7], *short[4:]]
    # a right tag cut or stretched is no right tag
    for change in (lambda tag: tag[:-1], lambda tag: tag + b"\0", lambda tag: b""):
        assert cmac.verify_rows(DATAS, map(change, short)) == [False] * len(DATAS)
    assert cmac.verify_rows(DATAS, wrong) == [at not in (2, 3) for at in range(len(DATAS))]


def test_flat() -> None:
    """A caller's arenas: packets with their nonce in front and room for the tag behind, all in place."""
    count, size = 50, 100
    packet = 12 + size + 16
    arena = numpy.frombuffer(bytearray(os.urandom(count * packet)), dtype="u1")
    before = arena.tobytes()
    rows = numpy.zeros(count, dtype=xorcore.ROW_DTYPE)
    at = numpy.arange(count, dtype="u8") * packet
    rows["nonce_at"] = at
    rows["in_at"] = rows["out_at"] = at + 12
    rows["len"] = size
    rows["tag_at"] = at + 12 + size
    aead = xorcore.AESGCM(KEY)
    aead.encrypt_rows_into(rows, arena, arena, arena, nonce_length=12)
    assert not rows["result"].any()
    for start in range(0, count * packet, packet):
        nonce, text = before[start : start + 12], before[start + 12 : start + 12 + size]
        expected = nonce + reference.seal("AESGCM", KEY, nonce, text, b"")
        assert arena[start : start + packet].tobytes() == expected
    arena[7 * packet + 20] ^= 1
    rows["result"] = 5
    with pytest.raises(xorcore.InvalidTag):
        aead.decrypt_rows_into(rows, arena, arena, arena, nonce_length=12)
    assert [at for at, code in enumerate(rows["result"]) if code] == [7]
    assert arena[8 * packet + 12 : 8 * packet + 112].tobytes() == before[8 * packet + 12 :][:100]
    assert not arena[7 * packet + 12 : 7 * packet + 112].any()


def test_packed_rows() -> None:
    assert xorcore.ROW.size == numpy.dtype(xorcore.ROW_DTYPE).itemsize == 64
    rows = bytearray(xorcore.ROW.pack(0, 0, 4, 0, 12, 3, 4, 0, 0))
    out = bytearray(20)
    xorcore.AESGCM(KEY).encrypt_rows_into(rows, out, b"text", bytes(12) + b"aad", nonce_length=12)
    assert out == reference.seal("AESGCM", KEY, bytes(12), b"text", b"aad")


def refused(result: str, call: Any) -> None:
    with pytest.raises((ValueError, OverflowError, xorcore.XorcoreError)) as caught:
        call()
    assert caught.value.result == result


def test_errors() -> None:
    aead = xorcore.AESGCM(KEY)
    refused("ARG", lambda: aead.encrypt_rows(NONCES[:2], DATAS))
    refused("ARG", lambda: aead.encrypt_rows(NONCES, DATAS, AADS[:2]))
    refused("NONCE_LENGTH", lambda: aead.encrypt_rows([b"a", b"bc"], DATAS[:2]))
    refused("NONCE_LENGTH", lambda: aead.encrypt_rows([b"", b""], DATAS[:2]))
    refused("NONCE_LENGTH", lambda: aead.decrypt_rows([b""], [bytes(16)]))
    cbc = xorcore.cipher("AES-CBC", KEY)
    refused("DATA_LENGTH", lambda: cbc.encrypt_rows([bytes(16)] * 2, [bytes(16), bytes(15)]))
    refused("NONCE_LENGTH", lambda: cbc.encrypt_rows(None, [bytes(16)]))

    def flat(change: dict[str, int], **more: Any) -> tuple[Any, bytearray, Any]:
        rows = numpy.zeros(2, dtype=xorcore.ROW_DTYPE)
        rows["out_at"], rows["tag_at"] = (0, 40), (20, 60)
        rows["len"] = 4
        for name, value in change.items():
            rows[name][1] = value
        out = bytearray(b"\xa5" * 100)
        nonce_length = more.get("nonce_length", 12)
        return (
            rows,
            out,
            lambda: aead.encrypt_rows_into(
                rows, out, bytes(50), bytes(30), nonce_length=nonce_length
            ),
        )

    for change in (
        {"in_at": 47},
        {"in_at": 2**64 - 1},
        {"out_at": 97},
        {"nonce_at": 19},
        {"aad_at": 30, "aad_len": 1},
        {"tag_at": 85},
        {"len": 2**64 - 1},
        {"reserved": 1},
    ):
        rows, out, call = flat(change)
        refused("ARG", call)
        assert list(rows["result"]) == [0, -1]
        assert out[40:] == b"\xa5" * 60
        assert out[:4] != b"\xa5" * 4
    rows, out, call = flat({}, nonce_length=0)
    refused("NONCE_LENGTH", call)
    assert list(rows["result"]) == [-3, -3]
    assert out == b"\xa5" * 100
    rows, out, call = flat({"tag_at": 42})
    refused("OVERLAP", call)
    for nonce_length in (-1, 2**40):
        rows, out, call = flat({}, nonce_length=nonce_length)
        with pytest.raises((ValueError, OverflowError)):
            call()
    with pytest.raises(ValueError, match="64 bytes"):
        aead.encrypt_rows_into(bytearray(63), bytearray(9), b"", b"", nonce_length=12)
    no_rows = memoryview(bytearray(72))[1:1]  # they need no alignment
    aead.encrypt_rows_into(no_rows, bytearray(), b"", b"", nonce_length=12)
    with pytest.raises(ValueError, match="divisible by 8"):
        aead.encrypt_rows_into(
            memoryview(bytearray(72))[1:65], bytearray(9), b"", b"", nonce_length=12
        )
    with pytest.raises(BufferError, match="writable"):
        aead.encrypt_rows_into(bytes(64), bytearray(9), b"", b"", nonce_length=12)
    with pytest.raises(BufferError, match="writable"):
        aead.encrypt_rows_into(bytearray(64), bytes(9), b"", b"", nonce_length=12)
    for call in (
        lambda: aead.encrypt_rows(NONCES[:1], ["text"]),  # type: ignore[list-item]
        lambda: aead.encrypt_rows(["text"], DATAS[:1]),  # type: ignore[list-item]
        lambda: aead.encrypt_rows(NONCES[:1], DATAS[:1], ["text"]),  # type: ignore[list-item]
        lambda: aead.encrypt_rows(NONCES[:1], [5]),  # type: ignore[list-item]
    ):
        with pytest.raises(TypeError, match="bytes-like"):
            call()
