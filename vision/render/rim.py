"""Lights along the board's edges, as a camera sees them: far brighter than the table, with a halo round each.

A light at full power is some 60 times as bright as white paper in a room of 500 lux: three candela (makers' data
sheets of 5 mm lights) behind a window of 8 by 8 mm that transmits half of it. The spread by lens and sensor is chosen
by hand.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.render.scene import Glow
from vision.render.stones import encode
from vision.render.view import Pixels, View, mesh

FULL = 60.0
"""Brightness of a light at full power, relative to a white surface."""
BESIDE = 0.25
"""Distance of a light from the board's edge, in cells."""
SPREAD = ((0.12, 1.0), (0.35, 0.01), (1.2, 0.001))
"""Width (in cells) and strength of a light's window, of its halo and of the veil round it."""
REACH = 3.0
"""Radius to which a light is drawn, in cells."""
_LINEAR = (np.arange(256, dtype=np.float32) / encode(np.ones(1, np.float32))) ** 2
"""Linear light of each of a picture's 256 levels."""


def lay_rim(view: View, pixels: Pixels, glows: Iterable[Glow]) -> Pixels:
    """Return a copy of the picture with these lights lit."""
    copy = pixels.copy()
    for glow in glows:
        _lay(view, copy, glow)
    return copy


def _lay(view: View, pixels: Pixels, glow: Glow) -> None:
    place = np.array([*_place(view, glow), 0.0])
    (x, y), scale = view.pixels(place), view.scale(place)
    reach = REACH * scale
    left, top = max(int(x - reach), 0), max(int(y - reach), 0)
    right, bottom = min(int(x + reach) + 1, view.width), min(int(y + reach) + 1, view.height)
    if right <= left or bottom <= top:
        return
    across, down = mesh(left, top, right - left, bottom - top)
    away = ((across - x) ** 2 + (down - y) ** 2) / scale**2
    light = sum(strength * np.exp(-away / (2 * wide * wide)) for wide, strength in SPREAD)
    part = pixels[top:bottom, left:right]
    lit = _LINEAR[part] + np.asarray(FULL * light, np.float32)[..., None] * np.array(glow.colour, np.float32)
    part[:] = np.asarray(encode(lit) + 0.5, np.uint8)


def _place(view: View, glow: Glow) -> tuple[float, float]:
    """Return the light's position in cells from the board's middle."""
    half, edge = view.board_half(), view.board_half() + view.look.wood.margin + BESIDE
    if glow.side in ("top", "bottom"):
        return float((2 * glow.along - 1) * half[0]), float(edge[1] if glow.side == "bottom" else -edge[1])
    return float(edge[0] if glow.side == "right" else -edge[0]), float((2 * glow.along - 1) * half[1])
