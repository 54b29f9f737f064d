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
from vision.lid_net import ask_around
from vision.lid_trust import Weights, counted, speaks_for
from vision.training.lid_batches import Batches
from vision.training.lid_samples import NO_LID, SCENES, Samples

INNER = 6
ROUNDS = 700
WORTH = 4.0
"""A wrong count weighs so many times as much as a right one."""
TOLD, SLIGHTLY, MOSTLY = 0.2, 0.85, 0.6
"""Where at least so much of every stone is seen, those that lie upon others can be counted."""
MARGIN = 0.02
"""A sure count's log odds are so far above those of any wrong one."""

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
    net, batches = cv2.dnn.readNetFromONNX(str(model)), Batches(samples, np.random.default_rng(seed))
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
    return count.clues, right, float(there[:, 3].min(initial=1.0))


class _Weighing(torch.nn.Module):  # type: ignore[misc, unused-ignore]
    """Two layers of weights above 0: a better clue never makes a count less trusted."""

    def __init__(self, clues: int) -> None:
        super().__init__()
        self.inner = torch.nn.Parameter(torch.randn(clues, INNER) * 0.5 - 1)
        self.inner_bias = torch.nn.Parameter(torch.randn(INNER))
        self.outer = torch.nn.Parameter(torch.randn(INNER) * 0.5)
        self.outer_bias = torch.nn.Parameter(torch.zeros(()))

    def forward(self, clues: torch.Tensor) -> torch.Tensor:
        """Log odds."""
        soft = torch.nn.functional.softplus
        return torch.tanh(clues @ soft(self.inner) + self.inner_bias) @ soft(self.outer) + self.outer_bias


def fit(looks: Looks) -> Weights:
    """Weights fitted to one half of the pictures; sure is what no clue speaks against and what they put above every
    wrong count of either half, but of lids in which a stone is all but hidden: nobody can count those."""
    first = np.arange(len(looks.right)) // SCENES % 2 == 0
    open_to_doubt = speaks_for(looks.clues)
    learned = open_to_doubt & first & looks.asked
    weights = _fitted(looks.clues[learned], (looks.right & looks.open)[learned])
    wrong = looks.clues[open_to_doubt & looks.told & ~looks.right]
    return replace(weights, least=float(weights.score(wrong).max(initial=0.0)) + MARGIN)


def _fitted(said: Floats, right: npt.NDArray[np.bool_], seed: int = 1) -> Weights:
    torch.manual_seed(seed)
    middle, spread = said.mean(axis=0), said.std(axis=0) + 1e-3
    x, y = torch.tensor((said - middle) / spread).float(), torch.tensor(right).float()
    net, worth = _Weighing(x.shape[1]), torch.where(y > 0, 1.0, WORTH)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    for _ in range(ROUNDS):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(x), y, weight=worth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    soft = torch.nn.functional.softplus
    inner, bias, outer = (
        part.detach().numpy().astype(np.float64) for part in (soft(net.inner), net.inner_bias, soft(net.outer))
    )
    return Weights(middle, spread, inner, bias, outer, float(net.outer_bias.detach()), 0.0)


def write(weights: Weights, path: Path) -> None:
    """Keep the weights as vision/lid_trust.py reads them."""
    values = {name: np.round(value, 5).tolist() for name, value in vars(weights).items()}
    path.write_text(json.dumps(values, indent=1) + "\n")
