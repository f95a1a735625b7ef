#!/usr/bin/env python3
"""run.py — the C tests on other architectures and CPUs: cross compilers, qemu-user and bochs for the CPUs.

    python3 tests/cross/run.py [--arch amd64|arm64|arm|ppc64|s390x|riscv64|loongarch64]

amd64 is a matter of its own: amd64.py.

Each build of an architecture has its file in toolchain/ and is made in build/cross/. On every CPU model runs
checkkernel; with it, on models that ARCHES names, all that ctest has, on others a sample of the vectors. What checkkernel
says in its line `ran MODEL: family/name …` must be what the model's features in models.py ask for: a kernel that was
skipped, or that nobody expected, is a failure, and so are vectors of which two models ran a different number: the tree's
own, Wycheproof's, a sample of CAVP's. Missing compilers and emulators are installed when this runs as root with apt. The
last line is `N passed, N failed`."""

import argparse
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import amd64  # noqa: E402
import baseline  # noqa: E402
import bindings  # noqa: E402
import debian  # noqa: E402
import models  # noqa: E402
import setup  # noqa: E402
from setup import BUILD, ROOT, Tool, say  # noqa: E402

# Not for an emulator: the installed tree, the compiler's output, and calls of more than 2^31 bytes.
LEFT_OUT = "packaging|large"

# Beside the tree's own vectors: Wycheproof's all, and one of NIST's CAVP cases in so many.
CAVP_EVERY = 50
FOREIGN = BUILD / "vectors-cross"

LIMIT_S = 900  # of one program

# How much a CPU model runs. ALL is ctest, with every vector on every kernel: about a minute. SAMPLE is checkkernel and, on the
# default kernels, the cases that tests/vectors/sample.py has chosen of them: a few seconds. KERNELS is checkkernel alone, on models
# with a feature hidden too. checkkernel is the brief one but for ALL: with NEON's table look-up, which qemu is slow at, the quick one
# takes half a minute.
ALL, SAMPLE, KERNELS = "all", "sample", "kernels"


class Build:
    """A file in toolchain/ with the triple of its C library, and the CPU models that run what it makes: their features, and
    which of them run all. `beyond` are the features that this compiler has no flags for. With a `root`, where the C library is
    unpacked, LLVM's tools stand in for the triple's own."""

    def __init__(self, triple, features, run_all=(), rest=SAMPLE, beyond=(), go=None, root=None):
        self.triple, self.features, self.beyond = triple, features, frozenset(beyond)
        self.library = f"{root or ''}/usr/{triple}"
        self.compiler = [f"{triple}-gcc"]
        self.objdump = f"{triple}-objdump"
        if root:
            self.compiler = ["clang-19", f"--target={triple}", f"--sysroot={root}", "-fuse-ld=lld-19"]
            self.objdump = "llvm-objdump-19"
        self.go = go  # Go's name of the architecture, where its package's tests run with this build
        self.amount = {model: ALL if model in run_all else KERNELS if models.WITHOUT in model else rest for model in features}


# Debian 12's qemu is 7.2, which is too old for some CPUs; newer ones are in its backports, linked statically. Debian 13 has C
# libraries that it lacks.
BACKPORTS, LATER = "bookworm-backports", "trixie"


class Arch:
    """An architecture: its emulator and the oldest version that will do, its builds by the name of their file in toolchain/, and
    the Debian packages of the C libraries by their triples; `later` are those that come from a later Debian, and are unpacked."""

    def __init__(self, emulator, libraries, builds, more=(), oldest=(0, 0), later=()):
        self.emulator, self.builds, self.later = emulator, builds, later
        self.qemu = Tool(emulator, [emulator, "--version"], ["qemu-user"], r"version (\d+)\.(\d+)", oldest)
        self.tools = [self.qemu, *more]
        for triple, library in libraries.items():
            self.tools += [
                Tool(f"{triple}-gcc", [f"{triple}-gcc", "--version"], [f"gcc-{triple}", library]),
                Tool(f"the C library of {triple}", ["test", "-e", f"/usr/{triple}/lib/libc.so.6"], [library]),
            ]


def some(features, *models_):
    return {model: features[model] for model in models_}


CLANG = Tool("clang", ["clang", "--version"], ["clang"], why="the Arm kernels are built with it too")

