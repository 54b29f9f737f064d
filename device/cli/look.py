"""`shinpan look`: read the position in a photograph."""

from __future__ import annotations

import json
import re
import stat
import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

import click
import cv2
import numpy as np

from device.cli.console import is_interactive, with_progress
from device.cli.options import FILE, Exit, calibration_option, declare_command, json_option, print_note, size_option
from device.cli.photo_count import PhotoCount
from device.files import check_place, write_whole
from referee.game.board import Colour
from referee.game.diagram import draw_rows
from referee.game.messages import Listing, Message, Stones, plain_message
from vision.board.calibration_fit import estimate_lens, find_faults, fitting_calibration
from vision.board.glare import glare_notes
from vision.board.lid_positions import place_lids
from vision.board.markers import BoardDetection
from vision.board.select_board import find_likeliest, other_boards_note
from vision.calibration.model import Calibration
from vision.camera.frame import PICTURE, Image, read_image, read_reduced
from vision.camera.recordings import PICTURES
from vision.errors import BadSource, VisionError
from vision.input_files import file_mode, why_missing
from vision.lids.count import LidReading
from vision.tracking.overlay import draw_overlay
from vision.tracking.reading import Reading, read_frame, to_lid_sight
from web.language import ENGLISH

Expected = tuple[tuple[int, int], ...]
"""Black and white stones of each lid, in the order in which the lids are listed."""

MOST_LIDS = 2
"""Number of lids of a table."""


class ExpectedLids(click.ParamType[Expected]):
    """`B+W,B+W`: the black and white stones that must lie in each lid."""

    name = "counts"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Expected:
        """Parse the counts; raise BadParameter for anything else."""
        if isinstance(value, tuple):
            return value
        lids = [re.fullmatch(r"([0-9]{1,3})\+([0-9]{1,3})", lid.strip()) for lid in str(value).split(",")]
        counts = tuple((int(lid[1]), int(lid[2])) for lid in lids if lid)
        if len(counts) < len(lids):
            self.fail(f"{value!r} is not like 3+1,0+2: black and white stones in the first lid, then in the second.")
        if len(counts) > MOST_LIDS:
            self.fail(f"{value!r} has {len(counts)} lids; a table has {MOST_LIDS}.")
        return counts


def confirm_lids(lids: Sequence[LidReading], expected: Expected) -> tuple[bool, ...]:
    """Return for each lid whether it surely holds the expected stones; False without an expectation."""
    counts_of_lids = (*expected, *(None for _ in lids))
    return tuple(
        counts is not None and to_lid_sight(lid).can_confirm(*counts)
        for lid, counts in zip(lids, counts_of_lids, strict=False)
    )


def other_number(lids: Sequence[LidReading], expected: Expected) -> tuple[str, ...]:
    """Return the note if the number of lids found differs from the number expected."""
    if not expected or len(lids) == len(expected):
        return ()
    count_text = "no lid was found" if not lids else f"{len(lids)} {'lid was' if len(lids) == 1 else 'lids were'} found"
    difference = f"{count_text}, and --expect speaks of {len(expected)}"
    return (f"{difference}; each is compared in the order in which lids are listed.",)


# Chosen by hand (docs/vision.md).
CLEAR = 24.0
"""Pixels between lines in a photograph of half size that shows the board well: more than the stone network's input has,
even where the board is farthest away.
"""


@declare_command(
    "look",
    "Read the position in photographs.",
    ("look board.jpg", "the stones, and the lids with what lies in them"),
    ("look --json *.jpg", "a JSON line an image, for another program"),
    ("look board.jpg --overlay seen.jpg", "what was read, drawn on the picture"),
    ("look board.jpg --score --komi 6.5", "who is ahead, if the stones that seem dead are"),
    looks=True,
)
@click.argument("images", nargs=-1, required=True, type=FILE, metavar="IMAGE...")
@json_option
@size_option
@calibration_option
@click.option(
    "--expect",
    type=ExpectedLids(),
    default=(),
    metavar="B+W,B+W",
    help="The black and white stones that must lie in each lid.",
)
@click.option("--score", is_flag=True, help="Count the position, with the stones that seem dead.")
@click.option("--rules", default=None, metavar="NAME", help="The rules that --score counts by (default: chinese).")
@click.option("--komi", type=float, default=None, metavar="N", help="The komi of that count (default: the rules' own).")
@click.option("--overlay", type=FILE, metavar="FILE", help="Write the picture with what was read drawn on it.")
def look_command(
    images: tuple[Path, ...],
    as_json: bool,
    size: int | None,
    calibration: Path | None,
    expect: Expected,
    score: bool,
    rules: str | None,
    komi: float | None,
    overlay: Path | None,
) -> int:
    """Read every image; return 0 if all were read, 3 if one held no board or could not be decoded."""
    _check_paths(images)
    if not score and (rules is not None or komi is not None):
        raise click.UsageError("--rules and --komi say how --score counts; give --score too.")
    counting = PhotoCount(rules or PhotoCount.rules, komi) if score else None
    looking = _LookOptions(as_json, size, fitting_calibration(calibration, size), expect, counting)
    overlays = _name_overlays(overlay, images)
    for to in overlays:
        check_overlay(to, *images, calibration)
    looks = with_progress(zip(images, overlays, strict=True), "looking", len(images))
    return max([_answer_picture(path, looking, to) for path, to in looks])


