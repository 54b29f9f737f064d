"""Training the lid reader's net (needs torch): what it should say of a view; training goes on where it was."""

import numpy as np
import pytest

from tests.support.wanting import module

torch = module("torch")

from vision.lids.net import PLANES, SIDE  # noqa: E402
from vision.training.lids.samples import MOST, SQUARE_SIDE, Samples  # noqa: E402
from vision.training.lids.train import BATCH, LidNet, export_lid_net, train_lid_net  # noqa: E402


def stones(*some: tuple[float, float, float, float, float]) -> np.ndarray:
    rows = np.full((MOST, 5), -1, np.float32)
    rows[: len(some)] = some
    return rows


def samples(count: int) -> Samples:
    """Black squares with one white disc each."""
    rng, pixels = np.random.default_rng(3), np.full((count, SQUARE_SIDE, SQUARE_SIDE, 3), 40, np.uint8)
    lids = []
    for square in pixels:
        x, y = (int(n) for n in rng.integers(50, SQUARE_SIDE - 50, 2))
        square[y - 6 : y + 7, x - 6 : x + 7] = 230
        lids.append(stones((x, y, 1, 1.0, 0)))
    return Samples(pixels, np.stack(lids), np.zeros(count, np.int64))


def test_training_goes_on_where_it_was_broken_off(tmp_path):
    few = samples(2 * BATCH)
    whole = train_lid_net(few, 2, tmp_path / "whole.pt")
    states = []

    class BrokenOff(Exception):
        pass

    save = torch.save

    def stop_after_one(state, path):
        save(state, path)
        states.append(state)
        raise BrokenOff

    with pytest.MonkeyPatch.context() as patch, pytest.raises(BrokenOff):
        patch.setattr(torch, "save", stop_after_one)
        train_lid_net(few, 2, tmp_path / "broken.pt")
    resumed = train_lid_net(few, 2, tmp_path / "broken.pt")
    assert states[0]["done"] == 1
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.allclose(one, other)


def test_an_exported_net_goes_on_as_it_was_and_a_mean_lies_between_two(tmp_path):
    module("onnx")
    from vision.training.onward import average_weights, load_exported

    batch = torch.rand(6, PLANES, SIDE, SIDE)
    nets, paths = (LidNet(), LidNet()), (tmp_path / "one.onnx", tmp_path / "other.onnx")
    for net, path in zip(nets, paths, strict=True):
        net(batch)
        export_lid_net(net.eval(), path)
    again = LidNet()
    load_exported(again, paths[0], batch)
    with torch.no_grad():
        assert torch.allclose(again.eval()(batch)[1], nets[0](batch)[1], atol=1e-3)
    average_weights(*paths, tmp_path / "mean.onnx")
    average_weights(paths[0], paths[0], tmp_path / "same.onnx")
    load_exported(again, tmp_path / "same.onnx", batch)
    with torch.no_grad():
        assert torch.allclose(again.eval()(batch)[1], nets[0](batch)[1], atol=1e-3)
    load_exported(again, tmp_path / "mean.onnx", batch)
    wanted = (nets[0].from_far.weight + nets[1].from_far.weight) / 2
    assert torch.allclose(again.from_far.weight, wanted, atol=1e-6)
