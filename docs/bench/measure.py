"""measure.py — runs the benchmarks in C, Python and Go, and hands their figures over as plain dictionaries."""

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import setup  # noqa: E402
from setup import BUILD, PREFIX, PYTHON, environment, say  # noqa: E402

WORK = BUILD / "bench"
PROGRAM = PREFIX / "bin" / "xorcore-bench"
CLANG = BUILD / "bench-clang"

# Peer, the file that shows that it is here, Debian's package, and its header where it is built against one.
PEERS = (("libgcrypt", "libgcrypt.so.20", "libgcrypt20", None),
         ("nettle", "libnettle.so.8", "libnettle8", None),
         ("ISA-L", "libisal.so.2", "libisal2", None),
         ("ipsec-mb", "libIPSec_MB.so.1", "libipsec-mb-dev", "/usr/include/intel-ipsec-mb.h"))

# A CPU without AVX-512, and CPUs without AES instructions, as the library sees them.
NO_AVX512 = {"XORCORE_DISABLE": "avx512f"}
NO_AES = {"XORCORE_DISABLE": "aes"}

BUDGET_MS = int(os.environ.get("BENCH_MS", "100"))  # of a line of the tables
LONG_MS = 4 * BUDGET_MS  # of a line that a goal is about, in all its processes
PROCESSES = 3


def get_peers():
    """Installs the libraries that ours is compared with, where that can be done; none of them has to be here."""
    if os.uname().machine != "x86_64":
        return
    for name, file, package, header in PEERS:
        def here():
            try:
                ctypes.CDLL(file)
            except OSError:
                return False
            return header is None or Path(header).exists()
        if not here() and not (setup.apt_install([package]) and here()):
            say(f"bench: {name} is not here (Debian package: {package}); going on without it")


# ---- xorcore-bench ---------------------------------------------------------------------------------------


WRONG = {}  # what was said of peers that compute something else


