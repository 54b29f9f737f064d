"""Train the crossing net on drawn tables alone: `python -m vision.training.crossings` (needs the `training` extra).

With --begin-with NET it trains an existing net further. Seeded; vision/models/crossings.md tells how the shipped net
was made and how long it took.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as entropy

from vision.board.crossing_net import MODEL, SIDE
from vision.render.looks import club_look
from vision.render.scene import SIDES, Hand, Scene
from vision.render.table import Table
from vision.training.drawn_boards import random_rows
from vision.training.drawn_looks import random_look
from vision.training.fit import update_average
from vision.training.net import conv_block, write_onnx
from vision.training.options import THREADS, build_parser, parse_options
from vision.training.views import DrawnTable, make_view

# Chosen by hand (docs/vision.md).
SIZES = (9, 13, 19, 19, 19, 9, 13, 19, 19, 0)
"""Lines a side of the drawn tables, in turn; 0 for one of OTHERS."""
OTHERS = (7, 8, 10, 11, 12, 14, 15, 16, 17, 18, 20, 21)
"""Other sizes, whose crossings the net is to see too, so that counting them shows that it is no supported board."""
PIXELS = ((1000, 750), (1600, 1200), (1280, 720), (1920, 1080), (900, 1200), (640, 480))
"""Widths and heights of the drawn pictures: usual camera resolutions."""
LONGEST = 720
"""Longest side at which drawn tables are kept, in pixels."""
BARE = 0.13
"""Number of additional tables whose board has no lines, as a share of the others."""
BATCH = 24
"""Views per training step."""
FASTEST, FASTEST_ON = 6e-3, 1.5e-3
"""Highest learning rate, from scratch and from an existing net."""
KEEP = 0.98
"""Decay of the averaged net's weights; the averaged net is the one kept."""


def draw_table(seed: int, number: int) -> DrawnTable:
    """Draw a table of any look, one in six a club table, with a position of any stage, one in seven with a hand."""
    rng = np.random.default_rng([seed, number])
    size = SIZES[number % len(SIZES)] or int(rng.choice(OTHERS))
    wide, high = PIXELS[int(rng.integers(len(PIXELS)))]
    club = number % 6 == 0
    look = club_look(seed * 1000 + number, size, wide, high) if club else random_look(rng, size, wide, high)
    rows = random_rows(rng, size)
    x, y, reach = rng.random(), rng.random(), rng.uniform(0.2, 1)
    hand = Hand((x, y), str(rng.choice(SIDES)), reach) if rng.random() < 0.15 else None
    picture = Table(look).draw(Scene(rows, hand=hand))
    return _shrink_table(DrawnTable(np.asarray(picture.pixels, np.uint8), size, np.array(picture.truth.grid.corners)))


def draw_bare_table(seed: int, number: int) -> DrawnTable:
    """Draw a table whose board has no lines and no stones: no board to be found."""
    rng = np.random.default_rng([seed, number, 5])
    look = random_look(rng, SIZES[number % 3], 640, 480)
    look = replace(look, wood=replace(look.wood, line=1e-4, hoshi=1e-4, ink=look.wood.colour), clutter=3)
    rows = ("." * look.size,) * look.size
    return DrawnTable(np.asarray(Table(look).draw(Scene(rows)).pixels, np.uint8), 0, np.zeros((4, 2)))


