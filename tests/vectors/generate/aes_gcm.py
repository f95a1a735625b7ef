"""aes_gcm.py - AES-GCM: the specification's examples, every length, every wrap of the counter, refusals."""

from common import OURS, File, SplitMix64, generated, literal
from reference import gcm, nonce_for, start_counter

SPEC = {"name": "McGrew and Viega, The Galois/Counter Mode of Operation (GCM), 2005, appendix B"}


def standards():
    """Key, nonce, text, AAD as printed; ciphertext and tag come from OpenSSL and the printed tag must agree."""
    file = File(
        "aes_gcm_standards.json", "AES-GCM", ["The test cases 1 to 18 of the GCM specification."]
    )
    file.group("AeadTest", SPEC, tagSize=128)
    key = literal("feffe9928665731c6d6a8f9467308308" * 2)
    keys = {16: key[:16], 24: key[:24], 32: key}
    text = literal(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
    )
    aad = literal("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    nonce = literal("cafebabefacedbaddecaf888")
    long_nonce = literal(
        "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
        "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
    )
    tags = """
        58e2fccefa7e3061367f1d57a4e7455a ab6e47d42cec13bdf53a67b21257bddf 4d5c2af327cd64a62cf35abd2ba6fab4
        5bc94fbc3221a5db94fae95ae7121a47 3612d2e79e3b0785561be14aaca2fccb 619cc5aefffe0bfa462af43c1699d050
        cd33b28ac773f74ba00ed1f312572435 2ff58d80033927ab8ef4d4587514f0fb 9924a7c8587336bfb118024db8674a14
        2519498e80f1478f37ba55bd6d27618c 65dcc57fcf623a24094fcca40d3533f8 dcf566ff291c25bbb8568fc3d376a6d9
        530f8afbc74536b9a963b4f1c4cb738b d0d1c8a799996bf0265b98b5d48ab919 b094dac5d93471bdec1a502270e3cc6c
        76fc6ece0f4e1768cddf8853bb2d551b 3a337dbf46a792c45e454913fe2ea8f2 a44a8266ee1c8eb0c8b5d4cf5ae9f19a
    """.split()
    case = 0
    for size in (16, 24, 32):
        for key, nonce_, msg, aad_ in (
            (bytes(size), bytes(12), b"", b""),
            (bytes(size), bytes(12), bytes(16), b""),
            (keys[size], nonce, text, b""),
            (keys[size], nonce, text[:60], aad),
            (keys[size], nonce[:8], text[:60], aad),
            (keys[size], long_nonce, text[:60], aad),
        ):
            ct, tag = gcm(key, nonce_, aad_, msg)
            assert tag == literal(tags[case]), f"test case {case + 1}"
            case += 1
            file.add(
                comment=f"test case {case}",
                key=key,
                iv=nonce_,
                aad=aad_,
                msg=msg,
                ct=ct,
                tag=tag,
                whole=True,
            )
    return file


AAD_LENGTHS = (0, 1, 13, 15, 16, 17, 32, 48, 0, 13, 64, 129, 20, 256, 300)


def add(file, key, iv, aad, msg, tag_len=16, **more):
    ct, tag = gcm(key, iv, aad, msg, tag_len)
    file.add(key=key, iv=iv, aad=aad, msg=msg, ct=ct, tag=tag, **more)


def lengths():
    file = File(
        "aes_gcm_lengths.json",
        "AES-GCM",
        ["Every length of text and of AAD, nonces of many lengths."],
    )
    rng = SplitMix64(0x67636D)
    size = 0

    # Every length of text to two rounds of a 512-byte loop. Neighbours in the file share a key and differ in
    # length, so that a call of rows gets them together.
    file.group("AeadTest", OURS, tagSize=128)
    count = 1026
    for i in range(count):
        if i % 12 == 0:
            size = (16, 24, 32)[i // 12 % 3]
            key = rng.bytes(size)
        n = i * 409 % count
        add(
            file,
            key,
            rng.bytes(12),
            generated(rng.next(), AAD_LENGTHS[i % 15]),
            generated(rng.next(), n),
        )

    # Text alone to 260 bytes for the two key sizes that the round above did not give this length.
    file.group("AeadTest", OURS, tagSize=128)
    for i in range(2 * 261):
        if i % 12 == 0:
            key = rng.bytes((32, 16, 24)[i // 12 % 3])
        add(file, key, rng.bytes(12), b"", generated(rng.next(), i * 100 % 261))

    # Every length of AAD, with and without text.
    file.group("AeadTest", OURS, tagSize=128)
    for n in range(0, 275):
        if n % 15 == 0:
            key = rng.bytes((16, 32, 24)[n // 15 % 3])
        add(
            file,
            key,
            rng.bytes(12),
            generated(rng.next(), n),
            generated(rng.next(), (0, 0, 5, 16, 100)[n % 5]),
        )
    for n in (511, 512, 513, 1023, 1024, 4096, 4099):
        add(file, key, rng.bytes(12), generated(rng.next(), n), generated(rng.next(), 33))

    # Long texts, both sides of powers of two.
    file.group("AeadTest", OURS, tagSize=128)
    for n in (1535, 1536, 2047, 2048, 2049, 4080, 4095, 4096, 4097, 8191, 8192, 8205, 16384, 16401):
        key = rng.bytes((16, 24, 32)[n % 3])
        add(file, key, rng.bytes(12), generated(rng.next(), 13), generated(rng.next(), n))

    # Nonces of other lengths than 12.
    file.group("AeadTest", OURS, tagSize=128)
    for i, n in enumerate(
        (*range(1, 36), 47, 48, 49, 60, 63, 64, 65, 100, 127, 128, 129, 256, 257, 1000)
    ):
        key = rng.bytes((16, 24, 32)[i % 3])
        add(
            file,
            key,
            generated(rng.next(), n),
            generated(rng.next(), i % 20),
            generated(rng.next(), i * 7 % 90),
        )

    # Every length of tag.
    for tag_len in (4, 8, 12, 13, 14, 15):
        file.group("AeadTest", OURS, tagSize=8 * tag_len)
        for i, n in enumerate((0, 1, 15, 16, 17, 64, 100, 256, 300)):
            key = rng.bytes((16, 24, 32)[(i + tag_len) % 3])
            add(
                file,
                key,
                rng.bytes(12),
                generated(rng.next(), 9 * i),
                generated(rng.next(), n),
                tag_len,
            )
    return file


def counters():
    file = File(
        "aes_gcm_counters.json",
        "AES-GCM",
        [
            "Nonces of 16 bytes made so that the 32-bit counter wraps at a chosen block, within and between batches."
        ],
    )
    rng = SplitMix64(0x77726170)
    file.group("AeadTest", OURS, tagSize=128)
    key = literal("00112233445566778899aabbccddeeff")
    iv = literal("1a552e67cdc4dc1a33b824874ebf0bed")
    assert (
        start_counter(key, iv) == b"\xff" * 16 == start_counter(key, nonce_for(key, b"\xff" * 16))
    )
    ct = literal("948ca37a8e6649e88aeffb1c598f3607007702417ea0e0bc3c60ad5a949886de968cf53ea6462aed")
    assert gcm(key, iv, b"", bytes(40))[0] == ct
    add(
        file,
        key,
        iv,
        b"",
        bytes(40),
        comment="start counter of ones: nothing carries beyond 32 bits",
    )
    for blocks in (*range(0, 66), 126, 127, 128, 129, 255, 256):
        size = (16, 24, 32)[blocks % 3]
        key = rng.bytes(size)
        upper = b"\xff" * 12 if blocks % 4 == 0 else rng.bytes(12)
        j0 = upper + ((1 << 32) - 1 - blocks).to_bytes(4, "big")
        for n in (16 * blocks + 41, 16 * 32 + 16 * (blocks % 32) + 75):
            add(
                file,
                key,
                nonce_for(key, j0),
                generated(rng.next(), blocks % 18),
                generated(rng.next(), n),
                comment=f"block {blocks} is the first after the wrap",
            )
    # Each byte of the counter carries.
    for byte in range(4):
        for back in (1, 2, 3, 7, 8, 9, 15, 16, 31):
            key = rng.bytes(32)
            ones = (256 << 8 * byte) - 1
            count = (rng.next() & 0xFFFFFFFF | ones) - back
            j0 = rng.bytes(12) + count.to_bytes(4, "big")
            add(
                file,
                key,
                nonce_for(key, j0),
                b"",
                generated(rng.next(), 16 * 40 + byte),
                comment="a carry",
            )
    return file


def flipped(data, bit):
    data = bytearray(data)
    data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def invalid():
    file = File("aes_gcm_invalid.json", "AES-GCM", ["What must be refused, and with which error."])
    rng = SplitMix64(0x6E6F)

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

    for tag_len in (4, 8, 12, 13, 14, 15, 16):
        file.group("AeadTest", OURS, tagSize=8 * tag_len)
        key, iv, aad, msg = (
            rng.bytes((16, 24, 32)[tag_len % 3]),
            rng.bytes(12),
            rng.bytes(20),
            rng.bytes(37),
        )
        ct, tag = gcm(key, iv, aad, msg, tag_len)
        for at in range(tag_len):
            refuse(key, iv, aad, ct, flipped(tag, 8 * at + rng.below(8)), f"bit of tag byte {at}")
        refuse(key, iv, aad, ct, bytes(tag_len), "tag of zeros")
        refuse(key, iv, aad, ct, bytes(255 - byte for byte in tag), "every bit of the tag")
        whole = gcm(key, iv, aad, msg)[1]
        for n in range(0, 18):
            if n != tag_len:
                refuse(key, iv, aad, ct, (whole + b"\0")[:n], f"tag of {n} bytes")

    file.group("AeadTest", OURS, tagSize=128)
    for i, n in enumerate((1, 15, 16, 17, 48, 64, 95, 96, 97, 128, 200, 256, 272, 300)):
        key, iv, aad, msg = (
            rng.bytes((16, 24, 32)[i % 3]),
            rng.bytes(12),
            rng.bytes(13),
            rng.bytes(n),
        )
        ct, tag = gcm(key, iv, aad, msg)
        refuse(key, iv, aad, flipped(ct, 0), tag, "first bit of the text")
        refuse(key, iv, aad, flipped(ct, 8 * n - 1), tag, "last bit of the text")
        refuse(key, iv, aad, flipped(ct, rng.below(8 * n)), tag, "a bit of the text")
        refuse(key, iv, flipped(aad, rng.below(8 * 13)), ct, tag, "a bit of the AAD")
        refuse(key, flipped(iv, rng.below(96)), aad, ct, tag, "a bit of the nonce")
        refuse(flipped(key, rng.below(128)), iv, aad, ct, tag, "a bit of the key")
        refuse(key, iv, aad, ct[:-1], tag, "text a byte short")
        refuse(key, iv, aad, ct + b"\0", tag, "text a byte long")
        refuse(key, iv, aad[:-1], ct, tag, "AAD a byte short")
        refuse(key, iv, aad + b"\0", ct, tag, "AAD a byte long")
        refuse(key, iv, b"", aad + ct, tag, "AAD moved into the text")
    for n in (0, 1, 16, 100):
        key, iv, aad = rng.bytes(16), rng.bytes(12), rng.bytes(n)
        tag = gcm(key, iv, aad, b"")[1]
        refuse(key, iv, aad, b"", flipped(tag, rng.below(128)), "no text, a bit of the tag")

    def error(name, comment, **fields):
        file.add("invalid", error=name, comment=comment, **fields)

    for tag_len in (0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 17, 32):
        file.group("AeadTest", OURS, tagSize=8 * tag_len)
        error(
            "TAG_LENGTH",
            f"tags of {tag_len} bytes",
            key=rng.bytes(16),
            iv=rng.bytes(12),
            msg=rng.bytes(20),
        )
        error(
            "KEY_LENGTH",
            "key and tag length both wrong",
            key=rng.bytes(20),
            iv=rng.bytes(12),
            msg=rng.bytes(20),
        )
    file.group("AeadTest", OURS, tagSize=128)
    for n in (0, 1, 15, 17, 23, 25, 31, 33, 48, 64):
        error(
            "KEY_LENGTH", f"key of {n} bytes", key=rng.bytes(n), iv=rng.bytes(12), msg=rng.bytes(20)
        )
    for size in (16, 24, 32):
        error(
            "NONCE_LENGTH",
            "an empty nonce",
            key=rng.bytes(size),
            msg=rng.bytes(20),
            aad=rng.bytes(3),
        )
        error("NONCE_LENGTH", "an empty nonce and no text", key=rng.bytes(size))
    return file


def files():
    return [standards(), lengths(), counters(), invalid()]
