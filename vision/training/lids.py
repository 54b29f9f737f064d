"""Makes the lid reader's net from rendered lids alone: `python -m vision.training.lids` (needs the `training` extra).

What the net answers is told in vision/lid_net.py. Seeded; about a quarter of an hour on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from referee.board import Colour
from vision.lid_net import MODEL, ROOM, SIDE, STEP
from vision.render.lids import aimed_at_lid, random_lid
from vision.render.scene import SIDES, Hand, LidStone, Look, Scene
from vision.render.table import Table

DRAWN = 144
"""The side of a rendered lid's picture, pixels: more than the net sees, for turning and shifting."""
SCENES = 4
CENTRE = 1.2
"""Map places: so far from a stone's middle the map still says that it is there."""
MOST = 14
BATCH = 48

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


@dataclass(eq=False)
class Sample:
    """A rendered lid. pixels: (DRAWN, DRAWN, 3); stones: x, y in pixels and colour (0 black, 1 white), shape (n, 3)."""

    pixels: Pixels
    stones: Floats
    open: bool


def rendered(seed: int) -> Iterator[Sample]:
    """A few scenes of one random lid."""
    rng = np.random.default_rng([seed, 11])
    look = Look.random(rng, 19, 1280, 720)
    side = int(rng.integers(2))
    share = SIDE / ROOM / DRAWN * rng.uniform(0.86, 1.16)
    table = Table(aimed_at_lid(look, side, DRAWN, share, rng.uniform(-0.03, 0.03, 2)))
    for frame in range(SCENES):
        yield _sample(table, side, rng, frame)


def _sample(table: Table, side: int, rng: np.random.Generator, frame: int) -> Sample:
    layers = 1 + int(rng.random() < 0.25)
    stones = random_lid(rng, *_counts(rng), layers)
    lids = (stones, ()) if side == 0 else ((), stones)
    rows = ("." * table.look.size,) * table.look.size
    picture = table.draw(Scene(rows, lids), frame)
    clear = not picture.truth.lids[side].overlap
    pixels = picture.pixels
    if rng.random() < 0.15:
        pixels, covers = _with_hand(table, Scene(rows, lids), side, rng, frame, pixels)
        clear = clear and not covers
    return Sample(pixels, _middles(table, side, stones), clear)


def _counts(rng: np.random.Generator) -> tuple[int, int]:
    total = int(rng.choice([0, int(rng.integers(1, 5)), int(rng.integers(1, MOST))], p=[0.15, 0.4, 0.45]))
    black = int(rng.choice([0, total, int(rng.integers(0, total + 1))], p=[0.25, 0.25, 0.5]))
    return black, total - black


def _with_hand(
    table: Table, scene: Scene, side: int, rng: np.random.Generator, frame: int, bare: Pixels
) -> tuple[Pixels, bool]:
    """The picture with a hand over or beside the lid, and whether it covers any of the lid."""
    x, y = np.array(table.lid_point(side)) + rng.uniform(-0.15, 0.15, 2)
    held = Colour.BLACK if rng.random() < 0.5 else None
    hand = Hand((float(x), float(y)), str(rng.choice(SIDES)), float(rng.uniform(0.6, 1.0)), held)
    pixels = table.draw(Scene(scene.rows, scene.lids, hand), frame).pixels
    box = table.lid_box(table.look, side)
    inside = np.s_[max(0, int(box.y)) : int(box.y + box.h), max(0, int(box.x)) : int(box.x + box.w)]
    changed = np.abs(pixels[inside].astype(int) - bare[inside]).max(axis=-1) > 40
    return pixels, bool(changed.mean() > 0.02)


def _middles(table: Table, side: int, stones: tuple[LidStone, ...]) -> Floats:
    if not stones:
        return np.zeros((0, 3), np.float32)
    seen = table.prisoner_pixels(side, stones)
    colours = [[float(stone.colour is Colour.WHITE)] for stone in stones]
    return np.concatenate([seen, np.array(colours)], axis=1).astype(np.float32)


def viewed(sample: Sample, rng: np.random.Generator) -> tuple[Pixels, Floats]:
    """A sample turned, mirrored and shifted: what the net sees, and the stones in its pixels."""
    angle, shift = rng.uniform(0, 360), rng.uniform(-5, 5, 2)
    matrix = cv2.getRotationMatrix2D((DRAWN / 2, DRAWN / 2), angle, 1.0)
    matrix[:, 2] = matrix[:, 2] + shift + (SIDE - DRAWN) / 2
    pixels = cv2.warpAffine(sample.pixels, matrix, (SIDE, SIDE), borderMode=cv2.BORDER_REFLECT)
    stones = sample.stones.copy()
    stones[:, :2] = stones[:, :2] @ matrix[:, :2].T + matrix[:, 2]
    if rng.random() < 0.5:
        pixels, stones[:, 0] = pixels[:, ::-1], SIDE - 1 - stones[:, 0]
    gain = rng.uniform(0.7, 1.3) * rng.uniform(0.8, 1.2, 3)
    return np.clip(pixels * gain, 0, 255).astype(np.uint8), stones


