"""Whatever is entered for a match, on the form or in the settings, and whichever board lies there: the box goes on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder, replay_journal
from device.panel.panel import NoPanel
from device.panel.signals import signal_of
from device.settings import settings_of
from device.table.controller import TableController
from device.table.director import Director
from device.table.event_loop import EventLoop
from device.table.match_config import check_terms, terms_of
from device.table.presets import with_preset
from referee.game.board import board_of, empty_position
from referee.game.errors import RefereeError
from referee.rules.sets import RULESETS, rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Sight, TableSnapshot
from referee.table.events import Button, Pressed
from referee.table.lamps import Light, Tone
from referee.table.table import TableConfig
from tests.support.referee.looks import lids_of, look
from tests.support.tiers import seeds
from tests.support.wording import english
from web.backend import LatestValue
from web.errors import BadAct

# Matches as people set them up, most of them odd: on the director's form, and in settings.

SIZES = (*range(2, 26),)
KOMI: tuple[object, ...] = (None, 0, 6.5, -7, 0.3, 3, 361, 1000, -1000, 1e308, float("inf"), float("nan"), "6.5", [])
HANDICAPS: tuple[object, ...] = (0, 1, 2, 4, 5, 9, 10, 81, 82, 168, 169, 170, 360, 361, 362, -1, 1.5, True, "9", 10**40)
CONTROLS: tuple[object, ...] = (
    None,
    "",
    "45m",
    "30m+5x30s",
    "0s",
    "0.001s",
    "1000h",
    "99999h",
    "1m+999x0.001s",
    "1m+99999x1s",
    "30m+20/5m",
    "1m+999999/1s",
    "3m+15s",
    "ing 60m 3x10m",
    "ing 0s 0x0s",
    "soon",
    "٣m",
    "9" * 39 + "h",
    7,
)
NAMES: tuple[object, ...] = (
    None,
    "",
    "Ōta",
    "李昌鎬",
    "]\\;(:",
    "x" * 60,
    "x" * 10**5,
    "two\nlines",
    "\x00",
    "\x1b[31m",
    "\u202e",
    "\ud800",
    "{name}",
    "<b>",
    5,
)
OPTIONS: tuple[object, ...] = (
    {},
    {"ko": "positional"},
    {"ko": 3},
    {"handicap": "traditional"},
    {"handicap": "passed"},
    {"handicap": "free"},
    {"compensation": 1e308},
    {"compensation": "stones"},
    {"ending": "none"},
    {"ending": "none", "scoring": "none"},
    {"scoring": "fill-in", "handicap": "traditional"},
    {"suicide": "any", "ko": "simple"},
    {"x" * 1000: 1},
)


def on_the_form(rng: random.Random) -> dict[str, object]:
    """The fields of the act `set-up`, some of them left out."""
    fields = {
        "rules": rng.choice((*RULESETS, "chess", "x" * 10**5)),
        "size": rng.choice((None, None, 0, *SIZES, 1, 26, -9, "9", 10**40)),
        "komi": rng.choice(KOMI),
        "handicap": rng.choice(HANDICAPS),
        "control": rng.choice(CONTROLS),
        "black": rng.choice(NAMES),
        "white": rng.choice(NAMES),
        "black_side": rng.choice((0, 1, 2, 2, 3)),
        "procedures": rng.choice((True, False, "yes")),
    }
    return _mostly_right(rng, fields, {"rules": "chinese", "size": None})


def in_settings(rng: random.Random) -> dict[str, object]:
    """The tables of a settings file: a match, and the same kind of match as a preset."""
    return {"game": _game(rng), "time": {"control": rng.choice(CONTROLS[2:16])}, "presets": {"odd": _game(rng)}}


def _game(rng: random.Random) -> dict[str, object]:
    game = {
        "rules": rng.choice((*RULESETS, "chess")),
        "size": rng.choice((None, None, *SIZES, 1, 26)),
        "komi": rng.choice(KOMI),
        "handicap": rng.choice(HANDICAPS),
        "options": rng.choice(OPTIONS),
        "black_side": rng.choice((1, 2)),
    }
    return {key: value for key, value in _mostly_right(rng, game, {}).items() if value is not None}


def _mostly_right(rng: random.Random, fields: dict[str, object], usual: dict[str, object]) -> dict[str, object]:
    """One or two of the fields as they are, and the others left out, so that many can be played."""
    odd = rng.sample(list(fields), rng.choice((1, 2, 2, 3)))
    return usual | {key: value for key, value in fields.items() if key in odd}


pytestmark = pytest.mark.slow

FEW, MANY = 3, 140
FREE = Terms(Setup(rule_set("chinese")), TableConfig(True, 1))


class AtAnyBoard:
    """A running box whose matches have the size of the board that is seen, and a director at her page."""

    def __init__(self, folder: Path, terms: Terms = FREE) -> None:
        self.t, self.page, self.folder = 1.0, LatestValue(), folder
        self.box = TableController(terms, Folder(folder), NoPanel(), self.page.publish)
        self.page.publish(self.box.snapshot)
        self.event_loop = EventLoop(lambda: self.t)
        self.event_loop.start(self.box)
        self.director = Director(self.event_loop, lambda: self.t, lambda place: None)

    def look(self, size: int, times: int = 2) -> TableSnapshot:
        """A bare board of so many lines is seen."""
        for _ in range(times):
            self.t += 1.0
            observation = look(empty_position(board_of(size)), self.t, lids_of(self.box.table.record.bowls))
            self.event_loop.sight(Sight.SEEN, self.t)
            self.event_loop.handle_observation(as_journaled(observation))
            self.settle()
        return self.page.newest

    def press(self) -> None:
        self.t += 1.0
        self.event_loop.say(Pressed(self.t, 2, Button.DONE))
        self.settle()

    def settle(self) -> None:
        self.event_loop.settle()
        assert not self.event_loop.failed.is_set(), "the owner's thread has stopped"

    def set_up(self, **fields: object) -> str:
        """The act on the form; what was answered."""
        self.t += 1.0
        answer = " ".join(map(english, self.director.act({"act": "set-up", **fields})))
        self.settle()
        return answer

    def close(self) -> None:
        self.event_loop.stop()
        for journal in Folder(self.folder).list_journals():
            assert replay_journal(journal).differs is None


def test_a_handicap_too_large_for_the_board_is_refused(tmp_path):
    table = AtAnyBoard(tmp_path)
    table.look(9)
    before = table.page.newest.game
    with pytest.raises(BadAct) as refused:
        table.set_up(rules="chinese", handicap=82)
    assert english(refused.value) == "A handicap of 82 cannot be on this board; it must be 0 to 81."
    table.settle()
    assert table.page.newest.game == before and not table.page.newest.faults
    table.set_up(rules="chinese", handicap=81)
    table.close()


def test_terms_that_do_not_fit_another_board_are_told_and_the_box_waits(tmp_path):
    table = AtAnyBoard(tmp_path)
    table.look(19)
    table.set_up(rules="chinese", handicap=82)
    snapshot = table.look(9)
    sentences = [english(fault) for fault in snapshot.faults]
    assert any("82" in one and "9 lines" in one for one in sentences), sentences
    assert signal_of(snapshot).table == Light(Tone.RED, pulse=True)
    assert snapshot.game.position.board.cols == 19
    snapshot = table.look(19)
    assert not snapshot.faults and signal_of(snapshot).table == Light(Tone.GREEN)
    table.look(9)
    table.set_up(rules="chinese", handicap=2)
    assert table.look(9).game.position.board.cols == 9 and not table.page.newest.faults
    table.close()


@pytest.mark.parametrize("odd", [{"handicap": 82}, {"handicap": 9, "options": {"handicap": "traditional"}}])
def test_settings_that_do_not_fit_the_first_board_are_told(tmp_path, odd):
    settings = settings_of({"game": {"rules": "chinese", **odd}})
    check_terms(settings)
    table = AtAnyBoard(tmp_path, terms_of(settings))
    snapshot = table.look(8)
    assert [english(fault) for fault in snapshot.faults] and signal_of(snapshot).table == Light(Tone.RED, pulse=True)
    table.press()
    assert Folder(tmp_path).list_journals() == []
    assert table.look(19).game.position.board.cols == 19 and not table.page.newest.faults
    table.close()


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(FEW, MANY))
def test_whatever_stands_on_the_form_the_box_goes_on(tmp_path, seed):
    rng = random.Random(f"form {seed}")
    table = AtAnyBoard(tmp_path)
    table.look(rng.choice(SIZES))
    for _ in range(4):
        try:
            assert table.set_up(**on_the_form(rng)).endswith((".", ")"))
        except BadAct as refused:
            assert english(refused).endswith(".") and len(english(refused)) < 300 and "\n" not in english(refused)
        table.look(rng.choice(SIZES))
        table.press()
        table.look(rng.choice((9, 19, 2, 25)))
    table.close()


@pytest.mark.parametrize("seed", seeds(FEW, MANY))
def test_whatever_the_settings_say_of_a_match_the_box_goes_on(tmp_path, seed):
    rng = random.Random(f"settings {seed}")
    for number in range(4):
        try:
            settings = settings_of(in_settings(rng))
            check_terms(settings)
        except RefereeError as refused:
            assert english(refused).endswith(".") and len(english(refused)) < 400 and "\n" not in english(refused)
            continue
        for name in (None, "odd"):
            table = AtAnyBoard(tmp_path / f"{number} {name}", terms_of(with_preset(settings, name)))
            for size in (rng.choice(SIZES), 9, rng.choice(SIZES), 19):
                table.look(size)
                table.press()
            table.close()
