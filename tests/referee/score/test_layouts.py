"""Stones on the board in a count, and the owners of its points, step by step: it adds up to what the count says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import COLOURS, Colour, points_of
from referee.game.count_result import Count, Layout
from referee.game.diagram import position_of
from referee.game.prisoners import bowls_of
from referee.score import area, fill_in, territory
from referee.score.methods import METHODS, Agreed, count, find_layout
from referee.table.events import Agree, Disagree, Propose
from tests.support.play import play_turns, start_game
from tests.support.referee.positions import FORTY_SIX, boards, mask
from tests.support.referee.table import PlayedTable
from tests.support.tiers import examples

BLACK, WHITE = Colour.BLACK, Colour.WHITE
SETTLED = ("..XO.", ".XXO.", "XX.OO", ".OXXO", "..XO.")
"""B2 is dead, C3 dame."""
SEKI = (".XO.XO.", "XXO.XOO", "OOOXXO.", "..OXXOO", ".OOX.XO", "OOXXXXO")
"""Black's two stones about A6 and White's about them share D6 and D5; A6 is an eye."""
SPLIT = ("..XO..",) * 5


def layouts(count: Count) -> list[Layout]:
    layouts = [step.layout for step in count.steps]
    assert None not in layouts
    return layouts  # type: ignore[return-value]


def sizes(layout: Layout) -> list[int]:
    return [owned.bit_count() for owned in layout.owned]


@examples(30)
@given(st.integers(2, 4).flatmap(lambda n: st.tuples(st.just(n), boards(symbols=".." + "XORG"[:n], players=n))))
def test_marked_points_are_the_territory_of_an_area_count(drawn):
    players, rows = drawn
    count = area.count(position_of(rows, players))
    territories = [count.counts[colour.value]["territory"] for colour in COLOURS[:players]]
    for number, step_layout in enumerate(layouts(count)):
        assert sizes(step_layout) == [many if player <= number else 0 for player, many in enumerate(territories)]
        assert not any(owned & step_layout.position.occupied for owned in step_layout.owned)


def test_dead_stones_of_an_area_count_are_marked_before_the_rest():
    position = position_of(SETTLED)
    dead = mask(position.board, "B2")
    lifted, black, white, *_ = layouts(area.count(position, dead, 0.5))
    assert (lifted.dead, lifted.owned) == (dead, (dead, 0))
    assert (sizes(black), sizes(white)) == ([7, 0], [7, 3])
    assert not sum(white.owned) & mask(position.board, "C3")


def test_prisoners_fill_the_opponent_s_territory():
    position = position_of(SETTLED)
    count = territory.count(position, (1, 2), mask(position.board, "B2"))
    black, white = layouts(count)[1:3]
    assert position.board.names(black.position.stones_of(WHITE) & ~position.stones_of(WHITE)) == ["E5", "E4"]
    assert position.board.names(white.position.stones_of(BLACK) & ~position.stones_of(BLACK)) == ["A5", "B5"]
    assert sizes(layouts(count)[-1]) == [count.counts[colour]["territory"] for colour in "BW"] == [7, 3]


def test_prisoners_beyond_the_room_stay_where_they_are():
    position = position_of(SETTLED)
    end = layouts(territory.count(position, (9, 0), mask(position.board, "B2")))[-1]
    assert (end.position.stones_of(WHITE) & end.owned[1]).bit_count() == 3


def test_points_beside_stones_in_seki_are_nobodys():
    record = start_game("japanese", *SEKI)
    board = record.position.board
    eyes, shared = mask(board, "A6"), mask(board, "D6 D5")
    open_to_all, seki = find_layout(record, Agreed()), find_layout(record, Agreed(seki=mask(board, "B6")))
    assert open_to_all.owned[0] & eyes == eyes and not seki.owned[0] & eyes
    assert not any(owned & shared for owned in (*open_to_all.owned, *seki.owned))
    assert seki.owned[1] == open_to_all.owned[1]


@examples(30)
@given(boards(symbols="..XO"), st.integers(0, 9))
def test_what_is_left_to_fill_is_marked(rows, to_white):
    count = fill_in.count(position_of(rows), to_white=to_white)
    filled = [step.layout for step in count.steps if step.act == "fill"][-1]
    assert filled is not None and sizes(filled) == [count.counts[colour]["empty"] for colour in "BW"]
    assert layouts(count)[-1].position == count.laid_out


def test_the_margin_is_seen_at_the_end_of_a_fill_in():
    count = fill_in.count(position_of(FORTY_SIX))
    end = layouts(count)[-1]
    losing = end.owned[0] & end.position.stones_of(WHITE)
    assert count.result == "B+3" and (sizes(end), losing.bit_count()) == ([2, 0], 1)
    assert end.position.empty == end.owned[0] & ~losing


def test_dead_stones_leave_the_board_before_it_is_filled_in():
    position = position_of(FORTY_SIX).with_stones(WHITE, 1)
    count = fill_in.count(position, dead=1)
    lifted = layouts(count)[0]
    assert count.steps[0].act == "lift" and not lifted.dead
    assert lifted.position.empty & lifted.owned[0] & 1


def test_an_expedited_count_takes_dead_stones_as_it_plays():
    record = play_turns(
        start_game("ultimate", *(".OX.XO.", "..XXXO.", "XXX.XO.", "XX.XO.O", ".XXXOO."), to_play="W"), "W delay"
    )
    board = record.position.board
    named = Agreed(mask(board, "B5"))
    final_count, start = count(record, named), find_layout(record, named)
    assert start.dead == start.owned[0] & mask(board, "B5")
    before = start
    for step, step_layout in zip(final_count.steps, layouts(final_count), strict=True):
        put = step_layout.position.occupied & ~before.position.occupied
        assert list(points_of(put)) == ([step.point] if step.point is not None else [])
        assert all(
            now == then & (step_layout.position.empty | step_layout.dead)
            for now, then in zip(step_layout.owned, start.owned, strict=True)
        )
        before = step_layout
    assert (step_layout.bowls is not None) and step_layout.bowls != record.bowls


@pytest.mark.parametrize("size", [9, 19])
def test_a_whole_board_of_ultimate_go_is_counted_to_its_last_point(size):
    half = size // 2
    rows = ["." * (half - 1) + "XXO" + "." * (size - half - 2)] * size
    rows[3] = "." + "O" + rows[3][2 : size - 2] + "X" + "."
    bowls = bowls_of({"B": {"W": 3}, "W": {"B": 1}})
    record = play_turns(start_game("ultimate", *rows, to_play="W", bowls=bowls), "W delay")
    named = Agreed(record.position.board.mask(["B" + str(size - 3), record.position.board.name(4 * size - 2)]))
    start, step_layouts = find_layout(record, named), layouts(count(record, named))
    assert record.bowls.ultimate is BLACK and sizes(start) == [(half - 1) * size, (size - half - 2) * size]
    assert start.dead & start.owned[0] and start.dead & start.owned[1]
    left = [sum(sizes(one)) for one in (start, *step_layouts)]
    assert left == sorted(left, reverse=True) and not step_layouts[-1].dead
    assert len({one.bowls for one in step_layouts}) > 2


@pytest.mark.parametrize("method", METHODS)
def test_every_step_of_every_method_has_its_board(method):
    record = play_turns(start_game("ultimate", *SPLIT, to_play="W"), "W delay")
    assert len(layouts(count(record, Agreed(), method))) > 2
    assert sizes(find_layout(record, Agreed(), method)) == [10, 10]


def test_what_is_named_is_laid_out_until_it_is_refused():
    table = PlayedTable(SPLIT, rules="chinese", refereed=True, black_side=1)
    table.look()
    assert table.referee.snapshot.counting.layout is None
    table.play("B pass", "W pass").say(Propose, BLACK, table.dead("D5"))
    counting_layout = table.referee.snapshot.counting.layout
    assert counting_layout is not None and counting_layout.dead == table.board.mask([f"D{row}" for row in range(1, 6)])
    assert sizes(counting_layout) == [25, 0]
    table.say(Disagree, WHITE)
    assert table.referee.snapshot.counting.layout is None


def test_what_was_agreed_stays_laid_out():
    table = PlayedTable(SPLIT, rules="chinese", refereed=True, black_side=1)
    table.look()
    table.play("B pass", "W pass").say(Propose, BLACK, table.dead())
    table.say(Agree, WHITE)
    counting_layout = table.referee.snapshot.counting.layout
    assert counting_layout is not None and (counting_layout.dead, sizes(counting_layout)) == (0, [10, 10])
