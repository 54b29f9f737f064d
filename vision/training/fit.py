"""The training loop of the stone reader's net: seeded, and resumable after an interruption."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from vision.camera.frame import Image
from vision.stones.reader import BLACK, CONTENTS, HIDDEN, WHITE
from vision.training.augment import crop_straight, move_board, relight_board
from vision.training.boxes import BOXED
from vision.training.cover import cover_with_arm, cover_with_fingers
from vision.training.net import StoneNet
from vision.training.off_grid_aug import Floats, add_stones_beside, compute_shares, locate_nearest_stones
from vision.training.photos import UNKNOWN
from vision.training.windows import BoardWindow

# Chosen by hand (docs/vision.md).
BATCH = 8
"""Boards per training step."""
KEEP = (0.99, 0.996)
"""Decay of the averaged net's weights, before and after step FIRST; the averaged net is the one kept."""
FIRST = 1000
SMOOTHING = 0.01
"""Label smoothing, which limits how sure the net learns to be."""
PLAIN = 0.05
"""Share of boards shown in their original light."""
ARMS = 0.12
"""Share of boards over which an arm is laid."""
SLIPS_FROM = 600
"""Number of steps after which the net is good enough to detect missing boxes."""
SURE = 0.95
"""Smallest probability of another content at which a box counts as missing."""
OFFSETS = 0.5
"""Weight of the offset loss (in cells) relative to the loss of the contents."""
ABOUT, BESIDE = 0.25, 3.0
"""Largest usual offset of a stone from its point, in cells each way, and the weight of offsets beyond it."""
SAVE_EACH = 250
"""Steps between checkpoints."""


@dataclass(frozen=True)
class Stage:
    """A stage of training.

    steps: number of steps.
    fastest: highest learning rate.
    weights: sampling weight of each source.
    hard, coloured: as `relight_board` takes them.
    put: share of boards on which stones are put beside points.
    fingers: share of boards under fingers.
    """

    steps: int
    fastest: float
    weights: dict[str, float]
    hard: float = 0.0
    coloured: float = 0.0
    put: float = 0.0
    fingers: float = 0.0


@dataclass
class Course:
    """The state of a training run.

    net: the net being trained.
    average_net: the running average of its weights.
    optimizer: the optimizer.
    schedule: the schedule of the learning rate.
    step: number of steps done.
    """

    net: StoneNet
    average_net: StoneNet
    optimizer: torch.optim.Optimizer
    schedule: torch.optim.lr_scheduler.OneCycleLR
    step: int = field(default=0)

    @classmethod
    def begin_stage(cls, stage: Stage, seed: int, first: StoneNet | None = None) -> Course:
        """Start a run. first: the net to begin with, a new one if None."""
        torch.manual_seed(seed)
        net: StoneNet = (deepcopy(first).train() if first else StoneNet()).to(memory_format=torch.channels_last)
        optimizer = torch.optim.AdamW(net.parameters(), lr=stage.fastest, weight_decay=0.02)
        steps = stage.steps
        pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, stage.fastest, total_steps=steps, pct_start=0.15)
        average: StoneNet = deepcopy(net).eval()
        return cls(net, average, optimizer, pace)

    def save_checkpoint(self, path: Path) -> None:
        """Write a checkpoint."""
        path.parent.mkdir(parents=True, exist_ok=True)
        parts = {name: part.state_dict() for name, part in self._saved_parts().items()}
        torch.save({**parts, "step": self.step}, path)

    def load_checkpoint(self, path: Path) -> None:
        """Resume from a checkpoint of the same stage and seed."""
        state = torch.load(path, weights_only=True)
        for name, part in self._saved_parts().items():
            part.load_state_dict(state[name])
        self.step = state["step"]

    def train_step(self, pixels: torch.Tensor, content_shares: torch.Tensor, true_offsets: torch.Tensor) -> float:
        """Do one step and return the loss."""
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits, offsets = self.net(pixels)
        loss = contents_loss(logits.float(), content_shares) + OFFSETS * offsets_loss(
            offsets.float(), true_offsets, content_shares
        )
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.schedule.step()
        update_average(self.average_net, self.net, KEEP[self.step >= FIRST])
        self.step += 1
        return float(loss.item())

    def _saved_parts(self) -> dict[str, torch.nn.Module | torch.optim.Optimizer | torch.optim.lr_scheduler.OneCycleLR]:
        return {"net": self.net, "kept": self.average_net, "optimizer": self.optimizer, "schedule": self.schedule}


