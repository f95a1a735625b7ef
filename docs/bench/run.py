#!/usr/bin/env python3
"""run.py — what `make bench` does: measures, and writes docs/performance.md with two plots beside it.

C is measured by xorcore-bench beside whatever libraries are here, Python beside pyca/cryptography, Go beside its
standard library. Every figure is the best of many short runs, taken in turn with what it is compared with.
Nothing is asserted: a goal that is not reached is a word in the table. BENCH_MS is the time for one line."""

import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import goals  # noqa: E402
import measure  # noqa: E402
import page  # noqa: E402
from measure import ROOT, WORK, setup  # noqa: E402
from setup import PYTHON, environment, say  # noqa: E402

REPORT = ROOT / "docs" / "performance.md"
PLOTS = (ROOT / "docs" / "throughput.svg", ROOT / "docs" / "ceilings.svg")
PLOTTING = Path(__file__).resolve().parent / "plotting.txt"


def absent_peers():
    done = subprocess.run([measure.PROGRAM, "--list"], env=environment(), text=True, capture_output=True, check=True)
    return [re.sub(r"^peer (\S+) +absent: ", r"\1: ", line) for line in done.stdout.splitlines() if " absent: " in line]


def has_avx512():
    return "avx512f" in measure.kernels()["cpu"]


def measured():
    """Everything, in the order of what is wanted most should the machine become busy."""
    wide = goals.Run(measure.bars(), 512)
    narrow = goals.Run(measure.bars(measure.NO_AVX512), 256) if has_avx512() else None
    no_aes = measure.without_aes() if "amd64" in measure.kernels()["cpu"] else None
    return {"wide": wide, "narrow": narrow, "no_aes": no_aes, "sweep": measure.xor_sweep(),
            "compilers": measure.compilers(), "python": measure.python_table(), "go": measure.go_table(),
            "table": measure.table("--time", measure.BUDGET_MS), "absent": [*absent_peers(), *measure.WRONG]}


def main():
    try:
        measure.get_peers()
        setup.set_up("build")
        setup.venv_with(PLOTTING)
        WORK.mkdir(parents=True, exist_ok=True)
        clock = measure.bench("--op", "xor", "--size", "64", "--time", "0")[1]
        run = measured()
        found = {"wide": list(goals.bars(run["wide"], run["no_aes"])),
                 "narrow": run["narrow"] and list(goals.bars(run["narrow"], None)),
                 "compilers": list(goals.compilers(run["compilers"]))}
        first = list(goals.first(run["wide"], run["sweep"], run["python"], run["go"]))
        cpu = measure.cpu_name()
        REPORT.write_text("\n".join(page.page(run, found, first, cpu, clock, measure.kernels(), measure.go_version())).rstrip() + "\n",
                          encoding="utf-8")
        subprocess.run([PYTHON, Path(__file__).resolve().parent / "plots.py", *PLOTS], env=environment(), check=True,
                       text=True, input=json.dumps(page.plot_figures(cpu, run["table"])))
    except (setup.SetupError, subprocess.CalledProcessError) as error:
        say(f"bench: {error}")
        return 1
    for title, group in (("as this CPU is", found["wide"]), ("without AVX-512", found["narrow"]),
                         ("the compilers", found["compilers"]), ("loops and languages", first)):
        say(f"\n{title}")
        for goal in group or ():
            word = {True: "reached", False: "NOT REACHED", None: ""}[goal.reached]
            say(f"{goal.name:80} {goal.ask(goal.limit):12} {goal.measured:60} {word}")
    say("\nwritten: " + ", ".join(str(file.relative_to(ROOT)) for file in (REPORT, *PLOTS)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
