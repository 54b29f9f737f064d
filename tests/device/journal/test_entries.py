"""Conversion of a match's inputs, outcomes and terms to journal entries, and back."""

import json

import pytest

from device.journal.entries import Terms, as_journaled, from_entry, match_entry, terms_of, to_entry
from device.journal.store import Kind
from referee.game.actor import Actor
from referee.game.game_info import GameInfo
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, EnterTurn, Pause, Pressed
from referee.table.table import TableConfig
from referee.time.steps import Act, Step
from tests.support.play import start_game, turn_of
from tests.support.referee.looks import look

RECORD = start_game("chinese", ".....", ".....", ".....", ".....", ".....")
BOARD = RECORD.position.board
EVENTS = [
    Pressed(3.5, 2, Button.DONE),
    Pause(4.0),
    EnterTurn(5.0, turn_of("B C3", BOARD), False, Actor.DIRECTOR),
    Step(6.25, Act.START),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_input_comes_back_from_its_entry(event):
    entry = to_entry(event, BOARD)
    assert entry.t == event.t and json.loads(json.dumps(entry.body)) == entry.body
    assert from_entry(entry, BOARD) == event


def test_the_referee_gets_an_observation_as_it_is_kept():
    observation = as_journaled(look(RECORD.position, 2.0))
    entry = to_entry(observation, BOARD)
    assert entry.kind is Kind.SEEN and from_entry(entry, BOARD) == observation


def test_the_terms_of_a_match_come_back():
    setup = Setup(rule_set("japanese"), size=(9, 9), komi=6.5)
    terms = Terms(setup, TableConfig(refereed=True), ("Ada", "Ben"), GameInfo("Cup", "2"))
    read = terms_of(match_entry(terms, 1.0))
    assert (read.names, read.game_info, read.setup.komi) == (("Ada", "Ben"), GameInfo("Cup", "2"), 6.5)
    assert read.record().position == terms.record().position and read.config.refereed


def test_a_size_that_the_terms_name_is_kept():
    named, open_ = (Terms(Setup(rule_set("chinese"), size=size), TableConfig()) for size in ((13, 13), None))
    assert named.with_size(9) is named and open_.with_size(9).setup.size == (9, 9)