@dataclass(frozen=True)
class _LookOptions:
    """The options for every picture."""

    as_json: bool
    size: int | None
    calibration: Calibration | None
    expect: Expected
    counting: PhotoCount | None = None


def read_picture(
    image: Image, size: int | None = None, calibration: Calibration | None = None
) -> tuple[Reading | None, tuple[Message, ...]]:
    """Read the board and the lids in one picture.

    image: the picture.
    size: lines a side, None to find them out.
    calibration: the positions of board and lids, None to find them.
    Returns the reading, None if there is no board, and the notes on the calibration, the mat's cards or a lamp's
    reflection in the board. Of boards beside one that is plainly meant `other_boards_note` tells.
    """
    place = BoardDetection(calibration.grid) if calibration else find_likeliest(image, size)
    if place is None:
        return None, ()
    grid = estimate_lens(image, place.grid) if calibration else place.grid
    lids = (calibration.lids if calibration else ()) or place_lids(image, grid, place.markers, alone=True)
    wrong = find_faults(calibration, image.shape) if calibration else ()
    return read_frame(image, grid, lids), (*place.notes, *map(plain_message, (*wrong, *glare_notes(image, grid))))


def _check_paths(paths: Iterable[Path]) -> None:
    for path in paths:
        if stat.S_ISDIR(file_mode(path)):
            raise BadSource(f"{path}: is a folder; name the pictures in it, or use `shinpan watch` for a whole folder.")
        reason = why_missing(path)
        if reason:
            raise PICTURE.error_for(path, reason)


def _answer_picture(path: Path, looking: _LookOptions, overlay: Path | None) -> int:
    started = time.perf_counter()
    try:
        answer = _read_file(path, looking.size, looking.calibration)
    except VisionError as error:
        return _print_refusal(path, str(error), looking.as_json)
    reading = answer.reading
    if reading is None:
        sentence = f"{path}: no board found; show the whole board with its edge, or give --calibration."
        return _print_refusal(path, sentence, looking.as_json)
    spent = (time.perf_counter() - started) * 1000
    counted = looking.counting.answer(reading.rows(), reading.lids) if looking.counting else None
    if looking.as_json:
        answer_line = json_line(path, reading, spent, looking.expect)
        print(json.dumps(answer_line if counted is None else {**answer_line, "score": counted}))
    else:
        print((_format_words if is_interactive() else _format_plain)(path, reading, looking.expect))
        if counted is not None:
            print(counted["text"])
    for note in (*map(ENGLISH.sentence, answer.notes), *other_number(reading.lids, looking.expect)):
        print_note(f"{path}: {note}")
    if overlay:
        write_overlay(overlay, draw_overlay(read_image(path), reading))
    other = None if looking.calibration else answer.other_boards_note(looking.size)
    if other:
        print_note(f"{path}: {ENGLISH.sentence(other)}")
    return Exit.DONE


@dataclass(frozen=True, eq=False)
class _Answer:
    """The answer to a picture in a file, in the file's pixels, and the picture as read: reduced by `shrunk`."""

    reading: Reading | None
    notes: tuple[Message, ...]
    image: Image
    shrunk: int = 1

    def other_boards_note(self, size: int | None) -> Message | None:
        """Return the note on other boards, for which the picture is searched when the answer is given."""
        if self.reading is None:
            return None
        grid = self.reading.grid.move_grid(1 / self.shrunk, np.zeros(2))
        return other_boards_note(self.image, BoardDetection(grid, notes=self.notes), size)


def seen_in(
    path: Path, size: int | None = None, calibration: Calibration | None = None
) -> tuple[Reading | None, tuple[Message, ...]]:
    """Read the picture in a file as `look` does, in the file's pixels. Raises UnreadableImage."""
    answer = _read_file(path, size, calibration)
    return answer.reading, answer.notes


def _read_file(path: Path, size: int | None, calibration: Calibration | None) -> _Answer:
    """Return the answer to the picture in a file; a large one is read at half its size if that shows the board well."""
    if calibration is None:
        reduced, shrunk = read_reduced(path)
        reading, notes = read_picture(reduced, size)
        if shrunk == 1 or (reading is not None and reading.grid.cell() >= CLEAR):
            return _Answer(reading and reading.enlarge(shrunk), notes, reduced, shrunk)
    image = read_image(path)
    return _Answer(*read_picture(image, size, calibration), image)


def _print_refusal(path: Path, sentence: str, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"image": str(path), "error": sentence}))
    print_note(sentence)
    return Exit.NO_BOARD


