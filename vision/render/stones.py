"""Stones as sprites: a ray-traced ellipsoid, lit by the look's lamps, and the shadow it casts beneath it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import cv2
import numpy as np

from referee import COLOURS, Colour
from vision.render.scene import Appearance, Stuff
from vision.render.view import Array, Pixels, View

SINK = np.float32(255.0)
"""Level of a pixel at full light in an encoded picture."""


@dataclass(frozen=True)
class PlacedStone:
    """A stone in the world.

    x, y: its middle, in cells from the board's middle.
    z: height of the surface it lies on, in cells.
    colour: its colour.
    seed: seed of its tone and stripes.
    """

    x: float
    y: float
    z: float
    colour: Colour
    seed: int


@dataclass(frozen=True)
class Sprite:
    """A stone's pixels, body and shadow.

    at: top left corner of the body.
    body: the stone's light, (h, w, 3), already multiplied by its cover.
    keep: the share of the picture below that stays, (h, w, 3), 255 for all.
    shade_at: top left corner of the shadow.
    shadow: the light left around the stone, (h, w), of 255.
    """

    at: tuple[int, int]
    body: Pixels
    keep: Pixels
    shade_at: tuple[int, int]
    shadow: Pixels


def encode_light(light: Array) -> Array:
    """Convert linear light to the picture's 0 to 255 (gamma 2, a cheap approximation of 2.2)."""
    return np.asarray(np.sqrt(np.clip(light, 0, 1)) * SINK, np.float32)


def render_stones(view: View, stones: Sequence[PlacedStone], light: Array) -> list[Sprite]:
    """Return the sprites of these stones; light: (n, 3), the lamps' light on each, exposure and tint included."""
    sprites: list[Sprite] = []
    for first in range(0, len(stones), 12):
        chunk = stones[first : first + 12]
        bodies = _render_bodies(view, chunk, light[first : first + 12])
        shadows = _render_shadows(view, chunk)
        sprites += [Sprite(*body, *shadow) for body, shadow in zip(bodies, shadows, strict=True)]
    return sprites


def _render_bodies(
    view: View, stones: Sequence[PlacedStone], light: Array
) -> list[tuple[tuple[int, int], Pixels, Pixels]]:
    look = view.look
    centres = np.array([[s.x, s.y, s.z + look.flatness / 2] for s in stones])
    wide = np.array([view.scale_at(centre) for centre in centres], np.float32) * np.float32(look.radius)
    half = ceil(float(np.max(wide)) * 1.12) + 2
    corners = np.floor(view.project_points(centres)).astype(int) - half
    steps = np.arange(2 * half + 1, dtype=np.float32)
    x = corners[:, 0, None, None].astype(np.float32) + steps[None, None, :] + 0 * steps[None, :, None]
    y = corners[:, 1, None, None].astype(np.float32) + steps[None, :, None] + 0 * steps[None, None, :]
    cover, normal = _trace_stones(view, centres, view.cast_rays(x, y), wide)
    light_map = _shade_stones(view, stones, centres, normal, light)
    keep = np.repeat(((1 - cover) * SINK + 0.5).astype(np.uint8)[..., None], 3, axis=-1)
    body = (encode_light(light_map) * cover[..., None] + 0.5).astype(np.uint8)
    return [((int(cx), int(cy)), body[i], keep[i]) for i, (cx, cy) in enumerate(corners)]


def _trace_stones(
    view: View, centres: np.ndarray, rays: tuple[Array, Array, Array], radius_px: Array
) -> tuple[Array, tuple[Array, Array, Array]]:
    """Return the share of each pixel that the stone covers and the outward normal there (unit length, three parts)."""
    look = view.look
    unit = np.array([look.radius, look.radius, look.flatness / 2])
    eye = ((view.eye - centres) / unit).astype(np.float32)[:, :, None, None]
    v = [ray / np.float32(length) for ray, length in zip(rays, unit, strict=True)]
    a = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    b = eye[:, 0] * v[0] + eye[:, 1] * v[1] + eye[:, 2] * v[2]
    c = (eye * eye).sum(axis=1)
    closest = np.sqrt(np.maximum(c - b * b / a, 0))
    cover = np.clip((1 - closest) * radius_px[:, None, None] + np.float32(0.5), 0, 1)
    far = (-b - np.sqrt(np.maximum(b * b - a * (c - 1), 0))) / a
    n = [(eye[:, i] + far * v[i]) / np.float32(unit[i]) for i in range(3)]
    length = 1 / np.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + np.float32(1e-9))
    return cover, (n[0] * length, n[1] * length, n[2] * length)


