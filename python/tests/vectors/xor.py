"""xor — the runs of XOR, XOR-MANY, XOR-REPEAT and EQUAL."""

from __future__ import annotations

from typing import Any

import xorcore
from vectors.case import (
    Case,
    SuiteError,
    Wrong,
    blank,
    input_bytes,
    must_be,
    must_fail,
    pieces,
    place,
    pointer,
)
from xorcore._ffi import lib


def xor_oneshot(case: Case, kernel: Any) -> None:
    case.expected("out").check("out", xorcore.xor(case.get("a"), case.get("b"), kernel=kernel))


def xor_inplace(case: Case, kernel: Any) -> None:
    a = place(case.get("a"), 0)
    case.expected("out").check("out", xorcore.xor(a, case.get("b"), out=a, kernel=kernel))


def xor_inplace_b(case: Case, kernel: Any) -> None:
    b = place(case.get("b"), 0)
    case.expected("out").check("out", xorcore.xor(case.get("a"), b, out=b, kernel=kernel))


def xor_offset(case: Case, kernel: Any) -> None:
    out = blank(len(case.get("a")), 3)
    xorcore.xor(place(case.get("a"), 1), place(case.get("b"), 1), out=out, kernel=kernel)
    case.expected("out").check("out", out)


def sources(case: Case) -> list[bytes]:
    return [input_bytes(value) for value in case.test["srcs"]]


def many_oneshot(case: Case, kernel: Any) -> None:
    case.expected("out").check("out", xorcore.xor_many(sources(case), kernel=kernel))


def many_inplace(case: Case, kernel: Any) -> None:
    views = [place(source, 0) for source in sources(case)]
    xorcore.xor_into(views[-1], *views, kernel=kernel)
    case.expected("out").check("out", views[-1])


def many_offset(case: Case, kernel: Any) -> None:
    views = [place(source, 1) for source in sources(case)]
    out = blank(len(views[0]), 3)
    xorcore.xor_into(out, *views, kernel=kernel)
    case.expected("out").check("out", out)


def many_strided(case: Case, kernel: Any) -> None:
    rows = sources(case)
    size = len(rows[0])
    stride = size + 5
    flat = blank(stride * len(rows))
    for index, row in enumerate(rows):
        flat[index * stride : index * stride + size] = row
    out = blank(size)
    code = lib.xorcore_xor_strided_on(
        kernel.encode(), pointer(out), pointer(flat), stride, len(rows), size
    )
    if code:
        raise Wrong(f"result {code}")
    case.expected("out").check("out", out)


def many_invalid(case: Case, kernel: Any) -> None:
    rows = sources(case)
    out = blank(len(rows[0]) if rows else 16)
    must_fail(case, lambda: xorcore.xor_into(out, *rows, kernel=kernel))
    must_be("out", out, 0xA5)


def phase(case: Case) -> int:
    number = case.test.get("phase", 0)
    if not isinstance(number, int):
        raise SuiteError(f"phase {number!r}")
    return number


def repeat_oneshot(case: Case, kernel: Any) -> None:
    got = xorcore.xor_repeat(case.get("msg"), case.get("key"), phase=phase(case), kernel=kernel)
    case.expected("out").check("out", got)


def repeat_inplace(case: Case, kernel: Any) -> None:
    text = place(case.get("msg"), 0)
    xorcore.xor_repeat(text, case.get("key"), phase=phase(case), out=text, kernel=kernel)
    case.expected("out").check("out", text)


def repeat_offset(case: Case, kernel: Any) -> None:
    text, key = place(case.get("msg"), 1), place(case.get("key"), 1)
    out = blank(len(text), 3)
    xorcore.xor_repeat(text, key, phase=phase(case), out=out, kernel=kernel)
    case.expected("out").check("out", out)


def repeat_stream(case: Case, kernel: Any, plan: list[int]) -> None:
    text, key = case.get("msg"), case.get("key")
    first = phase(case) % len(key)
    out = b"".join(
        xorcore.xor_repeat(text[start:end], key, phase=first + start, kernel=kernel)
        for start, end in pieces(len(text), plan)
    )
    case.expected("out").check("out", out)


def repeat_invalid(case: Case, kernel: Any) -> None:
    out = blank(len(case.get("msg")))
    must_fail(
        case,
        lambda: xorcore.xor_repeat(
            case.get("msg"), case.get("key"), phase=phase(case), out=out, kernel=kernel
        ),
    )
    must_be("out", out, 0xA5)


def check_equal(case: Case, got: bool) -> None:
    if got is not case.test["equal"]:
        raise Wrong(f"equal is {got}")


def equal_oneshot(case: Case, kernel: Any) -> None:
    check_equal(case, xorcore.equal(case.get("a"), case.get("b")))


def equal_offset(case: Case, kernel: Any) -> None:
    check_equal(case, xorcore.equal(place(case.get("a"), 1), place(case.get("b"), 3)))
