"""python -m xorcore — what a bug report needs."""

from __future__ import annotations

import argparse
import json
import sys

import xorcore

from ._ffi import lib
from ._hot import CALLS


def info(as_json: bool) -> None:
    """Prints version, library, CPU and the kernel table, as xorcore-info does."""
    table = xorcore.kernels()
    if as_json:
        rows = [
            {
                "family": kernel.family,
                "name": kernel.name,
                "needs": " ".join(kernel.needs),
                "runs": kernel.runs,
                "default": kernel.default,
                "constant_time": kernel.constant_time,
                "why": kernel.why,
            }
            for kernel in table
        ]
        version, abi = xorcore.library_version(), lib.xorcore_abi()
        print(
            json.dumps(
                {
                    "version": version,
                    "abi": abi,
                    "calls": CALLS,
                    "cpu": xorcore.cpu(),
                    "kernels": rows,
                }
            )
        )
        return
    print(f"xorcore   {xorcore.__version__} (Python {sys.version.split()[0]})")
    print(
        f"library   {xorcore.library_version()}, ABI {lib.xorcore_abi()}, {xorcore.library_path()}"
    )
    print(f"calls     by {CALLS}")
    print(f"cpu       {' '.join(xorcore.cpu())}")
    print()
    width = max(len(kernel.name) for kernel in table)
    for kernel in table:
        mark = "*" if kernel.default else " "
        state = "runs" if kernel.why is None else kernel.why
        print(f"{mark} {kernel.family:6} {kernel.name:{width}}  {state}")
    print("\n* what its family uses when no kernel is named")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m xorcore", description="Introspection of the package xorcore."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("info", help="version, library, CPU features and kernels")
    command.add_argument("--json", action="store_true", help="one JSON object")
    commands.add_parser("selftest", help="known answers on every kernel that runs here")
    commands.add_parser("lib-path", help="the file of the C library")
    given = parser.parse_args()
    if given.command == "info":
        info(given.json)
    elif given.command == "selftest":
        xorcore.selftest()
        print("selftest passed")
    else:
        print(xorcore.library_path())


if __name__ == "__main__":
    main()
