"""Physically rendered lids to train on: stones that fell into a dish, seen in four lights from four places.

Needs the extra `traced`. One drop takes as long as two pictures, so its stones are seen again on another table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.calibration import Box
from vision.lids.net import ROOM, SIDE, cut
from vision.training.lid_samples import KEPT, MOST, SCENES, Sample, astray, counts
from vision.training.traced import light, truth
from vision.training.traced.build import Built, aim, build
from vision.training.traced.chance import aimed, random_table
from vision.training.traced.physics import MANNERS
from vision.training.traced.scene import TracedTable, Vessel

FIRST = 5_000_000
"""Tables to learn from have seeds from here on; those that tests trace have small ones."""
HEAP = 22
"""Stones in a lid at most: falling takes long."""
SAMPLES = 6
"""Paths a pixel."""
ACROSS = (110, 230)
"""Pixels of a lid's longer side."""
SPARE = 0.22
"""Room around a lid, in its own sides: what is kept needs most of it."""
BOXED = 0.02
"""By so much of a lid's sides its box is off, as one that was found is."""


def traced(seed: int) -> Iterator[Sample]:
    """Two lids of a table in four lights, eight pictures: pixels, stones and trouble as in `Samples`."""
    rng, first = np.random.default_rng([seed, 25]), _table(FIRST + SCENES * seed)
    lids = tuple(_filled(dish, rng) for dish in first.lids)
    fallen = None
    for number in range(SCENES):
        table = _seen_anew(replace(first, lids=lids), _table(FIRST + SCENES * seed + number), rng)
        built = build(table, fallen)
        fallen = built.fallen
        for side in range(len(lids)):
            yield _sample(_at_size(table, side, rng), built, side, rng)


def _table(seed: int) -> TracedTable:
    """A random table over which nobody reaches."""
    table = random_table(seed)
    return replace(table, things=tuple(thing for thing in table.things if thing.kind != "arm"))


def _filled(dish: Vessel, rng: np.random.Generator) -> Vessel:
    """A dish with any number of stones, in any manner."""
    black, white = counts(rng)
    share = min(1.0, HEAP / max(black + white, 1))
    return replace(dish, black=int(black * share), white=int(white * share), manner=str(rng.choice(MANNERS)))


def _seen_anew(table: TracedTable, other: TracedTable, rng: np.random.Generator) -> TracedTable:
    """A table in another one's light and colours, from another place through a straight lens."""
    stones = replace(table.stones, black=other.stones.black, white=other.stones.white)
    alike = other.lids[0].shape == table.lids[0].shape
    lids = tuple(replace(dish, surface=other.lids[0].surface) if alike else dish for dish in table.lids)
    camera = replace(aimed(rng, table.goban, lids), k1=0.0)
    taken = {name: getattr(other, name) for name in ("lights", "ambient", "balance", "light", "finish", "floor")}
    return replace(table, stones=stones, lids=lids, camera=camera, table=other.table, **taken)


def _at_size(table: TracedTable, side: int, rng: np.random.Generator) -> TracedTable:
    """The same picture in fewer or more pixels: so many that a lid is ACROSS."""
    whole = truth.box(table, table.lids[side])
    scale = float(np.exp(rng.uniform(*np.log(ACROSS)))) / max(whole.w, whole.h)
    width, height = round(table.width * scale), round(table.height * scale)
    camera = replace(table.camera, focal=table.camera.focal * width / table.width)
    return replace(table, width=width, height=height, camera=camera)


def _sample(table: TracedTable, built: Built, side: int, rng: np.random.Generator) -> Sample:
    dish, scene = table.lids[side], built.scene
    light.set_up(scene, table, 1)
    aim(scene, table)
    whole = truth.box(table, dish)
    part, seen = light.closeup(scene, table, _squared(whole), SPARE, 0.0, SAMPLES)
    box = astray(whole, rng, BOXED, BOXED / 2)
    lies = truth.lies(table, built, built.fallen[side])
    near = Box(box.x - part.left, box.y - part.top, box.w, box.h)
    square = cut(light.developed(seen, table, part), near, KEPT, ROOM * KEPT / SIDE)
    return square, _stones(lies, truth.upon(table, lies), box), np.int64(truth.piled(table, lies))


def _squared(box: Box) -> Box:
    """The square around a box, with its middle."""
    side, (x, y) = max(box.w, box.h), box.middle()
    return Box(x - side / 2, y - side / 2, side, side)


def _stones(lies: list[truth.Lies], upon: npt.NDArray[np.bool_], box: Box) -> npt.NDArray[np.float32]:
    """Where the stones are seen in the kept square, as `Samples.stones` has them."""
    stones = np.full((MOST, 5), -1, np.float32)
    scale, middle = SIDE / (ROOM * max(box.w, box.h)), np.array(box.middle())
    for k, (one, over) in enumerate(zip(lies, upon, strict=True)):
        at = np.nan_to_num((np.array(one.middle) - middle) * scale + KEPT / 2)
        stones[k] = (*at, float(one.colour is Colour.WHITE), one.seen, float(over))
    return stones