def bench(*options, env=None, quiet=False):
    """The lines that xorcore-bench prints, and the clock."""
    command = [str(part) for part in (PROGRAM, "--json", *options)]
    if not quiet:
        say("+ " + " ".join([*(f"{k}={v}" for k, v in (env or {}).items()), *command])[:150])
    done = subprocess.run(command, env=environment(**(env or {})), text=True, capture_output=True,
                          stdin=subprocess.DEVNULL)
    wrong = re.findall(r"^xorcore-bench: (.* computes something else)$", done.stderr, re.M)
    for text in wrong:
        say(f"bench: {text}, and was not timed")
    WRONG.update(dict.fromkeys(wrong))
    if done.returncode != 0 and not wrong:
        raise setup.SetupError(f"xorcore-bench ended with exit status {done.returncode}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()], re.search(r"core clock ([\d.]+)", done.stderr)[1]


def table(*options, env=None):
    """{(op, key, size): {impl: line}}; the ceilings' lines are in a list under "ceilings"."""
    found = {}
    for line in bench("--ceilings", *options, env=env)[0]:
        place = found.setdefault((line["op"], line["key"], line["size"]), {"ceilings": []})
        if line["impl"] == "ceiling":
            place["ceilings"].append(line)
        else:
            place[line["impl"]] = line
    return found


def merge(runs):
    """The best of several processes for everybody: where a process's memory lies makes a difference too."""
    found = runs[0]
    for place, lines in found.items():
        others = [run[place] for run in runs[1:]]
        for name, line in lines.items():
            if name == "ceilings":
                for i, probe in enumerate(line):
                    probe["ns"] = min(probe["ns"], *(other[name][i]["ns"] for other in others))
            else:
                line["ns"] = min(line["ns"], *(other[name]["ns"] for other in others if name in other))
        ours = lines["xorcore"]
        ours["vs"] = {name: lines[name]["ns"] / ours["ns"] for name in ours["vs"]}
    return found


# The lines that goals are about: operations and sizes, in runs of xorcore-bench.
BARS = (("gcm-seal,gcm-open", "64,1350,8192,65536"), ("ctr,gmac", "8192,65536"),
        ("cbc-encrypt,cbc-decrypt,cfb-encrypt,cfb-decrypt,ofb", "8192"), ("xts-encrypt,xts-decrypt", "4096"),
        ("cbc-encrypt-rows", "1024"), ("xor", "2048,4096,8192"), ("xor-random", "64"), ("xor-many", "2048"),
        ("xor-mask", "16384"), ("key-setup", "0"), ("gcm-one-message", "16"))
HUGE = (64 << 20, 128 << 20)


def bars(env=None):
    """The tables and the checks of one library as it is, or as it is on a lesser CPU."""
    found = {}
    for ops, sizes in BARS:
        key = () if "gcm" in ops else ("--key", "128")
        found |= merge([table("--op", ops, "--size", sizes, *key, "--time", LONG_MS / PROCESSES, env=env)
                        for _ in range(PROCESSES)])
    found |= table("--op", "xor", "--size", ",".join(map(str, HUGE)), "--peers", "isal,memcpy", "--time", 15 * BUDGET_MS,
                   env=env)
    return {"table": found, "checks": bench("--check", "all", env=env)[0], "set_key": set_key(env)}


def kernels(env=None):
    words = subprocess.run([PREFIX / "bin" / "xorcore-info", "--json"], env=environment(**(env or {})), text=True,
                           capture_output=True, check=True).stdout
    return json.loads(words)


def set_key(env):
    """Nanoseconds of the GCM kernel's own key set-up, which no public function is."""
    name = next(k["name"] for k in kernels(env)["kernels"] if k["family"] == "gcm" and k["default"])
    done = subprocess.run([BUILD / "tests/checkkernel/checkkernel", "--kernel", f"gcm/{name}", "--bench"],
                          env=environment(**(env or {})), text=True, capture_output=True)
    found = re.search(r"^\S+ +set_key-128 .* ([\d.]+) ns$", done.stdout, re.M)
    return float(found[1]) if found else None


def without_aes():
    """CTR on CPUs that lack AES instructions: the best row that is left, and portable code; each beside OpenSSL."""
    options = ("--op", "ctr", "--key", "128", "--size", "16384", "--time", LONG_MS)
    return {"vector": table(*options, "--peers", "openssl-no-aes", env=NO_AES),
            "portable": table(*options, "--peers", "openssl-c", "--kernel", "portable")}


def xor_sweep():
    """The size at which XOR does worst beside the Go-like loop, and the two times; None where there is no such loop."""
    # Every size up to 300, and those around each power of two and between.
    sizes = sorted({*range(1, 301), *(n + d for k in range(9, 16) for n in (1 << k, 3 << k >> 2) for d in (-1, 0, 1)
                                      if n + d <= 32768)})

    def at(sizes, ms):
        found = table("--op", "xor", "--peers", "go-sse2", "--time", ms, "--size", ",".join(map(str, sizes)))
        return {size: (lines["xorcore"]["ns"], lines["go-sse2"]["ns"]) for (_, _, size), lines in found.items()
                if "go-sse2" in lines}

    def over(pair):
        return pair[0] - 1.1 * pair[1]
    found = at(sizes, 5)
    if not found:
        return None
    # A neighbour on the core can spoil a short measurement, so the worst get a longer one.
    found |= at(sorted(sorted(found, key=lambda size: over(found[size]))[-12:]), 100)
    worst = max(found, key=lambda size: over(found[size]))
    return worst, *found[worst]


# ---- two compilers -----------------------------------------------------------------------------------------


def compilers():
    """{(op, key, size): (gcc's best, clang's best)} of the lines that goals are about; None without clang. The
    two libraries take turns, a process each."""
    clang = shutil.which("clang")
    if not clang:
        return None
    setup.configure(CLANG, f"-DCMAKE_C_COMPILER={clang}", "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF")
    sides = ({}, {"LD_LIBRARY_PATH": CLANG / "libxorcore"})
    say("+ the lines of the goals, with gcc's library and with clang's in turn")
    best = {}
    for _ in range(3):
        for ops, sizes in BARS:
            for side, env in enumerate(sides):
                lines, _ = bench("--op", ops, "--size", sizes, "--peers", "none", "--time", BUDGET_MS / 5, env=env,
                                 quiet=True)
                for line in lines:
                    pair = best.setdefault((line["op"], line["key"], line["size"]), [1e18, 1e18])
                    pair[side] = min(pair[side], line["ns"])
    return best


# ---- Python and Go -----------------------------------------------------------------------------------------


def python_table():
    """Name: nanoseconds of pyca/cryptography and of ours."""
    command = [PYTHON, ROOT / "python" / "bench.py", "60"]
    say("+ " + " ".join(map(str, command)))
    done = subprocess.run(command, env=environment(), text=True, stdout=subprocess.PIPE, check=True)
    rows = re.findall(r"^(\S.*?)  +(\d+)  +(\d+)  +[\d.]+$", done.stdout, re.M)
    if not rows:
        raise setup.SetupError("python/bench.py printed no table")
    return {name: (float(peer), float(mine)) for name, peer, mine in rows}


GO_BENCHMARKS = "^Benchmark(XORBytes|AESGCM|AESCTR|AESCBC.*|AESCFB.*|AESOFB1K|Records)$"


def go_table():
    """Name: nanoseconds of the standard library and of ours."""
    program = WORK / "go-bench"
    setup.run(["go", "test", "-c", "-o", program, "."], env=setup.go_environment(), cwd=ROOT / "go")

    def run(pattern, side, *options):
        done = subprocess.run([program, "-test.run=^$", f"-test.bench={pattern}", *options],
                              env=environment(XORCORE_BENCH=side), cwd=ROOT / "go", text=True, check=True,
                              stdout=subprocess.PIPE)
        return re.findall(r"^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op", done.stdout, re.M)

    found = {}
    for name, _ in run(GO_BENCHMARKS, "std", "-test.benchtime=1x"):
        # One process knows one side only, so short ones of both take turns; a millisecond fits between interruptions.
        pattern = "/".join(f"^{part}$" for part in f"Benchmark{name}".split("/"))
        best = {"std": 1e18, "xorcore": 1e18}
        for _ in range(6):
            for side in best:
                for _, took in run(pattern, side, "-test.benchtime=1ms", "-test.count=10"):
                    best[side] = min(best[side], float(took))
        found[name] = (best["std"], best["xorcore"])
    return found


# ---- the machine -------------------------------------------------------------------------------------------


def cpu_name():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return os.uname().machine


def go_version():
    return subprocess.run(["go", "version"], env=environment(), text=True, capture_output=True,
                          check=True).stdout.split()[2]
