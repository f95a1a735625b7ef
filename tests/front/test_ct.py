"""test_ct.py — tests/ct/run: a kernel that no engine ran though this CPU could, and what no case counted, can't end as a
pass."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[1] / "ct/run"


@pytest.fixture
def ct():
    loader = SourceFileLoader("ct_run", str(FILE))
    module = module_from_spec(spec_from_loader("ct_run", loader))
    loader.exec_module(module)
    return module


def engine(ct, monkeypatch, tmp_path, said, status=0, log="counted 0\n", name="msan"):
    monkeypatch.setattr(ct, "build", lambda *_: tmp_path / "ct")
    monkeypatch.setattr(ct, "watch", lambda *_: (said, status, log))
    total = ct.Sum()
    total.engine(tmp_path, name, "clang")
    return total


def test_a_row_that_no_engine_ran(ct, monkeypatch, tmp_path, capsys):
    said = "run by memcheck: xor/one\nnot run by memcheck: xor/two (cpu: avx512f)\n3 passed, 0 failed\n"
    total = engine(ct, monkeypatch, tmp_path, said, name="memcheck")
    total.all_rows()
    assert (total.passed, total.failed) == (4, 1)
    assert "FAILED xor/two: no engine could run it here" in capsys.readouterr().out


def test_a_row_that_this_cpu_cannot_execute(ct, monkeypatch, tmp_path, capsys):
    said = "run by msan: xor/one\nnot run by msan: xor/two (cpu: avx512f)\n3 passed, 0 failed\n"
    total = engine(ct, monkeypatch, tmp_path, said)
    total.all_rows()
    assert (total.passed, total.failed) == (4, 0)
    assert "NOT RUN xor/two: this CPU cannot execute it (cpu: avx512f)" in capsys.readouterr().out


def test_a_row_that_is_switched_off(ct, monkeypatch, tmp_path):
    said = "run by msan: xor/one\nnot run by msan: xor/two (disabled: avx512f)\n3 passed, 0 failed\n"
    total = engine(ct, monkeypatch, tmp_path, said)
    total.all_rows()
    assert (total.passed, total.failed) == (4, 1)


@pytest.mark.parametrize(("said", "status"), [
    ("", 0), ("run by msan: xor/one\n", -11), ("3 passed, 0 failed\n", 1), ("3 passed, 1 failed\n", 0),
    ("3 passed, 0 failed\nand more\n", 0),
])
def test_an_end_without_a_count(ct, monkeypatch, tmp_path, said, status):
    assert engine(ct, monkeypatch, tmp_path, said, status).failed == 1


def test_what_failed_has_the_name_of_its_engine(ct, monkeypatch, tmp_path, capsys):
    total = engine(ct, monkeypatch, tmp_path, "FAILED one\n2 passed, 1 failed\n", 1)
    assert (total.passed, total.failed) == (2, 1)
    assert "\nFAILED msan (clang): one\n" in capsys.readouterr().out


def test_reports_that_no_case_counted(ct, monkeypatch, tmp_path):
    log = "==1==WARNING: MemorySanitizer: use\n" * 3
    assert engine(ct, monkeypatch, tmp_path, "3 passed, 0 failed\n", log=log + "counted 3\n").failed == 0
    assert engine(ct, monkeypatch, tmp_path, "3 passed, 0 failed\n", log=log + "counted 2\n").failed == 1
    assert engine(ct, monkeypatch, tmp_path, "3 passed, 0 failed\n", log=log).failed == 1


def test_no_kernel(ct):
    total = ct.Sum()
    total.all_rows()
    assert total.failed == 1
