"""Training the stone reader's net: what needs no torch, then what does."""

import cv2
import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.tiers import LONG, sample
from tests.support.wanting import module
from vision.calibration.model import Grid
from vision.stones.reader import BLACK, CELL, CELLS, EMPTY, HIDDEN, SHIPPED, SIDE, WHITE, StoneReader, rectify_input
from vision.training.augment import crop_straight, move_board, relit
from vision.training.boxes import _board, boxed_windows, lattice
from vision.training.cover import cover_with_arm, cover_with_fingers
from vision.training.off_grid_aug import OFF, ON, add_stones_beside, shares, whereabouts
from vision.training.photos import UNKNOWN, labelled_photos
from vision.training.rendered import beside_windows, hard_windows, rendered_windows
from vision.training.windows import CELL as WIDE_CELL
from vision.training.windows import ROOM, load_or_make, window

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


@pytest.mark.parametrize("seed", sample(range(5), 2))
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


@LONG
def test_boxed_photographs_become_boards():
    boards = list(boxed_windows(photos("stone-boxes").parent))
    assert len(boards) > 150
    kinds = np.concatenate([board.kinds.ravel() for board in boards])
    assert (np.bincount(kinds + 1)[1:4] > 5000).all()
    offsets = np.concatenate([board.offsets[board.kinds > EMPTY] for board in boards])
    told = np.isfinite(offsets).all(axis=-1)
    assert told.mean() > 0.99 and 0.02 < np.abs(offsets[told]).mean() < 0.15


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
    assert place_of(crop_straight(made)) == place_of(rectify_input(image, GRID)) == (row, column)
    seen, wanted = crop_straight(made).astype(int), rectify_input(image, GRID).astype(int)
    assert np.abs(seen - wanted)[40:-40, 40:-40].mean() < 2


@pytest.mark.parametrize("seed", sample(range(8), 2))
def test_stones_go_where_the_board_goes(seed):
    chance = np.random.default_rng(seed)
    made = window("here", *_photo((1, 5)))
    seen, kinds, _ = move_board(made, chance)
    assert seen.shape == (SIDE, SIDE, 3)
    assert place_of(seen) == tuple(np.argwhere(kinds == 2)[0])


@pytest.mark.parametrize("seed", sample(range(8), 2))
def test_where_a_stone_lies_beside_its_point_goes_with_the_board(seed):
    image = np.full((520, 520, 3), 90, np.uint8)
    right, down = (GRID.points()[4, 5] - GRID.points()[4, 4]), (GRID.points()[5, 4] - GRID.points()[4, 4])
    x, y = map(round, GRID.points()[1, 5] + 0.4 * right - 0.25 * down)
    cv2.circle(image, (x, y), 10, (255, 255, 255), -1, cv2.LINE_AA)
    kinds, offsets = np.zeros(81, np.int64), np.full((9, 9, 2), np.nan)
    kinds[14], offsets[1, 5] = WHITE, (0.4, -0.25)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.training.augment.JITTER", 0.0)
        patch.setattr("vision.training.augment.SLIDE", 0.0)
        seen, kinds, told = move_board(window("here", image, GRID, kinds, offsets), np.random.default_rng(seed))
    row, column = np.argwhere(kinds == WHITE)[0]
    bright = np.argwhere(seen[..., 1] > 200).mean(axis=0) / CELL - 0.5
    assert bright - (row, column) == pytest.approx(told[row, column][::-1], abs=0.06)


def _photo(point):
    image, kinds = spotted(point)
    return image, GRID, kinds


def test_another_light_keeps_the_places():
    image, kinds = spotted((4, 4))
    board = window("here", image, GRID, kinds)
    plain = crop_straight(board)
    told = [relit(plain, board.kinds, board.offsets, np.random.default_rng(seed), 0.3) for seed in range(12)]
    assert all(lit.shape == plain.shape and lit.dtype == np.uint8 for lit in told)
    assert np.std([lit.mean() for lit in told]) > 10, "the lamps are alike"
    middles = np.array([lit[164:172, 164:172].mean() - lit[100:140, 100:140].mean() for lit in told])
    assert np.median(middles) > 20


