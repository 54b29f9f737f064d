"""The empty table before any stone is drawn: floor, table and board with its lines, under the lamps' light."""

from __future__ import annotations

import cv2
import numpy as np

from vision.render.cards import lay_cards
from vision.render.scene import LID_STONE, Appearance, Rgb
from vision.render.stones import encode_light
from vision.render.texture import grain_tile, look_up, paint_pattern
from vision.render.view import Array, Pixels, View, pixel_mesh

HOSHI: dict[int, tuple[tuple[int, ...], ...]] = {
    19: ((3, 9, 15),),
    17: ((3, 8, 13),),
    15: ((3, 11), (7,)),
    13: ((3, 9), (6,)),
    11: ((2, 8), (5,)),
    9: ((2, 6), (4,)),
}
"""Hoshi by board size: within each tuple, every line crosses every other in a hoshi."""


def light_field(view: View) -> Array:
    """Return the light on each pixel (h, w), 1 without vignetting or shade: lamp falloff, gloom, dark corners."""
    look = view.look
    rng = np.random.default_rng([look.seed, 1])
    x, y = _coarse_mesh(look)
    distance = np.hypot((x - look.width / 2) / (look.width / 2), (y - look.height / 2) / (look.height / 2))
    slope = rng.normal(0, 0.12, 2) if look.gloom or look.glare else rng.normal(0, 0.05, 2)
    field = 1 + slope[0] * (x / look.width * 2 - 1) + slope[1] * (y / look.height * 2 - 1)
    field = field * (1 - look.finish.vignette * 0.4 * distance**2)
    for left, top, radius, strength in look.gloom:
        field *= 1 - strength * 0.7 * _draw_blob(x, y, look, (left, top, radius), rng)
    return _enlarge_field(np.maximum(field, 0.08), look)


def glare_field(view: View) -> Array:
    """Return the light that lacquer mirrors at each pixel, (h, w), added to the surface's own."""
    look = view.look
    rng = np.random.default_rng([look.seed, 2])
    x, y = _coarse_mesh(look)
    field = np.zeros_like(x)
    for left, top, radius, strength in look.glare:
        field += strength * 0.7 * _draw_blob(x, y, look, (left, top, radius * 0.5), rng)
    return _enlarge_field(field, look)


def lamp_light(look: Appearance) -> Array:
    """Return the light of all lamps on a level surface times exposure and tint, (3,)."""
    level = look.ambient + sum(lamp.power * lamp.to[2] for lamp in look.lamps)
    return np.asarray(level * exposure_factor(look), np.float32)


def exposure_factor(look: Appearance) -> Array:
    """Return the factor of exposure and lamp colour on a reflectance, (3,); light on a level surface counts as 1."""
    level = look.ambient + sum(lamp.power * lamp.to[2] for lamp in look.lamps)
    return np.asarray(np.array(look.finish.tint) * look.finish.exposure / level, np.float32)


def draw_background(view: View, field: Array, glare: Array) -> Pixels:
    """Return the picture of the table with the empty board, (h, w, 3)."""
    look = view.look
    picture = _draw_surroundings(view)
    light = lamp_light(look)
    box = _board_box(view)
    shine = np.zeros_like(field)
    if box[2] - box[0] > 1 and box[3] - box[1] > 1:
        _lay_board(view, picture, glare, shine, box)
    picture *= field[..., None] * light
    picture += shine[..., None] * np.array(look.finish.tint, np.float32)
    return np.asarray(encode_light(picture) + 0.5, np.uint8)


def _lay_board(view: View, picture: Array, glare: Array, shine: Array, box: tuple[int, int, int, int]) -> None:
    """Paint the board's top face into the picture's reflectance, and its reflections into `shine`."""
    left, top, right, bottom = box
    x, y = view.intersect_plane(*pixel_mesh(left, top, right - left, bottom - top), 0.0)
    cover = board_cover(view, x, y)
    part = picture[top:bottom, left:right]
    part += (board_surface(view, x, y) - part) * cover[..., None]
    mirror_share = np.float32(0.3 + 0.7 * view.look.wood.gloss)
    shine[top:bottom, left:right] = glare[top:bottom, left:right] * mirror_share * cover


