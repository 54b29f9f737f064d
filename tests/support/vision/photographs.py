"""The labelled photographs, source by source: where their boards lie, what stands on them, and in what light."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import TypeVar

import numpy as np

from tests.support.shared import SHARED, photos
from tests.support.tiers import is_long_run
from tests.support.vision.labels import LEFT_OUT, board_labels, corrections
from tests.support.vision.pictures import crops
from vision.calibration.model import Box, Grid
from vision.camera.frame import Image, read_image
from vision.stones.reader import StoneReader

SOURCES = (
    "fixed-camera-13x13",
    "angles-13x13",
    "phone-photos",
    "club-games",
    "tagged-board",
    "phone-photos-2",
    "dense-endgames",
    "our labels: board-corners",
    "our labels: club-games",
)
OURS = "our labels: "
"""Sources whose positions are those of tests/labels; points hidden or untold there are not measured."""
NEAR = 0.5
"""A corner is found when it lies within this many cells of the label's."""
SAMPLED = 20
"""The seed that draws photographs from every source."""
BY_STONES = {"up to 60 stones": range(61), "61 to 150": range(61, 151), "more than 150": range(151, 362)}
WASHED_OUT, WASHED = 0.01, 250
"""Glare: more than this share of the points' middles is this bright in every colour."""
DIM, TINTED = 212, 0.12
"""Dim: no channel of the white stones is as bright as this. Tinted: their channels differ by more than this share."""
NOT_TOLD = "no white stone to tell"


Shown = TypeVar("Shown")


@dataclass(frozen=True)
class Label:
    """A labelled photograph: corners clockwise from the one with the smallest x + y, rows seen from there."""

    image: Path
    size: int
    corners: np.ndarray
    rows: tuple[str, ...]

    def grid(self) -> Grid:
        """The board where the label says it lies."""
        return Grid(self.size, tuple((float(x), float(y)) for x, y in self.corners))

    def count_points(self) -> int:
        """Return how many points the label tells."""
        points = "".join(self.rows)
        return len(points) - sum(map(points.count, LEFT_OUT))


def labels(source: str) -> Iterator[Label]:
    """The labelled photographs of a source, turned as DESIGN.md orients a picture."""
    if source.startswith(OURS):
        for label in board_labels(source.removeprefix(OURS)):
            yield Label(label.picture(), label.size, label.corners, label.rows)
        return
    for path in sorted((SHARED / "photos" / source / "labels").glob("*.json")):
        data = json.loads(path.read_text())
        if data["rows"] is None:
            continue
        corners, rows = np.array(data["corners"]), np.array([list(row) for row in data["rows"]])
        first = int(corners.sum(axis=1).argmin())
        turned = tuple("".join(row) for row in np.rot90(rows, first))
        image = path.parent.parent / data["image"]
        yield Label(image, data["size"], correct_corners(image, np.roll(corners, -first, axis=0)), turned)


def correct_corners(image: Path, corners: np.ndarray) -> np.ndarray:
    """The corners of a label, or ours where those that came with the photograph are plainly wrong."""
    ours = corrections().get(hashlib.sha256(image.read_bytes()).hexdigest())
    return corners if ours is None else np.array(ours["corners"])


def is_found(grid: Grid, label: Label) -> bool:
    """All four corners within half a cell, and the right number of lines."""
    off = np.linalg.norm(np.array(grid.corners) - label.corners, axis=1)
    return grid.size == label.size and bool((off < NEAR * grid.cell()).all())


def net_without(source: str, nets: Path | None) -> Path | None:
    """The net trained without the photographs of a source, if there is one."""
    net = nets and nets / f"{source.removeprefix(OURS)}.onnx"
    return net if net and net.exists() else None


def sample(each: int) -> Iterator[tuple[str, Label]]:
    """So many photographs of every source, with its name; the same ones each time."""
    rng = np.random.default_rng(SAMPLED)
    for source in SOURCES:
        every = list(labels(source))
        for pick in sorted(rng.permutation(len(every))[:each]):
            yield source, every[pick]


