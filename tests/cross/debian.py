"""debian.py — packages of Debian for another architecture, unpacked into build/: nothing of this machine changes.

apt runs with lists and a cache of its own, and takes where to fetch from out of this machine's own sources. An
architecture added to dpkg itself would be a danger: where its lists are out of step, apt takes packages away."""

import re
import subprocess

import setup
from setup import BUILD

SOURCES = ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list")


KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


def another(suite, source):
    """A source of this suite, from where this machine's own comes."""
    uri = re.search(r"^(?:URIs:|deb(?: \[.*?\])?) *(\S+)", setup.Path(source).read_text(), re.MULTILINE)
    return f"deb [signed-by={KEYS}] {uri[1]} {suite} main\n"


def own():
    """This machine's architecture."""
    return subprocess.run(["dpkg", "--print-architecture"], text=True, capture_output=True, check=True).stdout.strip()


def root(name):
    """Where packages of this suite, or architecture, are unpacked."""
    return BUILD / "cross" / "debian" / name / "root"


def unpack(architecture, packages, suite=None):
    """The folder with these packages in it, dependencies not included; fetched once. Of this machine's own suites, or another."""
    name = suite or architecture
    folder = root(name).parent

    def work():
        source = next((path for path in SOURCES if setup.Path(path).exists()), None)
        if source is None:
            raise setup.SetupError("packages of other architectures come from Debian's archive, and this is no Debian")
        for part in ("lists/partial", "cache/archives/partial", "root"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        if suite:
            (folder / "sources.list").write_text(another(suite, source))
            source = folder / "sources.list"
        apt = ["apt-get", "-q", "-o", f"APT::Architecture={architecture}", "-o", f"APT::Architectures={architecture}",
               "-o", f"Dir::State={folder}", "-o", f"Dir::State::Lists={folder / 'lists'}", "-o", "Dir::State::status=/dev/null",
               "-o", f"Dir::Cache={folder / 'cache'}", "-o", f"Dir::Etc::sourcelist={source}",
               "-o", "Dir::Etc::sourceparts=/dev/null", "-o", "APT::Sandbox::User=root"]
        try:
            setup.run([*apt, "update"])
        except setup.SetupError as error:
            # One list of several may be out of step at the mirror; the others hold the package too, if an older one.
            setup.say(f"debian: {error}; going on with the lists that came")
        setup.run([*apt, "download", *packages], cwd=folder / "cache")
        for package in sorted((folder / "cache").glob("*.deb")):
            setup.run(["dpkg-deb", "-x", package, folder / "root"])
            package.unlink()

    setup.once(f"debian-{name}-{packages[0]}", " ".join(packages), work)
    return root(name)


if __name__ == "__main__":
    import sys
    print(unpack(sys.argv[1], sys.argv[2:]))
