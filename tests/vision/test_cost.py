"""What looks cost, in numbers that are the same on every machine: a look that costs more than it did fails here."""

from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from device.cli.look import seen_in
from tests.support.shared import photos
from tests.support.vision.tables import shot, table_of
from vision.camera.frame import Frame
from vision.cost import LARGE_PX, LookCost, counting_cost
from vision.lids import net
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.tracking.tracker import BoardTracker, TrackerConfig
from vision.training.drawn_boards import random_rows

SEED = 9


@dataclass(frozen=True)
class CostLimit:
    """The most that a look may cost: runs of the nets, passes over large pictures, and megabytes touched."""

    crossings: int
    lids: int
    stones: int
    passes: int
    megabytes: int


LOOKS = {
    "drawn, 12 megapixels": CostLimit(2, 4, 1, 10, 68),
    "drawn, 1920x1080": CostLimit(2, 4, 1, 10, 50),
    "fixed camera, 13 lines": CostLimit(2, 9, 1, 10, 55),
    "club, 8 megapixels": CostLimit(2, 13, 1, 10, 79),
    "phone, 8 megapixels, a lid not empty": CostLimit(2, 11, 1, 10, 68),
}
"""What the six kinds of docs/evidence/machines.md cost in November 2026, with hardly any room; the sixth is below."""


def draw_enlarged(width: int, height: int) -> np.ndarray:
    """A table that is drawn small, because drawing takes longer than looking, and enlarged."""
    small = height // 540 if height % 540 == 0 else height // 504
    look = club_look(SEED, 19, width // small, height // small)
    rows = random_rows(np.random.default_rng(SEED), 19)
    pixels = shot(table_of(look), Scene(rows), 0).pixels
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def path_of(kind: str, folder):
    """The file of a picture of that kind."""
    if kind.startswith("drawn"):
        path = folder / "drawn.jpg"
        cv2.imwrite(str(path), draw_enlarged(*((4032, 3024) if "12" in kind else (1920, 1080))))
        return path
    source, name = {
        "fixed camera, 13 lines": ("fixed-camera-13x13", "move_11.jpg"),
        "club, 8 megapixels": ("club-games", "board06.jpg"),
        "phone, 8 megapixels, a lid not empty": ("phone-photos", "photo_6.jpg"),
    }[kind]
    return photos(source) / "images" / name


@pytest.mark.parametrize("kind", LOOKS)
def test_a_look_costs_no_more_than_it_did(kind, tmp_path):
    path = path_of(kind, tmp_path)
    net.forget_answers()
    with counting_cost() as cost:
        reading, _ = seen_in(path)
    assert reading is not None and len(reading.lids) == 2
    assert_within(cost, LOOKS[kind])
    assert not kind.startswith("drawn") or cost.net_runs.total() <= 7


def assert_within(cost: LookCost, most: CostLimit) -> None:
    runs = CostLimit(
        *(cost.net_runs[name] for name in ("crossings", "lids", "stones")),
        cost.passes.total(),
        round(cost.bytes_touched / 1e6),
    )
    over = {name: (value, getattr(most, name)) for name, value in vars(runs).items() if value > getattr(most, name)}
    assert not over, f"more than it may be: {over}"


def test_a_table_at_rest_costs_no_net_and_searches_nothing():
    pixels = [shot(table_of(club_look(SEED, 19, 640, 360)), Scene(("." * 19,) * 19), k).pixels for k in range(2)]
    observer = BoardTracker(TrackerConfig())
    for k in range(14):
        observer.see(Frame(pixels[k % 2], k / 5))
    assert observer.grid is not None
    with counting_cost() as cost:
        for k in range(14, 19):
            observer.see(Frame(pixels[k % 2], k / 5))
    assert cost.net_runs["crossings"] == 0 and cost.passes["segments"] == 0 and cost.passes["markers"] == 0
    assert cost.net_runs.total() <= 1, cost.net_runs
    assert cost.bytes_touched < 5 * 4e6


def test_passes_over_large_pictures_and_their_bytes_are_counted():
    large, small = np.zeros((500, LARGE_PX // 500, 3), np.uint8), np.zeros((10, 10), np.uint8)
    own = cv2.blur
    with counting_cost() as cost:
        cv2.blur(large, (3, 3))
        cv2.blur(small, (3, 3))
        cv2.warpAffine(large, np.eye(2, 3), (10, 10))
    assert dict(cost.passes) == {"blur": 1, "warpAffine": 0}
    assert cost.bytes_touched == 2 * large.nbytes + 2 * small.nbytes + 300 + 48
    assert cv2.blur is own
