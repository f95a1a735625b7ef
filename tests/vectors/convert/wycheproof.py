"""wycheproof.py - Wycheproof's AES files in our form.

    wycheproof.py FROM TO

FROM is a folder with the files of testvectors_v1; go/internal/conformance writes one. What we read otherwise:
a set of parameters that we do not have is an expected error of that name; PKCS#5 padding is put on here and must
be found here, so that what is run is plain CBC; an XTS tweak under 16 bytes gets zeros behind it.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "generate"))
from common import File  # noqa: E402

KEYS = {"AES-GCM-SIV": (16, 32), "AES-XTS": (32, 48, 64)}
TAGS = {
    "AES-GCM": (4, 8, 12, 13, 14, 15, 16),
    "AES-GMAC": (4, 8, 12, 13, 14, 15, 16),
    "AES-CCM": (4, 6, 8, 10, 12, 14, 16),
    "AES-GCM-SIV": (16,),
    "AES-CMAC": tuple(range(4, 17)),
}


class Counts:
    def __init__(self):
        self.all = self.invalid = 0
        self.errors = {}
        self.notes = {}

    def note(self, what):
        self.notes[what] = self.notes.get(what, 0) + 1


def refusal(algorithm, key, iv, tag_len, msg):
    """The error that these lengths have, in the order in which errors are reported; None if all are right."""
    if len(key) not in KEYS.get(algorithm, (16, 24, 32)):
        return "KEY_LENGTH"
    if tag_len is not None and tag_len not in TAGS[algorithm]:
        return "TAG_LENGTH"
    if algorithm == "AES-XTS" and key[: len(key) // 2] == key[len(key) // 2 :]:
        return "WEAK_KEY"
    nonce = {
        "AES-GCM": len(iv) > 0,
        "AES-GMAC": len(iv) > 0,
        "AES-CCM": 7 <= len(iv) <= 13,
        "AES-GCM-SIV": len(iv) == 12,
        "AES-CMAC": True,
    }.get(algorithm, len(iv) == 16)
    if not nonce:
        return "NONCE_LENGTH"
    if algorithm == "AES-XTS" and len(msg) < 16:
        return "DATA_LENGTH"
    return None


def read(path, kinds):
    document = json.loads(path.read_text())
    for group in document["testGroups"]:
        if group["type"] not in kinds:
            raise SystemExit(f"{path.name}: a group of {group['type']} is not expected")
        for test in group["tests"]:
            known = {"tcId", "comment", "flags", "key", "iv", "aad", "msg", "ct", "tag", "result"}
            if set(test) - known or test["result"] not in ("valid", "invalid"):
                raise SystemExit(f"{path.name} tcId {test['tcId']}: unknown fields or result")
            hexes = {
                name: bytes.fromhex(test.get(name, ""))
                for name in ("key", "iv", "aad", "msg", "ct", "tag")
            }
            yield group, test, hexes


def described(test):
    words = [f"Wycheproof tcId {test['tcId']}", test["comment"], " ".join(test["flags"])]
    return ", ".join(word for word in words if word)


def convert(path, algorithm, type_, add):
    kinds = {
        "AeadTest": ("AeadTest",),
        "MacTest": ("MacTest", "MacWithIvTest"),
        "CipherTest": ("IndCpaTest",),
    }[type_]
    file = File(f"wycheproof_{algorithm.lower().replace('-', '_')}.json", algorithm)
    counts = Counts()
    last = None
    for group, test, h in read(path, kinds):
        if group is not last:
            fields = {"tagSize": group["tagSize"]} if type_ != "CipherTest" else {}
            file.group(
                type_,
                {"name": "C2SP Wycheproof, " + path.name, "version": group["source"]["version"]},
                **fields,
            )
            last = group
        counts.all += 1
        before = file.count
        add(file, group, test, h, counts)
        assert file.count == before + 1
    return file, counts


def add_sealed(file, group, test, h, counts):
    """AEADs and MACs: what is invalid and has lengths that we take must fail as AUTH."""
    algorithm, tag_len = file.head["algorithm"], group["tagSize"] // 8
    error = refusal(algorithm, h["key"], h["iv"], tag_len, h["msg"])
    mac = algorithm in ("AES-GMAC", "AES-CMAC")
    fields = {"comment": described(test), "key": h["key"], "iv": h["iv"]}
    if not mac:
        fields["aad"] = h["aad"]
    if error:
        counts.errors[error] = counts.errors.get(error, 0) + 1
        if test["result"] == "valid":
            counts.note(f"valid there, {error} here")
        file.add("invalid", error=error, msg=h["msg"], **fields)
    elif test["result"] == "invalid":
        counts.errors["AUTH"] = counts.errors.get("AUTH", 0) + 1
        fields["msg" if mac else "ct"] = h["msg"] if mac else h["ct"]
        file.add("invalid", whole=True, error="AUTH", tag=h["tag"], **fields)
    else:
        file.add(whole=True, msg=h["msg"], ct=h["ct"], tag=h["tag"], **fields)


def add_xts(file, group, test, h, counts):
    if len(h["iv"]) < 16:
        counts.note("tweak filled with zeros")
    iv = h["iv"].ljust(16, b"\0")
    error = refusal("AES-XTS", h["key"], iv, None, h["msg"])
    fields = {"comment": described(test), "key": h["key"], "iv": iv, "msg": h["msg"]}
    if error:
        counts.errors[error] = counts.errors.get(error, 0) + 1
        if test["result"] == "valid":
            counts.note(f"valid there, {error} here")
        file.add("invalid", error=error, **fields)
    elif test["result"] == "valid":
        file.add(whole=True, ct=h["ct"], **fields)
    else:
        raise SystemExit(f"XTS tcId {test['tcId']}: invalid, and nothing here says why")


def add_cbc(file, group, test, h, counts):
    """A valid text is padded here. An invalid one is either no multiple of the block, which CBC refuses, or its
    padding is bad, which is the reader's to find: OpenSSL decrypts it, its padding is found bad, and the two
    texts are run as plain CBC."""
    fields = {"comment": described(test), "key": h["key"], "iv": h["iv"]}
    if test["result"] == "valid":
        pad = 16 - len(h["msg"]) % 16
        file.add(whole=True, msg=h["msg"] + bytes([pad]) * pad, ct=h["ct"], **fields)
    elif len(h["ct"]) % 16:
        counts.errors["DATA_LENGTH"] = counts.errors.get("DATA_LENGTH", 0) + 1
        file.add("invalid", error="DATA_LENGTH", msg=h["ct"], **fields)
    else:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        decryptor = Cipher(algorithms.AES(h["key"]), modes.CBC(h["iv"])).decryptor()
        msg = decryptor.update(h["ct"])
        pad = msg[-1] if msg else 0
        if 1 <= pad <= 16 and msg.endswith(bytes([pad]) * pad):
            raise SystemExit(f"CBC tcId {test['tcId']}: invalid, and its padding is right")
        counts.note("bad padding, run as plain CBC")
        file.add(whole=True, msg=msg, ct=h["ct"], **fields)


FILES = (
    ("aes_gcm_test.json", "AES-GCM", "AeadTest", add_sealed),
    ("aes_ccm_test.json", "AES-CCM", "AeadTest", add_sealed),
    ("aes_gcm_siv_test.json", "AES-GCM-SIV", "AeadTest", add_sealed),
    ("aes_gmac_test.json", "AES-GMAC", "MacTest", add_sealed),
    ("aes_cmac_test.json", "AES-CMAC", "MacTest", add_sealed),
    ("aes_cbc_pkcs5_test.json", "AES-CBC", "CipherTest", add_cbc),
    ("aes_xts_test.json", "AES-XTS", "CipherTest", add_xts),
)


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    source, target = map(pathlib.Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    total = 0
    for name, algorithm, type_, add in FILES:
        if not (source / name).exists():
            raise SystemExit(f"wycheproof: {source / name} is missing")
        file, counts = convert(source / name, algorithm, type_, add)
        (target / file.name).write_text(file.text())
        words = [f"{error} {n}" for error, n in sorted(counts.errors.items())]
        words += [f"{what} {n}" for what, n in sorted(counts.notes.items())]
        print(
            f"wycheproof {file.name}: cases={counts.all}"
            + (f" ({'; '.join(words)})" if words else "")
        )
        total += counts.all
    print(f"wycheproof total: cases={total}")


if __name__ == "__main__":
    main()
