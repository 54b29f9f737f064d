"""The options that the training commands share."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import torch

PHOTOS = Path("../shared/photos")
"""Default folder of the labelled photographs, beside a checkout."""
THREADS = 2
"""Processor cores of the machine on which the shipped nets were made."""


def build_parser(
    command: str, about: str | None, out: Path | None = None, photos: bool = True
) -> argparse.ArgumentParser:
    """Return a parser for `python -m vision.training.<command>`.

    command: the module's name.
    about: the description.
    out: default of --out, None for a command that writes no file.
    photos: True to add --photos.
    """
    parser = argparse.ArgumentParser(prog=f"python -m vision.training.{command}", description=about)
    if photos:
        parser.add_argument("--photos", type=Path, default=PHOTOS, help="the folder of labelled photographs")
    if out is not None:
        parser.add_argument("--out", type=Path, default=out, help="the file to write")
    parser.add_argument("--threads", type=int, default=THREADS, help="processor cores to use")
    return parser


def parse_options(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Parse the options and set the number of cores; exit with a message if the photographs are missing."""
    args = parser.parse_args()
    if "photos" in args and not args.photos.is_dir():
        parser.error(f"no folder {args.photos}; name the labelled photographs with --photos.")
    cv2.setNumThreads(1)
    torch.set_num_threads(args.threads)
    return args
