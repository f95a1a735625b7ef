"""test_buffers — every kind of buffer, in and out, given back when the call ends."""

from __future__ import annotations

import array
import ctypes
import mmap
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM as Reference

import xorcore
from buffers import READ_ONLY

KEY, NONCE, AAD = bytes(range(16)), bytes(range(12)), bytes(range(20))
AEAD = xorcore.AESGCM(KEY)
Make = Callable[[bytes], Any]
CTR, XTS = xorcore.cipher("AES-CTR", KEY, bytes(16)), xorcore.AESXTS(bytes(range(32)))
GMAC, CMAC = xorcore.GMAC(KEY), xorcore.CMAC(KEY)


def raw(made: Any) -> bytes:
    return memoryview(made).tobytes()


@pytest.mark.parametrize("size", [0, 1, 4, 16, 100])
def test_inputs(buffer: Make, size: int) -> None:
    data, mask = bytes(range(size)), bytes(range(100, 100 + size))
    expected = bytes(a ^ b for a, b in zip(data, mask, strict=True))
    assert xorcore.xor(buffer(data), buffer(mask)) == expected
    assert xorcore.xor_many([buffer(data), buffer(mask)]) == expected
    assert xorcore.xor_repeat(buffer(data), buffer(b"k")) == bytes(byte ^ ord("k") for byte in data)
    assert xorcore.equal(buffer(data), buffer(data)) is True
    sealed = Reference(KEY).encrypt(NONCE, data, AAD)
    aead = xorcore.AESGCM(buffer(KEY))
    assert aead.encrypt(buffer(NONCE), buffer(data), buffer(AAD)) == sealed
    assert aead.decrypt(buffer(NONCE), buffer(sealed), buffer(AAD)) == data
    room = bytearray(size + 16)
    aead.encrypt_into(buffer(NONCE), buffer(data), buffer(AAD), room)
    assert room == sealed
    text = bytearray(size)
    aead.decrypt_into(buffer(NONCE), buffer(sealed), buffer(AAD), text)
    assert text == data


@pytest.mark.parametrize("size", [0, 1, 4, 16, 100])
def test_outputs(output: Make, size: int) -> None:
    data, mask = bytes(range(size)), bytes(range(100, 100 + size))
    expected = bytes(a ^ b for a, b in zip(data, mask, strict=True))
    out = output(bytes(size))
    assert xorcore.xor(data, mask, out=out) is out and raw(out) == expected
    out = output(bytes(size))
    assert xorcore.xor_into(out, data, mask) == size and raw(out) == expected
    out = output(bytes(size))
    assert xorcore.xor_many([data, mask], out=out) is out and raw(out) == expected
    # in place, from a buffer of the same kind
    out = output(data)
    assert xorcore.xor(out, output(mask), out=out) is out and raw(out) == expected
    assert xorcore.xor_into(out, output(mask), out) == size and raw(out) == data
    assert xorcore.xor_many([out, output(mask)], out=out) is out and raw(out) == expected
    assert xorcore.xor_repeat(out, output(b"key!"), out=out) is out
    assert xorcore.xor_repeat(out, output(b"key!"), out=out) is out and raw(out) == expected
    out = output(bytes(size))
    assert xorcore.xor_repeat(data, b"k", out=out) is out and raw(out) == xorcore.xor_repeat(
        data, b"k"
    )
    sealed = Reference(KEY).encrypt(NONCE, data, AAD)
    out = output(bytes(size + 16))
    assert AEAD.encrypt_into(NONCE, data, AAD, out) == size + 16 and raw(out) == sealed
    out = output(bytes(size))
    assert AEAD.decrypt_into(NONCE, sealed, AAD, out) == size and raw(out) == data


def test_mapped_file_as_output() -> None:
    with mmap.mmap(-1, 100) as mapped:
        xorcore.xor(b"a" * 100, b"b" * 100, out=mapped)
        assert mapped[:] == b"\x03" * 100


