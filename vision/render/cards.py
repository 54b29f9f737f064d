"""The printed mat's cards on a drawn table: white paper with markers, lying on the table under board and lids."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import mat
from vision.render.scene import Card
from vision.render.view import Array, Pixels, View, mesh

CELL = 22.0
"""Millimetres a cell."""
FINE = 6
"""Pixels a millimetre in which a sheet is drawn first."""
PAPER, INK = 0.8, 0.02
"""Their reflectances. Chosen by hand."""


def lay_cards(view: View, picture: Array, shade: Array) -> None:
    """Lay the look's cards into the picture's reflectance; shade: the light left on the table at each pixel, (h, w)."""
    for card in view.look.cards:
        paper, anchor = _paper(card.id, _density(view))
        left, top, right, bottom = _window(view, card, anchor)
        if right <= left or bottom <= top:
            continue
        x, y = view.plane(*mesh(left, top, right - left, bottom - top), -view.look.wood.thickness)
        u, v = _on_card(card, anchor, x, y)
        density = np.float32(_density(view) / FINE)
        ink = cv2.remap(paper, u * density - 0.5, v * density - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = (u >= 0) & (v >= 0) & (u <= mat.CARD[0]) & (v <= mat.CARD[1])
        part = picture[top:bottom, left:right]
        lit = ink[..., None] * shade[top:bottom, left:right, None]
        part[:] = np.where(cover[..., None], lit, part)


def _density(view: View) -> float:
    """Pixels a millimetre of the table about the board's middle, in FINE parts: what the paper is averaged to."""
    return max(1.0, min(float(FINE), view.scale((0, 0, 0)) / CELL)) * FINE


@cache
def _paper(card: int, density: float) -> tuple[Array, npt.NDArray[np.float64]]:
    """A card's reflectance, `density` / FINE pixels a millimetre, and its anchor in mm from its top left corner."""
    sheet = mat.corners_sheet() if card in mat.CORNER_IDS else mat.lids_sheet()
    column, row = ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (1, 0))[card]
    low = np.array([column * mat.CARD[0], row * mat.CARD[1]])
    across, down = (round(length * FINE) for length in mat.CARD)
    x, y = (low * FINE).round().astype(int)
    part = _drawn(sheet)[y : y + down, x : x + across].astype(np.float32) / 255 * (PAPER - INK) + INK
    small = cv2.resize(part, None, fx=density / FINE**2, fy=density / FINE**2, interpolation=cv2.INTER_AREA)
    inside = np.array([mat.OUT, mat.OUT]), np.array(mat.CARD) - mat.OUT
    corner = np.array([inside[column][0], inside[row][1]])
    return np.asarray(small, np.float32), corner if card in mat.CORNER_IDS else np.array(mat.CARD) / 2


def _drawn(sheet: mat.Sheet) -> Pixels:
    """A sheet without its words, FINE pixels a millimetre."""
    page = np.full((round(sheet.height * FINE), round(sheet.width * FINE)), 255, np.uint8)
    for marker in sheet.markers:
        squares = np.where(mat.pattern(marker.id), 0, 255).astype(np.uint8)
        side, x, y = (round(length * FINE) for length in (marker.side, marker.x, marker.y))
        page[y : y + side, x : x + side] = cv2.resize(squares, (side, side), interpolation=cv2.INTER_NEAREST)
    for line in sheet.lines:
        start, end = (round(line.x1 * FINE), round(line.y1 * FINE)), (round(line.x2 * FINE), round(line.y2 * FINE))
        if not line.cut:
            cv2.line(page, start, end, 0, max(1, round(line.width * FINE)))
    for circle in sheet.circles:
        middle, radius = (round(circle.x * FINE), round(circle.y * FINE)), round(circle.diameter / 2 * FINE)
        cv2.circle(page, middle, radius, 0, max(1, round(circle.width * FINE)))
    return page


def _on_card(card: Card, anchor: npt.NDArray[np.float64], x: Array, y: Array) -> tuple[Array, Array]:
    """Cells from the board's middle to millimetres from the card's top left corner."""
    dx, dy = (x - np.float32(card.x)) * np.float32(CELL), (y - np.float32(card.y)) * np.float32(CELL)
    c, s = np.float32(np.cos(card.turn)), np.float32(np.sin(card.turn))
    return np.float32(anchor[0]) + dx * c + dy * s, np.float32(anchor[1]) + dy * c - dx * s


def _window(view: View, card: Card, anchor: npt.NDArray[np.float64]) -> tuple[int, int, int, int]:
    """The part of the picture that shows the card: left, top, right, bottom."""
    out = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * mat.CARD - anchor) / CELL
    c, s = np.cos(card.turn), np.sin(card.turn)
    corners = out @ np.array([[c, s], [-s, c]]) + np.array([card.x, card.y])
    level = np.full((4, 1), -view.look.wood.thickness)
    seen = view.pixels(np.concatenate([corners, level], axis=1))
    low, high = np.floor(seen.min(axis=0)).astype(int) - 4, np.ceil(seen.max(axis=0)).astype(int) + 5
    return max(int(low[0]), 0), max(int(low[1]), 0), min(int(high[0]), view.width), min(int(high[1]), view.height)
