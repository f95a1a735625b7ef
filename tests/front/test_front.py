"""test_front.py — the test front itself: what failed, was skipped or never ran can't end as a pass."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

import run  # noqa: E402
import setup  # noqa: E402


def program(tmp_path, text):
    path = tmp_path / "program.py"
    path.write_text(text)
    return run.script("suite", sys.executable, path)


def test_script_counts(tmp_path):
    count = program(tmp_path, "print('3 passed, 0 failed')")
    assert (count.passed, count.failures) == (3, [])


def test_script_names_what_failed(tmp_path):
    count = program(tmp_path, "print('FAILED one: why\\n3 passed, 2 failed'); exit(1)")
    assert count.passed == 3
    assert count.failures == ["suite: one: why", "suite: a case, see above"]


@pytest.mark.parametrize("text", [
    "pass",                                    # says nothing
    "print('0 passed, 0 failed')",             # ran nothing
    "print('3 passed, 0 failed'); exit(1)",    # and yet it failed
    "print('3 passed, 0 failed\\nCrash')",     # a count that isn't the end
    "import os; os.abort()",
])
def test_script_that_ends_badly(tmp_path, text):
    assert len(program(tmp_path, text).failures) == 1


def test_pytest_counts_a_skipped_case_as_failed(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "PYTHON", sys.executable)
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "def test_good(): pass\n"
        "def test_bad(): assert False\n"
        "@pytest.mark.skip\ndef test_skipped(): pass\n"
        "@pytest.mark.xfail\ndef test_expected(): assert False\n")
    count = run.pytest("suite", tmp_path)
    assert count.passed == 1
    assert [failure.split("/")[-1] for failure in count.failures] == [
        "test_bad: failure", "test_skipped: skipped", "test_expected: skipped"]


def test_pytest_without_a_test(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "PYTHON", sys.executable)
    assert len(run.pytest("suite", tmp_path).failures) == 1


def test_ctest(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    (tmp_path / "CTestTestfile.cmake").write_text(
        'add_test(good "true")\nadd_test(bad "false")\nadd_test(absent "/no/such/program")\n'
        'add_test(off "true")\nset_tests_properties(off PROPERTIES DISABLED TRUE)\n')
    count = run.ctest("suite", tmp_path)
    assert count.passed == 1
    assert [failure.split("/")[1] for failure in sorted(count.failures)] == ["absent", "bad", "off"]


def test_go(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "ROOT", tmp_path)
    module = tmp_path / "go"
    (module / "broken").mkdir(parents=True)
    (tmp_path / "libxorcore/include").mkdir(parents=True)
    (module / "go.mod").write_text("module front.example/front\n\ngo 1.24\n")
    (module / "a_test.go").write_text(
        'package front\n\nimport "testing"\n\nfunc TestGood(t *testing.T) {}\n'
        'func TestBad(t *testing.T) { t.Run("inner", func(t *testing.T) { t.Fail() }); t.Run("well", func(t *testing.T) {}) }\n'
        'func TestSkipped(t *testing.T) { t.Skip() }\n')
    (module / "broken/b_test.go").write_text("package broken\n\nfunc TestNothing() { does not compile }\n")
    count = run.go("suite", cgo=False)
    assert count.passed == 2
    assert sorted(failure.removeprefix("suite/front.example/front/") for failure in count.failures) == [
        "TestBad/inner: fail", "TestSkipped: skip", "broken: did not build, or stopped"]


@pytest.mark.parametrize(("c", "go", "failures"), [
    ("a.json 2 8\n", "a.json 2 8\n", 0),
    ("a.json 2 8\n", "a.json 2 9\n", 1),
    ("a.json 2 8\nb.json 1 1\n", "a.json 2 8\n", 1),
    ("a.json 2 8\n", None, 2),
    ("", "", 2),
])
def test_totals(tmp_path, monkeypatch, c, go, failures):
    monkeypatch.setattr(run, "TOTALS", tmp_path)
    for name, text in (("c", c), ("go", go)):
        if text is not None:
            (tmp_path / f"{name}.txt").write_text(text)
    assert len(run.same_totals("c", "go").failures) == failures


def test_sum_misses_a_stage(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    (tmp_path / "test.json").write_text('{"passed": 5, "failures": []}')
    assert run.add_up(["test"]) == 0
    assert capsys.readouterr().out.endswith("\n5 passed, 0 failed\n")
    assert run.add_up(["test", "check"]) == 1
    assert capsys.readouterr().out.endswith("\n5 passed, 1 failed\n")


def test_tools_that_lack(monkeypatch):
    monkeypatch.setattr(setup, "apt_install", lambda packages: False)
    with pytest.raises(setup.SetupError, match=r"(?s)a tool is missing.*Debian package: tool.*Python is version 3.*4000.0 or newer"):
        setup.want([setup.Tool("a tool", ["/no/such/tool"], ["tool"]),
                    setup.Tool("Python", [sys.executable, "--version"], ["python3"], r"(\d+)\.(\d+)", (4000, 0))])


def test_environment(monkeypatch):
    for name in ("PKG_CONFIG_PATH", "VIRTUAL_ENV", "PYTHONPATH", "XORCORE_LIBRARY"):
        monkeypatch.setenv(name, "/elsewhere")
    env = setup.environment(MORE=1)
    assert env["MORE"] == "1" and "/elsewhere" not in env.values()


def test_no_suite_is_unknown():
    done = subprocess.run([sys.executable, TESTS / "run.py", "nonsense"], capture_output=True, text=True,
                          env={**os.environ})
    assert done.returncode == 2 and "no such stage" in done.stdout
