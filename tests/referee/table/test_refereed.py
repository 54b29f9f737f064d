"""Every row of the table "What one may do at the table, and what it gets" for Ultimate Go, in both manners."""

from __future__ import annotations

import pytest

from referee.game.observation import LidSight
from referee.game.ruling import Reason, Status
from referee.game.turns import Delay, Draw, Pass, Placement
from referee.rules.legality import judge
from referee.rules.ruling_messages import inferred_part
from referee.table.events import Button
from tests.support.referee.looks import clear_lid, lid, lids_of, unsure_lid, weighed_lid
from tests.support.referee.table import ATARI, DRAWN, MANNERS, B, PlayedTable, W, begin_table, turn
from tests.support.wording import english

TWO_IN_ATARI = (".....", "..XX.", ".XOO.", "..XX.", "....O")
"""Black takes C3 and D3 by playing E3."""
KO = (".XO..", "X.XO.", ".XO..", ".....", ".....")
"""White takes C4 by playing B4; Black may not take back at once."""


PRISONERS = {"B": {"W": 3}, "W": {"B": 3}}


# Placements and captures


@MANNERS
def test_placement_with_its_prisoners_in_the_own_lid(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    table.put(B, "D3").lift("C3").lid(B, W, +1)
    ruling = turn(table, B, refereed)
    assert (ruling.status, ruling.turn, ruling.points) == (Status.LEGAL, 1, ())
    assert ruling.captured == (table.board.point("C3"),)
    assert table.referee.record.bowls == table.lids


@MANNERS
def test_captured_stones_left_on_the_board(refereed: bool) -> None:
    table = begin_table(TWO_IN_ATARI, refereed)
    table.put(B, "E3")
    ruling = turn(table, B, refereed)
    assert (ruling.status, ruling.turn, table.names(ruling)) == (Status.UNFINISHED, 1, ["C3", "D3"])
    assert "remove the captured stones" in english(ruling)
    table.lift("C3")
    assert table.names(turn(table, B, refereed)) == ["D3"]
    table.lift("D3").lid(B, W, +2)
    ruling = turn(table, B, refereed)
    assert (ruling.status, ruling.turn, ruling.points) == (Status.LEGAL, 1, ())
    assert len(ruling.captured) == 2
    assert table.referee.record.number == 1


@MANNERS
@pytest.mark.parametrize("in_lid", [0, 1])
def test_fewer_prisoners_in_the_lid_than_were_captured(refereed: bool, in_lid: int) -> None:
    table = begin_table(TWO_IN_ATARI, refereed)
    table.put(B, "E3").lift("C3", "D3").lid(B, W, in_lid)
    ruling = turn(table, B, refereed)
    assert (ruling.status, ruling.turn) == (Status.UNFINISHED, 1)
    assert f"{['2 white stones', 'one white stone'][in_lid]} to your lid" in english(ruling)
    table.lid(B, W, 2 - in_lid)
    ruling = turn(table, B, refereed)
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 1)
    assert table.referee.record.bowls == table.lids


