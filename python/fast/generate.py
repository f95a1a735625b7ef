"""generate — writes the docstrings of _fast.c: generate.py SOURCE_FOLDER OUTPUT.

They stand in the Python files beside the same functions by cffi, and are taken from there, signatures included.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path


def functions(body: list[ast.stmt], first: str) -> Iterator[tuple[str, str]]:
    """Name and docstring, in the form that inspect.signature() reads, of each public function with a docstring."""
    for node in body:
        text = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
        if isinstance(node, ast.FunctionDef) and text and not node.name.startswith("_"):
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
            arguments = ast.unparse(node.args).removeprefix("self, ")
            yield node.name, f"{node.name}({first}, {arguments})\n--\n\n{text}"


def main(sources: str, output: str) -> None:
    """Writes one `static const char NAME_doc[]` for each function of _xor.py and method of OneShot."""
    found: dict[str, str] = {}
    for name, inside in (("_xor.py", None), ("_oneshot.py", "OneShot")):
        body = ast.parse((Path(sources) / name).read_text(encoding="utf-8")).body
        if inside is None:
            found |= functions(body, "$module")
        for node in body:
            if isinstance(node, ast.ClassDef) and node.name == inside:
                found |= functions(node.body, "$self")
    wanted = (
        "xor",
        "xor_into",
        "xor_many",
        "xor_repeat",
        "encrypt",
        "decrypt",
        "encrypt_into",
        "decrypt_into",
        "encrypt_rows",
        "decrypt_rows",
    )
    lines = [f"static const char {name}_doc[] = {json.dumps(found[name])};" for name in wanted]
    Path(output).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
