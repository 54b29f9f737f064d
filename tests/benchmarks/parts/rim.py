"""Points, by what they are, that a player reads off the lights of the rim, and that stand marked on the page."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np

from device.panel.rim import COUNTED, DARK, OWNERS, Frame, Rgb, Step, cycle_length, frame_of, plan_animation
from referee.game.board import Board, Colour, Point, points_of
from referee.game.count_result import DeadStoneClaim
from referee.table.display_state import Phase, TableSnapshot
from referee.table.events import Agree, Propose
from tests.support.referee.table import B, W
from tests.support.web.moments import Moment, Scene, moments
from web.page.svg import CELL, MARGIN, RING, board_of_snapshot

FRAME = 0.05
"""Seconds between two frames, as the box sends them."""
TOLD_APART = 0.25
"""Seconds of dark from which a reader takes what follows for a new step."""
Points = dict[str, set[Point]]
"""By what they are: "refused", "asked", or the letter of their owner in a count."""


def on_the_page(now: TableSnapshot) -> Points:
    """The crosses and rings of the page's own drawing, read from its paths."""
    root, board = ElementTree.fromstring(board_of_snapshot(now)), now.game.position.board
    by_kind: Points = defaultdict(set)
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        if group.get("class") == "asked":
            path = group[0].get("d", "")
            rings = re.findall(r"M([\d.]+) ([\d.]+)a", path)
            by_kind["asked"] |= {_point(board, float(x) + RING, float(y), 0) for x, y in rings}
            if not rings:
                by_kind["refused"] |= {_point(board, x, y, 13) for x, y in _starts(path, 2)}
    for mark in root.iter("{http://www.w3.org/2000/svg}path"):
        if (owner := mark.get("data-owner")) is not None:
            by_kind[owner] |= {_point(board, x, y, 6.5) for x, y in _starts(mark.get("d", ""), 1)}
    return {kind: points for kind, points in by_kind.items() if points}


def _starts(path: str, every: int) -> list[tuple[float, float]]:
    """Return the points at which the strokes begin; of a cross, which has two, only the first."""
    return [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)", path)[::every]]


def _point(board: Board, x: float, y: float, off: float) -> Point:
    return round((y + off - MARGIN) / CELL) * board.cols + round((x + off - MARGIN) / CELL)


def meant(now: TableSnapshot) -> Points:
    """Return the page's marks that the rim points at: what has to be put right before whose the points are, and nothing
    while a press waits for its look or the result is final."""
    page = {} if now.waiting or now.phase is Phase.FINAL else on_the_page(now)
    urgent = {kind: points for kind, points in page.items() if kind in ("refused", "asked")}
    return urgent or page


def frames(now: TableSnapshot, start: float) -> list[Frame]:
    """The frames of some rounds of the steps, from any moment on."""
    lasts = 3 * cycle_length(plan_animation(now)) or 1.0
    return [frame_of(now, start + number * FRAME) for number in range(round(lasts / FRAME))]


def read(frames: list[Frame], board: Board, blind: bool = False) -> Points:
    """Return the points that the frames point at. blind: the reader sees how bright the lights are, and no colour."""
    by_kind: Points = defaultdict(set)
    for step in _whole_steps(frames):
        rows, columns = ([frame.rows for frame in step], [frame.columns for frame in step])
        count = max(max(row) for frame in rows for row in frame) <= max(COUNTED.colour)
        for row in _lit(rows):
            for column in _lit(columns):
                over_time = [frame[column] for frame in columns]
                kind = _by_flashes(over_time, count) if blind else _by_colour(over_time, count)
                by_kind[kind].add(row * board.cols + column)
    return dict(by_kind)


def _whole_steps(frames: list[Frame]) -> Iterator[list[Frame]]:
    """The frames of each step that is seen from its beginning to its end."""
    dark, step, whole = 0, list[Frame](), False
    for frame in frames:
        dark = 0 if frame.is_lit else dark + 1
        step.append(frame)
        if dark * FRAME >= TOLD_APART - FRAME / 2:
            if whole and any(frame.is_lit for frame in step):
                yield step
            step, whole = [], True


def _lit(over_time: list[tuple[Rgb, ...]]) -> list[int]:
    return [line for line in range(len(over_time[0])) if any(frame[line] != DARK for frame in over_time)]


def _by_colour(light: list[Rgb], count: bool) -> str:
    (colour,) = set(light) - {DARK}
    if count:
        return next(owner.value for owner, sign in OWNERS.items() if sign.colour == colour)
    return "asked" if colour[1] else "refused"


def _by_flashes(light: list[Rgb], count: bool) -> str:
    lit = [max(colour) > 0 for colour in light]
    flashes = sum(now and not before for before, now in zip([False, *lit], lit, strict=False))
    if count:
        return next(owner.value for owner, sign in OWNERS.items() if sign.flashes == flashes)
    return {1: "asked", 3: "refused"}[flashes]


def rim_moments(seed: int) -> Iterator[Moment]:
    """Twenty moments of games, twelve in which stones were moved, lifted and put at random, and eight counts."""
    yield from moments(seed)
    for number in range(20):
        rng = random.Random(seed * 1000 + number)
        name, build = ("disturbed", _disturbed) if number < 12 else ("count", _name_dead_stones)
        yield Moment(name, build(Scene(rng), rng), None)


def counted_steps(board: Board, rng: np.random.Generator) -> tuple[Step, ...]:
    """Return the steps of the lights in a count of areas drawn by lot: the owners change along a crooked border."""
    border = board.cols // 2 + np.cumsum(rng.integers(-1, 2, board.rows))
    black, white = OWNERS[Colour.BLACK], OWNERS[Colour.WHITE]
    return tuple(
        Step(((row, COUNTED),), tuple((col, black if col < edge else white) for col in range(board.cols)))
        for row, edge in enumerate(border)
    )


def _disturbed(scene: Scene, rng: random.Random) -> TableSnapshot:
    table = scene.played(scene.table(("...",) * 3, scene.me), rng.randrange(4))
    for _ in range(rng.randint(1, 12)):
        name = table.board.name(rng.randrange(scene.size**2))
        if table.position.empty >> table.board.point(name) & 1:
            table.put(rng.choice((B, W)), name)
        else:
            table.lift(name)
    table.done(table.referee.record.to_play)
    return scene.take_snapshot(table)


def _name_dead_stones(scene: Scene, rng: random.Random) -> TableSnapshot:
    """Some chains are named as dead, and perhaps the other agrees."""
    table = scene.played(scene.table(("...",) * 3, scene.me), 2)
    table.play(f"{scene.me.value} pass", f"{scene.you.value} pass")
    chains = [table.position.chain_at(point) for point in points_of(table.position.occupied)]
    dead = 0
    for chain in rng.sample(chains, rng.randint(0, 6)):
        dead |= chain
    table.say(Propose, scene.you, DeadStoneClaim(dead))
    if rng.random() < 0.5:
        table.say(Agree, scene.me)
    return scene.take_snapshot(table)