def _shade_stones(
    view: View, stones: Sequence[PlacedStone], centres: np.ndarray, normal: tuple[Array, Array, Array], light: Array
) -> Array:
    """Return the light that each pixel of the stones reflects, (n, h, w, 3), linear."""
    look = view.look
    stuffs = [_stone_material(look, stone) for stone in stones]
    towards = view.eye - centres
    towards = (towards / np.linalg.norm(towards, axis=1, keepdims=True)).astype(np.float32)
    diffuse = np.float32(look.ambient) * (np.float32(0.6) + np.float32(0.4) * normal[2])
    mirror = _rim_reflection(normal, towards, stuffs) * np.float32(look.ambient)
    for lamp in look.lamps:
        to = np.array(lamp.to, np.float32)
        diffuse += np.float32(lamp.power) * _lambert_light(normal, to, lamp.softness)
        mirror += np.float32(lamp.power) * _lamp_highlight(normal, towards, to, stuffs, lamp.softness)
    diffuse *= _draw_stripes(view, stones, stuffs, normal)
    albedo = np.array([stuff.colour for stuff in stuffs], np.float32)[:, None, None, :]
    bounce = np.array(look.wood.colour, np.float32) * np.float32(0.25 * look.ambient)
    glow = np.clip(np.float32(0.9) - normal[2], 0, 1)[..., None] * bounce * (albedo + np.float32(0.01))
    return np.asarray((diffuse[..., None] * albedo + mirror[..., None] + glow) * light[:, None, None, :])


def _lambert_light(normal: tuple[Array, Array, Array], to: Array, softness: float) -> Array:
    wrap = np.float32(0.1 + 0.4 * softness)
    facing = normal[0] * to[0] + normal[1] * to[1] + normal[2] * to[2]
    return np.asarray(np.maximum((facing + wrap) / (1 + wrap), 0))


def _lamp_highlight(
    normal: tuple[Array, Array, Array], towards: Array, to: Array, stuffs: list[Stuff], softness: float
) -> Array:
    half = towards + to
    half = (half / np.linalg.norm(half, axis=1, keepdims=True))[:, :, None, None]
    facing = np.maximum(normal[0] * half[:, 0] + normal[1] * half[:, 1] + normal[2] * half[:, 2], 0)
    shine = np.array([stuff.shine / (0.6 + 1.5 * softness) for stuff in stuffs], np.float32)[:, None, None]
    gloss = np.array([stuff.gloss for stuff in stuffs], np.float32)[:, None, None]
    return np.asarray(gloss * facing**shine)


def _rim_reflection(normal: tuple[Array, Array, Array], towards: Array, stuffs: list[Stuff]) -> Array:
    """Return the room's reflection at grazing angles, which keeps a black stone's edge from being black."""
    t = towards[:, :, None, None]
    grazing = 1 - np.clip(normal[0] * t[:, 0] + normal[1] * t[:, 1] + normal[2] * t[:, 2], 0, 1)
    gloss = np.array([stuff.gloss for stuff in stuffs], np.float32)[:, None, None]
    square = grazing * grazing
    sky = np.clip(normal[2] + np.float32(0.3), 0, 1)
    return np.asarray(gloss * (np.float32(0.015) + np.float32(0.35) * square * square) * sky)


def _draw_stripes(
    view: View, stones: Sequence[PlacedStone], stuffs: list[Stuff], normal: tuple[Array, Array, Array]
) -> Array:
    """Return the growth lines of shell: fine bright and dark bands at each stone's own angle."""
    strength = np.array([stuff.stripes for stuff in stuffs], np.float32)[:, None, None]
    if not strength.any():
        return np.ones_like(normal[0])
    turn = np.array([stone.seed % 628 / 100 for stone in stones], np.float32)[:, None, None]
    across = normal[0] * np.cos(turn) + normal[1] * np.sin(turn)
    bands = np.sin(across * np.float32(26) + 3 * np.sin(across * np.float32(5) + turn))
    return np.asarray(1 + strength * bands)


