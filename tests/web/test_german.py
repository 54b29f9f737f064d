"""The German sentences: all that clocks, counts, rulings and the director's acts make the box say is known in it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings

from device.director import TIME_ACTS
from referee.board import Colour, Position, board_of
from referee.errors import BadCount
from referee.messages import Duration, Listing, Message, Stones, Value, message, plain, points
from referee.score import area, expedited, fill_in, territory
from referee.time.controls import read_control
from referee.time.timekeeping import hear
from tests.support import sentences
from tests.support.device.directed import Directed
from tests.support.referee.positions import divided, record_of
from tests.support.referee.time_schedules import random_schedule
from tests.support.web.showings import (
    counted,
    fallen,
    passed_out,
    proposed,
    resigned,
    running,
    showing,
    superko,
    ultimate_game,
    unfinished,
)
from web.director import STEPS
from web.language import tongue
from web.view import view_of
from web.words import Told, told

B, W = Colour.BLACK, Colour.WHITE
GERMAN = tongue("de")
BOARD = board_of(7)


def unknown(said: Iterable[Message]) -> set[Message]:
    """Those that stay English."""
    return {one for one in said if "plain" in keys(one)}


def keys(said: Value) -> Iterator[str]:
    """The keys in a message, and in all that is said in it."""
    match said:
        case Message(key, args, then):
            yield key
            for inner in (*(value for _, value in args), *then):
                yield from keys(inner)
        case Listing(values):
            for inner in values:
                yield from keys(inner)


@pytest.mark.parametrize(
    ("said", "german"),
    [
        (
            message(
                "start.missing",
                parts=Listing(
                    (
                        message("start.put-in", stones=Stones(1, W), player=B),
                        message("start.take-out", stones=Stones(3, B), player=W),
                    )
                ),
            ),
            "Vor dem ersten Zug bitte einen weißen Stein in den Deckel von Schwarz legen und 3 schwarze Steine aus dem "
            "Deckel von Weiß nehmen.",
        ),
        (
            message("count.proposed", player=B, other=W, named=message("count.dead", points=points(BOARD, range(9)))),
            "Schwarz schlägt das Auszählen vor und nennt A7, B7, C7, D7, E7, F7, G7, A6 und 1 weiteren Punkt als tot. "
            "Weiß stimmt zu, lehnt ab oder ändert.",
        ),
        (
            message("lids.wrong", lids=message("lid.too-few", player=W, stones=Stones(2))),
            "Im Deckel von Weiß 2 Steine zu wenig. Bitte richtigstellen.",
        ),
        (
            message("unexplained.gone", stone=B, point="D4"),
            "Der schwarze Stein auf D4 ist weg, aber kein Zug hat ihn geschlagen: bitte zurückstellen.",
        ),
        (message("complete", turn=3) + message("legal.pass", player=B), "Zug 3 ist vollständig. Schwarz passte."),
    ],
)
def test_sentences_in_german(said: Message, german: str) -> None:
    assert GERMAN.sentence(said) == german


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (0, "0 Sekunden"),
        (1000, "1 Sekunde"),
        (90_500, "1 Minute 30.5 Sekunden"),
        (5_400_000, "90 Minuten"),
        (12_600_000, "3 Stunden 30 Minuten"),
    ],
)
def test_lengths_of_time(ms: int, words: str) -> None:
    assert GERMAN.value(Duration(ms)) == words


def test_a_plain_sentence_stays_english_and_says_so() -> None:
    assert told(plain("Nobody knows this."), GERMAN) == Told("Nobody knows this.", "en")
    assert told(plain("Nobody knows this.")) == Told("Nobody knows this.")


def test_a_key_or_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        GERMAN.sentence(message("no.such.key"))
    with pytest.raises(KeyError):
        GERMAN.sentence(message("legal.pass"))
    with pytest.raises(KeyError):
        GERMAN.sentence(message("lift", points="D4", n=1) + message("hidden"))


NEVER = {
    r"Lesung|falsch gelesen": "Erkennung, falsch erkannt",
    r"[Ee]ntscheide?s?\b": "Entscheidung",
    r"[Uu]nentschieden|Jigo": "Remis",
    r"Turnierleitung|\b(die|der) Leitung": "Spielleitung",
    r"Journal|Logbuch": "Protokoll (of a match), Log (of the box)",
    r"Spielbericht": "Partieaufzeichnung",
    r"Kreislauf": "Zyklus",
    r"(Sieg|Verlust|gewinnt) nach Zeit": "auf Zeit",
    r"[Uu]nterschr": "Signatur, signiert",
    r"Platte\b": "Datenträger",
    r"statt dessen|[Zz]ur Zeit\b": "stattdessen, zurzeit",
    r"Kamera gibt\b|gibt (aber )?keine (brauchbaren )?Bilder": "liefert",
    r"\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]einen?|[Ii]hr (seid|habt|zustimmt)|[Ss]eid|[Ee]uch)\b": "nobody is addressed so",
    r"(?<![.:!?] )(?<!^)\bBeide\b": "beide",
}
"""What may not come back, and what is said instead."""


@pytest.mark.parametrize("word", NEVER)
def test_a_word_that_stays_out(word: str) -> None:
    texts = sentences.texts("de")
    assert [(key, NEVER[word]) for key in texts if any(re.search(word, form) for form in texts[key])] == []


# What is said of time


def test_all_that_is_said_of_time_is_in_the_book():
    said = set[Message]()
    for seed in range(60):
        now, steps = random_schedule(seed)
        for step in steps:
            now, answers = hear(now, step)
            said |= {answer.message for answer in answers}
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
    assert all(GERMAN.sentence(step.message) for count in counts for step in count.steps)


@given(rows=divided(dame=True))
@settings(max_examples=25, deadline=None)
def test_all_that_is_said_of_an_expedited_count_is_in_the_book(rows):
    with suppress(BadCount):
        count = expedited.count(record_of(rows, B, W))
        assert all(map(GERMAN.sentence, [*(step.message for step in count.steps), *count.remarks]))


# What the page shows


@pytest.mark.parametrize(
    "made", [running, passed_out, proposed, counted, fallen, superko, unfinished, resigned, ultimate_game]
)
def test_a_whole_page_is_german(made):
    view = view_of(showing(made()), GERMAN)
    told = [*view.said, *view.faults, *(step.told for step in view.count), *view.headline.reasons]
    assert [one for one in told if one.lang] == []


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
        notice = {table.now.notice} if table.now.notice else set()
        assert unknown({one.message for one in (*game.answers, *game.rulings)} | notice) == set()
    table.close()


def test_the_desk_offers_every_act_about_time():
    assert len(STEPS) == len(TIME_ACTS) and set(STEPS) == set(TIME_ACTS)


@pytest.mark.parametrize(
    ("control", "german"),
    [
        ("45m", "Jede Seite hat 45 Minuten für die ganze Partie und verliert, wenn die Zeit um ist."),
        ("30m+1/5m", "Jede Seite hat 30 Minuten, danach 5 Minuten für jeden Zug."),
        ("30m+20/5m", "Jede Seite hat 30 Minuten, danach 5 Minuten für je 20 Züge."),
    ],
)
def test_time_controls_in_german(control, german):
    assert GERMAN.sentence(read_control(control).words()) == german
