"""Materials as Blender's shader nodes. Texture coordinates are in mm."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.render.scene import Ground, Rgb
from vision.training.traced.blender import bpy
from vision.training.traced.scene import Floats, Goban, Surface

FINE = 4
"""Resolution at which a board's lines are drawn, in pixels per mm."""
INK = (0.012, 0.012, 0.012)
TONER = (0.05, 0.05, 0.05)
CELL = 22.0
"""A `Ground`'s unit in millimetres."""


class Shader:
    """A builder of a material."""

    def __init__(self, name: str, rough: float = 0.5) -> None:
        self.material = bpy().data.materials.new(name)
        self.material.use_nodes = True
        self._tree = self.material.node_tree
        self._body = self._tree.nodes["Principled BSDF"]
        self._body.inputs["Roughness"].default_value = rough

    def colour_material(self, colour: Any) -> Any:
        """Return the material in a colour: a socket, or an `Rgb`."""
        self._connect_input(self._body.inputs["Base Color"], colour)
        return self.material

    def make_clear(self, colour: Rgb) -> Any:
        """Return clear glass or plastic: it mirrors at a slant and transmits light and shadow rays unrefracted."""
        nodes = {kind: self._tree.nodes.new(f"Shader{kind}") for kind in ("NodeFresnel", "NodeMixShader")}
        nodes |= {kind: self._tree.nodes.new(f"ShaderNodeBsdf{kind}") for kind in ("Transparent", "Glossy")}
        nodes["NodeFresnel"].inputs["IOR"].default_value = 1.5
        nodes["Transparent"].inputs["Color"].default_value = to_rgba(colour)
        nodes["Glossy"].inputs["Roughness"].default_value = self._body.inputs["Roughness"].default_value
        mix_node = nodes["NodeMixShader"]
        for slot, kind in enumerate(("NodeFresnel", "Transparent", "Glossy")):
            self._tree.links.new(nodes[kind].outputs[0], mix_node.inputs[slot])
        self._tree.links.new(mix_node.outputs[0], self._tree.nodes["Material Output"].inputs["Surface"])
        return self.material

    def scaled_coordinates(self, *scale: float) -> Any:
        """Return coordinates on the object in mm, scaled along each axis."""
        node = self._tree.nodes.new("ShaderNodeMapping")
        node.inputs["Scale"].default_value = scale
        places = self._tree.nodes.new("ShaderNodeTexCoord").outputs["Object"]
        self._tree.links.new(places, node.inputs["Vector"])
        return node.outputs["Vector"]

    def add_texture(self, kind: str, places: Any, output: str, **inputs: float) -> Any:
        """Return a texture node's output at those coordinates.

        kind: the texture, as in its node's name.
        places: socket of the coordinates.
        output: name of the output.
        inputs: values of its other inputs.
        """
        node = self._tree.nodes.new(f"ShaderNodeTex{kind}")
        self._tree.links.new(places, node.inputs["Vector"])
        for name, value in inputs.items():
            node.inputs[name.replace("_", " ")].default_value = value
        return node.outputs[output]

    def add_math(self, operation: str, one: Any, other: Any = 0.0) -> Any:
        """Return a math node's output: the operation `operation` ('ADD', ...) on two numbers or sockets."""
        node = self._tree.nodes.new("ShaderNodeMath")
        node.operation = operation
        self._connect_input(node.inputs[0], one)
        self._connect_input(node.inputs[1], other)
        return node.outputs[0]

    def mix_colours(self, part: Any, first: Any, second: Any) -> Any:
        """Return a mix from the first to the second colour as the part goes from 0 to 1."""
        node = self._tree.nodes.new("ShaderNodeMix")
        node.data_type, node.clamp_factor = "RGBA", True
        for name, value in (("Factor_Float", part), ("A_Color", first), ("B_Color", second)):
            self._connect_input(next(slot for slot in node.inputs if slot.identifier == name), value)
        return next(slot for slot in node.outputs if slot.identifier == "Result_Color")

    def lay_picture(self, pixels: Floats, wide: float, tall: float) -> Any:
        """Return a grey picture (h, w), 0 to 1, laid over the object's middle.

        pixels: the picture.
        wide, tall: its size, in mm.
        """
        image = bpy().data.images.new("lines", pixels.shape[1], pixels.shape[0])
        image.colorspace_settings.name = "Non-Color"
        image.pixels.foreach_set(np.repeat(pixels[::-1, :, None], 4, axis=2).astype(np.float32).ravel())
        node = self._tree.nodes.new("ShaderNodeTexImage")
        node.image, node.extension = image, "CLIP"
        places = self._tree.nodes.new("ShaderNodeVectorMath")
        places.operation = "ADD"
        places.inputs[1].default_value = (0.5, 0.5, 0.0)
        self._tree.links.new(self.scaled_coordinates(1 / wide, 1 / tall, 0.0), places.inputs[0])
        self._tree.links.new(places.outputs[0], node.inputs["Vector"])
        return node.outputs["Color"]

    def _connect_input(self, slot: Any, value: Any) -> None:
        if isinstance(value, tuple):
            slot.default_value = to_rgba(value)
        elif isinstance(value, float):
            slot.default_value = value
        else:
            self._tree.links.new(value, slot)


