"""The interface between a hall and a pairing program: the tables of a round, and how their games ended. Pure."""

from __future__ import annotations

from device.hall.pairing import (
    Pairing,
    newest_round,
    rounds_of,
)

ENDLESS = "9" * 5000
"""More digits than are made a number."""


def test_rounds_come_in_the_order_of_their_numbers_and_those_without_before():
    rounds = [Pairing(played, "1", "Ada", "Ben") for played in ("10", "9", ENDLESS, "\u0661", "final")]
    assert rounds_of(rounds) == [ENDLESS, "final", "\u0661", "9", "10"] and newest_round(rounds) == "10"
