"""Lids and bowls: dishes on the table, painted ring by ring from the planes in which their edges lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.board.marker_layout import LID_CARD
from vision.calibration.field_layout import CARD
from vision.calibration.model import Box
from vision.render.cards import CELL
from vision.render.ground import exposure_factor
from vision.render.scene import FIELD_RADIUS, LID_STONE, Appearance, Card, LidKind, Rgb
from vision.render.stones import encode_light
from vision.render.texture import paint_pattern
from vision.render.view import Array, Pixels, View, pixel_mesh

FIELD_GAP = 6.0
"""The distance in mm between two prisoner fields, and from the board."""
LID_WALL = (0.78, 0.9, 0.97, 1.0)
BOWL_WALL = (0.6, 0.9, 1.0, 0.98, 0.88, 0.76)
"""The `wall` of a lid and of a bowl (see `Dish`)."""


@dataclass(frozen=True)
class Dish:
    """A round or rounded dish that stands on the table.

    x, y: its middle, in cells from the board's middle.
    radius: outer radius, in cells.
    height: height of the rim above the table, in cells.
    floor: height of the floor above the table, in cells.
    wall: radii (in outer radii) from the table up to the rim, evenly spaced.
    opening: inner radius at the rim, in outer radii.
    floor_radius: inner radius at the floor, in outer radii.
    colour: reflectance.
    kind: its build and contents.
    """

    x: float
    y: float
    radius: float
    height: float
    floor: float
    wall: tuple[float, ...]
    opening: float
    floor_radius: float
    colour: Rgb
    kind: LidKind


def lid_dishes(look: Appearance, half: np.ndarray) -> tuple[Dish, Dish]:
    """Return both lids at the positions the look gives them; half: the board's half sides with its margin, in cells."""
    if look.fields:
        return _field_places(look, half)
    rng = np.random.default_rng([look.seed, 5])
    kind = look.lid_kind
    radius = look.radius / LID_STONE * kind.wide
    reach = radius * float(np.sqrt(kind.stretch))
    offset_x = float(half[0]) + reach * rng.uniform(1.08, 1.3) + 0.15 * look.wood.thickness + look.lids_apart
    offset_y = reach * rng.uniform(1.04, 1.4)
    spots = {
        "left": ((-offset_x, -offset_y), (-offset_x, offset_y)),
        "right": ((offset_x, -offset_y), (offset_x, offset_y)),
        "both": ((-offset_x, -offset_y * rng.uniform(-1, 1)), (offset_x, offset_y * rng.uniform(-1, 1))),
    }[look.lid_side]
    height, floor = rng.uniform(0.5, 1.0) * kind.high, rng.uniform(0.1, 0.3)
    floor = floor if kind.filled is None else height * kind.filled
    shift_x, shift_y = look.lids_moved
    one, two = (
        Dish(x + shift_x, y + shift_y, radius, height, floor, LID_WALL, kind.opening, kind.floor, colour, kind)
        for (x, y), colour in zip(spots, look.lid_colours, strict=True)
    )
    return one, two


def _field_places(look: Appearance, half: np.ndarray) -> tuple[Dish, Dish]:
    """Return both prisoner fields as dishes without height, one above the other beside the board."""
    radius = FIELD_RADIUS / CELL
    offset_x = float(half[0]) + radius + FIELD_GAP / CELL + 0.15 * look.wood.thickness + look.lids_apart
    offset_y = (LID_CARD[1] + FIELD_GAP) / 2 / CELL
    x = {"left": (-offset_x, -offset_x), "right": (offset_x, offset_x), "both": (-offset_x, offset_x)}[look.lid_side]
    y = (0.0, 0.0) if look.lid_side == "both" else (-offset_y, offset_y)
    one, two = (
        Dish(u + look.lids_moved[0], v + look.lids_moved[1], radius, 0.0, 0.0, LID_WALL, 1.0, 1.0, colour, LidKind())
        for u, v, colour in zip(x, y, look.lid_colours, strict=True)
    )
    return one, two


def with_field_cards(look: Appearance) -> Appearance:
    """Return the look with the cards of its prisoner fields, if it has any."""
    if not look.fields:
        return look
    dishes = lid_dishes(look, View(look).board_half() + look.wood.margin)
    cards = tuple(Card(CARD.ids[side][0], dish.x, dish.y) for side, dish in enumerate(dishes))
    return replace(look, cards=(*look.cards, *cards))


