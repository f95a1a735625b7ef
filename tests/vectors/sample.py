"""sample.py - which cases stand for all of them where there is no time for all: each that exercises something that no
case before it did. Standard library only."""

import re

BLOCK = 16
LOOP = 32  # blocks in the widest loop over one message


def length(value):
    """Of bytes in any form that a file has for them; 0 where there are none."""
    return len(value or "") // 2 if isinstance(value, str | None) else value["len"]


def exercised(algorithm, group, test):
    """What a case exercises, as a set. Whatever is in it for one case of all is in it for one of the sample."""
    if group["type"] == "AccumulatedTest":
        return set()  # ten thousand messages of lengths that other cases have
    texts = [test[name] for name in ("msg", "ct", "a", "srcs") if name in test] or [None]
    text = length(texts[0][0] if isinstance(texts[0], list) else texts[0])
    repeats = group["type"] == "XorRepeatTest"  # by a key of any length
    key, way = min(length(test.get("key")), BLOCK if repeats else 1 << 16), (test.get("dir"), test.get("error"))
    what = {
        ("tail", key, way, text % BLOCK),
        ("blocks", way, text // BLOCK % LOOP),
        ("aad", length(test.get("aad")) % BLOCK),
        ("iv", length(test.get("iv"))),
        ("tag", group.get("tagSize"), length(test.get("tag")), way),
        ("source", group.get("source", {}).get("name"), way),
        ("sources", len(test.get("srcs", ()))),
    }
    what |= {(name, key, way) for name in ("mct", "offset", "sectorSize", "nextIv") if name in test}
    what |= {("flag", flag) for flag in test.get("flags", ())}
    if "comment" in test and group.get("source", {}).get("name") == "libxorcore":
        what.add(("comment", re.sub(r"[0-9a-f]*[0-9][0-9a-f]*", "", test["comment"])))
    return {(algorithm, group["type"], *one) for one in what}


class Sample:
    """Cases are shown to it one after another."""

    def __init__(self):
        self.seen, self.shown, self.taken = set(), 0, 0

    def takes(self, algorithm, group, test):
        new = exercised(algorithm, group, test) - self.seen
        self.seen |= new
        self.shown += 1
        self.taken += bool(new)
        return bool(new)
