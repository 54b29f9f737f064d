import json
from dataclasses import replace
from itertools import accumulate

import cv2
import numpy as np
import pytest

from device.__main__ import main
from referee.sgf.records import read_root, read_sgf
from tests.support.shared import photos
from tests.support.tiers import LONG, is_long_run, sample
from tests.support.vision.films import write_matroska, write_mp4
from tests.support.vision.troubles import draw_bands
from vision.camera import live
from vision.camera.recordings import open_source
from vision.render.looks import club_look
from vision.render.scene import Hand, Scene
from vision.render.table import Table

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]

MOVES = ["D4", "F6", "D6"]
ROWS9 = [list("." * 9) for _ in range(9)]


def watch(capsys, *args):
    status = main(["watch", *map(str, args)])
    output = capsys.readouterr()
    return status, [json.loads(line) for line in output.out.splitlines()], output.err


@pytest.fixture(scope="module")
def stills(tmp_path_factory):
    """A folder of looks at a drawn 9x9 board: empty, and after each of the moves."""
    folder = tmp_path_factory.mktemp("stills")
    table = Table(club_look(3, 9, 1280, 720))
    rows = [list(row) for row in ROWS9]
    for number, move in enumerate(["", *MOVES]):
        if move:
            rows[9 - int(move[1:])]["ABCDEFGHJ".index(move[0])] = "XO"[(number - 1) % 2]
        picture = table.draw(Scene(tuple(map("".join, rows))), number)
        cv2.imwrite(str(folder / f"look {number}.png"), picture.pixels)
    return folder


@pytest.mark.parametrize("extra", sample([[], ["--size", "9"]], 1))
def test_stills_become_a_game(stills, capsys, tmp_path, extra):
    sgf, copy = tmp_path / "game.sgf", tmp_path / "game.jsonl"
    status, lines, _ = watch(capsys, stills, "--rules", "chinese", "--sgf", sgf, "--jsonl", copy, *extra)
    assert status == 0
    assert [(line["turn"], line["player"], line["place"], line["status"]) for line in lines] == [
        (n, "BW"[(n - 1) % 2], move, "legal") for n, move in enumerate(MOVES, 1)
    ]
    assert [line["image"] for line in lines] == [f"look {n}.png" for n in range(1, len(MOVES) + 1)]
    assert [json.loads(line) for line in copy.read_text().splitlines()] == lines
    setup, turns = read_sgf(sgf.read_bytes())
    board = setup.record().position.board
    assert [board.name(turn.point) for turn in turns] == MOVES


def test_the_players_names_stand_in_the_record(stills, capsys, tmp_path):
    sgf = tmp_path / "game.sgf"
    status, _, _ = watch(capsys, stills, "--rules", "chinese", "--sgf", sgf, "--names", "Ada [9k]", "本因坊 秀策")
    root = read_root(sgf.read_bytes())
    assert (status, root["PB"], root["PW"]) == (0, "Ada [9k]", "本因坊 秀策")


def test_each_ruling_can_be_looked_at(stills, capsys, tmp_path):
    status, lines, _ = watch(capsys, stills, "--rules", "chinese", "--overlay", tmp_path / "shown")
    file_names = sorted(path.name for path in (tmp_path / "shown").iterdir())
    assert status == 0 and file_names == [f"{n:04d}.jpg" for n in range(1, len(lines) + 1)]
    look = cv2.imread(str(stills / "look 1.png"))
    overlay = cv2.imread(str(tmp_path / "shown" / "0001.jpg"))
    assert overlay.shape[0] > look.shape[0] and overlay[2].max() < 60
    status, _, stderr = watch(capsys, stills, "--overlay", stills / "look 1.png")
    assert status == 2 and stderr.count("\n") == 1 and "pictures cannot be kept there" in stderr


def test_white_can_be_first(stills, capsys):
    _, lines, _ = watch(capsys, stills, "--rules", "chinese", "--to-play", "W")
    assert lines[0]["status"] != "legal" or lines[0]["player"] == "W"


def test_a_still_that_cannot_be_read_is_told_and_the_game_goes_on(stills, capsys, tmp_path):
    for path in stills.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "look 2.png").write_bytes(b"nothing")
    status, lines, err = watch(capsys, tmp_path, "--rules", "chinese")
    assert status == 3 and "look 2.png" in err
    assert [line["place"] for line in lines] == MOVES


