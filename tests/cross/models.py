"""models.py — CPUs and the kernels that must run on each: all those whose CPU features it has.

A model here is a set of CPU features, by the words of cpu.def. The sets name features that no kernel asks for yet, so
that a new row of kernels.def extends what is expected by itself. The rows come from the build's own list."""

import re

import setup

# The steps in which amd64 grew, as far as kernels can tell.
SSE2 = frozenset({"sse2"})
PENRYN = SSE2 | {"ssse3", "sse4_1"}
NEHALEM = PENRYN | {"sse4_2", "popcnt"}
WESTMERE = NEHALEM | {"aes", "pclmul"}
SANDY_BRIDGE = WESTMERE | {"avx"}
HASWELL = SANDY_BRIDGE | {"avx2", "bmi1", "bmi2", "movbe"}
SKYLAKE_X = HASWELL | {"adx", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "whole_zmm"}
CANNON_LAKE = SKYLAKE_X | {"avx512ifma", "avx512vbmi", "fast_zmm"}
ICE_LAKE = CANNON_LAKE | {"avx512_vbmi2", "gfni", "vaes", "vpclmulqdq"}

# What a feature takes along when it is taken away: because the system then does not save the registers, and in qemu.
ZMM = frozenset(word for word in ICE_LAKE if word.startswith("avx512")) | {"fast_zmm", "whole_zmm"}
YMM = ZMM | {"avx", "avx2", "vaes", "vpclmulqdq"}
QEMU_TAKES_ALONG = {"avx": YMM}

# bochs' models, older ones first, by our names: (bochs' name, features).
BOCHS = {
    "prescott": ("p4_prescott_celeron_336", SSE2),
    "penryn": ("core2_penryn_t9600", PENRYN),  # has XSAVE, and no AVX that it could save
    "arrandale": ("corei5_arrandale_m520", WESTMERE),
    "sandy_bridge": ("corei7_sandy_bridge_2600k", SANDY_BRIDGE),
    "haswell": ("corei7_haswell_4770", HASWELL),
    "skylake_x": ("corei7_skylake_x", SKYLAKE_X),
    "cannon_lake": ("corei3_cnl", CANNON_LAKE),
    "ice_lake": ("corei7_icelake_u", ICE_LAKE),
    "tiger_lake": ("tigerlake", ICE_LAKE),
}

# qemu-user's. Its own VAES is left out: qemu 7.2 gives wrong bytes for the upper half of VAESENC and VAESDEC.
QEMU_MAX = "max,vaes=off"
QEMU = {
    "qemu64": SSE2,
    "Penryn": PENRYN,
    "Nehalem": NEHALEM,
    "Westmere": WESTMERE,
    "SandyBridge": SANDY_BRIDGE,
    "Haswell": HASWELL,
    QEMU_MAX: HASWELL | {"adx"},
}
# What qemu calls a feature where it is another word than ours. sse2 can't be taken away: the C library relies on it.
QEMU_WORDS = {"sse4_1": "sse4.1", "sse4_2": "sse4.2", "pclmul": "pclmulqdq"}


# qemu-user's Arm CPUs. A length of SVE's registers is in bytes; without one `max` has 64.
ARMV8 = frozenset({"neon", "aes", "pmull"})
ARM64_MAX = ARMV8 | {"sha3", "sve", "sve2", "sve_aes"}
NEON = frozenset({"neon"})

