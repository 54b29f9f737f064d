"""The proposal of the dead stones: what is proved, what is likely, and what is left open."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.analysis import life, proposal
from referee.analysis.proposal import FateGround, Proposal, propose_dead
from referee.game.board import Board, Colour, Mask, Position, board_of, points_of
from referee.game.diagram import position_of
from tests.support.tiers import sample

DEAD_STONE = (".X.XO.O", "XXXXOOO", ".OXXO.O", "..XXOOO", "XXXXO..", "...XO..", "...XO..")
SEKI = ("X.OX.XO", "X.OXXXO", "XXOX.XO", "OOXXXXO", ".OOOOOO", "OO.O...", ".......")


def propose_for(rows: tuple[str, ...]) -> tuple[Position, Proposal]:
    """Return a position and its proposal."""
    position = position_of(rows)
    return position, propose_dead(position.board, (position.stones[0], position.stones[1]))


def test_what_is_dead_between_living_walls_is_proved() -> None:
    position, proposal = propose_for(DEAD_STONE)
    stone = position.board.mask(["B5"])
    assert proposal.ended and proposal.dead == stone and not proposal.uncertain and proposal.proved == position.occupied
    assert proposal.ground_of(stone) is FateGround.PROVED and Proposal(1, 0, 0, ()).ground_of(1) is FateGround.LIKELY


def test_chains_in_seki_are_not_dead() -> None:
    assert propose_for(SEKI)[1].dead == 0


@pytest.mark.parametrize(
    "rows", [(".....", ".....", "..XO.", ".....", "....."), (".....", "..XO.", "..XOO", "...X.", ".....")]
)
def test_nothing_is_likely_dead_before_play_has_ended(rows: tuple[str, ...]) -> None:
    """The board is anybody's, or White would have no stone left."""
    position, proposal = propose_for(rows)
    assert not proposal.ended and not proposal.dead and proposal.uncertain & position.stones_of(Colour.WHITE)


@pytest.mark.parametrize(("shares", "dead"), [((0.3, -0.1), "D8 C3"), ((0.3, 0.05), "D8 C3"), ((0.3, 0.2), "")])
def test_a_group_is_dead_as_a_whole(monkeypatch: pytest.MonkeyPatch, shares: tuple[float, float], dead: str) -> None:
    """Black's two stones between White's walls live in few games at random; each by itself would live in most."""
    rows = (".....OX..", "...X.OX..", *(".....OX..",) * 4, "..X..OX..", *(".....OX..",) * 2)
    board = position_of(rows).board
    owners = [-1.0 if point % 9 < 6 else 1.0 for point in range(81)]
    for name, share in zip(("D8", "C3"), shares, strict=True):
        owners[board.point(name)] = share
    monkeypatch.setattr(proposal, "estimate_ownership", lambda *_: owners)
    _, result = propose_for(rows)
    assert result.dead == board.mask(dead.split()) and result.uncertain == board.mask(["D8", "C3"])


@pytest.mark.parametrize(("last", "is_dead"), [(8, True), (7, False)], ids=["six-stones", "five-stones"])
def test_a_large_group_without_eyes_beside_open_points_is_dead(
    monkeypatch: pytest.MonkeyPatch, last: int, is_dead: bool
) -> None:
    """Black's stones between White's walls live in most games at random, but White has seen no need to play there."""
    rows = tuple("...X.OX.." if 3 <= 9 - row <= last else ".....OX.." for row in range(9))
    board = position_of(rows).board
    group = board.mask([f"D{row}" for row in range(3, last + 1)])
    owners = [-1.0 if point % 9 < 6 else 1.0 for point in range(81)]
    for point in points_of(group):
        owners[point] = 0.7
    monkeypatch.setattr(proposal, "estimate_ownership", lambda *_: owners)
    _, found = propose_for(rows)
    assert (found.dead, found.uncertain) == ((group, group) if is_dead else (0, 0))


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
    position, proposal = propose_for(rows)
    assert not proposal.dead and proposal.uncertain & position.board.mask(["D5"])


def test_a_chain_without_a_liberty_is_dead_and_uncertain() -> None:
    """A photograph can show what no game does."""
    position, proposal = propose_for(("XO.", "O..", "..."))
    corner = position.board.mask(["A3"])
    assert proposal.dead & corner and proposal.uncertain & corner and not proposal.proved & corner


def test_a_stone_is_not_proved_dead_by_walls_that_could_die() -> None:
    """White's ring around A7 has no eyes of its own, so that nothing there is proved."""
    position, proposal = propose_for(("X.O....", "..O....", "OOO....", ".......", "....XX.", "....X..", "......."))
    assert not proposal.proved & position.board.mask(["A7", "C7"])


def test_the_proposal_is_repeatable_and_proofs_ignore_colours() -> None:
    position = position_of(DEAD_STONE)
    black, white = position.stones
    first = propose_dead(position.board, (black, white))
    assert first == propose_dead(position.board, (black, white))
    assert first.ownership[position.board.point("A7")] > 0
    assert propose_dead(position.board, (white, black)).proved == first.proved


@pytest.mark.slow
def test_whole_chains_are_dead_and_what_is_dead_or_uncertain_holds_a_stone() -> None:
    rng = random.Random(2)
    for _ in range(4):
        position = position_of(tuple("".join(rng.choices(".XO", (4, 4, 4), k=5)) for _ in range(5)))
        black, white = position.stones
        proposal = propose_dead(position.board, (black, white))
        for mask in (proposal.dead, proposal.proved, proposal.uncertain):
            assert not mask & ~(black | white)
            assert all(not position.chain_at(point) & ~mask for point in range(25) if mask >> point & 1)
        assert not proposal.uncertain & proposal.proved


def count_expanded(monkeypatch: pytest.MonkeyPatch, board: Board, stones: tuple[Mask, Mask]) -> int:
    """Return how many positions the searches of a proposal expand."""
    nodes = 0
    real = life._Search._expand_position

    def counted(search: life._Search, *args: Any) -> tuple[int, int]:
        nonlocal nodes
        nodes += 1
        return real(search, *args)

    monkeypatch.setattr(life._Search, "_expand_position", counted)
    propose_dead(board, stones)
    return nodes


def test_the_searches_of_a_proposal_share_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board of random stones, full of doubtful chains, has more to search than is allowed."""
    board = board_of(13, 2)
    rng = random.Random(1)
    black, white, some = (rng.getrandbits(board.points) for _ in range(3))
    occupied = some | rng.getrandbits(board.points)
    monkeypatch.setattr(proposal, "NODES", 1000)
    assert 900 < count_expanded(monkeypatch, board, (black & occupied, white & ~black & occupied)) <= 1000


def test_easy_chains_are_proved_before_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposal, "NODES", 200)
    position, result = propose_for(DEAD_STONE)
    assert result.proved == position.occupied


SHAPES = [(1, 1), (13, 1), (1, 7), (1, 2), (2, 2), (7, 1), (3, 2), (1, 13), (6, 2)]


@pytest.mark.slow
@pytest.mark.parametrize(("cols", "rows"), sample(SHAPES, 5))
def test_boards_of_any_shape_have_a_proposal(cols: int, rows: int) -> None:
    board, rng = board_of(cols, rows), random.Random(1)
    for _ in range(3):
        black, white, some = (rng.getrandbits(board.points) for _ in range(3))
        proposal = propose_dead(board, (black & some, white & ~black & some))
        assert not proposal.dead & ~((black | white) & some) and len(proposal.ownership) == board.points
