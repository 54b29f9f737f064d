"""A compositor of stone sprites over a background; it redraws only the parts where stones changed between pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.render.stones import PlacedStone, Sprite
from vision.render.view import Pixels

MANY = 40
"""Number of changed stones above which the whole picture is redrawn at once."""

Rect = tuple[int, int, int, int]
"""A rectangle in pixels: left, top, right, bottom."""


@dataclass(frozen=True)
class Item:
    """A stone to draw, with its layer and its sprite."""

    stone: PlacedStone
    layer: int
    sprite: Sprite


class Canvas:
    """A background with stones on it."""

    def __init__(self, background: Pixels) -> None:
        self._background = background
        self.pixels = background.copy()
        self._shown: frozenset[PlacedStone] = frozenset()
        self._items: list[Item] = []

    def show_items(self, items: Sequence[Item]) -> Pixels:
        """Return the background with exactly these stones, drawn in the order given, layer by layer.

        The array is the canvas's own: do not write to it.
        """
        stones = frozenset(item.stone for item in items)
        before = {item.stone: item for item in self._items}
        after = {item.stone: item for item in items}
        changed_items = [before[s] for s in self._shown - stones] + [after[s] for s in stones - self._shown]
        self._items, self._shown = list(items), stones
        everything = (0, 0, self.pixels.shape[1], self.pixels.shape[0])
        for rect in (
            [everything]
            if len(changed_items) > MANY
            else [_clip_rect(_sprite_extent(item.sprite), everything) for item in changed_items]
        ):
            self._redraw_part(rect)
        return self.pixels

    def _redraw_part(self, rect: Rect) -> None:
        left, top, right, bottom = rect
        if right <= left or bottom <= top:
            return
        part = self.pixels[top:bottom, left:right]
        part[:] = self._background[top:bottom, left:right]
        nearby_items = [item for item in self._items if _is_overlapping(_sprite_extent(item.sprite), rect)]
        for layer in sorted({item.layer for item in nearby_items}):
            sprites = [item.sprite for item in nearby_items if item.layer == layer]
            _lay_shadows(part, sprites, rect)
            for sprite in sprites:
                _lay_body(part, sprite, rect)


def lay_sprite(pixels: Pixels, sprite: Sprite) -> Pixels:
    """Return a copy of the picture with one more stone, without its shadow."""
    copy = pixels.copy()
    _lay_body(copy, sprite, (0, 0, copy.shape[1], copy.shape[0]))
    return copy


def _lay_shadows(part: Pixels, sprites: list[Sprite], rect: Rect) -> None:
    """Darken by the deepest of the shadows at each pixel: two stones' shadows do not add up."""
    light_left = np.full(part.shape[:2], 255, np.uint8)
    for sprite in sprites:
        into, sprite_part = _find_overlap(sprite.shade_at, sprite.shadow.shape, rect)
        if into is not None:
            light_left[into] = cv2.min(light_left[into], sprite.shadow[sprite_part])
    part[:] = cv2.multiply(part, cv2.merge([light_left, light_left, light_left]), scale=1 / 255)


def _lay_body(part: Pixels, sprite: Sprite, rect: Rect) -> None:
    into, sprite_part = _find_overlap(sprite.at, sprite.body.shape, rect)
    if into is not None:
        part[into] = cv2.add(
            cv2.multiply(part[into], sprite.keep[sprite_part], scale=1 / 255), sprite.body[sprite_part]
        )


def _find_overlap(
    at: tuple[int, int], shape: tuple[int, ...], rect: Rect
) -> tuple[tuple[slice, slice] | None, tuple[slice, slice]]:
    """Return the overlap of a sprite with a rectangle, as slices of the rectangle and of the sprite.

    The first is None if they do not meet. at: the sprite's top left corner.
    """
    left, top = max(at[0], rect[0]), max(at[1], rect[1])
    right, bottom = min(at[0] + shape[1], rect[2]), min(at[1] + shape[0], rect[3])
    if right <= left or bottom <= top:
        return None, (slice(0), slice(0))
    into = slice(top - rect[1], bottom - rect[1]), slice(left - rect[0], right - rect[0])
    return into, (slice(top - at[1], bottom - at[1]), slice(left - at[0], right - at[0]))


def _sprite_extent(sprite: Sprite) -> Rect:
    (x, y), (h, w) = sprite.at, sprite.body.shape[:2]
    (u, v), (k, j) = sprite.shade_at, sprite.shadow.shape
    return min(x, u), min(y, v), max(x + w, u + j), max(y + h, v + k)


def _clip_rect(rect: Rect, whole: Rect) -> Rect:
    return max(rect[0], whole[0]), max(rect[1], whole[1]), min(rect[2], whole[2]), min(rect[3], whole[3])


def _is_overlapping(one: Rect, two: Rect) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
