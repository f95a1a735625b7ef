#!/usr/bin/env python3
"""setup.py — everything that the demo and the tests need, from a bare machine and a fresh clone.

    python3 tests/setup.py [build|test|check|format]

checks the tools (a missing one is installed when this runs as root with apt, and is a named error
otherwise), builds into build/, installs into build/prefix, makes build/venv with the Python package in it
and, for the tests, build/vectors with the public test vectors. Nothing outside build/ is written, and HOME, an
active virtual environment and PKG_CONFIG_PATH play no part. Run again, it does only what has changed."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
PREFIX = BUILD / "prefix"
LIBRARY = PREFIX / "lib" / "libxorcore.so.1"
VENV = BUILD / "venv"
PYTHON = VENV / "bin" / "python"
VECTORS = BUILD / "vectors"
REQUIREMENTS = ROOT / "tests" / "requirements.txt"
FORMATTERS = ROOT / "tests" / "formatters.txt"
VERSION_FILE = ROOT / "CMakeLists.txt"

OLDEST_PYTHON = (3, 11)


class SetupError(Exception):
    """A sentence for the person who typed the command."""


class Tool:
    """A program: how it tells its version, the oldest that will do, and who packages it in Debian."""

    def __init__(self, name, command, packages, version=None, oldest=None, why="", source=None):
        self.name, self.command, self.packages = name, command, packages
        self.version, self.oldest, self.why = version, oldest, why
        self.source = source or f"Debian package: {' '.join(packages)}"

    def found(self):
        """The version as a tuple, () when it has none to tell; None when the program isn't there."""
        try:
            done = subprocess.run(self.command, capture_output=True, text=True, env=environment(),
                                  stdin=subprocess.DEVNULL)
        except OSError:
            return None
        if done.returncode != 0:
            return None
        match = re.search(self.version, done.stdout) if self.version else None
        return tuple(int(part) for part in match.groups()) if match else ()


CC = os.environ.get("CC", "cc")
CXX = os.environ.get("CXX", "c++")

TOOLS = {
    "build": [
        Tool("a C compiler", [CC, "--version"], ["gcc", "libc6-dev"]),
        Tool("make", ["make", "--version"], ["make"]),
        Tool("CMake", ["cmake", "--version"], ["cmake"], r"version (\d+)\.(\d+)", (3, 25)),
        Tool("pkg-config", ["pkg-config", "--version"], ["pkg-config"]),
        Tool("Python's venv", [sys.executable, "-c", "import venv, ensurepip"], ["python3-venv"]),
        Tool("Go", ["go", "version"], [], r"go(\d+)\.(\d+)", (1, 24),
             source="Debian 12 has an older one, so take it from Debian's backports or from the Go project"),
    ],
    "test": [
        Tool("a C++ compiler", [CXX, "--version"], ["g++"], why="the header is compiled as C++"),
        Tool("nm", ["nm", "--version"], ["binutils"], why="exported symbols are compared with the header's"),
        Tool("objdump", ["objdump", "--version"], ["binutils"], why="baseline objects are disassembled"),
    ],
    "check": [
        Tool("musl-gcc", ["musl-gcc", "--version"], ["musl-tools"], why="the library is built with musl"),
        Tool("clang", ["clang", "--version"], ["clang"], why="the library is built and tested with it too"),
        Tool("clang's sanitizers", ["clang", "-fsanitize=memory", "-include", "sanitizer/msan_interface.h", "-x", "c", "/dev/null",
                                      "-shared", "-o", "/dev/null"],
             ["libclang-rt-14-dev"], why="constant time is checked by its memory sanitizer"),
        Tool("valgrind", ["valgrind", "--version"], ["valgrind"], why="constant time is checked under it"),
    ],
}


def say(text):
    print(text, flush=True)


