"""Labels for photographs without positions, from a net trained on others: only where it is sure, however it looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from vision.stones import SIDE, light_of
from vision.training.boxes import BOXED
from vision.training.crops import UNKNOWN, WIDE_SIDE, Board
from vision.training.net import StoneNet

SURE = 0.9
"""The mean probability, over looks turned and shifted, from which a label is kept."""
AGREE = 0.6
"""What every single look must say."""
MOST_UNSURE = 0.2
"""A board with more unsure points than this is left out: its corners may be wrong."""
STEP = 2
"""Pixels the looks are apart."""


def pseudo_labelled(net: StoneNet, boards: Sequence[Board]) -> Iterator[Board]:
    """The boards with contents where the net is sure, without those it cannot read."""
    for board in boards:
        looks = np.stack(list(_looks(net, board)))
        best = looks.mean(axis=0).argmax(axis=1)
        every = np.arange(len(best))
        sure = (looks.mean(axis=0)[every, best] >= SURE) & (looks[:, every, best].min(axis=0) >= AGREE)
        if sure.mean() >= 1 - MOST_UNSURE:
            yield replace(board, kinds=np.where(sure, best, UNKNOWN))


def without_slips(net: StoneNet, boards: Sequence[Board]) -> Iterator[Board]:
    """Labelled boards; those of BOXED unknown where the net is sure of something else: some boxes are forgotten."""
    for board in boards:
        if board.source != BOXED:
            yield board
            continue
        looks = np.stack(list(_looks(net, board))).mean(axis=0)
        slips = (looks.max(axis=1) >= SURE) & (looks.argmax(axis=1) != board.kinds)
        yield replace(board, kinds=np.where(slips, UNKNOWN, board.kinds))


def _looks(net: StoneNet, board: Board) -> Iterator[npt.NDArray[np.float32]]:
    start = (WIDE_SIDE - SIDE) // 2
    for turns, (down, right) in enumerate([(0, 0), (-STEP, -STEP), (STEP, -STEP), (-STEP, STEP), (STEP, STEP)]):
        rows, columns = slice(start + down, start + down + SIDE), slice(start + right, start + right + SIDE)
        crops = np.rot90(board.wide[:, rows, columns], turns, axes=(1, 2))
        light = torch.from_numpy(light_of(crops)).expand(len(crops), -1)
        pixels = torch.from_numpy(np.ascontiguousarray(crops)).permute(0, 3, 1, 2).float()
        with torch.no_grad():
            yield functional.softmax(net(pixels, light), dim=1).numpy()
