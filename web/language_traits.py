"""The languages there are, and what each file `web/locale/CODE/language.toml` says of a language besides its sentences.

A language is a folder named by its BCP 47 tag. Nothing else in the sources knows one by name, but `SOURCE`, which the
sentences are written in first and other programs are answered in.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

FOLDER = Path(__file__).parent / "locale"
SOURCE = "en"
"""The default language, and the one for other programs."""
FILE = "language.toml"


Replacements = tuple[tuple[str, str], ...]
"""Words, each with the one that is used instead."""


class Pronunciation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A voice, and the texts it reads differently from their spelling.

    program: the kind of synthesiser
    name: espeak-ng's voice; the language's own if left out
    words_a_minute: espeak-ng's rate
    is_poor: True if speakers of the language find it hard to follow
    silence: the constant of a sentence's duration in seconds
    takes: patterns, and the seconds that each match adds
    read: patterns, and their reading
    letters: the readings of A to Z, if the voice has none of its own, by spaces
    point: the reading of an intersection's name, if letters are given
    pair: the reading of an intersection's name of two numbers
    """

    program: Literal["espeak-ng", "open-jtalk"] = "espeak-ng"
    name: str = ""
    words_a_minute: int = 155
    is_poor: bool = False
    silence: float = 0.166
    takes: tuple[tuple[str, float], ...] = (
        (r"[^\W\d_]", 0.057),
        (r"\S+", 0.093),
        (r"\d", 0.34),
        (r"[,;:()]", 0.205),
        (r"[^\w\s,;:()'’.!?\"]|(?<=\w)\.(?=\w)", 0.353),
        (r"[A-Z](?=[A-Z])", 0.109),
    )
    read: tuple[tuple[str, str], ...] = ()
    letters: str = ""
    point: str = "{letter}{number}"
    pair: str = "{column} {row}"


class LanguageTraits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The traits of a language besides its sentences.

    draft: True as long as sentences are missing; they are shown in English, and nobody is offered the language
    also: the tags and beginnings of tags that it is offered for
    fonts: the names of fonts with its letters, the best first
    keeps_words: True if lines break between words alone although its letters are wide
    decimal_sign: between whole numbers and their parts
    words_results: True if people read results in words: W+3.5 stands in records alone
    has_braille: True if its words are written in Braille here, by letter or by kana
    braille: readings of words, if Braille writes sounds
    voice: how it is spoken
    words: by the name of a rule set, the words of its sentences that are others under these rules, each with the other
    """

    draft: bool = False
    also: tuple[str, ...] = ()
    fonts: tuple[str, ...] = ()
    keeps_words: bool = False
    decimal_sign: Literal[".", ","] = "."
    words_results: bool = False
    has_braille: bool = True
    braille: dict[str, str] = {}
    voice: Pronunciation = Pronunciation()
    words: dict[str, Replacements] = {}


@cache
def read_traits(code: str) -> LanguageTraits:
    """Return what is special about a language; raise ValueError if its file is wrong."""
    path = FOLDER / code / FILE
    if not path.exists():
        return LanguageTraits()
    try:
        return msgspec.toml.decode(path.read_bytes(), type=LanguageTraits)
    except msgspec.DecodeError as error:
        raise ValueError(f"{path}: {error}") from error


def _find_codes() -> tuple[str, ...]:
    folders = {path.parents[1].name for path in FOLDER.glob("*/LC_MESSAGES/shinpan.po")}
    return (SOURCE, *sorted(folders - {SOURCE}))


ALL = _find_codes()
"""The language codes, with those of drafts."""
DRAFTS = tuple(code for code in ALL if read_traits(code).draft)
CODES = tuple(code for code in ALL if code not in DRAFTS)
"""The codes of whole languages; the first is the default."""


def choose_code(preferences: Iterable[str | None]) -> str:
    """Return the first supported one of the wanted tags: "de-CH" is "de", "zh-Hant-HK" is "zh-Hant"; else `SOURCE`.

    A tag is shortened from its end until a language has it (RFC 4647, lookup).
    """
    tags = _codes_by_tag()
    for tag in filter(None, preferences):
        parts = tag.replace("_", "-").partition(".")[0].lower().split("-")
        for count in range(len(parts), 0, -1):
            if (code := tags.get("-".join(parts[:count]))) is not None:
                return code
    return SOURCE


@cache
def _codes_by_tag() -> dict[str, str]:
    """Return the codes by the tags they are offered for, in small letters."""
    codes = {tag.lower(): code for code in ALL for tag in read_traits(code).also}
    return codes | {code.lower(): code for code in ALL}


def font_family(code: str, *first: str) -> str:
    """Return the fonts of a drawing in a language, after those it is drawn in otherwise."""
    return ", ".join((*first, *read_traits(code).fonts, "sans-serif"))


def language_stylesheet() -> str:
    """Return the fonts and line breaks of all languages, as CSS."""
    return "".join(f":lang({code}) {{ {rules} }}\n" for code in ALL if (rules := _css_rules(read_traits(code))))


LATIN_FONTS = '-apple-system, "Segoe UI", Roboto'
"""The systems' fonts before those of a language: not system-ui, which is one for Chinese on a Chinese Windows, and has
other shapes of the letters that Japanese shares."""


def _css_rules(one: LanguageTraits) -> str:
    fonts = ", ".join(f'"{font}"' for font in one.fonts)
    if not fonts:
        return "word-break: keep-all;" if one.keeps_words else ""
    breaks = "keep-all" if one.keeps_words else "auto-phrase"
    return f"font-family: {LATIN_FONTS}, {fonts}, sans-serif; line-break: strict; word-break: {breaks};"
