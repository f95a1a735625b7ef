"""The command line: xorcore, and python -m xorcore.

Exit status: 0 all went well; 1 the data was refused, as damaged, not authentic or under another key; 2 the command line was
wrong; 3 a file could not be read or written; 130 interrupted.
"""

from __future__ import annotations

import argparse
import getpass
import importlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import xorcore

from ._errors import named
from ._ffi import lib
from ._files import CHUNK, SCRYPT_COST, fill, reading, write_all, writing
from ._hot import CALLS, xor_into

Report = dict[str, Any]


class UsageError(Exception):
    """What is wrong with the command line, for the person who typed it."""


# ---- what the commands share -------------------------------------------------------------------------------


def input_of(name: str) -> Any:
    """A file by its name, "-" for standard input."""
    return sys.stdin.buffer if name == "-" else name


def output_of(given: argparse.Namespace) -> Any:
    """The same for the output; a terminal gets no binary data unless "-" was typed."""
    if given.out is None and sys.stdout.isatty():
        raise UsageError("the result is binary: name a file with -o, or -o - for the terminal")
    return sys.stdout.buffer if given.out in (None, "-") else given.out


@contextmanager
def progress_of(given: argparse.Namespace, inputs: list[str]) -> Iterator[Callable[[int], object]]:
    """A bar by tqdm, where tqdm is and somebody sees it."""
    wanted = given.progress if given.progress is not None else sys.stderr.isatty()
    try:
        tqdm: Any = importlib.import_module("tqdm").tqdm
    except ImportError:
        if given.progress:
            raise UsageError("the progress bar needs tqdm: pip install 'xorcore[cli]'") from None
        wanted = False
    if not wanted:
        yield lambda _: None
        return
    files = [Path(name) for name in inputs if name != "-"]
    known = len(files) == len(inputs) and all(file.is_file() for file in files)
    total = sum(file.stat().st_size for file in files) if known else None
    with tqdm(total=total, unit="B", unit_scale=True, unit_divisor=1024, file=sys.stderr) as bar:
        yield bar.update


def secret_of(given: argparse.Namespace, confirm: bool) -> dict[str, Any]:
    """The key or passphrase, as the functions for files take it."""
    if given.key_file:
        data = Path(given.key_file).read_bytes()
        if len(data) != 32:
            try:
                data = bytes.fromhex(data.decode("ascii").strip())
            except ValueError:
                data = b""
        if len(data) != 32:
            raise UsageError("a key file holds 32 bytes, or 64 hexadecimal digits")
        return {"key": data}
    if given.passphrase_file:
        lines = Path(given.passphrase_file).read_bytes().splitlines()
        passphrase = lines[0].decode() if lines else ""
    else:
        passphrase = getpass.getpass("Passphrase: ")
        if confirm and getpass.getpass("Once more: ") != passphrase:
            raise UsageError("the two passphrases differ")
    if not passphrase:
        raise UsageError("the passphrase is empty")
    return {"passphrase": passphrase}


# ---- commands ----------------------------------------------------------------------------------------------


def info(given: argparse.Namespace) -> Report:
    """Version, library, CPU and the kernel table, as xorcore-info prints them."""
    table = xorcore.kernels()
    if not given.json:
        print(f"xorcore   {xorcore.__version__} (Python {sys.version.split()[0]})")
        version, abi = xorcore.library_version(), lib.xorcore_abi()
        print(f"library   {version}, ABI {abi}, {xorcore.library_path()}")
        print(f"calls     by {CALLS}")
        print(f"cpu       {' '.join(xorcore.cpu())}")
        print()
        width = max(len(kernel.name) for kernel in table)
        for kernel in table:
            mark = "*" if kernel.default else " "
            state = "runs" if kernel.why is None else kernel.why
            print(f"{mark} {kernel.family:6} {kernel.name:{width}}  {state}")
        print("\n* what its family uses when no kernel is named")
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
    return {
        "version": xorcore.library_version(),
        "abi": lib.xorcore_abi(),
        "calls": CALLS,
        "cpu": xorcore.cpu(),
        "kernels": rows,
    }


def selftest(given: argparse.Namespace) -> Report:
    """Known answers on every kernel that runs here."""
    xorcore.selftest()
    if not given.json:
        print("selftest passed")
    return {"passed": True, "kernels": sum(kernel.runs for kernel in xorcore.kernels())}


def lib_path(given: argparse.Namespace) -> Report:
    """The file of the C library."""
    if not given.json:
        print(xorcore.library_path())
    return {"path": xorcore.library_path()}


