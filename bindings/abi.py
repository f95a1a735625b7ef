#!/usr/bin/env python3
"""abi.py — reads xorcore.h, records the ABI in it, and derives what bindings and the build need.

    abi.py --write    rewrites xorcore.abi.json, xorcore.cdef, xorcore.map and abi_check.c
    abi.py --check    fails, with a diff, when one of them is not what the header says
    abi.py --list     prints the exported functions, one a line

Both refuse a header in which a recorded function, constant or struct changed or went away: programs
that were linked against it would break. A mistake in something that was never released is mended with
`--write --forget NAME`. Nothing but Python's standard library is needed.

The header is a strict subset of C, and this file refuses anything else in it: functions marked
XORCORE_API, enums without a name and with every value written, opaque types, and structs whose layout
no compiler can differ about (scalars and pointers, every byte of padding a named field)."""

import argparse
import difflib
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = ROOT / "libxorcore/include/xorcore.h"
VERSION_FILE = ROOT / "CMakeLists.txt"  # project(xorcore VERSION x.y.z): the one place of the version
JSON = ROOT / "bindings/xorcore.abi.json"
CDEF = ROOT / "bindings/xorcore.cdef"
MAP = ROOT / "libxorcore/xorcore.map"
CHECK = ROOT / "libxorcore/abi_check.c"

# Size in bytes by pointer width. A size of None cannot stand in a struct.
SCALARS = {
    "int": {"32": 4, "64": 4},
    "int32_t": {"32": 4, "64": 4},
    "uint32_t": {"32": 4, "64": 4},
    "uint64_t": {"32": 8, "64": 8},
    "uint8_t": {"32": 1, "64": 1},
    "size_t": {"32": 4, "64": 8},
    "char": None,
    "void": None,
}
POINTER = {"32": 4, "64": 8}
WIDTHS = ("32", "64")


class HeaderError(Exception):
    """Something in the header that is outside the subset."""


# ---- reading the header ---------------------------------------------------------------------------


