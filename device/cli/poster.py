"""`shinpan poster`: the story of an archived game on one sheet, for print and phone."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from device.cli.archive import coordinates_in, folder_of, match_in
from device.cli.options import FILE, TEXT, Exit, data_option, declare_command, print_note, settings_option
from device.files import check_place, write_whole
from device.journal.replay import replay_journal
from referee.game.errors import BadRecord
from referee.table.display_state import BoxStatus, Sight
from web.language import find_translator
from web.language_traits import CODES, SOURCE
from web.page.poster import DAY, pdf_of, poster_of

ENDINGS = (".svg", ".pdf")


@declare_command(
    "poster",
    "Make a poster of a kept game, for print and phone.",
    ("poster --out poster.svg", "the newest match"),
    ("poster --out poster.pdf --language ja", "the same in Japanese, as PDF"),
    ("poster 00012_2026-11-23T19-30-00 --language de --out poster.pdf", "an earlier one, in German, as PDF"),
)
@settings_option
@data_option
@click.option("--language", type=click.Choice(CODES), default=SOURCE, help="In which language; English when left out.")
@click.option("--out", type=FILE, metavar="FILE", help="An SVG or a PDF by its ending; SVG on standard output.")
@click.argument("match", type=TEXT, required=False, metavar="[MATCH]")
def poster_command(settings: Path | None, data: str | None, language: str, out: Path | None, match: str | None) -> int:
    """Draw the poster and write it."""
    journal = match_in(folder_of(settings, data), match)
    check_place(out, settings, journal)
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise BadRecord(f"{out}: a poster is an SVG or a PDF; name a .svg or .pdf file.")
    replayed = replay_journal(journal)
    seal = replayed.head.short if replayed.head is not None else ""
    snapshot = replace(
        replayed.table.build_snapshot(BoxStatus(1, replayed.t, Sight.NONE)), seal=seal, archive_name=journal.stem
    )
    snapshot = replace(snapshot, coordinates=coordinates_in(settings, data))
    svg = poster_of(snapshot, find_translator(language), replayed.table.began[:DAY])
    if out is None:
        sys.stdout.write(svg + "\n")
    else:
        write_whole(out, pdf_of(svg) if out.suffix.lower() == ".pdf" else svg.encode())
        print_note(f"the poster of {journal.stem} is in {out}.")
    return Exit.DONE
