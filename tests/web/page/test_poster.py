"""The poster of a game: what is on it, and that nothing on it reaches beyond its place."""

from __future__ import annotations

import io
import random
import re
import sys
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pypdfium2
import pytest

from referee.game.coordinates import JOINT
from referee.game.game_info import GameInfo
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.game.turns import Placement
from referee.rules.legality import judge
from referee.rules.ruling_messages import refusal_message
from referee.table.display_state import TableSnapshot
from referee.table.history import GameHistory
from referee.table.table import Table, TableConfig
from referee.time.controls import TimeLeft, read_control
from referee.time.records import Times
from tests.support.play import start_game
from tests.support.referee.table import PlayedTable
from tests.support.simulator.game_scripts import self_play
from tests.support.tiers import LONG
from tests.support.web.snapshots import box, counted_table, superko, take_snapshot
from web.app import create_app
from web.language import find_translator
from web.language_traits import CODES
from web.page.poster import LONG_NAME, NUMBERED, break_lines, fit_text, newest_numbers, poster_of, width_of
from web.page.svg import KEY

SVG = "{http://www.w3.org/2000/svg}"
BEYOND = """
return [...document.querySelectorAll('text[data-wide]')]
  .filter(text => text.getComputedTextLength() > Number(text.dataset.wide) + 0.5)
  .map(text => text.textContent)
"""
OUTSIDE = """
const sheet = document.documentElement.viewBox.baseVal;
return [...document.querySelectorAll('text[data-wide]')].map(text => [text.textContent, text.getBBox()])
  .filter(([, at]) => at.x < 0 || at.y < 0 || at.x + at.width > sheet.width || at.y + at.height > sheet.height)
  .map(([said]) => said)
"""
LONG_NAMES = ("Maximiliana-Theodora von Hohenlohe-Waldenburg-Schillingsfürst", "W" * 60)
OCCASION = GameInfo("The Great International Amateur Go Tournament of the Upper Rhine", "Quarter-final", "12", "Köln")


@cache
def played(size: int, many: int) -> GameRecord:
    """A game of so many turns of self-play under Ultimate Go's rules, in which prisoners go back and forth."""
    record = start_game("ultimate", size=(size, size))
    for turn in self_play(size, 3, many):
        after = judge(record, turn).after
        assert after is not None
        record = after
    return record


def story(size: int = 19, many: int = 240, names: tuple[str, ...] = LONG_NAMES, tries: int = 12) -> TableSnapshot:
    """A game without a result yet. tries: so many turns were refused on the way."""
    record, chance, control = played(size, many), random.Random(many), read_control("30m+3x30s")
    lefts, now = dict[int, TimeLeft](), {0: control.time_at_start(), 1: control.time_at_start()}
    for number in range(1, many + 1):
        side = (number - 1) % 2
        now[side] = control.close_turn(control.spend(now[side], int(chance.expovariate(1 / 17_000))))
        lefts[number] = now[side]
    rulings = [ruling for number in chance.sample(range(2, many), tries) for ruling in _tried(record, number)]
    snapshot = replace(
        Table(record, TableConfig(True, 1, control=control)).snapshot,
        past=GameHistory(record, tuple(sorted(rulings, key=lambda one: one.turn)), Times(control, lefts)),
    )
    whole = take_snapshot(
        PlayedTable(("." * size,) * size, refereed=True), names=names, game_info=OCCASION, seal="ABCD-EFGH-JKLM-NOPQ"
    )
    return replace(whole, game=snapshot)


def _tried(record: GameRecord, number: int) -> list[Ruling]:
    """A stone on one that lies there already."""
    before = next(one for one in record.iterate_back() if one.number == number)
    point = before.position.occupied.bit_length() - 1
    turn = Placement(before.to_play, point)
    prohibition = judge(before, turn).prohibition
    assert prohibition is not None
    message = refusal_message(before, turn, prohibition, 0)
    return [Ruling(Status.ILLEGAL, number + 1, message, turn.player, turn, prohibition.reason)]


def texts(drawing: str) -> str:
    return " ".join("".join(text.itertext()) for text in ElementTree.fromstring(drawing).iter(f"{SVG}text"))


def test_it_tells_who_played_what_how_it_ended_and_the_count():
    poster_texts = texts(
        poster_of(take_snapshot(counted_table(), names=("Anna", "Ben"), seal="ABCD"), day="2026-11-23")
    )
    for part in ("Anna", "Ben", "White wins by 12.5 points", "2026-11-23", "Seal ABCD", "White has 5 stones"):
        assert part in poster_texts


def test_the_newest_moves_have_their_numbers_where_their_stones_stand():
    game = story(9, 60).game
    numbers = newest_numbers(game)
    assert numbers and min(numbers.values()) > 60 - NUMBERED
    for point, number in numbers.items():
        turn = game.turns[number - 1]
        assert isinstance(turn, Placement) and turn.point == point and game.position.colour_at(point) is turn.player
        assert all(not isinstance(one, Placement) or one.point != point for one in game.turns[number:])


