"""`shinpan voice`: the clips of a language made before they are needed, or listed for people to record."""

from __future__ import annotations

from pathlib import Path

import click

from device.cli.archive import folder_of
from device.cli.options import FILE, Exit, data_option, declare_command, print_note, settings_option
from device.files import read_stored, write_whole
from device.voice.speaker import CLIPS
from web.csv_files import csv_text
from web.language_traits import CODES, read_traits
from web.voice.catalogue import fixed_sentences, list_phrases
from web.voice.clips import Clips
from web.voice.recordings import LIST


@declare_command(
    "voice",
    "Make a language's clips ahead, or list them to record.",
    ("voice ja --settings club.toml", "so that the first game waits for none"),
    ("voice de --list voice/de/clips.csv", "what there is to record, a file name and its words a line"),
    ("voice en", "to see whether the program that speaks is there"),
)
@click.argument("language", type=click.Choice(CODES), metavar="LANGUAGE")
@click.option("--list", "listed", type=FILE, metavar="FILE", help=f"Write {LIST} for recordings, and make no clips.")
@settings_option
@data_option
def voice_command(language: str, listed: Path | None, settings: Path | None, data: str | None) -> int:
    """Make or list the clips; return 0, or 2 if no program speaks the language."""
    if listed is not None:
        texts = list_phrases(language)
        write_whole(listed, _build_table(texts))
        print_note(f"{len(texts)} clips to record are listed in {listed}.")
        return Exit.DONE
    clips = Clips(Path(folder_of(settings, data)) / CLIPS, read_stored)
    sounds = [sound for text in fixed_sentences(language) for sound in clips.of(text, language)]
    minutes = sum(sound.seconds for sound in sounds) / 60
    print_note(f"{len(sounds)} clips, together {minutes:.0f} minutes, are ready.")
    if read_traits(language).voice.is_poor:
        print_note(f"They are hard to follow; recorded clips are better: shinpan voice {language} --list FILE.")
    return Exit.DONE


def _build_table(texts: list[str]) -> bytes:
    return csv_text((f"{number:04}.wav", text) for number, text in enumerate(texts, 1)).encode()
