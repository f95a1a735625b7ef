"""info.py — xorcore-info against the library's own list, read through ctypes."""

import argparse
import ctypes
import json
import os
import subprocess
import sys


class Kernel(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("family", "name", "needs", "why")] + [
        ("flags", ctypes.c_uint32), ("reserved", ctypes.c_uint32)]


def expect(good, text):
    if not good:
        sys.exit(f"WRONG {text}")
    print(f"ok    {text}", flush=True)


def run(program, *arguments, disable=None):
    env = {name: value for name, value in os.environ.items() if name != "XORCORE_DISABLE"}
    if disable is not None:
        env["XORCORE_DISABLE"] = disable
    return subprocess.run([program, *arguments], env=env, text=True, capture_output=True, stdin=subprocess.DEVNULL)


def from_library(path):
    """What the program must say, asked of the library in another way."""
    library = ctypes.CDLL(path)
    library.xorcore_version.restype = library.xorcore_cpu.restype = ctypes.c_char_p
    library.xorcore_kernel_count.restype = ctypes.c_size_t
    library.xorcore_kernel_at.argtypes = [ctypes.c_size_t, ctypes.POINTER(Kernel), ctypes.c_size_t]
    kernels = []
    for index in range(library.xorcore_kernel_count()):
        row = Kernel()
        expect(library.xorcore_kernel_at(index, row, ctypes.sizeof(row)) == 0, f"kernel_at({index})")
        kernels.append({"family": row.family.decode(), "name": row.name.decode(), "needs": row.needs.decode(),
                        "runs": bool(row.flags & 1), "default": bool(row.flags & 2),
                        "constant_time": bool(row.flags & 4), "why": row.why.decode() if row.why else None})
    return {"version": library.xorcore_version().decode(), "abi": library.xorcore_abi(),
            "cpu": library.xorcore_cpu().decode().split(), "kernels": kernels}


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "library", "version"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    os.environ.pop("XORCORE_DISABLE", None)
    truth = from_library(options.library)

    done = run(options.program, "--json")
    expect(done.returncode == 0 and not done.stderr, "--json ends well and complains of nothing")
    expect(done.stdout.count("\n") == 1, "--json is one line")
    expect(json.loads(done.stdout) == truth, "--json is what the library says, key by key")
    expect(truth["version"] == options.version, f"the version is {options.version}")

    done = run(options.program)
    rows = [line.split() for line in done.stdout.splitlines()]
    expect(done.returncode == 0 and rows[0][:2] == ["version", truth["version"]], "the text begins with the version")
    expect(rows[1][0] == "library" and "libxorcore.so" in rows[1][1], "then names the library's file")
    expect(rows[2] == ["cpu", *truth["cpu"]], "then the CPU")
    for kernel in truth["kernels"]:
        here = "default" if kernel["default"] else "runs" if kernel["runs"] else "no"
        head = [kernel["family"], kernel["name"], here, "yes" if kernel["constant_time"] else "no"]
        expect(any(row[:4] == head for row in rows), f"the table has {' '.join(head)}")

    # What every one of these words is depends on nothing but the library's own lists.
    family, name = truth["kernels"][0]["family"], truth["kernels"][0]["name"]
    mixed = f"nonsense,avx2, {family}/{name},{family}/nothing,AVX2,portable"
    done = run(options.program, disable=mixed)
    line = [text for text in done.stdout.splitlines() if "unknown words" in text]
    expect(len(line) == 1 and line[0].endswith(f": nonsense {family}/nothing AVX2"), f"unknown words: {line}")
    done = run(options.program, "--json", disable=mixed)
    expect(f": nonsense {family}/nothing AVX2" in done.stderr, "with --json they go to standard error")
    rows = {(row["family"], row["name"]): row for row in json.loads(done.stdout)["kernels"]}
    needs = truth["kernels"][0]["needs"]
    if needs and truth["kernels"][0]["runs"]:
        expect(not rows[family, name]["runs"] and rows[family, name]["why"].startswith("disabled: "),
               f"{family}/{name} is disabled, and says so")
    expect(rows[family, "portable"]["runs"], "portable can't be taken away")
    expect("unknown words" not in run(options.program, disable="avx2").stdout, "known words aren't complained of")
    for group in ("avx512", "sse4"):
        done = run(options.program, "--json", disable=group)
        expect(not done.stderr, f"{group} is a known word")
        told = json.loads(done.stdout)
        want = [word for word in truth["cpu"] if not word.startswith(group)]
        expect(told["cpu"] == want, f"{group} takes every feature of that group, and no other")
        expect(all(not row["runs"] for row in told["kernels"]
                   if any(word.startswith(group) for word in row["needs"].split())), f"no kernel needs {group} then")
    done = run(options.program, disable="avx51,sse,avx512_")
    expect(": avx51 sse avx512_" in done.stdout, "less or more than a group is an unknown word")

    done = run(options.program, "--nonsense")
    expect(done.returncode == 2 and "--nonsense" in done.stderr, "an unknown argument is named")
    with open("/dev/full", "w") as full:
        done = subprocess.run([options.program, "--json"], stdout=full, stderr=subprocess.DEVNULL)
    expect(done.returncode == 1, "output that can't be written is a failure")


if __name__ == "__main__":
    main()
