"""vector_runner — the shared vector suite as a program: vector_runner.py [DIRECTORY...]."""

import sys

from vectors.case import SuiteError
from vectors.run import main

if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except SuiteError as problem:
        sys.exit(f"vectors python: {problem}")
