"""The interface between a hall and a pairing program: the tables of a round, and how their games ended. Pure."""

from __future__ import annotations

import unicodedata

import pytest

from device.hall.pairing import Entered, Pairing, match_result, newest_round, rounds_of, split_name
from web.hall.tiles import Outcome, Result

ENDLESS = "9" * 5000
"""More digits than are made a number."""


def test_rounds_are_in_order_of_number_and_unnumbered_ones_first():
    rounds = [Pairing(round_name, "1", "Ada", "Ben") for round_name in ("10", "9", ENDLESS, "\u0661", "final")]
    assert rounds_of(rounds) == [ENDLESS, "final", "\u0661", "9", "10"] and newest_round(rounds) == "10"


@pytest.mark.parametrize(
    ("black", "white", "outcome"),
    [
        ("Li Kim", "Kim Li", None),
        ("li  KIM", "Kim, Li", None),
        ("Kim Li", "Li Kim", Outcome.COLOURS),
        ("Li Kim", "Li Kim", Outcome.NAMES),
        ("Li Kim", "Ben Sample", Outcome.NAMES),
    ],
)
def test_names_of_the_same_words_are_told_apart_by_their_order(black, white, outcome):
    paired = Pairing("1", "7", "Li Kim", "Kim Li")
    entry = match_result(Result("1", "7", black, white, "B+3"), [paired])
    assert (entry if isinstance(entry, Outcome) else None) is outcome
    assert isinstance(entry, Entered) is (outcome is None)


def test_two_players_of_one_and_the_same_name_are_left_to_a_person():
    twins = Pairing("1", "7", "Li Kim", "Li Kim")
    assert match_result(Result("1", "7", "Li Kim", "Li Kim", "B+3"), [twins]) is Outcome.NAMES


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("José Müller", unicodedata.normalize("NFD", "José Müller")),
        ("De_la_Cruz Ana", "De la Cruz, Ana"),
        ("O\N{RIGHT SINGLE QUOTATION MARK}Brien Pat", "Pat O'Brien"),
    ],
)
def test_names_that_programs_write_differently_are_the_same_words(one, other):
    assert split_name(one) == split_name(other)


def test_different_names_are_not_the_same_words():
    assert split_name("Muller Jose") != split_name("Müller José")
