"""test_stream — any split of a message gives what one call gives; the order of calls."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
import xorcore

KEY, IV, NONCE = bytes(range(16)), bytes(range(16, 32)), bytes(range(12))
BLOCKS = {"AES-ECB", "AES-CBC"}
MODES = [name for name in reference.MODES if name != "AES-XTS"]
SPLITS = st.lists(st.integers(0, 80), max_size=8)


def split(data: bytes, sizes: list[int], unit: int = 1) -> list[bytes]:
    parts, at = [], 0
    for size in sizes:
        parts.append(data[at : at + size * unit])
        at += size * unit
    return [*parts, data[at:]]


@pytest.mark.parametrize("algorithm", MODES)
@given(st.integers(0, 300), SPLITS)
@settings(max_examples=40)
def test_cipher_splits(algorithm: str, size: int, sizes: list[int]) -> None:
    unit = 16 if algorithm in BLOCKS else 1
    data = os.urandom(size * unit)
    iv = b"" if algorithm == "AES-ECB" else IV
    expected = reference.encrypt(algorithm, KEY, iv, data)
    cipher = xorcore.cipher(algorithm, KEY, iv)
    encryptor, decryptor = cipher.encryptor(), cipher.decryptor()
    sealed = b"".join(encryptor.update(part) for part in split(data, sizes, unit))
    assert sealed + encryptor.finalize() == expected
    opened = b"".join(
        decryptor.update(bytearray(part)) for part in split(expected, sizes[::-1], unit)
    )
    assert opened + decryptor.finalize() == data
    encryptor.reset()
    room = bytearray(data)
    at = 0
    for part in split(data, sizes, unit):
        view = memoryview(room)[at : at + len(part)]
        assert encryptor.update_into(view, view) == len(part)
        at += len(part)
    assert room == expected


@pytest.mark.parametrize("algorithm", MODES)
def test_cipher_context(algorithm: str) -> None:
    iv = None if algorithm == "AES-ECB" else IV
    cipher = xorcore.cipher(algorithm, KEY, iv)
    data = os.urandom(160)
    whole = cipher.encrypt(data)
    context = cipher.encryptor()
    assert context.update(data[:48]) == whole[:48]
    other = context.copy()
    assert context.update(data[48:]) == whole[48:]
    assert other.update(data[48:]) == whole[48:]
    if iv is not None:
        third = cipher.encryptor()
        third.update(data[:48])
        rest = cipher.encryptor(third.next_iv)
        assert rest.update(data[48:]) == whole[48:]
        context.reset(b"\1" * 16)
        assert context.update(data) == cipher.encrypt(data, iv=b"\1" * 16)
        context.reset()  # keeps the last one
        assert context.update(data) == cipher.encrypt(data, iv=b"\1" * 16)
    else:
        with pytest.raises(xorcore.UnsupportedError):
            _ = context.next_iv
    # a buffer may be longer than the data
    room = bytearray(b"\xa5" * 50)
    other.reset(iv)
    assert other.update_into(data[:48], room) == 48
    assert room == whole[:48] + b"\xa5\xa5"


def test_seek() -> None:
    cipher = xorcore.cipher("AES-CTR", KEY, IV)
    data = os.urandom(500)
    whole = cipher.encrypt(data)
    context = cipher.decryptor()
    for at in (400, 0, 17, 16, 499, 500):
        context.seek(at)
        assert context.update(whole[at:]) == data[at:]
    context.seek(2**64 - 4)
    with pytest.raises(OverflowError) as caught:
        context.update(bytes(5))
    assert caught.value.result == "LIMIT"  # type: ignore[attr-defined]
    assert context.update(bytes(4)) == cipher.ctr_at(2**64 - 4, bytes(4))


AEADS: dict[str, tuple[Any, bytes, bytes]] = {
    "AESGCM": (xorcore.AESGCM, KEY, NONCE),
    "AESCCM": (xorcore.AESCCM, KEY, NONCE),
    "XAES256GCM": (xorcore.XAES256GCM, KEY + IV, NONCE * 2),
}


@pytest.mark.parametrize("name", AEADS)
@given(st.integers(0, 300), st.integers(0, 100), SPLITS, SPLITS)
@settings(max_examples=40)
def test_aead_splits(
    name: str, size: int, aad_size: int, sizes: list[int], aad_sizes: list[int]
) -> None:
    made, key, nonce = AEADS[name]
    data, aad = os.urandom(size), os.urandom(aad_size)
    sealed = reference.seal(name, key, nonce, data, aad)
    ciphertext, tag = sealed[:size], sealed[size:]
    aead = made(key)
    announced = {"aad_length": aad_size, "length": size} if name == "AESCCM" else {}

    encryptor = aead.encryptor(nonce, **announced)
    for _ in range(2):
        for part in split(aad, aad_sizes):
            encryptor.authenticate_additional_data(part)
        parts = [encryptor.update(part) for part in split(data, sizes)]
        assert b"".join(parts) + encryptor.finalize() == ciphertext
        assert encryptor.tag == tag
        encryptor.reset(nonce, **announced)

    checking = aead.decryptor(nonce, **announced)
    releasing = aead.decryptor_unverified(nonce, **announced)
    for context in (checking, releasing):
        for part in split(aad, aad_sizes):
            context.authenticate_additional_data(bytearray(part))
    assert [checking.update(part) for part in split(ciphertext, sizes)].count(None) == len(
        sizes
    ) + 1
    assert b"".join(releasing.update(part) for part in split(ciphertext, sizes)) == data
    copies = checking.copy(), releasing.copy()
    assert checking.finalize_with_tag(tag) is None
    assert releasing.finalize_with_tag(bytearray(tag)) == b""
    for context in copies:
        with pytest.raises(xorcore.InvalidTag):
            context.finalize_with_tag(bytes(16))
        with pytest.raises(xorcore.AlreadyFinalized):
            context.finalize_with_tag(tag)


@given(st.integers(0, 300), SPLITS)
@settings(max_examples=40)
def test_mac_splits(size: int, sizes: list[int]) -> None:
    data = os.urandom(size)
    for context, tag in (
        (xorcore.GMAC(KEY).stream(NONCE), reference.gmac(KEY, NONCE, data)),
        (xorcore.CMAC(KEY).stream(), reference.cmac(KEY, data)),
    ):
        for part in split(data, sizes):
            context.update(part)
        other, third = context.copy(), context.copy()
        assert context.finalize() == tag
        other.verify(tag)
        with pytest.raises(xorcore.InvalidTag):
            third.verify(tag[:8])
        for done in (context, other, third):
            with pytest.raises(xorcore.AlreadyFinalized):
                done.update(b"")
            with pytest.raises(xorcore.AlreadyFinalized):
                done.finalize()
        context.reset()
        context.update(memoryview(data))
        context.verify(tag)


def test_mac_reset_takes_another_nonce() -> None:
    context = xorcore.GMAC(KEY).stream(NONCE)
    context.reset(b"another nonce")
    context.update(b"data")
    assert context.finalize() == reference.gmac(KEY, b"another nonce", b"data")


def test_finalized() -> None:
    aead, cipher = xorcore.AESGCM(KEY), xorcore.cipher("AES-CTR", KEY, IV)
    encryptor = aead.encryptor(NONCE)
    with pytest.raises(xorcore.XorcoreError) as caught:
        _ = encryptor.tag
    assert caught.value.result == "STATE"
    encryptor.finalize()
    plain = cipher.encryptor()
    plain.finalize()
    checking = aead.decryptor(NONCE)
    checking.finalize_with_tag(encryptor.tag)
    calls: list[Callable[[], Any]] = [
        lambda: encryptor.update(b"x"),
        lambda: encryptor.update_into(b"x", bytearray(1)),
        lambda: encryptor.authenticate_additional_data(b"x"),
        lambda: encryptor.finalize(),
        lambda: plain.update(b"x"),
        lambda: plain.update_into(b"x", bytearray(1)),
        lambda: plain.finalize(),
        lambda: plain.seek(0),
        lambda: checking.update(b"x"),
        lambda: checking.authenticate_additional_data(b"x"),
        lambda: checking.finalize_with_tag(encryptor.tag),
    ]
    for call in calls:
        with pytest.raises(xorcore.AlreadyFinalized) as done:
            call()
        assert done.value.result == "STATE"
    assert plain.copy()._finalized
    plain.reset()
    assert plain.update(b"text") == cipher.encrypt(b"text")
    encryptor.reset(NONCE)
    with pytest.raises(xorcore.XorcoreError, match="finalize"):
        _ = encryptor.tag


def refused(result: str, call: Callable[[], Any]) -> None:
    with pytest.raises((ValueError, OverflowError, xorcore.XorcoreError)) as caught:
        call()
    assert caught.value.result == result


def test_order() -> None:
    gcm, ccm = xorcore.AESGCM(KEY), xorcore.AESCCM(KEY)
    context = gcm.encryptor(NONCE)
    context.update(b"text")
    refused("STATE", lambda: context.authenticate_additional_data(b"late"))
    # and it goes on as if nothing had happened
    assert context.finalize() == b""
    assert gcm.encrypt(NONCE, b"text")[4:] == context.tag

    unannounced = ccm.encryptor(NONCE)
    refused("STATE", lambda: unannounced.authenticate_additional_data(b"aad"))
    refused("STATE", lambda: unannounced.update(b"text"))
    refused("STATE", lambda: unannounced.finalize())
    announced = ccm.encryptor(NONCE, aad_length=3, length=4)
    refused("STATE", lambda: announced.update(b"text"))
    refused("LIMIT", lambda: announced.authenticate_additional_data(b"four"))
    announced.authenticate_additional_data(b"aad")
    refused("LIMIT", lambda: announced.update(b"text!"))
    sealed = announced.update(b"te")
    refused("STATE", lambda: announced.finalize())
    sealed += announced.update(b"xt") + announced.finalize()
    assert sealed + announced.tag == ccm.encrypt(NONCE, b"text", b"aad")
    refused("ARG", lambda: ccm.encryptor(NONCE, length=4))
    refused("LIMIT", lambda: ccm.encryptor(bytes(13), aad_length=0, length=65536))

    ctr = xorcore.cipher("AES-CTR", KEY, IV).encryptor()
    ctr.update(b"x")
    refused("STATE", lambda: ctr.next_iv)


def test_unsupported() -> None:
    for name in ("encryptor", "decryptor", "decryptor_unverified"):
        refused("UNSUPPORTED", lambda name=name: getattr(xorcore.AESGCMSIV(KEY), name)(NONCE))
    xts = xorcore.cipher("AES-XTS", KEY + IV, IV)
    refused("UNSUPPORTED", xts.encryptor)
    refused("UNSUPPORTED", xts.decryptor)
    refused("UNSUPPORTED", lambda: xorcore.cipher("AES-CBC", KEY, IV).encryptor().seek(0))
    refused("UNSUPPORTED", lambda: xorcore.cipher("AES-CBC", KEY, IV).ctr_at(0, b""))


def test_a_context_keeps_its_key() -> None:
    context = xorcore.AESGCM(KEY).encryptor(NONCE)
    mac = xorcore.CMAC(KEY).stream()
    text = xorcore.cipher("AES-CTR", KEY, IV).encryptor()
    churn = [xorcore.AESGCM(os.urandom(16)) for _ in range(50)]
    assert context.update(b"text") + context.finalize() + context.tag == xorcore.AESGCM(
        KEY
    ).encrypt(NONCE, b"text")
    mac.verify(reference.cmac(KEY, b""))
    assert text.update(b"text") == reference.encrypt("AES-CTR", KEY, IV, b"text")
    assert churn