@pytest.mark.parametrize("name", ["missing", "empty", "words.avi"])
def test_a_source_without_pictures_gets_one_sentence_and_2(capsys, tmp_path, name):
    (tmp_path / "empty").mkdir()
    (tmp_path / "words.avi").write_text("words")
    status, lines, err = watch(capsys, tmp_path / name)
    assert (status, lines) == (2, []) and err.count("\n") == 1 and name in err


def test_pictures_without_a_board_get_one_sentence_and_3(capsys, tmp_path):
    cv2.imwrite(str(tmp_path / "bare.png"), np.full((300, 400, 3), 90, np.uint8))
    status, lines, err = watch(capsys, tmp_path)
    assert (status, lines) == (3, []) and "no board found" in err


def filmed(path, pictures, rate):
    """A film of these pictures."""
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, pictures[0].shape[1::-1])
    for picture in pictures:
        film.write(picture)
    film.release()
    return path


@pytest.mark.parametrize("evening", sample([False, True], 1))
def test_a_film_with_a_picture_a_turn_is_told_to_be_given_as_stills(stills, capsys, tmp_path, evening):
    pictures = [cv2.imread(str(path)) for path in sorted(stills.iterdir())]
    film = filmed(tmp_path / "game.avi", pictures, 10)
    status, lines, err = watch(capsys, film, *(("--evening", tmp_path / "evening") if evening else ()))
    assert (status, lines) == (3, []) and "no board found" not in err
    assert "the board is seen, but never still for long enough" in err and "folder of stills" in err


def test_a_camera_whose_pictures_never_rest_is_told_so(camera, capsys, monkeypatch):
    monkeypatch.setattr(live, "STILL_SHOWN_S", 0.1)
    monkeypatch.setattr(live, "LEAST_LOOKS", 1)
    status, lines, err = watch(capsys, "97")
    assert (status, lines) == (3, []) and "never still for long enough; fix the camera" in err


@LONG
def test_a_film_under_a_lamp_that_flickers_is_read(stills, capsys, tmp_path):
    pictures = [cv2.imread(str(stills / f"look {number}.png")) for number in (1, 2)]
    rolled = [draw_bands(picture, number / 30, 0.2) for number, picture in enumerate(np.repeat(pictures, 20, axis=0))]
    status, lines, _ = watch(capsys, filmed(tmp_path / "game.avi", rolled, 30), "--rules", "chinese")
    assert status == 0 and [line["place"] for line in lines] == MOVES[:2]


@pytest.mark.parametrize("option", ["--sgf", "--jsonl"])
def test_a_record_that_cannot_be_written_is_one_sentence(stills, capsys, option):
    status, _, err = watch(capsys, stills, "--rules", "chinese", option, "/nowhere/at/all")
    assert status == 2 and err.count("\n") == 1


def test_an_unknown_rule_set_is_one_sentence(stills, capsys):
    status, lines, err = watch(capsys, stills, "--rules", "draughts")
    assert (status, lines) == (2, []) and "draughts" in err


HALF = 14
"""Photographs of the game that are watched in a short run."""


@pytest.mark.parametrize("extra", sample([[], ["--size", "13"]], 1))
def test_the_fixed_camera_game_is_recorded_move_by_move(capsys, tmp_path, extra):
    folder = photos("fixed-camera-13x13")
    sgf, images = tmp_path / "out.sgf", tmp_path / "images"
    images.mkdir()
    for number in range(28 if is_long_run() else HALF):
        (images / f"move_{number}.jpg").symlink_to(folder / "images" / f"move_{number}.jpg")
    status, lines, _ = watch(capsys, images, "--rules", "chinese", "--sgf", sgf, *extra)
    wanted, recorded_turns = (read_sgf(path.read_bytes(), "chinese")[1] for path in (folder / "game.sgf", sgf))
    assert status == 0 and len(wanted) == 27
    if not is_long_run():
        assert recorded_turns == wanted[: HALF - 1] and {line["status"] for line in lines} == {"legal"}
        return
    assert recorded_turns == wanted
    assert [line["status"] for line in lines] == ["legal"] * 26 + ["unfinished"]
    assert lines[-1]["points"] == ["L8"] == lines[-1]["captured"]


@pytest.fixture
def camera(stills, monkeypatch):
    """Camera 97: it gives the stills as pictures of now, one after the other, and is lost after them."""

    def opened(source, wanted, clock):
        assert source == "97"
        return live.Slideshow(open_source(str(stills)), wanted.rate, clock, paced=False)

    monkeypatch.setattr(live, "open_live", opened)