def bench(given: argparse.Namespace) -> Report:
    """Nanoseconds of the main calls, as a Python program sees them: the best of some runs of a few milliseconds."""
    aead, nonce = xorcore.AESGCM(bytes(16)), bytes(12)
    rows: list[dict[str, Any]] = []
    for size in (64, 1350, 1 << 16, 1 << 20):
        a, b, out = os.urandom(size), os.urandom(size), bytearray(size)
        room = bytearray(size + 16)
        calls: dict[str, Callable[[], Any]] = {
            "xor_into": partial(xor_into, out, a, b),
            "AES-128-GCM encrypt": partial(aead.encrypt, nonce, a, None),
            "AES-128-GCM encrypt_into": partial(aead.encrypt_into, nonce, a, None, room),
        }
        for name, call in calls.items():
            rows.append({"call": name, "bytes": size, "ns": round(best_of(call, given.seconds), 1)})
    if not given.json:
        print(f"calls by {CALLS}, GCM by {aead.kernel}")
        for row in rows:
            rate = row["bytes"] / row["ns"]
            print(f"{row['call']:26} {row['bytes']:8} B {row['ns']:12.0f} ns {rate:8.2f} GB/s")
    return {"calls": CALLS, "kernel": aead.kernel, "rows": rows}


def best_of(call: Callable[[], Any], seconds: float) -> float:
    """Nanoseconds of one call, in the best of the runs that go into `seconds`."""
    count, best, end = 1, 1e18, time.perf_counter() + seconds
    while True:
        begun = time.perf_counter_ns()
        for _ in range(count):
            call()
        took = time.perf_counter_ns() - begun
        best = min(best, took / count)
        if time.perf_counter() >= end:
            return best
        if took < 2_000_000:
            count *= 2


def xor(given: argparse.Namespace) -> Report:
    """The XOR of files of one length."""
    if given.files.count("-") > 1:
        raise UsageError("standard input can be one of the files only")
    with ExitStack() as held:
        target = output_of(given)
        update = held.enter_context(progress_of(given, given.files))
        files = [held.enter_context(reading(input_of(name))) for name in given.files]
        out = held.enter_context(writing(target, given.force))
        total, room = memoryview(bytearray(CHUNK)), memoryview(bytearray(CHUNK))
        done = 0
        while True:
            size = fill(files[0], total)
            update(size)
            for name, file in zip(given.files[1:], files[1:], strict=True):
                if fill(file, room) != size:
                    raise named("DATA_LENGTH", f"{name} has another length than {given.files[0]}")
                xor_into(total[:size], total[:size], room[:size])
                update(size)
            write_all(out, total[:size])
            done += size
            if size < CHUNK:
                return {"bytes": done, "files": len(files)}


def parity(given: argparse.Namespace) -> Report:
    """A file from which any one of the others can be rebuilt."""
    target = output_of(given)
    with progress_of(given, given.files) as update:
        sources = [input_of(name) for name in given.files]
        size = xorcore.parity_files(sources, target, progress=update, overwrite=given.force)
    return {"bytes": size, "files": len(given.files)}


def rebuild(given: argparse.Namespace) -> Report:
    """The file that is missing."""
    missing = [name for name in given.files if not Path(name).exists()]
    if len(missing) != 1:
        raise UsageError(
            f"name all files of the parity, in their order; one of them has to be missing, and {len(missing)} are"
        )
    there = [None if name in missing else name for name in given.files]
    given.out = given.out or missing[0]
    with progress_of(given, [given.parity, *(name for name in there if name)]) as update:
        size = xorcore.rebuild_file(
            given.parity, there, output_of(given), progress=update, overwrite=given.force
        )
    return {"bytes": size, "rebuilt": missing[0]}


def seal(given: argparse.Namespace) -> Report:
    """Encrypts a file and makes every change of it noticeable."""
    target, secret = output_of(given), secret_of(given, confirm=True)
    with progress_of(given, [given.file]) as update:
        size = xorcore.encrypt_file(
            input_of(given.file),
            target,
            **secret,
            cost=given.cost,
            progress=update,
            overwrite=given.force,
        )
    return {"bytes": size}


def unseal(given: argparse.Namespace) -> Report:
    """Decrypts what `seal` made, and checks all of it."""
    target, secret = output_of(given), secret_of(given, confirm=False)
    with progress_of(given, [given.file]) as update:
        size = xorcore.decrypt_file(
            input_of(given.file), target, **secret, progress=update, overwrite=given.force
        )
    return {"bytes": size}


