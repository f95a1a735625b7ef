"""amd64.py — the kernels of amd64 on CPUs that this machine is not: bochs' and qemu's models, and fewer features.

One static build is run everywhere: checkkernel and the vectors, which the program carries inside. models.py says
what must run where; a kernel that was skipped, or that nobody expected, is a failure."""

import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import bochs
import models
import setup
from setup import BUILD, ROOT, Tool, say

HERE = Path(__file__).resolve().parent
WHERE = BUILD / "cross" / "amd64"
COMPILER = "x86_64-linux-gnu-gcc"
LIMIT_S = 900  # of one program

TOOLS = [
    Tool(COMPILER, [COMPILER, "--version"], ["gcc-x86-64-linux-gnu"]),
    Tool("objcopy", ["objcopy", "--version"], ["binutils"]),
    Tool("qemu-x86_64", ["qemu-x86_64", "--version"], ["qemu-user"]),
    *bochs.TOOLS,
]

# Of checkkernel: every residue of every loop and every key size, each at one place.
CHECK = ["--brief"]

# XCR0, by which the system says what it saves: x87 and SSE, and AVX.
SSE_SAVED, AVX_SAVED = 3, 7


class Matrix:
    """The programs, and what came of the runs."""

    def __init__(self, count, kernels, checkkernel, vectors, control, loader, host):
        self.host, self.whole = host, set()
        self.count, self.kernels, self.loader = count, kernels, loader
        self.checkkernel, self.vectors, self.control = checkkernel, vectors, control
        self.totals = {}
        self.check = [*CHECK, "--seed", str(random.getrandbits(63))]  # one seed for all models

    # ---- the three ways to run a program: (exit status, output) ------------------------------------------

    def on_bochs(self, label, model, program, arguments, **environment):
        where = WHERE / "bochs" / re.sub(r"\W+", "_", label)
        return bochs.run(self.loader, program, models.BOCHS[model][0], where, arguments, environment, LIMIT_S)

    @staticmethod
    def on_host(command, **environment):
        try:
            done = subprocess.run([str(word) for word in command], env=setup.environment(**environment), text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  errors="replace", timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return None, f"stopped after {LIMIT_S} s"
        return done.returncode, done.stdout

    # ---- what a run must have said -------------------------------------------------------------------------

    def kernels_ran(self, label, model, features, result):
        status, output = result
        problems = models.wrong(self.kernels, model, features, output)
        failed = re.findall(r"^FAILED (.*)$", output, re.MULTILINE)
        if status != 0:
            problems.insert(0, f"exit status {status}")
        ran = models.words("ran", model, output)
        told = [f"ran {label}: {' '.join(sorted(ran))}"] if ran else []
        told += [f"  {line}" for line in failed[:10] or (output.splitlines()[-15:] if problems else [])]
        say("\n".join(told))
        self.count.case(f"amd64/{label}/kernels", not problems, ", ".join(problems))

    def vectors_ran(self, label, features, options, result):
        status, output = result
        match = re.search(r"^vectors c total: runs=(\d+)$", output, re.MULTILINE)
        runs = int(match[1]) if match else 0
        first, first_runs = self.totals.setdefault(
            (frozenset(self.kernels.expected(features)), *options), (label, runs))
        good = status == 0 and 0 < runs == first_runs
        say(f"{label}: {runs} vector runs")
        if good:
            self.whole |= set(" ".join(re.findall(r"^every case on:(.*)$", output, re.MULTILINE)).split())
        else:
            say("\n".join(f"  {line}" for line in output.splitlines()[-15:]))
        self.count.case(f"amd64/{label}/vectors", good,
                        f"exit status {status}, {runs} runs; on {first} there were {first_runs}")

    def all_ran_every_case(self):
        """Every kernel has run every vector somewhere, whatever this machine's CPU is."""
        say(f"every vector ran on: {' '.join(sorted(self.whole))}")
        missed = set(self.kernels.needs) - self.whole
        self.count.case("amd64/every vector on every kernel", not missed, " ".join(sorted(missed)))

    # ---- the vector program's options: kernels that need one of the words run every vector -------------------

    @staticmethod
    def vector_options(words):
        return "--whole", ",".join(sorted(words)) or "none"

    def bochs_options(self, model):
        """Those that come with this model, and not with an older one or with qemu."""
        older = set(models.QEMU[models.QEMU_MAX])
        for other, (_, features) in models.BOCHS.items():
            if other == model:
                return self.vector_options(self.kernels.features & features - older)
            older |= features

    def qemu_options(self, cpu):
        """Once on qemu those kernels that neither bochs nor this machine takes care of; all, where none can run here."""
        if cpu != models.QEMU_MAX:
            return self.vector_options(())
        return self.vector_options(models.QEMU[cpu] - self.host) if self.host is not None else ()

    def native_options(self, without):
        return self.vector_options(()) if without else ()

    # ---- the runs ------------------------------------------------------------------------------------------

    def bochs_model(self, model, label=None, features=None, **environment):
        label = label or f"bochs/{model}"
        features = models.BOCHS[model][1] if features is None else features
        self.kernels_ran(label, label, features, self.on_bochs(
            f"{label} kernels", model, self.checkkernel, self.check, XORCORE_MODEL=label, **environment))

    def bochs_vectors(self, model):
        label, (_, features) = f"bochs/{model}", models.BOCHS[model]
        options = self.bochs_options(model)
        self.vectors_ran(label, features, options, self.on_bochs(
            f"{label} vectors", model, self.vectors, options))

    def on_this_machine(self, label, features, options, emulator, **environment):
        self.kernels_ran(label, label, features, self.on_host(
            [*emulator, self.checkkernel, *self.check], XORCORE_MODEL=label, **environment))
        self.vectors_ran(label, features, options, self.on_host([*emulator, self.vectors, *options], **environment))

    def qemu(self, cpu, features):
        self.on_this_machine(f"qemu/{cpu}", features, self.qemu_options(cpu), ["qemu-x86_64", "-cpu", cpu])

    def without(self, words, features):
        self.on_this_machine(f"native,{words}=off" if words else "native", features, self.native_options(words), [],
                             XORCORE_DISABLE=words)

    def control_faults(self, what):
        """A touch of memory that is not there must end the run, with its address."""
        status, output = self.on_bochs(f"control {what}", "ice_lake", self.control, [what])
        touched = re.search(r"^control (0x[0-9a-f]+)$", output, re.MULTILINE)
        ended = re.search(r"^loader: SIGSEGV at address (0x[0-9a-f]+), ", output, re.MULTILINE)
        good = status == 139 and touched and ended and touched[1] == ended[1]
        say(f"control {what}: {ended[0].strip(', ') if ended else output[-500:]}")
        self.count.case(f"amd64/control/{what}", bool(good), f"exit status {status}, not a fault at the address")

    def control_handled(self):
        status, output = self.on_bochs("control handled", "ice_lake", self.control, ["handled"])
        say(f"control handled: exit status {status}")
        self.count.case("amd64/control/handled", status == 0, f"exit status {status}: {output[-500:]}")


def host_features(known, cpuinfo):
    """A CPU's features by the text of /proc/cpuinfo. Those that are judgements come out as in cpu/amd64.c."""
    def field(name):
        return re.search(rf"^{name}\s*:\s*(.*?)\s*$", cpuinfo, re.MULTILINE)[1]
    flags = set(field("flags").split())
    flags |= {word for word, other in {"pclmul": "pclmulqdq"}.items() if other in flags}
    if "avx512f" in flags:
        maker, family = field("vendor_id"), int(field("cpu family"))
        if (maker, family, int(field("model"))) != ("GenuineIntel", 6, 0x55):
            flags.add("fast_zmm")
        if (maker, family) != ("AuthenticAMD", 0x19):
            flags.add("whole_zmm")
    return flags & known


def build():
    foreign = BUILD / "vectors-cross"
    lines = WHERE / "vectors.txt"
    WHERE.mkdir(parents=True, exist_ok=True)
    setup.run([sys.executable, ROOT / "tests/vectors/flatten.py", "-o", lines,
               *setup.vector_folders(foreign).split(":")])
    setup.run(["cmake", "-S", ROOT, "-B", WHERE / "build", f"-DCMAKE_C_COMPILER={COMPILER}",
               "-DCMAKE_BUILD_TYPE=Release", "-DXORCORE_WERROR=ON", f"-DXORCORE_VECTORS_INSIDE={lines}"])
    setup.run(["cmake", "--build", WHERE / "build", "--parallel", setup.jobs(), "--target", "checkkernel_static",
               "xorcore_vectors_static"])
    control = WHERE / "control"
    setup.run([COMPILER, "-O1", "-Wall", "-Wextra", "-Werror", "-static", HERE / "control.c", "-o", control])
    tests = WHERE / "build/tests"
    kernels = models.Kernels(WHERE / "build", "amd64")
    return (kernels, tests / "checkkernel/checkkernel_static", tests / "vectors_c/xorcore_vectors_static", control,
            bochs.build_loader(COMPILER, WHERE / "loader"))


def work_of(matrix):
    """The whole matrix, what takes longest first: (function, arguments)."""
    kernels, host = matrix.kernels, matrix.host
    for model in ("ice_lake", "tiger_lake"):
        yield matrix.bochs_vectors, (model,)
        yield matrix.bochs_model, (model,)
    for word in sorted(kernels.features & models.ICE_LAKE - (host or set())):
        yield partial(matrix.bochs_model, XORCORE_DISABLE=word), (
            "ice_lake", f"bochs/ice_lake,{word}=off", models.ICE_LAKE - {word})
    for model in ("skylake_x", "cannon_lake", "haswell", "sandy_bridge", "arrandale", "penryn", "prescott"):
        yield matrix.bochs_model, (model,)
        yield matrix.bochs_vectors, (model,)
    # A system that saves less than the CPU has.
    for model, lost, saved in (("ice_lake", models.ZMM, AVX_SAVED), ("haswell", models.YMM, SSE_SAVED)):
        yield partial(matrix.bochs_model, xcr0=saved), (
            model, f"bochs/{model},xcr0={saved}", models.BOCHS[model][1] - lost)
    for what in ("over-read", "unmapped", "read-only"):
        yield matrix.control_faults, (what,)
    yield matrix.control_handled, ()
    for cpu, features in models.QEMU.items():
        yield matrix.qemu, (cpu, features)
    most = models.QEMU[models.QEMU_MAX]
    for word in sorted(most & kernels.features - models.SSE2):
        yield matrix.qemu, (f"{models.QEMU_MAX},{models.QEMU_WORDS.get(word, word)}=off",
                            most - {word} - models.QEMU_TAKES_ALONG.get(word, set()))
    if host is not None:
        yield matrix.without, ("", host)
        yield matrix.without, ("avx512", {word for word in host if not word.startswith("avx512")})
        for word in sorted(host):
            yield matrix.without, (word, host - {word})


def run(count):
    setup.want([tool for tool in setup.TOOLS["build"] if tool.name in ("make", "CMake", "Python's venv", "Go")] + TOOLS)
    setup.vectors(BUILD / "vectors-cross", 50)
    kernels, *programs = build()
    host = None
    if os.uname().machine == "x86_64":
        host = host_features(kernels.features, Path("/proc/cpuinfo").read_text())
        say(f"this machine has {' '.join(sorted(host))}")
    matrix = Matrix(count, kernels, *programs, host)
    count.case("amd64/compiler", not matrix.kernels.left_out,
               f"the compiler left out {' '.join(matrix.kernels.left_out)}")
    with ThreadPoolExecutor(int(setup.jobs())) as pool:
        for done in [pool.submit(function, *arguments) for function, arguments in work_of(matrix)]:
            done.result()
    matrix.all_ran_every_case()
