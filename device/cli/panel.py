"""`shinpan panel`: describe the panel, test it, or learn its keys."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

import click

from device.cli.archive import INSTALLED, folder_of
from device.cli.options import Exit, NumberRange, data_option, declare_command, print_note, settings_option
from device.files import check_folder, lock_folder
from device.panel.factory import add_lights, open_panel
from device.panel.gpio import PINS
from device.panel.keymap import NAMES, NUMPAD, KeyMap, read_keys, write_keys
from device.panel.learning import Listening, learn_keys
from device.panel.panel import Edge
from device.panel.rim_driver import USUAL, open_rim
from device.panel.self_test import PanelPart, Which, name_of, try_buttons, try_lamps, try_rim, try_sounds
from device.panel.terminal import HELP
from device.settings import PanelSettings, Settings, read_settings
from device.system import system
from referee.game.board import board_of
from referee.game.messages import Message
from referee.table.events import Button
from web.language import ENGLISH


@declare_command(
    "panel",
    "Tell what the panel is, try it out, or learn its keys.",
    ("panel", "which key is which button"),
    ("panel --test", "every lamp, sound, button and light of the rim in turn"),
    ("panel --test --only buttons", "the buttons alone"),
    ("panel --learn", "press the keys of a numpad or of an encoder, one after the other"),
)
@click.option("--test", "trial", is_flag=True, help="Light, sound and ask for each in turn.")
@click.option("--only", type=click.Choice([part.value for part in PanelPart]), help="Of the test, this part alone.")
@click.option("--learn", "learning", is_flag=True, help="Learn which key is which button, by pressing.")
@click.option("--players", type=NumberRange(2, 6, int), default=2, metavar="N", help="So many have buttons.")
@settings_option
@data_option
def panel_command(
    trial: bool, only: str | None, learning: bool, players: float, settings: Path | None, data: str | None
) -> int:
    """Run the chosen mode; return 1 if a button was not heard."""
    if trial and learning:
        raise click.UsageError("--test and --learn are two things; name one.")
    config = _read_settings(settings)
    folder, panel = folder_of(settings, data), config.panel
    if not (trial or learning):
        return _print_panel(panel, read_keys(folder))
    check_folder(folder, "keys")
    with lock_folder(folder):  # A running box holds the devices that are read here.
        return _learn_keys(folder, int(players), panel) if learning else _run_self_test(config, folder, only)


def _read_settings(named: Path | None) -> Settings:
    path = named or (INSTALLED if INSTALLED.is_file() else None)
    return read_settings(path) if path else Settings()


def _print_panel(panel: PanelSettings, keymap: KeyMap) -> int:
    """Print the panel of the settings, and which key is which button."""
    print(f'[panel] kind = "{panel.kind}"')
    if panel.kind == "terminal":
        print(HELP)
    if panel.kind != "keys":
        return Exit.DONE
    if keymap.keys is None:
        print("No keys were learned: one numpad is taken as it is.")
    for code, (side, button) in NUMPAD.items() if keymap.keys is None else ():
        print(f"{name_of(side, button):8}  key {code}")
    for key in keymap.keys or ():
        socket = f" in {key.keyboard.port}" if key.keyboard.port else ""
        print(f"{key.button:8}  key {key.code} of {key.keyboard.name}{socket}")
    return Exit.DONE


def _learn_keys(folder: Path, players: int, panel: PanelSettings) -> int:
    """Ask for the keys, one button after the other, and store them."""
    wanted = [name for name, (side, _) in NAMES.items() if side <= players]
    with Listening() as listening, _hide_typing():
        keys = learn_keys(wanted, listening.key, partial(print, flush=True))
    print(f"{write_keys(folder, keys)}: {len(keys)} keys.")
    if panel.kind != "keys":
        print_note('the settings do not take keyboards yet: write kind = "keys" under [panel]')
    return Exit.DONE


@contextmanager
def _hide_typing() -> Iterator[None]:
    """Suppress the echo of typed keys within the block, and discard them before a shell reads them."""
    if not sys.stdin or not sys.stdin.isatty():
        yield
        return
    with system.hide_typing(sys.stdin):
        yield


def _run_self_test(settings: Settings, folder: Path, only: str | None) -> int:
    """Test all parts of the panel, or one; return 1 if a button was not heard."""
    panel = settings.panel
    edges, say, missing = SimpleQueue[Edge](), partial(print, flush=True), list[str]()
    opened_panel = open_panel(panel.kind, edges.put, time.monotonic, chips=panel.chips, folder=folder, tell=_tell_fault)
    opened_panel = add_lights(opened_panel, panel.lights, panel.leds, _tell_fault, time.monotonic)
    sides = 2 + 2 * len(panel.chips)
    with opened_panel.panel as active_panel:  # type: ignore[attr-defined]
        for fault in opened_panel.faults:
            _tell_fault("", fault)
        if only in (None, PanelPart.LAMPS):
            try_lamps(active_panel, sides, say, time.sleep)
        if only in (None, PanelPart.SOUNDS):
            try_sounds(active_panel, say, time.sleep)
        if only in (None, PanelPart.BUTTONS):
            missing = try_buttons(_list_buttons(panel, folder), partial(_next_edge, edges), say, time.monotonic)
    if only in (None, PanelPart.RIM):
        _try_rim(settings)
    print(f"Not heard: {', '.join(missing)}." if missing else "Nothing is missing.")
    return Exit.NOT_WELL if missing else Exit.DONE


def _try_rim(settings: Settings) -> None:
    """Test the edge lights, if there are any."""
    rim = open_rim(settings.rim, None, _tell_fault, time.monotonic)
    if rim is not None:
        with rim:
            try_rim(rim, board_of(settings.game.size or USUAL), partial(print, flush=True), time.sleep)


def _list_buttons(panel: PanelSettings, folder: Path) -> list[Which]:
    """Return the buttons of this panel, side after side."""
    if panel.kind == "keys":
        keys = read_keys(folder).keys
        return [NAMES[key.button] for key in keys] if keys is not None else list(NUMPAD.values())
    further = range(3, 3 + 2 * len(panel.chips))
    more = [(side, button) for side in further for button in (Button.DONE, Button.CALL, Button.SCORE)]
    return [*PINS.buttons, *more]


def _tell_fault(what: str, text: Message | None) -> None:
    if text is not None:
        print_note(ENGLISH.sentence(text))


def _next_edge(edges: SimpleQueue[Edge], within: float) -> Edge | None:
    try:
        return edges.get(timeout=max(0.0, within))
    except Empty:
        return None
