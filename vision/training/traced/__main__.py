"""Trace tables: `python -m vision.training.traced --out FOLDER --many 60 --seed 1`, with --lids lids alone; with
--fields a prisoner field for each side in place of lids; with --scenes FILE one table with the scene of each line of
the file, {"rows": [..], "lids": [[1, 0], [0, 2]], "arm": false}.

Each picture goes to images/, its truth to labels/ (docs/evidence/seeing-traced.md says how to read it). Existing files
are left as they are, so that an interrupted run resumes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import VisionError
from vision.render.view import Pixels
from vision.training.traced import light, truth
from vision.training.traced.blender import bpy
from vision.training.traced.build import BuiltScene, build_table
from vision.training.traced.chance import random_table, with_scene
from vision.training.traced.fields import random_field_table
from vision.training.traced.scene import TracedTable

Pictures = Iterator[tuple[str, Pixels, dict[str, Any]]]
"""Names, pixels, truths."""
ROOMS = 0.15, 0.9
"""Smallest and largest margin around a lid alone, in its own sides."""


def table_pictures(table: TracedTable, threads: int) -> Pictures:
    """Yield the picture of a whole table."""
    name, built = f"{table.seed:06}", _build_lit_table(table, threads)
    boxes = [truth.project_dish_box(table, dish) for dish in table.lids] + [
        truth.field_box(table, field) for field in table.fields
    ]
    light_map = light.trace_whole(built.scene, table, boxes)
    yield name, light.develop_picture(light_map, table), truth.label_picture(table, built, _image_name(name))


def lid_pictures(table: TracedTable, threads: int) -> Pictures:
    """Yield a picture of each lid alone."""
    built, rng = _build_lit_table(table, threads), np.random.default_rng([table.seed, 51])
    for number, dish in enumerate(table.lids):
        name = f"{table.seed:06}-{number + 1}"
        part, light_map = light.trace_closeup(
            built.scene, table, truth.project_dish_box(table, dish), rng.uniform(*ROOMS)
        )
        yield (
            name,
            light.develop_picture(light_map, table, part),
            truth.label_closeup(table, built, number, part, _image_name(name)),
        )


def game_pictures(table: TracedTable, threads: int, scenes: Path) -> Pictures:
    """Yield a picture of the table for every line of a file of scenes."""
    for number, line in enumerate(scenes.read_text().splitlines()):
        scene_table = with_scene(table, **json.loads(line))
        for _, pixels, table_truth in table_pictures(scene_table, threads):
            name = f"{table.seed:06}-{number:03}"
            yield name, pixels, {**table_truth, "image": _image_name(name)}


def _build_lit_table(table: TracedTable, threads: int) -> BuiltScene:
    built = build_table(table)
    light.set_up(built.scene, table, threads)
    return built


def _image_name(name: str) -> str:
    return f"images/{name}.jpg"


def main() -> int:
    """Trace as many tables as asked for."""
    args = _build_parser().parse_args()
    cv2.setNumThreads(1)
    try:
        bpy()
    except VisionError as error:
        print(error, file=sys.stderr)
        return 2
    for part in ("images", "labels"):
        (args.out / part).mkdir(parents=True, exist_ok=True)
    for seed in range(args.seed, args.seed + args.many):
        if not list((args.out / "labels").glob(f"{seed:06}*.json")):
            table = (random_field_table if args.fields else random_table)(seed, args.astray)
            if args.scenes is not None:
                pictures = game_pictures(table, args.threads, args.scenes)
            else:
                pictures = (lid_pictures if args.lids else table_pictures)(table, args.threads)
            for name, pixels, picture_truth in pictures:
                _save_picture(args.out, name, pixels, picture_truth)
    return 0


def _save_picture(out: Path, name: str, pixels: Pixels, picture_truth: dict[str, Any]) -> None:
    cv2.imwrite(str(out / picture_truth["image"]), pixels, [cv2.IMWRITE_JPEG_QUALITY, 97])
    (out / "labels" / f"{name}.json").write_text(json.dumps(picture_truth))
    print(name, flush=True)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m vision.training.traced", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    parser.add_argument("--many", type=int, default=10, help="how many pictures")
    parser.add_argument("--seed", type=int, default=1, help="the first picture's seed; the others follow")
    parser.add_argument("--lids", action="store_true", help="each lid alone in a small picture, no whole tables")
    parser.add_argument("--fields", action="store_true", help="a prisoner field for each side in place of its lid")
    parser.add_argument("--scenes", type=Path, help="pictures of one table that show what the lines of this file say")
    parser.add_argument("--astray", type=int, default=0, help="so many stones of each board lie far off their points")
    parser.add_argument("--threads", type=int, default=1, help="processor cores to use")
    return parser


if __name__ == "__main__":
    sys.exit(main())
