"""The generator of all drawings of the box: `make drawings`, or `python -m hardware.drawings [--all]`.

Drawings are committed, so nobody needs the tools to build a box. drawings.json holds, for each file, a hash of its
source and a hash of itself; a test compares them, and this command redraws files older than their source.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hardware import print_card, print_keys, print_mat, sights
from hardware.mat_sheets import EDITIONS, FIELDS
from web.language_traits import CODES

HERE = Path(__file__).parent
RECORD = HERE / "drawings.json"
PRINTED = (
    "side_panel",
    "side_panel_base",
    "table_box",
    "table_box_cover",
    "arm_clamp",
    "clamp_pad",
    "arm_elbow",
    "camera_head",
    "camera_plate",
    "lid_tray",
    "rim_channel",
)
"""The printed parts: each has its source, its STL as it lies on the printer's bed, and a picture."""
PARTS = "parts/"
SCENES = ("table", "arm", "clamp_open", "joint_open", "camera_open", "panel_below", "box_open")
"""The pictures of several parts together."""
VIEWS = {
    "table": "-60,0,420,64,0,28,3300",
    "arm": "120,0,110,68,0,28,1250",
    "clamp_open": "0,0,-40,68,0,38,900",
    "joint_open": "40,0,-50,68,0,28,800",
    "camera_open": "0,0,-50,66,0,28,620",
    "panel_below": "0,35,-20,48,0,20,560",
    "box_open": "0,30,50,40,0,18,680",
    "table_box": "0,0,20,42,0,25,520",
}
"""The cameras of pictures for which the default view shows too little."""


class MissingTool(Exception):
    """The error that a required tool is missing; one sentence says how to get it."""


@dataclass(frozen=True)
class Drawing:
    """Files made together, by paths below hardware/.

    source: returns all that they depend on
    draw: makes them
    """

    files: tuple[str, ...]
    source: Callable[[], str]
    draw: Callable[[], None]

    def made_of(self) -> str:
        """Return the hash of the source."""
        return hashlib.sha256(self.source().encode()).hexdigest()

    def is_fresh(self, record: dict[str, list[str]]) -> bool:
        """Return True if all files exist, made from the current source."""
        return all(record.get(name) == [self.made_of(), hash_of(HERE / name)] for name in self.files)


def hash_of(path: Path) -> str:
    """Return a file's hash; empty if there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def recorded_hashes() -> dict[str, list[str]]:
    """Return for each file the hash of its source, and its own."""
    read: dict[str, list[str]] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return read


def list_drawings() -> list[Drawing]:
    """Return all drawings."""
    return [
        *map(_part_drawing, PRINTED),
        *map(_scene_drawing, SCENES),
        _harness_drawing(),
        _gerber_drawing(),
        *_mat_drawings(),
        *_sight_drawings(),
        *(_keys_drawing(name, codes) for name, codes in print_keys.list_sheets().items()),
        *map(_card_drawing, CODES),
    ]


def draw_all(everything: bool = False) -> int:
    """Draw files older than their source, or everything; return the number of files drawn. Raise Missing."""
    record, drawn = recorded_hashes(), 0
    for drawing in list_drawings():
        if everything or not drawing.is_fresh(record):
            print("drawing", *drawing.files, flush=True)
            drawing.draw()
            record |= {name: [drawing.made_of(), hash_of(HERE / name)] for name in drawing.files}
            RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            drawn += len(drawing.files)
    return drawn


def _part_drawing(name: str) -> Drawing:
    solid, picture = f"{PARTS}{name}.stl", f"{PARTS}{name}.png"

    def draw_part() -> None:
        _run_openscad(name, solid, "-D", "printing=true", "--export-format", "binstl")
        _render_picture(name, picture)

    return Drawing((solid, picture), lambda: _read_scad(name), draw_part)


def _scene_drawing(name: str) -> Drawing:
    target = f"drawings/{name}.png"
    return Drawing((target,), lambda: _read_scad(name), lambda: _render_picture(name, target))


def _read_scad(name: str) -> str:
    """Return a part's source with everything it includes."""
    text = (HERE / PARTS / f"{name}.scad").read_text(encoding="utf-8")
    others = re.findall(r"^(?:include|use) <(\w+)\.scad>", text, re.M)
    return text + "".join(_read_scad(other) for other in others)


def _render_picture(name: str, target: str) -> None:
    view = ["--camera", VIEWS[name]] if name in VIEWS else ["--viewall", "--autocenter"]
    size = "960,720" if name in SCENES else "720,540"
    _run_openscad(name, target, "--imgsize", size, "--colorscheme", "Tomorrow", *view)


def _run_openscad(name: str, target: str, *options: str) -> None:
    """Run OpenSCAD, for a picture without a display in a virtual one."""
    command = [_find_tool("openscad", "sudo apt-get install openscad fonts-dejavu-core")]
    if target.endswith(".png") and not os.environ.get("DISPLAY"):
        command = [_find_tool("xvfb-run", "sudo apt-get install xvfb xauth"), "-a", *command]
    _run_command([*command, *options, "-o", str(HERE / target), str(HERE / PARTS / f"{name}.scad")])


