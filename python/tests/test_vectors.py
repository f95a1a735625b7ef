"""test_vectors — the shared vector suite, run by the package vectors."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vectors import run as runner
from vectors.case import pieces, splitmix64


def test_splitmix64() -> None:
    assert splitmix64(0, 20).hex() == "afcd1d7b39a820e2f465b9a16a9e786e4f450980"


def test_pieces() -> None:
    assert list(pieces(0, [0, 1])) == []
    assert list(pieces(5, [0, 2])) == [(0, 0), (0, 2), (2, 4), (4, 5)]
    assert list(pieces(40, [1, 2], 16)) == [(0, 16), (16, 40)]


FILES = runner.find(runner.directories([]))
TOTALS: dict[str, runner.Total] = {}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_file(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    total = runner.run_file(path)
    TOTALS[path.name] = total
    with capsys.disabled():
        print(f"\nvectors python {total.file}: cases={total.cases} runs={total.runs}")
    assert total.runs > 0
    assert not total.failed, "\n".join(total.failed[:20])


def test_total(capsys: pytest.CaptureFixture[str]) -> None:
    if len(TOTALS) != len(FILES):
        pytest.fail("the total needs every file: run the whole of this module")
    with capsys.disabled():
        print(f"\nvectors python total: runs={sum(total.runs for total in TOTALS.values())}")
    if os.environ.get("XORCORE_VECTORS_TOTALS"):
        runner.write_totals([TOTALS[path.name] for path in FILES])
