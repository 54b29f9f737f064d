"""Troubles of a table in time, drawn frame by frame and followed by observer and referee: stones moved about, knocks,
lamps, an exposure that drifts, frames lost, stones beside the board, and what hangs over it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from math import radians

import cv2
import numpy as np
import pytest

from referee.game.board import Colour, board_of
from referee.game.ruling import Ruling
from referee.game.turns import Placement
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.table import Table as GameTable
from tests.support.simulator.unrest import gain_light
from tests.support.tiers import sample
from vision.camera.frame import Frame, Image
from vision.render.looks import club_look
from vision.render.scene import Appearance, Hand, LidStone, Scene
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]

RATE = 10
LOOK = club_look(4, 9, 640, 360)
SETTLED = 7
"""Frames after which a still table has been read."""
MOVES = ("C3", "G7", "G3", "C7", "E5", "E6")
Picture = Callable[[Image, float], Image]


def rows(*moves: str) -> tuple[str, ...]:
    """The board after these placements, which capture nothing."""
    lines = [["."] * 9 for _ in range(9)]
    for number, move in enumerate(moves):
        row, col = divmod(board_of(9).point(move), 9)
        lines[row][col] = "XO"[number % 2]
    return tuple(map("".join, lines))


class Sitting:
    """A table that is shown frame by frame, and what the referee rules."""

    def __init__(self) -> None:
        self.observer, self.table = BoardTracker(TrackerConfig()), Table(LOOK)
        self.referee = GameTable(Setup(rule_set("chinese"), size=(9, 9)).record())
        self.rulings: list[Ruling] = []
        self.frames = self.looks = 0
        self.lids: tuple[tuple[LidStone, ...], tuple[LidStone, ...]] = ((), ())
        self.altered: Picture = lambda picture, t: picture

    def show(self, rows: tuple[str, ...], frames: int = SETTLED, hand: Hand | None = None) -> int:
        """So many frames of a board; how many looks at the table came of them."""
        before = self.looks
        for _ in range(frames):
            t = self.frames / RATE
            picture = self.altered(self.table.draw(Scene(rows, self.lids, hand), self.frames).pixels, t)
            observation = self.observer.see(Frame(picture, t))
            self.frames += 1
            if observation is not None:
                self.looks += 1
                self.rulings += self.referee.receive(observation).rulings
        return self.looks - before

    def play(self, *moves: str, of: tuple[str, ...] = MOVES) -> None:
        """A hand comes with each of these moves, the next ones of the game `of`, and leaves."""
        for move in moves:
            now = rows(*of[: of.index(move) + 1])
            self.show(now, 2, Hand((0.5, 0.5), "bottom", 1.0))
            self.show(now)

    def change(self, look: Appearance) -> None:
        """The table looks another way from now on."""
        self.table = Table(look)

    @property
    def said(self) -> list[tuple[str, str | None]]:
        """Every ruling: its status, and the point that was played."""
        board = board_of(9)
        return [
            (r.status.value, board.name(r.move.point) if isinstance(r.move, Placement) else None) for r in self.rulings
        ]


def legal(*moves: str) -> list[tuple[str, str | None]]:
    return [("legal", move) for move in moves]


@pytest.fixture(scope="module")
def begun_sitting() -> Sitting:
    sat = Sitting()
    sat.show(rows())
    sat.play(*MOVES[:4])
    assert sat.said == legal(*MOVES[:4])
    return sat


@pytest.fixture
def sitting(begun_sitting: Sitting) -> Sitting:
    """A table after four moves."""
    return deepcopy(begun_sitting)


@pytest.mark.long
@pytest.mark.parametrize(("stone", "to"), sample([("C7", "C6"), ("C7", "F2"), ("C3", "D3"), ("C3", "J9")], 1))
def test_play_goes_on_once_a_slid_stone_is_back(sitting, stone, to):
    moved = tuple(to if move == stone else move for move in MOVES[:4])
    sitting.show(rows(*moved), 2, Hand((0.5, 0.5), "bottom", 1.0))
    sitting.show(rows(*moved))
    (ruling,) = sitting.rulings[4:]
    assert ruling.status.value == "unexplained"
    assert {board_of(9).name(point) for point in ruling.points} == {stone, to}
    sitting.show(rows(*MOVES[:4]))
    sitting.play(*MOVES[4:])
    assert sitting.said[5:] == legal(*MOVES[4:])


def test_a_stone_slid_at_once_and_played_on_is_corrected(sitting):
    slid = (*MOVES[:3], "C6", *MOVES[4:])
    sitting.show(rows(*slid[:4]), 2, Hand((0.5, 0.5), "bottom", 1.0))
    sitting.show(rows(*slid[:4]))
    sitting.play(*MOVES[4:], of=slid)
    assert [line for line in sitting.said if line[0] == "legal"][4:] == legal("C6", *MOVES[4:])
    assert sitting.referee.record.number == len(MOVES)


@pytest.mark.parametrize(
    ("degrees", "across", "down"), sample([(-4.0, 0.03, 0.02), (0.0, 0.004, 0.003), (0.3, 0.01, -0.01)], 1)
)
def test_a_knocked_camera_finds_the_board_again_between_two_moves(sitting, degrees, across, down):
    """By a fifth of a cell, by half a cell, and by more than one with a turn."""
    camera = LOOK.camera
    shift = camera.shift[0] + across, camera.shift[1] + down
    look = replace(LOOK, camera=replace(camera, roll=camera.roll + radians(degrees), shift=shift))
    sitting.change(look)
    sitting.show(rows(*MOVES[:4]), 12)
    sitting.play(*MOVES[4:])
    assert sitting.said == legal(*MOVES)
    away = np.array(sitting.observer.grid.corners) - np.array(sitting.table.view.grid.corners)
    assert np.linalg.norm(away, axis=1).max() < 0.1 * sitting.observer.grid.cell()


@pytest.mark.long
def test_a_pushed_board_is_found_again_while_the_lids_stay(sitting):
    camera = LOOK.camera
    across = 0.6 * camera.focal / camera.distance / LOOK.width
    moved = replace(camera, shift=(camera.shift[0] + across, camera.shift[1]))
    sitting.change(replace(LOOK, camera=moved, lids_moved=(-0.6, 0.0)))
    sitting.play(*MOVES[4:])
    assert sitting.said == legal(*MOVES)


@pytest.mark.long
def test_a_lamp_switched_off_and_on_is_no_ruling(sitting):
    dim = replace(LOOK, lamps=(), finish=replace(LOOK.finish, exposure=0.5))
    for move, look in zip(MOVES[4:], (dim, LOOK), strict=True):
        sitting.change(look)
        assert sitting.show(rows(*MOVES[: MOVES.index(move)]), 12) > 0
        sitting.play(move)
    assert sitting.said == legal(*MOVES)


@pytest.mark.long
@pytest.mark.parametrize("step", sample([-0.02, 0.02], 1))
def test_an_exposure_that_drifts_hides_nothing(sitting, step):
    start = sitting.frames / RATE
    sitting.altered = lambda picture, t: gain_light(picture, [np.exp(step * RATE * (t - start))] * 3)
    sitting.play(*MOVES[4:])
    assert sitting.said == legal(*MOVES)


@pytest.mark.long
def test_a_lamp_of_another_colour_hides_nothing(sitting):
    sitting.altered = lambda picture, t: gain_light(picture, (0.65, 1.0, 1.2))
    sitting.play(*MOVES[4:])
    assert sitting.said == legal(*MOVES)


def test_lost_frames_lose_no_move_and_doubts_are_marked(sitting):
    sitting.frames += 600
    sitting.show(rows(*MOVES))
    sitting.frames += 600
    sitting.show(rows(*MOVES, "G5", "B2", "B8", "H8"))
    assert {line[1] for line in sitting.said} == {*MOVES, "G5", "B2", "B8", "H8"}
    assert [ruling.order for ruling in sitting.rulings] == [None] * 6 + ["uncertain"] * 4


@pytest.mark.long
def test_stones_beside_the_board_are_none_of_the_game(sitting):
    """Two on the table beyond the lid, one half upon the board's edge."""
    outward = -1.0 if LOOK.lid_side == "left" else 1.0
    spots = ((1.6 * outward, 0.2), (1.5 * outward, -1.2), (-1.15 * outward, 1.0))
    sitting.lids = (tuple(LidStone(x, y, 0, Colour.BLACK) for x, y in spots), ())
    sitting.show(rows(*MOVES[:4]), 2, Hand((0.0, 0.5), "top", 1.0))
    assert sitting.show(rows(*MOVES[:4])) > 0
    sitting.play(*MOVES[4:])
    assert sitting.said == legal(*MOVES)


