"""Stones of any colour at drawn tables: shown, learnt, refused where they cannot be told apart, and read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee import COLOURS, board_of
from tests.support.tiers import sample
from tests.support.vision.tables import shot, table_of
from tests.support.wording import english
from vision.calibration.model import Calibration, parse_calibration
from vision.camera.frame import Frame
from vision.render.looks import club_look, with_colours
from vision.render.scene import Scene
from vision.render.table import Table
from vision.tracking.colour_enrolment import (
    ColourEnrolment,
    ColourReader,
    StonePalette,
    enrolment_points,
    sample_colours,
)
from vision.tracking.tracker import BoardTracker, TrackerConfig
from vision.validation import InvalidValue

pytestmark = pytest.mark.usefixtures("lone_board")

SIZE = 9


def drawn_table(which: int = 0, alike: bool = False) -> Table:
    look = with_colours(club_look(5, SIZE, 1280, 720), which)
    if alike:
        look = replace(look, stones=(*look.stones[:3], look.stones[2], *look.stones[4:]))
    return table_of(look)


def shown_rows(players: int, swapped: tuple[int, int] | None = None) -> tuple[str, ...]:
    """The players' stones where they are to be shown. swapped: on this point lies that player's stone."""
    cells = ["."] * SIZE**2
    for player, place in zip(COLOURS, enrolment_points(SIZE, players), strict=False):
        for point in place:
            cells[point] = player.value
    if swapped is not None:
        cells[swapped[0]] = COLOURS[swapped[1]].value
    return tuple("".join(cells[row * SIZE : (row + 1) * SIZE]) for row in range(SIZE))


EMPTY = ("." * SIZE,) * SIZE


def looks(table: Table, rows: tuple[str, ...], frame: int = 0):
    return sample_colours(shot(table, Scene(rows), frame).pixels, table.view.grid)


def taught(table: Table, players: int) -> ColourEnrolment:
    teaching = ColourEnrolment(SIZE, players)
    for frame in range(2):
        teaching.take_samples(looks(table, shown_rows(players), frame))
    return teaching


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("size", [9, 13, 19])
def test_every_player_has_a_row_of_their_own(size, players):
    places = enrolment_points(size, players)
    assert len({point for place in places for point in place}) == 3 * players
    assert len({point // size for place in places for point in place}) == players
    assert not {0, size - 1} & {point % size for place in places for point in place}


def test_a_board_too_small_for_so_many_is_refused():
    with pytest.raises(ValueError, match="no room"):
        enrolment_points(5, 6)
    assert len(enrolment_points(5, 5)) == 5


def test_what_is_to_be_shown_is_said():
    assert english(ColourEnrolment(SIZE, 3).instruction) == (
        "Show the stones, and leave all other points empty:"
        " Black on C8, E8 and G8, White on C5, E5 and G5 and Red on C2, E2 and G2."
    )


@pytest.mark.parametrize("which", sample(range(3), 1))
def test_shown_stones_are_learnt_and_then_read_as_whose_they_are(which):
    table, teaching = drawn_table(which), taught(drawn_table(which), 6)
    assert teaching.palette is not None and english(teaching.instruction) == (
        "The stones are known now. Please clear the board."
    )
    teaching.take_samples(looks(table, EMPTY))
    assert teaching.instruction is None
    rng = np.random.default_rng(which)
    letters = np.array(list(".BWRGYV"))
    true = rng.choice(letters, (SIZE, SIZE), p=[0.4] + [0.1] * 6)
    read = ColourReader(teaching.palette).read(table.draw(Scene(tuple(map("".join, true)))).pixels, table.view.grid)
    sure = read.max(axis=-1) >= 0.98
    assert (letters[read.argmax(axis=-1)] == true)[sure].all() and sure.mean() > 0.9


def test_one_look_is_not_enough_and_a_missing_stone_is_asked_for_again():
    table, teaching = drawn_table(), ColourEnrolment(SIZE, 3)
    before = teaching.instruction
    teaching.take_samples(looks(table, shown_rows(3)))
    assert teaching.palette is None and teaching.instruction == before
    some = list(shown_rows(3))
    some[1] = some[1].replace("B", ".", 1)
    teaching.take_samples(looks(table, tuple(some)))
    teaching.take_samples(looks(table, shown_rows(3)))
    assert teaching.palette is None, "the two looks have to follow each other"


def test_stones_that_cannot_be_told_apart_are_refused_at_once():
    teaching = taught(drawn_table(alike=True), 4)
    assert teaching.palette is None
    assert english(teaching.instruction) == (
        "Red's and Green's stones cannot be told apart in this light: use other stones, or change the lamp."
    )


def test_a_row_of_two_colours_is_refused():
    table, teaching = drawn_table(), ColourEnrolment(SIZE, 3)
    other = shown_rows(3, swapped=(enrolment_points(SIZE, 3)[2][1], 1))
    for frame in range(2):
        teaching.take_samples(looks(table, other, frame))
    place = ", ".join(board_of(SIZE).name(point) for point in enrolment_points(SIZE, 3)[2][:2])
    assert english(teaching.instruction).startswith(f"The stones on {place} and ") and "Red" in english(
        teaching.instruction
    )


def test_nothing_is_observed_before_clearing_and_colours_stay():
    table = drawn_table()
    observer = BoardTracker(TrackerConfig(stills=True, players=3))
    last_rows = (*EMPTY[:4], "....R....", *EMPTY[5:])
    scenes = [EMPTY, shown_rows(3), shown_rows(3), shown_rows(3), EMPTY, EMPTY, last_rows]
    observations = [observer.see(Frame(shot(table, Scene(rows), n).pixels, float(n))) for n, rows in enumerate(scenes)]
    assert [observation is None for observation in observations] == [True, True, True, True, False, False, False]
    middle = observations[-1].points[SIZE**2 // 2]
    assert len(middle) == 4 and middle.index(max(middle)) == 3
    calibration = parse_calibration(observer.place.to_json())
    assert calibration.stones == observer.stone_palette.palette is not None
    again = StonePalette(3, calibration.stones)
    assert not again.needs_stones and again.instruction is None
    assert StonePalette(4, calibration.stones).needs_stones, "for four players other stones have to be shown"


def test_at_a_table_of_black_and_white_stones_nothing_is_shown():
    stone_palette = StonePalette(None, None)
    assert not stone_palette.needs_stones and stone_palette.reader is None and stone_palette.palette is None


@pytest.mark.parametrize("spoil", ["1e400", "NaN", "0", '"red"'])
def test_colours_spoiled_by_hand_are_refused_in_a_sentence(spoil):
    teaching = taught(drawn_table(), 2)
    place = Calibration(drawn_table().view.grid, stones=teaching.palette)
    first = teaching.palette.stones[0]
    number = first.spread[0][0] if spoil == "0" else first.mean[0]
    text = place.to_json().replace(str(number), spoil)
    assert text != place.to_json()
    with pytest.raises(InvalidValue, match="stones"):
        parse_calibration(text)
