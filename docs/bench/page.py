"""page.py — docs/performance.md and what its plots show, from the figures of a run."""

import re
from pathlib import Path

SHORTFALLS = Path(__file__).resolve().parent / "shortfalls.md"
LOOPS = ("memcpy", "go-sse2", "gcc-loop")  # peers that are no library
PLOTTED = (("xor", 0), ("xor-many", 0), ("gcm-seal", 128), ("gcm-open", 128), ("gmac", 128), ("ctr", 128),
           ("cbc-decrypt", 128), ("cfb-decrypt", 128), ("xts-encrypt", 128), ("cbc-encrypt-rows", 128))
# Of each operation the size that stands for it where there is room for one.
TYPICAL = {"xor": 2048, "xor-many": 2048, "xor-repeat": 2048, "xor-mask": 2048, "xts-encrypt": 4096, "xts-decrypt": 4096,
           "cbc-encrypt-rows": 1024, "gcm-seal-rows": 1024}


def typical(op):
    return TYPICAL.get(op, 8192)


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join("" if cell is None else str(cell) for cell in row) + " |"
    yield ""


def times(value):
    return None if value is None else f"{value:.2f} ×"


def size_name(n):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if n >= unit and n % unit == 0:
            return f"{n // unit} {name}"
    return f"{n} B"


def named(op, key):
    return f"{op}-{key}" if key else op


def libraries(found):
    """{name: version} of the peers that are libraries."""
    return {name: line["kernel"] for lines in found.values() for name, line in lines.items()
            if name not in ("xorcore", "ceilings", *LOOPS)}


def best_peer(lines):
    """The library that comes nearest, as (its time over ours, name); None without one."""
    near = [(ratio, name) for name, ratio in lines["xorcore"]["vs"].items() if name not in LOOPS]
    return min(near) if near else None


# ---- plots -----------------------------------------------------------------------------------------------


def plot_figures(cpu, found):
    panels, bars = [], []
    for op, key in PLOTTED:
        places = sorted((size, lines) for (o, k, size), lines in found.items()
                        if (o, k) == (op, key) and size < 1 << 20 and size & (size - 1) == 0)
        curves = {}
        for size, lines in places:
            for name, line in lines.items():
                if name != "ceilings":
                    curves.setdefault(name, []).append((size, line["gbps"]))
        share = places[-1][1]["xorcore"]["ceiling"] if places else None
        if places:
            panels.append({"name": named(op, key), "lines": curves,
                           "ceiling": share and places[-1][1]["xorcore"]["gbps"] / share})
    for (op, key, size), lines in found.items():
        if size == typical(op) and lines["xorcore"]["ceiling"]:
            peer = best_peer(lines)
            ours = 100 * lines["xorcore"]["ceiling"]
            bars.append({"name": f"{named(op, key)}, {size_name(size)}", "ours": ours,
                         "peer": peer and ours / peer[0]})
    return {"cpu": cpu, "panels": panels, "bars": bars}


# ---- the page --------------------------------------------------------------------------------------------


def verdict(goal):
    return {True: "reached", False: "**not reached**", None: "no peer here"}[goal.reached]


def bar_tables(wide, narrow, compilers):
    """`narrow` is None where this CPU has no AVX-512: then there is one library."""
    rows = []
    for i, goal in enumerate(wide):
        row = [goal.name, goal.ask(goal.limit), goal.ask(goal.aim), goal.measured, verdict(goal)]
        if narrow:
            other = next((g for g in narrow if g.name == goal.name), None)
            row += [other.measured, verdict(other)] if other else ["", ""]
        rows.append(row)
    rows += [[goal.name, goal.ask(goal.limit), None, goal.measured, verdict(goal), *(["", ""] if narrow else [])]
             for goal in compilers]
    head = ["what", "goal", "aim", "measured", ""] + (["without AVX-512", ""] if narrow else [])
    yield from table(head, rows)


def shortfalls(goals):
    """What is known of goals that this run didn't reach: the sections of shortfalls.md with their names."""
    if not SHORTFALLS.exists():
        return
    known = dict(re.findall(r"^## (.+)\n\n((?:(?!^## ).*\n?)+)", SHORTFALLS.read_text(encoding="utf-8"), re.M))
    missed = dict.fromkeys(goal.name for goal in goals if goal.reached is False)
    told = [(name, known[name]) for name in missed if name in known]
    if told:
        yield "What was not reached, and what was tried:"
        yield ""
        for name, text in told:
            yield f"- {name}. {' '.join(text.split())}"
        yield ""


