"""aes_aead.py - AES-CCM, AES-GCM-SIV and XAES-256-GCM: published examples, every length, refusals."""

import hashlib
import pathlib

import reference
from aes_gcm import AAD_LENGTHS, flipped
from common import OURS, File, SplitMix64, generated, literal, repeated

SP800_38C = {"name": "NIST SP 800-38C, appendix C"}
RFC8452 = {"name": "RFC 8452, appendix C"}
C2SP = {"name": "C2SP, XAES-256-GCM, test vectors"}


def seal(algorithm, key, iv, aad, msg, tag_len=16):
    if algorithm == "AES-CCM":
        return reference.ccm(key, iv, aad, msg, tag_len)
    return {"AES-GCM-SIV": reference.gcm_siv, "XAES-256-GCM": reference.xaes}[algorithm](
        key, iv, aad, msg
    )


def add(file, key, iv, aad, msg, tag_len=16, **more):
    ct, tag = seal(file.head["algorithm"], key, iv, aad, msg, tag_len)
    file.add(key=key, iv=iv, aad=aad, msg=msg, ct=ct, tag=tag, **more)
    return ct, tag


# ---- published -----------------------------------------------------------------------------------------


def ccm_standards():
    file = File("aes_ccm_standards.json", "AES-CCM")
    key = bytes(range(0x40, 0x50))
    long_aad = repeated(bytes(range(256)), 65536)
    for number, nonce_len, aad, text_len, ct, tag in (
        (1, 7, bytes(range(8)), 4, "7162015b", "4dac255d"),
        (2, 8, bytes(range(16)), 16, "d2a1f0e051ea5f62081a7792073d593d", "1fc64fbfaccd"),
        (
            3,
            12,
            bytes(range(20)),
            24,
            "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5",
            "484392fbc1b09951",
        ),
        (
            4,
            13,
            long_aad,
            32,
            "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72",
            "b4ac6bec93e8598e7f0dadbcea5b",
        ),
    ):
        file.group("AeadTest", SP800_38C, tagSize=4 * len(tag))
        got = add(
            file,
            key,
            bytes(range(0x10, 0x10 + nonce_len)),
            aad,
            bytes(range(0x20, 0x20 + text_len)),
            len(tag) // 2,
            comment=f"example {number}",
            whole=True,
        )
        assert got == (literal(ct), literal(tag)), number
    return file


# Tags of the regular series of C.1 and C.2: text lengths without AAD, then with one byte of it.
SERIES = {
    16: """dc20e2d83f25705bb49e439eca56de25 578782fff6013b815b287c22493a364c a4978db357391a0bc4fdec8b0d106639
        303aaf90f6fe21199c6068577437a0c4 1a8e45dcd4578c667cd86847bf6155ff 5e6e311dbf395d35b0fe39c2714388f8
        8a263dd317aa88d56bdf3936dba75bb8 3b0a1a2560969cdf790d99759abd1508 08299c5102745aaa3a0c469fad9e075a
        8f8936ec039e4e4bb97ebd8c4457441f e6af6a7f87287da059a71684ed3498e1 6a8cc3865f76897c2e4b245cf31c51f2
        cdc46ae475563de037001ef84ae21744 07eb1f84fb28f8cb73de8e99e2f48a14 24afc9805e976f451e6d87f6fe106514
        bff9b2ef00fb47920cc72a0c0f13b9fd""",
    32: """07f5f4169bbf55a8400cd47ea6fd400f 843122130f7364b761e0b97427e3df28 8ca50da9ae6559e48fd10f6e5c9ca17e
        c9eac6fa700942702e90862383c6c366 e819e63abcd020b006a976397632eb5d 790bc96880a99ba804bd12c0e6a22cc4
        112864c269fc0d9d88c61fa47e39aa08 91213f267e3b452f02d01ae33e4ec854 c1a4a19ae800941ccdc57cc8413c277f
        b292d28ff61189e8e49f3875ef91aff7 aea1bad12702e1965604374aab96dbbc 03332742b228c647173616cfd44c54eb
        5bde0285037c5de81e5b570a049b62a0 1835e517741dfddccfa07fa4661b74cf b879ad976d8242acc188ab59cabfe307
        cfcdf5042112aa29685c912fc2056543""",
}


