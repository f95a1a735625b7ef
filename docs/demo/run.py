#!/usr/bin/env python3
"""run.py — the demo: one job on real files in C, Python, Go and ctypes, compared with a reference.

    make demo [FILES="a b"]

Every program leaves the results of its operations in files. Their digests must be the same in all four
languages, and the same as those of the reference: OpenSSL, through Python's `cryptography`, and Python's own
integers for XOR. The files behind the first operations must come back out of the second ones. Anything
else is exit status 1."""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "docs" / "demo"
sys.path.insert(0, str(ROOT / "tests"))

import setup  # noqa: E402
from setup import BUILD, LIBRARY, PREFIX, PYTHON, environment, say  # noqa: E402

WORK = BUILD / "demo"

# Name, what it does, and what the result has to be, where that is the text, a part of it, or zeros.
OPERATIONS = {
    "parity": ("xor: parity of 4 shards", None),
    "rebuild": ("xor: a lost shard rebuilt", "text"),
    "mask": ("xor: mask, 7-byte key", None),
    "unmask": ("xor: unmask, in two pieces", "text"),
    "seal": ("AES-256-GCM seal", None),
    "open": ("AES-256-GCM open", "text"),
    "refuse": ("flipped bit refused", "zeros"),
    "ctr": ("AES-256-CTR", None),
    "slice": ("CTR slice from the middle", "slice"),
    "sectors": ("AES-256-XTS, 4 KiB sectors", None),
    "records": ("1000 records sealed at once", None),
}


def default_files():
    """Real files of this machine: the library, a document, and an archive of the sources."""
    document = next(path for path in (ROOT / "README.md", ROOT / "docs" / "architecture.md") if path.exists())
    archive = WORK / "sources.tar"
    skip = {".git", "build", "__pycache__"}
    with tarfile.open(archive, "w") as tar:
        for path in sorted(ROOT.iterdir()):
            tar.add(path, path.name, filter=lambda info: None if skip & set(Path(info.name).parts) else info)
    return [LIBRARY.resolve(), document, archive]


def named_files():
    """The files of FILES, looked at before the long work begins; none is an empty list."""
    files = [Path(name).absolute() for name in shlex.split(os.environ.get("FILES", ""))]
    for path in files:
        if not path.is_file():
            raise setup.SetupError(f"{path} is not a file")
    if files and not sum(path.stat().st_size for path in files):
        raise setup.SetupError("the files are empty")
    return files


def programs():
    """The four programs, built as their users would build them, by language: command and environment."""
    pkg_config = environment(PKG_CONFIG_PATH=PREFIX / "lib" / "pkgconfig")
    rpath = f"-Wl,-rpath,{PREFIX / 'lib'}"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "xorcore"], env=pkg_config, text=True, check=True,
                           capture_output=True).stdout
    setup.run([*shlex.split(setup.CC), "-O2", "-Wall", HERE / "demo.c", "-o", WORK / "demo-c", *shlex.split(flags), rpath])
    setup.run(["go", "build", "-o", WORK / "demo-go", "./cmd/xorcore-demo"], env=setup.go_environment(), cwd=ROOT / "go")
    ctypes = environment(PYTHONPATH=ROOT / "bindings" / "ctypes", XORCORE_LIBRARY=LIBRARY)
    return {
        "C": ([WORK / "demo-c"], environment()),
        "Python": ([PYTHON, HERE / "demo_python.py"], environment()),
        "Go": ([WORK / "demo-go"], environment()),
        "ctypes": ([PYTHON, HERE / "demo_ctypes.py"], ctypes),
        "reference": ([PYTHON, HERE / "reference.py"], environment()),
    }


def results(language, command, env, files):
    """Runs a program; by operation: the digest of its result, its speed, its kernel."""
    folder = WORK / language
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    done = subprocess.run([str(part) for part in [*command, folder, *files]], env=env, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise setup.SetupError(f"the demo in {language} ended with exit status {done.returncode}")
    found = {}
    for line in done.stdout.splitlines():
        name, speed, kernel = line.split("\t")
        found[name] = (hashlib.sha256((folder / name).read_bytes()).hexdigest(), speed, kernel)
    return found


def problems(table, text):
    """Every way in which the table is not what it must be."""
    at = len(text) // 3
    fixed = {"text": text, "zeros": bytes(len(text)), "slice": text[at : at + len(text) // 4]}
    fixed = {name: hashlib.sha256(value).hexdigest() for name, value in fixed.items()}
    for name, (title, result) in OPERATIONS.items():
        for language, found in table.items():
            if name not in found:
                yield f"{language} did not do this: {title}"
            elif found[name][0] != table["reference"].get(name, [None])[0]:
                yield f"{title}: {language} and the reference differ"
            elif result and found[name][0] != fixed[result]:
                yield f"{title}: in {language} the result is not the {result}"
    for language, found in table.items():
        for name in found.keys() - OPERATIONS.keys():
            yield f"{language} does what the others do not: {name}"


def print_table(table):
    say(f"\n{'operation':27} {'language':10} {'sha256':14} {'MB/s':>7}  kernel")
    for name, (title, _) in OPERATIONS.items():
        for language, found in table.items():
            if name in found:
                digest, speed, kernel = found[name]
                say(f"{title:27} {language:10} {digest[:12]}.. {speed:>7}  {kernel}")
            title = ""


def main():
    try:
        files = named_files()
        setup.set_up("build")
        WORK.mkdir(parents=True, exist_ok=True)
        files = files or default_files()
        text = b"".join(path.read_bytes() for path in files)
        table = {language: results(language, *program, files) for language, program in programs().items()}
    except setup.SetupError as error:
        say(f"demo: {error}")
        return 1
    say("\nInput: " + ", ".join(f"{path.name} ({path.stat().st_size} bytes)" for path in files))
    print_table(table)
    say("")
    info = subprocess.run([PREFIX / "bin" / "xorcore-info"], env=environment(), text=True, stdout=subprocess.PIPE)
    say(info.stdout.rstrip())
    wrong = list(problems(table, text))
    for line in wrong:
        say(f"WRONG {line}")
    if info.returncode != 0:
        wrong.append("xorcore-info failed")
        say("WRONG xorcore-info failed")
    if not wrong:
        say(f"\nAll {len(OPERATIONS)} results are the same in C, Python, Go and ctypes, and the reference's.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
