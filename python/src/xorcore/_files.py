"""_files — whole files with bounded memory: sealed under a key or passphrase, and parity of several files.

A sealed file is a header of 80 bytes and chunks, the construction STREAM as age has it:

    header   magic (8), kind of key (1: key, 2: scrypt), log2 of the chunk size, log2 of scrypt's N, 5 zeros, salt (32)
    check    HMAC-SHA256(root, "xorcore file check" + header), 32 bytes: whose key it is, and that the header is whole
    chunks   AES-256-GCM of chunk_size bytes of text, and 16 bytes of tag, under HMAC-SHA256(root, "xorcore file text" +
             header); the nonce is the chunk's number in 11 bytes, big-endian, and a byte that is 1 for the last

where root is the key of 32 bytes, or scrypt(passphrase, salt, N, r = 8, p = 1). Every chunk is full but the last, which is
empty only in a file without text. So a chunk that is changed, lost, added, or in another place is refused, and so is an end
that comes too early. The salt makes a new key for every file, so that nonces may be counted.

A parity file is the XOR of the files, as long as the longest, and behind it a table, numbers little-endian:

    length (8) and SHA-256 (32) of each file, SHA-256 of the parity, number of files (4), magic (8), SHA-256 of this table

It protects against loss and accidents. Who may write to it can also change what it vouches for.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import secrets
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from ._aead import AESGCM
from ._buffers import Buffer, flat
from ._errors import DamagedFile, InvalidTag, named
from ._hot import xor_into

Source: TypeAlias = "str | os.PathLike[str] | IO[bytes]"
Progress: TypeAlias = "Callable[[int], object] | None"

MAGIC: Final = b"xorcore\1"
PARITY_MAGIC: Final = b"xorpar\0\1"
BY_KEY, BY_SCRYPT = 1, 2
HEADER, CHECK, TAG = 48, 32, 16
CHUNK = 1 << 18
SCRYPT_COST: Final = 17
"""log2 of N: 128 MiB of memory and a third of a second or so for each try of a passphrase."""
COSTS = range(10, 21)
ENTRY, DIGEST = 40, 32


# ---- reading and writing -----------------------------------------------------------------------------------


@contextmanager
def reading(source: Source) -> Iterator[Any]:
    """A file that was given by its path, or as it is, which stays open."""
    if isinstance(source, str | os.PathLike):
        with open(source, "rb", buffering=0) as file:
            yield file
    else:
        yield source


def _taken(path: Path) -> OSError:
    return FileExistsError(errno.EEXIST, "there is such a file already", str(path))


def _name_unless_taken(part: Path, path: Path) -> None:
    """Renames, but not over a name that has come up meanwhile."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:
        # No hard links in this file system: what comes up between these two lines is lost.
        if path.exists():
            raise _taken(path) from None
        os.replace(part, path)


