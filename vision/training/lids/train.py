"""Train the lid reader's net: `python -m vision.training.lids.train --photos FOLDER` (needs torch and bpy).

vision/lids/net.py describes the net's outputs. Seeded; an interrupted run resumes when started again. Lids are drawn,
traced, and composed from photographs, once, into the folder of `--kept`; then the net is trained on them, then
`vision.training.lids.confidence` fits the confidence in its counts to lids that it did not learn from.
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
from vision.training.lids.batches import Batch, Batches
from vision.training.lids.composites import paste_lids
from vision.training.lids.confidence import count_views, fit_confidence, write_scaling
from vision.training.lids.negatives import cut_others, draw_others
from vision.training.lids.samples import Draw, Samples, concatenate_samples, load_or_draw, render_samples
from vision.training.lids.tracing import trace_bowls, trace_lids
from vision.training.net import conv_block, write_onnx
from vision.training.onward import average_weights, load_exported
from vision.training.options import THREADS, build_parser, parse_options

# Chosen by hand (docs/vision.md).
LEARNED = {
    "lids": range(3800),
    "pasted": range(1200),
    "other": range(300),
    "decoy": range(100),
    "traced": range(300),
    "bowls": range(100),
}
"""Seeds of the training set: four pictures a seed, eight for traced ones."""
HELD_OUT = {"pasted": range(1200, 1600), "traced": range(300, 360)}
"""Seeds to which the confidence is fitted: no drawn lids, so many of them in bad light that they hid good counts'
marks.
"""
VIEWS = 1
"""Number of views of each held-out picture, each in another light and turned another way."""
BATCH = 32
"""Squares per training step."""
NEAR, MID, FAR, LAST = 16, 32, 64, 24
"""Channels at half scale, at a quarter, at an eighth, and of the output."""
RATE, WARMING = 4e-3, 2.4
"""Highest learning rate, and the epochs in which it grows to that; then it falls."""
SLOWER, WARMED = 2e-3, 0.05
"""Highest learning rate when training an existing net, and the share of all epochs in which it grows to that."""
KINDS = 2.5
"""Weight of a wrong kind relative to a wrong place."""
KEPT_UP = 0.9992
"""Decay of the running mean of the weights at each step."""


class LidNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """A U-Net with added skips, at a half, a quarter and an eighth of the scale: distant context informs detail."""

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
        """Return logits of the map (black, white, whole), counts, and logits of single layer, pile, hand, no lid."""
        near = self.near(pixels)
        mid = self.mid(near)
        far = self.far(mid)
        back = self.again(mid + self.from_far(far))
        seen = self.seen(self.from_mid(back) + self.from_near(near)).float()
        counts = nn.functional.softplus(seen[:, 3:] - 1).sum(dim=(2, 3))
        pooled = torch.cat([part(of, dim=(2, 3)) for of in (back, far) for part in (torch.mean, torch.amax)], dim=1)
        return seen[:, :3], counts, self.clear(pooled).float()


class _ResidualBlock(nn.Module):  # type: ignore[misc, unused-ignore]
    """Two convolutions, the second with dilation `reach`, added to their input."""

    def __init__(self, wide: int, reach: int = 1) -> None:
        super().__init__()
        far = nn.Conv2d(wide, wide, 3, padding=reach, dilation=reach, bias=False)
        self.both = nn.Sequential(conv_block(wide, wide), far, nn.BatchNorm2d(wide))

    def forward(self, body: torch.Tensor) -> torch.Tensor:
        """Return a tensor of the input's shape."""
        return torch.relu(body + self.both(body))


