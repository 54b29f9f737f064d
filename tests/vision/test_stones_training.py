"""How the stone reader's net is made: what needs no torch, then what does."""

import cv2
import numpy as np
import pytest

from tests.shared import photos
from vision.stones import SHIPPED, SIDE, StoneReader
from vision.stones import light_of as light_of_board
from vision.training.boxes import _board, boxed_boards, lattice
from vision.training.crops import UNKNOWN, WIDE_SIDE
from vision.training.rendered import position

SEEN = np.array([[30.0, 2.0, 100.0], [-4.0, 31.0, 120.0], [0.0004, 0.0006, 1.0]])
"""A homography from columns and rows to pixels, a little from the side."""


def seen_stones(rng, count, misplaced=0.1):
    """Places (n, 2) of a dense corner of a board, their centres in pixels and the sizes of their boxes."""
    everywhere = np.stack(np.meshgrid(np.arange(9), np.arange(9)), axis=-1).reshape(-1, 2)
    places = rng.permutation(everywhere)[:count]
    off = places + rng.uniform(-misplaced, misplaced, places.shape)
    centres = cv2.perspectiveTransform(off.reshape(-1, 1, 2), SEEN).reshape(-1, 2)
    return places, centres, np.full((count, 2), 29.0)


@pytest.mark.parametrize("seed", range(5))
def test_stones_tell_their_columns_and_rows(seed):
    places, centres, sizes = seen_stones(np.random.default_rng(seed), 50)
    found = lattice(centres, sizes)
    assert found is not None
    assert np.array_equal(found - found[0], places - places[0])


def test_stones_without_order_are_no_lattice():
    centres = np.random.default_rng(2).uniform(0, 600, (60, 2))
    assert lattice(centres, np.full((60, 2), 29.0)) is None


def test_points_without_a_box_are_empty_and_those_beside_a_stray_unknown():
    places, centres, sizes = seen_stones(np.random.default_rng(1), 50, misplaced=0.02)
    kinds = 1 + places.sum(axis=1) % 2
    found = lattice(centres, sizes)
    found[7] = -1
    grid, board = _board(centres, found, kinds)
    board = board.reshape(9, 9)
    column, row = places[7]
    assert board[row, column] == UNKNOWN
    others = np.arange(50) != 7
    known = board[places[others, 1], places[others, 0]]
    assert np.isin(known, [UNKNOWN]).sum() <= 3 and (known == kinds[others])[known != UNKNOWN].all()
    assert (board == 0).sum() >= 81 - 50 - 3
    assert np.abs(grid.points()[places[0][1], places[0][0]] - centres[0]).max() < 2


def test_boxed_photographs_become_boards():
    boards = list(boxed_boards(photos("stone-boxes").parent))
    assert len(boards) > 150
    for board in boards:
        assert board.wide.shape == (len(board.kinds), WIDE_SIDE, WIDE_SIDE, 3)
    kinds = np.concatenate([board.kinds for board in boards])
    assert (np.bincount(kinds + 1)[1:] > 5000).all()


def test_positions_run_from_nearly_empty_to_nearly_full():
    positions = [position(np.random.default_rng(seed), 19) for seed in range(60)]
    filled = [float((kinds > 0).mean()) for kinds in positions]
    assert min(filled) < 0.1 and max(filled) > 0.75
    colours = np.bincount(np.concatenate([kinds.ravel() for kinds in positions]))
    assert 0.8 < colours[1] / colours[2] < 1.25


def test_the_net_in_opencv_is_the_net_in_torch(tmp_path):
    torch = pytest.importorskip("torch")
    net_module = pytest.importorskip("vision.training.net")
    torch.manual_seed(3)
    net = net_module.StoneNet().eval()
    net_module.export(net, 2.0, tmp_path / "net.onnx")
    board = np.random.default_rng(0).integers(0, 256, (200, SIDE, SIDE, 3), dtype=np.uint8)
    read = StoneReader(tmp_path / "net.onnx").read_crops(board)
    light = torch.from_numpy(light_of_board(board)).expand(200, -1)
    with torch.no_grad():
        logits = net(torch.from_numpy(board).permute(0, 3, 1, 2).float(), light)
    assert np.abs(torch.softmax(logits / 2, dim=1).numpy() - read).max() < 1e-4
    assert SHIPPED.stat().st_size < 1_000_000


def test_training_sees_the_colours_that_reading_sees():
    torch = pytest.importorskip("torch")
    augment = pytest.importorskip("vision.training.augment")
    boards = np.random.default_rng(0).integers(0, 256, (2, 24, SIDE, SIDE, 3), dtype=np.uint8)
    crops = torch.from_numpy(boards).flatten(0, 1).permute(0, 3, 1, 2).float()
    seen = augment.light_of(crops, 2)
    assert np.abs(seen[0].numpy() - light_of_board(boards[0])).max() < 1e-2
    assert np.abs(seen[-1].numpy() - light_of_board(boards[1])).max() < 1e-2


def test_a_crop_seen_from_elsewhere_keeps_its_middle():
    torch = pytest.importorskip("torch")
    augment = pytest.importorskip("vision.training.augment")
    wide = torch.zeros(40, 3, WIDE_SIDE, WIDE_SIDE)
    middle = slice(WIDE_SIDE // 2 - 6, WIDE_SIDE // 2 + 6)
    wide[:, :, middle, middle] = 255
    seen = augment.look_from_elsewhere(wide, torch.Generator().manual_seed(0), 1.5)
    assert seen.shape == (40, 3, SIDE, SIDE)
    assert seen[:, :, SIDE // 2, SIDE // 2].min() > 200 and seen[:, :, 0, 0].max() < 60