@contextmanager
def writing(target: Source, overwrite: bool) -> Iterator[Any]:
    """A file that gets its name when all of it is there, and is gone when anything went wrong before.

    What is given as an open file is written to as it is.
    """
    if not isinstance(target, str | os.PathLike):
        yield target
        target.flush()
        return
    # A link stays, and what it leads to gets the new content.
    path = Path(os.path.realpath(target))
    if path.exists() and not path.is_file():
        # A device or a pipe is no name for a new file to take.
        with open(path, "wb", buffering=0) as file:
            yield file
        return
    if not overwrite and path.exists():
        raise _taken(path)
    part = path.parent / f".{path.name}.{secrets.token_hex(8)}.part"
    try:
        with open(part, "xb", buffering=0) as file:
            yield file
            os.fsync(file.fileno())
        if overwrite:
            os.replace(part, path)
        else:
            _name_unless_taken(part, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(part)
    # The new name is kept when the power fails, too.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _moved(count: int | None) -> int:
    """What a read or a write has moved. A file in non-blocking mode may say None, which is no end."""
    if count is None:
        raise BlockingIOError(errno.EAGAIN, "the file would have to be waited for")
    return count


def fill(file: Any, room: memoryview) -> int:
    """Reads until `room` is full or the file ends: the number of bytes."""
    done = 0
    while done < len(room):
        got = _moved(file.readinto(room[done:]))
        if not got:
            break
        done += got
    return done


def write_all(file: Any, data: memoryview) -> None:
    """Writes everything; an unbuffered file may take less at a time."""
    while len(data):
        data = data[_moved(file.write(data)) :]


def _chunks(file: Any, size: int) -> Iterator[tuple[memoryview, int, bool]]:
    """Pieces of `size` bytes, each in a buffer that has TAG bytes more, their length, and whether it is the last one;
    at least one. Two buffers take turns, for only what follows tells that a piece was the last."""
    ahead, current = (memoryview(bytearray(size + TAG)) for _ in range(2))
    got = fill(file, current[:size])
    while True:
        following = fill(file, ahead[:size]) if got == size else 0
        yield current, got, following == 0
        if following == 0:
            return
        current, ahead, got = ahead, current, following


# ---- sealed files --------------------------------------------------------------------------------------------


def _root(header: bytes, key: Buffer | None, passphrase: str | bytes | None) -> bytes:
    """The secret that a file's keys are derived from."""
    kind, cost = header[8], header[10]
    if kind == BY_KEY:
        if key is None:
            raise named("ARG", "the file was sealed under a key, not under a passphrase")
        return flat(key)
    if passphrase is None:
        raise named("ARG", "the file was sealed under a passphrase, not under a key")
    if isinstance(passphrase, str):
        passphrase = unicodedata.normalize("NFC", passphrase).encode()
    return hashlib.scrypt(
        passphrase,
        salt=header[16:],
        n=1 << cost,
        r=8,
        p=1,
        maxmem=(1 << cost + 10) + (1 << 20),
        dklen=32,
    )


def _one_secret(key: Buffer | None, passphrase: str | bytes | None) -> None:
    if (key is None) == (passphrase is None):
        raise TypeError("give either a key or a passphrase")
    if key is not None and len(flat(key)) != 32:
        raise named("KEY_LENGTH", "the key of a file has 32 bytes")


def _derived(root: bytes, what: bytes, header: bytes) -> bytes:
    return hmac.digest(root, b"xorcore file " + what + header, "sha256")


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def encrypt_file(
    source: Source,
    target: Source,
    key: Buffer | None = None,
    *,
    passphrase: str | bytes | None = None,
    chunk_size: int = CHUNK,
    cost: int = SCRYPT_COST,
    progress: Progress = None,
    overwrite: bool = True,
) -> int:
    """Seals a file under a key of 32 bytes or a passphrase and returns the number of bytes that were sealed.

    `source` and `target` are paths, or binary files, which are read from and written to where they stand. A path gets its
    name when all is written, and nothing stays behind when anything goes wrong. `chunk_size` is a power of two from 2**12
    to 2**24; memory is three times that. `cost` is log2 of scrypt's N, 10 to 20. `progress` is called with the number of bytes
    since the last call, as tqdm's update() takes it.
    """
    _one_secret(key, passphrase)
    size_bits = chunk_size.bit_length() - 1
    if chunk_size != 1 << size_bits or not 12 <= size_bits <= 24:
        raise named("ARG", f"a chunk is a power of two from 2**12 to 2**24, not {chunk_size}")
    if cost not in COSTS:
        raise named("ARG", f"the cost of scrypt is from {COSTS[0]} to {COSTS[-1]}, not {cost}")
    kind = (
        bytes([BY_KEY, size_bits, 0]) if passphrase is None else bytes([BY_SCRYPT, size_bits, cost])
    )
    header = MAGIC + kind + bytes(5) + secrets.token_bytes(32)
    root = _root(header, key, passphrase)
    aead = AESGCM(_derived(root, b"text", header))
    total = 0
    with reading(source) as file, writing(target, overwrite) as out:
        write_all(out, memoryview(header + _derived(root, b"check", header)))
        for number, (room, size, last) in enumerate(_chunks(file, chunk_size)):
            sealed = room[: size + TAG]
            aead.encrypt_into(_nonce(number, last), room[:size], None, sealed)
            write_all(out, sealed)
            total += size
            if progress:
                progress(size)
    return total


def decrypt_file(
    source: Source,
    target: Source,
    key: Buffer | None = None,
    *,
    passphrase: str | bytes | None = None,
    progress: Progress = None,
    overwrite: bool = True,
) -> int:
    """Opens a file that encrypt_file() made and returns the number of bytes of text.

    Raises DamagedFile, an InvalidTag, for another key or passphrase and for a file that was changed, cut or put together
    anew in any way. No byte is written that was not checked; and where `target` is a path, nothing is under its name before
    all was. What has gone to an open file before the exception is a true beginning of the text.
    """
    _one_secret(key, passphrase)
    total = 0
    with reading(source) as file:
        beginning = memoryview(bytearray(HEADER + CHECK))
        if fill(file, beginning) < len(beginning) or bytes(beginning[:8]) != MAGIC:
            raise DamagedFile("this is no file sealed by xorcore, or not one of this version")
        header, check = bytes(beginning[:HEADER]), bytes(beginning[HEADER:])
        kind, size_bits, cost = header[8:11]
        if (
            ((kind, cost) != (BY_KEY, 0) and not (kind == BY_SCRYPT and cost in COSTS))
            or not 12 <= size_bits <= 24
            or any(header[11:16])
        ):
            raise DamagedFile("the header of the sealed file is damaged")
        root = _root(header, key, passphrase)
        if not hmac.compare_digest(check, _derived(root, b"check", header)):
            raise DamagedFile("another key or passphrase, or the file's header is damaged")
        aead = AESGCM(_derived(root, b"text", header))
        with writing(target, overwrite) as out:
            for number, (room, size, last) in enumerate(_chunks(file, (1 << size_bits) + TAG)):
                text = room[: max(size - TAG, 0)]
                # An empty chunk is what a file without text consists of, and nothing else.
                if (
                    size < TAG
                    or (size == TAG and number > 0)
                    or not _opened(aead, _nonce(number, last), room[:size], text)
                ):
                    raise DamagedFile(
                        f"the file is cut short or damaged at its chunk number {number}"
                    )
                write_all(out, text)
                total += len(text)
                if progress:
                    progress(size)
    return total


def _opened(aead: AESGCM, nonce: bytes, sealed: memoryview, text: memoryview) -> bool:
    try:
        aead.decrypt_into(nonce, sealed, None, text)
    except InvalidTag:
        return False
    return True


# ---- parity --------------------------------------------------------------------------------------------------


def parity_files(
    sources: Sequence[Source], target: Source, *, progress: Progress = None, overwrite: bool = True
) -> int:
    """Writes a parity file, from which any one of the sources can be rebuilt, and returns its length.

    The sources may have different lengths. The other arguments are those of encrypt_file().
    """
    if not sources:
        raise named("ARG", "parity is of one file or more")
    with ExitStack() as held:
        files = [held.enter_context(reading(source)) for source in sources]
        out = held.enter_context(writing(target, overwrite))
        sums, sizes, own = [hashlib.sha256() for _ in files], [0] * len(files), hashlib.sha256()
        total, room, piece = bytearray(CHUNK), memoryview(bytearray(CHUNK)), 0
        length = 0
        while True:
            total[:] = bytes(CHUNK)
            piece = 0
            for at, file in enumerate(files):
                piece = max(piece, _added(file, total, room, sums, sizes, at, progress))
            if not piece:
                break
            own.update(memoryview(total)[:piece])
            write_all(out, memoryview(total)[:piece])
            length += piece
        table = b"".join(
            size.to_bytes(8, "little") + each.digest()
            for size, each in zip(sizes, sums, strict=True)
        )
        table += own.digest() + len(files).to_bytes(4, "little") + PARITY_MAGIC
        table += hashlib.sha256(table).digest()
        write_all(out, memoryview(table))
    return length + len(table)


def _added(
    file: Any,
    total: bytearray,
    room: memoryview,
    sums: list[Any],
    sizes: list[int],
    at: int,
    progress: Progress,
) -> int:
    """Adds the next piece of source `at` to the total, and takes its sum: the number of bytes."""
    got = fill(file, room)
    part = memoryview(total)[:got]
    xor_into(part, part, room[:got])
    sums[at].update(room[:got])
    sizes[at] += got
    if progress and got:
        progress(got)
    return got


def _table(parity: Any) -> tuple[int, list[tuple[int, bytes]], bytes]:
    """A parity file's length of parity, each file's length and sum, and the parity's own sum."""
    end = parity.seek(0, os.SEEK_END)
    fixed = DIGEST + 4 + len(PARITY_MAGIC) + DIGEST
    if end < fixed:
        raise DamagedFile("this is no parity file of xorcore, or its end is missing")
    parity.seek(end - fixed)
    room = memoryview(bytearray(fixed))
    fill(parity, room)
    count = int.from_bytes(room[DIGEST : DIGEST + 4], "little")
    size = count * ENTRY + fixed
    if bytes(room[DIGEST + 4 : -DIGEST]) != PARITY_MAGIC or end < size:
        raise DamagedFile("this is no parity file of xorcore, or its end is missing")
    parity.seek(end - size)
    table = bytearray(size)
    fill(parity, memoryview(table))
    parity.seek(0)
    entries = [
        (int.from_bytes(table[at : at + 8], "little"), bytes(table[at + 8 : at + ENTRY]))
        for at in range(0, count * ENTRY, ENTRY)
    ]
    if hashlib.sha256(table[:-DIGEST]).digest() != table[-DIGEST:] or not entries:
        raise DamagedFile("the parity file is damaged")
    return end - size, entries, bytes(table[count * ENTRY : count * ENTRY + DIGEST])


def rebuild_file(
    parity: Source,
    sources: Sequence[Source | None],
    target: Source,
    *,
    progress: Progress = None,
    overwrite: bool = True,
) -> int:
    """Rebuilds the one file that is missing, and returns its length.

    `sources` are the files of parity_files() in their order, with None for the one that is missing. `parity` is a path or a
    file that can seek, `target` preferably a path: it gets its name when the parity, every source and the result have been
    checked. Raises DamagedFile when one of them is not what it was.
    """
    missing = [at for at, source in enumerate(sources) if source is None]
    if len(missing) != 1:
        raise named("ARG", f"one file is to be rebuilt, and {len(missing)} are missing")
    with ExitStack() as held:
        file = held.enter_context(reading(parity))
        length, entries, own = _table(file)
        if len(entries) != len(sources):
            raise named(
                "ARG", f"the parity is of {len(entries)} files, and {len(sources)} were given"
            )
        files = [None if each is None else held.enter_context(reading(each)) for each in sources]
        size = entries[missing[0]][0]
        out = held.enter_context(writing(target, overwrite))
        sums, sizes = [hashlib.sha256() for _ in range(len(files) + 1)], [0] * (len(files) + 1)
        total, room = bytearray(CHUNK), memoryview(bytearray(CHUNK))
        rebuilt, done = sums[missing[0]], 0
        # One pass more than the parity has pieces, in which a source that is too long shows itself.
        for at in range(0, length + CHUNK, CHUNK):
            piece = min(CHUNK, max(length - at, 0))
            total[:] = bytes(CHUNK)
            _added(file, total, room[:piece], sums, sizes, len(files), progress)
            for number, each in enumerate(files):
                if each is not None:
                    _added(each, total, room, sums, sizes, number, progress)
            part = memoryview(total)[: min(piece, size - done)]
            rebuilt.update(part)
            write_all(out, part)
            done += len(part)
        sizes[missing[0]] = done
        checked = zip(sizes, sums, [*entries, (length, own)], strict=True)
        wrong = [at for at, (has, each, said) in enumerate(checked) if (has, each.digest()) != said]
        if len(files) in wrong:
            raise DamagedFile("the parity file is damaged")
        if wrong:
            names = ", ".join(f"number {at}" for at in wrong if at != missing[0])
            raise DamagedFile(
                f"not the files that the parity is of, or not in their order: {names}"
            )
    return size
