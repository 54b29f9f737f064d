"""Hands over the table: a forearm in a sleeve, a palm and five fingers, painted as round limbs, with their shadow."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.render.ground import exposure_factor
from vision.render.scene import Hand, Rgb
from vision.render.stones import encode_light
from vision.render.view import Array, Pixels, View

Points = npt.NDArray[np.float64]

FINGERS: tuple[tuple[tuple[float, float, float], ...], ...] = (
    ((2.0, 1.25, 0.2), (3.3, 1.75, 1.0), (5.3, 1.55, 1.8)),  # thumb
    ((2.5, -1.75, 0.9), (3.1, -1.95, 2.1), (4.5, -1.6, 2.3)),  # little finger
    ((1.7, -1.05, 0.7), (2.5, -1.2, 2.1), (4.1, -0.85, 2.4)),  # ring finger
    ((0.0, -0.35, 0.3), (1.8, -0.3, 1.3), (3.8, 0.05, 2.4)),  # middle finger
    ((0.15, 0.35, 0.3), (1.7, 0.6, 1.3), (3.6, 0.9, 2.3)),  # index finger
)
"""Tip, middle joint and knuckle of each finger: cells behind the fingertips, towards the thumb, above the stones."""

WRIST, ELBOW, SHOULDER = 7.4, 19.0, 45.0
"""Distances behind the fingertips, in cells. Chosen by hand."""


@dataclass(frozen=True)
class Limb:
    """A round limb of a hand or arm.

    points: positions along its axis in the world, (n, 3).
    radii: the radius at each point, in cells.
    cloth: True for the sleeve, False for skin.
    """

    points: Points
    radii: tuple[float, ...]
    cloth: bool

    def scale_radii(self, share: float) -> Limb:
        """Return the same limb with its radii scaled by that share."""
        return Limb(self.points, tuple(radius * share for radius in self.radii), self.cloth)


@dataclass(frozen=True)
class Part:
    """A rectangle of the picture: left, top, right, bottom, multiples of 4 unless the picture ends before."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Return the slices of this part in an array of the picture."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def reduced_shape(self, step: int) -> tuple[int, int]:
        """Return the part's height and width in a picture `step` times smaller."""
        return -((self.top - self.bottom) // step), -((self.left - self.right) // step)

    def enlarge_to_part(self, small: Array) -> Array:
        """Enlarge an array of a smaller picture of this part to the part's own size."""
        size = (self.right - self.left, self.bottom - self.top)
        return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.float32)


@dataclass(frozen=True)
class PaintedHand:
    """A painted hand and its shadow.

    part: the part of the picture that the hand lies in.
    cover: the hand's cover of each pixel, (h, w), 0 to 1.
    colours: the hand's colours, (h, w, 3).
    shade_part: the part of the picture that the shadow falls on.
    left: the light that the shadow leaves, (h, w), of 255.
    """

    part: Part
    cover: Array
    colours: Array
    shade_part: Part
    left: Pixels


def build_limbs(view: View, hand: Hand) -> list[Limb]:
    """Return the hand's limbs, the lowest first and the topmost last."""
    look = view.look
    rng = np.random.default_rng([look.seed, 11, sorted(("bottom", "top", "left", "right")).index(hand.from_side)])
    mirror, size, cuff = float(rng.choice([-1.0, 1.0])), rng.uniform(0.85, 1.1), rng.uniform(8.0, 15.0)
    tip, forward = _find_approach(view, hand, rng)
    side = np.array([-forward[1], forward[0]]) * mirror
    high = 0.1 + 2.0 * (1 - hand.reach)

    def place_spot(back: float, out: float, up: float) -> list[float]:
        x, y = tip - forward * back * size + side * out * size
        return [float(x), float(y), up * size + high]

    def make_limb(spots: list[tuple[float, float, float]], radii: tuple[float, ...], cloth: bool = False) -> Limb:
        return Limb(np.array([place_spot(*spot) for spot in spots]), tuple(radius * size for radius in radii), cloth)

    arm = make_limb([(WRIST - 0.8, 0, 2.4), (WRIST, 0, 2.5), (ELBOW, 0, 4.0)], (1.45, 1.3, 1.9))
    palm = make_limb([(4.3, 0.15, 2.2), (5.4, 0.05, 2.5), (WRIST - 0.3, 0, 2.5)], (1.35, 1.75, 1.4))
    edge = make_limb([(4.6, -1.1, 2.1), (6.6, -0.6, 2.3)], (0.75, 1.0))
    sleeve = make_limb([(cuff, 0, 3.4), (ELBOW, 0, 4.4), (SHOULDER, 0, 6.0)], (2.1, 2.7, 4.0), True)
    thumb, *fingers = [make_limb(list(finger), (0.33, 0.38, 0.44)) for finger in FINGERS]
    return [thumb, arm, edge, palm, *fingers, sleeve]


