"""Path-traced lids for training: stones that fell into a dish, seen in four lights from four places.

Needs Blender's `bpy`. One simulated drop takes as long as two pictures, so its stones are reused on other tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.calibration.model import Box
from vision.lids.net import ROOM, SIDE, cut_square
from vision.training.lids.samples import NO_LID, NONE, SCENES, SQUARE_SIDE, Pixels, Sample, misplace_box, pick_counts
from vision.training.traced import light, truth
from vision.training.traced.build import BuiltScene, add_camera, build_table, strew_bowl
from vision.training.traced.chance import aim_camera, random_table, supply_bowl
from vision.training.traced.physics import MANNERS
from vision.training.traced.scene import TracedTable, Vessel

FIRST = 5_000_000
"""First seed of the training tables; tables traced by tests have small seeds."""
STOCK, FILLED = (20, 70), (0.7, 1.25)
"""Range of the number of stones visible in a supply bowl, and of its fill relative to bowls of traced tables."""
SAMPLES = 6
"""Paths per pixel."""
ACROSS = (110, 230)
"""Range of a lid's longer side, in pixels."""
SPARE = 0.22
"""Margin around a lid, in its own sides: the kept square needs most of it."""
BOXED = 0.02
"""Error of a lid's box, as a share of its sides, like a detected box's."""
WITHIN = (0.75, 1.0)
"""Range of the size of a supply bowl's box, in its own sides: a detected one may be that of its rim."""


def trace_lids(seed: int) -> Iterator[Sample]:
    """Yield two lids of a table in four lights, eight pictures: pixels, stones and trouble as in `Samples`."""
    rng, first = np.random.default_rng([seed, 25]), _pick_table_without_arm(FIRST + SCENES * seed)
    lids = tuple(_fill_dish(dish, rng) for dish in first.lids)
    fallen_stones = None
    for number in range(SCENES):
        table = _change_view(replace(first, lids=lids), _pick_table_without_arm(FIRST + SCENES * seed + number), rng)
        built = build_table(table, fallen_stones)
        fallen_stones = built.fallen
        for side in range(len(lids)):
            yield _trace_sample(_at_size(table, side, rng), built, side, rng)


def trace_bowls(seed: int) -> Iterator[Sample]:
    """Yield two supply bowls of a table in four lights, eight pictures: pixels, no stones, and NO_LID."""
    rng, first = np.random.default_rng([seed, 26]), _pick_table_without_arm(FIRST + SCENES * seed)
    bowls = tuple(_fill_bowl(dish, colour, rng) for dish, colour in zip(first.lids, rng.permutation(2), strict=True))
    for number in range(SCENES):
        table = _change_view(
            replace(first, lids=bowls, bowls=()), _pick_table_without_arm(FIRST + SCENES * seed + number), rng
        )
        built = build_table(table, tuple(strew_bowl(table, bowl, side) for side, bowl in enumerate(bowls)))
        for side in range(len(bowls)):
            within = float(rng.uniform(*WITHIN))
            yield _trace_closeup(_at_size(table, side, rng), built, side, rng, within)[0], NONE, np.int64(NO_LID)


def _fill_bowl(dish: Vessel, colour: int, rng: np.random.Generator) -> Vessel:
    """Return a supply bowl in place of a lid, with stones of one colour."""
    many, full = int(rng.integers(*STOCK)), float(rng.uniform(*FILLED))
    return supply_bowl(dish, (dish.x, dish.y), dish.surface, (many * (1 - colour), many * colour), full)


def _pick_table_without_arm(seed: int) -> TracedTable:
    """Return a random table without an arm over it."""
    table = random_table(seed)
    return replace(table, things=tuple(thing for thing in table.things if thing.kind != "arm"))


def _fill_dish(dish: Vessel, rng: np.random.Generator) -> Vessel:
    """Return a dish with any number of stones, in any manner."""
    black, white = pick_counts(rng)
    return replace(dish, black=black, white=white, manner=str(rng.choice(MANNERS)))


def _change_view(table: TracedTable, other: TracedTable, rng: np.random.Generator) -> TracedTable:
    """Return a table with another one's light and colours, from another place through a lens without distortion."""
    stones = replace(table.stones, black=other.stones.black, white=other.stones.white)
    alike = other.lids[0].shape == table.lids[0].shape
    lids = tuple(replace(dish, surface=other.lids[0].surface) if alike else dish for dish in table.lids)
    camera = replace(aim_camera(rng, table.goban, lids), k1=0.0)
    light_fields = {name: getattr(other, name) for name in ("lights", "ambient", "balance", "light", "finish", "floor")}
    return replace(table, stones=stones, lids=lids, camera=camera, table=other.table, **light_fields)


def _at_size(table: TracedTable, side: int, rng: np.random.Generator) -> TracedTable:
    """Return the table at a resolution at which the lid's longer side is within ACROSS."""
    lid_box = truth.project_dish_box(table, table.lids[side])
    scale = float(np.exp(rng.uniform(*np.log(ACROSS)))) / max(lid_box.w, lid_box.h)
    width, height = round(table.width * scale), round(table.height * scale)
    camera = replace(table.camera, focal=table.camera.focal * width / table.width)
    return replace(table, width=width, height=height, camera=camera)


def _trace_sample(table: TracedTable, built: BuiltScene, side: int, rng: np.random.Generator) -> Sample:
    square, box = _trace_closeup(table, built, side, rng)
    lies = truth.dish_stones(table, built, built.fallen[side])
    return square, _locate_stones(lies, truth.lies_on_others(table, lies), box), np.int64(truth.is_piled(table, lies))


def _trace_closeup(
    table: TracedTable, built: BuiltScene, side: int, rng: np.random.Generator, within: float = 1.0
) -> tuple[Pixels, Box]:
    """Render a dish in a slightly inaccurate box; return square and box. within: its size, in the dish's sides."""
    dish, scene = table.lids[side], built.scene
    light.set_up(scene, table, 1)
    add_camera(scene, table)
    whole = truth.project_dish_box(table, dish)
    part, seen = light.trace_closeup(scene, table, _square_around(whole), SPARE, 0.0, SAMPLES)
    box = misplace_box(whole, rng, BOXED, BOXED / 2)
    near = Box(box.x - part.left, box.y - part.top, box.w, box.h)
    return cut_square(
        light.develop_picture(seen, table, part), near, SQUARE_SIDE, ROOM * SQUARE_SIDE / SIDE * within
    ), box


def _square_around(box: Box) -> Box:
    """Return the square around a box, with its middle."""
    side, (x, y) = max(box.w, box.h), box.middle()
    return Box(x - side / 2, y - side / 2, side, side)


def _locate_stones(lies: list[truth.DishStone], upon: npt.NDArray[np.bool_], box: Box) -> npt.NDArray[np.float32]:
    """Return the visible stones in the kept square, as in `Samples.stones`."""
    stones = NONE.copy()
    scale, middle = SIDE / (ROOM * max(box.w, box.h)), np.array(box.middle())
    for k, (one, over) in enumerate(zip(lies, upon, strict=True)):
        at = np.nan_to_num((np.array(one.middle) - middle) * scale + SQUARE_SIDE / 2)
        stones[k] = (*at, float(one.colour is Colour.WHITE), one.visible_share, float(over))
    return stones