ARCHES = {
    # Everything runs on one model that has all kernels of the build, the rest on those that differ in what a CPU has: a length of
    # SVE's registers, another core, or features that are hidden from the program.
    "arm64": Arch("qemu-aarch64", {"aarch64-linux-gnu": "libc6-dev-arm64-cross"}, {
        "arm64": Build("aarch64-linux-gnu", models.ARM64, run_all=("max",), go="arm64"),
        "arm64_strict": Build("aarch64-linux-gnu", some(models.ARM64, "max")),
        "arm64_clang": Build("aarch64-linux-gnu", some(models.ARM64, "cortex-a53", "max"), rest=KERNELS)}, [CLANG]),
    # There is no armel of clang's: for ARMv5 it has no atomic words but by a library. armel itself, soft float, can't compile
    # what needs vectors.
    "arm": Arch("qemu-arm", {"arm-linux-gnueabihf": "libc6-dev-armhf-cross", "arm-linux-gnueabi": "libc6-dev-armel-cross"}, {
        "armhf": Build("arm-linux-gnueabihf", models.ARMHF, run_all=("cortex-a9",), go="arm"),
        "armhf_strict": Build("arm-linux-gnueabihf", some(models.ARMHF, "max")),
        "armhf_clang": Build("arm-linux-gnueabihf", some(models.ARMHF, "cortex-a9", "max"), rest=KERNELS),
        "armel": Build("arm-linux-gnueabi", models.ARMEL, run_all=("arm926",), beyond=models.ARMV8),
        "armel_strict": Build("arm-linux-gnueabi", some(models.ARMEL, "arm926"), beyond=models.ARMV8)}, [CLANG]),
    # e5500 has no AltiVec. On qemu's 970 and power5+ the C library's own memset goes wrong: they clear 32
    # bytes by a dcbz where it counts on 128.
    "ppc64": Arch("qemu-ppc64", {"powerpc64-linux-gnu": "libc6-dev-ppc64-cross"}, {
        "ppc64": Build("powerpc64-linux-gnu", dict.fromkeys(("e5500", "power7", "power8"), frozenset()),
                       run_all=("power8",))}),
    "s390x": Arch("qemu-s390x", {"s390x-linux-gnu": "libc6-dev-s390x-cross"}, {
        "s390x": Build("s390x-linux-gnu", models.S390X, run_all=("max",))}),
    # Debian 12's gcc has no intrinsics of vectors. From version 9 on qemu knows all of the features and the call that tells of them.
    "riscv64": Arch("qemu-riscv64", {"riscv64-linux-gnu": "libc6-dev-riscv64-cross"}, {
        "riscv64": Build("riscv64-linux-gnu", {"rv64": frozenset()}, rest=KERNELS, beyond=models.RISCV64_MAX),
        "riscv64_clang": Build("riscv64-linux-gnu", models.RISCV64, run_all=("max",))},
        [Tool("clang-19", ["clang-19", "--version"], ["clang-19"], why="it has the intrinsics of RISC-V's vectors")], oldest=(9, 0)),
    # Nothing runs all: qemu calls a function for every shuffle of bytes, and all take it eleven minutes.
    "loongarch64": Arch("qemu-loongarch64", {}, {
        "loongarch64": Build("loongarch64-linux-gnu", models.LOONGARCH64, root=debian.root(LATER))},
        [Tool(name, [name, "--version"], [package], why="Debian 12 has no gcc for LoongArch")
         for name, package in (("clang-19", "clang-19"), ("ld.lld-19", "lld-19"), ("llvm-objdump-19", "llvm-19"))], oldest=(9, 0),
        later=("libc6-dev-loong64-cross", "libc6-loong64-cross", "linux-libc-dev-loong64-cross", "libgcc-14-dev-loong64-cross",
               "libgcc-s1-loong64-cross")),
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


def check_vectors(count, label, expected, amount, outputs, totals):
    """Where the same kernels run, so does the same number of vectors."""
    runs = sum(int(number) for output in outputs for number in re.findall(r"^vectors c total: runs=(\d+)$", output, re.MULTILINE))
    first, first_runs = totals.setdefault((frozenset(expected), amount), (label, runs))
    say(f"{label}: {runs} vector runs")
    count.case(f"{label}/vectors", 0 < runs == first_runs, f"{runs} runs; on {first} there were {first_runs}")


def emulated(command, program, *arguments, **environment):
    """A program on the CPU that QEMU_CPU names: what it wrote, and how it ended unless well."""
    try:
        done = subprocess.run([*command, program, *map(str, arguments)], text=True, errors="replace",
                              env=setup.environment(**environment), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return "", f"stopped after {LIMIT_S} s"
    return done.stdout, f"exit status {done.returncode}" if done.returncode else ""


def few(count, emulator, where, label, arch_name, model, lines):
    """checkkernel, and a sample of the vectors where they are asked for; what the programs wrote."""
    runs = [("checkkernel", "checkkernel/checkkernel", "--brief")]
    if lines:
        runs.append(("vectors_c", "vectors_c/xorcore_vectors", "--whole", "none", lines))
    cpu, masks = models.hidden(arch_name, model)
    if masks:
        emulator = [*emulator, "-E", f"LD_PRELOAD={where / 'hwcap.so'}"]
    outputs = []
    for name, program, *arguments in runs:
        output, problem = emulated(emulator, where / "tests" / program, *arguments, QEMU_CPU=cpu, XORCORE_MODEL=model, **masks)
        if problem:
            say("\n".join(re.findall(r"^FAILED .*$", output, re.MULTILINE)[:10] or output.splitlines()[-15:]))
        count.case(f"{label}/{name}", not problem, problem)
        outputs.append(output)
    return outputs


def run_build(count, arch_name, build_name, build, lines, totals):
    emulator = [ARCHES[arch_name].emulator, "-L", build.library]
    where = BUILD / "cross" / build_name
    setup.configure(where, f"-DCMAKE_TOOLCHAIN_FILE={HERE / 'toolchain' / f'{build_name}.cmake'}",
                    "-DCMAKE_BUILD_TYPE=Release", "-DXORCORE_WERROR=ON")
    setup.run([*build.compiler, "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
               HERE / "hwcap.c", "-o", where / "hwcap.so"])
    kernels = models.Kernels(where, arch_name, build.beyond)
    problems = [f"{row} was left out" for row in kernels.left_out]
    problems += [f"{row} was not left out" for row in kernels.unexpected]
    count.case(f"{build_name}/compiler", not problems, ", ".join(problems))
    if arch_name in baseline.ABOVE:
        problems = baseline.problems(build.objdump, where, arch_name, kernels)
        count.case(f"{build_name}/baseline", not problems, ", ".join(problems))
    for model, features in build.features.items():
        label, amount = f"{build_name}/{model}", build.amount[model]
        begun = time.monotonic()
        say(f"\n---- {label}: {amount}")
        if amount == ALL:
            outputs = ctest(count, where, label, model, setup.vector_folders(FOREIGN))
        else:
            outputs = few(count, emulator, where, label, arch_name, model, lines if amount == SAMPLE else None)
        check_kernels(count, label, model, kernels, features, outputs)
        if amount != KERNELS:
            check_vectors(count, label, kernels.expected(features), amount, outputs, totals)
        say(f"{label}: {time.monotonic() - begun:.0f} s")
    if build.go:
        bindings.go(count, emulator, build.triple, build.go, where)


PATH = os.environ.get("PATH", os.defpath)


def fetch(arch):
    """What is not to be installed: an emulator from the backports, which goes before this machine's where programs are looked for, if
    that is too old; and a later Debian's C library."""
    os.environ["PATH"] = PATH
    if arch.qemu.oldest > (0, 0) and (arch.qemu.found() or (0, 0)) < arch.qemu.oldest:
        os.environ["PATH"] = f"{debian.unpack(debian.own(), ['qemu-user'], BACKPORTS) / 'usr/bin'}:{PATH}"
    if arch.later:
        debian.unpack(debian.own(), arch.later, LATER)


def run_arch(count, name, totals):
    arch = ARCHES[name]
    fetch(arch)
    setup.want([tool for tool in setup.TOOLS["build"] if tool.name in NEEDED] + arch.tools)
    setup.vectors(FOREIGN, CAVP_EVERY)
    lines = BUILD / "cross" / "vectors.txt"
    lines.parent.mkdir(parents=True, exist_ok=True)
    setup.run([sys.executable, ROOT / "tests/vectors/flatten.py", "-o", lines, *setup.vector_folders(FOREIGN).split(":")])
    for build_name, build in arch.builds.items():
        run_build(count, name, build_name, build, lines, totals)


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
