"""bindings.py — the Go package's own tests under an emulator: cgo with the cross compiler, and the library of the cross build."""

import re
import subprocess
import time

import setup
from setup import ROOT, say

LIMIT_S = 900


def go(count, emulator, triple, goarch, where):
    """Every test of the Go package, once, on the emulator's `max`. A test that starts itself anew starts the script that has
    the emulator in it, for that is the name of the program that it sees."""
    prefix, program, label = where / "prefix", where / "go.test", f"go/{goarch}"
    begun = time.monotonic()
    setup.run(["cmake", "--install", where, "--prefix", prefix])
    setup.run(["go", "test", "-c", "-o", program, "."], cwd=ROOT / "go", env=setup.environment(
        CC=f"{triple}-gcc", CGO_ENABLED=1, GOOS="linux", GOARCH=goarch, GOARM=7, GOFLAGS="-modcacherw",
        CGO_LDFLAGS=f"-Wl,-rpath,{prefix / 'lib'}", PKG_CONFIG_LIBDIR=prefix / "lib/pkgconfig"))
    script = where / "go-test"
    script.write_text(f'#!/bin/sh\nexec {emulator[0]} -0 "$0" {" ".join(emulator[1:])} {program} "$@"\n')
    script.chmod(0o755)
    try:
        done = subprocess.run([script, "-test.count=1", "-test.v"], cwd=ROOT / "go", text=True, errors="replace",
                              env=setup.environment(QEMU_CPU="max"), stdin=subprocess.DEVNULL, timeout=LIMIT_S,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        status, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as stopped:
        status, output = f"stopped after {LIMIT_S} s", stopped.stdout or ""
    cases = re.findall(r"^--- (PASS|FAIL|SKIP): (\S+)", output, re.MULTILINE)
    for result, name in cases:
        count.case(f"{label}/{name}", result == "PASS", result)
    if status != 0 or not cases:
        say("\n".join(output.splitlines()[-40:]))
        count.case(label, any(result == "FAIL" for result, _ in cases), f"exit status {status}")
    say(f"{label}: {len(cases)} tests, {time.monotonic() - begun:.0f} s")
