"""Points that are nobody's are steps of a count; a dame that needs an answer whoever fills it costs a point."""

from __future__ import annotations

import pytest

from referee.game.diagram import position_of
from referee.score import area, territory
from referee.score.neutral import seki_eyes, seki_points
from tests.support.wording import english

CLOSED = ("..XO..", "..XO..", "..XO..", "..XO..", "..XO..", "..XO..")
ONE_DAME = ("..XO..", "..XO..", "..X.O.", "..XO..", "..XO..", "..XO..")
OPEN_BORDER = ("..XO..", "..XO..", "..X...", "..XO..", "..XO..", "..XO..")
EMPTY = "." * 9
NEEDS_ANSWER = (
    "...XO....",
    "...XO....",
    "...XOO...",
    "...XXXO..",
    "...X.O.O.",
    "...XXXO..",
    "...XOO...",
    "...XO....",
    "...XO....",
)


def _count_with_words(rows: tuple[str, ...], method: str) -> tuple[str, list[str]]:
    """Return the result, and what the steps about neutral points and answers say."""
    position = position_of(rows)
    count = area.count(position) if method == "area" else territory.count(position, (0, 0))
    assert isinstance(count.result, str)
    return count.result, [english(step.message) for step in count.steps if step.act in ("neutral", "answer")]


@pytest.mark.parametrize("method", ["area", "territory"])
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (CLOSED, []),
        (ONE_DAME, ["1 point is nobody's: more than one colour touches it, at D4."]),
        (OPEN_BORDER, ["13 points are nobody's: more than one colour touches them, from E6."]),
    ],
    ids=["closed", "dame", "open"],
)
def test_points_that_are_nobodys_are_a_step(rows: tuple[str, ...], said: list[str], method: str) -> None:
    assert _count_with_words(rows, method)[1] == said


def test_a_dame_that_needs_an_answer_is_told_by_territory() -> None:
    result, sentences = _count_with_words(NEEDS_ANSWER, "territory")
    assert result == "0"
    assert sentences[1:] == ["Once E5 is filled, White must answer at G5: a point less."]
    assert len(_count_with_words(NEEDS_ANSWER, "area")[1]) == 1
    count = territory.count(position_of(NEEDS_ANSWER), (0, 0))
    assert count.counts["W"] == {"territory": 28, "prisoners": 0, "points": 27, "answers": 1}


@pytest.mark.parametrize(
    ("rows", "answers"),
    [
        # White who fills E5 and E4 has no stone in atari: who is first decides.
        ((*NEEDS_ANSWER[:5], "...X.XO..", *NEEDS_ANSWER[6:]), ["White may have to answer at G5"]),
        # One stone on E5 threatens both chains, or saves one.
        (
            (*[EMPTY] * 3, ".XXOOXOO.", ".X.X.O.O.", ".XXOOXOO.", *[EMPTY] * 3),
            ["Black may have to answer at C5", "White may have to answer at G5"],
        ),
        # White who fills E5 is connected.
        ((*NEEDS_ANSWER[:2], "...XO....", "...XOOO..", *NEEDS_ANSWER[4:]), []),
    ],
    ids=["two dame", "both", "connected"],
)
def test_no_point_is_taken_off_where_who_fills_the_dame_decides(rows: tuple[str, ...], answers: list[str]) -> None:
    _, sentences = _count_with_words(rows, "territory")
    assert [one.partition(", ")[2] for one in sentences[1:]] == [
        f"{one}. No point is taken off for that." for one in answers
    ]
    assert "answers" not in str(territory.count(position_of(rows), (0, 0)).counts)


def test_a_liberty_in_an_open_border_is_no_dame() -> None:
    opened = (*NEEDS_ANSWER[:2], "...X.....", "...XXXO..", "...XXO.O.", *NEEDS_ANSWER[5:])
    assert len(_count_with_words(opened, "territory")[1]) == 1


SEKI = (".O.OXX.OOX.X.", ".O.OXX.OOX.X.")
"""The chains on either side of G1 and G2 have no other liberties."""


@pytest.mark.parametrize(
    ("rows", "points"),
    [
        (SEKI, ["G2", "G1"]),
        ((".O.OXX.OO.X.X.", ".O.OXX.OOXX.X."), ["G2", "G1"]),
        ((".O.OX.X.O.OX.X.", ".O.OXXX.OOOX.X."), ["H2", "H1"]),
        ((".X.O.",) * 4, []),
        (OPEN_BORDER, []),
        (NEEDS_ANSWER, []),
    ],
    ids=["two liberties", "a dame outside", "an eye each", "dame between living chains", "open border", "an answer"],
)
def test_points_of_a_seki_are_those_that_chains_of_both_live_by(rows, points):
    position = position_of(rows)
    assert position.board.names(seki_points(position)) == points


def test_eyes_in_seki_are_those_of_the_chains_that_live_by_it():
    eyes = position_of((".O.OX.X.O.OX.X.", ".O.OXXX.OOOX.X."))
    assert eyes.board.names(seki_eyes(eyes)) == ["F2", "K2"]
    assert not seki_eyes(position_of(SEKI))
