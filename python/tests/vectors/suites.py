"""suites — which kernels and shapes each type of case has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import xorcore
from vectors.aead import (
    aead_accumulated,
    aead_inplace,
    aead_invalid,
    aead_odd_tag,
    aead_offset,
    aead_oneshot,
    aead_stream,
)
from vectors.case import (
    Case,
    Run,
    input_bytes,
    plans,
)
from vectors.cipher import (
    cipher_at,
    cipher_inplace,
    cipher_invalid,
    cipher_monte_carlo,
    cipher_offset,
    cipher_oneshot,
    cipher_seek,
    cipher_stream,
    sectors_inplace,
    sectors_offset,
    sectors_oneshot,
)
from vectors.mac import mac_invalid, mac_offset, mac_oneshot, mac_stream
from vectors.rows import aead_rows, cipher_rows, mac_rows
from vectors.xor import (
    equal_offset,
    equal_oneshot,
    many_inplace,
    many_invalid,
    many_offset,
    many_oneshot,
    many_strided,
    repeat_inplace,
    repeat_invalid,
    repeat_offset,
    repeat_oneshot,
    repeat_stream,
    xor_inplace,
    xor_inplace_b,
    xor_offset,
    xor_oneshot,
)


def running(family: str) -> list[str]:
    return [kernel.name for kernel in xorcore.kernels() if kernel.family == family and kernel.runs]


def pairs() -> list[str]:
    """The pairs of tests/vectors/README.md."""
    aes, ghash = running("aes"), running("ghash")
    last = (aes[-1], ghash[-1])
    return [
        f"{a}+{g}" for a in aes for g in ghash if a == aes[0] or g == ghash[0] or (a, g) == last
    ]


PAIRS = pairs()
KERNELS: dict[str, list[Any]] = {
    "xor": running("xor"),
    "aes": running("aes"),
    "pairs": PAIRS,
    "gcm": running("gcm") + PAIRS,
    "none": [None],
}


@dataclass(frozen=True)
class Kind:
    """A type of test: its fields, and a function for each of its shapes."""

    fields: set[str]
    shapes: dict[str, Run]
    invalid: Run
    stream: Callable[[Case, Any, list[int]], None] | None = None
    rows: Callable[[list[Case], Any], None] | None = None
    group_fields: frozenset[str] = frozenset()


AEAD_FIELDS = {"key", "iv", "aad", "msg", "ct", "tag", "dir"}
TAGGED = frozenset({"tagSize"})
CIPHER_FIELDS = {"key", "iv", "msg", "ct", "dir"}
CIPHER_SHAPES: dict[str, Run] = {
    "oneshot": cipher_oneshot,
    "inplace": cipher_inplace,
    "offset": cipher_offset,
}
AT_SHAPES: dict[str, Run] = {"at": cipher_at, "seek": cipher_seek}
SECTOR_SHAPES: dict[str, Run] = {
    "oneshot": sectors_oneshot,
    "inplace": sectors_inplace,
    "offset": sectors_offset,
}
AEAD = Kind(
    AEAD_FIELDS,
    {"oneshot": aead_oneshot, "inplace": aead_inplace, "offset": aead_offset},
    aead_invalid,
    aead_stream,
    aead_rows,
    TAGGED,
)
AEAD_WHOLE = replace(AEAD, stream=None)
MAC = Kind(
    {"key", "iv", "msg", "tag", "dir"},
    {"oneshot": mac_oneshot, "offset": mac_offset},
    mac_invalid,
    mac_stream,
    mac_rows,
    TAGGED,
)
CIPHER = Kind(
    CIPHER_FIELDS | {"nextIv", "mct"}, CIPHER_SHAPES, cipher_invalid, cipher_stream, cipher_rows
)
CTR = replace(CIPHER, fields=CIPHER.fields | {"offset"}, shapes=CIPHER_SHAPES | AT_SHAPES)
XTS = Kind(CIPHER_FIELDS | {"sectorSize"}, CIPHER_SHAPES, cipher_invalid, None, cipher_rows)

# (algorithm, type): the kernels, and what a case consists of.
SUITES: dict[tuple[str, str], tuple[str, Kind]] = {
    ("XOR", "XorTest"): (
        "xor",
        Kind(
            {"a", "b", "out"},
            {
                "oneshot": xor_oneshot,
                "inplace": xor_inplace,
                "inplace_b": xor_inplace_b,
                "offset": xor_offset,
            },
            xor_oneshot,
        ),
    ),
    ("XOR-MANY", "XorManyTest"): (
        "xor",
        Kind(
            {"srcs", "out"},
            {
                "oneshot": many_oneshot,
                "inplace": many_inplace,
                "offset": many_offset,
                "strided": many_strided,
            },
            many_invalid,
        ),
    ),
    ("XOR-REPEAT", "XorRepeatTest"): (
        "xor",
        Kind(
            {"key", "msg", "phase", "out"},
            {"oneshot": repeat_oneshot, "inplace": repeat_inplace, "offset": repeat_offset},
            repeat_invalid,
            repeat_stream,
        ),
    ),
    ("EQUAL", "EqualTest"): (
        "none",
        Kind(
            {"a", "b", "equal"}, {"oneshot": equal_oneshot, "offset": equal_offset}, equal_oneshot
        ),
    ),
    ("AES-GCM", "AeadTest"): ("gcm", AEAD),
    ("XAES-256-GCM", "AeadTest"): ("gcm", AEAD),
    ("AES-CCM", "AeadTest"): ("aes", AEAD),
    ("AES-GCM-SIV", "AeadTest"): ("pairs", AEAD_WHOLE),
    ("XAES-256-GCM", "AccumulatedTest"): (
        "gcm",
        Kind({"count", "digest"}, {"oneshot": aead_accumulated}, aead_accumulated),
    ),
    ("AES-GMAC", "MacTest"): ("gcm", MAC),
    ("AES-CMAC", "MacTest"): ("aes", MAC),
    ("AES-CTR", "CipherTest"): ("aes", CTR),
    ("AES-XTS", "CipherTest"): ("aes", XTS),
    **{
        (f"AES-{mode}", "CipherTest"): ("aes", CIPHER)
        for mode in ("ECB", "CBC", "CFB128", "CFB8", "OFB")
    },
}


def kind_of(case: Case) -> Kind:
    return SUITES[case.algorithm, case.kind][1]


def only_oneshot(case: Case) -> bool:
    """Invalid in another way than by a tag of the right length that is wrong."""
    if case.error is None:
        return False
    return case.error != "AUTH" or len(input_bytes(case.test.get("tag", ""))) != case.tag_length


def has_rows(case: Case) -> bool:
    special = {"mct", "offset", "sectorSize"} & set(case.test)
    return bool(kind_of(case).rows) and not special and not only_oneshot(case)


def shapes(case: Case) -> list[tuple[str, Run]]:
    """The runs of a case on one kernel, but for rows."""
    kind = kind_of(case)
    if case.error and case.error != "AUTH":
        return [("oneshot", kind.invalid)]
    if only_oneshot(case):
        return [("oneshot", aead_odd_tag if case.kind == "AeadTest" else mac_oneshot)]
    if "mct" in case.test:
        return [("stream", cipher_monte_carlo)]
    if "offset" in case.test:
        return list(AT_SHAPES.items())
    if "sectorSize" in case.test:
        return list(SECTOR_SHAPES.items())
    found = list(kind.shapes.items())
    if kind.stream:
        stream = kind.stream
        for plan in plans(case):
            found.append(("stream", lambda case, kernel, plan=plan: stream(case, kernel, plan)))
    return found


def batches(cases: list[Case]) -> Iterator[list[Case]]:
    """Consecutive cases of a group that go into one call."""
    batch: list[Case] = []
    for case in cases:
        together = (
            batch
            and len(batch) < 16
            and has_rows(case)
            and not case.error
            and not batch[0].error
            and case.get("key") == batch[0].get("key")
            and len(case.get("iv")) == len(batch[0].get("iv"))
            and case.test.get("dir", "both") == batch[0].test.get("dir", "both")
        )
        if together:
            batch.append(case)
            continue
        if batch:
            yield batch
        batch = [case] if has_rows(case) else []
    if batch:
        yield batch
