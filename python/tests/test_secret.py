"""test_secret — objects that hold keys: neither pickled nor copied, and whole after a fork."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import xorcore

KEY, NONCE = bytes(range(32)), bytes(12)
CTR = xorcore.cipher("AES-CTR", KEY, bytes(16))
OBJECTS: dict[str, Callable[[], Any]] = {
    "AESGCM": lambda: xorcore.AESGCM(KEY),
    "AESCCM": lambda: xorcore.AESCCM(KEY),
    "AESGCMSIV": lambda: xorcore.AESGCMSIV(KEY),
    "XAES256GCM": lambda: xorcore.XAES256GCM(KEY),
    "AESXTS": lambda: xorcore.AESXTS(KEY),
    "Cipher": lambda: CTR,
    "GMAC": lambda: xorcore.GMAC(KEY),
    "CMAC": lambda: xorcore.CMAC(KEY),
    "CipherContext": CTR.encryptor,
    "AEADEncryptor": lambda: xorcore.AESGCM(KEY).encryptor(NONCE),
    "AEADDecryptor": lambda: xorcore.AESGCM(KEY).decryptor(NONCE),
    "AEADUnverifiedDecryptor": lambda: xorcore.AESGCM(KEY).decryptor_unverified(NONCE),
    "MACContext": lambda: xorcore.CMAC(KEY).stream(),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_no_pickle_and_no_copy(name: str) -> None:
    made = OBJECTS[name]()
    assert type(made).__name__ == name
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match=f"{name!r} objects hold a key"):
            pickle.dumps(made, protocol)
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="neither pickled nor copied"):
            copied(made)
        with pytest.raises(TypeError):
            copied([made]) if copied is copy.deepcopy else copied(made)


def test_no_representation_shows_a_key() -> None:
    for make in OBJECTS.values():
        text = repr(make())
        assert KEY.hex() not in text and repr(KEY)[2:-1] not in text


FORKS = """
import os, sys, threading, warnings
import xorcore
warnings.simplefilter("ignore")  # of a fork with threads, which is what this is about
key, data = bytes(range(32)), bytes(5000)
makers = [xorcore.AESGCM, xorcore.AESCCM, xorcore.AESGCMSIV]
aeads, cipher, mac = [make(key) for make in makers], xorcore.cipher("AES-CBC", key, bytes(16)), xorcore.CMAC(key)

def answers():
    sealed = [aead.encrypt(bytes(12), data, b"aad") for aead in aeads]
    opened = [aead.decrypt(bytes(12), each, b"aad") for aead, each in zip(aeads, sealed)]
    return sealed, opened, cipher.encrypt(data[:4992]), mac.compute(data), aeads[0].encrypt_rows([bytes(12)], [data])

expected, stop = answers(), threading.Event()

def work():
    while not stop.is_set():
        answers()

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
good = 0
for _ in range(20):
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if answers() == expected and xorcore.AESGCM(key).kernel == aeads[0].kernel else 2
        finally:
            os._exit(status)
    good += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
stop.set()
for thread in threads: thread.join()
print(good, answers() == expected)
"""


def test_keys_work_after_a_fork() -> None:
    """In the child, while threads of the parent were at work with the same objects."""
    done = subprocess.run(
        [sys.executable, "-c", FORKS], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "20 True\n"
