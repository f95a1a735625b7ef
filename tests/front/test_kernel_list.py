"""test_kernel_list.py — a wrong row in the kernel list stops the configuration, and the message names it."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of what a bare build needs."""
    copy = tmp_path_factory.mktemp("tree")
    for name in ("CMakeLists.txt", "LICENSE", "README.md"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "libxorcore", copy / "libxorcore")
    return copy


def configure(tree, **rows):
    """CMake's exit status and output with these rows added to the .def files of these names."""
    source = tree / "libxorcore/src"
    before = {name: (source / f"{name}.def").read_text() for name in rows}
    try:
        for name, row in rows.items():
            (source / f"{name}.def").write_text(f"{before[name]}\n{row}\n")
        done = subprocess.run(["cmake", "-S", tree, "-B", tree / "build", "-DBUILD_TESTING=OFF"], text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, " ".join(done.stdout.split())
    finally:
        for name, text in before.items():
            (source / f"{name}.def").write_text(text)


def test_as_it_is(tree):
    status, output = configure(tree)
    assert status == 0, output


@pytest.mark.parametrize("name, row, why", [
    ("kernels", "KERNEL (xor avx2)", "malformed row: KERNEL (xor avx2)"),
    ("kernels", "KERNEL (des, portable)", "malformed row: KERNEL (des, portable)"),
    ("kernels", "KERNEL (xor, portable", "malformed row: KERNEL (xor, portable"),
    ("kernels", "KERNEL (xor, portable)", "xor/portable stands twice"),
    ("kernels", "KERNEL (xor, nowhere)", "no level nowhere in isa.def: KERNEL (xor, nowhere)"),
    ("kernels", "KERNEL (xor, composed)", "KERNEL (xor, composed) has no file xor/xor_composed.c"),
    ("isa", "ISA (any, strange)", "malformed row: ISA (any, strange)"),
    ("isa", 'ISA (any, level, 0 "")', 'malformed row: ISA (any, level, 0 "")'),
    ("isa", 'ISA (any, portable, 0, "")', "portable stands twice"),
    ("cpu", "CPU_BIT (amd64, lower)", "malformed row: CPU_BIT (amd64, lower)"),
])
def test_wrong_row(tree, name, row, why):
    status, output = configure(tree, **{name: row})
    assert status != 0
    assert why in output


def test_unknown_bit(tree):
    source = tree / "libxorcore/src/gcm/gcm_strange.c"
    source.write_text("/* never compiled */\n")
    try:
        status, output = configure(tree, isa='ISA (any, strange, FLUX, "")', kernels="KERNEL (gcm, strange)")
    finally:
        source.unlink()
    assert status != 0 and "FLUX is no CPU bit" in output