# Where Linux tells of a feature, by hwcap.c's words for it, and the bit (arch/arm64/ and arch/arm/ there,
# include/uapi/asm/hwcap.h; arch/riscv/include/uapi/asm/hwprobe.h).
HWCAP, HWCAP2, HWPROBE = "HWCAP_CLEAR", "HWCAP2_CLEAR", "HWPROBE_CLEAR"
HWCAPS = {
    "arm64": {"neon": (HWCAP, 1), "aes": (HWCAP, 3), "pmull": (HWCAP, 4), "sha3": (HWCAP, 17), "sve": (HWCAP, 22),
              "sve2": (HWCAP2, 1), "sve_aes": (HWCAP2, 2)},
    "loongarch64": {"lsx": (HWCAP, 4), "lasx": (HWCAP, 5)},
    "arm": {"neon": (HWCAP, 12), "aes": (HWCAP2, 0), "pmull": (HWCAP2, 1)},
    # The last two are no features: the call itself, without which V alone is known, and the leave to use vectors.
    "riscv64": {"v": (HWPROBE, 2), "zvbc": (HWPROBE, 18), "zvkb": (HWPROBE, 19), "zvkg": (HWPROBE, 20), "zvkned": (HWPROBE, 21), "zvkt": (HWPROBE, 26),
                "hwprobe": ("HWPROBE_GONE", 0), "leave": ("VECTORS_FORBIDDEN", 0)},
}
WITHOUT = " without "  # in the name of a model: hwcap.c takes these features from qemu's


def also_without(cpus, model, *more):
    """With the model for each of its features the same without it, and without each of these sets of features."""
    features = cpus[model]
    gone = [frozenset({word}) for word in sorted(features)] + [frozenset(words) for words in more]
    return {**cpus, **{f"{model}{WITHOUT}{'+'.join(sorted(words))}": features - words for words in gone}}


def hidden(arch, model):
    """qemu's name of a model, and what hwcap.c has to take away."""
    cpu, _, words = model.partition(WITHOUT)
    masks = {}
    for word in filter(None, words.split("+")):
        name, bit = HWCAPS[arch][word]
        masks[name] = masks.get(name, 0) | 1 << bit
    return cpu, {name: hex(mask) for name, mask in masks.items()}


ARM64 = also_without({
    "cortex-a53": ARMV8,
    "cortex-a72": ARMV8,
    "neoverse-n1": ARMV8,
    "a64fx": ARMV8 | {"sve"},
    "max": ARM64_MAX,
    "max,sve=off": ARMV8 | {"sha3"},
    **{f"max,sve-default-vector-length={length}": ARM64_MAX for length in (16, 32, 48, 64)},
}, "max", {"aes", "pmull"}, {"aes", "pmull", "sve_aes"})
ARMHF = also_without({
    "cortex-a7": NEON,
    "cortex-a9": NEON,
    "cortex-a9,neon=off": frozenset(),
    "cortex-a15": NEON,
    "max": ARMV8,
}, "max", {"aes", "pmull"})
ARMEL = {"arm926": frozenset(), "arm1176": frozenset()}

# qemu-user's IBM Z: it has no other of the named models.
S390X = {"max": frozenset({"vx"}), "max,vx=off": frozenset(), "z900": frozenset()}

# qemu-user's RISC-V, from its version 9 on. A length of vector registers is in bits; `max` has 128. ONES: what stands behind the
# elements of a vector, or under a mask, becomes ones, and of more elements than fit, but less than twice as many, half are taken.
VECTORS = frozenset({"v"})
RISCV64_MAX = VECTORS | {"zvbc", "zvkb", "zvkg", "zvkned", "zvkt"}
ONES = "rvv_ta_all_1s=true,rvv_ma_all_1s=true,rvv_vl_half_avl=true"
RISCV64 = also_without({
    "rv64": frozenset(),
    "rv64,v=true": VECTORS,
    "max": RISCV64_MAX,
    "max,v=false": RISCV64_MAX - VECTORS,
    **{f"max,vlen={length},{ONES}": RISCV64_MAX for length in (128, 256, 512)},
}, "max")
RISCV64 |= {f"max{WITHOUT}hwprobe": VECTORS, f"max{WITHOUT}leave": frozenset()}

# qemu-user's LoongArch, from its version 9 on; without LSX the C library does not run.
LSX = frozenset({"lsx"})
LASX = LSX | {"lasx"}
LOONGARCH64 = {"la464": LASX, "max,lasx=off": LSX, f"la464{WITHOUT}lsx": LASX - LSX}


