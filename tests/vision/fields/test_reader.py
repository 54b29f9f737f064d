"""Prisoner fields: each circle is read as it is, and what cannot be counted is told."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest

from referee import Observation
from referee.codec.events import observation_from_json, observation_to_json
from referee.rules.ruling_messages import FIELD_FAULTS, uncountable_lid_message
from tests.benchmarks.fields import club_picture
from tests.benchmarks.parts.fields import FAULTS, LIGHTS, fielded
from tests.support.tiers import is_long_run, sample
from tests.vision.flat_fields import BLACK, DENSITY, GRID, WHITE, FlatFields, empty_card, fill_fields
from vision.board.field_positions import find_fields, view_field
from vision.board.lid_positions import place_fields, place_lids
from vision.calibration.field_layout import CARD, LARGE, LAYOUTS
from vision.calibration.model import Box, Calibration, PrisonerField, parse_calibration
from vision.camera.frame import Image
from vision.cost import counting_cost
from vision.fields.reader import FieldFault, read_field, read_prisoners
from vision.lids.count import LidReading
from vision.tracking.overlay import draw_calibration
from vision.tracking.reading import read_frame, to_lid_sight
from web.language import ENGLISH


@pytest.mark.parametrize(
    ("layout", "side"),
    sample([pytest.param(layout, side, id=f"{layout.name}-{side}") for layout in LAYOUTS for side in (0, 1)], 2),
)
def test_every_circle_is_read_as_it_is_and_the_markers_tell_the_side(layout, side):
    flat, contents = fill_fields(layout, 3, side)
    picture = flat.picture()
    views = find_fields(picture, GRID)
    assert set(views) == {side} and views[side].layout == layout
    field = read_field(picture, views[side])
    assert field.contents == contents and field.fault is None


@pytest.mark.parametrize("light", [0.12, 0.4])
def test_dim_light_changes_nothing_until_ink_and_paper_are_alike(light):
    flat, contents = fill_fields(CARD, 4)
    picture, place = flat.picture(light), empty_card()[1]
    view = view_field(picture, GRID, place)
    assert view is not None and read_field(picture, view).contents == contents
    view = view_field(flat.picture(0.05), GRID, place)
    assert view is not None and read_field(flat.picture(0.05), view).fault is FieldFault.DARK


@pytest.mark.parametrize("share", sample([0.38, 0.45, 0.5], 1))
def test_white_stones_in_a_hard_shadow_are_not_surely_black(share):
    flat, contents = fill_fields(CARD, 4)
    view = view_field(flat.picture(), GRID, empty_card()[1])
    assert view is not None
    for column in range(60, 640, 60 if is_long_run() else 180):
        picture = flat.picture().astype(np.float32)
        picture[:, column:660] *= share
        read = read_field(picture.astype(np.uint8), view)
        assert read.contents == contents or read.fault is not None, column


@pytest.mark.parametrize("share", [0.3, 0.4])
def test_a_shadow_across_a_marker_hides_no_field(share):
    picture = FlatFields(stones=[(0, CARD.places[7], BLACK)]).picture().astype(np.float32)
    edge, _ = FlatFields().at(0, (80.0, 0.0))
    picture[:, edge:880] *= share
    dark = picture.astype(np.uint8)
    view = find_fields(dark, GRID)[0]
    read = read_field(dark, view)
    assert read.fault is None and read.colour_counts() == (1, 0)


def cast_shadows(flat: FlatFields, by: tuple[float, float], left: float) -> Image:
    """Return a field whose stones cast shadows that lie so far off them, in mm, and leave that share of the light."""
    lit, shaded = replace(flat, stones=[]).picture().astype(np.float32), np.zeros((960, 1600), np.uint8)
    for _, (x, y), _ in flat.stones:
        for part in np.linspace(0, 1, 9):
            cv2.circle(shaded, flat.at(0, (x + part * by[0], y + part * by[1])), 11 * DENSITY, 1, -1)
    dark = np.where(cv2.GaussianBlur(shaded, (0, 0), 1.2)[..., None] > 0, lit * left, lit).astype(np.uint8)
    for _, place, colour in flat.stones:
        cv2.circle(dark, flat.at(0, place), 11 * DENSITY, (14 if colour is BLACK else 235,) * 3, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(dark, (0, 0), 1.2)


@pytest.mark.parametrize("by", [(10.0, 4.0), (-4.0, 10.0), (-8.0, -8.0)])
def test_stones_own_hard_shadows_are_no_second_stones(by):
    flat = FlatFields(stones=[(0, CARD.places[k], BLACK) for k in (6, 12, 13, 23)])
    picture = cast_shadows(flat, by, 0.3)
    view = view_field(picture, GRID, empty_card()[1])
    assert view is not None
    read = read_field(picture, view)
    assert read.fault is None and read.colour_counts() == (4, 0)


@pytest.mark.parametrize("by", [(10.0, 4.0), (-4.0, 10.0), (-8.0, -8.0)])
def test_a_second_stone_in_the_first_one_s_shadow_is_told(by):
    x, y = CARD.places[12]
    flat = FlatFields(
        stones=[(0, CARD.places[k], BLACK) for k in (6, 12, 23)] + [(0, (x + 1.3 * by[0], y + 1.3 * by[1]), BLACK)]
    )
    picture = cast_shadows(flat, by, 0.3)
    view = view_field(picture, GRID, empty_card()[1])
    assert view is not None and read_field(picture, view).fault is not None


def test_print_is_matched_in_shadows_at_half_its_size():
    flat = FlatFields(stones=[(0, CARD.places[k], BLACK) for k in (6, 12, 13, 23)])
    picture = cast_shadows(flat, (10.0, 4.0), 0.3)
    view = view_field(picture, GRID, empty_card()[1])
    assert view is not None
    read_field(picture, view)
    with counting_cost() as cost:
        read_field(picture, view)
    assert cost.bytes_touched <= 30_000_000


def fault_of(flat: FlatFields) -> tuple[str | None, tuple[int, int] | None]:
    read = read_prisoners(flat.picture(), GRID, empty_card()[1])
    assert read.sure == (read.fault is None)
    return read.fault, read.circle


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_stone_amid_two_circles_lies_beside_them(colour):
    (x, y), (u, v) = CARD.places[7], CARD.places[8]
    fault, circle = fault_of(FlatFields(stones=[(0, ((x + u) / 2, (y + v) / 2), colour)]))
    assert fault == FieldFault.BESIDE and circle in ((2, 3), (2, 4))


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_stone_on_the_bars_lies_beside_the_circles(colour):
    fault, _ = fault_of(FlatFields(stones=[(0, (82.5, 49.0), colour)]))
    assert fault in (FieldFault.BESIDE, FieldFault.TWO)


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_second_stone_that_leans_on_the_first_is_told_with_its_circle(colour):
    x, y = CARD.places[12]
    fault, circle = fault_of(FlatFields(stones=[(0, (x, y), colour), (0, (x + 13.0, y + 3.0), colour)]))
    assert fault in (FieldFault.TWO, FieldFault.BESIDE, FieldFault.UNCLEAR) and circle in ((3, 3), (3, 4))


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_more_stones_than_circles_are_told(colour):
    (x, y), full = CARD.places[12], [(0, place, BLACK) for place in CARD.places]
    fault, _ = fault_of(FlatFields(stones=[*full, (0, (x + 12.0, y + 12.0), colour)]))
    assert fault is not None


@pytest.mark.parametrize(("off", "colour"), sample(product([(12.0, 0.0), (0.0, -12.0), (8.5, 8.5)], [BLACK, WHITE]), 3))
def test_a_second_stone_amid_stones_of_its_colour_is_told(off, colour):
    x, y = CARD.places[12]
    fault, circle = fault_of(
        FlatFields(stones=[*((0, at, colour) for at in CARD.places[:-1]), (0, (x + off[0], y + off[1]), colour)])
    )
    assert fault in (FieldFault.TWO, FieldFault.BESIDE) and circle is not None
    assert abs(circle[0] - 3) <= 1 and abs(circle[1] - 3) <= 1


@pytest.mark.parametrize("blur", [1.5, 2.0])
def test_a_blurred_field_is_read_as_its_markers_are(blur):
    flat, contents = fill_fields(CARD, 6)
    picture = cv2.GaussianBlur(flat.picture(), (0, 0), blur * DENSITY)
    view = view_field(picture, GRID, empty_card()[1])
    assert view is not None
    field = read_field(picture, view)
    assert field.fault is None and field.contents == contents


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_stone_on_a_marker_hides_the_field(colour):
    assert fault_of(FlatFields(stones=[(0, CARD.markers[0], colour)])) == (FieldFault.HIDDEN, None)


def test_fields_are_the_lids_of_a_table_in_the_order_of_their_sides():
    flat = FlatFields(
        CARD, (1, 0), [(0, CARD.places[3], BLACK), (1, CARD.places[4], WHITE), (1, CARD.places[9], WHITE)]
    )
    picture = flat.picture()
    lids = place_lids(picture, GRID)
    assert [isinstance(lid, PrisonerField) and lid.side for lid in lids] == [0, 1]
    read = read_frame(picture, GRID, lids)
    assert [(lid.black, lid.white, lid.sure) for lid in read.lids] == [(0, 2, True), (1, 0, True)]


def test_a_calibration_keeps_fields_beside_the_lids_boxes():
    lids = place_lids(FlatFields(CARD, (0, 1)).picture(), GRID)
    read_back = parse_calibration(Calibration(GRID, lids).to_json())
    for lid, again in zip(lids, read_back.lids, strict=True):
        assert isinstance(again, PrisonerField) and isinstance(lid, PrisonerField)
        assert (again.kind, again.side) == (lid.kind, lid.side)
        assert np.abs(np.subtract(again.corners, lid.corners)).max() < 0.06


def test_a_box_that_a_person_draws_around_a_field_is_that_field():
    (picture, field_box) = empty_card()
    around, elsewhere = (
        Box(field_box.x - 9, field_box.y - 9, field_box.w + 18, field_box.h + 18),
        Box(900.0, 700.0, 90.0, 90.0),
    )
    field, plain = place_fields(picture, GRID, (around, elsewhere))
    assert isinstance(field, PrisonerField) and (field.kind, field.side) == (CARD.name, 0) and plain == elsewhere


def test_a_calibration_shows_the_circles_of_a_field():
    picture, field = empty_card()
    overlay = draw_calibration(picture, Calibration(GRID, (field,)))
    left, top = (round(k) for k in (field.x, field.y))
    changed = (overlay[top : top + 400, left : left + 560] != picture[top : top + 400, left : left + 560]).any(axis=-1)
    for place in CARD.places:
        x, y = FlatFields().at(0, (place[0] + 11.5, place[1]))
        assert changed[y - top - 2 : y - top + 3, x - left - 2 : x - left + 3].any()


def test_a_calibration_with_another_number_of_fields_is_none():
    text = '{"size":9,"corners":[[0,0],[9,0],[9,9],[0,9]],"lids":[],"fields":[null]}'
    with pytest.raises(ValueError, match="fields"):
        parse_calibration(text)


@pytest.mark.parametrize("fault", FieldFault)
def test_each_fault_is_told_in_a_sentence_and_kept_in_the_journal(fault):
    sight = replace(
        to_lid_sight(LidReading(empty_card()[1], 0, 0, (0, 2), (0, 2), False)), sure=False, fault=fault.value
    )
    sight = replace(sight, circle=None if fault in (FieldFault.HIDDEN, FieldFault.DARK) else (2, 5))
    observation = Observation(1.0, ((1.0, 0.0, 0.0),), (sight, sight))
    assert observation_from_json(observation_to_json(observation), 1.0).lids == observation.lids
    sentence = ENGLISH.value(uncountable_lid_message(BLACK, sight))
    assert FIELD_FAULTS[fault.value].startswith("field.") and "Black" in sentence
    assert ("row 2, circle 5" in sentence.lower()) == (sight.circle is not None)


TABLES = [(seed, light) for seed in (3, 10, 18, 27, 31, 6) for light in LIGHTS[1:]]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "light"), sample(TABLES, 1))
def test_fields_of_drawn_tables_are_never_wrong(seed, light):
    one = fielded(seed, LARGE if seed % 2 else CARD, light=light)
    views = find_fields(one.picture.pixels, one.truth)
    for side, view in views.items():
        field = read_field(one.picture.pixels, view)
        if one.whole[side] and field.fault is None:
            assert field.contents == one.fields[side] and field.colour_counts() == one.counts[side]


LEANING = (5006, 5010, 5034, 5056, 5058, 5093)
"""Tables on which a second stone on another of its colour was not seen, but is."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(LEANING, 1))
def test_a_second_stone_on_one_of_its_colour_is_not_counted_silently(seed):
    one = fielded(seed, CARD if seed % 3 else LARGE, "two")
    read = read_prisoners(one.picture.pixels, one.truth, PrisonerField.from_corners(one.layout.name, 0, one.corners[0]))
    assert not read.sure


