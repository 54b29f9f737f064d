"""Leave one source out: what the shipped net's accuracy on other people's photographs may be.

`python -m vision.training.loso --photos ../shared/photos` trains a net without each labelled source, writes it to
out/loso/<source>.onnx, measures it on the source it never saw, and fits the temperature that train bakes in. One more
net is trained without the source that has no positions; tests/benchmarks measures it with labels of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from vision.rectify import crops
from vision.stones import SIDE, SPAN, light_of
from vision.training.crops import LABELLED, MEASURED, UNLABELLED, Photo, boards_of, photos_of
from vision.training.measure import JITTER, jittered, report
from vision.training.net import StoneNet, export
from vision.training.train import TEMPERATURE, arguments, boards_for_all, train

OUT = Path("out/loso")
TEMPERATURES = np.geomspace(0.4, 3.0, 60)


def main() -> None:
    """Train, measure and calibrate with each source left out, then measure the shipped net on the rest."""
    options = arguments("Measure the stone reader on each source with a net that never saw it.")
    labelled = {source: boards_of(options.photos, source) for source in LABELLED}
    common, unlabelled = boards_for_all(options.photos), boards_of(options.photos, UNLABELLED)
    answers = []
    for source in LABELLED:
        others = [board for other in LABELLED if other != source for board in labelled[other]]
        net = train([*others, *common], unlabelled)
        export(net, TEMPERATURE, OUT / f"{source}.onnx")
        report(options.photos, OUT / f"{source}.onnx", [source])
        answers += [_answers(net, photo) for photo in photos_of(options.photos, source)]
    everyone = [board for source in LABELLED for board in labelled[source]]
    export(train([*everyone, *common], []), TEMPERATURE, OUT / f"{UNLABELLED}.onnx")
    print(f"best temperature {_best_temperature(answers):.2f} (train and loso use {TEMPERATURE})")
    print("the shipped net on the sources that only measure:")
    report(options.photos, None, MEASURED)


Answers = tuple[torch.Tensor, torch.Tensor]


def _answers(net: StoneNet, photo: Photo) -> Answers:
    """Logits (n, 3) of a photograph with its corners a little off, and what lies there (n,)."""
    grid = jittered(photo.grid, JITTER, np.random.default_rng(len(photo.name)))
    board = crops(photo.pixels(), grid, SIDE, SPAN)
    light = torch.from_numpy(light_of(board)).expand(len(board), -1)
    with torch.no_grad():
        return net(torch.from_numpy(board).permute(0, 3, 1, 2).float(), light), torch.from_numpy(photo.kinds)


def _best_temperature(answers: Sequence[Answers]) -> float:
    """The temperature under which the right contents were likeliest, all left-out photographs together."""
    logits, kinds = (torch.cat(parts) for parts in zip(*answers, strict=True))
    losses = [float(functional.cross_entropy(logits / float(t), kinds)) for t in TEMPERATURES]
    return float(TEMPERATURES[int(np.argmin(losses))])


if __name__ == "__main__":
    main()
