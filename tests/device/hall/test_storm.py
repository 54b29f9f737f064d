"""A hall in a small storm: the short form of what `python -m tests.benchmarks.hall chaos` does."""

from __future__ import annotations

from tests.benchmarks.parts.hall.storm import Storm, Weather
from tests.support.tiers import LONG


@LONG
def test_no_result_is_lost_doubled_or_put_at_another_table_in_a_storm(tmp_path):
    storm = Storm(tmp_path, tables=3, seed=4)
    try:
        storm.start()
        storm.blow(Weather(halls=1, boxes=2, lines=3))
        tally = storm.end()
    finally:
        storm.close()
    assert tally.results and not tally.broken, tally
