"""Stills in which stones change as much as a hand's tip, and hands that change little but a point: drawn tables."""

from __future__ import annotations

import random

import numpy as np
import pytest

from referee import Observation
from tests.support.tiers import LONG, sample
from tests.support.vision.tables import club_table, shot, table_of
from vision.camera.frame import Frame
from vision.render.looks import club_look
from vision.render.scene import Hand, Nudge, Scene
from vision.render.table import Table
from vision.tracking.motion import board_view, has_hand
from vision.tracking.tracker import BoardTracker, TrackerConfig
from vision.training.drawn_looks import random_look
from vision.training.rendered import relight_look

pytestmark = pytest.mark.usefixtures("lone_board")

Stones = dict[tuple[int, int], str]


def rows(stones: Stones, size: int) -> tuple[str, ...]:
    return tuple("".join(stones.get((row, col), ".") for col in range(size)) for row in range(size))


def turn_rows(of: tuple[str, ...], quarters: int) -> tuple[str, ...]:
    return tuple("".join(row) for row in np.rot90([list(row) for row in of], quarters))


def table_in(light: str, seed: int, size: int) -> Table:
    """A club's table in such a light, in good light if it has no name."""
    look = club_look(seed, size, 1280, 720)
    return table_of(relight_look(look, light, np.random.default_rng([seed, 23])) if light else look)


def looks(table: Table, scenes: list[Scene], again: int = 1) -> tuple[BoardTracker, list[Observation | None]]:
    """Return the observations of stills of these scenes, the last one so many times."""
    observer, all_scenes = BoardTracker(TrackerConfig(stills=True)), [*scenes, *scenes[-1:] * (again - 1)]
    frames = (Frame(shot(table, scene, number).pixels, float(number)) for number, scene in enumerate(all_scenes))
    return observer, [observer.see(frame) for frame in frames]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "size", "quarters"), sample([(206, 19, 1), (232, 13, 0), (232, 13, 3)], 1))
def test_a_capture_beside_a_new_stone_at_the_edge_is_no_hand(seed: int, size: int, quarters: int) -> None:
    """Two stones are captured at the edge by one beside them, and the others are pushed a little: all of it changes
    more than a hand must, in one piece that reaches beyond the board."""
    base_stones: Stones = {(0, 2): "X", (1, 3): "X", (1, 4): "X", (1, 2): "O", (5, 5): "X", (6, 2): "O"}
    captured_stones: Stones = {(0, 3): "O", (0, 4): "O"}
    before, after = (turn_rows(rows(base_stones | more, size), quarters) for more in (captured_stones, {(0, 5): "X"}))
    chance = random.Random(seed)
    lies = [(row, col) for row, col in np.ndindex(size, size) if before[row][col] == after[row][col] != "."]
    pushed = tuple(Nudge(row, col, chance.gauss(0, 0.1), chance.gauss(0, 0.1)) for row, col in lies)
    table = table_of(random_look(np.random.default_rng([seed, 91]), size, 1280, 720))
    observer, (first, second) = looks(table, [Scene(before), Scene(after, nudges=pushed)])
    assert first is not None and observer.grid is not None
    then, now = (shot(table, scene).pixels for scene in (Scene(before), Scene(after, nudges=pushed)))
    assert has_hand(board_view(now, observer.grid), board_view(then, observer.grid)), "the case is none"
    assert second is not None and not observer.covered


CORNER = (
    ".X.XXOXXX",
    "XXX.OOOOX",
    "XXOX.OOX.",
    ".X.O.....",
    "XXXXOO.O.",
    "OO.O.OX..",
    ".OOOX....",
    "..OO.OX.X",
    "..XOOXXXX",
)
TAKEN = (".X.XXO...", "XXX.OOOO.", "XXOX.OOXO", *CORNER[3:])


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample([1000, 1004, 1007], 1))
def test_a_corner_full_of_captured_stones_is_no_hand(seed: int) -> None:
    """Four stones are taken at once: beyond the edge more changes than their own places, for the light there is told by
    what lies beside it."""
    observer, (first, second) = looks(club_table(seed, 9), [Scene(CORNER), Scene(TAKEN)])
    assert first is not None and second is not None and not observer.covered