def to_rgba(colour: Rgb) -> tuple[float, float, float, float]:
    """Convert our colour order to Blender's."""
    return (*colour[::-1], 1.0)


def make_plain(surface: Surface) -> Any:
    """Return a material of one colour, with a shell's grain if it has one."""
    shader = Shader("plain", surface.rough)
    if surface.clear:
        return shader.make_clear(surface.colour)
    if not surface.stripes:
        return shader.colour_material(surface.colour)
    waves = shader.add_texture(
        "Wave", shader.scaled_coordinates(0.35, 0.1, 0.1), "Fac", Scale=1.0, Distortion=1.5, Detail=1.0
    )
    return shader.colour_material(
        shader.mix_colours(waves, surface.colour, dim_colour(surface.colour, 1 - surface.stripes))
    )


def dim_colour(colour: Rgb, share: float) -> Rgb:
    """Return a colour scaled by a share."""
    blue, green, red = (min(max(part * share, 0.0), 0.95) for part in colour)
    return blue, green, red


def wood_grain(shader: Shader, colour: Rgb, strength: float, spacing: float, down: bool) -> Any:
    """Return wood: growth rings and pores along one direction.

    shader: the material.
    colour: mean reflectance.
    strength: strength of the grain.
    spacing: spacing of the rings, in mm.
    down: True if the grain runs down the object.
    """
    across, along = 1 / spacing, 0.02 / spacing
    scale = (across, along, across) if down else (along, across, across)
    places = shader.scaled_coordinates(*scale)
    rings = shader.add_texture("Noise", places, "Fac", Scale=1.0, Detail=3.0, Roughness=0.6, Distortion=0.3)
    pores = shader.add_texture(
        "Noise", shader.scaled_coordinates(*(part * 9 for part in scale)), "Fac", Scale=1.0, Detail=2.0
    )
    part = shader.add_math("ADD", shader.add_math("MULTIPLY", rings, 1.6), shader.add_math("MULTIPLY", pores, 0.5))
    part = shader.add_math("SUBTRACT", part, 0.55)
    return shader.mix_colours(part, dim_colour(colour, 1 - 1.6 * strength), dim_colour(colour, 1 + 1.2 * strength))


def make_printed(ink: Floats, wide: float, tall: float, paper: Surface) -> Any:
    """Return printed paper.

    ink: the print (h, w) of 0 to 1.
    wide, tall: its size, in mm.
    paper: the paper.
    """
    shader = Shader("printed", paper.rough)
    return shader.colour_material(shader.mix_colours(shader.lay_picture(ink, wide, tall), paper.colour, TONER))


def turned_wood(surface: Surface) -> Any:
    """Return the turned or moulded wood of a dish."""
    shader = Shader("dish", surface.rough)
    return shader.colour_material(wood_grain(shader, surface.colour, surface.stripes, 5.0, False))


def make_board(goban: Goban) -> Any:
    """Return a board's wood with its lines and star points."""
    shader = Shader("board", goban.rough)
    wood = wood_grain(shader, goban.wood, *goban.grain)
    x, y = goban.half_board
    return shader.colour_material(shader.mix_colours(shader.lay_picture(draw_lines(goban), 2 * x, 2 * y), wood, INK))


def draw_lines(goban: Goban) -> Floats:
    """Draw the ink of a board, (h, w) of 0 to 1, FINE pixels per mm."""
    wide, tall = (round(2 * length * FINE) for length in goban.half_board)
    ink = np.zeros((tall, wide), np.uint8)
    for k in range(goban.size):
        for ends in (((k, 0), (k, goban.size - 1)), ((0, k), (goban.size - 1, k))):
            start, end = (_to_pixel(goban, *point) for point in ends)
            cv2.line(ink, start, end, 255, max(1, round(goban.line * FINE)), cv2.LINE_AA)
    for row, column in find_star_points(goban.size):
        cv2.circle(ink, _to_pixel(goban, row, column), round(goban.hoshi / 2 * FINE), 255, -1, cv2.LINE_AA)
    return ink / 255.0