def contents_loss(logits: torch.Tensor, content_shares: torch.Tensor) -> torch.Tensor:
    """Return the smoothed cross-entropy over the labelled points. held: (n, 4, CELLS, CELLS), shares of contents."""
    smooth = content_shares * (1 - SMOOTHING) + SMOOTHING / content_shares.shape[1]
    losses = -(smooth * functional.log_softmax(logits, dim=1)).sum(dim=1)
    is_labelled = content_shares.sum(dim=1) > 0.5
    return losses[is_labelled].mean()


def offsets_loss(offsets: torch.Tensor, true_offsets: torch.Tensor, content_shares: torch.Tensor) -> torch.Tensor:
    """Return the error of the offsets, in cells; stones beside points weigh more.

    offsets: predicted offsets, (n, 2, CELLS, CELLS).
    true_offsets: true offsets, likewise; NaN if not labelled: a stone is then assumed within ABOUT of its point.
    content_shares: shares of contents, (n, 4, CELLS, CELLS).
    """
    is_labelled = true_offsets.isfinite().all(dim=1)
    far = true_offsets.abs().amax(dim=1)
    weights = torch.where(far > ABOUT, BESIDE, 1.0)[is_labelled]
    errors = functional.smooth_l1_loss(offsets, true_offsets.nan_to_num(), reduction="none", beta=0.05).sum(dim=1)[
        is_labelled
    ]
    stone = (content_shares[:, BLACK] + content_shares[:, WHITE] > 0.99) & ~is_labelled
    beyond = functional.relu(offsets.abs() - ABOUT).sum(dim=1)[stone]
    return (errors * weights).sum() / weights.sum().clamp(min=1) + beyond.sum() / stone.sum().clamp(min=1)


def update_average(average: torch.nn.Module, net: torch.nn.Module, keep: float) -> None:
    """Move the averaged net a little towards the trained one. keep: the share of it that stays."""
    with torch.no_grad():
        for slow, fast in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
            if slow.dtype.is_floating_point:
                slow.lerp_(fast, 1 - keep)
            else:
                slow.copy_(fast)


def train_stage(
    windows: Sequence[BoardWindow], stage: Stage, seed: int, checkpoint: Path, first: StoneNet | None = None
) -> StoneNet:
    """Train a net, or train `first` further.

    windows: the boards to learn from.
    stage: the stage of training.
    seed: seed of every random choice.
    checkpoint: checkpoint file, resumed from if it exists.
    first: the net to begin with, a new one if None.
    """
    cv2.setNumThreads(1)
    course = Course.begin_stage(stage, seed, first)
    if checkpoint.exists():
        course.load_checkpoint(checkpoint)
        print(f"{checkpoint.stem} goes on after {course.step} steps", flush=True)
    sampler = BoardSampler([window for window in windows if window.source in stage.weights], stage, seed)
    while course.step < stage.steps:
        if (first or course.step >= SLIPS_FROM) and not sampler.checked:
            sampler = sampler.without_slips(course.average_net)
        _train_round(course, sampler, min(stage.steps, course.step + SAVE_EACH))
        course.save_checkpoint(checkpoint)
    return course.average_net


