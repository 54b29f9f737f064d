from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.game.board import Colour
from tests.support.tiers import sample
from tests.support.vision.tables import EMPTY, plain, plain_table
from vision.render.looks import club_look
from vision.render.scene import LID_FLOOR, LID_STONE, LidKind, LidStone, Scene, free_place, lid_stone, spread_stone
from vision.render.table import Table
from vision.training.drawn_lids import (
    LEANING,
    a_cup,
    aim_at_lid,
    any_lids,
    draw_lid,
    hand_over,
    random_lid,
    thrown_lid,
)
from vision.training.drawn_looks import random_look

KINDS = (LidKind(), LidKind(corner=6.0, turn=0.7, wide=0.9), LidKind(stretch=1.4, turn=1.1), LidKind(wide=1.2))


def gaps(stones: tuple[LidStone, ...], layer: int = 0) -> np.ndarray:
    at = np.array([(stone.x, stone.y) for stone in stones if stone.layer == layer])
    apart = np.linalg.norm(at[:, None] - at[None], axis=-1)
    return apart[np.triu_indices(len(at), 1)]


def fill_dish(count: int, seed: int = 1) -> tuple[LidStone, ...]:
    rng = np.random.default_rng(seed)
    stones: tuple[LidStone, ...] = ()
    for _ in range(count):
        stones = (*stones, lid_stone(stones, Colour.WHITE, rng))
    return stones


@pytest.mark.parametrize("seed", sample(range(5), 2))
def test_prisoners_of_one_layer_lie_side_by_side_on_the_floor(seed: int) -> None:
    stones = fill_dish(8, seed)
    assert all(stone.layer == 0 for stone in stones)
    assert gaps(stones).min() > 2 * LID_STONE
    assert max(np.hypot(stone.x, stone.y) for stone in stones) <= LID_FLOOR - LID_STONE + 1e-9


def test_a_full_floor_is_piled_upon() -> None:
    stones = fill_dish(24)
    floor, upper = [s for s in stones if s.layer == 0], [s for s in stones if s.layer == 1]
    assert len(floor) >= 9 and upper
    assert gaps(stones).min() > 2 * LID_STONE


def test_adding_a_prisoner_leaves_the_others_where_they_are() -> None:
    table, few = plain_table(), fill_dish(5)
    more = (*few, lid_stone(few, Colour.BLACK, np.random.default_rng(3)))
    assert more[:5] == few
    before, after = (table.draw(Scene(EMPTY.rows, (stones, ()))) for stones in (few, more))
    changed = np.argwhere((before.pixels != after.pixels).any(axis=-1))
    box = after.truth.lids[0].box
    assert len(changed) and np.ptp(changed, axis=0).max() < 0.7 * box.w
    assert (before.truth.lids[0].black, after.truth.lids[0].black) == (0, 1)


def test_stones_that_are_spread_lie_apart_and_off_the_wall() -> None:
    for seed in range(20):
        rng, stones = np.random.default_rng(seed), ()
        for _ in range(4):
            stones = (*stones, spread_stone(stones, Colour.BLACK, rng))
        places = np.array([[stone.x, stone.y] for stone in stones])
        gaps = np.linalg.norm(places[:, None] - places, axis=-1)[np.triu_indices(4, 1)]
        assert gaps.min() > 2.02 * LID_STONE
        assert np.linalg.norm(places, axis=-1).max() < LID_FLOOR - 1.5 * LID_STONE


def test_where_there_is_no_room_to_spread_them_stones_lie_as_they_may() -> None:
    rng, stones = np.random.default_rng(1), ()
    for _ in range(20):
        stones = (*stones, spread_stone(stones, Colour.BLACK, rng))
    assert {stone.layer for stone in stones} == {0, 1}


def test_prisoners_are_seen_inside_their_lid() -> None:
    table, stones = plain_table(), fill_dish(6)
    bare, full = table.draw(EMPTY), table.draw(Scene(EMPTY.rows, ((), stones)))
    changed = np.argwhere((bare.pixels != full.pixels).any(axis=-1))
    box = full.truth.lids[1].box
    (top, left), (bottom, right) = changed.min(axis=0), changed.max(axis=0)
    assert box.x < left and box.y < top and right < box.x + box.w and bottom < box.y + box.h
    assert full.truth.lids[1].white == 6 and not full.truth.lids[1].overlap


def test_free_place_is_free() -> None:
    stones = fill_dish(6)
    x, y = free_place(stones, np.random.default_rng(2))
    assert min(np.hypot(stone.x - x, stone.y - y) for stone in stones) > 2 * LID_STONE


def test_two_layers_overlap_and_are_told() -> None:
    rng = np.random.default_rng(4)
    pile = random_lid(rng, 5, 6, 2)
    assert {stone.layer for stone in pile} == {0, 1}
    _, truth = draw_lid(pile, club_look(1, 19, 1280, 720), 160, rng)
    assert (truth.black, truth.white, truth.overlap) == (5, 6, True)