def find_fingertips(view: View, hand: Hand) -> tuple[float, float, float]:
    """Return the foot of a stone held between the fingers, in the world."""
    index, middle = build_limbs(view, hand)[-2].points[0], build_limbs(view, hand)[-3].points[0]
    between = (index + middle) / 2
    return float(between[0]), float(between[1]), max(float(between[2]) - 0.3, 0.0)


def paint_hand(view: View, hand: Hand, field: Array) -> PaintedHand | None:
    """Paint the hand, at half the picture's size; return None if it is out of view. field: the light on each pixel."""
    parts = build_limbs(view, hand)
    part = _find_part(view, parts, 0.3)
    if part is None:
        return None
    cover, colours = _paint_limbs(view, parts, part)
    lit_colours = encode_light(
        colours * _shade_relief(view, cover, parts)[..., None] * _expose_field(view, field[part.slices])
    )
    shade_part, light_left = _cast_shadow(view, parts, part)
    return PaintedHand(part, part.enlarge_to_part(cover), part.enlarge_to_part(lit_colours), shade_part, light_left)


def lay_hand(pixels: Pixels, painted_hand: PaintedHand) -> Pixels:
    """Return a copy of the picture with the hand and its shadow laid over it."""
    pixels = pixels.copy()
    shaded_part = pixels[painted_hand.shade_part.slices]
    shaded_part[:] = cv2.multiply(shaded_part, cv2.merge([painted_hand.left] * 3), scale=1 / 255)
    part = pixels[painted_hand.part.slices]
    background = part.astype(np.float32)
    part[:] = (
        background + (painted_hand.colours - background) * painted_hand.cover[..., None] + np.float32(0.5)
    ).astype(np.uint8)
    return pixels


def hidden_points(view: View, painted_hand: PaintedHand) -> npt.NDArray[np.bool_]:
    """Return a mask of the hidden intersections, (size, size): the hand covers more than a third of a stone there."""
    wide = max(int(view.grid.cell() * 0.7) | 1, 3)
    cover = np.pad(painted_hand.cover, wide)
    mean = cv2.blur(cover, (wide, wide))
    inside = np.rint(view.grid.points()).astype(int) - (painted_hand.part.left - wide, painted_hand.part.top - wide)
    x = np.clip(inside[..., 0], 0, mean.shape[1] - 1)
    y = np.clip(inside[..., 1], 0, mean.shape[0] - 1)
    return np.asarray(mean[y, x] > 0.35)


