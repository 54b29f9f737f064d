"""A drawn table that can be photographed: it keeps everything that does not change between scenes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.calibration.model import Box
from vision.render.compose import Canvas, Item, lay_sprite
from vision.render.dish import Dish, bounding_box, bowl_dishes, lid_dishes, paint_dish, with_field_cards
from vision.render.ground import draw_background, exposure_factor, glare_field, light_field
from vision.render.hands import find_fingertips, hidden_points, lay_hand, paint_hand
from vision.render.placement import Places
from vision.render.scene import Appearance, Glow, Hand, LidStone, LooseStone, Scene
from vision.render.sensor import Finisher
from vision.render.stones import PlacedStone, Sprite, encode_light, render_stones
from vision.render.truth import LidTruth, Picture, Truth
from vision.render.view import Pixels, View, pixel_mesh

BESIDE = (1.3, 1.75)
"""Range of the distance between a lid's middle and a stone beside it, in the lid's radii."""
TRIES = 400
CLEAR = 0.7
"""Distance that such a stone keeps from the board and from the picture's edge, in cells."""
MOST_SPRITES = 4000
"""Size of the sprite cache: a board needs 1444 at most, but prisoners never lie in the same place twice."""


class Table:
    """A table of one look. Drawing the same scene and frame again gives the same picture."""

    def __init__(self, look: Appearance) -> None:
        self.look = look = with_field_cards(look)
        self.view = View(look)
        self._field = light_field(self.view)
        self._finish = Finisher(look)
        half = self.view.board_half() + look.wood.margin
        self._lids = lid_dishes(look, half)
        self._places = Places(look)
        self._sprites: dict[PlacedStone, Sprite] = {}
        self._canvas = Canvas(self._draw_background(half))

    def draw(self, scene: Scene, frame: int = 0) -> Picture:
        """Draw the scene as photographed; frame picks the noise alone. Raises ValueError for rows of another size."""
        size = self.look.size
        if len(scene.rows) != size or any(len(row) != size for row in scene.rows):
            raise ValueError(f"the rows must be {size} strings of {size} characters")
        pixels = self._canvas.show_items(self._list_items(scene))
        pixels = lay_rim(self.view, pixels, scene.rim) if scene.rim else pixels
        pixels, hidden_mask = self._add_hand(pixels, scene.hand)
        offsets = self._places.find_offsets(scene.rows, scene.nudges) / np.array([1.0, self.look.aspect])
        truth = Truth(self.view.grid, scene.rows, self._lid_truths(scene), hidden_mask, offsets)
        return Picture(self._finish(pixels, frame), truth)

    def lid_point(self, side: int) -> tuple[float, float]:
        """Return the middle of the lid of side 0 or 1 in board coordinates (0 to 1 between the outer lines)."""
        half, lid = self.view.board_half(), self._lids[side]
        return float(lid.x / half[0] + 1) / 2, float(lid.y / half[1] + 1) / 2

    def beside_lid(self, side: int, colour: Colour, rng: np.random.Generator) -> LooseStone:
        """Place a stone on the table beside the lid of side 0 or 1, in the picture, on neither board nor other lid."""
        lid, other = self._lids[side], self._lids[1 - side]
        half = self.view.board_half() + self.look.wood.margin
        distances, turn = lid.radius * rng.uniform(*BESIDE, TRIES), rng.uniform(0, 2 * np.pi, TRIES)
        x, y = lid.x + distances * np.cos(turn), lid.y + distances * np.sin(turn)
        on_board = (abs(x) < half[0] + CLEAR) & (abs(y) < half[1] + CLEAR)
        is_near = np.hypot(x - other.x, y - other.y) < BESIDE[0] * other.radius
        pixels = self.view.project_points(np.stack([x, y, np.full(TRIES, -self.look.wood.thickness)], axis=-1))
        edge = self.view.grid.cell() * CLEAR
        inside = ((pixels > edge) & (pixels < np.array([self.look.width, self.look.height]) - edge)).all(axis=1)
        best = int(np.argmax(~on_board & ~is_near & inside))
        return LooseStone(float(x[best]), float(y[best]), colour)

    def board_point(self, stone: LooseStone) -> tuple[float, float]:
        """Return the position of a stone on the table in board coordinates."""
        half = self.view.board_half()
        return float(stone.x / half[0] + 1) / 2, float(stone.y / half[1] + 1) / 2

    def prisoner_middles(self, side: int, stones: Sequence[LidStone]) -> np.ndarray:
        """Return the middles of prisoners in the lid of side 0 or 1 in the world, in cells, shape (n, 3)."""
        placed_stones = [self._place_prisoner(self._lids[side], stone) for stone in stones]
        return np.array([[stone.x, stone.y, stone.z + self.look.flatness / 2] for stone in placed_stones]).reshape(
            -1, 3
        )

    @staticmethod
    def lid_box(look: Appearance, side: int) -> Box:
        """Return the box of one lid in the look's pictures, without drawing any."""
        view = View(look)
        return bounding_box(view, lid_dishes(look, view.board_half() + look.wood.margin)[side])

    def bowl_boxes(self) -> tuple[Box, ...]:
        """Return the boxes of the supply bowls, none if the look shows none."""
        half = self.view.board_half() + self.look.wood.margin
        return tuple(bounding_box(self.view, bowl) for bowl in bowl_dishes(self.look, half, self._lids))

    def _draw_background(self, half: np.ndarray) -> np.ndarray:
        pixels = draw_background(self.view, self._field, glare_field(self.view))
        bowls = bowl_dishes(self.look, half, self._lids)
        for dish in (*bowls, *(self._lids if self.look.lids_shown and not self.look.fields else ())):
            paint_dish(self.view, pixels, dish, self._field, self.look.seed)
        canvas = Canvas(pixels)
        stock = [
            (stone, 0)
            for bowl, colour in zip(bowls, (Colour.BLACK, Colour.WHITE), strict=False)
            for stone in self._fill_bowl(bowl, colour)
        ]
        return canvas.show_items(self._draw_items(stock))

    def _fill_bowl(self, bowl: Dish, colour: Colour) -> list[PlacedStone]:
        """Return the visible stones of a full bowl."""
        rng = np.random.default_rng([self.look.seed, 7, colour is Colour.BLACK])
        distances = bowl.opening * 0.86 * np.sqrt(rng.uniform(0, 1, 45))
        turn = rng.uniform(0, 2 * np.pi, 45)
        high = np.sort(rng.uniform(0, 0.8, 45)) + bowl.floor - self.look.wood.thickness - 0.5
        x, y = bowl.x + bowl.radius * distances * np.cos(turn), bowl.y + bowl.radius * distances * np.sin(turn)
        return [
            PlacedStone(float(x[i]), float(y[i]), float(high[i]), colour, int(rng.integers(10**6))) for i in range(45)
        ]

    def _add_hand(self, pixels: Pixels, hand: Hand | None) -> tuple[Pixels, npt.NDArray[np.bool_]]:
        """Return the picture with the hand over it, and the points it hides."""
        painted_hand = paint_hand(self.view, hand, self._field) if hand else None
        if hand is None or painted_hand is None:
            return pixels, np.zeros((self.look.size, self.look.size), bool)
        if hand.holding is not None:
            held_stone = PlacedStone(*find_fingertips(self.view, hand), hand.holding, 0)
            pixels = lay_sprite(pixels, render_stones(self.view, [held_stone], self._light_on([held_stone]))[0])
        return lay_hand(pixels, painted_hand), hidden_points(self.view, painted_hand)

    def _list_items(self, scene: Scene) -> list[Item]:
        stones = [(stone, 0) for stone in self._places.place_stones(scene.rows, scene.nudges)]
        if self.look.lids_shown:
            stones += [
                (self._place_prisoner(dish, stone), stone.layer)
                for dish, prisoners in zip(self._lids, scene.lids, strict=True)
                for stone in prisoners
            ]
        stones += [(self._place_loose(stone), stone.layer) for stone in scene.loose]
        eye = self.view.eye
        stones.sort(key=lambda entry: -((entry[0].x - eye[0]) ** 2 + (entry[0].y - eye[1]) ** 2))
        return self._draw_items(stones)

    def _place_prisoner(self, dish: Dish, stone: LidStone) -> PlacedStone:
        high = -self.look.wood.thickness + dish.floor + 0.02 + 0.75 * self.look.flatness * stone.layer
        seed = int(abs(stone.x * 7919 + stone.y * 104729) * 1000) % 10**6
        return PlacedStone(dish.x + stone.x * dish.radius, dish.y + stone.y * dish.radius, high, stone.colour, seed)

    def _place_loose(self, stone: LooseStone) -> PlacedStone:
        high = -self.look.wood.thickness + 0.02 + 0.75 * self.look.flatness * stone.layer
        return PlacedStone(stone.x, stone.y, high, stone.colour, round(abs(stone.x) * 7919))

    def _draw_items(self, stones: Sequence[tuple[PlacedStone, int]]) -> list[Item]:
        if len(self._sprites) > MOST_SPRITES:
            self._sprites.clear()
        missing = [stone for stone, _ in stones if stone not in self._sprites]
        if missing:
            self._sprites.update(zip(missing, render_stones(self.view, missing, self._light_on(missing)), strict=True))
        return [Item(stone, layer, self._sprites[stone]) for stone, layer in stones]

    def _light_on(self, stones: Sequence[PlacedStone]) -> np.ndarray:
        pixels = np.rint(self.view.project_points([[s.x, s.y, s.z] for s in stones])).astype(int)
        x, y = np.clip(pixels[:, 0], 0, self.look.width - 1), np.clip(pixels[:, 1], 0, self.look.height - 1)
        return np.asarray(self._field[y, x, None] * exposure_factor(self.look), np.float32)

    def _lid_truths(self, scene: Scene) -> tuple[LidTruth, LidTruth]:
        one, two = (
            LidTruth(
                bounding_box(self.view, dish),
                sum(stone.colour is Colour.BLACK for stone in stones),
                sum(stone.colour is Colour.WHITE for stone in stones),
                any(stone.layer for stone in stones),
            )
            for dish, stones in zip(self._lids, scene.lids, strict=True)
        )
        return one, two


