"""gate.py — what abi.py can't see by itself: the compilers' view of the header and of the built library.

    gate.py refuses|header|exports|baseline OPTIONS (ctest gives them)"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bindings"))
import abi  # noqa: E402

problems = []


def expect(good, text):
    print(("ok    " if good else "WRONG ") + text, flush=True)
    if not good:
        problems.append(text)


def output(*command, env=None):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=env)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def refuses(options):
    """abi.py stops at what a binding could misread, and at a recorded ABI that changed."""
    text = abi.HEADER.read_text("utf-8")
    end = text.rindex("#ifdef __cplusplus")
    foreign = {
        "a macro function's use": "XORCORE_DECLARE(xorcore_new);",
        "an unmarked function": "int xorcore_new(void);",
        "another prefix": "XORCORE_API int other_new(void);",
        "a name twice": "XORCORE_API int xorcore_xor(void);",
        "varargs": "XORCORE_API int xorcore_new(int a, ...);",
        "a callback": "XORCORE_API int xorcore_new(int (*call)(int));",
        "an unnamed argument": "XORCORE_API int xorcore_new(int);",
        "an unknown type": "XORCORE_API int xorcore_new(long a);",
        "a void pointer": "XORCORE_API int xorcore_new(const void *a);",
        "a char that is no string": "XORCORE_API int xorcore_new(char *a);",
        "a struct by value": "XORCORE_API xorcore_kernel xorcore_new(void);",
        "an array argument": "XORCORE_API int xorcore_new(uint8_t a[16]);",
        "a union": "typedef union xorcore_new { int a; } xorcore_new;",
        "a bit-field": "typedef struct xorcore_new { uint32_t a : 3; } xorcore_new;",
        "hidden padding": "typedef struct xorcore_new { uint32_t a; uint64_t b; } xorcore_new;",
        "padding at the end": "typedef struct xorcore_new { uint64_t a; uint32_t b; } xorcore_new;",
        "padding on 32 bits": "typedef struct xorcore_new { const char *a; uint64_t b; } xorcore_new;",
        "an enum with a name": "enum xorcore_new { XORCORE_NEW = 1 };",
        "a value that isn't written": "enum { XORCORE_NEW };",
        "a value that is computed": "enum { XORCORE_NEW = 1 << 4 };",
        "a constant twice": "enum { XORCORE_OK = 0 };",
        "a missing semicolon": "XORCORE_API int xorcore_new(void)",
    }
    for what, line in foreign.items():
        try:
            abi.Header(text[:end] + line + "\n" + text[end:])
            expect(False, f"refuses {what}")
        except abi.HeaderError as error:
            expect(True, f"refuses {what}: {error}")

    old = json.loads(abi.JSON.read_text("utf-8"))
    changes = {
        "a changed value": ("XORCORE_E_AUTH = -7", "XORCORE_E_AUTH = -77"),
        "a constant that went": ("XORCORE_E_AUTH = -7, ", ""),
        "a changed argument": ("xorcore_result_name(int result)", "xorcore_result_name(size_t result)"),
        "an argument more": ("xorcore_result_name(int result)", "xorcore_result_name(int result, int more)"),
        "a changed result": ("uint32_t xorcore_abi", "uint64_t xorcore_abi"),
        "a function that went": ("int xorcore_selftest(void)", "int xorcore_self_test(void)"),
        "fields in another order": ("const char *family;", "const char *before; const char *family;"),
        "a type that went": ("typedef struct xorcore_aead xorcore_aead;\n", "typedef struct xorcore_aead { int a; } xorcore_aead;\n"),
    }
    for what, (before, after) in changes.items():
        expect(before in text, f"the header has: {before.strip()}")
        found = abi.breaks(old, abi.record(abi.Header(text.replace(before, after)), old, "XORCORE_9.9"))
        expect(len(found) > 0, f"notices {what}: {found[0][1] if found else ''}")

    grown = text.replace("uint32_t reserved;", "uint32_t reserved; uint64_t more;")
    grown = grown[: grown.rindex("#ifdef __cplusplus")] + "XORCORE_API int xorcore_new(void);\n"
    new = abi.record(abi.Header(grown), old, "XORCORE_1.1")
    expect(abi.breaks(old, new) == [], "lets the ABI grow")
    expect(new["functions"]["xorcore_new"]["since"] == "XORCORE_1.1", "gives what is new its own version")
    expect(new["functions"]["xorcore_xor"]["since"] == "XORCORE_1.0", "leaves what is old its version")
    expect("XORCORE_1.1 {\nglobal:\n    xorcore_new;\n} XORCORE_1.0;" in abi.version_map(new),
           "gives a new version its node in the map")


def header(options):
    """The header alone is C99, C11 and C++ without a warning."""
    warnings = ["-pedantic", "-Wall", "-Wextra", "-Werror"]
    c = [(cc, standard, "c") for cc in options.compilers for standard in ("c99", "c11", "gnu17")]
    cxx = [(cc, standard, "c++") for cc in options.cxx_compilers for standard in ("c++98", "c++11", "c++17")]
    expect(bool(c), "there is a C compiler")
    expect(bool(cxx), "there is a C++ compiler")
    options.work.mkdir(parents=True, exist_ok=True)
    for cc, standard, language in c + cxx:
        source = options.work / "header.c"
        source.write_text('#include "xorcore.h"\n#include "xorcore.h"\nint (*use)(void) = xorcore_selftest;\n')
        flags = warnings + (["-Wstrict-prototypes"] if language == "c" else [])
        done = subprocess.run([cc, f"-std={standard}", "-x", language, *flags, "-I", ROOT / "libxorcore/include",
                               "-c", source, "-o", os.devnull], capture_output=True, text=True)
        expect(done.returncode == 0, f"{cc} -std={standard} {done.stderr}".rstrip())


def exports(options):
    """Header = record = map = what the library exports, and it needs nothing but libc."""
    declared = set(abi.Header(abi.HEADER.read_text("utf-8")).functions)
    recorded = json.loads(abi.JSON.read_text("utf-8"))["functions"]
    by_map, node = {}, None
    for line in abi.MAP.read_text("utf-8").splitlines():
        if match := re.match(r"(XORCORE_[\d.]+) \{", line):
            node = match[1]
        elif match := re.match(r" +(xorcore_\w+);", line):
            by_map[match[1]] = node
    exported = {}
    for line in output("nm", "-D", "--defined-only", "--with-symbol-versions", options.library).splitlines():
        kind, name = line.split()[-2:]
        if kind != "A":  # the nodes themselves
            name, _, version = name.partition("@")
            exported[name] = version.lstrip("@")
    expect(declared == set(recorded), "header = xorcore.abi.json")
    expect({name: entry["since"] for name, entry in recorded.items()} == by_map, "xorcore.abi.json = xorcore.map")
    expect(exported == by_map, f"xorcore.map = exports of {options.library.name}"
           f" {sorted(exported.items() ^ by_map.items())}")

    dynamic = output("readelf", "-dW", options.library)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    expect(all(re.fullmatch(r"libc\.so(\.\d+)?|ld-linux.*|libc\.musl.*", name) for name in needed),
           f"needs libc alone: {needed}")
    expect("[libxorcore.so.1]" in dynamic, "SONAME is libxorcore.so.1")
    expect("TEXTREL" not in dynamic and "RUNPATH" not in dynamic and "RPATH" not in dynamic,
           "no TEXTREL, no RPATH")
    stack = re.search(r"GNU_STACK.* (RWE?) ", output("readelf", "-lW", options.library))
    expect(bool(stack) and stack[1] == "RW", "the stack isn't executable")
    relocations = re.findall(r"\bxorcore_\w+", output("readelf", "-rW", options.library))
    expect(not relocations, f"no call to an export of our own goes by the PLT: {relocations}")

    symbols = {line.split()[-1] for line in output("nm", "-g", "--defined-only", options.archive).splitlines()
               if len(line.split()) == 3}
    foreign = sorted(name for name in symbols if not name.startswith(("xorcore_", "xc_")))
    expect(bool(symbols) and not foreign, f"every global of {options.archive.name} has our prefix: {foreign}")
    expect(declared <= symbols, f"{options.archive.name} has every function of the header")


# Instructions of legacy encoding that x86-64 does not have by itself. Everything that is encoded with VEX or
# EVEX begins with a v or names a wide register. tzcnt is not here: it is how objdump spells `rep bsf`,
# which a baseline CPU runs as bsf and which compilers use where both mean the same.
ABOVE_AMD64 = set("""
    addsubpd addsubps haddpd haddps hsubpd hsubps lddqu movddup movshdup movsldup fisttp monitor mwait
    pabsb pabsw pabsd palignr phaddw phaddd phaddsw phsubw phsubd phsubsw pmaddubsw pmulhrsw pshufb
    psignb psignw psignd
    blendpd blendps blendvpd blendvps dppd dpps extractps insertps movntdqa mpsadbw packusdw pblendvb
    pblendw pcmpeqq pextrb pextrd pextrq phminposuw pinsrb pinsrd pinsrq pmaxsb pmaxsd pmaxud pmaxuw
    pminsb pminsd pminud pminuw pmovsxbw pmovsxbd pmovsxbq pmovsxwd pmovsxwq pmovsxdq pmovzxbw pmovzxbd
    pmovzxbq pmovzxwd pmovzxwq pmovzxdq pmuldq pmulld ptest roundpd roundps roundsd roundss
    pcmpestri pcmpestrm pcmpistri pcmpistrm pcmpgtq
    aesenc aesenclast aesdec aesdeclast aesimc aeskeygenassist pclmulqdq pclmullqlqdq pclmulhqlqdq
    pclmullqhqdq pclmulhqhqdq gf2p8affineqb gf2p8affineinvqb gf2p8mulb
    sha1rnds4 sha1nexte sha1msg1 sha1msg2 sha256rnds2 sha256msg1 sha256msg2
    andn bextr blsi blsmsk blsr bzhi mulx pdep pext rorx sarx shlx shrx adcx adox lzcnt
    movbe cmpxchg16b lahf sahf prefetchw prefetchwt1 clflushopt clwb rdrand rdseed rdpid rdfsbase rdgsbase
    wrfsbase wrgsbase xsave xsavec xsaveopt xrstor xgetbv movdiri movdir64b""".split())
ABOVE_AMD64_SUFFIXED = re.compile(r"(popcnt|crc32|movbe|lzcnt|andn|bextr|bls[ir]|blsmsk|bzhi|fisttp|adcx|adox)[bwlq]*")
WIDE_AMD64 = re.compile(r"%(ymm|zmm|k[0-7]\b|xmm(1[6-9]|2\d|3[01])|r(1[6-9]|2\d|3[01])\b)")


def above_amd64(mnemonic, operands):
    return (mnemonic in ABOVE_AMD64 or bool(ABOVE_AMD64_SUFFIXED.fullmatch(mnemonic))
            or (mnemonic.startswith("v") and mnemonic not in ("verr", "verw"))
            or bool(WIDE_AMD64.search(operands)))


def baseline(options):
    """CFLAGS=-march=native, and any other wish, leaves what runs before detection at the baseline (amd64)."""
    kernels_used = set()
    for cflags in ("-O3 -march=native", "-O3 -march=x86-64-v4", "-O2 -mavx2 -mbmi2 -maes -mpclmul -mpopcnt -mmovbe"):
        where = options.work / re.sub(r"\W+", "_", cflags).strip("_")
        shutil.rmtree(where, ignore_errors=True)
        env = dict(os.environ, CFLAGS=cflags)
        env.pop("DESTDIR", None)
        output(options.cmake, "-S", ROOT, "-B", where, "-DBUILD_TESTING=OFF", "-DCMAKE_BUILD_TYPE=Release",
               f"-DCMAKE_C_COMPILER={options.compilers[0]}", env=env)
        output(options.cmake, "--build", where, "--target", "xorcore_objects", "--parallel", "2", env=env)
        rows = re.findall(r'XC_ROW\(\w+, (\w+), (\w+), "(.*?)"',
                          (where / "libxorcore/generated/xc_kernels.inc").read_text())
        beyond = {f"{family}_{level}.c.o" for family, level, needs in rows if set(needs.split()) - {"sse2"}}
        objects = sorted((where / "libxorcore").rglob("*.o"))
        expect(len(objects) > 10, f"CFLAGS='{cflags}': {len(objects)} objects were compiled")
        checked = 0
        for path in objects:
            if path.name in beyond:
                kernels_used.add(path.name)
                continue
            found, count = set(), 0
            for line in output("objdump", "-d", "--no-show-raw-insn", path).splitlines():
                match = re.match(r"\s*[0-9a-f]+:\s+(?:(?:rep\w*|lock|data16|cs|ds|notrack|bnd) )*(\S+)\s*(.*)", line)
                if match:
                    count += 1
                    # The one instruction that detection itself needs; it runs only where CPUID has named it.
                    if above_amd64(*match.groups()) and not (path.name == "amd64.c.o" and match[1] == "xgetbv"):
                        found.add(match[1])
            checked += count
            if found:
                expect(False, f"CFLAGS='{cflags}': {path.name} is baseline code and has {' '.join(sorted(found))}")
        expect(checked > 1000, f"CFLAGS='{cflags}': {checked} instructions of baseline code were looked at")
    print("kernels above the baseline, not looked at:", " ".join(sorted(kernels_used)) or "none")


def main():
    parser = argparse.ArgumentParser()
    gates = {function.__name__: function for function in (refuses, header, exports, baseline)}
    parser.add_argument("gate", choices=gates)
    for name in ("library", "archive", "work"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--compilers", nargs="*", default=[])
    parser.add_argument("--cxx-compilers", nargs="*", default=[])
    options = parser.parse_args()
    for name in ("compilers", "cxx_compilers"):
        found = [cc for cc in getattr(options, name) if not cc.endswith("NOTFOUND")]
        setattr(options, name, list(dict.fromkeys(found)))
    gates[options.gate](options)
    print(f"{options.gate}: {len(problems)} wrong")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
