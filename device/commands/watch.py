"""`shinpan watch`: a video, a folder of stills or a camera to a judged game.

The table's button presses may come beside it, as JSON lines in the order of time.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from math import inf, isqrt
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import Progress

from device.commands.look import NO_BOARD, SIZES, write_overlay
from device.files import write_whole
from referee.board import Colour
from referee.errors import BadRecord
from referee.events import Button, Event, Observed, Pressed, SourceEnded
from referee.rules.sets import DEFAULT, rule_set
from referee.rules.setup import Setup
from referee.sgf import write_sgf
from referee.table.referee import Manner, Referee
from referee.wire import ruling_line
from vision.calibrating import fitting_calibration
from vision.camera import Look, Source, Unreadable, open_source
from vision.errors import BadSource
from vision.frame import Frame
from vision.observer import Looking, Observer
from vision.overlay import draw_overlay
from vision.reading import Reading
from web.language import ENGLISH

SHAPE = '{"t":12.5,"side":1,"button":"call"}'


def read_presses(path: Path) -> list[Pressed]:
    """The presses in a file, the earliest first; raises BadRecord naming the line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: the presses cannot be read ({error}); give a file of lines like {SHAPE}.") from error
    presses = [_press(path, number, text) for number, text in enumerate(lines, 1) if text.strip()]
    return sorted(presses, key=lambda press: press.t)


