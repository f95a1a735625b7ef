"""test_sample.py - the sample has whatever the tree's vectors have, and the tree has every length. Standard library only."""

import json
import pathlib
import unittest

import sample

DATA = pathlib.Path(__file__).resolve().parent / "data"

# Up to here the files have every length of text (ECB and CBC: every number of blocks): two rounds of the widest loop.
EVERY_LENGTH = {
    "AES-CTR": 1025,
    "AES-CFB128": 1025,
    "AES-OFB": 1025,
    "AES-GCM": 1025,
    "AES-GCM-SIV": 1025,
    "XAES-256-GCM": 570,
    "AES-GMAC": 570,
    "AES-CCM": 330,
    "AES-CFB8": 330,
    "AES-CMAC": 330,
    "AES-ECB": 138,
    "AES-CBC": 138,
    "XOR": 257,
}


def all_cases():
    for path in sorted(DATA.glob("*.json")):
        document = json.loads(path.read_text())
        for group in document["testGroups"]:
            for test in group["tests"]:
                yield document["algorithm"], group, test


def text(test):
    value = test.get("msg", test.get("a", ""))
    return value["len"] if isinstance(value, dict) else len(value) // 2


def aad(test):
    value = test.get("aad", "")
    return value["len"] if isinstance(value, dict) else len(value) // 2


def covers(algorithm, group, test):
    """What the sample must have, said without sample.py."""
    key, way = len(test.get("key", "")) // 2, (test.get("dir"), test.get("error"))
    if group["type"] == "XorRepeatTest":
        key = 0  # as long as the caller likes
    if group["type"] == "AccumulatedTest":
        return
    yield "key, direction, error and bytes of the last block", algorithm, key, way, text(test) % 16
    yield "blocks modulo the widest loop", algorithm, way, text(test) // 16 % 32
    yield "bytes of the last block of AAD", algorithm, aad(test) % 16
    yield "tag", algorithm, group.get("tagSize"), way
    if "nextIv" in test:
        yield "nextIv", algorithm, key
    if "wrap" in test.get("comment", ""):
        yield "a counter that wraps", algorithm


def covered(cases):
    return {one for case in cases for one in covers(*case)}


def chosen(cases):
    taker = sample.Sample()
    return [case for case in cases if taker.takes(*case)]


class TheSample(unittest.TestCase):
    def test_it_has_what_all_have(self):
        cases = list(all_cases())
        some = chosen(cases)
        self.assertEqual(covered(cases) - covered(some), set())
        self.assertLess(len(some), len(cases) / 3)

    def test_a_residue_that_is_missing_is_seen(self):
        cases = list(all_cases())
        some = chosen(cases)
        for algorithm, tail in (("AES-GCM", 7), ("AES-CTR", 15), ("AES-XTS", 1)):
            left = [case for case in some if case[0] != algorithm or text(case[2]) % 16 != tail]
            self.assertIn((algorithm, tail), {(one[1], one[-1]) for one in covered(cases) - covered(left)})

    def test_a_case_with_something_new_is_taken(self):
        group = {"type": "AeadTest", "tagSize": 128}
        taker = sample.Sample()
        plain = {"key": "00" * 16, "iv": "00" * 12, "msg": "00" * 33, "tag": "00" * 16}
        self.assertTrue(taker.takes("AES-GCM", group, plain))
        self.assertFalse(taker.takes("AES-GCM", group, {**plain, "msg": "11" * 33}))
        for new in (
            {"key": "00" * 24},
            {"msg": "00" * 34},
            {"msg": {"gen": "splitmix64", "seed": "00" * 8, "len": 49}},
            {"aad": "00"},
            {"iv": "00" * 13},
            {"tag": "00" * 15},
            {"dir": "decrypt"},
            {"error": "AUTH"},
            {"flags": ["Special"]},
        ):
            self.assertTrue(taker.takes("AES-GCM", group, {**plain, **new}), new)
            self.assertFalse(taker.takes("AES-GCM", group, {**plain, **new}), new)
        self.assertTrue(taker.takes("AES-CCM", group, plain))
        self.assertTrue(taker.takes("AES-GCM", {**group, "tagSize": 96}, plain))


class TheWhole(unittest.TestCase):
    def test_every_length(self):
        there = {}
        for algorithm, _, test in all_cases():
            unit = 16 if algorithm in ("AES-ECB", "AES-CBC") else 1
            if "error" not in test and text(test) % unit == 0:
                there.setdefault(algorithm, set()).add(text(test) // unit)
        for algorithm, longest in EVERY_LENGTH.items():
            self.assertEqual(set(range(longest + 1)) - there[algorithm], set(), algorithm)

    def test_every_tail_with_every_key(self):
        there = {one[1:5:1] for one in covered(all_cases()) if one[0].startswith("key")}
        ways = {(algorithm, key, way) for algorithm, key, way, _ in there if algorithm.startswith("AES") and way[1] is None}
        for algorithm, key, way in sorted(ways, key=str):
            if algorithm in ("AES-ECB", "AES-CBC") or way[0] or algorithm == "AES-XTS" and key not in (32, 64):
                continue
            self.assertEqual(
                {tail for *same, tail in there if same == [algorithm, key, way]}, set(range(16)), (algorithm, key)
            )


if __name__ == "__main__":
    unittest.main()