def environment(**more):
    """The caller's environment without what would make one machine's result differ from another's."""
    env = dict(os.environ)
    for name in ("PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR", "PYTHONPATH", "PYTHONHOME",
                 "VIRTUAL_ENV", "LD_LIBRARY_PATH", "LD_PRELOAD", "DESTDIR", "GOFLAGS", "GOWORK",
                 "XORCORE_LIBRARY", "XORCORE_VECTORS", "XORCORE_VECTORS_TOTALS", "MAKEFLAGS", "MAKELEVEL"):
        env.pop(name, None)
    if not shutil.which("go", path=env.get("PATH")) and Path("/usr/local/go/bin/go").exists():
        env["PATH"] = env.get("PATH", os.defpath) + ":/usr/local/go/bin"
    if not env.get("HOME"):
        # Go and pip keep their caches under HOME; without one they get a place of ours.
        (BUILD / "home").mkdir(parents=True, exist_ok=True)
        env["HOME"] = str(BUILD / "home")
        env["GOFLAGS"] = "-modcacherw"
    env.update({name: str(value) for name, value in more.items()})
    return env


def go_environment(cgo=True, **more):
    """What Go needs to find the library that is installed in build/prefix, now and when the program runs."""
    # The build cache of Go doesn't look at headers that pkg-config finds, so their digest is in a flag.
    header = digest(ROOT / "libxorcore/include/xorcore.h")[:16]
    return environment(
        CGO_ENABLED=int(cgo), CGO_CFLAGS=f"-O2 -g -DXORCORE_HEADER_DIGEST=0x{header}",
        CGO_LDFLAGS=f"-Wl,-rpath,{PREFIX / 'lib'}", PKG_CONFIG_PATH=PREFIX / "lib/pkgconfig", **more)


