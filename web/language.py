"""The languages of players and page, each a gettext catalogue, and how a message becomes a sentence in one of them.

`web/locale/CODE/LC_MESSAGES/shinpan.po` has a text for every key, with what it speaks of in braces; where a number
decides, it is `n`. A colour is a player's name, or by `{player:stone}` the colour of a stone. Other words behind the
colon are a context (msgctxt) of the catalogue: `{stones:acc}` are stones in the accusative. `{part:first}` begins with
a capital letter.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from referee import COLOURS, Colour, Duration, Listing, Message, Points, Stones, Value, said_by

FOLDER = Path(__file__).parent / "locale"
CODES = ("en", "de", "ja")
"""The first is spoken where none is asked for, and to other programs."""
UNSPACED = frozenset({"ja"})
"""Languages that write no space between words and sentences, and their own comma between things named."""
MOST_NAMED = 8
"""The most points named one by one in a sentence; a ruling's `points` always has them all."""
MESSAGE_KEYS = (
    *(f"{kind}.{colour}" for kind in ("colour", "stone", "stones") for colour in COLOURS),
    *(
        "stones.any",
        "and",
        "and-parts",
        "or",
        "more-points",
        "plain",
        "language",
        "duration.hours",
        "duration.minutes",
        "duration.seconds",
    ),
)
"""Keys that the languages themselves use."""


class Tongue:
    """One language; call it with a key and the values that the text holds."""

    def __init__(self, code: str, texts: GNUTranslations) -> None:
        self.code = code
        self.space, self.comma = ("", "、") if code in UNSPACED else (" ", ", ")
        self._texts = texts
        texts.add_fallback(_NoFallback())
        self.sentence = lru_cache(4096)(self._sentence)
        self.text = lru_cache(4096)(self._text)

    def __call__(self, key: str, **values: Value) -> str:
        return self._filled(self.text(key, values.get("n")), values)

    def __contains__(self, key: str) -> bool:
        try:
            return bool(self._texts.gettext(key))
        except KeyError:
            return False

    def _text(self, key: str, n: Value | None = None, context: str | None = None) -> str:
        """The text of a key as the catalogue has it, for this number; raises KeyError where it has none.

        Call `text`, which remembers.
        """
        if not isinstance(n, int | float):
            return self._texts.gettext(key)
        number = int(n) if n == int(n) else 2
        if context is not None:
            return self._texts.npgettext(context, key, key, number)
        return self._texts.ngettext(key, key, number)

    def _filled(self, text: str, values: Mapping[str, Value]) -> str:
        if "{" not in text:
            return text
        return text.format_map({name: _Slot(self, value) for name, value in values.items()})

    def joined(self, words: list[str], word: str = "and") -> str:
        """ "a", "a and b", "a, b and c"; or with the word of another key."""
        return self(word).join([self.comma.join(words[:-1]), words[-1]] if len(words) > 1 else words)

    def _sentence(self, said: Message) -> str:
        """A message, and what follows it, in this language. Call `sentence`, which remembers."""
        return self.space.join([self(said.key, **dict(said.args)), *map(self._sentence, said.then)])

    def value(self, value: Value, spec: str = "") -> str:
        """What stands in a slot. spec: what the slot has behind its colon."""
        match value:
            case Colour():
                return self(f"{spec or 'colour'}.{value}")
            case Stones(count, colour):
                return self._counted(f"stones.{colour or 'any'}", count, spec or None)
            case Message():
                return _first(self._sentence(value)) if spec == "first" else self._sentence(value)
            case Listing(values):
                text = self.joined([self.value(one) for one in values], _joint(values, spec))
                return _first(text) if spec == "first" else text
            case Points(names):
                return self._points(list(names), spec or None)
            case Duration(ms):
                return self._duration(ms)
            case float():
                return f"{value:g}"
        return str(value)

    def _points(self, names: list[str], context: str | None) -> str:
        if len(names) > MOST_NAMED:
            names = [*names[:MOST_NAMED], self._counted("more-points", len(names) - MOST_NAMED, context)]
        return self.joined(names)

    def _counted(self, key: str, n: int, context: str | None) -> str:
        return self._filled(self.text(key, n, context), {"n": n})

    def _duration(self, ms: int) -> str:
        """ "3 hours 30 minutes", "1 minute 30 seconds", "0 seconds"; hours are said from two on."""
        hours, rest = divmod(ms, 3_600_000) if ms >= 7_200_000 else (0, ms)
        minutes, rest = divmod(rest, 60_000)
        parts = [self("duration.hours", n=hours)] * bool(hours) + [self("duration.minutes", n=minutes)] * bool(minutes)
        return self.space.join([*parts, self("duration.seconds", n=rest / 1000)] if rest or not parts else parts)

    def foreign(self, said: Message) -> str | None:
        """The language of a plain sentence, which is English, where this is another."""
        return CODES[0] if said.key == "plain" and self.code != CODES[0] else None


@dataclass(frozen=True, slots=True)
class _Slot:
    """A value that a text names; what stands behind the colon there is its format."""

    say: Tongue
    value: Value

    def __format__(self, spec: str) -> str:
        return self.say.value(self.value, spec)


class _NoFallback(NullTranslations):
    """What a catalogue lacks is an error, and not the key itself."""

    def gettext(self, message: str) -> str:
        raise KeyError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        raise KeyError(msgid1)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        raise KeyError(f"{context} {msgid1}")


def _joint(values: tuple[Value, ...], spec: str) -> str:
    """The key of what stands before the last of several: parts of a sentence are joined otherwise than names."""
    if spec == "or":
        return "or"
    return "and-parts" if any(isinstance(one, Message) for one in values) else "and"


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def tongue(code: str) -> Tongue:
    """The language of this code; raises KeyError for one that is not spoken."""
    if code not in CODES:
        raise KeyError(code)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(code))
    compiled.seek(0)
    return Tongue(code, GNUTranslations(compiled))


def catalogue(code: str) -> Catalog:
    """The texts of this language as they are written."""
    with (FOLDER / code / "LC_MESSAGES" / "shinpan.po").open("rb") as file:
        return read_po(file, locale=code)


def spoken(wanted: Iterable[str | None]) -> Tongue:
    """The first of the wanted languages that is spoken; "de-CH" is German."""
    codes = [code.lower().partition("-")[0] for code in wanted if code]
    return tongue(next((code for code in codes if code in CODES), CODES[0]))


ENGLISH = tongue(CODES[0])


def english(error: Exception) -> str:
    """What an error says, in English."""
    return ENGLISH.sentence(said_by(error))
