"""The turns that explain a look: sure and doubtful points, captures, several turns, orders."""

from __future__ import annotations

import random

import pytest

from referee.game.board import Colour, Position, points_of
from referee.game.diagram import position_of
from referee.game.likelihoods import BoardLikelihoods
from referee.game.record import GameRecord
from referee.game.turns import Placement
from referee.inference.search import Consensus, Search, find_consensus
from referee.rules.legality import judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from tests.support.referee.looks import look, noisy_look, sight

B, W = Colour.BLACK, Colour.WHITE
QUIET = (".....", "..X..", ".XO..", ".....", "....O")


def record_at(rows: tuple[str, ...], to_play: Colour = B, rules: str = "chinese") -> GameRecord:
    return Setup(rule_set(rules), board=rows, to_play=to_play).record()


def likelihoods_of(
    position: Position, changed: dict[int, tuple[float, float, float]] | None = None
) -> BoardLikelihoods:
    return BoardLikelihoods.from_sights(position.board, look(position, changed=changed).points)


def explain(record: GameRecord, looked: BoardLikelihoods, **options: object) -> Consensus | None:
    return find_consensus(Search(looked, record, **options).list_explanations())  # type: ignore[arg-type]


def turn_names(consensus: Consensus | None, record: GameRecord) -> list[str]:
    assert consensus is not None
    board = record.position.board
    return [f"{t.player}{board.name(t.point)}" for t in consensus.explanation.turns if isinstance(t, Placement)]


def test_nothing_changed() -> None:
    record = record_at(QUIET)
    consensus = explain(record, likelihoods_of(record.position))
    assert turn_names(consensus, record) == []


@pytest.mark.parametrize(
    ("p", "turns"), [(0.99, ["BA1"]), (0.97, ["BA1"]), (0.8, []), (0.5, []), (0.2, []), (0.03, [])]
)
def test_one_stone_alone_must_be_sure(p: float, turns: list[str]) -> None:
    record = record_at(QUIET)
    point = record.position.board.point("A1")
    consensus = explain(record, likelihoods_of(record.position, {point: sight(1, p, other=0)}))
    assert turn_names(consensus, record) == turns


def test_a_doubtful_stone_is_reported_as_open() -> None:
    record = record_at(QUIET)
    point = record.position.board.point("A1")
    consensus = explain(record, likelihoods_of(record.position, {point: sight(1, 0.8, other=0)}))
    assert consensus is not None
    assert (consensus.open, consensus.rivals) == (1 << point, 2)


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
def test_a_doubtful_point_elsewhere_neither_hides_nor_adds_a_move(p: float) -> None:
    record = record_at(QUIET)
    board = record.position.board
    changed = {board.point("E5"): sight(0, 1 - p, other=2)}
    consensus = explain(record, likelihoods_of(record.position.with_stones(B, 1 << board.point("A1")), changed))
    assert turn_names(consensus, record) == ["BA1"]


def test_a_likely_answer_leaves_the_first_move_sure() -> None:
    record = record_at(QUIET)
    board = record.position.board
    changed = {board.point("E5"): sight(2, 0.7, other=0)}
    consensus = explain(record, likelihoods_of(record.position.with_stones(B, 1 << board.point("A1")), changed))
    assert turn_names(consensus, record) == ["BA1"]
    assert consensus is not None
    assert consensus.open == 1 << board.point("E5")


def test_a_turn_is_never_made_of_a_point_that_reads_otherwise() -> None:
    record = record_at(QUIET)
    board = record.position.board
    changed = {board.point("E5"): sight(0, 0.6, other=1)}
    consensus = explain(record, likelihoods_of(record.position.with_stones(W, 1 << board.point("A1")), changed))
    assert consensus is not None
    assert consensus.explanation.turns == ()
    assert consensus.open == 1 << board.point("E5")