def test_under_lamps_of_one_colour_the_others_are_hardly_seen():
    image, kinds = spotted((4, 4))
    board = window("here", image, GRID, kinds)
    lit = [
        relit(crop_straight(board), board.kinds, board.offsets, np.random.default_rng(k), 0.0, 1.0) for k in range(24)
    ]
    channels = np.sort([np.median(seen, axis=(0, 1)) for seen in lit], axis=1)
    assert np.mean(channels[:, 0] < 0.4 * channels[:, 2]) > 0.5


@pytest.mark.parametrize(("laid", "least"), [(cover_with_arm, 0.4), (cover_with_fingers, 0.3)])
def test_what_an_arm_or_a_finger_covers_is_hidden(laid, least):
    plain, kinds = np.full((SIDE, SIDE, 3), 90, np.uint8), np.zeros((CELLS, CELLS), np.int64)
    kinds[0] = UNKNOWN
    for seed in range(20):
        seen, told = laid(plain, kinds, np.random.default_rng(seed))
        changed = (seen != 90).any(axis=-1).reshape(CELLS, CELL, CELLS, CELL).mean(axis=(1, 3))
        assert (told[0] == UNKNOWN).all()
        assert (changed[told == HIDDEN] > least).all() and (changed[told == 0] < 0.95).all()
        assert (told[changed == 0] != HIDDEN).all()


def lone(right, down, kind=BLACK):
    """A board with one stone, at row 10 and column 10, so far off its point: kinds and offsets."""
    kinds, offsets = np.zeros((CELLS, CELLS), np.int64), np.full((CELLS, CELLS, 2), np.nan, np.float32)
    kinds[10, 10], offsets[10, 10] = kind, (right, down)
    return kinds, offsets


@pytest.mark.parametrize(
    ("right", "down", "own", "next_one"), [(0, 0, 1, 0), (ON, 0, 1, 0), (0.5, 0, 0.5, 0.5), (0.4, 0, 5 / 6, 1 / 6)]
)
def test_a_stone_between_two_points_is_as_much_the_ones_as_it_is_near(right, down, own, next_one):
    kinds, offsets = lone(right, down)
    held = shares(kinds, offsets, kinds)
    assert held[BLACK, 10, 10] == pytest.approx(own, abs=1e-5)
    assert held[BLACK, 10, 11] == pytest.approx(next_one, abs=1e-5)
    assert held.sum(axis=0) == pytest.approx(1)


def test_a_stone_between_four_points_is_a_quarter_of_each():
    kinds, offsets = lone(0.5, -0.5, WHITE)
    assert shares(kinds, offsets, kinds)[WHITE, 9:11, 10:12] == pytest.approx(0.25)


def test_what_is_hidden_or_unknown_says_nothing_of_a_stone_beside_it():
    kinds, offsets = lone(0.5, 0)
    shown = kinds.copy()
    shown[10, 10], shown[10, 11] = HIDDEN, UNKNOWN
    held, where = shares(kinds, offsets, shown), whereabouts(kinds, offsets, shown)
    assert held[HIDDEN, 10, 10] == 1 and held[:, 10, 11].sum() == 0
    assert np.isnan(where[:, 10, 10:12]).all()


def test_every_point_near_a_stone_says_where_it_lies():
    kinds, offsets = lone(0.4, -0.3)
    where = whereabouts(kinds, offsets, kinds)
    assert where[:, 10, 10] == pytest.approx((0.4, -0.3)) and where[:, 10, 11] == pytest.approx((-0.6, -0.3))
    assert where[:, 9, 11] == pytest.approx((-0.6, 0.7)) and np.isnan(where[:, 10, 9]).all()


def test_stones_put_beside_points_are_seen_where_they_are_said_to_lie():
    image, kinds = spotted((4, 4), 0.45)
    board, seen = window("here", image, GRID, kinds), 0
    for seed in range(10):
        more = add_stones_beside(board, np.random.default_rng(seed))
        for row, column in np.argwhere((more.kinds == WHITE) & (board.kinds == EMPTY)):
            right, down = more.offsets[row, column]
            y, x = (np.array([row + down, column + right]) - 10) * WIDE_CELL + ROOM * WIDE_CELL / 2 - 0.5
            part = more.pixels[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5]
            assert part.min() > 150, (seed, row, column)
            seen += 1
    assert seen > 20


