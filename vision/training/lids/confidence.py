"""The fit of the confidence in a lid's count, on rendered lids that the net did not learn from."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch

from vision.camera.frame import Image
from vision.lids.confidence import STONE, PlattScaling, count_stones, passes_vetoes
from vision.lids.net import OUTSIDE, SIDE, ask_around
from vision.network import Network, load_network
from vision.training.lids.batches import Batches
from vision.training.lids.samples import NO_LID, SCENES, Samples

# Chosen by hand (docs/vision.md).
ROUNDS, DECAY = 300, 1e-4
"""Largest number of steps of the fit, and the penalty on its squared coefficients."""
WORTH = 20.0
"""Weight of a wrong count relative to a right one."""
VISIBLE, SLIGHTLY, MOSTLY = 0.3, 0.85, 0.6
"""Smallest visible share of every stone: in a pile that can be counted, in a pile that may be sure or not, in a single
layer.
"""
FLAT = 2.5
"""Spread of the levels below which nothing is visible."""
EXCUSED = 2500
"""One in so many counts may be wrong above the threshold."""
MARGIN = 0.02
"""Distance of the threshold above the last of the other wrong counts, in log-odds."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HeldOutCounts:
    """Counts of n held-out lids.

    features: (n, features).
    right: the count is exact.
    open: a single layer without a hand over it.
    asked: the counts to learn from; exact counts with stones a little upon others are left out, being sure or not.
    visible: every stone is visible at least in part.
    """

    features: Floats
    right: npt.NDArray[np.bool_]
    open: npt.NDArray[np.bool_]
    asked: npt.NDArray[np.bool_]
    visible: npt.NDArray[np.bool_]


def count_views(samples: Samples, model: Path, views: int, seed: int = 2) -> HeldOutCounts:
    """Return the net's counts of the samples, view by view.

    samples: the lids.
    model: the net's ONNX file.
    views: number of views of each sample.
    seed: seed of the views.
    """
    net, batches = load_network(model), Batches(samples, np.random.default_rng(seed), ends=0)
    parts = [[_examine_view(net, *batches.make_view(k)) for k in range(len(samples.trouble))] for _ in range(views)]
    features, right, least = (np.array(column) for column in zip(*(one for part in parts for one in part), strict=True))
    trouble = np.tile(samples.trouble, views)
    lies_open = (trouble == 0) & (least >= MOSTLY)
    neither = right & (trouble == 1) & (least >= SLIGHTLY)
    return HeldOutCounts(features, right & (trouble != NO_LID), lies_open, ~neither, least >= VISIBLE)


def _examine_view(net: Network, square: Image, stones: npt.NDArray[np.float32]) -> tuple[Floats, bool, float]:
    """Return the features of one view, True if the count is right, and the visible share of the least visible stone."""
    count = count_stones(ask_around(square, net), 1.0, 1.0, square)
    there = stones[stones[:, 2] >= 0]
    right = count.colour_counts() == tuple(int((there[:, 2] == colour).sum()) for colour in (0, 1))
    return count.features, right, min((_visible_share(square, stone) for stone in there), default=1.0)


def _visible_share(square: Image, stone: npt.NDArray[np.float32]) -> float:
    """Return a stone's visible share: 0 beyond the picture, or if everything around is equally dark or burnt out."""
    x, y = (int(np.clip(round(float(n)), 0, SIDE - 1)) for n in stone[:2])
    reach = round(0.8 * STONE)
    around = square[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    flat = np.max(cv2.GaussianBlur(around, (0, 0), 1.0).std(axis=(0, 1))) < FLAT
    return 0.0 if flat or (around == OUTSIDE).all(axis=-1).any() else float(stone[3])


def fit_confidence(looks: HeldOutCounts) -> PlattScaling:
    """Fit the confidence to one half of the pictures, and the threshold to both.

    A count is sure if no feature vetoes it and its log-odds exceed those of all wrong counts but the surest, one for
    every EXCUSED counts. Lids in which some stone cannot be seen are left out.
    """
    first = np.arange(len(looks.right)) // SCENES % 2 == 0
    allowed = passes_vetoes(looks.features)
    learned = allowed & first & looks.asked & looks.visible
    scaling = _fit_logistic(looks.features[learned], looks.open[learned], looks.right[learned])
    wrong = np.sort(scaling.log_odds(looks.features[allowed & looks.visible & ~looks.right]))[::-1]
    others = wrong[len(looks.right) // EXCUSED :]
    least = float(np.max(others, initial=0.0)) + MARGIN
    return replace(scaling, threshold=least, confirming_threshold=least)


def _fit_logistic(said: Floats, lies_open: npt.NDArray[np.bool_], right: npt.NDArray[np.bool_]) -> PlattScaling:
    """Fit a logistic regression with positive coefficients: a better feature never makes a count less sure."""
    mean, std = said.mean(axis=0), said.std(axis=0) + 1e-3
    x, y = torch.tensor((said - mean) / std).float(), torch.tensor(lies_open & right).float()
    free, bias = torch.zeros(x.shape[1], requires_grad=True), torch.zeros((), requires_grad=True)
    worth, soft = torch.where(torch.tensor(right), 1.0, WORTH), torch.nn.functional.softplus
    optimizer = torch.optim.LBFGS([free, bias], max_iter=ROUNDS)

    def compute_loss() -> torch.Tensor:
        optimizer.zero_grad()
        log_odds = x @ soft(free) + bias
        off = torch.nn.functional.binary_cross_entropy_with_logits(log_odds, y, weight=worth) + DECAY * (free**2).sum()
        off.backward()
        return off

    optimizer.step(compute_loss)
    return PlattScaling(mean, std, soft(free).detach().numpy().astype(np.float64), float(bias.detach()), 0.0, 0.0)


def write_scaling(scaling: PlattScaling, path: Path) -> None:
    """Write the fit as vision/lids/confidence.py reads it."""
    values = {name: np.round(value, 5).tolist() for name, value in vars(scaling).items()}
    path.write_text(json.dumps(values, indent=1) + "\n")
