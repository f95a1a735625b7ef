"""test_errors — every error that Python can reach, by name; nothing is written then."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import xorcore
from xorcore import AESGCM
from xorcore._errors import TABLE, error
from xorcore._ffi import ffi, lib

KEY = bytes(16)
AEAD = AESGCM(KEY)
CTR = xorcore.cipher("AES-CTR", KEY, bytes(16))
XTS = xorcore.AESXTS(bytes(range(32)))


def overlapping(call: Callable[[memoryview, bytearray], Any]) -> None:
    """Runs `call` on a memory that must stay as it is."""
    memory = bytearray(range(200))
    try:
        call(memoryview(memory), memory)
    finally:
        assert memory == bytes(range(200))


CASES: dict[str, tuple[str, Callable[[], Any]]] = {
    "no source into": ("ARG", lambda: xorcore.xor_into(bytearray(4))),
    "no source many": ("ARG", lambda: xorcore.xor_many([])),
    "xor lengths": ("DATA_LENGTH", lambda: xorcore.xor(b"abc", b"ab")),
    "xor_many lengths": ("DATA_LENGTH", lambda: xorcore.xor_many([b"abc", b"ab"])),
    "repeat key": ("KEY_LENGTH", lambda: xorcore.xor_repeat(b"abc", b"")),
    "xor kernel": ("KERNEL", lambda: xorcore.xor(b"abc", b"abc", kernel="none")),
    "xor_into kernel": ("KERNEL", lambda: xorcore.xor_into(bytearray(1), b"a", kernel="none")),
    "xor_many kernel": ("KERNEL", lambda: xorcore.xor_many([b"a"], kernel="none")),
    "xor_repeat kernel": ("KERNEL", lambda: xorcore.xor_repeat(b"a", b"k", kernel="none")),
    "kernel with NUL": ("KERNEL", lambda: xorcore.xor(b"abc", b"abc", kernel="portable\0")),
    "kernel not ASCII": ("KERNEL", lambda: xorcore.xor(b"abc", b"abc", kernel="pörtable")),
    "kernel empty": ("KERNEL", lambda: xorcore.xor(b"abc", b"abc", kernel="")),
    **{
        f"gcm key {size}": ("KEY_LENGTH", lambda size=size: AESGCM(bytes(size)))
        for size in (0, 1, 15, 17, 23, 25, 31, 33, 64)
    },
    **{
        f"gcm tag {size}": ("TAG_LENGTH", lambda size=size: AESGCM(bytes(16), tag_length=size))
        for size in (-1, 0, 1, 3, 5, 7, 9, 11, 17, 2**32, 2**32 + 16, 2**70)
    },
    "gcm kernel": ("KERNEL", lambda: AESGCM(bytes(16), kernel="none")),
    "gcm kernel of another family": ("KERNEL", lambda: AESGCM(bytes(16), kernel="portable")),
    "gcm half a pair": ("KERNEL", lambda: AESGCM(bytes(16), kernel="portable+")),
    "gcm three": ("KERNEL", lambda: AESGCM(bytes(16), kernel="portable+portable+portable")),
    "gcm key before tag": ("KEY_LENGTH", lambda: AESGCM(b"", tag_length=1, kernel="none")),
    "gcm tag before kernel": ("TAG_LENGTH", lambda: AESGCM(bytes(16), tag_length=1, kernel="none")),
    "seal nonce": ("NONCE_LENGTH", lambda: AEAD.encrypt(b"", b"text", None)),
    "seal nonce into": (
        "NONCE_LENGTH",
        lambda: AEAD.encrypt_into(b"", b"text", None, bytearray(20)),
    ),
    "open nonce": ("NONCE_LENGTH", lambda: AEAD.decrypt(b"", bytes(20), None)),
    "open nonce before short data": ("NONCE_LENGTH", lambda: AEAD.decrypt(b"", b"", None)),
    "open": ("AUTH", lambda: AEAD.decrypt(bytes(12), bytes(20), None)),
    "no such cipher": ("ARG", lambda: xorcore.cipher("AES-EAX", bytes(16))),
    **{
        f"{name} key {size}": (
            "KEY_LENGTH",
            lambda name=name, size=size: xorcore.cipher(name, bytes(size)),
        )
        for name in ("AES-ECB", "AES-CBC", "AES-CFB128", "AES-CFB8", "AES-OFB", "AES-CTR")
        for size in (0, 15, 33, 64)
    },
    **{
        f"xts key {size}": ("KEY_LENGTH", lambda size=size: xorcore.AESXTS(bytes(size)))
        for size in (0, 16, 24, 31, 63, 65)
    },
    "weak xts key": ("WEAK_KEY", lambda: xorcore.AESXTS(bytes(32))),
    "weak key before kernel": ("WEAK_KEY", lambda: xorcore.AESXTS(bytes(64), kernel="none")),
    "xts kernel": ("KERNEL", lambda: xorcore.AESXTS(bytes(range(32)), kernel="none")),
    "cipher kernel": ("KERNEL", lambda: xorcore.cipher("AES-CTR", bytes(16), kernel="none")),
    **{
        f"iv {size}": (
            "NONCE_LENGTH",
            lambda size=size: xorcore.cipher("AES-CTR", bytes(16), bytes(size)),
        )
        for size in (0, 12, 15, 17)
    },
    "ecb iv": ("NONCE_LENGTH", lambda: xorcore.cipher("AES-ECB", bytes(16), bytes(16))),
    "no iv": ("NONCE_LENGTH", lambda: xorcore.cipher("AES-CTR", bytes(16)).encrypt(b"text")),
    "no iv stream": ("NONCE_LENGTH", lambda: xorcore.cipher("AES-CTR", bytes(16)).encryptor()),
    "no iv into": (
        "NONCE_LENGTH",
        lambda: xorcore.cipher("AES-CTR", bytes(16)).encrypt_into(b"text", bytearray(4)),
    ),
    "no iv at": ("NONCE_LENGTH", lambda: xorcore.cipher("AES-CTR", bytes(16)).ctr_at(0, b"text")),
    "no iv, no stream": (
        "UNSUPPORTED",
        lambda: xorcore.cipher("AES-XTS", bytes(range(32))).encryptor(),
    ),
    "reset iv": ("NONCE_LENGTH", lambda: CTR.encryptor().reset(bytes(12))),
    "cbc length": (
        "DATA_LENGTH",
        lambda: xorcore.cipher("AES-CBC", bytes(16), bytes(16)).encrypt(bytes(17)),
    ),
    "cbc piece": (
        "DATA_LENGTH",
        lambda: xorcore.cipher("AES-CBC", bytes(16), bytes(16)).encryptor().update(bytes(17)),
    ),
    "update_into room": (
        "DATA_LENGTH",
        lambda: CTR.encryptor().update_into(bytes(17), bytearray(16)),
    ),
    "ctr_at limit": ("LIMIT", lambda: CTR.ctr_at(2**64 - 1, b"ab")),
    "ctr_at no ctr": ("UNSUPPORTED", lambda: xorcore.cipher("AES-OFB", KEY, KEY).ctr_at(0, b"a")),
    "xts short": ("DATA_LENGTH", lambda: XTS.encrypt(0, bytes(15))),
    "xts long": ("LIMIT", lambda: XTS.encrypt(0, bytes(2**24 + 1))),
    "xts tweak": ("NONCE_LENGTH", lambda: XTS.encrypt(bytes(8), bytes(16))),
    "xts stream": (
        "UNSUPPORTED",
        lambda: xorcore.cipher("AES-XTS", bytes(range(32)), KEY).encryptor(),
    ),
    **{
        f"sector size {size}": (
            "DATA_LENGTH",
            lambda size=size: XTS.encrypt_sectors(bytes(64), 0, size),
        )
        for size in (-1, 0, 15, 48, 128, 2**24 + 1, 2**70)
    },
    **{
        f"ccm tag {size}": ("TAG_LENGTH", lambda size=size: xorcore.AESCCM(bytes(16), size))
        for size in (0, 2, 5, 18)
    },
    **{
        f"ccm nonce {size}": (
            "NONCE_LENGTH",
            lambda size=size: xorcore.AESCCM(bytes(16)).encrypt(bytes(size), b"text"),
        )
        for size in (0, 6, 14)
    },
    "ccm limit": (
        "LIMIT",
        lambda: xorcore.AESCCM(bytes(16)).encrypt(bytes(13), bytes(65536)),
    ),
    "ccm kernel": ("KERNEL", lambda: xorcore.AESCCM(bytes(16), kernel="portable+portable")),
    "siv key": ("KEY_LENGTH", lambda: xorcore.AESGCMSIV(bytes(24))),
    "siv tag": ("TAG_LENGTH", lambda: xorcore.AESGCMSIV(bytes(16), 12)),
    "siv nonce": ("NONCE_LENGTH", lambda: xorcore.AESGCMSIV(bytes(16)).encrypt(bytes(13), b"")),
    "siv stream": ("UNSUPPORTED", lambda: xorcore.AESGCMSIV(bytes(16)).encryptor(bytes(12))),
    "xaes key": ("KEY_LENGTH", lambda: xorcore.XAES256GCM(bytes(16))),
    "xaes nonce": ("NONCE_LENGTH", lambda: xorcore.XAES256GCM(bytes(32)).encrypt(bytes(12), b"")),
    "gmac key": ("KEY_LENGTH", lambda: xorcore.GMAC(bytes(15))),
    "gmac tag": ("TAG_LENGTH", lambda: xorcore.GMAC(bytes(16), 7)),
    "gmac nonce": ("NONCE_LENGTH", lambda: xorcore.GMAC(bytes(16)).compute(b"", b"data")),
    "gmac kernel": ("KERNEL", lambda: xorcore.GMAC(bytes(16), kernel="none")),
    "gmac verify": ("AUTH", lambda: xorcore.GMAC(bytes(16)).verify(bytes(12), b"data", bytes(16))),
    "cmac tag 3": ("TAG_LENGTH", lambda: xorcore.CMAC(bytes(16), 3)),
    "cmac tag 17": ("TAG_LENGTH", lambda: xorcore.CMAC(bytes(16), 17)),
    "cmac verify": ("AUTH", lambda: xorcore.CMAC(bytes(16)).verify(b"data", bytes(16))),
    "stream state": ("STATE", lambda: xorcore.AESCCM(bytes(16)).encryptor(bytes(12)).update(b"a")),
    "stream nonce": ("NONCE_LENGTH", lambda: AEAD.encryptor(b"")),
    "stream auth": ("AUTH", lambda: AEAD.decryptor(bytes(12)).finalize_with_tag(bytes(16))),
    "cipher out over data": (
        "OVERLAP",
        lambda: overlapping(lambda view, memory: CTR.encrypt_into(view[1:51], view[:50])),
    ),
    "cipher out over iv": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: CTR.encrypt_into(bytes(50), view[:50], iv=view[49:65])
        ),
    ),
    "ctr_at out over data": (
        "OVERLAP",
        lambda: overlapping(lambda view, memory: CTR.ctr_at_into(3, view[1:51], view[:50])),
    ),
    "xts out over data": (
        "OVERLAP",
        lambda: overlapping(lambda view, memory: XTS.encrypt_into(1, view[1:51], view[:50])),
    ),
    "sectors out over data": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: XTS.encrypt_sectors(view[1:65], 1, 32, out=view[:64])
        ),
    ),
    "stream out over data": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: CTR.encryptor().update_into(view[1:51], view[:50])
        ),
    ),
    "xor out over a": (
        "OVERLAP",
        lambda: overlapping(lambda view, memory: xorcore.xor(view[:50], bytes(50), out=view[1:51])),
    ),
    "xor out over b": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: xorcore.xor(bytes(50), view[49:99], out=view[:50])
        ),
    ),
    "many out over a source": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: xorcore.xor_into(view[:50], bytes(50), view[:50], view[20:70])
        ),
    ),
    "repeat out over data": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: xorcore.xor_repeat(view[:50], b"k", out=view[1:51])
        ),
    ),
    "repeat out over key": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: xorcore.xor_repeat(bytes(50), view[49:60], out=view[:50])
        ),
    ),
    "seal out over data": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: AEAD.encrypt_into(bytes(12), view[1:51], None, view[:66])
        ),
    ),
    "seal tag over data": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: AEAD.encrypt_into(bytes(12), view[50:100], None, view[:66])
        ),
    ),
    "seal out over nonce": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: AEAD.encrypt_into(view[40:52], bytes(50), None, view[:66])
        ),
    ),
    "seal tag over aad": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: AEAD.encrypt_into(bytes(12), bytes(50), view[65:70], view[:66])
        ),
    ),
    "open out over data": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: AEAD.decrypt_into(bytes(12), view[:66], None, view[1:51])
        ),
    ),
    "open out over tag": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: AEAD.decrypt_into(bytes(12), view[:66], None, view[60:110])
        ),
    ),
    "open out over nonce": (
        "OVERLAP",
        lambda: overlapping(
            lambda view, memory: AEAD.decrypt_into(view[49:61], bytes(66), None, view[:50])
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_error(name: str) -> None:
    result, call = CASES[name]
    with pytest.raises(TABLE[result]) as caught:
        call()
    assert type(caught.value) is TABLE[result]
    assert caught.value.result == result  # type: ignore[attr-defined]
    assert f"({result})" in str(caught.value)


def test_no_source_is_called_so() -> None:
    for call in (lambda: xorcore.xor_many([]), lambda: xorcore.xor_into(bytearray(4))):
        with pytest.raises(ValueError, match="there is no source"):
            call()


def test_end_to_end_is_no_overlap() -> None:
    memory = memoryview(bytearray(100))
    xorcore.xor(memory[:50], bytes(50), out=memory[50:])
    AEAD.encrypt_into(memory[:12], memory[12:22], memory[22:30], memory[30:56])


def test_phase_out_of_range() -> None:
    for phase in (-1, 2**64):
        with pytest.raises(OverflowError):
            xorcore.xor_repeat(b"abc", b"k", phase=phase)


def test_numbers_out_of_range() -> None:
    for call in (
        lambda: CTR.ctr_at(-1, b""),
        lambda: CTR.ctr_at(2**64, b""),
        lambda: CTR.encryptor().seek(2**64),
        lambda: XTS.encrypt(-1, bytes(16)),
        lambda: XTS.encrypt(2**128, bytes(16)),
        lambda: xorcore.AESCCM(KEY).encryptor(bytes(12), aad_length=-1, length=0),
    ):
        with pytest.raises(OverflowError):
            call()
    with pytest.raises(TypeError):
        CTR.ctr_at("0", b"")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="algorithm"):
        xorcore.cipher(206, KEY)  # type: ignore[arg-type]


def test_kernel_types() -> None:
    for wrong in (b"portable", 1, ["portable"]):
        with pytest.raises(TypeError, match="kernel"):
            xorcore.xor(b"a", b"b", kernel=wrong)  # type: ignore[call-overload]
        with pytest.raises(TypeError, match="kernel"):
            AESGCM(bytes(16), kernel=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        AESGCM(bytes(16), tag_length="16")  # type: ignore[arg-type]


def test_a_failed_constructor_leaves_nothing_usable() -> None:
    made = AESGCM.__new__(AESGCM)
    with pytest.raises(ValueError):
        made.__init__(b"")  # type: ignore[misc]
    with pytest.raises(AttributeError):
        made.encrypt(bytes(12), b"")


def test_every_result_of_the_header_has_an_exception() -> None:
    codes = {name: getattr(lib, name) for name in dir(lib) if name.startswith("XORCORE_E_")}
    assert {name.removeprefix("XORCORE_E_") for name in codes} == set(TABLE)
    for name, code in codes.items():
        made = error(code)
        assert type(made) is TABLE[name.removeprefix("XORCORE_E_")]
        assert made.result == name.removeprefix("XORCORE_E_")  # type: ignore[attr-defined]
        assert len(str(made)) > 20
    assert type(error(-99)) is xorcore.XorcoreError
    assert ffi.string(lib.xorcore_result_name(0)) == b"OK"


def test_the_family_of_exceptions() -> None:
    for kind in (xorcore.InvalidTag, xorcore.AlreadyFinalized, xorcore.UnsupportedError):
        assert issubclass(kind, xorcore.XorcoreError)
    assert not issubclass(xorcore.XorcoreError, ValueError)


@pytest.mark.parametrize(
    "call",
    [
        lambda cipher: cipher.encrypt(bytes(16)),
        lambda cipher: cipher.decrypt(bytearray(16)),
        lambda cipher: cipher.encrypt_into(bytes(16), bytearray(16)),
        lambda cipher: cipher.decrypt_into(bytes(16), bytearray(16)),
        lambda cipher: cipher.encryptor(),
        lambda cipher: cipher.decryptor(),
    ],
)
def test_a_missing_iv_is_called_missing(call: Callable[[Any], Any]) -> None:
    """A key without an IV is fine, for each call may bring one; a call without either says so."""
    for algorithm in ("AES-CBC", "AES-CFB128", "AES-CFB8", "AES-OFB", "AES-CTR"):
        with pytest.raises(ValueError, match="none was given"):
            call(xorcore.cipher(algorithm, KEY))
    call(xorcore.cipher("AES-ECB", KEY))


def test_the_order_of_arguments() -> None:
    """One data unit has its tweak first, a run of them its data: what scripts are written against."""

    def order(function: Callable[..., Any]) -> str:
        return " ".join(list(inspect.signature(function).parameters)[1:])

    for name in ("encrypt", "decrypt"):
        assert order(getattr(xorcore.AESXTS, name)) == "tweak data"
        assert order(getattr(xorcore.AESXTS, f"{name}_into")) == "tweak data buf"
        sectors = getattr(xorcore.AESXTS, f"{name}_sectors")
        assert order(sectors) == "data first_sector sector_size out"
        assert order(getattr(xorcore.AESGCM, name)) == "nonce data associated_data"
        assert order(getattr(xorcore.AESGCM, f"{name}_into")) == "nonce data associated_data buf"
    with pytest.raises(TypeError, match="bytes-like"):
        XTS.encrypt(bytes(64), 7)
    with pytest.raises(TypeError, match="bytes-like"):
        XTS.encrypt_sectors(7, bytes(64), 16)
