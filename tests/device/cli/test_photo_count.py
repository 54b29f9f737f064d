"""The count of what a photograph shows: rules and komi, and the prisoners in the lids."""

from __future__ import annotations

import pytest

from device.cli.photo_count import PhotoCount
from referee.game.errors import BadCount, RefereeError
from vision.calibration.model import Box
from vision.lids.count import LidReading

TERRITORIES = (".X.XO.O", "XXXXOOO", ".OXXO.O", "..XXOOO", "XXXXO..", "...XO..", "...XO..")


def lid(black: int, white: int) -> LidReading:
    """Return a lid that surely holds these stones."""
    return LidReading(Box(0, 0, 9, 9), black, white, (black, black), (white, white), True, True)


def test_the_result_is_told_with_what_it_rests_on() -> None:
    answer = PhotoCount(komi=3.5).answer(TERRITORIES)
    assert answer["text"] == "B+3.5 if B5 (proved) is dead (area, komi 3.5)."
    assert (answer["result"], answer["dead_by"], answer["uncertain"]) == ("B+3.5", {"B5": "proved"}, [])


def test_territory_counts_prisoners_in_either_order_of_lids() -> None:
    counting = PhotoCount("japanese", 0)
    without = counting.answer(TERRITORIES)["result"]
    results = [
        counting.answer(TERRITORIES, lids)["result"] for lids in ([lid(0, 2), lid(1, 0)], [lid(1, 0), lid(0, 2)])
    ]
    assert (without, results) == ("B+5", ["B+6", "B+6"])


def test_an_open_board_has_a_count_that_says_so() -> None:
    assert "play seems not to have ended" in str(
        PhotoCount().answer((".....", ".....", "..XO.", ".....", "....."))["text"]
    )


@pytest.mark.parametrize("rules", ["ultimate", "kee", "ing"])
def test_rules_without_agreed_dead_stones_are_refused(rules: str) -> None:
    with pytest.raises(BadCount, match="--score counts where"):
        PhotoCount(rules)


def test_a_board_that_cannot_be_and_unknown_rules_get_a_sentence() -> None:
    with pytest.raises(RefereeError):
        PhotoCount("whist")
