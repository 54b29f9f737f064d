"""The net that reads stones: small enough for a Raspberry Pi, three stride-2 convolutions and the board's colours."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from vision.stones import BATCH, QUANTILES, SIDE

CHANNELS = (16, 32, 48)
COLOURS = 3 * len(QUANTILES)
CONTENTS = 3


class StoneNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """Crops (n, 3, SIDE, SIDE) and the colours of their boards (n, 9), both 0 to 255, to logits (n, 3)."""

    def __init__(self) -> None:
        super().__init__()
        one, two, three = CHANNELS
        self.look = nn.Sequential(
            *_block(3, one, 2),
            *_block(one, two, 2),
            *_block(two, three, 2),
            nn.Conv2d(three, 64, SIDE // 8),
            nn.Flatten(),
        )
        self.light = nn.Linear(COLOURS, 64)
        self.decide = nn.Sequential(nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, CONTENTS))

    def forward(self, crops: torch.Tensor, light: torch.Tensor) -> torch.Tensor:
        seen = self.look(crops / 127.5 - 1) + self.light(light / 127.5 - 1)
        decided: torch.Tensor = self.decide(seen)
        return decided


class Calibrated(nn.Module):  # type: ignore[misc, unused-ignore]
    """A net whose answers are probabilities, its confidence divided by a temperature."""

    def __init__(self, net: StoneNet, temperature: float) -> None:
        super().__init__()
        self.net = net
        self.temperature = temperature

    def forward(self, crops: torch.Tensor, light: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.net(crops, light) / self.temperature, dim=1)


def export(net: StoneNet, temperature: float, path: Path) -> None:
    """Write the net as ONNX with a fixed batch, which OpenCV 4.10 and 5.0 both load."""
    path.parent.mkdir(parents=True, exist_ok=True)
    examples = (torch.zeros(BATCH, 3, SIDE, SIDE), torch.zeros(BATCH, COLOURS))
    names = {"input_names": ["crops", "light"], "output_names": ["probabilities"]}
    torch.onnx.export(Calibrated(net, temperature).eval(), examples, str(path), dynamo=False, **names)


def _block(inside: int, outside: int, stride: int) -> list[nn.Module]:
    convolution = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
    return [convolution, nn.BatchNorm2d(outside), nn.ReLU()]