def _harness_drawing() -> Drawing:
    return Drawing(("drawings/harness.svg",), lambda: (HERE / "harness.yml").read_text(encoding="utf-8"), _draw_harness)


def _draw_harness() -> None:
    _find_tool("dot", "sudo apt-get install graphviz")
    beside = Path(sys.executable).parent / "wireviz"
    wireviz = str(beside) if beside.exists() else _find_tool("wireviz", "pip install -e '.[drawing]'")
    _run_command([wireviz, "-f", "s", "-o", str(HERE / "drawings"), str(HERE / "harness.yml")])


GERBERS = "drawings/board-gerbers.zip"
LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Silkscreen,Edge.Cuts"
KICAD = "take KiCad 9 or newer (Debian 13: sudo apt-get install --no-install-recommends kicad)"


def _gerber_drawing() -> Drawing:
    """Return the drawing of the Gerber files for the board's maker."""
    project = [HERE / f"kicad/board.kicad_{kind}" for kind in ("pcb", "pro", "dru")]
    return Drawing((GERBERS,), lambda: "".join(path.read_text(encoding="utf-8") for path in project), _draw_gerbers)


def _draw_gerbers() -> None:
    """Export the Gerber files if KiCad finds no fault. Raise Missing with its findings."""
    board = str(HERE / "kicad/board.kicad_pcb")
    with TemporaryDirectory() as folder:
        report, made = Path(folder) / "faults", Path(folder) / "made"
        made.mkdir()
        try:
            _run_kicad("drc", "--severity-error", "--exit-code-violations", "--output", str(report), board)
        except MissingTool as error:
            raise MissingTool(report.read_text(encoding="utf-8") if report.exists() else str(error)) from error
        _run_kicad("export", "gerbers", "--subtract-soldermask", "--layers", LAYERS, "--output", str(made), board)
        _run_kicad("export", "drill", "--output", f"{made}/", board)
        shutil.make_archive(str(HERE / GERBERS.removesuffix(".zip")), "zip", made)


def _run_kicad(*words: str) -> None:
    _run_command([_find_tool("kicad-cli", KICAD), "pcb", *words])


def _sight_drawings() -> list[Drawing]:
    """Return the drawings of the camera's view, and of the board's reflections."""
    drawn = {"drawings/sight.svg": sights.draw_sight, "drawings/glare.svg": sights.draw_glare}
    return [_svg_drawing(name, draw) for name, draw in drawn.items()]


def _svg_drawing(name: str, draw: Callable[[], str]) -> Drawing:
    return Drawing((name,), draw, lambda: _write_text(HERE / name, draw()))


def _mat_drawings() -> list[Drawing]:
    return [drawing for edition in (*EDITIONS, FIELDS) for drawing in _edition_drawings(edition)]


def _edition_drawings(edition: str) -> tuple[Drawing, Drawing]:
    sheets, pdf = print_mat.svg_files(edition), f"drawings/{print_mat.pdf_file(edition)}"

    def join_sheets() -> str:
        return "".join(map(print_mat.render_svg, sheets.values()))

    svgs = tuple(f"drawings/{name}" for name in sheets)
    return (
        Drawing(svgs, join_sheets, lambda: print_mat.write_svgs(HERE / "drawings")),
        Drawing((pdf,), join_sheets, lambda: _draw_pdf(edition)),
    )


def _keys_drawing(name: str, codes: tuple[str, ...]) -> Drawing:
    target = f"drawings/{name}"
    return Drawing(
        (target,),
        lambda: print_keys.render_svg(codes),
        lambda: _write_text(HERE / target, print_keys.render_svg(codes)),
    )


def _card_drawing(code: str) -> Drawing:
    target = f"drawings/card-{code}.svg"
    return Drawing(
        (target,), lambda: print_card.render_svg(code), lambda: _write_text(HERE / target, print_card.render_svg(code))
    )


def _draw_pdf(edition: str) -> None:
    try:
        print_mat.write_pdf(HERE / "drawings" / print_mat.pdf_file(edition), edition)
    except ImportError as error:
        raise MissingTool("reportlab is missing: pip install -e '.[drawing]'") from error


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _find_tool(name: str, how: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise MissingTool(f"{name} is missing: {how}")
    return found


def _run_command(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode or "WARNING" in done.stderr:
        raise MissingTool(f"{Path(command[0]).name} could not draw: {done.stderr.strip()}")


def main() -> int:
    """Run the command; return 1 when a tool is missing."""
    try:
        drawn = draw_all("--all" in sys.argv[1:])
    except MissingTool as error:
        print(f"drawings: {error}", file=sys.stderr)
        return 1
    print(f"drawings: {drawn} files drawn, the others were as new as their sources.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
