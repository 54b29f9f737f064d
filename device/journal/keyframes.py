"""The frame behind every ruling, kept on disk in a ring: the newest ones, and as many of the doubtful ones.

A ruling's frame is in `NAME.frames` beside `NAME.journal`, as `000123.legal.jpg` with the number of the journal's
entry; `000123.legal.json` has the reading and the ruling, with checksums of both. For illegal, unfinished or
unexplained turns the reading is also drawn on the frame, `000124.illegal.overlay.jpg`; these are pruned separately.
Each file is written whole or not at all, by a thread of its own: a slow disk delays nobody, and a frame that cannot be
written is left out.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Full, Queue

import cv2

from device.files import read_stored, write_together
from device.journal.names import age_key
from referee.codec import ruling_line
from referee.game.errors import RefereeError
from referee.game.messages import Message, message
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from vision.camera.frame import Frame, Image
from vision.tracking.overlay import draw_overlay
from vision.tracking.reading import Reading
from web.language import ENGLISH


@dataclass(frozen=True, eq=False)
class CapturedFrame:
    """The newest frame and its last reading."""

    frame: Frame
    reading: Reading | None


log = logging.getLogger("shinpan")
FRAMES = ".frames"
PICTURE, OVERLAY = ".jpg", ".overlay.jpg"
QUALITY = 85
WAITING = 8
"""Maximum number of frames waiting for the disk."""


@dataclass(frozen=True)
class Moment:
    """A ruling to illustrate.

    match: the journal's name without suffix
    entry: the journal's newest entry then
    ruling: the ruling
    record: the record after it
    """

    match: str
    entry: int
    ruling: Ruling
    record: GameRecord


class KeyFrames:
    """The writer of key frames.

    folder: of the journals
    taken: returns the frame captured at this time
    most: number kept of each kind
    report_fault: called with a fault's key and message, or with None once a frame was written again
    """

    def __init__(
        self,
        folder: Path,
        find_frame: Callable[[float], CapturedFrame | None],
        most: int,
        report_fault: Callable[[str, Message | None], None] = lambda what, fault: None,
    ) -> None:
        self._folder, self._find_frame, self._most, self._report_fault = folder, find_frame, most, report_fault
        self._queue: Queue[tuple[Moment, CapturedFrame] | None] = Queue(WAITING)
        self._thread = threading.Thread(target=self._run, name="key frames", daemon=True)
        self._thread.start()

    def queue_frame(self, moment: Moment) -> None:
        """Queue the frame of this moment, if there is one and the disk keeps up."""
        captured_frame = self._find_frame(moment.ruling.t) if self._most else None
        if captured_frame is not None:
            try:
                self._queue.put_nowait((moment, captured_frame))
            except Full:
                log.warning("The disk is too slow for the picture of a ruling; it is left out.")

    def close(self) -> None:
        """Write the queued frames, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            try:
                self._write_frame(*job)
                delete_oldest(self._folder, self._most)
                self._report_fault("frames", None)
            except Exception as error:
                unforeseen = not isinstance(error, OSError | RefereeError)
                log.warning("The picture of a ruling is left out: %s", error, exc_info=unforeseen)
                self._report_fault("frames", message("frames.left-out"))

    def _write_frame(self, moment: Moment, captured_frame: CapturedFrame) -> None:
        folder = self._folder / f"{moment.match}{FRAMES}"
        folder.mkdir(exist_ok=True)
        name = f"{moment.entry:06}.{moment.ruling.status}"
        pictures = {PICTURE: encode_jpeg(captured_frame.frame.pixels)}
        if moment.ruling.status is not Status.LEGAL and captured_frame.reading is not None:
            pictures[OVERLAY] = encode_jpeg(draw_overlay(captured_frame.frame.pixels, captured_frame.reading))
        sums = {ending: hashlib.sha256(picture).hexdigest() for ending, picture in pictures.items()}
        data_json = json.dumps(_with_checksum({**frame_data(moment, captured_frame), "pictures": sums})).encode()
        files = {".json": data_json, **dict(reversed(pictures.items()))}
        write_together({folder / f"{name}{ending}": data for ending, data in files.items()})


def damaged_pictures(folder: Path) -> list[Path]:
    """Return a match's frames, and the files beside them, that have changed since they were written."""
    names = {path.name for path in folder.glob("*.*")}
    return [folder / name for name in damaged_among(names, lambda name: read_stored(folder / name))]


def damaged_among(names: Collection[str], read: Callable[[str], bytes]) -> Iterator[str]:
    """Yield the names of frames, and of files beside them, that have changed since they were written."""
    for name in sorted(names):
        if name.endswith(".json"):
            yield from _find_damaged(name, names, read)


def _find_damaged(file: str, names: Collection[str], read: Callable[[str], bytes]) -> Iterator[str]:
    try:
        body = json.loads(read(file))
        is_whole = body == _with_checksum(body) or not {"sum", "pictures"} & set(body)  # Version 0.2 had neither.
    except (OSError, ValueError, AttributeError, RecursionError):
        is_whole = False
    if not is_whole:
        yield file
        return
    for ending, digest in body.get("pictures", {}).items():
        picture = file.removesuffix(".json") + ending
        if picture in names and not _is_picture(picture, digest, read):
            yield picture


def _is_picture(name: str, digest: object, read: Callable[[str], bytes]) -> bool:
    try:
        return hashlib.sha256(read(name)).hexdigest() == digest
    except OSError:
        return False


def _with_checksum(body: dict[str, object]) -> dict[str, object]:
    """Add a checksum of all the rest."""
    rest = {key: value for key, value in body.items() if key != "sum"}
    return {**rest, "sum": hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()}


def frame_data(moment: Moment, captured_frame: CapturedFrame) -> dict[str, object]:
    """Return the data beside a frame: when it was captured, the reading, and the ruling as in the journal."""
    reading = reading_of(captured_frame.reading) if captured_frame.reading is not None else None
    ruling = ruling_line(moment.ruling, moment.record, ENGLISH.sentence)
    return {"entry": moment.entry, "frame_t": captured_frame.frame.t, "reading": reading, "ruling": ruling}


def reading_of(reading: Reading) -> dict[str, object]:
    """Return the board's corners, the likeliest position, and the doubtful points."""
    return {
        "corners": [[round(x, 2), round(y, 2)] for x, y in reading.grid.corners],
        "rows": list(reading.rows()),
        "doubtful": [{"point": reading.name(doubt.point), "p": round(doubt.p, 3)} for doubt in reading.doubtful()],
    }


def delete_oldest(folder: Path, most: int) -> None:
    """Delete the oldest frames, leaving the newest `most` of legal turns and of all others."""
    paths = (path for path in folder.glob(f"*{FRAMES}/*.jpg") if ".overlay." not in path.name)
    pictures = sorted(paths, key=lambda path: (age_key(path.parent.stem), path.name))
    legal = [path for path in pictures if f".{Status.LEGAL}." in path.name]
    other = [path for path in pictures if f".{Status.LEGAL}." not in path.name]
    for kind in (legal, other):
        for path in kind[: max(len(kind) - most, 0)]:
            for part in path.parent.glob(f"{path.stem}.*"):
                part.unlink(missing_ok=True)
            if not any(path.parent.iterdir()):
                path.parent.rmdir()


def encode_jpeg(pixels: Image) -> bytes:
    """Encode a picture as JPEG."""
    is_encoded, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if is_encoded else b""
