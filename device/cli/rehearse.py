"""`shinpan rehearse`: ten turns that show whether the box may referee at this table today."""

from __future__ import annotations

import tempfile
import threading
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from device.camera import VIRTUAL
from device.cli.options import (
    PORT,
    Exit,
    NumberRange,
    camera_option,
    data_option,
    declare_command,
    print_aside,
    print_note,
    settings_option,
)
from device.settings import Camera, Data, PanelSettings, Settings, override_from_cli
from device.simulator.script import (
    Act,
    Drop,
    Give,
    Lean,
    Place,
    Play,
    Press,
    Push,
    Put,
    Script,
    Step,
    Wait,
    write_script,
)
from device.simulator.serve import SPEEDS, TableProcess
from device.table.bootstrap import Application
from device.table.certificate import Level
from device.table.match_config import read_checked_settings
from device.table.rehearsal import GOES, MORE, STAYS, Ask, RehearsalStep, plan_acts
from device.threads import install_signal_handlers
from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.errors import BadSetup
from referee.game.messages import Message, error_message, message
from referee.table.events import Button, Remark
from web.language import ENGLISH

LOOK_AGAIN = 0.1
"""Polling interval, in wall seconds."""


@declare_command(
    "rehearse",
    "Show by ten turns whether the box may referee here today.",
    ("rehearse --settings club.toml", "at the table of a settings file, before its games"),
    ("rehearse --camera 2", "with another camera, and the terminal's keys as buttons"),
    ("rehearse --drawn 4", "to see how it goes, at one of the simulated tables"),
    looks=True,
)
@camera_option
@settings_option
@click.option("--port", type=PORT, metavar="N", help="The page's port.")
@data_option
@click.option(
    "--drawn", type=NumberRange(0, 10**9 - 1, int), metavar="N", help="At this simulated table, played by itself."
)
@click.option(
    "--speed", type=NumberRange(*SPEEDS), default=1.0, metavar="X", help="With --drawn: so many times as fast."
)
def rehearse_command(settings: Path | None, drawn: int | None, speed: float, **others: Any) -> int:
    """Rehearse once; return 0 if the box may referee, 1 if it may only keep the record or the rehearsal was ended."""
    stop = threading.Event()
    install_signal_handlers(stop)
    effective_settings = override_from_cli(read_checked_settings(settings) if settings else Settings(), others, None)
    with ExitStack() as stack:
        if drawn is not None:
            effective_settings = _set_up_drawn_table(stack, effective_settings, drawn, others["data"], speed)
        running = Application(effective_settings, new=True)
        running.start()
        stack.callback(running.stop)
        print_aside(running.start_message())
        return _RehearsalRun(running, stop).status()


def _set_up_drawn_table(stack: ExitStack, settings: Settings, look: int, data: str | None, speed: float) -> Settings:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shinpan-")))
    script = folder / "rehearsal.script"
    script.write_text(write_script(script_of(DRAWN_SIZE, look, DRAWN_WAITS)))
    stack.enter_context(TableProcess(folder / "table", "--script", str(script), "--speed", str(speed)))
    camera = Camera(f"{VIRTUAL}{folder / 'table'}")
    return replace(settings, camera=camera, panel=PanelSettings("none"), data=Data(data or f"{folder}/games"))


class _RehearsalRun:
    """A rehearsal at a running box. stop: event that ends it."""

    def __init__(self, running: Application, stop: threading.Event) -> None:
        self._running, self._stop = running, stop
        self._last_message: Message | None = None

    def status(self) -> int:
        """Rehearse to the end and return the exit status."""
        if not self._begin_once_seen():
            return Exit.NOT_WELL
        while not self._stop.wait(LOOK_AGAIN):
            now = self._running.board.newest
            self._print_if_new(now.asks)
            if now.asks is None and now.certified is not None:
                print(ENGLISH.sentence(now.certified), flush=True)
                return Exit.NOT_WELL if now.certified.key == f"certificate.{Level.RECORD_ONLY}" else Exit.DONE
        return Exit.NOT_WELL

    def _begin_once_seen(self) -> bool:
        """Begin as soon as the box sees a board; return True if it has begun."""
        while not self._stop.wait(LOOK_AGAIN):
            try:
                self._running.event_loop.begin_rehearsal(
                    Remark(self._running.clock.now(), message("director.rehearse"), Actor.BOX)
                )
            except BadSetup as error:
                self._print_if_new(error_message(error))
            else:
                return True
        return False

    def _print_if_new(self, text: Message | None) -> None:
        if text is not None and text != self._last_message:
            self._last_message = text
            print_note(ENGLISH.sentence(text))


HALFWAY = 0.5
"""Half a cell."""
DRAWN_SIZE, DRAWN_WAITS = 9, 8.0
"""Lines a side of the simulated table of `shinpan rehearse`, and seconds before its players begin."""


def script_of(size: int, look: int, waits: float) -> Script:
    """Return a script that empties the lids, waits until the box has begun, and then does all that it asks for.

    Black sits at side 1.

    size: lines a side
    look: the seed of the table's appearance
    waits: seconds to wait
    """
    empty = (Give(Colour.BLACK, Colour.WHITE, Place.SUPPLY),), (Give(Colour.WHITE, Colour.BLACK, Place.SUPPLY),)
    steps = tuple(step for act in plan_acts(size) for step in _build_steps(act))
    return Script(size, look, 1, (*empty, (Wait(waits),), *steps, (Wait(GOES),)))


def _build_steps(act: RehearsalStep) -> tuple[Step, ...]:
    done: Act = Press(act.player, Button.DONE)
    match act.kind:
        case Ask.BETWEEN:
            put = Put(act.player, act.player, act.point)
            there, back = (Push(act.player, act.point, right, 0) for right in (HALFWAY, 0))
            return (put, there, done), (Wait(GOES),), (back, done)
        case Ask.HAND:
            return ((Put(act.player, act.player, act.point), Lean(act.player, act.point, STAYS)),)
        case Ask.CAPTURE:
            more = (Colour.BLACK, Colour.WHITE) * MORE
            return ((Play(act.player, act.point), Drop(act.player, more), done),)
    return ((Play(act.player, act.point), done),)
