# Makefile — the front door: each target does all of its own set-up.
#
# The library itself is built by CMake alone; see README.md.

PYTHON ?= python3
ARCH ?=
FILES ?=
export FILES
# Python's caches would lie beside its files, outside build/.
export PYTHONDONTWRITEBYTECODE = 1

.PHONY: help demo test check cross bench format clean

help:
	@echo 'make demo     the main job on real files, in four languages (FILES="a b": on those)'
	@echo 'make test     build everything and run every test'
	@echo 'make check    the longer gates: clang, sanitizers, constant time, a musl build'
	@echo 'make cross    other architectures and CPUs under emulation (ARCH=arm64: that one alone)'
	@echo 'make bench    measure, and write docs/performance.md and plots'
	@echo 'make format   format the sources'
	@echo 'make clean    remove build/, and what `pip install ./python` has built beside the package'

demo: python
	@$(PYTHON) docs/demo/run.py

test: python
	@$(PYTHON) tests/run.py test

check: python
	@$(PYTHON) tests/run.py check

cross: python
	@$(PYTHON) tests/run.py cross $(ARCH)

bench: python
	@$(PYTHON) docs/bench/run.py

format: python
	@$(PYTHON) tests/setup.py format

clean:
	@chmod -R u+w build 2>/dev/null || true
	rm -rf build python/build python/dist

# Python runs all the rest, so its absence is the one thing that has to be noticed here.
.PHONY: python
python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	    [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-remove python3 python3-venv; } || { \
	    echo 'setup: Python 3.11 or newer is needed and $(PYTHON) is missing; Debian package: python3' >&2; exit 1; }
