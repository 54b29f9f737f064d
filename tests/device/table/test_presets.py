"""Matches chosen when the box starts: which button is held, how long, what the lamps answer, what then is played."""

from __future__ import annotations

from functools import partial

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.journal.entries import Terms
from device.journal.replay import Folder
from device.journal.store import Kind, read_journal
from device.panel.debouncer import BOUNCE, HELD
from device.panel.factory import open_panel
from device.panel.gpio import PINS
from device.panel.panel import Edge, NoPanel
from device.panel.signals import Signal, Sound, signal_of
from device.settings import BUTTONS, BadSettings, read_settings, settings_of
from device.table import bootstrap
from device.table.bootstrap import Application
from device.table.controller import TableController
from device.table.match_config import terms_of
from device.table.presets import LET_GO_WITHIN, PresetChoice, choose_preset, key_of, preset_signal, with_preset
from referee.codec import read_message
from referee.game.errors import RefereeError
from referee.game.messages import plain_message
from referee.table.events import Button
from referee.table.lamps import OFF, Light, Tone
from tests.support.device.player import Player
from tests.support.panel.tables import TABLES
from tests.support.referee.looks import lids_of, look
from tests.support.wording import english

BLITZ = {"button": "call 2", "rules": "chinese", "size": 9, "control": "3m+15s", "procedures": False}
LONG = {"button": "pause", "rules": "ultimate", "handicap": 2}
TABLE = {"game": {"rules": "kee", "komi": 3}, "time": {"control": "1h"}, "presets": {"blitz": BLITZ, "long": LONG}}
ELSE = {"page": {"port": 0}, "camera": {"source": "/dev/video99"}}
CALL = (2, Button.CALL)


class Lamps(NoPanel):
    """A panel that remembers, and hands that hold its buttons: `moves` says when one comes up or goes down."""

    def __init__(self, *moves: tuple[float, bool], key: tuple[int, Button] = CALL) -> None:
        self.t, self.coming = 7.0, [Edge(*key, down, 7.0 + after) for after, down in moves]
        self.done: list[object] = []

    def show(self, signal: Signal) -> None:
        self.done.append((self.t - 7.0, signal))

    def sound(self, sound: Sound) -> None:
        self.done.append((self.t - 7.0, sound))

    def listen(self, within: float) -> Edge | None:
        if self.coming and self.coming[0].t <= self.t + within:
            self.t = self.coming[0].t
            return self.coming.pop(0)
        self.t += within
        return None

    def choose(self, *buttons: tuple[int, Button]) -> PresetChoice:
        return choose_preset(buttons or (CALL,), settings_of(TABLE).presets, self, self.listen, lambda: self.t)


def test_a_button_that_is_held_and_let_go_after_the_answer_chooses():
    panel = Lamps((5.0, False))
    assert panel.choose() == PresetChoice("blitz", True)
    answered = Signal((OFF, Light(Tone.AMBER)), table=Light(Tone.WHITE))
    assert panel.done == [(HELD, answered), (HELD, Sound.HEARD), (pytest.approx(5.0 + BOUNCE), Sound.HEARD)]


def test_a_contact_that_bounces_is_still_held():
    panel = Lamps((3.0, False), (3.0 + BOUNCE / 2, True), (6.0, False))
    assert panel.choose() == PresetChoice("blitz", True) and panel.t == pytest.approx(13.0 + BOUNCE)


@pytest.mark.parametrize("let_go", [0.1, HELD - 0.01])
def test_one_that_is_let_go_at_once_was_leant_on(let_go):
    panel = Lamps((let_go, False))
    assert panel.choose() == PresetChoice(None, True)
    assert [what for _, what in panel.done] == [Sound.PUT_RIGHT]


def test_one_that_never_comes_up_has_its_wire_at_ground():
    panel = Lamps()
    assert panel.choose() == PresetChoice(None, False)
    assert panel.done[-1][1] is Sound.PUT_RIGHT and panel.t - 7.0 < HELD + LET_GO_WITHIN + 1


def test_two_buttons_or_an_unset_one_choose_nothing_in_no_time():
    panel = Lamps((5.0, False))
    assert panel.choose(CALL, (1, Button.DONE)) == PresetChoice() and panel.choose((1, Button.DONE)) == PresetChoice()
    assert panel.t == 7.0 and [what for _, what in panel.done] == [Sound.PUT_RIGHT]


def test_other_buttons_do_not_matter_meanwhile():
    panel = Lamps((3.0, False), key=(1, Button.DONE))
    panel.coming.append(Edge(*CALL, False, 7.0 + 4.0))
    assert panel.choose() == PresetChoice("blitz", True)


def test_every_button_has_its_answer_unlike_any_state_of_a_match():
    answers = [preset_signal(key_of(button)) for button in BUTTONS]
    assert len({str(one) for one in answers}) == len(BUTTONS) == len(set(map(key_of, BUTTONS)))
    assert {key_of(button) for button in BUTTONS} == set(PINS.buttons)
    assert not {str(one) for one in answers} & {str(signal_of(snapshot)) for _, _, snapshot in TABLES.values()}


