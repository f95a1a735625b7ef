"""aead — the runs of an AEAD, but for rows."""

from __future__ import annotations

import hashlib
from typing import Any

import xorcore
from vectors.case import (
    Case,
    Expected,
    Wrong,
    blank,
    ciphertext,
    input_bytes,
    must_be,
    must_fail,
    pieces,
    place,
    pointer,
    same_kernel,
)
from xorcore._ffi import lib

AEADS: dict[str, Any] = {
    "AES-GCM": xorcore.AESGCM,
    "AES-CCM": xorcore.AESCCM,
    "AES-GCM-SIV": xorcore.AESGCMSIV,
    "XAES-256-GCM": xorcore.XAES256GCM,
}


def make_aead(case: Case, kernel: Any) -> Any:
    maker = AEADS[case.algorithm]
    made = maker(case.get("key"), case.tag_length, kernel=kernel)
    same_kernel(made.kernel, kernel)
    return made


def check_sealed(case: Case, sealed: Any) -> None:
    size = len(sealed) - case.tag_length
    case.expected("ct").check("ct", sealed[:size])
    case.expected("tag").check("tag", sealed[size:])


def aead_opened(case: Case, aead: Any, made: bytes | None, shift: int, inplace: bool) -> None:
    """Opens by decrypt_into() in the shape that is asked for."""
    text = ciphertext(case, made)
    tag = input_bytes(case.test.get("tag", ""))
    nonce, aad = place(case.get("iv"), shift), place(case.get("aad"), shift)
    sealed = place(text + tag, shift)
    out = sealed[: len(text)] if inplace else blank(len(text), 3 if shift else 0)
    if case.error:
        must_fail(case, lambda: aead.decrypt_into(nonce, sealed, aad, out))
        must_be("out", out, 0)
    else:
        aead.decrypt_into(nonce, sealed, aad, out)
        if out != case.get("msg"):
            raise Wrong("another text")


def aead_run(case: Case, kernel: Any, shift: int, inplace: bool) -> None:
    aead = make_aead(case, kernel)
    made = None
    if case.encrypts and not case.error:
        text = case.get("msg")
        nonce, aad = place(case.get("iv"), shift), place(case.get("aad"), shift)
        out = blank(len(text) + case.tag_length, 3 if shift else 0)
        if inplace:
            out[: len(text)] = text
            aead.encrypt_into(nonce, out[: len(text)], aad, out)
        else:
            aead.encrypt_into(nonce, place(text, shift), aad, out)
        check_sealed(case, out)
        made = bytes(out[: len(text)])
    if case.decrypts:
        aead_opened(case, aead, made, shift, inplace)


def aead_oneshot(case: Case, kernel: Any) -> None:
    aead = make_aead(case, kernel)
    nonce, aad = case.get("iv"), case.get("aad")
    if case.error:
        aead_opened(case, aead, None, 0, False)
        return
    made = None
    if case.encrypts:
        sealed = aead.encrypt(nonce, case.get("msg"), aad)
        check_sealed(case, sealed)
        made = sealed[: len(sealed) - case.tag_length]
    if case.decrypts:
        tag = input_bytes(case.test.get("tag", ""))
        if aead.decrypt(nonce, ciphertext(case, made) + tag, aad) != case.get("msg"):
            raise Wrong("another text")


def aead_inplace(case: Case, kernel: Any) -> None:
    aead_run(case, kernel, 0, True)


def aead_offset(case: Case, kernel: Any) -> None:
    aead_run(case, kernel, 1, False)


def aead_odd_tag(case: Case, kernel: Any) -> None:
    """A tag of another length than the object's: behind the ciphertext it would change what is text."""
    aead = make_aead(case, kernel)
    text, tag = case.expected("ct").data or b"", input_bytes(case.test.get("tag", ""))
    nonce, aad = case.get("iv"), case.get("aad")
    out = blank(len(text))
    code = lib.xorcore_aead_open(
        aead._handle, pointer(out), nonce, len(nonce), text, len(text), tag, len(tag), aad, len(aad)
    )
    if code != lib.XORCORE_E_AUTH:
        raise Wrong(f"result {code} instead of AUTH")
    must_be("out", out, 0)


def aead_invalid(case: Case, kernel: Any) -> None:
    text, tag_len = case.get("msg"), max(case.tag_length, 0)
    nonce, aad = case.get("iv"), case.get("aad")
    maker = AEADS[case.algorithm]

    def aead() -> Any:
        return maker(case.get("key"), tag_length=case.tag_length, kernel=kernel)

    if case.encrypts:
        out = blank(len(text) + tag_len)
        must_fail(case, lambda: aead().encrypt_into(nonce, text, aad, out))
        must_be("out", out, 0xA5)
    if case.decrypts:
        out = blank(len(text))
        must_fail(case, lambda: aead().decrypt_into(nonce, text + bytes(tag_len), aad, out))
        must_be("out", out, 0xA5)


def aead_stream(case: Case, kernel: Any, plan: list[int]) -> None:
    aead = make_aead(case, kernel)
    text, nonce, aad = case.get("msg"), case.get("iv"), case.get("aad")
    announced: dict[str, int] = {}
    if case.algorithm == "AES-CCM":
        size = case.expected("ct").size if case.error else len(text)
        announced = {"aad_length": len(aad), "length": size}

    def feed(context: Any, data: bytes) -> bytes:
        for start, end in pieces(len(aad), plan):
            context.authenticate_additional_data(aad[start:end])
        return b"".join(context.update(data[a:b]) or b"" for a, b in pieces(len(data), plan))

    made = None
    if case.encrypts and not case.error:
        encryptor = aead.encryptor(nonce, **announced)
        made = feed(encryptor, text) + encryptor.finalize()
        case.expected("ct").check("ct", made)
        case.expected("tag").check("tag", encryptor.tag)
    if case.decrypts:
        sealed, tag = ciphertext(case, made), input_bytes(case.test.get("tag", ""))
        for begin in (aead.decryptor_unverified, aead.decryptor):
            context = begin(nonce, **announced)
            got = feed(context, sealed)
            if case.error:
                must_fail(case, lambda context=context: context.finalize_with_tag(tag))
                continue
            context.finalize_with_tag(tag)
            if got != (text if begin == aead.decryptor_unverified else b""):
                raise Wrong("another text")


def aead_accumulated(case: Case, kernel: Any) -> None:
    count = case.test["count"]
    stream = hashlib.shake_128().digest(count * (32 + 24 + 2 + 2 * 255))
    at = 0

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        return stream[at - size : at]

    sums = hashlib.shake_128()
    for _ in range(count):
        aead = xorcore.XAES256GCM(take(32), kernel=kernel)
        same_kernel(aead.kernel, kernel)
        nonce = take(24)
        text = take(take(1)[0])
        aad = take(take(1)[0])
        sealed = aead.encrypt(nonce, text, aad)
        if aead.decrypt(nonce, sealed, aad) != text:
            raise Wrong("another text")
        sums.update(sealed)
    Expected.of(case.test["digest"]).check("digest", sums.digest(32))