def test_drawn_stones_lie_beside_their_points_and_never_upon_others(monkeypatch):
    monkeypatch.setattr("vision.training.rendered.BESIDE_TABLES", 8)
    boards = list(beside_windows(3))
    far = np.concatenate([np.abs(board.offsets[np.isfinite(board.offsets[..., 0])]).max(axis=-1) for board in boards])
    assert far.max() <= 0.5 and (far > ON).sum() > 10 and OFF > 0.5
    for board in boards:
        points = np.argwhere(np.isfinite(board.offsets[..., 0]))
        places = points + board.offsets[points[:, 0], points[:, 1]][:, ::-1]
        apart = np.linalg.norm(places[:, None] - places, axis=-1) + 9 * np.eye(len(places))
        assert apart.min(initial=9) > 0.8


def test_boards_are_made_once(tmp_path):
    made = window("here", *_photo((3, 3)))
    first = load_or_make(tmp_path / "windows.npz", lambda: [made])
    again = load_or_make(tmp_path / "windows.npz", lambda: pytest.fail("made again"))
    for boards in (first, again):
        assert boards[0].source == "here" and (boards[0].pixels == made.pixels).all()
        assert (boards[0].kinds == made.kinds).all()
        assert np.array_equal(boards[0].offsets, made.offsets, equal_nan=True)


@LONG
def test_drawn_boards_know_what_a_hand_hides(monkeypatch):
    monkeypatch.setattr("vision.training.rendered.TABLES", 16)
    monkeypatch.setattr("vision.training.rendered.HARD_TABLES", 6)
    boards = [*rendered_windows(3), *hard_windows(3)]
    kinds = np.concatenate([board.kinds.ravel() for board in boards])
    assert (np.bincount(kinds + 1, minlength=5)[1:] > 50).all()


def test_our_labels_are_found_by_the_hash_of_the_picture():
    told = list(labelled_photos(photos("board-corners").parent, "board-corners"))
    assert len(told) == 90 and sum((photo.kinds == HIDDEN).sum() for photo in told) > 300
    assert all(photo.labelled_points.sum() > 200 for photo in told)


def test_the_net_in_opencv_is_the_net_in_torch(tmp_path):
    torch = module("torch")
    net_module = module("vision.training.net")
    torch.manual_seed(3)
    net = net_module.StoneNet().eval()
    net_module.export(net, 2.0, tmp_path / "net.onnx")
    image = np.random.default_rng(0).integers(0, 256, (520, 520, 3), dtype=np.uint8)
    read, off = StoneReader(tmp_path / "net.onnx").answer(rectify_input(image, GRID), GRID.size)
    with torch.no_grad():
        logits, offsets = net(torch.from_numpy(rectify_input(image, GRID)[None]).permute(0, 3, 1, 2).float())
    wanted = torch.softmax(logits[0] / 2, dim=0).permute(1, 2, 0).numpy()[6:15, 6:15]
    assert np.abs(wanted - read).max() < 1e-4
    assert np.abs(offsets[0].permute(1, 2, 0).numpy()[6:15, 6:15] - off).max() < 1e-4


def test_an_exported_net_is_trained_further_from_what_it_says():
    torch = module("torch")
    resumed = module("vision.training.onward").resumed
    pixels = np.random.default_rng(0).integers(0, 256, (4, SIDE, SIDE, 3), dtype=np.uint8)
    net = resumed(SHIPPED, module("vision.training.fit").tensor_of(list(pixels)))
    with torch.no_grad():
        logits, _ = net(module("vision.training.fit").tensor_of([pixels[0]]))
    temperature = module("vision.training.train").TEMPERATURE
    read, _ = StoneReader().answer(pixels[0], CELLS)
    assert np.abs(torch.softmax(logits[0] / temperature, dim=0).permute(1, 2, 0).numpy() - read).max() < 1e-4


def test_training_goes_on_where_it_was_broken_off(tmp_path):
    module("torch")
    fit_module = module("vision.training.fit")
    boards = [window("here", *_photo((k, k))) for k in range(4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_module, "SAVE_EACH", 1)
        stage = fit_module.Stage(2, 1e-3, {"here": 1.0})
        whole = fit_module.fit(boards, stage, 7, tmp_path / "whole.pt")
        course = fit_module.Course.begun(stage, 7)
        course.learn(*fit_module.BoardSampler(boards, stage, 7).batch(0))
        course.save(tmp_path / "broken.pt")
        resumed = fit_module.fit(boards, stage, 7, tmp_path / "broken.pt")
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert (one - other).abs().max() < 1e-3
