"""test_files — sealed files and parity: right, whole or nothing, and small in memory."""

from __future__ import annotations

import hashlib
import hmac
import io
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM as Reference
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

import xorcore
from xorcore import DamagedFile, decrypt_file, encrypt_file, parity_files, rebuild_file

KEY = bytes(range(32))
CHUNK = 4096
START = 80
SIZES = [0, 1, 15, 16, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 100]


def text(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


def by_the_book(sealed: bytes, key: bytes | None, passphrase: str | None = None) -> bytes:
    """The format as _files.py says it, by OpenSSL and the standard library."""
    header, check, rest = sealed[:48], sealed[48:80], sealed[80:]
    assert header[:8] == b"xorcore\1" and header[11:16] == bytes(5)
    if passphrase is None:
        assert header[8] == 1 and header[10] == 0 and key is not None
        root = key
    else:
        assert header[8] == 2
        kdf = Scrypt(salt=header[16:], length=32, n=1 << header[10], r=8, p=1)
        root = kdf.derive(passphrase.encode())
    assert check == hmac.digest(root, b"xorcore file check" + header, "sha256")
    aead = Reference(hmac.digest(root, b"xorcore file text" + header, "sha256"))
    size = (1 << header[9]) + 16
    chunks = [rest[at : at + size] for at in range(0, len(rest), size)]
    return b"".join(
        aead.decrypt(number.to_bytes(11, "big") + bytes([number == len(chunks) - 1]), chunk, None)
        for number, chunk in enumerate(chunks)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def only(folder: Path, *names: str) -> None:
    assert sorted(each.name for each in folder.iterdir()) == sorted(names)


@pytest.mark.parametrize("size", SIZES)
def test_sealed_files(folder: Path, size: int) -> None:
    source, sealed, back = folder / "text", folder / "sealed", folder / "back"
    source.write_bytes(text(size))
    steps: list[int] = []
    assert encrypt_file(source, sealed, KEY, chunk_size=CHUNK, progress=steps.append) == size
    assert sum(steps) == size and max(steps) <= CHUNK
    assert by_the_book(sealed.read_bytes(), KEY) == text(size)
    steps.clear()
    assert decrypt_file(str(sealed), str(back), bytearray(KEY), progress=steps.append) == size
    assert back.read_bytes() == text(size) and sum(steps) == sealed.stat().st_size - START
    only(folder, "text", "sealed", "back")
    out = io.BytesIO()
    encrypt_file(io.BytesIO(text(size)), out, KEY, chunk_size=CHUNK)
    assert (
        out.getvalue()[16:48] != sealed.read_bytes()[16:48]
    )  # each has its own salt, and so its own key
    assert by_the_book(out.getvalue(), KEY) == text(size)
    opened = io.BytesIO()
    assert decrypt_file(io.BytesIO(out.getvalue()), opened, KEY) == size
    assert opened.getvalue() == text(size)


def sealed_text(size: int, **more: Any) -> bytes:
    out = io.BytesIO()
    encrypt_file(io.BytesIO(text(size)), out, **({"key": KEY, "chunk_size": CHUNK} | more))
    return out.getvalue()


def test_passphrases() -> None:
    sealed = sealed_text(5000, key=None, passphrase="pässword", cost=10)
    assert by_the_book(sealed, None, "pässword") == text(5000)
    for same in ("pässword", "pa\u0308ssword", "pässword".encode()):
        out = io.BytesIO()
        assert decrypt_file(io.BytesIO(sealed), out, passphrase=same) == 5000
        assert out.getvalue() == text(5000)
    for other in ("password", "", "pässword "):
        with pytest.raises(DamagedFile, match="another key or passphrase"):
            decrypt_file(io.BytesIO(sealed), io.BytesIO(), passphrase=other)
    usual = sealed_text(5, key=None, passphrase="a")
    assert usual[10] == 17 and by_the_book(usual, None, "a") == text(5)
    with pytest.raises(ValueError, match="under a passphrase"):
        decrypt_file(io.BytesIO(sealed), io.BytesIO(), KEY)
    with pytest.raises(ValueError, match="under a key"):
        decrypt_file(io.BytesIO(sealed_text(5)), io.BytesIO(), passphrase="a")


def refused(folder: Path, damaged: bytes, original: bytes) -> None:
    """A damaged file gives nothing under the name, and to an open file a beginning of the text at most."""
    (folder / "damaged").write_bytes(damaged)
    with pytest.raises(DamagedFile) as caught:
        decrypt_file(folder / "damaged", folder / "out", KEY)
    assert isinstance(caught.value, xorcore.InvalidTag) and caught.value.result == "AUTH"
    only(folder, "damaged")
    out = io.BytesIO()
    with pytest.raises(DamagedFile):
        decrypt_file(io.BytesIO(damaged), out, KEY)
    released = out.getvalue()
    assert original.startswith(released) and len(released) % CHUNK == 0


def test_every_byte_counts(folder: Path) -> None:
    size = 2 * CHUNK + 50
    sealed = sealed_text(size)
    places = [*range(START), *range(START, len(sealed), 97), len(sealed) - 1]
    for at in places:
        for bit in (1, 128):
            damaged = sealed[:at] + bytes([sealed[at] ^ bit]) + sealed[at + 1 :]
            out = io.BytesIO()
            with pytest.raises(DamagedFile):
                decrypt_file(io.BytesIO(damaged), out, KEY)
            chunk = max(0, at - START) // (CHUNK + 16)
            assert out.getvalue() == text(size)[: chunk * CHUNK]
    refused(folder, sealed[:100] + b"!" + sealed[101:], text(size))


@pytest.mark.parametrize("size", [0, 10, CHUNK, 3 * CHUNK, 3 * CHUNK + 10])
def test_truncation(folder: Path, size: int) -> None:
    sealed, whole = sealed_text(size), CHUNK + 16
    for end in {
        0,
        7,
        79,
        80,
        90,
        START + whole,
        START + 2 * whole,
        len(sealed) - 16,
        len(sealed) - 1,
    }:
        if 0 <= end < len(sealed):
            refused(folder, sealed[:end], text(size))
    for more in (b"!", bytes(16), sealed[START:]):
        refused(folder, sealed + more, text(size))


def test_reordering(folder: Path) -> None:
    size, whole = 4 * CHUNK + 9, CHUNK + 16
    sealed = sealed_text(size)
    head, rest = sealed[:START], sealed[START:]
    chunks = [rest[at : at + whole] for at in range(0, len(rest), whole)]
    other = sealed_text(size)[START:]
    for order in (
        [1, 0, 2, 3, 4],
        [0, 2, 1, 3, 4],
        [0, 1, 3, 4],
        [0, 0, 1, 2, 3, 4],
        [4],
        [0, 1, 2, 4, 3],
    ):
        refused(folder, head + b"".join(chunks[at] for at in order), text(size))
    refused(folder, head + chunks[0] + other[whole:], text(size))
    refused(folder, head + other, text(size))


def test_an_empty_last_chunk_is_refused(folder: Path) -> None:
    """It is not made by encrypt_file(), and one text has one form."""
    sealed = sealed_text(CHUNK)
    header = sealed[:48]
    aead = Reference(hmac.digest(KEY, b"xorcore file text" + header, "sha256"))
    first = aead.encrypt(bytes(12), text(CHUNK), None)
    last = aead.encrypt(bytes(10) + b"\1\1", b"", None)
    refused(folder, sealed[:START] + first + last, text(CHUNK))


def test_hostile_headers() -> None:
    """What a header may ask of memory and time has bounds, checked before anything is derived."""
    sealed = sealed_text(5, key=None, passphrase="a", cost=10)
    for at, value in (
        (8, 0),
        (8, 3),
        (9, 11),
        (9, 25),
        (9, 255),
        (10, 9),
        (10, 21),
        (10, 63),
        (11, 1),
    ):
        damaged = sealed[:at] + bytes([value]) + sealed[at + 1 :]
        begun = time.process_time()
        with pytest.raises(DamagedFile, match="header"):
            decrypt_file(io.BytesIO(damaged), io.BytesIO(), passphrase="a")
        assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (TypeError, lambda a, b: encrypt_file(a, b)),
        (TypeError, lambda a, b: encrypt_file(a, b, KEY, passphrase="a")),
        (TypeError, lambda a, b: decrypt_file(a, b)),
        (ValueError, lambda a, b: encrypt_file(a, b, KEY[:16])),
        (ValueError, lambda a, b: decrypt_file(a, b, KEY + KEY)),
        (ValueError, lambda a, b: encrypt_file(a, b, KEY, chunk_size=5000)),
        (ValueError, lambda a, b: encrypt_file(a, b, KEY, chunk_size=2048)),
        (ValueError, lambda a, b: encrypt_file(a, b, KEY, chunk_size=1 << 25)),
        (ValueError, lambda a, b: encrypt_file(a, b, passphrase="a", cost=30)),
        (ValueError, lambda a, b: parity_files([], b)),
        (FileNotFoundError, lambda a, b: encrypt_file(b, a / "x", KEY)),
        (IsADirectoryError, lambda a, b: encrypt_file(a, b, KEY)),
        (FileNotFoundError, lambda a, b: parity_files([b], a / "x")),
    ],
)
def test_wrong_arguments(folder: Path, error: type[Exception], call: Callable[..., Any]) -> None:
    with pytest.raises(error):
        call(folder, folder / "target")
    only(folder)


