"""reference.py - the independent answers: OpenSSL, and GF(2^128) in Python for nonces that OpenSSL's binding refuses."""

from cryptography.hazmat.decrepit.ciphers.modes import CFB, CFB8, OFB
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCMSIV
from cryptography.hazmat.primitives.cmac import CMAC

_R = 0xE1 << 120
_ONE = 1 << 127


def block(key, data):
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def times(x, y):
    """Product of two field elements of SP 800-38D, as integers of the big-endian bytes."""
    z = 0
    for bit in range(127, -1, -1):
        if x >> bit & 1:
            z ^= y
        y = (y >> 1) ^ (_R if y & 1 else 0)
    return z


def inverse(x):
    """x to the power of 2^128 - 2."""
    result, power = _ONE, x
    for _ in range(127):
        power = times(power, power)
        result = times(result, power)
    return result


def hash_key(key):
    return int.from_bytes(block(key, bytes(16)), "big")


def ghash(h, data):
    y = 0
    for at in range(0, len(data), 16):
        y = times(y ^ int.from_bytes(data[at : at + 16].ljust(16, b"\0"), "big"), h)
    return y


def start_counter(key, nonce):
    """J0 of SP 800-38D."""
    if len(nonce) == 12:
        return nonce + b"\0\0\0\1"
    padded = nonce + bytes(-len(nonce) % 16) + (8 * len(nonce)).to_bytes(16, "big")
    return ghash(hash_key(key), padded).to_bytes(16, "big")


def nonce_for(key, j0):
    """The one nonce of 16 bytes whose start counter is j0."""
    back = inverse(hash_key(key))
    first = times(int.from_bytes(j0, "big"), back) ^ 128
    return times(first, back).to_bytes(16, "big")


def gcm(key, nonce, aad, msg, tag_len=16):
    """Ciphertext and tag. A nonce that the binding refuses goes in as the 16-byte one with its start counter."""
    if not 8 <= len(nonce) <= 128:
        nonce = nonce_for(key, start_counter(key, nonce))
    encryptor = Cipher(algorithms.AES(key), modes.GCM(nonce)).encryptor()
    encryptor.authenticate_additional_data(aad)
    ct = encryptor.update(msg) + encryptor.finalize()
    return ct, encryptor.tag[:tag_len]


# ---- ciphers -------------------------------------------------------------------------------------------

_MODES = {
    "ECB": lambda iv: modes.ECB(),
    "CBC": modes.CBC,
    "CFB128": CFB,
    "CFB8": CFB8,
    "OFB": OFB,
    "CTR": modes.CTR,
}


def _context(mode, key, iv, encrypting):
    cipher_ = Cipher(algorithms.AES(key), _MODES[mode](iv))
    return cipher_.encryptor() if encrypting else cipher_.decryptor()


def cipher(mode, key, iv, msg):
    context = _context(mode, key, iv, True)
    return context.update(msg) + context.finalize()


def monte_carlo(mode, key, iv, first, steps, encrypting):
    """The output of the last step of the loop in README.md."""
    context = _context(mode, key, iv, encrypting)
    size, behind, text = len(first), bytearray(iv), first
    for step in range(steps):
        out = context.update(text)
        behind += out
        text = bytes(behind[step * size : (step + 1) * size])
    return out


def xts(key, tweak, msg):
    """OpenSSL's XTS; for keys of 48 bytes, which it does not have, IEEE 1619 over its AES block."""
    if len(key) != 48:
        encryptor = Cipher(algorithms.AES(key), modes.XTS(tweak)).encryptor()
        ct = encryptor.update(msg) + encryptor.finalize()
        assert len(msg) > 200 or ct == xts_by_blocks(key, tweak, msg)
        return ct
    return xts_by_blocks(key, tweak, msg)


def xts_by_blocks(key, tweak, msg):
    half = len(key) // 2
    mask = int.from_bytes(block(key[half:], tweak), "little")
    out = bytearray()
    for at in range(0, len(msg), 16):
        text = msg[at : at + 16]
        if len(text) < 16:
            last = bytes(out[-16:])
            text += last[len(text) :]
            out[-16:] = b""
            stolen = last[: len(msg) - at]
        else:
            stolen = b""
        wide = mask.to_bytes(16, "little")
        once = block(key[:half], bytes(x ^ y for x, y in zip(text, wide)))
        out += bytes(x ^ y for x, y in zip(once, wide)) + stolen
        mask = (mask << 1) ^ (0x87 | 1 << 128 if mask >> 127 else 0)
    return bytes(out)


# ---- MACs and the other AEADs --------------------------------------------------------------------------


def cmac(key, msg, tag_len=16):
    context = CMAC(algorithms.AES(key))
    context.update(msg)
    return context.finalize()[:tag_len]


def ccm(key, nonce, aad, msg, tag_len):
    out = AESCCM(key, tag_length=tag_len).encrypt(nonce, msg, aad)
    return out[: len(msg)], out[len(msg) :]


def gcm_siv(key, nonce, aad, msg):
    out = AESGCMSIV(key).encrypt(nonce, msg, aad)
    return out[: len(msg)], out[len(msg) :]


def gcm_siv_keys(key, nonce):
    """RFC 8452, section 4: the message's authentication and encryption keys."""
    words = [block(key, i.to_bytes(4, "little") + nonce)[:8] for i in range(2 + len(key) // 8)]
    return b"".join(words[:2]), b"".join(words[2:])


def gcm_siv_first_block(key, nonce, rest, tag):
    """The first block of text that, with `rest` behind it, has this tag; None when there is none.

    The tag is the encryption of POLYVAL's result, so it is decrypted, and the sum solved for its first
    term. Bit 127 of what is encrypted is 0: half of all tags are not possible."""
    auth, encryption = gcm_siv_keys(key, nonce)
    decryptor = Cipher(algorithms.AES(encryption), modes.ECB()).decryptor()
    sum_ = bytearray(decryptor.update(tag))
    if sum_[15] & 0x80:
        return None
    for i, byte in enumerate(nonce):
        sum_[i] ^= byte
    # POLYVAL is GHASH over reversed blocks, with its key multiplied by x (RFC 8452, appendix A).
    h = times(int.from_bytes(auth[::-1], "big"), _ONE >> 1)
    lengths = (0).to_bytes(8, "little") + (8 * (16 + len(rest))).to_bytes(8, "little")
    blocks = [
        (rest + bytes(-len(rest) % 16) + lengths)[at : at + 16][::-1]
        for at in range(0, len(rest) + 16, 16)
    ]
    target = int.from_bytes(bytes(sum_)[::-1], "big") ^ ghash(h, b"".join(blocks))
    power = h
    for _ in blocks:
        power = times(power, h)
    return times(target, inverse(power)).to_bytes(16, "big")[::-1]


def xaes(key, nonce, aad, msg):
    """C2SP XAES-256-GCM: a key from CMAC over a counter, 'X', 0 and half of the nonce; the rest is AES-256-GCM's."""
    derived = b"".join(cmac(key, bytes([0, i, 0x58, 0]) + nonce[:12]) for i in (1, 2))
    return gcm(derived, nonce[12:], aad, msg)