class Kernels:
    """The rows of a build, from the list that kernels.cmake has made, with the features each needs; and all features.

    `beyond` are features that the build's compiler has no flags for; rows that need one must not be there, all others must."""

    def __init__(self, build, arch, beyond=frozenset()):
        inc = (build / "libxorcore/generated/xc_kernels.inc").read_text()
        rows = re.findall(r'^XC_ROW\(\w+, (\w+), (\w+), "([^"]*)", ', inc, re.MULTILINE)
        self.needs = {f"{family}/{name}": frozenset(words.split()) for family, name, words in rows}
        listed = re.findall(r'^KERNEL \((\w+), *(\w+)(?:, *([A-Z0-9_ |]+), *"(.*)")?\)', self.text("kernels"), re.MULTILINE)
        levels = {level: (bits, flags) for level, bits, flags in re.findall(
            rf'^ISA \((?:any|{arch}), *(\w+), *([A-Z0-9_ |]+), *"(.*)"(?:, *[\w/]+\.h)?\)', self.text("isa"), re.MULTILINE)}
        words = re.findall(rf"^CPU_BIT \({arch}, (\w+)\)", self.text("cpu"), re.MULTILINE)
        self.features = {word.lower() for word in words}
        here = {f"{family}/{level}": set(f"{levels[level][0]} {bits}".lower().split())
                for family, level, bits, _ in listed if level in levels}
        self.flagged = {f"{family}/{level}" for family, level, _, flags in listed
                        if level in levels and levels[level][1] + flags}
        self.left_out = [row for row in here if row not in self.needs and not here[row] & beyond]
        self.unexpected = [row for row in here if row in self.needs and here[row] & beyond]

    @staticmethod
    def text(name):
        """A list of the source tree without its comments."""
        text = (setup.ROOT / f"libxorcore/src/{name}.def").read_text()
        return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)

    def rows(self, features):
        return {name for name, needs in self.needs.items() if needs <= features}

    def expected(self, features):
        """What checkkernel must run: these rows, the ladder of small sizes, and every pair of parts."""
        rows = self.rows(features)
        parts = {family: [name.split("/")[1] for name in rows if name.startswith(f"{family}/")]
                 for family in ("aes", "ghash")}
        return rows | {"xor/tiny"} | {f"gcm/{a}+{g}" for a in parts["aes"] for g in parts["ghash"]}

    def defaults(self, features):
        """The first row of each family that runs."""
        rows, first = self.rows(features), {}
        for name in self.needs:
            if name in rows:
                first.setdefault(name.split("/")[0], name)
        return set(first.values())


def words(pattern, model, output):
    """The words behind `PATTERN MODEL:` in what programs wrote; None where there is no such line."""
    lines = re.findall(rf"^{pattern} {re.escape(model)}:(.*)$", output, re.MULTILINE)
    return {word for line in lines for word in line.split()} if lines else None


def wrong(kernels, model, features, output):
    """What checkkernel said on a model against what must run there: sentences, none when all is well."""
    problems = []
    ran, cpu, defaults = (words(what, model, output) for what in ("ran", "cpu", "default"))
    if ran is None or cpu is None or defaults is None:
        return ["it did not come to its end"]
    expected, known = kernels.expected(features), kernels.features
    skipped = set(re.findall(r"^skipped (\S+)", output, re.MULTILINE))
    for found, wanted, what in (
            (ran, expected, "run"),
            (skipped, set(kernels.needs) - kernels.rows(features), "skipped"),
            (cpu & known, features & known, "reported by the CPU"),
            (defaults, kernels.defaults(features), "a default")):
        problems += [f"{name} was not {what}" for name in sorted(wanted - found)]
        problems += [f"{name} was {what}, not expected" for name in sorted(found - wanted)]
    return problems
