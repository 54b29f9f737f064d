"""How the stone reader's net is made: what needs no torch, then what does."""

import cv2
import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.wanting import module
from vision.calibration import Grid
from vision.stones import CELL, CELLS, HIDDEN, SIDE, StoneReader, looked_at
from vision.training.augment import elsewhere, relit, straight
from vision.training.boxes import _board, boxed_windows, lattice
from vision.training.cover import covered
from vision.training.photos import UNKNOWN, photos_of
from vision.training.rendered import hard_windows, rendered_windows
from vision.training.windows import CELL as WIDE_CELL
from vision.training.windows import ROOM, kept, window

pytestmark = pytest.mark.slow

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
    boards = list(boxed_windows(photos("stone-boxes").parent))
    assert len(boards) > 150
    kinds = np.concatenate([board.kinds.ravel() for board in boards])
    assert (np.bincount(kinds + 1)[1:4] > 5000).all()


GRID = Grid(9, ((100.0, 100.0), (420.0, 110.0), (430.0, 430.0), (95.0, 420.0)))


def spotted(point, radius=0.3):
    """A grey picture with a white spot on one point (row, column) of GRID, and what lies there."""
    image, kinds = np.full((520, 520, 3), 90, np.uint8), np.zeros(81, np.int64)
    x, y = map(round, GRID.points()[point])
    cv2.circle(image, (x, y), round(GRID.cell() * radius), (255, 255, 255), -1, cv2.LINE_AA)
    kinds[point[0] * 9 + point[1]] = 2
    return image, kinds


def place_of(seen):
    """The row and column among the net's answers of the bright spot in what the net sees."""
    down, across = np.argwhere(seen[..., 1] > 200).mean(axis=0)
    return int(down // CELL), int(across // CELL)


def test_a_window_shows_the_board_as_the_reader_sees_it():
    image, kinds = spotted((2, 6))
    made = window("here", image, GRID, kinds)
    assert made.pixels.shape == (ROOM * WIDE_CELL, ROOM * WIDE_CELL, 3)
    row, column = (int(n) for n in np.argwhere(made.kinds == 2)[0])
    assert (row, column) == (2 + 6, 6 + 6) and (made.kinds[8] == UNKNOWN).sum() == CELLS - 9
    assert place_of(straight(made)) == place_of(looked_at(image, GRID)) == (row, column)
    seen, wanted = straight(made).astype(int), looked_at(image, GRID).astype(int)
    assert np.abs(seen - wanted)[40:-40, 40:-40].mean() < 2


@pytest.mark.parametrize("seed", range(8))
def test_stones_go_where_the_board_goes(seed):
    chance = np.random.default_rng(seed)
    made = window("here", *_photo((1, 5)))
    seen, kinds = elsewhere(made, chance)
    assert seen.shape == (SIDE, SIDE, 3)
    assert place_of(seen) == tuple(np.argwhere(kinds == 2)[0])


def _photo(point):
    image, kinds = spotted(point)
    return image, GRID, kinds


def test_another_light_keeps_the_places():
    image, kinds = spotted((4, 4))
    board = window("here", image, GRID, kinds)
    plain = straight(board)
    told = [relit(plain, board.kinds, np.random.default_rng(seed), 0.3) for seed in range(12)]
    assert all(lit.shape == plain.shape and lit.dtype == np.uint8 for lit in told)
    assert np.std([lit.mean() for lit in told]) > 10, "the lamps are alike"
    middles = np.array([lit[164:172, 164:172].mean() - lit[100:140, 100:140].mean() for lit in told])
    assert np.median(middles) > 20


def test_what_an_arm_covers_is_hidden():
    plain, kinds = np.full((SIDE, SIDE, 3), 90, np.uint8), np.zeros((CELLS, CELLS), np.int64)
    kinds[0] = UNKNOWN
    for seed in range(20):
        seen, told = covered(plain, kinds, np.random.default_rng(seed))
        changed = (seen != 90).any(axis=-1).reshape(CELLS, CELL, CELLS, CELL).mean(axis=(1, 3))
        assert (told[0] == UNKNOWN).all()
        assert (changed[told == HIDDEN] > 0.4).all() and (changed[told == 0] < 0.95).all()
        assert (told[changed == 0] != HIDDEN).all()


def test_boards_are_made_once(tmp_path):
    made = window("here", *_photo((3, 3)))
    first = kept(tmp_path / "windows.npz", lambda: [made])
    again = kept(tmp_path / "windows.npz", lambda: pytest.fail("made again"))
    for boards in (first, again):
        assert boards[0].source == "here" and (boards[0].pixels == made.pixels).all()
        assert (boards[0].kinds == made.kinds).all()


def test_drawn_boards_know_what_a_hand_hides(monkeypatch):
    monkeypatch.setattr("vision.training.rendered.TABLES", 16)
    monkeypatch.setattr("vision.training.rendered.HARD_TABLES", 6)
    boards = [*rendered_windows(3), *hard_windows(3)]
    kinds = np.concatenate([board.kinds.ravel() for board in boards])
    assert (np.bincount(kinds + 1, minlength=5)[1:] > 50).all()


def test_our_labels_are_found_by_the_hash_of_the_picture():
    told = list(photos_of(photos("board-corners").parent, "board-corners"))
    assert len(told) == 90 and sum((photo.kinds == HIDDEN).sum() for photo in told) > 300
    assert all(photo.told.sum() > 200 for photo in told)


def test_the_net_in_opencv_is_the_net_in_torch(tmp_path):
    torch = module("torch")
    net_module = module("vision.training.net")
    torch.manual_seed(3)
    net = net_module.StoneNet().eval()
    net_module.export(net, 2.0, tmp_path / "net.onnx")
    image = np.random.default_rng(0).integers(0, 256, (520, 520, 3), dtype=np.uint8)
    read = StoneReader(tmp_path / "net.onnx").answer(looked_at(image, GRID), GRID.size)
    with torch.no_grad():
        logits = net(torch.from_numpy(looked_at(image, GRID)[None]).permute(0, 3, 1, 2).float())[0]
    wanted = torch.softmax(logits / 2, dim=0).permute(1, 2, 0).numpy()[6:15, 6:15]
    assert np.abs(wanted - read).max() < 1e-4


def test_training_goes_on_where_it_was_broken_off(tmp_path):
    module("torch")
    fit_module = module("vision.training.fit")
    boards = [window("here", *_photo((k, k))) for k in range(4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_module, "SAVE_EACH", 1)
        stage = fit_module.Stage(2, 1e-3, {"here": 1.0})
        whole = fit_module.fit(boards, stage, 7, tmp_path / "whole.pt")
        course = fit_module.Course.begun(stage, 7)
        course.learn(*fit_module.BoardSampler(boards, stage.weights, 7, stage.hard).batch(0))
        course.save(tmp_path / "broken.pt")
        resumed = fit_module.fit(boards, stage, 7, tmp_path / "broken.pt")
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert (one - other).abs().max() < 1e-3
