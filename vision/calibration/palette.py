"""The enrolled colours of a table's wood and stones in one light, and the classification of colours by them.

A colour is measured relative to the wood beside it, which the same light falls on, so that a change of lamp has little
effect.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from referee import COLOURS, Colour

FEWEST, MOST = 2, 6
"""The range of the number of players whose stones are enrolled."""

# Chosen by hand (docs/vision.md).
BRIGHTNESS_SPREAD, HUE_SPREAD = 0.16, 0.09
"""The minimum spread of a colour, between stones and places, in brightness and hue (natural logs)."""
OTHER = 1e-4
"""The density, per cube of the log-ratios, of any other object: a colour far from all enrolled ones is none of them."""
TOO_NEAR = 6.0
"""The distance below which two colours cannot be distinguished, in spreads of both."""
LEAST_SAID = 0.02
"""The minimum probability that the net's answer leaves to its opposite: a stone there, or none."""
FOLLOWS, FARTHEST = 0.1, 0.35
"""Rates of following the light: the share of the way to its stones' current look by which each observation moves a
colour, and its maximum distance from the enrolled one, as a share of the way to the next colour.
"""

Floats = npt.NDArray[np.float32]

Ratios = npt.NDArray[np.float64]
"""Natural logs of the ratio of light reflected by stones and by the wood beside them: blue, green, red."""

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Hue:
    """An enrolled colour: the mean log-ratios to the wood's blue, green and red, and their covariance, row by row."""

    mean: Triple
    spread: tuple[Triple, Triple, Triple]

    @classmethod
    def from_samples(cls, samples: Ratios) -> Hue:
        """Return the colour of these patches, shape (n, 3)."""
        mean = np.median(samples, axis=0)
        spread = np.cov(samples - mean, rowvar=False) + _least_spread()
        return cls(_to_triple(mean), (_to_triple(spread[0]), _to_triple(spread[1]), _to_triple(spread[2])))

    def log_density(self, ratios: Ratios) -> Ratios:
        """Return the log density of these patches, shape (..., 3)."""
        offset, spread = ratios - np.array(self.mean), np.array(self.spread)
        far = np.einsum("...i,ij,...j->...", offset, np.linalg.inv(spread), offset)
        return np.asarray(-0.5 * (far + np.log(np.linalg.det(spread)) + 3 * np.log(2 * np.pi)))

    def distance_to(self, other: Hue) -> float:
        """Return the distance between two colours, in spreads of both."""
        offset = np.array(other.mean) - np.array(self.mean)
        mean_spread = (np.array(self.spread) + np.array(other.spread)) / 2
        return float(np.sqrt(offset @ np.linalg.inv(mean_spread) @ offset))


@dataclass(frozen=True)
class Palette:
    """The colours of a table: of its wood, and of its players' stones in the order of play."""

    wood: Hue
    stones: Annotated[tuple[Hue, ...], Meta(min_length=FEWEST, max_length=MOST)]

    @property
    def players(self) -> tuple[Colour, ...]:
        """Return the players whose stones are enrolled."""
        return COLOURS[: len(self.stones)]

    @property
    def is_sound(self) -> bool:
        """Return True if these values can be colours; values written by hand may not be."""
        hues = (self.wood, *self.stones)
        spreads, means = np.array([hue.spread for hue in hues]), np.array([hue.mean for hue in hues])
        if not (np.isfinite(means).all() and np.isfinite(spreads).all()):
            return False
        return bool(np.allclose(spreads, spreads.transpose(0, 2, 1)) and np.linalg.eigvalsh(spreads).min() > 0)

    def too_near(self) -> list[tuple[Colour | None, Colour]]:
        """Return the pairs that cannot be distinguished in this light, the nearest first; None is the wood."""
        named_hues = list(zip((None, *self.players), (self.wood, *self.stones), strict=True))
        pairs = [(one[1].distance_to(two[1]), one[0], two[0]) for one, two in combinations(named_hues, 2)]
        return [
            (a, b)
            for distance, a, b in sorted(pairs, key=lambda pair: pair[0])
            if distance < TOO_NEAR and b is not None
        ]

    def stone_probabilities(self, ratios: Ratios, stone: Floats) -> Floats:
        """Return the probabilities of empty and of each player's stones, shape (size, size, 1 + players).

        Args:
            ratios: of every point's patches, shape (size, size, 5, 3).
            stone: the net's probability that a stone is there, shape (size, size).
        """
        prior = np.clip(stone, LEAST_SAID, 1 - LEAST_SAID)[..., None]
        density = np.stack([np.exp(hue.log_density(ratios)) for hue in (self.wood, *self.stones)], axis=-1)
        density[..., 0] *= 1 - prior
        density[..., 1:] *= prior[..., None] / len(self.stones)
        odd = OTHER / density.shape[-1]
        share = (density + odd) / (density.sum(axis=-1, keepdims=True) + OTHER)
        return np.asarray(_mean_without_outlier(share), np.float32)

    def follow_light(self, ratios: Ratios, kinds: npt.NDArray[np.int64], original: Palette) -> Palette:
        """Return the colours moved a little towards the current look of the known stones.

        Args:
            ratios: as for `stone_probabilities`.
            kinds: each point's content, -1 if unknown.
            original: the colours as first enrolled.
        """
        hues = (self._move_hue(ratios[kinds == kind], kind - 1, original) for kind in range(1, len(self.stones) + 1))
        return replace(self, stones=tuple(hues))

    def change_since(self, before: Palette) -> float:
        """Return the largest change of any colour since `before`, in natural logs."""
        return max(
            float(np.abs(np.subtract(a.mean, b.mean)).max()) for a, b in zip(self.stones, before.stones, strict=True)
        )

    def _move_hue(self, ratios: Ratios, player: int, original: Palette) -> Hue:
        hue, first = self.stones[player], original.stones[player]
        if not len(ratios):
            return hue
        mean = np.array(hue.mean)
        mean += FOLLOWS * (np.median(ratios.reshape(-1, 3), axis=0) - mean)
        other_means = [np.array(o.mean) for o in (original.wood, *original.stones) if o is not first]
        reach = FARTHEST * min(float(np.linalg.norm(other - first.mean)) for other in other_means)
        shift = mean - np.array(first.mean)
        return replace(
            hue, mean=_to_triple(first.mean + shift * min(1.0, reach / max(float(np.linalg.norm(shift)), 1e-9)))
        )


def _mean_without_outlier(share: Ratios) -> Ratios:
    """Return the mean over the patches without the least agreeing one, shape (size, size, contents).

    A lamp may be reflected in that one.
    """
    likeliest = share.mean(axis=2).argmax(axis=-1)[..., None, None]
    agreement = np.take_along_axis(share, likeliest, axis=-1)[..., 0]
    is_agreeing = np.arange(share.shape[2]) != agreement.argmin(axis=-1)[..., None]
    return np.asarray((share * is_agreeing[..., None]).sum(axis=2) / (share.shape[2] - 1))


def _least_spread() -> Ratios:
    """Return the minimum covariance: more along brightness, the diagonal, than across it."""
    along = np.full((3, 3), 1 / 3)
    return np.asarray(HUE_SPREAD**2 * (np.eye(3) - along) + BRIGHTNESS_SPREAD**2 * along)


def _to_triple(values: npt.ArrayLike) -> Triple:
    one, two, three = (round(float(value), 4) for value in np.asarray(values))
    return one, two, three
