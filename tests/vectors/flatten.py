"""flatten.py - JSON vectors to the plain lines that the C runner reads. Standard library only.

    flatten.py [-o OUT] [DIRECTORY ...]

The lines, in order, with everything in hex lower case:

    xorcore vectors 1
    file NAME ALGORITHM TESTS
    group TYPE TAGBITS                  TAGBITS is - where the type has none
    test TCID
    sample                              the case is one of those in sample.py's choice
    error NAME                          an invalid test
    dir both|encrypt|decrypt            when the test says so
    FIELD h HEX                         bytes; an empty HEX is -
    FIELD g SEED LEN                    splitmix64
    FIELD r HEX LEN                     repeated
    FIELD s SHA256 LEN                  the digest of an output
    FIELD n NUMBER                      a number; true is 1
    plan SIZE SIZE ...                  one for each plan of `chunks`
    end                                 the last line of all
"""

import argparse
import json
import os
import pathlib
import sys

from sample import Sample

READ_OVER = {
    "file": {"generatorVersion", "header", "license", "notes"},
    "group": {"source"},
    "test": {"comment", "flags"},
}

# The fields of each type of test: bytes, then numbers. `srcs` becomes one line `src` for each.
TYPES = {
    "XorTest": ({"a", "b", "out"}, set()),
    "XorManyTest": ({"srcs", "out"}, set()),
    "XorRepeatTest": ({"key", "msg", "out"}, {"phase"}),
    "EqualTest": ({"a", "b"}, {"equal"}),
    "AeadTest": ({"key", "iv", "aad", "msg", "ct", "tag"}, set()),
    "CipherTest": ({"key", "iv", "msg", "ct", "nextIv"}, {"mct", "offset", "sectorSize"}),
    "MacTest": ({"key", "iv", "msg", "tag"}, set()),
    "AccumulatedTest": ({"digest"}, {"count"}),
}
WITH_TAG_SIZE = {"AeadTest", "MacTest"}
WITH_DIRECTIONS = {"AeadTest", "CipherTest", "MacTest"}
WITH_CHUNKS = {"XorRepeatTest", "AeadTest", "CipherTest", "MacTest"}
ALGORITHMS = {
    "XorTest": {"XOR"},
    "XorManyTest": {"XOR-MANY"},
    "XorRepeatTest": {"XOR-REPEAT"},
    "EqualTest": {"EQUAL"},
    "AeadTest": {"AES-GCM", "AES-CCM", "AES-GCM-SIV", "XAES-256-GCM"},
    "CipherTest": {"AES-ECB", "AES-CBC", "AES-CFB128", "AES-CFB8", "AES-OFB", "AES-CTR", "AES-XTS"},
    "MacTest": {"AES-GMAC", "AES-CMAC"},
    "AccumulatedTest": {"XAES-256-GCM"},
}


class Fault(Exception):
    pass


def only(value, known, where):
    unknown = set(value) - known
    if unknown:
        raise Fault(f"{where}: fields that nobody reads: {', '.join(sorted(unknown))}")


def hexed(text, where):
    if len(text) % 2 or not set(text) <= set("0123456789abcdef"):
        raise Fault(f"{where}: not lower-case hex: {text[:40]}")
    return text or "-"


def value_line(name, value, where):
    if isinstance(value, str):
        return f"{name} h {hexed(value, where)}"
    if (
        set(value) == {"gen", "seed", "len"}
        and value["gen"] == "splitmix64"
        and len(value["seed"]) == 16
    ):
        return f"{name} g {hexed(value['seed'], where)} {value['len']}"
    if set(value) == {"repeat", "len"} and value["repeat"]:
        return f"{name} r {hexed(value['repeat'], where)} {value['len']}"
    if set(value) == {"sha256", "len"} and len(value["sha256"]) == 64:
        return f"{name} s {hexed(value['sha256'], where)} {value['len']}"
    raise Fault(f"{where}: neither hex, nor generated, nor a digest: {name}")


