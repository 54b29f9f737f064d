"""Fitting a net to boards: scenes of crops from one photograph under one lamp, in a seeded order."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from vision.stones import SPAN
from vision.training.augment import light_of, look_from_elsewhere, relight
from vision.training.crops import Board
from vision.training.net import StoneNet

SCENES = 16
EACH = 24
"""Crops a scene: the colours of a board are taken from as many."""
FASTEST = 4e-3
KEEP = 0.995
"""How slowly the averaged net, which is the one kept, follows the trained one."""
SMOOTHING = 0.02

Numbers = npt.NDArray[np.int64]


class Scenes:
    """Draws batches: every source as often as its weight says, then a photograph, then a mix of contents."""

    def __init__(self, boards: Sequence[Board], weights: dict[str, float], seed: int) -> None:
        self._boards = boards
        self._by_kind = [[np.flatnonzero(board.kinds == kind) for kind in range(3)] for board in boards]
        self._chance = np.random.default_rng(seed)
        self._torch = torch.Generator().manual_seed(seed)
        sources = [board.source for board in boards]
        shares = np.array([weights[source] / sources.count(source) for source in sources])
        self._shares = shares / shares.sum()

    def batch(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Crops, colours of their boards, and contents: as the net wants them."""
        picks = [self._scene(i) for i in self._chance.choice(len(self._boards), SCENES, p=self._shares)]
        wide = torch.from_numpy(np.concatenate([pixels for pixels, _ in picks])).permute(0, 3, 1, 2).float()
        crops = relight(look_from_elsewhere(wide, self._torch, SPAN), SCENES, self._torch)
        kinds = torch.from_numpy(np.concatenate([kinds for _, kinds in picks]))
        return crops, light_of(crops, SCENES), kinds

    def _scene(self, index: int) -> tuple[npt.NDArray[np.uint8], Numbers]:
        board, by_kind = self._boards[index], self._by_kind[index]
        there = np.array([len(points) > 0 for points in by_kind])
        share = self._chance.dirichlet([1.6, 0.9, 0.9]) * there
        kinds = self._chance.choice(3, EACH, p=share / share.sum())
        points = np.array([self._chance.choice(by_kind[kind]) for kind in kinds])
        return board.wide[points], kinds


def fit(boards: Sequence[Board], weights: dict[str, float], steps: int, seed: int) -> StoneNet:
    """Train a net from scratch; the same boards, steps and seed give the same net."""
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    scenes, net = Scenes(boards, weights, seed), StoneNet()
    kept: StoneNet = deepcopy(net).eval()
    optimizer = torch.optim.AdamW(net.parameters(), lr=FASTEST, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, FASTEST, total_steps=steps, pct_start=0.15)
    for _ in range(steps):
        crops, light, kinds = scenes.batch()
        loss = functional.cross_entropy(net(crops, light), kinds, label_smoothing=SMOOTHING)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        follow(kept, net, KEEP)
    return kept


def follow(kept: nn.Module, net: nn.Module, keep: float) -> None:
    """Move the averaged net a little towards the trained one. keep: the share of it that stays."""
    with torch.no_grad():
        for slow, fast in zip(kept.state_dict().values(), net.state_dict().values(), strict=True):
            if slow.dtype.is_floating_point:
                slow.lerp_(fast, 1 - keep)
            else:
                slow.copy_(fast)
