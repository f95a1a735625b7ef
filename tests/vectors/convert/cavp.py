"""cavp.py - NIST's CAVP files, as the PyPI package cryptography-vectors has them, in our form.

    cavp.py TO [--from FOLDER] [--every N] [--seed S]

FOLDER is the package's own by default. --every N takes the first case of each file and about one in N of the others, chosen
by the seed, which is printed. Left out, with their number printed: CFB1, and XTS data units that are no whole number of bytes.
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "generate"))
from common import File, SplitMix64  # noqa: E402


def cases(path):
    """The cases of a response file as dicts, upper-case names, with what its sections and heads say under them."""
    outer, case = {}, None
    for line in path.read_text().splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if case:
                yield case
            case = None
            inside = line.strip("[]")
            if "=" not in inside:
                outer = {"SECTION": inside}
            for name, value in re.findall(r"(\w+)\s*=\s*(\w+)", inside):
                outer[name.upper()] = value
            continue
        if line == "FAIL":
            case["RESULT"] = "Fail"
            continue
        name, _, value = line.partition("=")
        name, value = name.strip().upper(), value.strip()
        if name == "COUNT":
            if case:
                yield case
            case = dict(outer)
        elif case is None:
            outer[name] = value
        else:
            case[name] = value
    if case:
        yield case


def hexed(case, *names):
    for name in names:
        if name in case:
            return bytes.fromhex(case[name].split("(")[0])
    return b""


class Target:
    """One file to be written, with its count of what was left out."""

    def __init__(self, name, algorithm, type_):
        self.file = File(f"cavp_{name}.json", algorithm)
        self.type = type_
        self.left_out = {}
        self.last = None

    def add(self, source, *args, tag_size=None, **fields):
        if self.last != (source, tag_size):
            self.last = (source, tag_size)
            sized = {} if tag_size is None else {"tagSize": tag_size}
            self.file.group(self.type, {"name": "NIST CAVP, " + source}, **sized)
        self.file.add(*args, whole=True, **fields)

    def leave_out(self, why):
        self.left_out[why] = self.left_out.get(why, 0) + 1


class Sampler:
    """The first case of each file, and of the others one in `every`, by the seed; all when every is 1."""

    def __init__(self, every, seed):
        self.every = every
        self.rng = SplitMix64(seed)
        self.seen = set()

    def takes(self, path):
        first = path not in self.seen
        self.seen.add(path)
        return first or self.rng.below(self.every) == 0


def ciphers(folder, sampler):
    for name, mode, pattern in (
        ("aes_ecb", "ECB", "ECB/ECB*.rsp"),
        ("aes_cbc", "CBC", "CBC/CBC*.rsp"),
        ("aes_ofb", "OFB", "OFB/OFB*.rsp"),
        ("aes_cfb128", "CFB128", "CFB/CFB128*.rsp"),
        ("aes_cfb8", "CFB8", "CFB/CFB8*.rsp"),
        ("aes_ctr", "CTR", "CTR/*.txt"),
    ):
        target = Target(name, f"AES-{mode}", "CipherTest")
        for path in sorted(folder.glob(pattern)):
            for case in cases(path):
                if sampler.takes(path):
                    target.add(
                        path.name,
                        key=hexed(case, "KEY"),
                        iv=hexed(case, "IV") if mode != "ECB" else b"",
                        msg=hexed(case, "PLAINTEXT"),
                        ct=hexed(case, "CIPHERTEXT"),
                    )
        if mode == "CFB8":
            for path in sorted(folder.glob("CFB/CFB1[!2]*.rsp")):
                for _ in cases(path):
                    target.leave_out("CFB1")
        yield target


def xts(folder, sampler):
    target = Target("aes_xts", "AES-XTS", "CipherTest")
    for path in sorted(folder.glob("XTS/*/*.rsp")):
        for case in cases(path):
            bits, msg = int(case["DATAUNITLEN"]), hexed(case, "PT")
            if bits % 8:
                target.leave_out("not whole bytes")
                continue
            assert 8 * len(msg) == bits
            if "DATAUNITSEQNUMBER" in case:
                iv = int(case["DATAUNITSEQNUMBER"]).to_bytes(16, "little")
            else:
                iv = hexed(case, "I")
            if sampler.takes(path):
                target.add(
                    f"{path.parent.name}/{path.name}",
                    key=hexed(case, "KEY"),
                    iv=iv,
                    msg=msg,
                    ct=hexed(case, "CT"),
                )
    yield target


def gcm(folder, sampler):
    target = Target("aes_gcm", "AES-GCM", "AeadTest")
    for path in sorted(folder.glob("GCM/*.rsp")):
        for case in cases(path):
            if not sampler.takes(path):
                continue
            common = dict(
                tag_size=int(case["TAGLEN"]),
                key=hexed(case, "KEY"),
                iv=hexed(case, "IV"),
                aad=hexed(case, "AAD"),
                ct=hexed(case, "CT"),
                tag=hexed(case, "TAG"),
            )
            if case.get("RESULT") == "Fail":
                target.add(path.name, "invalid", error="AUTH", **common)
            else:
                target.add(path.name, msg=hexed(case, "PT"), **common)
    yield target


def ccm(folder, sampler):
    target = Target("aes_ccm", "AES-CCM", "AeadTest")
    for path in sorted(folder.glob("CCM/*.rsp")):
        for case in cases(path):
            if not sampler.takes(path):
                continue
            # A length of 0 is written as one byte of zero.
            n, aad_len, tag_len = (int(case[name]) for name in ("PLEN", "ALEN", "TLEN"))
            sealed = hexed(case, "CT")
            assert len(sealed) == n + tag_len
            common = dict(
                tag_size=8 * tag_len,
                key=hexed(case, "KEY"),
                iv=hexed(case, "NONCE"),
                aad=hexed(case, "ADATA")[:aad_len],
                ct=sealed[:n],
                tag=sealed[n:],
            )
            if case.get("RESULT", "").startswith("Fail"):
                target.add(path.name, "invalid", error="AUTH", **common)
            else:
                target.add(path.name, msg=hexed(case, "PAYLOAD")[:n], **common)
    yield target


def gcm_siv(folder, sampler):
    """Not NIST's: RFC 8452 by way of OpenSSL's tests. Keys of 24 bytes, which the RFC does not have, are refused."""
    target = Target("aes_gcm_siv", "AES-GCM-SIV", "AeadTest")
    for path in sorted(folder.glob("GCM-SIV/*.txt")):
        for case in cases(path):
            if not sampler.takes(path):
                continue
            common = dict(
                tag_size=128,
                key=hexed(case, "KEY"),
                iv=hexed(case, "IV"),
                aad=hexed(case, "AAD"),
                msg=hexed(case, "PLAINTEXT"),
            )
            if len(common["key"]) == 24:
                target.add(path.name, "invalid", error="KEY_LENGTH", **common)
            else:
                target.add(
                    path.name, ct=hexed(case, "CIPHERTEXT"), tag=hexed(case, "TAG"), **common
                )
    yield target


def cmac(folder, sampler):
    target = Target("aes_cmac", "AES-CMAC", "MacTest")
    for path in sorted((folder.parent.parent / "CMAC").glob("*-aes*.txt")):
        for case in cases(path):
            if sampler.takes(path):
                target.add(
                    path.name,
                    tag_size=128,
                    key=hexed(case, "KEY"),
                    msg=hexed(case, "MESSAGE"),
                    tag=hexed(case, "OUTPUT"),
                )
    yield target


def main():
    parser = argparse.ArgumentParser(description="NIST CAVP files in our form.")
    parser.add_argument("to", type=pathlib.Path)
    parser.add_argument("--from", dest="source", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.source is None:
        import cryptography_vectors

        args.source = pathlib.Path(cryptography_vectors.__file__).parent
    folder = args.source / "ciphers" / "AES"
    args.to.mkdir(parents=True, exist_ok=True)
    sampler = Sampler(args.every, args.seed)
    if args.every > 1:
        print(f"cavp: one case in {args.every}, seed {args.seed}")
    total = 0
    for family in (ciphers, xts, gcm, ccm, gcm_siv, cmac):
        for target in family(folder, sampler):
            file, left_out = (
                target.file,
                "; ".join(f"{why} {n}" for why, n in target.left_out.items()),
            )
            if not file.count:
                raise SystemExit(f"cavp: {args.source} has nothing for {file.name}")
            note = f" (left out: {left_out})" if left_out else ""
            print(f"cavp {file.name}: cases={file.count}{note}")
            (args.to / file.name).write_text(file.text())
            total += file.count
    print(f"cavp total: cases={total}")


if __name__ == "__main__":
    main()
