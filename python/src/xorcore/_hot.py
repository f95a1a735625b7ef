"""_hot — the calls that short messages feel: those of _fast where it is there, else those by cffi.

_fast.c answers the usual arguments and hands all others on to the functions by cffi, which can do everything and say
what is wrong. XORCORE_PYTHON_FAST=0 in the environment leaves it out, for comparisons and for tests.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ._build_info import FAST
from ._errors import error
from ._oneshot import OneShot
from ._xor import xor, xor_into, xor_many, xor_repeat

CALLS: Final = "C" if FAST and os.environ.get("XORCORE_PYTHON_FAST") != "0" else "cffi"
"""Which of the two they are."""

if CALLS == "C" and not TYPE_CHECKING:
    from . import _fast

    _fast.connect(
        error,
        xor,
        xor_into,
        xor_many,
        xor_repeat,
        OneShot.encrypt,
        OneShot.decrypt,
        OneShot.encrypt_into,
        OneShot.decrypt_into,
        OneShot.encrypt_rows,
        OneShot.decrypt_rows,
    )
    xor, xor_into, OneShot = _fast.xor, _fast.xor_into, _fast.OneShot
    xor_many, xor_repeat = _fast.xor_many, _fast.xor_repeat

__all__ = ["CALLS", "OneShot", "xor", "xor_into", "xor_many", "xor_repeat"]
