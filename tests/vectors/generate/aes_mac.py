"""aes_mac.py - AES-CMAC and AES-GMAC: published examples, every length, refusals."""

import reference
from aes_cipher import KEYS, TEXT
from aes_gcm import flipped
from common import OURS, File, SplitMix64, generated, literal

SP800_38B = {"name": "NIST SP 800-38B, appendix D, and its examples with an update of 2016"}
MACSEC = {"name": "IEEE 802.1, MACsec GCM-AES test vectors (K. Randall, May 2011), 2.1.1 and 2.1.2"}


def tag_of(algorithm, key, iv, msg, tag_len):
    if algorithm == "AES-CMAC":
        return reference.cmac(key, msg, tag_len)
    return reference.gcm(key, iv, msg, b"", tag_len)[1]


def add(file, key, iv, msg, tag_len=16, **more):
    tag = tag_of(file.head["algorithm"], key, iv, msg, tag_len)
    file.add(key=key, iv=iv, msg=msg, tag=tag, **more)
    return tag


def cmac_standards():
    file = File("aes_cmac_standards.json", "AES-CMAC")
    file.group("MacTest", SP800_38B, tagSize=128)
    printed = """
        bb1d6929e95937287fa37d129b756746 070a16b46b4d4144f79bdd9dd04a287c 7d85449ea6ea19c823a7bf78837dfade
        dfa66747de9ae63030ca32611497c827 51f0bebf7e3b9d92fc49741779363cfe
        d17ddf46adaacde531cac483de7a9367 9e99a7bf31e710900662f65e617c5184 3d75c194ed96070444a9fa7ec740ecf8
        8a1de5be2eb31aad089a82e6ee908b0e a1d5df0eed790f794d77589659f39a11
        028962f61b7bf89efc6b551f4667d983 28a7023f452e8f82bd4bf28d8c37c35c 156727dc0878944a023c1fe03bad6d93
        aaf3d8f1de5640c232f5b169b9c911e6 e1992190549f6ed5696a2c056c315410""".split()
    for i, tag in enumerate(printed):
        n = (0, 16, 20, 40, 64)[i % 5]
        assert add(file, KEYS[i // 5], b"", TEXT[:n]) == literal(tag), (i // 5, n)
    return file


def gmac_standards():
    file = File("aes_gmac_standards.json", "AES-GMAC")
    file.group("MacTest", MACSEC, tagSize=128)
    head = "d609b1f056637a0d46df998d88e5222ab2c2846512153524c0895e81"
    msg = literal(head + "08000f10" + bytes(range(0x11, 0x35)).hex() + "0001")
    iv = literal("12153524c0895e81b2c28465")
    key = literal("ad7a2bd03eac835a6f620fdcb506b345")
    assert add(
        file, key, iv, msg, comment="54-byte packet, integrity alone, 128-bit key"
    ) == literal("f09478a9b09007d06f46e9b6a1da25dd")
    key = literal("e3c08a8f06c6e3ad95a70557b23f75483ce33021a9c72b7025666204c69c0b72")
    assert add(
        file, key, iv, msg, comment="54-byte packet, integrity alone, 256-bit key"
    ) == literal("2f0bc5af409e06d609ea8b7d0fa5ea50")
    return file


TAGS = {"AES-CMAC": tuple(range(4, 16)), "AES-GMAC": (4, 8, 12, 13, 14, 15)}


def nonce(algorithm, rng, n=12):
    return rng.bytes(n) if algorithm == "AES-GMAC" else b""


def lengths(algorithm):
    file = File(algorithm.lower().replace("-", "_") + "_lengths.json", algorithm, ["Every length."])
    rng = SplitMix64(0x6D6163 + sum(map(ord, algorithm)))
    file.group("MacTest", OURS, tagSize=128)
    count, step = {"AES-CMAC": (331, 130), "AES-GMAC": (571, 210)}[algorithm]
    for i in range(count):
        if i % 12 == 0:
            key = rng.bytes((16, 24, 32)[i // 12 % 3])
        add(file, key, nonce(algorithm, rng), generated(rng.next(), i * step % count))
    for i, n in enumerate((1023, 1024, 1025, 2048, 4095, 4096, 4111, 8192, 16400)):
        add(file, rng.bytes((16, 24, 32)[i % 3]), nonce(algorithm, rng), generated(rng.next(), n))
    if algorithm == "AES-GMAC":
        for i, n in enumerate((*range(1, 34), 48, 60, 64, 100, 128, 200)):
            add(file, rng.bytes((16, 24, 32)[i % 3]), rng.bytes(n), generated(rng.next(), i * 7))
    for tag_len in TAGS[algorithm]:
        file.group("MacTest", OURS, tagSize=8 * tag_len)
        for i, n in enumerate((0, 15, 16, 33, 100)):
            add(
                file,
                rng.bytes((16, 24, 32)[i % 3]),
                nonce(algorithm, rng),
                generated(rng.next(), n),
                tag_len,
            )
    return file


def invalid(algorithm):
    file = File(algorithm.lower().replace("-", "_") + "_invalid.json", algorithm)
    rng = SplitMix64(0x6E6F6D + sum(map(ord, algorithm)))

    def refuse(key, iv, msg, tag, comment):
        file.add("invalid", error="AUTH", comment=comment, key=key, iv=iv, msg=msg, tag=tag)

    for tag_len in (*TAGS[algorithm], 16):
        file.group("MacTest", OURS, tagSize=8 * tag_len)
        key, iv, msg = (
            rng.bytes((16, 24, 32)[tag_len % 3]),
            nonce(algorithm, rng),
            rng.bytes(3 * tag_len),
        )
        tag = tag_of(algorithm, key, iv, msg, tag_len)
        whole = tag_of(algorithm, key, iv, msg, 16)
        for at in range(tag_len):
            refuse(key, iv, msg, flipped(tag, 8 * at + rng.below(8)), f"bit of tag byte {at}")
        refuse(key, iv, msg, bytes(tag_len), "tag of zeros")
        refuse(key, iv, msg + b"\0", tag, "a byte more")
        refuse(key, iv, msg[:-1], tag, "a byte less")
        refuse(key, iv, flipped(msg, rng.below(8 * len(msg))), tag, "a bit of the text")
        refuse(flipped(key, rng.below(8 * len(key))), iv, msg, tag, "a bit of the key")
        if iv:
            refuse(key, flipped(iv, rng.below(96)), msg, tag, "a bit of the nonce")
        for n in range(0, 18):
            if n != tag_len:
                refuse(key, iv, msg, (whole + b"\0")[:n], f"tag of {n} bytes")

    def error(name, comment, **fields):
        file.add("invalid", error=name, comment=comment, **fields)

    for tag_len in {"AES-CMAC": (0, 1, 2, 3, 17, 32), "AES-GMAC": (0, 1, 3, 5, 7, 9, 11, 17)}[
        algorithm
    ]:
        file.group("MacTest", OURS, tagSize=8 * tag_len)
        iv = nonce(algorithm, rng)
        error("TAG_LENGTH", f"tags of {tag_len} bytes", key=rng.bytes(16), iv=iv, msg=rng.bytes(20))
        error(
            "KEY_LENGTH",
            "key and tag length both wrong",
            key=rng.bytes(20),
            iv=iv,
            msg=rng.bytes(20),
        )
    file.group("MacTest", OURS, tagSize=128)
    for n in (0, 1, 15, 17, 23, 25, 31, 33, 48, 64):
        error(
            "KEY_LENGTH",
            f"key of {n} bytes",
            key=rng.bytes(n),
            iv=nonce(algorithm, rng),
            msg=rng.bytes(20),
        )
    if algorithm == "AES-GMAC":
        for size in (16, 24, 32):
            error("NONCE_LENGTH", "an empty nonce", key=rng.bytes(size), msg=rng.bytes(20))
    return file


def files():
    out = [cmac_standards(), gmac_standards()]
    for algorithm in TAGS:
        out += [lengths(algorithm), invalid(algorithm)]
    return out
