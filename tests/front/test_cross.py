"""test_cross.py — tests/cross/amd64.py: what it expects of this machine's CPU, and that every kernel runs every vector
on whatever machine."""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "cross")]

import amd64  # noqa: E402
import models  # noqa: E402

KNOWN = {"sse2", "ssse3", "sse4_1", "sse4_2", "aes", "pclmul", "avx", "avx2", "avx512f", "avx512bw", "avx512vl",
         "fast_zmm", "whole_zmm", "vaes", "vpclmulqdq"}


def cpuinfo(vendor, family, model, flags):
    return (f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\n"
            f"model name\t: A CPU, model 85\nflags\t\t: fpu {flags} ht\nvmx flags\t: avx512f\n\nprocessor\t: 1\n")


@pytest.mark.parametrize(("vendor", "family", "model", "flags", "features"), [
    ("GenuineIntel", 6, 85, "sse2 avx512f", {"sse2", "avx512f", "whole_zmm"}),  # Skylake-SP, Cascade Lake, Cooper Lake
    ("GenuineIntel", 6, 143, "sse2 avx512f", {"sse2", "avx512f", "fast_zmm", "whole_zmm"}),  # Sapphire Rapids
    ("GenuineIntel", 15, 85, "avx512f", {"avx512f", "fast_zmm", "whole_zmm"}),
    ("AuthenticAMD", 25, 97, "avx512f vaes pclmulqdq", {"avx512f", "fast_zmm", "vaes", "pclmul"}),  # Zen 4
    ("AuthenticAMD", 26, 2, "avx512f", {"avx512f", "fast_zmm", "whole_zmm"}),  # Zen 5
    ("AuthenticAMD", 6, 85, "avx512f", {"avx512f", "fast_zmm", "whole_zmm"}),
    ("GenuineIntel", 6, 158, "sse2 avx2 pclmulqdq", {"sse2", "avx2", "pclmul"}),
    ("GenuineIntel", 6, 85, "sse2", {"sse2"}),
])
def test_host_features(vendor, family, model, flags, features):
    assert amd64.host_features(KNOWN, cpuinfo(vendor, family, model, flags)) == features


class Rows(models.Kernels):
    """A kernel for every feature by itself, and one that needs none."""

    def __init__(self):
        self.features = KNOWN
        self.needs = {"xor/portable": frozenset(), **{f"xor/{word}": frozenset({word}) for word in KNOWN}}
        self.left_out = []


def programs(matrix, features, options, broken=()):
    """What the vector program says on a CPU with these features."""
    words = options[1].split(",") if options else None
    rows = [row for row in matrix.kernels.rows(features)
            if words is None or matrix.kernels.needs[row] & set(words)]
    output = f"every case on: {' '.join(row for row in rows if row not in broken)}\nvectors c total: runs=1\n"
    matrix.vectors_ran("a CPU", features, options, (0, output))


class Count:
    def __init__(self):
        self.failures = []

    def case(self, name, good, why=""):
        self.failures += [] if good else [f"{name}: {why}"]


def failures(host, **more):
    """Runs the matrix on a machine with these features, with models for emulators."""
    count = Count()
    matrix = amd64.Matrix(count, Rows(), None, None, None, None, host)
    for work, arguments in amd64.work_of(matrix):
        work = getattr(work, "func", work).__name__
        if work == "bochs_vectors":
            programs(matrix, models.BOCHS[arguments[0]][1], matrix.bochs_options(arguments[0]), **more)
        elif work == "qemu":
            programs(matrix, arguments[1], matrix.qemu_options(arguments[0]), **more)
        elif work == "without":
            programs(matrix, arguments[1], matrix.native_options(arguments[0]), **more)
    matrix.all_ran_every_case()
    return count.failures


HOSTS = [KNOWN, KNOWN - {"fast_zmm"}, models.SKYLAKE_X & KNOWN, models.HASWELL & KNOWN, models.SANDY_BRIDGE & KNOWN,
         KNOWN - {"pclmul"}, models.SSE2, None]


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: str(len(host)) if host else "none")
def test_every_vector_on_every_kernel(host):
    assert failures(host) == []


@pytest.mark.parametrize("row", sorted(Rows().needs))
def test_a_kernel_that_never_ran_every_vector(row):
    assert failures(models.HASWELL & KNOWN, broken={row}) == [f"amd64/every vector on every kernel: {row}"]
