"""Other places, lamps and cameras for the crops of a photograph, so that the net does not learn a room by heart."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from vision.stones import CENTRE, QUANTILES, SIDE
from vision.training.crops import WIDER

SHIFT = 0.2
"""Cells a crop is moved at most, across and down."""


def look_from_elsewhere(wide: Tensor, chance: torch.Generator, cells: float) -> Tensor:
    """Wide crops (n, 3, w, w) to (n, 3, SIDE, SIDE): shifted, turned, mirrored, stretched. cells: a crop's span."""
    count = len(wide)
    angle = (
        torch.randn(count, generator=chance) * 0.08 + (torch.rand(count, generator=chance) * 4).floor() * torch.pi / 2
    )
    mirror = (torch.rand(count, generator=chance) < 0.5).float() * 2 - 1
    scale = torch.exp(torch.randn(count, 2, generator=chance) * 0.06) / WIDER
    turn = torch.stack([angle.cos() * mirror, -angle.sin(), angle.sin() * mirror, angle.cos()], 1).view(-1, 2, 2)
    shift = (torch.rand(count, 2, generator=chance) * 2 - 1) * torch.rand(count, 1, generator=chance) ** 0.5
    move = (shift * SHIFT * 2 / (cells * WIDER)).unsqueeze(2)
    theta = torch.cat([turn * scale.unsqueeze(1), move], dim=2)
    grid = functional.affine_grid(theta, [count, 3, SIDE, SIDE], align_corners=False)
    return functional.grid_sample(wide, grid, padding_mode="border", align_corners=False)


def relight(crops: Tensor, scenes: int, chance: torch.Generator) -> Tensor:
    """Crops (scenes * n, 3, SIDE, SIDE) 0 to 255 under other lamps, the n of each scene under the same one."""
    each = len(crops) // scenes
    light = (crops / 255).clamp(0.002, 1) ** 2.2
    light = _tint(light.view(scenes, each, 3, SIDE, SIDE), scenes, chance).reshape(-1, 3, SIDE, SIDE)
    light = light * _shadows(len(light), chance) + _glare(len(light), chance) + _windows(len(light), chance)
    seen = light.clamp(0, 1) ** (1 / 2.2)
    return _camera(seen.view(scenes, each, 3, SIDE, SIDE), scenes, chance).reshape(-1, 3, SIDE, SIDE)


def light_of(crops: Tensor, scenes: int) -> Tensor:
    """The colours of each scene, as vision.stones.light_of, repeated for each of its crops: (scenes * n, 9)."""
    each = len(crops) // scenes
    middles = crops[:, :, CENTRE, CENTRE].mean(dim=(2, 3)).view(scenes, each, 3)
    colours = torch.quantile(middles, torch.tensor(QUANTILES), dim=1).transpose(0, 1).reshape(scenes, -1)
    return colours.repeat_interleave(each, dim=0)


def _tint(light: Tensor, scenes: int, chance: torch.Generator) -> Tensor:
    """A lamp's colour: a quarter as photographed, a quarter strongly tinted, the rest a little."""
    strength = torch.tensor([0.0, 0.3, 0.3, 1.0])[torch.randint(4, (scenes, 1), generator=chance)]
    colour = torch.exp(torch.randn(scenes, 3, generator=chance) * strength)
    mix = (torch.rand(scenes, 1, generator=chance) * 0.5 * (strength > 0)).view(-1, 1, 1, 1, 1)
    light = light * (1 - mix) + light.mean(dim=2, keepdim=True) * mix
    light = light * colour.view(scenes, 1, 3, 1, 1)
    bright = torch.quantile(light.amax(dim=2).mean(dim=(2, 3)), 0.9, dim=1).view(-1, 1, 1, 1, 1).clamp(min=0.01)
    wanted = torch.exp(torch.randn(scenes, generator=chance) * 0.7 - 0.8).view(-1, 1, 1, 1, 1)
    keep = (torch.rand(scenes, generator=chance) < 0.3).float().view(-1, 1, 1, 1, 1)
    return light * (keep + (1 - keep) * wanted / bright)


def _shadows(count: int, chance: torch.Generator) -> Tensor:
    """Light that falls off across a crop; here and there the hard edge of a shadow or of a patch of sun."""
    steps = torch.linspace(-1, 1, SIDE)
    slope = torch.randn(count, 2, 1, 1, generator=chance)
    ramp = slope[:, 0] * steps.view(1, 1, -1) + slope[:, 1] * steps.view(1, -1, 1)
    ramp = ramp + torch.randn(count, 1, 1, generator=chance) * 0.7
    hard = (torch.rand(count, 1, 1, generator=chance) < 0.2).float()
    beyond = torch.exp(torch.randn(count, 1, 1, generator=chance))
    sharpness = 4 + 16 * torch.rand(count, 1, 1, generator=chance)
    edge = 1 + (beyond - 1) * torch.sigmoid(sharpness * ramp)
    return (hard * edge + (1 - hard) * torch.exp(0.12 * ramp)).unsqueeze(1)


def _glare(count: int, chance: torch.Generator) -> Tensor:
    """Spots of lamp light on stones or wood, on a third of the crops."""
    steps = torch.linspace(-1, 1, SIDE)
    middle = torch.rand(count, 2, 1, 1, generator=chance) * 2 - 1
    width = 0.08 + 0.5 * torch.rand(count, 2, 1, 1, generator=chance) ** 2
    far = ((steps.view(1, 1, -1) - middle[:, 0]) / width[:, 0]) ** 2 + (
        (steps.view(1, -1, 1) - middle[:, 1]) / width[:, 1]
    ) ** 2
    some = (torch.rand(count, 1, 1, generator=chance) < 0.3).float() * torch.rand(count, 1, 1, generator=chance)
    return (some * torch.exp(-far)).unsqueeze(1) * 0.8


def _windows(count: int, chance: torch.Generator) -> Tensor:
    """The reflection of a window with its straight edges, on one crop in twelve; what it whites out nobody can read."""
    steps = torch.linspace(-1, 1, SIDE)
    light = torch.rand(count, 1, 1, generator=chance) * 1.5 * (torch.rand(count, 1, 1, generator=chance) < 1 / 12)
    for _ in range(2):
        turn = torch.rand(count, 1, 1, generator=chance) * 2 * torch.pi
        across = turn.cos() * steps.view(1, 1, -1) + turn.sin() * steps.view(1, -1, 1)
        light = light * torch.sigmoid(20 * (across + torch.rand(count, 1, 1, generator=chance) * 2.5 - 0.5))
    return light.unsqueeze(1)


def _camera(seen: Tensor, scenes: int, chance: torch.Generator) -> Tensor:
    """Tone curve, haze, blur and noise of a camera, 0 to 255."""
    gamma = torch.exp(torch.randn(scenes, 1, 1, 1, 1, generator=chance) * 0.2)
    haze = torch.rand(scenes, 1, 1, 1, 1, generator=chance) ** 3 * 0.4
    seen = seen**gamma * (1 - haze) + haze * torch.rand(scenes, 1, 1, 1, 1, generator=chance)
    blurred = functional.avg_pool2d(seen.flatten(0, 1), 3, 1, 1, count_include_pad=False).view_as(seen)
    blur = torch.rand(scenes, 1, 1, 1, 1, generator=chance) * 1.6 - 0.5
    seen = seen + blur * (blurred - seen)
    noise = torch.rand(scenes, 1, 1, 1, 1, generator=chance) ** 2 * 0.06
    seen = seen + noise * torch.randn(seen.shape, generator=chance)
    return (seen * 255).clamp(0, 255).round()
