"""The printed mat's cards on a drawn table: white paper with markers, lying on the table under board and lids."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import marker_layout
from vision.calibration.field_layout import LAYOUTS
from vision.calibration.model import UNIT_SQUARE
from vision.render.scene import Card
from vision.render.view import Array, Pixels, View, pixel_mesh

CELL = 22.0
"""Width of a board cell in millimetres."""
FINE = 6
"""Resolution at which a sheet is first drawn, in pixels per millimetre."""
SIZE = (148.5, 105.0)
"""Size of a corner card in millimetres: a quarter of A4. The rest of a larger card lies under the board."""
PAPER, INK = 0.8, 0.02
"""Reflectances of paper and ink. Chosen by hand."""
WAVES, SLOPE = 4, 0.12
"""The number of waves in crumpled paper, and the share of light that their slopes take or give for each mm."""


def lay_cards(view: View, picture: Array, shade: Array) -> None:
    """Paint the look's cards into the picture's reflectance.

    view: the camera over the table, whose look lists the cards.
    picture: the reflectance to paint into, (h, w, 3).
    shade: the share of the light that reaches the table at each pixel, (h, w).
    """
    for card in view.look.cards:
        sheet, paper = _find_layout(card.id), _draw_paper(card.id, _paper_density(view))
        anchor = np.array(sheet.anchor)
        left, top, right, bottom = _card_window(view, card, sheet)
        if right <= left or bottom <= top:
            continue
        x, y = view.intersect_plane(*pixel_mesh(left, top, right - left, bottom - top), -view.look.wood.thickness)
        u, v = _on_card(card, anchor, x, y)
        u, v, slope_light = _crumple_card(card, u, v)
        density = np.float32(_paper_density(view) / FINE)
        ink = cv2.remap(paper, u * density - 0.5, v * density - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = (u >= 0) & (v >= 0) & (u <= sheet.width) & (v <= sheet.height)
        part = picture[top:bottom, left:right]
        lit_ink = ink[..., None] * (shade[top:bottom, left:right] * slope_light)[..., None]
        part[:] = np.where(cover[..., None], lit_ink, part)


def _paper_density(view: View) -> float:
    """Return the resolution to which the paper is averaged: pixels per millimetre at the board's middle, times FINE."""
    return max(1.0, min(float(FINE), view.scale_at((0, 0, 0)) / CELL)) * FINE


def _find_layout(card: int) -> marker_layout.PrintedCard:
    """Return the printed layout of one of the look's cards."""
    field = next(((layout, side) for layout in LAYOUTS for side in (0, 1) if layout.ids[side][0] == card), None)
    if field is not None:
        return marker_layout.field_card(*field)
    if card in marker_layout.CORNER_IDS:
        return marker_layout.corner_card(card, *SIZE)
    return marker_layout.lid_card(card - marker_layout.LID_IDS[0][0])


def _crumple_card(card: Card, u: Array, v: Array) -> tuple[Array, Array, Array]:
    """Return the places on a crumpled card that are seen instead of these, and the share of light on its slopes.

    Waves of a few cm bend it: what rises is seen shifted, and is lit otherwise on either slope.
    """
    if not card.crumpled:
        return u, v, np.ones_like(u)
    rng = np.random.default_rng([card.id, round(1000 * card.crumpled)])
    slope = np.zeros_like(u)
    shifts = [np.zeros_like(u), np.zeros_like(u)]
    for wave in rng.uniform(45, 140, WAVES):
        turn, phase = rng.uniform(0, 2 * np.pi, 2)
        phase_map = (np.cos(turn) * u + np.sin(turn) * v) * np.float32(2 * np.pi / wave) + np.float32(phase)
        way = rng.uniform(0, 2 * np.pi)
        shifts[0] += np.float32(np.cos(way)) * np.sin(phase_map)
        shifts[1] += np.float32(np.sin(way)) * np.sin(phase_map)
        slope += np.cos(phase_map)
    share = np.float32(card.crumpled / np.sqrt(WAVES / 2))
    light = np.clip(1 + np.float32(SLOPE) * share * slope, 0.5, 1.3)
    return u + share * shifts[0], v + share * shifts[1], np.asarray(light, np.float32)


@cache
def _draw_paper(card: int, density: float) -> Array:
    """Return a card's reflectance at `density` / FINE pixels per millimetre."""
    page = draw_card(_find_layout(card)).astype(np.float32) / 255 * (PAPER - INK) + INK
    small = cv2.resize(page, None, fx=density / FINE**2, fy=density / FINE**2, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def draw_card(card: marker_layout.PrintedCard) -> Pixels:
    """Draw a card without its words, at FINE pixels per millimetre."""
    page = np.full((round(card.height * FINE), round(card.width * FINE)), 255, np.uint8)
    for marker in card.artwork.markers:
        squares = np.where(marker_layout.marker_pattern(marker.id), 0, 255).astype(np.uint8)
        side, x, y = (round(length * FINE) for length in (marker.side, marker.x, marker.y))
        page[y : y + side, x : x + side] = cv2.resize(squares, (side, side), interpolation=cv2.INTER_NEAREST)
    for line in card.artwork.lines:
        start, end = (round(line.x1 * FINE), round(line.y1 * FINE)), (round(line.x2 * FINE), round(line.y2 * FINE))
        cv2.line(page, start, end, 0, max(1, round(line.width * FINE)))
    for circle in card.artwork.circles:
        middle, radius = (round(circle.x * FINE), round(circle.y * FINE)), round(circle.diameter / 2 * FINE)
        cv2.circle(page, middle, radius, 0, max(1, round(circle.width * FINE)))
    return page


def _on_card(card: Card, anchor: npt.NDArray[np.float64], x: Array, y: Array) -> tuple[Array, Array]:
    """Convert cells from the board's middle to millimetres from the card's top left corner."""
    dx, dy = (x - np.float32(card.x)) * np.float32(CELL), (y - np.float32(card.y)) * np.float32(CELL)
    c, s = np.float32(np.cos(card.turn)), np.float32(np.sin(card.turn))
    return np.float32(anchor[0]) + dx * c + dy * s, np.float32(anchor[1]) + dy * c - dx * s


def _card_window(view: View, card: Card, sheet: marker_layout.PrintedCard) -> tuple[int, int, int, int]:
    """Return the part of the picture that shows the card: left, top, right, bottom."""
    offsets = (UNIT_SQUARE * [sheet.width, sheet.height] - sheet.anchor) / CELL
    c, s = np.cos(card.turn), np.sin(card.turn)
    corners = offsets @ np.array([[c, s], [-s, c]]) + np.array([card.x, card.y])
    level = np.full((4, 1), -view.look.wood.thickness)
    pixels = view.project_points(np.concatenate([corners, level], axis=1))
    low, high = np.floor(pixels.min(axis=0)).astype(int) - 4, np.ceil(pixels.max(axis=0)).astype(int) + 5
    return max(int(low[0]), 0), max(int(low[1]), 0), min(int(high[0]), view.width), min(int(high[1]), view.height)