BLURRED = ((5005, 0), (5025, 0), (5041, 1), (5080, 1), (5034, 1), (5044, 0), (5086, 0))
"""Fields of which something was told in vain, by their tables and sides, because of blur or crumpled paper."""


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "side"), sample(BLURRED, 1))
def test_blur_and_crumpled_paper_are_no_stones(seed, side):
    one = fielded(seed, CARD if seed % 3 else LARGE)
    read = read_prisoners(
        one.picture.pixels, one.truth, PrisonerField.from_corners(one.layout.name, side, one.corners[side])
    )
    assert read.sure and (read.black, read.white) == one.counts[side]


HARD = ((301, 1), (308, 1), (309, 0), (20_005, 0), (20_012, 0), (20_018, 0), (20_018, 1), (20_022, 0), (309, 1))
"""Fields of which something was told in vain, by their tables and sides, because of dark shadows with hard edges."""


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "side"), sample(HARD, 2))
def test_hard_shadows_on_paper_are_no_black_stones(seed, side):
    picture = club_picture(seed, hard=True)
    view = find_fields(picture.pixels, picture.truth.grid)[side]
    read = read_field(picture.pixels, view)
    truth = picture.truth.lids[side]
    assert read.fault is None and read.colour_counts() == (truth.black, truth.white)


TOLD = tuple(fault for fault in FAULTS if fault not in ("two", "stacked"))
"""The faults that are always told; a second stone above the first may not be (docs/evidence/seeing-fields.md)."""


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "fault"), sample([(seed, fault) for seed in (13, 21, 25) for fault in TOLD], 1))
def test_what_lies_wrong_on_a_drawn_field_is_not_counted_silently(seed, fault):
    one = fielded(seed, fault=fault)
    read = read_prisoners(one.picture.pixels, one.truth, PrisonerField.from_corners(CARD.name, 0, one.corners[0]))
    assert not read.sure or (read.black, read.white) == one.counts[0]
