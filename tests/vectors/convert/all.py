"""all.py - fetches and converts every foreign vector: NIST CAVP and Wycheproof.

    all.py TO [--every N] [--seed S]

Makes the folders TO/cavp and TO/wycheproof, to be named in XORCORE_VECTORS. Needs the Python packages
cryptography and cryptography-vectors, and Go, which downloads the Wycheproof module (112 MB, once).
--every and --seed thin out CAVP: see cavp.py.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE.parents[2] / "go" / "internal" / "conformance"


def run(*command, cwd=None):
    try:
        subprocess.run([str(word) for word in command], cwd=cwd, check=True)
    except FileNotFoundError:
        raise SystemExit(f"all.py: there is no {command[0]} on this machine") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(
            f"all.py: {' '.join(map(str, command))} ended with {error.returncode}"
        ) from None


def main():
    parser = argparse.ArgumentParser(description="Fetches and converts every foreign vector.")
    parser.add_argument("to", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    to = args.to.resolve()
    for name in ("cavp", "wycheproof", "wycheproof_source"):
        shutil.rmtree(to / name, ignore_errors=True)
    run("go", "run", ".", to / "wycheproof_source", cwd=MODULE)
    run(sys.executable, HERE / "wycheproof.py", to / "wycheproof_source", to / "wycheproof")
    run(sys.executable, HERE / "cavp.py", to / "cavp", "--every", args.every, "--seed", args.seed)


if __name__ == "__main__":
    main()
