"""The German sentences: what clocks, counts, rulings and the director's acts make the box say is in the book."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings

from device.director import TIME_ACTS
from device.terms import choices
from referee.board import Colour, Position, board_of
from referee.errors import BadCount
from referee.score import area, expedited, fill_in, territory
from referee.time.timekeeping import hear
from tests.support.device.directed import Directed
from tests.support.referee.positions import divided, record_of
from tests.support.referee.time_schedules import random_schedule
from tests.support.web.showings import resigned, showing, superko, ultimate_game, unfinished
from tests.web.test_clocks import counted, fallen, passed_out, proposed, running
from web.language import FOLDER, tongue
from web.phrases import KINDS, Book
from web.view import view_of

B, W = Colour.BLACK, Colour.WHITE
GERMAN = tongue("de")
SENTENCES = json.loads((FOLDER / "de.phrases.json").read_text(encoding="utf-8"))


def unknown(texts: set[str]) -> set[str]:
    """Those that stay English."""
    return {text for text in texts if GERMAN.sentence(text) is None}


def slots(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


# The book


def test_every_sentence_has_the_same_slots_in_both_languages_and_each_is_of_a_kind():
    assert {english for english, german in SENTENCES.items() if slots(english) != slots(german)} == set()
    assert {slot.rstrip("0123456789") for english in SENTENCES for slot in slots(english)} <= set(KINDS)


@pytest.mark.parametrize(
    ("said", "german"),
    [
        (
            "The next move has been made: no win on Black's time may be claimed any more; nothing is left for Black to "
            "go on with: the clock stands, and the director is called.",
            "Der nächste Zug ist gemacht: Ein Sieg über die Zeit von Schwarz kann nicht mehr beansprucht werden; für "
            "Schwarz ist keine Zeit mehr übrig: Die Uhr steht, und die Spielleitung ist gerufen.",
        ),
        (
            "The board is filled in otherwise than counted. In Black's area there should be 5 white stones and 1 left "
            "empty; there are 6 and 1. Look again before you agree.",
            "Das Brett ist anders aufgefüllt, als gezählt wurde. Im Gebiet von Schwarz sollten 5 weiße Steine liegen "
            "und 1 leer sein; es sind 6 und 1. Seht noch einmal nach, bevor ihr zustimmt.",
        ),
        (
            "Fill-in: points still to be filled: 30 in Black's area, 0 in White's, 2 shared.",
            "Auffüllen: noch zu füllende Punkte: 30 im Gebiet von Schwarz, 0 in dem von Weiß, 2 gemeinsame.",
        ),
        ("White starts the clock: Black is to play.", "Weiß startet die Uhr: Schwarz ist am Zug."),
        (
            "Black proposes to score and names B5, C5 and 3 more points as dead: White agrees, disagrees or amends.",
            "Schwarz schlägt vor auszuzählen und nennt B5, C5 und 3 weitere Punkte als tot: Weiß stimmt zu, lehnt ab "
            "oder ändert.",
        ),
        (
            "Before the first move, put one white stone into Black's lid and take 3 black stones out of White's lid.",
            "Vor dem ersten Zug: 1 weißen Stein in den Deckel von Schwarz legen und 3 schwarze Steine aus dem Deckel "
            "von Weiß nehmen.",
        ),
        (
            "Black has come, 1 minute 30 seconds late; the director may take 3 minutes as a penalty.",
            "Schwarz ist da, 1 Minute 30 Sekunden zu spät; die Spielleitung kann 3 Minuten als Strafe abziehen.",
        ),
        (
            "Black proposes these times: Black 12:00, White 0:28, 3 periods left.",
            "Schwarz schlägt diese Zeiten vor: Schwarz 12:00, Weiß 0:28, noch 3 Perioden.",
        ),
    ],
)
def test_sentences_in_german(said, german):
    assert GERMAN.sentence(said) == german


@pytest.mark.parametrize("said", ["", "Nobody knows this.", "White starts the clock: Nobody is to play.", "Black."])
def test_what_is_not_in_the_book(said):
    assert GERMAN.sentence(said) is None


def test_a_text_of_which_one_sentence_is_unknown_is_unknown():
    book = Book({"The clock is running.": "Die Uhr läuft."}, str, " und ")
    assert book.said("The clock is running. The clock is running.") == "Die Uhr läuft. Die Uhr läuft."
    assert book.said("The clock is running. It rains.") is None


# What is said of time


def test_all_that_is_said_of_time_is_in_the_book():
    said = set[str]()
    for seed in range(60):
        now, steps = random_schedule(seed)
        for step in steps:
            now, answers = hear(now, step)
            said |= {answer.text for answer in answers}
    assert len(said) > 100 and unknown(said) == set()


# What is said of counts


def random_position(chance: random.Random) -> Position:
    board = board_of(7)
    kinds = [chance.choice("XO..") for _ in range(board.points)]
    black, white = (sum(1 << point for point, kind in enumerate(kinds) if kind == wanted) for wanted in "XO")
    return Position(board, (black, white))


@pytest.mark.parametrize("seed", range(20))
def test_all_that_is_said_of_a_count_of_area_territory_or_full_sets_is_in_the_book(seed):
    chance = random.Random(seed)
    position, dead = random_position(chance), 0
    for _ in range(chance.randint(0, 3)):
        dead |= position.chain(chance.randrange(position.board.points))
    to_white = chance.choice([0, 0.5, 3, 7.5, 40])
    supplies = chance.choice([None, (chance.randint(0, 24), chance.randint(0, 24))])
    counts = [
        area.count(position, dead, to_white),
        territory.count(position, (chance.randint(0, 2), 1), dead, 0, to_white),
        fill_in.count(position, dead, to_white, W, supplies),
    ]
    assert unknown({step.text for count in counts for step in count.steps}) == set()


@given(rows=divided(dame=True))
@settings(max_examples=25, deadline=None)
def test_all_that_is_said_of_an_expedited_count_is_in_the_book(rows):
    with suppress(BadCount):
        count = expedited.count(record_of(rows, B, W))
        assert unknown({step.text for step in count.steps} | set(count.remarks)) == set()


# What the page shows


@pytest.mark.parametrize(
    "made", [running, passed_out, proposed, counted, fallen, superko, unfinished, resigned, ultimate_game]
)
def test_a_whole_page_is_german(made):
    view = view_of(showing(made()), GERMAN)
    told = [*view.said, *view.faults, *(step.told for step in view.count), view.notice]
    findings = [*([view.finding] if view.finding else []), *view.earlier]
    assert [one for one in told if one.lang] == [] and [one for one in findings if one.original] == []


def test_what_the_director_does_is_told_in_german(tmp_path):
    table = Directed(tmp_path, "chinese", "10m+3x30s")
    for act, fields in (
        ("enter", {"player": "B", "turn": "place", "point": "C3", "why": "the camera was covered"}),
        ("take-back", {"turns": 1, "why": "it was D3"}),
        ("pause", {"why": "rain"}),
        ("resume", {}),
        ("report", {"result": "B+3", "why": "counted. By hand."}),
        ("verify", {}),
        ("remark", {"why": "lunch at one"}),
        ("set-up", {"black": "Ōta", "white": "Li", "rules": "japanese", "control": "45m"}),
    ):
        table.act(act, **fields)
        game = table.now.game
        said = {one.text for one in (*game.answers, *game.rulings)} | {table.now.notice or "Done."}
        assert unknown(said - {"Done."}) == set()
    table.close()


def test_what_can_be_chosen_at_the_desk_is_told_in_german():
    offered = choices()
    said = {one["summary"] for one in offered["rules"]} | {one["meaning"] for one in offered["controls"]}  # type: ignore[attr-defined]
    assert unknown(said | {act.value.replace("-", " ") for act in TIME_ACTS}) == set()
    assert {one["name"] for one in offered["rules"] if f"rules.{one['name']}" not in GERMAN} == set()  # type: ignore[attr-defined]
