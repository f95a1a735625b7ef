"""common.py - what the generators share: inputs by splitmix64, outputs as hex or digest, files of tests."""

import hashlib
import json
import pathlib

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
OURS = {"name": "libxorcore", "reference": "OpenSSL through Python's cryptography"}
ARITHMETIC = {"name": "libxorcore", "reference": "Python's integers"}

# Outputs up to this many bytes stand in the file as hex, longer ones as a digest.
HEX_MAX = 48

_MASK = (1 << 64) - 1


class SplitMix64:
    """The generator of README.md; `below` and `choice` serve the generators alone."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def bytes(self, n):
        words = (n + 7) // 8
        return b"".join(self.next().to_bytes(8, "little") for _ in range(words))[:n]

    def below(self, n):
        return self.next() % n

    def choice(self, items):
        return items[self.below(len(items))]


class Data(bytes):
    """Bytes that remember how they stand in a file."""

    form = None


def literal(text):
    """Bytes from hex, blanks allowed, as a standard prints them."""
    return bytes.fromhex(text)


def generated(seed, n):
    """n bytes of splitmix64: hex in the file when that is shorter than naming the generator."""
    data = Data(SplitMix64(seed).bytes(n))
    if n > 32:
        data.form = {"gen": "splitmix64", "seed": f"{seed:016x}", "len": n}
    return data


def repeated(unit, n):
    data = Data((unit * (n // len(unit) + 1))[:n])
    if n > 32:
        data.form = {"repeat": unit.hex(), "len": n}
    return data


def shown_input(data):
    form = getattr(data, "form", None)
    return form if form is not None else bytes(data).hex()


def shown_output(data, whole=False):
    if whole or len(data) <= HEX_MAX:
        return bytes(data).hex()
    return {"sha256": hashlib.sha256(data).hexdigest(), "len": len(data)}


class File:
    """One file of tests, written with one test a line."""

    INPUTS = {"key", "iv", "aad", "msg", "a", "b"}
    OUTPUTS = {"ct", "tag", "out", "nextIv", "digest"}

    def __init__(self, name, algorithm, header=(), license="Apache-2.0"):
        self.name = name
        self.head = {"algorithm": algorithm, "schema": "xorcore_vectors_v1"}
        if header:
            self.head["header"] = list(header)
        self.head["license"] = license
        self.groups = []
        self.count = 0

    def group(self, type, source, **fields):
        self.groups.append(({"type": type, "source": source, **fields}, []))
        return self

    def add(self, result="valid", whole=False, **fields):
        """A test in the last group. Bytes that are empty or None leave their field out. `whole` writes
        outputs as hex at any length, which a test needs that only decrypts."""
        self.count += 1
        test = {"tcId": self.count, "result": result}
        for name, value in fields.items():
            if value is None or value == b"":
                continue
            if name in self.INPUTS:
                value = shown_input(value)
            elif name in self.OUTPUTS:
                value = shown_output(value, whole)
            elif name == "srcs":
                value = [shown_input(src) for src in value]
            test[name] = value
        self.groups[-1][1].append(test)

    def text(self):
        dumps = lambda value: json.dumps(value, separators=(",", ":"))
        lines = ["{"]
        lines += [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in self.head.items()]
        lines.append(f'"numberOfTests": {self.count},')
        lines.append('"testGroups": [')
        for at, (group, tests) in enumerate(self.groups):
            lines.append(
                "{" + ", ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in group.items()) + ","
            )
            lines.append('"tests": [')
            lines += [
                dumps(test) + ("," if i + 1 < len(tests) else "") for i, test in enumerate(tests)
            ]
            lines.append("]}" + ("," if at + 1 < len(self.groups) else ""))
        lines.append("]}")
        return "\n".join(lines) + "\n"
