"""mac — the runs of a MAC, but for rows."""

from __future__ import annotations

from typing import Any

import xorcore
from vectors.case import (
    Case,
    Wrong,
    blank,
    input_bytes,
    must_fail,
    pieces,
    place,
    pointer,
    same_kernel,
)
from xorcore._ffi import lib


class Mac:
    """GMAC and CMAC behind one shape: CMAC's calls have no nonce."""

    def __init__(self, case: Case, kernel: Any, shift: int = 0) -> None:
        self.gmac = case.algorithm == "AES-GMAC"
        maker: Any = xorcore.GMAC if self.gmac else xorcore.CMAC
        self.made = maker(place(case.get("key"), shift), case.tag_length, kernel=kernel)
        self.nonce = (place(case.get("iv"), shift),) if self.gmac else ()

    def compute(self, data: Any) -> bytes:
        return self.made.compute(*self.nonce, data)

    def verify(self, data: Any, tag: Any) -> None:
        self.made.verify(*self.nonce, data, tag)

    def stream(self) -> xorcore.MACContext:
        return self.made.stream(*self.nonce)


def mac_run(case: Case, kernel: Any, shift: int) -> None:
    mac = Mac(case, kernel, shift)
    same_kernel(mac.made.kernel, kernel)
    data = place(case.get("msg"), shift)
    tag = place(input_bytes(case.test.get("tag", "")), shift)
    if case.error:
        must_fail(case, lambda: mac.verify(data, tag))
        return
    if case.encrypts:
        if shift:
            out = blank(case.tag_length, 3)
            nonce = mac.nonce[0] if mac.nonce else memoryview(b"")
            code = lib.xorcore_mac_compute(
                mac.made._handle,
                pointer(out),
                len(out),
                pointer(nonce),
                len(nonce),
                pointer(data),
                len(data),
            )
            if code:
                raise Wrong(f"result {code}")
            case.expected("tag").check("tag", out)
        else:
            case.expected("tag").check("tag", mac.compute(data))
    if case.decrypts:
        mac.verify(data, tag)


def mac_oneshot(case: Case, kernel: Any) -> None:
    mac_run(case, kernel, 0)


def mac_offset(case: Case, kernel: Any) -> None:
    mac_run(case, kernel, 1)


def mac_stream(case: Case, kernel: Any, plan: list[int]) -> None:
    mac, data = Mac(case, kernel), case.get("msg")

    def fed() -> xorcore.MACContext:
        context = mac.stream()
        for start, end in pieces(len(data), plan):
            context.update(data[start:end])
        return context

    if case.encrypts and not case.error:
        case.expected("tag").check("tag", fed().finalize())
    if case.decrypts:
        context, tag = fed(), input_bytes(case.test.get("tag", ""))
        if case.error:
            must_fail(case, lambda: context.verify(tag))
        else:
            context.verify(tag)


def mac_invalid(case: Case, kernel: Any) -> None:
    if case.encrypts:
        must_fail(case, lambda: Mac(case, kernel).compute(case.get("msg")))
    if case.decrypts:
        tag = bytes(max(case.tag_length, 0))
        must_fail(case, lambda: Mac(case, kernel).verify(case.get("msg"), tag))
