"""run — reads the files of the suite, carries out every run and adds up."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vectors.case import (
    Case,
    SuiteError,
    Wrong,
)
from vectors.suites import KERNELS, SUITES, batches, kind_of, shapes

READ_OVER_FILE = {"generatorVersion", "header", "license", "notes"}
FILE_FIELDS = {"algorithm", "schema", "numberOfTests", "testGroups"}
TEST_FIELDS = {"tcId", "result", "error"}


def unused(where: str, has: Any, known: set[str]) -> None:
    extra = set(has) - known
    if extra:
        raise SuiteError(
            f"{where}: fields that this runner does not use: {', '.join(sorted(extra))}"
        )


def read(path: Path) -> list[Case]:
    content = json.loads(path.read_text(encoding="utf-8"))
    unused(path.name, content, FILE_FIELDS | READ_OVER_FILE)
    if content["schema"] != "xorcore_vectors_v1":
        raise SuiteError(f"{path.name}: schema {content['schema']}")
    cases: list[Case] = []
    seen: set[int] = set()
    for group in content["testGroups"]:
        kind = group["type"]
        if (content["algorithm"], kind) not in SUITES:
            raise SuiteError(f"{path.name}: no {kind} of {content['algorithm']} is known")
        what = SUITES[content["algorithm"], kind][1]
        unused(f"{path.name} group", group, {"type", "tests", "source"} | what.group_fields)
        if not group["tests"]:
            raise SuiteError(f"{path.name}: a group without tests")
        known = TEST_FIELDS | what.fields | {"comment", "flags"}
        if what.stream:
            known |= {"chunks"}
        for test in group["tests"]:
            where = f"{path.name} tcId={test['tcId']}"
            unused(where, test, known)
            if test["tcId"] in seen:
                raise SuiteError(f"{where} comes twice")
            seen.add(test["tcId"])
            if test["result"] not in ("valid", "invalid") or (test["result"] == "invalid") != (
                "error" in test
            ):
                raise SuiteError(f"{where}: result and error do not fit")
            if test.get("dir", "both") not in ("both", "encrypt", "decrypt"):
                raise SuiteError(f"{where}: dir {test['dir']}")
            cases.append(Case(path.name, content["algorithm"], kind, group, test))
    if not cases or len(cases) != content["numberOfTests"]:
        raise SuiteError(
            f"{path.name}: {len(cases)} tests, and numberOfTests is {content['numberOfTests']}"
        )
    return cases


# In a checkout, and in an sdist, which carries the data.
HERE = Path(__file__).resolve()
DATA = [HERE.parents[3] / "tests/vectors/data", HERE.parents[2] / "vendor/tests/vectors/data"]


def directories(arguments: list[str]) -> list[Path]:
    if arguments:
        return [Path(name) for name in arguments]
    named = os.environ.get("XORCORE_VECTORS")
    if named:
        return [Path(name) for name in named.split(":")]
    return [next((folder for folder in DATA if folder.is_dir()), DATA[0])]


def find(folders: list[Path]) -> list[Path]:
    files: dict[str, Path] = {}
    for folder in folders:
        here = sorted(folder.glob("*.json"))
        if not here:
            raise SuiteError(f"no vectors in {folder}")
        for path in here:
            if path.name in files:
                raise SuiteError(f"{path.name} comes twice")
            files[path.name] = path
    return [files[name] for name in sorted(files, key=str.encode)]


@dataclass
class Total:
    file: str
    cases: int = 0
    runs: int = 0
    failed: list[str] = field(default_factory=list)


def attempt(
    total: Total, cases: list[Case], kernel: Any, shape: str, run: Callable[[], None]
) -> None:
    """Counts the run of each case, or says why there is none."""
    try:
        run()
    except SuiteError:
        raise
    except Exception as error:
        why = str(error) if isinstance(error, Wrong) else f"{type(error).__name__}: {error}"
        for case in cases:
            where = f"{case.file} tcId={case.test['tcId']} kernel={kernel or '-'} shape={shape}"
            total.failed.append(f"FAIL {where}: {why}")
    else:
        total.runs += len(cases)


def run_file(path: Path) -> Total:
    """Carries out every run of a file."""
    total = Total(path.name)
    groups: dict[int, list[Case]] = {}
    for case in read(path):
        total.cases += 1
        groups.setdefault(id(case.group), []).append(case)
    for cases in groups.values():
        for kernel in KERNELS[SUITES[cases[0].algorithm, cases[0].kind][0]]:
            for case in cases:
                for shape, run in shapes(case):
                    attempt(
                        total,
                        [case],
                        kernel,
                        shape,
                        lambda case=case, run=run, kernel=kernel: run(case, kernel),
                    )
            for batch in batches(cases):
                rows = kind_of(batch[0]).rows
                if rows:
                    attempt(
                        total,
                        batch,
                        kernel,
                        "rows",
                        lambda rows=rows, batch=batch, kernel=kernel: rows(batch, kernel),
                    )
    return total


def write_totals(totals: list[Total]) -> None:
    name = os.environ.get("XORCORE_VECTORS_TOTALS")
    if name:
        lines = [f"{total.file} {total.cases} {total.runs}\n" for total in totals]
        Path(name).write_text("".join(lines), encoding="utf-8")


def main(arguments: list[str]) -> int:
    totals = []
    for path in find(directories(arguments)):
        total = run_file(path)
        totals.append(total)
        for line in total.failed:
            print(line)
        print(f"vectors python {total.file}: cases={total.cases} runs={total.runs}", flush=True)
    print(f"vectors python total: runs={sum(total.runs for total in totals)}")
    write_totals(totals)
    return 1 if any(total.failed for total in totals) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except SuiteError as problem:
        sys.exit(f"vectors python: {problem}")
