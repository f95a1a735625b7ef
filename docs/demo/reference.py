"""reference.py — what the demos' results have to be, without libxorcore: OpenSSL, and Python's integers for XOR."""

import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from demo_common import (
    AAD,
    FIRST_SECTOR,
    IV,
    KEY,
    LOST,
    MASK,
    NONCE,
    RECORD,
    RECORDS,
    SECTOR,
    XTS_KEY,
    Demo,
)

OPENSSL = " ".join(backend.openssl_version_text().split()[:2])
PYTHON = "Python's int"


def xor(*sources):
    total = 0
    for source in sources:
        total ^= int.from_bytes(source, "little")
    return total.to_bytes(len(sources[0]), "little")


def xor_operations(demo):
    text = demo.text
    size = -(-len(text) // 4)
    filled = text.ljust(4 * size, b"\0")
    shards = [filled[i * size : (i + 1) * size] for i in range(4)]
    mask = (MASK * (len(text) // len(MASK) + 1))[: len(text)]

    parity = xor(*shards)
    rebuilt = [*shards[:LOST], xor(*shards[:LOST], *shards[LOST + 1 :], parity), *shards[LOST + 1 :]]
    demo.show("parity", lambda: xor(*shards), len(filled), PYTHON, parity)
    demo.show("rebuild", lambda: xor(*shards[:LOST], *shards[LOST + 1 :], parity), len(filled), PYTHON,
              b"".join(rebuilt)[: len(text)])
    masked = xor(text, mask)
    demo.show("mask", lambda: xor(text, mask), len(text), PYTHON, masked)
    demo.show("unmask", lambda: xor(masked, mask), len(text), PYTHON, xor(masked, mask))


def aead_operations(demo):
    text = demo.text
    aead = AESGCM(KEY)
    sealed = aead.encrypt(NONCE, text, AAD)
    demo.show("seal", lambda: aead.encrypt(NONCE, text, AAD), len(text), OPENSSL, sealed)
    demo.show("open", lambda: aead.decrypt(NONCE, sealed, AAD), len(text), OPENSSL, aead.decrypt(NONCE, sealed, AAD))

    flipped = bytearray(sealed)
    flipped[len(text) // 2] ^= 1

    def refuse():
        try:
            aead.decrypt(NONCE, bytes(flipped), AAD)
        except InvalidTag:
            return
        sys.exit("demo: OpenSSL did not notice a flipped bit")

    demo.show("refuse", refuse, len(text), OPENSSL, bytes(len(text)))


def cipher_operations(demo):
    text, part = demo.text, demo.slice

    def ctr(data):
        return Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor().update(data)

    demo.show("ctr", lambda: ctr(text), len(text), OPENSSL, ctr(text))
    # OpenSSL has no way into the middle: it takes all that stands before the slice.
    encrypted = ctr(text)
    demo.show("slice", lambda: ctr(encrypted[: part.stop])[part], part.stop - part.start, OPENSSL,
              ctr(encrypted[: part.stop])[part])

    def sectors(data):
        # A context for each sector, because pyca/cryptography has none that changes its tweak.
        return b"".join(
            Cipher(algorithms.AES(XTS_KEY), modes.XTS((FIRST_SECTOR + at // SECTOR).to_bytes(16, "little")))
            .encryptor().update(data[at : at + SECTOR]) for at in range(0, len(data), SECTOR))

    demo.show("sectors", lambda: sectors(demo.sectors), len(demo.sectors), OPENSSL, sectors(demo.sectors))


def record_operations(demo):
    aead = AESGCM(KEY)
    records, nonces = demo.records

    def seal():
        return [aead.encrypt(nonce, record, AAD) for nonce, record in zip(nonces, records, strict=True)]

    demo.show("records", seal, RECORDS * RECORD, OPENSSL, b"".join(seal()))


def main():
    demo = Demo(*sys.argv[1:])
    xor_operations(demo)
    aead_operations(demo)
    cipher_operations(demo)
    record_operations(demo)


if __name__ == "__main__":
    main()
