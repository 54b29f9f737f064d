"""Benchmarks that can be run in several ways, each so many times from a first number on."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

import cv2

Way = tuple[Callable[[argparse.Namespace], int], int]
"""The function to run, which returns how much went wrong, and how often it is run by default."""


def run(
    about: str | None, ways: Mapping[str, Way], parser: argparse.ArgumentParser | None = None, first: int = 0
) -> int:
    """Run the way that the command line names, by itself the first one; 1 when anything went wrong.

    parser: has a way's own options; `many` and `first` are added to them.
    """
    parser = parser or argparse.ArgumentParser()
    parser.description, parser.formatter_class = about, argparse.RawDescriptionHelpFormatter
    parser.add_argument("way", choices=ways, nargs="?", default=next(iter(ways)))
    parser.add_argument("--many", type=int, help="so many of them")
    parser.add_argument("--first", type=int, default=first, help="the number of the first, from which it is made alone")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    way, usual = ways[args.way]
    args.many = usual if args.many is None else args.many
    return 1 if way(args) else 0


def numbers(args: argparse.Namespace) -> range:
    """The numbers of what is run."""
    return range(args.first, args.first + args.many)