def run(command, env=None, cwd=ROOT):
    command = [str(part) for part in command]
    say("+ " + " ".join(command))
    done = subprocess.run(command, env=env or environment(), cwd=cwd, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise SetupError(f"`{' '.join(command)}` ended with exit status {done.returncode}")


# ---- tools ----------------------------------------------------------------------------------------


def apt_install(packages):
    """Installs Debian packages, or returns False where that can't be done. Takes nothing away."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    env = environment(DEBIAN_FRONTEND="noninteractive")
    command = ["apt-get", "install", "-y", "--no-remove", "--no-install-recommends", *packages]
    for attempt in ("with the lists at hand", "with new lists"):
        if attempt == "with new lists":
            subprocess.run(["apt-get", "update"], env=env, stdin=subprocess.DEVNULL)
        say("+ " + " ".join(command))
        if subprocess.run(command, env=env, stdin=subprocess.DEVNULL).returncode == 0:
            return True
    return False


def want(tools):
    """Makes sure of every tool; says all that is wrong at once."""
    def lacks(tool):
        found = tool.found()
        if found is None:
            return "is missing"
        if tool.oldest and found < tool.oldest:
            return f"is version {'.'.join(map(str, found))}"
        return None

    missing = [tool for tool in tools if lacks(tool)]
    if missing:
        for tool in missing:
            say(f"setup: {tool.name} {lacks(tool)}")
        packages = sorted({package for tool in missing for package in tool.packages})
        if packages:
            apt_install(packages)
    problems = []
    for tool in tools:
        lack = lacks(tool)
        if lack:
            oldest = f", {'.'.join(map(str, tool.oldest))} or newer is needed" if tool.oldest else ""
            why = f" ({tool.why})" if tool.why else ""
            problems.append(f"{tool.name} {lack}{oldest}{why}; {tool.source}")
    if problems:
        raise SetupError("\n  ".join(["these tools are needed:", *problems]))
    say("setup: tools " + ", ".join(
        tool.name + (" " + ".".join(map(str, tool.found())) if tool.oldest else "") for tool in tools))


# ---- the three results: build/, build/prefix, build/venv --------------------------------------------


def digest(*paths):
    """Of the names and contents of files and trees."""
    total = hashlib.sha256()
    for path in paths:
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in files:
            if {"__pycache__", "build", "dist"} & set(file.relative_to(ROOT).parts):
                continue
            total.update(f"{file.relative_to(ROOT)}\0".encode())
            total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def once(name, key, work):
    """Does the work unless it was done for this key before."""
    stamp = BUILD / "stamps" / name
    if stamp.exists() and stamp.read_text() == key:
        return
    stamp.unlink(missing_ok=True)
    work()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(key)


def jobs():
    return str(len(os.sched_getaffinity(0)))


def configure(where, *options):
    """CMake in `where`; a cache that was made for another folder is thrown away."""
    cache = where / "CMakeCache.txt"
    if cache.exists() and f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" not in cache.read_text():
        cache.unlink()
        shutil.rmtree(where / "CMakeFiles", ignore_errors=True)
    run(["cmake", "-S", ROOT, "-B", where, *options])
    run(["cmake", "--build", where, "--parallel", jobs()])


def build():
    configure(BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib", "-DXORCORE_WERROR=ON",
              "-DBUILD_TESTING=ON")
    run(["cmake", "--install", BUILD, "--prefix", PREFIX])


def venv_with(requirements):
    """build/venv with these requirements in it; gives pip's command and a key of the environment's own."""
    def make():
        shutil.rmtree(VENV, ignore_errors=True)
        run([sys.executable, "-m", "venv", VENV])
    once("venv", f"{sys.version} {VENV}", make)
    pip = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-q"]
    made = (BUILD / "stamps" / "venv").stat().st_mtime_ns
    once(requirements.stem, f"{digest(requirements)} {made}", lambda: run([*pip, "-r", requirements]))
    return pip, made


def venv():
    """build/venv with what the tests need, and the package as `pip install ./python` gives it."""
    pip, made = venv_with(REQUIREMENTS)
    sources = digest(ROOT / "python", ROOT / "libxorcore", ROOT / "bindings/xorcore.cdef", VERSION_FILE)
    once("package", f"{sources} {made}", lambda: run(
        [*pip, "--force-reinstall", "--no-deps", f"--config-settings=build-dir={BUILD / 'python'}", ROOT / "python"]))


def vectors(to=VECTORS, every=1):
    """NIST's and Wycheproof's files in the form of tests/vectors/data, in a folder of build/; of NIST's one case
    in `every`, by a seed that cavp.py prints."""
    venv_with(REQUIREMENTS)
    converters = [ROOT / "tests/vectors" / name for name in ("convert", "generate", "schema.json")]
    key = f"{digest(*converters, ROOT / 'go/internal/conformance', REQUIREMENTS)} {every}"
    once(to.name, key, lambda: run([PYTHON, ROOT / "tests/vectors/convert/all.py", to, "--every", str(every)]))


def vector_folders(to=VECTORS):
    """What XORCORE_VECTORS has to say for the tree's own vectors and those in `to`."""
    return ":".join(map(str, (ROOT / "tests/vectors/data", to / "cavp", to / "wycheproof")))


def format_sources():
    """The formatters of C, Go and Python, each by the settings in the tree."""
    want([tool for tool in TOOLS["build"] if tool.name in ("Python's venv", "Go")])
    venv_with(FORMATTERS)
    derived = {ROOT / "libxorcore/abi_check.c"}
    c = sorted(path for folder in ("libxorcore", "tests", "docs") for path in (ROOT / folder).rglob("*.[ch]"))
    run([VENV / "bin/clang-format", "-i", *(path for path in c if path not in derived)])
    run(["gofmt", "-w", ROOT / "go"])
    run([VENV / "bin/ruff", "format", "-q", ROOT / "python"])


def main():
    what = sys.argv[1] if len(sys.argv) > 1 else "test"
    try:
        format_sources() if what == "format" else set_up(what)
    except SetupError as error:
        say(f"setup: {error}")
        return 1
    return 0


def set_up(what):
    if sys.version_info < OLDEST_PYTHON:
        raise SetupError("Python {}.{} is here; {}.{} or newer is needed".format(
            *sys.version_info[:2], *OLDEST_PYTHON))
    tools = {"build": ["build"], "test": ["build", "test"], "check": ["build", "test", "check"]}
    if what not in tools:
        raise SetupError(f"no such set-up: {what}; there are {' '.join(tools)}")
    want([tool for group in tools[what] for tool in TOOLS[group]])
    build()
    venv()
    if what != "build":
        vectors()


if __name__ == "__main__":
    sys.exit(main())
