"""`shinpan label`: a label with the page's address as a QR code, to print and stick on the table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from device.commands.folder import folder_of, newest_in
from device.files import write_whole
from device.journal.replay import replay
from device.journal.store import ENDING
from device.machine.identity import short_form
from device.machine.label import EVERYWHERE, NoLabel, Part, address_of, label, result_label, svg
from device.machine.wifi import OWN_ADDRESS, access_point
from device.settings import Page, read_settings
from web import words


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `label` and its options."""
    parser = commands.add_parser("label", help="a label with the page's address, to print", description=__doc__)
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings, as TOML")
    parser.add_argument("--address", metavar="URL", help="the page's address, where it is not what the settings say")
    network = parser.add_mutually_exclusive_group()
    network.add_argument("--wifi", metavar="NAME", help="the name of the network in which it is, in words on the label")
    network.add_argument("--access-point", action="store_true", help="a second code, to join the box's own network by")
    parser.add_argument("--result", nargs="?", const="", metavar="MATCH", help="a label with a match's result and seal")
    parser.add_argument("--data", metavar="FOLDER", help="where journals are kept, for --result")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the SVG file to write; standard output when left out")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the label and say what a phone will read from it."""
    if args.out is not None and args.out.suffix.lower() == ".pdf":
        raise NoLabel(f"{args.out}: a label is an SVG; name it label.svg: browsers print it, or save it as a PDF.")
    if args.result is not None:
        return _written([_result(args)], args.out, "a phone reads the result and the seal from it")
    page = read_settings(args.settings).page if args.settings else Page()
    if args.access_point and page.host in EVERYWHERE:
        page = replace(page, host=OWN_ADDRESS)
    address = args.address if args.address is not None else address_of(page)
    parts = label(address, args.wifi, _own_network() if args.access_point else None)
    return _written(parts, args.out, f"the label leads to {address}")


def _written(parts: Sequence[Part], out: Path | None, what: str) -> int:
    if out is None:
        print(svg(tuple(parts)), end="")
    else:
        write_whole(out, svg(tuple(parts)).encode())
    print(f"shinpan: {what}; open the file in a browser and print it at 100%.", file=sys.stderr)
    return 0


def _result(args: argparse.Namespace) -> Part:
    """The newest match's, or that of the match named."""
    folder = folder_of(args)
    journal = folder / f"{args.result.removesuffix(ENDING)}{ENDING}" if args.result else newest_in(folder)
    replayed = replay(journal)
    game, head = replayed.match.snapshot, replayed.head
    won = words.result(game) if game.result is not None else None
    if won is None or head is None:
        raise NoLabel("This match has no result with a seal yet; play it to its end, or name another.")
    return result_label(journal.stem, won, replayed.terms.names, head.short, short_form(head.key))


def _own_network() -> tuple[str, str]:
    found = access_point()
    if found is None:
        raise NoLabel("The box has no network of its own yet; make it: sudo shinpan network access-point --prepare.")
    return found.name, found.password