@dataclass(frozen=True, eq=False)
class Photo:
    """A labelled photograph with the reader that never saw its source."""

    source: str
    label: Label
    reader: StoneReader


def photographs(nets: Path | None) -> list[Photo]:
    """All of them."""
    shipped, photos = StoneReader(), []
    for source in SOURCES:
        net = net_without(source, nets)
        reader = StoneReader(net) if net else shipped
        photos += [Photo(source, label, reader) for label in labels(source)]
    return photos


def light_of(label: Label, by_eye: dict[Path, str]) -> str:
    """The light a photograph was taken in: as we labelled it, else measured at its points' middles."""
    if label.image in by_eye:
        return by_eye[label.image]
    middles = crops(read_image(label.image), label.grid(), 16, 0.5)
    if (middles.min(axis=-1) > WASHED).mean() > WASHED_OUT:
        return "glare"
    white = middles[np.array(list("".join(label.rows))) == "O"].reshape(-1, 3)
    if not len(white):
        return NOT_TOLD
    tones = np.median(white, axis=0)
    return "dim" if tones.max() < DIM else "tinted" if np.ptp(tones) >= TINTED * tones.max() else "white"


def stones_of(label: Label) -> str:
    """Return the one of BY_STONES that a photograph belongs to."""
    stone_count = sum(map("".join(label.rows).count, "XO"))
    return next(name for name, span in BY_STONES.items() if stone_count in span)


def chosen(every: Iterable[Shown], few: int) -> list[Shown]:
    """Return a few photographs, spread evenly; in a run of the tier `all` every one."""
    some = list(every)
    if is_long_run() or len(some) <= few:
        return some
    return [some[round(k * (len(some) - 1) / (few - 1))] for k in range(few)]


def wilson(hits: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The 95% Wilson interval of a share, as two shares."""
    if of == 0:
        return 0.0, 1.0
    share = hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return middle - half, middle + half


# Real lids: three black stones and one in two lids of club games, and the fixed camera's two empty ones.

CLUB = {"board07": (Box(0, 476, 415, 637), (3, 0)), "board_full_1": (Box(230, 1875, 431, 464), (1, 0))}
"""Boxes as a person would draw them, and what lies in the lids."""
FIXED = (Box(70, 368, 310, 237), Box(3, 675, 352, 305))
"""The fixed camera's lids as a person would box them, the upper one first."""


def _grid(label: dict[str, object]) -> Grid:
    return Grid(int(str(label["size"])), tuple(map(tuple, np.array(label["corners"]).tolist())))


def club_games() -> list[tuple[str, Image, Grid]]:
    """The two pictures with lids in them, and their boards."""
    folder = photos("club-games")
    seven = _grid(json.loads((folder / "labels" / "board07.json").read_text()))
    full = next(label for label in board_labels("club-games") if label.picture().stem == "board_full_1")
    grids = {"board07": seven, "board_full_1": Grid(full.size, tuple(map(tuple, full.corners.tolist())))}
    return [(name, read_image(folder / "images" / f"{name}.jpg"), grid) for name, grid in grids.items()]


def fixed_camera(few: int | None = None) -> list[tuple[Image, Grid]]:
    """Return the fixed camera's pictures and their boards.

    few: so many of them, but in a run of the tier `all` every one
    """
    every = sorted((photos("fixed-camera-13x13") / "labels").glob("*.json"))
    return list(map(_read_labelled, chosen(every, few) if few else every))


def cases() -> list[tuple[Image, Grid]]:
    """Return pictures and their boards, beside which lie a zipped case, a wallet and bowls, but no lid."""
    return list(map(_read_labelled, sorted((photos("angles-13x13") / "labels").glob("angled_easy*.json"))))


def _read_labelled(path: Path) -> tuple[Image, Grid]:
    label = json.loads(path.read_text())
    return read_image(path.parents[1] / label["image"]), _grid(label)
