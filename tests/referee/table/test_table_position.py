"""The stones that lie on a table, as the game may go on from them, or why it may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game.board import Colour
from referee.game.diagram import position_of
from referee.game.likelihoods import NONE_LEFT, BoardLikelihoods
from referee.game.messages import Message
from referee.game.observation import PointSight
from referee.game.record import GameRecord
from referee.game.turns import Placement, SetUp
from referee.inference.lids import Lids
from referee.inference.search import Search
from referee.rules.legality import judge
from referee.table.table_position import BoardMatch, LyingStones, find_set_up, match_board, why_not_set_up
from tests.support.play import start_game, turn_of
from tests.support.referee.looks import lid, look_at, unsure_lid
from tests.support.referee.table import begin_play
from tests.support.wording import english

B, W = Colour.BLACK, Colour.WHITE
ROWS = ("X....", ".....", "..O..", ".....", "....O")
"""One black stone and two white ones."""


def of(record: GameRecord, rows: tuple[str, ...] = ROWS, lids: Lids | None = None) -> LyingStones | Message:
    board = record.position.board
    return find_set_up(record, BoardLikelihoods.from_sights(board, look_at(rows).points), lids)


def test_plain_stones_are_set_up_and_their_numbers_tell_the_turn():
    begun = start_game("chinese", size=(5, 5))
    one_each = ("X....", ".....", "..O..", ".....", ".....")
    assert of(begun, one_each) == LyingStones(SetUp(position_of(one_each).stones, B))
    assert of(begun) == LyingStones(SetUp(position_of(ROWS).stones, None)), "White has one more, though Black begins"


def test_prisoners_in_lids_are_taken_as_counted_and_only_so():
    begun = start_game("ultimate", size=(5, 5))
    sure = Lids({B: lid(0, 1), W: lid(0, 0)}, {})
    lying = of(begun, lids=sure)
    assert isinstance(lying, LyingStones) and lying.set_up.bowls == sure.exact_bowls() is not None
    spread = Lids({B: unsure_lid((0, 3), (0, 3)), W: lid(0, 0)}, {})
    for lids in (None, spread):
        why = of(begun, lids=lids)
        assert isinstance(why, Message) and why.key == "lying.lids"


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        ((".....",) * 5, "lying.same"),
        (("OX...", "X....", ".....", ".....", "....."), "lying.dead-chain"),
    ],
)
def test_a_board_from_which_no_game_can_go_on_is_refused(rows, key):
    why = of(start_game("chinese", size=(5, 5)), rows)
    assert isinstance(why, Message) and why.key == key


def with_sights(record: GameRecord, sights: dict[str, PointSight]) -> BoardLikelihoods:
    """Return a look at the rows in which these points are seen so."""
    board, points = record.position.board, list(look_at(ROWS).points)
    for name, chances in sights.items():
        points[board.point(name)] = chances
    return BoardLikelihoods.from_sights(board, tuple(points))


@pytest.mark.parametrize(
    ("chances", "rows"),
    [((0.5, 0.45, 0.05), ROWS), ((0.4, 0.6, 0.0), ROWS), ((0.01, 0.7, 0.29), ("X....", "..X..", *ROWS[2:]))],
)
def test_a_doubtful_point_stays_as_it_was_unless_excluded(chances, rows):
    record = start_game("chinese", size=(5, 5))
    lying = find_set_up(record, with_sights(record, {"C4": chances}), None)
    assert isinstance(lying, LyingStones) and lying.set_up.stones == position_of(rows).stones
    assert "C4" in english(lying.warning)


def test_more_doubtful_points_than_are_named_are_refused():
    record = start_game("chinese", size=(5, 5))
    why = find_set_up(record, with_sights(record, dict.fromkeys(("A1", "B1", "C1", "D4"), (1 / 3,) * 3)), None)
    assert isinstance(why, Message) and why.key == "lying.unseen"


@pytest.mark.parametrize("rules", ["ultimate", "positional", "situational", "aga", "chinese", "spight", "ing"])
def test_under_superko_no_board_that_stood_is_set_up_again(rules):
    record = start_game(rules, size=(5, 5))
    for point in ("A5", "C3", "E1"):
        record = judge(record, Placement(record.to_play, record.position.board.point(point))).after
    stood = ("X....", ".....", ".....", ".....", ".....")
    lying = of(record, stood, Lids({B: lid(0, 1), W: lid(1, 0)}, {}))
    if rules in ("chinese", "spight", "ing"):
        assert isinstance(lying, LyingStones)
    else:
        assert isinstance(lying, Message) and (lying.key, dict(lying.args)["turn"]) == ("lying.stood", 1)


def test_no_stones_are_set_up_before_the_handicap_stones():
    why = why_not_set_up(start_game("chinese", size=(9, 9), handicap=3))
    assert why is not None and why.key == "lying.handicap"
    assert why_not_set_up(start_game("chinese", size=(9, 9))) is None


GAME = ("B C3", "W D4", "B B2", "W D2")


def match(rows: tuple[str, ...], rules: str = "chinese", is_ruled: bool = False, left=NONE_LEFT) -> BoardMatch:
    record = start_game(rules, size=(5, 5))
    for text in GAME:
        record = judge(record, turn_of(text, record.position.board)).after
    return match_board(
        record, BoardLikelihoods.from_sights(record.position.board, look_at(rows).points), left, is_ruled
    )


PLAYED = (".....", "...O.", "..X..", ".X.O.", ".....")


@pytest.mark.parametrize(
    ("rows", "relation"),
    [
        (PLAYED, "explained"),
        (("X....", *PLAYED[1:]), "explained"),
        (("XO...", *PLAYED[1:]), "explained"),
        (("XOXO.", *PLAYED[1:]), "explained"),
        (("X.X.X", "...O.", "..X..", ".X.O.", "O.O.."), "explained"),
        (("XX...", *PLAYED[1:]), "unexplained"),
        (("OO...", *PLAYED[1:]), "unexplained"),
        ((".....", "...X.", "..O..", ".X.O.", "....."), "unexplained"),
        ((".....", "...O.", ".....", ".XXO.", "....."), "unexplained"),
        (("O....", *PLAYED[1:]), "open"),
        ((".....", "...O.", ".....", ".X.O.", "....."), "open"),
        ((".....", ".....", "..X..", ".X...", "....."), "open"),
        ((".....", ".....", ".....", ".....", "X...."), "open"),
        (("...O.", "..X..", ".X.O.", ".....", "....."), "open"),
        (("OXX..", "XX.O.", *PLAYED[2:]), "open"),
    ],
)
def test_a_board_is_unexplained_if_no_ordinary_act_leads_to_it(rows, relation):
    assert match(rows) == relation


@pytest.mark.parametrize(("corner", "relation"), [("X....", "explained"), ("XO...", "unexplained")])
def test_once_ruled_on_one_turn_alone_explains_a_board(corner, relation):
    assert match((corner, *PLAYED[1:]), is_ruled=True) == relation


def test_a_board_that_stays_unexplained_is_searched_once(monkeypatch: pytest.MonkeyPatch):
    table = begin_play().play(*GAME)
    table.put(B, "A5").put(B, "B5")
    searches = list[Search]()
    list_explanations = Search.list_explanations
    monkeypatch.setattr(
        Search, "list_explanations", lambda search: searches.append(search) or list_explanations(search)
    )
    counts = set[int]()
    for chance in (0.001, 0.06, 0.002, 0.07):
        points = list(table.observe().points)
        points[table.board.point("E1")] = (1 - chance, chance / 2, chance / 2)
        points[table.board.point("E3")] = (1 - chance - 0.001, chance, 0.001)
        observation = replace(table.observe(), points=tuple(points))
        assert table.referee.match_board(observation) is BoardMatch.UNEXPLAINED
        counts.add(len(searches))
    assert len(counts) == 1 and counts != {0}
    table.put(B, "C5")
    table.referee.match_board(table.observe())
    assert len(searches) > max(counts), "another board is another question"
