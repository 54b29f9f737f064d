"""The worth of positions within a time limit: the analysis itself reads no clock."""

from itertools import count

from device.table.worth import worth_line, worth_within
from tests.support.play import start_game


def test_a_tiny_board_is_valued_within_the_time():
    line = worth_line(start_game("ultimate", "..", ".."), 60.0)
    assert line["exact"] and line["player"] == "B" and line["turn"] == 0


def test_no_time_gives_what_needs_no_search():
    ticks = count()
    record = start_game("ultimate", "....", "....", "....", "....")
    value = worth_within(record, 0.0, lambda: float(next(ticks)))
    assert not value.exact and value.nodes <= 1
