"""demo_common.py — what the two Python demos share: the package and the ctypes file have one shape.

The operations, their names and their results are those of demo.c."""

import sys
import time
from pathlib import Path

KEY = bytes(range(32))  # so that everybody gets the same results; a real key is random,
NONCE = bytes(range(0xA0, 0xAC))  # and a real nonce is never used twice
IV = bytes(range(0xC0, 0xD0))
XTS_KEY = bytes(range(64))
AAD = b"libxorcore demo"
MASK = b"xorcore"
LOST = 2
SECTOR, FIRST_SECTOR = 4096, 1000
RECORDS, RECORD, TAG = 1000, 64, 16


class Demo:
    """The real input, and the folder in which every operation leaves its result."""

    def __init__(self, folder, *files):
        self.folder = Path(folder)
        self.text = b"".join(Path(name).read_bytes() for name in files)

    @property
    def slice(self):
        """The slice from the middle."""
        at = len(self.text) // 3
        return slice(at, at + len(self.text) // 4)

    @property
    def sectors(self):
        """The text in whole sectors, filled up with zeros."""
        return self.text.ljust(-(-len(self.text) // SECTOR) * SECTOR, b"\0")

    @property
    def records(self):
        """A thousand records of the text, which begins again when it is short, and a nonce for each."""
        size = RECORDS * RECORD
        text = (self.text * -(-size // len(self.text)))[:size]
        return [text[at : at + RECORD] for at in range(0, size, RECORD)], [
            NONCE[:8] + number.to_bytes(4, "big") for number in range(RECORDS)]

    def show(self, name, operation, count, kernel, out):
        """Runs an operation a few times, prints its best speed over `count` bytes, and saves what it made."""
        begun, best, runs = time.perf_counter(), 1e9, 0
        while runs < 3 or time.perf_counter() - begun < 0.05:
            start = time.perf_counter()
            operation()
            best = min(best, time.perf_counter() - start)
            runs += 1
        print(f"{name}\t{count / best / 1e6:.0f}\t{kernel}", flush=True)
        (self.folder / name).write_bytes(out)


def xor_operations(demo, xorcore, kernel):
    """Four shards and their parity; a shard is lost and rebuilt; masking with a repeating key."""
    text = demo.text
    size = -(-len(text) // 4)
    # A bytearray, because ctypes can't point at the middle of bytes without a copy.
    filled = memoryview(bytearray(text.ljust(4 * size, b"\0")))
    shards = [filled[i * size : (i + 1) * size] for i in range(4)]

    parity = bytearray(size)
    demo.show("parity", lambda: xorcore.xor_into(parity, *shards), 4 * size, kernel, parity)

    rebuilt = bytearray(filled)
    lost = memoryview(rebuilt)[LOST * size : (LOST + 1) * size]
    lost[:] = bytes(size)
    left = [*shards[:LOST], *shards[LOST + 1 :], parity]
    demo.show("rebuild", lambda: xorcore.xor_into(lost, *left), 4 * size, kernel, memoryview(rebuilt)[: len(text)])

    masked = bytearray(len(text))
    demo.show("mask", lambda: xorcore.xor_repeat(text, MASK, out=masked), len(text), kernel, masked)

    # In two pieces: the second says how many bytes went before.
    half = len(text) // 2
    unmasked = bytearray(len(text))
    pieces = [(memoryview(masked)[:half], 0, memoryview(unmasked)[:half]),
              (memoryview(masked)[half:], half, memoryview(unmasked)[half:])]

    def unmask():
        for piece, phase, out in pieces:
            xorcore.xor_repeat(piece, MASK, phase=phase, out=out)

    demo.show("unmask", unmask, len(text), kernel, unmasked)


def aead_operations(demo, xorcore):
    """AES-256-GCM: a message is sealed and opened, and one with a flipped bit is refused."""
    text = demo.text
    aead = xorcore.AESGCM(KEY)
    sealed = bytearray(len(text) + TAG)
    opened = bytearray(len(text))
    demo.show("seal", lambda: aead.encrypt_into(NONCE, text, AAD, sealed), len(text), aead.kernel, sealed)
    demo.show("open", lambda: aead.decrypt_into(NONCE, sealed, AAD, opened), len(text), aead.kernel, opened)

    flipped = bytearray(sealed)
    flipped[len(text) // 2] ^= 1

    def refuse():
        try:
            aead.decrypt_into(NONCE, flipped, AAD, opened)
        except xorcore.InvalidTag:
            return
        sys.exit("demo: a flipped bit was not noticed")

    demo.show("refuse", refuse, len(text), aead.kernel, opened)


def cipher_operations(demo, xorcore):
    """CTR, with a slice decrypted from the middle; XTS over a run of sectors."""
    text = demo.text
    cipher = xorcore.cipher("AES-CTR", KEY, IV)
    encrypted = bytearray(len(text))
    demo.show("ctr", lambda: cipher.encrypt_into(text, encrypted), len(text), cipher.kernel, encrypted)

    part = memoryview(encrypted)[demo.slice]
    found = bytearray(len(part))
    demo.show("slice", lambda: cipher.ctr_at_into(demo.slice.start, part, found), len(part), cipher.kernel, found)

    xts, sectors = xorcore.AESXTS(XTS_KEY), demo.sectors
    encrypted = bytearray(len(sectors))
    demo.show("sectors", lambda: xts.encrypt_sectors(sectors, FIRST_SECTOR, SECTOR, out=encrypted), len(sectors),
              xts.kernel, encrypted)


class Arenas:
    """A thousand records as one call for many messages has them: three buffers, and offsets into them."""

    def __init__(self, demo):
        records, nonces = demo.records
        self.data = b"".join(records)
        self.aux = AAD + b"".join(nonces)
        self.out = bytearray(RECORDS * (RECORD + TAG))
        # in_at, out_at, len, nonce_at, aad_at, aad_len, tag_at
        self.rows = [
            (i * RECORD, i * (RECORD + TAG), RECORD, len(AAD) + i * len(NONCE), 0, len(AAD), i * (RECORD + TAG) + RECORD)
            for i in range(RECORDS)]
