"""_kernels — what is in the library that runs, and on what."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from ._build_info import BUNDLED, LIBRARY
from ._errors import error
from ._ffi import ffi, lib


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel of the library."""

    family: str
    """The contract that it fulfils: "xor", "aes", "ghash", "gcm"."""
    name: str
    """The name that `kernel=` takes: "portable", "sse2"."""
    needs: tuple[str, ...]
    """CPU features without which it cannot run."""
    runs: bool
    """Whether it can run here and is not disabled."""
    default: bool
    """Whether its family uses it when no kernel is named."""
    constant_time: bool
    """Whether no branch and no memory index depends on secrets."""
    why: str | None
    """Why it does not run, None when it does: "cpu: ...", "os: ..." or "disabled: ..."."""


def _text(pointer: object) -> str:
    text: bytes = ffi.string(pointer)
    return text.decode()


def kernels() -> list[Kernel]:
    """Every kernel in this library, those that cannot run here included, best first within a family."""
    row = ffi.new("xorcore_kernel *")
    found = []
    for index in range(lib.xorcore_kernel_count()):
        code = lib.xorcore_kernel_at(index, row, ffi.sizeof("xorcore_kernel"))
        if code:
            raise error(code)
        found.append(
            Kernel(
                family=_text(row.family),
                name=_text(row.name),
                needs=tuple(_text(row.needs).split()),
                runs=bool(row.flags & lib.XORCORE_KERNEL_RUNS),
                default=bool(row.flags & lib.XORCORE_KERNEL_DEFAULT),
                constant_time=bool(row.flags & lib.XORCORE_KERNEL_CONSTANT_TIME),
                why=_text(row.why) if row.why else None,
            )
        )
    return found


def cpu() -> list[str]:
    """The architecture and the CPU features that the library may use: ["amd64", "sse2", ...].

    What the environment variable XORCORE_DISABLE takes away is not among them.
    """
    return _text(lib.xorcore_cpu()).split()


def selftest() -> None:
    """Runs known answers on every kernel that runs here; raises XorcoreError when one is wrong."""
    code = lib.xorcore_selftest()
    if code:
        raise error(code)


def library_path() -> str:
    """The file of the C library that this package uses, for ctypes.CDLL() and for bug reports.

    It is the one file in the package; or, when the package was built for the system's library, its SONAME,
    by which the loader finds the same file again.
    """
    return str(files(__package__) / LIBRARY) if BUNDLED else LIBRARY


def library_version() -> str:
    """The version of the C library that is loaded; `__version__` is that of the package."""
    return _text(lib.xorcore_version())
