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
    best: dict[tuple[int, str], float] = {}
    for _ in range(rounds):
        for name in sides[0]:
            for side in (0, 1):
                took = timed(*sides[side][name])
                best[side, name] = min(took, best.get((side, name), took))
    print(f"AES-128-GCM, kernel {ours.kernel}, nanoseconds")
    print(f"{'':20} {'cryptography':>13} {'xorcore':>10} {'ratio':>6}")
    for name in sides[0]:
        peer, mine = best[0, name], best[1, name]
        print(f"{name:20} {peer:13.0f} {mine:10.0f} {mine / peer:6.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
