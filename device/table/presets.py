"""Matches chosen when the box starts: by a held button, or by name.

A button that is down when the box starts may be held on purpose, be leant on, or have its wire shorted to ground. So
it chooses only if it stays down for HELD more seconds, when the lamps answer, and is released within LET_GO_WITHIN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto

from device.journal.entries import Terms
from device.panel.debouncer import BOUNCE, HELD
from device.panel.panel import Edge, Panel
from device.panel.signals import Signal, Sound
from device.settings import BadSettings, Preset, Settings
from referee.game.messages import Listing, Message, message
from referee.table.events import Button
from referee.table.lamps import OFF, Light, Tone

LET_GO_WITHIN = 10.0
"""Seconds after the lamps' answer."""
ANSWERS = {Button.DONE: Tone.GREEN, Button.CALL: Tone.AMBER, Button.SCORE: Tone.RED}
"""The colour on the lamp of the button's side; `pause` has no side, and lights the table lamp alone."""
Key = tuple[int, Button]
"""A button's side, 0 for the table's, and its name."""


def with_preset(settings: Settings, name: str | None) -> Settings:
    """Return the settings with that preset's match; raise BadSettings if there is none of that name."""
    if name is None:
        return settings
    preset = settings.presets.get(name)
    if preset is None:
        names = ", ".join(settings.presets) or "none"
        raise BadSettings(f"There is no preset {name!r:.60}; the settings have: {names}.")
    return replace(settings, game=preset.game, time=preset.time)


def sentence_of(name: str, terms: Terms, next_one: bool) -> Message:
    """Return the players' message about the preset.

    next_one: a match is running, and the preset holds from the next one.
    """
    parts = Listing((_rules_title(terms), *_describe_parts(terms)))
    sentence = message("preset.next" if next_one else "preset.chosen", name=name, parts=parts)
    control = terms.config.control
    return sentence + (control.describe_fully() if control is not None else message("preset.no-clocks"))


def preset_notice(terms: Terms, desk_url: str) -> Message:
    """Return the terminal's message on the coming match, and on how to change it.

    desk_url: the URL where rules are chosen.
    """
    rules, parts = terms.setup.rules, Listing(_describe_parts(terms))
    if rules.named:
        return message("run.plays", rules=_rules_title(terms), parts=parts)
    return message("unnamed.run", rules=message(f"rules.{rules.name}"), parts=parts, desk=desk_url)


def _rules_title(terms: Terms) -> Message:
    return message(f"title.{terms.setup.rules.name}")


def _describe_parts(terms: Terms) -> tuple[Message, ...]:
    setup = terms.setup
    parts = [message("preset.lines", lines=setup.size[0]) if setup.size else message("preset.any-size")]
    parts += [message("preset.komi", komi=setup.komi)] if setup.komi is not None else []
    parts += [message("preset.handicap", stones=setup.handicap)] if setup.handicap else []
    return tuple(parts)


class Stage(Enum):
    """The progress of a choice. DOWN: not answered yet. LEFT: nothing was chosen."""

    DOWN = auto()
    ANSWERED = auto()
    TAKEN = auto()
    LEFT = auto()


class Choice:
    """One button that was down at time t, when the box began to listen. Pure."""

    def __init__(self, t: float) -> None:
        self._since, self._up = t, float("inf")

    def take_edge(self, down: bool, t: float) -> None:
        """Take a button edge: down or up."""
        self._up = float("inf") if down else t

    def advance_to(self, t: float) -> Stage:
        """Return the progress at time t."""
        lasted = self._up - self._since
        if self.is_up(t):
            return Stage.TAKEN if HELD <= lasted <= HELD + LET_GO_WITHIN else Stage.LEFT
        if t < self._since + HELD or self._up <= t:
            return Stage.DOWN
        return Stage.ANSWERED if t <= self._since + HELD + LET_GO_WITHIN + BOUNCE else Stage.LEFT

    def is_up(self, t: float) -> bool:
        """Return True if the button has come up and stayed up past its bounce time."""
        return t >= self._up + BOUNCE

    def deadline(self, t: float) -> float:
        """Return the time of the next check."""
        ends = (self._up + BOUNCE, self._since + HELD, self._since + HELD + LET_GO_WITHIN + 2 * BOUNCE)
        return min(end for end in ends if end > t)


@dataclass(frozen=True)
class PresetChoice:
    """The outcome of a choice. name: the preset's. let_go: whether the button is up again."""

    name: str | None = None
    let_go: bool = False


def choose_preset(
    held_keys: tuple[Key, ...],
    presets: dict[str, Preset],
    panel: Panel,
    listen: Callable[[float], Edge | None],
    clock: Callable[[], float],
) -> PresetChoice:
    """Wait while a preset's button is held, and answer it.

    held_keys: the buttons that were down at the start.
    presets: by name.
    panel: for lamps and sounds.
    listen: returns the next edge, None if none came within that many seconds.
    clock: the box's clock, in seconds.
    """
    names = {key_of(preset.button): name for name, preset in presets.items() if preset.button is not None}
    if not any(key in names for key in held_keys):
        return PresetChoice()
    if len(held_keys) > 1:
        panel.sound(Sound.PUT_RIGHT)
        return PresetChoice()
    choice, (key,) = Choice(clock()), held_keys
    stage = _follow_button(choice, key, panel, listen, clock)
    panel.sound(Sound.HEARD if stage is Stage.TAKEN else Sound.PUT_RIGHT)
    return PresetChoice(names[key] if stage is Stage.TAKEN else None, choice.is_up(clock()))


def _follow_button(
    choice: Choice, key: Key, panel: Panel, listen: Callable[[float], Edge | None], clock: Callable[[], float]
) -> Stage:
    """Follow the button until the choice is taken or left."""
    is_answered = False
    while (stage := choice.advance_to(t := clock())) in (Stage.DOWN, Stage.ANSWERED):
        if stage is Stage.ANSWERED and not is_answered:
            is_answered = True
            panel.show(preset_signal(key))
            panel.sound(Sound.HEARD)
        edge = listen(max(0.0, choice.deadline(t) - t))
        if edge is not None and (edge.side, edge.button) == key:
            choice.take_edge(edge.down, edge.t)
    return stage


def preset_signal(key: Key) -> Signal:
    """Return the lamp signal that names a button: the table lamp is steady white, as in no state of a match."""
    side, button = key
    lamp = Light(ANSWERS.get(button, Tone.OFF))
    return Signal((lamp if side == 1 else OFF, lamp if side == 2 else OFF), table=Light(Tone.WHITE))


def key_of(button: str) -> Key:
    """Parse a button's name in the settings, such as "done 1" or "pause"."""
    word, _, side = button.partition(" ")
    return int(side or 0), Button(word)
