"""library_version — reads the package's version from the C library's CMakeLists.txt."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, str]:
    """Answers scikit-build-core's question for the dynamic fields of pyproject.toml."""
    # The copy of an sdist first: the folder above an unpacked sdist may be anything.
    for root in (HERE.parent / "vendor", HERE.parent.parent):
        file = root / "CMakeLists.txt"
        if file.is_file():
            found = re.search(
                r"project\s*\(\s*xorcore\s+VERSION\s+([0-9.]+)", file.read_text(encoding="utf-8")
            )
            if found:
                return {"version": found[1]}
            raise RuntimeError(f"{file} has no project(xorcore VERSION ...)")
    raise RuntimeError("the C library's CMakeLists.txt is neither in vendor/ nor one folder up")
