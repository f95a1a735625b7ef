"""test_cli — the program xorcore: files and pipes, exit status, reports, progress."""

from __future__ import annotations

import io
import json
import os
import pty
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import xorcore
from xorcore.__main__ import main

KEY = bytes(range(32))
PROGRAM = [sys.executable, "-m", "xorcore"]


def text(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "a").write_bytes(text(700_000, 1))
    (tmp_path / "b").write_bytes(text(700_000, 2))
    (tmp_path / "c").write_bytes(text(300, 3))
    return tmp_path


def run(*arguments: str, given: bytes = b"", status: int = 0) -> tuple[bytes, str]:
    done = subprocess.run(
        [*PROGRAM, *arguments], input=given, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == status, done.stderr
    return done.stdout, done.stderr.decode()


def inside(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The same without a process: status, output, errors."""
    status = main(list(arguments))
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_the_installed_program(folder: Path) -> None:
    program = Path(sys.executable).with_name("xorcore")
    done = subprocess.run([program, "lib-path"], capture_output=True, text=True, check=True)
    assert done.stdout == xorcore.library_path() + "\n"


def test_pipes(folder: Path) -> None:
    data = (folder / "a").read_bytes()
    sealed, errors = run("seal", "-k", "key", given=data)
    assert errors == "" and len(sealed) == len(data) + 80 + 3 * 16
    out = io.BytesIO()
    xorcore.decrypt_file(io.BytesIO(sealed), out, KEY)
    assert out.getvalue() == data
    assert run("open", "-k", "key", "-", "-o", "-", given=sealed) == (data, "")
    report = json.loads(run("open", "-k", "key", "--json", given=sealed)[1])
    assert report["command"] == "open" and report["bytes"] == len(data) and report["seconds"] > 0
    assert run("seal", "-k", "key", given=b"")[0][:8] == b"xorcore\1"
    both, _ = run("xor", "a", "-", given=(folder / "b").read_bytes())
    assert both == xorcore.xor(data, (folder / "b").read_bytes())
    cut, errors = run("open", "-k", "key", given=sealed[:-1], status=1)
    assert data.startswith(cut) and len(cut) == 2 << 18 and "chunk number 2" in errors


def test_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert inside(capsys, "seal", "a", "-k", "key", "-o", "a.x") == (0, "", "")
    status, shown, errors = inside(capsys, "open", "a.x", "-k", "key", "-o", "a.back", "--json")
    assert (status, errors) == (0, "") and json.loads(shown)["bytes"] == 700_000
    assert (folder / "a.back").read_bytes() == (folder / "a").read_bytes()
    for again in (
        ["seal", "a", "-k", "key", "-o", "a.x"],
        ["open", "a.x", "-k", "key", "-o", "a.back"],
    ):
        status, _, errors = inside(capsys, *again)
        assert status == 3 and "already" in errors
        assert inside(capsys, *again, "--force")[0] == 0
    damaged = bytearray((folder / "a.x").read_bytes())
    damaged[-1] ^= 1
    (folder / "a.x").write_bytes(damaged)
    status, shown, errors = inside(capsys, "open", "a.x", "-k", "key", "-o", "new", "--json")
    report = json.loads(errors)
    assert (status, shown) == (1, "") and report["kind"] == "DamagedFile" and report["exit"] == 1
    assert not (folder / "new").exists() and not list(folder.glob(".*"))


@pytest.mark.parametrize(
    ("content", "good"),
    [
        (KEY, True),
        (KEY.hex().encode(), True),
        (KEY.hex().upper().encode() + b"\n", True),
        (KEY[:31], False),
        (KEY.hex().encode()[:-2], False),
        (b"z" * 64, False),
        (b"", False),
        (bytes([200]) * 64, False),
    ],
)
def test_key_files(
    folder: Path, capsys: pytest.CaptureFixture[str], content: bytes, good: bool
) -> None:
    (folder / "key").write_bytes(content)
    status, _, errors = inside(capsys, "seal", "c", "-k", "key", "-o", "c.x")
    assert status == (0 if good else 2) and ("32 bytes" in errors) != good
    if good:
        xorcore.decrypt_file("c.x", "c.back", KEY)
        assert (folder / "c.back").read_bytes() == text(300, 3)


def test_passphrases(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "pass").write_bytes("größe\nsecond line\n".encode())
    command = ["seal", "c", "--passphrase-file", "pass", "--cost", "10", "-o", "c.x"]
    assert inside(capsys, *command) == (0, "", "")
    xorcore.decrypt_file("c.x", "c.back", passphrase="größe")
    answers = iter(["größe", "größe", "one", "two", "wrong", "größe", ""])
    monkeypatch.setattr("getpass.getpass", lambda _: next(answers))
    assert inside(capsys, "seal", "c", "-p", "--cost", "10", "-o", "c.y")[0] == 0
    status, _, errors = inside(capsys, "seal", "c", "-p", "--cost", "10", "-o", "c.z")
    assert status == 2 and "differ" in errors
    status, _, errors = inside(capsys, "open", "c.y", "-p", "-o", "c.new")
    assert status == 1 and "another key or passphrase" in errors
    assert inside(capsys, "open", "c.y", "-p", "-o", "c.new")[0] == 0
    assert (folder / "c.new").read_bytes() == text(300, 3)
    status, _, errors = inside(capsys, "open", "c.y", "-p", "-o", "c.none")
    assert status == 2 and "empty" in errors
    status, _, errors = inside(capsys, "open", "c.y", "-k", "key", "-o", "c.none")
    assert status == 1 and "under a passphrase" in errors


def test_xor(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = (folder / "a").read_bytes(), (folder / "b").read_bytes()
    status, shown, _ = inside(capsys, "xor", "a", "b", "a", "-o", "out", "--json")
    assert status == 0 and json.loads(shown)["files"] == 3
    assert (folder / "out").read_bytes() == b
    assert inside(capsys, "xor", "a", "-o", "same")[0] == 0 and (folder / "same").read_bytes() == a
    for files in (["a", "c"], ["c", "a"]):
        status, _, errors = inside(capsys, "xor", *files, "-o", "new")
        assert status == 1 and "another length" in errors and not (folder / "new").exists()
    assert inside(capsys, "xor", "-", "-", "-o", "new")[0] == 2


def test_parity_and_rebuild(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert inside(capsys, "parity", "a", "b", "c", "-o", "p")[0] == 0
    before = (folder / "b").read_bytes()
    status, _, errors = inside(capsys, "rebuild", "p", "a", "b", "c")
    assert status == 2 and "missing" in errors
    (folder / "b").unlink()
    status, shown, _ = inside(capsys, "rebuild", "p", "a", "b", "c", "--json")
    assert status == 0 and json.loads(shown)["rebuilt"] == "b"
    assert (folder / "b").read_bytes() == before
    (folder / "b").rename(folder / "kept")
    assert inside(capsys, "rebuild", "p", "a", "b", "c", "-o", "elsewhere")[0] == 0
    assert (folder / "elsewhere").read_bytes() == before and not (folder / "b").exists()
    (folder / "c").write_bytes(b"changed")
    status, _, errors = inside(capsys, "rebuild", "p", "a", "b", "c")
    assert status == 1 and "number 2" in errors and not (folder / "b").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["seal", "a"],
        ["seal", "a", "-k", "key", "-p"],
        ["xor"],
        ["parity", "-o", "p"],
        ["rebuild", "p"],
    ],
)
def test_wrong_command_lines(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2 and "usage" in capsys.readouterr().err


def test_files_that_are_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        ["xor", "a", "none", "-o", "out"],
        ["seal", "none", "-k", "key", "-o", "out"],
        ["seal", "a", "-k", "none", "-o", "out"],
        ["seal", "a", "-k", "key", "-o", "none/out"],
        ["open", ".", "-k", "key", "-o", "out"],
    ):
        status, shown, errors = inside(capsys, *command)
        assert (status, shown) == (3, "") and errors.startswith(f"xorcore {command[0]}: ")
    assert not (folder / "out").exists()


def test_no_binary_to_a_terminal(folder: Path) -> None:
    inner, outer = pty.openpty()
    try:
        done = subprocess.run(
            [*PROGRAM, "xor", "a"], stdout=outer, stderr=subprocess.PIPE, check=False, timeout=60
        )
    finally:
        os.close(inner)
        os.close(outer)
    assert done.returncode == 2 and b"-o" in done.stderr


def test_progress(folder: Path) -> None:
    for command in (
        ["seal", "a", "-k", "key", "-o", "a.x"],
        ["open", "a.x", "-k", "key", "-o", "a.y"],
        ["xor", "a", "b", "-o", "x"],
        ["parity", "a", "b", "-o", "p"],
    ):
        assert "100%" in run(*command, "--progress")[1]
        assert run(*command, "--force")[1] == ""  # not a terminal
        assert run(*command, "--force", "--no-progress")[1] == ""


@pytest.mark.parametrize(("how", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_stopped(folder: Path, how: signal.Signals, status: int) -> None:
    command = [*PROGRAM, "seal", "-k", "key", "-o", "out"]

    def heeded() -> None:  # where the tests run in a shell's background SIGINT is ignored, and would be here
        signal.signal(how, signal.SIG_DFL)

    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heeded
    ) as process:
        assert process.stdin
        process.stdin.write(bytes(1 << 20))
        process.stdin.flush()
        end = time.monotonic() + 30
        while not list(folder.glob(".out.*.part")) and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(how)
        process.wait(30)
    assert process.returncode == status
    assert not (folder / "out").exists() and not list(folder.glob(".*"))


def test_a_reader_that_goes_away(folder: Path) -> None:
    with subprocess.Popen(
        [*PROGRAM, "xor", "a"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.read(10)
        process.stdout.close()
        assert process.wait(30) == 3 and process.stderr.read() == b""


def test_reports(capsys: pytest.CaptureFixture[str]) -> None:
    reports: dict[str, Any] = {}
    for command in ("info", "selftest", "lib-path", "bench"):
        more = ["--seconds", "0.001"] if command == "bench" else []
        status, shown, errors = inside(capsys, command, "--json", *more)
        assert (status, errors) == (0, "")
        reports[command] = json.loads(shown)
        assert inside(capsys, command, *more)[1].count("\n") >= 1
    assert reports["selftest"]["passed"] is True and reports["selftest"]["kernels"] > 3
    assert reports["lib-path"] == {"path": xorcore.library_path()}
    assert len(reports["bench"]["rows"]) == 12
    assert all(row["ns"] > 0 for row in reports["bench"]["rows"])
