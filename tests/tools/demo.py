"""demo.py — the demo's front notices every way in which a language could be wrong."""

import copy
import hashlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "docs" / "demo"))

import run as demo  # noqa: E402


def expect(good, text):
    if not good:
        sys.exit(f"WRONG {text}")
    print(f"ok    {text}", flush=True)


def sha(data):
    return hashlib.sha256(data).hexdigest()


def main():
    text = bytes(range(256)) * 5
    at = len(text) // 3
    known = {"text": text, "zeros": bytes(len(text)), "slice": text[at : at + len(text) // 4]}
    row = {name: (sha(known.get(result, name.encode())), "1", "k") for name, (_, result) in demo.OPERATIONS.items()}
    right = {language: dict(row) for language in ("C", "Python", "Go", "ctypes", "reference")}
    expect(list(demo.problems(right, text)) == [], "a right table has no problem")

    for name, (title, result) in demo.OPERATIONS.items():
        for language in right:
            wrong = copy.deepcopy(right)
            wrong[language][name] = (sha(b"something else"), "1", "k")
            expect(any(title in problem for problem in demo.problems(wrong, text)),
                   f"{language}: another digest of {name}")
            wrong = copy.deepcopy(right)
            del wrong[language][name]
            expect(any(title in problem for problem in demo.problems(wrong, text)), f"{language}: {name} was not done")
        if result:
            wrong = {language: found | {name: (sha(b"something else"), "1", "k")} for language, found in right.items()}
            expect(len(list(demo.problems(wrong, text))) == len(right), f"all agree on a wrong {name}")
    wrong = copy.deepcopy(right)
    wrong["Go"]["more"] = (sha(b""), "1", "k")
    expect(any("more" in problem for problem in demo.problems(wrong, text)), "an operation that the others don't have")


if __name__ == "__main__":
    main()
