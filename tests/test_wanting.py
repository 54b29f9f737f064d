"""What the end of a run says of tests that were skipped for want of something."""

import subprocess
import sys

import pytest

from tests.support import ROOT
from tests.support.wanting import GNUGO, SHARED, TRAINING, module, program, summary, wanting

pytestmark = pytest.mark.slow

TESTS = """
import pytest
from tests.support.wanting import GNUGO, SHARED, wanting

@pytest.mark.parametrize("number", range(3))
def test_photograph(number):
    wanting(SHARED, f"photograph {number}")

def test_oracle():
    wanting(GNUGO)

@pytest.mark.skip(reason="not on Sundays")
def test_other():
    pass

def test_all_there():
    pass
"""


@pytest.mark.parametrize("processes", [[], ["-n", "2"]], ids=["one process", "two processes"])
def test_the_end_of_a_run_says_how_many_were_skipped_and_for_want_of_what(tmp_path, processes):
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "test_file.py").write_text("from tests.support.wanting import TRAINING, wanting\nwanting(TRAINING)")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.wanting", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, *processes, f"--rootdir={tmp_path}", str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    said = run.stdout.splitlines()
    (head,) = [line for line in said if "NOT TESTED HERE: 6" in line]
    lines = said[said.index(head) + 1 :][:4]
    assert lines[0] == f"    3  for want of {SHARED}"
    assert set(lines[1:]) == {f"    1  for want of {GNUGO}", f"    1  for want of {TRAINING}", "    1  not on Sundays"}
    assert run.returncode == 0, run.stdout


def test_where_nothing_was_skipped_nothing_is_said():
    assert list(summary([])) == []


def test_only_a_known_cause_may_be_named():
    with pytest.raises(AssertionError):
        wanting("better weather")


def test_a_program_and_a_module_that_are_here_are_handed_over_and_others_named():
    assert program("sh", GNUGO).endswith("/sh") and module("json").dumps(1) == "1"
    with pytest.raises(pytest.skip.Exception, match="GNU Go"):
        program("no-such-program", GNUGO)
    with pytest.raises(pytest.skip.Exception, match="no module no_such_module"):
        module("no_such_module")
