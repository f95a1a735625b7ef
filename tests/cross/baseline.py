"""baseline.py — what runs on every CPU of an architecture holds no instruction above the architecture's baseline.

Objects are disassembled. Those of kernels with compiler flags of their own are the ones that may hold such
instructions, and where a row asks for a feature of OWN they must: otherwise the patterns would have gone blind."""

import re
import subprocess

# By objdump's words for an instruction, without its address and encoding. On arm64 the polynomial multiplication of 64 bits is
# the extension's, that of 8 bits is not; a z or p register is SVE's. On arm d16 and up and the q registers are NEON's.
# On s390x every instruction of the vector registers begins with v, or with wf, and no other does; the rest here is cryptography's.
# On riscv64 all vector instructions begin with v too, and what is newer than objdump is a word to it; on loongarch64 with v or xv.
AES = r"aes(e|d|mc|imc)\b|pmull2?\s+v\d+\.1q|vmull\.p64"
ABOVE = {
    "arm64": rf"{AES}|(sha\w+|eor3|bcax|rax1|xar)\s|\w+\s.*\b(z\d+|p\d+)(\.[bhsdq]\b|/)",
    "arm": rf"{AES}|v\w+(\.\w+)?\s.*\b(q\d+|d1[6-9]|d2\d|d3[01])\b|v(ld|st)[1-4]\.|v\w+\.[iusp]?(8|16|p64)\s|v(tbl|ext|eor|rev\w+)\b",
    "s390x": r"(v\w+|wf\w+|km\w*|k[il]md|pcc|prno)\s",
    "loongarch64": r"x?v\w+(\.\w+)*\s",
    "riscv64": r"v\w+(\.\w+)*\s|\.(\w*byte|word|short|insn)\b",
}

# By feature, the instructions of which a row that asks for it has one.
OWN = {"aes": AES, "pmull": AES, "vx": r"v(l|st|x)\s", "v": r"vset\w+\s", "lsx": r"v\w+\.\w", "lasx": r"xv\w+\.\w"}


def instructions(objdump, file):
    """(function, instruction) for each in an object."""
    done = subprocess.run([objdump, "-d", "--no-show-raw-insn", str(file)], text=True, capture_output=True, check=True)
    function = ""
    for line in done.stdout.splitlines():
        if start := re.match(r"^[0-9a-f]+ <(.+)>:$", line):
            function = start[1]
        elif one := re.match(r"^\s*[0-9a-f]+:\s+(.*)$", line):
            yield function, one[1].strip()


def problems(objdump, where, arch, kernels):
    """Sentences about a build's library, none when all is well."""
    objects = where / "libxorcore/CMakeFiles/xorcore_objects.dir"
    above, wrong, seen = re.compile(ABOVE[arch]), [], 0
    for file in sorted(objects.rglob("*.o")):
        row = file.name.removesuffix(".c.o").replace("_", "/", 1)
        found = list(instructions(objdump, file))
        seen += len(found)
        if row not in kernels.flagged:
            wrong += [f"{file.name}: {function}: {one}" for function, one in found if above.match(one)]
        else:
            own = [OWN[word] for word in kernels.needs.get(row, frozenset()) & set(OWN)]
            if own and not any(re.match("|".join(own), one) for _, one in found):
                wrong.append(f"{file.name} has no instruction of the features that it asks for")
    return wrong[:20] if seen > 1000 else ["there was nothing to disassemble"]