@pytest.mark.parametrize("buffering", [0, -1])
def test_files_that_do_not_wait(folder: Path, buffering: int) -> None:
    """Nothing to read at the moment is not the end of the file."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.write(write, text(5000))
    target = folder / "sealed"
    with open(read, "rb", buffering) as source, open(write, "wb", 0) as other:
        for call in (
            lambda: encrypt_file(source, target, KEY, chunk_size=CHUNK),
            lambda: parity_files([source], target),
        ):
            with pytest.raises(BlockingIOError):
                call()
        os.set_blocking(write, False)
        with pytest.raises(BlockingIOError):
            encrypt_file(io.BytesIO(text(1 << 20)), other, KEY)
    assert not list(folder.iterdir())


def test_overwriting(folder: Path) -> None:
    source, target = folder / "source", folder / "target"
    source.write_bytes(b"text")
    target.write_bytes(b"before")
    with pytest.raises(FileExistsError):
        encrypt_file(source, target, KEY, overwrite=False)
    assert target.read_bytes() == b"before"

    def appears(_: int) -> None:
        (folder / "new").write_bytes(b"meanwhile")

    with pytest.raises(FileExistsError):
        encrypt_file(source, folder / "new", KEY, overwrite=False, progress=appears)
    assert (folder / "new").read_bytes() == b"meanwhile"
    encrypt_file(source, target, KEY)
    assert decrypt_file(target, target, KEY) == 4 and target.read_bytes() == b"text"
    only(folder, "source", "target", "new")


def test_overwriting_without_hard_links(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "no hard links here")

    monkeypatch.setattr(os, "link", refuse)
    source = folder / "source"
    source.write_bytes(b"text")
    encrypt_file(source, folder / "out", KEY, overwrite=False)
    assert by_the_book((folder / "out").read_bytes(), KEY) == b"text"
    appears = (folder / "new").write_bytes
    with pytest.raises(FileExistsError):
        encrypt_file(
            source, folder / "new", KEY, overwrite=False, progress=lambda _: appears(b"meanwhile")
        )
    assert (folder / "new").read_bytes() == b"meanwhile"
    only(folder, "source", "out", "new")


def test_links_and_pipes(folder: Path) -> None:
    """A link is written through, and a pipe or a device is not replaced by a file."""
    (folder / "source").write_bytes(text(5000))
    (folder / "real").write_bytes(b"before")
    (folder / "link").symlink_to("real")
    encrypt_file(folder / "source", folder / "link", KEY)
    assert (folder / "link").is_symlink()
    assert by_the_book((folder / "real").read_bytes(), KEY) == text(5000)
    os.mkfifo(folder / "pipe")
    for overwrite in (False, True):
        reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        try:
            decrypt_file(folder / "real", folder / "pipe", KEY, overwrite=overwrite)
            assert os.read(reader, 10000) == text(5000)
        finally:
            os.close(reader)
    assert (folder / "pipe").is_fifo()
    only(folder, "source", "real", "link", "pipe")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError, SystemExit])
def test_interrupted(folder: Path, stop: type[BaseException]) -> None:
    source, sealed = folder / "source", folder / "sealed"
    source.write_bytes(text(5 * CHUNK))
    encrypt_file(source, sealed, KEY, chunk_size=CHUNK)
    sealed_before = sealed.read_bytes()
    seen = []

    def interrupt(_: int) -> None:
        # What is there while it runs has another name.
        seen.extend(each.name for each in folder.iterdir() if each.name not in ("source", "sealed"))
        raise stop

    for call in (
        lambda: encrypt_file(source, folder / "out", KEY, chunk_size=CHUNK, progress=interrupt),
        lambda: decrypt_file(sealed, folder / "out", KEY, progress=interrupt),
        lambda: parity_files([source, sealed], folder / "out", progress=interrupt),
        lambda: encrypt_file(source, sealed, KEY, progress=interrupt),
    ):
        with pytest.raises(stop):
            call()
        only(folder, "source", "sealed")
    assert sealed.read_bytes() == sealed_before
    assert seen and all(name.startswith(".") and name.endswith(".part") for name in seen)


KILLED = """
import sys, time, xorcore
def slow(_):
    print("on", flush=True)
    time.sleep(60)
