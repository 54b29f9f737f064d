"""The page in every language: no text is missing, none is left over, and values stand where they are given."""

from __future__ import annotations

import json
import re
import string
from dataclasses import replace

import pytest

from referee.board import Colour
from referee.ruling import Reason, Status
from referee.snapshot import Sight
from tests.support import ROOT
from tests.support.web.showings import box, resigned, showing, superko, ultimate_game, unfinished
from web.app import create_app
from web.headline import headline_of
from web.lamps import Tone
from web.language import CODES, FOLDER, spoken, tongue
from web.view import view_of
from web.words import Told

WEB = ROOT / "web"
TEXTS = {code: json.loads((FOLDER / f"{code}.json").read_text(encoding="utf-8")) for code in CODES}
MADE = {
    *(f"colour.{colour}" for colour in Colour),
    *(f"stones.{colour}.{count}" for colour in Colour for count in ("one", "many")),
    *(f"status.{status}" for status in Status),
    *(f"sight.{sight}" for sight in Sight),
    *(f"why.{reason}" for reason in Reason),
    *(f"act.{tone}" for tone in Tone),
}
"""Keys that are put together from the referee's words."""


def values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def source() -> str:
    files = [*WEB.glob("*.py"), *WEB.glob("templates/*")]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("code", CODES[1:])
def test_no_language_lacks_a_text(code):
    assert set(TEXTS[code]) == set(TEXTS["en"])


@pytest.mark.parametrize("code", CODES)
def test_every_text_has_the_same_values(code):
    assert {key for key, text in TEXTS[code].items() if values(text) != values(TEXTS["en"][key])} == set()


def test_every_word_of_the_referee_has_a_text():
    assert MADE - set(TEXTS["en"]) == set()


def test_every_key_that_is_asked_for_is_there():
    asked = set(re.findall(r"""say(?:\.count)?\(\s*['"]([a-z][\w.-]+)['"]""", source()))
    there = set(TEXTS["en"]) | {key.rpartition(".")[0] for key in TEXTS["en"] if key.endswith((".one", ".many"))}
    assert {key for key in asked if not key.endswith(".")} - there == set() and len(asked) > 60


def test_no_text_is_left_over():
    code = source()
    parts = ("act.", "label.", "headline.", "ruling.", "turn.", "result.", "desk.")
    idle = {key for key in TEXTS["en"] if key not in MADE and not key.startswith(parts)}
    assert {key for key in idle if key not in code and key.rpartition(".")[0] not in code} == set()


@pytest.mark.parametrize(
    ("wanted", "code"),
    [((None, "de"), "de"), (("de-CH",), "de"), (("fr", "DE"), "de"), (("xx",), "en"), ((), "en"), (("", None), "en")],
)
def test_the_first_language_that_is_spoken(wanted, code):
    assert spoken(wanted).code == code


@pytest.mark.parametrize(
    ("game", "headline", "text"),
    [
        (ultimate_game, "Weiß ist am Zug: ziehen, dann done drücken.", "Schwarz spielte E4."),
        (
            superko,
            "Schwarz nimmt den Stein zurück und zieht anders.",
            "Schwarz darf nicht auf C8 spielen: Das Brett wäre wieder wie vor dem ersten Zug. "
            "Den Stein zurücknehmen und seine Gefangenen wieder aufs Brett stellen.",
        ),
        (
            unfinished,
            "Schwarz hat noch etwas zu tun.",
            "Schwarz spielte E7: die geschlagenen Steine auf C7 und D7 abnehmen.",
        ),
        (
            resigned,
            "Schwarz gewinnt durch Aufgabe: Beide werden um Zustimmung gebeten.",
            "Weiß gab auf; das Ergebnis ist B+R.",
        ),
    ],
)
def test_a_game_in_german(game, headline, text):
    shown, german = showing(game()), tongue("de")
    view = view_of(shown, german)
    assert headline_of(shown, german).text == headline
    assert view.finding is not None and (view.finding.text, view.finding.original) == (text, None)


def test_what_is_not_known_in_german_stays_as_it_was_said():
    shown, german = showing(ultimate_game()), tongue("de")
    ruling = replace(shown.game.rulings[-1], text="Something new.")
    game = replace(shown.game, rulings=(*shown.game.rulings[:-1], ruling))
    view = view_of(replace(shown, game=game, notice="Something else.", faults=("A cable.",)), german)
    assert view.finding is not None
    assert (view.finding.text, view.finding.original) == ("Schwarz spielte E4.", "Something new.")
    assert view.notice == Told("Something else.", "en") and view.faults == (Told("A cable.", "en"),)


def test_the_reader_chooses_and_the_page_remembers():
    client = create_app(box(ultimate_game()).desk).test_client()
    assert "It is White" in client.get("/").get_data(as_text=True)
    assert "Weiß ist am Zug" in client.get("/", headers={"Accept-Language": "de-AT,en;q=0.5"}).get_data(as_text=True)
    chosen = client.get("/?lang=de")
    assert "HttpOnly" in chosen.headers["Set-Cookie"]
    for address, text in (("/", 'lang="de"'), ("/board.svg", "Go-Brett"), ("/games", "Frühere Partien")):
        assert text in client.get(address).get_data(as_text=True)
    assert "It is White" in client.get("/?lang=en").get_data(as_text=True)


def test_other_programs_are_told_in_english():
    client = create_app(box(ultimate_game()).desk).test_client()
    said = client.get("/status.json", headers={"Accept-Language": "de"}).get_json()
    assert said["headline"] == "It is White's turn: play, then press done."