# ---- the command line ---------------------------------------------------------------------------------------


def parser() -> argparse.ArgumentParser:
    """What can be typed."""
    made = argparse.ArgumentParser(
        prog="xorcore",
        description="XOR and AES at the speed of the machine.",
        epilog="Exit status: 0 well, 1 data refused, 2 wrong command line, 3 file not readable or writable.",
    )
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, work: Callable[[argparse.Namespace], Report], text: str) -> Any:
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("--json", action="store_true", help="one JSON object as the report")
        command.set_defaults(work=work)
        return command

    def with_files(command: Any) -> None:
        command.add_argument(
            "-o", "--out", metavar="FILE", help="the result; standard output if none"
        )
        command.add_argument(
            "-f", "--force", action="store_true", help="replace a file that is there"
        )
        command.add_argument(
            "--progress",
            action=argparse.BooleanOptionalAction,
            help="a bar on standard error; by itself on a terminal",
        )

    def with_secret(command: Any) -> None:
        secret = command.add_mutually_exclusive_group(required=True)
        secret.add_argument("-k", "--key-file", metavar="FILE", help="32 bytes, or 64 hex digits")
        secret.add_argument("-p", "--passphrase", action="store_true", help="ask for a passphrase")
        secret.add_argument("--passphrase-file", metavar="FILE", help="its first line")

    add("info", info, "version, library, CPU features and kernels")
    add("selftest", selftest, "known answers on every kernel that runs here")
    add("lib-path", lib_path, "the file of the C library")
    command = add("bench", bench, "nanoseconds of the main calls, as Python sees them")
    command.add_argument("--seconds", type=float, default=0.1, help="for each call and size")
    command = add("xor", xor, "the XOR of files of one length")
    command.add_argument("files", nargs="+", metavar="FILE", help="- is standard input")
    with_files(command)
    command = add("parity", parity, "a file from which any one of these can be rebuilt")
    command.add_argument("files", nargs="+", metavar="FILE")
    with_files(command)
    command = add(
        "rebuild", rebuild, "the one file that is missing, from the others and their parity"
    )
    command.add_argument("parity", metavar="PARITY")
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="all of them, in the order of `parity`"
    )
    with_files(command)
    command = add("seal", seal, "encrypt a file, so that every change of it is noticed")
    command.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="standard input if none"
    )
    with_secret(command)
    command.add_argument(
        "--cost", type=int, default=SCRYPT_COST, help="log2 of scrypt's N: 10 to 20"
    )
    with_files(command)
    command = add("open", unseal, "decrypt what `seal` made, and check all of it")
    command.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="standard input if none"
    )
    with_secret(command)
    with_files(command)
    return made


def failed(given: argparse.Namespace, error: BaseException, status: int, text: str) -> int:
    """Says on standard error what went wrong; the exit status."""
    if given.json:
        report = {"command": given.command, "error": text, "kind": type(error).__name__}
        print(json.dumps(report | {"exit": status}), file=sys.stderr)
    elif text:
        print(f"xorcore {given.command}: {text}", file=sys.stderr)
    return status


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; the exit status."""
    given = parser().parse_args(arguments)
    begun = time.perf_counter()
    try:
        report = given.work(given)
        seconds = time.perf_counter() - begun
        if given.json:
            # Data on standard output is not to be mixed with a report.
            taken = "out" in given and given.out in (None, "-")
            if "out" in given:
                report = {"command": given.command, **report, "seconds": round(seconds, 6)}
            print(json.dumps(report), file=sys.stderr if taken else sys.stdout)
        sys.stdout.flush()
    except UsageError as error:
        return failed(given, error, 2, str(error))
    except (xorcore.XorcoreError, ValueError) as error:
        return failed(given, error, 1, str(error))
    except BrokenPipeError as error:
        # Whoever read has gone; there is nothing to flush to at the end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return failed(given, error, 3, "")
    except OSError as error:
        return failed(given, error, 3, str(error))
    except KeyboardInterrupt as error:
        return failed(given, error, 130, "interrupted")
    return 0


def _terminated(*_: object) -> NoReturn:
    """Ends by an exception, so that unfinished files are taken away."""
    raise SystemExit(143)


def script() -> NoReturn:
    """The program xorcore."""
    signal.signal(signal.SIGTERM, _terminated)
    sys.exit(main())


if __name__ == "__main__":
    script()
