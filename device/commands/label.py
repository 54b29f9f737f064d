"""`shinpan label`: a label with the page's address as a QR code, to print and stick on the table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.files import write_whole
from device.label import address_of, label
from device.settings import Page, read_settings


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `label` and its options."""
    parser = commands.add_parser("label", help="a label with the page's address, to print", description=__doc__)
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings, as TOML")
    parser.add_argument("--address", metavar="URL", help="the page's address, where it is not what the settings say")
    parser.add_argument("--wifi", metavar="NAME", help="the name of the network in which it is, in words on the label")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the SVG file to write; standard output when left out")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the label and say what a phone will read from it."""
    page = read_settings(args.settings).page if args.settings else Page()
    address = args.address if args.address is not None else address_of(page)
    drawn = label(address, args.wifi)
    if args.out is None:
        print(drawn, end="")
    else:
        write_whole(args.out, drawn.encode())
    print(f"shinpan: the label leads to {address}; open the file in a browser and print it at 100%.", file=sys.stderr)
    return 0
