"""goals.py — what is asked of the library, and whether a run reached it.

A goal is a Goal; where its peer or its probe is absent its value is None, and nothing is said of it."""

import re
from dataclasses import dataclass

KIB = 1024


@dataclass
class Goal:
    name: str
    limit: float
    value: float | None
    at_least: bool
    form: str  # of value and limits: "{:.2f} ×"
    aim: float | None = None  # the further goal
    note: str = ""  # where it was worst

    @property
    def reached(self):
        if self.value is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def ask(self, limit):
        return "" if limit is None else f"{'≥' if self.at_least else '≤'} {self.form.format(limit)}"

    @property
    def measured(self):
        if self.value is None:
            return "–"
        return self.form.format(self.value) + (f" ({self.note})" if self.note else "")


def least(values):
    return None if any(value is None for value in values) else min(values)


class Run:
    """Figures of one library, as goals ask for them."""

    def __init__(self, bars, width):
        self.table, self.checks, self.set_key, self.width = bars["table"], bars["checks"], bars["set_key"], width

    def times(self, ops, key, size, peer="openssl"):
        """The peer's time over ours, at the worst of the operations."""
        return least([self.table[op, key, size]["xorcore"]["vs"].get(peer) for op in ops])

    def share(self, ops, key, size):
        """Percent of the ceiling: of the widest registers, or of those that this library may use."""
        def one(lines):
            same = [line["ns"] for line in lines["ceilings"]
                    if line["kernel"].rsplit(",", 1)[0] == lines["ceilings"][0]["kernel"].rsplit(",", 1)[0]
                    and int(line["kernel"].split()[-2]) <= self.width]
            return 100 * min(same) / lines["xorcore"]["ns"] if same else None
        return least([one(self.table[op, key, size]) for op in ops])

    def found(self, check, op=None):
        lines = [line for line in self.checks if line["check"] == check and op in (None, line["op"])]
        return max(lines, key=lambda line: line["value"] - line["limit"]) if lines else None


TIMES, SHARE, NS = "{:.2f} ×", "{:.1f} %", "{:.1f} ns"


def checked(run, check, name, limit, form, at_least=False, op=None, aim=None):
    line = run.found(check, op)
    note = f"{line['op']}: {line['text']}" if line and check in ("cliffs", "rows", "keys") else ""
    return Goal(name, limit, line and line["value"], at_least, form, aim, note)


def bars(run, no_aes):
    """The goals of the kernels, for one library."""
    both = ("gcm-seal", "gcm-open")

    def times(name, ops, key, size, limit, aim=None):
        return Goal(name, limit, run.times(ops, key, size), True, TIMES, aim)

    def share(name, ops, key, size, limit, aim=None):
        return Goal(name, limit, run.share(ops, key, size), True, SHARE, aim)

    value = run.times(both, 128, 64)
    yield Goal("GCM-128 seal and open, 64 B: time beside OpenSSL's", 0.10, value and 1 / value, False, TIMES, 0.07)
    yield times("GCM-128 seal and open, 1350 B: speed beside OpenSSL", both, 128, 1350, 3.6, 4.25)
    yield times("GCM-128 seal and open, 8 KiB: speed beside OpenSSL", both, 128, 8 * KIB, 2.6, 2.85)
    yield times("GCM-128 seal and open, 64 KiB: speed beside OpenSSL", both, 128, 64 * KIB, 2.4, 2.6)
    yield share("GCM-128 seal and open, 64 KiB: of the all-operations probe", both, 128, 64 * KIB, 85, 92)
    yield times("GCM-256 seal and open, 64 KiB: speed beside OpenSSL", both, 256, 64 * KIB, 2.2, 2.3)
    yield share("CTR-128, 8 KiB: of the 10-round ceiling", ("ctr",), 128, 8 * KIB, 94)
    yield share("CTR-128, 64 KiB: of the 10-round ceiling", ("ctr",), 128, 64 * KIB, 102, 105)
    yield share("CBC-decrypt 128, 8 KiB: of the ceiling", ("cbc-decrypt",), 128, 8 * KIB, 92, 95)
    yield share("CFB-decrypt 128, 8 KiB: of the ceiling", ("cfb-decrypt",), 128, 8 * KIB, 92, 95)
    yield share("XTS-128, both ways, 4 KiB: of the AES ceiling", ("xts-encrypt", "xts-decrypt"), 128, 4 * KIB, 72, 85)
    yield share("GMAC-128, 8 KiB: of the GHASH probe", ("gmac",), 128, 8 * KIB, 92, 95)
    for op in ("cbc-encrypt", "cfb-encrypt", "ofb"):
        yield share(f"{op} 128, 8 KiB: of the latency chain", (op,), 128, 8 * KIB, 99)
    yield times("CBC-encrypt 128, 16 rows of 1 KiB: speed beside one OpenSSL stream", ("cbc-encrypt-rows",), 128, KIB, 9)
    yield Goal("CBC-encrypt 128, 16 rows of 1 KiB: speed beside ipsec-mb", 1.0,
               run.times(("cbc-encrypt-rows",), 128, KIB, "ipsec-mb"), True, TIMES)
    value = run.times(("xor-random",), 0, 64, "memcpy")
    yield Goal("XOR, random sizes 1 to 64: time beside memcpy's", 1.15, value and 1 / value, False, TIMES, 1.0)
    yield share("XOR, 2 KiB aligned: of the L1 probe", ("xor",), 0, 2 * KIB, 88, 95)
    yield checked(run, "misaligned", "XOR, 2 KiB, three buffers at odd offsets: of the aligned time", 1.7, TIMES, aim=1.5)
    sizes = sorted(size for op, _, size in run.table if op == "xor" and size >= 64 << 20)
    yield Goal("XOR, 64 and 128 MiB: speed beside ISA-L", 1.0,
               least([run.times(("xor",), 0, size, "isal") for size in sizes]), True, TIMES)
    yield checked(run, "parity", "parity of 5, 2 KiB: speed beside repeated two-source XOR", 1.75, TIMES, True)
    yield checked(run, "mask", "4-byte mask, 16 KiB: of 32 B a cycle", 75, SHARE, True, aim=90)
    yield checked(run, "cliffs", "no cliff: time(n + 1) − 1.25 × time(n), n to 512 and around powers of two", 5, NS)
    yield checked(run, "rows", "the default row: its time − 1.10 × the best other row's, sizes to 4096", 2, NS)
    yield Goal("GCM-128: the kernel's set_key", 60, run.set_key, False, NS)
    yield checked(run, "keys", "GCM-128: a key object made and freed", 200, NS, op="key-setup")
    yield checked(run, "keys", "GCM-128: a key for one message of 16 B, beside the best other row", 1.1, TIMES,
                  op="gcm-one-message")
    if no_aes:
        for side, peer, limit, aim, name in (
                ("vector", "openssl-no-aes", 1.8, 2.0, "beside OpenSSL without AES-NI"),
                ("portable", "openssl-c", 2.0, 3.0, "in portable code, beside OpenSSL's C tables")):
            line = no_aes[side]["ctr", 128, 16 * KIB]["xorcore"]
            yield Goal(f"CTR-128, 16 KiB, no AES instructions: speed {name}", limit, line["vs"].get(peer), True, TIMES, aim,
                       line["kernel"])


