"""`shinpan label`: a label with the page's URL as a QR code, to print and stick on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from device.cli.archive import folder_of, match_in
from device.cli.options import FILE, TEXT, Exit, declare_command, print_note, settings_option
from device.files import check_place, write_whole
from device.journal.replay import replay_journal
from device.machine.identity import short_form
from device.machine.label import EVERYWHERE, NoLabel, Part, address_of, build_label, render_svg, result_label
from device.machine.wifi import OWN_ADDRESS, own_network
from device.settings import Page, read_settings
from web.page import labels


@declare_command(
    "label",
    "Make a label with the page's address as a QR code. Print it and stick it on the table.",
    ("label --out label.svg", "for the page of this machine"),
    ("label --wifi ClubNet --address http://192.168.1.20:8000 --out label.svg", "for one elsewhere"),
    ("label --result --out result.svg", "the newest match's result, with its seal"),
)
@settings_option
@click.option("--address", metavar="URL", help="The page's address, where it is not what the settings say.")
@click.option("--wifi", type=TEXT, metavar="NAME", help="The network in which it is, in words on the label.")
@click.option("--access-point", is_flag=True, help="A second code, to join the box's own network by.")
@click.option(
    "--result", is_flag=False, flag_value="", metavar="[MATCH]", help="A label with a match's result and seal."
)
@click.option("--data", type=TEXT, metavar="FOLDER", help="Where journals are kept, for --result.")
@click.option("--out", type=FILE, metavar="FILE", help="The SVG file to write; standard output when left out.")
def label_command(
    settings: Path | None,
    address: str | None,
    wifi: str | None,
    access_point: bool,
    result: str | None,
    data: str | None,
    out: Path | None,
) -> int:
    """Write the label and print what a phone will read from it."""
    if wifi is not None and access_point:
        raise click.UsageError("--wifi and --access-point cannot go together: name one network.")
    journal = None if result is None else match_in(folder_of(settings, data), result)
    check_place(out, settings, journal)
    if out is not None and out.suffix.lower() != ".svg":
        raise NoLabel(f"{out}: a label is an SVG; name it label.svg: browsers print it, or save it as a PDF.")
    if journal is not None:
        return _write_parts([_build_result(journal)], out, "a phone reads the result and the seal from it")
    url = address if address is not None else address_of(_read_page(settings, access_point))
    parts = build_label(url, wifi, own_network() if access_point else None)
    return _write_parts(parts, out, f"the label leads to {url}")


def _read_page(settings: Path | None, in_own_network: bool) -> Page:
    page = read_settings(settings).page if settings else Page()
    return replace(page, host=OWN_ADDRESS) if in_own_network and page.host in EVERYWHERE else page


def _write_parts(parts: Sequence[Part], out: Path | None, what: str) -> int:
    if out is None:
        print(render_svg(tuple(parts)), end="")
    else:
        write_whole(out, render_svg(tuple(parts)).encode())
    print_note(f"{what}; open the file in a browser and print it at 100%.")
    return Exit.DONE


def _build_result(journal: Path) -> Part:
    """Return the result label of the match in this journal."""
    replayed = replay_journal(journal)
    game, head = replayed.table.snapshot, replayed.head
    result = labels.result_text(game) if game.result is not None else None
    if result is None or head is None:
        raise NoLabel(f"{journal.stem}: this match has no result with a seal yet; play it to its end, or name another.")
    return result_label(journal.stem, result, replayed.terms.names, head.short, short_form(head.key))
