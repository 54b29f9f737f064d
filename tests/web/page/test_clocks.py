"""The clocks, the count and the answers as JSON and as words: pure."""

from __future__ import annotations

import re

from tests.support.web.snapshots import running, take_snapshot
from web.page.clocks import CURVE_POINTS, clock_curves


def test_the_curves_of_a_long_game_are_as_short_and_as_wide():
    thens = take_snapshot(running("5m").play("B A3", "W E3", "B A4")).game.past.thens * 300
    svg = clock_curves(thens)
    path = svg.partition(' d="M0 ')[2].partition('"')[0]
    widths = [int(width) for width in re.findall(r"[hl](\d+)", path)]
    assert f'viewBox="0 0 {len(thens) - 1} 50"' in svg and sum(widths) == len(thens) - 1
    assert len(widths) <= CURVE_POINTS + 1 and len(clock_curves(thens[:CURVE_POINTS])) < 2 * len(svg)