def compilers(pairs):
    """gcc's library and clang's: within 10 % or 1 ns of each other."""
    if not pairs:
        return
    def apart(pair):
        low, high = min(pair), max(pair)
        return 0 if high - low <= 1 else high / low
    place = max(pairs, key=lambda key: apart(pairs[key]))
    gcc, clang = pairs[place]
    yield Goal("gcc's library and clang's, every line above: within 1 ns, or apart by", 1.10, apart(pairs[place]), False, TIMES,
               note=f"{place[0]} {place[1] or ''} {place[2]} B: {gcc:.1f} and {clang:.1f} ns".replace("  ", " "))


def first(run, sweep, python, go):
    """The goals beside plain loops, and of the other languages."""
    if sweep:
        size, ours, theirs = sweep
        yield Goal("XOR, sizes 1 to 32768: its time − 1.1 × the Go-like loop's", 2, ours - 1.1 * theirs, False, NS,
                   note=f"{size} B: {ours:.1f} and {theirs:.1f} ns")
    yield Goal("XOR, 2 to 8 KiB: speed beside the Go-like loop", 1.7,
               least([run.times(("xor",), 0, n * KIB, "go-sse2") for n in (2, 4, 8)]), True, TIMES)
    yield Goal("CFB-decrypt 128, 8 KiB: speed beside OpenSSL", 10, run.times(("cfb-decrypt",), 128, 8 * KIB), True, TIMES)
    for op in ("ctr", "cbc-decrypt"):
        yield Goal(f"{op} 128, 8 KiB: speed beside OpenSSL", 1.1, run.times((op,), 128, 8 * KIB), True, TIMES)
    for size, limit in ((64, 0.5), (1350, 0.45)):
        peer, mine = python[f"encrypt {size} B"]
        yield Goal(f"Python: AESGCM.encrypt, {size} B: time beside pyca/cryptography's", limit, mine / peer, False, TIMES)
    many = [peer / mine for name, (peer, mine) in python.items() if re.match(r"seal_many, (records|Arrow),", name)]
    yield Goal("Python: seal_many of a buffer or column, 10,000 x 100 B: speed beside a loop over pyca/cryptography", 8, least(many),
               True, TIMES)
    peer, mine = python["encrypt_into 1 MiB"]
    yield Goal("Python: 1 MiB into a buffer: speed beside pyca/cryptography", 1.0, peer / mine, True, TIMES)
    small = [mine - std for name, (std, mine) in go.items() if re.fullmatch(r"XORBytes/(8|128|512)Bytes", name)]
    yield Goal("Go: XORBytes, 8 to 512 B: time over crypto/subtle's", 2, max(small), False, "{:+.1f} ns")
    large = [std / mine for name, (std, mine) in go.items() if re.fullmatch(r"XORBytes/(4096|8192|32768)Bytes", name)]
    yield Goal("Go: XORBytes from 4 KiB: speed beside crypto/subtle", 1.0, min(large), True, TIMES)
    for name, what, limit in (("AESGCM/Seal-128-8192", "AES-GCM-128, 8 KiB", 1.0), ("AESCFBDecrypt1K", "CFB-decrypt, 1 KiB", 6)):
        std, mine = go[name]
        yield Goal(f"Go: {what}: speed beside crypto/cipher", limit, std / mine, True, TIMES)