def test_the_newest_moves_that_are_not_on_the_board_are_named():
    game = story(9, 60).game
    placed = [(n, turn) for n, turn in enumerate(game.turns, 1) if isinstance(turn, Placement)]
    newest = [(n, turn) for n, turn in placed if n > len(game.turns) - NUMBERED and turn.point >= 0]
    off_board = [(n, turn) for n, turn in newest if n not in newest_numbers(game).values()]
    poster_texts = texts(poster_of(story(9, 60)))
    assert off_board and all(f"{n} at {game.position.board.name(turn.point)}" in poster_texts for n, turn in off_board)


def test_on_a_screen_it_is_as_wide_as_the_window_and_on_paper_a4():
    drawing = poster_of(story(9, 40))
    assert 'width="210mm" height="297mm"' in drawing and "@media screen{:root{display:block;width:min(100%" in drawing


def test_what_was_refused_is_told_with_its_turn():
    poster_texts = texts(poster_of(take_snapshot(superko())))
    assert re.search(r"Turn \d+: White may not play", poster_texts) or re.search(
        r"Turn \d+: Black may not play", poster_texts
    )


@pytest.mark.parametrize("code", CODES)
def test_it_is_well_formed_in_every_language(code):
    drawing = poster_of(story(9, 40), find_translator(code), "2026-11-23")
    root = ElementTree.fromstring(drawing)
    assert root.get("viewBox") == "0 0 840 1188" and root.find(f"{SVG}svg") is not None
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids)) and any(one.startswith(KEY) for one in ids)
    assert len(root.findall(f"{SVG}polyline")) == 3, "Black's line, and White's with its edge"


def test_names_that_mean_something_in_svg_are_only_names():
    drawing = poster_of(take_snapshot(counted_table(), names=("<b>&\"'", "</svg>")))
    assert "<b>&\"'" in texts(drawing) and "</svg>" in texts(drawing)


def test_words_are_broken_and_cut_to_their_place():
    assert fit_text("short", 100, 12) == ("short", 12)
    cut, size = fit_text("W" * 200, 100, 12)
    assert cut.endswith("…") and width_of(cut, size) <= 100
    lines = break_lines("one two three " + "x" * 60, 80, 12)
    assert len(lines) > 3 and all(width_of(line, 12) <= 80 for line in lines)
    assert "".join(break_lines("囲碁" * 30, 80, 12)) == "囲碁" * 30


@pytest.mark.parametrize("wide", range(44, 160, 9))
def test_lines_end_between_words_and_never_before_punctuation(wide):
    korean = "흑은 그 돌을 도로 들고, 따낸 돌을 판에 되돌려 놓으세요."
    assert " ".join(break_lines(korean, wide, 8)) == korean
    japanese = f"両者のパス（計2回）の後、3{JOINT}十で「SCORE」を長押しします。"
    lines = break_lines(japanese, wide + 20, 8)
    assert "".join(lines) == japanese
    assert not any(line[0] in "、。）」ー十" for line in lines) and not any(line[-1] in "（「" for line in lines)


def test_a_game_that_has_just_begun_has_a_poster():
    begun = replace(story(9, 2, tries=0), names=("", ""))
    assert "Black" in texts(poster_of(begun))


def test_the_page_gives_both_kinds():
    client = create_app(box(counted_table()).backend).test_client()
    answer = client.get("/poster.svg?lang=de")
    assert answer.mimetype == "image/svg+xml" and "Weiß gewinnt" in texts(answer.get_data(as_text=True))
    printed = client.get("/poster.pdf")
    assert printed.mimetype == "application/pdf"
    document = pypdfium2.PdfDocument(io.BytesIO(printed.data))
    assert len(document) == 1 and [round(side) for side in document[0].get_size()] == [595, 842]
    assert "Weiß gewinnt" in document[0].get_textpage().get_text_bounded()


def test_without_its_library_a_pdf_is_told_in_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    client = create_app(box(superko()).backend).test_client()
    answer = client.get("/poster.pdf")
    assert answer.status_code == 501 and "cairosvg" in answer.get_data(as_text=True)
    opened = client.get("/poster.pdf", headers={"Accept": "text/html"})
    assert opened.status_code == 501 and "<h1>" in opened.get_data(as_text=True)


@LONG
@pytest.mark.parametrize("code", CODES)
def test_no_word_reaches_beyond_its_place(code, chromium, tmp_path):
    assert width_of(LONG_NAMES[1], LONG_NAME) > 360, "a name too long for its place"
    for number, names in enumerate((LONG_NAMES, ("Anna", "Ben"), ("本因坊" * 20, "i" * 60))):
        file = tmp_path / f"{number}.svg"
        file.write_text(poster_of(story(names=names), find_translator(code), "2026-11-23"), encoding="utf-8")
        chromium.get(file.as_uri())
        assert chromium.execute_script(BEYOND) == [] and chromium.execute_script(OUTSIDE) == []
