import json
import struct
import subprocess
import sys
import zlib

import cv2
import numpy as np
import pytest

from device.__main__ import main
from device.cli.look import CLEAR
from device.cli.look import read_picture as look_at
from referee.game.diagram import position_of
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.methods import Agreed, count
from tests.support import ROOT
from tests.support.tiers import LONG, sample
from tests.support.vision.pictures import drawn_board, turn_truth
from vision.calibration.model import Calibration
from vision.camera.frame import read_image, read_reduced
from vision.lids.count import in_reading_order
from vision.render.looks import club_look, frame_board
from vision.render.scene import Scene
from vision.render.table import Table
from vision.training.drawn_lids import random_lid

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]

BAD_COUNTS = ("", "3", "3+", "-1+2", "1+2+3", "a+b", "1+1,1+1,1+1", "1+1,", "1.5+0")
SENTENCES = {
    "cut.jpg": "cut short",
    "dot.png": "1x1",
    "words.jpg": "not a picture",
    "plain.png": "no board found",
}


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    picture = drawn_board(9, 3)
    path = tmp_path_factory.mktemp("board") / "board.png"
    cv2.imwrite(str(path), picture.pixels)
    return path, picture.truth


@pytest.fixture
def bad(tmp_path):
    whole = cv2.imencode(".jpg", np.full((300, 400, 3), 99, np.uint8))[1].tobytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    cv2.imwrite(str(tmp_path / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    (tmp_path / "words.jpg").write_text("these are words")
    cv2.imwrite(str(tmp_path / "plain.png"), np.full((300, 400, 3), 120, np.uint8))
    return tmp_path


def look(capsys, *args):
    status = main(["look", *map(str, args)])
    output = capsys.readouterr()
    return status, output.out, output.err


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A photograph of five megapixels, and where its board lies."""
    picture = drawn_board(19, 4, width=2592, height=1944)
    path = tmp_path_factory.mktemp("large") / "large.jpg"
    cv2.imwrite(str(path), picture.pixels)
    return path, picture.truth


@LONG
def test_a_large_photograph_is_told_in_its_own_pixels(large, capsys, tmp_path):
    path, truth = large
    assert read_reduced(path)[1] == 2
    status, out, _ = look(capsys, "--json", path, "--overlay", tmp_path / "seen.jpg")
    line = json.loads(out)
    corners, rows = turn_truth(truth.grid, truth.rows)
    assert (status, line["rows"]) == (0, list(rows))
    assert np.allclose(line["corners"], corners, atol=0.1 * truth.grid.cell())
    assert all(any(fits(lid["box"], true.box) for true in truth.lids) for lid in line["lids"])
    assert cv2.imread(str(tmp_path / "seen.jpg")).shape == (1200, 1600, 3)
    _, out, _ = look(capsys, "--json", path)
    assert json.loads(out) | {"ms": 0} == line | {"ms": 0}


def fits(box, true):
    return np.abs(np.subtract(box, (true.x, true.y, true.w, true.h))).max() < 0.2 * true.w


@LONG
def test_a_small_board_in_a_large_photograph_is_read_in_full(capsys, tmp_path):
    picture = Table(frame_board(club_look(3, 9, 2592, 1944), 0.22, 0.22)).draw(
        Scene((".........",) * 8 + ("X...O....",))
    )
    path = tmp_path / "small.jpg"
    cv2.imwrite(str(path), picture.pixels)
    half, _ = look_at(read_reduced(path)[0])
    assert half is None or half.grid.cell() < CLEAR
    cv2.imwrite(str(path.with_suffix(".png")), read_image(path))
    read, whole = (json.loads(look(capsys, "--json", one)[1]) for one in (path, path.with_suffix(".png")))
    assert whole["rows"] == read["rows"] == list(turn_truth(picture.truth.grid, picture.truth.rows)[1])
    assert whole["corners"] == read["corners"]


def test_a_line_holds_what_the_interface_promises(board, capsys):
    path, truth = board
    status, out, _ = look(capsys, "--json", path)
    line = json.loads(out)
    corners, rows = turn_truth(truth.grid, truth.rows)
    assert status == 0
    assert set(line) == {"image", "size", "corners", "rows", "doubtful", "lids", "ms"}
    assert (line["image"], line["size"], line["rows"]) == (str(path), 9, list(rows))
    assert np.allclose(line["corners"], corners, atol=0.1 * truth.grid.cell())
    assert len(line["lids"]) == 2
    for lid in line["lids"]:
        assert set(lid) == {"box", "B", "W", "sure"} | (set() if lid["sure"] else {"range"})
    assert line["ms"] > 0


def look_expecting(path, capsys, expected):
    """Return what is said of the lids if that is expected in them."""
    status, out, err = look(capsys, "--json", "--expect", expected, path)
    assert status == 0
    return json.loads(out)["lids"], err


@pytest.fixture(scope="module")
def with_prisoners(tmp_path_factory):
    """A club table whose lids can be counted surely, and how it is expected: as `--expect` takes it."""
    lids = random_lid(np.random.default_rng(7), 2, 1), random_lid(np.random.default_rng(5), 0, 3)
    picture = Table(club_look(1, 9, 1280, 720)).draw(Scene((".X..O....",) * 9, lids))
    path = tmp_path_factory.mktemp("lids") / "lids.png"
    cv2.imwrite(str(path), picture.pixels)
    truths = {lid.box: (lid.black, lid.white) for lid in picture.truth.lids}
    return path, [truths[box] for box in in_reading_order(*truths)]


def test_a_lid_is_confirmed_where_as_many_stones_lie_in_it_as_are_expected(with_prisoners, capsys):
    path, ((b, w), (c, x)) = with_prisoners
    lids, err = look_expecting(path, capsys, f"{b}+{w},{c}+{x}")
    assert [lid["confirmed"] for lid in lids] == [True, True] and err == ""
    assert [(lid["B"], lid["W"]) for lid in lids] == [(b, w), (c, x)]


@pytest.mark.parametrize("off", sample([-1, -2, 2, 1], 1))
def test_an_expected_number_never_outvotes_what_is_seen(with_prisoners, capsys, off):
    path, ((b, w), (c, x)) = with_prisoners
    lids, _ = look_expecting(path, capsys, f"{max(0, b + off)}+{w},{c}+{max(0, x + off)}")
    assert [lid["confirmed"] for lid in lids] == [False, False]
    assert [(lid["B"], lid["W"]) for lid in lids] == [(b, w), (c, x)]


def test_what_nobody_expects_is_not_confirmed(with_prisoners, capsys):
    path, ((b, w), _) = with_prisoners
    lids, err = look_expecting(path, capsys, f"{b}+{w}")
    assert [lid["confirmed"] for lid in lids] == [True, False] and "2 lids were found" in err


def test_a_person_is_told_what_is_confirmed(with_prisoners, capsys):
    path, ((b, w), (c, x)) = with_prisoners
    lines = look(capsys, "--expect", f"{b}+{w},{c + 1}+{x}", path)[1].splitlines()
    assert lines[-2].endswith(", as expected") and lines[-1].endswith(", not confirmed")


def test_a_calibrations_first_corner_turns_the_board(board, capsys, tmp_path):
    path, truth = board
    file = tmp_path / "table.json"
    file.write_text(Calibration(truth.grid).to_json())
    upright = json.loads(look(capsys, "--json", "--calibration", file, path)[1])["rows"]
    data = json.loads(file.read_text())
    data["corners"] = data["corners"][1:] + data["corners"][:1]
    file.write_text(json.dumps(data))
    rows = json.loads(look(capsys, "--json", "--calibration", file, path)[1])["rows"]
    assert rows == ["".join(row) for row in np.rot90([list(row) for row in upright])]


def test_a_person_gets_rows_and_an_overlay(board, capsys, tmp_path):
    path, truth = board
    status, out, _ = look(capsys, "--overlay", tmp_path / "seen.png", path)
    assert status == 0 and all(row in out.splitlines() for row in turn_truth(truth.grid, truth.rows)[1])
    assert cv2.imread(str(tmp_path / "seen.png")) is not None


def test_with_several_images_each_gets_its_overlay(board, capsys, tmp_path):
    path, _ = board
    again = tmp_path / "again.png"
    again.write_bytes(path.read_bytes())
    status, out, _ = look(capsys, "--json", "--overlay", tmp_path / "seen.png", path, again)
    assert status == 0 and len(out.splitlines()) == 2
    assert {p.name for p in tmp_path.glob("seen*")} == {"seen-board.png", "seen-again.png"}


def test_images_of_the_same_name_get_overlays_of_their_own(board, capsys, tmp_path):
    path, _ = board
    images = [tmp_path / name for name in ("board.png", "board-2.png", "a/board.png")]
    for image in images:
        image.parent.mkdir(exist_ok=True)
        image.write_bytes(path.read_bytes())
    status, _, _ = look(capsys, "--overlay", tmp_path / "seen.png", *images)
    names = ("board", "board-2", "board-3")
    assert status == 0 and {p.name for p in tmp_path.glob("seen*")} == {f"seen-{name}.png" for name in names}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_picture_that_cannot_be_read_gets_one_sentence_and_3(bad, capsys, name):
    status, out, err = look(capsys, "--json", bad / name)
    line = json.loads(out)
    assert status == 3
    assert set(line) == {"image", "error"} and SENTENCES[name] in line["error"]
    assert err.count("\n") == 1 and SENTENCES[name] in err


def test_the_others_are_read_all_the_same(board, bad, capsys):
    status, out, _ = look(capsys, "--json", bad / "cut.jpg", board[0])
    assert status == 3
    assert ["error" in json.loads(line) for line in out.splitlines()] == [True, False]


@pytest.mark.parametrize(
    "args",
    [
        ("missing.png",),
        (".",),
        ("--calibration", "missing.json", "board.png"),
        ("--size", "9", "--calibration", "thirteen.json", "board.png"),
        ("--overlay", "nowhere/seen.png", "board.png"),
        ("--overlay", "seen.strange", "board.png"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence_and_2(board, capsys, tmp_path, monkeypatch, args):
    path, truth = board
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.png").write_bytes(path.read_bytes())
    data = json.loads(Calibration(truth.grid).to_json())
    (tmp_path / "thirteen.json").write_text(json.dumps({**data, "size": 13}))
    status, _, err = look(capsys, "--json", *args)
    assert status == 2 and err.count("\n") == 1 and err.startswith("shinpan: ")


@pytest.mark.parametrize(
    "args",
    [
        ("--size", "11", "x.png"),
        ("--loud", "x.png"),
        (),
        *(
            ("--expect", value, "x.png")
            for value in ("", "3", "3+", "-1+2", "1+2+3", "a+b", "1+1,1+1,1+1", "1+1,", "1.5+0")
        ),
    ],
)
def test_bad_options_exit_2(capsys, args):
    status, out, err = look(capsys, *args)
    usage, sentence = err.splitlines()
    assert (status, out) == (2, "") and usage.startswith("Usage: shinpan look ") and sentence.startswith("shinpan: ")


def bomb(side: int) -> bytes:
    """A PNG of so many black pixels a side, a few kilobytes long."""
    row, squeeze = bytes(1 + side // 8), zlib.compressobj(9)
    pixels = b"".join(squeeze.compress(row) for _ in range(side)) + squeeze.flush()
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", pixels), (b"IEND", b""))
    pieces = (struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(pieces)


MEASURED = """
import pathlib, re, sys
from device.__main__ import main
from device.cli.look import CLEAR
from device.cli.look import read_picture as look_at
from referee.game.diagram import position_of
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.methods import Agreed, count
status = main(sys.argv[1:])
print(re.search(r"VmHWM:\\s*(\\d+) kB", pathlib.Path("/proc/self/status").read_text())[1])
sys.exit(status)
"""


def test_a_picture_of_too_many_pixels_takes_no_memory(tmp_path):
    (tmp_path / "bomb.png").write_bytes(bomb(20_000))
    command = [sys.executable, "-c", MEASURED, "look", "--json", str(tmp_path / "bomb.png")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    answer, kilobytes = result.stdout.splitlines()
    assert result.returncode == 3
    assert "90 megapixels" in json.loads(answer)["error"]
    assert int(kilobytes) < 400_000


def test_a_photograph_is_counted_with_the_stones_that_seem_dead(capsys, board):
    path, _ = board
    status, out, _ = look(capsys, path, "--json", "--score", "--komi", "3.5")
    answer = json.loads(out)
    score, rows = answer["score"], position_of(answer["rows"])
    assert status == 0 and (score["method"], score["komi"]) == ("area", 3.5)
    record = Setup(rule_set("chinese"), board=tuple(answer["rows"]), komi=3.5).record()
    assert score["result"] == count(record, Agreed(rows.board.mask(score["dead"]))).result
    assert set(score["dead_by"]) == set(score["dead"]) and score["text"].startswith(score["result"])
    assert score["text"] in look(capsys, path, "--score", "--komi", "3.5")[1]


@pytest.mark.parametrize("options", [("--rules", "chinese"), ("--komi", "3"), ("--score", "--rules", "ultimate")])
def test_a_count_that_cannot_be_is_one_sentence(capsys, board, options):
    status, out, err = look(capsys, board[0], *options)
    assert (status, out) == (2, "") and "--score" in err and "Traceback" not in err
