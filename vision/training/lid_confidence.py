"""Fits when a count of a lid is sure, on rendered lids that the net did not learn from."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch

from vision.frame import Image
from vision.lids.confidence import STONE, PlattScaling, counted, not_vetoed
from vision.lids.net import OUTSIDE, SIDE, ask_around
from vision.training.lid_batches import Batches
from vision.training.lid_samples import NO_LID, SCENES, Samples

# Chosen by hand (docs/vision.md).
ROUNDS, DECAY = 300, 1e-4
"""Steps of the fit at most, and its penalty on the squared coefficients."""
WORTH = 20.0
"""A wrong count weighs so many times as much as a right one."""
VISIBLE, SLIGHTLY, MOSTLY = 0.3, 0.85, 0.6
"""Where at least so much of every stone is seen, those that lie upon others can be counted."""
FLAT = 2.5
"""Where levels spread by less than this there is nothing to be seen."""
EXCUSED = 2500
"""One in so many counts may be wrong above the log-odds from which on counts are sure."""
MARGIN = 0.02
"""How far above the last of the others the threshold lies, in log-odds."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Looks:
    """Counts of held lids. features: (n, features). right: the count is exact. open: of a single layer without a hand
    over it. asked: which counts to learn from: not those that are exact though stones lie a little upon others, which
    may be sure or not. visible: every stone is seen at least in part."""

    features: Floats
    right: npt.NDArray[np.bool_]
    open: npt.NDArray[np.bool_]
    asked: npt.NDArray[np.bool_]
    visible: npt.NDArray[np.bool_]


def looked(samples: Samples, model: Path, views: int, seed: int = 2) -> Looks:
    """What that net says of so many views of each sample, view by view."""
    net, batches = cv2.dnn.readNetFromONNX(str(model)), Batches(samples, np.random.default_rng(seed), ends=0)
    parts = [[_look(net, *batches.view(k)) for k in range(len(samples.trouble))] for _ in range(views)]
    features, right, least = (np.array(column) for column in zip(*(one for part in parts for one in part), strict=True))
    trouble = np.tile(samples.trouble, views)
    lies_open = (trouble == 0) & (least >= MOSTLY)
    neither = right & (trouble == 1) & (least >= SLIGHTLY)
    return Looks(features, right & (trouble != NO_LID), lies_open, ~neither, least >= VISIBLE)


def _look(net: cv2.dnn.Net, square: Image, stones: npt.NDArray[np.float32]) -> tuple[Floats, bool, float]:
    """The features of one view, whether the count is right, and how much of the least seen stone is seen."""
    count = counted(ask_around(square, net), 1.0, 1.0, square)
    there = stones[stones[:, 2] >= 0]
    right = count.counts() == tuple(int((there[:, 2] == colour).sum()) for colour in (0, 1))
    return count.features, right, min((_shown(square, stone) for stone in there), default=1.0)


def _shown(square: Image, stone: npt.NDArray[np.float32]) -> float:
    """The share of a stone that is seen; none of one beyond the picture, and where all is dark or burnt alike."""
    x, y = (int(np.clip(round(float(n)), 0, SIDE - 1)) for n in stone[:2])
    reach = round(0.8 * STONE)
    around = square[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    flat = np.max(cv2.GaussianBlur(around, (0, 0), 1.0).std(axis=(0, 1))) < FLAT
    return 0.0 if flat or (around == OUTSIDE).all(axis=-1).any() else float(stone[3])


def fit(looks: Looks) -> PlattScaling:
    """Fitted to one half of the pictures; sure is what no feature forbids and what it puts above all but EXCUSED of the
    wrong counts of both halves, those of lids apart in which nobody can see every stone."""
    first = np.arange(len(looks.right)) // SCENES % 2 == 0
    allowed = not_vetoed(looks.features)
    learned = allowed & first & looks.asked & looks.visible
    scaling = _fitted(looks.features[learned], looks.open[learned], looks.right[learned])
    wrong = np.sort(scaling.log_odds(looks.features[allowed & looks.visible & ~looks.right]))[::-1]
    others = wrong[len(looks.right) // EXCUSED :]
    least = float(np.max(others, initial=0.0)) + MARGIN
    return replace(scaling, threshold=least, told=least)


def _fitted(said: Floats, lies_open: npt.NDArray[np.bool_], right: npt.NDArray[np.bool_]) -> PlattScaling:
    """A logistic regression whose coefficients are above 0: a better feature never makes a count less sure."""
    mean, std = said.mean(axis=0), said.std(axis=0) + 1e-3
    x, y = torch.tensor((said - mean) / std).float(), torch.tensor(lies_open & right).float()
    free, bias = torch.zeros(x.shape[1], requires_grad=True), torch.zeros((), requires_grad=True)
    worth, soft = torch.where(torch.tensor(right), 1.0, WORTH), torch.nn.functional.softplus
    optimizer = torch.optim.LBFGS([free, bias], max_iter=ROUNDS)

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        log_odds = x @ soft(free) + bias
        off = torch.nn.functional.binary_cross_entropy_with_logits(log_odds, y, weight=worth) + DECAY * (free**2).sum()
        off.backward()
        return off

    optimizer.step(loss)
    return PlattScaling(mean, std, soft(free).detach().numpy().astype(np.float64), float(bias.detach()), 0.0, 0.0)


def write(scaling: PlattScaling, path: Path) -> None:
    """Keep the fit as vision/lids/confidence.py reads it."""
    values = {name: np.round(value, 5).tolist() for name, value in vars(scaling).items()}
    path.write_text(json.dumps(values, indent=1) + "\n")
