"""Check that every message of the catalogue can be heard: spoken to files in every language, and measured.

    python -m tests.benchmarks.spoken                    all languages, into out/spoken
    python -m tests.benchmarks.spoken en --words         one, and what a recogniser understands of it
    python -m tests.benchmarks.spoken ja --only legal    the messages whose key begins so
    python -m tests.benchmarks.spoken de --parts         and which are said in part: what is said, and what is left out

A clip is a file, `out/spoken/en/legal.place.wav`; a message of several sentences has several, between which it is left
off when it is outdated. Told are how many messages, clips and silent ones there are, the longest clip and message, how
many messages take over six seconds, how many are said faster or in part, and what the last seconds of byo-yomi take.
The recogniser (PocketSphinx, English) chooses among ten sentences of the catalogue which one it hears; sentences with a
word that its dictionary lacks are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.spoken import OTHERS, heard_of, messages, why_not
from vision.input_files import read_stored
from web.language import tongue
from web.language_traits import CODES
from web.voice.clips import Clips
from web.voice.pronunciation import LONGEST, Piece, pieces
from web.voice.sound import Sound
from web.voice.speech import said_of

SILENT = 300.0
"""A clip whose samples' root mean square is below this, of 32767, is none."""
COLUMNS = """language, messages, clips, silent, longest clip, longest message, of over 6 s, faster, in part,
    longest of 9 to 1"""
COUNTED = (*map(str, range(1, 10)),)
OUT = Path("out/spoken")


@dataclass(frozen=True)
class Spoken:
    """A message as it is spoken. text: as the page has it. said: all of it, or its first sentences. fast: it is said
    faster."""

    key: str
    text: str
    said: str
    fast: bool
    sounds: tuple[Sound, ...]

    @property
    def seconds(self) -> float:
        """Return the seconds that all of it takes."""
        return sum(sound.seconds for sound in self.sounds)


def spoken(clips: Clips, code: str, only: str = "") -> Iterator[Spoken]:
    """All messages of the catalogue; those that differ by a number alone one after the other."""
    say = tongue(code)
    for one in messages(code):
        text, (said, *_) = say.sentence(one), said_of(one, say)
        if one.key.startswith(only) and any(map(str.isalnum, text)):
            fast = any(piece.fast for piece in pieces(said, code))
            yield Spoken(one.key, text, said, fast, tuple(clips.of(said, code)))


def kept(found: Spoken, folder: Path, known: set[str]) -> None:
    """Write its clips."""
    for number, sound in enumerate(found.sounds, 1):
        name = next(name for name in _names(found.key, number, len(found.sounds)) if name not in known)
        known.add(name)
        (folder / f"{name}.wav").write_bytes(sound.wav)


def _names(key: str, number: int, of: int) -> Iterator[str]:
    part = f"-{number}" if of > 1 else ""
    yield f"{key}{part}"
    yield f"{key}-several{part}"


def told(code: str, found: list[Spoken], counts: list[float]) -> str:
    """The figures as a row of a table."""
    sounds = [sound for one in found for sound in one.sounds]
    silent = sum(sound.loudness < SILENT for sound in sounds)
    longest = max(sounds, key=lambda sound: sound.seconds).seconds
    most = max(found, key=lambda one: one.seconds)
    figures = (
        len(found),
        len(sounds),
        silent,
        f"{longest:.2f} s",
        f"{most.seconds:.1f} s",
        sum(one.seconds > LONGEST for one in found),
        sum(one.fast for one in found),
        sum(one.said != one.text for one in found),
        f"{max(counts):.2f} s",
    )
    return f"| {code} | {' | '.join(map(str, figures))} |"


def parts(found: list[Spoken]) -> Iterator[str]:
    """Yield a line for each message said in part, with what is left out in brackets; and for what takes too long."""
    for one in found:
        if one.said != one.text:
            yield f"{one.key}: {one.said} [{one.text.removeprefix(one.said).strip()}]"
        if one.seconds > LONGEST:
            yield f"{one.key} takes {one.seconds:.2f} s: {one.said}"


def main() -> None:
    """Speak and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("codes", nargs="*", default=[], help="languages: en, de, ja")
    parser.add_argument("--only", default="", help="messages whose key begins so")
    parser.add_argument("--to", type=Path, default=OUT, help="the folder of the files")
    parser.add_argument("--parts", action="store_true", help="list the messages that are said in part")
    parser.add_argument("--words", action="store_true", help="let a recogniser hear the English ones")
    asked = parser.parse_args()
    print(f"| {' | '.join(name.strip() for name in COLUMNS.split(','))} |")
    print(f"{'|---' * (COLUMNS.count(',') + 1)}|")
    for code in asked.codes or CODES:
        if why := why_not(code):
            print(f"| {code} | {why} |")
            continue
        folder, clips, known = asked.to / code, Clips(asked.to / "kept", read_stored), set[str]()
        folder.mkdir(parents=True, exist_ok=True)
        found = list(spoken(clips, code, asked.only))
        for one in found:
            kept(one, folder, known)
        print(told(code, found, [clips.clip(Piece(number), code).seconds for number in COUNTED]), flush=True)
        if asked.parts:
            print("\n".join(parts(found)))
        if asked.words and code == "en":
            right, heard = heard_of([(one.said, one.sounds) for one in found])
            print(f"\nOf {heard} sentences {right} were heard for what they are, among {OTHERS} others each.")


if __name__ == "__main__":
    main()
