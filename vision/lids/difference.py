"""The stones that came into a lid or left it between two looks, by what the net sees in both.

A count has to see every stone; a change only those that are not as they were. Where no pixel has changed lies what lay
there before, however doubtful that is, if the net sees the same or a stone there is unlike its surroundings; and a
light lid in which none has changed holds what it held, whatever is counted in it. Elsewhere each place at which the net
sees a stone in either look has a probability that one came, and one that one left; the distribution of the change is
that of their sum (Poisson binomial). It says nothing if the density of the stones changed by another number, or if a
stone that stays has changed while none came or left beside it: then one may hide another. In a pile it has to be surer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Box
from vision.camera.frame import Image
from vision.lids.change import FLOOR, ROOM, SIDE, WITHIN, Mask, fit_light, inside_mask, stone_radius, to_grey
from vision.lids.confidence import DARK, EXPOSURE, STONE, VETO, Count, Stone
from vision.lids.confidence import FLOOR as FLOOR_LIGHT
from vision.lids.net import ROOM as NET_ROOM
from vision.lids.net import SIDE as NET_SIDE

# Chosen by hand (docs/vision.md); tests/benchmarks/lids.py measures their effect.
SURE, CLEAR = 0.98, 0.95
"""The probability of a change from which it is sure, and from which it confirms a number known by other means."""
SAME = 0.42
"""The distance, in stone widths, below which two looks see the same stone."""
SMOOTH, LEAST, SIGMAS, SHARE = 2.5, 1.2, 4.0, 0.03
"""The blur, in pixels, before levels are compared, and a changed pixel's thresholds: in levels, in times the noise, and
as a share of the floor's level.
"""
CLIPPED = 250.0
"""The level above which all is the same white."""
WITHIN_STONE, UNCHANGED = 0.8, 0.12
"""The part of a stone's radius that is compared, and the share of it that may have changed where nothing has."""
SHOWN, AROUND, ENCLOSED = 3.0, (1.15, 1.5), 0.5
"""By how many thresholds a stone's level must differ from its surroundings'; the ring of those, in its radii; and the
share of the ring in which it must: had the stone come or left, pixels would have changed.
"""
ALIKE, ALIKE_IN_THE_DARK = 0.35, 0.05
"""How much the net's probabilities may differ where no pixel has changed; and those of a black stone that was not there
before on a floor below DARK, on which it may hardly change one.
"""
PLAIN = 0.5
"""The probability from which a stone is plainly there."""
DENSITY = 0.35
"""The limit of the difference, in stones, of the change by density and by single stones."""
PILED, COVERED = 0.5, 0.5
"""The probabilities of a pile and of a hand from which stones may be hidden."""
DISTURBED = 0.5
"""The share of a stone that stays that may have changed: more, and another lies on it."""
BURNT_SPOT = 0.4
"""The share of a stone's disc that is burnt from which a white stone may lie there and not show."""
LARGER, TABLE = 1.2, 0.65
"""The radius, in stones, about a counted one in which the floor is not looked at; and the distance from a lid's middle,
in its half widths, beyond which a burnt place that runs on past its box is the table's.
"""
BESIDE = 1.3
"""The distance, in stone widths, from a stone that came or left within which others may change for it."""

Distribution = dict[int, float]
"""The probability of each change of a count."""


@dataclass(frozen=True, eq=False)
class LidLook:
    """A look at a lid.

    `square`: its picture from `vision.lids.change.lid_square`.
    `count`: what the net sees in it.
    """

    square: Image
    count: Count


