"""Standard output and errors that are closed, full, or no place for every letter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.tiers import LONG, sample

TURNS = '{"player":"B","place":"D4"}\n{"player":"W","place":"D4"}\n'
START = '{"rules":"fundamental","size":[3,1]}\n'


def in_a_shell(line: str, stdin: str = "", **environment: str) -> tuple[int, str, str]:
    """What comes of a line after `shinpan`: the exit status, and what went to standard output and errors."""
    told = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = ["bash", "-c", f"exec {sys.executable} -m device {line}"]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, env=told, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(TURNS)
    return path


@pytest.mark.slow
def test_a_files_name_may_be_any_bytes(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"b\xff")
    folder.mkdir()
    shutil.copy(ROOT / "tests/data/journals/demo.journal", folder)
    status, out, err = in_a_shell(f"verify {tmp_path}/$'b\\xff'", PYTHONIOENCODING="utf-8")
    assert (status, err) == (0, "") and out.startswith(f"{tmp_path}/b\\udcff/demo.journal: whole")


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", sample(["rules", "judge GAME", "score GAME", "analyse - --seconds 0", "gtp", "--help", "watch FOLDER"], 2)
)
def test_what_is_said_to_a_closed_output_is_not_heard(game: Path, line: str) -> None:
    given = line.replace("GAME", str(game)).replace("FOLDER", str(game.parent))
    status, out, err = in_a_shell(f"{given} >&-", START)
    assert (status, out) == (2 if "watch" in line else 0, "") and "Traceback" not in err


@pytest.mark.slow
def test_what_is_told_on_closed_errors_does_not_get_into_the_answer(game: Path) -> None:
    status, out, _ = in_a_shell(f"score {game} --json 2>&-")
    assert status == 0 and json.loads(out)["method"] == "expedited"


@LONG
def test_an_answer_comes_though_errors_are_closed() -> None:
    status, out, _ = in_a_shell("analyse - --json --seconds 1 2>&-", START)
    assert status == 0 and json.loads(out)["score"] == 0.5


@pytest.mark.slow
@pytest.mark.parametrize("errors", sample(["2>/dev/full", "2</dev/null"], 1))
def test_an_answer_is_not_lost_where_nothing_can_be_told_beside_it(game: Path, errors: str) -> None:
    status, out, _ = in_a_shell(f"score {game} --json {errors}")
    assert status == 0 and json.loads(out)["method"] == "expedited"
    assert in_a_shell(f"lok {errors}")[:2] == (2, "")


@pytest.mark.slow
@pytest.mark.parametrize("closed", sample(["<&- 2>&-", "2>&-"], 1))
def test_pictures_are_read_though_errors_are_closed(closed: str) -> None:
    status, out, _ = in_a_shell(f"look --json {ROOT}/tests/pictures/club-9.jpg {closed}")
    assert status == 0 and json.loads(out)["size"] == 9


def test_a_file_is_not_opened_in_place_of_a_closed_stream() -> None:
    script = "from device.streams import ready_streams; ready_streams(); print(open('/dev/zero').fileno(), flush=True)"
    done = subprocess.run(
        ["bash", "-c", f'exec {sys.executable} -c "{script}" <&- 2>&-'], capture_output=True, text=True, cwd=ROOT
    )
    assert int(done.stdout) > 2