def _find_part(view: View, parts: list[Limb], room: float) -> Part | None:
    """Return the part of the picture that holds the limbs, or None if they are outside it.

    room: the margin around the limbs, in cells.
    """
    points = np.concatenate([view.project_points(limb.points) for limb in parts])
    wide = np.concatenate(
        [[view.scale_at(p) * (r + room) for p, r in zip(limb.points, limb.radii, strict=True)] for limb in parts]
    )
    low, high = (points - wide[:, None]).min(axis=0), (points + wide[:, None]).max(axis=0)
    left, top = (int(max(value, 0)) // 4 * 4 for value in low)
    right, bottom = min(-(-int(high[0]) // 4) * 4, view.width), min(-(-int(high[1]) // 4) * 4, view.height)
    return Part(left, top, right, bottom) if right - left > 8 and bottom - top > 8 else None


def _find_approach(view: View, hand: Hand, rng: np.random.Generator) -> tuple[Points, Points]:
    """Return the fingertips' position on the level plane and the direction they point in."""
    half = view.board_half() + view.look.wood.margin
    target = np.array(view.board_to_world(*hand.target))
    side = {"bottom": (0.0, 1.0), "top": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}[hand.from_side]
    outward = np.array(side)
    sideways = np.array([outward[1], outward[0]])
    far = np.abs(outward) @ half + 25.0
    shoulder = outward * far + sideways * (0.4 * float(sideways @ target) + rng.uniform(-0.6, 0.6) * np.min(half))
    forward = (target - shoulder) / np.linalg.norm(target - shoulder)
    entry = target - forward * max(float(outward @ (outward * (np.abs(outward) @ half + 1.0) - target)), 2.0)
    return np.asarray(entry + hand.reach * (target - entry)), np.asarray(forward)


def _paint_limbs(view: View, parts: list[Limb], part: Part) -> tuple[Array, Array]:
    """Paint cover and reflectance at half size: each limb with a dark rim, a lighter body and a light ridge."""
    cover = np.zeros(part.reduced_shape(2), np.uint8)
    colours = np.zeros((*part.reduced_shape(2), 3), np.float32)
    for limb in parts:
        _draw_limb(view, cover, limb, 255, part, 2)
        colour = view.look.sleeve.first if limb.cloth else view.look.skin
        for share, tone in ((1.0, 0.72), (0.8, 0.9), (0.5, 1.0)):
            _draw_limb(view, colours, limb.scale_radii(share), _scale_tone(colour, tone), part, 2)
        if limb.cloth:
            _paint_folds(view, colours, limb, part)
    soft = max(0.12 * view.scale_at((0, 0, 2.0)) / 2, 0.5)
    colours = np.asarray(cv2.GaussianBlur(colours, (0, 0), soft), np.float32)
    spread = np.asarray(cv2.GaussianBlur(cover, (0, 0), soft), np.float32) / 255
    edge: Array = np.asarray(cv2.GaussianBlur(cover, (3, 3), 0), np.float32) / np.float32(255)
    return edge, np.asarray(colours / np.maximum(spread, 0.3)[..., None], np.float32)


def _paint_folds(view: View, colours: Array, sleeve: Limb, part: Part) -> None:
    """Paint the pattern of the cloth: rings around the arm, or its hem alone."""
    look = view.look
    kind, start, end = look.sleeve.kind, sleeve.points[0], sleeve.points[-1]
    length = float(np.linalg.norm(end - start))
    rings = np.arange(0, length, max(2 * look.sleeve.scale, 0.8)) if kind in ("stripes", "checks") else np.array([0.15])
    side = np.cross((end - start) / length, [0, 0, 1.0])
    for ring in rings:
        spot = start + (end - start) * ring / length
        wide = np.interp(ring, [0, length], [sleeve.radii[0], sleeve.radii[-1]])
        band = Limb(np.array([spot - side * wide, spot + side * wide]), (0.3 * look.sleeve.scale + 0.1,) * 2, True)
        _draw_limb(view, colours, band, _scale_tone(look.sleeve.second, 0.85), part, 2)


def _scale_tone(colour: Rgb, tone: float) -> Rgb:
    return colour[0] * tone, colour[1] * tone, colour[2] * tone


def _draw_limb(view: View, picture: npt.NDArray[np.generic], limb: Limb, colour: object, part: Part, step: int) -> None:
    """Fill a limb's outline in an array that holds a part of the picture, `step` times smaller."""
    pixels = (view.project_points(limb.points) - (part.left, part.top)) / step
    wide = [view.scale_at(p) * r / step for p, r in zip(limb.points, limb.radii, strict=True)]
    for i in range(len(wide) - 1):
        along = pixels[i + 1] - pixels[i]
        across = np.array([-along[1], along[0]]) / max(float(np.linalg.norm(along)), 1e-6)
        start_rim, end_rim = across * wide[i], across * wide[i + 1]
        quad = np.array(
            [pixels[i] + start_rim, pixels[i + 1] + end_rim, pixels[i + 1] - end_rim, pixels[i] - start_rim]
        )
        cv2.fillConvexPoly(picture, _fixed_point(quad), colour, cv2.LINE_AA, 4)  # type: ignore[call-overload]
    for spot, radius in zip(_fixed_point(pixels), wide, strict=True):
        cv2.circle(picture, spot.tolist(), int(radius * 16), colour, -1, cv2.LINE_AA, 4)  # type: ignore[call-overload]


def _fixed_point(points: Points) -> npt.NDArray[np.int32]:
    # Far outside the picture OpenCV's fixed point overflows.
    return np.rint(np.clip(points, -4000, 4000) * 16).astype(np.int32)


def _shade_relief(view: View, cover: Array, parts: list[Limb]) -> Array:
    """Return the light on each pixel of the hand: more where its rounding faces a lamp."""
    look = view.look
    wide = max(0.8 * view.scale_at((0, 0, 2.0)) / 2, 1.0)
    small = cv2.resize(cover, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    height = cv2.GaussianBlur(small, (0, 0), wide / 2)
    light = np.full(height.shape, 0.95 * look.ambient, np.float32)
    slope_x, slope_y = (cv2.Sobel(height, cv2.CV_32F, dx, dy, scale=wide / 8) for dx, dy in ((1, 0), (0, 1)))
    tip = parts[-2].points[0]
    for lamp in look.lamps:
        towards = view.project_points(tip + np.array([lamp.to[0], lamp.to[1], 0.0])) - view.project_points(tip)
        towards = towards / view.scale_at(tip)
        facing = np.float32(lamp.to[2]) - slope_x * np.float32(towards[0]) - slope_y * np.float32(towards[1])
        light += np.float32(lamp.power) * np.maximum(facing, 0)
    return np.asarray(cv2.resize(light, (cover.shape[1], cover.shape[0])), np.float32)


def _expose_field(view: View, field: Array) -> Array:
    return np.asarray(field[::2, ::2, None] * exposure_factor(view.look), np.float32)


def _cast_shadow(view: View, parts: list[Limb], hand_part: Part) -> tuple[Part, Pixels]:
    """Return the light left under the hand, of 255, and the part it applies to.

    The limbs are projected down along each lamp, at a quarter of the picture's size.
    """
    look = view.look
    total = look.ambient + sum(lamp.power * lamp.to[2] for lamp in look.lamps)
    casts = [(_project_limbs(parts, (0.0, 0.0)), 0.3 * look.ambient / total, 0.9)]
    for lamp in look.lamps:
        slide = (-lamp.to[0] / max(lamp.to[2], 0.3), -lamp.to[1] / max(lamp.to[2], 0.3))
        casts.append((_project_limbs(parts, slide), 0.9 * lamp.power * lamp.to[2] / total, 0.15 + 1.2 * lamp.softness))
    part = _find_part(view, [limb for cast, _, _ in casts for limb in cast], 3.0) or hand_part
    light_left = np.ones(part.reduced_shape(4), np.float32)
    for cast, share, soft in casts:
        mask = np.zeros(light_left.shape, np.uint8)
        for limb in cast:
            _draw_limb(view, mask, limb, 255, part, 4)
        blurred_mask = cv2.GaussianBlur(mask, (0, 0), max(soft * view.scale_at((0, 0, 0)) / 4, 0.6))
        light_left -= np.float32(share / 255) * np.asarray(blurred_mask, np.float32)
    return part, part.enlarge_to_part(encode_light(np.maximum(light_left, 0.05))).astype(np.uint8)


def _project_limbs(parts: list[Limb], slide: tuple[float, float]) -> list[Limb]:
    """Return the limbs' shadows on the board, as flat limbs."""
    return [
        Limb(
            np.pad(limb.points[:, :2] + limb.points[:, 2:] * np.array(slide), ((0, 0), (0, 1))), limb.radii, limb.cloth
        )
        for limb in parts
    ]