XOR_SIZES = (1, 7, 16, 31, 64, 100, 128, 256, 1024, 2048, 8192, 32768)


def xor_table(found, huge):
    peers = ("memcpy", "go-sse2", "gcc-loop", "isal")
    names = {"go-sse2": "Go-like loop", "gcc-loop": "compiler's loop", "isal": "ISA-L"}
    rows = []
    for (op, key, size), lines in (found | huge).items():
        if key or not op.startswith("xor") or (op == "xor" and size not in XOR_SIZES and size < 1 << 20):
            continue
        ours = lines["xorcore"]
        rows.append((op, size_name(size), f"{ours['ns']:.1f}", f"{ours['gbps']:.1f}",
                     f"{100 * ours['ceiling']:.0f} %" if ours["ceiling"] and 512 <= size <= 32768 else None,
                     *(f"{lines[peer]['ns']:.1f}" if peer in lines else None for peer in peers)))
    yield from table(("operation", "bytes", "ours, ns", "GB/s", "of L1's ceiling", *(names.get(p, p) for p in peers)), rows)


def aes_table(found):
    names = libraries(found)
    rows = []
    for op, key in dict.fromkeys((op, key) for op, key, _ in found if key):
        if (op, key, typical(op)) not in found:
            continue
        lines = found[op, key, typical(op)]
        peer = best_peer(lines)
        def at(size):
            place = found.get((op, key, size))
            return place and f"{place['xorcore']['gbps']:.2f}"
        small = found.get((op, key, 64))
        share = lines["xorcore"]["ceiling"]
        rows.append((op, key, lines["xorcore"]["kernel"], small and f"{small['xorcore']['ns']:.1f}", at(1024), at(1350), at(8192),
                     at(65536), share and f"{100 * share:.0f} %", times(lines["xorcore"]["vs"].get("openssl")),
                     peer and f"{peer[0]:.2f} × {names[peer[1]].split()[0]}"))
    yield from table(("operation", "key", "kernel", "64 B, ns", "1 KiB, GB/s", "1350 B", "8 KiB", "64 KiB", "of the ceiling",
                      "speed beside OpenSSL", "beside the best peer"), rows)


def key_table(found):
    names = libraries(found)
    columns = [name for name in names if any(name in lines for (op, _, _), lines in found.items() if op == "key-setup")]
    rows = [(op, key, lines["xorcore"]["kernel"], f"{lines['xorcore']['ns']:.0f}",
             *(f"{lines[name]['ns']:.0f}" if name in lines else None for name in columns))
            for (op, key, _), lines in found.items() if op in ("key-setup", "gcm-one-message")]
    yield from table(("what", "key", "kernel", "ours", *(names[name] for name in columns)), rows)


def check_table(run):
    found = {}
    for line in run.checks:
        if line["check"] in ("cliffs", "rows"):
            found.setdefault((line["op"], line["key"] or None, line["kernel"]), {})[line["check"]] = line
    rows = []
    for place, lines in found.items():
        row = [*place]
        for check in ("cliffs", "rows"):
            line = lines.get(check)
            row += [line["text"], f"{line['value']:.1f}"] if line else [None, None]
        rows.append(row)
    yield from table(("operation", "key", "kernel", "a byte more", "≤ 5", "another kernel", "≤ 2"), rows)


# Bytes a cycle at 256 bits that a probe has to reach on Zen 3, within 3 %.
ZEN3 = {("AES rounds", 128): 6.4, ("AES rounds", 256): 4.57, ("AES latency", 128): 0.4, ("AES latency", 256): 0.286,
        ("GHASH, 16 blocks a reduction", None): 4.93, ("GCM, all vector operations", 128): 3.71,
        ("L1, two loads and a store", None): 30.5}


def ceiling_table(found, ghz):
    rows = {}
    for (op, key, size), lines in found.items():
        for probe in lines["ceilings"] if size == typical(op) else ():
            kind, width = re.fullmatch(r"(.*), (\d+) bits", probe["kernel"]).groups()
            per_cycle = probe["gbps"] / float(ghz)
            rows.setdefault((kind, key if kind.startswith(("AES", "GCM")) else None), {}).setdefault(width, per_cycle)
    yield from table(("bytes a cycle", "key", "128 bits", "256 bits", "512 bits", "256 bits on Zen 3"), (
        (*place, *(f"{widths[width]:.2f}" if width in widths else None for width in ("128", "256", "512")), ZEN3.get(place))
        for place, widths in rows.items()))


