"""xor.py - vectors of the XOR family; the reference is exclusive or on Python's integers."""

from common import ARITHMETIC, File, SplitMix64, generated, repeated


def exclusive_or(*texts):
    n = len(texts[0])
    total = 0
    for text in texts:
        total ^= int.from_bytes(text, "big")
    return total.to_bytes(n, "big")


def masked(msg, key, phase):
    return bytes(byte ^ key[(phase + i) % len(key)] for i, byte in enumerate(msg))


# Every length over two rounds of a 128-byte loop, then both sides of wider steps.
LENGTHS = [
    *range(0, 290),
    *(n + d for n in (320, 384, 511, 512, 768, 1024, 2048, 4096) for d in (-1, 0, 1, 13)),
]


def two():
    file = File("xor.json", "XOR")
    file.group("XorTest", ARITHMETIC)
    for n in LENGTHS:
        a, b = generated(0x1000000 + n, n), generated(0x2000000 + n, n)
        file.add(a=a, b=b, out=exclusive_or(a, b))
    for n in (1, 7, 64, 200):
        a = generated(0x3000000 + n, n)
        file.add(comment="with itself", a=a, b=a, out=bytes(n))
        file.add(comment="with zeros", a=a, b=repeated(b"\x00", n), out=a)
        file.add(comment="with ones", a=a, b=repeated(b"\xff", n), out=bytes(x ^ 255 for x in a))
    return file


def many():
    file = File("xor_many.json", "XOR-MANY")
    file.group("XorManyTest", ARITHMETIC)
    rng = SplitMix64(0x6D616E79)
    shapes = [
        (count, n) for count in range(1, 13) for n in (0, 1, 7, 16, 31, 64, 65, 127, 200, 513)
    ]
    shapes += [(count, 1 + rng.below(700)) for count in (13, 16, 17, 24, 31, 32, 33, 64)]
    shapes += [(count, n) for count in (2, 3, 4, 5) for n in range(1, 131, 3)]
    shapes += [
        (count, n) for count in (1, 2, 3, 5, 33, 34, 70) for n in (1023, 1024, 1025, 2049, 4097)
    ]
    for count, n in shapes:
        srcs = [generated(rng.next(), n) for _ in range(count)]
        file.add(srcs=srcs, out=exclusive_or(*srcs))
    return file


def repeat():
    file = File("xor_repeat.json", "XOR-REPEAT")
    file.group("XorRepeatTest", ARITHMETIC)
    rng = SplitMix64(0x726570656174)
    for key_len in (*range(1, 41), 47, 48, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000):
        for n in (0, 1, rng.below(16), rng.below(64), rng.below(200), 300 + rng.below(900)):
            key, msg, phase = (
                generated(rng.next(), key_len),
                generated(rng.next(), n),
                rng.below(3 * key_len),
            )
            file.add(key=key, msg=msg, phase=phase, out=masked(msg, key, phase))
    for n in range(0, 260):
        key, msg = generated(rng.next(), (1, 2, 4, 8, 16, 3, 32)[n % 7]), generated(rng.next(), n)
        file.add(key=key, msg=msg, phase=n % 5, out=masked(msg, key, n % 5))
    for key_len in (1, 3, 13, 64, 100, 511, 512, 513, 1000, 1023, 1024, 1025, 2000, 5000):
        for n in (1023, 1024, 1025, 2047, 4099):
            key, msg, phase = (
                generated(rng.next(), key_len),
                generated(rng.next(), n),
                rng.below(key_len),
            )
            file.add(key=key, msg=msg, phase=phase, out=masked(msg, key, phase))
    for key_len in (1, 3, 4, 7, 16, 33, 64):
        for phase in (2**31 - 1, 2**32 - 1, 2**32, 2**63 + 1, 2**64 - 2, 2**64 - 1):
            key, msg = generated(rng.next(), key_len), generated(rng.next(), 150)
            file.add(
                comment="a great phase", key=key, msg=msg, phase=phase, out=masked(msg, key, phase)
            )
    file.add(
        "invalid", error="KEY_LENGTH", comment="a repeating key of no bytes", msg=generated(1, 20)
    )
    file.add("invalid", error="KEY_LENGTH", comment="the same without text")
    return file


def equal():
    file = File("equal.json", "EQUAL")
    file.group("EqualTest", ARITHMETIC)
    for n in (*range(0, 140), 255, 256, 257, 1000, 4099):
        a = generated(0x4000000 + n, n)
        file.add(a=a, b=a, equal=True)
    for n in (*range(1, 18), 24, 32, 33, 65):
        for at in range(n):
            a = generated(0x5000000 + n, n)
            b = bytearray(a)
            b[at] ^= 1 << at % 8
            file.add(comment="one bit", a=a, b=bytes(b), equal=False)
    for bit in range(8):
        file.add(
            comment="one bit", a=bytes(16), b=bytes(9) + bytes([1 << bit]) + bytes(6), equal=False
        )
    # What cancels when differences are added up or folded by XOR.
    file.add(a=bytes(32), b=b"\x80" * 2 + bytes(30), equal=False)
    file.add(a=bytes(64), b=(b"\x01" + bytes(31)) * 2, equal=False)
    file.add(a=bytes(64), b=b"\xff" * 64, equal=False)
    return file


def files():
    return [two(), many(), repeat(), equal()]
