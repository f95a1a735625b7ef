"""aes_cipher.py - ECB, CBC, CFB128, CFB8, OFB, CTR, XTS: the standards' examples, every length, refusals."""

import reference
from common import OURS, File, SplitMix64, generated, literal, repeated

SP800_38A = {"name": "NIST SP 800-38A, appendix F"}
FIPS197 = {"name": "FIPS 197, appendices B and C"}

KEYS = [
    literal("2b7e151628aed2a6abf7158809cf4f3c"),
    literal("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"),
    literal("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"),
]
TEXT = literal(
    "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
)
# What appendix F prints for the three keys, a stroke between them.
PRINTED = {
    "ECB": """
        3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf
        43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4 /
        bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef
        ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e /
        f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870
        b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7""",
    "CBC": """
        7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2
        73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7 /
        4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a
        571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd /
        f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d
        39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b""",
    "CFB128": """
        3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b
        26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6 /
        cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a
        2e1e8a1dd59b88b1c8e60fed1efac4c9c05f9f9ca9834fa042ae8fba584b09ff /
        dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b
        df10132415e54b92a13ed0a8267ae2f975a385741ab9cef82031623d55b1e471""",
    "CFB8": """
        3b79424c9c0dd436bace9e0ed4586a4f32b9 /
        cda2521ef0a905ca44cd057cbf0d47a0678a /
        dc1f1a8520a64db55fcc8ac554844e889700""",
    "OFB": """
        3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825
        9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e /
        cdc80d6fddf18cab34c25909c99a4174fcc28b8d4c63837c09e81700c1100401
        8d9a9aeac0f6596f559c6d4daf59a5f26d9f200857ca6c3e9cac524bd9acc92a /
        dc7e84bfda79164b7ecd8486985d38604febdc6740d20b3ac88f6ad82a4fb08d
        71ab47a086e86eedf39d1c5bba97c4080126141d67f37be8538f5a8be740e484""",
    "CTR": """
        874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff
        5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee /
        1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94
        1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050 /
        601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5
        2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6""",
}
MODES = tuple(PRINTED)