def board_surface(view: View, x: Array, y: Array) -> Array:
    """Return the board's reflectance, wood and lines, at cells from its middle, (h, w, 3)."""
    look = view.look
    wood = np.array(look.wood.colour, np.float32)
    ink = line_cover(view, x, y)[..., None]
    grain = _draw_grain(look, x, y)[..., None]
    surface = wood * np.maximum(1 + grain * np.array([1.25, 1.0, 0.75], np.float32), np.float32(0.15))
    return np.asarray(surface + (np.array(look.wood.ink, np.float32) - surface) * ink, np.float32)


def line_cover(view: View, x: Array, y: Array) -> Array:
    """Return the share of ink in each pixel: the lines with their ends, and the hoshi."""
    look, half = view.look, view.board_half()
    u, v = x + np.float32(half[0]), (y + np.float32(half[1])) / np.float32(look.aspect)
    foot_u, foot_v = _measure_footprint(x), _measure_footprint(y) / np.float32(look.aspect)
    across, down = _line_share(u, foot_u, look), _line_share(v, foot_v, look)
    last, edge = look.size - 1, look.wood.line / 2
    within_u = _soft_step(u + edge, foot_u) * _soft_step(last + edge - u, foot_u)
    within_v = _soft_step(v + edge, foot_v) * _soft_step(last + edge - v, foot_v)
    return np.asarray(np.maximum(_hoshi_share(look, u, v, foot_u), np.maximum(across * within_v, down * within_u)))


def board_cover(view: View, x: Array, y: Array) -> Array:
    """Return the share of each pixel that the board's top face covers."""
    half = view.board_half() + view.look.wood.margin
    foot_x, foot_y = _measure_footprint(x), _measure_footprint(y)
    return np.asarray(
        _soft_step(x + np.float32(half[0]), foot_x)
        * _soft_step(np.float32(half[0]) - x, foot_x)
        * _soft_step(y + np.float32(half[1]), foot_y)
        * _soft_step(np.float32(half[1]) - y, foot_y)
    )


def _line_share(u: Array, foot: Array, look: Appearance) -> Array:
    distance = np.abs(u - np.clip(np.rint(u), 0, look.size - 1))
    cover = np.clip((np.float32(look.wood.line / 2) - distance) / foot + np.float32(0.5), 0, 1)
    return np.asarray(cover * np.minimum(np.float32(look.wood.line) / foot, 1))


def _hoshi_share(look: Appearance, u: Array, v: Array, foot: Array) -> Array:
    cover = np.zeros_like(u)
    for lines in HOSHI.get(look.size, ()):
        distance = np.hypot(_distance_to_lines(u, lines), _distance_to_lines(v, lines) * np.float32(look.aspect))
        np.maximum(cover, np.clip((np.float32(look.wood.hoshi) - distance) / foot + np.float32(0.5), 0, 1), out=cover)
    return cover


def _distance_to_lines(u: Array, lines: tuple[int, ...]) -> Array:
    """Return the distance of each coordinate from the nearest of these lines."""
    distance: Array = np.asarray(np.abs(u - np.float32(lines[0])))
    for line in lines[1:]:
        np.minimum(distance, np.abs(u - np.float32(line)), out=distance)
    return distance


def _draw_grain(look: Appearance, x: Array, y: Array) -> Array:
    rng = np.random.default_rng([look.seed, 3])
    tile = grain_tile(rng)
    across, along = (x, y) if look.wood.along else (y, x)
    drift = np.float32(rng.uniform(-0.05, 0.05))
    return look_up(tile, across + drift * along, along * np.float32(0.12), look.wood.spacing * 24) * np.float32(
        look.wood.grain
    )


def _measure_footprint(u: Array) -> Array:
    """Return the length of surface coordinate that one pixel spans."""
    down, across = np.gradient(u[::8, ::8]) if min(u.shape) >= 24 else np.gradient(u)
    scale = 8 if min(u.shape) >= 24 else 1
    size = np.abs(down) + np.abs(across)
    small = np.asarray(size / scale, np.float32)
    full = cv2.resize(small, (u.shape[1], u.shape[0]), interpolation=cv2.INTER_LINEAR) if scale > 1 else small
    return np.asarray(np.maximum(full, 1e-4), np.float32)