@pytest.mark.parametrize("seed", sample(range(6), 2))
def test_a_lid_in_close_up_fills_most_of_its_picture(seed: int) -> None:
    rng = np.random.default_rng(seed)
    look = random_look(rng, 13, 1280, 720)
    pixels, truth = draw_lid(random_lid(rng, 2, 3), look, 160, rng)
    assert pixels.shape == (160, 160, 3)
    assert 0.55 * 160 < max(truth.box.w, truth.box.h) < 1.1 * 160
    middle = truth.box.x + truth.box.w / 2, truth.box.y + truth.box.h / 2
    assert max(abs(middle[0] - 80), abs(middle[1] - 80)) < 30


def test_the_point_of_a_lid_is_its_middle() -> None:
    table = plain_table()
    for side in (0, 1):
        x, y = table.view.grid.to_pixels(np.array([table.lid_point(side)]))[0]
        box = table.draw(EMPTY).truth.lids[side].box
        assert box.x < x < box.x + box.w and box.y < y < box.y + box.h


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("manner", ["apart", "touching"])
def test_a_few_prisoners_lie_side_by_side_on_a_floor_of_any_shape(kind: LidKind, manner: str) -> None:
    stones = thrown_lid(np.random.default_rng(5), 3, 3, kind, manner)
    out = kind.radial_distance(np.array([stone.x for stone in stones]), np.array([stone.y for stone in stones]))
    assert all(stone.layer == 0 for stone in stones) and out.max() < kind.floor
    assert gaps(stones).min() >= 2 * LID_STONE / kind.wide - 1e-9


def test_touching_prisoners_lie_nearer_than_those_apart() -> None:
    near, far = (
        np.median([gaps(thrown_lid(np.random.default_rng(seed), 2, 2, LidKind(), manner)).min() for seed in range(20)])
        for manner in ("touching", "apart")
    )
    assert near < far


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_forty_prisoners_make_a_pile_of_a_few_layers(kind: LidKind) -> None:
    stones = thrown_lid(np.random.default_rng(6), 19, 21, kind, "piled")
    assert len(stones) == 40 and 2 <= max(stone.layer for stone in stones) <= 7
    for layer in range(3):
        assert gaps(stones, layer).min() > 1.9 * LID_STONE / kind.wide


@pytest.mark.parametrize("seed", sample(range(4), 2))
def test_lids_of_any_build_are_drawn_with_their_stones_inside(seed: int) -> None:
    rng = np.random.default_rng([seed, 3])
    look = any_lids(plain(random_look(rng, 9, 1280, 720)), rng)
    table = Table(aim_at_lid(look, 0, 200, 0.7, np.zeros(2)))
    stones = thrown_lid(rng, 2, 2, look.lid_kind, "apart")
    bare, full = (table.draw(Scene((".........",) * 9, (lid, ()))) for lid in ((), stones))
    changed = np.argwhere((bare.pixels != full.pixels).any(axis=-1))
    box = full.truth.lids[0].box
    (top, left), (bottom, right) = changed.min(axis=0), changed.max(axis=0)
    assert box.x < left and box.y < top and right < box.x + box.w and bottom < box.y + box.h


def test_a_hand_over_a_lid_reaches_it() -> None:
    table, rng = plain_table(), np.random.default_rng(2)
    box = table.draw(EMPTY).truth.lids[1].box
    inside = np.s_[int(box.y) : int(box.y + box.h), int(box.x) : int(box.x + box.w)]
    bare = table.draw(EMPTY).pixels[inside]
    handed = [table.draw(Scene(EMPTY.rows, hand=hand_over(table, 1, rng))).pixels[inside] for _ in range(8)]
    assert sum((picture != bare).any(axis=-1).mean() > 0.05 for picture in handed) >= 5


def test_no_thrown_stone_stays_balanced_just_above_another() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        stones = thrown_lid(rng, 3, 3, LidKind(), "piled")
        apart = [np.hypot(a.x - b.x, a.y - b.y) for k, a in enumerate(stones) for b in stones[:k]]
        assert min(apart) > LEANING * 2 * LID_STONE - 1e-9


def test_the_table_is_seen_through_a_clear_dish() -> None:
    look = replace(plain_table().look, lid_colours=((0.01, 0.01, 0.01),) * 2)
    bare, dim, clear = (
        Table(one).draw(EMPTY).pixels.astype(int)
        for one in (replace(look, lids_shown=False), look, replace(look, lid_kind=LidKind(clear=0.99)))
    )
    x, y = (round(at) for at in Table.lid_box(look, 0).middle())
    middle = np.s_[y - 9 : y + 9, x - 9 : x + 9]
    assert np.abs(clear[middle] - bare[middle]).mean() < 0.25 * np.abs(dim[middle] - bare[middle]).mean()


@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_a_cup_is_taller_than_a_lid_and_filled(seed: int) -> None:
    kind = a_cup(np.random.default_rng(seed))
    table = Table(replace(plain_table().look, lid_kind=kind))
    lid = Table.lid_box(plain_table().look, 0)
    assert table.lid_box(table.look, 0).h > 0.6 * lid.h and kind.filled is not None and kind.high > 2