def test_other_item_sizes() -> None:
    numbers = array.array("d", [1.0, 2.0])
    assert xorcore.xor(numbers, bytes(16)) == numbers.tobytes()
    grid = numpy.arange(12, dtype="<u2").reshape(3, 4)
    assert xorcore.xor(grid, bytes(24)) == grid.tobytes()
    c_array = (ctypes.c_ubyte * 4)(1, 2, 3, 4)
    xorcore.xor(b"\1\1\1\1", c_array, out=c_array)
    assert bytes(c_array) == b"\0\3\2\5"


CALLS: dict[str, tuple[int, Callable[[Any], Any]]] = {
    # what takes an input: its length, and the call
    "xor a": (16, lambda data: xorcore.xor(data, bytes(16))),
    "xor b": (16, lambda data: xorcore.xor(bytes(16), data)),
    "xor_into source": (16, lambda data: xorcore.xor_into(bytearray(16), bytes(16), data)),
    "xor_many source": (16, lambda data: xorcore.xor_many([bytes(16), data])),
    "xor_repeat data": (16, lambda data: xorcore.xor_repeat(data, b"k")),
    "xor_repeat key": (16, lambda data: xorcore.xor_repeat(bytes(3), data)),
    "equal a": (16, lambda data: xorcore.equal(data, bytes(16))),
    "equal b": (16, lambda data: xorcore.equal(bytes(16), data)),
    "key": (16, lambda data: xorcore.AESGCM(data)),
    "encrypt nonce": (16, lambda data: AEAD.encrypt(data, b"text", b"aad")),
    "encrypt data": (16, lambda data: AEAD.encrypt(NONCE, data, b"aad")),
    "encrypt aad": (16, lambda data: AEAD.encrypt(NONCE, b"text", data)),
    "decrypt nonce": (16, lambda data: AEAD.decrypt(data, bytes(20), b"aad")),
    "decrypt data": (16, lambda data: AEAD.decrypt(NONCE, data, b"aad")),
    "decrypt aad": (16, lambda data: AEAD.decrypt(NONCE, bytes(20), data)),
    "encrypt_into nonce": (
        16,
        lambda data: AEAD.encrypt_into(data, b"text", b"aad", bytearray(20)),
    ),
    "encrypt_into data": (16, lambda data: AEAD.encrypt_into(NONCE, data, b"aad", bytearray(32))),
    "encrypt_into aad": (16, lambda data: AEAD.encrypt_into(NONCE, b"text", data, bytearray(20))),
    "decrypt_into nonce": (
        16,
        lambda data: AEAD.decrypt_into(data, bytes(20), b"aad", bytearray(4)),
    ),
    "decrypt_into data": (16, lambda data: AEAD.decrypt_into(NONCE, data, b"aad", bytearray(0))),
    "decrypt_into aad": (16, lambda data: AEAD.decrypt_into(NONCE, bytes(20), data, bytearray(4))),
    "cipher key": (16, lambda data: xorcore.cipher("AES-CTR", data)),
    "cipher encrypt": (16, lambda data: CTR.encrypt(data)),
    "cipher decrypt": (16, lambda data: CTR.decrypt(data)),
    "cipher encrypt_into": (16, lambda data: CTR.encrypt_into(data, bytearray(16))),
    "cipher decrypt_into": (16, lambda data: CTR.decrypt_into(data, bytearray(16))),
    "ctr_at": (16, lambda data: CTR.ctr_at(5, data)),
    "ctr_at_into": (16, lambda data: CTR.ctr_at_into(5, data, bytearray(16))),
    "context update": (16, lambda data: CTR.encryptor().update(data)),
    "context update_into": (16, lambda data: CTR.encryptor().update_into(data, bytearray(16))),
    "xts key": (32, lambda data: xorcore.AESXTS(data[::-1] if type(data) is bytes else data)),
    "xts data": (16, lambda data: XTS.encrypt(5, data)),
    "xts sectors": (32, lambda data: XTS.encrypt_sectors(data, 5, 16)),
    "gmac key": (16, lambda data: xorcore.GMAC(data)),
    "gmac nonce": (16, lambda data: GMAC.compute(data, b"data")),
    "gmac data": (16, lambda data: GMAC.compute(NONCE, data)),
    "gmac tag": (16, lambda data: GMAC.verify(NONCE, b"data", data)),
    "gmac stream nonce": (16, lambda data: GMAC.stream(data)),
    "cmac data": (16, lambda data: CMAC.compute(data)),
    "cmac tag": (16, lambda data: CMAC.verify(b"data", data)),
    "mac update": (16, lambda data: CMAC.stream().update(data)),
    "mac context tag": (16, lambda data: CMAC.stream().verify(data)),
    "aead stream nonce": (16, lambda data: AEAD.encryptor(data)),
    "aead stream aad": (
        16,
        lambda data: AEAD.encryptor(NONCE).authenticate_additional_data(data),
    ),
    "aead stream update": (16, lambda data: AEAD.decryptor(NONCE).update(data)),
    "aead stream tag": (16, lambda data: AEAD.decryptor(NONCE).finalize_with_tag(data)),
    "rows data": (16, lambda data: AEAD.encrypt_rows([NONCE], [data])),
    "rows nonce": (16, lambda data: AEAD.encrypt_rows([data], [b"text"])),
    "rows aad": (16, lambda data: AEAD.encrypt_rows([NONCE], [b"text"], [data])),
    "rows_into data": (
        16,
        lambda data: AEAD.encrypt_rows_into(bytearray(), bytearray(), data, b"", nonce_length=12),
    ),
    "rows_into aux": (
        16,
        lambda data: AEAD.encrypt_rows_into(bytearray(), bytearray(), b"", data, nonce_length=12),
    ),
}
OPTIONAL = {"encrypt aad", "decrypt aad", "encrypt_into aad", "decrypt_into aad", "rows aad"}
OUTPUTS: dict[str, tuple[int, Callable[[Any], Any]]] = {
    "xor": (16, lambda out: xorcore.xor(bytes(16), bytes(16), out=out)),
    "xor_into": (16, lambda out: xorcore.xor_into(out, bytes(16))),
    "xor_many": (16, lambda out: xorcore.xor_many([bytes(16)], out=out)),
    "xor_repeat": (16, lambda out: xorcore.xor_repeat(bytes(16), b"k", out=out)),
    "encrypt_into": (16, lambda out: AEAD.encrypt_into(NONCE, b"", None, out)),
    "decrypt_into": (
        16,
        lambda out: AEAD.decrypt_into(NONCE, AEAD.encrypt(NONCE, bytes(16)), None, out),
    ),
    "cipher encrypt_into": (16, lambda out: CTR.encrypt_into(bytes(16), out)),
    "cipher decrypt_into": (16, lambda out: CTR.decrypt_into(bytes(16), out)),
    "ctr_at_into": (16, lambda out: CTR.ctr_at_into(5, bytes(16), out)),
    "xts encrypt_into": (16, lambda out: XTS.encrypt_into(5, bytes(16), out)),
    "xts decrypt_into": (16, lambda out: XTS.decrypt_into(5, bytes(16), out)),
    "xts sectors": (32, lambda out: XTS.encrypt_sectors(bytes(32), 5, 16, out=out)),
    "xts sectors back": (32, lambda out: XTS.decrypt_sectors(bytes(32), 5, 16, out=out)),
}
# Outputs that may be longer than what is written.
ROOMY: dict[str, tuple[int, Callable[[Any], Any]]] = {
    "context update_into": (16, lambda out: CTR.encryptor().update_into(bytes(16), out)),
    "aead update_into": (16, lambda out: AEAD.encryptor(NONCE).update_into(bytes(16), out)),
    "unverified update_into": (
        16,
        lambda out: AEAD.decryptor_unverified(NONCE).update_into(bytes(16), out),
    ),
}
REFUSING = OUTPUTS | ROOMY


