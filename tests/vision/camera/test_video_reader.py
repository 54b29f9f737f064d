"""A recording that is sampled only as often as needed, and can be resumed at any frame."""

from itertools import islice

import cv2
import numpy as np
import pytest

from referee.game.board import board_of
from referee.sgf.records import read_sgf
from tests.support.vision.films import write_matroska, write_mp4
from vision.camera.recordings import open_source
from vision.camera.video_reader import Film, next_mark
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table

pytestmark = pytest.mark.slow


RATE, WIDTH, HEIGHT = 10, 960, 540


STAYS = 9
"""Frames that each position lies there."""


FIRST = ["D4", "F6", "D6", "F4", "E5", "G7"]


SECOND = ["K10", "D4", "K4", "D10", "G7"]


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """Six moves on 9 lines, the last taken back for another; the table; then five on 13 lines."""
    path = tmp_path_factory.mktemp("film") / "evening.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (WIDTH, HEIGHT))
    for size, lines in ((9, [FIRST[:k] for k in range(7)] + 2 * [[*FIRST[:5], "C3"]]), (13, lines_of(SECOND))):
        table = Table(club_look(4, size, WIDTH, HEIGHT))
        for number, line in enumerate(lines):
            pictures = [table.draw(Scene(rows(line, size)), 3 * number + k).pixels for k in range(3)]
            for k in range(STAYS + 10 * (not line)):
                writer.write(pictures[k % 3])
    writer.release()
    return path


def lines_of(moves):
    return [moves[:k] for k in range(len(moves) + 1)]


def rows(moves, size):
    board = board_of(size)
    held = {board.point(move): "XO"[number % 2] for number, move in enumerate(moves)}
    return tuple("".join(held.get(row * size + col, ".") for col in range(size)) for row in range(size))


def moves(path):
    setup, turns = read_sgf(path.read_bytes())
    board = setup.record().position.board
    return [board.name(turn.point) for turn in turns]


def test_a_film_is_taken_up_at_the_frame_after_the_mark(film):
    whole = list(islice(Film(open_source(str(film))).frames(), 12))
    rest = list(islice(Film(open_source(str(film))).frames(next_mark(whole[5])), 6))
    assert [seen.number for seen in rest] == [seen.number for seen in whole[6:]]
    assert all((one.look.pixels == other.look.pixels).all() for one, other in zip(rest, whole[6:], strict=True))


@pytest.mark.parametrize(("name", "write"), [("a.mp4", write_mp4), ("a.webm", write_matroska)])
@pytest.mark.parametrize("at", [1, 7, 20])
def test_an_uneven_film_of_a_table_at_rest_is_taken_up_at_its_own_time(tmp_path, name, write, at):
    stamps = [33 * n if n < 30 else 990 + 100 * (n - 30) for n in range(60)]
    path = write(tmp_path / name, [np.full((64, 96, 3), 90, np.uint8)] * 60, stamps)
    whole = list(Film(open_source(str(path))).frames())
    assert [seen.t for seen in whole] == pytest.approx([stamps[seen.number] / 1000 for seen in whole])
    rest = list(Film(open_source(str(path))).frames(next_mark(whole[at])))
    assert [(seen.number, seen.t) for seen in rest] == [(seen.number, seen.t) for seen in whole[at + 1 :]]
