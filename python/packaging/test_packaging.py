"""test_packaging — the package built and installed in every way that there is.

Needs a package index for the build tools; everything is made in a temporary folder.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
USE = """
import xorcore
from xorcore._build_info import BUNDLED
xorcore.selftest()
assert xorcore.AESGCM(bytes(16)).encrypt(bytes(12), b"").hex() == "58e2fccefa7e3061367f1d57a4e7455a"
print(BUNDLED, xorcore.library_path())
"""


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


class Venv:
    def __init__(self, folder: Path) -> None:
        run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
        self.folder, self.python = folder, folder / "bin/python"

    def pip(self, *arguments: str | Path, **environment: str) -> str:
        command = (self.python, "-m", "pip", "install", "-q", *arguments)
        return run(*command, cwd=self.folder, **environment)

    def use(self, **environment: str) -> list[str]:
        """Whether the library is bundled, and its path, once the package has worked."""
        return run(self.python, "-c", USE, cwd=self.folder, **environment).split()

    @property
    def package(self) -> Path:
        return next(self.folder.glob("lib/python*/site-packages/xorcore"))


@pytest.fixture(scope="session")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Venv:
    made = Venv(tmp_path_factory.mktemp("builder") / "venv")
    made.pip("build")
    return made


def built(builder: Venv, kind: str, source: Path, out: Path) -> Path:
    run(builder.python, "-m", "build", kind, "-o", out, source, cwd=out.parent)
    return next(iter(out.iterdir()))


def unpacked(sdist: Path, folder: Path) -> Path:
    with tarfile.open(sdist) as archive:
        # Our own archive. The filter came with Python 3.11.4; Debian 12 has 3.11.2.
        archive.extractall(
            folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {})
        )
    return next(iter(folder.iterdir()))


def members(sdist: Path) -> list[str]:
    with tarfile.open(sdist) as archive:
        return sorted(name.partition("/")[2] for name in archive.getnames())


@pytest.fixture(scope="session")
def sdist(builder: Venv, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(builder, "--sdist", ROOT / "python", tmp_path_factory.mktemp("sdist") / "out")


@pytest.fixture(scope="session")
def second_sdist(builder: Venv, sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("second")
    return built(builder, "--sdist", unpacked(sdist, folder / "source"), folder / "out")


@pytest.fixture(scope="session")
def wheels(builder: Venv, sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two wheels from the same sdist, built in two folders."""
    made = []
    for name in ("one", "another folder"):
        folder = tmp_path_factory.mktemp("wheel") / name
        folder.mkdir()
        made.append(built(builder, "--wheel", unpacked(sdist, folder / "x"), folder / "out"))
    return made


def test_sdist_has_all_sources(sdist: Path) -> None:
    names = members(sdist)
    sources = [*(ROOT / "libxorcore").rglob("*"), *(ROOT / "python/src").rglob("*")]
    for path in sources:
        if path.is_file() and "__pycache__" not in path.parts:
            place = path.relative_to(ROOT).as_posix()
            wanted = (
                place.removeprefix("python/") if place.startswith("python/") else f"vendor/{place}"
            )
            assert wanted in names
    assert {"pyproject.toml", "PKG-INFO", "README.md", "vendor/bindings/xorcore.cdef"} <= set(names)
    assert not [name for name in names if name.endswith((".so", ".o", ".pyc", ".whl"))]


def test_sdist_of_the_sdist_is_the_same(sdist: Path, second_sdist: Path) -> None:
    assert members(sdist) == members(second_sdist)
    assert len(set(members(sdist))) == len(members(sdist))
    assert sdist.name == second_sdist.name


def test_wheel(wheels: list[Path], tmp_path: Path) -> None:
    wheel = wheels[0]
    assert re.fullmatch(r"xorcore-\d+\.\d+\.\d+-cp311-abi3-linux_\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    names = {
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()
    }
    assert {name.split("/")[0].split("-")[0] for name in names} == {"xorcore"}
    assert [name for name in names if "libxorcore" in name] == ["xorcore/libxorcore.so.1"]
    compiled = {name for name in names if ".so" in name}
    modules = ("_ffi", "_fast")
    assert compiled == {"xorcore/libxorcore.so.1", *(f"xorcore/{name}.abi3.so" for name in modules)}
    assert "xorcore/py.typed" in names
    of_the_package = {name for name in names if name.startswith("xorcore/")}
    sources = (".c", ".h", ".cdef", ".txt", ".pc", ".in")
    assert not [name for name in of_the_package if name.endswith(sources)]
    scripts = next(tmp_path.glob("*.dist-info/entry_points.txt")).read_text()
    assert "[console_scripts]\nxorcore = xorcore.__main__:script" in scripts
    for name in modules:
        shown = run("readelf", "-d", tmp_path / f"xorcore/{name}.abi3.so", cwd=tmp_path)
        assert "RUNPATH" in shown and "[$ORIGIN]" in shown and "[libxorcore.so.1]" in shown
    shown = run("readelf", "-d", tmp_path / "xorcore/libxorcore.so.1", cwd=tmp_path)
    assert "SONAME" in shown and "[libxorcore.so.1]" in shown and "PATH" not in shown


def test_wheel_is_reproducible(wheels: list[Path]) -> None:
    contents = []
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            contents.append({name: archive.read(name) for name in archive.namelist()})
    assert contents[0].keys() == contents[1].keys()
    assert [name for name in contents[0] if contents[0][name] != contents[1][name]] == []
    assert wheels[0].read_bytes() == wheels[1].read_bytes()


def test_install_from_the_second_sdist(second_sdist: Path, tmp_path: Path) -> None:
    venv = Venv(tmp_path / "venv")
    venv.pip(second_sdist)
    assert venv.use() == ["True", str(venv.package / "libxorcore.so.1")]


def test_editable_install_without_the_extension(tmp_path: Path) -> None:
    venv = Venv(tmp_path / "venv")
    venv.pip(
        f"--config-settings=build-dir={tmp_path / 'build'}",
        "--config-settings=cmake.define.XORCORE_PYTHON_FAST=OFF",
        "--editable",
        ROOT / "python",
    )
    script = "from xorcore import _hot; print(_hot.CALLS)"
    assert run(venv.python, "-c", script, cwd=tmp_path) == "cffi\n"
    bundled, library = venv.use()
    assert bundled == "True"
    assert Path(library).is_file()


def test_system_library(tmp_path: Path) -> None:
    build, prefix = tmp_path / "build", tmp_path / "prefix"
    run("cmake", "-S", ROOT, "-B", build, "-DBUILD_TESTING=OFF", cwd=tmp_path)
    run("cmake", "--build", build, "-j2", cwd=tmp_path)
    run("cmake", "--install", build, "--prefix", prefix, cwd=tmp_path)
    packages = ":".join(str(path.parent) for path in prefix.rglob("xorcore.pc"))
    libraries = str(next(prefix.rglob("libxorcore.so.1")).parent)
    venv = Venv(tmp_path / "venv")
    venv.pip(
        f"--config-settings=build-dir={tmp_path / 'python'}",
        ROOT / "python",
        PKG_CONFIG_PATH=packages,
        XORCORE_PYTHON_SYSTEM="1",
    )
    assert venv.use(LD_LIBRARY_PATH=libraries) == ["False", "libxorcore.so.1"]
    assert not list(venv.package.glob("libxorcore*"))
    shown = run("readelf", "-d", venv.package / "_ffi.abi3.so", cwd=tmp_path)
    assert "[libxorcore.so.1]" in shown and "$ORIGIN" not in shown
