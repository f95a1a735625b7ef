#!/usr/bin/env python3
"""run.py — the one runner that calls every test suite and adds up what they say.

    python3 tests/run.py test            what `make test` runs
    python3 tests/run.py check           the longer gates: clang, sanitizers, constant time, musl
    python3 tests/run.py cross [ARCH]    other architectures and CPUs under emulation
    python3 tests/run.py sum STAGE…      adds up stages that have run

The last line is always `N passed, N failed`. A suite that runs no case has failed, and so has a case
that was skipped: what can't run here is named by the tests themselves, not left out."""

import json
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import setup
from setup import BUILD, LIBRARY, PYTHON, ROOT, environment, say

RESULTS = BUILD / "results"
TOTALS = BUILD / "totals"
LIMIT_S = 1800  # of one suite


class Count:
    """What a suite found: how many cases passed, and the names of those that didn't."""

    def __init__(self):
        self.passed, self.failures = 0, []

    def case(self, name, good, why=""):
        if good:
            self.passed += 1
        else:
            self.failures.append(f"{name}{': ' + why if why else ''}")

    def ended(self, suite, status):
        """A suite that failed without a failed case, or that ran nothing, is a failure of its own."""
        if status != 0 and not self.failures:
            self.failures.append(f"{suite}: exit status {status}")
        elif self.passed == 0 and not self.failures:
            self.failures.append(f"{suite}: no case was run")
        return self


def call(command, env, cwd=ROOT):
    """Runs to the end with its output on ours; the exit status, 124 when it was stopped."""
    command = [str(part) for part in command]
    say("+ " + " ".join(command))
    try:
        return subprocess.run(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, timeout=LIMIT_S).returncode
    except subprocess.TimeoutExpired:
        say(f"stopped after {LIMIT_S} s")
        return 124


def read_junit(path, suite, count):
    if not path.exists():
        return
    for case in ElementTree.parse(path).iter("testcase"):
        name = "/".join(filter(None, (suite, case.get("classname"), case.get("name"))))
        bad = [kind for kind in ("failure", "error", "skipped") if case.find(kind) is not None]
        ran = case.get("status", "run") == "run"  # ctest's word; pytest has none
        count.case(name, ran and not bad, " ".join(bad) or case.get("status"))


# ---- the kinds of suite -----------------------------------------------------------------------------


def vectors(suite):
    """Which vectors a language runs, and where it says how many those were."""
    return {"XORCORE_VECTORS": setup.vector_folders(), "XORCORE_VECTORS_TOTALS": TOTALS / f"{suite}.txt"}


def ctest(suite, where, *options, **more):
    count, report = Count(), RESULTS / f"{suite}.xml"
    report.unlink(missing_ok=True)
    status = call(["ctest", "--test-dir", where, "--output-on-failure", "--timeout", "900", "-j", setup.jobs(),
                   "--output-junit", report, *options],
                  environment(**more))
    read_junit(report, suite, count)
    return count.ended(suite, status)


def pytest(suite, *paths, **more):
    count, report = Count(), RESULTS / f"{suite}.xml"
    report.unlink(missing_ok=True)
    status = call([PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}",
                   *(ROOT / path for path in paths)],
                  environment(HYPOTHESIS_STORAGE_DIRECTORY=BUILD / "hypothesis", **more))
    read_junit(report, suite, count)
    return count.ended(suite, status)


def python_by_cffi():
    """The calls of the C extension again, as they are without it."""
    names = ("aead", "buffers", "errors", "fast", "many", "threads", "xor")
    return pytest("python-cffi", *(f"python/tests/test_{name}.py" for name in names), XORCORE_PYTHON_FAST=0)