@MANNERS
def test_too_many_prisoners_in_the_lid(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    table.put(B, "D3").lift("C3").lid(B, W, +2)
    ruling = turn(table, B, refereed)
    assert ruling.status is Status.UNEXPLAINED
    assert "Black's lid has one white stone too many" in english(ruling)
    assert table.referee.record.number == 0
    table.lid(B, W, -1)
    assert turn(table, B, refereed).status is Status.LEGAL


@MANNERS
def test_the_opponents_lid_touched(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    table.put(B, "A1").lid(W, B, +1)
    ruling = turn(table, B, refereed)
    assert ruling.status is Status.UNEXPLAINED
    assert "White's lid has one black stone too many" in english(ruling)


@MANNERS
def test_captured_stone_in_the_opponents_lid(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    table.put(B, "D3").lift("C3").lid(W, W, +1)
    ruling = turn(table, B, refereed)
    assert (ruling.status, ruling.turn) == (Status.UNFINISHED, 1)
    assert "belong in your lid" in english(ruling)
    table.lid(W, W, -1).lid(B, W, +1)
    assert turn(table, B, refereed).status is Status.LEGAL


@MANNERS
def test_surrounded(refereed: bool) -> None:
    table = begin_table((".O...", "O....", ".....", ".....", "....."), refereed)
    table.put(B, "A5")
    ruling = turn(table, B, refereed)
    assert (ruling.status, ruling.reason, ruling.turn) == (Status.ILLEGAL, Reason.SURROUNDED, 1)
    table.lift("A5")
    assert table.look() == ()
    table.put(B, "E1")
    assert turn(table, B, refereed).status is Status.LEGAL


@MANNERS
def test_superko_names_the_turn_it_repeats(refereed: bool) -> None:
    table = begin_table(KO, refereed, to_play=W)
    table.put(W, "B4").lift("C4").lid(W, B, +1)
    assert turn(table, W, refereed).status is Status.LEGAL
    table.put(B, "C4").lift("B4").lid(B, W, +1)
    ruling = turn(table, B, refereed)
    assert (ruling.status, ruling.reason, ruling.repeats) == (Status.ILLEGAL, Reason.SUPERKO, 0)
    assert ruling.move == Placement(B, table.board.point("C4"))
    assert "put the captured stones back" in english(ruling)
    table.lift("C4").put(W, "B4").lid(B, W, -1)
    assert table.look() == ()
    table.put(B, "E1")
    assert turn(table, B, refereed).status is Status.LEGAL


@MANNERS
@pytest.mark.parametrize(
    ("white", "black", "gone", "named"),
    [
        (("A1",), (), (), {"A1"}),
        ((), ("A1", "A2"), (), {"A1", "A2"}),
        ((), ("C1",), ("C2",), {"C1", "C2"}),
        ((), (), ("E1",), {"E1"}),
    ],
    ids=["wrong colour", "two stones", "slid", "removed"],
)
def test_changes_that_are_no_turn(
    refereed: bool, white: tuple[str, ...], black: tuple[str, ...], gone: tuple[str, ...], named: set[str]
) -> None:
    table = begin_table(refereed=refereed)
    table.put(W, *white).put(B, *black).lift(*gone)
    ruling = turn(table, B, refereed)
    assert (ruling.status, set(table.names(ruling))) == (Status.UNEXPLAINED, named)
    assert all(name in english(ruling) for name in named)
    assert table.referee.record.number == 0


# Delays


@MANNERS
def test_first_delay(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    table.lid(B, W, -1).lid(W, W, +1)
    if not refereed:
        assert table.look() == ()
        table.put(W, "A1")
        delay, answer = table.look()
        assert (answer.status, answer.turn) == (Status.LEGAL, 2)
    else:
        (delay,) = table.done(B)
    assert (delay.status, delay.turn, delay.move) == (Status.LEGAL, 1, Delay(B))
    assert "ultimate stone" in english(delay)
    assert table.referee.record.bowls.ultimate is W


@MANNERS
def test_first_delay_into_the_supply(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    table.lid(B, W, -1)
    ruling = turn(table, B, refereed)
    assert (ruling.status, ruling.move) == (Status.UNFINISHED, Delay(B))
    assert "White's lid" in english(ruling)
    table.lid(W, W, +1)
    if refereed:
        assert turn(table, B, refereed).status is Status.LEGAL


def test_first_delay_out_of_a_lid_that_cannot_be_counted() -> None:
    """The stone that it came out of may not show: only the lid that it went into is plain."""
    table = begin_table(black_side=1)
    table.lid(B, W, -1).lid(W, W, +1)
    unsure, other = unsure_lid((0, 2), (0, 4)), lids_of(table.lids, 1)[1]
    table.seen_lids = (unsure, other)
    (ruling,) = table.done(B)
    assert (ruling.status, ruling.move) == (Status.UNFINISHED, Delay(B))
    assert "spread out the stones in Black's lid" in english(ruling)
    table.seen_lids = None
    (ruling,) = table.done(B)
    assert (ruling.status, ruling.move) == (Status.LEGAL, Delay(B))


LATE = {"bowls": PRISONERS, "ultimate": W}
"""Black was first to delay."""


@MANNERS
def test_later_delay(refereed: bool) -> None:
    table = begin_table(refereed=refereed, black_side=1, **LATE)
    table.lid(B, W, -1)
    if not refereed:
        assert table.look() == ()
        table.lid(W, B, -1)
        (delay,) = table.look()
        table.put(B, "A1")
        assert [ruling.turn for ruling in table.look()] == [2, 3]
    else:
        (delay,) = table.done(B)
    assert (delay.status, delay.turn, delay.move) == (Status.LEGAL, 1, Delay(B))


def test_later_delay_that_cannot_be_counted() -> None:
    table = begin_table(black_side=1, **LATE)
    table.seen_lids = (unsure_lid((0, 0), (1, 4)), lid(3, 1))
    (ruling,) = table.done(B)
    assert ruling.status is Status.UNFINISHED
    assert "spread out the stones in Black's lid" in english(ruling)
    table.seen_lids = (lid(0, 2), lid(3, 1))
    (ruling,) = table.done(B)
    assert (ruling.status, ruling.move) == (Status.LEGAL, Delay(B))


def test_later_delay_that_a_lid_confirms_without_being_sure() -> None:
    table = begin_table(black_side=1, **LATE)
    table.seen_lids = (clear_lid(0, 2), lid(3, 1))
    (ruling,) = table.done(B)
    assert (ruling.status, ruling.move) == (Status.LEGAL, Delay(B))


def test_recorded_delay_that_cannot_be_counted() -> None:
    table = begin_table(refereed=False, black_side=1, **LATE)
    table.put(W, "A1")
    table.seen_lids = (unsure_lid((0, 0), (1, 4)), lid(3, 1))
    (ruling,) = table.look()
    assert ruling.status is Status.UNFINISHED
    assert "spread out the stones in Black's lid" in english(ruling)
    table.seen_lids = (lid(0, 2), lid(3, 1))
    assert [ruling.move for ruling in table.look()] == [Delay(B), Placement(W, table.board.point("A1"))]


def test_a_delay_of_a_film_that_cannot_be_counted_stays_unfinished() -> None:
    """Nobody is there to spread the lid any more: what can only have been played is written at the end."""
    table = begin_table(refereed=False, black_side=1, deep=True, **LATE)
    table.put(W, "A1")
    table.seen_lids = (unsure_lid((0, 0), (1, 4)), lid(3, 1))
    assert [(ruling.status, ruling.move) for ruling in table.look()] == [(Status.UNFINISHED, Delay(B))]
    assert table.referee.record.number == 0
    rulings = [(ruling.status, ruling.move) for ruling in table.end()]
    assert rulings == [(Status.UNFINISHED, Delay(B)), (Status.UNFINISHED, Placement(W, table.board.point("A1")))]


@MANNERS
def test_later_delay_into_the_opponents_lid(refereed: bool) -> None:
    table = begin_table(refereed=refereed, black_side=1, **LATE)
    table.lid(B, W, -1).lid(W, W, +1)
    ruling = turn(table, B, refereed)
    assert ruling.status is Status.UNFINISHED
    assert "White's supply" in english(ruling)


@MANNERS
def test_two_stones_returned(refereed: bool) -> None:
    table = begin_table(refereed=refereed, black_side=1, **LATE)
    table.lid(B, W, -2)
    ruling = turn(table, B, refereed)
    assert ruling.status is Status.UNEXPLAINED
    assert "put one back" in english(ruling)


@MANNERS
def test_the_ultimate_stone_returned(refereed: bool) -> None:
    table = begin_table(refereed=refereed, black_side=1, to_play=W, **LATE)
    table.lid(W, W, -1)
    ruling = turn(table, W, refereed)
    assert (ruling.status, ruling.reason, ruling.move) == (Status.ILLEGAL, Reason.NO_PRISONER, Delay(W))
    assert table.referee.record.number == 0


@MANNERS
def test_placement_and_delay_together(refereed: bool) -> None:
    table = begin_table(refereed=refereed, black_side=1, **LATE)
    table.put(B, "A1").lid(B, W, -1)
    ruling = turn(table, B, refereed)
    assert ruling.status is Status.UNEXPLAINED
    assert "one or the other" in english(ruling)
    assert table.referee.record.number == 0


@MANNERS
def test_a_stone_placed_from_a_lid(refereed: bool) -> None:
    table = begin_table(refereed=refereed, black_side=1, to_play=W, **LATE)
    table.put(W, "A1").lid(W, W, -1)
    ruling = turn(table, W, refereed)
    assert ruling.status is Status.UNEXPLAINED
    assert "from the supply" in english(ruling)


@MANNERS
def test_handicap_turns_must_be_delays_to_the_supply(refereed: bool) -> None:
    table = begin_table((".....",) * 5, refereed, handicap=2)
    table.put(B, "C3")
    assert turn(table, B, refereed).status is Status.LEGAL
    table.put(W, "D4")
    ruling = turn(table, W, refereed)
    assert (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.MUST_DELAY)
    table.lift("D4").lid(W, B, -1)
    if refereed:
        assert table.done(W)[0].move == Delay(W)
    else:
        table.look()
        table.put(B, "B2")
        assert [ruling.move for ruling in table.look()] == [Delay(W), Placement(B, table.board.point("B2"))]
    assert table.referee.record.bowls.ultimate is None


# Presses


def test_done_with_nothing_changed() -> None:
    table = begin_table()
    (ruling,) = table.done(B)
    assert (ruling.status, ruling.reason, ruling.move) == (Status.ILLEGAL, Reason.PASS_NOT_AVAILABLE, Pass(B))
    assert table.referee.record.to_play is B
    (again,) = table.done(B)
    assert again.reason is Reason.PASS_NOT_AVAILABLE


def test_done_with_a_pass_where_the_set_has_it() -> None:
    table = begin_table(rules="chinese", black_side=1)
    assert table.done(B)[0].reason is Reason.PASS_NOT_AVAILABLE
    assert table.call(B) == ()
    (ruling,) = table.done(B)
    assert (ruling.status, ruling.move) == (Status.LEGAL, Pass(B))
    table.call(W)
    (ruling,) = table.done(W)
    assert (ruling.status, table.referee.record.ended) == (Status.LEGAL, True)


def test_recorded_passes() -> None:
    table = begin_table(rules="chinese", refereed=False, black_side=1)
    assert table.call(B)[0].move == Pass(B)
    assert table.call(B)[0].reason is Reason.NOT_YOUR_TURN
    assert table.call(W)[0].status is Status.LEGAL
    assert table.referee.record.ended


@MANNERS
@pytest.mark.parametrize(("komi", "result"), [(0.0, "0"), (6.5, "W+0.5"), (-0.5, "B+0.5")])
def test_draw(refereed: bool, komi: float, result: str) -> None:
    table = begin_table(refereed=refereed, komi=komi, **DRAWN)
    (ruling,) = table.call(B)
    assert (ruling.status, ruling.move) == (Status.LEGAL, Draw(B))
    assert (table.referee.record.ended, table.referee.record.result) == (True, result)


@MANNERS
def test_draw_that_is_not_available_names_the_bowl(refereed: bool) -> None:
    table = begin_table(refereed=refereed, black_side=1, **LATE)
    (ruling,) = table.call(B)
    assert (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.DRAW_NOT_AVAILABLE)
    assert "White's lid still holds 3 black stones" in english(ruling)
    assert not table.referee.record.ended


def test_a_press_confirms_the_opponents_delay() -> None:
    table = begin_table(refereed=False, bowls={"B": {"W": 2}, "W": {"B": 1}}, ultimate=W, black_side=1, to_play=W)
    table.lid(W, B, -1)
    assert table.look() == ()
    delay, draw = table.call(B)
    assert (delay.move, draw.move) == (Delay(W), Draw(B))
    assert table.referee.record.result == "0"


def test_a_press_after_the_own_delay_comes_too_early() -> None:
    table = begin_table(refereed=False, bowls={"B": {"W": 2}, "W": {}}, ultimate=W, black_side=1)
    table.lid(B, W, -1)
    assert table.look() == ()
    assert table.call(B)[0].reason is Reason.NOT_YOUR_TURN


def test_a_delay_that_nothing_confirms() -> None:
    table = begin_table(refereed=False, black_side=1, **LATE)
    table.lid(B, W, -1)
    assert table.look() == ()
    assert table.look() == ()
    (ruling,) = table.end()
    assert (ruling.status, ruling.move) == (Status.UNFINISHED, Delay(B))
    assert table.referee.record.number == 0


def test_fiddling_with_a_lid_is_no_turn() -> None:
    table = begin_table(refereed=False, black_side=1, **LATE)
    table.lid(B, W, -1)
    assert table.look() == ()
    table.lid(B, W, +1)
    assert table.look() == ()
    table.put(B, "A1")
    (ruling,) = table.look()
    assert (ruling.turn, ruling.status) == (1, Status.LEGAL)


@MANNERS
def test_resigning(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    assert table.press(B, Button.CALL, is_held=True) == ()
    rulings = table.press(B, Button.DONE)
    assert table.referee.record.result == "W+R"
    assert rulings[0].status is Status.LEGAL


def test_a_done_out_of_turn() -> None:
    table = begin_table()
    rulings = table.done(W)
    assert [(r.status, r.reason, r.player) for r in rulings] == [(Status.ILLEGAL, Reason.NOT_YOUR_TURN, W)]


def test_two_turns_closed_before_a_look() -> None:
    table = begin_table()
    table.put(B, "A1")
    assert table.press(B, Button.DONE) == ()
    table.put(W, "B1")
    assert [ruling.turn for ruling in table.done(W)] == [1, 2]


def test_the_next_move_is_already_on_the_board() -> None:
    table = begin_table()
    table.put(B, "A1").put(W, "B1")
    assert [ruling.turn for ruling in table.done(B)] == [1]
    assert [ruling.turn for ruling in table.done(W)] == [2]


def test_a_turn_after_captures_that_still_lie_there_is_unfinished_too() -> None:
    """The order of two closed turns is known, and the lids do not count: both wait for the captured stone."""
    table = begin_table(ATARI, rules="japanese", refereed=True, black_side=1, komi=0)
    table.put(B, "D3").press(B, Button.DONE)
    table.put(W, "A1").press(W, Button.DONE)
    assert [(ruling.turn, ruling.status) for ruling in table.look()] == [(1, Status.UNFINISHED), (2, Status.UNFINISHED)]
    table.lift("C3")
    assert [(ruling.turn, ruling.status) for ruling in table.look()] == [(1, Status.LEGAL), (2, Status.LEGAL)]


@pytest.mark.parametrize("before", [(), ("A5",)], ids=["alone", "after a turn that nobody looked at"])
def test_a_stone_that_captures_itself_may_be_lifted_before_the_next_press(before: tuple[str, ...]) -> None:
    to_play = B if before else W
    rows = (".....", ".....", ".....", "...X.", "..X.X")
    table = begin_table(rows, rules="new-zealand", refereed=True, black_side=1, komi=0, to_play=to_play)
    for point in before:
        table.put(B, point).press(B, Button.DONE)
    table.put(W, "D1")
    assert table.done(W)[-1].status is Status.UNFINISHED
    table.lift("D1")
    assert table.look() == ()
    assert [(ruling.status, ruling.move) for ruling in table.done(W)] == [
        (Status.LEGAL, Placement(W, table.board.point("D1")))
    ]


def test_stones_seen_and_captured_in_turns_that_nobody_saw_are_missed() -> None:
    """Eight turns were closed before a look, and white stones were lifted after it: what is left looks like five turns,
    none of which placed them."""
    rows = ("..OO.", "O...X", "OO.X.", "...X.", ".X..X")
    table = begin_table(rows, rules="new-zealand", refereed=True, black_side=1, komi=0)
    placed = (("C2", "B5"), ("A5", "E2"), ("A2", "E3"), ("A1", "D1"))
    record = table.referee.record
    for points in placed:
        for player, point in zip((B, W), points, strict=True):
            after = judge(record, Placement(player, table.board.point(point))).after
            assert after is not None
            record = after
            table.put(player, point).press(player, Button.DONE)
    assert [ruling.status for ruling in table.look()] == [Status.UNFINISHED]
    table.position, table.lids = record.position, record.bowls
    assert [ruling.status for ruling in table.look()] == [Status.UNEXPLAINED]
    assert table.referee.record.number == 0


MAY_DELAY = {"bowls": {"B": {"W": 3}, "W": {"B": 3}}, "ultimate": W, "to_play": W, "black_side": 1}
"""White has three prisoners and the ultimate stone, and is to play."""


def likely(black: int, p: float = 0.98, white: float = 1.0) -> tuple[LidSight, LidSight]:
    """Black's lid, counted, and White's, which holds so many black stones and one white, each with a probability."""
    rest = (1 - p) / 2
    return lid(0, 3), weighed_lid({black - 1: rest, black: p, black + 1: rest}, {0: 1 - white, 1: white})


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        (likely(3), likely(2), Status.LEGAL),
        (likely(3), likely(2, white=0.95), Status.LEGAL),
        (likely(3), likely(2, 0.8), Status.UNFINISHED),
        (likely(2), likely(2), Status.UNFINISHED),
        ((lid(0, 3), unsure_lid((0, 5), (0, 5))), likely(2), Status.UNFINISHED),
        (likely(3), likely(1), Status.UNFINISHED),
    ],
    ids=[
        "one fewer",
        "one fewer, the other colour less sure",
        "perhaps one fewer",
        "as few before",
        "not seen before",
        "two fewer",
    ],
)
def test_a_delay_is_inferred_if_its_lid_held_one_more(
    before: tuple[LidSight, ...], after: tuple[LidSight, ...], status: Status
) -> None:
    table = PlayedTable(refereed=True, **MAY_DELAY)
    table.seen_lids = before
    assert table.look() == ()
    table.seen_lids = after
    (ruling,) = table.done(W)
    assert (ruling.status, ruling.move) == (status, Delay(W))
    assert (inferred_part(ruling.message) is not None) is (status is Status.LEGAL)


def test_an_unchanged_lid_that_is_not_sure_is_no_delay() -> None:
    table = PlayedTable(refereed=True, **MAY_DELAY)
    table.seen_lids = likely(3)
    table.look()
    assert table.done(W)[0].status is not Status.LEGAL