def next_iv(mode, iv, msg, ct):
    """The IV that continues behind msg; None where it does not end on a block."""
    if mode == "ECB" or (len(msg) % 16 and mode != "CFB8"):
        return None
    if mode == "CTR":
        return ((int.from_bytes(iv, "big") + len(msg) // 16) % (1 << 128)).to_bytes(16, "big")
    if mode == "OFB":
        iv, ct = iv, bytes(x ^ y for x, y in zip(msg, ct))
    return (iv + ct)[-16:]


def add(file, mode, key, iv, msg, **more):
    ct = reference.cipher(mode, key, iv, msg)
    file.add(key=key, iv=iv, msg=msg, ct=ct, nextIv=next_iv(mode, iv, msg, ct), **more)
    return ct


def iv_for(mode, rng):
    return b"" if mode == "ECB" else rng.bytes(16)


def standards(mode):
    file = File(f"aes_{mode.lower()}_standards.json", f"AES-{mode}")
    if mode == "ECB":
        file.group("CipherTest", FIPS197)
        block = literal("00112233445566778899aabbccddeeff")
        for key, msg, ct in (
            (
                KEYS[0],
                literal("3243f6a8885a308d313198a2e0370734"),
                literal("3925841d02dc09fbdc118597196a0b32"),
            ),
            (bytes(range(16)), block, literal("69c4e0d86a7b0430d8cdb78070b4c55a")),
            (bytes(range(24)), block, literal("dda97ca4864cdfe06eaf70a0ec0d7191")),
            (bytes(range(32)), block, literal("8ea2b7ca516745bfeafc49904b496089")),
        ):
            assert add(file, mode, key, b"", msg) == ct
    file.group("CipherTest", SP800_38A)
    iv = {"ECB": b"", "CTR": bytes(range(0xF0, 0x100))}.get(mode, bytes(range(16)))
    for key, printed in zip(KEYS, PRINTED[mode].split("/")):
        ct = literal(printed)
        assert add(file, mode, key, iv, TEXT[: len(ct)], whole=True) == ct, (
            f"{mode}, key of {len(key)} bytes"
        )
    return file


def lengths(mode):
    file = File(
        f"aes_{mode.lower()}_lengths.json",
        f"AES-{mode}",
        ["Every length, with neighbours of one key."],
    )
    rng = SplitMix64(0x63697068 + sum(map(ord, mode)))
    unit = 16 if mode in ("ECB", "CBC") else 1
    # (how many lengths, a step coprime to it): serial CFB8 is slow, and its longest loop shorter.
    count, step = {16: (139, 60), 1: (1026, 409)}[unit] if mode != "CFB8" else (331, 130)
    rounds = 3 if unit == 16 or mode == "CFB8" else 1
    file.group("CipherTest", OURS)
    for i in range(count * rounds):
        if i % 12 == 0:
            key = rng.bytes((16, 24, 32)[(i // 12 + i // count) % 3])
        add(file, mode, key, iv_for(mode, rng), generated(rng.next(), i * step % count * unit))
    for n in (2047, 2048, 2049, 4095, 4096, 4111, 8192, 16400):
        if mode == "CFB8" and n > 2049:
            continue
        n -= n % unit
        add(
            file,
            mode,
            rng.bytes((16, 24, 32)[n // 16 % 3]),
            iv_for(mode, rng),
            generated(rng.next(), n),
        )
    return file


def counters():
    """128-bit counters that wrap or carry at a chosen block, and text that begins deep in the keystream."""
    file = File("aes_ctr_counters.json", "AES-CTR")
    rng = SplitMix64(0x637472)
    file.group("CipherTest", OURS)
    for blocks in (*range(0, 34), 63, 64, 127, 128):
        key = rng.bytes((16, 24, 32)[blocks % 3])
        iv = ((1 << 128) - 1 - blocks).to_bytes(16, "big")
        add(
            file,
            "CTR",
            key,
            iv,
            generated(rng.next(), 16 * blocks + 16 * 34 + blocks),
            comment="128 bits wrap",
        )
    for byte in range(16):
        for back in (0, 1, 3, 7, 8, 15, 31):
            key = rng.bytes((16, 24, 32)[back % 3])
            ones = (1 << 8 * byte + 8) - 1
            iv = ((int.from_bytes(rng.bytes(16), "big") | ones) - back).to_bytes(16, "big")
            add(
                file,
                "CTR",
                key,
                iv,
                generated(rng.next(), 16 * 36 + byte),
                comment=f"{byte + 1} bytes carry",
            )
    file.group(
        "CipherTest",
        {"name": "libxorcore", "reference": "OpenSSL, the IV advanced by whole blocks"},
    )
    for offset in (
        0,
        1,
        15,
        16,
        17,
        100,
        4095,
        2**31 - 1,
        2**32 - 5,
        2**32,
        2**36 - 8,
        2**36,
        2**40 + 3,
        2**63 - 1,
        2**63,
        2**64 - 1000,
    ):
        for n in (0, 1, 16, 33, 600):
            key, iv = rng.bytes((16, 24, 32)[n % 3]), rng.bytes(16)
            if offset % 3 == 0:
                iv = b"\xff" * 15 + iv[15:]
            msg = generated(rng.next(), n)
            start = ((int.from_bytes(iv, "big") + offset // 16) % (1 << 128)).to_bytes(16, "big")
            ct = reference.cipher("CTR", key, start, bytes(offset % 16) + msg)[offset % 16 :]
            file.add(key=key, iv=iv, msg=msg, ct=ct, offset=offset)
    return file


def monte_carlo():
    """The loop of README.md (NIST's AESAVS), 1000 steps a case."""
    for mode in ("ECB", "CBC", "CFB128", "CFB8", "OFB"):
        file = File(f"aes_{mode.lower()}_monte_carlo.json", f"AES-{mode}")
        file.group(
            "CipherTest", {"name": "libxorcore, the loop of NIST's AESAVS", "reference": "OpenSSL"}
        )
        rng = SplitMix64(0x6D6374)
        for size in (16, 24, 32):
            for encrypting in (True, False):
                key, iv, first = (
                    rng.bytes(size),
                    iv_for(mode, rng),
                    rng.bytes(1 if mode == "CFB8" else 16),
                )
                last = reference.monte_carlo(mode, key, iv, first, 1000, encrypting)
                msg, ct = (first, last) if encrypting else (last, first)
                file.add(
                    dir="encrypt" if encrypting else "decrypt",
                    key=key,
                    iv=iv,
                    msg=msg,
                    ct=ct,
                    mct=1000,
                )
        yield file


def invalid(mode):
    file = File(
        f"aes_{mode.lower()}_invalid.json",
        f"AES-{mode}",
        ["What must be refused, and with which error."],
    )
    rng = SplitMix64(0x6E6F6E6F)
    file.group("CipherTest", OURS)

    def error(name, comment, key, iv, msg, **more):
        file.add("invalid", error=name, comment=comment, key=key, iv=iv, msg=msg, **more)

    for n in (0, 1, 15, 17, 23, 25, 31, 33, 48, 64):
        error("KEY_LENGTH", f"key of {n} bytes", rng.bytes(n), iv_for(mode, rng), rng.bytes(32))
    if mode != "ECB":
        for n in (0, 1, 8, 12, 15, 17, 32):
            error(
                "NONCE_LENGTH",
                f"IV of {n} bytes",
                rng.bytes((16, 24, 32)[n % 3]),
                rng.bytes(n),
                rng.bytes(32),
            )
    if mode in ("ECB", "CBC"):
        for n in (*range(1, 16), 17, 31, 33, 255):
            error(
                "DATA_LENGTH",
                f"{n} bytes",
                rng.bytes((16, 24, 32)[n % 3]),
                iv_for(mode, rng),
                rng.bytes(n),
            )
    if mode == "CBC":
        error("NONCE_LENGTH", "IV and text both wrong", rng.bytes(16), rng.bytes(15), rng.bytes(17))
    if mode == "CTR":
        for offset, n in ((2**64 - 1, 17), (2**64 - 16, 40), (2**64 - 100, 101 + 16)):
            error(
                "LIMIT",
                "beyond 2^64 bytes of keystream",
                rng.bytes(16),
                rng.bytes(16),
                rng.bytes(n),
                offset=offset,
            )
    return file


# ---- XTS -----------------------------------------------------------------------------------------------

IEEE1619 = {"name": "IEEE 1619-2007, annex B"}
E128 = literal("27182818284590452353602874713526")
P128 = literal("31415926535897932384626433832795")
E256 = literal("2718281828459045235360287471352662497757247093699959574966967627")
P256 = literal("3141592653589793238462643383279502884197169399375105820974944592")


def xts(file, key, tweak, msg, printed=None, **more):
    ct = reference.xts(key, tweak, msg)
    if printed is not None:
        start = literal(printed)
        assert ct[: len(start)] == start, printed
    file.add(key=key, iv=tweak, msg=msg, ct=ct, **more)


def xts_standards():
    """Ciphertexts from OpenSSL, of which the beginning, or all, must be what the standard prints."""
    file = File("aes_xts_standards.json", "AES-XTS")
    file.group("CipherTest", IEEE1619)
    tweak = lambda text: literal(text).ljust(16, b"\0")
    data = bytes(range(256)) * 2
    file.add(
        "invalid",
        error="WEAK_KEY",
        comment="vector 1: its two keys are equal, which we refuse",
        key=bytes(32),
        iv=bytes(16),
        msg=bytes(32),
    )
    xts(
        file,
        b"\x11" * 16 + b"\x22" * 16,
        tweak("3333333333"),
        b"\x44" * 32,
        "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
        comment="vector 2",
        whole=True,
    )
    down = bytes(range(0xFF, 0xEF, -1))
    xts(
        file,
        down + b"\x22" * 16,
        tweak("3333333333"),
        b"\x44" * 32,
        "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89",
        comment="vector 3",
        whole=True,
    )
    # Vectors 4 to 9 are units of one chain: the ciphertext of each unit is the text of the next.
    printed = {
        0x00: "27a7479befa1d476489f308cd4cfa6e2a96e4bbe3208ff25287dd3819616e89c",
        0x01: "264d3ca8512194fec312c8c9891f279fefdd608d0c027b60483a3fa811d65ee5",
        0x02: "fa762a3680b76007928ed4a4f49a9456031b704782e65e16cecb54ed7d017b5e",
        0xFD: "d55f684f81f4426e9fde92a5ff02df2ac896af63962888a97910c1379e20b0a3",
        0xFE: "72efc1ebfe1ee25975a6eb3aa8589dda2b261f1c85bdab442a9e5b2dd1d7c395",
        0xFF: "3260ae8dad1f4a32c5cafe3ab0eb95549d461a67ceb9e5aa2d3afb62dece0553",
    }
    text, number = data, 4
    for unit in range(256):
        place = bytes([unit]).ljust(16, b"\0")
        if unit in printed:
            xts(file, E128 + P128, place, text, printed[unit], comment=f"vector {number}")
            number += 1
        text = reference.xts(E128 + P128, place, text)
    starts = [
        ("ff", "1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b"),
        ("ffff", "77a31251618a15e6b92d1d66dffe7b50b50bad552305ba0217a610688eff7e11"),
        ("ffffff", "e387aaa58ba483afa7e8eb469778317ecf4cf573aa9d4eac23f2cdf914e4e200"),
        ("ffffffff", "bf53d2dade78e822a4d949a9bc6766b01b06a8ef70d26748c6a7fc36d80ae4c5"),
        ("ffffffffff", "64497e5a831e4a932c09be3e5393376daa599548b816031d224bbf50a818ed23"),
    ]
    for number, (unit, start) in enumerate(starts, 10):
        xts(file, E256 + P256, tweak(unit), data, start, comment=f"vector {number}")
    stolen = [
        "6c1625db4671522d3d7599601de7ca09ed",
        "d069444b7a7e0cab09e24447d24deb1fedbf",
        "e5df1351c0544ba1350b3363cd8ef4beedbf9d",
        "9d84c813f719aa2c7be3f66171c7c5c2edbf9dac",
    ]
    down2 = bytes(range(0xBF, 0xAF, -1))
    for number, printed in enumerate(stolen, 15):
        n = len(printed) // 2
        xts(
            file,
            down + down2,
            tweak("9a78563412"),
            bytes(range(n)),
            printed,
            comment=f"vector {number}",
            whole=True,
        )
    return file


def xts_lengths():
    file = File(
        "aes_xts_lengths.json",
        "AES-XTS",
        ["Every length of a data unit; keys of 48 bytes are ours, not the standard's."],
    )
    rng = SplitMix64(0x787473)
    file.group("CipherTest", OURS)
    count = 1027
    for i in range(count):
        if i % 12 == 0:
            key = rng.bytes((32, 64, 48)[i // 12 % 3])
        xts(file, key, rng.bytes(16), generated(rng.next(), 16 + i * 410 % count))
    for i, n in enumerate((2047, 2048, 2049, 4095, 4096, 4097, 4111, 8192, 8207, 16384, 16390)):
        xts(file, rng.bytes((32, 64, 48)[i % 3]), rng.bytes(16), generated(rng.next(), n))
    return file


def xts_sectors():
    file = File(
        "aes_xts_sectors.json",
        "AES-XTS",
        ["Runs of sectors: unit i has the tweak + i, little-endian."],
    )
    rng = SplitMix64(0x736563746F72)
    file.group("CipherTest", OURS)
    shapes = [
        (16, 0),
        (16, 1),
        (16, 9),
        (17, 5),
        (31, 4),
        (32, 33),
        (48, 3),
        (100, 7),
        (512, 1),
        (512, 8),
        (520, 5),
        (528, 3),
        (4096, 2),
        (4104, 2),
    ]
    starts = [
        0,
        1,
        0xFF,
        0xFFFF,
        (1 << 32) - 1,
        (1 << 64) - 2,
        (1 << 64) - 1,
        (1 << 128) - 3,
        (1 << 127) - 1,
    ]
    for i, (size, count) in enumerate(shapes * 3):
        key = rng.bytes((32, 64, 48)[i % 3])
        first = starts[i % len(starts)] if i % 4 else int.from_bytes(rng.bytes(16), "little")
        msg = generated(rng.next(), size * count)
        ct = b"".join(
            reference.xts(
                key,
                ((first + k) % (1 << 128)).to_bytes(16, "little"),
                msg[k * size : (k + 1) * size],
            )
            for k in range(count)
        )
        file.add(key=key, iv=first.to_bytes(16, "little"), msg=msg, ct=ct, sectorSize=size)

    def error(name, comment, key, iv, msg, **more):
        file.add("invalid", error=name, comment=comment, key=key, iv=iv, msg=msg, **more)

    for size in (0, 1, 15, (1 << 24) + 1):
        error(
            "DATA_LENGTH",
            f"sectors of {size} bytes",
            rng.bytes(32),
            rng.bytes(16),
            rng.bytes(32),
            sectorSize=size,
        )
    for size, n in ((16, 17), (512, 511), (512, 513), (512, 600), (32, 16)):
        error(
            "DATA_LENGTH",
            "not a whole number of sectors",
            rng.bytes(64),
            rng.bytes(16),
            generated(1, n),
            sectorSize=size,
        )
    for n in (0, 8, 15, 17):
        error(
            "NONCE_LENGTH",
            f"tweak of {n} bytes",
            rng.bytes(32),
            rng.bytes(n),
            rng.bytes(32),
            sectorSize=16,
        )
    return file


def xts_invalid():
    file = File("aes_xts_invalid.json", "AES-XTS", ["What must be refused, and with which error."])
    rng = SplitMix64(0x6E6F787473)
    file.group("CipherTest", OURS)

    def error(name, comment, key, iv, msg):
        file.add("invalid", error=name, comment=comment, key=key, iv=iv, msg=msg)

    for n in (0, 1, 15, 16, 17, 24, 31, 33, 40, 47, 49, 63, 65, 96, 128):
        error("KEY_LENGTH", f"key of {n} bytes", rng.bytes(n), rng.bytes(16), rng.bytes(32))
    for n in (0, 1, 8, 12, 15, 17, 32):
        error(
            "NONCE_LENGTH",
            f"tweak of {n} bytes",
            rng.bytes((32, 48, 64)[n % 3]),
            rng.bytes(n),
            rng.bytes(32),
        )
    for n in range(0, 16):
        error(
            "DATA_LENGTH", f"{n} bytes", rng.bytes((32, 48, 64)[n % 3]), rng.bytes(16), rng.bytes(n)
        )
    error(
        "LIMIT",
        "a data unit over 2^20 blocks",
        rng.bytes(32),
        rng.bytes(16),
        repeated(b"\0", (1 << 24) + 1),
    )
    for half in (16, 24, 32):
        key = rng.bytes(half)
        error("WEAK_KEY", "two equal halves", key + key, rng.bytes(16), rng.bytes(32))
        error("WEAK_KEY", "two halves of zeros", bytes(2 * half), rng.bytes(16), rng.bytes(32))
    # Halves that differ in one bit are two keys.
    for half in (16, 24, 32):
        for bit in (0, 7, 8 * half - 1, rng.below(8 * half)):
            key = rng.bytes(half)
            other = bytearray(key)
            other[bit // 8] ^= 1 << bit % 8
            xts(
                file,
                key + bytes(other),
                rng.bytes(16),
                generated(rng.next(), 40),
                comment="halves a bit apart",
            )
    return file


def files():
    out = []
    for mode in MODES:
        out += [standards(mode), lengths(mode), invalid(mode)]
    return out + [
        counters(),
        *monte_carlo(),
        xts_standards(),
        xts_lengths(),
        xts_sectors(),
        xts_invalid(),
    ]