FULL = 60.0
"""Brightness of a light at full power, relative to a white surface."""
RIM_BESIDE = 0.25
"""Distance of a light from the board's edge, in cells."""
SPREAD = ((0.12, 1.0), (0.35, 0.01), (1.2, 0.001))
"""Width (in cells) and strength of a light's window, of its halo and of the veil round it."""
REACH = 3.0
"""Radius to which a light is drawn, in cells."""
_LINEAR = (np.arange(256, dtype=np.float32) / encode_light(np.ones(1, np.float32))) ** 2
"""Linear light of each of a picture's 256 levels."""


def lay_rim(view: View, pixels: Pixels, glows: Iterable[Glow]) -> Pixels:
    """Return a copy of the picture with these lights lit."""
    copy = pixels.copy()
    for glow in glows:
        _lay_glow(view, copy, glow)
    return copy


def _lay_glow(view: View, pixels: Pixels, glow: Glow) -> None:
    place = np.array([*_glow_place(view, glow), 0.0])
    (x, y), scale = view.project_points(place), view.scale_at(place)
    reach = REACH * scale
    left, top = max(int(x - reach), 0), max(int(y - reach), 0)
    right, bottom = min(int(x + reach) + 1, view.width), min(int(y + reach) + 1, view.height)
    if right <= left or bottom <= top:
        return
    across, down = pixel_mesh(left, top, right - left, bottom - top)
    distance = ((across - x) ** 2 + (down - y) ** 2) / scale**2
    light = sum(strength * np.exp(-distance / (2 * wide * wide)) for wide, strength in SPREAD)
    part = pixels[top:bottom, left:right]
    light_sum = _LINEAR[part] + np.asarray(FULL * light, np.float32)[..., None] * np.array(glow.colour, np.float32)
    part[:] = np.asarray(encode_light(light_sum) + 0.5, np.uint8)


def _glow_place(view: View, glow: Glow) -> tuple[float, float]:
    """Return the light's position in cells from the board's middle."""
    half, edge = view.board_half(), view.board_half() + view.look.wood.margin + RIM_BESIDE
    if glow.side in ("top", "bottom"):
        return float((2 * glow.along - 1) * half[0]), float(edge[1] if glow.side == "bottom" else -edge[1])
    return float(edge[0] if glow.side == "right" else -edge[0]), float((2 * glow.along - 1) * half[1])