def test_an_arm_that_rests_is_held_back(sitting):
    before = sitting.said
    assert sitting.show(rows(*MOVES[:5]), 12, Hand((0.4, 0.4), "bottom", 1.0)) == 0
    assert sitting.said == before
    sitting.show(rows(*MOVES[:5]))
    assert sitting.said == legal(*MOVES[:5])


@pytest.mark.long
def test_a_head_over_the_board_is_held_back(sitting):
    def head(picture: Image, t: float) -> Image:
        centre = (picture.shape[1] // 2, int(0.2 * picture.shape[0]))
        hair = cv2.ellipse(picture.copy(), centre, (110, 150), 0, 0, 360, (25, 35, 50), -1, cv2.LINE_AA)
        return np.asarray(cv2.GaussianBlur(hair, (0, 0), 1.5), np.uint8)

    sitting.altered = head
    assert sitting.show(rows(*MOVES[:5]), 25) == 0
    sitting.altered = lambda picture, t: picture
    sitting.show(rows(*MOVES[:5]))
    assert sitting.said == legal(*MOVES[:5])


@pytest.mark.long
def test_a_shadow_brings_no_ruling(sitting):
    def shaded(picture: Image, t: float) -> Image:
        shade = np.ones(picture.shape[:2], np.float32)
        cv2.ellipse(shade, (picture.shape[1] // 2, 0), (190, 300), 0, 0, 360, 0.4, -1)
        return np.asarray(picture * cv2.GaussianBlur(shade, (0, 0), 12)[..., None], np.uint8)

    sitting.altered = shaded
    sitting.show(rows(*MOVES[:4]), 12)
    assert sitting.said == legal(*MOVES[:4])
    sitting.altered = lambda picture, t: picture
    sitting.show(rows(*MOVES[:4]), 4)
    sitting.play(*MOVES[4:])
    assert sitting.said == legal(*MOVES)
