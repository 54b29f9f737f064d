"""Makes the lid reader's net: `python -m vision.training.lids --photos FOLDER` (needs the extras training and traced).

What the net answers is told in vision/lids/net.py. Seeded; broken off, it goes on where it was when started again. Lids
are drawn, traced, and put together from photographs, once into the folder of `--kept`; then the net is trained on them,
then `vision.training.lid_confidence` fits how far it can be trusted to lids that it did not learn from.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from vision.lids.net import MODEL, PLANES, SIDE
from vision.training.lid_batches import Batch, Batches
from vision.training.lid_confidence import fit, looked, write
from vision.training.lid_others import drawn_other, other
from vision.training.lid_pasted import pasted
from vision.training.lid_samples import Draw, Samples, joined, kept, rendered
from vision.training.lid_traced import traced, traced_other
from vision.training.net import conv_block, write_onnx
from vision.training.onward import averaged, load_exported
from vision.training.options import THREADS, options, parsed

# Chosen by hand (docs/vision.md).
LEARNED = {
    "lids": range(3800),
    "pasted": range(1200),
    "other": range(300),
    "decoy": range(100),
    "traced": range(300),
    "bowls": range(100),
}
"""What the net learns from: four pictures a seed, of what is traced eight."""
HELD = {"pasted": range(1200, 1600), "traced": range(300, 360)}
"""What trust is fitted to: of lids drawn in bad light there were so many that they hid what tells a good count."""
VIEWS = 1
"""Each held picture is looked at so often, in another light and turned another way."""
BATCH = 32
"""Squares in a step."""
NEAR, MID, FAR, LAST = 16, 32, 64, 24
"""Channels at half scale, at a quarter, at an eighth, and of the answer."""
RATE, WARMING = 4e-3, 2.4
"""The highest rate of learning, and the rounds in which it grows to that; then it falls."""
SLOWER, WARMED = 2e-3, 0.05
"""The highest rate where one goes on from a net, and the share of all rounds in which it grows to that."""
KINDS = 2.5
"""A wrong kind weighs so many times as much as a wrong place."""
KEPT_UP = 0.9992
"""The running mean of the weights keeps so much of itself at each step."""


class LidNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """Convolutions at half scale, at a quarter, at an eighth, and back up: what is far round tells what is near."""

    def __init__(self) -> None:
        super().__init__()
        first = nn.Conv2d(PLANES, NEAR, 5, 2, padding=2, bias=False)
        self.near = nn.Sequential(first, nn.BatchNorm2d(NEAR), nn.ReLU(), conv_block(NEAR, NEAR))
        self.mid = nn.Sequential(conv_block(NEAR, MID, 2), _ResidualBlock(MID), _ResidualBlock(MID))
        self.far = nn.Sequential(conv_block(MID, FAR, 2), _ResidualBlock(FAR), _ResidualBlock(FAR, 2))
        self.from_far = nn.ConvTranspose2d(FAR, MID, 2, 2)
        self.again = _ResidualBlock(MID)
        self.from_mid, self.from_near = nn.ConvTranspose2d(MID, LAST, 2, 2), nn.Conv2d(NEAR, LAST, 1)
        self.seen = nn.Sequential(nn.ReLU(), conv_block(LAST, LAST), nn.Conv2d(LAST, 5, 1))
        nn.init.constant_(self.seen[-1].bias, -4.0)
        self.clear = nn.Sequential(nn.Linear(2 * (MID + FAR), 32), nn.ReLU(), nn.Linear(32, 4))

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of the map (black, white, whole), the counts, and logits of a single layer, a pile, a hand, no lid."""
        near = self.near(pixels)
        mid = self.mid(near)
        far = self.far(mid)
        back = self.again(mid + self.from_far(far))
        seen = self.seen(self.from_mid(back) + self.from_near(near)).float()
        counts = nn.functional.softplus(seen[:, 3:] - 1).sum(dim=(2, 3))
        pooled = torch.cat([part(of, dim=(2, 3)) for of in (back, far) for part in (torch.mean, torch.amax)], dim=1)
        return seen[:, :3], counts, self.clear(pooled).float()


class _ResidualBlock(nn.Module):  # type: ignore[misc, unused-ignore]
    """Two convolutions, the second with so many places between its taps, added to what came in."""

    def __init__(self, wide: int, reach: int = 1) -> None:
        super().__init__()
        far = nn.Conv2d(wide, wide, 3, padding=reach, dilation=reach, bias=False)
        self.both = nn.Sequential(conv_block(wide, wide), far, nn.BatchNorm2d(wide))

    def forward(self, body: torch.Tensor) -> torch.Tensor:
        """The same shape as what came in."""
        return torch.relu(body + self.both(body))


