"""Leave-one-source-out estimate of the shipped net's accuracy on other people's photographs.

`python -m vision.training.leave_one_source_out --photos FOLDER` trains a net without each of WITHOUT, writes it to
out/loso/<source>.onnx for every source left out, measures it on them, and fits the temperature that train bakes in.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from vision.stones.reader import CELLS
from vision.training.augment import crop_straight
from vision.training.fit import to_tensor
from vision.training.measure import JITTER, jitter_corners, report_accuracy
from vision.training.net import StoneNet, export_stone_net
from vision.training.options import build_parser, parse_options
from vision.training.photos import CORNERED, LABELLED, MEASURED, Photo, labelled_photos
from vision.training.train import TEMPERATURE, all_windows, train_stone_net
from vision.training.windows import cut_window

OUT = Path("out/loso")
"""Folder of the nets; tests/benchmarks/look.py reads with them."""
WITHOUT = (LABELLED, (CORNERED,))
"""Sources that are left out together: those of a few photographs each, and the one of many."""
TEMPERATURES = np.geomspace(0.4, 3.0, 60)
"""Candidates for temperature scaling."""


def main() -> None:
    """Train, measure and calibrate with sources left out, then measure the shipped net on the rest."""
    args = parse_options(
        build_parser("leave_one_source_out", "Measure the stone reader on each source with a net that never saw it.")
    )
    windows, answers = all_windows(args.photos), []
    for number, left_out in enumerate(WITHOUT):
        net = train_stone_net(windows, f"without-{number}", left_out)
        for source in left_out:
            export_stone_net(net, TEMPERATURE, OUT / f"{source}.onnx")
            report_accuracy(args.photos, OUT / f"{source}.onnx", [source])
            answers += [_compute_logits(net, photo) for photo in labelled_photos(args.photos, source)]
    print(f"best temperature {_best_temperature(answers):.2f} (train and loso use {TEMPERATURE})")
    print("the shipped net on the sources that only measure:")
    report_accuracy(args.photos, None, MEASURED)


Answers = tuple[torch.Tensor, torch.Tensor]


def _compute_logits(net: StoneNet, photo: Photo) -> Answers:
    """Return logits (n, 4) of a photograph with its corners a little off, and its labels (n,)."""
    grid = jitter_corners(photo.grid, JITTER, np.random.default_rng(len(photo.name)))
    window = cut_window(photo.source, photo.read_pixels(), grid, photo.kinds)
    with torch.no_grad():
        logits = net(to_tensor([crop_straight(window)]))[0][0].permute(1, 2, 0).reshape(CELLS * CELLS, -1)
    labelled = torch.from_numpy(window.kinds.ravel() >= 0)
    return logits[labelled], torch.from_numpy(window.kinds.ravel())[labelled]


def _best_temperature(answers: Sequence[Answers]) -> float:
    """Return the temperature that maximises the likelihood of the labels over all left-out photographs."""
    logits, kinds = (torch.cat(parts) for parts in zip(*answers, strict=True))
    losses = [float(functional.cross_entropy(logits / float(t), kinds)) for t in TEMPERATURES]
    return float(TEMPERATURES[int(np.argmin(losses))])


if __name__ == "__main__":
    main()