def page(run, goals, first, cpu, clock, words, go_version):
    wide, narrow = goals["wide"], goals["narrow"]
    found, tables = run["wide"].table, run["table"]
    names = libraries(found | tables)
    yield "# Performance"
    yield ""
    yield ("`make bench` wrote this page. Figures depend on the machine, so run it on yours; nothing in the tests depends on "
           "them.")
    yield ""
    yield f"- CPU: {cpu}, {clock} GHz while it ran (a chain of additions)"
    yield f"- features in use: {' '.join(words['cpu'])}"
    defaults = [f"{k['family']} {k['name']}" for k in words["kernels"] if k["default"]]
    yield f"- libxorcore {words['version']}, kernels: {', '.join(defaults)}"
    yield f"- beside it: {', '.join(sorted(names.values())) or 'no other library'}"
    for name in run["absent"]:
        yield f"- not beside it: {name}"
    yield ""
    yield ("Everything in one table row was measured in one process, in turn, in batches of 20 µs (what a goal is about in three "
           "such processes); the best batch counts, and ratios are of the best to the best. What a peer computes was compared "
           "with ours before it was timed. The ceiling is what this CPU does in a loop with nothing but the necessary instructions "
           "on registers (for XOR on a warm L1), at the width of register that does it fastest.")
    yield ""
    yield "## Goals"
    yield ""
    if narrow:
        yield ("The goals are for CPUs that have VAES and no AVX-512. This one has AVX-512: `measured` is what the library chooses "
               "here, `without AVX-512` what it chooses with `XORCORE_DISABLE=avx512f`, in percent of the ceiling of registers "
               "of 256 bits.")
        yield ""
    yield from bar_tables(wide, narrow, goals["compilers"])
    yield from shortfalls([*(narrow or wide), *wide, *goals["compilers"]])
    yield "Goals beside plain loops, and of the other languages:"
    yield ""
    yield from table(("what", "goal", "measured", ""), ((g.name, g.ask(g.limit), g.measured, verdict(g)) for g in first))
    yield "## Plots"
    yield ""
    yield "![Throughput by size](throughput.svg)"
    yield ""
    yield "![Percent of the ceiling](ceilings.svg)"
    yield ""
    yield "## XOR"
    yield ""
    yield "Nanoseconds for a call."
    yield ""
    huge = {place: lines for place, lines in found.items() if place[2] >= 1 << 20}
    yield from xor_table(tables, huge)
    yield ("`xor-random`: lengths 1 to 64 in an order that no predictor knows. `xor-many`: 5 sources, whose size is one source's. "
           "`xor-repeat`, `xor-mask`: a key of 7 and of 4 bytes.")
    yield ""
    yield "## AES"
    yield ""
    yield from aes_table(tables)
    yield ("GCM with 13 bytes of AAD and a ready key; every message has a new nonce or IV. `cbc-encrypt-rows`: 16 messages a call; "
           "`gcm-seal-rows`: 64; bytes are those of one message. Ceilings and peers are those at 8 KiB, for XTS at 4 KiB, for "
           "rows at 1 KiB.")
    yield ""
    yield ("A GCM key object made and freed (the others give a new key to a context that they keep), and the same with a message "
           "of 16 bytes. Nanoseconds:")
    yield ""
    yield from key_table(tables)
    yield "## Between sizes, and between kernels"
    yield ""
    yield ("What a byte more costs, time(n + 1) − 1.25 × time(n) for n to 512 and around the powers of two to 64 KiB; and the chosen "
           "kernel's time − 1.10 × the best other one's, for sizes to 4096. The worst place of each operation, in ns:")
    yield ""
    yield from check_table(run["wide"])
    yield "## Ceilings"
    yield ""
    yield ("What the probes reached here, and what is known of Zen 3, where they have to come within 3 % of it; of other CPUs no "
           "figure is known to check them by.")
    yield ""
    yield from ceiling_table(tables, clock)
    yield "## Python"
    yield ""
    yield "AES-128-GCM beside pyca/cryptography (with the OpenSSL in its wheel). Nanoseconds:"
    yield ""
    yield from table(("call", "pyca/cryptography", "xorcore", "speed"), (
        (name, f"{peer:.0f}", f"{mine:.0f}", times(peer / mine)) for name, (peer, mine) in run["python"].items()))
    yield "## Go"
    yield ""
    yield f"Beside the standard library of {go_version}, by the package's own benchmarks. Nanoseconds:"
    yield ""
    yield from table(("benchmark", "standard library", "xorcore", "speed"), (
        (name, f"{std:.1f}", f"{mine:.1f}", times(std / mine)) for name, (std, mine) in run["go"].items()))
