"""bench — AESGCM beside pyca/cryptography's, best of interleaved runs: bench.py [ROUNDS]."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM as Peer

import xorcore

NONCE = os.urandom(12)


def jobs(
    aead: Any, small: bytes, packet: bytes, large: bytes
) -> dict[str, tuple[Callable[[], Any], int]]:
    """Name: what to call, and how often in one round."""
    sealed = aead.encrypt(NONCE, small, None)
    room, hall = bytearray(len(small) + 16), bytearray(len(large) + 16)
    return {
        "encrypt 64 B": (lambda: aead.encrypt(NONCE, small, None), 2000),
        "encrypt_into 64 B": (lambda: aead.encrypt_into(NONCE, small, None, room), 2000),
        "decrypt 64 B": (lambda: aead.decrypt(NONCE, sealed, None), 2000),
        "encrypt 1350 B": (lambda: aead.encrypt(NONCE, packet, None), 2000),
        "encrypt 1 MiB": (lambda: aead.encrypt(NONCE, large, None), 5),
        "encrypt_into 1 MiB": (lambda: aead.encrypt_into(NONCE, large, None, hall), 5),
    }


RECORDS, RECORD = 10_000, 100


def many(peer: Any, ours: Any) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Name: a loop over the peer's encrypt(), and one call of ours."""
    nonces = [os.urandom(12) for _ in range(RECORDS)]
    texts = [os.urandom(RECORD) for _ in range(RECORDS)]
    flat_nonces, flat = b"".join(nonces), b"".join(texts)
    room = bytearray(RECORDS * (RECORD + 16))

    def loop() -> list[bytes]:
        return [peer.encrypt(nonce, text, None) for nonce, text in zip(nonces, texts, strict=True)]

    calls: dict[str, Callable[[], Any]] = {
        "seal_many, list": lambda: ours.seal_many(nonces, texts),
        "seal_many, records": lambda: ours.seal_many(flat_nonces, flat, record_size=RECORD),
        "seal_many, records, out=": lambda: ours.seal_many(
            flat_nonces, flat, record_size=RECORD, out=room
        ),
    }
    wanted = loop()
    assert calls["seal_many, list"]() == wanted
    for name in ("seal_many, records", "seal_many, records, out="):
        assert calls[name]() == b"".join(wanted)
    try:
        import pyarrow
    except ImportError:
        pass
    else:
        column, column_nonces = pyarrow.array(texts), pyarrow.array(nonces)
        calls["seal_many, Arrow"] = lambda: ours.seal_many(column_nonces, column)
        assert calls["seal_many, Arrow"]().to_pylist() == wanted
    return {name: (loop, call) for name, call in calls.items()}


def timed(call: Callable[[], Any], count: int) -> float:
    """Nanoseconds for one call."""
    start = time.perf_counter_ns()
    for _ in range(count):
        call()
    return (time.perf_counter_ns() - start) / count


def main(rounds: int) -> None:
    """Prints a table: time of both, and ours as a multiple of the peer's."""
    key, texts = os.urandom(16), [os.urandom(size) for size in (64, 1350, 1 << 20)]
    ours = xorcore.AESGCM(key)
    sides = [jobs(Peer(key), *texts), jobs(ours, *texts)]
    for name, pair in many(Peer(key), ours).items():
        for side in (0, 1):
            sides[side][f"{name}, {RECORDS} x {RECORD} B"] = (pair[side], 1)
    best: dict[tuple[int, str], float] = {}
    for _ in range(rounds):
        for name in sides[0]:
            for side in (0, 1):
                took = timed(*sides[side][name])
                best[side, name] = min(took, best.get((side, name), took))
    print(f"AES-128-GCM, kernel {ours.kernel}, nanoseconds")
    print(f"{'':40} {'cryptography':>13} {'xorcore':>10} {'ratio':>6}")
    for name in sides[0]:
        peer, mine = best[0, name], best[1, name]
        print(f"{name:40} {peer:13.0f} {mine:10.0f} {mine / peer:6.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
