"""test_kernel_list.py — a wrong row in the kernel list stops the configuration, and the message names it."""

import platform
import re
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


def changed(tree, edits):
    """CMake's exit status and output with the .def files of these names passed through these functions."""
    source = tree / "libxorcore/src"
    before = {name: (source / f"{name}.def").read_text() for name in edits}
    try:
        for name, edit in edits.items():
            (source / f"{name}.def").write_text(edit(before[name]))
        done = subprocess.run(["cmake", "-S", tree, "-B", tree / "build", "-DBUILD_TESTING=OFF"], text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, " ".join(done.stdout.split())
    finally:
        for name, text in before.items():
            (source / f"{name}.def").write_text(text)


def configure(tree, **rows):
    """The same with these rows added."""
    return changed(tree, {name: lambda text, row=row: f"{text}\n{row}\n" for name, row in rows.items()})


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
    ("isa", 'ISA (any, level, , "")', 'malformed row: ISA (any, level, , "")'),
    ("isa", 'ISA (any, level, |, "")', 'malformed row: ISA (any, level, |, "")'),
    ("isa", 'ISA (amd64, level, AVX AVX2, "")', "malformed row: ISA (amd64, level, AVX AVX2"),
    ("isa", 'ISA (amd64, level, AVX | | AVX2, "")', "malformed row: ISA (amd64, level, AVX | | AVX2"),
    ("isa", 'ISA (amd46, level, AVX, "")', "no architecture amd46"),
    ("isa", 'ISA (a, level, AVX, "")', "no architecture a:"),
    ("isa", 'BASELINE (amd46, "")', "no architecture amd46"),
    ("isa", 'BASELINE (any, "")', "no architecture any"),
    ("isa", 'BASELINE (amd64, "-march=x86-64-v4")', "BASELINE stands twice for amd64"),
    ("isa", 'BASELINE (arm64, "")', "BASELINE stands twice for arm64"),
    ("isa", 'TUNING (amd46, "-O3")', "no architecture amd46"),
    ("isa", 'TUNING (amd64, "-O3")', "TUNING stands twice for amd64"),
    ("isa", "TUNING (amd64, -O3)", "malformed row: TUNING (amd64, -O3)"),
    ("isa", "TUNING (amd64)", "malformed row: TUNING (amd64)"),
    ("isa", "/* no end", "malformed row: /* no end"),
    ("kernels", 'KERNEL (gcm, strange, , "")', 'malformed row: KERNEL (gcm, strange, , "")'),
    ("kernels", 'KERNEL (gcm, strange, "")', 'malformed row: KERNEL (gcm, strange, "")'),
    ("cpu", "CPU_BIT (amd64, lower)", "malformed row: CPU_BIT (amd64, lower)"),
    ("cpu", "CPU_BIT (amd46, AVX)", "no architecture amd46"),
])
def test_wrong_row(tree, name, row, why):
    status, output = configure(tree, **{name: row})
    assert status != 0
    assert why in output


def test_bit_stands_twice(tree):
    """On whichever architecture this is, so for each that has bits."""
    rows = "CPU_BIT (amd64, AVX)\nCPU_BIT (arm64, NEON)\nCPU_BIT (arm, NEON)"
    status, output = configure(tree, cpu=rows)
    assert status != 0 and "stands twice" in output


@pytest.mark.parametrize("row", ["xor, portable", "aes, portable", "ghash, portable", "gcm, composed"])
def test_row_that_every_machine_relies_on(tree, row):
    why = f"{row.replace(', ', '/')} is missing, or needs something"
    status, output = changed(tree, {"kernels": lambda text: text.replace(f"KERNEL ({row})", "")})
    assert status != 0 and why in output
    level, bit = row.split()[1], "SSE2" if platform.machine() == "x86_64" else "NEON"
    status, output = changed(tree, {"isa": lambda text: re.sub(rf"(ISA \(any, +{level}, +)0,", rf"\1{bit},", text)})
    assert status != 0 and f"/{level} is missing, or needs something" in output


def test_comment_without_end(tree):
    """It would take the rows up to the end of the next comment with it."""
    row = "KERNEL (aes, portable)"
    status, output = changed(tree, {"kernels": lambda text: text.replace(row, f"{row} /* best") + "/* next */\n"})
    assert status != 0 and "does not end before the next one begins" in output


def test_unknown_bit(tree):
    source = tree / "libxorcore/src/gcm/gcm_strange.c"
    source.write_text("/* never compiled */\n")
    try:
        status, output = configure(tree, isa='ISA (any, strange, FLUX, "")', kernels="KERNEL (gcm, strange)")
    finally:
        source.unlink()
    assert status != 0 and "FLUX is no CPU bit" in output
