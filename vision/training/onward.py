"""The weights of exported nets: loaded back into a module, and averaged between two nets."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from vision.training.net import StoneNet

WEIGHTED = (nn.Conv2d, nn.ConvTranspose2d, nn.Linear)
"""Layers that are exported with weights and biases; the norms after them are folded into these."""


def load_exported(net: nn.Module, path: Path, batch: torch.Tensor) -> None:
    """Load the weights of an exported net of the same kind into a module.

    The file has its norms folded away; they are set to the identity on `batch`. Raises ValueError if the file holds
    another net.
    net: the module.
    path: the exported net.
    batch: sample inputs.
    """
    graph = onnx.load(str(path)).graph
    tensors = {tensor.name: torch.from_numpy(np.array(numpy_helper.to_array(tensor))) for tensor in graph.initializer}
    weights = [tuple(tensors[part] for part in names) for names in _list_weights(graph)]
    layers = _layers_in_order(net, batch[:1])
    if len(weights) != sum(isinstance(layer, WEIGHTED) for layer in layers):
        raise ValueError(f"{path} holds another net")
    with torch.no_grad():
        for layer, after in zip(layers, [*layers[1:], None], strict=True):
            if isinstance(layer, WEIGHTED):
                _load_layer(layer, after, *weights.pop(0))
        _reset_norms(net, batch)


def average_weights(one: Path, other: Path, target: Path) -> None:
    """Write the mean of two exported nets' weights, the second trained further from the first.

    It retains knowledge that the second net lost (Wortsman 2022).
    one, other: the first and second net.
    target: the file to write.
    """
    first, second = onnx.load(str(one)), onnx.load(str(other))
    first_tensors = {part.name: part for part in first.graph.initializer}
    second_tensors = {part.name: part for part in second.graph.initializer}
    names = [
        zip(a, b, strict=True) for a, b in zip(_list_weights(first.graph), _list_weights(second.graph), strict=True)
    ]
    for first_name, second_name in (pair for pairs in names for pair in pairs):
        mean = (
            numpy_helper.to_array(first_tensors[first_name]) + numpy_helper.to_array(second_tensors[second_name])
        ) / 2
        second_tensors[second_name].CopyFrom(numpy_helper.from_array(mean, second_name))
    onnx.save(second, str(target))


def _list_weights(graph: onnx.GraphProto) -> list[tuple[str, str]]:
    """Return the names of weights and biases, layer by layer in the order of use."""
    inputs = [node.input for node in graph.node if node.op_type in ("Conv", "ConvTranspose", "Gemm")]
    return [(names[1], names[2]) for names in inputs]


def _layers_in_order(net: nn.Module, batch: torch.Tensor) -> list[nn.Module]:
    """Return the layers with weights and the norms, in the order of use."""
    used_layers: list[nn.Module] = []
    layers = [layer for layer in net.modules() if isinstance(layer, (*WEIGHTED, nn.BatchNorm2d))]
    hooks = [layer.register_forward_hook(lambda layer, seen, said: used_layers.append(layer)) for layer in layers]
    _read_batch(net, batch)
    for hook in hooks:
        hook.remove()
    return used_layers


def _load_layer(layer: nn.Module, after: nn.Module | None, weight: torch.Tensor, bias: torch.Tensor) -> None:
    if layer.weight.shape != weight.shape:
        raise ValueError("an exported net has a layer of another size")
    layer.weight.copy_(weight)
    if layer.bias is not None:
        layer.bias.copy_(bias)
    elif isinstance(after, nn.BatchNorm2d):
        after.reset_running_stats()
        nn.init.constant_(after.weight, (1 + after.eps) ** 0.5)
        after.bias.copy_(bias)


def _reset_norms(net: nn.Module, batch: torch.Tensor) -> None:
    """Set the norms to a batch's own means and variances, and their scale and bias to undo the normalisation."""
    inputs: dict[nn.BatchNorm2d, torch.Tensor] = {}
    norms = [layer for layer in net.modules() if isinstance(layer, nn.BatchNorm2d)]
    hooks = [norm.register_forward_hook(lambda norm, given, said: inputs.update({norm: given[0]})) for norm in norms]
    _read_batch(net, batch)
    for hook in hooks:
        hook.remove()
    for norm, given in inputs.items():
        mean, spread = given.mean((0, 2, 3)), given.var((0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.add_(mean)


def _read_batch(net: nn.Module, batch: torch.Tensor) -> None:
    net.eval()
    with torch.no_grad():
        net(batch)
    net.train()


def load_for_training(path: Path, pixels: torch.Tensor) -> StoneNet:
    """Load the net of an ONNX file; layers that the file lacks, such as those of the offsets, start from scratch.

    Exporting folds batch normalisation into the convolutions: here each norm is given the mean and spread of its
    inputs on these boards, shape (n, 3, SIDE, SIDE), and undoes them, so that the net answers as it did.
    """
    net = StoneNet()
    net.eval()
    convolutions, linear = _weights_of_file(path)
    layers = [layer for layer in net.modules() if isinstance(layer, (nn.Conv2d, nn.BatchNorm2d))]
    own = [layer for layer in layers if isinstance(layer, nn.Conv2d)]
    after = {one: other for one, other in pairwise(layers) if isinstance(other, nn.BatchNorm2d)}
    with torch.no_grad():
        net.whole.weight.copy_(linear[0])
        net.whole.bias.copy_(linear[1])
        for layer, (weight, bias) in zip(own, convolutions, strict=False):
            layer.weight.copy_(weight)
            if layer in after:
                after[layer].register_forward_pre_hook(_NormSettler(bias))
            else:
                layer.bias.copy_(bias)
        net(pixels)
    for norm in after.values():
        norm._forward_pre_hooks.clear()
    return net


class _NormSettler:
    """A hook that sets a batch normalisation from its input, so that it adds a bias and changes nothing else."""

    def __init__(self, bias: torch.Tensor) -> None:
        self._bias = bias

    def __call__(self, norm: nn.BatchNorm2d, inputs: tuple[torch.Tensor]) -> None:
        mean, spread = inputs[0].mean(dim=(0, 2, 3)), inputs[0].var(dim=(0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.copy_(self._bias + mean)


Pair = tuple[torch.Tensor, torch.Tensor]


def _weights_of_file(path: Path) -> tuple[list[Pair], Pair]:
    """Return weights and biases of a net's convolutions, first to last, and of its linear layer."""
    graph = onnx.load(path).graph
    tensors = {part.name: torch.from_numpy(numpy_helper.to_array(part).copy()) for part in graph.initializer}
    pairs = [
        (node.op_type, (tensors[node.input[1]], tensors[node.input[2]])) for node in graph.node if node.op_type in KINDS
    ]
    return [pair for kind, pair in pairs if kind == "Conv"], next(pair for kind, pair in pairs if kind == "Gemm")


KINDS = ("Conv", "Gemm")
"""ONNX operators of the layers with weights."""
