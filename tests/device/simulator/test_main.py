"""A game of Ultimate Go on a simulated table, filmed or served to a box."""

import pytest

from device.simulator.__main__ import main
from device.simulator.serve import TableProcess

pytestmark = pytest.mark.slow


SMALL = ("--width", "640", "--height", "360", "--rest", "0.5")


SCRIPT = """size 9
look 1
black 2
B play E5; B press done
W play C3; W press done
W hold call
B press pause
"""


@pytest.fixture
def socket(tmp_path):
    return tmp_path / "table"


@pytest.fixture
def script(tmp_path):
    (tmp_path / "script").write_text(SCRIPT)
    return tmp_path / "script"


def served(socket, script, *options):
    return TableProcess(socket, "--script", str(script), *SMALL, *options)


@pytest.fixture
def run_refused(capsys):
    """A function that starts the server and returns its refusal: one sentence, and status 2."""

    def tried(*options):
        assert main(["serve", *map(str, options)]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith("shinpan: ") and err.count("\n") == 1
        return err

    return tried


def test_a_bad_script_is_named(run_refused, socket, tmp_path):
    bad = tmp_path / "bad"
    bad.write_text("size 9\nB play E5\nB eats E5\n")
    assert "line 3" in run_refused(socket, "--script", bad)
    bad.write_text("size 9\nB play E5\nW lift D4 own\n")
    assert "step 2 of the script, 'W lift D4 own', cannot be made" in run_refused(socket, "--script", bad)
    assert "there is no such file" in run_refused(socket, "--script", tmp_path / "none")


def test_a_socket_or_a_log_that_cannot_be_is_named(run_refused, socket, tmp_path):
    assert "no table can be served there" in run_refused(tmp_path / "none" / "table")
    assert "log: cannot be written (there is no folder" in run_refused(socket, "--record", tmp_path / "none" / "log")
    (tmp_path / "file").write_text("")
    assert "Address already in use" in run_refused(tmp_path / "file")