class LidProbabilities(nn.Module):  # type: ignore[misc, unused-ignore]
    """The trained net with its logits as probabilities: what is exported."""

    def __init__(self, net: LidNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Middles, counts and kinds, as vision/lids/net.py reads them."""
        seen, counts, clear = self.net(pixels)
        return torch.sigmoid(seen), counts, torch.softmax(clear, dim=1)


def _loss(net: LidNet, batch: Batch) -> torch.Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        seen, counted, clear = net(batch.pixels.contiguous(memory_format=torch.channels_last))
    bce = nn.functional.binary_cross_entropy_with_logits
    stones = batch.counts.sum() + len(batch.counts)
    places = bce(seen[:, :2], batch.places, weight=batch.counted, reduction="sum") / stones
    whole = bce(seen[:, 2], batch.whole, weight=batch.asked, reduction="sum") / stones
    # Under a hand nobody can count; and one stone more matters less in a pile.
    open_to_view = (batch.trouble < 2).float()[:, None]
    off = (counted - batch.counts) / (1 + batch.counts).sqrt()
    number = (nn.functional.smooth_l1_loss(off, torch.zeros_like(off), reduction="none") * open_to_view).mean()
    return places + 0.3 * whole + 0.8 * number + KINDS * nn.functional.cross_entropy(clear, batch.trouble)


def train(samples: Samples, epochs: int, state: Path, seed: int = 1, first: Path | None = None) -> LidNet:
    """Train for so many rounds, keeping what is reached after each in the file `state`; the running mean of the net's
    weights. first: an exported net from which to go on, more slowly."""
    torch.manual_seed(seed)
    net, rounds, rate = LidNet(), len(samples.trouble) // BATCH, RATE if first is None else SLOWER
    if first is not None:
        load_exported(net, first, Batches(samples, np.random.default_rng(seed))(np.arange(5 * BATCH)).pixels)
    net.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    share = min(WARMING / epochs, 0.5) if first is None else WARMED
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, epochs * rounds, pct_start=share)
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(KEPT_UP), use_buffers=True)
    parts = {"net": net, "optimizer": optimizer, "schedule": schedule, "mean": mean}
    for epoch in range(_resumed(state, parts), epochs):
        rng, total = np.random.default_rng([seed, epoch]), 0.0
        batches, order = Batches(samples, rng), rng.permutation(len(samples.trouble))
        for start in range(0, rounds * BATCH, BATCH):
            loss = _loss(net, batches(order[start : start + BATCH]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            mean.update_parameters(net)
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / rounds:.4f}", flush=True)
        torch.save({"done": epoch + 1} | {name: part.state_dict() for name, part in parts.items()}, state)
    trained: LidNet = mean.module
    return trained


def _resumed(state: Path, parts: dict[str, Any]) -> int:
    """Load what an earlier run reached; how many rounds that were."""
    if not state.exists():
        return 0
    reached = torch.load(state)
    for name, part in parts.items():
        part.load_state_dict(reached[name])
    return int(reached["done"])


def export(net: LidNet, path: Path) -> None:
    """Write the net as ONNX for one lid at a time."""
    write_onnx(LidProbabilities(net), (1, PLANES, SIDE, SIDE), path, ["lid"], ["seen", "counts", "kinds"])


def _samples(photos: Path, folder: Path, seeds: dict[str, range]) -> Samples:
    """Lids of these seeds, drawn, traced, put together from photographs, or found in the folder that keeps them."""
    draws: dict[str, Draw] = {
        "lids": rendered,
        "pasted": partial(pasted, photos),
        "other": partial(other, photos),
        "decoy": drawn_other,
        "traced": traced,
        "bowls": traced_other,
    }
    return joined([kept(folder, name, those, draws[name], THREADS) for name, those in seeds.items()])


def main() -> int:
    """Train and write the net that is shipped, and when to trust it."""
    parser = options("lids", __doc__, MODEL)
    kept_in = Path(tempfile.gettempdir()) / "shinpan-lids"
    parser.add_argument("--kept", type=Path, default=kept_in, help="the folder of the lids drawn")
    parser.add_argument("--epochs", type=int, default=20, help="how many rounds are trained")
    parser.add_argument("--first", type=Path, help="an exported net to go on from; the mean of both is written")
    args = parsed(parser)
    samples = _samples(args.photos, args.kept, LEARNED)
    print(f"{len(samples.trouble)} lids", flush=True)
    state = args.kept / f"{'onward' if args.first else 'state'}-{args.epochs}.pt"
    export(train(samples, args.epochs, state, first=args.first), args.out)
    if args.first:
        averaged(args.first, args.out, args.out)
    write(fit(looked(_samples(args.photos, args.kept, HELD), args.out, VIEWS)), args.out.with_suffix(".json"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