def go(suite, cgo, *options):
    count, results, outputs = Count(), {}, {}
    command = ["go", "test", "-json", "-count=1", f"-timeout={LIMIT_S}s", *options, "./..."]
    say(f"+ CGO_ENABLED={int(cgo)} {' '.join(command)}")
    with subprocess.Popen(command, env=setup.go_environment(cgo, **vectors(suite)), cwd=ROOT / "go", text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                say(line.rstrip())
                continue
            key = (event.get("Package", event.get("ImportPath", "")), event.get("Test", ""))
            action = event["Action"]
            if action == "build-output":
                say(event["Output"].rstrip())
            elif action == "output":
                outputs.setdefault(key, []).append(event["Output"])
                if event["Output"].startswith("vectors "):
                    say(event["Output"].rstrip())
            elif action in ("pass", "fail", "skip"):
                results[key] = action
                if action == "fail":
                    say("".join(outputs.get(key, [])).rstrip())
                if not key[1]:
                    say(f"{action} {key[0]} {event.get('Elapsed', 0):.1f} s")
    for (package, test), action in results.items():
        inner = any(p == package and t.startswith(test + "/") for p, t in results)
        if test and not inner:
            count.case(f"{suite}/{package}/{test}", action == "pass", action)
    for (package, test), action in results.items():
        if not test and action == "fail" and not any(f"/{package}/" in name for name in count.failures):
            count.case(f"{suite}/{package}", False, "did not build, or stopped")
    return count.ended(suite, process.returncode)


def script(suite, *command):
    """A program of ours that ends with `N passed, N failed`, and names what failed in lines `FAILED …`."""
    count, last, named = Count(), "", []
    command = [str(part) for part in command]
    say("+ " + " ".join(command))
    with subprocess.Popen(command, env=environment(), cwd=ROOT, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            last = line.strip() or last
            if line.startswith("FAILED "):
                named.append(f"{suite}: {line.split(maxsplit=1)[1].strip()}")
    match = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    if match:
        count.passed = int(match[1])
        unnamed = int(match[2]) - len(named)
        count.failures = named + [f"{suite}: a case, see above"] * unnamed
    return count.ended(suite, process.returncode)


def same_totals(*suites):
    """The vector totals of the languages, byte for byte."""
    count = Count()
    texts = {}
    for suite in suites:
        path = TOTALS / f"{suite}.txt"
        texts[suite] = path.read_bytes() if path.exists() else b""
        lines = [line.split() for line in texts[suite].decode().splitlines()]
        say(f"vectors {suite:8} files={len(lines)} cases={sum(int(line[1]) for line in lines)} "
            f"runs={sum(int(line[2]) for line in lines)}")
        count.case(f"totals/{suite}", bool(lines), "no totals were written")
    first = suites[0]
    for suite in suites[1:]:
        count.case(f"totals/{first}={suite}", texts[first] == texts[suite], "they differ")
        if texts[first] != texts[suite]:
            ours, theirs = (set(texts[name].decode().splitlines()) for name in (first, suite))
            for name, lines in ((first, ours - theirs), (suite, theirs - ours)):
                for line in sorted(lines):
                    say(f"  only {name}: {line}")
    return count


def demo():
    """What `make demo` does, on its own files: it has to end well."""
    count = Count()
    status = call([sys.executable, ROOT / "docs/demo/run.py"], environment())
    count.case("demo", status == 0, f"exit status {status}")
    return count


def other_build(suite, *options, without="packaging|large"):
    """The C tests in a build of their own, but for those with these labels."""
    where = BUILD / suite
    setup.configure(where, *options)
    return ctest(suite, where, "-LE", without)


# ---- the list -------------------------------------------------------------------------------------

STAGES = {
    "test": [
        ("front", lambda: pytest("front", "tests/front")),
        ("vector data", lambda: script("vector data", PYTHON, ROOT / "tests/vectors/generate/check.py")),
        ("c", lambda: ctest("c", BUILD, **vectors("c"))),
        ("python", lambda: pytest("python", "python/tests", **vectors("python"))),
        ("python by cffi", python_by_cffi),
        ("ctypes", lambda: pytest("ctypes", "bindings/ctypes", XORCORE_LIBRARY=LIBRARY)),
        ("go", lambda: go("go", cgo=True)),
        ("go without cgo", lambda: go("go-purego", cgo=False)),
        ("demo", demo),
        ("docs", lambda: pytest("docs", "tests/docs", XORCORE_LIBRARY=LIBRARY)),
        ("vector totals", lambda: same_totals("c", "python", "go")),
    ],
    "check": [
        ("sanitizers", lambda: other_build("asan", "--preset", "asan")),
        ("clang", lambda: other_build("clang", "--preset", "clang", without="large")),
        ("constant time", lambda: script("ct", ROOT / "tests/ct/run")),
        ("large", lambda: script("large", BUILD / "tests/api/api_large", "--all")),
        ("musl", lambda: other_build("musl", "--preset", "musl")),
        ("large in Go", lambda: go("large-go", True, "-tags=large", "-run=^TestLong$")),
        ("large in Python", lambda: pytest("large-python", "python/large")),
        ("Python packaging", lambda: pytest("packaging", "python/packaging")),
    ],
    "cross": [
        ("cross", lambda *arch: script("cross", sys.executable, ROOT / "tests/cross/run.py", *arch)),
    ],
}


def run_stage(stage, *options):
    RESULTS.mkdir(parents=True, exist_ok=True)
    TOTALS.mkdir(parents=True, exist_ok=True)
    for old in (*TOTALS.glob("*.txt"), RESULTS / f"{stage}.json") if stage == "test" else [RESULTS / f"{stage}.json"]:
        old.unlink(missing_ok=True)
    passed, failures = 0, []
    for suite, work in STAGES[stage]:
        say(f"\n==== {stage}: {suite}")
        begun = time.monotonic()
        try:
            count = work(*options)
        except setup.SetupError as error:
            count = Count()
            count.case(suite, False, str(error))
        say(f"==== {stage}: {suite}: {count.passed} passed, {len(count.failures)} failed, "
            f"{time.monotonic() - begun:.0f} s")
        passed += count.passed
        failures += count.failures
    (RESULTS / f"{stage}.json").write_text(json.dumps({"passed": passed, "failures": failures}, indent=1))
    return finish(passed, failures)


def finish(passed, failures):
    if failures:
        say("")
    for failure in failures:
        say(f"FAILED {failure}")
    say(f"\n{passed} passed, {len(failures)} failed")
    return int(bool(failures) or passed == 0)


def add_up(stages):
    passed, failures = 0, []
    for stage in stages:
        path = RESULTS / f"{stage}.json"
        if path.exists():
            result = json.loads(path.read_text())
            passed += result["passed"]
            failures += result["failures"]
        else:
            failures.append(f"make {stage}: it did not come to its end")
    return finish(passed, failures)


def main():
    what, *rest = sys.argv[1:] or ["test"]
    if what == "sum":
        return add_up(rest)
    if what not in STAGES:
        say(f"run.py: no such stage: {what}; there are {' '.join(STAGES)} and sum")
        return 2
    if what == "cross":
        # It needs little of what the native tests are set up with, and sees to its own tools.
        return run_stage(what, *(option for arch in rest for option in ("--arch", arch)))
    try:
        setup.set_up("check" if what == "check" else "test")
    except setup.SetupError as error:
        say(f"setup: {error}")
        return finish(0, [f"set-up for {what}"])
    return run_stage(what)


if __name__ == "__main__":
    sys.exit(main())
