"""rows — many cases in one call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy

import xorcore
from vectors.aead import make_aead
from vectors.case import (
    Case,
    Wrong,
    ciphertext,
    input_bytes,
    must_be,
    same_kernel,
)
from vectors.mac import Mac
from xorcore._ffi import lib


class Arena:
    """Parts with gaps of one byte between them."""

    def __init__(self) -> None:
        self.data = bytearray()

    def put(self, part: bytes) -> int:
        at = len(self.data)
        self.data += part + b"\xc3"
        return at

    def room(self, size: int) -> int:
        return self.put(b"\xa5" * size)


@dataclass
class Laid:
    """Cases as the rows of one call."""

    rows: list[dict[str, int]] = field(default_factory=list)
    source: Arena = field(default_factory=Arena)
    out: Arena = field(default_factory=Arena)
    aux: Arena = field(default_factory=Arena)

    def call(self, function: Any, **lengths: int) -> list[int]:
        """Carries the call out; every row's result."""
        table = numpy.zeros(len(self.rows), dtype=xorcore.ROW_DTYPE)
        for index, row in enumerate(self.rows):
            for name, value in row.items():
                table[name][index] = value
        arenas = (self.source.data, self.aux.data)
        if function.__name__ != "verify_rows_into":
            arenas = (self.out.data, *arenas)
        try:
            function(table, *arenas, **lengths)
        except (ValueError, OverflowError, xorcore.XorcoreError) as error:
            lowest = next((code for code in table["result"] if code), 0)
            if getattr(lib, f"XORCORE_E_{getattr(error, 'result', None)}", None) != lowest:
                raise
        return [int(code) for code in table["result"]]

    def result(self, at: int, size: int) -> bytes:
        return bytes(self.out.data[at : at + size])


def rows_seal(cases: list[Case], aead: Any) -> dict[int, bytes]:
    """Seals the cases in one call, checks, and gives the ciphertexts by their place."""
    laid = Laid()
    for case in cases:
        text, aad = case.get("msg"), case.get("aad")
        laid.rows.append(
            {
                "in_at": laid.source.put(text),
                "out_at": laid.out.room(len(text)),
                "len": len(text),
                "nonce_at": laid.aux.put(case.get("iv")),
                "aad_at": laid.aux.put(aad),
                "aad_len": len(aad),
                "tag_at": laid.out.room(case.tag_length),
            }
        )
    codes = laid.call(aead.encrypt_rows_into, nonce_length=len(cases[0].get("iv")))
    made = {}
    for place_, (case, row, code) in enumerate(zip(cases, laid.rows, codes, strict=True)):
        if code:
            raise Wrong(f"tcId={case.test['tcId']}: result {code}")
        made[place_] = laid.result(row["out_at"], row["len"])
        case.expected("ct").check("ct", made[place_])
        case.expected("tag").check("tag", laid.result(row["tag_at"], case.tag_length))
    return made


def aead_rows(cases: list[Case], kernel: Any) -> None:
    aead = make_aead(cases[0], kernel)
    made: dict[int, bytes] = {}
    if cases[0].encrypts and not cases[0].error:
        made = rows_seal(cases, aead)
    if not cases[0].decrypts:
        return
    laid = Laid()
    for at, case in enumerate(cases):
        text, aad = ciphertext(case, made.get(at)), case.get("aad")
        laid.rows.append(
            {
                "in_at": laid.source.put(text),
                "out_at": laid.out.room(len(text)),
                "len": len(text),
                "nonce_at": laid.aux.put(case.get("iv")),
                "aad_at": laid.aux.put(aad),
                "aad_len": len(aad),
                "tag_at": laid.aux.put(input_bytes(case.test.get("tag", ""))),
            }
        )
    codes = laid.call(aead.decrypt_rows_into, nonce_length=len(cases[0].get("iv")))
    for case, row, code in zip(cases, laid.rows, codes, strict=True):
        got = laid.result(row["out_at"], row["len"])
        if code != (lib.XORCORE_E_AUTH if case.error else lib.XORCORE_OK):
            raise Wrong(f"tcId={case.test['tcId']}: result {code}")
        if case.error:
            must_be("out", got, 0)
        elif got != case.get("msg"):
            raise Wrong(f"tcId={case.test['tcId']}: another text")


def cipher_rows(cases: list[Case], kernel: Any) -> None:
    made = xorcore.cipher(cases[0].algorithm, cases[0].get("key"), kernel=kernel)
    same_kernel(made.kernel, kernel)

    def run(function: Any, texts: list[bytes]) -> list[bytes]:
        laid = Laid()
        for case, text in zip(cases, texts, strict=True):
            laid.rows.append(
                {
                    "in_at": laid.source.put(text),
                    "out_at": laid.out.room(len(text)),
                    "len": len(text),
                    "nonce_at": laid.aux.put(case.get("iv")),
                }
            )
        codes = laid.call(function, iv_length=len(cases[0].get("iv")))
        if any(codes):
            raise Wrong(f"results {codes}")
        return [laid.result(row["out_at"], row["len"]) for row in laid.rows]

    sealed: list[bytes | None] = [None] * len(cases)
    if cases[0].encrypts:
        sealed = list(run(made.encrypt_rows_into, [case.get("msg") for case in cases]))
        for case, text in zip(cases, sealed, strict=True):
            case.expected("ct").check(f"tcId={case.test['tcId']}: ct", text)
    if cases[0].decrypts:
        texts = [ciphertext(case, text) for case, text in zip(cases, sealed, strict=True)]
        for case, text in zip(cases, run(made.decrypt_rows_into, texts), strict=True):
            if text != case.get("msg"):
                raise Wrong(f"tcId={case.test['tcId']}: another text")


def mac_rows(cases: list[Case], kernel: Any) -> None:
    mac = Mac(cases[0], kernel).made
    same_kernel(mac.kernel, kernel)
    for making in (True, False):
        if not (cases[0].encrypts and not cases[0].error if making else cases[0].decrypts):
            continue
        laid = Laid()
        for case in cases:
            tag = input_bytes(case.test.get("tag", ""))
            laid.rows.append(
                {
                    "in_at": laid.source.put(case.get("msg")),
                    "len": len(case.get("msg")),
                    "nonce_at": laid.aux.put(case.get("iv")),
                    "tag_at": laid.out.room(case.tag_length) if making else laid.aux.put(tag),
                }
            )
        function = mac.compute_rows_into if making else mac.verify_rows_into
        codes = laid.call(function, nonce_length=len(cases[0].get("iv")))
        for case, row, code in zip(cases, laid.rows, codes, strict=True):
            if code != (lib.XORCORE_E_AUTH if case.error else lib.XORCORE_OK):
                raise Wrong(f"tcId={case.test['tcId']}: result {code}")
            if making:
                case.expected("tag").check("tag", laid.result(row["tag_at"], case.tag_length))