@dataclass(frozen=True)
class LidDifference:
    """The stones that came into a lid, by colour; negative for stones that left it.

    `black`, `white`: the likeliest numbers.
    `p`: the probability of both together.
    `chances`: of each change, for black and for white.
    `hides`: one stone may hide another, so that the numbers say nothing.
    `piled`: something has changed in a pile or upon a stone, so that the numbers have to be surer.
    `same`: no pixels have changed, so that the lid holds what it held, whatever is counted in it.
    """

    black: int
    white: int
    p: float
    chances: tuple[Distribution, Distribution]
    hides: bool
    piled: bool = False
    same: bool = False

    def is_sure(self) -> bool:
        """Return True if the numbers make a count of a single layer sure."""
        return self.p >= SURE and not self.piled

    def is_clear(self) -> bool:
        """Return True if the numbers confirm a count known by other means."""
        return self.p >= (SURE if self.piled else CLEAR)


@dataclass(frozen=True)
class _Place:
    """A place at which a stone is seen in one of two looks.

    `x`, `y`: its middle, in pixels of the net's square.
    `before`, `now`: the probabilities of a black and of a white stone.
    """

    x: float
    y: float
    before: tuple[float, float]
    now: tuple[float, float]

    def is_alike(self, shows: bool) -> bool:
        """Return True if the net's probabilities hardly differ. `shows`: a black stone that came would show."""
        within = (ALIKE if shows else ALIKE_IN_THE_DARK, ALIKE)
        return all(abs(one - other) < most for one, other, most in zip(self.before, self.now, within, strict=True))

    def has_same_stone(self) -> bool:
        """Return True if a stone of the same colour is plainly there in both looks."""
        return any(one > PLAIN and other > PLAIN for one, other in zip(self.before, self.now, strict=True))

    def is_disturbed(self, share: float) -> bool:
        """Return True if the same stone is there in both looks, and another may lie on the share that has changed."""
        return self.has_same_stone() and share >= DISTURBED

    def is_swapped(self) -> bool:
        """Return True if a stone is plainly there in both looks, of another colour now: mostly one upon the other."""
        return max(self.before) > PLAIN and max(self.now) > PLAIN and not self.has_same_stone()

    def has_one_stone(self) -> bool:
        """Return True if a stone is plainly there in one of the looks alone."""
        return (max(self.before) > PLAIN) != (max(self.now) > PLAIN)


def find_difference(before: LidLook, now: LidLook, box: Box, stone: float) -> LidDifference | None:
    """Return the stones that came and left between two looks; None if some may not show in this light.

    Args:
        before: the earlier look.
        now: the later look.
        box: the lid's box.
        stone: a stone's expected width, in pixels of the picture that the box lies in.
    """
    radius = stone_radius(box, stone)
    if not all(_can_show_stones(look, box, radius) for look in (before, now)):
        return None
    places = _match_stones((*before.count.stones, *before.count.doubts), (*now.count.stones, *now.count.doubts))
    pixels = _compare_pixels(before.square, now.square, box)
    shares = [1.0 if pixels is None else pixels.changed_share(place, radius) for place in places]
    is_light = all(_is_light(look.count) for look in (before, now))
    changed_places = [
        place
        for place, share in zip(places, shares, strict=True)
        if pixels is None
        or share >= UNCHANGED
        or not (place.is_alike(is_light or place.has_same_stone()) or pixels.can_show(place, radius))
    ]
    black, white = (_distribute_change([(place.before[k], place.now[k]) for place in changed_places]) for k in (0, 1))
    likeliest = _find_likeliest(black), _find_likeliest(white)
    counts = before.count, now.count
    same = is_light and not changed_places and pixels is not None and not pixels.has_changed(radius)
    disturbed = [place for place, share in zip(places, shares, strict=True) if place.is_disturbed(share)]
    hides = _may_hide(counts, changed_places) or not (same or _is_density_alike(*counts, likeliest))
    hides = hides or not _is_explained(disturbed, changed_places, sum(likeliest))
    piled = bool(disturbed) or (bool(changed_places) and max(count.piled for count in counts) >= PILED)
    p = black[likeliest[0]] * white[likeliest[1]]
    return LidDifference(likeliest[0], likeliest[1], p, (black, white), hides, piled, same)