def _train_round(course: Course, sampler: BoardSampler, until: int) -> None:
    """Train up to that step, preparing the next batch in a thread while the net learns from this one."""
    start_time, loss_sum, first = time.monotonic(), 0.0, course.step
    with ThreadPoolExecutor(1) as executor:
        next_batch = executor.submit(sampler.make_batch, course.step)
        while course.step < until:
            pixels, content_shares, true_offsets = next_batch.result()
            next_batch = executor.submit(sampler.make_batch, course.step + 1)
            loss_sum += course.train_step(pixels, content_shares, true_offsets)
    elapsed = time.monotonic() - start_time
    print(f"{until} steps, loss {loss_sum / (until - first):.4f}, {elapsed / (until - first):.2f} s each", flush=True)


@dataclass(frozen=True)
class BoardSampler:
    """A sampler of boards, each source drawn as often as its weight says.

    windows: the boards.
    stage: the stage of training.
    seed: seed of every random choice.
    checked: True if missing boxes have been taken out.
    """

    windows: Sequence[BoardWindow]
    stage: Stage
    seed: int
    checked: bool = False

    @cached_property
    def board_probabilities(self) -> npt.NDArray[np.float64]:
        """Return the probability of every board, shape (n,)."""
        counts = Counter(window.source for window in self.windows)
        shares = np.array([self.stage.weights[window.source] / counts[window.source] for window in self.windows])
        return np.asarray(shares / shares.sum())

    def make_batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return a step's augmented boards: pixels, shares of contents, and stones' offsets."""
        chance = np.random.default_rng([self.seed, step])
        boards = [
            self._augment_board(int(n), chance)
            for n in chance.choice(len(self.windows), BATCH, p=self.board_probabilities)
        ]
        pixels, content_shares, true_offsets = zip(*boards, strict=True)
        return to_tensor(pixels), torch.from_numpy(np.stack(content_shares)), torch.from_numpy(np.stack(true_offsets))

    def _augment_board(self, index: int, chance: np.random.Generator) -> tuple[Image, Floats, Floats]:
        """Return one board as shown to the net: pixels, shares of contents, and stones' offsets."""
        stage, window = self.stage, self.windows[index]
        if stage.put and chance.random() < stage.put:
            window = add_stones_beside(window, chance)
        pixels, kinds, offsets = move_board(window, chance)
        visible_kinds = kinds
        if chance.random() < ARMS:
            pixels, visible_kinds = cover_with_arm(pixels, visible_kinds, chance)
        if stage.fingers and chance.random() < stage.fingers:
            pixels, visible_kinds = cover_with_fingers(pixels, visible_kinds, chance)
        if chance.random() >= PLAIN:
            pixels = relight_board(pixels, visible_kinds, offsets, chance, stage.hard, stage.coloured)
        return (
            pixels,
            compute_shares(kinds, offsets, visible_kinds),
            locate_nearest_stones(kinds, offsets, visible_kinds),
        )

    def without_slips(self, net: StoneNet) -> BoardSampler:
        """Return the sampler with points of BOXED unknown if the net is sure of something else: boxes are missing."""
        return replace(self, windows=[_drop_slips(net, window) for window in self.windows], checked=True)


def to_tensor(pictures: Sequence[Image]) -> torch.Tensor:
    """Return pictures as the net takes them: (n, 3, SIDE, SIDE)."""
    stacked = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float()
    return stacked.contiguous(memory_format=torch.channels_last)


def _drop_slips(net: StoneNet, window: BoardWindow) -> BoardWindow:
    """Return a board of BOXED with points unknown if the net is sure of something else; other boards unchanged."""
    if window.source != BOXED:
        return window
    with torch.no_grad():
        answer = functional.softmax(net(to_tensor([crop_straight(window)]))[0][0], dim=0).permute(1, 2, 0).numpy()
    is_slip = (answer.argmax(axis=-1) != window.kinds) & (answer[..., :CONTENTS].max(axis=-1) >= SURE)
    return replace(window, kinds=np.where(is_slip & (window.kinds != HIDDEN), UNKNOWN, window.kinds))
