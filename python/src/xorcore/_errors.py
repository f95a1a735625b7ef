"""_errors — what a result of the C library becomes in Python; one table."""

from __future__ import annotations

from typing import Final

from ._ffi import ffi, lib


class XorcoreError(Exception):
    """The base of this package's own exceptions.

    Every exception that stands for a result of the C library, these and the builtin ones alike, has an
    attribute `result` with its name: "AUTH", "KEY_LENGTH".
    """

    result: str


class InvalidTag(XorcoreError):
    """Authentication failed: the data, the associated data, the nonce or the tag is not what was sealed.
    Where an output buffer was given, it holds zeros."""


class DamagedFile(InvalidTag):
    """A sealed file or a set of parity is not what was written, or the key is another. No output file was made."""

    result = "AUTH"


class AlreadyFinalized(XorcoreError):
    """The message of this context is finished; reset() begins another."""


class UnsupportedError(XorcoreError):
    """This algorithm has no such operation."""


TABLE: Final[dict[str, type[Exception]]] = {
    "ARG": ValueError,
    "KEY_LENGTH": ValueError,
    "NONCE_LENGTH": ValueError,
    "TAG_LENGTH": ValueError,
    "DATA_LENGTH": ValueError,
    "OVERLAP": ValueError,
    "AUTH": InvalidTag,
    "LIMIT": OverflowError,
    "STATE": XorcoreError,
    "KERNEL": ValueError,
    "WEAK_KEY": ValueError,
    "MEMORY": MemoryError,
    "SELFTEST": XorcoreError,
    "UNSUPPORTED": UnsupportedError,
}


def named(name: str, text: str) -> Exception:
    """The exception for the result `name`, with a message that says it in words."""
    error = TABLE.get(name, XorcoreError)(f"{text} ({name})")
    error.result = name  # type: ignore[attr-defined]
    return error


def error(code: int) -> Exception:
    """The exception for a negative result of the C library."""
    name = ffi.string(lib.xorcore_result_name(code)).decode()
    text = ffi.string(lib.xorcore_result_text(code)).decode()
    return named(name, text.rstrip("."))
