"""test_package — introspection, command line, the one library file, names, types."""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from xorcore._build_info import BUNDLED

import xorcore
from xorcore import _hot


def run(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
    return done.stdout


def test_versions() -> None:
    assert xorcore.__version__ == version("xorcore")
    assert re.fullmatch(r"\d+\.\d+\.\d+", xorcore.library_version())
    if BUNDLED:
        assert xorcore.__version__ == xorcore.library_version()


def test_all_names() -> None:
    assert set(xorcore.__all__) == {name for name in dir(xorcore) if not name.startswith("_")} | {
        "__version__"
    }
    for name in xorcore.__all__:
        assert name == "__version__" or getattr(xorcore, name).__doc__


def test_typed() -> None:
    assert (Path(xorcore.__file__).parent / "py.typed").is_file()


def test_kernels() -> None:
    table = xorcore.kernels()
    for family in {kernel.family for kernel in table}:
        rows = [kernel for kernel in table if kernel.family == family]
        assert [kernel.default for kernel in rows].count(True) == 1
        assert next(kernel for kernel in rows if kernel.runs).default
        for kernel in rows:
            assert kernel.runs == (kernel.why is None)
            assert kernel.runs or kernel.why.startswith(("cpu: ", "os: ", "disabled: "))  # type: ignore[union-attr]
    assert {"xor", "aes", "ghash", "gcm"} <= {kernel.family for kernel in table}
    assert {kernel.name for kernel in table if kernel.family == "xor"} >= {"portable"}


def test_cpu() -> None:
    words = xorcore.cpu()
    assert words and all(re.fullmatch(r"\w+", word) for word in words)


def test_disabled_kernels() -> None:
    architecture, *features = xorcore.cpu()
    script = (
        "import xorcore, json; from dataclasses import asdict;"
        "print(json.dumps([xorcore.cpu(), [asdict(kernel) for kernel in xorcore.kernels()]]))"
    )
    cpu, rows = json.loads(run("-c", script, XORCORE_DISABLE=",".join([*features, "nonsense"])))
    assert cpu == [architecture]
    for row in rows:
        # What needs nothing can't be taken away.
        assert row["runs"] == (row["needs"] == []), row
        assert row["runs"] or row["why"].startswith(("disabled: ", "cpu: "))
    assert any(not row["runs"] for row in rows) or not features


def test_selftest() -> None:
    xorcore.selftest()
    assert run("-m", "xorcore", "selftest") == "selftest passed\n"


def test_info() -> None:
    text = run("-m", "xorcore", "info")
    assert xorcore.library_version() in text and xorcore.library_path() in text
    assert all(kernel.name in text for kernel in xorcore.kernels())
    shown = json.loads(run("-m", "xorcore", "info", "--json"))
    assert shown.keys() == {"version", "abi", "calls", "cpu", "kernels"}
    assert shown["calls"] == _hot.CALLS and f"calls     by {_hot.CALLS}\n" in text
    assert (
        shown["abi"] == 1
        and shown["version"] == xorcore.library_version()
        and shown["cpu"] == xorcore.cpu()
    )
    keys = {"family", "name", "needs", "runs", "default", "constant_time", "why"}
    assert all(row.keys() == keys for row in shown["kernels"])
    assert [(row["family"], row["name"]) for row in shown["kernels"]] == [
        (kernel.family, kernel.name) for kernel in xorcore.kernels()
    ]
    assert run("-m", "xorcore", "lib-path") == xorcore.library_path() + "\n"


def test_command_line_errors() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "xorcore", "nonsense"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "usage" in done.stderr


def test_ctypes_finds_the_same_file() -> None:
    loaded = ctypes.CDLL(xorcore.library_path())
    loaded.xorcore_abi.restype = ctypes.c_uint32
    assert loaded.xorcore_abi() == 1
    maps = Path("/proc/self/maps").read_text()
    files = {line.split()[-1] for line in maps.splitlines() if "libxorcore" in line}
    assert len(files) == 1 and files.pop().endswith(xorcore.library_path())
