"""`shinpan label`: a label with the page's address as a QR code, to print and stick on the table."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from device.files import write_whole
from device.machine.label import EVERYWHERE, NoLabel, address_of, label, svg
from device.machine.wifi import OWN_ADDRESS, access_point
from device.settings import Page, read_settings


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `label` and its options."""
    parser = commands.add_parser("label", help="a label with the page's address, to print", description=__doc__)
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings, as TOML")
    parser.add_argument("--address", metavar="URL", help="the page's address, where it is not what the settings say")
    network = parser.add_mutually_exclusive_group()
    network.add_argument("--wifi", metavar="NAME", help="the name of the network in which it is, in words on the label")
    network.add_argument("--access-point", action="store_true", help="a second code, to join the box's own network by")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the SVG file to write; standard output when left out")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the label and say what a phone will read from it."""
    if args.out is not None and args.out.suffix.lower() == ".pdf":
        raise NoLabel(f"{args.out}: a label is an SVG; name it label.svg: browsers print it, or save it as a PDF.")
    page = read_settings(args.settings).page if args.settings else Page()
    if args.access_point and page.host in EVERYWHERE:
        page = replace(page, host=OWN_ADDRESS)
    address = args.address if args.address is not None else address_of(page)
    parts = label(address, args.wifi, _own_network() if args.access_point else None)
    if args.out is None:
        print(svg(parts), end="")
    else:
        write_whole(args.out, svg(parts).encode())
    print(f"shinpan: the label leads to {address}; open the file in a browser and print it at 100%.", file=sys.stderr)
    return 0


def _own_network() -> tuple[str, str]:
    found = access_point()
    if found is None:
        raise NoLabel("The box has no network of its own yet; make it: sudo shinpan network access-point --prepare.")
    return found.name, found.password