def json_line(path: Path, reading: Reading, ms: float, expected: Expected = ()) -> dict[str, object]:
    """Return the JSON line of `look --json` for one image (docs/commands.md). expected: the stones in the lids."""
    lids = [_lid_to_json(lid) for lid in reading.lids]
    if expected:
        lids = [lid | {"confirmed": it} for lid, it in zip(lids, confirm_lids(reading.lids, expected), strict=True)]
    return {
        "image": str(path),
        "size": reading.grid.size,
        "corners": [[round(x, 1), round(y, 1)] for x, y in reading.grid.corners],
        "rows": list(reading.rows()),
        "doubtful": [{"point": reading.name(doubt.point), "p": round(doubt.p, 4)} for doubt in reading.doubtful()],
        "lids": lids,
        "ms": round(ms, 1),
    }


def _lid_to_json(lid: LidReading) -> dict[str, object]:
    box = [round(v, 1) for v in (lid.box.x, lid.box.y, lid.box.w, lid.box.h)]
    entry: dict[str, object] = {"box": box, "B": lid.black, "W": lid.white, "sure": lid.sure}
    if not lid.sure:
        entry["range"] = {"B": list(lid.black_range), "W": list(lid.white_range)}
    if lid.fault is not None:
        entry |= {"fault": lid.fault, "circle": list(lid.circle) if lid.circle else None}
    return entry


def _format_plain(path: Path, reading: Reading, expected: Expected) -> str:
    doubtful = ", ".join(f"{reading.name(doubt.point)} ({doubt.p:.0%})" for doubt in reading.doubtful())
    lids = (
        f"lid {side}: {lid.black} black, {lid.white} white" + ("" if lid.sure else " (not sure)") + confirmation
        for side, (lid, confirmation) in enumerate(
            zip(reading.lids, _describe_confirmations(reading, expected), strict=True), 1
        )
    )
    between = [f"between: {', '.join(_name_between(reading))}"] if reading.between() else []
    rows = reading.rows()
    return "\n".join([f"{path}: {reading.grid.size} lines", *rows, f"doubtful: {doubtful or 'none'}", *between, *lids])


def _name_between(reading: Reading) -> list[str]:
    """Return a name for each stone between points: "D4-D5", the nearest first, or "A4" beyond the edge."""
    pairs = [(stone.point, stone.towards) for stone in reading.between()]
    return ["-".join(reading.name(point) for point in pair if point is not None) for pair in pairs]


def _describe_confirmations(reading: Reading, expected: Expected) -> list[str]:
    """Return the suffix for each lid beside its counts: whether it holds the expected stones."""
    suffixes = {True: ", as expected", False: ", not confirmed"}
    return [suffixes[it] if expected else "" for it in confirm_lids(reading.lids, expected)]


def _format_words(path: Path, reading: Reading, expected: Expected) -> str:
    """Return the board as text for people; a question mark precedes a doubtful point."""
    doubts = {doubt.point: doubt for doubt in reading.doubtful()}
    board = draw_rows(reading.rows(), doubts)
    doubtful = ", ".join(f"{reading.name(point)} ({doubt.p:.0%} sure)" for point, doubt in sorted(doubts.items()))
    confirmations = _describe_confirmations(reading, expected)
    lids = [f"Lid {side}: {_format_lid(lid)}{confirmations[side - 1]}." for side, lid in enumerate(reading.lids, 1)]
    off = [f"Stones between points: {', '.join(_name_between(reading))}."] if reading.between() else []
    lines = [f"Doubtful: {doubtful}." if doubts else "No point is doubtful.", *off, *(lids or ["No lid was found."])]
    return "\n".join([f"{path}: {reading.grid.size} lines", *board, *lines])


def _format_lid(lid: LidReading) -> str:
    """ "2 black stones, 1 white stone", with ranges if it is not sure."""
    if lid.sure:
        return ENGLISH.value(Listing((Stones(lid.black, Colour.BLACK), Stones(lid.white, Colour.WHITE))))
    ranges = (("black", lid.black_range), ("white", lid.white_range))
    return "not sure, " + ", ".join(f"{low} to {high} {colour}" for colour, (low, high) in ranges)


def _name_overlays(path: Path | None, images: Sequence[Path]) -> list[Path | None]:
    """Return the path of each image's overlay: with several images its name has theirs, numbered if that is taken."""
    if path is None or len(images) == 1:
        return [path] * len(images)
    used_names = dict[str, None]()
    for image in images:
        used_names[_find_free_name(image.stem, used_names)] = None
    return [path.with_name(f"{path.stem}-{name}{path.suffix}") for name in used_names]


def _find_free_name(name: str, used_names: Container[str]) -> str:
    """Return the name, or "name-2" and so on if it is taken."""
    numbered = (f"{name}-{number}" for number in count(2))
    return next(one for one in chain([name], numbered) if one not in used_names)


def check_overlay(path: Path | None, *read: Path | str | None) -> None:
    """Raise an error if no picture can be written, or only over an input file; call it before reading."""
    if path is not None and path.suffix.lower() not in PICTURES:
        raise BadSource(f"{path}: an overlay is a picture; name a .png or .jpg file.")
    check_place(path, *read)


def write_overlay(path: Path, overlay: Image) -> None:
    """Write a picture; raise BadRecord if that fails."""
    write_whole(path, cv2.imencode(path.suffix, overlay)[1].tobytes())