xorcore.decrypt_file(sys.argv[1], sys.argv[2], bytes(range(32)), progress=slow)
"""


def test_killed(folder: Path) -> None:
    """No clean-up runs at all: still there is nothing under the name."""
    (folder / "sealed").write_bytes(sealed_text(5 * CHUNK))
    command = [sys.executable, "-c", KILLED, str(folder / "sealed"), str(folder / "out")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdout.readline() == b"on\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not (folder / "out").exists()


MEMORY = """
import resource, sys, xorcore
def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
xorcore.encrypt_file(sys.argv[1], sys.argv[1] + ".small", bytes(32), chunk_size=4096)
a, b = sys.argv[2:]
before = most()
xorcore.encrypt_file(a, a + ".sealed", bytes(32))
xorcore.decrypt_file(a + ".sealed", a + ".back", bytes(32))
xorcore.parity_files([a, b], a + ".parity")
xorcore.rebuild_file(a + ".parity", [None, b], a + ".again")
print(most() - before)
"""


def test_memory_is_bounded(folder: Path) -> None:
    for name, size in (("tiny", 10), ("a", 96 << 20), ("b", 64 << 20)):
        with open(folder / name, "wb") as file:
            file.truncate(size)
            file.seek(size // 2)
            file.write(b"middle")
    names = [str(folder / name) for name in ("tiny", "a", "b")]
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, *names], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 8 << 10  # KiB; the files have 96 MiB
    sums = {
        hashlib.sha256((folder / name).read_bytes()).digest() for name in ("a", "a.back", "a.again")
    }
    assert len(sums) == 1


# ---- parity ------------------------------------------------------------------------------------------------


def shards(folder: Path, *sizes: int) -> list[Path]:
    paths = []
    for at, size in enumerate(sizes):
        paths.append(folder / f"shard{at}")
        paths[-1].write_bytes(text(size, at))
    return paths


def rebuilt(folder: Path, parity: Path, paths: list[Path], missing: int) -> bytes:
    sources = [None if at == missing else path for at, path in enumerate(paths)]
    size = rebuild_file(parity, sources, folder / "rebuilt")
    data = (folder / "rebuilt").read_bytes()
    (folder / "rebuilt").unlink()
    assert size == len(data)
    return data


@pytest.mark.parametrize(
    "sizes",
    [
        (5,),
        (0,),
        (0, 0),
        (0, 9),
        (100, 100, 100),
        (1, 300_000, 262_144),
        (524_288, 262_143, 0, 262_145),
    ],
)
def test_parity(folder: Path, sizes: tuple[int, ...]) -> None:
    paths, parity, steps = shards(folder, *sizes), folder / "parity", []
    size = parity_files(paths, parity, progress=steps.append)
    assert sum(steps) == sum(sizes) and size == parity.stat().st_size
    total = 0
    for path in paths:
        total ^= int.from_bytes(path.read_bytes(), "little")
    assert parity.read_bytes()[: max(sizes)] == total.to_bytes(max(sizes), "little")
    for missing in range(len(paths)):
        assert rebuilt(folder, parity, paths, missing) == text(sizes[missing], missing)


def test_damaged_parity(folder: Path) -> None:
    paths, parity = shards(folder, 1000, 400, 700), folder / "parity"
    parity_files(paths, parity)
    good = parity.read_bytes()

    def refuses(match: str) -> None:
        with pytest.raises(DamagedFile, match=match):
            rebuild_file(parity, [paths[0], None, paths[2]], folder / "out")
        only(folder, *(path.name for path in paths), "parity")

    for at in [*range(0, 1000, 50), *range(1000, len(good))]:
        parity.write_bytes(good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :])
        refuses("parity")
    for end in (0, 50, 999, 1000, len(good) - 1):
        parity.write_bytes(good[:end])
        refuses("parity")
    parity.write_bytes(good + b"!")
    refuses("parity")
    parity.write_bytes(b"!" + good)
    refuses("parity")
    parity.write_bytes(good)
    before = paths[2].read_bytes()
    for wrong in (
        before[:-1],
        before + b"!",
        before[:300] + b"!" + before[301:],
        b"",
        before + bytes(1 << 20),
    ):
        paths[2].write_bytes(wrong)
        refuses("number 2$")
    paths[2].write_bytes(before)
    with pytest.raises(DamagedFile, match=r"number 0, number 2$"):
        rebuild_file(parity, [paths[2], None, paths[0]], folder / "out")
    with pytest.raises(DamagedFile, match="number"):
        rebuild_file(parity, [None, *paths[:2]], folder / "out")
    for sources, match in (([*paths], "0 are missing"), ([paths[0], None], "of 3 files")):
        with pytest.raises(ValueError, match=match):
            rebuild_file(parity, sources, folder / "out")
    only(folder, *(path.name for path in paths), "parity")


def test_a_source_that_has_grown(folder: Path) -> None:
    """Also by bytes that lie behind the last piece of the parity."""
    paths, parity = shards(folder, 1 << 18, 1 << 18), folder / "parity"
    parity_files(paths, parity)
    with open(paths[0], "ab") as file:
        file.write(b"!")
    with pytest.raises(DamagedFile, match=r"number 0$"):
        rebuild_file(parity, [paths[0], None], folder / "out")


def test_limits_of_open_files_do_not_leak(folder: Path) -> None:
    """Files are closed when a call is refused."""
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        with pytest.raises(DamagedFile):
            decrypt_file(io.BytesIO(b"nonsense" * 20), folder / "x", KEY)
        with pytest.raises(FileNotFoundError):
            parity_files([folder / "none"], folder / "x")
    assert len(os.listdir("/proc/self/fd")) == before
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 20