def strip(text):
    """The declarations alone, with every newline kept so that line numbers stay true."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    # What only C++ sees is no declaration. The header has such blocks for extern "C" and nothing else.
    text = re.sub(
        r"^#ifdef __cplusplus\n.*?^#endif$", lambda m: "\n" * m.group().count("\n"), text, flags=re.S | re.M
    )
    return re.sub(r"^[ \t]*#.*$", "", text, flags=re.M)


def statements(text):
    """(line, statement) for everything up to a ';' that stands outside braces."""
    depth, start = 0, 0
    for at, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == ";" and depth == 0:
            body = text[start:at]
            line = text.count("\n", 0, start + len(body) - len(body.lstrip())) + 1
            yield line, " ".join(body.split())
            start = at + 1
    rest = text[start:].strip()
    if rest:
        raise HeaderError(f"line {text.count(chr(10), 0, start) + 1}: no ';' after: {rest[:60]}")


class Header:
    """functions, enums and structs of a header, in its own order."""

    def __init__(self, text):
        self.enums = []  # a list of {name: value}
        self.types = {}  # name -> list of (field, type), None while opaque
        self.functions = {}  # name -> (result, [(argument, type)])
        self.order = []  # (kind, key) as they stand, for the cdef
        for line, statement in statements(strip(text)):
            try:
                self.declare(statement)
            except HeaderError as error:
                raise HeaderError(f"line {line}: {error}") from None

    def declare(self, text):
        if match := re.fullmatch(r"enum \{(.*)\}", text):
            self.enum(match[1])
        elif match := re.fullmatch(r"typedef struct (\w+) (\w+)", text):
            if match[1] != match[2]:
                raise HeaderError(f"{match[1]} and {match[2]} are not one name")
            self.new_name(match[1], "xorcore_", self.types)
            self.types[match[1]] = None
            self.order.append(("opaque", match[1]))
        elif match := re.fullmatch(r"typedef struct (\w+) \{(.*)\} (\w+)", text):
            if match[1] != match[3]:
                raise HeaderError(f"{match[1]} and {match[3]} are not one name")
            self.struct(match[1], match[2])
        elif match := re.fullmatch(r"XORCORE_API (.*?)(\w+) ?\((.*)\)", text):
            self.function(match[1], match[2], match[3])
        else:
            raise HeaderError(f"outside the subset of C that bindings can read: {text[:80]}")

    def new_name(self, name, prefix, *places):
        if not name.startswith(prefix):
            raise HeaderError(f"{name} does not begin with {prefix}")
        if any(name in place for place in places):
            raise HeaderError(f"{name} is declared twice")

    def enum(self, body):
        values = {}
        for item in body.rstrip(", ").split(","):
            match = re.fullmatch(r"\s*(\w+) = (-?\d+|0x[0-9A-Fa-f]+)\s*", item)
            if not match:
                raise HeaderError(f"an enum constant without a written number: {item.strip()}")
            self.new_name(match[1], "XORCORE_", values, *self.enums)
            values[match[1]] = int(match[2], 0)
            if not -(2**31) <= values[match[1]] < 2**31:
                raise HeaderError(f"{match[1]} does not fit an int")
        self.order.append(("enum", len(self.enums)))
        self.enums.append(values)

    def type(self, text):
        """A type, spelled in the one way: 'const uint8_t *const *'."""
        match = re.fullmatch(r"(const )?(\w+)((?: ?\*(?: ?const\b)?)*)", text.strip())
        if not match:
            raise HeaderError(f"not a type of the subset: {text.strip()}")
        const, base, stars = match[1] or "", match[2], match[3].replace(" ", "")
        if base not in SCALARS and base not in self.types:
            raise HeaderError(f"unknown type {base}")
        if base == "char" and (not const or stars != "*"):
            raise HeaderError("char stands only in 'const char *', a string")
        if not stars and base in self.types:
            raise HeaderError(f"{base} by value")
        if base == "void" and (stars or const):
            raise HeaderError("void pointers say too little for a binding")
        stars = re.sub(r"const\*", "const *", stars)
        return const + base + (" " + stars if stars else "")

    def struct(self, name, body):
        self.new_name(name, "xorcore_", self.types)
        fields = []
        for item in filter(None, (part.strip() for part in body.split(";"))):
            first, *more = (part.strip() for part in item.split(","))
            match = re.fullmatch(r"(.*?)(\w+)", first)
            base = re.match(r"(?:const )?\w+", first)[0]
            declarators = [(match[1], match[2])]
            for extra in more:
                match = re.fullmatch(r"(\**)(\w+)", extra)
                if not match:
                    raise HeaderError(f"{name}: not a field: {extra}")
                declarators.append((f"{base} {match[1]}", match[2]))
            for text, field in declarators:
                kind = self.type(text)
                if kind in ("void", "char"):
                    raise HeaderError(f"{name}.{field}: a field of type {kind}")
                if field in dict(fields):
                    raise HeaderError(f"{name}.{field} is declared twice")
                fields.append((field, kind))
        if not fields:
            raise HeaderError(f"{name} has no field")
        layout(name, fields)
        self.types[name] = fields
        self.order.append(("struct", name))

    def function(self, result, name, arguments):
        self.new_name(name, "xorcore_", self.functions, self.types)
        parsed = []
        if arguments != "void":
            for item in arguments.split(","):
                match = re.fullmatch(r"(.*?)(\w+)", item.strip())
                if not match or not match[1].strip():
                    raise HeaderError(f"{name}: an argument needs a type and a name: {item.strip()}")
                kind = self.type(match[1])
                if kind == "void" or match[2] in dict(parsed):
                    raise HeaderError(f"{name}: not an argument: {item.strip()}")
                parsed.append((match[2], kind))
        self.functions[name] = (self.type(result), parsed)
        self.order.append(("function", name))


def layout(name, fields):
    """Offsets and sizes by pointer width. A gap that a compiler would fill is an error: its bytes have
    no name, and a field put there later would not change the size by which callers tell versions."""
    offsets = {field: {} for field, _ in fields}
    size = {}
    for width in WIDTHS:
        at, widest = 0, 1
        for field, kind in fields:
            length = POINTER[width] if "*" in kind else SCALARS[kind][width]
            if at % length:
                raise HeaderError(f"{name}.{field}: {width}-bit compilers put padding before it; name it")
            offsets[field][width] = at
            at += length
            widest = max(widest, length)
        if at % widest:
            raise HeaderError(f"{name}: {width}-bit compilers put padding at its end; name it")
        size[width] = at
    return offsets, size


# ---- the record -----------------------------------------------------------------------------------


def current_node():
    """The version node of what is new: XORCORE_<major>.<minor> of the project's version."""
    match = re.search(r"project\(\s*xorcore\s+VERSION\s+(\d+)\.(\d+)\.\d+", VERSION_FILE.read_text("utf-8"))
    if not match:
        raise HeaderError(f"{VERSION_FILE.name} has no project(xorcore VERSION x.y.z)")
    return f"XORCORE_{match[1]}.{match[2]}"