def counting(n, first):
    """RFC 8452's texts: blocks that hold 1, 2, 3, … in their first byte."""
    return b"".join(bytes([i]).ljust(16, b"\0") for i in range(first, first + n // 16 + 1))[:n]


def siv_standards():
    file = File(
        "aes_gcm_siv_standards.json",
        "AES-GCM-SIV",
        ["Counter wrap is the last two: RFC 8452, appendix C.3."],
    )
    file.group("AeadTest", RFC8452, tagSize=128)
    for size, tags in SERIES.items():
        shapes = [(0, n) for n in (0, 8, 12, 16, 32, 48, 64)] + [
            (1, n) for n in (8, 12, 16, 32, 48, 64)
        ]
        shapes += [(12, 4), (18, 20), (20, 18)]
        for (aad_len, n), tag in zip(shapes, tags.split(), strict=True):
            aad = counting(aad_len, 1)
            msg = counting(n, 1 + (aad_len + 15) // 16)
            key, nonce = b"\1".ljust(size, b"\0"), b"\3".ljust(12, b"\0")
            got = add(file, key, nonce, aad, msg, whole=True)
            assert got[1] == literal(tag), (size, aad_len, n)
    for line in (pathlib.Path(__file__).parent / "rfc8452.txt").read_text().splitlines():
        if not line.startswith("#"):
            key, iv, aad, msg, ct, tag = (literal(word.replace("-", "")) for word in line.split())
            assert add(file, key, iv, aad, msg, whole=True) == (ct, tag), line
    return file


def xaes_standards():
    file = File("xaes_256_gcm_standards.json", "XAES-256-GCM")
    file.group("AeadTest", C2SP, tagSize=128)
    nonce, text = b"ABCDEFGHIJKLMNOPQRSTUVWX", b"XAES-256-GCM"
    for key, aad, printed in (
        (b"\x01" * 32, b"", "ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271"),
        (
            b"\x03" * 32,
            b"c2sp.org/XAES-256-GCM",
            "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d",
        ),
    ):
        ct, tag = add(file, key, nonce, aad, text, whole=True)
        assert ct + tag == literal(printed)
    file.group("AccumulatedTest", C2SP)
    digest = literal("e6b9edf2df6cec60c8cbd864e2211b597fb69a529160cd040d56c0c210081939")
    assert accumulated(10000) == digest
    file.add(comment="10 000 random messages", count=10000, digest=digest)
    return file


def accumulated(count):
    # hashlib gives SHAKE only whole: the longest stream that the loop can use up is taken at once.
    stream = memoryview(hashlib.shake_128().digest(count * (32 + 24 + 2 + 2 * 255)))
    at = 0

    def take(n):
        nonlocal at
        at += n
        return bytes(stream[at - n : at])

    sum_ = hashlib.shake_128()
    for _ in range(count):
        key, nonce = take(32), take(24)
        msg = take(take(1)[0])
        aad = take(take(1)[0])
        ct, tag = reference.xaes(key, nonce, aad, msg)
        sum_.update(ct + tag)
    return sum_.digest(32)


# ---- every length --------------------------------------------------------------------------------------

SIZES = {"AES-CCM": (16, 24, 32), "AES-GCM-SIV": (16, 32), "XAES-256-GCM": (32,)}
NAMES = {"AES-CCM": "aes_ccm", "AES-GCM-SIV": "aes_gcm_siv", "XAES-256-GCM": "xaes_256_gcm"}


def nonce_len(algorithm, i):
    return {"AES-CCM": 7 + i % 7, "AES-GCM-SIV": 12, "XAES-256-GCM": 24}[algorithm]


def lengths(algorithm):
    file = File(NAMES[algorithm] + "_lengths.json", algorithm, ["Every length of text and of AAD."])
    rng = SplitMix64(0x61656164 + len(algorithm))
    sizes = SIZES[algorithm]
    file.group("AeadTest", OURS, tagSize=128)
    # GCM-SIV has counter spans of its own; the others share loops whose longest period is below 300 blocks' half.
    count, step = {"AES-CCM": (331, 130), "AES-GCM-SIV": (1026, 409), "XAES-256-GCM": (571, 210)}[
        algorithm
    ]
    for i in range(count):
        if i % 12 == 0:
            key = rng.bytes(sizes[i // 12 % len(sizes)])
        iv = rng.bytes(nonce_len(algorithm, i // 12))
        add(
            file,
            key,
            iv,
            generated(rng.next(), AAD_LENGTHS[i % 15]),
            generated(rng.next(), i * step % count),
        )
    file.group("AeadTest", OURS, tagSize=128)
    for n in range(0, 150):
        if n % 10 == 0:
            key = rng.bytes(sizes[n // 10 % len(sizes)])
        iv = rng.bytes(nonce_len(algorithm, n // 10))
        add(
            file,
            key,
            iv,
            generated(rng.next(), n),
            generated(rng.next(), (0, 0, 5, 16, 100)[n % 5]),
        )
    for aad, n in (
        (255, 1),
        (256, 33),
        (511, 0),
        (513, 40),
        (1024, 1),
        (65279, 3),
        (65280, 4),
        (65281, 0),
        (65536, 7),
    ):
        add(file, key, iv, generated(rng.next(), aad), generated(rng.next(), n))
    file.group("AeadTest", OURS, tagSize=128)
    for i, n in enumerate((1023, 1024, 2047, 2048, 2049, 4096, 4111, 8192, 16401)):
        key = rng.bytes(sizes[i % len(sizes)])
        add(
            file,
            key,
            rng.bytes(nonce_len(algorithm, i)),
            generated(rng.next(), 20),
            generated(rng.next(), n),
        )
    if algorithm == "AES-CCM":
        for tag_len in (4, 6, 8, 10, 12, 14):
            file.group("AeadTest", OURS, tagSize=8 * tag_len)
            for i in range(7):
                key, iv = rng.bytes(sizes[i % 3]), rng.bytes(7 + i)
                add(
                    file,
                    key,
                    iv,
                    generated(rng.next(), 7 * i),
                    generated(rng.next(), i * 11),
                    tag_len,
                )
        file.group("AeadTest", OURS, tagSize=64)
        # A nonce of 13 bytes leaves a length of 2 bytes: the longest text.
        add(
            file,
            rng.bytes(16),
            rng.bytes(13),
            generated(rng.next(), 3),
            generated(rng.next(), 65535),
            8,
        )
    return file


def siv_counters():
    file = File(
        "aes_gcm_siv_counters.json",
        "AES-GCM-SIV",
        ["Texts made so that the 32-bit counter wraps at a chosen block."],
    )
    rng = SplitMix64(0x736976)
    file.group("AeadTest", OURS, tagSize=128)
    for blocks in (*range(0, 34), 63, 64, 65, 127, 128, 129):
        while True:
            key, iv = rng.bytes((16, 32)[blocks % 2]), rng.bytes(12)
            rest = generated(rng.next(), 16 * blocks + 16 * 33 + blocks % 19)
            tag = (
                ((1 << 32) - 1 - blocks).to_bytes(4, "little")
                + rng.bytes(11)
                + bytes([rng.below(256)])
            )
            first = reference.gcm_siv_first_block(key, iv, rest, tag)
            if first is not None:
                break
        _, got = add(
            file,
            key,
            iv,
            b"",
            first + rest,
            comment=f"block {blocks + 1} is the first after the wrap",
        )
        assert got == tag
    return file


# ---- refusals ------------------------------------------------------------------------------------------


def invalid(algorithm):
    file = File(
        NAMES[algorithm] + "_invalid.json",
        algorithm,
        ["What must be refused, and with which error."],
    )
    rng = SplitMix64(0x6E6F + len(algorithm))
    sizes = SIZES[algorithm]

    def refuse(key, iv, aad, ct, tag, comment):
        file.add(
            "invalid",
            whole=True,
            error="AUTH",
            comment=comment,
            key=key,
            iv=iv,
            aad=aad,
            ct=ct,
            tag=tag,
        )

    for tag_len in (4, 6, 8, 10, 12, 14, 16) if algorithm == "AES-CCM" else (16,):
        file.group("AeadTest", OURS, tagSize=8 * tag_len)
        key, iv, aad, msg = (
            rng.bytes(sizes[0]),
            rng.bytes(nonce_len(algorithm, tag_len)),
            rng.bytes(20),
            rng.bytes(37),
        )
        ct, tag = seal(algorithm, key, iv, aad, msg, tag_len)
        for at in range(tag_len):
            refuse(key, iv, aad, ct, flipped(tag, 8 * at + rng.below(8)), f"bit of tag byte {at}")
        refuse(key, iv, aad, ct, bytes(tag_len), "tag of zeros")
        for n in range(0, 18):
            if n != tag_len:
                refuse(key, iv, aad, ct, (tag + bytes(14))[:n], f"tag of {n} bytes")
    file.group("AeadTest", OURS, tagSize=128)
    for i, n in enumerate((1, 15, 16, 17, 64, 97, 128, 200, 300)):
        key, iv = rng.bytes(sizes[i % len(sizes)]), rng.bytes(nonce_len(algorithm, i))
        aad, msg = rng.bytes(13), rng.bytes(n)
        ct, tag = seal(algorithm, key, iv, aad, msg)
        refuse(key, iv, aad, flipped(ct, 0), tag, "first bit of the text")
        refuse(key, iv, aad, flipped(ct, 8 * n - 1), tag, "last bit of the text")
        refuse(key, iv, flipped(aad, rng.below(8 * 13)), ct, tag, "a bit of the AAD")
        refuse(key, flipped(iv, rng.below(8 * len(iv))), aad, ct, tag, "a bit of the nonce")
        refuse(flipped(key, rng.below(128)), iv, aad, ct, tag, "a bit of the key")
        refuse(key, iv, aad, ct[:-1], tag, "text a byte short")
        refuse(key, iv, aad, ct + b"\0", tag, "text a byte long")
        refuse(key, iv, aad + b"\0", ct, tag, "AAD a byte long")
        refuse(key, iv, b"", aad + ct, tag, "AAD moved into the text")
    for n in (0, 1, 16, 100):
        key, iv, aad = rng.bytes(sizes[0]), rng.bytes(nonce_len(algorithm, n)), rng.bytes(n)
        tag = seal(algorithm, key, iv, aad, b"")[1]
        refuse(key, iv, aad, b"", flipped(tag, rng.below(128)), "no text, a bit of the tag")

    def error(name, comment, **fields):
        file.add("invalid", error=name, comment=comment, **fields)

    tags = {"AES-CCM": (0, 1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 18)}.get(
        algorithm, (0, 1, 4, 8, 12, 15, 17, 32)
    )
    iv = rng.bytes(nonce_len(algorithm, 5))
    for tag_len in tags:
        file.group("AeadTest", OURS, tagSize=8 * tag_len)
        error(
            "TAG_LENGTH",
            f"tags of {tag_len} bytes",
            key=rng.bytes(sizes[-1]),
            iv=iv,
            msg=rng.bytes(20),
        )
        error(
            "KEY_LENGTH",
            "key and tag length both wrong",
            key=rng.bytes(20),
            iv=iv,
            msg=rng.bytes(20),
        )
    file.group("AeadTest", OURS, tagSize=128)
    for n in (0, 1, 15, 16, 17, 23, 24, 25, 31, 33, 48, 64):
        if n not in sizes:
            error("KEY_LENGTH", f"key of {n} bytes", key=rng.bytes(n), iv=iv, msg=rng.bytes(20))
    good = {"AES-CCM": range(7, 14), "AES-GCM-SIV": (12,), "XAES-256-GCM": (24,)}[algorithm]
    for n in (0, 1, 6, 8, 11, 12, 13, 14, 15, 16, 23, 24, 25, 32):
        if n not in good:
            error(
                "NONCE_LENGTH",
                f"nonce of {n} bytes",
                key=rng.bytes(sizes[n % len(sizes)]),
                iv=rng.bytes(n),
                msg=rng.bytes(20),
            )
    if algorithm == "AES-CCM":
        error(
            "LIMIT",
            "text over two bytes of length",
            key=rng.bytes(16),
            iv=rng.bytes(13),
            msg=repeated(b"\0", 65536),
        )
        error(
            "LIMIT",
            "text over three bytes of length",
            key=rng.bytes(16),
            iv=rng.bytes(12),
            msg=repeated(b"\0", 1 << 24),
        )
    return file


def files():
    out = [ccm_standards(), siv_standards(), xaes_standards(), siv_counters()]
    for algorithm in SIZES:
        out += [lengths(algorithm), invalid(algorithm)]
    return out
