#!/usr/bin/env python3
"""count.py — writes docs/emulated.md: what our functions cost on Arm CPUs that are not at hand, by a stand-in for time.

    python3 tests/cross/count.py [--print]

The same emulated CPU runs our public functions, OpenSSL's and Go's (work.c, gowork/), and icount.c counts the executed
instructions. A figure is the difference of two runs of different numbers of rounds, in instructions per byte. It is no
measurement of time. OpenSSL comes from Debian's package for the architecture. --print writes no file."""

import argparse
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))  # behind this folder, for both have a run.py

import debian  # noqa: E402
import run as cross  # noqa: E402
import setup  # noqa: E402
from setup import BUILD, ROOT, Tool, say  # noqa: E402

WHERE = BUILD / "cross" / "count"
PAGE = ROOT / "docs" / "emulated.md"
TOOLS = [Tool("gcc", ["gcc", "--version"], ["gcc"])]
LIMIT_S = 300

# The builds with the name that Debian and that Go have for the architecture.
DEBIAN = {"arm64": "arm64", "armhf": "armhf", "armel": "armel"}
GO = {"arm64": {"GOARCH": "arm64"}, "armhf": {"GOARCH": "arm", "GOARM": "7"}, "armel": {"GOARCH": "arm", "GOARM": "5"}}

# CPUs: the words of the table, the build, qemu's model, and what makes each library do without instructions that the model has.
NO_AES = {"XORCORE_DISABLE": "aes,pmull,sve_aes", "OPENSSL_armcap": "1", "GODEBUG": "cpu.aes=off,cpu.pmull=off"}
CPUS = [
    ("arm64, Cortex-A53", "arm64", "cortex-a53", {}),
    ("arm64, all that qemu has (EOR3, SVE2)", "arm64", "max", {}),
    ("arm64 without AES and PMULL", "arm64", "cortex-a53", NO_AES),
    ("32-bit, ARMv8 with AES", "armhf", "max", {}),
    ("32-bit, Cortex-A9 with NEON", "armhf", "cortex-a9", {}),
    ("32-bit, Cortex-A9 without NEON", "armhf", "cortex-a9,neon=off", {}),
    ("32-bit, ARM926 (ARMv5)", "armel", "arm926", {}),
]
MODES = ("gcm", "ctr", "cbc-encrypt", "cbc-decrypt")
LARGE = 65536
NARROW = [cpu for cpu in CPUS if cpu[1] != "arm64"]  # where a misaligned access can be dear, or none at all
XOR_SIZES = (128, 2048, 32768)
OFFSETS_AT = 2048


