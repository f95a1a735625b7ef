"""cipher — the runs of a cipher, but for rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import xorcore
from vectors.case import (
    PLANS,
    Case,
    Expected,
    SuiteError,
    Wrong,
    blank,
    ciphertext,
    must_be,
    must_fail,
    pieces,
    place,
    same_kernel,
)


def make_cipher(case: Case, kernel: Any) -> xorcore.Cipher:
    made = xorcore.cipher(case.algorithm, case.get("key"), case.get("iv"), kernel=kernel)
    same_kernel(made.kernel, kernel)
    return made


def both_ways(case: Case, encrypt: Callable[[bytes], Any], decrypt: Callable[[bytes], Any]) -> None:
    """Checks the directions of the case; what the two functions return are the outputs."""
    made = None
    if case.encrypts:
        made = bytes(encrypt(case.get("msg")))
        case.expected("ct").check("ct", made)
    if case.decrypts and decrypt(ciphertext(case, made)) != case.get("msg"):
        raise Wrong("another text")


def cipher_oneshot(case: Case, kernel: Any) -> None:
    made = make_cipher(case, kernel)
    both_ways(case, made.encrypt, made.decrypt)


def cipher_inplace(case: Case, kernel: Any) -> None:
    made = make_cipher(case, kernel)

    def over(function: Any) -> Callable[[bytes], Any]:
        def run(data: bytes) -> Any:
            view = place(data, 0)
            function(view, view)
            return view

        return run

    both_ways(case, over(made.encrypt_into), over(made.decrypt_into))


def cipher_offset(case: Case, kernel: Any) -> None:
    key = place(case.get("key"), 1)
    made = xorcore.cipher(case.algorithm, key, kernel=kernel)
    iv = place(case.get("iv"), 1)

    def shifted(function: Any) -> Callable[[bytes], Any]:
        def run(data: bytes) -> Any:
            out = blank(len(data), 3)
            function(place(data, 1), out, iv=iv)
            return out

        return run

    both_ways(case, shifted(made.encrypt_into), shifted(made.decrypt_into))


def cipher_stream(case: Case, kernel: Any, plan: list[int]) -> None:
    made = make_cipher(case, kernel)
    unit = 16 if case.algorithm in ("AES-ECB", "AES-CBC") else 1

    def split(begin: Callable[[], xorcore.CipherContext]) -> Callable[[bytes], Any]:
        def run(data: bytes) -> Any:
            context = begin()
            out = b"".join(context.update(data[a:b]) for a, b in pieces(len(data), plan, unit))
            if "nextIv" in case.test:
                case.expected("nextIv").check("nextIv", context.next_iv)
            return out + context.finalize()

        return run

    both_ways(case, split(made.encryptor), split(made.decryptor))


def cipher_monte_carlo(case: Case, kernel: Any) -> None:
    made = make_cipher(case, kernel)
    chain = bytearray(case.get("iv"))
    if case.encrypts == case.decrypts:
        raise SuiteError(f"{case.file} tcId={case.test['tcId']}: mct has one direction")
    if case.encrypts:
        context, data, end = made.encryptor(), case.get("msg"), case.expected("ct")
    else:
        context, data, end = (
            made.decryptor(),
            case.expected("ct").data or b"",
            Expected.of(case.test["msg"]),
        )
    size = len(data)
    for step in range(case.test["mct"]):
        out = context.update(data)
        chain += out
        data = bytes(chain[step * size : (step + 1) * size])
    end.check("the last output", out)


def backwards(case: Case) -> list[tuple[int, int]]:
    """The pieces of a text from the last to the first; one without data for an empty text."""
    size = len(case.get("msg")) if "msg" in case.test else case.expected("ct").size
    return list(pieces(size, PLANS[case.test["tcId"] % 8]))[::-1] or [(0, 0)]


def cipher_at(case: Case, kernel: Any) -> None:
    made, base = make_cipher(case, kernel), case.test.get("offset", 0)

    def run(data: bytes) -> Any:
        out = bytearray(len(data))
        for start, end in backwards(case):
            out[start:end] = made.ctr_at(base + start, data[start:end])
        return out

    both_ways(case, run, run)


def cipher_seek(case: Case, kernel: Any) -> None:
    made, base = make_cipher(case, kernel), case.test.get("offset", 0)

    def jump(begin: Callable[[], xorcore.CipherContext]) -> Callable[[bytes], Any]:
        def run(data: bytes) -> Any:
            context, out = begin(), bytearray(len(data))
            for start, end in backwards(case):
                context.seek(base + start)
                out[start:end] = context.update(data[start:end])
            return out

        return run

    both_ways(case, jump(made.encryptor), jump(made.decryptor))


def sectors(case: Case, kernel: Any, shift: int, inplace: bool) -> None:
    xts = xorcore.AESXTS(place(case.get("key"), shift), kernel=kernel)
    same_kernel(xts.kernel, kernel)
    tweak = place(case.get("iv"), shift)

    def run(function: Any) -> Callable[[bytes], Any]:
        def one(data: bytes) -> Any:
            source = place(data, shift)
            out = source if inplace else blank(len(data), 3 if shift else 0)
            return function(source, tweak, case.test["sectorSize"], out=out)

        return one

    both_ways(case, run(xts.encrypt_sectors), run(xts.decrypt_sectors))


def sectors_oneshot(case: Case, kernel: Any) -> None:
    sectors(case, kernel, 0, False)


def sectors_inplace(case: Case, kernel: Any) -> None:
    sectors(case, kernel, 0, True)


def sectors_offset(case: Case, kernel: Any) -> None:
    sectors(case, kernel, 1, False)


def cipher_invalid(case: Case, kernel: Any) -> None:
    text, iv = case.get("msg"), case.get("iv")

    def call(encrypting: bool, out: memoryview) -> Any:
        if "sectorSize" in case.test:
            xts = xorcore.AESXTS(case.get("key"), kernel=kernel)
            function = xts.encrypt_sectors if encrypting else xts.decrypt_sectors
            return function(text, iv, case.test["sectorSize"], out=out)
        made = xorcore.cipher(case.algorithm, case.get("key"), iv, kernel=kernel)
        if "offset" in case.test:
            return made.ctr_at_into(case.test["offset"], text, out)
        return (made.encrypt_into if encrypting else made.decrypt_into)(text, out)

    for encrypting, wanted in ((True, case.encrypts), (False, case.decrypts)):
        if wanted:
            out = blank(len(text))
            must_fail(case, lambda encrypting=encrypting, out=out: call(encrypting, out))
            must_be("out", out, 0xA5)
