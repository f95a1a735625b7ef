"""install.py — the installed library as its users meet it.

    install.py pkg-config|static|find-package|destdir|ldconfig|components|libdir OPTIONS (ctest gives them)"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
USE = HERE / "use.c"


class Install:
    def __init__(self, options):
        self.build, self.work, self.version = options.build, options.work, options.version
        self.cc, self.cmake, self.pkg_config = options.cc, options.cmake, options.pkg_config
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def run(self, *command, fails=False, **environment):
        """Its output; the test ends here when the command fails, or doesn't although it should."""
        env = {name: value for name, value in os.environ.items()
               if name not in ("DESTDIR", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "CMAKE_PREFIX_PATH")}
        env.update({name: str(value) for name, value in environment.items()})
        command = [str(part) for part in command]
        print("+ " + " ".join(command), flush=True)
        done = subprocess.run(command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if bool(done.returncode) != fails:
            sys.exit(f"{done.stdout}\nexit status {done.returncode}")
        return done.stdout

    def moved(self):
        """An installed tree that was moved after the installation, to a path with a space in it."""
        first, second = self.work / "first", self.work / "second place"
        self.run(self.cmake, "--install", self.build, "--prefix", first)
        first.rename(second)
        for path in second.rglob("*"):
            if path.suffix in (".pc", ".cmake"):
                expect(str(first) not in path.read_text(), f"{path.name} doesn't remember where it was installed")
        return second

    def flags(self, libdir, *more):
        """pkg-config's flags for a libdir, as a list."""
        if self.pkg_config.endswith("NOTFOUND"):
            sys.exit("pkg-config is needed for this test")
        return shlex.split(self.run(self.pkg_config, *more, "--cflags", "--libs", "xorcore",
                                    PKG_CONFIG_LIBDIR=libdir / "pkgconfig"))

    def works(self, program, **environment):
        expect(self.run(program, **environment) == f"libxorcore {self.version} works\n", f"{program.name} works")

    # ---- the tests --------------------------------------------------------------------------------

    def test_pkg_config(self):
        prefix = self.moved()
        flags = self.flags(prefix / "lib")
        expect(not [flag for flag in flags if not flag.startswith(("-I", "-L", "-l"))],
               f"nothing but -I, -L and -l, as cgo wants it: {flags}")
        version = self.run(self.pkg_config, "--modversion", "xorcore", PKG_CONFIG_LIBDIR=prefix / "lib/pkgconfig")
        expect(version.strip() == self.version, f"the version is {self.version}")
        program = self.work / "use"
        self.run(self.cc, USE, "-o", program, *flags)
        self.works(program, LD_LIBRARY_PATH=prefix / "lib")
        self.run(self.cc, USE, "-o", program, *flags, f"-Wl,-rpath,{prefix / 'lib'}")
        self.works(program)

    def test_static(self):
        prefix = self.moved()
        flags = self.flags(prefix / "lib", "--static")
        whole = self.work / "use-static"
        self.run(self.cc, USE, "-static", "-DXORCORE_STATIC", "-o", whole, *flags)
        self.works(whole)
        pie = self.work / "use-static-pie"
        self.run(self.cc, USE, "-static-pie", "-fPIE", "-DXORCORE_STATIC", "-o", pie, *flags)
        self.works(pie)
        part = self.work / "use-archive"
        self.run(self.cc, USE, "-o", part, *["-l:libxorcore.a" if flag == "-lxorcore" else flag for flag in flags])
        expect("libxorcore" not in self.run("readelf", "-d", part), "the archive was linked, not the shared library")
        self.works(part)

    def test_find_package(self):
        prefix = self.moved()
        where = self.work / "consumer"
        self.run(self.cmake, "-S", HERE / "consumer", "-B", where, f"-DCMAKE_C_COMPILER={self.cc}",
                 f"-DCMAKE_PREFIX_PATH={prefix}")
        self.run(self.cmake, "--build", where)
        expect("libxorcore.so.1" in self.run("readelf", "-d", where / "use_shared"), "the shared target is shared")
        expect("libxorcore" not in self.run("readelf", "-d", where / "use_static"), "the static target is static")
        self.works(where / "use_shared")
        self.works(where / "use_static")
        refused = self.run(self.cmake, "-S", HERE / "consumer", "-B", where, "-DWANT=2.0", fails=True)
        expect("2.0" in refused and self.version in refused, "a wish for version 2.0 is refused")

    def test_destdir(self):
        stage = self.work / "stage"
        self.run(self.cmake, "--install", self.build, "--prefix", "/opt/xorcore", DESTDIR=stage)
        expect([path.name for path in stage.iterdir()] == ["opt"], "everything is under DESTDIR/opt/xorcore")
        expect((stage / "opt/xorcore/lib/libxorcore.so.1").exists(), "and the library is there")
        expect(str(stage) not in (stage / "opt/xorcore/lib/pkgconfig/xorcore.pc").read_text(), "DESTDIR isn't remembered")

    def test_ldconfig(self):
        """As the README installs it, but under DESTDIR: the place where no prefix is given is one that ldconfig
        looks at, and there it finds the library by its SONAME. The cache is one of our own, so no root is needed."""
        stage, cache, folders = self.work / "stage", self.work / "ld.so.cache", self.work / "ld.so.conf"
        where = self.work / "build"
        self.run(self.cmake, "-S", ROOT, "-B", where, "-DBUILD_TESTING=OFF", f"-DCMAKE_C_COMPILER={self.cc}")
        self.run(self.cmake, "--build", where, "--parallel", "2")
        self.run(self.cmake, "--install", where, DESTDIR=stage)
        library = stage / "usr/local/lib/libxorcore.so.1"
        expect(library.exists(), "without a prefix it goes to /usr/local/lib")
        ldconfig = shutil.which("ldconfig", path=f"{os.environ.get('PATH', '')}:/sbin:/usr/sbin")
        if not ldconfig:
            sys.exit("ldconfig is needed for this test")
        searched = self.run(ldconfig, "-v", "-N", "-X").splitlines()
        expect(any(line.startswith("/usr/local/lib:") for line in searched), "where this system's ldconfig looks")
        library.unlink()  # the link is ldconfig's to make
        folders.write_text(f"{library.parent}\n")
        self.run(ldconfig, "-C", cache, "-f", folders)
        expect(library.resolve().name == f"libxorcore.so.{self.version}", "ldconfig makes the link of the SONAME")
        found = [line for line in self.run(ldconfig, "-p", "-C", cache).splitlines() if "libxorcore.so.1 " in line]
        expect(len(found) == 1 and found[0].endswith(f"=> {library}"), f"the cache has it: {found}")

    def test_components(self):
        def files(component):
            prefix = self.work / component
            self.run(self.cmake, "--install", self.build, "--prefix", prefix, "--component", component)
            return sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir())
        expect(files("Runtime") == ["lib/libxorcore.so.1", f"lib/libxorcore.so.{self.version}"],
               "Runtime is the shared library alone")
        development = files("Development")
        for name in ("include/xorcore.h", "lib/libxorcore.a", "lib/libxorcore.so", "lib/pkgconfig/xorcore.pc",
                     "lib/cmake/xorcore/xorcore-config.cmake"):
            expect(name in development, f"Development has {name}")
        expect("lib/libxorcore.so.1" not in development, "Development has no second copy of the library")

    def test_libdir(self):
        """A libdir of more than one part, and an absolute one; and CFLAGS reach the compiler."""
        prefix, absolute = self.work / "prefix", self.work / "libraries"
        for name, libdir in (("lib/some-triplet", prefix / "lib/some-triplet"), (absolute, absolute)):
            where = self.work / "build"
            self.run(self.cmake, "-S", ROOT, "-B", where, f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DBUILD_TESTING=OFF",
                     f"-DCMAKE_INSTALL_LIBDIR={name}", f"-DCMAKE_C_COMPILER={self.cc}",
                     "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", CFLAGS="-O1 -DXC_WISH_OF_THE_USER")
            self.run(self.cmake, "--build", where, "--parallel", "2")
            self.run(self.cmake, "--install", where)
            commands = json.loads((where / "compile_commands.json").read_text())
            expect(all("-DXC_WISH_OF_THE_USER" in entry["command"] for entry in commands), "CFLAGS are honoured")
            flags = self.flags(libdir)
            got = [Path(flag[2:]).resolve() for flag in flags if flag.startswith("-L")]
            expect(got == [libdir.resolve()], f"pkg-config leads to {libdir}")
            program = self.work / "use"
            self.run(self.cc, USE, "-o", program, *flags, f"-Wl,-rpath,{libdir}")
            self.works(program)
            consumer = self.work / "consumer"
            self.run(self.cmake, "-S", HERE / "consumer", "-B", consumer, f"-DCMAKE_C_COMPILER={self.cc}",
                     f"-Dxorcore_DIR={libdir / 'cmake/xorcore'}", "--fresh")
            self.run(self.cmake, "--build", consumer)
            self.works(consumer / "use_shared")
            shutil.rmtree(prefix)


def expect(good, text):
    if not good:
        sys.exit(f"WRONG {text}")
    print(f"ok    {text}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("way")
    parser.add_argument("--build", type=Path)
    parser.add_argument("--work", type=Path)
    for name in ("version", "cc", "cmake", "pkg-config"):
        parser.add_argument(f"--{name}")
    options = parser.parse_args()
    install = Install(options)
    getattr(install, "test_" + options.way.replace("-", "_"))()
    shutil.rmtree(options.work)


if __name__ == "__main__":
    main()
