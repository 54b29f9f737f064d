"""The spoken part of a message, and its speed: told from its words alone, without a program that speaks."""

from functools import cache

import pytest

from referee.game.board import Colour
from referee.game.messages import message, plain_message
from tests.support import spoken
from tests.support.sentences import texts
from web.language import ENGLISH, find_translator
from web.language_traits import CODES
from web.voice.pronunciation import A_LITTLE, LONGEST, NEARLY, estimate_seconds, split_pieces, split_sentences
from web.voice.speech import IN_PART, list_spoken, shorten_spoken

RULED = """agree agreement call certificate clock count counted cycle dead delay director headline illegal ing legal
    lids lift notice order pass prisoners recording rehearsal repeats repeats-start result score start stones take-up
    time unclear unexplained void waits why"""
"""Families of what is ruled, counted or asked of the players: all of it is heard, or somebody plays on without it."""


@cache
def messages(code):
    """The messages of the catalogue, and the texts that are said of each."""
    return {one: list_spoken(one, find_translator(code)) for one in spoken.messages(code)}


@pytest.mark.parametrize("code", CODES)
def test_what_is_ruled_counted_or_asked_is_said_whole(code):
    say, families = find_translator(code), RULED.split()
    ruled = {one: parts for one, parts in messages(code).items() if one.key.partition(".")[0] in families}
    assert len(ruled) > 400
    assert [one.key for one, parts in ruled.items() if parts != (say.sentence(one),)] == []


@pytest.mark.parametrize("code", CODES)
def test_no_message_takes_longer_than_fits(code):
    """By `seconds`; tests/benchmarks/spoken.py measures the clips."""
    long = {
        one.key: took for one, parts in messages(code).items() if (took := estimate_seconds(parts[0], code)) > A_LITTLE
    }
    assert long == {}


def test_a_family_that_may_be_said_in_part_has_no_ruling():
    assert not IN_PART & set(RULED.split())
    assert {key.partition(".")[0] for key in texts("en")} >= set(RULED.split())


def test_of_a_long_fault_the_first_sentences_are_said():
    parts = list_spoken(message("voice.no-program"), ENGLISH)
    assert parts == ("The box cannot speak: espeak-ng is not installed.",)
    assert "sudo" in ENGLISH("voice.no-program")


@pytest.mark.parametrize("code", CODES)
def test_a_part_is_whole_sentences_and_as_many_as_fit(code):
    say, cut = find_translator(code), 0
    for one, (excerpt, *_) in messages(code).items():
        text = say.sentence(one)
        parts, spoken_sentences = split_sentences(text), split_sentences(excerpt)
        assert spoken_sentences == parts[: len(spoken_sentences)] and (spoken_sentences or not parts)
        if spoken_sentences != parts:
            cut += not one.key.startswith("hall.")  # A hall has no voice.
            assert estimate_seconds("".join(excerpt) + say.space + parts[len(spoken_sentences)], code) > LONGEST, (
                one.key
            )
    assert 50 < cut < 150


def test_a_ruling_and_what_follows_it_are_each_said():
    ruling_message = message("illegal.place", player=Colour.BLACK, point="C8") + message(
        "repeats-start.board", player=Colour.BLACK
    )
    assert list_spoken(ruling_message, ENGLISH) == (
        "Black may not play C8.",
        "This would repeat the starting position.",
    )


def test_what_a_person_wrote_is_never_cut():
    text = "Please stand up, all of you, and leave the hall by the doors at the back. " * 3
    assert list_spoken(plain_message(text), ENGLISH) == (text,)
    assert (
        shorten_spoken("camera.away", text, "en")
        == "Please stand up, all of you, and leave the hall by the doors at the back."
    )


def test_only_what_takes_a_little_longer_is_said_faster():
    for text in (ENGLISH("headline.lost"), "Black wins.", "This is said. " * 20):
        took = estimate_seconds(text, "en")
        assert {piece.fast for piece in split_pieces(text, "en")} == {NEARLY < took <= A_LITTLE}
    (hurried, *_) = split_pieces(
        "If the ultimate prisoner beside the bowl went back, press DONE again, or else play on at once.", "en"
    )
    assert hurried.fast