def test_lines(type_, test, where):
    text, numbers = TYPES[type_]
    known = {"tcId", "result", "error"} | READ_OVER["test"] | text | numbers
    known |= {"dir"} if type_ in WITH_DIRECTIONS else set()
    known |= {"chunks"} if type_ in WITH_CHUNKS else set()
    only(test, known, where)
    yield f"test {test['tcId']}"
    if (test["result"], "error" in test) not in (("valid", False), ("invalid", True)):
        raise Fault(f"{where}: result and error do not agree")
    if "error" in test:
        yield f"error {test['error']}"
    if "dir" in test:
        if test["dir"] not in ("both", "encrypt", "decrypt"):
            raise Fault(f"{where}: dir is {test['dir']}")
        yield f"dir {test['dir']}"
    for name, value in test.items():
        if name == "srcs":
            for src in value:
                yield value_line("src", src, where)
        elif name in text:
            yield value_line(name, value, where)
        elif name in numbers:
            if not isinstance(value, int) or not 0 <= value < 1 << 64:
                raise Fault(f"{where}: {name} is no number of 64 bits")
            yield f"{name} n {int(value)}"
    for plan in test.get("chunks", ()):
        if not plan or plan[-1] <= 0:
            raise Fault(f"{where}: a plan ends in 0")
        yield "plan " + " ".join(map(str, plan))


def file_lines(path, sample):
    document = json.loads(path.read_text())
    name = path.name
    only(document, {"algorithm", "schema", "numberOfTests", "testGroups"} | READ_OVER["file"], name)
    if document["schema"] != "xorcore_vectors_v1":
        raise Fault(f"{name}: schema {document['schema']}")
    algorithm = document["algorithm"]
    tests = [test for group in document["testGroups"] for test in group["tests"]]
    if not tests or document["numberOfTests"] != len(tests):
        raise Fault(f"{name}: {len(tests)} tests, numberOfTests is {document['numberOfTests']}")
    if len({test["tcId"] for test in tests}) != len(tests):
        raise Fault(f"{name}: a tcId comes twice")
    yield f"file {name} {algorithm} {len(tests)}"
    for group in document["testGroups"]:
        type_ = group["type"]
        if algorithm not in ALGORITHMS.get(type_, ()):
            raise Fault(f"{name}: a group of {type_} in a file of {algorithm}")
        sized = type_ in WITH_TAG_SIZE
        only(
            group, {"type", "tests"} | ({"tagSize"} if sized else set()) | READ_OVER["group"], name
        )
        if not group["tests"]:
            raise Fault(f"{name}: a group without tests")
        yield f"group {type_} {group['tagSize'] if sized else '-'}"
        for test in group["tests"]:
            first, *rest = test_lines(type_, test, f"{name} tcId={test['tcId']}")
            yield first
            if sample.takes(algorithm, group, test):
                yield "sample"
            yield from rest


def vector_files(directories):
    """The paths in the order in which every runner takes them."""
    paths = []
    for directory in directories:
        found = list(pathlib.Path(directory).glob("*.json"))
        if not found:
            raise Fault(f"{directory}: no *.json there")
        paths += found
    paths.sort(key=lambda path: path.name.encode())
    for one, two in zip(paths, paths[1:]):
        if one.name == two.name:
            raise Fault(f"{one.name} comes twice: {one} and {two}")
    return paths


def main():
    parser = argparse.ArgumentParser(description="JSON vectors to plain lines.")
    parser.add_argument("-o", "--output", default="-")
    parser.add_argument("directory", nargs="*")
    args = parser.parse_args()
    listed = os.environ.get("XORCORE_VECTORS", "")
    directories = args.directory or [d for d in listed.split(":") if d]
    directories = directories or [pathlib.Path(__file__).resolve().parent / "data"]
    try:
        lines, sample = ["xorcore vectors 1"], Sample()
        for path in vector_files(directories):
            lines += file_lines(path, sample)
        lines.append("end")
    except (Fault, KeyError, TypeError, ValueError) as fault:
        print(f"flatten.py: {type(fault).__name__}: {fault}", file=sys.stderr)
        return 1
    text = "\n".join(lines) + "\n"
    if args.output == "-":
        sys.stdout.write(text)
    else:
        pathlib.Path(args.output).write_text(text)
        print(f"flatten.py: {sample.shown} cases, {sample.taken} of them are the sample", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