def _can_show_stones(look: LidLook, box: Box, radius: tuple[float, float]) -> bool:
    """Return True if the floor is neither so dark that a black stone, nor so bright that a white one may not show.

    radius: a stone's, in pixels of the look's square, across and down.
    """
    is_light, is_unburnt = look.count.features[EXPOSURE] >= VETO[EXPOSURE]
    return bool(is_light and (is_unburnt or not _has_burnt_spot(look, box, radius)))


def _has_burnt_spot(look: LidLook, box: Box, radius: tuple[float, float]) -> bool:
    """Return True if so much of a lid's floor is burnt in one place that a white stone may lie there and not show.

    A burnt rim, and a burnt table in the corners of the box, are no floor.
    """
    burnt = cv2.blur(look.square, (5, 5)).min(axis=2) >= CLIPPED
    for stone in look.count.stones:
        burnt &= ~_disc_mask(stone, radius, LARGER)
    parts = cv2.connectedComponents(burnt.astype(np.uint8))[1]
    own = burnt & ~np.isin(parts, np.unique(parts[_is_outside(box)]))
    within = _disc_share(own, radius), np.where(inside_mask(box, TABLE), _disc_share(burnt, radius), 0)
    return bool(max(share.max() for share in within) >= BURNT_SPOT)


def _disc_share(mask: Mask, radius: tuple[float, float]) -> npt.NDArray[np.float32]:
    """Return the share of a stone's disc about each pixel that lies in a mask."""
    size = [2 * round(one) + 1 for one in radius]
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size).astype(np.float32)
    return np.asarray(
        cv2.filter2D(mask.astype(np.float32), -1, disc / disc.sum(), borderType=cv2.BORDER_CONSTANT), np.float32
    )


def _is_outside(box: Box) -> Mask:
    """Return the pixels of a lid's square that lie past its box."""
    steps = np.abs(np.arange(SIDE) + 0.5 - SIDE / 2) / (SIDE / 2) * ROOM * max(box.w, box.h)
    return np.asarray((steps > WITHIN * box.w) | (steps > WITHIN * box.h)[:, None])


def _is_light(count: Count) -> bool:
    """Return True if a black stone shows plainly on the floor."""
    return bool(count.features[FLOOR_LIGHT] >= np.log(DARK + 1))


def _match_stones(before: Sequence[Stone], now: Sequence[Stone]) -> list[_Place]:
    """Return the places of the stones of two looks; stones of both that lie near each other share one."""
    places, free = [], list(before)
    for stone in now:
        nearest = min(free, key=lambda one: _stone_distance(one, stone), default=None)
        if nearest is not None and _stone_distance(nearest, stone) < SAME * STONE:
            free.remove(nearest)
            places.append(_Place(nearest.x, nearest.y, _colour_probabilities(nearest), _colour_probabilities(stone)))
        else:
            places.append(_Place(stone.x, stone.y, (0.0, 0.0), _colour_probabilities(stone)))
    return places + [_Place(stone.x, stone.y, _colour_probabilities(stone), (0.0, 0.0)) for stone in free]


def _stone_distance(one: Stone, other: Stone) -> float:
    return float(np.hypot(one.x - other.x, one.y - other.y))


def _colour_probabilities(stone: Stone) -> tuple[float, float]:
    """Return the probabilities of a black and of a white stone."""
    other = min(stone.other, 1 - stone.p)
    return (other, stone.p) if stone.colour else (stone.p, other)


