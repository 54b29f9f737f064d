"""The times and results of eyes, and two of them side by side."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.support.vision.labels import LEFT_OUT
from tests.support.vision.photographs import Label
from vision.tracking.reading import SYMBOLS

WANTED = {"large": 3.0, "lids": 6.0, "frame": 5.0, "memory": 250.0}
"""At most: how many times what decoding and warping take a look at a photograph of 12 megapixels takes, and at one of
1920x1080 with two lids; milliseconds of a tracked frame; megabytes."""


@dataclass
class Figures:
    """One eye's time and results. ms, net: of each photograph; the stone net's part. frames: of each tracked frame.

    looks: of photographs that are looked at whole, lids too, by their kind: the milliseconds of decoding and warping
    alone, and of the look, each time.
    """

    boards: int = 0
    found: int = 0
    whole: int = 0
    points: int = 0
    right: int = 0
    ms: list[float] = field(default_factory=list)
    net: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    read: float = 0.0
    fitted: float = 0.0
    looks: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    memory: float = 0.0


def timed(do: Callable[[], object]) -> tuple[object, float]:
    """Return its answer, and the milliseconds of processor time it took."""
    started = time.process_time()
    answer = do()
    return answer, 1000 * (time.process_time() - started)


def count(figures: Figures, label: Label, kinds: np.ndarray) -> None:
    """Points right and whole boards."""
    pairs = [pair for pair in zip("".join(label.rows), SYMBOLS[kinds].ravel(), strict=True) if pair[0] not in LEFT_OUT]
    right = sum(truth == read for truth, read in pairs)
    figures.right += right
    figures.whole += int(right == len(pairs))


def table(ours: Figures, theirs: Figures) -> list[str]:
    """Return the figures side by side, and as ratios of ours to theirs."""
    ms, their_ms = statistics.median(ours.ms), statistics.median(theirs.ms)
    share = sum(ours.net) / sum(ours.ms)
    frame = statistics.mean(ours.frames)
    floor = statistics.median(floor for floor, _ in ours.looks["lids"])
    return [
        *(beside_floor(kind, ours.looks[kind]) for kind in ("large", "lids")),
        f"a tracked 1920x1080 frame, a look each second: {frame:.1f} ms on average (wanted: {WANTED['frame']:.0f} at "
        f"most), {frame / floor:.2f} times as much; {statistics.median(ours.frames):.1f} the median, "
        f"{max(ours.frames):.1f} the slowest",
        "",
        f"{'':34}{'shinpan':>12}{'baseline':>12}{'ratio':>8}",
        told("ms a photograph, median", ms, their_ms, "{:.0f}"),
        told("ms a photograph, nine in ten within", tenth(ours.ms), tenth(theirs.ms), "{:.0f}"),
        told("boards found", ours.found / ours.boards, theirs.found / theirs.boards, "{:.1%}"),
        told("points right, of all", ours.right / ours.points, theirs.right / theirs.points, "{:.2%}"),
        told("points wrong or not seen", 1 - ours.right / ours.points, 1 - theirs.right / theirs.points, "{:.2%}"),
        told("whole boards right", ours.whole / ours.boards, theirs.whole / theirs.boards, "{:.1%}"),
        told("MB of memory at most", ours.memory, theirs.memory, "{:.0f}"),
        "",
        f"the stone net's share of a photograph: {share:.0%}; a 1080p board read by it: {ours.read:.1f} ms",
        f"a 1080p frame's grid fitted again: {ours.fitted:.1f} ms",
        f"memory wanted: under {WANTED['memory']:.0f} MB",
    ]


KINDS = {"large": "a photograph of 12 megapixels", "lids": "a photograph of 1920x1080 with two lids"}


def beside_floor(kind: str, looks: list[tuple[float, float]]) -> str:
    """Return how many times as long a look takes as decoding and warping, the median of those made in one run."""
    times = statistics.median(look / floor for floor, look in looks)
    floor, look = (statistics.median(part) for part in zip(*looks, strict=True))
    return (
        f"{KINDS[kind]}: decoding and warping {floor:.0f} ms, a look {look:.0f} ms, {times:.1f} times as much "
        f"(wanted: {WANTED[kind]:.0f} at most)"
    )


def tenth(ms: list[float]) -> float:
    """Return the time that nine in ten do not exceed."""
    return float(np.percentile(ms, 90))


def told(what: str, ours: float, theirs: float, form: str) -> str:
    ratio = ours / theirs if theirs else float("inf")
    return f"{what:34}{form.format(ours):>12}{form.format(theirs):>12}{ratio:>8.2f}"
