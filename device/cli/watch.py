"""`shinpan watch`: turn a video, a folder of stills or a camera into a judged game.

The table's button presses may be given beside it, as JSON lines in the order of time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TextIO

import click
from msgspec import Meta

from device.cli.console import (
    Assumptions,
    count_in_words,
    exit_of_watching,
    explain_unread,
    is_interactive,
    tell_gaps,
    turn_line,
    with_progress,
)
from device.cli.evening import watch_evening
from device.cli.look import write_overlay
from device.cli.options import (
    FILE,
    FOLDER,
    TEXT,
    calibration_option,
    declare_command,
    json_option,
    print_note,
    size_option,
)
from device.files import check_apart, check_folder, check_place, is_same, open_output, unwritable_sentence, write_whole
from device.match.game_files import read_object
from device.session.recording import WatchRequest, recorded_table, tell_trouble
from referee.codec import ruling_line
from referee.game.board import Colour
from referee.game.errors import BadRecord
from referee.game.messages import Message
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.rules.sets import DEFAULT, rule_set
from referee.rules.setup import Setup
from referee.sgf.records import write_sgf
from referee.table.events import Button, Event, Pressed, SourceEnded
from referee.table.table import Table, TableConfig
from vision.board.calibration_fit import fitting_calibration
from vision.camera.frame import Frame
from vision.camera.live import LiveSource, is_camera
from vision.camera.recordings import Look, UnreadableStill, open_source
from vision.errors import CameraLost
from vision.input_files import InputFileSpec
from vision.tracking.overlay import draw_overlay
from vision.tracking.reading import Reading
from vision.tracking.tracker import BoardTracker
from vision.validation import InvalidValue, field_types, parse_dataclass
from web.language import ENGLISH, to_english

NAMELESS = ("", "")
SHAPE = '{"t":12.5,"side":1,"button":"call"}'
PRESSES = InputFileSpec(f"a file of lines like {SHAPE}", 1 << 23, BadRecord)


@dataclass(frozen=True)
class _Press:
    """A line of the file. t: seconds from the first frame."""

    t: Annotated[float, Meta(ge=0, le=1_000_000)]
    side: Literal[1, 2]
    button: Button
    held: bool = False


def read_presses(path: Path) -> list[Pressed]:
    """Read the presses in a file, earliest first; raise BadRecord naming an invalid line."""
    lines = PRESSES.text_of(path).splitlines()
    presses = [_parse_press(path, number, text) for number, text in enumerate(lines, 1) if text.strip()]
    return sorted(presses, key=lambda press: press.t)


def _parse_press(path: Path, number: int, text: str) -> Pressed:
    try:
        line = read_object(text)
        parsed = parse_dataclass(_Press, {key: line[key] for key in field_types(_Press) if key in line})
    except (InvalidValue, BadRecord) as error:
        raise BadRecord(f"{path}, line {number}: {str(error).rstrip('.')}; a press reads like {SHAPE}.") from error
    return Pressed(parsed.t, parsed.side, parsed.button, parsed.held)


@declare_command(
    "watch",
    "Judge a filmed or running game. SOURCE: a video, a folder of pictures, or a camera.",
    ("watch game.mp4", "judge a film"),
    ("watch stills --sgf game.sgf", "judge a folder of pictures, and write the game record"),
    ("watch game.mp4 --sgf game.sgf --names Ada Ben", "write the players' names into it, Black's first"),
    ("watch evening.mp4 --evening evening", "write a record of each game of an evening, and a report"),
    ("watch 0 --rules chinese", "judge what camera 0 sees, under Chinese rules"),
    looks=True,
)
@click.argument("source", metavar="SOURCE")
@click.option("--rules", type=TEXT, metavar="NAME", help=f"The rule set ({DEFAULT} is taken when left out).")
@click.option("--to-play", type=click.Choice(("B", "W")), help="Who plays first (default: as the rule set says).")
@click.option("--black-lid", type=click.Choice((1, 2)), help="Which lid holds Black's prisoners.")
@size_option
@calibration_option
@click.option("--presses", type=FILE, metavar="FILE", help="The table's button presses, as JSON lines.")
@click.option("--sgf", type=FILE, metavar="FILE", help="Write the game record here after each ruling.")
@click.option("--names", type=(TEXT, TEXT), metavar="BLACK WHITE", help="The players' names, for the game record.")
@click.option("--jsonl", type=FILE, metavar="FILE", help="Write the rulings here too.")
@json_option
@click.option("--overlay", type=FOLDER, metavar="FOLDER", help="Keep a picture of each ruling.")
@click.option("--evening", type=FOLDER, metavar="FOLDER", help="Write a record of each of several games there.")
def watch_command(
    source: str,
    rules: str | None,
    to_play: str | None,
    black_lid: int | None,
    size: int | None,
    calibration: Path | None,
    presses: Path | None,
    sgf: Path | None,
    names: tuple[str, str] | None,
    jsonl: Path | None,
    as_json: bool,
    overlay: Path | None,
    evening: Path | None,
) -> int:
    """Watch to the end of the source; return 0, or 3 if no board was seen or a picture could not be read."""
    if evening is not None:
        others = {"--presses": presses, "--sgf": sgf, "--names": names, "--jsonl": jsonl, "--overlay": overlay}
        _check_evening_options(others)
    elif names is not None and sgf is None:
        raise BadRecord("--names are written into the game record; name its file with --sgf.")
    table_presses = read_presses(presses) if presses else []
    refereed = any(press.button is Button.DONE for press in table_presses)
    config = TableConfig(refereed, black_lid, to_play is not None, deep=not is_camera(source))
    setup = Setup(rule_set(rules), to_play=Colour(to_play) if to_play else None)
    in_words = is_interactive() and not as_json
    request = WatchRequest(source, setup, config, size, fitting_calibration(calibration, size), in_words)
    if evening is not None:
        return watch_evening(request, evening)
    for path in (sgf, jsonl):
        check_place(path, source, presses, calibration)
    check_apart(sgf, jsonl)
    if overlay:
        _check_overlay(overlay, source)
    return _watch_game(request, table_presses, GameFiles(sgf, jsonl, overlay, names or NAMELESS))


@dataclass(frozen=True)
class GameFiles:
    """The files of one watched game; None for one that is not written.

    sgf: the game record.
    jsonl: the rulings.
    overlay: the folder of pictures with their readings.
    names: Black's and White's, for the record.
    """

    sgf: Path | None
    jsonl: Path | None
    overlay: Path | None
    names: tuple[str, str]


def _watch_game(request: WatchRequest, presses: list[Pressed], files: GameFiles) -> int:
    """Watch one game to the end of the source; return the exit status."""
    source = request.source
    looks = LiveSource(source, time.monotonic) if is_camera(source) else open_source(source)
    observer = BoardTracker(request.tracker_config(looks.stills))
    with _open_output(files.jsonl) as copy:
        table = Watched(request.setup, request.config, files.sgf, copy, files.names, request.in_words)
        frames = with_progress(_yield_until_lost(looks.read_frames()), "watching", len(looks) or None)
        counts = watch_frames(frames, presses, observer, table, Overlays(files.overlay))
    return _print_summary(source, looks.live, counts, table)


def _check_evening_options(others: Mapping[str, object]) -> None:
    """Refuse options that do not go with an evening: it has its own paths for records, and no button presses."""
    for option, value in others.items():
        if value is not None:
            raise BadRecord(f"{option} and --evening do not go together; leave one of them out.")


def _check_overlay(folder: Path, source: str) -> None:
    """Raise BadRecord if no pictures can be stored, or if they would overwrite the input."""
    if is_same(folder, Path(source)):
        raise BadRecord(f"{folder}: the pictures that are read lie there; name another folder.")
    check_folder(folder, "pictures")


@dataclass
class Watched:
    """The referee of one watched game, built once the board's size is known, and the outputs of its rulings.

    setup: the game's start.
    config: the table's options.
    sgf: the game record's path.
    copy: a file for the rulings.
    names: Black's and White's.
    in_words: True if a person reads stdout.
    """

    setup: Setup
    config: TableConfig
    sgf: Path | None
    copy: TextIO | None
    names: tuple[str, str] = NAMELESS
    in_words: bool = False
    referee: Table | None = None

    def handle(self, event: Event) -> str:
        """Let the referee judge an event; print and store its rulings. Before the first observation there is no
        referee.

        Returns the picture's caption: whose turn it is, and the rulings; empty if there are none.
        """
        if self.referee is None and isinstance(event, Observation):
            self.referee = recorded_table(self.setup.with_size(event.lines).record(), self.config)
            Assumptions(self.setup.rules).tell()
        if self.referee is None:
            return ""
        rulings = self.referee.receive(event).rulings
        for ruling in rulings:
            self._report_ruling(ruling, self.referee.record)
        if self.sgf:
            write_whole(self.sgf, write_sgf(self.referee.record, *self.names))
        return _build_caption(rulings, self.referee.record)

    def list_lids(self, observation: Observation) -> tuple[tuple[int, int], ...]:
        """Return what the record has in the lids, see `Table.list_lids`."""
        return self.referee.list_lids(observation) if self.referee is not None else ()

    def _report_ruling(self, ruling: Ruling, record: GameRecord) -> None:
        line = json.dumps(ruling_line(ruling, record, ENGLISH.sentence))
        print(_format_ruling(ruling) if self.in_words else line, flush=True)
        if self.copy:
            _print_line(line, self.copy)


def _print_line(line: str, to: TextIO) -> None:
    try:
        print(line, file=to, flush=True)
    except OSError as error:
        raise BadRecord(unwritable_sentence(Path(to.name), error)) from error


def _format_ruling(ruling: Ruling) -> str:
    is_accepted = ruling.status in (Status.LEGAL, Status.UNFINISHED)
    return turn_line(ruling.turn, ENGLISH.sentence(ruling.message), is_accepted)


def _build_caption(rulings: Sequence[Ruling], record: GameRecord) -> str:
    """Return the rulings; and whose turn it is, unless something is to be put right first."""
    sentences = [ENGLISH.sentence(ruling.message) for ruling in rulings]
    if not sentences or rulings[-1].status is not Status.LEGAL:
        return " ".join(sentences)
    return " ".join(
        [*sentences, ENGLISH("watch.over") if record.ended else ENGLISH("watch.to-play", player=record.to_play)]
    )


@dataclass
class Overlays:
    """The annotated pictures, one for each observation that led to a ruling, in a folder; None stores none."""

    folder: Path | None = None
    count: int = 0

    def show(self, frame: Frame, reading: Reading | None, caption: str) -> None:
        """Store a picture with its reading and rulings; raise BadRecord if that fails."""
        if self.folder is None or reading is None or not caption:
            return
        self.count += 1
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadRecord(unwritable_sentence(self.folder, error)) from error
        write_overlay(self.folder / f"{self.count:04d}.jpg", draw_overlay(frame.pixels, reading, caption))


@dataclass
class FrameCounts:
    """The statistics of the frames.

    frames: number of frames.
    looks: number of observations of the board.
    found: True if a board was found in any frame, even an unreadable one.
    unreadable: names of the frames that could not be read.
    """

    frames: int = 0
    looks: int = 0
    found: bool = False
    unreadable: list[str] = field(default_factory=list)


def watch_frames(
    frames: Iterator[Look],
    presses: list[Pressed],
    observer: BoardTracker,
    table: Watched,
    overlays: Overlays | None = None,
) -> FrameCounts:
    """Pass every frame to the observer, and every observation and press, in the order of time, to the table.

    Returns the statistics of the frames.
    """
    counts, waiting, t, earlier_notes = FrameCounts(), list(presses), 0.0, observer.notes
    is_asked = False
    overlays = overlays or Overlays()
    for frame in frames:
        counts.frames += 1
        tell_trouble(frame, print_note)
        if isinstance(frame, UnreadableStill):
            counts.unreadable.append(frame.name)
            continue
        t = frame.t
        while waiting and waiting[0].t <= t:
            table.handle(waiting.pop(0))
            is_asked = True
        observation = observer.see(frame)
        if observation is None and is_asked and observer.standing is not None:
            # A press is ruled on at once where nothing has moved: the film may end before the next look.
            overlays.show(frame, observer.reading, table.handle(observer.standing))
            is_asked = False
        counts.found |= observer.grid is not None
        if observation is not None:
            counts.looks, is_asked = counts.looks + 1, False
            overlays.show(frame, observer.reading, table.handle(observation))
            observer.hold_lids(table.list_lids(observation))
        elif observer.stills:
            print_note(f"{frame.name}: skipped, because {_explain_skip(observer)}.")
        earlier_notes = _print_news(observer, earlier_notes)
    for press in waiting:
        table.handle(press)
    table.handle(SourceEnded(t))
    return counts


def _explain_skip(observer: BoardTracker) -> str:
    return "a hand or something else lies over the board" if observer.covered else "no board was found in it"


def _yield_until_lost(frames: Iterator[Look]) -> Iterator[Look]:
    """Yield the frames; a camera lost after its first frame ends the game as a film's end does, and that is printed."""
    has_begun = False
    try:
        for look in frames:
            has_begun = True
            yield look
    except CameraLost as error:
        if not has_begun:
            raise
        print_note(to_english(error))


def _print_news(observer: BoardTracker, earlier_notes: tuple[Message, ...]) -> tuple[Message, ...]:
    """Print what is new about the mat's cards."""
    for note in observer.notes:
        if note not in earlier_notes:
            print_note(ENGLISH.sentence(note))
    return observer.notes


def _open_output(path: Path | None) -> AbstractContextManager[TextIO | None]:
    return nullcontext() if path is None else open_output(path)


def _print_summary(source: str, live: bool, counts: FrameCounts, table: Watched) -> int:
    """Print a summary of the pictures and return the exit status."""
    if counts.looks == 0:
        print_note(explain_unread(source, counts.found, live))
        return exit_of_watching(0, ())
    turns = table.referee.record.number if table.referee else 0
    parts = (
        count_in_words("pictures", counts.frames),
        count_in_words("looks", counts.looks),
        count_in_words("turns", turns),
    )
    print_note(f"{', '.join(parts)}.")
    if table.referee is not None:
        tell_gaps(table.referee.record)
        if (since := table.referee.lost_since) is not None:
            print_note(
                f"Nothing was recorded after turn {turns}: from {since} to the end no turns explain what was seen."
            )
    return exit_of_watching(counts.looks, counts.unreadable)