def test_a_camera_that_is_lost_ends_the_game_as_a_films_end_does(camera, capsys):
    status, lines, err = watch(capsys, "97", "--rules", "chinese")
    assert status == 0 and [line["place"] for line in lines] == MOVES
    assert err.splitlines()[0] == "shinpan: The recording has ended. Give another one, or a camera."
    assert f"{len(MOVES)} turns" in err.splitlines()[1]


def test_a_camera_that_gives_nothing_from_the_start_is_told(capsys, monkeypatch):
    monkeypatch.setattr(live, "open_live", lambda *_: Silent())
    status, lines, err = watch(capsys, "97")
    assert (status, lines) == (2, []) and err.startswith("shinpan: There is no /dev/video97")
    assert Silent.closed


class Silent:
    closed = False

    def newest(self, timeout):
        assert timeout == live.FIRST_PICTURE_TIMEOUT_S

    def close(self):
        Silent.closed = True


@pytest.mark.parametrize(
    ("camera", "said"),
    [
        ("97", "There is no /dev/video97"),
        ("/dev/video97", "There is no /dev/video97"),
        ("99999999999999999999", "There is no camera 99999999999999999999: they are numbered from 0 to 255."),
        ("/dev/null", "/dev/null is no camera."),
        ("", "No camera is named"),
        ("usb0", "usb0: there is no such camera, file or folder."),
    ],
)
def test_an_unusable_camera_is_told_in_one_sentence_alone(camera, said, capfd):
    assert main(["watch", camera]) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.startswith(f"shinpan: {said}") and err.count("\n") == 1


def test_a_still_that_is_skipped_is_told_with_its_reason(capsys, tmp_path):
    table = Table(club_look(3, 9, 1280, 720))
    empty = Scene(tuple(map("".join, ROWS9)))
    for number, scene in enumerate((empty, replace(empty, hand=Hand((0.5, 0.5), "bottom", 1.0)), empty)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), table.draw(scene, number).pixels)
    status, _, err = watch(capsys, tmp_path, "--rules", "chinese")
    assert status == 0
    assert err.splitlines()[0] == "shinpan: 1.png: skipped, because a hand or something else lies over the board."


PICTURES_A_TURN = 12
UNEVEN_MS = [33 if number % 3 else 150 for number in range((len(MOVES) + 1) * PICTURES_A_TURN)]
"""The time from one picture to the next of a phone whose rate falls in dim light, in milliseconds."""


@pytest.mark.parametrize(
    ("name", "write", "pressed"),
    sample(
        [
            (*film, pressed)
            for pressed in (True, False)
            for film in (("game.webm", write_matroska), ("game.mp4", write_mp4))
        ],
        1,
    ),
)
def test_turns_of_an_uneven_film_are_judged_at_their_own_times(stills, capsys, tmp_path, name, write, pressed):
    looks = [cv2.imread(str(path)) for path in sorted(stills.iterdir())]
    stamps = [0, *accumulate(UNEVEN_MS)][:-1]
    film = write(tmp_path / name, [look for look in looks for _ in range(PICTURES_A_TURN)], stamps)
    begun = [stamps[PICTURES_A_TURN * turn] / 1000 for turn in range(1, len(MOVES) + 1)]
    presses = [{"t": t + 0.7, "side": 1 + turn % 2, "button": "done"} for turn, t in enumerate(begun)]
    (tmp_path / "presses.jsonl").write_text("".join(json.dumps(press) + "\n" for press in presses))
    extra = ("--presses", tmp_path / "presses.jsonl", "--black-lid", "1") if pressed else ()
    status, lines, _ = watch(capsys, film, "--rules", "chinese", *extra)
    assert (status, [(line["place"], line["status"]) for line in lines]) == (0, [(move, "legal") for move in MOVES])
    assert all(0 <= line["t"] - t < 0.9 for line, t in zip(lines, begun, strict=True))


def test_a_gap_in_a_film_is_told(stills, capsys, tmp_path):
    look = cv2.imread(str(stills / "look 0.png"))
    film = write_matroska(tmp_path / "game.mkv", [look] * 4, [0, 100, 61_100, 61_200])
    _, _, err = watch(capsys, film, "--rules", "chinese")
    assert "no picture from 0:00:00 to 0:01:01" in err
