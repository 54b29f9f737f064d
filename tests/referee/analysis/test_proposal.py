"""The proposal of the dead stones: what is proved, what is likely, and what is left open."""

from __future__ import annotations

import random

import pytest

from referee.analysis import proposal
from referee.analysis.proposal import Ground, Proposal, propose
from referee.game.board import Colour, Position, board_of
from referee.game.diagram import position_of

DEAD_STONE = (".X.XO.O", "XXXXOOO", ".OXXO.O", "..XXOOO", "XXXXO..", "...XO..", "...XO..")
SEKI = ("X.OX.XO", "X.OXXXO", "XXOX.XO", "OOXXXXO", ".OOOOOO", "OO.O...", ".......")


def proposed(rows: tuple[str, ...]) -> tuple[Position, Proposal]:
    """Return a position and its proposal."""
    position = position_of(rows)
    return position, propose(position.board, (position.stones[0], position.stones[1]))


def test_what_is_dead_between_living_walls_is_proved() -> None:
    position, found = proposed(DEAD_STONE)
    stone = position.board.mask(["B5"])
    assert found.ended and found.dead == stone and not found.uncertain and found.proved == position.occupied
    assert found.ground_of(stone) is Ground.PROVED and Proposal(1, 0, 0, ()).ground_of(1) is Ground.LIKELY


def test_chains_in_seki_are_not_dead() -> None:
    assert proposed(SEKI)[1].dead == 0


@pytest.mark.parametrize(
    "rows", [(".....", ".....", "..XO.", ".....", "....."), (".....", "..XO.", "..XOO", "...X.", ".....")]
)
def test_nothing_is_likely_dead_before_play_has_ended(rows: tuple[str, ...]) -> None:
    """The board is anybody's, or White would have no stone left."""
    position, found = proposed(rows)
    assert not found.ended and not found.dead and found.uncertain & position.of(Colour.WHITE)


def test_a_stone_at_an_open_border_is_not_taken_as_dead() -> None:
    """Lifting D5 would leave points that both colours touch, and give Black a prisoner."""
    rows = (
        "....OX...",
        "....OX...",
        ".....X...",
        "..OXXX...",
        ".O.OXX...",
        "..OXXX...",
        "...OOX...",
        "....OX...",
        "....OX...",
    )
    position, found = proposed(rows)
    assert not found.dead and found.uncertain & position.board.mask(["D5"])


def test_a_chain_without_a_liberty_is_dead_and_uncertain() -> None:
    """A photograph can show what no game does."""
    position, found = proposed(("XO.", "O..", "..."))
    corner = position.board.mask(["A3"])
    assert found.dead & corner and found.uncertain & corner and not found.proved & corner


def test_a_stone_is_not_proved_dead_by_walls_that_could_die() -> None:
    """White's ring around A7 has no eyes of its own, so that nothing there is proved."""
    position, found = proposed(("X.O....", "..O....", "OOO....", ".......", "....XX.", "....X..", "......."))
    assert not found.proved & position.board.mask(["A7", "C7"])


def test_the_same_position_has_the_same_proposal_and_swapped_colours_the_same_proofs() -> None:
    position = position_of(DEAD_STONE)
    black, white = position.stones
    first = propose(position.board, (black, white))
    assert first == propose(position.board, (black, white))
    assert first.ownership[position.board.point("A7")] > 0
    assert propose(position.board, (white, black)).proved == first.proved


@pytest.mark.slow
def test_whole_chains_are_dead_and_what_is_dead_or_uncertain_holds_a_stone() -> None:
    rng = random.Random(2)
    for _ in range(4):
        position = position_of(tuple("".join(rng.choices(".XO", (4, 4, 4), k=5)) for _ in range(5)))
        black, white = position.stones
        found = propose(position.board, (black, white))
        for mask in (found.dead, found.proved, found.uncertain):
            assert not mask & ~(black | white)
            assert all(not position.chain(point) & ~mask for point in range(25) if mask >> point & 1)
        assert not found.uncertain & found.proved


def test_the_searches_of_a_proposal_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board full of doubtful chains takes no more searches than are allowed."""
    searches = []
    real = proposal.is_proved

    def counted(*given: object) -> bool:
        searches.append(given)
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(proposal, "is_proved", counted)
    monkeypatch.setattr(proposal, "MOST_SEARCHES", 3)
    proposed(("X.O.X.O", ".X.O.X.", "O.X.O.X", ".O.X.O.", "X.O.X.O", ".X.O.X.", "O.X.O.X"))
    assert len(searches) == 3


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 1), (1, 2), (1, 7), (7, 1), (13, 1), (1, 13), (2, 2), (3, 2), (6, 2)])
def test_boards_of_any_shape_have_a_proposal(size: tuple[int, int]) -> None:
    board, rng = board_of(*size), random.Random(1)
    for _ in range(3):
        black, white, some = (rng.getrandbits(board.points) for _ in range(3))
        found = propose(board, (black & some, white & ~black & some))
        assert not found.dead & ~((black | white) & some) and len(found.ownership) == board.points
