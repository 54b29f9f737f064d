"""Committed files that programs make: `python -m tests.support.generated` makes those again that are stale.

tests/test_generated.py names them. Some drawings need tools that few machines have: where one is missing, the command
says so and makes all others.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from hardware import circuit, drawings, print_mat, sights
from tests.support import ROOT, answers, examples, sentences, theory
from tests.support.panel import press_tables
from tests.support.vision import drawn_pictures
from web.language_traits import CODES, language_stylesheet

PANEL = ROOT / "docs" / "panel.md"
ASSEMBLY = drawings.HERE / "ASSEMBLY.md"


class GeneratedFiles(NamedTuple):
    """Files of one kind. stale: names those that are not as they would be made now; make: makes them."""

    name: str
    stale: Callable[[], Iterable[object]]
    make: Callable[[], object]


def text(path: Path, anew: Callable[[str], str]) -> GeneratedFiles:
    """Return a text that is made from what stands in it, such as a page with tables."""

    def stale() -> list[Path]:
        current = path.read_text(encoding="utf-8")
        return [path] if anew(current) != current else []

    def make() -> None:
        path.write_text(anew(path.read_text(encoding="utf-8")), encoding="utf-8")

    return GeneratedFiles(str(path.relative_to(ROOT)), stale, make)


def with_tables(page: str) -> str:
    """Return the assembly page with its computed tables."""
    return with_these((circuit.render_table(), sights.render_cameras(), sights.render_tables()), page)


def with_these(tables: Iterable[str], page: str) -> str:
    """Return a page with these tables, each in the place of the one with the same heads."""
    for table in tables:
        head = re.escape(table.splitlines()[0])
        page, count = re.subn(rf"^{head}\n(\|.*\n)*", lambda _, table=table: f"{table}\n", page, flags=re.M)
        assert count == 1, f"the page has no table with the heads {head}"
    return page


def _stale_drawings() -> Iterator[str]:
    """Name the drawings whose sources have changed since, and those of our own that the code draws otherwise."""
    record = drawings.recorded_hashes()
    yield from (name for one in drawings.list_drawings() if not one.is_fresh(record) for name in one.files)
    ours = {}
    for edition in print_mat.EDITIONS:
        ours |= {name: print_mat.render_svg(sheet) for name, sheet in print_mat.svg_files(edition).items()}
    folder = drawings.HERE / "drawings"
    yield from (name for name, now in ours.items() if (folder / name).read_text(encoding="utf-8") != now)


def _stale_pictures() -> Iterator[Path]:
    for drawing in drawn_pictures.DRAWINGS:
        path, now = drawn_pictures.FOLDER / f"{drawing.name}.jpg", drawn_pictures.picture(drawing)
        stored_truth = json.loads(path.with_suffix(".json").read_text())
        if (
            stored_truth != drawn_pictures.truth(now)
            or np.abs(now.pixels.astype(int) - cv2.imread(str(path))).mean() >= 3
        ):
            yield path
    for name, now in drawn_pictures.overlays().items():
        path = drawn_pictures.SHOWN / name
        stored_picture = cv2.imread(str(path))
        # Packing changes neighbouring pixels by up to 44 on average; a ring more or less by 84 and more.
        if (
            stored_picture is None
            or cv2.blur(np.abs(now.astype(int) - stored_picture).astype(np.uint8), (9, 9)).max() >= 60
        ):
            yield path


def _sorted(code: str, current: str) -> str:
    return sentences.sorted_text(sentences.catalogue(code))


GENERATED = (
    *(text(sentences.path_of(code), partial(_sorted, code)) for code in CODES),
    text(ROOT / "web" / "static" / "languages.css", lambda kept: language_stylesheet()),
    text(theory.PAGE, theory.page_anew),
    text(examples.PAGE, examples.page_anew),
    text(answers.PAGE, lambda kept: with_these((answers.table(),), kept)),
    text(ASSEMBLY, with_tables),
    text(PANEL, partial(with_these, press_tables.tables())),
    GeneratedFiles("the drawings of hardware/", _stale_drawings, drawings.draw_all),
    GeneratedFiles("tests/pictures and docs/pictures/seen-* and placed-*", _stale_pictures, drawn_pictures.main),
)


def main() -> int:
    """Make what is stale; 1 where a tool is missing."""
    status = 0
    for one in GENERATED:
        if stale := [str(path) for path in one.stale()]:
            print(f"{one.name}: made again: {', '.join(stale)}", flush=True)
            try:
                one.make()
            except drawings.MissingTool as error:
                print(f"{one.name}: {error}", file=sys.stderr)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
