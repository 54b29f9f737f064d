"""Standard output and errors that are closed, full, or no place for every letter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.streams import silence_libraries
from tests.support import ROOT
from tests.support.tiers import LONG, sample
from tests.support.waiting import PATIENCE_S

TURNS = '{"player":"B","place":"D4"}\n{"player":"W","place":"D4"}\n'
START = '{"rules":"fundamental","size":[3,1]}\n'


def in_a_shell(line: str, stdin: str = "", **environment: str) -> tuple[int, str, str]:
    """Run a line after `shinpan`; return the exit status, and what went to standard output and errors."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = ["bash", "-c", f"exec {sys.executable} -m device {line}"]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, env=variables, timeout=PATIENCE_S)
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
    command_line = line.replace("GAME", str(game)).replace("FOLDER", str(game.parent))
    status, out, err = in_a_shell(f"{command_line} >&-", START)
    assert (status, out) == (2 if "watch" in line else 0, "") and "Traceback" not in err


@pytest.mark.long
def test_what_is_told_on_closed_errors_does_not_get_into_the_answer(game: Path) -> None:
    status, out, _ = in_a_shell(f"score {game} --json 2>&-")
    assert status == 0 and json.loads(out)["method"] == "expedited"


@LONG
def test_an_answer_comes_though_errors_are_closed() -> None:
    status, out, _ = in_a_shell("analyse - --json --seconds 1 2>&-", START)
    assert status == 0 and json.loads(out)["score"] == 0.5


@pytest.mark.long
@pytest.mark.parametrize("errors", sample(["2>/dev/full", "2</dev/null"], 1))
def test_an_answer_is_not_lost_where_nothing_can_be_told_beside_it(game: Path, errors: str) -> None:
    status, out, _ = in_a_shell(f"score {game} --json {errors}")
    assert status == 0 and json.loads(out)["method"] == "expedited"
    assert in_a_shell(f"lok {errors}")[:2] == (2, "")


@pytest.mark.long
@pytest.mark.parametrize("closed", sample(["<&- 2>&-", "2>&-"], 1))
def test_pictures_are_read_though_errors_are_closed(closed: str) -> None:
    status, out, _ = in_a_shell(f"look --json {ROOT}/tests/pictures/club-9.jpg {closed}")
    assert status == 0 and json.loads(out)["size"] == 9


def test_a_file_is_not_opened_in_place_of_a_closed_stream() -> None:
    script = "from device.streams import repair_stdio; repair_stdio(); print(open('/dev/zero').fileno(), flush=True)"
    done = subprocess.run(
        ["bash", "-c", f'exec {sys.executable} -c "{script}" <&- 2>&-'], capture_output=True, text=True, cwd=ROOT
    )
    assert int(done.stdout) > 2


# What libraries write


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A folder with a picture that libjpeg complains of, though it decodes it, and with films that break off."""
    picture = cv2.blur(np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8), (9, 9))
    data = cv2.imencode(".jpg", picture)[1]
    data[2000:-10:997] ^= 0x55
    data.tofile(tmp_path / "damaged.jpg")
    film = cv2.VideoWriter(str(tmp_path / "whole.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 10, (640, 480))
    for n in range(20):
        film.write(np.roll(picture, 3 * n, 1))
    film.release()
    whole = bytearray((tmp_path / "whole.mp4").read_bytes())
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    whole[9000:-5000:1997] = bytes(len(range(9000, len(whole) - 5000, 1997)))
    (tmp_path / "damaged.mp4").write_bytes(whole)
    return tmp_path


def test_libraries_are_not_heard_and_our_own_sentences_are(damaged: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with silence_libraries():
        assert cv2.imread(str(damaged / "damaged.jpg")) is not None
        print("a sentence of ours", file=sys.stderr)
    assert capfd.readouterr().err == "a sentence of ours\n"


def test_afterwards_stderr_is_what_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    before = sys.stderr
    with pytest.raises(KeyError), silence_libraries():
        raise KeyError
    os.write(2, b"to the terminal\n")
    assert capfd.readouterr().err == "to the terminal\n" and sys.stderr is before


@pytest.mark.slow
def test_opencv_and_ffmpeg_are_told_to_be_silent_wherever_we_look(damaged: Path) -> None:
    script = (
        "import sys, vision, cv2\n"
        "for name in ('cut.mp4', 'damaged.mp4', '/dev/null0', 7):\n"
        "    film = cv2.VideoCapture(name)\n"
        "    while film.read()[0]: pass\n"
        "print(cv2.imread('nope.jpg'))\n"
    )
    environment = {name: text for name, text in os.environ.items() if not name.startswith("OPENCV_")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=damaged,
        capture_output=True,
        text=True,
        env={**environment, "PYTHONPATH": str(ROOT)},
    )
    assert (done.stdout, done.stderr) == ("None\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("line", sample(["watch damaged.mp4", "look damaged.jpg", "watch cut.mp4"], 1))
def test_of_what_is_damaged_a_person_hears_our_sentences_alone(damaged: Path, line: str) -> None:
    command, name = line.split()
    _, _, err = in_a_shell(f"{command} {damaged / name}")
    assert err and all(error_line.startswith("shinpan: ") for error_line in err.splitlines()), err
