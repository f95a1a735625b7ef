"""test_fast — the C extension beside the same calls by cffi: one shape, one answer, nothing kept.

What the calls compute and refuse is in the other files, which tests/run.py runs over both.
"""

from __future__ import annotations

import gc
import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from xorcore._build_info import FAST

import xorcore
from xorcore import _hot, _xor
from xorcore._oneshot import OneShot

AEAD, NONCE = xorcore.AESGCM(bytes(16)), bytes(12)
SEALED = AEAD.encrypt(NONCE, b"text", b"aad")


def test_which() -> None:
    wanted = "cffi" if os.environ.get("XORCORE_PYTHON_FAST") == "0" else "C"
    assert wanted == _hot.CALLS
    assert FAST
    assert (xorcore.xor is _xor.xor) == (wanted == "cffi")
    assert issubclass(xorcore.AESGCM, _hot.OneShot)
    assert issubclass(xorcore.AESGCM, OneShot) == (wanted == "cffi")


@pytest.mark.parametrize("value", ["0", "1", ""])
def test_the_environment_chooses(value: str) -> None:
    script = (
        "import xorcore; from xorcore import _hot; sealed = xorcore.AESGCM(bytes(16)).encrypt(bytes(12), b'');"
        "print(_hot.CALLS, sealed.hex(), xorcore.xor(b'a' * 9, bytearray(b'b' * 9)) == b'\\3' * 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"XORCORE_PYTHON_FAST": value},
        capture_output=True,
        text=True,
        check=True,
    )
    name = "cffi" if value == "0" else "C"
    assert done.stdout == f"{name} 58e2fccefa7e3061367f1d57a4e7455a True\n"


@pytest.mark.parametrize("name", ["xor", "xor_into", "xor_many", "xor_repeat"])
def test_functions_have_one_shape(name: str) -> None:
    same_shape(getattr(xorcore, name), getattr(_xor, name))


@pytest.mark.parametrize("name", ["encrypt", "decrypt", "encrypt_into", "decrypt_into"])
def test_methods_have_one_shape(name: str) -> None:
    same_shape(getattr(xorcore.AESGCM, name), getattr(OneShot, name))


def same_shape(ours: Callable[..., Any], by_cffi: Callable[..., Any]) -> None:
    shapes = [inspect.signature(call).parameters.values() for call in (ours, by_cffi)]
    names = [[(each.name, each.default) for each in shape] for shape in shapes]
    assert names[0] == names[1]
    assert inspect.getdoc(ours) == inspect.getdoc(by_cffi)


def test_arguments_by_name() -> None:
    assert AEAD.encrypt(nonce=NONCE, data=b"text", associated_data=b"aad") == SEALED
    assert AEAD.encrypt(NONCE, associated_data=b"aad", data=b"text") == SEALED
    assert AEAD.decrypt(NONCE, data=SEALED, associated_data=b"aad") == b"text"
    out = bytearray(20)
    assert AEAD.encrypt_into(NONCE, b"text", b"aad", buf=out) == 20 and out == SEALED
    assert AEAD.decrypt_into(NONCE, SEALED, b"aad", buf=(text := bytearray(4))) == 4
    assert text == b"text"
    assert xorcore.xor(b"abcd", b"ABCD", out=text) is text and text == b"    "
    assert xorcore.xor(b"abcd", b"ABCD", out=None, kernel=None) == b"    "
    assert xorcore.xor(b"abcd", b"ABCD", out=text, kernel="portable") is text
    assert xorcore.xor_into(text, b"abcd", b"ABCD", kernel="portable") == 4
    masked = bytes(byte ^ (5, 6, 7)[(2 + at) % 3] for at, byte in enumerate(b"abcd"))
    for phase in (2, True + 1, 2**63 * 2 - 1 - (2**64 - 1 - 2) % 3):
        assert xorcore.xor_repeat(b"abcd", b"\5\6\7", phase=phase, out=text) is text
        assert text == masked == xorcore.xor_repeat(b"abcd", b"\5\6\7", phase=phase)
        assert text == xorcore.xor_repeat(b"abcd", b"\5\6\7", kernel="portable", phase=phase)
    assert AEAD.encrypt(NONCE, b"text") == AEAD.encrypt(NONCE, b"text", None)


@pytest.mark.parametrize(
    "call",
    [
        lambda: xorcore.xor(),  # type: ignore[call-overload]
        lambda: xorcore.xor(b"a"),  # type: ignore[call-overload]
        lambda: xorcore.xor(b"a", b"b", b"c"),  # type: ignore[call-overload]
        lambda: xorcore.xor(b"a", b"b", into=b"c"),  # type: ignore[call-overload]
        lambda: xorcore.xor(a=b"a", b=b"b"),  # type: ignore[call-overload]
        lambda: xorcore.xor_many(),  # type: ignore[call-overload]
        lambda: xorcore.xor_many([b"a"], b"c"),  # type: ignore[call-overload]
        lambda: xorcore.xor_many([b"a"], phase=1),  # type: ignore[call-overload]
        lambda: xorcore.xor_repeat(b"a"),  # type: ignore[call-overload]
        lambda: xorcore.xor_repeat(b"a", b"b", 5),  # type: ignore[call-overload]
        lambda: xorcore.xor_repeat(b"a", b"b", into=5),  # type: ignore[call-overload]
        lambda: xorcore.xor_into(),  # type: ignore[call-arg]
        lambda: xorcore.xor_into(out=bytearray(1)),  # type: ignore[call-arg]
        lambda: AEAD.encrypt(NONCE),  # type: ignore[call-arg]
        lambda: AEAD.encrypt(NONCE, b"", None, None),  # type: ignore[call-arg]
        lambda: AEAD.decrypt(NONCE, b"", text=b""),  # type: ignore[call-arg]
        lambda: AEAD.encrypt_into(NONCE, b"", None),  # type: ignore[call-arg]
        lambda: AEAD.decrypt_into(NONCE, b"", None, bytearray(), None),  # type: ignore[call-arg]
    ],
)
def test_wrong_arguments(call: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match="argument"):
        call()


