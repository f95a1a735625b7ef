#!/usr/bin/env python3
"""run.py — the C tests on other architectures and CPUs: cross compilers, qemu-user and bochs for the CPUs.

    python3 tests/cross/run.py [--arch amd64|arm64|arm|ppc64]

amd64 is a matter of its own: amd64.py.

Each architecture is built with its file in toolchain/ into build/cross/, and ctest runs everything there
once for every CPU model. What checkkernel then says in its line `ran MODEL: family/name …` must be what the
model's features in models.py ask for: a kernel that was skipped, or that nobody expected, is a failure, and
so are vectors of which two models ran a different number: the tree's own, Wycheproof's, a sample of CAVP's. Missing compilers and emulators are installed
when this runs as root with apt. The last line is `N passed, N failed`."""

import argparse
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import amd64  # noqa: E402
import models  # noqa: E402
import setup  # noqa: E402
from setup import BUILD, Tool, say  # noqa: E402

# Not for an emulator: the installed tree, the compiler's output, and calls of more than 2^31 bytes.
LEFT_OUT = "packaging|large"

# Beside the tree's own vectors: Wycheproof's all, and one of NIST's CAVP cases in so many.
CAVP_EVERY = 50

class Arch:
    """An architecture: its compiler and emulator with their Debian packages, and the builds, for each the
    name of its file in toolchain/, the CPU models that run it and the features of each."""

    def __init__(self, triple, libc, emulator, builds):
        self.builds = builds
        self.tools = [
            Tool(f"{triple}-gcc", [f"{triple}-gcc", "--version"], [f"gcc-{triple}", libc]),
            Tool(f"the C library of {triple}", ["test", "-e", f"/usr/{triple}/lib/libc.so.6"], [libc]),
            Tool(emulator, [emulator, "--version"], ["qemu-user"]),
        ]


ARCHES = {
    "arm64": Arch("aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-aarch64", {"arm64": models.ARM64}),
    "arm": Arch("arm-linux-gnueabi", "libc6-dev-armel-cross", "qemu-arm", {
        "arm": models.ARM_OLD,
        "arm_strict": {"arm926": models.ARM_OLD["arm926"]}}),
    # e5500 has no AltiVec. On qemu's 970 and power5+ the C library's own memset goes wrong: they clear 32
    # bytes by a dcbz where it counts on 128.
    "ppc64": Arch("powerpc64-linux-gnu", "libc6-dev-ppc64-cross", "qemu-ppc64", {
        "ppc64": dict.fromkeys(("e5500", "power7", "power8"), frozenset())}),
}


# For the build, and for the converters of the vectors.
NEEDED = ("make", "CMake", "Python's venv", "Go")


class Count:
    """How many cases passed, and the names of those that did not."""

    def __init__(self):
        self.passed, self.failures = 0, []

    def case(self, name, good, why=""):
        if good:
            self.passed += 1
        else:
            self.failures.append(f"{name}: {why}" if why else name)


def ctest(count, where, label, model, vectors):
    """Everything that ctest has, on one CPU model; what the programs wrote."""
    report = where / f"{model}.xml"
    report.unlink(missing_ok=True)
    stopped = None
    try:
        setup.run(["ctest", "--test-dir", where, "-LE", LEFT_OUT, "--output-on-failure", "--timeout", "900",
                   "--output-junit", report, "--test-output-size-passed", "1000000", "-j", setup.jobs()],
                  setup.environment(QEMU_CPU=model, XORCORE_MODEL=model, XORCORE_VECTORS=vectors))
    except setup.SetupError as error:
        stopped = str(error)
    cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    failed = False
    for case in cases:
        bad = [kind for kind in ("failure", "error", "skipped") if case.find(kind) is not None]
        good = not bad and case.get("status") == "run"
        failed |= not good
        count.case(f"{label}/{case.get('name')}", good, " ".join(bad) or case.get("status", ""))
    if not cases or stopped and not failed:
        count.case(label, False, stopped or "there was no test to run")
    return [case.findtext("system-out") or "" for case in cases]


def check_kernels(count, label, model, kernels, features, outputs):
    """What the programs ran on this model against what its features ask for."""
    output = "\n".join(outputs)
    problems = models.wrong(kernels, model, features, output)
    say(f"ran {model}: {' '.join(sorted(models.words('ran', model, output) or ()))}")
    count.case(f"{label}/kernels", not problems, ", ".join(problems))


def check_vectors(count, label, expected, outputs, totals):
    """Where the same kernels run, so does the same number of vectors."""
    runs = sum(int(number) for output in outputs for number in re.findall(r"^vectors c total: runs=(\d+)$", output, re.MULTILINE))
    first, first_runs = totals.setdefault(frozenset(expected), (label, runs))
    say(f"{label}: {runs} vector runs")
    count.case(f"{label}/vectors", 0 < runs == first_runs, f"{runs} runs; on {first} there were {first_runs}")


def run_arch(count, name, totals):
    arch = ARCHES[name]
    setup.want([tool for tool in setup.TOOLS["build"] if tool.name in NEEDED] + arch.tools)
    foreign = BUILD / "vectors-cross"
    setup.vectors(foreign, CAVP_EVERY)
    for build, cpus in arch.builds.items():
        where = BUILD / "cross" / build
        setup.configure(where, f"-DCMAKE_TOOLCHAIN_FILE={HERE / 'toolchain' / f'{build}.cmake'}",
                        "-DCMAKE_BUILD_TYPE=Release", "-DXORCORE_WERROR=ON")
        kernels = models.Kernels(where, name)
        count.case(f"{build}/compiler", not kernels.left_out, f"the compiler left out {' '.join(kernels.left_out)}")
        for model, features in cpus.items():
            label = f"{build}/{model}"
            say(f"\n---- {label}")
            outputs = ctest(count, where, label, model, setup.vector_folders(foreign))
            check_kernels(count, label, model, kernels, features, outputs)
            check_vectors(count, label, kernels.expected(features), outputs, totals)


def main():
    parser = argparse.ArgumentParser(description="The C tests on other architectures and CPUs, emulated.")
    parser.add_argument("--arch", choices=["amd64", *ARCHES], help="this one only")
    only = parser.parse_args().arch
    for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS"):
        os.environ.pop(name, None)  # they are meant for this machine's compiler
    count, totals = Count(), {}
    for name in [only] if only else ["amd64", *ARCHES]:
        try:
            amd64.run(count) if name == "amd64" else run_arch(count, name, totals)
        except setup.SetupError as error:
            count.case(name, False, str(error))
    for failure in count.failures:
        say(f"FAILED {failure}")
    say(f"{count.passed} passed, {len(count.failures)} failed")
    return int(bool(count.failures) or count.passed == 0)


if __name__ == "__main__":
    sys.exit(main())