def record(header, old, node):
    """What xorcore.abi.json holds. Whatever `old` knows keeps its 'since'; the rest is of `node`."""
    known = {name: entry["since"] for name, entry in old.get("functions", {}).items()}
    known |= {name: entry["since"] for group in old.get("enums", []) for name, entry in group.items()}
    known |= {name: entry["since"] for name, entry in old.get("types", {}).items()}
    for name, entry in old.get("types", {}).items():
        known |= {f"{name}.{field['name']}": field["since"] for field in entry.get("fields", [])}
    types = {}
    for name, fields in header.types.items():
        types[name] = {"since": known.get(name, node)}
        if fields is not None:
            offsets, size = layout(name, fields)
            types[name]["size"] = size
            types[name]["fields"] = [
                {"name": field, "type": kind, "offset": offsets[field],
                 "since": known.get(f"{name}.{field}", node)}
                for field, kind in fields
            ]
    return {
        "about": "The recorded ABI of libxorcore, written by abi.py from xorcore.h. Sizes and offsets by "
        "pointer width.",
        "soname": "libxorcore.so.1",
        "enums": [
            {name: {"value": value, "since": known.get(name, node)} for name, value in group.items()}
            for group in header.enums
        ],
        "types": types,
        "functions": {
            name: {"result": result, "arguments": [{"name": argument, "type": kind} for argument, kind in args],
                   "since": known.get(name, node)}
            for name, (result, args) in header.functions.items()
        },
    }


def breaks(old, new):
    """(name, sentence) for every recorded thing that a program may rely on and that is not so any more."""
    found = []
    constants = {name: entry["value"] for group in new["enums"] for name, entry in group.items()}
    for group in old.get("enums", []):
        for name, entry in group.items():
            if name not in constants:
                found.append((name, f"constant {name} is gone"))
            elif constants[name] != entry["value"]:
                found.append((name, f"constant {name} was {entry['value']}, is {constants[name]}"))
    for name, entry in old.get("functions", {}).items():
        def shape(function):
            return f"{function['result']} ({', '.join(a['type'] for a in function['arguments']) or 'void'})"
        if name not in new["functions"]:
            found.append((name, f"function {name} is gone"))
        elif shape(entry) != shape(new["functions"][name]):
            found.append((name, f"function {name} was {shape(entry)}, is {shape(new['functions'][name])}"))
    for name, entry in old.get("types", {}).items():
        if name not in new["types"]:
            found.append((name, f"type {name} is gone"))
            continue
        before = [(f["name"], f["type"], f["offset"]) for f in entry.get("fields", [])]
        after = [(f["name"], f["type"], f["offset"]) for f in new["types"][name].get("fields", [])]
        if before != after[: len(before)] or bool(before) != bool(after):
            found.append((name, f"struct {name}: the recorded fields changed; it may only grow at its end"))
    return found


def forget(old, names):
    """The record without these names."""
    unknown = [name for name in names if not any(name in place for place in
               (old.get("functions", {}), old.get("types", {}), *old.get("enums", [])))]
    if unknown:
        raise HeaderError(f"not recorded, so nothing to forget: {' '.join(unknown)}")
    def keep(place):
        return {name: entry for name, entry in place.items() if name not in names}
    return {"functions": keep(old.get("functions", {})), "types": keep(old.get("types", {})),
            "enums": [keep(group) for group in old.get("enums", [])]}


# ---- what is derived ------------------------------------------------------------------------------

NOTE = "Derived from xorcore.h by bindings/abi.py; don't edit."


def prototype(result, name, args, void="void"):
    """A declaration, broken before column 100."""
    space = "" if result.endswith("*") else " "
    head = f"{result}{space}{name}("
    lines, line = [], head
    parts = [f"{kind}{'' if kind.endswith('*') else ' '}{argument}" for argument, kind in args] or [void]
    for index, part in enumerate(parts):
        part += ", " if index + 1 < len(parts) else ");"
        if len(line) + len(part.rstrip()) > 100 and line.strip():
            lines.append(line.rstrip())
            line = " " * min(len(head), 40)
        line += part
    return "\n".join(lines + [line])


def cdef(header):
    out = [f"/* xorcore.cdef — the declarations of xorcore.h as cffi reads them.\n * {NOTE} */"]
    last = None
    for kind, key in header.order:
        if kind != last or kind in ("enum", "struct"):
            out.append("")
        last = kind
        if kind == "enum":
            group = header.enums[key]
            out += ["enum {", ",\n".join(f"    {name} = {value}" for name, value in group.items()), "};"]
        elif kind == "opaque":
            out.append(f"typedef struct {key} {key};")
        elif kind == "struct":
            out.append(f"typedef struct {key} {{")
            out += [f"    {kind}{'' if kind.endswith('*') else ' '}{field};" for field, kind in header.types[key]]
            out.append(f"}} {key};")
        else:
            result, args = header.functions[key]
            out.append(prototype(result, key, args))
    return "\n".join(out) + "\n"