class Programs:
    """The plugin, and for each build the two programs and OpenSSL's library."""

    def __init__(self):
        WHERE.mkdir(parents=True, exist_ok=True)
        setup.want([tool for arch in ("arm64", "arm") for tool in cross.ARCHES[arch].tools] + TOOLS)
        self.plugin = WHERE / "icount.so"
        setup.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", HERE / "icount.c", "-o", self.plugin])
        self.emulator, self.triple = {}, {}
        for name in GO:
            arch = next(arch for arch in cross.ARCHES.values() if name in arch.builds)
            triple = self.triple[name] = arch.builds[name].triple
            self.emulator[name] = [arch.emulator, "-L", f"/usr/{triple}"]
            build = WHERE / name
            setup.configure(build, f"-DCMAKE_TOOLCHAIN_FILE={HERE / 'toolchain' / f'{name}.cmake'}",
                            "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF")
            # Not position independent, so that addresses in the file are addresses in the run.
            setup.run([f"{triple}-gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-no-pie", f"-I{ROOT / 'libxorcore/include'}",
                       HERE / "work.c", build / "libxorcore/libxorcore.a", "-o", WHERE / f"work-{name}"])
            setup.run(["go", "build", "-o", WHERE / f"gowork-{name}", "main.go"], cwd=HERE / "gowork",
                      env=setup.environment(CGO_ENABLED=0, GOOS="linux", **GO[name]))
        self.go = subprocess.run(["go", "env", "GOVERSION"], text=True, capture_output=True, check=True,
                                 env=setup.environment()).stdout.strip()
        self.libcrypto = {name: next(debian.unpack(DEBIAN[name], ["libssl3"]).rglob("libcrypto.so.3")) for name in GO}

    def openssl(self):
        """The version, by the sentence that the library has in it."""
        versions = {re.search(rb"OpenSSL (\d+\.\d+\.\d+)", file.read_bytes())[1].decode() for file in self.libcrypto.values()}
        return " and ".join(sorted(versions))

    def program(self, peer, name):
        if peer == "go":
            return [WHERE / f"gowork-{name}"]
        return [WHERE / f"work-{name}", "xorcore" if peer == "xorcore" else self.libcrypto[name]]

    def once(self, peer, name, model, more, *arguments):
        """One run: (instructions in all, the digest of the output, its blocks)."""
        command = [*self.emulator[name], "-cpu", model, "-plugin", self.plugin, *self.program(peer, name), *arguments]
        done = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=LIMIT_S,
                              stdin=subprocess.DEVNULL, env=setup.environment(GOGC="off", GOMAXPROCS="1", **more))
        total = re.search(r"^total (\d+)$", done.stderr, re.MULTILINE)
        if done.returncode != 0 or not total:
            raise setup.SetupError(f"{' '.join(map(str, command))}: {done.stderr[-500:]}")
        blocks = [(int(at, 16), int(count), int(times)) for at, count, times
                  in re.findall(r"^block (\w+) (\d+) (\d+)", done.stderr, re.MULTILINE)]
        return int(total[1]), done.stdout.strip(), blocks

    def per_byte(self, peer, cpu, operation, size, offsets=()):
        """(instructions per byte, digest, blocks) of an operation. Go's own housekeeping varies, so it has more rounds."""
        _, name, model, more = cpu
        rounds = max(4, (16 << 20 if peer == "go" and operation == "xor" else 1 << 18) // size)
        few = self.once(peer, name, model, more, operation, size, 2, *offsets)
        many = self.once(peer, name, model, more, operation, size, 2 + rounds, *offsets)
        return (many[0] - few[0]) / rounds / size, many[1], many[2]


def figure(value):
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


class Figures:
    """All of the counts, two runs at a time."""

    def __init__(self, programs):
        self.go, self.openssl = programs.go, programs.openssl()
        wanted = []
        for cpu in CPUS:
            for operation in MODES:
                wanted += [(peer, cpu, operation, LARGE) for peer in ("xorcore", "openssl", "go")]
            for size in XOR_SIZES:
                wanted += [(peer, cpu, "xor", size) for peer in ("xorcore", "go")]
            for offset in range(1, 8) if cpu in NARROW else ():
                wanted += [(peer, cpu, "xor", OFFSETS_AT, offsets) for peer in ("xorcore", "go")
                           for offsets in ((offset,) * 3, (0, offset, 0))]
        with ThreadPoolExecutor(int(setup.jobs())) as pool:
            runs = {(peer, cpu[0], *rest): pool.submit(programs.per_byte, peer, cpu, *rest) for peer, cpu, *rest in wanted}
            self.runs = {key: run.result() for key, run in runs.items()}
        # The counts are of the same work, or of nothing.
        for (peer, cpu, *rest), (_, digest, _) in self.runs.items():
            if digest != self.runs["xorcore", cpu, *rest][1]:
                raise setup.SetupError(f"{peer} on {cpu}: {rest} gives another result than ours")

    def __getitem__(self, key):
        return self.runs[key][0]

    def blocks(self, cpu, operation, size):
        return self.runs["xorcore", cpu, operation, size][2]


def modes_table(figures):
    yield "| CPU | operation | xorcore | OpenSSL | Go | of OpenSSL's | of Go's |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for cpu, *_ in CPUS:
        for operation in MODES:
            ours, openssl, go = (figures[peer, cpu, operation, LARGE] for peer in ("xorcore", "openssl", "go"))
            yield (f"| {cpu} | AES-128 {operation.upper()} | {figure(ours)} | {figure(openssl)} | {figure(go)} | "
                   f"{ours / openssl:.2f} | {ours / go:.2f} |")


def xor_table(figures):
    yield "| CPU | bytes | xorcore | Go | of Go's |"
    yield "|---|---:|---:|---:|---:|"
    for cpu, *_ in CPUS:
        for size in XOR_SIZES:
            ours, go = (figures[peer, cpu, "xor", size] for peer in ("xorcore", "go"))
            yield f"| {cpu} | {size} | {figure(ours)} | {figure(go)} | {ours / go:.2f} |"


def offsets_table(figures):
    yield f"| CPU | | {' | '.join(map(str, range(8)))} | worst, of offset 0 |"
    yield f"|---|---|{'---:|' * 9}"
    kinds = (("all three at the offset", lambda o: (o, o, o)), ("one source at the offset", lambda o: (0, o, 0)))
    for cpu, *_ in NARROW:
        for peer in ("xorcore", "go"):
            base = figures[peer, cpu, "xor", OFFSETS_AT]
            for what, offsets in kinds:
                row = [base, *(figures[peer, cpu, "xor", OFFSETS_AT, offsets(o)] for o in range(1, 8))]
                yield f"| {cpu} | {peer}, {what} | {' | '.join(map(figure, row))} | {max(row) / base:.2f} |"


def page(figures):
    yield "# Arm CPUs that were not at hand"
    yield ""
    yield ("Written by `python3 tests/cross/count.py`. No such CPU was there to measure time on, and these figures are none: they "
           "say how many instructions an emulated CPU (qemu-user) executed, which leaves out what each of them costs.")
    yield ""
    yield f"Compared are OpenSSL {figures.openssl} from Debian's packages and Go's standard library ({figures.go}), by the same operation through"
    yield "the public functions of each. Fewer is better. A figure is the difference of two runs of different numbers of rounds, divided by"
    yield "the bytes; the outputs of all three are the same."
    yield ""
    yield "## Instructions per byte: AES-128, 64 KiB"
    yield ""
    yield from modes_table(figures)
    yield ""
    yield "Without AES instructions OpenSSL's and Go's figures may be those of tables in memory, whose index is a secret; ours are constant in time."
    yield ""
    yield "## Instructions per byte: XOR of two sources"
    yield ""
    yield from xor_table(figures)
    yield ""
    yield f"## Instructions per byte: XOR at the offsets 0 to 7, {OFFSETS_AT} bytes"
    yield ""
    yield from offsets_table(figures)


def main():
    parser = argparse.ArgumentParser(description="Instructions per byte on emulated Arm CPUs.")
    parser.add_argument("--print", action="store_true", help="print the page and write nothing")
    only_print = parser.parse_args().print
    try:
        figures = Figures(Programs())
    except (setup.SetupError, subprocess.SubprocessError) as error:
        say(f"count: {error}")
        return 1
    text = "\n".join(page(figures)) + "\n"
    if only_print:
        say(text)
    else:
        PAGE.write_text(text, encoding="utf-8")
        say(f"written: {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
