"""Random decoys, placed where there is room beside board and dishes."""

from __future__ import annotations

import numpy as np

from vision.render.looks import WOODS, any_colour, jitter_colour
from vision.training.traced.scene import Surface, Thing, TracedTable

ROOM = {"cup": (75, 95), "saucer": (110, 150), "phone": (68, 78), "clock": (140, 190), "paper": (148, 210)}
"""Smallest and largest width of each kind of decoy on the table, in mm."""

FIELD_ROOM = 130.0
"""Radius around a prisoner field that is left free."""


def place_decoys(table: TracedTable, rng: np.random.Generator) -> tuple[Thing, ...]:
    """Return none to three things on the table, sometimes a neighbour's board, an arm, or knees at its edge."""
    occupied = [(dish.x, dish.y, dish.radius * 1.1) for dish in (*table.lids, *table.bowls)]
    occupied += [(field.x, field.y, FIELD_ROOM) for field in table.fields]
    things: list[Thing] = []
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.35, 0.3, 0.2, 0.15]))):
        kind = list(ROOM)[int(rng.integers(len(ROOM)))]
        wide = rng.uniform(*ROOM[kind])
        spot = _find_free_place(table, occupied, wide * (1.05 if kind in ("phone", "paper") else 0.65), rng)
        if spot is not None:
            occupied.append((*spot, wide))
            things.append(Thing(kind, *spot, rng.uniform(0, 6.3), wide, _pick_surface(kind, rng)))
    return (*things, *_rare_things(table, rng))


def _find_free_place(
    table: TracedTable, occupied: list[tuple[float, float, float]], reach: float, rng: np.random.Generator
) -> tuple[float, float] | None:
    """Return a free place on the table, or None."""
    x, y = table.goban.half_board
    far = np.minimum(np.array(table.table_half) - reach * 0.6, (x + 330, y + 200))
    for spot in rng.uniform(-1, 1, (60, 2)) * np.maximum(far, 1):
        is_beside = abs(spot[0]) > x + reach or abs(spot[1]) > y + reach
        if is_beside and all(np.hypot(spot[0] - a, spot[1] - b) > r + reach for a, b, r in occupied):
            return float(spot[0]), float(spot[1])
    return None


def _pick_surface(kind: str, rng: np.random.Generator) -> Surface:
    if kind == "paper":
        return Surface((0.8, 0.82, 0.82), 0.9)
    if kind in ("cup", "saucer") and rng.random() < 0.7:
        return Surface((0.72, 0.76, 0.78), 0.1)
    return Surface(any_colour(rng), rng.uniform(0.1, 0.6))


def _rare_things(table: TracedTable, rng: np.random.Generator) -> list[Thing]:
    things, (x, y) = [], table.goban.half_board
    if rng.random() < 0.12:
        wood = Surface(jitter_colour(rng, WOODS[int(rng.integers(7))][0], 0.1), 0.5)
        way = float(rng.choice([-1, 1]))
        room = [dish.radius * 2.2 + 40 for dish in table.lids] + [2 * FIELD_ROOM for _ in table.fields]
        distance = x + 230 + max(room)
        things.append(Thing("board", way * distance, rng.uniform(-0.3, 0.3) * y, rng.normal(0, 0.03), 450.0, wood))
    if rng.random() < 0.12:
        things.append(an_arm(table, rng))
    if rng.random() < 0.3:
        edge = table.table_half[1] + 60
        if edge < 900:
            things.append(
                Thing("knee", rng.uniform(-80, 80), edge * float(rng.choice([-1, 1])), 0.0, 300.0, _pick_cloth(rng))
            )
    return things


def an_arm(table: TracedTable, rng: np.random.Generator) -> Thing:
    """Return a sleeve with its hand somewhere over the board."""
    spot = rng.uniform(-0.8, 0.8, 2) * table.goban.half_board
    turn = float(rng.choice([-1, 1])) * np.pi / 2 + rng.normal(0, 0.4)
    return Thing("arm", float(spot[0]), float(spot[1]), float(turn), rng.uniform(75, 100), _pick_cloth(rng))


def _pick_cloth(rng: np.random.Generator) -> Surface:
    return Surface(any_colour(rng), 0.95)
