"""The command that trains the shipped stone net: `python -m vision.training.train --photos FOLDER`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np

from vision.stones.reader import SHIPPED
from vision.training.augment import crop_straight
from vision.training.boxes import BOXED, boxed_windows
from vision.training.fit import Stage, to_tensor, train_stage
from vision.training.net import StoneNet, export_stone_net
from vision.training.onward import load_for_training
from vision.training.options import build_parser, parse_options
from vision.training.photos import CORNERED, LABELLED
from vision.training.rendered import BESIDE, HARD, RENDERED, beside_windows, hard_windows, rendered_windows
from vision.training.windows import BoardWindow, load_or_make, photo_windows

# Chosen by hand unless said otherwise (docs/vision.md).
WINDOWS = Path("out/windows.npz")
"""Cache of the boards, 900 MB, so that several nets learn from the same ones."""
COURSES = Path("out/courses")
"""Folder of the checkpoints, so that training can be interrupted."""
TEMPERATURE = 0.8
"""Softmax temperature: fitted by vision.training.leave_one_source_out on photographs of left-out sources (0.71), and
set a little more cautious.
"""
SETTLED = 48
"""Number of boards on which an exported net's norms are set before it is trained further."""
SEED = 5
"""Seed of the shipped net."""
SHARES = {"club-games": 0.10, "tagged-board": 0.07, "phone-photos": 0.06, "phone-photos-2": 0.05}
"""Weights of LABELLED, see WEIGHTS."""
WEIGHTS = {**SHARES, CORNERED: 0.27, BOXED: 0.15, RENDERED: 0.30}
"""Sampling weight of each source, by its number of different boards, not of photographs."""
LAST = Stage(1800, 1.5e-3, {**WEIGHTS, HARD: 0.25, BESIDE: 0.3}, 0.15, coloured=0.15, put=0.4, fingers=0.12)
STAGES = (Stage(6000, 4e-3, WEIGHTS), Stage(1500, 1.5e-3, {**WEIGHTS, HARD: 0.35}, 0.2), LAST)
"""All kinds of boards first, then a while with many in hard light, then with stones beside points, in coloured light
and under fingers.
"""


def all_windows(photos: Path) -> list[BoardWindow]:
    """Return every board that may be used for training; remove WINDOWS to have them cut and drawn again."""
    return load_or_make(WINDOWS, lambda: _collect_windows(photos))


def _collect_windows(photos: Path) -> Iterator[BoardWindow]:
    for source in (*LABELLED, CORNERED):
        yield from photo_windows(photos, source)
    yield from boxed_windows(photos)
    yield from rendered_windows(SEED)
    yield from hard_windows(SEED)
    yield from beside_windows(SEED)


def train_stone_net(windows: Sequence[BoardWindow], name: str, without: Collection[str] = ()) -> StoneNet:
    """Train a net on all boards but those of some sources. name: of its checkpoints."""
    learnt, net = [window for window in windows if window.source not in without], None
    for number, stage in enumerate(STAGES):
        net = train_stage(learnt, stage, SEED + number, COURSES / f"{name}-{number}.pt", net)
    assert net is not None, "there is a stage"
    return net


def go_on(windows: Sequence[BoardWindow], exported: Path) -> StoneNet:
    """Train the LAST stage alone, from a net that was exported after those before it."""
    some = np.random.default_rng(SEED).choice(len(windows), SETTLED, replace=False)
    first = load_for_training(exported, to_tensor([crop_straight(windows[index]) for index in some]))
    return train_stage(windows, LAST, SEED + len(STAGES) - 1, COURSES / "further.pt", first)


def main() -> None:
    """Train on every source that may be used and write the shipped net."""
    parser = build_parser("train", "Train the net that reads stones.", SHIPPED)
    parser.add_argument("--first", type=Path, help="an exported net to begin the last stage with")
    args = parse_options(parser)
    windows = all_windows(args.photos)
    export_stone_net(
        go_on(windows, args.first) if args.first else train_stone_net(windows, "shipped"), TEMPERATURE, args.out
    )
    print(f"wrote {args.out}")


if __name__ == "__main__":
    main()