def bowl_dishes(look: Appearance, half: np.ndarray, lids: tuple[Dish, Dish]) -> tuple[Dish, ...]:
    """Return two supply bowls behind the board, or none if the look shows none."""
    if not look.bowls_shown:
        return ()
    rng = np.random.default_rng([look.seed, 6])
    radius = lids[0].radius * rng.uniform(1.05, 1.25)
    y = -float(half[1]) - radius * rng.uniform(1.2, 1.5) - look.wood.thickness * 0.3
    spacing = radius * rng.uniform(1.1, 2.0)
    middle = rng.uniform(-0.6, 0.6) * float(half[0])
    return tuple(
        Dish(middle + s * spacing, y, radius, 2.8, 2.0, BOWL_WALL, 0.68, 0.66, colour, LidKind())
        for s, colour in zip((-1, 1), look.lid_colours, strict=True)
    )


def paint_dish(view: View, picture: Pixels, dish: Dish, field: Array, seed: int) -> None:
    """Paint a dish and its shadow on the table into the picture.

    view: the camera over the table.
    picture: the picture to paint into, (h, w, 3).
    dish: the lid or bowl.
    field: the light on each pixel, (h, w).
    seed: the look's seed, which picks the shine and the grain.
    """
    left, top, right, bottom = _find_window(view, dish)
    if right <= left or bottom <= top:
        return
    mesh_xy = pixel_mesh(left, top, right - left, bottom - top)
    part = picture[top:bottom, left:right]
    light = exposure_factor(view.look) * field[top:bottom, left:right, None]
    level = -view.look.wood.thickness
    shade = np.sqrt(_ground_shade(view, dish, *_measure_offsets(view, dish, mesh_xy, level)))
    body = np.float32(1 - dish.kind.clear)
    picture_part: Array = np.asarray(part * (1 - (1 - shade) * body)[..., None], np.float32)
    for high, radius in zip(np.linspace(0, dish.height, len(dish.wall)), dish.wall, strict=True):
        dx, dy, out = _measure_offsets(view, dish, mesh_xy, level + float(high))
        cover = _cover_inside(view, dish, radius, out)
        picture_part += (encode_light(_shade_wall(view, dish, dx, dy, out) * light) - picture_part) * (cover * body)[
            ..., None
        ]
    # The rim of a clear dish gathers light, so it is more visible than the rest.
    rim = _cover_inside(view, dish, dish.wall[-1], out)[..., None] * np.sqrt(body)
    through = picture_part.copy()
    picture_part += (encode_light(_rim_colour(view, dish, seed) * light) - picture_part) * rim
    inner = _cover_inside(view, dish, dish.opening, out)[..., None]
    floor = _measure_offsets(view, dish, mesh_xy, level + dish.floor)
    bed = encode_light(_shade_bed(view, dish, *floor, seed) * light)
    picture_part += (bed * body + through * (1 - body) - picture_part) * inner
    part[:] = np.clip(picture_part + 0.5, 0, 255).astype(np.uint8)


def bounding_box(view: View, dish: Dish) -> Box:
    """Return the upright rectangle around the dish's rim and foot in the picture."""
    return Box.enclose_points(view.project_points(_wall_rings(view, dish)))


def _wall_rings(view: View, dish: Dish) -> np.ndarray:
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    circle /= dish.kind.radial_distance(circle[:, 0], circle[:, 1])[:, None]
    level = -view.look.wood.thickness
    return np.concatenate(
        [
            np.array([dish.x, dish.y, level + high]) + circle * dish.radius * radius
            for high, radius in zip(np.linspace(0, dish.height, len(dish.wall)), dish.wall, strict=True)
        ]
    )


def _find_window(view: View, dish: Dish) -> tuple[int, int, int, int]:
    box = bounding_box(view, dish)
    room = 0.35 * max(box.w, box.h)
    left, top = max(int(box.x - room), 0), max(int(box.y - room), 0)
    return left, top, min(int(box.x + box.w + room), view.width), min(int(box.y + box.h + room), view.height)


def _measure_offsets(view: View, dish: Dish, pixels: tuple[Array, Array], z: float) -> tuple[Array, Array, Array]:
    """Return the offsets from the dish's axis at height z, in outer radii, and their length."""
    x, y = view.intersect_plane(*pixels, z)
    dx = (x - np.float32(dish.x)) / np.float32(dish.radius)
    dy = (y - np.float32(dish.y)) / np.float32(dish.radius)
    return dx, dy, dish.kind.radial_distance(dx, dy)


def _cover_inside(view: View, dish: Dish, radius: float, distance: Array) -> Array:
    sharp = np.float32(dish.radius * view.scale_at((dish.x, dish.y, 0.0)))
    return np.asarray(np.clip((np.float32(radius) - distance) * sharp + np.float32(0.5), 0, 1))


