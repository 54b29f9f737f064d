"""The printed prisoner fields: circles, spots, markers and bars."""

import numpy as np
import pytest

from vision.calibration.field_layout import CIRCLE, LAYOUTS, PITCH, RING, FieldLayout, layout_of, mask_printed


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_circles_lie_within_the_card_and_clear_of_one_another(layout: FieldLayout):
    places = np.array(layout.places)
    assert (np.abs(places) + CIRCLE / 2 <= np.array(layout.half) + 1e-9).all()
    apart = np.linalg.norm(places[:, None] - places, axis=-1) + 1000 * np.eye(len(places))
    assert apart.min() == pytest.approx(PITCH)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_each_circle_is_a_ring_with_a_dot_on_paper(layout: FieldLayout):
    x, y = layout.places[0]
    middle, paper, ring = x, x + CIRCLE / 4, x + CIRCLE / 2 - RING / 8
    assert mask_printed(layout, 0, np.array([middle, paper, ring]), np.array([y])).tolist() == [[True, False, True]]


def test_a_spot_lies_amid_four_circles():
    layout = layout_of("card")
    spots = np.array(layout.find_spots())
    distances = np.linalg.norm(spots[:, None] - np.array(layout.places), axis=-1)
    assert len(spots) == 20 and np.allclose(np.sort(distances, axis=1)[:, :4], PITCH / np.sqrt(2))
    assert all(mask_printed(layout, 1, *spot[:, None]).all() for spot in spots)


def test_each_kind_is_found_by_its_name_and_no_other():
    assert [layout_of(layout.name) for layout in LAYOUTS] == list(LAYOUTS)
    with pytest.raises(StopIteration):
        layout_of("nothing")


def test_no_two_fields_share_a_marker():
    ids = [number for layout in LAYOUTS for pair in layout.ids for number in pair]
    assert len(ids) == len(set(ids))
