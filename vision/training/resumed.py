"""Further training of an exported net whose checkpoint was not kept."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from vision.training.net import StoneNet


def resumed(path: Path, pixels: torch.Tensor) -> StoneNet:
    """Load the net of an ONNX file; layers that the file lacks, such as those of the offsets, start from scratch.

    Exporting folds batch normalisation into the convolutions: here each norm is given the mean and spread of its
    inputs on these boards, shape (n, 3, SIDE, SIDE), and undoes them, so that the net answers as it did.
    """
    net = StoneNet()
    net.eval()
    convolutions, linear = _weights(path)
    layers = [layer for layer in net.modules() if isinstance(layer, (nn.Conv2d, nn.BatchNorm2d))]
    own = [layer for layer in layers if isinstance(layer, nn.Conv2d)]
    after = {one: other for one, other in pairwise(layers) if isinstance(other, nn.BatchNorm2d)}
    with torch.no_grad():
        net.whole.weight.copy_(linear[0])
        net.whole.bias.copy_(linear[1])
        for layer, (weight, bias) in zip(own, convolutions, strict=False):
            layer.weight.copy_(weight)
            if layer in after:
                after[layer].register_forward_pre_hook(_Settled(bias))
            else:
                layer.bias.copy_(bias)
        net(pixels)
    for norm in after.values():
        norm._forward_pre_hooks.clear()
    return net


class _Settled:
    """A hook that sets a batch normalisation from its input, so that it adds a bias and changes nothing else."""

    def __init__(self, bias: torch.Tensor) -> None:
        self._bias = bias

    def __call__(self, norm: nn.BatchNorm2d, given: tuple[torch.Tensor]) -> None:
        mean, spread = given[0].mean(dim=(0, 2, 3)), given[0].var(dim=(0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.copy_(self._bias + mean)


Pair = tuple[torch.Tensor, torch.Tensor]


def _weights(path: Path) -> tuple[list[Pair], Pair]:
    """Return weights and biases of a net's convolutions, first to last, and of its linear layer."""
    graph = onnx.load(path).graph
    held = {part.name: torch.from_numpy(numpy_helper.to_array(part).copy()) for part in graph.initializer}
    pairs = [(node.op_type, (held[node.input[1]], held[node.input[2]])) for node in graph.node if node.op_type in KINDS]
    return [pair for kind, pair in pairs if kind == "Conv"], next(pair for kind, pair in pairs if kind == "Gemm")


KINDS = ("Conv", "Gemm")
"""ONNX operators of the layers with weights."""