def _soft_step(value: Array, inner: float, outer: float) -> Array:
    part = np.clip((np.float32(outer) - value) / np.float32(outer - inner), 0, 1)
    return np.asarray(part * part * (3 - 2 * part))


def _total_light(look: Appearance) -> float:
    return float(look.ambient + sum(lamp.power * lamp.to[2] for lamp in look.lamps))


def _ground_shade(view: View, dish: Dish, dx: Array, dy: Array, distance: Array) -> Array:
    look = view.look
    light_left = 1 - np.float32(0.5) * _soft_step(distance, dish.wall[0] * 0.9, dish.wall[0] * 1.3)
    for lamp in look.lamps:
        slide = dish.height / dish.radius / max(lamp.to[2], 0.35) * 0.7
        shadow_distance = dish.kind.radial_distance(
            dx + np.float32(lamp.to[0] * slide), dy + np.float32(lamp.to[1] * slide)
        )
        share = 0.85 * lamp.power * lamp.to[2] / _total_light(look)
        light_left -= np.float32(share) * _soft_step(
            shadow_distance, 1 - 0.4 * lamp.softness, 1.03 + 0.3 * lamp.softness
        )
    return np.asarray(np.maximum(light_left, 0.1))


def _shade_wall(view: View, dish: Dish, dx: Array, dy: Array, distance: Array) -> Array:
    look = view.look
    light = np.full_like(distance, 0.5 * look.ambient)
    for lamp in look.lamps:
        facing = (dx * np.float32(lamp.to[0]) + dy * np.float32(lamp.to[1])) / np.maximum(distance, 1e-3)
        light += np.float32(lamp.power) * np.maximum(facing + np.float32(0.3 * lamp.to[2]), 0)
    return np.asarray(light[..., None] * np.array(dish.colour, np.float32) * np.float32(0.8))


def _rim_colour(view: View, dish: Dish, seed: int) -> Array:
    shine = 0.01 + 0.05 * (seed % 7) / 7
    return (np.array(dish.colour, np.float32) * 1.1 + np.float32(shine)) * np.float32(_total_light(view.look))


def _shade_bed(view: View, dish: Dish, dx: Array, dy: Array, distance: Array, seed: int) -> Array:
    """Shade the hollow inside: a nearly level floor that rises to the rim, the rim's shadow on it, a soft highlight."""
    look = view.look
    steep = np.float32(0.12) * distance + np.float32(2.5) * (
        1 - _soft_step(distance, dish.floor_radius * 0.93, dish.floor_radius * 1.06)
    )
    upright = 1 / np.sqrt(1 + steep * steep)
    light = np.float32(look.ambient) * (
        np.float32(0.45) + np.float32(0.4) * _soft_step(distance, 0.2, dish.opening * 1.1)
    )
    mirror = np.zeros_like(distance)
    deep = (dish.height - dish.floor) / dish.radius
    for lamp in look.lamps:
        inward = -(dx * np.float32(lamp.to[0]) + dy * np.float32(lamp.to[1])) / np.maximum(distance, 1e-3)
        facing = np.maximum((inward * steep + np.float32(lamp.to[2])) * upright, 0)
        slide = deep / max(lamp.to[2], 0.3)
        shadow_distance = dish.kind.radial_distance(
            dx + np.float32(lamp.to[0] * slide), dy + np.float32(lamp.to[1] * slide)
        )
        lit_share = _soft_step(
            shadow_distance,
            dish.opening * (1 - 0.25 * lamp.softness) - 0.02,
            dish.opening * (1 + 0.1 * lamp.softness) + 0.02,
        )
        light += np.float32(lamp.power) * facing * lit_share
        shine = 0.06 * (seed % 5) / 5 + dish.kind.sheen
        mirror += np.float32(lamp.power * shine) * facing**20 * lit_share
    grain = 1 + np.float32(0.02 * (seed % 5)) * np.sin(distance * np.float32(40 + seed % 30) + 3 * dx)
    return np.asarray((light * grain)[..., None] * _floor_colour(dish, dx, dy, seed) + mirror[..., None])


def _floor_colour(dish: Dish, dx: Array, dy: Array, seed: int) -> Array:
    if dish.kind.inside is None:
        return np.array(dish.colour, np.float32)
    size = np.float32(dish.radius)
    return paint_pattern(dish.kind.inside, dx * size, dy * size, np.random.default_rng([seed, 14]))