MIDDLE = ("....X.OX.", "......X..", "....X.O..", ".X.......", ".OO.O....", "..XO.....", ".X...X...", ".O.......")
THERE = (*MIDDLE, ".........")


@pytest.mark.slow
def test_a_hand_like_the_table_that_hides_one_stone_is_a_hand() -> None:
    """Its skin is like the wood: beyond the board it is seen, and over it only the stone that it hides."""
    hand = Hand((0.314, 0.881), "left", 0.795)
    observer, observations = looks(club_table(6003, 9), [Scene(THERE), Scene(THERE, hand=hand)])
    assert observations[0] is not None and observations[1] is None and observer.covered


@pytest.mark.slow
def test_a_pale_hand_just_over_the_edge_is_no_white_stone() -> None:
    hand = Hand((0.324, 0.365), "left", 0.415)
    there = rows({(2, 10): "X", (13, 1): "O", (7, 8): "X"}, 19)
    table = table_of(random_look(np.random.default_rng([6008, 91]), 19, 1280, 720))
    observer, observations = looks(table, [Scene(there), Scene(there, hand=hand)])
    assert observations[0] is not None and observations[1] is None and observer.covered


@pytest.mark.slow
def test_what_lies_beside_a_new_stone_in_two_stills_hides_nothing() -> None:
    """The same hand left there, as a bag might be: the second still is a look."""
    scenes = [Scene(THERE), Scene(THERE, hand=Hand((0.314, 0.881), "left", 0.795))]
    observer, observations = looks(club_table(6003, 9), scenes, again=2)
    assert observations[1] is None and observations[2] is not None and not observer.covered


LEFT: list[tuple[int, str, int, Stones, tuple[int, int], str]] = [
    (
        103,
        "glare",
        13,
        {(0, 3): "X", (3, 9): "X", (5, 10): "O", (7, 1): "X", (10, 6): "X", (11, 1): "X"},
        (1, 11),
        "top",
    ),
    (171, "dim", 13, {(2, 2): "O", (2, 8): "X", (2, 12): "X", (3, 12): "X", (6, 4): "X", (9, 7): "X"}, (1, 2), "top"),
    (181, "", 9, {(3, 0): "X", (4, 4): "O", (4, 5): "X", (5, 3): "O", (7, 3): "O"}, (6, 5), "bottom"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "light", "size", "there", "new", "side"), sample(LEFT, 1))
def test_a_hand_that_was_hardly_seen_is_no_hand_once_it_has_left(
    seed: int, light: str, size: int, there: Stones, new: tuple[int, int], side: str
) -> None:
    """The board was read with the hand over it, and differs from that by a hand when it is gone."""
    table = table_in(light, seed, size)
    before, after = rows(there, size), rows(there | {new: "X"}, size)
    hand = Hand((new[1] / (size - 1), new[0] / (size - 1)), side, 1.0)
    observer, observations = BoardTracker(TrackerConfig(lids=False)), []
    for number in range(62):
        scene = Scene(before) if number < 20 else Scene(after, hand=hand if number < 50 else None)
        observations.append(observer.see(Frame(shot(table, scene, number).pixels, number / 10)))
    assert any(observations[20:50]), "the case is none"
    assert any(observations[50:])


BARE = ("." * 9, "...X.....", *("." * 9,) * 7)


@LONG
@pytest.mark.parametrize("seed", sample([30132, 30174], 1))
def test_looks_before_and_after_a_hand_was_seen_do_not_agree(seed: int) -> None:
    """In little light a hand like the table is a hand in some frames and none in others."""
    table = table_in("dim", seed, 9)
    observer, covered, agreed = BoardTracker(TrackerConfig(lids=False)), [], []
    for number in range(40):
        scene = Scene(BARE, hand=Hand((0.6, 0.6), "bottom", 1.0) if number >= 20 else None)
        observation = observer.see(Frame(shot(table, scene, number).pixels, number / 10))
        covered.append(observer.covered)
        agreed.append(observation is not None)
    assert any(covered[20:]) and any(agreed[:20]), "the case is none"
    assert not any(now and before for now, before in zip(agreed[1:], covered, strict=False))
