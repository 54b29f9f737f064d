"""The stone reader's net: strides down to one cell per point, then dilated blocks, near and far, and a global mean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from vision.stones.reader import CONTENTS, SIDE

CHANNELS = (20, 32, 48, 64)
WIDTH = CHANNELS[-1]
"""Channels after each stride, and of the blocks that follow. Chosen by hand."""


class StoneNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """A net from pictures (n, 3, SIDE, SIDE), 0 to 255, to logits and offsets.

    The logits (n, 4, CELLS, CELLS) are of empty, black, white and hidden; the offsets (n, 2, CELLS, CELLS) of a stone
    to the right of the point and down from it, in cells.
    """

    def __init__(self) -> None:
        super().__init__()
        strides = zip((3, *CHANNELS), CHANNELS, strict=False)
        self.stem = nn.Sequential(*(layer for inward, outward in strides for layer in conv_block(inward, outward, 2)))
        self.near, self.wide, self.far = _DilatedBlock(1), _DilatedBlock(2), _DilatedBlock(4)
        self.whole = nn.Linear(WIDTH, WIDTH)
        layers = (nn.Dropout(0.05), nn.Conv2d(WIDTH, 48, 1), nn.ReLU(), nn.Conv2d(48, CONTENTS + 1, 1))
        self.decide = nn.Sequential(*layers)
        self.place = nn.Sequential(nn.Conv2d(WIDTH, 48, 1), nn.ReLU(), nn.Conv2d(48, 2, 1))

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.wide(self.near(self.stem(pixels / 127.5 - 1)))
        light = self.whole(features.mean(dim=(2, 3)))[:, :, None, None]
        context = self.far(features + light)
        return self.decide(context), self.place(context)


class _DilatedBlock(nn.Module):  # type: ignore[misc, unused-ignore]
    """A residual block of convolutions with dilation `cells`."""

    def __init__(self, cells: int) -> None:
        super().__init__()
        second_conv = (nn.Conv2d(WIDTH, WIDTH, 3, 1, 1, bias=False), nn.BatchNorm2d(WIDTH))
        self.look = nn.Sequential(*conv_block(WIDTH, WIDTH, 1, cells), *second_conv)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return torch.relu(features + self.look(features))


class TemperatureScaled(nn.Module):  # type: ignore[misc, unused-ignore]
    """A net that returns probabilities, a softmax of its logits divided by a temperature, and offsets."""

    def __init__(self, net: StoneNet, temperature: float) -> None:
        super().__init__()
        self.net = net
        self.temperature = temperature

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits, offsets = self.net(pixels)
        return torch.softmax(logits / self.temperature, dim=1), offsets


def export_stone_net(net: StoneNet, temperature: float, path: Path) -> None:
    """Write the net as ONNX for one board at a time."""
    write_onnx(TemperatureScaled(net, temperature), (1, 3, SIDE, SIDE), path, ["board"], ["points", "offsets"])


def write_onnx(net: nn.Module, shape: Sequence[int], path: Path, inputs: list[str], outputs: list[str]) -> None:
    """Write a net as ONNX for an input of one shape, as OpenCV 4.10 and 5.0 both load it.

    net: the net.
    shape: shape of the input.
    path: the file to write.
    inputs, outputs: names of the inputs and outputs.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    names = {"input_names": inputs, "output_names": outputs}
    torch.onnx.export(net.eval(), (torch.zeros(*shape),), str(path), dynamo=False, **names)


def conv_block(inward: int, outward: int, stride: int = 1, reach: int = 1) -> nn.Sequential:
    """Return a 3 by 3 convolution with dilation `reach`, batch normalisation and a rectifier."""
    conv = nn.Conv2d(inward, outward, 3, stride, reach, reach, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outward), nn.ReLU())
