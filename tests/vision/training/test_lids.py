"""Training the lid reader's net (needs torch): what it should say of a view; training goes on where it was."""

import numpy as np
import pytest

from tests.support.wanting import module

torch = module("torch")

from vision.lids.confidence import VETO, passes_vetoes  # noqa: E402
from vision.lids.net import PLACES, PLANES, SIDE, STEP  # noqa: E402
from vision.training.lid_batches import OUTSIDE, Batches, glinting, targets  # noqa: E402
from vision.training.lid_confidence import EXCUSED, Looks, fit  # noqa: E402
from vision.training.lid_samples import KEPT, MOST, NO_LID, Samples  # noqa: E402
from vision.training.lids import BATCH, LidNet, export, train  # noqa: E402


def stones(*some: tuple[float, float, float, float, float]) -> np.ndarray:
    rows = np.full((MOST, 5), -1, np.float32)
    rows[: len(some)] = some
    return rows


def test_the_map_is_wanted_at_the_middles_of_stones_that_are_seen():
    lid = stones((40, 60, 0, 1.0, 0), (80, 60, 1, 0.5, 1), (20, 20, 1, 0.01, 0))
    places, counted, whole, asked = targets(lid)
    assert places[0, 60 // STEP, 40 // STEP] == 1 and places[1, 60 // STEP, 80 // STEP] == 1
    assert places[:, 20 // STEP, 20 // STEP].sum() == 0
    assert whole[60 // STEP, 40 // STEP] == 1 and whole[60 // STEP, 80 // STEP] == 0
    assert asked[60 // STEP, 80 // STEP] == 1 and asked[0, 0] == 0
    assert counted[0, 60 // STEP, 40 // STEP + 2] == 0 and counted[1, 60 // STEP, 40 // STEP + 2] == 1
    assert places.shape == counted.shape == (2, PLACES, PLACES)


def test_without_a_lid_stones_are_of_no_concern():
    some = samples(4)
    some.trouble[:] = NO_LID
    batch = Batches(some, np.random.default_rng(1))(np.arange(4))
    assert batch.counted.sum() == 0 and (batch.trouble == NO_LID).all()


def samples(count: int) -> Samples:
    """Black squares with one white disc each."""
    rng, pixels = np.random.default_rng(3), np.full((count, KEPT, KEPT, 3), 40, np.uint8)
    lids = []
    for square in pixels:
        x, y = (int(n) for n in rng.integers(50, KEPT - 50, 2))
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


def test_training_goes_on_where_it_was_broken_off(tmp_path):
    few = samples(2 * BATCH)
    whole = train(few, 2, tmp_path / "whole.pt")
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
        train(few, 2, tmp_path / "broken.pt")
    resumed = train(few, 2, tmp_path / "broken.pt")
    assert states[0]["done"] == 1
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.allclose(one, other)


def test_hardly_a_wrong_count_that_was_learned_from_is_sure():
    rng = np.random.default_rng(2)
    features = VETO + rng.normal(1, 1, (4000, len(VETO)))
    right = (features - VETO)[:, :5].sum(axis=1) - 5 + rng.normal(0, 0.5, 4000) > -1
    everything = np.ones(4000, bool)
    scaling = fit(Looks(features, right, everything, everything, everything))
    sure = passes_vetoes(features) & (scaling.log_odds(features) >= scaling.threshold)
    assert (sure & ~right).sum() <= 4000 // EXCUSED and (sure & right).sum() > 60


def test_an_exported_net_goes_on_as_it_was_and_a_mean_lies_between_two(tmp_path):
    module("onnx")
    from vision.training.onward import average_weights, load_exported

    batch = torch.rand(6, PLANES, SIDE, SIDE)
    nets, paths = (LidNet(), LidNet()), (tmp_path / "one.onnx", tmp_path / "other.onnx")
    for net, path in zip(nets, paths, strict=True):
        net(batch)
        export(net.eval(), path)
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


def test_mirrored_lamps_are_bright_and_leave_what_lies_outside_the_picture_grey():
    brighter = 0
    square, (lid,) = np.full((SIDE, SIDE, 3), 40, np.uint8), samples(1).stones
    square[:, :30] = OUTSIDE
    for seed in range(8):
        shining = glinting(square, lid, np.random.default_rng(seed))
        assert (shining[:, :30] == OUTSIDE).all() and (shining >= square).all()
        brighter += bool((shining[:, 30:] > 90).any())
    assert brighter >= 6