def find_star_points(size: int) -> list[tuple[int, int]]:
    """Return rows and columns of the star points."""
    edge = 2 if size == 9 else 3
    steps = (edge, size - 1 - edge) if size < 19 else (edge, size // 2, size - 1 - edge)
    points = [(row, column) for row in steps for column in steps]
    return points if size == 19 else [*points, (size // 2, size // 2)]


def _to_pixel(goban: Goban, row: float, column: float) -> tuple[int, int]:
    (x, y), (far_x, far_y) = goban.locate_point(row, column), goban.half_board
    return round((x + far_x) * FINE), round((y + far_y) * FINE)


def make_ground(kind_of_ground: Ground) -> Any:
    """Return a table's or floor's material, by the kinds of `Ground`; the pattern's size in cells of 22 mm."""
    shader = Shader("ground", {"plain": 0.35, "planks": 0.4}.get(kind_of_ground.kind, 0.8))
    return shader.colour_material(
        shader.mix_colours(
            GROUNDS[kind_of_ground.kind](shader, kind_of_ground.scale * CELL),
            kind_of_ground.first,
            kind_of_ground.second,
        )
    )


def _texture_planks(shader: Shader, size: float) -> Any:
    bricks = shader.add_texture(
        "Brick", shader.scaled_coordinates(0.15 / size, 1 / size, 0.0), "Color", Scale=1.0, Mortar_Size=0.008
    )
    grain = shader.add_texture(
        "Noise", shader.scaled_coordinates(0.6 / size, 14 / size, 1.0), "Fac", Scale=1.0, Detail=3.0
    )
    return shader.add_math("ADD", shader.add_math("MULTIPLY", bricks, 0.6), shader.add_math("SUBTRACT", grain, 0.3))


def _texture_plain(shader: Shader, size: float) -> Any:
    return shader.add_texture(
        "Noise", shader.scaled_coordinates(0.5 / size, 0.5 / size, 0.0), "Fac", Scale=1.0, Detail=2.0
    )


def _texture_checks(shader: Shader, size: float) -> Any:
    across, down = (
        shader.add_texture("Wave", shader.scaled_coordinates(*scale), "Fac", Scale=0.3)
        for scale in ((1 / size, 0, 0), (0, 1 / size, 0))
    )
    steep = [shader.add_math("GREATER_THAN", part, 0.5) for part in (across, down)]
    return shader.add_math(
        "ADD", shader.add_math("MULTIPLY", steep[0], 0.5), shader.add_math("MULTIPLY", steep[1], 0.5)
    )


def _texture_weave(shader: Shader, _: float) -> Any:
    threads = shader.add_texture("Noise", shader.scaled_coordinates(0.1, 1.0, 0.0), "Fac", Scale=1.0)
    other = shader.add_texture("Noise", shader.scaled_coordinates(1.0, 0.1, 0.0), "Fac", Scale=1.0)
    return shader.add_math("SUBTRACT", shader.add_math("ADD", threads, other), 0.5)


def _texture_stripes(shader: Shader, size: float) -> Any:
    """Return tatami: rushes in ribs; `size` is the width of a mat."""
    ribs = shader.add_texture("Wave", shader.scaled_coordinates(0.0, 0.12, 0.0), "Fac", Scale=1.0, Distortion=0.3)
    rush = shader.add_texture("Noise", shader.scaled_coordinates(0.4, 0.02, 0.0), "Fac", Scale=1.0, Detail=2.0)
    return shader.add_math("ADD", shader.add_math("MULTIPLY", ribs, 0.35), shader.add_math("MULTIPLY", rush, 0.6))


def _texture_speckle(shader: Shader, _: float) -> Any:
    return shader.add_texture("Noise", shader.scaled_coordinates(0.15, 0.15, 0.15), "Fac", Scale=1.0, Detail=4.0)


def _texture_blotches(shader: Shader, size: float) -> Any:
    return shader.add_texture("Noise", shader.scaled_coordinates(1 / size, 1 / size, 0.0), "Fac", Scale=2.0, Detail=5.0)


GROUNDS = {
    "planks": _texture_planks,
    "plain": _texture_plain,
    "checks": _texture_checks,
    "weave": _texture_weave,
    "stripes": _texture_stripes,
    "speckle": _texture_speckle,
    "blotches": _texture_blotches,
}
"""Builder of each kind of ground."""