def test_many_sources() -> None:
    """More than are held on the stack."""
    for count in (1, 2, 3, 15, 16, 17, 18, 100):
        sources = [bytes([number] * 5) for number in range(count)]
        total = 0
        for number in range(count):
            total ^= number
        out = bytearray(5)
        assert xorcore.xor_into(out, *sources) == 5 and out == bytes([total] * 5)
        for make in (list, tuple, iter, set):
            assert xorcore.xor_many(make(sources)) == out
            again = bytearray(5)
            assert xorcore.xor_many(make(sources), out=again) is again and again == out


def test_nothing_is_kept() -> None:
    """References and locks are given back, whether a call goes well, is handed on or is refused."""
    data, sealed, out = bytearray(100), bytearray(AEAD.encrypt(NONCE, bytes(84))), bytearray(100)
    short = memoryview(out)[:84]
    bad, odd = bytearray(100), bytearray(99)
    calls: list[Callable[[], Any]] = [
        lambda: xorcore.xor(data, out),
        lambda: xorcore.xor(data, odd),
        lambda: xorcore.xor(data, out, out=out),
        lambda: xorcore.xor(data, out, out=odd),
        lambda: xorcore.xor(data, "text"),
        lambda: xorcore.xor(data, out, kernel="portable"),
        lambda: xorcore.xor_into(out, data, data),
        lambda: xorcore.xor_into(out, data, odd),
        lambda: xorcore.xor_into(odd, data),
        lambda: xorcore.xor_into(out, data, None),
        lambda: xorcore.xor_into(bytes(100), data),
        lambda: xorcore.xor_many([data, sealed]),
        lambda: xorcore.xor_many([data, odd]),
        lambda: xorcore.xor_many((data, sealed), out=data),
        lambda: xorcore.xor_many([data, None]),
        lambda: xorcore.xor_many([data], out=odd),
        lambda: xorcore.xor_many([]),
        lambda: xorcore.xor_many(5),
        lambda: xorcore.xor_repeat(data, odd),
        lambda: xorcore.xor_repeat(data, odd, out=data, phase=3),
        lambda: xorcore.xor_repeat(data, odd, out=odd),
        lambda: xorcore.xor_repeat(data, b""),
        lambda: xorcore.xor_repeat(data, odd, phase=-1),
        lambda: xorcore.xor_repeat(data, "key"),
        lambda: AEAD.encrypt(NONCE, data, odd),
        lambda: AEAD.encrypt(b"", data, odd),
        lambda: AEAD.encrypt(NONCE, data, 5),
        lambda: AEAD.encrypt(NONCE, data=data),
        lambda: AEAD.decrypt(NONCE, sealed),
        lambda: AEAD.decrypt(NONCE, bad),
        lambda: AEAD.decrypt(NONCE, b"short"),
        lambda: AEAD.encrypt_into(NONCE, short, None, out),
        lambda: AEAD.encrypt_into(NONCE, data, None, out),
        lambda: AEAD.encrypt_into(NONCE, short, odd, NONCE),
        lambda: AEAD.decrypt_into(NONCE, sealed, None, short),
        lambda: AEAD.decrypt_into(NONCE, bad, None, short),
        lambda: AEAD.decrypt_into(NONCE, bad, None, odd),
    ]
    objects = (data, sealed, out, short, bad, odd, NONCE, AEAD, AEAD._handle)

    def round_of_calls() -> None:
        for call in calls:
            with suppress(TypeError, ValueError, BufferError, OverflowError, xorcore.InvalidTag):
                call()

    round_of_calls()
    gc.collect()
    before = [sys.getrefcount(each) for each in objects]
    blocks = sys.getallocatedblocks()
    for _ in range(100):
        round_of_calls()
    gc.collect()
    assert [sys.getrefcount(each) for each in objects] == before
    assert sys.getallocatedblocks() - blocks < 100
    short.release()
    for each in (data, sealed, out, bad, odd):
        each.append(0)


def test_a_subclass_and_a_second_beginning() -> None:
    class Mine(xorcore.AESGCM):
        """It has a dictionary, and takes part in garbage collection."""

    made = Mine(bytes(16))
    made.note = made  # type: ignore[attr-defined]
    assert made.encrypt(NONCE, b"text", b"aad") == SEALED
    made.__init__(bytes(32))  # type: ignore[misc]
    assert made.encrypt(NONCE, b"text", b"aad") != SEALED
    del made
    gc.collect()
    assert not any(isinstance(each, Mine) for each in gc.get_objects())


def test_an_object_that_was_never_begun() -> None:
    made = xorcore.AESGCM.__new__(xorcore.AESGCM)
    for call in (
        lambda: made.encrypt(NONCE, b""),
        lambda: made.decrypt(NONCE, bytes(16)),
        lambda: made.encrypt_into(NONCE, b"", None, bytearray(16)),
        lambda: made.decrypt_into(NONCE, bytes(16), None, bytearray()),
        lambda: made.tag_length,
        lambda: made.encrypt_rows([NONCE], [b""]),
    ):
        with pytest.raises(AttributeError):
            call()
