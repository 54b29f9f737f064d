"""Make the shipped net: `python -m vision.training.train --photos ../shared/photos`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch

from vision.stones import SHIPPED
from vision.training.boxes import BOXED, boxed_boards
from vision.training.crops import LABELLED, UNLABELLED, Board, boards_of
from vision.training.fit import fit
from vision.training.net import StoneNet, export
from vision.training.pseudo import pseudo_labelled, without_slips
from vision.training.rendered import RENDERED, rendered_boards

PHOTOS = Path("../shared/photos")
TEMPERATURE = 0.56
"""Fitted by vision.training.loso on photographs of sources that were left out of training."""
FIRST_STEPS, STEPS = 300, 1000
SEED = 7
WEIGHTS = dict.fromkeys(LABELLED, 1.0) | {UNLABELLED: 2.0, BOXED: 3.0, RENDERED: 3.0}
"""How often each source is drawn from: by how many different boards it shows, not by its photographs."""


def boards_for_all(photos: Path) -> list[Board]:
    """What every net learns from, whichever labelled source is left out: boxed stones and drawn tables."""
    return [*boxed_boards(photos), *rendered_boards(SEED)]


def train(labelled: Sequence[Board], unlabelled: Sequence[Board]) -> StoneNet:
    """A first net from the labelled boards reads the unlabelled ones and checks the labels; the net comes from all."""
    first = fit(labelled, WEIGHTS, FIRST_STEPS, SEED)
    boards = [*without_slips(first, labelled), *pseudo_labelled(first, unlabelled)]
    return fit(boards, WEIGHTS, STEPS, SEED)


def arguments(about: str) -> argparse.Namespace:
    """The options that train and loso share."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--photos", type=Path, default=PHOTOS, help="the folder of labelled photographs")
    parser.add_argument("--threads", type=int, default=2, help="processor cores to use")
    options = parser.parse_args()
    if not options.photos.is_dir():
        parser.error(f"no folder {options.photos}; name the labelled photographs with --photos.")
    torch.set_num_threads(options.threads)
    return options


def main() -> None:
    """Train on every source that may be used and write the shipped net."""
    options = arguments("Train the net that reads stones and write it to vision/models.")
    labelled = [board for source in LABELLED for board in boards_of(options.photos, source)]
    net = train([*labelled, *boards_for_all(options.photos)], boards_of(options.photos, UNLABELLED))
    export(net, TEMPERATURE, SHIPPED)
    print(f"wrote {SHIPPED}")


if __name__ == "__main__":
    main()