def _soft_step(inside: Array, foot: Array) -> Array:
    return np.asarray(np.clip(inside / foot + np.float32(0.5), 0, 1))


def _draw_surroundings(view: View) -> Array:
    """Draw floor, table and the board's sides and shadow, (h, w, 3) reflectance, computed at half size."""
    look = view.look
    small = _table_and_floor(view)
    shade = _board_shadow(view)
    small *= cv2.resize(shade, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA)[..., None]
    full = np.asarray(cv2.resize(small, (look.width, look.height), interpolation=cv2.INTER_LINEAR), np.float32)
    if look.cards:
        lay_cards(view, full, _enlarge_field(shade, look))
    _paint_sides(view, full)
    return full


def _table_and_floor(view: View) -> Array:
    look = view.look
    rng = np.random.default_rng([look.seed, 4])
    x, y = view.intersect_plane(*pixel_mesh(0, 0, look.width, look.height, 2), -look.wood.thickness)
    surface = paint_pattern(look.table, x, y, rng)
    half = view.board_half() + look.wood.margin
    room = rng.uniform(1.5, 14, 4) + np.array([half[0], half[1], half[0], half[1]])
    if look.lids_shown:
        room = np.maximum(room, _lid_room(view))
    is_floor = (x < -room[0]) | (x > room[2]) | (y < -room[1]) | (y > room[3])
    if is_floor.any():
        surface[is_floor] = paint_pattern(look.floor, x * np.float32(0.5), y * np.float32(0.5), rng)[
            is_floor
        ] * np.float32(rng.uniform(0.3, 1.0))
    for _ in range(look.clutter):
        _strew_object(surface, x, y, half, rng)
    return surface


def _strew_object(surface: Array, x: Array, y: Array, half: np.ndarray, rng: np.random.Generator) -> None:
    """Paint a flat object beside the board: a sheet, a telephone, a coaster."""
    turn, distance = rng.uniform(0, 2 * np.pi), rng.uniform(1.15, 1.9)
    dx = x - np.float32(np.cos(turn) * half.max() * 1.3 * distance)
    dy = y - np.float32(np.sin(turn) * half.max() * 1.3 * distance)
    wide, long = rng.uniform(1.0, 4.0), rng.uniform(1.5, 5.0)
    lean = rng.uniform(0, np.pi)
    u, v = (
        dx * np.float32(np.cos(lean)) + dy * np.float32(np.sin(lean)),
        dy * np.float32(np.cos(lean)) - dx * np.float32(np.sin(lean)),
    )
    inside = (u * u + v * v < wide * wide) if rng.random() < 0.3 else (np.abs(u) < wide) & (np.abs(v) < long)
    surface[inside] = rng.uniform(0.01, 0.8) * np.exp(rng.normal(0, 0.2, 3))


def _lid_room(view: View) -> np.ndarray:
    half = view.board_half() + view.look.wood.margin
    wide = 2.6 * view.look.radius / LID_STONE
    left = wide if view.look.lid_side in ("left", "both") else 1.0
    right = wide if view.look.lid_side in ("right", "both") else 1.0
    return np.array([half[0] + left, half[1] + 0.5, half[0] + right, half[1] + 0.5])


