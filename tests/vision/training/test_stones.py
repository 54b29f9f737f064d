"""Training the stone reader's net: what needs no torch, then what does."""

import cv2
import numpy as np
import pytest

from tests.support.tiers import LONG, sample
from tests.support.wanting import module
from vision.calibration.model import Grid
from vision.stones.reader import CELL, CELLS, SHIPPED, SIDE, WHITE, StoneReader, rectify_input
from vision.training.augment import move_board
from vision.training.off_grid_aug import OFF, ON
from vision.training.rendered import beside_windows
from vision.training.windows import cut_window

pytestmark = pytest.mark.slow


GRID = Grid(9, ((100.0, 100.0), (420.0, 110.0), (430.0, 430.0), (95.0, 420.0)))


def draw_spot(point, radius=0.3):
    """A grey picture with a white spot on one point (row, column) of GRID, and what lies there."""
    image, kinds = np.full((520, 520, 3), 90, np.uint8), np.zeros(81, np.int64)
    x, y = map(round, GRID.points()[point])
    cv2.circle(image, (x, y), round(GRID.cell() * radius), (255, 255, 255), -1, cv2.LINE_AA)
    kinds[point[0] * 9 + point[1]] = 2
    return image, kinds


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
        moved_image, kinds, moved_offsets = move_board(
            cut_window("here", image, GRID, kinds, offsets), np.random.default_rng(seed)
        )
    row, column = np.argwhere(kinds == WHITE)[0]
    bright = np.argwhere(moved_image[..., 1] > 200).mean(axis=0) / CELL - 0.5
    assert bright - (row, column) == pytest.approx(moved_offsets[row, column][::-1], abs=0.06)


def _photo(point):
    image, kinds = draw_spot(point)
    return image, GRID, kinds


@LONG
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


def test_the_net_in_opencv_is_the_net_in_torch(tmp_path):
    torch = module("torch")
    net_module = module("vision.training.net")
    torch.manual_seed(3)
    net = net_module.StoneNet().eval()
    net_module.export_stone_net(net, 2.0, tmp_path / "net.onnx")
    image = np.random.default_rng(0).integers(0, 256, (520, 520, 3), dtype=np.uint8)
    read, off = StoneReader(tmp_path / "net.onnx").answer(rectify_input(image, GRID), GRID.size)
    with torch.no_grad():
        logits, offsets = net(torch.from_numpy(rectify_input(image, GRID)[None]).permute(0, 3, 1, 2).float())
    wanted = torch.softmax(logits[0] / 2, dim=0).permute(1, 2, 0).numpy()[6:15, 6:15]
    assert np.abs(wanted - read).max() < 1e-4
    assert np.abs(offsets[0].permute(1, 2, 0).numpy()[6:15, 6:15] - off).max() < 1e-4


def test_an_exported_net_is_trained_further_from_what_it_says():
    torch = module("torch")
    resume = module("vision.training.onward").load_for_training
    pixels = np.random.default_rng(0).integers(0, 256, (4, SIDE, SIDE, 3), dtype=np.uint8)
    net = resume(SHIPPED, module("vision.training.fit").to_tensor(list(pixels)))
    with torch.no_grad():
        logits, _ = net(module("vision.training.fit").to_tensor([pixels[0]]))
    temperature = module("vision.training.train").TEMPERATURE
    read, _ = StoneReader().answer(pixels[0], CELLS)
    assert np.abs(torch.softmax(logits[0] / temperature, dim=0).permute(1, 2, 0).numpy() - read).max() < 1e-4


def test_training_goes_on_where_it_was_broken_off(tmp_path):
    module("torch")
    fit_module = module("vision.training.fit")
    boards = [cut_window("here", *_photo((k, k))) for k in range(4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_module, "SAVE_EACH", 1)
        stage = fit_module.Stage(2, 1e-3, {"here": 1.0})
        whole = fit_module.train_stage(boards, stage, 7, tmp_path / "whole.pt")
        course = fit_module.Course.begin_stage(stage, 7)
        course.train_step(*fit_module.BoardSampler(boards, stage, 7).make_batch(0))
        course.save_checkpoint(tmp_path / "broken.pt")
        resumed = fit_module.train_stage(boards, stage, 7, tmp_path / "broken.pt")
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert (one - other).abs().max() < 1e-3