@dataclass(frozen=True, eq=False)
class _Pixels:
    """Two pictures of a lid, compared.

    `changed`: the pixels that have changed.
    `level`: the later picture's grey levels.
    `threshold`: the step of a changed pixel, in levels.
    """

    changed: Mask
    level: npt.NDArray[np.float32]
    threshold: float

    def changed_share(self, place: _Place, radius: tuple[float, float]) -> float:
        """Return the share of a stone's disc that has changed."""
        disc = _disc_mask(place, radius, WITHIN_STONE)
        return float(self.changed[disc].mean()) if disc.any() else 1.0

    def has_changed(self, radius: tuple[float, float]) -> bool:
        """Return True if anywhere as much has changed as where a stone comes or leaves."""
        return bool(_disc_share(self.changed, radius).max() >= UNCHANGED)

    def can_show(self, place: _Place, radius: tuple[float, float]) -> bool:
        """Return True if pixels would have changed had a stone come to a place or left it: it is unlike the floor."""
        inner, ring = _disc_mask(place, radius, WITHIN_STONE), _disc_mask(place, radius, AROUND[1])
        ring &= ~_disc_mask(place, radius, AROUND[0])
        if not inner.any() or not ring.any():
            return False
        step = np.abs(self.level[ring] - np.median(self.level[inner]))
        return bool((step >= SHOWN * self.threshold).mean() >= ENCLOSED)


def _compare_pixels(before: Image, now: Image, box: Box) -> _Pixels | None:
    """Return the comparison of two squares of a lid; None in another light."""
    inside = inside_mask(box, WITHIN)
    one, other = to_grey(before), to_grey(now)
    light = fit_light(one[inside], other[inside])
    if light is None:
        return None
    one = np.minimum(one * np.float32(light[0]) + np.float32(light[1]), np.float32(CLIPPED))
    step = np.abs(cv2.GaussianBlur(np.minimum(other, np.float32(CLIPPED)) - one, (0, 0), SMOOTH))
    noise, floor = 1.48 * float(np.median(step[inside])), float(np.median(other[inside_mask(box, FLOOR)]))
    threshold = max(LEAST, SIGMAS * noise, SHARE * floor)
    return _Pixels(np.asarray((step > threshold) & inside), other, threshold)


def _disc_mask(place: _Place | Stone, radius: tuple[float, float], share: float) -> Mask:
    """Return the pixels of a lid's square within this share of a stone's radius about a place."""
    scale = NET_ROOM / NET_SIDE / (ROOM / SIDE)
    x, y = (scale * (value - NET_SIDE / 2) + SIDE / 2 for value in (place.x, place.y))
    rows, columns = np.ogrid[:SIDE, :SIDE]
    return np.asarray(((columns - x) / radius[0]) ** 2 + ((rows - y) / radius[1]) ** 2 < share**2)


def _distribute_change(places: Sequence[tuple[float, float]]) -> Distribution:
    """Return the distribution of a colour's change from its probabilities at each place, before and now."""
    chances: npt.NDArray[np.float64] = np.ones(1)
    for before, now in places:
        left, came = before * (1 - now), now * (1 - before)
        chances = np.convolve(chances, [left, 1 - left - came, came])
    return {k - len(places): float(chance) for k, chance in enumerate(chances)}


def _find_likeliest(chances: Distribution) -> int:
    return max(chances, key=lambda change: chances[change])


def _is_density_alike(before: Count, now: Count, change: Sequence[int]) -> bool:
    """Return True if the stones' density has changed by as many stones."""
    return all(abs(now.density[k] - before.density[k] - change[k]) < DENSITY for k in (0, 1))


def _may_hide(counts: tuple[Count, Count], changed_places: Sequence[_Place]) -> bool:
    """Return True if where something changed a hand, or a stone of another colour, may hide a stone."""
    has_hand = bool(changed_places) and max(count.covered for count in counts) >= COVERED
    return has_hand or any(place.is_swapped() for place in changed_places)


def _is_explained(disturbed: Sequence[_Place], changed_places: Sequence[_Place], change: int) -> bool:
    """Return True if each disturbed stone lies beside one that came or left, which casts a shadow or leans on it.

    If there are fewer stones than before, one may have come to lie upon a disturbed one.
    """
    others = [place for place in changed_places if place.has_one_stone()]
    near = BESIDE * STONE
    return not disturbed or (
        change >= 0
        and all(any(np.hypot(one.x - other.x, one.y - other.y) < near for other in others) for one in disturbed)
    )
