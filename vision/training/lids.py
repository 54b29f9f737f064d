"""Makes the lid reader's net from rendered lids alone: `python -m vision.training.lids` (needs the `training` extra).

What the net answers is told in vision/lid_net.py. Seeded; about a quarter of an hour on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
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

DRAWN = 192
"""The side of a rendered lid's picture, pixels: more than the net sees, for turning and shifting."""
SCENES = 4
CENTRE = 2.6
"""Map places: so far from a stone's middle the map still says that it is there."""
MOST = 14
WORKERS = 2
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
    fine = int(DRAWN * rng.choice([1.0, 1.5, 2.0]))
    table = Table(aimed_at_lid(look, side, fine, share, rng.uniform(-0.03, 0.03, 2)))
    for frame in range(SCENES):
        yield _shrunk(_sample(table, side, rng, frame))


def _shrunk(sample: Sample) -> Sample:
    """A finer picture brought to the size of all, as a large photograph is."""
    scale = DRAWN / sample.pixels.shape[0]
    pixels = cv2.resize(sample.pixels, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA)
    return Sample(np.asarray(pixels, np.uint8), sample.stones * np.array([scale, scale, 1], np.float32), sample.open)


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
    lit = pixels * gain + (_reflections(rng) if rng.random() < 0.5 else 0)
    return np.clip(lit, 0, 255).astype(np.uint8), stones


def _reflections(rng: np.random.Generator) -> Floats:
    """Soft bright streaks such as windows leave on varnish, and soft shades: neither is a stone."""
    down, across = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    light = np.zeros((SIDE, SIDE, 3), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        x, y, turn = rng.uniform((0.2 * SIDE, 0.2 * SIDE, 0.0), (0.8 * SIDE, 0.8 * SIDE, np.pi))
        along = (across - x) * np.cos(turn) + (down - y) * np.sin(turn)
        aside = (down - y) * np.cos(turn) - (across - x) * np.sin(turn)
        spot = np.exp(-((along / rng.uniform(8, 30)) ** 2) - (aside / rng.uniform(4, 14)) ** 2)
        light += spot[..., None] * rng.uniform(-50, 110) * rng.uniform(0.7, 1.2, 3).astype(np.float32)
    return light


def target(stones: Floats) -> Floats:
    """The map the net should give: 0 nothing, 1 a black stone's middle, 2 a white one's."""
    side = SIDE // STEP
    down, across = np.mgrid[:side, :side]
    wanted = np.zeros((side, side), np.float32)
    for x, y, colour in stones:
        wanted[(across - x / STEP) ** 2 + (down - y / STEP) ** 2 < CENTRE**2] = 1 + colour
    return wanted


class LidNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """Small convolutions at half scale, wider ones at a quarter, reaching across the whole lid, and both together."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(*_block(3, 12, 2, 1), *_block(12, 16, 1, 1))
        wide = ((16, 32, 2, 1), (32, 32, 1, 1), (32, 32, 1, 2), (32, 32, 1, 4))
        self.wide = nn.Sequential(*(layer for form in wide for layer in _block(*form)))
        self.back = nn.ConvTranspose2d(32, 16, 2, 2)
        self.both = nn.Sequential(*_block(32, 20, 1, 1))
        self.middles = nn.Conv2d(20, 3, 1)
        self.density = nn.Conv2d(20, 2, 1)
        self.clear = nn.Sequential(nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of the map, the counts, and the logit of an open lid."""
        near = self.near(pixels)
        wide = self.wide(near)
        seen = self.both(torch.cat([near, self.back(wide)], dim=1))
        counts = nn.functional.softplus(self.density(seen) - 5).sum(dim=(2, 3))
        pooled = torch.cat([wide.mean(dim=(2, 3)), wide.amax(dim=(2, 3))], dim=1)
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


def _scenes(seed: int) -> list[Sample]:
    return list(rendered(seed))


def _loss(net: LidNet, batch: tuple[torch.Tensor, ...]) -> torch.Tensor:
    pixels, wanted, counts, clear = batch
    middles, counted, opened = net(pixels)
    places = nn.functional.cross_entropy(middles, wanted, weight=torch.tensor([1.0, 4.0, 4.0]))
    number = nn.functional.smooth_l1_loss(counted, counts)
    return places + 0.15 * number + 0.15 * nn.functional.binary_cross_entropy_with_logits(opened, clear)


def train(looks: int, epochs: int, seed: int = 1) -> LidNet:
    """Render that many lids, SCENES scenes each, and train for so many rounds."""
    torch.manual_seed(seed)
    with ProcessPoolExecutor(WORKERS) as workers:
        samples = [sample for scenes in workers.map(_scenes, range(looks), chunksize=20) for sample in scenes]
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
    parser.add_argument("--looks", type=int, default=2200)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--out", type=Path, default=MODEL)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(WORKERS)
    export(train(args.looks, args.epochs), args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