def test_a_preset_is_a_match_of_its_own():
    settings = settings_of(TABLE)
    blitz, long = (terms_of(with_preset(settings, name)) for name in ("blitz", "long"))
    assert (blitz.setup.rules.name, blitz.setup.size, str(blitz.config.control)) == ("chinese", (9, 9), "3m+15s")
    assert not blitz.config.procedures and blitz.setup.komi is None
    assert (long.setup.rules.name, long.setup.handicap, long.config.control) == ("ultimate", 2, None)
    assert with_preset(settings, None) is settings
    with pytest.raises(BadSettings, match="no preset 'rapid'; the settings have: blitz, long"):
        with_preset(settings, "rapid")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[presets]\nblitz = 3", "[presets.blitz]"),
        ("[presets.blitz]\nbuton = 'pause'", "[presets.blitz] has no buton; it has rules, size, komi"),
        ("[presets.blitz]\nbutton = 'done'", "must be done 1 or call 1"),
        ("[presets.blitz]\nsize = 99", "[presets.blitz] size cannot be 99"),
        ("[presets.blitz]\ncontrol = 5", "[presets.blitz] control cannot be 5"),
        ("[presets.a]\nbutton = 'pause'\n[presets.b]\nbutton = 'pause'", "two of the [presets]"),
        ('[presets."a\\nb"]\nbutton = "pause"', "one line"),
    ],
)
def test_presets_that_cannot_be_get_one_sentence(tmp_path, text, said):
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(BadSettings) as caught:
        read_settings(tmp_path / "s.toml")
    assert said in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [{"rules": "chess"}, {"control": "soon"}, {"rules": "ultimate", "komi": 0.3}])
def test_an_unplayable_preset_is_reported_when_the_box_starts(tmp_path, wrong):
    settings = settings_of({"presets": {"odd": wrong}, "data": {"folder": str(tmp_path)}})
    with pytest.raises(RefereeError, match=r"\[presets\.odd\]"):
        Application(settings)


# What is then played


def box_with(tmp_path, **more):
    settings = settings_of({**TABLE, **ELSE, "data": {"folder": str(tmp_path)}})
    return Application(settings, **more)


def matches(folder) -> list[dict[str, object]]:
    return [read_journal(path)[0].body for path in Folder(folder).list_journals()]


def test_a_preset_by_name_is_played_and_told(tmp_path):
    box = box_with(tmp_path, preset="blitz")
    box.stop()
    snapshot = box.board.newest
    assert snapshot.game.clocks is not None and snapshot.game.position.board.cols == 9
    sentence = "The preset blitz is chosen: Chinese rules and 9 lines. Each player has 3 minutes, plus "
    assert english(snapshot.notice).startswith(sentence)


def broken_off(folder, turns: int) -> Player:
    player = Player(folder, rules="chinese", refereed=False).look()
    for point in ("C3", "B2")[:turns]:
        player.put(player.box.table.record.to_play, point).look().look()
    player.box.close()
    return player


def test_a_broken_off_match_goes_on_and_the_preset_waits(tmp_path):
    broken_off(tmp_path, 1)
    box = box_with(tmp_path, preset="blitz")
    box.stop()
    assert (box.board.newest.game.turn, box.board.newest.game.position.board.cols) == (1, 5)
    assert english(box.board.newest.notice).startswith("The preset blitz applies from the next match: ")


@pytest.mark.long
def test_one_in_which_nothing_was_played_does_not_stand_in_the_way(tmp_path):
    broken_off(tmp_path, 0)
    box = box_with(tmp_path, preset="blitz")
    box.stop()
    assert box.board.newest.game.position.board.cols == 9 and len(matches(tmp_path)) == 1


def test_the_journal_tells_which_preset_it_was(tmp_path):
    terms = terms_of(with_preset(settings_of(TABLE), "blitz"))
    box = TableController(Terms(terms.setup, terms.config), Folder(tmp_path), NoPanel(), lambda snapshot: None)
    box.tell_players(plain_message("The preset blitz is chosen."))
    record = terms.record()
    box.handle_observation(look(record.position, 1.0, lids_of(record.bowls)))
    box.close()
    entries = read_journal(Folder(tmp_path).list_journals()[0])
    assert entries[0].body["rules"] == "chinese"
    sentences = [english(read_message(entry.body)) for entry in entries if entry.kind is Kind.SAID]
    assert sentences == ["The preset blitz is chosen."]


@pytest.fixture
def pins(monkeypatch):
    """The box's pins; the buttons done 1 and call 2 are down."""
    factory = MockFactory(pin_class=MockPWMPin)
    for key in ((1, Button.DONE), CALL):
        pin = factory.pin(PINS.buttons[key])
        pin._set_pull = lambda value, pin=pin: setattr(pin, "_pull", value)
        pin.drive_low()
    monkeypatch.setattr(bootstrap, "open_panel", partial(open_panel, factory=lambda: factory))
    yield factory
    factory.reset()


@pytest.mark.long
def test_buttons_down_from_the_start_are_told_until_they_come_up(tmp_path, pins):
    box = box_with(tmp_path)
    box.start()
    pins.pin(PINS.buttons[CALL]).drive_high()
    box.event_loop.settle()
    faults = [fault for fault in list(map(english, box.board.newest.faults)) if "down from the start" in fault]
    box.stop()
    assert len(faults) == 1 and faults[0].startswith("The button done of side 1 has been down")
