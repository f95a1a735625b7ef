"""run.py - what ctest calls: flattens the vectors and runs the C program on them.

    run.py LINES PROGRAM…

PROGRAM may begin with an emulator. LINES is the flattened tests/vectors/data. When XORCORE_VECTORS names directories, those are flattened now and
run instead.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

FLATTEN = pathlib.Path(__file__).resolve().parent.parent / "vectors" / "flatten.py"


def main():
    lines, *program = sys.argv[1:]
    if not os.environ.get("XORCORE_VECTORS"):
        return subprocess.run([*program, lines]).returncode
    with tempfile.TemporaryDirectory() as folder:
        lines = os.path.join(folder, "vectors.txt")
        status = subprocess.run([sys.executable, str(FLATTEN), "-o", lines]).returncode
        return status or subprocess.run([*program, lines]).returncode


if __name__ == "__main__":
    sys.exit(main())