def target(stones: Floats) -> Floats:
    """The map the net should give: 0 nothing, 1 a black stone's middle, 2 a white one's."""
    side = SIDE // STEP
    down, across = np.mgrid[:side, :side]
    wanted = np.zeros((side, side), np.float32)
    for x, y, colour in stones:
        wanted[(across - x / STEP) ** 2 + (down - y / STEP) ** 2 < CENTRE**2] = 1 + colour
    return wanted


class LidNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """Six small convolutions, the last four at a quarter of the scale, reaching across the whole lid."""

    def __init__(self) -> None:
        super().__init__()
        shape = ((3, 12, 2, 1), (12, 24, 2, 1), (24, 32, 1, 1), (32, 32, 1, 2), (32, 32, 1, 4), (32, 32, 1, 1))
        self.body = nn.Sequential(*(layer for form in shape for layer in _block(*form)))
        self.middles = nn.Conv2d(32, 3, 1)
        self.density = nn.Conv2d(32, 2, 1)
        self.clear = nn.Sequential(nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of the map, the counts, and the logit of an open lid."""
        seen = self.body(pixels)
        counts = nn.functional.softplus(self.density(seen) - 4).sum(dim=(2, 3))
        pooled = torch.cat([seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3))], dim=1)
        return self.middles(seen), counts, self.clear(pooled)


def _block(inward: int, outward: int, stride: int, dilation: int) -> tuple[nn.Module, ...]:
    conv = nn.Conv2d(inward, outward, 3, stride, padding=dilation, dilation=dilation, bias=False)
    return conv, nn.BatchNorm2d(outward), nn.ReLU()


class Answering(nn.Module):  # type: ignore[misc, unused-ignore]
    """The trained net with its logits as probabilities: what is exported."""

    def __init__(self, net: LidNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Middles, counts, open, as vision/lid_net.py reads them."""
        middles, counts, clear = self.net(pixels)
        return torch.softmax(middles, dim=1), counts, torch.sigmoid(clear)


def _batch(samples: list[Sample], rng: np.random.Generator) -> tuple[torch.Tensor, ...]:
    views = [viewed(sample, rng) for sample in samples]
    pixels = np.stack([view[0] for view in views]).transpose(0, 3, 1, 2)
    wanted = np.stack([target(view[1]) for view in views]).astype(np.int64)
    counts = np.array([[(stones[:, 2] == colour).sum() for colour in (0, 1)] for _, stones in views], np.float32)
    clear = np.array([[sample.open] for sample in samples], np.float32)
    normal = (torch.from_numpy(pixels).float() - 128) / 128
    return normal, torch.from_numpy(wanted), torch.from_numpy(counts), torch.from_numpy(clear)


def _loss(net: LidNet, batch: tuple[torch.Tensor, ...]) -> torch.Tensor:
    pixels, wanted, counts, clear = batch
    middles, counted, opened = net(pixels)
    places = nn.functional.cross_entropy(middles, wanted, weight=torch.tensor([1.0, 4.0, 4.0]))
    number = nn.functional.smooth_l1_loss(counted, counts)
    return places + 0.15 * number + 0.15 * nn.functional.binary_cross_entropy_with_logits(opened, clear)


def train(looks: int, epochs: int, seed: int = 1) -> LidNet:
    """Render that many lids, SCENES scenes each, and train for so many rounds."""
    torch.manual_seed(seed)
    samples = [sample for look in range(looks) for sample in rendered(look)]
    print(f"{len(samples)} lids rendered", flush=True)
    net, rng, rounds = LidNet(), np.random.default_rng(seed), len(samples) // BATCH
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=epochs * rounds)
    for epoch in range(epochs):
        order, total = rng.permutation(len(samples)), 0.0
        for start in range(0, rounds * BATCH, BATCH):
            loss = _loss(net, _batch([samples[i] for i in order[start : start + BATCH]], rng))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / rounds:.4f}", flush=True)
    return net


def export(net: LidNet, path: Path) -> None:
    """Write the net as ONNX for one lid at a time."""
    torch.onnx.export(
        Answering(net).eval(),
        (torch.zeros(1, 3, SIDE, SIDE),),
        str(path),
        input_names=["lid"],
        output_names=["middles", "counts", "open"],
        dynamo=False,
    )


def main() -> int:
    """Train and write the net that is shipped."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.lids", description=__doc__)
    parser.add_argument("--looks", type=int, default=2000)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--out", type=Path, default=MODEL)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(2)
    export(train(args.looks, args.epochs), args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