@pytest.mark.parametrize("kind", [1, 2])
def test_a_sure_point_that_fits_no_turn_explains_nothing(kind: int) -> None:
    record = record_at(QUIET)
    board = record.position.board
    changed = {board.point("C4"): sight(0 if kind == 1 else 2)}
    assert explain(record, likelihoods_of(record.position.with_stones(B, 1 << board.point("A1")), changed)) is None


def test_capture_and_recapture_between_looks() -> None:
    record = record_at((".XO..", "X.XO.", ".XO..", ".....", "....."), W)
    board = record.position.board
    after = position_of((".XO..", "XO.O.", ".XO..", "....X", "....O"))
    consensus = explain(record, likelihoods_of(after))
    assert turn_names(consensus, record) in (["WB4", "BE2", "WE1"], ["WE1", "BE2", "WB4"])
    assert consensus is not None
    assert consensus.orders == (True, False, True)
    assert board.point("C4") in points_of(record.position.stones_of(B))


def test_several_orders_that_end_alike_are_marked() -> None:
    record = record_at((".........",) * 9)
    board = record.position.board
    after = record.position.with_stones(B, 1 << board.point("C3") | 1 << board.point("G7"))
    after = after.with_stones(W, 1 << board.point("G3"))
    consensus = explain(record, likelihoods_of(after))
    assert consensus is not None
    assert consensus.orders == (True, False, True)
    assert len(consensus.explanation.records) == 3


def test_many_added_stones_are_followed_and_marked() -> None:
    record = record_at((".........",) * 9)
    black, white = 0b1010101010 << 9, 0b1010101010 << 36
    consensus = explain(record, likelihoods_of(Position(record.position.board, (black, white))))
    assert consensus is not None
    assert len(consensus.explanation.records) == 10
    assert all(consensus.orders)
    assert consensus.explanation.records[-1].position.stones == (black, white)


def test_a_captured_stone_that_still_stands() -> None:
    record = record_at((".....", "..X..", ".XO..", "..X..", "....."))
    board = record.position.board
    consensus = explain(record, likelihoods_of(record.position.with_stones(B, 1 << board.point("D3"))))
    assert turn_names(consensus, record) == ["BD3"]
    assert consensus is not None
    assert consensus.explanation.left == (0, 1 << board.point("C3"))


def test_the_refused_turn_is_named_with_what_it_repeats() -> None:
    record = record_at((".XO..", "X.XO.", ".XO..", ".....", "....."), W)
    board = record.position.board
    after = judge(record, Placement(W, board.point("B4"))).after
    assert after is not None
    consensus = explain(after, likelihoods_of(record.position))
    assert consensus is not None
    assert consensus.explanation.refused is not None
    assert (consensus.explanation.refused.reason, consensus.explanation.refused.repeats) == ("ko", 0)


def test_a_stone_that_was_never_seen() -> None:
    """Black throws a stone into the corner, White takes it, and both play on before the next look."""
    record = record_at((".....", ".....", "X....", ".....", ".O..."))
    after = position_of(("...OX", ".....", "X....", "O....", ".O..."))
    assert explain(record, likelihoods_of(after)) is None
    consensus = explain(record, likelihoods_of(after), vanished=True)
    assert consensus is not None
    assert set(turn_names(consensus, record)) == {"BA1", "WA2", "BE5", "WD5"}
    assert consensus.explanation.records[-1].position == after


@pytest.mark.parametrize("seed", range(20))
def test_one_random_legal_turn_is_found_through_noise(seed: int) -> None:
    rng = random.Random(seed)
    record = Setup(rule_set("ultimate"), (9, 9)).record()
    for _ in range(rng.randrange(70)):
        points = list(points_of(legal_placements(record)))
        after = judge(record, Placement(record.to_play, rng.choice(points))).after if points else None
        record = after or record
    turn = Placement(record.to_play, rng.choice(list(points_of(legal_placements(record)))))
    after = judge(record, turn).after
    assert after is not None
    for _ in range(10):
        consensus = explain(
            record, BoardLikelihoods.from_sights(record.position.board, noisy_look(after.position, rng).points)
        )
        assert consensus is not None
        assert consensus.explanation.turns in ((turn,), ())