def _shrink_table(table: DrawnTable) -> DrawnTable:
    scale = min(1.0, LONGEST / max(table.pixels.shape[:2]))
    pixels = cv2.resize(table.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return DrawnTable(np.asarray(pixels, np.uint8), table.size, (table.corners + 0.5) * scale - 0.5)


class CrossingNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """A net from pictures (n, 3, SIDE, SIDE), -1 to 1, to logits of crossings and of the board at half scale."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = conv_block(3, 16, 2)
        self.middle = nn.Sequential(conv_block(16, 32, 2), conv_block(32, 32))
        dilated = [conv_block(40, 40, 1, reach) for reach in (2, 4, 8, 2)]
        self.far = nn.Sequential(conv_block(32, 40, 2), *dilated)
        self.to_middle, self.both = nn.ConvTranspose2d(40, 32, 2, 2), conv_block(32, 32)
        self.to_fine, self.all = nn.ConvTranspose2d(32, 16, 2, 2), conv_block(16, 16)
        self.out = nn.Conv2d(16, 2, 1)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        fine = self.fine(pictures)
        middle = self.middle(fine)
        with torch.autocast(
            "cpu", enabled=False
        ):  # dilated convolutions in bfloat16 give gradients that are no numbers
            far = self.far(middle.float())
        middle = self.both(middle + self.to_middle(far))
        maps: torch.Tensor = self.out(self.all(fine + self.to_fine(middle)))
        return maps


def load_for_training(path: Path) -> CrossingNet:
    """Load the net of an ONNX file for further training: its norms are folded into the weights and stay fixed."""
    graph = onnx.load(str(path)).graph
    tensors = {value.name: torch.from_numpy(onnx.numpy_helper.to_array(value).copy()) for value in graph.initializer}
    nodes = [node for node in graph.node if node.op_type in ("Conv", "ConvTranspose")]
    net = CrossingNet()
    layers = [layer for layer in net.modules() if isinstance(layer, nn.Conv2d | nn.ConvTranspose2d)]
    norms = {id(block[0]): block[1] for block in net.modules() if isinstance(block, nn.Sequential) and len(block) == 3}
    with torch.no_grad():
        for node, layer in zip(nodes, layers, strict=True):
            layer.weight.copy_(tensors[node.input[1]])
            norm = norms.get(id(layer))
            (layer if norm is None else norm).bias.copy_(tensors[node.input[2]])
            if norm is not None:
                norm.running_var.fill_(1 - norm.eps)
    net.eval()
    return net


class CrossingProbabilities(nn.Module):  # type: ignore[misc, unused-ignore]
    """The trained net with its logits as probabilities, as exported."""

    def __init__(self, net: CrossingNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Return the maps as vision/board/crossing_net.py reads them."""
        return torch.sigmoid(self.net(pictures))


def _compute_loss(maps: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    crossings = entropy(maps[:, 0], truth[:, 0], pos_weight=torch.tensor(2.0))
    return 2 * crossings + 0.7 * entropy(maps[:, 1], truth[:, 1])


def _make_batch(
    rng: np.random.Generator, boards: list[DrawnTable], empty: list[DrawnTable]
) -> tuple[torch.Tensor, torch.Tensor]:
    views = [make_view(rng, boards, empty) for _ in range(BATCH)]
    pictures = np.stack([pixels for pixels, _ in views]).transpose(0, 3, 1, 2)
    normal = torch.from_numpy(pictures.copy()).float() / 127.5 - 1
    return normal.to(memory_format=torch.channels_last), torch.from_numpy(np.stack([truth for _, truth in views]))


def train_crossing_net(tables: int, steps: int, begin_with: Path | None = None, seed: int = 5) -> CrossingNet:
    """Draw the tables and train a net.

    tables: number of tables to draw.
    steps: number of training steps.
    begin_with: an existing net to begin with, None for a new one.
    seed: seed of every random choice.
    """
    torch.manual_seed(seed)
    with ProcessPoolExecutor(THREADS) as workers:
        boards = list(workers.map(partial(draw_table, seed), range(tables), chunksize=10))
        empty = list(workers.map(partial(draw_bare_table, seed), range(round(BARE * tables)), chunksize=10))
    print(f"{len(boards)} tables drawn", flush=True)
    net = (CrossingNet() if begin_with is None else load_for_training(begin_with)).to(memory_format=torch.channels_last)
    rng, fastest = np.random.default_rng([seed, begin_with is not None]), FASTEST_ON if begin_with else FASTEST
    average: CrossingNet = deepcopy(net).eval()
    optimizer = torch.optim.AdamW(net.parameters(), fastest, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, fastest, total_steps=steps, pct_start=0.12)
    for step in range(1, steps + 1):
        pictures, truth = _make_batch(rng, boards, empty)
        with torch.autocast("cpu", torch.bfloat16):
            maps = net(pictures)
        loss = _compute_loss(maps.float(), truth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        update_average(average, net, min(KEEP, step / (step + 20)))
        if step % 50 == 0:
            print(f"step {step}: loss {loss.item():.3f}", flush=True)
    return average


def export_crossing_net(net: CrossingNet, path: Path) -> None:
    """Write the net as ONNX for one picture at a time."""
    write_onnx(CrossingProbabilities(net), (1, 3, SIDE, SIDE), path, ["picture"], ["maps"])


def main() -> int:
    """Train and write the shipped net."""
    parser = build_parser("crossings", __doc__, MODEL, photos=False)
    parser.add_argument("--tables", type=int, default=1200, help="how many tables are drawn")
    parser.add_argument("--steps", type=int, default=2000, help="how many steps are trained")
    parser.add_argument("--begin-with", type=Path, help="go on with this net")
    args = parse_options(parser)
    export_crossing_net(train_crossing_net(args.tables, args.steps, args.begin_with), args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
