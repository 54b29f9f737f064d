"""Training batches of rendered lids: turned, mirrored, shifted, relit, with their labels."""

import numpy as np

from tests.support.wanting import module

module("torch")

from vision.lids.net import PLACES, PLANES, SIDE, STEP  # noqa: E402
from vision.training.lids.batches import OUTSIDE, Batches, add_glints, make_targets  # noqa: E402
from vision.training.lids.samples import MOST, NO_LID, SQUARE_SIDE, Samples  # noqa: E402


def stones(*some: tuple[float, float, float, float, float]) -> np.ndarray:
    rows = np.full((MOST, 5), -1, np.float32)
    rows[: len(some)] = some
    return rows


def test_the_map_is_wanted_at_the_middles_of_stones_that_are_seen():
    lid = stones((40, 60, 0, 1.0, 0), (80, 60, 1, 0.5, 1), (20, 20, 1, 0.01, 0))
    places, count_map, whole, mask = make_targets(lid)
    assert places[0, 60 // STEP, 40 // STEP] == 1 and places[1, 60 // STEP, 80 // STEP] == 1
    assert places[:, 20 // STEP, 20 // STEP].sum() == 0
    assert whole[60 // STEP, 40 // STEP] == 1 and whole[60 // STEP, 80 // STEP] == 0
    assert mask[60 // STEP, 80 // STEP] == 1 and mask[0, 0] == 0
    assert count_map[0, 60 // STEP, 40 // STEP + 2] == 0 and count_map[1, 60 // STEP, 40 // STEP + 2] == 1
    assert places.shape == count_map.shape == (2, PLACES, PLACES)


def test_without_a_lid_stones_are_of_no_concern():
    some = samples(4)
    some.trouble[:] = NO_LID
    batch = Batches(some, np.random.default_rng(1))(np.arange(4))
    assert batch.counted.sum() == 0 and (batch.trouble == NO_LID).all()


def samples(count: int) -> Samples:
    """Black squares with one white disc each."""
    rng, pixels = np.random.default_rng(3), np.full((count, SQUARE_SIDE, SQUARE_SIDE, 3), 40, np.uint8)
    lids = []
    for square in pixels:
        x, y = (int(n) for n in rng.integers(50, SQUARE_SIDE - 50, 2))
        square[y - 6 : y + 7, x - 6 : x + 7] = 230
        lids.append(stones((x, y, 1, 1.0, 0)))
    return Samples(pixels, np.stack(lids), np.zeros(count, np.int64))


def test_stones_move_with_their_picture_in_every_view():
    batches = Batches(samples(8), np.random.default_rng(1))
    for _ in range(8):
        batch = batches(np.arange(8))
        assert batch.pixels.shape == (8, PLANES, SIDE, SIDE)
        for view, place in zip(batch.pixels, batch.places, strict=True):
            down, across = np.argwhere(place[1].numpy() > 0).mean(axis=0) * STEP
            if down > 12 and across > 12:
                assert view[:3, round(down), round(across)].mean() > view[:3, 2:-2, 2:-2].mean()


def test_mirrored_lamps_leave_the_outside_of_a_picture_grey():
    brighter = 0
    square, (lid,) = np.full((SIDE, SIDE, 3), 40, np.uint8), samples(1).stones
    square[:, :30] = OUTSIDE
    for seed in range(8):
        shining = add_glints(square, lid, np.random.default_rng(seed))
        assert (shining[:, :30] == OUTSIDE).all() and (shining >= square).all()
        brighter += bool((shining[:, 30:] > 90).any())
    assert brighter >= 6
