"""test_readme.py — the programs of the READMEs run as they stand, and the links lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text()
FAMILIES = ("xor", "aes", "ghash", "gcm")
PREFIX = Path(os.environ["XORCORE_LIBRARY"]).resolve().parents[1]


def program(language):
    """The one fenced block of that language."""
    blocks = re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", TEXT, re.M | re.S)
    assert len(blocks) == 1, f"{len(blocks)} blocks of {language}"
    return blocks[0]


def run(command, folder, **more):
    env = {**os.environ, "PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig"),
           "CGO_LDFLAGS": f"-Wl,-rpath,{PREFIX / 'lib'}", "LD_LIBRARY_PATH": str(PREFIX / "lib"), **more}
    done = subprocess.run(command, cwd=folder, env=env, text=True, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_c(tmp_path):
    (tmp_path / "seal.c").write_text(program("c"))
    flags = run(["pkg-config", "--cflags", "--libs", "xorcore"], tmp_path).split()
    run(["cc", "-Wall", "-Wextra", "-Werror", "seal.c", *flags], tmp_path)
    assert run(["./a.out"], tmp_path).startswith("OK, by ")


def test_python(tmp_path):
    (tmp_path / "program.py").write_text(program("python"))
    assert run([sys.executable, "program.py"], tmp_path) == "refused\n"


def test_python_tour(tmp_path):
    """The blocks of python/README.md, which go on from one another."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "python/README.md").read_text(), re.M | re.S)
    assert len(blocks) == 3
    (tmp_path / "program.py").write_text("\n".join(blocks))
    texts = {"disk.img": b"a disk" * 100_000, "a.bin": b"a" * 1000, "b.bin": b"b" * 70_000, "c.bin": b""}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    assert run([sys.executable, "program.py"], tmp_path) == ""
    assert all((tmp_path / name).read_bytes() == text for name, text in texts.items())


def test_ctypes(tmp_path):
    (tmp_path / "program.py").write_text(program("python ctypes"))
    out = run([sys.executable, "program.py"], tmp_path, PYTHONPATH=str(ROOT / "bindings/ctypes"))
    assert "b'   '" in out


@pytest.mark.parametrize("cgo", ["0", "1"])
def test_go(tmp_path, cgo):
    (tmp_path / "main.go").write_text(program("go"))
    for command in re.findall(r"^go mod .*$", TEXT, re.M):
        run(command.replace("PATH/TO/libxorcore", str(ROOT)).split(), tmp_path, GOFLAGS="")
    out = run(["go", "run", "."], tmp_path, CGO_ENABLED=cgo, GOFLAGS="")
    assert out.endswith("message authentication failed\n")


def rows(name, pattern):
    """The rows of a list of the source tree, in its order."""
    text = (ROOT / f"libxorcore/src/{name}.def").read_text()
    return re.findall(pattern, re.sub(r"/\*.*?\*/", "", text, flags=re.S), re.M)


def test_kernel_table():
    table = re.findall(r"^\| (\w+) \|" + r" ([\w ]*?) *\|" * 4 + "$", TEXT, re.M)
    found = {machine: dict(zip(FAMILIES, map(str.split, cells)))
             for machine, *cells in table if machine != "machine"}
    levels = set(rows("isa", r"^ISA \((\w+), *(\w+)"))
    wanted = {}
    for family, level in rows("kernels", r"^KERNEL \((\w+), *(\w+)"):
        for machine in {machine for machine, name in levels if name == level}:
            wanted.setdefault(machine, {name: [] for name in FAMILIES})[family].append(level)
    for machine in found | wanted:
        assert found.get(machine) == wanted.get(machine), f"the README's table of kernels, {machine}"


def test_links():
    links = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert links
    missing = [link for link in links if not (ROOT / link).exists()]
    assert not missing