def _board_shadow(view: View) -> Array:
    """Return the share of light that the board's own shadow leaves on the table, at a quarter of the picture's size."""
    look = view.look
    size = (look.width // 4, look.height // 4)
    total = look.ambient + sum(lamp.power * lamp.to[2] for lamp in look.lamps)
    half = view.board_half() + look.wood.margin
    foot = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    light_left = np.ones((size[1], size[0]), np.float32)
    for lamp in look.lamps:
        slide = -np.array(lamp.to[:2]) / max(lamp.to[2], 0.3) * look.wood.thickness
        mask = _hull_mask(view, np.concatenate([foot, foot + slide]), -look.wood.thickness, size)
        wide = max(look.wood.thickness * lamp.softness * 0.5, 0.1) * view.scale_at((0, 0, 0)) / 4
        share = 0.9 * lamp.power * lamp.to[2] / total
        light_left -= np.float32(share) * np.asarray(cv2.GaussianBlur(mask, (0, 0), max(wide, 0.6)), np.float32)
    contact = _hull_mask(view, foot * (1 + 0.2 / half), -look.wood.thickness, size)
    spread = max(0.35 * view.scale_at((0, 0, 0)) / 4, 0.6)
    light_left *= 1 - np.float32(0.45) * np.asarray(cv2.GaussianBlur(contact, (0, 0), spread), np.float32)
    return light_left


def _hull_mask(view: View, points: np.ndarray, z: float, size: tuple[int, int]) -> Array:
    """Return a mask (1 inside) of the hull of level points at height z, at a quarter of the picture's size."""
    pixels = view.project_points(np.concatenate([points, np.full((len(points), 1), z)], axis=1)) / 4
    hull = cv2.convexHull(pixels.astype(np.float32))
    mask = np.zeros((size[1], size[0]), np.float32)
    cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
    return mask


def _paint_sides(view: View, picture: Array) -> None:
    """Paint the board's four sides, those turned away first; the top face is laid over them afterwards."""
    look = view.look
    half = view.board_half() + look.wood.margin
    ring = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    order = sorted(range(4), key=lambda i: -float(np.linalg.norm((ring[i] + ring[(i + 1) % 4]) / 2 - view.eye[:2])))
    for i in order:
        steps = np.linspace(0, 1, 12)[:, None]
        edge = ring[i] + steps * (ring[(i + 1) % 4] - ring[i])
        top = np.concatenate([edge, np.zeros((12, 1))], axis=1)
        low = np.concatenate([edge, np.full((12, 1), -look.wood.thickness)], axis=1)[::-1]
        outline = np.rint(view.project_points(np.concatenate([top, low])) * 16).astype(np.int32)
        cv2.fillPoly(picture, [outline], _side_colour(look, i), cv2.LINE_AA, 4)


def _side_colour(look: Appearance, side: int) -> Rgb:
    outward = ((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0))[side]
    total = look.ambient + sum(lamp.power * lamp.to[2] for lamp in look.lamps)
    light = 0.55 * look.ambient + sum(lamp.power * max(float(np.dot(outward, lamp.to)), 0.0) for lamp in look.lamps)
    b, g, r = look.wood.colour
    return 0.85 * b * light / total, 0.85 * g * light / total, 0.85 * r * light / total


def _board_box(view: View) -> tuple[int, int, int, int]:
    half = view.board_half() + view.look.wood.margin
    steps = np.linspace(-1, 1, 9)
    rim = np.concatenate([np.stack([steps, 0 * steps + s], axis=1) for s in (-1, 1)])
    rim = np.concatenate([rim, rim[:, ::-1]]) * half
    pixels = view.project_points(np.concatenate([rim, np.zeros((len(rim), 1))], axis=1))
    low, high = np.floor(pixels.min(axis=0)) - 2, np.ceil(pixels.max(axis=0)) + 3
    left, top = max(int(low[0]), 0), max(int(low[1]), 0)
    return left, top, min(int(high[0]), view.width), min(int(high[1]), view.height)


def _coarse_mesh(look: Appearance) -> tuple[Array, Array]:
    return pixel_mesh(0, 0, look.width, look.height, 8)


def _enlarge_field(field: Array, look: Appearance) -> Array:
    return np.asarray(cv2.resize(field.astype(np.float32), (look.width, look.height)), np.float32)


def _draw_blob(
    x: Array, y: Array, look: Appearance, spot: tuple[float, float, float], rng: np.random.Generator
) -> Array:
    """Return a patch with a hard or soft edge, stretched and turned: 1 inside, 0 outside.

    spot: its middle, in parts of the picture's width and height, and its radius, in parts of the width.
    """
    turn, stretch, hard = rng.uniform(0, np.pi), rng.uniform(1, 3.5), rng.uniform(1, 6)
    dx, dy = x - np.float32(spot[0] * look.width), y - np.float32(spot[1] * look.height)
    u, v = dx * np.cos(turn) + dy * np.sin(turn), (dy * np.cos(turn) - dx * np.sin(turn)) * stretch
    return np.asarray(
        1 / (1 + np.exp(np.clip(hard * 4 * (np.hypot(u, v) / (spot[2] * look.width) - 1), -30, 30))), np.float32
    )
