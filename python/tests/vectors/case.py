"""case — what a case of the suite is made of: values, memory, pieces, expected outputs and errors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy

import xorcore
from xorcore._ffi import ffi

ERRORS: dict[str, type[Exception]] = {
    "ARG": ValueError,
    "KEY_LENGTH": ValueError,
    "NONCE_LENGTH": ValueError,
    "TAG_LENGTH": ValueError,
    "DATA_LENGTH": ValueError,
    "OVERLAP": ValueError,
    "AUTH": xorcore.InvalidTag,
    "LIMIT": OverflowError,
    "STATE": xorcore.XorcoreError,
    "KERNEL": ValueError,
    "WEAK_KEY": ValueError,
    "UNSUPPORTED": xorcore.UnsupportedError,
}


class SuiteError(Exception):
    """The files are not what the contract says."""


class Wrong(Exception):
    """A run gave something else than the vector."""


def splitmix64(seed: int, size: int) -> bytes:
    steps = numpy.arange(1, size // 8 + 2, dtype="u8")
    state = steps * numpy.uint64(0x9E3779B97F4A7C15) + numpy.uint64(seed)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        state = (state ^ (state >> numpy.uint64(shift))) * numpy.uint64(factor)
    return (state ^ (state >> numpy.uint64(31))).astype("<u8").tobytes()[:size]


def hexadecimal(text: str) -> bytes:
    if text != text.lower():
        raise SuiteError(f"upper-case hex: {text[:40]}")
    return bytes.fromhex(text)


def input_bytes(value: Any) -> bytes:
    if isinstance(value, str):
        return hexadecimal(value)
    if value.keys() == {"gen", "seed", "len"} and value["gen"] == "splitmix64":
        return splitmix64(int(value["seed"], 16), value["len"])
    if value.keys() == {"repeat", "len"}:
        pattern = hexadecimal(value["repeat"])
        return (pattern * (value["len"] // max(len(pattern), 1) + 1))[: value["len"]]
    raise SuiteError(f"not an input: {value}")


@dataclass(frozen=True)
class Expected:
    """An output: its bytes, or its length and digest."""

    size: int
    data: bytes | None
    digest: str | None

    @staticmethod
    def of(value: Any) -> Expected:
        if isinstance(value, str):
            data = hexadecimal(value)
            return Expected(len(data), data, None)
        if value.keys() == {"sha256", "len"}:
            return Expected(value["len"], None, value["sha256"])
        raise SuiteError(f"not an output: {value}")

    def check(self, what: str, got: Any) -> None:
        if len(got) != self.size:
            raise Wrong(f"{what} has {len(got)} bytes, not {self.size}")
        if self.data is not None:
            if got != self.data:
                raise Wrong(f"{what} is {bytes(got)[:64].hex()}, not {self.data[:64].hex()}")
        elif hashlib.sha256(got).hexdigest() != self.digest:
            raise Wrong(f"{what} has another digest")


NOTHING = Expected(0, b"", None)


def blank(size: int, shift: int = 0, fill: int = 0xA5) -> memoryview:
    """`size` writable bytes, `shift` bytes behind a 64-byte boundary."""
    memory = bytearray([fill]) * (size + 128)
    start = -int(ffi.cast("uintptr_t", ffi.from_buffer(memory))) % 64 + shift
    return memoryview(memory)[start : start + size]


def place(data: bytes | memoryview, shift: int) -> memoryview:
    view = blank(len(data), shift)
    view[:] = data
    return view


def pointer(view: memoryview) -> Any:
    return ffi.from_buffer("uint8_t[]", view)


@dataclass
class Case:
    file: str
    algorithm: str
    kind: str
    group: dict[str, Any]
    test: dict[str, Any]
    inputs: dict[str, bytes] = field(default_factory=dict)

    def get(self, name: str) -> bytes:
        if name not in self.inputs:
            self.inputs[name] = input_bytes(self.test.get(name, ""))
        return self.inputs[name]

    def expected(self, name: str) -> Expected:
        return Expected.of(self.test[name]) if name in self.test else NOTHING

    @property
    def error(self) -> str | None:
        return self.test["error"] if self.test["result"] == "invalid" else None

    @property
    def tag_length(self) -> int:
        return self.group["tagSize"] // 8

    @property
    def encrypts(self) -> bool:
        return self.test.get("dir", "both") in ("both", "encrypt")

    @property
    def decrypts(self) -> bool:
        return self.test.get("dir", "both") in ("both", "decrypt")


Run = Callable[[Case, Any], None]


def must_fail(case: Case, call: Callable[[], Any]) -> None:
    try:
        call()
    except Exception as error:
        expected = case.test["error"]
        if not isinstance(error, ERRORS[expected]) or getattr(error, "result", None) != expected:
            raise Wrong(f"{type(error).__name__}({error}) instead of {expected}") from error
        return
    raise Wrong(f"no error instead of {case.test['error']}")


def must_be(what: str, view: memoryview | bytes, fill: int) -> None:
    if bytes(view) != bytes([fill]) * len(view):
        raise Wrong(f"{what} was written to, or not wiped")


def same_kernel(told: str, asked: str) -> None:
    if told != asked and not (asked == "composed" and "+" in told):
        raise Wrong(f"the object tells the kernel {told}, not {asked}")


def ciphertext(case: Case, made: bytes | None) -> bytes:
    """What decryption takes: the vector's bytes, or those that encryption made and whose digest was right."""
    expected = case.expected("ct")
    if expected.data is not None:
        return expected.data
    if made is None:
        raise SuiteError(
            f"{case.file} tcId={case.test['tcId']}: a digest and nothing that makes the bytes"
        )
    return made


PLANS = [[1], [16], [17, 1, 64], [63, 64, 65], [0, 15, 33], [1, 255, 1, 256], [48, 80, 7], [511, 2]]


def pieces(size: int, plan: list[int], unit: int = 1) -> Iterator[tuple[int, int]]:
    """(start, end) of every piece of `size` bytes; sizes of 0 give empty pieces."""
    start = step = 0
    while start < size:
        end = min(start + plan[min(step, len(plan) - 1)] * unit, size)
        yield start, end
        start, step = end, step + 1


def plans(case: Case) -> list[list[int]]:
    chosen = case.test.get("chunks") or [PLANS[case.test["tcId"] % 8]]
    if any(not plan or plan[-1] == 0 for plan in chosen):
        raise SuiteError(f"{case.file} tcId={case.test['tcId']}: a plan that never ends")
    return list(chosen)
