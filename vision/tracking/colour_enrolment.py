"""Enrolment of the players' stones: before the game each player lays three of their own on a row of their own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from referee import COLOURS, Colour, Listing, Message, Points, board_of, message, name_points
from vision.calibration.model import Grid
from vision.calibration.palette import TOO_NEAR, Floats, Hue, Palette, Ratios
from vision.camera.frame import Image
from vision.stones.reader import (
    CELL,
    CELLS,
    CONTENTS,
    DOUBTFUL_BELOW,
    EMPTY,
    HIDDEN,
    MAYBE,
    default_reader,
    find_points_outside,
    rectify_input,
)
from vision.tracking.reading import Reader, Reading

STONES_PER_PLAYER = 3
"""The number of stones each player shows, as far apart as the board allows: the light is not the same everywhere."""

# Chosen by hand (docs/vision.md).
MIN_STONE_PROBABILITY = 0.9
"""The net's minimum probability of a stone where stones are shown, and of none on all other points."""
STORE_AGAIN_FROM = 0.05
"""The change of a colour that has followed the light, in natural logs, from which it is stored again."""
MIN_LOOKS = 2
"""The number of still observations in a row that have to show the stones."""


def enrolment_points(size: int, players: int) -> tuple[tuple[int, ...], ...]:
    """Return the points on which each player shows stones, in the order of play; one row each, the highest is Black's.

    Raises ValueError for more players than the board has rows for.
    """
    edge = 1 if players <= size - 2 else 0
    if players > size or size < STONES_PER_PLAYER + 2:
        raise ValueError(f"a board of {size} lines has no room for the stones of {players} players")
    rows = np.linspace(edge, size - 1 - edge, players).round().astype(int)
    across = np.linspace(size // 6 + 1, size - 2 - size // 6, STONES_PER_PLAYER).round().astype(int)
    return tuple(tuple(int(row * size + col) for col in across) for row in rows)


class ColourEnrolment:
    """An enrolment in progress: waits for the stones to be shown, learns them, and waits for the board to be cleared.

    `palette`: the enrolled colours, None before.
    `instruction`: the instruction to the players, None when done.
    """

    def __init__(self, size: int, players: int) -> None:
        self._size, self._places = size, enrolment_points(size, players)
        self._looks: list[Ratios] = []
        self.palette: Palette | None = None
        self.instruction: Message | None = self._ask_for_stones()

    def take_samples(self, samples: ColourSamples) -> None:
        """Process a still observation of the table."""
        if self.palette is not None:
            empty = self.palette.stone_probabilities(samples.ratios, samples.stone)[..., 0].ravel()
            self.instruction = (
                None
                if all(empty[list(place)].min() > MIN_STONE_PROBABILITY for place in self._places)
                else _clear_message()
            )
        elif not self._are_shown(samples):
            self._looks, self.instruction = [], self._ask_for_stones()
        else:
            self._looks.append(samples.ratios.reshape(self._size**2, -1, 3))
            if len(self._looks) == MIN_LOOKS:
                self._learn_colours(np.concatenate(self._looks, axis=1))

    def _are_shown(self, samples: ColourSamples) -> bool:
        is_enrolment_point = np.zeros(self._size**2, bool)
        is_enrolment_point[np.concatenate(self._places)] = True
        stone = samples.stone.ravel()
        return bool(
            stone[is_enrolment_point].min() > MIN_STONE_PROBABILITY
            and stone[~is_enrolment_point].max() < 1 - MIN_STONE_PROBABILITY
            and not samples.outside.any()
        )

    def _learn_colours(self, looks: Ratios) -> None:
        """Learn the colours from the patches of every point in all observations, shape (size * size, n, 3)."""
        self._looks = []
        self.instruction = self._find_mixed(looks)
        if self.instruction is not None:
            return
        bare = np.ones(self._size**2, bool)
        bare[np.concatenate(self._places)] = False
        stones = tuple(Hue.from_samples(looks[list(place)].reshape(-1, 3)) for place in self._places)
        palette = Palette(Hue.from_samples(looks[bare].reshape(-1, 3)), stones)
        near_pairs = palette.too_near()
        self.instruction = _near_message(*near_pairs[0]) if near_pairs else _clear_message()
        self.palette = None if near_pairs else palette

    def _find_mixed(self, looks: Ratios) -> Message | None:
        """Return a message about a player whose stones are not of one colour, if there is one."""
        for player, place in zip(COLOURS, self._places, strict=False):
            hues = [Hue.from_samples(looks[point]) for point in place]
            if any(one.distance_to(other) > TOO_NEAR for one, other in combinations(hues, 2)):
                return message("stones.mixed", player=player, points=self._point_names(place))
        return None

    def _ask_for_stones(self) -> Message:
        rows = [
            message("stones.row", player=player, points=self._point_names(place))
            for player, place in zip(COLOURS, self._places, strict=False)
        ]
        return message("stones.show", rows=Listing(tuple(rows)))

    def _point_names(self, place: tuple[int, ...]) -> Points:
        return name_points(board_of(self._size), place)


def _clear_message() -> Message:
    return message("stones.clear")


def _near_message(one: Colour | None, other: Colour) -> Message:
    return message("stones.like-wood", player=other) if one is None else message("stones.alike", one=one, other=other)


class StonePalette:
    """The knowledge of a table's stones.

    `players`: the number of players who show theirs before the game; None for black and white, which the net knows.
    `palette`: the colours last reported, or enrolled earlier, perhaps in another light.
    """

    def __init__(self, players: int | None, palette: Palette | None) -> None:
        fits = palette is not None and len(palette.stones) == players
        self.players, self.palette = players, palette if fits else None
        self._enrolled_palette = self.palette
        self._reader = ColourReader(self.palette) if self.palette is not None else None
        self._enrolment: ColourEnrolment | None = None

    @property
    def reader(self) -> Reader | None:
        """Return this table's stone reader; None for the shipped net alone, as long as nothing was shown."""
        return self._reader

    @property
    def needs_stones(self) -> bool:
        """Return True if stones have to be shown before anything can be read."""
        return self.players is not None and (self._reader is None or self._enrolment is not None)

    @property
    def instruction(self) -> Message | None:
        """Return the instruction to the players before stones can be read."""
        return self._enrolment.instruction if self._enrolment is not None else None

    def learn_from(self, image: Image, grid: Grid) -> bool:
        """Return True if the stones are known; otherwise search this still picture for stones that are shown."""
        if not self.needs_stones or self.players is None:
            return True
        if self._enrolment is None:
            self._enrolment = ColourEnrolment(grid.size, self.players)
        self._enrolment.take_samples(sample_colours(image, grid))
        if self._enrolment.instruction is None:
            self.palette = self._enrolled_palette = self._enrolment.palette
            assert self.palette is not None
            self._reader, self._enrolment = ColourReader(self.palette), None
        return self._enrolment is None

    def follow_light(self, reading: Reading) -> None:
        """Let the colours follow the light, by the stones that surely lie there."""
        reader = self._reader
        if reader is None or reader.last_samples is None or self.palette is None or self._enrolled_palette is None:
            return
        sure = reading.probabilities.max(axis=-1) >= DOUBTFUL_BELOW
        kinds = np.where(sure, reading.likeliest_kinds(), -1)
        reader.palette = reader.palette.follow_light(reader.last_samples.ratios, kinds, self._enrolled_palette)
        if reader.palette.change_since(self.palette) > STORE_AGAIN_FROM:
            self.palette = reader.palette


# Chosen by hand (docs/vision.md).
PATCH_PX = 5
"""The width of each of the five patches in which a stone's colour is measured, in pixels of `rectify_input`."""
PATCH_OFFSET_PX = 3
"""The offset of the four outer patches from a point's middle, in pixels both ways: all lie on a stone slightly
aside.
"""
GAP_PX = 3
"""The width of the wood patch between four points, which no stone covers."""
MIN_REFLECTANCE = 0.003
"""Added to a channel's reflectance (1 is white), so that noise in the dark counts for little."""


@dataclass(frozen=True, eq=False)
class ColourSamples:
    """The net's answer and the colour samples of one picture.

    `answer`: the net's probabilities, shape (size, size, 4).
    `ratios`: of every point's five patches to the wood beside it, shape (size, size, 5, 3).
    `outside`: points beyond the picture's edge.
    """

    answer: Floats
    ratios: Ratios
    outside: npt.NDArray[np.bool_]

    @property
    def stone(self) -> Floats:
        """Return the probability of a stone on each point, shape (size, size)."""
        return np.asarray(1 - self.answer[..., EMPTY] - self.answer[..., HIDDEN] / CONTENTS)


def sample_colours(image: Image, grid: Grid) -> ColourSamples:
    """Return the net's answer and the colour samples for all points of a board."""
    board = rectify_input(image, grid)
    return ColourSamples(
        default_reader().answer(board, grid.size)[0],
        _measure_ratios(board, grid.size),
        find_points_outside(grid, image.shape),
    )


def _measure_ratios(board: Image, size: int) -> Ratios:
    light = np.log((board.astype(np.float32) / 255) ** 2 + MIN_REFLECTANCE)
    patches = cv2.blur(light, (PATCH_PX, PATCH_PX))
    first = (CELLS - size) // 2 * CELL + CELL // 2
    middles = first + CELL * np.arange(size)
    steps = (
        (0, 0),
        (-PATCH_OFFSET_PX, -PATCH_OFFSET_PX),
        (-PATCH_OFFSET_PX, PATCH_OFFSET_PX),
        (PATCH_OFFSET_PX, -PATCH_OFFSET_PX),
        (PATCH_OFFSET_PX, PATCH_OFFSET_PX),
    )
    samples = np.stack([patches[np.ix_(middles + down, middles + across)] for down, across in steps], axis=2)
    return np.asarray(samples - _measure_wood(light, middles)[:, :, None], np.float64)


def _measure_wood(light: Floats, middles: npt.NDArray[np.int64]) -> Floats:
    """Return the wood's light around each point, shape (size, size, 3): between the points, where no stone lies."""
    gaps = middles[:-1] + CELL // 2
    gap_light = cv2.blur(light, (GAP_PX, GAP_PX))[np.ix_(gaps, gaps)]
    padded_light = cv2.copyMakeBorder(gap_light, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    smooth_light = cv2.merge([cv2.medianBlur(np.ascontiguousarray(padded_light[..., k]), 5) for k in range(3)])
    return np.asarray(
        (smooth_light[:-1, :-1] + smooth_light[1:, :-1] + smooth_light[:-1, 1:] + smooth_light[1:, 1:]) / 4, np.float32
    )


class ColourReader:
    """A reader of stones by their enrolled colours. `last_samples`: the samples of its last reading."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.last_samples: ColourSamples | None = None

    def read(self, image: Image, grid: Grid) -> Floats:
        """Return the probabilities of empty and of each player's stones, shape (size, size, 1 + players).

        If something may hide a point, or it lies outside the picture, all contents are equally likely.
        """
        self.last_samples = samples = sample_colours(image, grid)
        chances = self.palette.stone_probabilities(samples.ratios, samples.stone)
        hidden = samples.answer[..., HIDDEN, None]
        chances = np.where(hidden > MAYBE, chances * (1 - hidden) + hidden / chances.shape[-1], chances)
        chances[samples.outside] = 1 / chances.shape[-1]
        return np.asarray(chances, np.float32)
