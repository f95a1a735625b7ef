"""test_threads — one key object for many threads; GIL released, buffers held."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM as Reference

import xorcore


def test_one_object_many_threads() -> None:
    key = b"k" * 32
    aead, reference = xorcore.AESGCM(key), Reference(key)

    def work(thread: int) -> None:
        for number in range(200):
            nonce = thread.to_bytes(4, "big") + number.to_bytes(8, "big")
            data = nonce * (number % 40)
            sealed = aead.encrypt(nonce, data, nonce)
            assert sealed == reference.encrypt(nonce, data, nonce)
            assert aead.decrypt(nonce, sealed, nonce) == data

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


# A loaded machine may let this thread wait for the whole of another's call; that happens, but not every time.
TURNS = 20


def by_cffi() -> None:
    xorcore.xor_into(bytearray(1 << 20), *[bytes(1 << 20)] * 600, kernel="portable")


def of_an_aead() -> None:
    SLOW.encrypt_into(bytes(12), MESSAGE, None, ROOM)


def of_two_sources() -> None:
    xorcore.xor(LARGE, LARGE, out=LARGE)


SLOW = xorcore.AESGCM(bytes(16), kernel="portable+portable")
MESSAGE = bytes(8 << 20)
ROOM = bytearray(len(MESSAGE) + 16)
LARGE = bytearray(64 << 20)  # XOR is quick, and the other thread has to come to its turn meanwhile


def longest_gap(call: Callable[[], None]) -> float:
    """The part of a long call in another thread during which this one ran no Python code, at most."""
    inside = threading.Event()
    spans: list[float] = []

    def work() -> None:
        inside.set()
        start = time.perf_counter()
        call()
        spans.extend((start, time.perf_counter()))

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait()
    ticks = []
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0)
    thread.join()
    start, end = spans
    # With the GIL held, the whole call would be one gap between two ticks.
    during = [start, *(tick for tick in ticks if start < tick < end), end]
    return max(b - a for a, b in itertools.pairwise(during)) / (end - start)


@pytest.mark.parametrize("call", [by_cffi, of_an_aead, of_two_sources])
def test_the_gil_is_released(call: Callable[[], None]) -> None:
    """While one thread is inside a long call, this one goes on running Python code."""
    assert any(longest_gap(call) < 0.8 for _ in range(TURNS))


def refusals() -> int:
    """How often a buffer refused to grow while another thread's call had it."""
    sources = [bytearray(b"\1" * (1 << 20)) for _ in range(300)]
    out = bytearray(1 << 20)
    started = threading.Event()

    def work() -> None:
        started.set()
        xorcore.xor_into(out, *sources, kernel="portable")

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    refused = 0
    while thread.is_alive():
        for buffer in (out, sources[0], sources[-1]):
            try:
                buffer.append(0)
            except BufferError:
                refused += 1
            else:
                buffer.pop()
    thread.join()
    assert out == bytes(1 << 20)
    out.append(0)
    return refused


def test_buffers_cannot_be_resized_during_a_call() -> None:
    """The GIL is released, so another thread may try: it must be told, and the call must not notice."""
    assert any(refusals() for _ in range(TURNS))


def test_one_context_many_threads() -> None:
    """Not a use to recommend, but no piece of a message may be lost or done twice."""
    cipher = xorcore.cipher("AES-CTR", bytes(16), bytes(16))
    context = cipher.encryptor()
    with ThreadPoolExecutor(8) as pool:
        pieces = list(pool.map(lambda _: context.update(bytes(4096)), range(400)))
    whole = cipher.encrypt(bytes(4096 * 400))
    assert set(pieces) == {whole[at : at + 4096] for at in range(0, len(whole), 4096)}
    assert len(set(pieces)) == 400


def test_one_message_many_threads() -> None:
    """The same for what seals: no piece is lost, and the tag is that of the pieces in the order of their places."""
    aead, nonce = xorcore.AESGCM(bytes(16)), bytes(12)
    encryptor, decryptor = aead.encryptor(nonce), aead.decryptor(nonce)
    piece = bytes(4096)
    with ThreadPoolExecutor(8) as pool:
        pieces = set(pool.map(lambda _: encryptor.update(piece), range(200)))
    encryptor.finalize()
    whole = Reference(bytes(16)).encrypt(nonce, bytes(4096 * 200), None)
    assert pieces == {whole[at : at + 4096] for at in range(0, 4096 * 200, 4096)}
    assert encryptor.tag == whole[-16:]
    ends: list[Exception | None] = []

    def finish(_: int) -> None:
        try:
            decryptor.finalize_with_tag(bytes(16))
        except Exception as error:
            ends.append(error)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(finish, range(8)))
    # One of them ended the message; the others were told that it had ended.
    kinds = [type(error) for error in ends]
    assert kinds.count(xorcore.InvalidTag) == 1 and kinds.count(xorcore.AlreadyFinalized) == 7


FIRST_CALLS = """
import threading, xorcore
barrier, results = threading.Barrier(64), []
def work(number):
    barrier.wait()
    if number % 4 == 0: results.append(xorcore.xor(b"ab" * 40, b"cd" * 40) == b"\\2\\6" * 40)
    if number % 4 == 1: results.append(len(xorcore.AESGCM(bytes(16)).encrypt(bytes(12), b"")) == 16)
    if number % 4 == 2: results.append(any(kernel.default for kernel in xorcore.kernels()))
    if number % 4 == 3: results.append(xorcore.cpu() != [])
threads = [threading.Thread(target=work, args=(number,)) for number in range(64)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(results.count(True))
"""


def test_first_calls_of_a_process_at_once() -> None:
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", FIRST_CALLS], capture_output=True, text=True, check=True
        )
        assert done.stdout == "64\n"
