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
from web.language import find_translator
from web.language_traits import CODES
from web.voice.clips import Clips
from web.voice.pronunciation import LONGEST, Piece, split_pieces
from web.voice.sound import Sound
from web.voice.speech import list_spoken

SILENT = 300.0
"""A clip whose samples' root mean square is below this, of 32767, is none."""
COLUMNS = """language, messages, clips, silent, longest clip, longest message, of over 6 s, faster, in part,
    longest of 9 to 1"""
COUNTED = (*map(str, range(1, 10)),)
OUT = Path("out/spoken")


@dataclass(frozen=True)
class SpokenMessage:
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


def spoken(clips: Clips, code: str, only: str = "") -> Iterator[SpokenMessage]:
    """All messages of the catalogue; those that differ by a number alone one after the other."""
    say = find_translator(code)
    for one in messages(code):
        text, (pronunciation, *_) = say.sentence(one), list_spoken(one, say)
        if one.key.startswith(only) and any(map(str.isalnum, text)):
            fast = any(piece.fast for piece in split_pieces(pronunciation, code))
            yield SpokenMessage(one.key, text, pronunciation, fast, tuple(clips.of(pronunciation, code)))


def write_clips(sentence: SpokenMessage, folder: Path, known_names: set[str]) -> None:
    """Write its clips."""
    for number, sound in enumerate(sentence.sounds, 1):
        name = next(name for name in _names(sentence.key, number, len(sentence.sounds)) if name not in known_names)
        known_names.add(name)
        (folder / f"{name}.wav").write_bytes(sound.wav)


def _names(key: str, number: int, of: int) -> Iterator[str]:
    part = f"-{number}" if of > 1 else ""
    yield f"{key}{part}"
    yield f"{key}-several{part}"


def format_row(code: str, sentences: list[SpokenMessage], counts: list[float]) -> str:
    """The figures as a row of a table."""
    sounds = [sound for one in sentences for sound in one.sounds]
    silent = sum(sound.loudness < SILENT for sound in sounds)
    longest = max(sounds, key=lambda sound: sound.seconds).seconds
    most = max(sentences, key=lambda one: one.seconds)
    figures = (
        len(sentences),
        len(sounds),
        silent,
        f"{longest:.2f} s",
        f"{most.seconds:.1f} s",
        sum(one.seconds > LONGEST for one in sentences),
        sum(one.fast for one in sentences),
        sum(one.said != one.text for one in sentences),
        f"{max(counts):.2f} s",
    )
    return f"| {code} | {' | '.join(map(str, figures))} |"


def parts(sentences: list[SpokenMessage]) -> Iterator[str]:
    """Yield a line for each message said in part, with what is left out in brackets; and for what takes too long."""
    for one in sentences:
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
    args = parser.parse_args()
    print(f"| {' | '.join(name.strip() for name in COLUMNS.split(','))} |")
    print(f"{'|---' * (COLUMNS.count(',') + 1)}|")
    for code in args.codes or CODES:
        if why := why_not(code):
            print(f"| {code} | {why} |")
            continue
        folder, clips, known_names = args.to / code, Clips(args.to / "kept", read_stored), set[str]()
        folder.mkdir(parents=True, exist_ok=True)
        sentences = list(spoken(clips, code, args.only))
        for one in sentences:
            write_clips(one, folder, known_names)
        print(format_row(code, sentences, [clips.clip(Piece(number), code).seconds for number in COUNTED]), flush=True)
        if args.parts:
            print("\n".join(parts(sentences)))
        if args.words and code == "en":
            right, heard = heard_of([(one.said, one.sounds) for one in sentences])
            print(f"\nOf {heard} sentences {right} were heard for what they are, among {OTHERS} others each.")


if __name__ == "__main__":
    main()