class LidProbabilities(nn.Module):  # type: ignore[misc, unused-ignore]
    """The trained net with its logits as probabilities, as exported."""

    def __init__(self, net: LidNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return middles, counts and kinds, as vision/lids/net.py reads them."""
        seen, counts, clear = self.net(pixels)
        return torch.sigmoid(seen), counts, torch.softmax(clear, dim=1)


def _compute_loss(net: LidNet, batch: Batch) -> torch.Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        seen, counted, clear = net(batch.pixels.contiguous(memory_format=torch.channels_last))
    bce = nn.functional.binary_cross_entropy_with_logits
    stones = batch.counts.sum() + len(batch.counts)
    places = bce(seen[:, :2], batch.places, weight=batch.counted, reduction="sum") / stones
    whole = bce(seen[:, 2], batch.whole, weight=batch.asked, reduction="sum") / stones
    # Stones under a hand cannot be counted; and one stone more matters less in a pile.
    open_to_view = (batch.trouble < 2).float()[:, None]
    off = (counted - batch.counts) / (1 + batch.counts).sqrt()
    number = (nn.functional.smooth_l1_loss(off, torch.zeros_like(off), reduction="none") * open_to_view).mean()
    return places + 0.3 * whole + 0.8 * number + KINDS * nn.functional.cross_entropy(clear, batch.trouble)


def train_lid_net(samples: Samples, epochs: int, state: Path, seed: int = 1, first: Path | None = None) -> LidNet:
    """Train a net and return the running mean of its weights.

    samples: the training set.
    epochs: number of epochs.
    state: checkpoint file, written after each epoch and resumed from if it exists.
    seed: seed of every random choice.
    first: an exported net to train further, at a lower rate; None for a new one.
    """
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
    for epoch in range(_load_checkpoint(state, parts), epochs):
        rng, total = np.random.default_rng([seed, epoch]), 0.0
        batches, order = Batches(samples, rng), rng.permutation(len(samples.trouble))
        for start in range(0, rounds * BATCH, BATCH):
            loss = _compute_loss(net, batches(order[start : start + BATCH]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            mean.update_parameters(net)
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / rounds:.4f}", flush=True)
        torch.save({"done": epoch + 1} | {name: part.state_dict() for name, part in parts.items()}, state)
    trained_net: LidNet = mean.module
    return trained_net


def _load_checkpoint(state: Path, parts: dict[str, Any]) -> int:
    """Load the checkpoint of an earlier run; return the number of epochs done."""
    if not state.exists():
        return 0
    saved_state = torch.load(state)
    for name, part in parts.items():
        part.load_state_dict(saved_state[name])
    return int(saved_state["done"])


def export_lid_net(net: LidNet, path: Path) -> None:
    """Write the net as ONNX for one lid at a time."""
    write_onnx(LidProbabilities(net), (1, PLANES, SIDE, SIDE), path, ["lid"], ["seen", "counts", "kinds"])


def _collect_samples(photos: Path, folder: Path, seeds: dict[str, range]) -> Samples:
    """Return lids of these seeds: drawn, traced, composed from photographs, or read from the cache folder."""
    draws: dict[str, Draw] = {
        "lids": render_samples,
        "pasted": partial(paste_lids, photos),
        "other": partial(cut_others, photos),
        "decoy": draw_others,
        "traced": trace_lids,
        "bowls": trace_bowls,
    }
    return concatenate_samples(
        [load_or_draw(folder, name, those, draws[name], THREADS) for name, those in seeds.items()]
    )


def main() -> int:
    """Train and write the shipped net and its confidence."""
    parser = build_parser("lids.train", __doc__, MODEL)
    kept_in = Path(tempfile.gettempdir()) / "shinpan-lids"
    parser.add_argument("--kept", type=Path, default=kept_in, help="the folder of the lids drawn")
    parser.add_argument("--epochs", type=int, default=20, help="how many rounds are trained")
    parser.add_argument("--first", type=Path, help="an exported net to go on from; the mean of both is written")
    args = parse_options(parser)
    samples = _collect_samples(args.photos, args.kept, LEARNED)
    print(f"{len(samples.trouble)} lids", flush=True)
    state = args.kept / f"{'onward' if args.first else 'state'}-{args.epochs}.pt"
    export_lid_net(train_lid_net(samples, args.epochs, state, first=args.first), args.out)
    if args.first:
        average_weights(args.first, args.out, args.out)
    write_scaling(
        fit_confidence(count_views(_collect_samples(args.photos, args.kept, HELD_OUT), args.out, VIEWS)),
        args.out.with_suffix(".json"),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