def _stone_material(look: Appearance, stone: PlacedStone) -> Stuff:
    """Return the stone's material; the stones of a set differ a little in tone."""
    stuff = look.stones[COLOURS.index(stone.colour)]
    tone = 1 + 0.05 * (stone.seed % 1001 / 500 - 1)
    b, g, r = stuff.colour
    return Stuff((b * tone, g * tone, r * tone), stuff.gloss, stuff.shine, stuff.stripes)


def _render_shadows(view: View, stones: Sequence[PlacedStone]) -> list[tuple[tuple[int, int], Pixels]]:
    """Return the light left on the plane each stone lies on: contact shadow and one cast shadow per lamp."""
    look = view.look
    feet = np.array([[stone.x, stone.y, stone.z] for stone in stones])
    corners, width, height = _shadow_boxes(view, feet)
    step = 2 if width > 24 else 1
    first = corners.astype(np.float32) + np.float32((step - 1) / 2)
    across, down = np.arange(0, width, step, dtype=np.float32), np.arange(0, height, step, dtype=np.float32)
    x = np.repeat(first[:, 0, None, None] + across[None, None, :], len(down), axis=1)
    y = np.repeat(first[:, 1, None, None] + down[None, :, None], len(across), axis=2)
    foot = feet.astype(np.float32)[:, :, None, None] / np.float32(look.radius)
    unit = np.float32(1 / look.radius)
    x, y = view.intersect_plane(x, y, feet.astype(np.float32)[:, 2, None, None])
    light_left = encode_light(_remaining_light(look, x * unit - foot[:, 0], y * unit - foot[:, 1])).astype(np.uint8)
    return [((int(u), int(v)), _enlarge_pixels(light_left[i], width, height)) for i, (u, v) in enumerate(corners)]


def _remaining_light(look: Appearance, x: Array, y: Array) -> Array:
    """Return the light left at offsets from a stone's foot, in its radii."""
    flat = x * x + y * y
    light_left = 1 - np.float32(0.6 * look.ambient) * _soft_step(np.sqrt(flat), 0.7, 1.32)
    total = look.ambient + sum(lamp.power * lamp.to[2] for lamp in look.lamps)
    for lamp in look.lamps:
        to = np.array(lamp.to, np.float32) / np.array([look.radius, look.radius, look.flatness / 2], np.float32)
        to /= np.linalg.norm(to)
        along = x * to[0] + y * to[1] - to[2]
        closest = np.sqrt(np.maximum(flat + 1 - along * along, 0))
        share = np.float32(0.95 * lamp.power * lamp.to[2] / total)
        light_left -= share * _soft_step(closest, 1 - 0.7 * lamp.softness, 1 + 0.7 * lamp.softness + 0.04)
    return np.asarray(np.maximum(light_left, np.float32(0.05)))


def _enlarge_pixels(small: Pixels, width: int, height: int) -> Pixels:
    if small.shape == (height, width):
        return small
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _shadow_boxes(view: View, feet: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Return the top left pixel of each stone's shadow, and a width and height that suffice for all."""
    look = view.look
    outline = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float64) * look.radius * 1.4
    casts = [outline]
    for lamp in look.lamps:
        slide = np.array([-lamp.to[0], -lamp.to[1], 0.0]) * look.flatness / max(lamp.to[2], 0.2)
        casts.append(outline * (1 + 0.7 * lamp.softness) + slide * 0.6)
    pixels = view.project_points(feet[:, None] + np.concatenate(casts))
    low, high = np.floor(pixels.min(axis=1)).astype(int), np.ceil(pixels.max(axis=1)).astype(int)
    width, height = ((high - low).max(axis=0) + 2) // 2 * 2
    return low, int(width), int(height)


def _soft_step(value: Array, inner: float, outer: float) -> Array:
    """Return 1 up to `inner`, 0 from `outer` on, smooth between."""
    part = np.clip((np.float32(outer) - value) * np.float32(1 / (outer - inner)), 0, 1)
    return np.asarray(part * part * (3 - 2 * part))
