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
from vision.lids.confidence import STONE, Weights, counted, speaks_for
from vision.lids.net import SIDE, ask_around
from vision.training.lid_batches import OUTSIDE, Batches
from vision.training.lid_samples import NO_LID, SCENES, Samples

ROUNDS = 300
WORTH = 20.0
"""A wrong count weighs so many times as much as a right one."""
DECAY = 1e-4
TOLD, SLIGHTLY, MOSTLY = 0.3, 0.85, 0.6
"""Where at least so much of every stone is seen, those that lie upon others can be counted."""
FLAT = 2.5
"""Where levels spread by less than this there is nothing to be seen."""
EXCUSED = 2500
"""One in so many counts may be wrong above the log odds from which on counts are sure."""
MARGIN = 0.02

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Looks:
    """Counts of held lids. clues: (n, clues). right: the count is exact. open: of a single layer without a hand over
    it. asked: which counts to learn from: not those that are exact though stones lie a little upon others, which may
    be sure or not. told: every stone is seen at least in part."""

    clues: Floats
    right: npt.NDArray[np.bool_]
    open: npt.NDArray[np.bool_]
    asked: npt.NDArray[np.bool_]
    told: npt.NDArray[np.bool_]


def looked(samples: Samples, model: Path, views: int, seed: int = 2) -> Looks:
    """What that net says of so many views of each sample, view by view."""
    net, batches = cv2.dnn.readNetFromONNX(str(model)), Batches(samples, np.random.default_rng(seed), ends=0)
    parts = [[_look(net, *batches.view(k)) for k in range(len(samples.trouble))] for _ in range(views)]
    clues, right, least = (np.array(column) for column in zip(*(one for part in parts for one in part), strict=True))
    trouble = np.tile(samples.trouble, views)
    lies_open = (trouble == 0) & (least >= MOSTLY)
    neither = right & (trouble == 1) & (least >= SLIGHTLY)
    return Looks(clues, right & (trouble != NO_LID), lies_open, ~neither, least >= TOLD)


def _look(net: cv2.dnn.Net, square: Image, stones: npt.NDArray[np.float32]) -> tuple[Floats, bool, float]:
    """The clues of one view, whether the count is right, and how much of the least seen stone is seen."""
    count = counted(ask_around(square, net), 1.0, 1.0, square)
    there = stones[stones[:, 2] >= 0]
    right = count.counts() == tuple(int((there[:, 2] == colour).sum()) for colour in (0, 1))
    return count.clues, right, min((_shown(square, stone) for stone in there), default=1.0)


def _shown(square: Image, stone: npt.NDArray[np.float32]) -> float:
    """The share of a stone that is seen; none of one beyond the picture, and where all is dark or burnt alike."""
    x, y = (int(np.clip(round(float(n)), 0, SIDE - 1)) for n in stone[:2])
    reach = round(0.8 * STONE)
    around = square[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    flat = np.max(cv2.GaussianBlur(around, (0, 0), 1.0).std(axis=(0, 1))) < FLAT
    return 0.0 if flat or (around == OUTSIDE).all(axis=-1).any() else float(stone[3])


def fit(looks: Looks) -> Weights:
    """Weights fitted to one half of the pictures; sure is what no clue speaks against and what they put above all but
    EXCUSED of the wrong counts of both halves, those of lids apart in which nobody can see every stone."""
    first = np.arange(len(looks.right)) // SCENES % 2 == 0
    open_to_doubt = speaks_for(looks.clues)
    learned = open_to_doubt & first & looks.asked & looks.told
    weights = _fitted(looks.clues[learned], looks.open[learned], looks.right[learned])
    wrong = np.sort(weights.score(looks.clues[open_to_doubt & looks.told & ~looks.right]))[::-1]
    others = wrong[len(looks.right) // EXCUSED :]
    return replace(weights, least=float(np.max(others, initial=0.0)) + MARGIN)


def _fitted(said: Floats, lies_open: npt.NDArray[np.bool_], right: npt.NDArray[np.bool_]) -> Weights:
    """A logistic regression whose weights are above 0: a better clue never makes a count less trusted."""
    middle, spread = said.mean(axis=0), said.std(axis=0) + 1e-3
    x, y = torch.tensor((said - middle) / spread).float(), torch.tensor(lies_open & right).float()
    free, bias = torch.zeros(x.shape[1], requires_grad=True), torch.zeros((), requires_grad=True)
    worth, soft = torch.where(torch.tensor(right), 1.0, WORTH), torch.nn.functional.softplus
    optimizer = torch.optim.LBFGS([free, bias], max_iter=ROUNDS)

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        odds = x @ soft(free) + bias
        off = torch.nn.functional.binary_cross_entropy_with_logits(odds, y, weight=worth) + DECAY * (free**2).sum()
        off.backward()
        return off

    optimizer.step(loss)
    return Weights(middle, spread, soft(free).detach().numpy().astype(np.float64), float(bias.detach()), 0.0)


def write(weights: Weights, path: Path) -> None:
    """Keep the weights as vision/lids/confidence.py reads them."""
    values = {name: np.round(value, 5).tolist() for name, value in vars(weights).items()}
    path.write_text(json.dumps(values, indent=1) + "\n")