def version_key(node):
    return [int(part) for part in node.removeprefix("XORCORE_").split(".")]


def version_map(recorded):
    nodes = {}
    for name, entry in recorded["functions"].items():
        nodes.setdefault(entry["since"], []).append(name)
    out = ["# xorcore.map — what libxorcore.so exports, by the version that brought it.", f"# {NOTE}"]
    previous = None
    for node in sorted(nodes, key=version_key):
        out += [f"{node} {{", "global:"] + [f"    {name};" for name in nodes[node]]
        if previous is None:
            out += ["local:", "    *;"]
        out.append(f"}}{' ' + previous if previous else ''};")
        previous = node
    return "\n".join(out) + "\n"


def abi_check(header):
    out = [
        "/* abi_check.c — what xorcore.abi.json records, held against xorcore.h by the compiler.",
        f" * {NOTE}",
        " *",
        " * Every build compiles this file. It is part of no library; tests/abi links it to see that every",
        " * function is there. */",
        '#include "xorcore.h"',
        "",
        "struct xc_abi_functions {",
    ]
    for name, (result, args) in header.functions.items():
        out.append("    " + prototype(result, f"(*{name})", args).replace("\n", "\n    "))
    out += ["};", "", "extern const struct xc_abi_functions xc_abi_functions;",
            "const struct xc_abi_functions xc_abi_functions = {"]
    out += [f"    .{name} = {name}," for name in header.functions]
    out += ["};", "", "extern const unsigned xc_abi_function_count;",
            "const unsigned xc_abi_function_count = sizeof(xc_abi_functions) / sizeof(int (*)(void));", ""]
    for group in header.enums:
        out += [f'_Static_assert({name} == {value}, "{name}");' for name, value in group.items()]
        out.append("")
    for name, fields in header.types.items():
        if fields is None:
            continue
        offsets, size = layout(name, fields)

        def by_width(values):
            if values["32"] == values["64"]:
                return str(values["64"])
            return f"(sizeof(void *) == 8 ? {values['64']} : {values['32']})"
        out.append(f'_Static_assert(sizeof({name}) == {by_width(size)}, "{name}");')
        out += [f'_Static_assert(offsetof({name}, {field}) == {by_width(offsets[field])}, "{name}.{field}");'
                for field, _ in fields]
        out.append("")
    return "\n".join(out).rstrip("\n") + "\n"


def derive(header, recorded):
    return {
        JSON: json.dumps(recorded, indent=1, ensure_ascii=False) + "\n",
        CDEF: cdef(header),
        MAP: version_map(recorded),
        CHECK: abi_check(header),
    }


# ---- the command ----------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="rewrite the derived files")
    what.add_argument("--check", action="store_true", help="fail when they are stale or the ABI broke")
    what.add_argument("--list", action="store_true", help="print the exported functions")
    parser.add_argument("--forget", nargs="+", default=[], metavar="NAME",
                        help="with --write: record these anew, for what was never released")
    options = parser.parse_args()
    if options.forget and not options.write:
        parser.error("--forget goes with --write")

    try:
        header = Header(HEADER.read_text("utf-8"))
        if options.list:
            print("\n".join(header.functions))
            return 0
        old = json.loads(JSON.read_text("utf-8")) if JSON.exists() else {}
        if options.forget:
            old = forget(old, set(options.forget))
        new = record(header, old, current_node())
    except (HeaderError, OSError, ValueError) as error:
        print(f"abi.py: {error}", file=sys.stderr)
        return 1

    broken = breaks(old, new)
    for _, sentence in broken:
        print(f"abi.py: {sentence}", file=sys.stderr)
    if broken:
        print("abi.py: this breaks programs that use the library. What was never released may be recorded "
              f"anew:\n  python3 bindings/abi.py --write --forget {' '.join(name for name, _ in broken)}",
              file=sys.stderr)
        return 1

    stale = False
    for path, text in derive(header, new).items():
        now = path.read_text("utf-8") if path.exists() else ""
        if now == text:
            continue
        name = str(path.relative_to(ROOT))
        if options.write:
            path.write_text(text, "utf-8")
            print(f"wrote {name}")
        else:
            stale = True
            sys.stdout.writelines(difflib.unified_diff(
                now.splitlines(True), text.splitlines(True), name, f"{name} as the header says"))
    if stale:
        print("abi.py: the header changed; run: python3 bindings/abi.py --write", file=sys.stderr)
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