def _press(path: Path, number: int, text: str) -> Pressed:
    try:
        data = json.loads(text)
        press = Pressed(float(data["t"]), data["side"], Button(data["button"]), bool(data.get("held", False)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadRecord(f"{path}, line {number}: not a press; it should read like {SHAPE}.") from error
    if press.side not in (1, 2) or not 0 <= press.t < inf:
        raise BadRecord(f"{path}, line {number}: side must be 1 or 2, and t a number of seconds from 0.")
    return press


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `watch` and its options."""
    parser = commands.add_parser("watch", help="judge a recorded or running game", description=__doc__)
    parser.add_argument("source", metavar="SOURCE", help="a folder of stills, a video file, or a camera's number")
    parser.add_argument("--rules", default=DEFAULT, metavar="NAME", help=f"rule set (default: {DEFAULT})")
    parser.add_argument("--to-play", choices=("B", "W"), help="who plays first (default: as the rule set says)")
    parser.add_argument("--black-lid", type=int, choices=(1, 2), help="which lid holds Black's prisoners")
    parser.add_argument("--size", type=int, choices=SIZES, help="lines a side; worked out when left out")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="corners and lids given by a person")
    parser.add_argument("--presses", type=Path, metavar="FILE", help="the table's button presses, as JSON lines")
    parser.add_argument("--sgf", type=Path, metavar="FILE", help="write the game record here after each ruling")
    parser.add_argument("--jsonl", type=Path, metavar="FILE", help="write the rulings here too")
    parser.add_argument("--overlay", type=Path, metavar="FOLDER", help="keep a picture of each ruling")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Watch to the end of the source; 0, or 3 when no board was seen or a picture could not be read."""
    source = open_source(args.source)
    presses = read_presses(args.presses) if args.presses else []
    calibration = fitting_calibration(args.calibration, args.size)
    setup = Setup(rule_set(args.rules), to_play=Colour(args.to_play) if args.to_play else None)
    refereed = any(press.button is Button.DONE for press in presses)
    with _output(args.jsonl) as copy:
        table = Watched(
            setup, Manner(refereed, args.black_lid, args.to_play is not None, deep=not source.live), args.sgf, copy
        )
        observer = Observer(Looking(source.stills, args.size, calibration))
        seen = watch(_counted(source), presses, observer, table, Overlays(args.overlay))
    return _report(seen, table)


@dataclass
class Watched:
    """The referee of one watched game, made when the board's size is known, and where its rulings go."""

    setup: Setup
    manner: Manner
    sgf: Path | None
    copy: TextIO | None
    referee: Referee | None = None

    def hear(self, event: Event) -> str:
        """Let the referee judge an event; say and keep what it rules. Before the first look there is no referee.

        What is to be written above the picture: whose turn it is, and the rulings; nothing where there are none.
        """
        if self.referee is None and isinstance(event, Observed):
            self.referee = Referee(self.setup.sized(isqrt(len(event.points))).record(), self.manner)
        if self.referee is None:
            return ""
        rulings = list(self.referee.receive(event))
        for ruling in rulings:
            self._say(json.dumps(ruling_line(ruling, self.referee.record, ENGLISH.sentence)))
        if self.sgf:
            write_whole(self.sgf, write_sgf(self.referee.record))
        return " ".join([*(ENGLISH.sentence(r.message) for r in rulings), _turn_of(self.referee)]) if rulings else ""

    def _say(self, line: str) -> None:
        print(line, flush=True)
        if self.copy:
            print(line, file=self.copy, flush=True)


def _turn_of(referee: Referee) -> str:
    return ENGLISH("watch.over") if referee.record.ended else ENGLISH("watch.to-play", player=referee.record.to_play)


@dataclass
class Overlays:
    """Where pictures of what was read are kept, one for each look that led to a ruling; None keeps none."""

    folder: Path | None = None
    count: int = 0

    def show(self, frame: Frame, reading: Reading | None, caption: str) -> None:
        """Keep a picture with what was read and ruled; raises BadSource where that cannot be."""
        if self.folder is None or reading is None or not caption:
            return
        self.count += 1
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadSource(f"{self.folder}: pictures cannot be kept there ({error.strerror}).") from error
        write_overlay(self.folder / f"{self.count:04d}.jpg", draw_overlay(frame.pixels, reading, caption))


@dataclass
class Seen:
    """What came of the frames: how many there were, could not be read, and were looks at the board."""

    frames: int = 0
    looks: int = 0
    unreadable: list[str] = field(default_factory=list)


def watch(
    frames: Iterator[Look], presses: list[Pressed], observer: Observer, table: Watched, overlays: Overlays | None = None
) -> Seen:
    """Show every frame to the observer and every observation and press, in the order of time, to the table."""
    seen, waiting, t, said = Seen(), list(presses), 0.0, observer.notes
    overlays = overlays or Overlays()
    for frame in frames:
        seen.frames += 1
        if isinstance(frame, Unreadable):
            print(f"shinpan: {frame.sentence}", file=sys.stderr)
            seen.unreadable.append(frame.name)
            continue
        t = frame.t
        while waiting and waiting[0].t <= t:
            table.hear(waiting.pop(0))
        observed = observer.see(frame)
        if observed is not None:
            seen.looks += 1
            overlays.show(frame, observer.reading, table.hear(observed))
        said = _noted(observer, said)
    for press in waiting:
        table.hear(press)
    table.hear(SourceEnded(t))
    return seen


def _noted(observer: Observer, said: tuple[str, ...]) -> tuple[str, ...]:
    """Say what is new about the mat's cards."""
    for note in observer.notes:
        if note not in said:
            print(f"shinpan: {note}", file=sys.stderr)
    return observer.notes


def _output(path: Path | None) -> AbstractContextManager[TextIO | None]:
    if path is None:
        return nullcontext()
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise BadRecord(f"{path}: cannot be written ({error.strerror}); choose another place.") from error


def _counted(source: Source) -> Iterator[Look]:
    """The frames, with a progress bar when a person looks on."""
    if not sys.stderr.isatty():
        yield from source.frames()
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(source.frames(), total=len(source) or None, description="watching")


def _report(seen: Seen, table: Watched) -> int:
    """Say what the pictures gave; the exit status."""
    if seen.looks == 0:
        print("shinpan: no board found in any picture; show the whole board, or give --calibration.", file=sys.stderr)
        return NO_BOARD
    turns = table.referee.record.number if table.referee else 0
    print(f"shinpan: {seen.frames} pictures, {seen.looks} looks at the board, {turns} turns.", file=sys.stderr)
    return NO_BOARD if seen.unreadable else 0