@pytest.mark.parametrize("wrong", ["text", 16, 1.5, object(), [1, 2], ("a",)], ids=repr)
@pytest.mark.parametrize("name", CALLS | {f"{name} output": None for name in REFUSING})
def test_no_buffer(name: str, wrong: Any) -> None:
    call = CALLS[name][1] if name in CALLS else REFUSING[name.removesuffix(" output")][1]
    with pytest.raises(TypeError, match="bytes-like"):
        call(wrong)


@pytest.mark.parametrize("name", sorted(set(CALLS) - OPTIONAL))
def test_none_is_no_buffer(name: str) -> None:
    with pytest.raises(TypeError, match="bytes-like"):
        CALLS[name][1](None)


@pytest.mark.parametrize("name", CALLS)
def test_strided_inputs(name: str) -> None:
    size, call = CALLS[name]
    with pytest.raises(BufferError, match="contiguous"):
        call(memoryview(bytes(2 * size))[::2])
    with pytest.raises(BufferError, match="contiguous"):
        call(numpy.zeros(2 * size, dtype="u1")[::2])
    with pytest.raises(BufferError, match="contiguous"):
        call(numpy.zeros((4, size // 4), dtype="u1", order="F"))


@pytest.mark.parametrize("kind", READ_ONLY)
@pytest.mark.parametrize("name", REFUSING)
def test_read_only_outputs(name: str, kind: str) -> None:
    size, call = REFUSING[name]
    out = READ_ONLY[kind](b"\xa5" * size)
    with pytest.raises(BufferError, match="writable"):
        call(out)
    assert raw(out) == b"\xa5" * size


@pytest.mark.parametrize("name", REFUSING)
def test_strided_outputs(name: str) -> None:
    size, call = REFUSING[name]
    memory = bytearray(b"\xa5" * 2 * size)
    with pytest.raises(BufferError, match="contiguous"):
        call(memoryview(memory)[::2])
    assert memory == b"\xa5" * 2 * size


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("change", [-1, 1])
def test_output_lengths(name: str, change: int) -> None:
    size, call = OUTPUTS[name]
    out = bytearray(b"\xa5" * (size + change))
    with pytest.raises(ValueError, match="DATA_LENGTH") as caught:
        call(out)
    assert caught.value.result == "DATA_LENGTH"  # type: ignore[attr-defined]
    assert out == b"\xa5" * (size + change)


def test_released_and_closed() -> None:
    view = memoryview(bytearray(16))
    view.release()
    with pytest.raises(ValueError, match="released"):
        xorcore.xor(view, bytes(16))
    mapped = mmap.mmap(-1, 16)
    mapped.close()
    with pytest.raises(ValueError, match="closed"):
        xorcore.xor(mapped, bytes(16))


@pytest.mark.parametrize("name", CALLS)
def test_inputs_are_given_back(name: str) -> None:
    size, call = CALLS[name]
    data = bytearray(size)
    try:
        call(data)
    except (xorcore.XorcoreError, ValueError):
        # The traceback is alive here, and with it the frames of the call.
        data.append(0)
    data.append(0)


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_are_given_back(name: str) -> None:
    size, call = OUTPUTS[name]
    out = bytearray(size)
    call(out)
    out.append(0)
    with pytest.raises(ValueError):
        call(out)
    out.append(0)


def test_outputs_are_given_back_after_a_failed_call() -> None:
    out, data = bytearray(32), bytearray(16)
    for call in (
        lambda: AEAD.encrypt_into(b"", bytes(16), None, out),
        lambda: AEAD.encrypt_into(b"", data, None, out),
        lambda: AEAD.encrypt_into(NONCE, b"text", None, out),
        lambda: AEAD.decrypt_into(NONCE, bytes(20), None, out),
        lambda: AEAD.decrypt_into(NONCE, bytes(48), None, out),
        lambda: CTR.encrypt_into(bytes(32), out, iv=b""),
        lambda: AEAD.encryptor(NONCE).update_into(bytes(33), out),
        lambda: AEAD.encrypt_rows_into(out, out, data, data, nonce_length=12),
    ):
        try:
            call()
        except (ValueError, xorcore.InvalidTag):
            # The traceback is alive here, and with it the frames of the call.
            out.append(0)
            out.pop()
            data.append(0)
            data.pop()
        else:
            pytest.fail("the call went well")


def test_given_back_when_another_argument_is_refused() -> None:
    data, out = bytearray(16), bytearray(32)
    with pytest.raises(TypeError):
        AEAD.encrypt_into(NONCE, data, "text", out)  # type: ignore[arg-type]
    data.append(0)
    out.append(0)
    first = bytearray(16)
    with pytest.raises(ValueError):
        xorcore.xor_many([first, bytes(15)])
    first.append(0)
